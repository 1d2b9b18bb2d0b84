//! A life state in memory, checked and in its own channel order.

use tropism_body::{MAX_ACTUATORS, MAX_SENSORS};
use tropism_core::{FixedList, Name, Seed, Tick, TimeStep, hash};
use tropism_organism::contingency::Contingency;
use tropism_organism::physiology::Physiology;
use tropism_organism::reflex::Reflex;
use tropism_organism::senses::Senses;
use tropism_organism::spatial::Spatial;
use tropism_organism::{Organism, OrganismState};

/// Whose random draws an organism takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streams {
    /// Root of the streams.
    pub seed: Seed,
    /// Number of the robot.
    pub robot: u32,
}

/// Parts of a life state: what a file holds, or what a successor inherits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each part is inherited or not by itself")]
pub struct Parts {
    /// Ticks lived; the address of the random draws.
    pub age: bool,
    /// Seed and robot of the random streams.
    pub streams: bool,
    /// Values of the needs.
    pub needs: bool,
    /// What the senses have learned: levels, jitter, habituation, usual activity.
    pub senses: bool,
    /// Contingency memory.
    pub contingency: bool,
    /// Spatial memory.
    pub spatial: bool,
    /// Reflex weights, traces, input means and reward statistics.
    pub reflexes: bool,
    /// Exploration noise.
    pub exploration: bool,
}

impl Parts {
    /// Everything: going on equals never having stopped.
    pub const ALL: Self = Self {
        age: true,
        streams: true,
        needs: true,
        senses: true,
        contingency: true,
        spatial: true,
        reflexes: true,
        exploration: true,
    };

    /// Nothing.
    pub const NONE: Self = Self {
        age: false,
        streams: false,
        needs: false,
        senses: false,
        contingency: false,
        spatial: false,
        reflexes: false,
        exploration: false,
    };

    /// What is learned over lives: memories, reflexes and the senses' adaptation, but not the
    /// needs of the moment, nor age, streams and noise.
    pub const LEARNED: Self =
        Self { age: false, streams: false, needs: false, exploration: false, ..Self::ALL };

    /// What a file of version 1 holds.
    pub const VERSION_1: Self =
        Self { streams: false, senses: false, reflexes: false, exploration: false, ..Self::ALL };

    /// Parts in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            age: self.age && other.age,
            streams: self.streams && other.streams,
            needs: self.needs && other.needs,
            senses: self.senses && other.senses,
            contingency: self.contingency && other.contingency,
            spatial: self.spatial && other.spatial,
            reflexes: self.reflexes && other.reflexes,
            exploration: self.exploration && other.exploration,
        }
    }
}

/// A checked life state. Codes, signatures and channel arrays are in the order of its own channel
/// lists.
#[derive(Clone, Debug, PartialEq)]
pub struct LifeState {
    pub(crate) version: u32,
    pub(crate) body: Name,
    pub(crate) fingerprint: u32,
    pub(crate) actuators: FixedList<Name, MAX_ACTUATORS>,
    pub(crate) sensors: FixedList<Name, MAX_SENSORS>,
    pub(crate) step: TimeStep,
    pub(crate) streams: Option<Streams>,
    pub(crate) parts: Parts,
    /// Needs the file gave a value for, as bits.
    pub(crate) needs_given: u8,
    pub(crate) state: OrganismState,
}

/// All needs given.
pub(crate) const ALL_NEEDS: u8 = 0b11_1111;

impl LifeState {
    /// A newborn of no channels that holds nothing to give, to be read into.
    pub fn blank() -> Self {
        Self {
            version: crate::VERSION,
            body: Name::default(),
            fingerprint: hash::fnv1a_32(b""),
            actuators: FixedList::new(),
            sensors: FixedList::new(),
            step: TimeStep::TWENTIETH,
            streams: None,
            parts: Parts::NONE,
            needs_given: ALL_NEEDS,
            state: OrganismState {
                age: Tick(0),
                senses: Senses::new(0),
                physiology: Physiology::default(),
                contingency: Contingency::default(),
                spatial: Spatial::default(),
                reflex: Reflex::new(0, 0, 0.0),
                noise: [0.0; MAX_ACTUATORS],
            },
        }
    }

    /// The life state of a living organism.
    pub fn of(organism: &Organism) -> Self {
        let body = organism.body();
        let mut life = Self::blank();
        life.parts = Parts::ALL;
        life.body = body.name;
        for spec in body.actuators.iter() {
            let _ = life.actuators.push(spec.name);
        }
        for spec in body.sensors.iter() {
            let _ = life.sensors.push(spec.name);
        }
        life.fingerprint = body.fingerprint();
        life.step = organism.time_step();
        life.streams = Some(Streams { seed: organism.seed(), robot: organism.robot() });
        life.state = *organism.state();
        life
    }

    /// Version of the file it was read from.
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// Name of the body it was lived in; `unnamed` in files of version 1.
    pub const fn body(&self) -> Name {
        self.body
    }

    /// Fingerprint of the channel layout it was lived in.
    pub const fn fingerprint(&self) -> u32 {
        self.fingerprint
    }

    /// Actuator channels, in the order of its codes.
    pub fn actuators(&self) -> &[Name] {
        &self.actuators
    }

    /// Sensor channels, in the order of its codes.
    pub fn sensors(&self) -> &[Name] {
        &self.sensors
    }

    /// Seconds per tick of the life.
    pub const fn time_step(&self) -> TimeStep {
        self.step
    }

    /// Its random streams, if the file names them.
    pub const fn streams(&self) -> Option<Streams> {
        self.streams
    }

    /// What the file holds.
    pub const fn parts(&self) -> Parts {
        self.parts
    }

    /// The state, in the order of its own channels.
    pub const fn state(&self) -> &OrganismState {
        &self.state
    }

    /// Fingerprint of the listed channels.
    pub(crate) fn listed_fingerprint(&self) -> u32 {
        let names = self.actuators.iter().chain(self.sensors.iter());
        names.fold(hash::fnv1a_32(b""), |h, name| hash::fnv1a_32_onto(h, name.as_str().as_bytes()))
    }

    /// Back to a newborn of no channels.
    pub(crate) fn empty(&mut self) {
        self.version = crate::VERSION;
        self.parts = Parts::NONE;
        self.needs_given = ALL_NEEDS;
        self.streams = None;
        self.actuators.clear();
        self.sensors.clear();
        self.size_to_channels();
        self.state.physiology = Physiology::default();
        self.state.contingency.clear();
        self.state.contingency.previous_valid = 0;
        self.state.spatial.clear();
    }

    /// Makes room for the channels listed.
    #[inline(never)]
    pub(crate) fn size_to_channels(&mut self) {
        self.state.senses = Senses::new(self.sensors.len());
        self.state.reflex = Reflex::new(self.sensors.len(), self.actuators.len(), 0.0);
    }
}

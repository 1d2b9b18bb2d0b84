//! Giving a life state to an organism, of the same body or another.

use core::fmt;

use tropism_body::{BodySpec, MAX_ACTUATORS, MAX_SENSORS};
use tropism_core::{FixedList, Name, TimeStep};
use tropism_organism::contingency::{Contingency, Entry, SLOTS as ENTRIES};
use tropism_organism::reflex::{CONTEXTS, Connection, Reflex};
use tropism_organism::spatial::{Place, SLOTS as PLACES, Spatial};
use tropism_organism::{NEEDS, Organism, OrganismState};

use crate::life::{LifeState, Parts};

/// Channel names.
pub type Names = FixedList<Name, 16>;

/// How much of one section was carried over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// Items in the organism now.
    pub kept: u32,
    /// Items of the file that are not: nothing left after unknown channels were taken out, equal
    /// to a stronger one, or no room.
    pub dropped: u32,
}

impl fmt::Display for Carried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} kept, {} dropped", self.kept, self.dropped)
    }
}

/// What became of a life state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransferReport {
    /// Parts that were given.
    pub parts: Parts,
    /// The channel layouts are equal and nothing had to be left out: going on equals never having
    /// stopped.
    pub is_exact: bool,
    /// The file's fingerprint is that of the body.
    pub has_same_channels: bool,
    /// The file's time step is that of the organism.
    pub has_same_step: bool,
    /// Contingency entries.
    pub contingency: Carried,
    /// Places.
    pub spatial: Carried,
    /// Reflex connections with a weight or a trace.
    pub reflexes: Carried,
    /// Sensors of the file that the body lacks.
    pub dropped_sensors: Names,
    /// Actuators of the file that the body lacks.
    pub dropped_actuators: Names,
    /// Sensors of the body that the file lacks.
    pub new_sensors: Names,
    /// Actuators of the body that the file lacks.
    pub new_actuators: Names,
}

impl fmt::Display for TransferReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = if self.is_exact { "restored exactly" } else { "transferred" };
        write!(
            f,
            "{how}: contingencies {}; places {}; connections {}",
            self.contingency, self.spatial, self.reflexes
        )?;
        for (what, names) in [
            ("sensors dropped", &self.dropped_sensors),
            ("actuators dropped", &self.dropped_actuators),
            ("sensors new", &self.new_sensors),
            ("actuators new", &self.new_actuators),
        ] {
            for (i, name) in names.iter().enumerate() {
                let before = if i == 0 { "" } else { ", " };
                if i == 0 {
                    write!(f, "; {what}: ")?;
                }
                write!(f, "{before}{name}")?;
            }
        }
        if !self.has_same_step {
            f.write_str("; the time steps differ")?;
        }
        Ok(())
    }
}

/// Where each channel of the file went.
struct Map {
    sensors: [Option<u8>; MAX_SENSORS],
    actuators: [Option<u8>; MAX_ACTUATORS],
    is_same_layout: bool,
}

fn gather(code: u32, map: &[Option<u8>]) -> u32 {
    map.iter().enumerate().fold(0, |mapped, (from, to)| match to {
        Some(to) => mapped | (((code >> (2 * from)) & 3) << (2 * to)),
        None => mapped,
    })
}

fn gather_bits(bits: u16, map: &[Option<u8>]) -> u16 {
    map.iter().enumerate().fold(0, |mapped, (from, to)| match to {
        Some(to) => mapped | (((bits >> from) & 1) << to),
        None => mapped,
    })
}

fn gather_values(from: &[f32], to: &mut [f32], map: &[Option<u8>]) {
    for (value, target) in from.iter().zip(map) {
        if let Some(target) = target {
            to[usize::from(*target)] = *value;
        }
    }
}

impl LifeState {
    /// Gives all that the file holds to an organism.
    pub fn give_to(&self, organism: &mut Organism) -> TransferReport {
        self.give_parts_to(organism, Parts::ALL)
    }

    /// Gives some parts to an organism; the others stay as they are.
    ///
    /// Into a body with the same channels in the same order everything returns to the slot it was
    /// in. Into another body channels are matched by name: symbols of unknown channels are taken
    /// out, channels that the file lacks start as in a newborn, a place is at the lowest quarter
    /// of them.
    ///
    /// # Source
    /// Reference engine, restore rules; there a place none of whose channels exist becomes the
    /// place of all lowest quarters, here it is dropped.
    pub fn give_parts_to(&self, organism: &mut Organism, wanted: Parts) -> TransferReport {
        let parts = self.parts.and(wanted);
        let mut report = self.compare(organism.body(), organism.time_step());
        report.parts = parts;
        let map = self.map_to(organism.body());
        let mean = organism.config().input_mean_at_birth;
        // A checked state can always be given, so writing in place is all or nothing too.
        let state = organism.state_mut();
        if parts.age {
            state.age = self.state.age;
        }
        if parts.needs {
            self.give_needs(state);
        }
        if parts.senses {
            self.give_senses(state, &map);
        }
        if parts.contingency {
            self.give_contingency(&mut state.contingency, &map, &mut report);
        }
        if parts.spatial {
            self.give_spatial(&mut state.spatial, &map, &mut report);
        }
        if parts.reflexes {
            state.reflex.clear();
            state.reflex.means.fill(mean);
            state.reflex.x.fill(0.0);
            self.give_reflexes(&mut state.reflex, &map, &mut report);
        }
        if !parts.needs {
            // The needs of the file are no past of the needs that stay.
            state.contingency.has_previous &= !parts.contingency;
            state.spatial.has_previous &= !parts.spatial;
            state.reflex.has_previous &= !parts.reflexes;
        }
        if parts.exploration {
            gather_values(&self.state.noise, &mut state.noise, &map.actuators);
        }
        if let Some(streams) = self.streams.filter(|_| parts.streams) {
            organism.set_streams(streams.seed, streams.robot);
        }
        report.is_exact = map.is_same_layout && parts == Parts::ALL && report.has_same_step;
        report
    }

    fn compare(&self, body: &BodySpec, step: TimeStep) -> TransferReport {
        let mut report = TransferReport {
            parts: self.parts,
            is_exact: false,
            has_same_channels: self.fingerprint == body.fingerprint(),
            has_same_step: self.step == step,
            contingency: Carried::default(),
            spatial: Carried::default(),
            reflexes: Carried::default(),
            dropped_sensors: Names::new(),
            dropped_actuators: Names::new(),
            new_sensors: Names::new(),
            new_actuators: Names::new(),
        };
        for name in self.sensors.iter().filter(|n| body.sensor(n.as_str()).is_none()) {
            let _ = report.dropped_sensors.push(*name);
        }
        for name in self.actuators.iter().filter(|n| body.actuator(n.as_str()).is_none()) {
            let _ = report.dropped_actuators.push(*name);
        }
        for spec in body.sensors.iter().filter(|s| !self.sensors.contains(&s.name)) {
            let _ = report.new_sensors.push(spec.name);
        }
        for spec in body.actuators.iter().filter(|a| !self.actuators.contains(&a.name)) {
            let _ = report.new_actuators.push(spec.name);
        }
        report
    }

    fn map_to(&self, body: &BodySpec) -> Map {
        let mut map = Map {
            sensors: [None; MAX_SENSORS],
            actuators: [None; MAX_ACTUATORS],
            is_same_layout: self.version != 1
                && self.sensors.iter().eq(body.sensors.iter().map(|s| &s.name))
                && self.actuators.iter().eq(body.actuators.iter().map(|a| &a.name)),
        };
        for (to, name) in map.sensors.iter_mut().zip(self.sensors.iter()) {
            *to = body.sensor(name.as_str()).map(|i| i as u8);
        }
        for (to, name) in map.actuators.iter_mut().zip(self.actuators.iter()) {
            *to = body.actuator(name.as_str()).map(|i| i as u8);
        }
        map
    }

    fn give_needs(&self, state: &mut OrganismState) {
        let (from, to) = (&self.state.physiology, &mut state.physiology);
        for i in 0..NEEDS {
            if self.needs_given & (1 << i) != 0 {
                to.values[i] = from.values[i];
            }
        }
        if self.version != 1 {
            (to.drives, to.distance, to.fuzz) = (from.drives, from.distance, from.fuzz);
        }
    }

    fn give_senses(&self, state: &mut OrganismState, map: &Map) {
        let (from, to) = (&self.state.physiology, &mut state.physiology);
        to.activity = from.activity;
        to.spike = from.spike;
        to.activity_average = from.activity_average;
        let channels = &map.sensors;
        gather_values(&from.previous, &mut to.previous, channels);
        gather_values(&from.velocity, &mut to.velocity, channels);
        gather_values(&from.jitter, &mut to.jitter, channels);
        gather_values(&from.habituation, &mut to.habituation, channels);
        to.has_previous = gather_bits(from.has_previous, channels);
        gather_values(&self.state.senses.levels, &mut state.senses.levels, channels);
        state.senses.valid = gather_bits(self.state.senses.valid, channels);
    }

    fn give_contingency(&self, to: &mut Contingency, map: &Map, report: &mut TransferReport) {
        let from = &self.state.contingency;
        to.clear();
        for slot in 0..ENTRIES {
            let Some(entry) = from.entry(slot) else { continue };
            let action = gather(entry.action, &map.actuators);
            let sensors = gather(entry.sensors, &map.sensors);
            let entry = Entry { action, sensors, ..entry };
            if map.is_same_layout {
                to.put_at(slot, entry);
            } else {
                to.adopt(entry);
            }
        }
        let kept = to.count() as u32;
        report.contingency = Carried { kept, dropped: from.count() as u32 - kept };
        if self.version == 1 {
            return;
        }
        to.surprise = from.surprise;
        to.latest = (gather(from.latest.0, &map.actuators), gather(from.latest.1, &map.sensors));
        to.latest_relief = from.latest_relief;
        to.latest_slot = from.latest_slot.filter(|_| map.is_same_layout);
        // Values of other channels are no past to compare with.
        to.has_previous = from.has_previous && map.is_same_layout;
        gather_values(&from.previous_actuators, &mut to.previous_actuators, &map.actuators);
        gather_values(&from.previous_levels, &mut to.previous_levels, &map.sensors);
        to.previous_valid = gather_bits(from.previous_valid, &map.sensors);
        to.previous_distance = from.previous_distance;
    }

    fn give_spatial(&self, to: &mut Spatial, map: &Map, report: &mut TransferReport) {
        let from = &self.state.spatial;
        let has_common = map.sensors.iter().any(Option::is_some);
        to.clear();
        for slot in 0..PLACES {
            let Some(place) = from.place(slot) else { continue };
            let place = Place { signature: gather(place.signature, &map.sensors), ..place };
            if map.is_same_layout {
                to.put_at(slot, place);
            } else if has_common {
                to.adopt(place);
            }
        }
        let kept = to.count() as u32;
        report.spatial = Carried { kept, dropped: from.count() as u32 - kept };
        if self.version == 1 {
            return;
        }
        to.here = gather(from.here, &map.sensors);
        to.previous_drives = from.previous_drives;
        to.has_previous = from.has_previous;
    }

    fn give_reflexes(&self, to: &mut Reflex, map: &Map, report: &mut TransferReport) {
        let from = &self.state.reflex;
        let (old_constant, new_constant) = (self.sensors.len(), to.inputs() - 1);
        for context in 0..CONTEXTS {
            for input in 0..=old_constant {
                let target = if input == old_constant {
                    Some(new_constant as u8)
                } else {
                    map.sensors[input]
                };
                for output in 0..self.actuators.len() {
                    let weight = from.weight(context, input, output);
                    let trace = from.trace(context, input, output);
                    let is_empty = weight == 0.0 && trace == 0.0;
                    let (Some(input), Some(output)) = (target, map.actuators[output]) else {
                        report.reflexes.dropped += u32::from(!is_empty);
                        continue;
                    };
                    report.reflexes.kept += u32::from(!is_empty);
                    let context = context as u8;
                    to.set_weight(Connection { context, input, output, weight });
                    to.set_trace(Connection { context, input, output, weight: trace });
                }
            }
        }
        gather_values(&from.means, &mut to.means, &map.sensors);
        gather_values(&from.x[..old_constant], &mut to.x, &map.sensors);
        to.x[new_constant] = from.x[old_constant];
        to.gates = from.gates;
        to.reward_mean = from.reward_mean;
        to.reward_variance = from.reward_variance;
        to.advantage = from.advantage;
        to.previous_distance = from.previous_distance;
        to.has_previous = from.has_previous;
    }
}

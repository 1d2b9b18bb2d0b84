//! The centre: assignments in, capture reports out, one owner per food.
//!
//! Order of one tick: time advances; hazards age; free arms may be allocated food; intentions are
//! settled; the arms act in the order of their numbers, and what an earlier arm did to food a
//! later one sees; every arm senses the final scene.

mod centre;
mod commands;
mod limits;
mod tick;

use alloc::vec::Vec;

use tropism_core::{StateHash, Tick, TimeStep};

use crate::allocation::Allocation;
use crate::arbitration::{Arbiter, Intention};
use crate::arm::{ArmError, ArmParameters};
use crate::constants::{ARMS, BODY_RADIUS, CRITICAL_SEVERITY, OBJECT_CAPACITY, REPORTS_KEPT};
use crate::controlled::ControlledArm;
use crate::hazard::Hazards;
use crate::law::LawKind;
use crate::objects::{Disc, ObjectId, ObjectStore};
use crate::separation::SeparationSettings;
use crate::vector::Point;

/// What is fixed when an octopus is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Which law moves the arms.
    pub law: LawKind,
    /// Settle conflicts and heed hazards before the arms move.
    pub arbitration: bool,
    /// Severity at and above which every arm withdraws, 0..=1.
    pub critical_severity: f64,
    /// Keep segments apart.
    pub separation: SeparationSettings,
    /// Send idle arms to free food by reward.
    pub allocation: bool,
    /// Food may pass from arm to arm.
    pub hand_over: bool,
    /// Objects there is room for.
    pub object_capacity: usize,
}

impl Settings {
    /// The public model: its law, no arbitration, nothing beyond it.
    pub fn reference() -> Self {
        Self { law: LawKind::Reference, arbitration: false, ..Self::default() }
    }
}

impl Default for Settings {
    /// The `reach` law with arbitration; separation, allocation and hand-over off.
    fn default() -> Self {
        Self {
            law: LawKind::Reach,
            arbitration: true,
            critical_severity: CRITICAL_SEVERITY,
            separation: SeparationSettings::default(),
            allocation: false,
            hand_over: false,
            object_capacity: OBJECT_CAPACITY,
        }
    }
}

/// Why a command was refused; nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum CommandError {
    /// No arm has this index.
    Arm(usize),
    /// A coordinate is not finite.
    Place,
    /// No food has this id.
    Food(ObjectId),
    /// The arm holds nothing.
    EmptyHanded(usize),
    /// Hand-over is switched off.
    NoHandOver,
    /// The parameters are out of range, or a speed change would change the shape.
    Parameters(ArmError),
}

impl core::fmt::Display for CommandError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Arm(index) => write!(f, "arm index {index} is outside 0..8"),
            Self::Place => f.write_str("a place needs finite coordinates"),
            Self::Food(id) => write!(f, "no food has the id {}", id.0),
            Self::EmptyHanded(index) => write!(f, "arm index {index} holds nothing"),
            Self::NoHandOver => f.write_str("hand-over is switched off"),
            Self::Parameters(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for CommandError {}

/// One completed capture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaptureReport {
    /// Index of the arm.
    pub arm: usize,
    /// What it captured.
    pub object: ObjectId,
    /// When.
    pub tick: Tick,
}

/// Eight arms, a scene, and the centre between them.
#[derive(Debug)]
pub struct Octopus {
    pub(crate) body: Point,
    pub(crate) step: TimeStep,
    pub(crate) settings: Settings,
    pub(crate) tick: Tick,
    pub(crate) objects: ObjectStore,
    pub(crate) arms: Vec<ControlledArm>,
    pub(crate) hazards: Hazards,
    pub(crate) arbiter: Arbiter,
    pub(crate) intentions: [Intention; ARMS],
    pub(crate) reports: [Option<CaptureReport>; REPORTS_KEPT],
    pub(crate) captures: u64,
    pub(crate) safety_releases: u64,
    pub(crate) allocation: Allocation,
    /// Per giver, the arm to which it offers what it holds.
    pub(crate) offers: [Option<usize>; ARMS],
    /// Circles the arms keep out of, and what they were made from.
    zones: Vec<Disc>,
    zones_from: Option<(u64, u64)>,
    pub(crate) zones_revision: u64,
    /// Scratch: discs of critical hazards, or zones of lesser ones.
    urges: Vec<Disc>,
    /// Scratch of the allocation.
    ranked: Vec<(ObjectId, Point)>,
}

/// Heading and base of an arm by index, 0 at the top, then clockwise.
pub(crate) fn place_of_arm(body: Point, index: usize) -> (Point, f64) {
    use core::f64::consts::PI;
    let heading = -PI / 2.0 + index as f64 * 2.0 * PI / ARMS as f64;
    (body + Point::unit(heading) * BODY_RADIUS, heading)
}

impl Octopus {
    /// Eight fresh, idle arms around `body`.
    ///
    /// # Errors
    /// [`CommandError::Place`] for a centre that is not finite.
    pub fn new(
        body: Point,
        step: TimeStep,
        parameters: &[ArmParameters; ARMS],
        settings: Settings,
    ) -> Result<Self, CommandError> {
        if !body.is_finite() {
            return Err(CommandError::Place);
        }
        // Hazard zones and the body may join the obstacles.
        let capacity = settings.object_capacity + crate::constants::HAZARDS_MAX + 1;
        let arm = |(i, p): (usize, &ArmParameters)| {
            ControlledArm::new(place_of_arm(body, i), *p, settings.law, capacity)
        };
        Ok(Self {
            body,
            step,
            settings,
            tick: Tick(0),
            objects: ObjectStore::with_capacity(settings.object_capacity),
            arms: parameters.iter().enumerate().map(arm).collect(),
            hazards: Hazards::default(),
            arbiter: Arbiter::default(),
            intentions: [Intention::default(); ARMS],
            reports: [None; REPORTS_KEPT],
            captures: 0,
            safety_releases: 0,
            allocation: Allocation::default(),
            offers: [None; ARMS],
            zones: Vec::with_capacity(capacity),
            zones_from: None,
            zones_revision: 0,
            urges: Vec::with_capacity(capacity),
            ranked: Vec::with_capacity(settings.object_capacity),
        })
    }

    // ---- what can be seen ----

    /// Centre of the body, px.
    pub const fn body(&self) -> Point {
        self.body
    }

    /// Ticks done.
    pub const fn tick(&self) -> Tick {
        self.tick
    }

    /// Length of a tick.
    pub const fn time_step(&self) -> TimeStep {
        self.step
    }

    /// Simulated seconds.
    pub fn seconds(&self) -> f64 {
        self.step.seconds_at(self.tick)
    }

    /// How the octopus was set up.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The arms, index 0 at the top, then clockwise.
    pub fn arms(&self) -> &[ControlledArm] {
        &self.arms
    }

    /// The scene.
    pub const fn objects(&self) -> &ObjectStore {
        &self.objects
    }

    /// Reported hazards.
    pub const fn hazards(&self) -> &Hazards {
        &self.hazards
    }

    /// Grants and conflict outcomes.
    pub const fn arbiter(&self) -> &Arbiter {
        &self.arbiter
    }

    /// What each arm wanted in the last tick; idle without arbitration.
    pub const fn intentions(&self) -> &[Intention; ARMS] {
        &self.intentions
    }

    /// Captures so far.
    pub const fn captures(&self) -> u64 {
        self.captures
    }

    /// Food released because of critical hazards, so far.
    pub const fn safety_releases(&self) -> u64 {
        self.safety_releases
    }

    /// The last allocation that sent an arm somewhere.
    pub const fn allocation(&self) -> &Allocation {
        &self.allocation
    }

    /// The last 32 capture reports, oldest first.
    pub fn reports(&self) -> impl Iterator<Item = &CaptureReport> {
        let next = (self.captures % REPORTS_KEPT as u64) as usize;
        let (newer, older) = self.reports.split_at(next);
        older.iter().chain(newer).flatten()
    }

    /// Hash of everything that moves: poses, flags, grips, objects, counters.
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.word(self.tick.0);
        hash.word(self.captures);
        hash.word(self.safety_releases);
        hash.word(self.arbiter.conflicts);
        for arm in &self.arms {
            arm.arm.pose.angles.iter().for_each(|a| hash.word(a.to_bits()));
            hash.word(arm.target.x.to_bits());
            hash.word(arm.target.y.to_bits());
            hash.word(arm.held().map_or(0, |id| u64::from(id.0)));
            hash.word(arm.state() as u64);
            hash.word(arm.dwell.to_bits());
        }
        for object in self.objects.all() {
            hash.word(u64::from(object.id.0));
            hash.word(object.position.x.to_bits());
            hash.word(object.position.y.to_bits());
        }
        hash.value()
    }
}

//! Everything a run needs to go on from the middle, bit for bit.
//!
//! Derived things (points, contacts, zones, trees of a plan) are not stored but made again.
//!
//! What it does not do: it knows no file format.

use alloc::vec::Vec;

use tropism_core::{Tick, TimeStep};

use crate::allocation::Allocation;
use crate::arbitration::{Grant, Outcome, Standing};
use crate::arm::{ArmError, ArmParameters};
use crate::constants::ARMS;
use crate::controlled::{ControlledArm, Permit};
use crate::grip::Grip;
use crate::hazard::Hazard;
use crate::law::{Law, Payload, Surroundings};
use crate::objects::{Object, ObjectError, ObjectId};
use crate::octopus::{CaptureReport, CommandError, Octopus, Settings};
use crate::reach::SavedReach;
use crate::reference::Request;
use crate::task::Task;
use crate::vector::Point;

/// State of a law.
#[derive(Clone, Debug, PartialEq)]
pub enum LawSnapshot {
    /// Requests, base first.
    Reference(Vec<Request>),
    /// See [`SavedReach`].
    Reach(SavedReach),
}

/// State of an arm.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent flags of the public model")]
pub struct ArmSnapshot {
    /// Shape and speed.
    pub parameters: ArmParameters,
    /// Angles, base first, rad.
    pub angles: Vec<f64>,
    /// Target of the law, px.
    pub target: Point,
    /// Assignment.
    pub task: Task,
    /// Something is to be done.
    pub is_active: bool,
    /// The last movement was refused.
    pub is_blocked: bool,
    /// Obstacles redirected the last movement.
    pub is_avoiding: bool,
    /// The grip.
    pub grip: Option<Grip>,
    /// Where held food goes, px.
    pub carry_goal: Option<Point>,
    /// Held food goes to the body.
    pub is_retracting: bool,
    /// Food about to be grasped.
    pub candidate: Option<(ObjectId, usize)>,
    /// Seconds of contact with it.
    pub dwell: f64,
    /// What the arbiter let it do.
    pub permit: Permit,
    /// Calm ticks since the last withdrawal.
    pub calm_ticks: Option<u64>,
    /// State of its law.
    pub law: LawSnapshot,
}

/// State of an octopus.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Centre of the body, px.
    pub body: Point,
    /// Length of a tick.
    pub step: TimeStep,
    /// How it was set up.
    pub settings: Settings,
    /// Ticks done.
    pub tick: Tick,
    /// Objects in insertion order.
    pub objects: Vec<Object>,
    /// Id of the next object.
    pub next_object: u32,
    /// Hazards in the order of their reports.
    pub hazards: Vec<Hazard>,
    /// Hazards reported so far.
    pub last_hazard: u32,
    /// The arms.
    pub arms: Vec<ArmSnapshot>,
    /// Kept capture reports, oldest first.
    pub reports: Vec<CaptureReport>,
    /// Captures so far.
    pub captures: u64,
    /// Releases because of hazards so far.
    pub safety_releases: u64,
    /// Grants of the last tick.
    pub grants: [Grant; ARMS],
    /// Conflicts of the last tick: contested food and winner, per loser.
    pub standings: [(Option<ObjectId>, Option<usize>); ARMS],
    /// Kept outcomes, oldest first.
    pub outcomes: Vec<Outcome>,
    /// Conflicts so far.
    pub conflicts: u64,
    /// Offers per giver.
    pub offers: [Option<usize>; ARMS],
    /// The last allocation.
    pub allocation: Allocation,
    /// The arms' circles were made from the objects and hazards as they are.
    pub zones_are_fresh: bool,
}

/// Why a snapshot was refused.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The body or an arm cannot be made.
    Command(CommandError),
    /// An object does not fit, or ids are not in growing order.
    Object(ObjectError),
    /// More hazards than there is room for, or more than were ever reported.
    Hazards,
    /// Not eight arms.
    Arms(usize),
    /// Angles, requests or route do not fit this arm.
    Pose(usize),
    /// This arm holds or is after something that is not there.
    Grip(usize),
    /// More reports or outcomes than were ever made.
    History,
}

impl core::fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Command(error) => error.fmt(f),
            Self::Object(error) => error.fmt(f),
            Self::Hazards => f.write_str("the hazards do not fit"),
            Self::Arms(n) => write!(f, "{n} arms instead of eight"),
            Self::Pose(i) => write!(f, "the pose or law of arm index {i} does not fit it"),
            Self::Grip(i) => write!(f, "arm index {i} holds something that cannot be held"),
            Self::History => f.write_str("more history than captures or conflicts"),
        }
    }
}

impl core::error::Error for SnapshotError {}

impl From<ArmError> for SnapshotError {
    fn from(error: ArmError) -> Self {
        Self::Command(CommandError::Parameters(error))
    }
}

impl Octopus {
    /// Takes a snapshot.
    pub fn snapshot(&self) -> Snapshot {
        let standing = |s: &Standing| (s.food, s.winner);
        Snapshot {
            body: self.body,
            step: self.step,
            settings: self.settings,
            tick: self.tick,
            objects: self.objects.all().to_vec(),
            next_object: self.objects.next_id(),
            hazards: self.hazards.all().to_vec(),
            last_hazard: self.hazards.last_id(),
            arms: self.arms.iter().map(|arm| arm.snapshot(self.zones_revision)).collect(),
            reports: self.reports().copied().collect(),
            captures: self.captures,
            safety_releases: self.safety_releases,
            grants: self.arbiter.grants,
            standings: self.arbiter.standings.each_ref().map(standing),
            outcomes: self.arbiter.outcomes().copied().collect(),
            conflicts: self.arbiter.conflicts,
            offers: self.offers,
            allocation: self.allocation,
            zones_are_fresh: self.zones_are_fresh(),
        }
    }

    /// Makes an octopus that goes on where the snapshot was taken.
    ///
    /// # Errors
    /// [`SnapshotError`] names what does not fit.
    pub fn from_snapshot(saved: &Snapshot) -> Result<Self, SnapshotError> {
        let Ok(arms) = <&[ArmSnapshot; ARMS]>::try_from(saved.arms.as_slice()) else {
            return Err(SnapshotError::Arms(saved.arms.len()));
        };
        let parameters = arms.each_ref().map(|arm| arm.parameters);
        let mut octopus = Self::new(saved.body, saved.step, &parameters, saved.settings)
            .map_err(SnapshotError::Command)?;
        octopus.tick = saved.tick;
        for object in &saved.objects {
            octopus.objects.restore(*object).map_err(SnapshotError::Object)?;
        }
        octopus.objects.set_next_id(saved.next_object);
        let hazards_fit = saved.hazards.iter().all(|h| octopus.hazards.restore(*h));
        octopus.hazards.set_next_id(saved.last_hazard);
        if !hazards_fit {
            return Err(SnapshotError::Hazards);
        }
        octopus.restore_history(saved)?;
        octopus.refresh_zones();
        for (i, arm) in arms.iter().enumerate() {
            octopus.restore_arm(i, arm)?;
        }
        if !saved.zones_are_fresh {
            octopus.forget_zones();
        }
        octopus.refresh_sensing();
        Ok(octopus)
    }

    fn restore_history(&mut self, saved: &Snapshot) -> Result<(), SnapshotError> {
        let reports = saved.reports.len() as u64;
        let outcomes = saved.outcomes.len() as u64;
        let arm_fits = |i: Option<usize>| i.is_none_or(|i| i < ARMS);
        if reports > saved.captures
            || outcomes > saved.conflicts
            || !saved.offers.iter().all(|o| arm_fits(*o))
            || !saved.standings.iter().all(|s| arm_fits(s.1))
        {
            return Err(SnapshotError::History);
        }
        self.captures = saved.captures - reports;
        saved.reports.iter().for_each(|report| self.report(*report));
        self.safety_releases = saved.safety_releases;
        self.arbiter.grants = saved.grants;
        self.arbiter.standings = saved.standings.map(|(food, winner)| Standing { food, winner });
        self.arbiter.conflicts = saved.conflicts - outcomes;
        saved.outcomes.iter().for_each(|outcome| self.arbiter.restore_outcome(*outcome));
        self.offers = saved.offers;
        self.allocation = saved.allocation;
        Ok(())
    }

    fn restore_arm(&mut self, i: usize, saved: &ArmSnapshot) -> Result<(), SnapshotError> {
        let segments = saved.parameters.segment_count();
        let held_fits = saved.grip.is_none_or(|grip| {
            grip.segment < segments
                && grip.offset.is_finite()
                && self.objects.get(grip.object).is_some()
        });
        let candidate_fits = saved.candidate.is_none_or(|c| c.1 > 0 && c.1 < segments);
        let is_sole = saved
            .grip
            .is_none_or(|grip| self.arms[..i].iter().all(|arm| arm.held() != Some(grip.object)));
        if !(held_fits && candidate_fits && is_sole) {
            return Err(SnapshotError::Grip(i));
        }
        let payload = match (saved.grip, saved.carry_goal, saved.is_active) {
            (Some(grip), Some(goal), true) => {
                let radius = self.objects.get(grip.object).map_or(0.0, |o| o.radius);
                Some(Payload { grip, radius, goal })
            }
            _ => None,
        };
        let mut arms = core::mem::take(&mut self.arms);
        let around = Surroundings { payload, ..self.surroundings() };
        let is_fine = arms[i].restore(saved, &around);
        self.arms = arms;
        if is_fine { Ok(()) } else { Err(SnapshotError::Pose(i)) }
    }
}

impl ControlledArm {
    fn snapshot(&self, zones_revision: u64) -> ArmSnapshot {
        ArmSnapshot {
            parameters: *self.arm.parameters(),
            angles: self.arm.pose.angles.clone(),
            target: self.target,
            task: self.task,
            is_active: self.is_active,
            is_blocked: self.is_blocked,
            is_avoiding: self.is_avoiding,
            grip: self.grip,
            carry_goal: self.carry_goal,
            is_retracting: self.is_retracting,
            candidate: self.candidate,
            dwell: self.dwell,
            permit: self.permit,
            calm_ticks: self.calm_ticks,
            law: match &self.law {
                Law::Reference(law) => LawSnapshot::Reference(law.requests().to_vec()),
                Law::Reach(law) => LawSnapshot::Reach(law.save(zones_revision)),
            },
        }
    }

    fn restore(&mut self, saved: &ArmSnapshot, around: &Surroundings<'_>) -> bool {
        self.target = saved.target;
        self.task = saved.task;
        self.is_active = saved.is_active;
        self.is_blocked = saved.is_blocked;
        self.is_avoiding = saved.is_avoiding;
        self.grip = saved.grip;
        self.carry_goal = saved.carry_goal;
        self.is_retracting = saved.is_retracting;
        self.candidate = saved.candidate;
        self.dwell = saved.dwell;
        self.permit = saved.permit;
        self.calm_ticks = saved.calm_ticks;
        if !(self.arm.set_angles(&saved.angles) && saved.target.is_finite()) {
            return false;
        }
        match (&mut self.law, &saved.law) {
            (Law::Reference(law), LawSnapshot::Reference(requests)) => law.set_requests(requests),
            (Law::Reach(law), LawSnapshot::Reach(state)) => law.restore(state, &self.arm, around),
            _ => false,
        }
    }
}

//! One arm with its own mind: law, sensing, grasp and carry.
//!
//! Order of one tick: sense; carry when holding; otherwise look for a grasp candidate; without one
//! let the law move, with one hold still until the contact has lasted 0.25 s.
//!
//! What it does not do: it knows no other arm. Who may take which food comes in as a question the
//! arm asks ([`Permit`]).

use alloc::vec::Vec;

use crate::arm::{Arm, ArmParameters, Pose};
use crate::constants::{
    CARRY_TOLERANCE, DEMO_TARGET_ANGLE, DEMO_TARGET_DISTANCE, DWELL_TOLERANCE, GRASP_DWELL,
    GRIP_DRIFT, REACH_TOLERANCE,
};
use crate::contact::{CandidateOrder, Contact, grasp_candidate, sense};
use crate::grip::Grip;
use crate::law::{Law, LawKind, Motion, Payload, Surroundings};
use crate::objects::{Disc, ObjectId, ObjectStore};
use crate::reference::Guard;
use crate::retreat::{Retreat, Urge};
use crate::separation::Separation;
use crate::state::{State, Status};
use crate::task::Task;
use crate::vector::Point;

/// What the central arbiter lets an arm do in one tick.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Permit {
    /// Act on its own.
    #[default]
    Act,
    /// Keep the assignment and hold still.
    Yield,
    /// Retreat from every critical hazard.
    Withdraw,
    /// Recoil from a hazard below the critical severity, at this share of full speed.
    Recoil(f64),
}

/// What the arbiter says about taking food.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leave {
    /// No arbitration.
    Any,
    /// This food or none.
    Only(Option<ObjectId>),
}

/// Which food an arm may begin to grasp.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grants<'a> {
    /// Food held by any arm.
    pub(crate) owned: &'a [Option<ObjectId>],
    /// Which of the other foods the arbiter lets the arm take.
    pub(crate) leave: Leave,
    pub(crate) order: CandidateOrder,
}

impl Grants<'_> {
    fn allows(&self, id: ObjectId) -> bool {
        let is_granted = match self.leave {
            Leave::Any => true,
            Leave::Only(granted) => granted == Some(id),
        };
        is_granted && !self.owned.contains(&Some(id))
    }
}

/// An arm and everything it knows.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "four independent flags of the public model")]
pub struct ControlledArm {
    pub(crate) arm: Arm,
    pub(crate) law: Law,
    /// Where the law brings the tip, px.
    pub(crate) target: Point,
    pub(crate) task: Task,
    pub(crate) is_active: bool,
    pub(crate) is_blocked: bool,
    pub(crate) is_avoiding: bool,
    pub(crate) grip: Option<Grip>,
    pub(crate) carry_goal: Option<Point>,
    pub(crate) is_retracting: bool,
    pub(crate) candidate: Option<(ObjectId, usize)>,
    pub(crate) dwell: f64,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) permit: Permit,
    /// The arm has lately withdrawn and counts the calm ticks since.
    pub(crate) calm_ticks: Option<u64>,
    next: Pose,
    guard: Guard,
    retreat: Retreat,
    /// Object revision of the last sensing; `None` after the pose changed.
    sensed_at: Option<u64>,
}

impl ControlledArm {
    /// A fresh arm without assignment.
    pub(crate) fn new(
        (base, heading): (Point, f64),
        parameters: ArmParameters,
        kind: LawKind,
        capacity: usize,
    ) -> Self {
        let arm = Arm::new(base, heading, parameters);
        let segments = parameters.segment_count();
        let mut guard = Guard::default();
        guard.reserve(segments, capacity);
        Self {
            law: Law::new(kind, &arm, capacity),
            target: base + Point::unit(heading + DEMO_TARGET_ANGLE) * DEMO_TARGET_DISTANCE,
            arm,
            task: Task::None,
            is_active: false,
            is_blocked: false,
            is_avoiding: false,
            grip: None,
            carry_goal: None,
            is_retracting: false,
            candidate: None,
            dwell: 0.0,
            contacts: Vec::with_capacity(segments * capacity),
            permit: Permit::Act,
            calm_ticks: None,
            next: Pose::with_segments(segments),
            guard,
            retreat: Retreat::new(segments, capacity),
            sensed_at: None,
        }
    }

    /// The arm's geometry.
    pub const fn arm(&self) -> &Arm {
        &self.arm
    }

    /// The law that moves it.
    pub const fn law(&self) -> &Law {
        &self.law
    }

    /// Where the law brings the tip, px.
    pub const fn target(&self) -> Point {
        self.target
    }

    /// The assignment.
    pub const fn task(&self) -> Task {
        self.task
    }

    /// True while the arm has something to do.
    pub const fn is_active(&self) -> bool {
        self.is_active
    }

    /// True when the last movement was refused or the target is covered.
    pub const fn is_blocked(&self) -> bool {
        self.is_blocked
    }

    /// True when obstacles redirected the last movement.
    pub const fn is_avoiding(&self) -> bool {
        self.is_avoiding
    }

    /// The grip on food.
    pub const fn grip(&self) -> Option<Grip> {
        self.grip
    }

    /// The held food.
    pub fn held(&self) -> Option<ObjectId> {
        self.grip.map(|grip| grip.object)
    }

    /// Where held food is to be brought, px.
    pub const fn carry_goal(&self) -> Option<Point> {
        self.carry_goal
    }

    /// True while food is carried towards the body.
    pub const fn is_retracting(&self) -> bool {
        self.is_retracting
    }

    /// Food about to be grasped, and the second of the two segments that touch it.
    pub const fn candidate(&self) -> Option<(ObjectId, usize)> {
        self.candidate
    }

    /// Seconds of contact with the candidate so far.
    pub const fn dwell(&self) -> f64 {
        self.dwell
    }

    /// What the segments touch.
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// What the arbiter let the arm do in the last tick.
    pub const fn permit(&self) -> Permit {
        self.permit
    }

    /// The displayed state; see [`State`] for the precedence.
    pub fn state(&self) -> State {
        match self.permit {
            Permit::Withdraw => return State::Withdrawing,
            Permit::Yield => return State::Yielding,
            Permit::Recoil(_) => return State::Avoiding,
            Permit::Act => {}
        }
        if self.is_active && self.is_blocked {
            return State::Blocked;
        }
        if self.is_active && self.is_avoiding {
            return State::Avoiding;
        }
        if self.grip.is_some() {
            return match (self.is_active, self.is_retracting) {
                (false, _) => State::Holding,
                (true, true) => State::Retracting,
                (true, false) => State::Carrying,
            };
        }
        if self.candidate.is_some() {
            State::Grasping
        } else if !self.contacts.is_empty() {
            State::Contact
        } else if !self.is_active {
            State::Idle
        } else if self.status() == Status::Reached {
            State::Reached
        } else {
            State::Reaching
        }
    }

    /// What the law says of the tip's way to the target.
    pub fn status(&self) -> Status {
        if self.is_blocked {
            Status::Blocked
        } else if self.is_avoiding {
            Status::Avoiding
        } else if self.arm.tip().distance(self.target) <= REACH_TOLERANCE {
            Status::Reached
        } else if self.arm.base().distance(self.target) > self.arm.parameters().reach() {
            Status::BeyondReach
        } else if self.law.finds_unreachable() {
            Status::Unreachable
        } else {
            Status::Reaching
        }
    }

    // ---- commands ----

    pub(crate) fn assign(&mut self, task: Task, place: Point) {
        if self.grip.is_some() {
            self.carry_goal = Some(place);
            self.is_retracting = false;
        } else {
            self.set_target(place);
        }
        self.task = task;
        self.is_blocked = false;
        self.is_avoiding = false;
        self.forget_candidate();
        self.is_active = true;
    }

    fn set_target(&mut self, target: Point) {
        self.target = target;
        self.is_blocked = false;
        self.is_avoiding = false;
        self.law.as_dyn().retarget();
    }

    /// Follows named food that has moved, without disturbing the law more than needed.
    pub(crate) fn follow(&mut self, place: Point) {
        if self.grip.is_none() && self.target != place {
            self.target = place;
            self.law.as_dyn().drift();
        }
    }

    pub(crate) fn idle(&mut self) {
        self.is_active = false;
        self.task = Task::None;
        self.forget_candidate();
    }

    pub(crate) fn retract(&mut self) {
        if self.grip.is_some() {
            let goal = self.arm.retract_goal();
            self.assign(Task::Place(goal), goal);
            self.is_retracting = true;
        }
    }

    pub(crate) fn release(&mut self) {
        self.grip = None;
        self.carry_goal = None;
        self.is_retracting = false;
        self.forget_candidate();
        self.is_active = false;
        self.task = Task::None;
    }

    pub(crate) fn reset(&mut self, parameters: ArmParameters, capacity: usize) {
        let (was_active, task, target) = (self.is_active, self.task, self.target);
        let place = (self.arm.base(), self.arm.initial_heading());
        *self = Self::new(place, parameters, self.law.kind(), capacity);
        self.is_active = was_active;
        self.task = if was_active { task } else { Task::None };
        self.target = target;
    }

    pub(crate) fn set_parameters(&mut self, parameters: ArmParameters) {
        self.arm.set_parameters(parameters);
        self.law.as_dyn().retarget();
    }

    pub(crate) fn set_law(&mut self, kind: LawKind, capacity: usize) {
        self.law = Law::new(kind, &self.arm, capacity);
        (self.is_blocked, self.is_avoiding) = (false, false);
    }

    pub(crate) fn forget_candidate(&mut self) {
        self.candidate = None;
        self.dwell = 0.0;
    }

    // ---- sensing ----

    /// Checks the grip, refreshes the contacts and drops a candidate that no longer holds.
    pub(crate) fn sense(&mut self, objects: &ObjectStore, order: CandidateOrder) {
        if self.sensed_at == Some(objects.revision()) {
            return;
        }
        self.sensed_at = Some(objects.revision());
        self.check_grip(objects);
        let length = self.arm.parameters().segment_length();
        sense(&self.arm.pose, length, objects.all(), &mut self.contacts);
        if self.candidate.is_some()
            && grasp_candidate(&self.contacts, objects.all(), order, |_| true) != self.candidate
            && !self.still_touches_candidate(order)
        {
            self.forget_candidate();
        }
    }

    /// Lets go of food that is gone or was moved by somebody.
    fn check_grip(&mut self, objects: &ObjectStore) {
        if let Some(grip) = self.grip {
            let centre = grip.centre(&self.arm.pose);
            let held = objects.get(grip.object);
            if held.is_none_or(|o| o.position.distance(centre) > GRIP_DRIFT) {
                self.release();
            }
        }
    }

    /// In canonical order another arm's carried food may come first; the own candidate still
    /// counts while its two segments touch it.
    fn still_touches_candidate(&self, order: CandidateOrder) -> bool {
        let (CandidateOrder::Canonical, Some((id, second))) = (order, self.candidate) else {
            return false;
        };
        let touches =
            |segment| self.contacts.iter().any(|c| c.object == id && c.segment == segment);
        touches(second) && touches(second - 1)
    }

    // ---- one tick ----

    /// One tick with leave to act; gives the food captured in it.
    pub(crate) fn act(
        &mut self,
        objects: &mut ObjectStore,
        grants: Grants<'_>,
        around: &Surroundings<'_>,
        separation: &Separation<'_>,
    ) -> Option<ObjectId> {
        // What is sensed after a movement is sensed at the end of the tick, when all have moved; an
        // arm that holds something needs no contacts before.
        self.check_grip(objects);
        if self.grip.is_some() {
            self.carry(objects, around, separation);
            return None;
        }
        self.sense(objects, grants.order);
        let found = if self.is_active && !self.contacts.is_empty() {
            let allows = |id| grants.allows(id);
            grasp_candidate(&self.contacts, objects.all(), grants.order, allows)
        } else {
            None
        };
        let Some(candidate) = found else {
            self.forget_candidate();
            if self.is_active {
                self.reach(around, separation);
            }
            return None;
        };
        self.hold(candidate, objects, around.dt)
    }

    /// Sustained contact: the arm holds still until it counts as a grasp.
    fn hold(
        &mut self,
        candidate: (ObjectId, usize),
        objects: &ObjectStore,
        dt: f64,
    ) -> Option<ObjectId> {
        if self.candidate != Some(candidate) {
            self.candidate = Some(candidate);
            self.dwell = 0.0;
        }
        self.dwell += dt;
        self.is_blocked = false;
        self.is_avoiding = false;
        if self.dwell + DWELL_TOLERANCE < GRASP_DWELL {
            return None;
        }
        let (id, segment) = candidate;
        let food = objects.get(id)?;
        self.attach(id, segment, food.position);
        self.candidate = None;
        Some(id)
    }

    pub(crate) fn attach(&mut self, id: ObjectId, segment: usize, centre: Point) {
        self.grip = Some(Grip::attach(&self.arm.pose, id, segment, centre));
        self.carry_goal = None;
        self.is_retracting = false;
        self.is_active = false;
        self.task = Task::None;
    }

    fn propose(&mut self, around: &Surroundings<'_>, separation: &Separation<'_>) -> Motion {
        let law = self.law.as_dyn();
        let mut motion = law.propose(&self.arm, self.target, around, &mut self.next);
        self.is_blocked = motion.blocked;
        self.is_avoiding = motion.avoiding;
        if motion.moved && !separation.accepts(&self.arm, &mut self.next) {
            motion.moved = false;
            self.is_blocked = true;
            self.law.as_dyn().refused();
        }
        motion
    }

    fn take_next(&mut self) {
        core::mem::swap(&mut self.arm.pose, &mut self.next);
        self.sensed_at = None;
    }

    fn reach(&mut self, around: &Surroundings<'_>, separation: &Separation<'_>) {
        if self.propose(around, separation).moved {
            self.take_next();
        }
    }

    fn carry(
        &mut self,
        objects: &mut ObjectStore,
        around: &Surroundings<'_>,
        separation: &Separation<'_>,
    ) {
        let (Some(grip), Some(goal), true) = (self.grip, self.carry_goal, self.is_active) else {
            return;
        };
        let centre = grip.centre(&self.arm.pose);
        if centre.distance(goal) <= CARRY_TOLERANCE {
            self.is_active = false;
            self.is_blocked = false;
            self.is_avoiding = false;
            self.task = Task::None;
            return;
        }
        // The tip target shifts a little each tick; the law is not told of a new one.
        self.target = goal + self.arm.tip() - centre;
        let radius = objects.get(grip.object).map_or(0.0, |o| o.radius);
        let around = &Surroundings { payload: Some(Payload { grip, radius, goal }), ..*around };
        if self.propose(around, separation).moved {
            let poses = (&self.arm.pose, &self.next);
            let length = self.arm.parameters().segment_length();
            let obstacles = (around.obstacles, self.law.kind() == LawKind::Reference);
            if grip.passes(poses, length, radius, obstacles, &mut self.guard) {
                self.take_next();
                objects.carry(grip.object, grip.centre(&self.arm.pose));
            } else {
                self.is_blocked = true;
                self.law.as_dyn().refused();
            }
        }
    }

    /// One tick of retreat from hazards; held food comes along where its way is free.
    pub(crate) fn withdraw(
        &mut self,
        objects: &mut ObjectStore,
        urge: &Urge<'_>,
        around: &Surroundings<'_>,
        separation: &Separation<'_>,
        order: CandidateOrder,
    ) {
        self.sense(objects, order);
        let is_free = self.retreat.propose(&self.arm, urge, around, &mut self.next)
            && separation.accepts(&self.arm, &mut self.next);
        if is_free {
            if let Some(grip) = self.grip {
                let radius = objects.get(grip.object).map_or(0.0, |o| o.radius);
                let poses = (&self.arm.pose, &self.next);
                let length = self.arm.parameters().segment_length();
                let obstacles = (around.obstacles, false);
                if !grip.passes(poses, length, radius, obstacles, &mut self.guard) {
                    return;
                }
            }
            self.take_next();
            if let Some(grip) = self.grip {
                objects.carry(grip.object, grip.centre(&self.arm.pose));
            }
        }
    }

    /// Shortest distance from a segment to a disc's rim, px; negative inside.
    pub(crate) fn gap_to(&self, disc: &Disc) -> f64 {
        let ends = self.arm.pose.points.windows(2);
        let distances =
            ends.map(|e| crate::vector::segment_distance(e[0], e[1], disc.centre) - disc.radius);
        distances.fold(f64::INFINITY, f64::min)
    }
}

//! The `reach` law: an arm that gets there.
//!
//! Terms: a *goal pose* brings the effector (the tip, or held food) to the goal within the bend
//! limits and clear of obstacles; a *route* is a list of poses joined by straight movements in
//! joint space; a *round* is one bounded effort to find one; *work* counts poses looked at.
//!
//! The arm works on its own, in this order: it retreats out of an overlap; it tries goal poses,
//! from its present pose, from even arcs and from random smooth curves, pushed out of obstacles,
//! and takes the straight movement to one of them when that is free; otherwise it looks for a
//! route and shortens it; it follows at full joint speed under a swept guard. A step the guard
//! refuses is halved, then slid along the boundary; after four refusals the plan is made anew.
//! When all rounds fail it creeps as near as it can, each step nearer than the last, and then
//! rests and says that the target is unreachable until target or scene change.
//!
//! Planning is bounded: [`WORK_PER_TICK`] poses per tick and the piece begun last, in all less
//! than [`WORK_TICK_MAX`].
//!
//! # Determinism
//! Draws come from a stream keyed by the number of plans this arm has made; nothing depends on the
//! order in which obstacles are listed, because the centre hands them over in canonical order.
//!
//! What it does not do: it foresees no moving obstacle and no other arm, and a route that exists
//! may be missed.

mod chain;
mod goal;
mod motion;
mod planning;
mod route;
mod saved;

use alloc::vec::Vec;

use tropism_core::Draws;

use crate::arm::{Arm, Pose};
use crate::constants::{ARM_CLEARANCE, REACH_TOLERANCE};
use crate::law::{ArmLaw, Motion, Surroundings};
use crate::objects::Disc;
use crate::reference::{Guard, is_covered};
use crate::retreat::Retreat;
use crate::vector::Point;
use chain::{Chain, Effector, Scratch};
use goal::Solver;
use route::{LOOKS, Route, Search, draws_of};

pub use saved::SavedReach;

/// Poses an arm of 20 segments looks at in one tick before it puts planning off to the next; longer
/// chains look at fewer, so that the segments looked at stay the same.
pub const WORK_PER_TICK: u32 = 40;
/// Segments for which [`WORK_PER_TICK`] is meant.
const WORK_SEGMENTS: u32 = 20;
/// Poses an arm of any length looks at.
const WORK_LEAST: u32 = 8;
/// More poses than these are never looked at in one tick: the bound above, the piece begun last
/// (a tree grown twice), a route looked at again, and one creeping step.
pub const WORK_TICK_MAX: u32 = WORK_PER_TICK + 2 * LOOKS + motion::RECHECK_WORK + LOOKS + 2;
/// Ticks of planning after which the arm is shown as avoiding.
const PLANNING_SHOWN: u32 = 12;
/// An effector that has arrived and was then moved this much beyond the tolerance starts anew, px.
const ARRIVED_SLACK: f64 = 0.5;
/// Refusals by others, payload or arms, after which the plan is made anew.
const OTHERS_REFUSALS: u32 = 8;

/// What the law is at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Nothing is known yet of the target.
    #[default]
    Fresh,
    /// Looking for goal poses.
    Goals,
    /// Looking for a route.
    Routing,
    /// Shortening a route.
    Shortening,
    /// Moving along a route.
    Following,
    /// No route: as near as possible, step by step.
    Creeping,
    /// Arrived.
    Arrived,
    /// At rest: no pose or no way was found.
    Unreachable,
}

/// State of the `reach` law.
#[derive(Debug)]
pub struct ReachLaw {
    phase: Phase,
    /// Round of planning for this target.
    round: u32,
    /// Plans made so far, the key of the draws.
    attempt: u32,
    draws: Draws,
    /// Pose from which the present plan is made, and where the effector is to be brought.
    start: Vec<f64>,
    aim: Point,
    seeds_tried: u32,
    goals_owed: u32,
    work_in_round: u32,
    shortenings: u32,
    /// Ticks of planning spent since `start` was taken.
    plan_ticks: u32,
    clearance: f64,
    /// Cost of the best straight movement found, and its goal pose.
    direct: Option<(f64, usize)>,
    /// Best pose that misses the goal, kept as the last resort.
    nearest_miss: f64,
    miss: Vec<f64>,
    /// The route ends where the goal is missed.
    is_miss: bool,
    goals: Route,
    route: Route,
    /// Index of the pose on the route that is headed for.
    stop: usize,
    has_detour: bool,
    retreat_ticks: u32,
    refusals: u32,
    obstacle_revision: u64,
    /// Poses looked at in the last tick, and those after which planning is put off.
    work: u32,
    work_limit: u32,
    discs: Vec<Disc>,
    search: Search,
    solver: Solver,
    scratch: Scratch,
    candidate: Vec<f64>,
    guard: Guard,
    retreat: Retreat,
}

impl ReachLaw {
    /// A law that knows nothing yet.
    pub fn new(arm: &Arm) -> Self {
        let segments = arm.parameters().segment_count();
        let mut law = Self {
            phase: Phase::Fresh,
            round: 0,
            attempt: 0,
            draws: draws_of(0),
            start: Vec::new(),
            aim: Point::default(),
            seeds_tried: 0,
            goals_owed: 0,
            work_in_round: 0,
            shortenings: 0,
            plan_ticks: 0,
            clearance: ARM_CLEARANCE,
            direct: None,
            nearest_miss: f64::INFINITY,
            miss: Vec::new(),
            is_miss: false,
            goals: Route::default(),
            route: Route::default(),
            stop: 0,
            has_detour: false,
            retreat_ticks: 0,
            refusals: 0,
            obstacle_revision: 0,
            work: 0,
            work_limit: WORK_PER_TICK,
            discs: Vec::new(),
            search: Search::default(),
            solver: Solver::default(),
            scratch: Scratch::default(),
            candidate: Vec::new(),
            guard: Guard::default(),
            retreat: Retreat::new(segments, 0),
        };
        law.resize(segments);
        law
    }

    fn resize(&mut self, segments: usize) {
        for buffer in [&mut self.start, &mut self.miss, &mut self.candidate] {
            buffer.resize(segments, 0.0);
        }
        let share = WORK_PER_TICK * WORK_SEGMENTS / segments.max(1) as u32;
        self.work_limit = share.clamp(WORK_LEAST, WORK_PER_TICK);
        self.goals.reserve(segments);
        self.route.reserve(segments);
        self.search.reserve(segments);
        self.solver.resize(segments);
        self.scratch.resize(segments);
    }

    /// What the law is at.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Poses looked at in the last tick; below [`WORK_TICK_MAX`].
    pub const fn work_in_last_tick(&self) -> u32 {
        self.work
    }

    const fn is_planning(&self) -> bool {
        matches!(self.phase, Phase::Goals | Phase::Routing | Phase::Shortening)
    }

    fn forget(&mut self) {
        self.phase = Phase::Fresh;
        self.round = 0;
        self.retreat_ticks = 0;
        self.refusals = 0;
    }
}

fn chain<'a>(arm: &Arm, effector: Effector, discs: &'a [Disc], clearance: f64) -> Chain<'a> {
    Chain {
        base: arm.base(),
        length: arm.parameters().segment_length(),
        limit: arm.parameters().maximum_bend(),
        discs,
        clearance,
        effector,
    }
}

impl ArmLaw for ReachLaw {
    fn reset(&mut self, arm: &Arm) {
        self.resize(arm.parameters().segment_count());
        self.forget();
    }

    fn reserve(&mut self, segments: usize, obstacles: usize) {
        self.guard.reserve(segments, obstacles);
        self.retreat.reserve(segments, obstacles);
        self.discs.reserve(obstacles);
    }

    fn retarget(&mut self) {
        self.forget();
    }

    fn drift(&mut self) {
        // A plan under way is finished first; where it ends is then a little off, and short work.
        if matches!(self.phase, Phase::Creeping | Phase::Unreachable) {
            self.forget();
        }
    }

    fn refused(&mut self) {
        self.refusals += 1;
        if self.refusals >= OTHERS_REFUSALS {
            self.refusals = 0;
            self.round += 1;
            let may_plan = self.round < planning::ROUNDS;
            self.phase = if may_plan { Phase::Fresh } else { Phase::Unreachable };
        }
    }

    fn propose(
        &mut self,
        arm: &Arm,
        target: Point,
        around: &Surroundings<'_>,
        next: &mut Pose,
    ) -> Motion {
        self.work = 0;
        let segments = arm.parameters().segment_count();
        let effector = Effector::new(segments, around.payload.as_ref());
        let goal = around.payload.map_or(target, |p| p.goal);
        if self.obstacle_revision != around.obstacle_revision {
            self.reconsider(arm, effector, around);
        }
        if around.payload.is_none() && is_covered(goal, around.obstacles) {
            return self.wait_for_target(arm, around, next);
        }
        if self.phase == Phase::Arrived {
            let at = chain(arm, effector, &[], 0.0).effector_at(&arm.pose.points);
            if at.distance(goal) > REACH_TOLERANCE + ARRIVED_SLACK {
                self.forget();
            }
        }
        let way = goal - arm.base();
        let reach = arm.parameters().reach();
        let is_beyond = around.payload.is_none() && way.norm() > reach;
        if self.phase == Phase::Fresh {
            if let Some(motion) = self.leave_overlap(arm, effector, around, next) {
                return motion;
            }
            let stretched = arm.base() + way * ((reach - 0.2) / way.norm().max(reach));
            let aim = if is_beyond { stretched } else { goal };
            self.begin_round(arm, effector, aim, around);
        }
        self.plan(arm, effector);
        match self.phase {
            Phase::Following => self.follow_on(arm, effector, around, next),
            Phase::Creeping => {
                let moved = self.creep(arm, effector, around, next);
                if !moved {
                    self.phase = Phase::Unreachable;
                }
                Motion { moved, blocked: !moved && !is_beyond, avoiding: moved }
            }
            Phase::Unreachable => Motion { blocked: !is_beyond, ..Motion::default() },
            Phase::Arrived => Motion::default(),
            _ => Motion { avoiding: self.plan_ticks > PLANNING_SHOWN, ..Motion::default() },
        }
    }

    fn finds_unreachable(&self) -> bool {
        self.phase == Phase::Unreachable
    }
}

//! The `reach` law: an arm that gets there.
//!
//! Terms: a *goal pose* brings the effector (the tip, or held food) to the goal within the bend
//! limits and clear of obstacles; a *route* is a list of poses joined by straight movements in
//! joint space; a *round* is one bounded effort to find one.
//!
//! The arm works on its own, in this order: *retreat* out of an overlap; *goals*: goal poses from
//! the present pose, from even arcs and from random smooth curves, pushed out of obstacles
//! ([`goal`]); the straight movement to one of them when it is free; otherwise a *route*
//! ([`route`]) that is then *shortened*; *follow* it at full joint speed under a swept guard; a
//! step the guard refuses is halved, then slid along the boundary, then the plan is made anew.
//! When all rounds fail the arm follows the local law's gradient no further: it *rests* and says
//! that the target is unreachable, until target or scene change.
//!
//! Planning is bounded per tick: [`WORK_PER_TICK`] poses are looked at, and one piece of work more
//! that was begun before ([`WORK_PIECE_MAX`]).
//!
//! What it does not do: it foresees no moving obstacle and no other arm.

mod chain;
mod goal;
mod route;

use alloc::vec::Vec;

use tropism_core::Draws;

use crate::arm::{Arm, Pose};
use crate::constants::{ARM_CLEARANCE, REACH_TOLERANCE};
use crate::law::{ArmLaw, Motion, Surroundings};
use crate::objects::Disc;
use crate::reference::{Guard, Rule, is_covered};
use crate::retreat::{Retreat, Urge};
use crate::vector::{Point, clip, wrap};
use chain::{Chain, Effector, Scratch, changes, free_part, largest};
use goal::{Solver, arc};
use route::{LOOKS, Route, Search, draw_pose, draws_of};

/// Poses an arm looks at in one tick before it puts planning off to the next.
pub const WORK_PER_TICK: u32 = 40;
/// Poses of the largest piece of planning that is not interrupted.
pub const WORK_PIECE_MAX: u32 = 2 * LOOKS;
/// Goal poses tried before a route is looked for.
const SEEDS: u32 = 24;
/// Goal poses tried before the best straight movement is taken.
const SEEDS_DIRECT: u32 = 6;
/// A straight movement this short is taken at once, rad of the fastest joint.
const SHORT: f64 = 0.5;
/// Iterations of the solver per goal pose.
const ITERATIONS: u32 = 24;
/// Distance between effector and goal at which a goal pose is good enough, px.
const GOAL_TOLERANCE: f64 = 0.8;
/// Poses looked at in one round of route search.
const ROUND_WORK: u32 = 12_000;
/// Rounds before the target counts as unreachable.
const ROUNDS: u32 = 3;
/// Attempts to shorten a route.
const SHORTENINGS: u32 = 60;
/// Most goal poses kept.
const GOALS: usize = 16;
/// Distance kept by the guard while a route is followed, px; the route was planned with more.
const GUARD_CLEARANCE: f64 = 1.0;
/// Least clearance a plan is made with when the arm starts closer, px.
const CLEARANCE_MIN: f64 = 0.5;
/// Ticks a retreat may stay without success before the arm plans from where it is.
const RETREAT_PATIENCE: u32 = 60;

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
    /// Moving.
    Following,
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
    /// Pose from which the present plan is made.
    start: Vec<f64>,
    seeds_tried: u32,
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
            seeds_tried: 0,
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

    fn forget(&mut self) {
        self.phase = Phase::Fresh;
        self.round = 0;
        self.retreat_ticks = 0;
        self.refusals = 0;
    }

    /// Begins a round of planning from the arm's pose.
    fn begin_round(&mut self, arm: &Arm, effector: Effector, around: &Surroundings<'_>) {
        self.start.copy_from_slice(&arm.pose.angles);
        self.attempt += 1;
        self.draws = draws_of(self.attempt);
        self.seeds_tried = 0;
        self.work_in_round = 0;
        self.plan_ticks = 0;
        self.direct = None;
        self.nearest_miss = f64::INFINITY;
        self.goals.clear();
        self.gather(arm, effector, around);
        let chain = chain(arm, effector, &self.discs, ARM_CLEARANCE);
        let margin = chain.margin(&arm.pose.points);
        self.clearance = clip(ARM_CLEARANCE + margin - 0.01, CLEARANCE_MIN, ARM_CLEARANCE);
        self.phase = Phase::Goals;
    }

    /// Obstacles within the arm's reach.
    fn gather(&mut self, arm: &Arm, effector: Effector, around: &Surroundings<'_>) {
        let reach = arm.parameters().reach() + ARM_CLEARANCE + 1.0;
        let carried = effector.offset.norm() + effector.radius;
        let near = around.obstacles.iter().filter(|disc| {
            disc.centre.distance(arm.base()) <= disc.radius + reach + carried
        });
        self.discs.clear();
        self.discs.extend(near);
    }

    /// Tries one goal pose.
    fn try_goal(&mut self, arm: &Arm, effector: Effector, goal: Point, work: &mut u32) {
        let chain = chain(arm, effector, &self.discs, self.clearance);
        let seed = self.seeds_tried;
        self.seeds_tried += 1;
        match (seed, self.round) {
            (0, _) => self.candidate.copy_from_slice(&self.start),
            (1 | 2, 0) => {
                let side = if seed == 1 { 1.0 } else { -1.0 };
                arc(&chain, goal, side, &mut self.candidate);
            }
            (3, 0) => {
                // The present shape, turned at the base so that it points at the goal.
                self.candidate.copy_from_slice(&self.start);
                let now = chain.effector_at(&arm.pose.points) - arm.base();
                let turn = (goal - arm.base()).angle() - now.angle();
                self.candidate[0] = wrap(self.candidate[0] + turn);
            }
            _ => {
                let amplitude = 0.2 + 0.3 * f64::from(self.draws.uniform());
                draw_pose(&mut self.draws, chain.limit, amplitude, &mut self.candidate);
                chain.points(&self.candidate, &mut self.scratch.points);
                let now = chain.effector_at(&self.scratch.points) - arm.base();
                let turn = (goal - arm.base()).angle() - now.angle();
                self.candidate[0] = wrap(self.candidate[0] + turn);
            }
        }
        let settled = self.solver.settle(
            &chain,
            &mut self.candidate,
            (goal, GOAL_TOLERANCE),
            (ITERATIONS, !self.discs.is_empty() || effector.radius > 0.0),
            (&mut self.scratch, work),
        );
        if settled.margin < 0.0 {
            return;
        }
        if settled.residual > REACH_TOLERANCE - 0.2 {
            if settled.residual < self.nearest_miss {
                self.nearest_miss = settled.residual;
                self.miss.copy_from_slice(&self.candidate);
            }
            return;
        }
        if self.goals.len() >= GOALS {
            return;
        }
        self.goals.push().copy_from_slice(&self.candidate);
        let ends = (&self.start[..], &self.candidate[..]);
        let part = free_part(&chain, ends, &mut self.scratch, LOOKS, work);
        if part >= 1.0 {
            let cost = largest(&self.scratch.change);
            if self.direct.is_none_or(|(best, _)| cost < best) {
                self.direct = Some((cost, self.goals.len() - 1));
            }
        }
    }

    /// Looks for goal poses until one can be had by a straight movement, or none are left to try.
    fn find_goals(&mut self, arm: &Arm, effector: Effector, goal: Point, work: &mut u32) {
        while *work < WORK_PER_TICK && self.phase == Phase::Goals {
            self.try_goal(arm, effector, goal, work);
            let is_short = self.direct.is_some_and(|(cost, _)| cost <= SHORT);
            let has_looked = self.direct.is_some() && self.seeds_tried >= SEEDS_DIRECT;
            if is_short || has_looked {
                let index = self.direct.map_or(0, |(_, index)| index);
                self.route.clear();
                self.route.push().copy_from_slice(&self.start);
                self.route.push().copy_from_slice(self.goals.pose(index));
                self.follow(false, false);
            } else if self.seeds_tried >= SEEDS {
                self.end_goals(arm, effector, work);
            }
        }
    }

    /// All goal poses were tried and none can be had directly.
    fn end_goals(&mut self, arm: &Arm, effector: Effector, work: &mut u32) {
        if self.goals.len() > 0 {
            self.search.begin(&self.start);
            for i in 0..self.goals.len() {
                self.search.add_goal(self.goals.pose(i));
            }
            self.phase = Phase::Routing;
        } else if self.round + 1 < ROUNDS {
            self.round += 1;
            self.phase = Phase::Fresh;
        } else if self.nearest_miss.is_finite() {
            let chain = chain(arm, effector, &self.discs, self.clearance);
            let ends = (&self.start[..], &self.miss[..]);
            if free_part(&chain, ends, &mut self.scratch, LOOKS, work) >= 1.0 {
                self.route.clear();
                self.route.push().copy_from_slice(&self.start);
                self.route.push().copy_from_slice(&self.miss);
                self.follow(false, true);
            } else {
                self.phase = Phase::Unreachable;
            }
        } else {
            self.phase = Phase::Unreachable;
        }
    }

    fn follow(&mut self, has_detour: bool, is_miss: bool) {
        self.phase = Phase::Following;
        self.has_detour = has_detour;
        self.is_miss = is_miss;
        self.stop = 1;
        self.refusals = 0;
    }

    fn find_route(&mut self, arm: &Arm, effector: Effector, goal: Point, work: &mut u32) {
        let before = *work;
        while *work < WORK_PER_TICK {
            let chain = chain(arm, effector, &self.discs, self.clearance);
            let met = self.search.grow(&chain, &mut self.draws, &mut self.scratch, work);
            if let Some(met) = met {
                self.search.route(met, &mut self.route);
                self.shortenings = SHORTENINGS;
                self.phase = Phase::Shortening;
                return;
            }
            if self.search.is_full() {
                let known = self.goals.len();
                for _ in 0..4 {
                    self.try_goal(arm, effector, goal, work);
                }
                if self.direct.is_some() && known == 0 {
                    self.phase = Phase::Goals;
                    return;
                }
                self.search.begin(&self.start);
                for i in 0..self.goals.len() {
                    self.search.add_goal(self.goals.pose(i));
                }
            }
        }
        self.work_in_round += *work - before;
        if self.work_in_round > ROUND_WORK {
            self.round += 1;
            self.phase = if self.round < ROUNDS { Phase::Fresh } else { Phase::Unreachable };
        }
    }

    fn shorten(&mut self, arm: &Arm, effector: Effector, work: &mut u32) {
        let chain = chain(arm, effector, &self.discs, self.clearance);
        while *work < WORK_PER_TICK && self.shortenings > 0 {
            self.shortenings -= 1;
            self.route.shorten(&chain, &mut self.draws, &mut self.scratch, work);
            if self.route.len() < 3 {
                self.shortenings = 0;
            }
        }
        if self.shortenings == 0 {
            self.follow(true, false);
        }
    }

    /// One tick along the route; false when a step was refused.
    fn advance(&mut self, arm: &Arm, around: &Surroundings<'_>, next: &mut Pose) -> bool {
        let parameters = arm.parameters();
        let limit = parameters.maximum_bend();
        let mut budget = parameters.turning_speed() * around.dt;
        next.angles.copy_from_slice(&arm.pose.angles);
        while budget > 0.0 && self.stop < self.route.len() {
            changes(&next.angles, self.route.pose(self.stop), &mut self.scratch.change);
            let cost = largest(&self.scratch.change);
            let share = if cost <= budget { 1.0 } else { budget / cost };
            for (i, (angle, change)) in
                next.angles.iter_mut().zip(&self.scratch.change).enumerate()
            {
                let turned = *angle + share * change;
                *angle = if i == 0 { wrap(turned) } else { clip(turned, -limit, limit) };
            }
            budget -= cost;
            if share >= 1.0 {
                self.stop += 1;
            }
        }
        self.guarded(arm, around, next)
    }

    /// Halves a step until the guard takes it; false when it takes none.
    fn guarded(&mut self, arm: &Arm, around: &Surroundings<'_>, next: &mut Pose) -> bool {
        let length = arm.parameters().segment_length();
        let rule = Rule { clearance: GUARD_CLEARANCE, spacing: 1.0, is_padded: false };
        next.rebuild(arm.base(), length);
        self.guard.accepts((&arm.pose, next), length, around.obstacles, rule)
    }

    /// Plans within the tick's bound.
    fn plan(&mut self, arm: &Arm, effector: Effector, goal: Point) {
        let mut work = 0;
        self.plan_ticks += 1;
        while work < WORK_PER_TICK {
            match self.phase {
                Phase::Goals => self.find_goals(arm, effector, goal, &mut work),
                Phase::Routing => self.find_route(arm, effector, goal, &mut work),
                Phase::Shortening => self.shorten(arm, effector, &mut work),
                _ => return,
            }
        }
    }

    /// The scene has changed: what was planned may be wrong.
    fn reconsider(&mut self, arm: &Arm, effector: Effector, around: &Surroundings<'_>) {
        self.obstacle_revision = around.obstacle_revision;
        self.gather(arm, effector, around);
        let chain = chain(arm, effector, &self.discs, self.clearance);
        let still_free = self.phase == Phase::Following && {
            let mut work = 0;
            let mut from: &[f64] = &arm.pose.angles;
            (self.stop..self.route.len()).all(|stop| {
                let to = self.route.pose(stop);
                let part = free_part(&chain, (from, to), &mut self.scratch, LOOKS, &mut work);
                from = to;
                part >= 1.0 && work < 4 * LOOKS
            })
        };
        if !still_free {
            self.forget();
        }
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

    fn refused(&mut self) {
        self.refusals += 1;
        if self.refusals >= 8 {
            self.forget();
        }
    }

    fn propose(
        &mut self,
        arm: &Arm,
        target: Point,
        around: &Surroundings<'_>,
        next: &mut Pose,
    ) -> Motion {
        let segments = arm.parameters().segment_count();
        let effector = Effector::new(segments, around.payload.as_ref());
        let goal = around.payload.map_or(target, |p| p.goal);
        if self.obstacle_revision != around.obstacle_revision {
            self.reconsider(arm, effector, around);
        }
        if around.payload.is_none() && is_covered(goal, around.obstacles) {
            return self.wait_for_target(arm, around, next);
        }
        if self.phase == Phase::Fresh {
            if let Some(motion) = self.leave_overlap(arm, effector, around, next) {
                return motion;
            }
            self.begin_round(arm, effector, around);
        }
        let reach = arm.parameters().reach();
        let way = goal - arm.base();
        let is_beyond = around.payload.is_none() && way.norm() > reach;
        let aim = if is_beyond {
            arm.base() + way * ((reach - 0.2) / way.norm())
        } else {
            goal
        };
        self.plan(arm, effector, aim);
        match self.phase {
            Phase::Following => self.follow_on(arm, around, next),
            Phase::Unreachable => Motion { blocked: !is_beyond, ..Motion::default() },
            Phase::Arrived => Motion::default(),
            _ => Motion { avoiding: self.plan_ticks > 12, ..Motion::default() },
        }
    }

    fn finds_unreachable(&self) -> bool {
        self.phase == Phase::Unreachable
    }
}

impl ReachLaw {
    /// The target lies inside an obstacle's clearance region: only an overlap is left.
    fn wait_for_target(
        &mut self,
        arm: &Arm,
        around: &Surroundings<'_>,
        next: &mut Pose,
    ) -> Motion {
        let effector = Effector::new(arm.parameters().segment_count(), None);
        let left = self.leave_overlap(arm, effector, around, next);
        let moved = left.is_some_and(|motion| motion.moved);
        self.phase = Phase::Fresh;
        Motion { moved, blocked: true, avoiding: false }
    }

    /// Moves out of an overlap, if there is one.
    fn leave_overlap(
        &mut self,
        arm: &Arm,
        effector: Effector,
        around: &Surroundings<'_>,
        next: &mut Pose,
    ) -> Option<Motion> {
        self.gather(arm, effector, around);
        let chain = chain(arm, effector, &self.discs, ARM_CLEARANCE);
        if chain.margin(&arm.pose.points) >= -1e-6 || self.retreat_ticks > RETREAT_PATIENCE {
            return None;
        }
        let urge = Urge { zones: &self.discs, margin: ARM_CLEARANCE + 0.5, share: 1.0 };
        let moved = self.retreat.propose(arm, &urge, around, next);
        self.retreat_ticks += if moved { 1 } else { 4 };
        Some(Motion { moved, blocked: !moved, avoiding: moved })
    }

    fn follow_on(&mut self, arm: &Arm, around: &Surroundings<'_>, next: &mut Pose) -> Motion {
        if self.stop >= self.route.len() {
            self.phase = if self.is_miss { Phase::Unreachable } else { Phase::Arrived };
            return Motion::default();
        }
        let stop = self.stop;
        if self.advance(arm, around, next) {
            return Motion { moved: true, blocked: false, avoiding: self.has_detour };
        }
        self.stop = stop;
        self.refusals += 1;
        self.phase = Phase::Fresh;
        if self.refusals >= 4 {
            self.round += 1;
            if self.round >= ROUNDS {
                self.phase = Phase::Unreachable;
            }
        }
        Motion { moved: false, blocked: true, avoiding: self.has_detour }
    }
}

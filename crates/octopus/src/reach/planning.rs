//! Rounds of planning: goal poses first, then a route, then a shorter one.
//!
//! Everything here is a function of the pose and the goal a round began with, the obstacles and
//! the number of ticks spent; a saved run repeats those ticks instead of storing trees.

use super::chain::{Effector, free_part, largest};
use super::goal::arc;
use super::route::{LOOKS, draw_pose, draws_of};
use super::{Phase, ReachLaw, chain};
use crate::arm::Arm;
use crate::constants::{ARM_CLEARANCE, REACH_TOLERANCE};
use crate::law::Surroundings;
use crate::vector::{Point, clip, wrap};

/// Goal poses tried before a route is looked for.
const SEEDS: u32 = 24;
/// Goal poses tried before the best straight movement is taken.
const SEEDS_DIRECT: u32 = 6;
/// A straight movement this short is taken at once, rad of the fastest joint.
const SHORT: f64 = 0.5;
/// Iterations of the solver per goal pose.
pub(super) const ITERATIONS: u32 = 24;
/// Distance between effector and goal at which a goal pose is good enough, px.
const GOAL_TOLERANCE: f64 = 0.8;
/// Poses looked at in one round of route search.
const ROUND_WORK: u32 = 12_000;
/// Rounds before the target counts as unreachable.
pub(super) const ROUNDS: u32 = 4;
/// Attempts to shorten a route.
const SHORTENINGS: u32 = 60;
/// Most goal poses kept.
const GOALS: usize = 16;
/// Goal poses tried before the trees are grown anew.
const GOALS_PER_TREE: u32 = 4;
/// Least clearance a plan is made with when the arm starts closer, px.
const CLEARANCE_MIN: f64 = 0.5;

/// What kind of route is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// One straight movement.
    Straight,
    /// Found by search.
    Detour,
    /// Straight to a pose that misses the goal.
    Miss,
}

impl ReachLaw {
    /// Begins a round of planning from the arm's pose.
    pub(super) fn begin_round(
        &mut self,
        arm: &Arm,
        effector: Effector,
        aim: Point,
        around: &Surroundings<'_>,
    ) {
        self.aim = aim;
        self.start.copy_from_slice(&arm.pose.angles);
        self.attempt += 1;
        self.draws = draws_of(self.attempt);
        self.seeds_tried = 0;
        self.work_in_round = 0;
        self.plan_ticks = 0;
        self.goals_owed = 0;
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
    pub(super) fn gather(&mut self, arm: &Arm, effector: Effector, around: &Surroundings<'_>) {
        let reach = arm.parameters().reach() + ARM_CLEARANCE + 1.0;
        let carried = effector.offset.norm() + effector.radius;
        let near = around
            .obstacles
            .iter()
            .filter(|disc| disc.centre.distance(arm.base()) <= disc.radius + reach + carried);
        self.discs.clear();
        self.discs.extend(near);
    }

    /// Tries one goal pose.
    fn try_goal(&mut self, arm: &Arm, effector: Effector, work: &mut u32) {
        let goal = self.aim;
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
    fn find_goals(&mut self, arm: &Arm, effector: Effector, work: &mut u32) {
        while *work < self.work_limit && self.phase == Phase::Goals {
            self.try_goal(arm, effector, work);
            let is_short = self.direct.is_some_and(|(cost, _)| cost <= SHORT);
            let has_looked = self.direct.is_some() && self.seeds_tried >= SEEDS_DIRECT;
            if is_short || has_looked {
                let index = self.direct.map_or(0, |(_, index)| index);
                self.route.clear();
                self.route.push().copy_from_slice(&self.start);
                self.route.push().copy_from_slice(self.goals.pose(index));
                self.follow(Way::Straight);
            } else if self.seeds_tried >= SEEDS {
                self.end_goals(arm, effector, work);
            }
        }
    }

    /// All goal poses were tried and none can be had directly.
    fn end_goals(&mut self, arm: &Arm, effector: Effector, work: &mut u32) {
        if self.goals.len() > 0 {
            self.plant();
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
                self.follow(Way::Miss);
            } else {
                self.phase = Phase::Creeping;
            }
        } else {
            self.phase = Phase::Creeping;
        }
    }

    /// Starts both trees anew.
    fn plant(&mut self) {
        self.search.begin(&self.start);
        for i in 0..self.goals.len() {
            self.search.add_goal(self.goals.pose(i));
        }
    }

    fn follow(&mut self, way: Way) {
        self.phase = Phase::Following;
        self.has_detour = way == Way::Detour;
        self.is_miss = way == Way::Miss;
        self.stop = 1;
        self.refusals = 0;
    }

    fn find_route(&mut self, arm: &Arm, effector: Effector, work: &mut u32) {
        let before = *work;
        while *work < self.work_limit {
            if self.goals_owed > 0 {
                self.try_goal(arm, effector, work);
                self.goals_owed -= 1;
                if self.goals_owed == 0 {
                    self.plant();
                }
                continue;
            }
            let chain = chain(arm, effector, &self.discs, self.clearance);
            let met = self.search.grow(&chain, &mut self.draws, &mut self.scratch, work);
            if let Some(met) = met {
                self.search.route(met, &mut self.route);
                self.shortenings = SHORTENINGS;
                self.phase = Phase::Shortening;
                return;
            }
            if self.search.is_full() {
                // A few new goal poses, then the trees are grown anew.
                self.goals_owed = GOALS_PER_TREE;
            }
        }
        self.work_in_round += *work - before;
        if self.work_in_round > ROUND_WORK {
            self.round += 1;
            self.phase = if self.round < ROUNDS { Phase::Fresh } else { Phase::Creeping };
        }
    }

    fn shorten(&mut self, arm: &Arm, effector: Effector, work: &mut u32) {
        let chain = chain(arm, effector, &self.discs, self.clearance);
        while *work < self.work_limit && self.shortenings > 0 {
            self.shortenings -= 1;
            self.route.shorten(&chain, &mut self.draws, &mut self.scratch, work);
            if self.route.len() < 3 {
                self.shortenings = 0;
            }
        }
        if self.shortenings == 0 {
            self.follow(Way::Detour);
        }
    }

    /// Plans within the tick's bound.
    pub(super) fn plan(&mut self, arm: &Arm, effector: Effector) {
        let mut work = 0;
        if !self.is_planning() {
            return;
        }
        self.plan_ticks += 1;
        while work < self.work_limit {
            match self.phase {
                Phase::Goals => self.find_goals(arm, effector, &mut work),
                Phase::Routing => self.find_route(arm, effector, &mut work),
                Phase::Shortening => self.shorten(arm, effector, &mut work),
                _ => break,
            }
        }
        self.work = work;
    }
}

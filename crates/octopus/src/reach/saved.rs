//! What of the `reach` law is saved.
//!
//! Trees are not: a plan under way is repeated from the pose, goal and attempt it began with.

use alloc::vec::Vec;

use super::chain::Effector;
use super::route::{STOPS, draws_of};
use super::{Phase, ReachLaw};
use crate::arm::Arm;
use crate::law::Surroundings;
use crate::vector::Point;

/// Saved state of the `reach` law.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedReach {
    /// What the law was at.
    pub phase: Phase,
    /// Round of planning for the target.
    pub round: u32,
    /// Plans made so far.
    pub attempt: u32,
    /// Ticks spent on the present plan.
    pub plan_ticks: u32,
    /// Where the effector was to be brought when the plan began, px.
    pub aim: Point,
    /// Clearance of the plan, px.
    pub clearance: f64,
    /// Poses of the route, one after the other; empty unless moving.
    pub route: Vec<f64>,
    /// Index of the pose headed for.
    pub stop: usize,
    /// The route was found by search.
    pub has_detour: bool,
    /// The route ends where the goal is missed.
    pub is_miss: bool,
    /// Ticks of retreat so far.
    pub retreat_ticks: u32,
    /// Refused steps in a row.
    pub refusals: u32,
    /// The law has seen the obstacles as they are.
    pub knows_obstacles: bool,
}

impl ReachLaw {
    /// What is to be saved; `obstacle_revision` is that of the surroundings.
    pub fn save(&self, obstacle_revision: u64) -> SavedReach {
        let mut route = Vec::new();
        if self.phase == Phase::Following {
            (0..self.route.len()).for_each(|i| route.extend_from_slice(self.route.pose(i)));
        }
        SavedReach {
            phase: self.phase,
            round: self.round,
            attempt: self.attempt,
            plan_ticks: self.plan_ticks,
            aim: self.aim,
            clearance: self.clearance,
            route,
            stop: self.stop,
            has_detour: self.has_detour,
            is_miss: self.is_miss,
            retreat_ticks: self.retreat_ticks,
            refusals: self.refusals,
            knows_obstacles: self.obstacle_revision == obstacle_revision,
        }
    }

    /// Puts back what was saved; false when it does not fit the arm.
    pub fn restore(&mut self, saved: &SavedReach, arm: &Arm, around: &Surroundings<'_>) -> bool {
        let segments = arm.parameters().segment_count();
        let stops = saved.route.len() / segments;
        let fits = saved.route.len() == stops * segments
            && stops <= STOPS
            && saved.route.iter().all(|a| a.is_finite())
            && saved.aim.is_finite()
            && saved.clearance.is_finite();
        if !fits {
            return false;
        }
        let effector = Effector::new(segments, around.payload.as_ref());
        self.attempt = saved.attempt;
        self.draws = draws_of(saved.attempt);
        self.round = saved.round;
        self.aim = saved.aim;
        self.phase = saved.phase;
        if self.is_planning() {
            self.attempt = saved.attempt.saturating_sub(1);
            self.begin_round(arm, effector, saved.aim, around);
            for _ in 0..saved.plan_ticks {
                self.plan(arm, effector);
            }
        }
        self.gather(arm, effector, around);
        self.clearance = saved.clearance;
        self.plan_ticks = saved.plan_ticks;
        if saved.phase == Phase::Following {
            self.route.clear();
            for pose in saved.route.chunks_exact(segments) {
                self.route.push().copy_from_slice(pose);
            }
        }
        self.stop = saved.stop;
        self.has_detour = saved.has_detour;
        self.is_miss = saved.is_miss;
        self.retreat_ticks = saved.retreat_ticks;
        self.refusals = saved.refusals;
        self.obstacle_revision =
            if saved.knows_obstacles { around.obstacle_revision } else { u64::MAX };
        true
    }
}

//! Moving: out of overlaps, along a route, and, when there is none, as near as the arm can creep.

use super::chain::{Chain, Effector, changes, free_part, largest};
use super::planning::ROUNDS;
use super::route::LOOKS;
use super::{Phase, ReachLaw, chain};
use crate::arm::{Arm, Pose};
use crate::constants::ARM_CLEARANCE;
use crate::law::{Motion, Surroundings};
use crate::reference::Rule;
use crate::retreat::Urge;
use crate::vector::{clip, wrap};

/// Distance kept by the guard while a route is followed, px; the route was planned with more.
const GUARD_CLEARANCE: f64 = 1.0;
/// Most travel between two samples of the guard, px.
const GUARD_SPACING: f64 = 1.0;
/// Ticks a retreat may stay without success before the arm plans from where it is.
const RETREAT_PATIENCE: u32 = 60;
/// Times a step is halved before it is given up.
const HALVINGS: u32 = 4;
/// Refused steps in a row before the plan is made anew.
const REFUSALS: u32 = 4;
/// Least gain of a creeping step, px.
const CREEP_GAIN: f64 = 1e-3;
/// Poses of routes looked at again when the scene has changed.
pub(super) const RECHECK_WORK: u32 = 4 * LOOKS;

impl ReachLaw {
    /// The scene has changed: what was planned may be wrong.
    pub(super) fn reconsider(&mut self, arm: &Arm, effector: Effector, around: &Surroundings<'_>) {
        self.obstacle_revision = around.obstacle_revision;
        self.gather(arm, effector, around);
        let chain = chain(arm, effector, &self.discs, self.clearance);
        let mut work = 0;
        let still_free = self.phase == Phase::Following && {
            let mut from: &[f64] = &arm.pose.angles;
            (self.stop..self.route.len()).all(|stop| {
                let to = self.route.pose(stop);
                let part = free_part(&chain, (from, to), &mut self.scratch, LOOKS, &mut work);
                from = to;
                part >= 1.0 && work < RECHECK_WORK
            })
        };
        self.work += work;
        if !still_free {
            self.forget();
        }
    }

    /// The target lies inside an obstacle's clearance region: only an overlap is left.
    pub(super) fn wait_for_target(
        &mut self,
        arm: &Arm,
        around: &Surroundings<'_>,
        next: &mut Pose,
    ) -> Motion {
        let effector = Effector::new(arm.parameters().segment_count(), None);
        let left = self.leave_overlap(arm, effector, around, next);
        self.phase = Phase::Fresh;
        Motion { moved: left.is_some_and(|motion| motion.moved), blocked: true, avoiding: false }
    }

    /// Moves out of an overlap, if there is one.
    pub(super) fn leave_overlap(
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

    /// One tick along the route.
    pub(super) fn follow_on(
        &mut self,
        arm: &Arm,
        effector: Effector,
        around: &Surroundings<'_>,
        next: &mut Pose,
    ) -> Motion {
        if self.stop >= self.route.len() {
            self.phase = if self.is_miss { Phase::Creeping } else { Phase::Arrived };
            return Motion::default();
        }
        let motion = Motion { moved: true, blocked: false, avoiding: self.has_detour };
        let mut budget = arm.parameters().turning_speed() * around.dt;
        for _ in 0..=HALVINGS {
            let stop = self.stop;
            self.advance(arm, budget, next);
            if self.is_free(arm, GUARD_CLEARANCE, around, next) {
                return motion;
            }
            self.stop = stop;
            budget *= 0.5;
        }
        self.refusals += 1;
        if self.refusals >= REFUSALS {
            self.refusals = 0;
            self.round += 1;
            self.phase = if self.round < ROUNDS { Phase::Fresh } else { Phase::Creeping };
        }
        // Along the boundary, if that helps.
        let slid = self.creep(arm, effector, around, next);
        Motion { moved: slid, blocked: !slid, avoiding: true }
    }

    /// Goes along the route for a share of the fastest joint's turn.
    fn advance(&mut self, arm: &Arm, budget: f64, next: &mut Pose) {
        let limit = arm.parameters().maximum_bend();
        let mut budget = budget;
        next.angles.copy_from_slice(&arm.pose.angles);
        while budget > 0.0 && self.stop < self.route.len() {
            changes(&next.angles, self.route.pose(self.stop), &mut self.scratch.change);
            let cost = largest(&self.scratch.change);
            let share = if cost <= budget { 1.0 } else { budget / cost };
            turn(next, &self.scratch.change, share, limit);
            budget -= cost;
            if share >= 1.0 {
                self.stop += 1;
            }
        }
        next.rebuild(arm.base(), arm.parameters().segment_length());
    }

    fn is_free(
        &mut self,
        arm: &Arm,
        clearance: f64,
        around: &Surroundings<'_>,
        next: &Pose,
    ) -> bool {
        let length = arm.parameters().segment_length();
        let rule = Rule { clearance, spacing: GUARD_SPACING, is_padded: false };
        self.guard.accepts((&arm.pose, next), length, around.obstacles, rule)
    }

    /// One step straight for the goal that slides along obstacles; false when none brings the
    /// effector nearer.
    pub(super) fn creep(
        &mut self,
        arm: &Arm,
        effector: Effector,
        around: &Surroundings<'_>,
        next: &mut Pose,
    ) -> bool {
        let limit = arm.parameters().maximum_bend();
        let length = arm.parameters().segment_length();
        let chain = chain(arm, effector, &self.discs, ARM_CLEARANCE);
        let before = chain.effector_at(&arm.pose.points).distance(self.aim);
        self.candidate.copy_from_slice(&arm.pose.angles);
        let mut work = 0;
        self.solver.settle(
            &chain,
            &mut self.candidate,
            (self.aim, 0.0),
            (1, true),
            (&mut self.scratch, &mut work),
        );
        self.work += work;
        changes(&arm.pose.angles, &self.candidate, &mut self.scratch.change);
        let cost = largest(&self.scratch.change);
        if cost <= 0.0 {
            return false;
        }
        let mut share = (arm.parameters().turning_speed() * around.dt / cost).min(1.0);
        for _ in 0..=HALVINGS {
            next.angles.copy_from_slice(&arm.pose.angles);
            turn(next, &self.scratch.change, share, limit);
            next.rebuild(arm.base(), length);
            let after = chain_of(arm, effector).effector_at(&next.points).distance(self.aim);
            if after < before - CREEP_GAIN && self.is_free(arm, ARM_CLEARANCE, around, next) {
                return true;
            }
            share *= 0.5;
        }
        false
    }
}

/// A chain without obstacles, for kinematics alone.
fn chain_of(arm: &Arm, effector: Effector) -> Chain<'static> {
    chain(arm, effector, &[], ARM_CLEARANCE)
}

/// Adds a share of the changes to a pose's angles, within the limits.
fn turn(pose: &mut Pose, changes: &[f64], share: f64, limit: f64) {
    for (i, (angle, change)) in pose.angles.iter_mut().zip(changes).enumerate() {
        let turned = *angle + share * change;
        *angle = if i == 0 { wrap(turned) } else { clip(turned, -limit, limit) };
    }
}

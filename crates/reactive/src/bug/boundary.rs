//! What is known of the boundary being followed.

use tropism_core::math;

use super::marks::Mark;
use crate::plane::{Point, Reckoning};

/// Way along a boundary until the place is fixed by which the circuit is told closed, m.
const SETTLE_M: f32 = 0.25;
/// The same by contact alone, where the hit point is that place, m.
const TURNED_M: f32 = 0.06;
/// Error of the reckoned place per way along a boundary that is only felt.
const DRIFT: f32 = 0.01;
/// Largest such error that is reckoned with, m.
const DRIFT_MAX_M: f32 = 0.09;

/// A place on a boundary.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    pub(super) at: Point,
    heading_rad: f32,
    /// Way from the hit point, m.
    way_m: f32,
}

/// What is known of the boundary being followed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Boundary {
    /// Way along it, m.
    pub(super) way_m: f32,
    anchor: Option<Place>,
    has_left_anchor: bool,
    /// The place nearest to the goal.
    pub(super) best: Place,
    best_m: f32,
    /// Way of the full round, once it is closed, m.
    pub(super) circuit_m: f32,
    /// Nearest distance to the goal of boundary points in sight, m.
    pub(super) followed_m: f32,
    /// Way at which to look next whether the goal is free, m.
    pub(super) next_look_m: f32,
    /// Signed distance from the M-line at the last tick, m.
    pub(super) cross: f32,
    /// Distance of the hit point from the goal, m.
    pub(super) hit_m: f32,
    hit_at: Point,
    /// The circuit ends where it began, at the hit point, and not a little after it.
    pub(super) is_closed_at_hit: bool,
    /// Distance at the last tick from the place looked for: the anchor, or on the way back the one
    /// nearest to the goal, m.
    pub(super) apart_m: f32,
}

impl Boundary {
    /// A boundary hit here.
    pub(super) fn begin(hit: Mark, pose: &Reckoning, cross: f32) -> Self {
        Self {
            best: Place { at: hit.at, heading_rad: pose.heading_rad, way_m: 0.0 },
            best_m: hit.goal_m,
            hit_m: hit.goal_m,
            hit_at: hit.at,
            followed_m: f32::INFINITY,
            next_look_m: SETTLE_M,
            cross,
            ..Self::default()
        }
    }

    /// Walks on by a way; true when the circuit is closed: back near the anchor, heading alike.
    pub(super) fn advance(
        &mut self,
        pose: &Reckoning,
        way_m: f32,
        (same, turn): (f32, f32),
    ) -> bool {
        self.way_m += way_m;
        let here = Place { at: pose.at, heading_rad: pose.heading_rad, way_m: self.way_m };
        let Some(anchor) = self.anchor else {
            // A boundary that is touched is hit on its very rim, once the heading has settled.
            if self.is_closed_at_hit && self.way_m >= TURNED_M {
                self.anchor = Some(Place { at: self.hit_at, way_m: 0.0, ..here });
            } else if self.way_m >= SETTLE_M {
                self.anchor = Some(here);
            }
            return false;
        };
        let apart = pose.at.distance(anchor.at);
        self.has_left_anchor |= apart > 2.0 * same;
        let turned = math::abs(math::wrap_angle(pose.heading_rad - anchor.heading_rad));
        let before = core::mem::replace(&mut self.apart_m, apart);
        // The error of a way grows with the way: passing a little farther off will do.
        let drift = math::clamp(DRIFT * self.way_m, 0.0, DRIFT_MAX_M);
        let passes = self.is_closed_at_hit && apart < same + drift && apart > before;
        if self.has_left_anchor && (apart < same || passes) && turned < turn {
            self.circuit_m = self.way_m - anchor.way_m;
            return true;
        }
        false
    }

    /// Remembers the place if none before was nearer to the goal.
    pub(super) fn note(&mut self, pose: &Reckoning, goal_m: f32) {
        if goal_m < self.best_m {
            self.best_m = goal_m;
            self.best = Place { at: pose.at, heading_rad: pose.heading_rad, way_m: self.way_m };
        }
    }

    /// True when the way on to the best place is longer than the way back. The way counts anew from
    /// here.
    pub(super) fn is_shorter_back(&mut self) -> bool {
        let anchor_m = self.anchor.map_or(0.0, |a| a.way_m);
        let ahead_m = self.best.way_m - anchor_m;
        let ahead_m = if ahead_m < 0.0 { ahead_m + self.circuit_m } else { ahead_m };
        self.way_m = 0.0;
        self.circuit_m - ahead_m < ahead_m
    }
}

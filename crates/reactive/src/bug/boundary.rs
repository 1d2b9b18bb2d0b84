//! What is known of the boundary being followed.

use tropism_core::math;

use super::marks::Mark;
use crate::plane::{Point, Reckoning};

/// Way along a boundary until the place is fixed by which the circuit is told closed, m.
const SETTLE_M: f32 = 0.25;

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
}

impl Boundary {
    /// A boundary hit here.
    pub(super) fn begin(hit: Mark, pose: &Reckoning, cross: f32) -> Self {
        Self {
            best: Place { at: hit.at, heading_rad: pose.heading_rad, way_m: 0.0 },
            best_m: hit.goal_m,
            hit_m: hit.goal_m,
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
            if self.way_m >= SETTLE_M {
                self.anchor = Some(here);
            }
            return false;
        };
        let apart = pose.at.distance(anchor.at);
        self.has_left_anchor |= apart > 2.0 * same;
        let turned = math::abs(math::wrap_angle(pose.heading_rad - anchor.heading_rad));
        if self.has_left_anchor && apart < same && turned < turn {
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

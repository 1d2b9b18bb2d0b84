//! Following a boundary that is only felt.
//!
//! Terms: a *touch* is a place of the body's centre at which the bumper closed. A round body's
//! centre then lies on the rim of the obstacle grown by the radius, wherever on the bumper the
//! contact is; so the *chord* from one touch to the next gives the direction of that rim.
//!
//! What it does not do: it needs no bearing of the contact and keeps no map; it knows the last
//! touch and the last two chords.

use tropism_core::math;

use crate::course::{BASE_M, Side};
use crate::plane::{Point, Reckoning};

/// Way from touch to touch along a straight boundary, m.
pub const STRIDE_M: f32 = 0.025;
/// Angle off the boundary at which a stride begins, rad; it ends at as much.
const OFF_RAD: f32 = 0.08;
/// Touches nearer than this: the turn away was too small, m.
const AGAIN_M: f32 = 0.01;
/// Largest turn away from one touch, rad.
const AWAY_MAX_RAD: f32 = 0.6;
/// Turn away from a touch whose boundary has no known direction, rad.
const AWAY_RAD: f32 = 0.15;
/// Share of a stride after which the boundary counts as curving away.
const OVERDUE: f32 = 1.3;
/// Radius of the arc that looks for a boundary that curves away, m: below that of the body, so that
/// it meets a corner that lies behind.
const SEARCH_M: f32 = 0.06;
/// A turn on the spot ends at this error, rad.
const TURNED_RAD: f32 = 0.04;
/// Net turn without a touch after which the boundary counts as lost, rad.
const LOST_RAD: f32 = 8.0;

/// Follows a boundary by contact.
///
/// Model: a stride is an arc towards the boundary of curvature 2·off/stride that begins at `off`
/// rad away from it. At a touch the body stops and turns on the spot, which moves no part of a
/// round body's rim: to the direction of the chord since the last touch, plus half its change on a
/// boundary that curves away, and `off` rad away; after a touch too soon, by twice the last turn.
/// A touch that is overdue means a corner: the arc tightens to one of less than the body's radius.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TouchFollower {
    /// Where the boundary is.
    pub side: Side,
    touch: Option<Point>,
    touched_m: f32,
    chord_rad: Option<f32>,
    away_rad: f32,
    aim_rad: Option<f32>,
    turned_rad: f32,
    heading_rad: f32,
}

impl TouchFollower {
    /// Begins at a touch.
    pub fn begin(&mut self, side: Side, pose: &Reckoning) {
        *self = Self { side, heading_rad: pose.heading_rad, ..Self::default() };
        self.turn_away(pose, AWAY_MAX_RAD);
        self.note(pose);
    }

    /// Turns round: the same boundary on the other side.
    pub fn reverse(&mut self, pose: &Reckoning) {
        *self = Self { side: self.side.other(), heading_rad: pose.heading_rad, ..Self::default() };
        self.aim_rad = Some(math::wrap_angle(pose.heading_rad + math::PI));
        self.touched_m = pose.travelled_m;
    }

    /// True when the robot has turned far without touching anything.
    pub fn is_lost(&self) -> bool {
        math::abs(self.turned_rad) > LOST_RAD
    }

    /// True while a stride runs along the boundary: neither turning on the spot nor looking for a
    /// boundary that curved away.
    pub fn is_along(&self, pose: &Reckoning) -> bool {
        self.aim_rad.is_none() && pose.travelled_m - self.touched_m <= OVERDUE * STRIDE_M
    }

    fn note(&mut self, pose: &Reckoning) {
        self.touch = Some(pose.at);
        (self.touched_m, self.turned_rad) = (pose.travelled_m, 0.0);
    }

    fn turn_away(&mut self, pose: &Reckoning, by_rad: f32) {
        self.away_rad = by_rad;
        self.aim_rad = Some(math::wrap_angle(pose.heading_rad - self.side.sign() * by_rad));
    }

    /// Answers a touch.
    fn touched(&mut self, pose: &Reckoning) {
        let sign = self.side.sign();
        let way_m = pose.travelled_m - self.touched_m;
        let chord = self.touch.map(|touch| pose.at.minus(touch));
        match chord {
            _ if way_m < AGAIN_M && self.away_rad > 0.0 => {
                self.chord_rad = None;
                self.turn_away(pose, smaller(2.0 * self.away_rad, AWAY_MAX_RAD));
            }
            Some(chord) if chord.length() > 0.5 * way_m => {
                let along = chord.angle();
                let bend = self.chord_rad.map_or(0.0, |before| math::wrap_angle(along - before));
                // Towards the boundary only: it curves away.
                let bend = if bend * sign > 0.0 { bend } else { 0.0 };
                let aim = along + 0.5 * bend - sign * OFF_RAD;
                let away = -sign * math::wrap_angle(aim - pose.heading_rad);
                self.chord_rad = Some(along);
                self.turn_away(pose, math::clamp(away, OFF_RAD, AWAY_MAX_RAD));
            }
            _ => self.turn_away(pose, AWAY_RAD),
        }
        self.note(pose);
    }

    /// One tick; gives base and turn.
    pub fn step(&mut self, base: f32, pose: &Reckoning, is_bumped: bool) -> (f32, f32) {
        self.turned_rad += math::wrap_angle(pose.heading_rad - self.heading_rad);
        self.heading_rad = pose.heading_rad;
        if let Some(aim) = self.aim_rad {
            let error = math::wrap_angle(aim - pose.heading_rad);
            if math::abs(error) > TURNED_RAD {
                let size = math::clamp(0.9 * math::abs(error), 0.07, 0.25);
                return (0.0, if error < 0.0 { -size } else { size });
            }
            self.aim_rad = None;
        } else if is_bumped {
            self.touched(pose);
            return (0.0, 0.0);
        }
        let way_m = pose.travelled_m - self.touched_m;
        let curvature =
            if way_m > OVERDUE * STRIDE_M { 1.0 / SEARCH_M } else { 2.0 * OFF_RAD / STRIDE_M };
        (base, self.side.sign() * 0.5 * BASE_M * curvature * base)
    }
}

#[inline]
pub(crate) fn smaller(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

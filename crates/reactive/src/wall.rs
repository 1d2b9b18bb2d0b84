//! Following a wall with rangers at 45 degrees.
//!
//! Terms: the *side distance* is what the ray at 45 degrees says of the wall's distance if the
//! robot drives along it: radius·sin 45° + reading·sin 52.5°; the *angle* of the robot to the wall
//! makes it
//! wrong, and that is why a proportional law weaves. A wall is *missing* when its side distance is
//! not known or beyond a limit.
//!
//! What it does not do: it looks for no wall at the start; it drives straight until one is there.

use tropism_body::{Command, Controller, Observer, Percept};
use tropism_core::{TimeStep, math};

use crate::course::{Channels, Echo, RADIUS_M, Side};
use crate::pd::Pd;
use crate::plane::{Point, Reckoning};

/// sin 45°.
const HALF_ROOT: f32 = core::f32::consts::FRAC_1_SQRT_2;
/// sin 52.5°: along a wall, the nearest echo of a cone of 15° comes from its edge.
const CONE_EDGE: f32 = 0.793_353_3;

tropism_core::parameters! {
    /// Numbers of a wall follower.
    pub struct WallParameters {
        /// Side of the wall: 1 right, 0 left.
        wall_right: "1", 0.0..=1.0, 1.0, "perception and navigation lesson";
        /// Distance to keep between the wall and the robot's centre.
        distance: "m", 0.12..=2.0, 0.25, "perception and navigation lesson";
        /// Turn command per metre of error.
        kp: "1/m", 0.0..=20.0, 2.0, "perception and navigation lesson: 0.02 per cm";
        /// Turn command per metre of error per second; 0 is P control.
        kd: "s/m", 0.0..=20.0, 1.0, "choice: damps the weave";
        /// Time constant of the derivative.
        smooth: "s", 0.0..=2.0, 0.1, "choice: longer than the rays' jitter";
        /// Turn command per rad of wall angle from the ray's hits; above 0 it replaces `kd`.
        angle: "1/rad", 0.0..=5.0, 0.0, "choice: off";
        /// Largest turn command for the distance.
        turn_max: "1", 0.05..=1.0, 0.3, "choice";
        /// Wheel command along the wall.
        base: "1", 0.05..=1.0, 0.5, "choice: as the lesson's line follower";
        /// Front range below which it turns on the spot, away from the wall.
        corner: "m", 0.05..=2.0, 0.25, "perception and navigation lesson";
        /// Front range above which it drives on; above `corner`.
        clear: "m", 0.05..=4.0, 0.40, "choice: hysteresis of 15 cm";
        /// Turn command on the spot.
        corner_turn: "1", 0.05..=1.0, 0.25, "choice";
        /// Side distance beyond which the wall is missing.
        missing: "m", 0.2..=4.0, 0.60, "choice: more than twice the distance kept";
        /// Way straight on without a wall, before it turns towards where the wall should be.
        hold: "m", 0.0..=10.0, 0.90, "choice: longer than the gap of the course corridor";
        /// Time of that turn, after which it drives straight on.
        search: "s", 0.0..=60.0, 6.0, "choice";
    }
}

/// Hits of the side ray remembered for the wall's angle.
const HITS: usize = 8;
/// Way between two remembered hits, m.
const HIT_EVERY_M: f32 = 0.02;

/// What the follower is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WallState {
    /// Along the wall, or straight on before there was one.
    #[default]
    Along,
    /// Turning at an inner corner.
    Corner,
    /// Straight on past a missing wall.
    Hold,
    /// Turning to where the wall should be.
    Search,
}

/// Follows a wall.
///
/// Model: with e = side distance − distance kept, u = kp·e + kd·ė (or kp·e − angle·θ with the wall
/// angle θ), clamped; turn = u towards the wall. Front range below `corner`: on the spot away from
/// the wall until it is above `clear`. A missing wall drops the error: the heading is held.
///
/// # Source
/// Perception and navigation lesson, wall following. There the wall is on the right and the turn
/// positive towards it.
#[derive(Clone, Copy, Debug)]
pub struct WallFollower {
    channels: Channels,
    parameters: WallParameters,
    dt_s: f32,
    pd: Pd,
    pose: Reckoning,
    hits: [Point; HITS],
    hit_count: usize,
    hit_next_m: f32,
    state: WallState,
    missing_from_m: f32,
    search_s: f32,
    is_wall_known: bool,
    error_m: f32,
    angle_rad: f32,
    turn: f32,
}

impl WallFollower {
    /// A follower before its first tick.
    pub fn new(channels: Channels, step: TimeStep, parameters: WallParameters) -> Self {
        Self {
            channels,
            parameters,
            dt_s: step.seconds(),
            pd: Pd::default(),
            pose: Reckoning::default(),
            hits: [Point::default(); HITS],
            hit_count: 0,
            hit_next_m: 0.0,
            state: WallState::Along,
            missing_from_m: 0.0,
            search_s: 0.0,
            is_wall_known: false,
            error_m: 0.0,
            angle_rad: 0.0,
            turn: 0.0,
        }
    }

    /// What it is doing.
    pub const fn state(&self) -> WallState {
        self.state
    }

    fn side(&self) -> Side {
        if self.parameters.wall_right >= 0.5 { Side::Right } else { Side::Left }
    }

    /// Side distance, if the wall is there.
    fn side_m(&self, echo: Echo) -> Option<f32> {
        let Echo::At(d) = echo else {
            return None;
        };
        let side_m = RADIUS_M * HALF_ROOT + d * CONE_EDGE;
        (side_m < self.parameters.missing).then_some(side_m)
    }

    /// Angle of the heading to the wall, positive away from it, from the first and the last hit of
    /// the side ray.
    fn note_hit(&mut self, echo: Echo) {
        let Echo::At(d) = echo else {
            return;
        };
        if self.hit_count > 0 && self.pose.travelled_m < self.hit_next_m {
            return;
        }
        self.hit_next_m = self.pose.travelled_m + HIT_EVERY_M;
        let bearing = self.side().sign() * 0.25 * math::PI;
        self.hits[self.hit_count % HITS] = self.pose.place(RADIUS_M + d, bearing);
        self.hit_count += 1;
    }

    fn wall_angle(&self) -> f32 {
        if self.hit_count < 3 {
            return 0.0;
        }
        let last = self.hits[(self.hit_count - 1) % HITS];
        let first =
            if self.hit_count > HITS { self.hits[self.hit_count % HITS] } else { self.hits[0] };
        let along = last.minus(first);
        if along.length() < HIT_EVERY_M {
            return 0.0;
        }
        let off = math::wrap_angle(self.pose.heading_rad - along.angle());
        // A corner between the hits says nothing of the wall ahead.
        if math::abs(off) > 1.0 { 0.0 } else { -self.side().sign() * off }
    }

    fn along(&mut self, side_m: f32) -> (f32, f32) {
        let p = self.parameters;
        self.error_m = side_m - p.distance;
        self.angle_rad = self.wall_angle();
        let toward = if p.angle > 0.0 {
            p.kp * self.error_m + p.angle * self.angle_rad
        } else {
            self.pd.update(self.error_m, self.dt_s, (p.kp, p.kd, p.smooth))
        };
        let turn = math::clamp(toward, -p.turn_max, p.turn_max) * self.side().sign();
        (p.base, turn)
    }

    fn without_wall(&mut self) -> (f32, f32) {
        let p = self.parameters;
        self.pd.reset();
        self.hit_count = 0;
        self.error_m = 0.0;
        if !self.is_wall_known {
            return (p.base, 0.0);
        }
        if !matches!(self.state, WallState::Hold | WallState::Search) {
            self.state = WallState::Hold;
            self.missing_from_m = self.pose.travelled_m;
            self.search_s = 0.0;
        }
        if self.pose.travelled_m - self.missing_from_m < p.hold {
            return (p.base, 0.0);
        }
        self.state = WallState::Search;
        self.search_s += self.dt_s;
        if self.search_s > p.search {
            self.is_wall_known = false;
            self.state = WallState::Along;
        }
        (0.6 * p.base, 0.2 * p.base * self.side().sign())
    }

    fn decide(&mut self, percept: &Percept) -> (f32, f32) {
        if let Some(counts) = self.channels.encoders(percept) {
            self.pose.update(counts);
        }
        let p = self.parameters;
        let [left, front, right] = self.channels.ranges(percept);
        let side_echo = if self.side() == Side::Left { left } else { right };
        let limit = if self.state == WallState::Corner { p.clear } else { p.corner };
        if front.is_within(limit) || self.channels.is_bumped(percept) {
            self.state = WallState::Corner;
            self.pd.reset();
            self.hit_count = 0;
            return (0.0, -self.side().sign() * p.corner_turn);
        }
        if let Some(side_m) = self.side_m(side_echo) {
            self.note_hit(side_echo);
            self.is_wall_known = true;
            self.state = WallState::Along;
            return self.along(side_m);
        }
        self.without_wall()
    }
}

impl Controller for WallFollower {
    #[inline]
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        let (base, turn) = self.decide(percept);
        self.turn = turn;
        self.channels.steer(command, base, turn);
    }

    fn modules(&self) -> &'static [&'static str] {
        &["along", "corner", "hold", "search"]
    }

    fn controlling_module(&self) -> usize {
        self.state as usize
    }

    fn observe(&self, observer: &mut dyn Observer) {
        observer.value("turn", None, f64::from(self.turn));
        observer.value("wall_error_m", None, f64::from(self.error_m));
        observer.value("wall_angle_rad", None, f64::from(self.angle_rad));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Probe;

    fn follower(kd: f32) -> WallFollower {
        let step = TimeStep::new(1, 100).unwrap();
        WallFollower::new(
            Probe::new().channels(),
            step,
            WallParameters { kd, ..WallParameters::default() },
        )
    }

    /// Reading of the side ray at this side distance.
    #[expect(clippy::unnecessary_wraps, reason = "an argument of a probe")]
    fn ray(side_m: f32) -> Option<f32> {
        Some((side_m - RADIUS_M * HALF_ROOT) / CONE_EDGE)
    }

    #[test]
    fn unit_ten_centimetres_too_far_is_a_turn_of_two_tenths_toward_the_wall() {
        let probe = Probe::new().ranges(None, None, ray(0.35));
        let (left, right) = probe.drive(&mut follower(0.0));
        assert!((0.5 * (left - right) - 0.2).abs() < 1e-4, "{left} {right}");
    }

    #[test]
    fn unit_a_near_front_turns_away_in_place_until_it_clears() {
        let mut f = follower(0.0);
        let turns = |f: &mut WallFollower, front| {
            let (left, right) = Probe::new().ranges(None, Some(front), ray(0.25)).drive(f);
            left + right == 0.0 && right > left
        };
        assert!(!turns(&mut f, 0.26) && turns(&mut f, 0.24) && turns(&mut f, 0.39));
        assert!(!turns(&mut f, 0.41) && !turns(&mut f, 0.26));
    }

    #[test]
    fn unit_wf_03_a_missing_wall_drops_its_error_and_holds_the_heading() {
        let mut f = follower(1.0);
        Probe::new().ranges(None, None, ray(0.30)).drive(&mut f);
        let (left, right) = Probe::new().ranges(None, Some(0.5), None).drive(&mut f);
        assert_eq!((f.state(), left), (WallState::Hold, right));
        let (left, right) = Probe::new().ranges(None, Some(0.24), None).drive(&mut f);
        assert!(f.state() == WallState::Corner && right > left);
    }
}

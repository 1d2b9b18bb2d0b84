//! Following a line of tape with two floor sensors.
//!
//! Terms: the *position* is the error e in −1..1, positive when the line lies to the left; *seen*
//! says whether there is a line under the sensors at all. The two are separate: e = 0 on a line and
//! e = 0 without one are different things. *Lost* is a line not seen for longer than the grace.
//!
//! What it does not do: it finds no line it has never seen; before the first sight it drives
//! straight on for a while and then stops.

use tropism_body::{Command, Controller, Observer, Percept};
use tropism_core::{TimeStep, math};

use crate::course::{Channels, Side};
use crate::pd::Pd;

tropism_core::parameters! {
    /// Numbers of a line follower.
    pub struct LineParameters {
        /// Analogue sensors instead of digital ones (0 or 1).
        analogue: "1", 0.0..=1.0, 1.0, "choice";
        /// Turn command per unit of error.
        kp: "1", 0.0..=5.0, 0.6, "perception and navigation lesson";
        /// Turn command per unit of error per second.
        kd: "s", 0.0..=1.0, 0.05, "perception and navigation lesson";
        /// Time constant of the derivative.
        smooth: "s", 0.0..=1.0, 0.02, "choice: two control steps at 100 Hz";
        /// Wheel command on a straight line.
        base: "1", 0.0..=1.0, 0.5, "perception and navigation lesson";
        /// Share of the base speed taken away at |e| = 1.
        slow: "1", 0.0..=1.0, 0.6, "choice: the lesson slows down as |e| grows";
        /// Reading on bare floor.
        white: "1", 0.0..=1.0, 0.9, "calibration of the course robot";
        /// Reading on tape.
        black: "1", 0.0..=1.0, 0.1, "calibration of the course robot";
        /// Darkness of both sensors together from which a line is seen.
        seen: "1", 0.01..=2.0, 0.15, "choice: above the floor's noise";
        /// Time without a line until it counts as lost.
        grace: "s", 0.0..=2.0, 0.1, "choice: sensors beside a centred line see nothing for a \
            moment";
        /// The same for a line that vanished from the middle: a gap, not a curve.
        bridge: "s", 0.0..=5.0, 0.6, "choice: 12 cm at the base speed";
        /// Error below which the line counts as in the middle.
        middle: "1", 0.0..=1.0, 0.4, "choice";
        /// Time of searching on the side where the line was last seen, before the search widens.
        widen: "s", 0.0..=10.0, 0.5, "perception and navigation lesson";
        /// Time of searching after which the robot stops.
        give_up: "s", 0.1..=60.0, 3.0, "perception and navigation lesson";
        /// Time with both sensors fully dark that makes a table edge of a crossing; 0 is never.
        edge: "s", 0.0..=5.0, 0.25, "choice: 3 cm at the speed of a crossing, half the way from \
            the sensors to the axle";
        /// Largest wheel command while both sensors are fully dark.
        crossing: "1", 0.0..=1.0, 0.3, "choice: a 19 mm tape is crossed in 0.16 s";
        /// Time of backing off from an edge, before it stops.
        back: "s", 0.0..=5.0, 0.5, "choice: 6 cm";
        /// Wheel command of the search.
        search: "1", 0.0..=1.0, 0.3, "perception and navigation lesson: RECOVER";
        /// Time of driving straight on before a line was ever seen.
        approach: "s", 0.0..=600.0, 20.0, "choice";
    }
}

/// Darkness from which an analogue sensor counts as fully dark.
const DARK: f32 = 0.9;

/// What two floor sensors say of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LineSight {
    /// There is a line under at least one sensor.
    pub is_seen: bool,
    /// Where it is, −1 (right) to 1 (left); 0 when none is seen.
    pub position: f32,
    /// Both sensors are fully dark: a crossing line, or no floor at all.
    pub is_dark: bool,
}

impl LineSight {
    /// From digital sensors; a sensor without a reading sees nothing.
    #[inline]
    pub fn digital([left, right]: [Option<bool>; 2]) -> Self {
        let (left, right) = (left == Some(true), right == Some(true));
        let position = f32::from(u8::from(left)) - f32::from(u8::from(right));
        Self { is_seen: left || right, position, is_dark: left && right }
    }

    /// From analogue sensors: with darkness s = (white − reading)/(white − black) in 0..1,
    /// e = (L − R)/(L + R), seen when L + R reaches a threshold.
    #[inline]
    pub fn analogue(readings: [Option<f32>; 2], p: &LineParameters) -> Self {
        let span = p.white - p.black;
        let dark = |r: Option<f32>| r.map_or(0.0, |r| math::unit((p.white - r) / span));
        let [left, right] = readings.map(dark);
        let sum = left + right;
        if sum >= p.seen {
            let is_dark = left >= DARK && right >= DARK;
            let position = math::clamp((left - right) / sum, -1.0, 1.0);
            Self { is_seen: true, position, is_dark }
        } else {
            Self::default()
        }
    }
}

/// What the follower is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LineState {
    /// No line was seen yet.
    #[default]
    Approach,
    /// On the line.
    Follow,
    /// Lost: arcs towards the side where it was last seen.
    Search,
    /// Lost for longer: turns on the spot to either side in growing sweeps.
    Widen,
    /// Given up.
    Stop,
    /// Both sensors dark for too long: backs off from the edge, then stops.
    Edge,
}

/// Bounds of a line follower that cannot be: white and black readings swapped or equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uncalibrated;

/// Follows a line.
///
/// Model: turn = kp·e + kd·ė, base·(1 − slow·|e|); a line lost for `grace` is searched for on the
/// side where it was last seen, after `widen` also on the other, after `give_up` not any more.
///
/// # Source
/// Perception and navigation lesson, line following.
#[derive(Clone, Copy, Debug)]
pub struct LineFollower {
    channels: Channels,
    parameters: LineParameters,
    dt_s: f32,
    pd: Pd,
    sight: LineSight,
    state: LineState,
    last_side: Side,
    last_position: f32,
    unseen_s: f32,
    dark_s: f32,
    edge_s: f32,
    turn: f32,
    losses: u32,
}

impl LineFollower {
    /// A follower before its first tick.
    pub fn new(channels: Channels, step: TimeStep, parameters: LineParameters) -> Self {
        Self {
            channels,
            parameters,
            dt_s: step.seconds(),
            pd: Pd::default(),
            sight: LineSight::default(),
            state: LineState::Approach,
            last_side: Side::Left,
            last_position: 0.0,
            unseen_s: 0.0,
            dark_s: 0.0,
            edge_s: 0.0,
            turn: 0.0,
            losses: 0,
        }
    }

    /// What it is doing.
    pub const fn state(&self) -> LineState {
        self.state
    }

    /// What the sensors said last.
    pub const fn sight(&self) -> LineSight {
        self.sight
    }

    /// How often the line was lost.
    pub const fn losses(&self) -> u32 {
        self.losses
    }

    fn look(&mut self, percept: &Percept) {
        let p = &self.parameters;
        self.sight = if p.analogue >= 0.5 {
            LineSight::analogue(self.channels.reflectance(percept), p)
        } else {
            LineSight::digital(self.channels.line(percept))
        };
        self.dark_s = if self.sight.is_dark { self.dark_s + self.dt_s } else { 0.0 };
        if self.sight.is_seen {
            self.unseen_s = 0.0;
            self.last_position = self.sight.position;
            if self.sight.position > 0.0 {
                self.last_side = Side::Left;
            } else if self.sight.position < 0.0 {
                self.last_side = Side::Right;
            }
        } else {
            self.unseen_s += self.dt_s;
        }
    }

    /// True when the line was in the middle when it was last seen.
    fn was_central(&self) -> bool {
        math::abs(self.last_position) < self.parameters.middle
    }

    fn grace_s(&self) -> f32 {
        if self.was_central() { self.parameters.bridge } else { self.parameters.grace }
    }

    fn next_state(&self) -> LineState {
        let p = &self.parameters;
        if self.state == LineState::Stop {
            return LineState::Stop;
        }
        if self.state == LineState::Edge {
            return if self.edge_s > p.back { LineState::Stop } else { LineState::Edge };
        }
        if p.edge > 0.0 && self.dark_s > p.edge {
            return LineState::Edge;
        }
        if self.sight.is_seen {
            return LineState::Follow;
        }
        if self.state == LineState::Approach {
            let is_over = self.unseen_s > p.approach;
            return if is_over { LineState::Stop } else { LineState::Approach };
        }
        let lost_s = self.unseen_s - self.grace_s();
        match lost_s {
            s if s <= 0.0 => LineState::Follow,
            s if s > p.give_up => LineState::Stop,
            s if s > p.widen => LineState::Widen,
            _ => LineState::Search,
        }
    }

    /// Sweeps of the widened search: to the last side, then the other, each twice as long as the
    /// one before.
    fn sweep_side(&self) -> Side {
        let widened_s = self.unseen_s - self.grace_s() - self.parameters.widen;
        let (mut end_s, mut length_s, mut side) = (0.4, 0.4, self.last_side);
        while widened_s > end_s && length_s < 64.0 {
            length_s *= 2.0;
            end_s += length_s;
            side = side.other();
        }
        side
    }
}

impl Controller for LineFollower {
    #[inline]
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        self.look(percept);
        let next = self.next_state();
        if next == LineState::Search && self.state == LineState::Follow {
            self.losses += 1;
            self.pd.reset();
        }
        self.state = next;
        let p = &self.parameters;
        let (base, turn) = match next {
            LineState::Approach => (p.base, 0.0),
            LineState::Follow if self.sight.is_seen => {
                let e = self.sight.position;
                let turn = self.pd.update(e, self.dt_s, (p.kp, p.kd, p.smooth));
                let base = p.base * (1.0 - p.slow * math::abs(e));
                let most = if self.sight.is_dark { p.crossing } else { 1.0 };
                (math::clamp(base, 0.0, most), math::clamp(turn, -1.0, 1.0))
            }
            // Straight over a gap; else slowly on as before.
            LineState::Follow if self.was_central() => (p.base, 0.0),
            LineState::Follow => (p.base * (1.0 - p.slow), 0.5 * self.turn),
            LineState::Search => (p.search, self.last_side.sign() * 0.25),
            LineState::Widen => (0.0, self.sweep_side().sign() * p.search),
            LineState::Stop => (0.0, 0.0),
            LineState::Edge => {
                self.edge_s += self.dt_s;
                (-p.crossing, 0.0)
            }
        };
        self.turn = turn;
        self.channels.steer(command, base, turn);
    }

    fn modules(&self) -> &'static [&'static str] {
        &["approach", "follow", "search", "widen", "stop", "edge"]
    }

    fn controlling_module(&self) -> usize {
        self.state as usize
    }

    fn observe(&self, observer: &mut dyn Observer) {
        observer.value("line_seen", None, f64::from(u8::from(self.sight.is_seen)));
        observer.value("line_position", None, f64::from(self.sight.position));
        observer.value("line_losses", None, f64::from(self.losses));
        observer.value("turn", None, f64::from(self.turn));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Probe;

    const STEP: TimeStep = match TimeStep::new(1, 100) {
        Ok(step) => step,
        Err(_) => TimeStep::TWENTIETH,
    };

    fn follower(analogue: f32) -> LineFollower {
        let parameters = LineParameters { analogue, ..LineParameters::default() };
        LineFollower::new(Probe::new().channels(), STEP, parameters)
    }

    #[test]
    fn unit_lf_10_dark_on_both_sides_is_a_crossing_first_and_then_an_edge_and_a_stop() {
        for analogue in [0.0, 1.0] {
            let dark = Probe::new().line(true, true).reflectance(0.1, 0.1);
            let centred = Probe::new().line(true, false).reflectance(0.5, 0.5);
            let mut follower = follower(analogue);
            centred.drive(&mut follower);
            for _ in 0..16 {
                let (left, right) = dark.drive(&mut follower);
                assert!(left > 0.0 && left + right <= 0.6 + 1e-6, "{left} {right}");
            }
            centred.drive(&mut follower);
            assert_eq!(follower.state(), LineState::Follow, "a crossing is passed");
            for _ in 0..30 {
                dark.drive(&mut follower);
            }
            assert_eq!(follower.state(), LineState::Edge);
            assert!(dark.drive(&mut follower).0 < 0.0, "it backs off");
            for _ in 0..60 {
                centred.drive(&mut follower);
            }
            assert_eq!(follower.state(), LineState::Stop);
            assert_eq!(centred.drive(&mut follower), (0.0, 0.0));
        }
    }

    #[test]
    fn unit_lf_01_position_and_seen_are_two_outputs() {
        let p = LineParameters::default();
        let under_left = LineSight::analogue([Some(0.1), Some(0.9)], &p);
        assert_eq!(under_left, LineSight { is_seen: true, position: 1.0, is_dark: false });
        assert!(!LineSight::analogue([Some(0.9), Some(0.9)], &p).is_seen);
        let centred = LineSight::analogue([Some(0.7), Some(0.7)], &p);
        assert_eq!(centred, LineSight { is_seen: true, position: 0.0, is_dark: false });
        let mut f = follower(1.0);
        let (left, right) = Probe::new().reflectance(0.1, 0.9).drive(&mut f);
        assert!(f.state() == LineState::Follow && right > left);
        for _ in 0..20 {
            Probe::new().drive(&mut f);
        }
        assert_eq!((f.state(), f.last_side), (LineState::Search, Side::Left));
    }

    #[test]
    fn unit_lf_06_every_pattern_has_a_bounded_action() {
        for first in 0..4_u32 {
            for second in 0..4_u32 {
                for third in 0..4_u32 {
                    let mut f = follower(0.0);
                    for pattern in [first, second, third] {
                        for _ in 0..30 {
                            let probe = Probe::new().line(pattern & 1 != 0, pattern & 2 != 0);
                            let (left, right) = probe.drive(&mut f);
                            assert!(left.abs() <= 1.6 && right.abs() <= 1.6);
                            assert!(left.is_finite() && right.is_finite());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn unit_a_lost_line_is_searched_widely_after_half_a_second_and_given_up_after_three() {
        for analogue in [0.0, 1.0] {
            let mut f = follower(analogue);
            Probe::new().line(false, true).reflectance(0.9, 0.1).drive(&mut f);
            let mut seen = [0_u32; 5];
            for _ in 0..500 {
                let (left, right) = Probe::new().drive(&mut f);
                seen[f.state() as usize] += 1;
                if f.state() == LineState::Search {
                    assert!(left > right, "it was last seen on the right");
                }
            }
            let near = |n: u32, m: u32| n.abs_diff(m) <= 2;
            assert!(near(seen[1], 10) && near(seen[2], 50) && near(seen[3], 250), "{seen:?}");
            let (left, right) = Probe::new().line(true, true).drive(&mut f);
            assert_eq!((f.state(), left, right), (LineState::Stop, 0.0, 0.0));
            assert_eq!(f.losses(), 1);
        }
    }

    #[test]
    fn unit_lf_10_before_any_line_the_drive_is_limited() {
        let mut f = follower(1.0);
        for _ in 0..2_100 {
            Probe::new().drive(&mut f);
        }
        assert_eq!(f.state(), LineState::Stop);
    }

    #[test]
    fn unit_speed_falls_with_the_error() {
        let speed = |left: f32, right: f32| {
            let (l, r) = Probe::new().reflectance(left, right).drive(&mut follower(1.0));
            0.5 * (l + r)
        };
        assert!(speed(0.1, 0.9) < speed(0.5, 0.9) + 1e-6);
        assert!(speed(0.5, 0.8) < speed(0.7, 0.7));
    }
}

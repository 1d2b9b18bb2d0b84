//! Goal seeking and avoidance blended, and a way out of the corners where that sticks.
//!
//! Terms: a *flip* is a change of sign of the turn command, small commands left out; *progress* is
//! a change of place, or also of heading if that is asked for; *escape* is following the boundary
//! for a while, declared as such.
//!
//! What it does not do: no blend of forces has a cure for its own balance points; the escape is
//! another behaviour.

use tropism_body::{Command, Controller, Observer, Percept};
use tropism_core::{TimeStep, math};

use crate::course::{Channels, Echo, Side};
use crate::plane::{Point, Reckoning};
use crate::trail::{FollowLaw, Follower};
use crate::vehicle::proximity;

tropism_core::parameters! {
    /// Numbers of the blend, its detector and its escape.
    pub struct BlendParameters {
        /// Wheel command with nothing near.
        base: "1", 0.0..=1.0, 0.5, "choice";
        /// Change of a wheel command per unit of proximity.
        avoid: "1", 0.0..=4.0, 1.2, "choice: the team's gains are not known";
        /// Share of the front proximity that is added to that of the nearer side.
        front: "1", 0.0..=4.0, 0.5, "choice";
        /// Time constant of the smoothing of proximities.
        smooth: "s", 0.0..=5.0, 0.7, "choice: a running mean of a dozen pings of 60 ms";
        /// Share of the base speed taken away by an obstacle at no distance.
        brake: "1", 0.0..=4.0, 1.6, "choice: backs off below 19 cm";
        /// Turn command per rad of goal bearing.
        goal: "1/rad", 0.0..=2.0, 0.4, "choice";
        /// Largest turn command for the goal.
        goal_max: "1", 0.0..=1.0, 0.2, "choice";
        /// Factor on the turn command, not on the braking.
        gain: "1", 0.05..=4.0, 1.0, "choice: to show what lower gains do";
        /// Distance at which an obstacle begins to count.
        reach: "m", 0.02..=4.0, 0.5, "perception and navigation lesson: p = max(0, 1 − d/50 cm)";
        /// Distance at which the goal counts as reached.
        arrive: "m", 0.02..=1.0, 0.15, "choice";
        /// Escapes when stuck (0 or 1).
        escapes: "1", 0.0..=1.0, 0.0, "choice";
        /// Time over which progress is judged.
        window: "s", 1.0..=60.0, 6.0, "choice: five flips of 1.2 s";
        /// Flips within that time that make an oscillation.
        flips: "1", 2.0..=8.0, 4.0, "choice";
        /// Way of less than this within that time is no progress.
        progress: "m", 0.01..=5.0, 0.35, "choice: two diameters of the body";
        /// A turn of this much counts as progress too; 0 leaves turns out.
        progress_turn: "rad", 0.0..=100.0, 0.0, "choice; with 0 a turn on the spot is no progress";
        /// Way of the first escape; each further one is half as long again.
        escape: "m", 0.1..=10.0, 0.6, "choice";
        /// Contact while blending that lasts longer than this starts an escape too.
        push: "s", 0.1..=60.0, 1.0, "choice: what no ranger hears is felt";
        /// Mean speed over its longest way below which an escape has taken too long.
        escape_speed: "m/s", 0.01..=1.0, 0.1, "choice: two thirds of the follower's own";
        /// Escapes after which help is called for.
        tries: "1", 1.0..=20.0, 8.0, "choice";
    }
}

/// Samples of the pose kept for the detector.
const SAMPLES: usize = 16;
/// Flip times kept.
const FLIPS: usize = 8;
/// Turn commands smaller than this have no sign.
const DEAD_TURN: f32 = 0.03;

/// Way beyond its own that an escape may go on until the goal is free, m.
const SPARE_M: f32 = 4.0;

/// What the detector found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Finding {
    /// Progress.
    #[default]
    Fine,
    /// No progress, and the turn command changes sign again and again.
    Oscillation,
    /// No progress without oscillation.
    Stall,
}

/// Watches turn commands against progress.
///
/// Model: flips are counted over the last `window`; progress is the distance between the pose now
/// and the one a window ago.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OscillationDetector {
    time_s: f32,
    sign: f32,
    flips_at_s: [f32; FLIPS],
    flips: u32,
    samples: [(Point, f32); SAMPLES],
    taken: u32,
    turned_rad: f32,
    heading_rad: f32,
}

impl OscillationDetector {
    /// Flips so far.
    pub const fn flips(&self) -> u32 {
        self.flips
    }

    /// Forgets everything before.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// One tick.
    pub fn update(
        &mut self,
        turn: f32,
        pose: &Reckoning,
        dt_s: f32,
        p: &BlendParameters,
    ) -> Finding {
        self.time_s += dt_s;
        let sign = if turn > DEAD_TURN { 1.0 } else { -f32::from(i8::from(turn < -DEAD_TURN)) };
        if sign != 0.0 {
            if sign * self.sign < 0.0 {
                self.flips_at_s[self.flips as usize % FLIPS] = self.time_s;
                self.flips += 1;
            }
            self.sign = sign;
        }
        if self.taken > 0 {
            self.turned_rad += math::abs(math::wrap_angle(pose.heading_rad - self.heading_rad));
        }
        self.heading_rad = pose.heading_rad;
        // The ring covers one window in sixteen samples.
        let due = (self.time_s * (SAMPLES as f32 - 1.0) / p.window) as u32;
        if self.taken > due {
            return Finding::Fine;
        }
        let here = (pose.at, self.turned_rad);
        let oldest = self.samples[self.taken as usize % SAMPLES];
        self.samples[self.taken as usize % SAMPLES] = here;
        self.taken += 1;
        if self.taken as usize <= SAMPLES {
            return Finding::Fine;
        }
        let has_moved = here.0.distance(oldest.0) >= p.progress;
        let has_turned = p.progress_turn > 0.0 && here.1 - oldest.1 >= p.progress_turn;
        if has_moved || has_turned {
            return Finding::Fine;
        }
        let is_recent = |at: &&f32| **at > self.time_s - p.window && **at > 0.0;
        let recent = self.flips_at_s.iter().filter(is_recent).count();
        if recent as f32 >= p.flips { Finding::Oscillation } else { Finding::Stall }
    }
}

/// What the blend is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlendState {
    /// Blending.
    #[default]
    Blend,
    /// Following the boundary to get away.
    Escape,
    /// At the goal.
    Arrived,
    /// All escapes used up: stands and calls for help.
    Help,
}

/// Goal seeking and avoidance added up.
///
/// Model: with proximities smoothed, q the proximity of a side, on the nearer side plus `front`
/// times that of the front ranger, and g = clamp(goal·bearing, ±`goal_max`):
/// turn = gain·(avoid·(qR − qL)/2 + g), speed = base·(1 − brake·max p). With `escapes`, an
/// oscillation, a stall or a contact that lasts is answered by following
/// the boundary, first on the right, then on the left, each time farther, until the goal's
/// direction is free.
///
/// # Source
/// Perception and navigation lesson: the rule, and the team whose robot circles in the corner.
#[derive(Clone, Copy, Debug)]
pub struct Blend {
    channels: Channels,
    parameters: BlendParameters,
    dt_s: f32,
    pose: Reckoning,
    detector: OscillationDetector,
    finding: Finding,
    follower: Follower,
    state: BlendState,
    escapes: u32,
    escape_until_m: f32,
    escape_max_m: f32,
    escape_left_s: f32,
    contact_s: f32,
    /// Smoothed proximities left, front, right.
    near: [f32; 3],
    turn: f32,
}

impl Blend {
    /// A blend before its first tick.
    pub fn new(channels: Channels, step: TimeStep, parameters: BlendParameters) -> Self {
        Self {
            channels,
            parameters,
            dt_s: step.seconds(),
            pose: Reckoning::default(),
            detector: OscillationDetector::default(),
            finding: Finding::Fine,
            follower: Follower::default(),
            state: BlendState::Blend,
            escapes: 0,
            escape_until_m: 0.0,
            escape_max_m: 0.0,
            escape_left_s: 0.0,
            contact_s: 0.0,
            near: [0.0; 3],
            turn: 0.0,
        }
    }

    /// What it is doing.
    pub const fn state(&self) -> BlendState {
        self.state
    }

    /// What the detector said last.
    pub const fn finding(&self) -> Finding {
        self.finding
    }

    /// Escapes so far.
    pub const fn escapes(&self) -> u32 {
        self.escapes
    }

    fn blend(&mut self, echoes: [Echo; 3], bearing: f32) -> (f32, f32) {
        let p = &self.parameters;
        for (near, echo) in self.near.iter_mut().zip(echoes) {
            let now = proximity(echo.distance_m(), p.reach);
            *near += self.dt_s / (p.smooth + self.dt_s) * (now - *near);
        }
        let [mut left, front, mut right] = self.near;
        // What is ahead counts on the nearer side.
        let nearer = if right > left { &mut right } else { &mut left };
        *nearer += p.front * front;
        let pull = math::clamp(p.goal * bearing, -p.goal_max, p.goal_max);
        let turn = p.gain * (0.5 * p.avoid * (right - left) + pull);
        let most = self.near.into_iter().fold(0.0, |a, b| if b > a { b } else { a });
        let ahead = p.base * (1.0 - p.brake * most);
        (ahead - turn, ahead + turn)
    }

    fn begin_escape(&mut self, echoes: [Echo; 3], is_bumped: bool) {
        if self.escapes as f32 >= self.parameters.tries {
            self.state = BlendState::Help;
            return;
        }
        let side = if self.escapes.is_multiple_of(2) { Side::Right } else { Side::Left };
        let mut way_m = self.parameters.escape;
        for _ in 0..self.escapes {
            way_m *= 1.5;
        }
        self.escapes += 1;
        self.follower.begin(side, &self.pose, echoes, is_bumped);
        self.escape_until_m = self.pose.travelled_m + way_m;
        self.escape_max_m = self.pose.travelled_m + way_m + SPARE_M;
        self.escape_left_s = (way_m + SPARE_M) / self.parameters.escape_speed;
        self.contact_s = 0.0;
        self.state = BlendState::Escape;
    }

    fn escape(&mut self, echoes: [Echo; 3], bearing: f32, is_bumped: bool) -> (f32, f32) {
        let law = FollowLaw::at(0.17, 0.4);
        let off = -self.follower.side.sign() * bearing;
        let [left, front, right] = echoes;
        let other = if self.follower.side == Side::Right { left } else { right };
        let is_clear = !front.is_within(0.3) && !other.is_within(0.2);
        let is_free = (-0.1..2.6).contains(&off) && is_clear;
        let m = self.pose.travelled_m;
        self.escape_left_s -= self.dt_s;
        let is_over = m > self.escape_max_m || self.escape_left_s < 0.0;
        if (m > self.escape_until_m && is_free) || is_over || self.follower.is_lost() {
            self.detector.reset();
            self.state = BlendState::Blend;
        }
        let (base, turn) = self.follower.step(&law, &self.pose, echoes, is_bumped);
        (base - turn, base + turn)
    }

    fn decide(&mut self, percept: &Percept) -> (f32, f32) {
        if let Some(counts) = self.channels.encoders(percept) {
            self.pose.update(counts);
        }
        let echoes = self.channels.ranges(percept);
        let is_bumped = self.channels.is_bumped(percept);
        let (bearing, range_m) = self.channels.goal(percept).unwrap_or((0.0, f32::INFINITY));
        if range_m < self.parameters.arrive {
            self.state = BlendState::Arrived;
        }
        match self.state {
            BlendState::Blend => {
                let wheels = self.blend(echoes, bearing);
                let turn = 0.5 * (wheels.1 - wheels.0);
                let mut found = self.detector.update(turn, &self.pose, self.dt_s, &self.parameters);
                self.contact_s = if is_bumped { self.contact_s + self.dt_s } else { 0.0 };
                if self.contact_s > self.parameters.push {
                    // Wheels that slip count a way, which is no progress.
                    found = Finding::Stall;
                }
                if found != Finding::Fine {
                    self.finding = found;
                    if self.parameters.escapes >= 0.5 {
                        self.begin_escape(echoes, is_bumped);
                    }
                }
                wheels
            }
            BlendState::Escape => self.escape(echoes, bearing, is_bumped),
            BlendState::Arrived | BlendState::Help => (0.0, 0.0),
        }
    }
}

impl Controller for Blend {
    #[inline]
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        let (left, right) = self.decide(percept);
        self.turn = 0.5 * (right - left);
        self.channels.drive(command, left, right);
    }

    fn modules(&self) -> &'static [&'static str] {
        &["blend", "escape", "arrived", "help"]
    }

    fn controlling_module(&self) -> usize {
        self.state as usize
    }

    fn observe(&self, observer: &mut dyn Observer) {
        observer.value("turn", None, f64::from(self.turn));
        observer.value("turn_flips", None, f64::from(self.detector.flips()));
        observer.value("finding", None, f64::from(self.finding as u8));
        observer.value("escapes", None, f64::from(self.escapes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(p: &BlendParameters, turn: impl Fn(u32) -> f32, spin: f32, speed: f32) -> Finding {
        let mut detector = OscillationDetector::default();
        let mut pose = Reckoning::default();
        let mut worst = Finding::Fine;
        for t in 0..1_500_u32 {
            pose.at.x += speed * 0.01;
            pose.heading_rad = math::wrap_angle(pose.heading_rad + spin * 0.01);
            let found = detector.update(turn(t), &pose, 0.01, p);
            if found != Finding::Fine {
                worst = found;
            }
        }
        worst
    }

    fn flipping(t: u32) -> f32 {
        if (t / 60).is_multiple_of(2) { 0.3 } else { -0.3 }
    }

    #[test]
    fn unit_flips_without_progress_are_an_oscillation_and_with_progress_are_not() {
        let p = BlendParameters::default();
        assert_eq!(run(&p, flipping, 0.0, 0.0), Finding::Oscillation);
        assert_eq!(run(&p, flipping, 0.0, 0.2), Finding::Fine);
        assert_eq!(run(&p, |_| 0.0, 0.0, 0.0), Finding::Stall);
    }

    #[test]
    fn unit_bv_05_a_turn_on_the_spot_is_progress_if_asked_and_endless_spin_is_not() {
        let strict = BlendParameters::default();
        assert_eq!(run(&strict, |_| 0.2, 0.5, 0.0), Finding::Stall);
        let lenient = BlendParameters { progress_turn: 1.0, ..strict };
        assert_eq!(run(&lenient, |_| 0.2, 0.5, 0.0), Finding::Fine);
    }
}

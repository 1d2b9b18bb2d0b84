//! Braitenberg's vehicles: a wiring from stimuli to wheels.
//!
//! Terms: a *stimulus* is a number in 0..1 on the left or on the right; a connection is *crossed*
//! when it runs to the wheel of the other side, *exciting* when its weight is positive and
//! *inhibiting* when it is negative.
//!
//! What it does not do: no memory, no thresholds, no curved responses (vehicles 4 and up).

use tropism_body::{Command, Controller, Observer, Percept};
use tropism_core::{FixedList, math};

use crate::course::{Channels, Side};

tropism_core::parameters! {
    /// Numbers of a vehicle.
    pub struct VehicleParameters {
        /// Wheel command without any stimulus; exciting vehicles use a sixth of it.
        base: "1", 0.0..=1.0, 0.6, "perception and navigation lesson: left = 0.6 − 0.8·pR";
        /// Change of a wheel command per unit of stimulus.
        gain: "1", 0.0..=2.0, 0.8, "perception and navigation lesson: left = 0.6 − 0.8·pR";
        /// Distance at which an obstacle begins to be a stimulus.
        reach: "m", 0.02..=4.0, 0.5, "perception and navigation lesson: p = max(0, 1 − d/50 cm)";
    }
}

/// Proximity of an obstacle: max(0, 1 − d/reach); no echo is 0.
///
/// # Example
/// ```
/// use tropism_reactive::vehicle::proximity;
/// assert_eq!(proximity(0.25, 0.5), 0.5);
/// assert_eq!(proximity(f32::INFINITY, 0.5), 0.0);
/// ```
#[inline]
pub fn proximity(distance_m: f32, reach_m: f32) -> f32 {
    math::unit(1.0 - distance_m / reach_m)
}

/// What excites a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stimulus {
    /// Proximity by the ranger of this side.
    Obstacle(Side),
    /// Proximity by the front ranger.
    #[default]
    Ahead,
    /// Strength of the goal: max(0, cos(bearing ∓ π/4))/(1 + range/1 m).
    Goal(Side),
    /// Darkness of the floor on this side.
    Floor(Side),
}

/// One connection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Connection {
    /// Where it begins.
    pub from: Stimulus,
    /// The wheel it runs to.
    pub to: Side,
    /// Weight in units of the gain.
    pub weight: f32,
}

/// Most connections of a vehicle.
pub const CONNECTIONS_MAX: usize = 8;

/// A wiring.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wiring {
    /// Wheel command without stimulus, in units of `base`.
    pub rest: f32,
    /// The connections.
    pub connections: FixedList<Connection, CONNECTIONS_MAX>,
}

/// Braitenberg's first vehicles.
///
/// # Source
/// Braitenberg (1984), vehicles 1 to 3: 2a flees, 2b attacks, 3a loves, 3b explores; 3c has several
/// senses with a wiring each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One sensor, one motor: the nearer, the slower.
    One,
    /// Own side, exciting: turns away and hurries.
    TwoA,
    /// Crossed, exciting: turns towards and hurries.
    TwoB,
    /// Own side, inhibiting: turns towards and rests.
    ThreeA,
    /// Crossed, inhibiting: turns away and slows down. With the default numbers it is the rule
    /// left = 0.6 − 0.8·pR, right = 0.6 − 0.8·pL.
    ThreeB,
    /// Obstacles as in 3b, the goal crossed and exciting, dark floor on its own side and exciting.
    ThreeC,
}

/// Rest of vehicles whose stimuli excite.
const EXCITED_REST: f32 = 1.0 / 6.0;

impl Kind {
    /// The wiring of a vehicle.
    pub fn wiring(self) -> Wiring {
        let mut wiring = Wiring { rest: 1.0, connections: FixedList::new() };
        let mut pair = |from: fn(Side) -> Stimulus, is_crossed: bool, weight: f32| {
            for side in [Side::Left, Side::Right] {
                let to = if is_crossed { side.other() } else { side };
                let _ = wiring.connections.push(Connection { from: from(side), to, weight });
            }
        };
        match self {
            Self::One => pair(|_| Stimulus::Ahead, false, -1.0),
            Self::TwoA => pair(Stimulus::Obstacle, false, 1.0),
            Self::TwoB => pair(Stimulus::Obstacle, true, 1.0),
            Self::ThreeA => pair(Stimulus::Obstacle, false, -1.0),
            Self::ThreeB => pair(Stimulus::Obstacle, true, -1.0),
            Self::ThreeC => {
                pair(Stimulus::Obstacle, true, -1.0);
                pair(Stimulus::Goal, true, 0.5);
                pair(Stimulus::Floor, false, 0.2);
            }
        }
        if matches!(self, Self::TwoA | Self::TwoB) {
            wiring.rest = EXCITED_REST;
        }
        wiring
    }
}

/// A vehicle.
///
/// Model: each wheel is base·rest + gain·Σ weight·stimulus, clamped to −1..1.
///
/// # Determinism
/// It has no memory: equal percepts give equal commands.
#[derive(Clone, Copy, Debug)]
pub struct Vehicle {
    channels: Channels,
    parameters: VehicleParameters,
    wiring: Wiring,
    wheels: [f32; 2],
}

impl Vehicle {
    /// A vehicle with this wiring.
    pub const fn new(channels: Channels, parameters: VehicleParameters, wiring: Wiring) -> Self {
        Self { channels, parameters, wiring, wheels: [0.0; 2] }
    }

    #[inline]
    fn stimulus(&self, percept: &Percept, of: Stimulus) -> f32 {
        match of {
            Stimulus::Obstacle(side) => self.near(percept, if side == Side::Left { 0 } else { 2 }),
            Stimulus::Ahead => self.near(percept, 1),
            Stimulus::Goal(side) => self.channels.goal(percept).map_or(0.0, |(bearing, range)| {
                let aside = math::cos(bearing - side.sign() * (math::PI / 4.0));
                math::unit(aside) / (1.0 + range)
            }),
            Stimulus::Floor(side) => {
                let bright = self.channels.reflectance(percept)[usize::from(side == Side::Right)];
                bright.map_or(0.0, |b| math::unit(1.0 - b))
            }
        }
    }

    #[inline]
    fn near(&self, percept: &Percept, ranger: usize) -> f32 {
        proximity(self.channels.ranges(percept)[ranger].distance_m(), self.parameters.reach)
    }
}

impl Controller for Vehicle {
    #[inline]
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        let rest = self.wiring.rest * self.parameters.base;
        let mut wheels = [rest; 2];
        for c in self.wiring.connections.iter() {
            let change = self.parameters.gain * c.weight * self.stimulus(percept, c.from);
            wheels[usize::from(c.to == Side::Right)] += change;
        }
        self.wheels = wheels.map(|w| math::clamp(w, -1.0, 1.0));
        self.channels.drive(command, self.wheels[0], self.wheels[1]);
    }

    fn modules(&self) -> &'static [&'static str] {
        &["vehicle"]
    }

    fn controlling_module(&self) -> usize {
        0
    }

    fn observe(&self, observer: &mut dyn Observer) {
        let turn = 0.5 * (self.wheels[1] - self.wheels[0]);
        observer.value("turn", None, f64::from(turn));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::Probe;

    fn wheels(kind: Kind, probe: &Probe) -> (f32, f32) {
        let channels = probe.channels();
        let mut vehicle = Vehicle::new(channels, VehicleParameters::default(), kind.wiring());
        probe.drive(&mut vehicle)
    }

    fn turn(kind: Kind, probe: &Probe) -> f32 {
        let (left, right) = wheels(kind, probe);
        right - left
    }

    #[test]
    fn unit_the_sign_of_the_turn_follows_from_the_wiring() {
        let obstacle_left = Probe::new().ranges(Some(0.2), None, None);
        assert!(turn(Kind::TwoA, &obstacle_left) < 0.0);
        assert!(turn(Kind::TwoB, &obstacle_left) > 0.0);
        assert!(turn(Kind::ThreeA, &obstacle_left) > 0.0);
        assert!(turn(Kind::ThreeB, &obstacle_left) < 0.0);
        assert!(turn(Kind::One, &obstacle_left) == 0.0);
        let ahead = Probe::new().ranges(None, Some(0.1), None);
        let (left, right) = wheels(Kind::One, &ahead);
        assert!(left == right && left < 0.0);
        let goal_right = Probe::new().goal(-0.8, 1.0);
        assert!(turn(Kind::ThreeC, &goal_right) < 0.0);
    }

    #[test]
    fn unit_the_proximity_rule_has_the_exact_numbers_of_the_lesson() {
        for (d_left, d_right) in [(0.5, 0.5), (0.25, 0.1), (0.4, 0.02), (0.05, 3.0)] {
            let probe = Probe::new().ranges(Some(d_left), None, Some(d_right));
            let p = |d: f32| f32::max(0.0, 1.0 - d / 0.5);
            let expected = (0.6 - 0.8 * p(d_right), 0.6 - 0.8 * p(d_left));
            let seen = wheels(Kind::ThreeB, &probe);
            assert!((seen.0 - expected.0).abs() < 1e-6 && (seen.1 - expected.1).abs() < 1e-6);
        }
        assert_eq!(wheels(Kind::ThreeB, &Probe::new()), (0.6, 0.6));
    }

    #[test]
    fn unit_us_13_an_obstacle_on_one_side_moves_that_stimulus_alone() {
        let channels = Probe::new().channels();
        let vehicle = Vehicle::new(channels, VehicleParameters::default(), Kind::ThreeB.wiring());
        let all =
            [Stimulus::Obstacle(Side::Left), Stimulus::Ahead, Stimulus::Obstacle(Side::Right)];
        for near in 0..3 {
            let d = |i: usize| (i == near).then_some(0.1);
            let probe = Probe::new().ranges(d(0), d(1), d(2));
            for (i, stimulus) in all.into_iter().enumerate() {
                let seen = vehicle.stimulus(&probe.percept, stimulus);
                assert_eq!(seen > 0.0, i == near);
            }
        }
    }
}

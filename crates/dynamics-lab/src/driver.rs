//! Minds for the reference robot: a network, or anything else that turns sensing into a command.

use crate::robot::{RAYS, Robot};
use tropism_dynamics::{Observer, Real, Unobserved};
use tropism_dynamics_spec::{Compiled, OwnedNetwork};

/// What the robot senses at a tick.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sensing {
    /// Pose and wheel speeds, exact.
    pub robot: Robot,
    /// Ranges from the rim; `None` without range sensors.
    pub ranges: Option<[f64; RAYS]>,
    /// Battery, 1 is full.
    pub energy: f64,
    /// Place of the ball, if it is seen.
    pub ball: Option<(f64, f64)>,
    /// Place of a target, if it is seen.
    pub target: Option<(f64, f64)>,
}

impl Sensing {
    /// A robot that senses its own state and a full battery.
    pub fn of(robot: Robot) -> Self {
        Self { robot, energy: 1.0, ..Self::default() }
    }

    fn value(&self, sensor: Sensor) -> f64 {
        let (target, ball) = (self.target, self.ball);
        match sensor {
            Sensor::State(index) => self.robot.state[index],
            Sensor::Ray(ray) => self.ranges.map_or(f64::NAN, |r| r[ray]),
            Sensor::Energy => self.energy,
            Sensor::BallX => ball.map_or(f64::NAN, |b| b.0),
            Sensor::BallY => ball.map_or(f64::NAN, |b| b.1),
            Sensor::TargetDistance => target.map_or(f64::NAN, |(x, y)| self.robot.distance(x, y)),
            Sensor::TargetDirection => target.map_or(f64::NAN, |(x, y)| self.robot.direction(x, y)),
            Sensor::None => f64::NAN,
        }
    }
}

/// Turns sensing into a mean wheel speed and half a wheel speed difference.
pub trait Driver {
    /// One control period.
    fn drive(&mut self, sensing: &Sensing) -> (f64, f64);
}

/// A slot no network has; its value is 0.
const UNWIRED: u16 = u16::MAX;

/// Which sensor a reading of the network is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sensor {
    State(usize),
    Ray(usize),
    Energy,
    BallX,
    BallY,
    TargetDistance,
    TargetDirection,
    /// Not on this robot: always missing.
    None,
}

/// A network at the wheel.
#[derive(Clone, Debug)]
pub struct NetworkDriver<R> {
    /// The network, for looking inside.
    pub network: OwnedNetwork<R>,
    /// Mode inputs, all 1 at first.
    pub modes: Vec<R>,
    sensors: Vec<Sensor>,
    readings: Vec<R>,
    v: u16,
    w: u16,
}

/// Why a network cannot drive this robot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotWired(pub &'static str);

impl core::fmt::Display for NotWired {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "no actuator of the network is wired to `{}`", self.0)
    }
}

impl core::error::Error for NotWired {}

impl<R: Real> NetworkDriver<R> {
    /// Wires a network: readings by device name (`x`, `y`, `heading`, `v_left`, `v_right`,
    /// `energy`, `rays[n]`, `ball_x`, `ball_y`, `target_distance`, `target_direction`), actuators
    /// `drive_v` and `drive_w`.
    ///
    /// # Errors
    /// [`NotWired`] when one of the two actuators is missing.
    pub fn new(compiled: &Compiled) -> Result<Self, NotWired> {
        let missing = ["drive_v", "drive_w"].into_iter().find(|n| compiled.actuator(n).is_none());
        match missing {
            Some(name) => Err(NotWired(name)),
            None => Ok(Self::loose(compiled)),
        }
    }

    /// Wires what there is: an actuator that is missing commands 0.
    pub fn loose(compiled: &Compiled) -> Self {
        let wire = |name| compiled.actuator(name).unwrap_or(UNWIRED);
        let sensors: Vec<_> = compiled.names.reading_hardware.iter().map(|h| sensor(h)).collect();
        Self {
            network: compiled.network(),
            modes: vec![R::ONE; compiled.names.modes.len()],
            readings: vec![R::ZERO; sensors.len()],
            sensors,
            v: wire("drive_v"),
            w: wire("drive_w"),
        }
    }

    /// One period with an observer looking in.
    pub fn drive_observed<O: Observer<R>>(
        &mut self,
        sensing: &Sensing,
        observer: &mut O,
    ) -> (f64, f64) {
        self.drive_by_hand(sensing, &[], observer)
    }

    /// One period in which some readings, by index, are given by hand instead of sensed.
    pub fn drive_by_hand<O: Observer<R>>(
        &mut self,
        sensing: &Sensing,
        by_hand: &[(usize, R)],
        observer: &mut O,
    ) -> (f64, f64) {
        for (reading, sensor) in self.readings.iter_mut().zip(&self.sensors) {
            *reading = R::of(sensing.value(*sensor));
        }
        for (index, value) in by_hand {
            if let Some(reading) = self.readings.get_mut(*index) {
                *reading = *value;
            }
        }
        self.network.tick_observed(&self.readings, &self.modes, observer);
        self.command()
    }

    /// The present actuator values.
    pub fn command(&self) -> (f64, f64) {
        (self.network.value(self.v).widen(), self.network.value(self.w).widen())
    }
}

impl<R: Real> Driver for NetworkDriver<R> {
    fn drive(&mut self, sensing: &Sensing) -> (f64, f64) {
        self.drive_observed(sensing, &mut Unobserved)
    }
}

/// This robot has a sensor of this name.
pub fn has_sensor(hardware: &str) -> bool {
    sensor(hardware) != Sensor::None
}

fn sensor(hardware: &str) -> Sensor {
    let ray = hardware.strip_prefix("rays[").and_then(|r| r.strip_suffix(']'));
    if let Some(ray) = ray.and_then(|r| r.parse().ok()).filter(|r| *r < RAYS) {
        return Sensor::Ray(ray);
    }
    let states = ["x", "y", "heading", "v_left", "v_right"];
    match hardware {
        "energy" => Sensor::Energy,
        "ball_x" => Sensor::BallX,
        "ball_y" => Sensor::BallY,
        "target_distance" => Sensor::TargetDistance,
        "target_direction" => Sensor::TargetDirection,
        _ => states.iter().position(|s| *s == hardware).map_or(Sensor::None, Sensor::State),
    }
}

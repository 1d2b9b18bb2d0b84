//! The course robot: its channels by name, and what a controller reads from them.
//!
//! Terms: *no echo* is a ranger that heard nothing; it counts as nothing near, never as 0 m. A
//! ranger without a trusted reading (stale, missing, not a number) is *unknown*.
//!
//! What it does not do: it filters nothing.

use tropism_body::{BodySpec, Command, Percept, Reading};

pub use tropism_body::presets::{course_robot, course_robot_real};

/// Largest range of the rangers, m.
pub const RANGE_MAX_M: f32 = 4.0;
/// Radius of the body, m.
pub const RADIUS_M: f32 = 0.08;
/// Distance between the wheels, m.
pub const BASE_M: f32 = 0.12;
/// Rim speed of a wheel at command 1, m/s.
pub const SPEED_M_S: f32 = 0.4;
/// Encoder counts per metre of rim travel.
pub const COUNTS_PER_M: f32 = 4_000.0;
/// Counts after which an encoder starts again at 0.
pub const ENCODER_MODULUS: u32 = 65_536;

/// Left or right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// To the left, counter-clockwise.
    #[default]
    Left,
    /// To the right, clockwise.
    Right,
}

impl Side {
    /// +1 for left, −1 for right.
    #[inline]
    pub const fn sign(self) -> f32 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    /// The other side.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// No such channel.
const ABSENT: u8 = u8::MAX;

/// Indices of the course robot's channels in a body, found by name once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channels {
    line: [u8; 2],
    reflectance: [u8; 2],
    ultrasonic: [u8; 3],
    encoder: [u8; 2],
    bump: u8,
    goal: [u8; 2],
    turn_rate: u8,
    wheels: [u8; 2],
}

/// A channel the course robot needs that a body does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingChannel(pub &'static str);

impl core::fmt::Display for MissingChannel {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the body has no channel `{}`", self.0)
    }
}

impl core::error::Error for MissingChannel {}

impl Channels {
    /// The channels of a body; sensors that are not there read as missing.
    ///
    /// # Errors
    /// [`MissingChannel`] for a body without `wheel_left` or `wheel_right`.
    pub fn of(body: &BodySpec) -> Result<Self, MissingChannel> {
        let sensor = |name| body.sensor(name).map_or(ABSENT, |i| i as u8);
        let wheel =
            |name: &'static str| body.actuator(name).map(|i| i as u8).ok_or(MissingChannel(name));
        Ok(Self {
            line: ["line_left", "line_right"].map(sensor),
            reflectance: ["reflectance_left", "reflectance_right"].map(sensor),
            ultrasonic: ["ultrasonic_left", "ultrasonic_front", "ultrasonic_right"].map(sensor),
            encoder: ["encoder_left", "encoder_right"].map(sensor),
            bump: sensor("bump"),
            goal: ["goal_bearing", "goal_range"].map(sensor),
            turn_rate: sensor("turn_rate"),
            wheels: [wheel("wheel_left")?, wheel("wheel_right")?],
        })
    }

    /// Writes both wheels.
    #[inline]
    pub const fn drive(&self, command: &mut Command, left: f32, right: f32) {
        command.write(self.wheels[0] as usize, left);
        command.write(self.wheels[1] as usize, right);
    }

    /// Writes a base speed and a turn, positive to the left.
    #[inline]
    pub fn steer(&self, command: &mut Command, base: f32, turn: f32) {
        self.drive(command, base - turn, base + turn);
    }

    /// The rangers as bits of a sensor mask.
    pub fn ranger_mask(&self) -> u16 {
        let bit = |c: &u8| if *c < 16 { 1 << *c } else { 0 };
        self.ultrasonic.iter().map(bit).fold(0, |mask, bit| mask | bit)
    }

    /// Indices of the wheels.
    pub const fn wheels(&self) -> [u8; 2] {
        self.wheels
    }

    /// The digital line sensors, left and right: true over tape.
    #[inline]
    pub fn line(&self, percept: &Percept) -> [Option<bool>; 2] {
        self.line.map(|c| at(percept, c).value().map(|v| v > 0.5))
    }

    /// The analogue line sensors, left and right.
    #[inline]
    pub fn reflectance(&self, percept: &Percept) -> [Option<f32>; 2] {
        self.reflectance.map(|c| at(percept, c).value())
    }

    /// The rangers left, front and right.
    #[inline]
    pub fn ranges(&self, percept: &Percept) -> [Echo; 3] {
        self.ultrasonic.map(|c| Echo::of(at(percept, c)))
    }

    /// Encoder counts.
    #[inline]
    pub fn encoders(&self, percept: &Percept) -> Option<[u32; 2]> {
        let [left, right] = self.encoder.map(|c| at(percept, c).value());
        Some([left? as u32, right? as u32])
    }

    /// True while the body touches something.
    #[inline]
    pub fn is_bumped(&self, percept: &Percept) -> bool {
        at(percept, self.bump).value().is_some_and(|v| v > 0.5)
    }

    /// Bearing (rad, positive to the left) and range (m) of the goal.
    #[inline]
    pub fn goal(&self, percept: &Percept) -> Option<(f32, f32)> {
        let [bearing, range] = self.goal.map(|c| at(percept, c).value());
        Some((bearing?, range?))
    }

    /// Turn rate, rad/s.
    #[inline]
    pub fn turn_rate(&self, percept: &Percept) -> Option<f32> {
        at(percept, self.turn_rate).value()
    }
}

#[inline]
fn at(percept: &Percept, channel: u8) -> Reading {
    percept.reading(usize::from(channel))
}

/// What a ranger says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Echo {
    /// An obstacle at this distance, m.
    At(f32),
    /// Nothing heard: nothing near, as far as the ranger can tell.
    Nothing,
    /// No trusted reading.
    #[default]
    Unknown,
}

impl Echo {
    /// A reading as an echo.
    #[inline]
    pub const fn of(reading: Reading) -> Self {
        match reading {
            Reading::Fresh(d) | Reading::Held { value: d, .. } => Self::At(d),
            Reading::NoEcho => Self::Nothing,
            Reading::Stale { .. } | Reading::Missing | Reading::NotFinite => Self::Unknown,
        }
    }

    /// The distance, infinite when nothing was heard or nothing is known.
    #[inline]
    pub const fn distance_m(self) -> f32 {
        match self {
            Self::At(d) => d,
            Self::Nothing | Self::Unknown => f32::INFINITY,
        }
    }

    /// True for an obstacle nearer than this.
    #[inline]
    pub fn is_within(self, distance_m: f32) -> bool {
        matches!(self, Self::At(d) if d < distance_m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_the_channels_of_the_course_robot_are_found_by_name() {
        let body = course_robot();
        body.check().unwrap();
        course_robot_real().check().unwrap();
        let channels = Channels::of(&body).unwrap();
        let mut percept = Percept::default();
        for i in 0..body.sensors.len() {
            let _ = percept.readings.push(Reading::Fresh(i as f32 * 0.1));
        }
        percept.readings[5] = Reading::NoEcho;
        assert_eq!(channels.ranges(&percept)[1], Echo::Nothing);
        assert_eq!(channels.goal(&percept), Some((1.0, 1.1)));
        assert_eq!(
            Channels::of(&tropism_body::presets::reference_board()),
            Err(MissingChannel("wheel_left"))
        );
    }

    #[test]
    fn unit_us_01_no_echo_is_far_and_never_zero() {
        let echo = Echo::of(Reading::NoEcho);
        assert!(!echo.is_within(0.2));
        assert_eq!(echo.distance_m(), f32::INFINITY);
        assert!(!Echo::of(Reading::Stale { value: 0.05, age_ticks: 99 }).is_within(0.2));
    }
}

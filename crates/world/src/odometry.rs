//! Dead reckoning from wheel encoders.
//!
//! Terms: the *modulus* is the number of counts after which an encoder starts again at 0.
//! Turns are counter-clockwise positive.
//!
//! What it does not do: it corrects no slip beyond one calibrated factor.

use tropism_core::math;

use crate::drive::arc;
use crate::geometry::Vec2;

/// Count that an encoder shows after this way.
///
/// Model: floor(way · counts per metre) mod modulus.
pub fn count(travel_m: f64, counts_per_m: f32, modulus: u32) -> u32 {
    let whole = math::f64::floor(travel_m * f64::from(counts_per_m)) as i64;
    whole.rem_euclid(i64::from(modulus.max(1))) as u32
}

/// Counts from `before` to `now`, the short way round the modulus.
///
/// # Example
/// ```
/// use tropism_world::odometry::difference;
/// assert_eq!(difference(8_999, 0, 9_000), 1);
/// assert_eq!(difference(0, 8_999, 9_000), -1);
/// assert_eq!(difference(65_530, 4, 65_536), 10);
/// ```
pub const fn difference(before: u32, now: u32, modulus: u32) -> i64 {
    let modulus = if modulus == 0 { 1 } else { modulus as i64 };
    let forward = (now as i64 - before as i64).rem_euclid(modulus);
    if forward * 2 > modulus { forward - modulus } else { forward }
}

/// Angle from `from` to `to`, the short way, rad in [−π, π).
#[inline]
pub fn shortest_turn(from_rad: f32, to_rad: f32) -> f32 {
    math::wrap_angle(to_rad - from_rad)
}

/// Why an odometer was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OdometryError {
    /// The wheel base is not a positive number.
    Base,
    /// Counts per metre are not a positive number.
    Counts,
    /// A modulus below 2.
    Modulus,
    /// The turn factor is not a positive number.
    TurnFactor,
}

impl core::fmt::Display for OdometryError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Base => "the wheel base must be above 0 m",
            Self::Counts => "counts per metre must be above 0",
            Self::Modulus => "an encoder's modulus is at least 2",
            Self::TurnFactor => "the turn factor must be above 0",
        })
    }
}

impl core::error::Error for OdometryError {}

/// Geometry and encoders of a differential drive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OdometrySpec {
    /// Distance between the wheels, m.
    pub base_m: f32,
    /// Counts per metre of the left and the right wheel.
    pub counts_per_m: [f32; 2],
    /// Counts after which an encoder starts again at 0.
    pub modulus: u32,
    /// Made turn over rolled turn: 1 for two wheels, less for a skid-steered body. Calibrate by
    /// turning on the spot ten times and dividing the true angle by the one reported with 1.
    pub turn_factor: f32,
}

/// A pose reckoned from encoder counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Odometry {
    spec: OdometrySpec,
    counts: [u32; 2],
    /// Position, m.
    pub at: Vec2,
    /// Heading, rad in [−π, π).
    pub heading_rad: f32,
}

impl Odometry {
    /// At the origin, with the encoders showing `counts`.
    ///
    /// # Errors
    /// [`OdometryError`] names the value that is no positive number.
    pub fn new(spec: OdometrySpec, counts: [u32; 2]) -> Result<Self, OdometryError> {
        let is_positive = |v: f32| v.is_finite() && v > 0.0;
        if !is_positive(spec.base_m) {
            return Err(OdometryError::Base);
        }
        if !spec.counts_per_m.into_iter().all(is_positive) {
            return Err(OdometryError::Counts);
        }
        if spec.modulus < 2 {
            return Err(OdometryError::Modulus);
        }
        if !is_positive(spec.turn_factor) {
            return Err(OdometryError::TurnFactor);
        }
        Ok(Self { spec, counts, at: Vec2::default(), heading_rad: 0.0 })
    }

    /// Takes the encoders' new counts; neither may have gone further than half its modulus.
    pub fn update(&mut self, counts: [u32; 2]) {
        let way = |i: usize| {
            let steps = difference(self.counts[i], counts[i], self.spec.modulus);
            steps as f32 / self.spec.counts_per_m[i]
        };
        let (left, right) = (way(0), way(1));
        self.counts = counts;
        let turn = self.spec.turn_factor * (right - left) / self.spec.base_m;
        let (moved, turn) = arc(0.5 * (left + right), turn, 1.0);
        let (sin, cos) = math::sin_cos(self.heading_rad);
        self.at = self.at + moved.turned(Vec2::new(cos, sin));
        self.heading_rad = math::wrap_angle(self.heading_rad + turn);
    }
}

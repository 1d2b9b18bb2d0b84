//! Points of the plane and dead reckoning from wheel encoders.
//!
//! Terms: the *odometry frame* has its origin and its x axis where the robot stood and looked when
//! the controller was started.
//!
//! What it does not do: it corrects no slip.

use tropism_core::math;

use crate::course::{BASE_M, COUNTS_PER_M, ENCODER_MODULUS};

/// A point or vector, m.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Along x.
    pub x: f32,
    /// Along y.
    pub y: f32,
}

impl Point {
    /// The point (x, y).
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// This far in this direction.
    #[inline]
    pub fn polar(length: f32, angle_rad: f32) -> Self {
        let (sin, cos) = math::sin_cos(angle_rad);
        Self::new(length * cos, length * sin)
    }

    /// The difference to another point.
    #[inline]
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }

    /// The sum with a vector.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }

    /// Inner product.
    #[inline]
    pub fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }

    /// z-part of the outer product; positive when `other` lies to the left.
    #[inline]
    pub fn cross(self, other: Self) -> f32 {
        self.x * other.y - self.y * other.x
    }

    /// Length.
    #[inline]
    pub fn length(self) -> f32 {
        math::sqrt(self.dot(self))
    }

    /// Distance to another point.
    #[inline]
    pub fn distance(self, other: Self) -> f32 {
        self.minus(other).length()
    }

    /// Direction, rad.
    #[inline]
    pub fn angle(self) -> f32 {
        math::atan2(self.y, self.x)
    }
}

/// A pose reckoned from encoder counts.
///
/// Model: with wheel ways l and r since the last call, the body turns by (r − l)/base and moves
/// (l + r)/2 along the mean of the old and the new heading.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reckoning {
    counts: Option<[u32; 2]>,
    /// Position in the odometry frame, m.
    pub at: Point,
    /// Heading in the odometry frame, rad in [−π, π).
    pub heading_rad: f32,
    /// Way of the body's centre, forwards and backwards, m.
    pub travelled_m: f32,
}

impl Reckoning {
    /// Takes the encoders' counts; the first ones are the origin.
    #[inline]
    pub fn update(&mut self, counts: [u32; 2]) {
        let Some(before) = self.counts.replace(counts) else {
            return;
        };
        let way = |i: usize| steps(before[i], counts[i]) as f32 * (1.0 / COUNTS_PER_M);
        let (left, right) = (way(0), way(1));
        let (turn, ahead) = ((right - left) * (1.0 / BASE_M), 0.5 * (left + right));
        self.at = self.at.plus(Point::polar(ahead, self.heading_rad + 0.5 * turn));
        self.heading_rad = math::wrap_angle(self.heading_rad + turn);
        self.travelled_m += math::abs(ahead);
    }

    /// A point given in the body frame, in the odometry frame.
    #[inline]
    pub fn place(&self, length_m: f32, bearing_rad: f32) -> Point {
        self.at.plus(Point::polar(length_m, self.heading_rad + bearing_rad))
    }

    /// Direction of a point in the body frame, rad.
    #[inline]
    pub fn bearing_of(&self, point: Point) -> f32 {
        math::wrap_angle(point.minus(self.at).angle() - self.heading_rad)
    }
}

/// Counts from `before` to `now`, the short way round.
#[inline]
const fn steps(before: u32, now: u32) -> i32 {
    let modulus = ENCODER_MODULUS as i32;
    let forward = (now as i32 - before as i32).rem_euclid(modulus);
    if forward * 2 > modulus { forward - modulus } else { forward }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_a_square_brings_the_reckoned_pose_back() {
        let mut pose = Reckoning::default();
        let mut counts = [65_000_i32, 100];
        let mut drive = |pose: &mut Reckoning, left: i32, right: i32| {
            counts = [counts[0] + left, counts[1] + right];
            pose.update(counts.map(|c| c.rem_euclid(65_536) as u32));
        };
        drive(&mut pose, 0, 0);
        // A quarter turn is base·π/4 = 94.2 mm of each wheel: 377 counts.
        for _ in 0..4 {
            for _ in 0..100 {
                drive(&mut pose, 40, 40);
            }
            for _ in 0..377 {
                drive(&mut pose, -1, 1);
            }
        }
        assert!(pose.at.length() < 0.01 && pose.heading_rad.abs() < 0.01, "{pose:?}");
        assert!((pose.travelled_m - 4.0).abs() < 1e-3);
    }
}

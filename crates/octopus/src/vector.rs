//! Points of the plane in pixels, x to the right and y downwards.

use tropism_core::math::f64 as math;

/// A point or a displacement, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right, px.
    pub x: f64,
    /// Downwards, px.
    pub y: f64,
}

impl Point {
    /// The point with these coordinates.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The unit vector at an angle, radians clockwise from +x as seen on the screen.
    #[inline]
    pub fn unit(angle_rad: f64) -> Self {
        let (y, x) = math::sin_cos(angle_rad);
        Self { x, y }
    }

    /// Scalar product.
    #[inline]
    pub fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// Squared length.
    #[inline]
    pub fn norm_squared(self) -> f64 {
        self.dot(self)
    }

    /// Length.
    #[inline]
    pub fn norm(self) -> f64 {
        math::sqrt(self.norm_squared())
    }

    /// Angle in (−π, π].
    #[inline]
    pub fn angle(self) -> f64 {
        math::atan2(self.y, self.x)
    }

    /// Distance to another point.
    #[inline]
    pub fn distance(self, other: Self) -> f64 {
        (self - other).norm()
    }

    /// The vector turned by the rotation with cosine and sine in `turn`.
    #[inline]
    #[must_use]
    pub fn turned(self, turn: Self) -> Self {
        Self::new(self.x * turn.x - self.y * turn.y, self.x * turn.y + self.y * turn.x)
    }

    /// The vector turned back by the rotation in `turn`.
    #[inline]
    #[must_use]
    pub fn turned_back(self, turn: Self) -> Self {
        self.turned(Self::new(turn.x, -turn.y))
    }

    /// The vector turned by a quarter, in the direction in which angles grow.
    #[inline]
    #[must_use]
    pub fn quarter_turned(self) -> Self {
        Self::new(-self.y, self.x)
    }

    /// True when both coordinates are finite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

impl core::ops::Add for Point {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl core::ops::Sub for Point {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl core::ops::Mul<f64> for Point {
    type Output = Self;
    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self::new(self.x * factor, self.y * factor)
    }
}

/// The closest point to `centre` on the closed segment from `start` to `end`.
///
/// A segment without length is its start.
#[inline]
pub fn closest_on_segment(start: Point, end: Point, centre: Point) -> Point {
    let along = end - start;
    let length_squared = along.norm_squared();
    if length_squared <= 0.0 {
        return start;
    }
    let fraction = (centre - start).dot(along) / length_squared;
    start + along * clip(fraction, 0.0, 1.0)
}

/// Distance from `centre` to the closed segment.
#[inline]
pub fn segment_distance(start: Point, end: Point, centre: Point) -> f64 {
    closest_on_segment(start, end, centre).distance(centre)
}

/// Clips to [lo, hi]; a NaN becomes `lo`.
#[inline]
pub fn clip(x: f64, lo: f64, hi: f64) -> f64 {
    if x >= lo { if x <= hi { x } else { hi } } else { lo }
}

/// Wraps an angle to [−π, π).
#[inline]
pub fn wrap(angle_rad: f64) -> f64 {
    use core::f64::consts::PI;
    if (-PI..PI).contains(&angle_rad) {
        return angle_rad;
    }
    let wrapped = angle_rad - 2.0 * PI * math::floor((angle_rad + PI) / (2.0 * PI));
    if wrapped >= PI { wrapped - 2.0 * PI } else { wrapped }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_the_closest_point_is_on_the_segment_or_its_ends() {
        let (a, b) = (Point::new(0.0, 0.0), Point::new(10.0, 0.0));
        assert_eq!(closest_on_segment(a, b, Point::new(4.0, 3.0)), Point::new(4.0, 0.0));
        assert_eq!(closest_on_segment(a, b, Point::new(-4.0, 3.0)), a);
        assert_eq!(closest_on_segment(a, b, Point::new(14.0, 3.0)), b);
        assert_eq!(closest_on_segment(a, a, Point::new(1.0, 1.0)), a);
    }

    #[test]
    fn unit_wrap_keeps_the_direction_and_the_interval() {
        for n in -3000..3000 {
            let angle = f64::from(n) * 0.0317;
            let wrapped = wrap(angle);
            assert!((-core::f64::consts::PI..core::f64::consts::PI).contains(&wrapped));
            assert!(Point::unit(angle).distance(Point::unit(wrapped)) < 1e-12);
        }
        assert!((wrap(core::f64::consts::PI) + core::f64::consts::PI).abs() < 1e-15);
    }

    #[test]
    fn unit_turning_and_turning_back_cancel() {
        let turn = Point::unit(0.7);
        let v = Point::new(3.0, -2.0);
        assert!(v.turned(turn).turned_back(turn).distance(v) < 1e-15);
        assert!(
            (v.quarter_turned().angle() - wrap(v.angle() + core::f64::consts::FRAC_PI_2)).abs()
                < 1e-15
        );
    }
}

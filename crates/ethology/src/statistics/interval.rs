//! A pair of bounds.

use serde::Serialize;

/// A 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Lower bound, in the unit of the value.
    pub low: f64,
    /// Upper bound, in the unit of the value.
    pub high: f64,
}

impl Interval {
    /// The interval between two bounds, in either order.
    pub const fn between(a: f64, b: f64) -> Self {
        if a <= b { Self { low: a, high: b } } else { Self { low: b, high: a } }
    }

    /// Whether a value lies in it, bounds included.
    pub const fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Distance between the bounds.
    pub const fn width(&self) -> f64 {
        self.high - self.low
    }
}

//! Interval arithmetic: what values an expression can take.
//!
//! What it does not do: it ignores that two occurrences of a name carry the same value, so bounds
//! are safe but not tight; it rounds to nearest, which is enough for design bounds.

use tropism_core::math::f64 as math;
use tropism_dynamics::Real;

/// A closed interval, possibly unbounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

impl Interval {
    /// All numbers.
    pub const WHOLE: Self = Self { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
    /// [0, 1].
    pub const UNIT: Self = Self { lo: 0.0, hi: 1.0 };
    /// [−π, π].
    pub const TURN: Self = Self { lo: -core::f64::consts::PI, hi: core::f64::consts::PI };

    /// From `lo` to `hi`.
    pub const fn new(lo: f64, hi: f64) -> Self {
        Self { lo, hi }
    }

    /// A single value.
    pub const fn point(value: f64) -> Self {
        Self { lo: value, hi: value }
    }

    /// Both ends finite.
    pub fn is_bounded(self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    /// True for a value inside.
    pub fn contains(self, value: f64) -> bool {
        self.lo <= value && value <= self.hi
    }

    /// The smallest interval that holds both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    fn of(values: &[f64]) -> Self {
        if values.iter().any(|v| v.is_nan()) {
            return Self::WHOLE;
        }
        let lo = values.iter().copied().fold(f64::INFINITY, f64::min);
        let hi = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self { lo, hi }
    }

    /// a + b
    #[must_use]
    pub fn plus(self, b: Self) -> Self {
        Self { lo: self.lo + b.lo, hi: self.hi + b.hi }
    }

    /// −a
    #[must_use]
    pub fn negated(self) -> Self {
        Self { lo: -self.hi, hi: -self.lo }
    }

    /// a · b
    #[must_use]
    pub fn times(self, b: Self) -> Self {
        // 0 · ∞ is 0 here: the factor 0 is a value, the infinity only a bound.
        let product = |x: f64, y: f64| if x == 0.0 || y == 0.0 { 0.0 } else { x * y };
        Self::of(&[
            product(self.lo, b.lo),
            product(self.lo, b.hi),
            product(self.hi, b.lo),
            product(self.hi, b.hi),
        ])
    }

    /// a / b; all numbers when b can be 0.
    #[must_use]
    pub fn over(self, b: Self) -> Self {
        if b.contains(0.0) {
            return Self::WHOLE;
        }
        self.times(Self::of(&[1.0 / b.lo, 1.0 / b.hi]))
    }

    /// Applies a rising function to both ends.
    #[must_use]
    pub fn rising(self, f: impl Fn(f64) -> f64) -> Self {
        Self::of(&[f(self.lo), f(self.hi)])
    }

    /// min(a, b)
    #[must_use]
    pub fn least(self, b: Self) -> Self {
        Self { lo: self.lo.min(b.lo), hi: self.hi.min(b.hi) }
    }

    /// max(a, b)
    #[must_use]
    pub fn most(self, b: Self) -> Self {
        Self { lo: self.lo.max(b.lo), hi: self.hi.max(b.hi) }
    }

    /// |a|
    #[must_use]
    pub fn absolute(self) -> Self {
        let hi = self.lo.abs().max(self.hi.abs());
        let lo = if self.contains(0.0) { 0.0 } else { self.lo.abs().min(self.hi.abs()) };
        Self { lo, hi }
    }

    /// Whole power.
    #[must_use]
    pub fn power(self, exponent: u16) -> Self {
        let base = if exponent.is_multiple_of(2) { self.absolute() } else { self };
        base.rising(|x| x.power(exponent))
    }

    /// Sine or cosine: exact for a point, else [−1, 1].
    #[must_use]
    pub fn wave(self, f: fn(f64) -> f64) -> Self {
        if self.lo.to_bits() == self.hi.to_bits() {
            Self::point(f(self.lo))
        } else {
            Self::new(-1.0, 1.0)
        }
    }

    /// Square root of the part that has one.
    #[must_use]
    pub fn root(self) -> Self {
        self.rising(|x| math::sqrt(x.max(0.0)))
    }

    /// Smoothstep; tight when the bounds are in order, [0, 1] otherwise.
    #[must_use]
    pub fn smooth_step(self, lo: Self, hi: Self) -> Self {
        if lo.hi < hi.lo && lo.is_bounded() && hi.is_bounded() {
            let (least, most) =
                (self.lo.smooth_step(lo.hi, hi.hi), self.hi.smooth_step(lo.lo, hi.lo));
            Self::new(least, most)
        } else {
            Self::UNIT
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_products_with_an_unbounded_factor_stay_defined() {
        let zero = Interval::point(0.0);
        assert_eq!(zero.times(Interval::WHOLE), zero);
        assert_eq!(Interval::UNIT.over(Interval::new(-1.0, 1.0)), Interval::WHOLE);
        assert_eq!(Interval::new(-2.0, 1.0).power(2), Interval::new(0.0, 4.0));
    }
}

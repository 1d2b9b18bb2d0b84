//! The number a network computes with: single or double precision.
//!
//! Every transcendental function goes through `tropism_core::math`, so the same table gives the
//! same bits on every target.
//!
//! What it does not do: it is sealed; no other number type can be used.

use core::ops::{Add, Div, Mul, Neg, Sub};
use tropism_core::math;

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

/// `f32` (firmware) or `f64` (reference runs).
pub trait Real:
    sealed::Sealed
    + Copy
    + Default
    + PartialOrd
    + core::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// 2.
    const TWO: Self;
    /// 3.
    const THREE: Self;
    /// π, rounded to this type.
    const PI: Self;
    /// Largest per-step pull the exact integrator takes a logarithm of: just below 1.
    const ALMOST_ONE: Self;

    /// Rounds a double to this type.
    fn of(value: f64) -> Self;
    /// Widens to double precision.
    fn widen(self) -> f64;
    /// True for every value but NaN and the infinities.
    fn finite(self) -> bool;
    /// Absolute value.
    #[must_use]
    fn abs(self) -> Self;
    /// Largest whole number not above.
    #[must_use]
    fn floor(self) -> Self;
    /// Sine of an angle in radians.
    #[must_use]
    fn sin(self) -> Self;
    /// Cosine of an angle in radians.
    #[must_use]
    fn cos(self) -> Self;
    /// e to this power.
    #[must_use]
    fn exp(self) -> Self;
    /// Natural logarithm.
    #[must_use]
    fn ln(self) -> Self;
    /// Square root.
    #[must_use]
    fn sqrt(self) -> Self;
    /// Angle of the vector (x, self).
    #[must_use]
    fn atan2(self, x: Self) -> Self;
    /// Length of the vector (self, y).
    #[must_use]
    fn hypot(self, y: Self) -> Self;
    /// This to the power `y`.
    #[must_use]
    fn pow(self, y: Self) -> Self;

    /// The smaller one; `other` when either is NaN.
    #[inline]
    #[must_use]
    fn least(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// The larger one; `other` when either is NaN.
    #[inline]
    #[must_use]
    fn most(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    /// Clamped to [lo, hi]; a NaN becomes `lo`.
    #[inline]
    #[must_use]
    fn clip(self, lo: Self, hi: Self) -> Self {
        if self >= lo { if self <= hi { self } else { hi } } else { lo }
    }

    /// Clamped to [0, 1]; a NaN becomes 0.
    #[inline]
    #[must_use]
    fn unit(self) -> Self {
        self.clip(Self::ZERO, Self::ONE)
    }

    /// −1, 0 or 1.
    #[inline]
    #[must_use]
    fn sign(self) -> Self {
        if self > Self::ZERO {
            Self::ONE
        } else if self < Self::ZERO {
            -Self::ONE
        } else {
            Self::ZERO
        }
    }

    /// Smoothstep: exactly 0 up to `lo`, exactly 1 from `hi`, u²(3 − 2u) between.
    #[inline]
    #[must_use]
    fn smooth_step(self, lo: Self, hi: Self) -> Self {
        let u = ((self - lo) / (hi - lo)).unit();
        u * u * (Self::THREE - Self::TWO * u)
    }

    /// Logistic function 1/(1 + e^−x); its tails never reach 0 or 1.
    #[inline]
    #[must_use]
    fn sigmoid(self) -> Self {
        Self::ONE / (Self::ONE + (-self).exp())
    }

    /// The angle wrapped to [−π, π).
    #[inline]
    #[must_use]
    fn wrap(self) -> Self {
        if self >= -Self::PI && self < Self::PI {
            return self;
        }
        let turn = Self::TWO * Self::PI;
        let wrapped = self - turn * ((self + Self::PI) / turn).floor();
        if wrapped >= Self::PI { wrapped - turn } else { wrapped }
    }

    /// This to a small whole power, by squaring.
    #[inline]
    #[must_use]
    fn power(self, exponent: u16) -> Self {
        let (mut base, mut left, mut product) = (self, exponent, Self::ONE);
        while left > 0 {
            if left & 1 == 1 {
                product = product * base;
            }
            base = base * base;
            left >>= 1;
        }
        product
    }
}

macro_rules! real {
    ($Type:ty, $($path:ident)::+, $almost:expr) => {
        impl Real for $Type {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const TWO: Self = 2.0;
            const THREE: Self = 3.0;
            const PI: Self = core::f64::consts::PI as $Type;
            const ALMOST_ONE: Self = $almost;

            #[inline]
            fn of(value: f64) -> Self {
                value as Self
            }
            #[inline]
            fn widen(self) -> f64 {
                f64::from(self)
            }
            #[inline]
            fn finite(self) -> bool {
                self.is_finite()
            }
            #[inline]
            fn abs(self) -> Self {
                <$Type>::abs(self)
            }
            #[inline]
            fn floor(self) -> Self {
                $($path)::+::floor(self)
            }
            #[inline]
            fn sin(self) -> Self {
                $($path)::+::sin(self)
            }
            #[inline]
            fn cos(self) -> Self {
                $($path)::+::cos(self)
            }
            #[inline]
            fn exp(self) -> Self {
                $($path)::+::exp(self)
            }
            #[inline]
            fn ln(self) -> Self {
                $($path)::+::ln(self)
            }
            #[inline]
            fn sqrt(self) -> Self {
                $($path)::+::sqrt(self)
            }
            #[inline]
            fn atan2(self, x: Self) -> Self {
                $($path)::+::atan2(self, x)
            }
            #[inline]
            fn hypot(self, y: Self) -> Self {
                $($path)::+::hypot(self, y)
            }
            #[inline]
            fn pow(self, y: Self) -> Self {
                $($path)::+::pow(self, y)
            }
        }
    };
}

real!(f32, math, 1.0 - f32::EPSILON);
real!(f64, math::f64, 1.0 - f64::EPSILON);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_shapes_with_compact_support_reach_their_ends_exactly() {
        assert!(0.1_f64.smooth_step(0.1, 0.3).to_bits() == 0.0_f64.to_bits());
        assert!(0.3_f32.smooth_step(0.1, 0.3).to_bits() == 1.0_f32.to_bits());
        assert!((0.2_f64.smooth_step(0.1, 0.3) - 0.5).abs() < 1e-12);
        // A falling step has its bounds the other way round.
        assert!((0.0_f64.smooth_step(0.3, 0.1) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn unit_wrapping_and_whole_powers_agree_with_the_long_way() {
        for n in -400..400 {
            let angle = f64::from(n) * 0.173;
            let wrapped = angle.wrap();
            assert!((-f64::PI..f64::PI).contains(&wrapped));
            assert!((Real::sin(angle) - Real::sin(wrapped)).abs() < 1e-12);
        }
        assert!((1.5_f64.power(5) - 7.593_75).abs() < 1e-15);
        assert!((f64::NAN).unit().to_bits() == 0.0_f64.to_bits());
    }
}

//! Transcendental functions with the same bits on every target.
//!
//! Everything goes through `libm`: the functions of `std` differ between platforms in the last
//! bits, and a learning creature magnifies a last bit into another life.
//!
//! What it does not do: no fused multiply-add, no platform intrinsics with other rounding.

/// π as `f32`.
pub const PI: f32 = core::f32::consts::PI;

/// Sine of an angle in radians.
#[inline]
pub fn sin(x: f32) -> f32 {
    libm::sinf(x)
}

/// Cosine of an angle in radians.
#[inline]
pub fn cos(x: f32) -> f32 {
    libm::cosf(x)
}

/// Sine and cosine of an angle in radians.
#[inline]
pub fn sin_cos(x: f32) -> (f32, f32) {
    libm::sincosf(x)
}

/// Tangent of an angle in radians.
#[inline]
pub fn tan(x: f32) -> f32 {
    libm::tanf(x)
}

/// Angle of the vector (x, y) in (−π, π], counter-clockwise from +x.
#[inline]
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// e to the power `x`.
#[inline]
pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// Natural logarithm.
#[inline]
pub fn ln(x: f32) -> f32 {
    libm::logf(x)
}

/// Logarithm to base ten.
#[inline]
pub fn log10(x: f32) -> f32 {
    libm::log10f(x)
}

/// `x` to the power `y`.
#[inline]
pub fn pow(x: f32, y: f32) -> f32 {
    libm::powf(x, y)
}

/// Square root, correctly rounded.
#[inline]
pub fn sqrt(x: f32) -> f32 {
    libm::sqrtf(x)
}

/// Length of the vector (x, y).
#[inline]
pub fn hypot(x: f32, y: f32) -> f32 {
    libm::hypotf(x, y)
}

/// Hyperbolic tangent.
#[inline]
pub fn tanh(x: f32) -> f32 {
    libm::tanhf(x)
}

/// Largest whole number not above `x`.
#[inline]
pub fn floor(x: f32) -> f32 {
    libm::floorf(x)
}

/// Absolute value, by clearing the sign bit.
#[inline]
pub fn abs(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0x7fff_ffff)
}

/// Clamps `x` to [lo, hi]; a NaN becomes `lo`, so that a clamped value is always finite.
#[inline]
pub fn clamp(x: f32, lo: f32, hi: f32) -> f32 {
    if x >= lo { if x <= hi { x } else { hi } } else { lo }
}

/// As [`clamp`] for an `x` that is a number; a NaN stays one. Equal to it in every bit, in two
/// instructions where a processor has a minimum and a maximum.
#[inline]
pub fn clamp_number(x: f32, lo: f32, hi: f32) -> f32 {
    let below = if hi < x { hi } else { x };
    if lo > below { lo } else { below }
}

/// The first value if so, else the second: a choice by masks, which compilers keep free of branches
/// and so can make for many lanes at once.
#[inline]
pub fn choose(is_first: bool, first: f32, second: f32) -> f32 {
    let mask = u32::from(is_first).wrapping_neg();
    f32::from_bits((first.to_bits() & mask) | (second.to_bits() & !mask))
}

/// Clamps to [0, 1]; a NaN becomes 0.
#[inline]
pub fn unit(x: f32) -> f32 {
    clamp(x, 0.0, 1.0)
}

/// Wraps an angle to [−π, π) without drift for angles already in range.
///
/// # Example
/// ```
/// use tropism_core::math::{PI, wrap_angle};
/// assert_eq!(wrap_angle(0.5), 0.5);
/// assert!((wrap_angle(3.0 * PI) + PI).abs() < 1e-5 || (wrap_angle(3.0 * PI) - PI).abs() < 1e-5);
/// ```
#[inline]
pub fn wrap_angle(angle_rad: f32) -> f32 {
    if (-PI..PI).contains(&angle_rad) {
        return angle_rad;
    }
    let turn = 2.0 * PI;
    let wrapped = angle_rad - turn * libm::floorf((angle_rad + PI) / turn);
    // One rounding step can leave the value on the excluded end.
    if wrapped >= PI { wrapped - turn } else { wrapped }
}

/// The same functions in double precision, for minds and instruments that need it.
pub mod f64 {
    /// Sine of an angle in radians.
    #[inline]
    pub fn sin(x: f64) -> f64 {
        libm::sin(x)
    }
    /// Cosine of an angle in radians.
    #[inline]
    pub fn cos(x: f64) -> f64 {
        libm::cos(x)
    }
    /// Sine and cosine of an angle in radians.
    #[inline]
    pub fn sin_cos(x: f64) -> (f64, f64) {
        libm::sincos(x)
    }
    /// Tangent of an angle in radians.
    #[inline]
    pub fn tan(x: f64) -> f64 {
        libm::tan(x)
    }
    /// Angle of the vector (x, y) in (−π, π].
    #[inline]
    pub fn atan2(y: f64, x: f64) -> f64 {
        libm::atan2(y, x)
    }
    /// Arc cosine.
    #[inline]
    pub fn acos(x: f64) -> f64 {
        libm::acos(x)
    }
    /// Arc sine.
    #[inline]
    pub fn asin(x: f64) -> f64 {
        libm::asin(x)
    }
    /// e to the power `x`.
    #[inline]
    pub fn exp(x: f64) -> f64 {
        libm::exp(x)
    }
    /// Natural logarithm.
    #[inline]
    pub fn ln(x: f64) -> f64 {
        libm::log(x)
    }
    /// `x` to the power `y`.
    #[inline]
    pub fn pow(x: f64, y: f64) -> f64 {
        libm::pow(x, y)
    }
    /// Square root, correctly rounded.
    #[inline]
    pub fn sqrt(x: f64) -> f64 {
        libm::sqrt(x)
    }
    /// Length of the vector (x, y).
    #[inline]
    pub fn hypot(x: f64, y: f64) -> f64 {
        libm::hypot(x, y)
    }
    /// Hyperbolic tangent.
    #[inline]
    pub fn tanh(x: f64) -> f64 {
        libm::tanh(x)
    }
    /// Largest whole number not above `x`.
    #[inline]
    pub fn floor(x: f64) -> f64 {
        libm::floor(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_clamp_turns_nan_into_the_lower_bound() {
        assert_eq!(clamp(f32::NAN, 0.25, 1.0).to_bits(), 0.25_f32.to_bits());
        assert_eq!(unit(f32::INFINITY).to_bits(), 1.0_f32.to_bits());
        assert_eq!(unit(f32::NEG_INFINITY).to_bits(), 0.0_f32.to_bits());
    }

    #[test]
    fn unit_forms_without_branches_equal_the_plain_ones_in_every_bit() {
        let values = [-0.0, 0.0, 1.0, -1.0, 0.5, 2.0, f32::INFINITY, f32::NEG_INFINITY];
        for x in values {
            for (lo, hi) in [(0.0, 1.0), (-0.0, 0.0), (-1.0, -0.0), (-0.5, 0.5)] {
                assert_eq!(clamp_number(x, lo, hi).to_bits(), clamp(x, lo, hi).to_bits());
            }
            assert_eq!(choose(true, x, f32::NAN).to_bits(), x.to_bits());
            assert_eq!(choose(false, f32::NAN, x).to_bits(), x.to_bits());
        }
    }

    #[test]
    fn unit_wrap_angle_stays_in_the_half_open_interval() {
        for n in -2000..2000 {
            let angle = n as f32 * 0.031_7;
            let wrapped = wrap_angle(angle);
            assert!((-PI..PI).contains(&wrapped), "{angle} became {wrapped}");
            assert!(abs(sin(angle) - sin(wrapped)) < 1e-4);
        }
    }
}

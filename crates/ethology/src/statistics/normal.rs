//! The standard normal distribution.

use tropism_core::math::f64 as math;

/// 97.5 % point of the standard normal distribution.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// Beyond this many standard deviations the distribution function is 0 or 1 in double precision.
const TAIL: f64 = 8.3;

/// Density at z.
fn density(z: f64) -> f64 {
    0.398_942_280_401_432_7 * math::exp(-0.5 * z * z)
}

/// Distribution function Φ(z).
///
/// Model: Φ(z) = ½ + φ(z)·(z + z³/3 + z⁵/(3·5) + …), absolute error below 10⁻¹⁴ for |z| < 6.
///
/// # Source
/// Marsaglia 2004, "Evaluating the normal distribution", section 3.
pub(crate) fn cdf(z: f64) -> f64 {
    if z.is_nan() {
        return f64::NAN;
    }
    if z < -TAIL {
        return 0.0;
    }
    if z > TAIL {
        return 1.0;
    }
    let (mut term, mut sum, mut i) = (z, z, 1.0);
    for _ in 0..300 {
        i += 2.0;
        term *= z * z / i;
        let next = sum + term;
        if next.to_bits() == sum.to_bits() {
            break;
        }
        sum = next;
    }
    (0.5 + sum * density(z)).clamp(0.0, 1.0)
}

/// The z at which Φ(z) = p, by bisection to full precision; ±8.3 beyond the tails.
pub(crate) fn quantile(p: f64) -> f64 {
    let (mut lo, mut hi) = (-TAIL, TAIL);
    for _ in 0..70 {
        let middle = 0.5 * (lo + hi);
        if cdf(middle) < p {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    0.5 * (lo + hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_distribution_function_at_tabulated_points() {
        for (z, p) in [(0.0, 0.5), (1.0, 0.841_344_746_068_543), (-2.0, 0.022_750_131_948_179)] {
            assert!((cdf(z) - p).abs() < 1e-14, "Φ({z}) = {}", cdf(z));
        }
        assert!((cdf(-9.0)).abs() < 1e-15 && (cdf(9.0) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn unit_quantile_inverts_the_distribution_function() {
        assert!((quantile(0.975) - Z_95).abs() < 1e-12);
        for p in [0.001, 0.1, 0.5, 0.9, 0.999] {
            assert!((cdf(quantile(p)) - p).abs() < 1e-13);
        }
    }
}

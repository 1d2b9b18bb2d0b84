//! Quantiles of a sample.

use tropism_core::math::f64 as math;

/// Quantile q ∈ [0, 1] of ascending values; `None` for an empty sample.
///
/// Model: linear interpolation at position q·(n − 1), the seventh definition of the source.
///
/// # Example
/// ```
/// use tropism_ethology::statistics::quantile;
/// assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), Some(3.0));
/// ```
///
/// # Source
/// Hyndman and Fan 1996, "Sample quantiles in statistical packages".
pub fn quantile(ascending: &[f64], q: f64) -> Option<f64> {
    let last = ascending.len().checked_sub(1)?;
    let place = q.clamp(0.0, 1.0) * last as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the place lies in 0..=last"
    )]
    let below = math::floor(place) as usize;
    let above = (below + 1).min(last);
    let share = place - below as f64;
    Some(ascending[below] + share * (ascending[above] - ascending[below]))
}

/// Median of values in any order; `None` for an empty sample.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    quantile(&sorted, 0.5)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn unit_quantiles_of_small_samples() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[3.0], 0.9), Some(3.0));
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
    }

    proptest! {
        #[test]
        fn prop_quantiles_rise_with_q(mut v in prop::collection::vec(-1e6_f64..1e6, 1..40),
                                      a in 0.0_f64..1.0, b in 0.0_f64..1.0) {
            v.sort_by(f64::total_cmp);
            let (lo, hi) = if a < b { (a, b) } else { (b, a) };
            prop_assert!(quantile(&v, lo).unwrap() <= quantile(&v, hi).unwrap() + 1e-9);
        }
    }
}

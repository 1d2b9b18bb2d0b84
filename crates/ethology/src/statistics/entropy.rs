//! Information content of counts.

use tropism_core::math::f64 as math;

/// Shannon entropy H = −Σ pᵢ log₂ pᵢ of counts, in bits; 0 for no counts.
///
/// # Example
/// ```
/// use tropism_ethology::statistics::shannon_bits;
/// assert_eq!(shannon_bits(&[5, 5, 5, 5]), 2.0);
/// ```
///
/// # Source
/// Shannon 1948, "A mathematical theory of communication", section 6.
pub fn shannon_bits(counts: &[u64]) -> f64 {
    let total = counts.iter().sum::<u64>() as f64;
    let bits: f64 = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| *count as f64 / total)
        .map(|p| -p * math::ln(p) / core::f64::consts::LN_2)
        .sum();
    bits.max(0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn unit_entropy_of_known_counts() {
        assert!((shannon_bits(&[1, 1]) - 1.0).abs() < 1e-15);
        assert!((shannon_bits(&[3, 1]) - 0.811_278_124_459_132_8).abs() < 1e-14);
        assert!(shannon_bits(&[7, 0, 0]).abs() < 1e-15 && shannon_bits(&[]).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn prop_entropy_is_largest_for_even_counts(v in prop::collection::vec(0_u64..1000, 1..12)) {
            let bits = shannon_bits(&v);
            prop_assert!(bits >= 0.0 && bits <= (v.len() as f64).log2() + 1e-12);
        }
    }
}

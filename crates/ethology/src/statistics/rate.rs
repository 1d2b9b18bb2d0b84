//! Rates of success.

use serde::Serialize;
use tropism_core::math::f64 as math;

use super::interval::Interval;
use super::normal::Z_95;

/// How often something happened.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// Times it happened.
    pub successes: u64,
    /// Times it could have happened.
    pub trials: u64,
    /// `successes / trials`.
    pub share: f64,
    /// Wilson score 95 % interval of the share.
    pub interval: Interval,
}

/// Rate with its Wilson score interval; `None` without trials or with more successes than trials.
///
/// Model: (p + z²/2n ± z√(p(1 − p)/n + z²/4n²)) / (1 + z²/n) with z = 1.96.
///
/// # Source
/// Wilson 1927, "Probable inference, the law of succession, and statistical inference".
pub fn wilson(successes: u64, trials: u64) -> Option<Rate> {
    if trials == 0 || successes > trials {
        return None;
    }
    let n = trials as f64;
    let p = successes as f64 / n;
    let zz = Z_95 * Z_95;
    let centre = (p + zz / (2.0 * n)) / (1.0 + zz / n);
    let half = Z_95 * math::sqrt(p * (1.0 - p) / n + zz / (4.0 * n * n)) / (1.0 + zz / n);
    // At the ends the bound is exact; rounding would leave a speck.
    let low = if successes == 0 { 0.0 } else { centre - half };
    let high = if successes == trials { 1.0 } else { centre + half };
    Some(Rate { successes, trials, share: p, interval: Interval { low, high } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_wilson_of_a_worked_example() {
        // Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662; 0 of 20 gives 0 to 0.1611.
        let rate = wilson(81, 263).unwrap();
        assert!((rate.interval.low - 0.2553).abs() < 5e-5, "{rate:?}");
        assert!((rate.interval.high - 0.3662).abs() < 5e-5, "{rate:?}");
        let none = wilson(0, 20).unwrap();
        assert!(none.interval.low.abs() < 1e-15 && (none.interval.high - 0.1611).abs() < 5e-5);
        assert_eq!((wilson(0, 0), wilson(3, 2)), (None, None));
    }

    #[test]
    fn prop_wilson_stays_in_the_unit_interval_and_is_symmetric() {
        for n in 1..60 {
            for k in 0..=n {
                let (rate, mirror) = (wilson(k, n).unwrap(), wilson(n - k, n).unwrap());
                let Interval { low, high } = rate.interval;
                assert!(0.0 <= low && low <= rate.share && rate.share <= high && high <= 1.0);
                assert!((low + mirror.interval.high - 1.0).abs() < 1e-12);
            }
        }
    }
}

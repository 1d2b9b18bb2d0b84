//! Bout durations as counts per length.
//!
//! A record of T ticks holds at most √(2T) different lengths, so the counts stay small however long
//! the record is: 1,200 entries for ten hours at 20 Hz.

use alloc::collections::BTreeMap;

use serde::Serialize;
use tropism_core::math::f64 as math;
use tropism_core::{Tick, TimeStep};

/// How many bouts lasted how many ticks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DurationCounts {
    counts: BTreeMap<u64, u64>,
    bouts: u64,
    ticks: u64,
}

/// Durations of the complete bouts of one state.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Durations {
    /// Number of complete bouts.
    pub bouts: u64,
    /// Mean duration, s.
    pub mean_s: f64,
    /// Sample standard deviation, s; `None` for one bout.
    pub sd_s: Option<f64>,
    /// Shortest, s.
    pub min_s: f64,
    /// Lower quartile, s.
    pub lower_quartile_s: f64,
    /// Median, s.
    pub median_s: f64,
    /// Upper quartile, s.
    pub upper_quartile_s: f64,
    /// Quantile 0.95, s.
    pub quantile_95_s: f64,
    /// Longest, s.
    pub max_s: f64,
}

impl DurationCounts {
    pub(super) fn add(&mut self, ticks: u64) {
        *self.counts.entry(ticks).or_default() += 1;
        self.bouts += 1;
        self.ticks += ticks;
    }

    /// Number of bouts.
    pub fn bouts(&self) -> u64 {
        self.bouts
    }

    /// Number of different lengths.
    pub fn lengths(&self) -> usize {
        self.counts.len()
    }

    /// Length of the bout at this place among the ascending lengths.
    fn at(&self, place: u64) -> u64 {
        let mut passed = 0;
        for (ticks, count) in &self.counts {
            passed += count;
            if place < passed {
                return *ticks;
            }
        }
        self.counts.last_key_value().map_or(0, |entry| *entry.0)
    }

    /// Quantile q ∈ [0, 1] of the lengths, in ticks, by linear interpolation; `None` without bouts.
    pub fn quantile(&self, q: f64) -> Option<f64> {
        let last = self.bouts.checked_sub(1)?;
        let place = q.clamp(0.0, 1.0) * last as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the place lies in 0..=last"
        )]
        let below = math::floor(place) as u64;
        let (low, high) = (self.at(below) as f64, self.at((below + 1).min(last)) as f64);
        Some(low + (place - below as f64) * (high - low))
    }

    /// Statistics in seconds; `None` without bouts.
    pub fn durations(&self, step: TimeStep) -> Option<Durations> {
        let tick_s = step.seconds_at(Tick(1));
        let mean = (self.bouts > 0).then(|| self.ticks as f64 / self.bouts as f64)?;
        let squares: f64 = self
            .counts
            .iter()
            .map(|(ticks, count)| (*ticks as f64 - mean, *count as f64))
            .map(|(deviation, count)| deviation * deviation * count)
            .sum();
        let sd = (self.bouts > 1).then(|| math::sqrt(squares / (self.bouts - 1) as f64));
        Some(Durations {
            bouts: self.bouts,
            mean_s: mean * tick_s,
            sd_s: sd.map(|sd| sd * tick_s),
            min_s: self.quantile(0.0)? * tick_s,
            lower_quartile_s: self.quantile(0.25)? * tick_s,
            median_s: self.quantile(0.5)? * tick_s,
            upper_quartile_s: self.quantile(0.75)? * tick_s,
            quantile_95_s: self.quantile(0.95)? * tick_s,
            max_s: self.quantile(1.0)? * tick_s,
        })
    }

    /// Points (t in s, ln of the share of bouts longer than t), from (0, 0) on.
    ///
    /// A straight line means that a bout ends with a constant chance per time; a kink separates
    /// two kinds of bout. The longest bouts have no point: nothing is longer.
    ///
    /// # Source
    /// Fagen and Young 1978 (log-survivor analysis); Sibly, Nott and Fletcher 1990.
    pub fn log_survivorship(&self, step: TimeStep) -> Vec<(f64, f64)> {
        let mut points = Vec::with_capacity(self.counts.len() + 1);
        points.push((0.0, 0.0));
        let mut longer = self.bouts;
        for (ticks, count) in &self.counts {
            longer -= count;
            if longer > 0 {
                let share = longer as f64 / self.bouts as f64;
                points.push((step.seconds_at(Tick(*ticks)), math::ln(share)));
            }
        }
        points
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::statistics::{mean, quantile, sample_sd};

    proptest! {
        #[test]
        fn prop_counts_give_the_statistics_of_the_plain_list(
            mut lengths in prop::collection::vec(1_u64..30, 1..80), q in 0.0_f64..1.0
        ) {
            let mut counts = DurationCounts::default();
            for ticks in &lengths {
                counts.add(*ticks);
            }
            lengths.sort_unstable();
            let plain: Vec<f64> = lengths.iter().map(|ticks| *ticks as f64).collect();
            let expected = quantile(&plain, q).unwrap();
            prop_assert!((counts.quantile(q).unwrap() - expected).abs() < 1e-12);
            let durations = counts.durations(TimeStep::new(1, 1).unwrap()).unwrap();
            prop_assert!((durations.mean_s - mean(&plain).unwrap()).abs() < 1e-9);
            if let Some(sd) = sample_sd(&plain) {
                prop_assert!((durations.sd_s.unwrap() - sd).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn unit_log_survivorship_of_geometric_bouts_is_straight() {
        let mut counts = DurationCounts::default();
        for (ticks, count) in [(1, 8), (2, 4), (3, 2), (4, 1), (5, 1)] {
            (0..count).for_each(|_| counts.add(ticks));
        }
        let points = counts.log_survivorship(TimeStep::TWENTIETH);
        assert_eq!(points.len(), 5);
        for (i, (t, ln_share)) in points.iter().enumerate() {
            assert!((t - 0.05 * i as f64).abs() < 1e-12);
            assert!((ln_share + i as f64 * core::f64::consts::LN_2).abs() < 1e-12, "{points:?}");
        }
    }

    #[test]
    fn unit_no_bouts_give_no_statistics() {
        let none = DurationCounts::default();
        assert_eq!((none.quantile(0.5), none.durations(TimeStep::TWENTIETH)), (None, None));
        assert_eq!(none.log_survivorship(TimeStep::TWENTIETH), [(0.0, 0.0)]);
    }
}

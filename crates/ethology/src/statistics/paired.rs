//! Differences between two conditions run from the same seeds.

use alloc::collections::BTreeMap;

use serde::Serialize;
use tropism_core::math::f64 as math;

use super::bootstrap::{Bootstrap, bca_mean};
use super::interval::Interval;
use super::summary::{doubts, mean, sample_sd};
use crate::warning::Warning;

/// Treatment minus baseline over shared seeds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Paired {
    /// Number of pairs.
    pub n: usize,
    /// Mean difference.
    pub mean: f64,
    /// Standard error of the mean difference; `None` for one pair.
    pub standard_error: Option<f64>,
    /// Bootstrap 95 % interval of the mean difference; `None` for one pair.
    pub interval: Option<Interval>,
    /// Cohen's `d_z`: mean over standard deviation of the differences; `None` when that is 0.
    pub cohen_dz: Option<f64>,
    /// Matched-pairs rank-biserial correlation in [−1, 1]; `None` when every difference is 0.
    pub rank_biserial: Option<f64>,
    /// Share of pairs in which the treatment is above the baseline, ties counting half.
    pub share_above: f64,
    /// Differences by ascending seed.
    pub differences: Vec<(u64, f64)>,
    /// Doubts about these numbers.
    pub warnings: Vec<Warning>,
}

fn by_seed(values: &[(u64, f64)]) -> BTreeMap<u64, (f64, f64)> {
    let mut sums: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    for (seed, value) in values.iter().filter(|(_, value)| value.is_finite()) {
        let entry = sums.entry(*seed).or_default();
        entry.0 += value;
        entry.1 += 1.0;
    }
    sums
}

/// Compares (seed, value) pairs; several values of one seed count as their mean.
///
/// `None` when no seed is shared. Seeds found on one side only are counted in a warning.
///
/// # Source
/// Cohen 1988 (`d_z`, section 2.3.5); Kerby 2014, "The simple difference formula" (rank-biserial).
pub fn compare_paired(
    baseline: &[(u64, f64)],
    treatment: &[(u64, f64)],
    plan: Bootstrap,
) -> Option<Paired> {
    let (base, treat) = (by_seed(baseline), by_seed(treatment));
    let differences: Vec<(u64, f64)> = treat
        .iter()
        .filter_map(|(seed, (sum, count))| {
            let (base_sum, base_count) = base.get(seed)?;
            Some((*seed, sum / count - base_sum / base_count))
        })
        .collect();
    let d: Vec<f64> = differences.iter().map(|pair| pair.1).collect();
    let sd = sample_sd(&d);
    let average = mean(&d)?;
    let mut warnings = doubts(&d);
    let lonely = base.len() + treat.len() - 2 * d.len();
    if lonely > 0 {
        warnings.push(Warning::Unpaired { count: lonely });
    }
    let lost = (baseline.iter().chain(treatment)).filter(|(_, x)| !x.is_finite()).count();
    if lost > 0 {
        warnings.push(Warning::NonFinite { count: lost });
    }
    Some(Paired {
        n: d.len(),
        mean: average,
        standard_error: sd.map(|sd| sd / math::sqrt(d.len() as f64)),
        interval: bca_mean(&d, plan),
        cohen_dz: sd.filter(|sd| *sd > 0.0).map(|sd| average / sd),
        rank_biserial: rank_biserial(&d),
        share_above: share_above(&d),
        differences,
        warnings,
    })
}

fn share_above(differences: &[f64]) -> f64 {
    let score = |d: &f64| {
        if *d > 0.0 { 1.0 } else { f64::from(u8::from(*d >= 0.0)) * 0.5 }
    };
    differences.iter().map(score).sum::<f64>() / differences.len() as f64
}

/// (rank sum of positive − rank sum of negative differences) / total, ranks by absolute size,
/// equal sizes sharing their mean rank, zero differences left out.
fn rank_biserial(differences: &[f64]) -> Option<f64> {
    let mut sizes: Vec<f64> = differences.iter().copied().filter(|d| d.abs() > 0.0).collect();
    sizes.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let (mut signed, mut start) = (0.0, 0);
    for group in sizes.chunk_by(|a, b| a.abs().to_bits() == b.abs().to_bits()) {
        let rank = start as f64 + 0.5 * (group.len() + 1) as f64;
        signed += group.iter().map(|d| d.signum() * rank).sum::<f64>();
        start += group.len();
    }
    let total = (sizes.len() * (sizes.len() + 1)) as f64 / 2.0;
    (total > 0.0).then(|| signed / total)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::BOOTSTRAP;
    use super::*;

    #[test]
    fn unit_pairs_are_matched_by_seed_not_by_place() {
        let paired = compare_paired(
            &[(1, 10.0), (2, 20.0), (3, 30.0), (9, 0.0)],
            &[(3, 33.0), (1, 11.0), (2, 22.0)],
            BOOTSTRAP,
        )
        .unwrap();
        assert_eq!(paired.differences, [(1, 1.0), (2, 2.0), (3, 3.0)]);
        assert_eq!(
            (paired.mean, paired.cohen_dz, paired.rank_biserial),
            (2.0, Some(2.0), Some(1.0))
        );
        assert!((paired.standard_error.unwrap() - 1.0 / 3.0_f64.sqrt()).abs() < 1e-15);
        assert!(paired.warnings.contains(&Warning::Unpaired { count: 1 }));
        assert!((paired.share_above - 1.0).abs() < 1e-15);
    }

    #[test]
    fn unit_rank_biserial_of_a_worked_example() {
        // Absolute ranks: 1→1, 2→2.5, 2→2.5, 5→4; positive 1 + 2.5 + 4, negative 2.5.
        assert_eq!(rank_biserial(&[1.0, -2.0, 2.0, 5.0, 0.0]), Some(0.5));
        assert_eq!(rank_biserial(&[0.0, 0.0]), None);
    }

    #[test]
    fn unit_one_pair_and_no_pair() {
        let one = compare_paired(&[(1, 1.0)], &[(1, 4.0)], BOOTSTRAP).unwrap();
        assert_eq!((one.n, one.mean, one.interval, one.cohen_dz), (1, 3.0, None, None));
        assert_eq!(compare_paired(&[(1, 1.0)], &[(2, 4.0)], BOOTSTRAP), None);
    }

    proptest! {
        #[test]
        fn prop_effects_change_sign_with_the_direction(
            v in prop::collection::vec((-9.0_f64..9.0, -9.0_f64..9.0), 2..30)
        ) {
            let plan = Bootstrap { resamples: 50, ..BOOTSTRAP };
            let a: Vec<(u64, f64)> = (0..).zip(v.iter().map(|p| p.0)).collect();
            let b: Vec<(u64, f64)> = (0..).zip(v.iter().map(|p| p.1)).collect();
            let (there, back) = (compare_paired(&a, &b, plan), compare_paired(&b, &a, plan));
            let (there, back) = (there.unwrap(), back.unwrap());
            prop_assert!((there.mean + back.mean).abs() < 1e-12);
            prop_assert!((there.share_above + back.share_above - 1.0).abs() < 1e-12);
            let r = there.rank_biserial.unwrap_or(0.0);
            prop_assert!((-1.0..=1.0).contains(&r));
            prop_assert!((r + back.rank_biserial.unwrap_or(0.0)).abs() < 1e-12);
        }
    }
}

//! Restricted means when several lives belong to one organism.

use alloc::collections::BTreeMap;

use serde::Serialize;
use tropism_core::Seed;

use super::kaplan_meier::KaplanMeier;
use super::lifespan::Lifespan;
use super::restricted_mean::{RestrictedMean, restricted_mean};
use crate::statistics::{Bootstrap, Interval, percentile_interval, resample, sample_sd};
use crate::warning::{SAMPLE_SIZE_MIN, Warning};

/// A restricted mean whose error respects the organisms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClusterMean {
    /// Number of organisms.
    pub organisms: usize,
    /// Number of lives.
    pub lives: usize,
    /// The horizon τ.
    pub horizon: f64,
    /// Area under S from 0 to τ over all lives, or a difference of two such areas.
    pub mean: f64,
    /// Standard deviation over resampled organisms; `None` for one organism.
    pub standard_error: Option<f64>,
    /// Percentile 95 % interval over resampled organisms; `None` for one organism.
    pub interval: Option<Interval>,
    /// Doubts about these numbers.
    pub warnings: Vec<Warning>,
}

fn clusters(lives: &[Lifespan]) -> Vec<Vec<Lifespan>> {
    let mut groups: BTreeMap<u32, Vec<Lifespan>> = BTreeMap::new();
    for life in lives.iter().filter(|life| life.duration.is_finite() && life.duration >= 0.0) {
        groups.entry(life.organism).or_default().push(*life);
    }
    groups.into_values().collect()
}

fn resampled(clusters: &[Vec<Lifespan>], horizon: f64, indices: &[usize]) -> Option<f64> {
    let lives: Vec<Lifespan> =
        indices.iter().flat_map(|index| clusters[*index].iter().copied()).collect();
    restricted_mean(&KaplanMeier::fit(&lives), horizon).map(|mean| mean.mean)
}

fn conclude(
    point: RestrictedMean,
    counts: (usize, usize),
    ascending: &[f64],
    smallest: usize,
) -> ClusterMean {
    let mut warnings = point.warnings;
    if smallest < SAMPLE_SIZE_MIN {
        warnings.push(Warning::SmallSample { n: smallest });
    }
    let spread = (smallest > 1).then_some(ascending);
    ClusterMean {
        organisms: counts.0,
        lives: counts.1,
        horizon: point.horizon,
        mean: point.mean,
        standard_error: spread.and_then(sample_sd),
        interval: spread.and_then(percentile_interval),
        warnings,
    }
}

/// Restricted mean with an interval from resampling whole organisms; `None` as for
/// [`restricted_mean`].
///
/// Model: each resample draws as many organisms as there are, with replacement, takes all lives of
/// each and computes the restricted mean.
///
/// With four alike lives per organism, of which some are censored, the nominal 95 % interval holds
/// the true value in 0.93 to 0.95 of 500 simulations from 20 organisms on (0.90 at 10), against
/// 0.82 to 0.84 when lives are taken as independent
/// (`cargo run --release -p tropism-ethology --example coverage`).
///
/// # Source
/// Field and Welsh 2007, "Bootstrapping clustered data", section 3 (cluster bootstrap).
pub fn cluster_restricted_mean(
    lives: &[Lifespan],
    horizon: f64,
    plan: Bootstrap,
) -> Option<ClusterMean> {
    let groups = clusters(lives);
    let point = restricted_mean(&KaplanMeier::fit(lives), horizon)?;
    let values = resample(groups.len(), plan, |indices| resampled(&groups, horizon, indices));
    let counts = (groups.len(), groups.iter().map(Vec::len).sum());
    Some(conclude(point, counts, &values, groups.len()))
}

/// Treatment minus baseline of the restricted means, organisms of both resampled independently.
///
/// # Determinism
/// The baseline draws from a seed derived from the plan's seed, so that the two conditions have
/// independent draws.
pub fn cluster_difference(
    baseline: &[Lifespan],
    treatment: &[Lifespan],
    horizon: f64,
    plan: Bootstrap,
) -> Option<ClusterMean> {
    let (base, treat) = (clusters(baseline), clusters(treatment));
    let base_point = restricted_mean(&KaplanMeier::fit(baseline), horizon)?;
    let mut point = restricted_mean(&KaplanMeier::fit(treatment), horizon)?;
    point.mean -= base_point.mean;
    point.warnings.extend(base_point.warnings);
    point.warnings.dedup();
    let purpose = tropism_core::Purpose::named("ethology.baseline");
    let base_plan = Bootstrap { seed: Seed(plan.seed.derive(purpose, 0).0), ..plan };
    let mut base_values = Vec::new();
    resample(base.len(), base_plan, |indices| {
        base_values.push(resampled(&base, horizon, indices)?);
        None
    });
    let mut next = base_values.into_iter();
    let values = resample(treat.len(), plan, |indices| {
        Some(resampled(&treat, horizon, indices)? - next.next()?)
    });
    let counts = (base.len() + treat.len(), baseline.len() + treatment.len());
    Some(conclude(point, counts, &values, base.len().min(treat.len())))
}

#[cfg(test)]
mod tests {
    use super::super::kaplan_meier::tests::freireich_6mp;
    use super::*;

    const PLAN: Bootstrap = Bootstrap { seed: Seed(3), resamples: 2_000 };

    #[test]
    fn unit_one_life_per_organism_gives_the_error_of_independent_lives() {
        let lives = freireich_6mp();
        let simple = restricted_mean(&KaplanMeier::fit(&lives), 35.0).unwrap();
        let cluster = cluster_restricted_mean(&lives, 35.0, PLAN).unwrap();
        assert_eq!((cluster.organisms, cluster.lives), (21, 21));
        assert!((cluster.mean - simple.mean).abs() < 1e-12);
        let ratio = cluster.standard_error.unwrap() / simple.standard_error;
        assert!((0.9..1.15).contains(&ratio), "ratio {ratio}");
    }

    #[test]
    fn unit_copied_lives_do_not_make_the_cluster_error_smaller() {
        let lives = freireich_6mp();
        let copied: Vec<Lifespan> = lives.iter().flat_map(|life| [*life; 4]).collect();
        let once = cluster_restricted_mean(&lives, 35.0, PLAN).unwrap();
        let four = cluster_restricted_mean(&copied, 35.0, PLAN).unwrap();
        let naive = restricted_mean(&KaplanMeier::fit(&copied), 35.0).unwrap();
        let (once, four) = (once.standard_error.unwrap(), four.standard_error.unwrap());
        assert!((once - four).abs() < 0.02 * once, "{once} {four}");
        assert!(naive.standard_error < 0.55 * four, "independent lives would claim half the error");
    }

    /// Five equal lives of each organism, of length 1, 3, 5 or 7.
    fn alike(organisms: u32, trial: u64) -> Vec<Lifespan> {
        let purpose = tropism_core::Purpose::named("test.alike");
        let mut draws = Seed(2).stream(purpose, 0, 0).at(tropism_core::Tick(trial));
        let mut lives = Vec::new();
        for organism in 0..organisms {
            let length = f64::from(1 + 2 * draws.below(4));
            lives.extend([Lifespan::died(organism, length); 5]);
        }
        lives
    }

    #[test]
    fn prop_interval_covers_the_mean_when_lives_are_alike_and_the_naive_one_does_not() {
        let (trials, mut cluster, mut naive) = (150, 0, 0);
        for trial in 0..trials {
            let lives = alike(30, trial);
            let plan = Bootstrap { seed: Seed(trial), resamples: 300 };
            let interval = cluster_restricted_mean(&lives, 8.0, plan).unwrap().interval.unwrap();
            cluster += u32::from(interval.contains(4.0));
            let simple = restricted_mean(&KaplanMeier::fit(&lives), 8.0).unwrap();
            naive += u32::from((simple.mean - 4.0).abs() < 1.96 * simple.standard_error);
        }
        assert!((136..=149).contains(&cluster), "{cluster} of {trials}");
        assert!(naive < 110, "{naive} of {trials}");
    }

    #[test]
    fn unit_one_organism_has_no_interval() {
        let lives = [Lifespan::died(5, 1.0), Lifespan::died(5, 3.0)];
        let one = cluster_restricted_mean(&lives, 4.0, PLAN).unwrap();
        assert_eq!((one.organisms, one.mean), (1, 2.0));
        assert_eq!((one.standard_error, one.interval), (None, None));
        assert_eq!(cluster_restricted_mean(&[], 4.0, PLAN), None);
    }

    #[test]
    fn unit_difference_of_a_condition_with_itself_is_zero_with_both_errors() {
        let lives = freireich_6mp();
        let own = cluster_restricted_mean(&lives, 30.0, PLAN).unwrap();
        let difference = cluster_difference(&lives, &lives, 30.0, PLAN).unwrap();
        assert!(difference.mean.abs() < 1e-12 && difference.interval.unwrap().contains(0.0));
        let ratio = difference.standard_error.unwrap() / own.standard_error.unwrap();
        assert!((1.3..1.55).contains(&ratio), "√2 expected, {ratio}");
    }
}

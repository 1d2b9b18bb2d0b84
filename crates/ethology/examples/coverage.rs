//! How often the 95 % intervals hold the true value, by simulation with fixed seeds.
//!
//! `cargo run --release -p tropism-ethology --example coverage` prints two tables: the interval of
//! the mean over sample sizes, and the restricted mean when lives of one organism are alike, with
//! whole organisms resampled and with lives taken as independent.

use std::io::Write;

use tropism_core::math::f64 as math;
use tropism_core::{Draws, Purpose, Seed, Tick};
use tropism_ethology::statistics::{Bootstrap, bca_mean};
use tropism_ethology::survival::{KaplanMeier, Lifespan, cluster_restricted_mean, restricted_mean};
use tropism_ethology::table::{Cell, Column, Kind, Table};

const TRIALS: u32 = 2_000;
const HORIZON: f64 = 2.0;

fn draws(purpose: &str, trial: u32) -> Draws {
    Seed(1).stream(Purpose::named(purpose), 0, 0).at(Tick(u64::from(trial)))
}

fn exponential(draws: &mut Draws) -> f64 {
    -math::ln(1.0 - f64::from(draws.uniform()))
}

/// Lives that end early (mean 0.2) or reach the cap 1, as those of the organism do.
fn bimodal(draws: &mut Draws) -> f64 {
    if draws.chance(3, 10) { 1.0 } else { 0.4 * f64::from(draws.uniform()) }
}

fn share_of(trials: u32, hit: impl Fn(u32) -> bool) -> f64 {
    (0..trials).filter(|trial| hit(*trial)).count() as f64 / f64::from(trials)
}

fn mean_coverage(n: usize, truth: f64, draw: fn(&mut Draws) -> f64) -> f64 {
    share_of(TRIALS, |trial| {
        let mut draws = draws("coverage.mean", trial);
        let sample: Vec<f64> = (0..n).map(|_| draw(&mut draws)).collect();
        let plan = Bootstrap { seed: Seed(u64::from(trial)), resamples: 2_000 };
        bca_mean(&sample, plan).is_some_and(|interval| interval.contains(truth))
    })
}

/// Four lives of each organism, with a mean that differs between organisms, censored at random.
fn correlated_lives(organisms: u32, trial: u32) -> Vec<Lifespan> {
    let mut draws = draws("coverage.lives", trial);
    let mut lives = Vec::new();
    for organism in 0..organisms {
        let mean = math::exp(f64::from(draws.normal()));
        for _ in 0..4 {
            let (end, limit) = (mean * exponential(&mut draws), 4.0 * f64::from(draws.uniform()));
            lives.push(if end <= limit {
                Lifespan::died(organism, end)
            } else {
                Lifespan::censored(organism, limit)
            });
        }
    }
    lives
}

/// E min(T, τ) of the lives above without censoring, by plain simulation.
fn true_restricted_mean() -> f64 {
    let n = 2_000_000;
    let mut draws = draws("coverage.truth", 0);
    let one = |_| {
        let mean = math::exp(f64::from(draws.normal()));
        (mean * exponential(&mut draws)).min(HORIZON)
    };
    (0..n).map(one).sum::<f64>() / f64::from(n)
}

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let column = |name| Column::new(name, Kind::F64);
    let mut means = Table::new(vec![
        Column::new("n", Kind::U64),
        column("uniform"),
        column("exponential"),
        column("bimodal"),
    ])?;
    for n in [3, 5, 10, 20, 30, 100] {
        let uniform = mean_coverage(n, 0.5, |draws| f64::from(draws.uniform()));
        let skewed = mean_coverage(n, 1.0, exponential);
        let two = mean_coverage(n, 0.3 + 0.7 * 0.2, bimodal);
        means.push(&[n.into(), uniform.into(), skewed.into(), two.into()])?;
    }
    let truth = true_restricted_mean();
    let mut survival = Table::new(vec![
        Column::new("organisms", Kind::U64),
        column("organisms resampled"),
        column("lives as independent"),
    ])?;
    for organisms in [10, 20, 30, 100] {
        let cluster = share_of(500, |trial| {
            let lives = correlated_lives(organisms, trial);
            let plan = Bootstrap { seed: Seed(u64::from(trial)), resamples: 1_000 };
            let mean = cluster_restricted_mean(&lives, HORIZON, plan);
            mean.and_then(|mean| mean.interval).is_some_and(|i| i.contains(truth))
        });
        let naive = share_of(500, |trial| {
            let curve = KaplanMeier::fit(&correlated_lives(organisms, trial));
            restricted_mean(&curve, HORIZON)
                .is_some_and(|mean| (mean.mean - truth).abs() <= 1.96 * mean.standard_error)
        });
        let row: [Cell<'_>; 3] = [organisms.into(), cluster.into(), naive.into()];
        survival.push(&row)?;
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}\n{}", means.to_text(), survival.to_text())?;
    Ok(())
}

//! Results of an experiment: one row per life, one per run, and a summary over organisms.
//!
//! The unit of replication is the organism (a seed), because the lives of one organism depend on
//! each other: every measure is averaged over an organism's lives first. A condition is about the
//! first robot; other robots keep the minds of the scenario and are in the table of lives only.

use tropism_ethology::Warning;
use tropism_ethology::statistics::{
    BOOTSTRAP, Paired, Replicate, Summary, compare_paired, identical_replicates, summarise,
};
use tropism_ethology::survival::{ClusterMean, KaplanMeier, Lifespan, cluster_restricted_mean};
use tropism_scenario::Experiment;

use crate::life::RunRecord;
use crate::metrics::LifeRecord;

pub use crate::tables::{
    MAIN, behaviour_table, difference_table, differences_table, life_table, measure_table,
    restricted_table, run_table, summary_table, survival_table,
};

/// A measure of a life that is summarised.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Column name, with the unit.
    pub name: &'static str,
    /// Heading for people.
    pub heading: &'static str,
    /// Factor from the stored value to the heading's unit.
    pub scale: f64,
    /// Decimals shown.
    pub decimals: usize,
    get: fn(&LifeRecord) -> Option<f64>,
}

impl Measure {
    /// The value of a life, if it has one.
    pub fn of(&self, life: &LifeRecord) -> Option<f64> {
        (self.get)(life)
    }
}

const fn measure(
    name: &'static str,
    heading: &'static str,
    (scale, decimals): (f64, usize),
    get: fn(&LifeRecord) -> Option<f64>,
) -> Measure {
    Measure { name, heading, scale, decimals, get }
}

/// All measures, the lifespan first.
pub const MEASURES: [Measure; 29] = [
    measure("lifespan_h", "life h", (1.0, 2), |l| Some(l.lifespan_h)),
    measure("died", "died %", (100.0, 0), |l| Some(f64::from(u8::from(l.died)))),
    measure("dockings", "dockings", (1.0, 1), |l| Some(l.dockings as f64)),
    measure("docked_share", "docked %", (100.0, 1), |l| Some(l.docked_share)),
    measure("full_h", "full h", (1.0, 2), |l| Some(l.full_h)),
    measure("docked_when_full", "docked when full %", (100.0, 1), |l| l.docked_when_full),
    measure("coverage", "cover %", (100.0, 0), |l| Some(l.coverage)),
    measure("speed_m_s", "speed m/s", (1.0, 3), |l| Some(l.speed_m_s)),
    measure("distance_hungry_m", "hungry m", (1.0, 2), |l| l.distance_hungry_m),
    measure("distance_sated_m", "sated m", (1.0, 2), |l| l.distance_sated_m),
    measure("hungry_minus_sated_m", "hungry-sated m", (1.0, 2), |l| {
        Some(l.distance_hungry_m? - l.distance_sated_m?)
    }),
    measure("behaviour_entropy_bits", "entropy bit", (1.0, 2), |l| l.behaviour_entropy_bits),
    measure("visitation_entropy_bits", "places bit", (1.0, 2), |l| Some(l.visitation_entropy_bits)),
    measure("circling_share", "circling %", (100.0, 1), |l| l.circling_share),
    measure("turning_share", "turning %", (100.0, 1), |l| Some(l.turning_share)),
    measure("safety_push", "safety push", (1.0, 4), |l| l.safety_push),
    measure("speed_after_bump_m_s", "after bump m/s", (1.0, 4), |l| l.speed_after_bump_m_s),
    measure("bumps_ahead", "bumps ahead", (1.0, 0), |l| Some(l.habits.bumps_ahead as f64)),
    measure("before_bump_ahead_m_s", "before bump ahead m/s", (1.0, 4), |l| {
        l.habits.speed_before_m_s
    }),
    measure("after_bump_ahead_m_s", "after bump ahead m/s", (1.0, 4), |l| l.habits.speed_after_m_s),
    measure("back_off_share", "backs off %", (100.0, 1), |l| l.habits.back_off_share),
    measure("safety_share", "unsafe %", (100.0, 2), |l| l.drive_shares.get(2).copied()),
    measure("boredom_share", "bored %", (100.0, 1), |l| l.drive_shares.get(5).copied()),
    measure("safety_gate_on_bump", "safety gate on bump", (1.0, 4), |l| l.habits.safety_gate),
    measure("safety_push_on_bump", "safety push on bump", (1.0, 4), |l| l.habits.safety_push),
    measure("spin_share", "spins %", (100.0, 1), |l| l.habits.spin_share),
    measure("spin_relief_share", "relief by spins %", (100.0, 1), |l| l.habits.spin_relief_share),
    measure("boredom_turn", "boredom turns with", (1.0, 4), |l| l.habits.boredom_turn),
    measure("boredom_ahead", "boredom drives with", (1.0, 4), |l| l.habits.boredom_ahead),
];

/// The lives of the first robot of a run.
fn lives(record: &RunRecord) -> impl Iterator<Item = &LifeRecord> {
    record.robots.iter().take(1).flat_map(|r| &r.lives)
}

/// Mean of a measure over the lives of a run that have it.
pub fn of_organism(record: &RunRecord, measure: &Measure) -> Option<f64> {
    let values: Vec<f64> = lives(record).filter_map(|life| measure.of(life)).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// One condition of an experiment, summarised.
#[derive(Clone, Debug)]
pub struct ConditionSummary {
    /// Its name.
    pub name: String,
    /// Seed and mean of each organism, by measure.
    pub organisms: Vec<Vec<(u64, f64)>>,
    /// Summary over organisms, by measure; `None` where no life has the measure.
    pub summaries: Vec<Option<Summary>>,
    /// Difference to the baseline, by measure.
    pub differences: Vec<Option<Paired>>,
    /// Survivor function over all lives.
    pub survival: KaplanMeier,
    /// Restricted mean lifespan up to the cap, with an error that respects the organisms.
    pub restricted_mean: Option<ClusterMean>,
    /// Mean lifespan over organisms by number of life.
    pub by_life: Vec<Option<Summary>>,
    /// Standard deviation of the lifespan over all lives.
    pub lifespan_sd_h: Option<f64>,
}

impl ConditionSummary {
    /// The summary of a measure by name.
    pub fn summary(&self, measure: &str) -> Option<&Summary> {
        let index = MEASURES.iter().position(|m| m.name == measure)?;
        self.summaries[index].as_ref()
    }
}

/// A whole experiment, summarised.
#[derive(Clone, Debug)]
pub struct Results {
    /// Conditions in the order of the experiment.
    pub conditions: Vec<ConditionSummary>,
    /// Name of the baseline.
    pub baseline: Option<String>,
    /// Doubts.
    pub warnings: Vec<String>,
}

/// Lifespans of a run for survival analysis, in hours.
fn lifespans(records: &[&RunRecord]) -> Vec<Lifespan> {
    let of = |(organism, record): (usize, &&RunRecord)| -> Vec<Lifespan> {
        let organism = organism as u32;
        lives(record)
            .map(|life| {
                if life.died {
                    Lifespan::died(organism, life.lifespan_h)
                } else {
                    Lifespan::censored(organism, life.lifespan_h)
                }
            })
            .collect()
    };
    records.iter().enumerate().flat_map(of).collect()
}

/// Summarises the records of an experiment.
pub fn summarise_all(experiment: &Experiment, records: &[RunRecord]) -> Results {
    let of = |name: &str| -> Vec<&RunRecord> {
        records.iter().filter(|r| r.condition == name).collect()
    };
    let by_measure = |records: &[&RunRecord]| -> Vec<Vec<(u64, f64)>> {
        let values = |m: &Measure| {
            records.iter().filter_map(|r| Some((r.seed, of_organism(r, m)?))).collect()
        };
        MEASURES.iter().map(values).collect()
    };
    let baseline = experiment.baseline.as_deref().map(|name| (name, by_measure(&of(name))));
    let cap_h = experiment.life_cap_s / 3600.0;
    let conditions: Vec<_> = (experiment.conditions.iter())
        .map(|c| {
            let base = baseline.as_ref().filter(|(name, _)| *name != c.name).map(|(_, b)| b);
            condition(&c.name, &of(&c.name), by_measure(&of(&c.name)), (base, cap_h))
        })
        .collect();
    let mut warnings = doubts(&conditions, records);
    warnings.dedup();
    Results { conditions, baseline: experiment.baseline.clone(), warnings }
}

type Baseline<'a> = Option<&'a Vec<Vec<(u64, f64)>>>;

fn condition(
    name: &str,
    records: &[&RunRecord],
    organisms: Vec<Vec<(u64, f64)>>,
    (baseline, cap_h): (Baseline<'_>, f64),
) -> ConditionSummary {
    let bare = |values: &[(u64, f64)]| values.iter().map(|v| v.1).collect::<Vec<_>>();
    let summaries = organisms.iter().map(|v| summarise(&bare(v), BOOTSTRAP)).collect();
    let differences = organisms
        .iter()
        .enumerate()
        .map(|(i, values)| compare_paired(&baseline?[i], values, BOOTSTRAP));
    let lifespans = lifespans(records);
    let durations: Vec<f64> = lifespans.iter().map(|l| l.duration).collect();
    let count = records.iter().flat_map(|r| lives(r)).map(|l| l.life + 1).max().unwrap_or(0);
    let by_life = (0..count).map(|number| {
        let of_life = |record: &&RunRecord| {
            let values: Vec<f64> = lives(record)
                .filter(|life| life.life == number)
                .map(|life| life.lifespan_h)
                .collect();
            tropism_ethology::statistics::mean(&values)
        };
        summarise(&records.iter().filter_map(of_life).collect::<Vec<_>>(), BOOTSTRAP)
    });
    ConditionSummary {
        name: name.to_owned(),
        summaries,
        differences: differences.collect(),
        survival: KaplanMeier::fit(&lifespans),
        restricted_mean: cluster_restricted_mean(&lifespans, cap_h, BOOTSTRAP),
        by_life: by_life.collect(),
        lifespan_sd_h: tropism_ethology::statistics::sample_sd(&durations),
        organisms,
    }
}

fn doubts(conditions: &[ConditionSummary], records: &[RunRecord]) -> Vec<String> {
    let mut warnings = Vec::new();
    let smallest = conditions.iter().filter_map(|c| Some(c.summaries[0].as_ref()?.n)).min();
    if let Some(n) = smallest.filter(|n| *n < 20) {
        warnings.push(Warning::SmallSample { n }.to_string());
    }
    for c in conditions {
        let of = |r: &RunRecord| {
            let fingerprint = u64::from_str_radix(&r.hash, 16).unwrap_or(0);
            Replicate { seed: r.seed, fingerprint }
        };
        let runs: Vec<_> = records.iter().filter(|r| r.condition == c.name).map(of).collect();
        for group in identical_replicates(&runs) {
            let seeds: Vec<_> = group.runs.iter().map(|i| runs[*i].seed.to_string()).collect();
            let seeds = seeds.join(", ");
            warnings.push(format!("{}: seeds {seeds} gave identical runs", c.name));
        }
    }
    warnings
}

//! The page of an experiment: tables and plots in one file without outside parts.

mod behaviour;
mod body;
mod lifespan;
mod needs;
mod past;

use tropism_core::Seed;
use tropism_ethology::plot::{PlotError, Svg};
use tropism_ethology::report::Report;
use tropism_ethology::table::{Table, TableError};
use tropism_scenario::Experiment;

use crate::experiment::Manifest;
use crate::life::{RobotRecord, RunRecord};
use crate::results::Results;
use crate::schema::{self, Couplings};
use crate::twins::TwinRecord;

/// Minutes of motor babbling from which the true couplings are measured.
const BABBLE_MINUTES: u32 = 10;

/// The page.
pub fn page(
    experiment: &Experiment,
    manifest: &Manifest,
    results: &Results,
    records: &[RunRecord],
    twins: &[TwinRecord],
) -> String {
    let mut report = head(experiment, manifest, results);
    report = lifespan::sections(report, results, experiment);
    report = behaviour::comparison(report, experiment, records);
    report = needs::drives(report, experiment, records);
    report = past::section(report, experiment, twins);
    let truth = truth(experiment, records);
    for condition in &experiment.conditions {
        let of = first_robots(records, &condition.name);
        report = report.section(&condition.name).text(&condition.about);
        report = behaviour::one(report, experiment, &of);
        report = needs::perturbations(report, &of);
        report = body::schema(report, &of, truth.as_ref());
    }
    report = report.section("All measures with intervals");
    report = with_table(
        report,
        crate::results::measure_table(results),
        "Means over organisms with 95 % intervals; differences paired by seed, minus the baseline.",
    );
    report.render()
}

fn head(experiment: &Experiment, manifest: &Manifest, results: &Results) -> Report {
    let mut report = Report::new(&experiment.name)
        .text(&experiment.about)
        .code(&manifest.command)
        .text(&format!(
            "Version {} with models {}, experiment {}; {} conditions, {} seeds ({}), {} {} \
             each, a life is cut off at {} h. The unit of replication is the organism: every \
             measure is averaged over an organism's lives first; intervals are 95 % BCa bootstrap \
             intervals of the mean over organisms unless said otherwise. A condition is about the \
             first robot of the scenario.",
            manifest.version,
            manifest.model_version,
            manifest.hash,
            manifest.conditions.len(),
            manifest.seeds.len(),
            span(&manifest.seeds),
            manifest.lives,
            if manifest.lives == 1 { "life" } else { "lives" },
            experiment.life_cap_s / 3600.0,
        ));
    for warning in &results.warnings {
        report = report.text(&format!("Warning: {warning}."));
    }
    report
}

fn span(seeds: &[u64]) -> String {
    match (seeds.first(), seeds.last()) {
        (Some(first), Some(last)) if seeds.len() > 2 => format!("{first} to {last}"),
        _ => seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// The first robot of each run of a condition.
fn first_robots<'a>(records: &'a [RunRecord], condition: &str) -> Vec<&'a RobotRecord> {
    let of = records.iter().filter(|r| r.condition == condition);
    of.filter_map(|r| r.robots.first()).collect()
}

/// The true couplings of the first robot's body, when some mind has learned any.
fn truth(experiment: &Experiment, records: &[RunRecord]) -> Option<Couplings> {
    let has_learned =
        |r: &RunRecord| r.robots.first().is_some_and(|r| !r.learned.values.is_empty());
    let seed = Seed(experiment.seeds.first().copied().unwrap_or(0));
    records
        .iter()
        .any(has_learned)
        .then(|| schema::measured(&experiment.scenario, seed, BABBLE_MINUTES).ok())
        .flatten()
}

fn with_table(report: Report, table: Result<Table, TableError>, caption: &str) -> Report {
    match table {
        Ok(table) if table.rows() == 0 => report,
        Ok(table) => report.table(&table, caption),
        Err(error) => report.text(&format!("{caption} Not shown: {error}.")),
    }
}

fn with_figure(report: Report, figure: Result<Svg, PlotError>, caption: &str) -> Report {
    match figure {
        Ok(figure) => report.figure(&figure, caption),
        Err(PlotError::Empty) => report.text(&format!("{caption} Not drawn: there are no data.")),
        Err(error) => report.text(&format!("{caption} Not drawn: {error}.")),
    }
}

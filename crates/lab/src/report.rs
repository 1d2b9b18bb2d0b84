//! The page of an experiment: tables and plots in one file without outside parts.

use tropism_ethology::plot::{
    self, BudgetBar, ForestRow, Group, LifePoint, LivesSeries, PlotError, SurvivalCurve, Svg,
    TimeAxis,
};
use tropism_ethology::report::Report;
use tropism_ethology::table::{Table, TableError};
use tropism_scenario::Experiment;

use crate::behaviour::{BEHAVIOURS, Chain};
use crate::experiment::Manifest;
use crate::life::RunRecord;
use crate::metrics::Coverage;
use crate::results::{self, MEASURES, Results};
use crate::single;

/// The page.
pub fn page(
    experiment: &Experiment,
    manifest: &Manifest,
    results: &Results,
    records: &[RunRecord],
) -> String {
    let mut report = Report::new(&experiment.name)
        .text(&experiment.about)
        .code(&manifest.command)
        .text(&format!(
            "Version {} with models {}, experiment {}; {} conditions, {} seeds ({}), {} lives each, \
             a life is cut off at {} h. The unit of replication is the organism: every measure is \
             averaged over an organism's lives first; intervals are BCa bootstrap intervals of the \
             mean over organisms.",
            manifest.version,
            manifest.model_version,
            manifest.hash,
            manifest.conditions.len(),
            manifest.seeds.len(),
            span(&manifest.seeds),
            manifest.lives,
            experiment.life_cap_s / 3600.0,
        ));
    for warning in &results.warnings {
        report = report.text(&format!("Warning: {warning}."));
    }
    report = report.section("Lifespan");
    report = with_table(report, results::summary_table(results), "Means over organisms.");
    report = with_table(
        report,
        results::difference_table(results),
        "Lifespan, paired by seed, minus the baseline.",
    );
    for (figure, caption) in lifespan_figures(results) {
        report = with_figure(report, figure, &caption);
    }
    for condition in &experiment.conditions {
        let of: Vec<_> = records.iter().filter(|r| r.condition == condition.name).collect();
        report = report.section(&condition.name).text(&condition.about);
        for (figure, caption) in behaviour_figures(experiment, &of) {
            report = with_figure(report, figure, caption);
        }
    }
    report.render()
}

fn span(seeds: &[u64]) -> String {
    match (seeds.first(), seeds.last()) {
        (Some(first), Some(last)) if seeds.len() > 2 => format!("{first} to {last}"),
        _ => seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
    }
}

fn with_table(report: Report, table: Result<Table, TableError>, caption: &str) -> Report {
    match table {
        Ok(table) => report.table(&table, caption),
        Err(error) => report.text(&format!("{caption} Not shown: {error}.")),
    }
}

fn with_figure(report: Report, figure: Result<Svg, PlotError>, caption: &str) -> Report {
    match figure {
        Ok(figure) => report.figure(&figure, caption),
        Err(error) => report.text(&format!("{caption} Not drawn: {error}.")),
    }
}

fn lifespan_figures(results: &Results) -> Vec<(Result<Svg, PlotError>, String)> {
    let curves: Vec<_> = (results.conditions.iter())
        .map(|c| SurvivalCurve { name: &c.name, curve: &c.survival })
        .collect();
    let values: Vec<Vec<f64>> =
        (results.conditions.iter()).map(|c| c.organisms[0].iter().map(|v| v.1).collect()).collect();
    let groups: Vec<_> = (results.conditions.iter().zip(&values))
        .map(|(c, values)| Group { name: &c.name, values })
        .collect();
    let points: Vec<Vec<LifePoint>> = (results.conditions.iter())
        .map(|c| {
            let of = |(life, s): (usize, &Option<tropism_ethology::statistics::Summary>)| {
                let s = s.as_ref()?;
                Some(LifePoint { life: life as u32 + 1, mean: s.mean, interval: s.interval })
            };
            c.by_life.iter().enumerate().filter_map(of).collect()
        })
        .collect();
    let series: Vec<_> = (results.conditions.iter().zip(&points))
        .map(|(c, points)| LivesSeries { name: &c.name, points })
        .collect();
    let axis = TimeAxis { label: "life (h)", scale: 1.0 };
    vec![
        (
            plot::kaplan_meier(&curves, axis),
            "Kaplan-Meier survivor functions over all lives; lives that reached the cap are \
             censored there."
                .to_owned(),
        ),
        (
            plot::distribution(&groups, "mean life (h)"),
            "Mean lifespan of each organism.".to_owned(),
        ),
        (plot::lives(&series, "life (h)"), "Mean lifespan by number of life.".to_owned()),
        (
            forest(results, 0, "difference in life (h)"),
            "Paired differences in lifespan.".to_owned(),
        ),
    ]
}

fn forest(results: &Results, measure: usize, label: &str) -> Result<Svg, PlotError> {
    let scale = MEASURES[measure].scale;
    debug_assert!((scale - 1.0).abs() < f64::EPSILON);
    let rows: Vec<_> = (results.conditions.iter())
        .filter_map(|c| {
            let d = c.differences[measure].as_ref()?;
            Some(ForestRow { name: &c.name, mean: d.mean, interval: d.interval })
        })
        .collect();
    plot::forest(&rows, label, Some(0.0))
}

fn behaviour_figures(
    experiment: &Experiment,
    records: &[&RunRecord],
) -> Vec<(Result<Svg, PlotError>, &'static str)> {
    let robots = || records.iter().flat_map(|r| &r.robots);
    let mut behaviour = Chain::default();
    let mut coverage: Option<Coverage> = None;
    for robot in robots() {
        robot.lives.iter().for_each(|life| behaviour.add(&life.behaviour));
        let sum = coverage.get_or_insert_with(|| Coverage {
            ticks: vec![0; robot.coverage.ticks.len()],
            ..robot.coverage.clone()
        });
        for (sum, ticks) in sum.ticks.iter_mut().zip(&robot.coverage.ticks) {
            *sum = sum.saturating_add(*ticks);
        }
    }
    let total = behaviour.ticks.iter().sum::<u64>().max(1) as f64;
    let shares: Vec<f64> = behaviour.ticks.iter().map(|t| *t as f64 / total).collect();
    let bar = [BudgetBar { name: "observed", shares: &shares }];
    let mut figures = vec![(plot::time_budget(&BEHAVIOURS, &bar), "Time budget over all lives.")];
    if let Some(coverage) = &coverage {
        let room = &experiment.scenario.world.room;
        figures.push((single::heat(room, coverage), "Time per cell over all lives."));
    }
    figures.push((plot::transition_matrix(&behaviour.transitions()), "Transitions."));
    figures
}

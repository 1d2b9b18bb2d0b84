//! Drives over the lives, and needs around perturbations.

use tropism_core::math::f64 as math;
use tropism_ethology::plot::{self, Matrix};
use tropism_ethology::report::Report;
use tropism_ethology::statistics::{BOOTSTRAP, Summary, summarise};
use tropism_ethology::table::{Column, Kind, Table, TableError};
use tropism_organism::NEEDS;
use tropism_scenario::Experiment;

use super::{first_robots, with_figure, with_table};
use crate::life::{RobotRecord, RunRecord};
use crate::perturbation::{FLOOR, Perturbation, WINDOW_S, need_names};

fn text(s: Option<&Summary>, scale: f64, decimals: usize) -> String {
    let Some(s) = s else { return "–".to_owned() };
    let mean = format!("{:.decimals$}", s.mean * scale);
    s.interval.map_or(mean.clone(), |i| {
        format!("{mean} ({:.decimals$}..{:.decimals$})", i.low * scale, i.high * scale)
    })
}

/// Share of the time each drive was above 0, for all conditions with drives.
pub(super) fn drives(mut report: Report, experiment: &Experiment, records: &[RunRecord]) -> Report {
    let names = need_names();
    let mut rows: Vec<(&str, Vec<Option<Summary>>)> = Vec::new();
    for condition in &experiment.conditions {
        let robots = first_robots(records, &condition.name);
        let of = |need: usize| {
            let one = |r: &&RobotRecord| {
                let lives: Vec<f64> =
                    r.lives.iter().filter_map(|l| l.drive_shares.get(need).copied()).collect();
                tropism_ethology::statistics::mean(&lives)
            };
            summarise(&robots.iter().filter_map(one).collect::<Vec<_>>(), BOOTSTRAP)
        };
        let row: Vec<_> = (0..NEEDS).map(of).collect();
        if row.iter().any(Option::is_some) {
            rows.push((&condition.name, row));
        }
    }
    if rows.is_empty() {
        return report;
    }
    report = report.section("Drives").text(
        "Occupancy of a drive: the share of the time in which the need was far enough from its \
         set point for the drive to be above 0.",
    );
    let values: Vec<f64> = (rows.iter().flat_map(|(_, row)| row))
        .map(|s| s.as_ref().map_or(f64::NAN, |s| 100.0 * s.mean))
        .collect();
    let conditions: Vec<&str> = rows.iter().map(|r| r.0).collect();
    let figure = plot::matrix(&Matrix {
        rows: &conditions,
        columns: &names,
        values: &values,
        marks: &[],
        row_label: "condition",
        column_label: "share of time with the drive above 0 (%)",
        limit: Some(100.0),
        decimals: 0,
    });
    report = with_figure(report, figure, "Drive occupancy, means over organisms, %.");
    let table = || -> Result<Table, TableError> {
        let heads = core::iter::once("condition").chain(names);
        let mut table = Table::new(heads.map(|n| Column::new(n, Kind::Text)).collect())?;
        for (name, row) in &rows {
            let cells: Vec<String> = row.iter().map(|s| text(s.as_ref(), 100.0, 1)).collect();
            let cells = core::iter::once(*name).chain(cells.iter().map(String::as_str));
            table.push(&cells.map(Into::into).collect::<Vec<_>>())?;
        }
        Ok(table)
    };
    with_table(report, table(), "Drive occupancy in %, with 95 % intervals over organisms.")
}

/// Mean over an organism's events of ln(variance after / variance before).
fn log_ratio(robot: &RobotRecord, event: &str, need: usize) -> Option<f64> {
    let ratio =
        |p: &Perturbation| math::ln(p.after[need].max(FLOOR)) - math::ln(p.before[need].max(FLOOR));
    let of: Vec<f64> = robot.perturbations.iter().filter(|p| p.event == event).map(ratio).collect();
    tropism_ethology::statistics::mean(&of)
}

/// Variance of each need after over before each kind of event.
pub(super) fn perturbations(report: Report, robots: &[&RobotRecord]) -> Report {
    let mut events: Vec<&str> = Vec::new();
    for p in robots.iter().flat_map(|r| &r.perturbations) {
        if !events.contains(&p.event.as_str()) {
            events.push(&p.event);
        }
    }
    if events.is_empty() {
        return report;
    }
    events.sort_unstable();
    let names = need_names();
    let summary = |event: &str, need: usize| {
        let of = |r: &&RobotRecord| log_ratio(r, event, need);
        summarise(&robots.iter().filter_map(of).collect::<Vec<_>>(), BOOTSTRAP)
    };
    let cells: Vec<Vec<Option<Summary>>> = (events.iter())
        .map(|event| (0..NEEDS).map(|need| summary(event, need)).collect())
        .collect();
    let flat = || cells.iter().flatten();
    let values: Vec<f64> = flat().map(|s| s.as_ref().map_or(f64::NAN, |s| s.mean)).collect();
    let is_clear = |s: &Option<Summary>| {
        s.as_ref().and_then(|s| s.interval).is_some_and(|i| i.low > 0.0 || i.high < 0.0)
    };
    let marks: Vec<bool> = flat().map(is_clear).collect();
    let figure = plot::matrix(&Matrix {
        rows: &events,
        columns: &names,
        values: &values,
        marks: &marks,
        row_label: "event",
        column_label: "ln(variance after / before)",
        limit: None,
        decimals: 2,
    });
    let caption = format!(
        "Variance of each need in the {WINDOW_S} s after an event over that in the {WINDOW_S} s \
         before: mean natural logarithm of the ratio over organisms; variances below {FLOOR:e} \
         count as that. A frame marks intervals without 0.",
    );
    let report = with_figure(report, figure, &caption);
    let table = || -> Result<Table, TableError> {
        let heads = ["event", "events", "organisms", "lived on h"].into_iter().chain(names);
        let mut table = Table::new(heads.map(|n| Column::new(n, Kind::Text)).collect())?;
        for (event, row) in events.iter().zip(&cells) {
            let all = || robots.iter().flat_map(|r| &r.perturbations).filter(|p| p.event == *event);
            let hours: Vec<f64> = all().map(|p| p.survived_h).collect();
            let mean = tropism_ethology::statistics::mean(&hours).unwrap_or(0.0);
            let n = row.iter().flatten().map(|s| s.n).max().unwrap_or(0);
            let mut line = vec![
                (*event).to_owned(),
                hours.len().to_string(),
                n.to_string(),
                format!("{mean:.2}"),
            ];
            line.extend(row.iter().map(|s| text(s.as_ref(), 1.0, 2)));
            table.push(&line.iter().map(|c| c.as_str().into()).collect::<Vec<_>>())?;
        }
        Ok(table)
    };
    with_table(report, table(), "The same with 95 % intervals over organisms.")
}

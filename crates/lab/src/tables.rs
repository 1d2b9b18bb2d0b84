//! The tables of an experiment: for files, for the page and for a terminal.

use tropism_ethology::table::{Cell, Column, Kind, Table, TableError};

use crate::life::RunRecord;
use crate::results::{ConditionSummary, MEASURES, Results, of_organism};

/// Measures whose paired differences are reported.
pub const MAIN: [&str; 4] =
    ["lifespan_h", "docked_when_full", "hungry_minus_sated_m", "circling_share"];

/// One row per life, of every robot.
///
/// # Errors
/// [`TableError`] only when the columns were declared wrongly.
pub fn life_table(records: &[RunRecord]) -> Result<Table, TableError> {
    let mut columns = vec![Column::new("condition", Kind::Text)];
    let counts = ["seed", "robot", "life", "ticks", "bumps", "contingencies", "places"];
    columns.extend(counts.map(|name| Column::new(name, Kind::U64)));
    columns.extend(MEASURES.iter().map(|m| Column::new(m.name, Kind::F64)));
    let mut table = Table::new(columns)?;
    for record in records {
        for robot in &record.robots {
            for life in &robot.lives {
                let mut row: Vec<Cell<'_>> = vec![
                    record.condition.as_str().into(),
                    record.seed.into(),
                    robot.robot.into(),
                    life.life.into(),
                    life.ticks.into(),
                    life.bumps.into(),
                    life.contingencies.into(),
                    life.places.into(),
                ];
                row.extend(MEASURES.iter().map(|m| Cell::from(m.of(life))));
                table.push(&row)?;
            }
        }
    }
    Ok(table)
}

/// One row per run: means over the lives of the first robot.
///
/// # Errors
/// [`TableError`] only when the columns were declared wrongly.
pub fn run_table(records: &[RunRecord]) -> Result<Table, TableError> {
    let mut columns = vec![
        Column::new("condition", Kind::Text),
        Column::new("seed", Kind::U64),
        Column::new("ticks", Kind::U64),
        Column::new("hash", Kind::Text),
    ];
    columns.extend(MEASURES.iter().map(|m| Column::new(m.name, Kind::F64)));
    let mut table = Table::new(columns)?;
    for record in records {
        let mut row: Vec<Cell<'_>> = vec![
            record.condition.as_str().into(),
            record.seed.into(),
            record.ticks.into(),
            record.hash.as_str().into(),
        ];
        row.extend(MEASURES.iter().map(|m| Cell::from(of_organism(record, m))));
        table.push(&row)?;
    }
    Ok(table)
}

fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |v| format!("{v:.decimals$}"))
}

type Row = Vec<String>;

fn shown(condition: &ConditionSummary, measure: &str) -> String {
    let Some(index) = MEASURES.iter().position(|m| m.name == measure) else {
        return "–".to_owned();
    };
    let scale = MEASURES[index].scale;
    let mean = condition.summaries[index].as_ref().map(|s| s.mean * scale);
    number(mean, MEASURES[index].decimals)
}

/// A table whose first column is a name and whose others are right-aligned numbers as text.
pub(crate) fn of_rows(headings: &[&str], rows: &[Row]) -> Result<Table, TableError> {
    let width = |i: usize| {
        let cells = rows.iter().map(|r| r[i].chars().count());
        cells.chain([headings[i].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..headings.len()).map(width).collect();
    let column = |(i, name): (usize, &&str)| {
        let width = if i == 0 { 0 } else { widths[i] };
        Column::new(&format!("{name:>width$}"), Kind::Text)
    };
    let mut table = Table::new(headings.iter().enumerate().map(column).collect())?;
    for row in rows {
        let aligned: Vec<String> = (row.iter().zip(&widths).enumerate())
            .map(|(i, (cell, width))| if i == 0 { cell.clone() } else { format!("{cell:>width$}") })
            .collect();
        table.push(&aligned.iter().map(|cell| cell.as_str().into()).collect::<Vec<Cell<'_>>>())?;
    }
    Ok(table)
}

fn survival_cells(c: &ConditionSummary) -> Row {
    let life = c.summaries[0].as_ref();
    let se = life.and_then(|s| s.standard_error);
    let mean = number(life.map(|s| s.mean), 2);
    let interval = life.and_then(|s| s.interval);
    vec![
        c.name.clone(),
        life.map_or(0, |s| s.n).to_string(),
        se.map_or_else(|| mean.clone(), |se| format!("{mean} ± {se:.2}")),
        interval.map_or_else(|| "–".to_owned(), |i| format!("{:.2}..{:.2}", i.low, i.high)),
        number(c.lifespan_sd_h, 2),
    ]
}

/// How long they lived and how they kept their battery: one row per condition, ≤ 100 columns.
///
/// # Errors
/// [`TableError`] only when the columns were declared wrongly.
pub fn survival_table(results: &Results) -> Result<Table, TableError> {
    let headings = [
        "condition",
        "n",
        "life h",
        "95 %",
        "sd",
        "died %",
        "dockings",
        "docked %",
        "docked when full %",
    ];
    let measures = ["died", "dockings", "docked_share", "docked_when_full"];
    let row = |c: &ConditionSummary| {
        let mut row = survival_cells(c);
        row.extend(measures.iter().map(|m| shown(c, m)));
        row
    };
    of_rows(&headings, &results.conditions.iter().map(row).collect::<Vec<_>>())
}

/// What they did: one row per condition, ≤ 100 columns.
///
/// # Errors
/// [`TableError`] only when the columns were declared wrongly.
pub fn behaviour_table(results: &Results) -> Result<Table, TableError> {
    let headings = [
        "condition",
        "hungry m",
        "sated m",
        "difference",
        "cover %",
        "m/s",
        "entropy bit",
        "circling %",
        "turning %",
    ];
    let measures = [
        "distance_hungry_m",
        "distance_sated_m",
        "hungry_minus_sated_m",
        "coverage",
        "speed_m_s",
        "behaviour_entropy_bits",
        "circling_share",
        "turning_share",
    ];
    let row = |c: &ConditionSummary| {
        let mut row = vec![c.name.clone()];
        row.extend(measures.iter().map(|m| shown(c, m)));
        row
    };
    of_rows(&headings, &results.conditions.iter().map(row).collect::<Vec<_>>())
}

/// Every measure of every condition with its interval: one row per measure and condition.
///
/// # Errors
/// [`TableError`] only when the columns were declared wrongly.
pub fn summary_table(results: &Results) -> Result<Table, TableError> {
    let headings = ["measure", "condition", "n", "mean", "se", "95 %"];
    let mut rows = Vec::new();
    for (i, measure) in MEASURES.iter().enumerate() {
        for c in &results.conditions {
            let Some(s) = &c.summaries[i] else { continue };
            let places = measure.decimals;
            let scaled = |v: f64| format!("{:.places$}", v * measure.scale);
            rows.push(vec![
                measure.heading.to_owned(),
                c.name.clone(),
                s.n.to_string(),
                scaled(s.mean),
                s.standard_error.map_or_else(
                    || "–".to_owned(),
                    |se| format!("{:.*}", places + 1, se * measure.scale),
                ),
                s.interval.map_or_else(
                    || "–".to_owned(),
                    |i| format!("{}..{}", scaled(i.low), scaled(i.high)),
                ),
            ]);
        }
    }
    let mut table = Table::new(headings.map(|n| Column::new(n, Kind::Text)).to_vec())?;
    for row in rows {
        table.push(&row.iter().map(|cell| cell.as_str().into()).collect::<Vec<Cell<'_>>>())?;
    }
    Ok(table)
}

/// Restricted mean lifespans up to the cap: one row per condition.
///
/// # Errors
/// [`TableError`] only when the columns were declared wrongly.
pub fn restricted_table(results: &Results) -> Result<Table, TableError> {
    let headings = [
        "condition",
        "organisms",
        "lives",
        "deaths",
        "restricted mean h",
        "se",
        "95 %",
        "median h",
    ];
    let row = |c: &ConditionSummary| {
        let r = c.restricted_mean.as_ref();
        vec![
            c.name.clone(),
            r.map_or(0, |r| r.organisms).to_string(),
            r.map_or(0, |r| r.lives).to_string(),
            c.survival.deaths().to_string(),
            number(r.map(|r| r.mean), 2),
            number(r.and_then(|r| r.standard_error), 3),
            r.and_then(|r| r.interval)
                .map_or_else(|| "–".to_owned(), |i| format!("{:.2}..{:.2}", i.low, i.high)),
            c.survival.median().map_or_else(|| "not reached".to_owned(), |m| format!("{m:.2}")),
        ]
    };
    of_rows(&headings, &results.conditions.iter().map(row).collect::<Vec<_>>())
}

/// Differences to the baseline in some measures: one row per measure and other condition.
///
/// # Errors
/// [`TableError`] only when the columns were declared wrongly.
pub fn differences_table(results: &Results, measures: &[&str]) -> Result<Table, TableError> {
    let headings =
        ["measure", "condition", "pairs", "difference", "95 %", "d_z", "r_rb", "above %"];
    let mut rows = Vec::new();
    for (i, measure) in MEASURES.iter().enumerate() {
        if !measures.contains(&measure.name) {
            continue;
        }
        for c in &results.conditions {
            let Some(paired) = &c.differences[i] else { continue };
            let (scale, places) = (measure.scale, measure.decimals.max(1));
            let se = paired.standard_error;
            let se = se.map_or_else(String::new, |se| format!(" ± {:.places$}", se * scale));
            rows.push(vec![
                measure.heading.to_owned(),
                c.name.clone(),
                paired.n.to_string(),
                format!("{:+.places$}{se}", paired.mean * scale),
                paired.interval.map_or_else(
                    || "–".to_owned(),
                    |i| format!("{:+.places$}..{:+.places$}", i.low * scale, i.high * scale),
                ),
                number(paired.cohen_dz, 2),
                number(paired.rank_biserial, 2),
                format!("{:.0}", 100.0 * paired.share_above),
            ]);
        }
    }
    let mut table = Table::new(headings.map(|n| Column::new(n, Kind::Text)).to_vec())?;
    for row in rows {
        table.push(&row.iter().map(|cell| cell.as_str().into()).collect::<Vec<Cell<'_>>>())?;
    }
    Ok(table)
}

/// Differences to the baseline in the lifespan.
///
/// # Errors
/// [`TableError`] only when the columns were declared wrongly.
pub fn difference_table(results: &Results) -> Result<Table, TableError> {
    differences_table(results, &MAIN[..1])
}

/// Every measure of every condition: mean and interval over organisms, and the difference to the
/// baseline, paired by seed, with its interval. One row per measure and condition.
///
/// # Errors
/// [`TableError`] only when the columns were declared wrongly.
pub fn measure_table(results: &Results) -> Result<Table, TableError> {
    let names =
        ["measure", "condition", "n", "mean", "interval", "difference", "of it", "above in %"];
    let mut table = Table::new(names.map(|n| Column::new(n, Kind::Text)).to_vec())?;
    for (i, m) in MEASURES.iter().enumerate() {
        for c in &results.conditions {
            let Some(s) = &c.summaries[i] else { continue };
            let shown = |v: f64| format!("{:.*}", m.decimals, v * m.scale);
            let signed = |v: f64| format!("{:+.*}", m.decimals, v * m.scale);
            let none = || "–".to_owned();
            let paired = c.differences[i].as_ref();
            let interval = paired.and_then(|d| d.interval);
            table.push(&[
                m.heading.into(),
                c.name.as_str().into(),
                s.n.to_string().into(),
                shown(s.mean).into(),
                s.interval
                    .map_or_else(none, |i| format!("{}..{}", shown(i.low), shown(i.high)))
                    .into(),
                paired.map_or_else(none, |d| signed(d.mean)).into(),
                interval
                    .map_or_else(none, |i| format!("{}..{}", signed(i.low), signed(i.high)))
                    .into(),
                paired.map_or_else(none, |d| format!("{:.0}", 100.0 * d.share_above)).into(),
            ])?;
        }
    }
    Ok(table)
}

//! Goal: the fed organism equals the recorded reference in everything that a recording determines.
//! Method: the recorded sensors and actuator values of 2,000 ticks are fed as a file; the output
//! is compared with the recorded table, column by column.
//!
//! Compared over all 2,000 rows: inputs, exertion, salience, jitter, habituation, codes, place
//! signature and input means, which depend on the senses alone. Compared up to row 1,299: needs,
//! drives, context and both memories, because the recording forces fatigue at tick 1,300 and
//! safety at 1,750. Not compared: reflex proposals, weights and traces, because the recording
//! forced the exploration that they learn from.

#![allow(clippy::unwrap_used, reason = "a test that cannot read its own files has failed")]

use std::path::Path;

use tropism_body::presets;
use tropism_lab::feed::{self, FeedJob};
use tropism_testkit::table::Table;

const RENAMES: [(&str, &str); 12] = [
    ("in_battery", "battery_voltage"),
    ("mic", "mic"),
    ("in_light_l", "light_left"),
    ("light_r", "light_right"),
    ("bump", "bump"),
    ("in_ir", "ir_distance"),
    ("rssi", "rf_rssi_station"),
    ("act_wheel_l", "stepper_left"),
    ("wheel_r", "stepper_right"),
    ("act_head", "head_pan"),
    ("led", "led"),
    ("buzzer", "buzzer"),
];

/// Senses alone.
const EVERY_ROW: [&str; 23] = [
    "in_battery",
    "in_mic",
    "in_light_l",
    "in_light_r",
    "in_bump",
    "in_ir",
    "in_rssi",
    "act_wheel_l",
    "act_wheel_r",
    "act_head",
    "act_led",
    "act_buzzer",
    "cost",
    "activity",
    "spike",
    "activity_avg",
    "jit_mic",
    "jit_light_l",
    "hab_bump",
    "action_code",
    "sensor_code",
    "place_sig",
    "mean_light_l",
];

/// Needs and what follows from them.
const BEFORE_FORCING: [&str; 31] = [
    "h_energy",
    "h_fatigue",
    "h_safety",
    "h_arousal",
    "h_curiosity",
    "h_boredom",
    "d_energy",
    "d_fatigue",
    "d_safety",
    "d_arousal",
    "d_curiosity",
    "d_boredom",
    "total_drive",
    "fuzz",
    "surprise",
    "ctx",
    "drive_delta",
    "cm_slot",
    "cm_count",
    "cm_strength_sum",
    "bias_found",
    "bias_action",
    "bias_conf",
    "sp_count",
    "best_sig",
    "best_score",
    "sp_visits_here",
    "sp_imp_energy_here",
    "advantage",
    "rew_mean",
    "rew_var",
];

const WHOLE: [&str; 12] = [
    "action_code",
    "sensor_code",
    "ctx",
    "cm_slot",
    "cm_count",
    "bias_found",
    "bias_action",
    "place_sig",
    "sp_count",
    "best_sig",
    "sp_visits_here",
    "t",
];

fn tolerance(column: &str, expected: f64) -> f64 {
    match column {
        _ if WHOLE.contains(&column) => 0.0,
        "rew_var" | "advantage" => 1e-3 * expected.abs() + 1e-9,
        "cm_strength_sum" => 1e-4,
        _ => 1e-5,
    }
}

fn write_inputs(golden: &Table, path: &Path) {
    let is_input = |name: &str| name == "t" || name.starts_with("in_") || name.starts_with("act_");
    let chosen: Vec<usize> =
        (0..golden.columns.len()).filter(|i| is_input(&golden.columns[*i])).collect();
    let pick = |row: &[String]| {
        chosen.iter().map(|i| row[*i].as_str()).collect::<Vec<_>>().join(",") + "\n"
    };
    let mut text = pick(&golden.columns);
    text.extend(golden.rows.iter().map(|row| pick(row)));
    std::fs::write(path, text).unwrap();
}

fn differences(golden: &Table, fed: &Table, columns: &[&str], rows: usize) -> Vec<String> {
    let mut found = Vec::new();
    for column in columns {
        let (at, recorded_at) = (fed.column(column), golden.column(column));
        // In row 0 the reference has not computed a context yet.
        let first = usize::from(*column == "ctx");
        let wrong = (first..rows).find(|row| {
            let value: f64 = fed.rows[*row][at].parse().unwrap();
            let expected: f64 = golden.rows[*row][recorded_at].parse().unwrap();
            value.is_nan() || (value - expected).abs() > tolerance(column, expected)
        });
        if let Some(row) = wrong {
            let (value, expected) = (&fed.rows[row][at], &golden.rows[row][recorded_at]);
            found.push(format!("{column}: row {row}: {value} instead of {expected}"));
        }
    }
    found
}

#[test]
fn golden_feeding_the_recorded_inputs_gives_the_recorded_internal_values() {
    let Some(path) = tropism_testkit::shared_file("golden/organism/physiology.csv.xz") else {
        return;
    };
    let golden = Table::read(&path);
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.csv"), folder.path().join("out.csv"));
    write_inputs(&golden, &input);
    let mut job = FeedJob::new(&input, &output);
    job.body = Some(presets::reference_simulator());
    job.renames = RENAMES.iter().map(|r| (r.0.into(), r.1.into())).collect();
    job.has_weights = true;
    let report = feed::run(&job).unwrap();
    assert_eq!((report.ticks, report.out_of_band()), (2_000, 0), "{report}");
    let fed = Table::read(&output);
    assert_eq!(fed.rows.len(), 2_000);
    let mut found = differences(&golden, &fed, &EVERY_ROW, 2_000);
    found.extend(differences(&golden, &fed, &["t"], 2_000));
    found.extend(differences(&golden, &fed, &BEFORE_FORCING, 1_300));
    assert!(found.is_empty(), "{}", found.join("\n"));
    let lacking: Vec<&String> =
        golden.columns.iter().filter(|column| !fed.columns.contains(column)).collect();
    assert!(lacking.is_empty(), "recorded columns that the output lacks: {lacking:?}");
    let is_whole = |row: &Vec<String>| {
        WHOLE.iter().all(|column| row[fed.column(column)].parse::<i64>().is_ok())
    };
    assert!(fed.rows.iter().all(is_whole), "whole numbers are printed whole");
}

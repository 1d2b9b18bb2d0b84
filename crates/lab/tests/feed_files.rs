//! Goal: a recording is read for what it is, and a wrong one is refused with line and remedy.
//! Method: small files written by hand, fed to the reference board (3 sensors, 7 actuators).

#![allow(clippy::unwrap_used, reason = "a test that cannot read its own files has failed")]

use core::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;
use tropism_body::presets;
use tropism_core::{Purpose, Seed, Tick};
use tropism_lab::feed::{
    self, Backwards, EmptyCell, FeedError, FeedJob, FeedReport, Interpolation,
};
use tropism_testkit::table::Table;

struct Fed {
    folder: TempDir,
    result: Result<FeedReport, FeedError>,
}

impl Fed {
    fn report(&self) -> &FeedReport {
        self.result.as_ref().unwrap()
    }

    fn refusal(&self) -> String {
        self.result.as_ref().unwrap_err().to_string()
    }

    fn output(&self) -> PathBuf {
        self.folder.path().join("out.csv")
    }

    /// The cells of a column, joined by blanks.
    fn column(&self, name: &str) -> String {
        let table = Table::read(&self.output());
        let at = table.column(name);
        table.rows.iter().map(|row| row[at].as_str()).collect::<Vec<_>>().join(" ")
    }
}

fn feed_file(name: &str, text: &str, change: impl FnOnce(&mut FeedJob)) -> Fed {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join(name);
    fs::write(&input, text).unwrap();
    let mut job = FeedJob::new(&input, folder.path().join("out.csv"));
    job.body = Some(presets::reference_board());
    change(&mut job);
    let result = feed::run(&job);
    Fed { folder, result }
}

fn feed_text(text: &str) -> Fed {
    feed_file("in.csv", text, |_| {})
}

#[test]
fn unit_rows_at_other_times_are_interpolated_or_held() {
    let text = "t_ms,battery_voltage,act_motor_left\n1000,0.2,-1\n1200,0.6,1\n1225,0.7,0.5\n";
    let linear = feed_text(text);
    assert_eq!(linear.report().ticks, 6);
    let expected = "0.200000003 0.300000012 0.400000006 0.5 0.600000024 0.699999988";
    assert_eq!(linear.column("in_battery_voltage"), expected);
    assert_eq!(linear.column("act_motor_left"), "-1 -1 -1 -1 1 0.5", "commands are held");
    let held = feed_file("in.csv", text, |job| job.time.interpolation = Interpolation::Held);
    let expected = "0.200000003 0.200000003 0.200000003 0.200000003 0.600000024 0.699999988";
    assert_eq!(held.column("in_battery_voltage"), expected);
    assert_eq!(linear.column("act_led_r"), "0 0 0 0 0 0");
}

#[test]
fn unit_without_a_time_column_every_row_is_a_tick() {
    let fed = feed_text("# made by hand\r\n\"battery_voltage\";touch_bump\r\n.5;1\r\n\r\n.6;0\r\n");
    assert_eq!((fed.report().ticks, fed.report().tally.comments), (2, 2));
    assert_eq!(fed.column("t"), "0 1");
    assert_eq!(fed.column("in_touch_bump"), "1 0");
}

#[test]
fn unit_empty_and_non_finite_cells_are_never_zero() {
    let text = "battery_voltage,touch_bump\n0.5,1\n,nan\n0.5,inf\n0.5,1\n";
    let fed = feed_text(text);
    assert_eq!(fed.column("in_battery_voltage"), "0.5  0.5 0.5");
    assert_eq!(fed.column("in_touch_bump"), "1   1");
    assert_eq!(fed.column("spike"), "0 0 0 0", "a silent channel is no event");
    assert_eq!(fed.report().out_of_band(), 0);
    let merged = feed_file("in.csv", text, |job| job.time.empty = EmptyCell::NotSampled);
    assert_eq!(merged.column("in_battery_voltage"), "0.5 0.5 0.5 0.5");
}

#[test]
fn unit_a_held_reading_turns_stale_after_its_channels_own_time() {
    let text = "t_s,battery_voltage,touch_bump\n0,0.5,0\n6,0.5,0\n";
    let fed = feed_file("in.csv", text, |job| job.time.interpolation = Interpolation::Held);
    let column = fed.column("in_battery_voltage");
    let cells: Vec<&str> = column.split(' ').collect();
    assert_eq!((cells[100], cells[101], cells[120]), ("0.5", "", "0.5"));
}

#[test]
fn unit_missing_and_unknown_columns_are_named() {
    let fed = feed_text("battery_voltage,temperature,h_energy\n0.5,20,1\n0.5,21,1\n");
    let text = fed.report().to_string();
    assert!(text.contains("2 unknown columns ignored: temperature, h_energy"), "{text}");
    let missing = "sensors without a column, read as missing: touch_bump, rf_rssi_station";
    assert!(text.contains(missing), "{text}");
    assert_eq!(fed.column("in_touch_bump"), " ", "two empty cells");
}

#[test]
fn unit_values_outside_the_range_are_cut_and_counted() {
    let fed = feed_text("battery_voltage,act_led_r\n1.5,-3\n0.5,0\n");
    assert_eq!(fed.report().time.clamped, 2);
    assert_eq!(fed.column("in_battery_voltage"), "1 0.5");
}

#[test]
fn unit_log_09_time_that_runs_back_is_refused_or_a_reset() {
    let text = "t_s,battery_voltage\n0,0.5\n0.1,0.5\n0.2,0.5\n0,0.5\n0.1,0.5\n";
    let refusal = feed_text(text).refusal();
    assert!(
        refusal.contains("in.csv:5: time runs back by 0.200 s; rows are in order"),
        "{refusal}"
    );
    let looped = feed_file("in.csv", text, |job| job.time.backwards = Backwards::Reset);
    assert_eq!(looped.report().time.resets, [(5, 5)]);
    assert_eq!(looped.column("t"), "0 1 2 3 4 5 6 7");
    let curiosity = looped.column("h_curiosity");
    let cells: Vec<f64> = curiosity.split(' ').map(|cell| cell.parse().unwrap()).collect();
    // A newborn's curiosity is 0.3 before its first tick; surprise is what it was.
    assert!(cells[4] > 0.4 && cells[5] < cells[4], "another life begins: {curiosity}");
    let late = feed_file("in.csv", text, |job| job.time.late_s_max = Some(0.3));
    assert_eq!((late.report().time.late, late.report().time.resets.len()), (2, 0));
}

#[test]
fn unit_log_01_a_carmen_log_with_strange_messages_is_replayed() {
    let scan = |t: u32, r: f64| {
        format!(
            "FLASER 8{} 0 0 0 {} 0 0 {t}.5 h {t}.6\n",
            format!(" {r}").repeat(8),
            f64::from(t) * 0.2
        )
    };
    let mut text = "# log\nPARAM robot_frontlaser_offset 0.0\nPARAM odd\n".to_owned();
    for t in 0..4 {
        text += &scan(t, 1.0 + f64::from(t));
        text += "GPS 1 2\nODOMX 3\nGPS\n";
    }
    text += "FLASER 8 1 1 1";
    let fed = feed_file("in.log", &text, |job| job.body = None);
    let report = fed.report();
    assert_eq!((report.format, report.tally.rows, report.ticks), ("carmen", 4, 61));
    assert_eq!(report.tally.skipped, [("GPS".into(), 8), ("ODOMX".into(), 4)]);
    assert_eq!((report.tally.damaged, report.tally.first_damage.as_ref().unwrap().0), (1, 20));
    assert_eq!(fed.column("in_range_3").split(' ').nth(10), Some("0.150000006"));
    assert_eq!(fed.column("in_forward_speed").split(' ').nth(30), Some("0.600000024"));
    assert_eq!(fed.column("act_drive").split(' ').nth(30), Some("0.200000003"));
}

#[test]
fn unit_carmen_odometry_messages_replace_the_pose_difference() {
    let scan = |t: u32| format!("FLASER 8 1 1 1 1 1 1 1 1 0 0 0 0 0 0 {t} h {t}\n");
    let text =
        scan(0) + "ODOM 0 0 0 0.4 0.3 0 0.5 h 0.5\nODOM 0 0 0 0.2 0.3 0 0.6 h 0.6\n" + &scan(1);
    let fed = feed_file("in.clf", &text, |job| job.body = None);
    let first =
        |column: &str| fed.column(column).split(' ').next().unwrap().parse::<f64>().unwrap();
    assert!((first("act_drive") - 0.3).abs() < 1e-6);
    assert!((first("act_turn") - 0.2).abs() < 1e-6);
}

#[test]
fn edge_wrong_files_are_refused_with_line_column_and_remedy() {
    for (text, part) in [
        ("battery_voltage,touch_bump\n1,2\n1\n", "in.csv:3: 1 cells; the header has 2 columns"),
        ("battery_voltage\n1\nhigh\n", "in.csv:3: column `battery_voltage`: `high` is no number"),
        ("t,battery_voltage\n0,1\n,1\n", "in.csv:3: column `t`: `` is no time"),
        ("t,t_s,battery_voltage\n0,0,1\n", "column `t_s`: this is a second time column"),
        ("battery_voltage,battery_voltage\n1,1\n", "the name appears twice"),
        ("battery_voltage,\n1,1\n", "column `2`: the column has no name"),
        ("volts\n1\n", "no column is a sensor of the body `reference_board`"),
        ("t_s,battery_voltage\n0,1\n1700000000,1\n", "in.csv:3: time leaps by 1700000000.000 s"),
        ("battery_voltage\n", "the recording is empty"),
        ("", "the recording is empty"),
        ("battery_voltage\n1\n\u{0}\n", "in.csv:3: column `battery_voltage`"),
    ] {
        let fed = feed_text(text);
        assert!(fed.refusal().contains(part), "{text:?}: {}", fed.refusal());
        assert!(!fed.output().exists(), "nothing is written: {text:?}");
    }
    let binary = tempfile::tempdir().unwrap();
    let path = binary.path().join("x.csv");
    fs::write(&path, b"battery_voltage\n\xff\xfe\n").unwrap();
    let error = feed::run(&FeedJob::new(&path, binary.path().join("y"))).unwrap_err().to_string();
    assert!(error.contains("x.csv:2: the line is no UTF-8 text"), "{error}");
    let error = feed::run(&FeedJob::new("no/such.csv", "y")).unwrap_err().to_string();
    assert!(error.starts_with("cannot read `no/such.csv`"), "{error}");
}

#[test]
fn edge_an_output_that_cannot_be_written_is_named() {
    let text = "battery_voltage\n1\n";
    let fed = feed_file("in.csv", text, |job| job.output = "/no/such/folder/out.csv".into());
    assert!(fed.refusal().starts_with("cannot write `/no/such/folder/out.csv`"));
}

#[test]
fn determinism_the_output_fed_again_gives_the_same_senses() {
    let mut text = "t_s,battery_voltage,touch_bump,act_motor_left\n".to_owned();
    for i in 0..60 {
        let (t_s, level) = (f64::from(i) * 0.13, f64::from(i % 7) / 7.0);
        let _ = writeln!(text, "{t_s},{level},{},{}", i % 2, i % 3 - 1);
    }
    let first = feed_text(&text);
    let again = feed_file("in.csv", &fs::read_to_string(first.output()).unwrap(), |_| {});
    assert_eq!(fs::read(first.output()).unwrap(), fs::read(again.output()).unwrap());
    let other = feed_file("in.csv", &text, |job| job.seed = Seed(2));
    assert_eq!(first.column("activity"), other.column("activity"));
    assert_ne!(first.column("target_motor_left"), other.column("target_motor_left"));
    assert_eq!(first.column("act_motor_left"), other.column("act_motor_left"), "open loop");
}

/// Goal: whatever a file holds, feeding it ends in a report without a value outside its band or in
/// an error. Method: two sound files with a few bytes replaced, inserted or cut off, 300 times.
#[test]
fn swarm_damaged_files_are_refused_or_fed_within_all_bands() {
    let mut csv = "t_s,battery_voltage,touch_bump,act_motor_left\n".to_owned();
    let mut log = "# log\nPARAM a 1\n".to_owned();
    for i in 0..12 {
        let _ = writeln!(csv, "{},0.{i},{},{}", f64::from(i) * 0.11, i % 2, i % 3 - 1);
        let _ = writeln!(log, "ODOM 0 0 0 0.{i} 0.1 0 {i}.2 h {i}.2");
        let _ = writeln!(log, "FLASER 8 1 2 3 4 5 6 7 8{i} 0 0 0 0.{i} 0 0.{i} {i} h {i}");
    }
    let stream = Seed(77).stream(Purpose::named("test.damage"), 0, 0);
    let (mut fed, mut refused) = (0, 0);
    for trial in 0..300 {
        let mut draws = stream.at(Tick(trial));
        let is_log = draws.chance(1, 2);
        let mut bytes = if is_log { log.clone() } else { csv.clone() }.into_bytes();
        for _ in 0..=draws.below(3) {
            let at = draws.below(bytes.len() as u32) as usize;
            let byte = b"0123456789,.-e\n nan#\xff\"t_s"[draws.below(24) as usize];
            match draws.below(4) {
                0 => bytes.truncate(at.max(1)),
                1 => bytes.insert(at, byte),
                _ => bytes[at] = byte,
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join(if is_log { "in.log" } else { "in.csv" });
        fs::write(&input, bytes).unwrap();
        let mut job = FeedJob::new(&input, folder.path().join("out.csv"));
        job.body = (!is_log).then(presets::reference_board);
        match feed::run(&job) {
            Ok(report) => {
                assert_eq!(report.out_of_band(), 0, "trial {trial}: {report}");
                fed += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert!(!job.output.exists(), "trial {trial}");
                refused += 1;
            }
        }
    }
    assert!(fed > 30 && refused > 30, "both happen: {fed} fed, {refused} refused");
}

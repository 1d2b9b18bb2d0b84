//! Goal: the organism can be run on what a real robot sensed; no value leaves its band, standing
//! still and straight corridor habituate, doorways and turns stand out.
//! Method: a public laser log (910 scans over 44 minutes) is fed; segments told from the record
//! itself are compared, with bootstrap intervals over segments. The log's scans were chosen by
//! motion, so it holds no standing; standing is made by repeating real scans in place.

#![allow(clippy::unwrap_used, reason = "a test that cannot read its own files has failed")]

use core::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use tropism_core::{Purpose, Seed, Tick};
use tropism_lab::feed::{
    self, Backwards, Contrast, FeedJob, FeedReport, Interpolation, Kind, Measure,
};

const INTEL: &str = "data/slam/intel_910_raw.log";

fn fed(input: &Path, folder: &Path, change: impl FnOnce(&mut FeedJob)) -> FeedReport {
    let mut job = FeedJob::new(input, folder.join("out.csv"));
    change(&mut job);
    feed::run(&job).unwrap()
}

/// Lower and upper bound of a difference from the corridor.
fn bounds(report: &FeedReport, kind: Kind, measure: Measure) -> (f64, f64) {
    let found: Option<&Contrast> = report.contrasts.iter().find(|c| c.kind == kind);
    let at = Measure::ALL.iter().position(|m| *m == measure).unwrap();
    let interval = found.unwrap().differences[at].interval.unwrap();
    (interval.low, interval.high)
}

fn assert_turns_stand_out(report: &FeedReport) {
    for measure in [Measure::Activity, Measure::Spike, Measure::Surprise] {
        let (low, _) = bounds(report, Kind::Turn, measure);
        assert!(low > 0.0, "turns: {measure:?} {low}\n{report}");
    }
    for measure in [Measure::Boredom, Measure::BoredomRate] {
        let (_, high) = bounds(report, Kind::Turn, measure);
        assert!(high < 0.0, "turns: {measure:?} {high}\n{report}");
    }
}

#[test]
fn golden_a_real_log_runs_through_within_all_bands_and_turns_and_doorways_stand_out() {
    let Some(path) = tropism_testkit::shared_file(INTEL) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (svg, html) = (folder.path().join("a.svg"), folder.path().join("a.html"));
    let report = fed(&path, folder.path(), |job| {
        job.plot = Some(svg.clone());
        job.report = Some(html.clone());
    });
    assert_eq!((report.tally.rows, report.ticks), (910, 53_019), "{report}");
    assert_eq!(report.out_of_band(), 0, "{report}");
    assert_turns_stand_out(&report);
    for measure in [Measure::Activity, Measure::Spike] {
        let doorway = bounds(&report, Kind::Doorway, measure);
        assert!(doorway.0 > 0.0, "doorways: {measure:?} {doorway:?}\n{report}");
    }
    let doorway = bounds(&report, Kind::Doorway, Measure::Boredom);
    assert!(doorway.1 < 0.0, "doorways: boredom {doorway:?}\n{report}");
    let corridor = report.kinds.iter().find(|k| k.kind == Kind::Corridor).unwrap();
    assert!(corridor.means[4].interval.unwrap().low > 0.0, "boredom grows\n{report}");
    let lines = fs::read_to_string(folder.path().join("out.csv")).unwrap().lines().count();
    assert_eq!(lines, 53_020);
    let figure = fs::read_to_string(&svg).unwrap();
    for label in ["turn rate (rad/s)", "surprise", "activity", "boredom", "doorway"] {
        assert!(figure.contains(label), "the figure lacks `{label}`");
    }
    assert!(fs::read_to_string(&html).unwrap().contains("turn less corridor"));
}

#[test]
fn golden_the_other_ways_to_read_the_log_stay_within_all_bands_too() {
    let Some(path) = tropism_testkit::shared_file(INTEL) else { return };
    let folder = tempfile::tempdir().unwrap();
    let held = fed(&path, folder.path(), |job| job.time.interpolation = Interpolation::Held);
    assert_eq!(held.out_of_band(), 0, "{held}");
    assert_turns_stand_out(&held);
    // Turns are marked by odometry; without the odometry channels only the ranges can show them.
    let blind = fed(&path, folder.path(), |job| job.config.ablation.hidden_sensors = 0b11 << 8);
    assert_eq!(blind.out_of_band(), 0, "{blind}");
    assert_turns_stand_out(&blind);
    let silent = fed(&path, folder.path(), |job| {
        job.carmen.sectors = feed::SectorRule::Minimum;
        job.carmen.beyond = feed::Beyond::NoEcho;
    });
    assert_eq!(silent.out_of_band(), 0, "{silent}");
    let Some(path) = tropism_testkit::shared_file("data/slam/aces_raw.log") else { return };
    let aces = fed(&path, folder.path(), |_| {});
    assert_eq!((aces.tally.rows, aces.out_of_band()), (440, 0), "{aces}");
    assert_turns_stand_out(&aces);
}

#[test]
fn unit_log_09_stamps_that_run_back_are_repaired_by_the_poses_or_count_as_late() {
    let Some(path) = tropism_testkit::shared_file(INTEL) else { return };
    let folder = tempfile::tempdir().unwrap();
    let repaired = fed(&path, folder.path(), |_| {});
    assert_eq!((repaired.time.late, repaired.tally.first_restamped), (0, Some(219)));
    let plain = fed(&path, folder.path(), |job| job.carmen.is_clock_repaired = false);
    assert_eq!((plain.time.late, plain.tally.restamped, plain.out_of_band()), (4, 0, 0));
    let mut job = FeedJob::new(&path, folder.path().join("no.csv"));
    job.carmen.is_clock_repaired = false;
    job.time.late_s_max = Some(0.0);
    let error = feed::run(&job).unwrap_err().to_string();
    assert!(error.contains("intel_910_raw.log:297: time runs back by"), "{error}");
    job.time.backwards = Backwards::Reset;
    assert_eq!(feed::run(&job).unwrap().time.resets.len(), 4);
}

/// The log with `stands` stands of 30 s spread over it: the scan taken there repeated four times
/// a second at the same pose, every beam off by up to 2 cm.
fn with_stands(path: &Path, folder: &Path, stands: usize) -> PathBuf {
    let text = fs::read_to_string(path).unwrap();
    let scans: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("FLASER"))
        .map(|line| line.split_ascii_whitespace().collect())
        .collect();
    let stream = Seed(3).stream(Purpose::named("test.stands"), 0, 0);
    let mut out = String::new();
    let mut shift_s = 0.0;
    for (i, scan) in scans.iter().enumerate() {
        let time_s: f64 = scan[188].parse().unwrap();
        let _ = writeln!(out, "{} {} h 0", scan[..188].join(" "), time_s + shift_s);
        if i % (scans.len() / stands) != 20 {
            continue;
        }
        for repeat in 1..=120_u32 {
            let mut draws = stream.at(Tick((i * 1_000) as u64 + u64::from(repeat)));
            let _ = write!(out, "FLASER 180");
            for range in &scan[2..182] {
                let range: f32 = range.parse().unwrap();
                let _ = write!(out, " {:.3}", range + 0.02 * draws.signed_uniform());
            }
            let stamp_s = time_s + shift_s + 0.25 * f64::from(repeat);
            let _ = writeln!(out, " {} {stamp_s} h 0", scan[182..188].join(" "));
        }
        shift_s += 30.0;
    }
    let made = folder.join("stands.log");
    fs::write(&made, out).unwrap();
    made
}

#[test]
fn golden_standing_still_habituates() {
    let Some(path) = tropism_testkit::shared_file(INTEL) else { return };
    let folder = tempfile::tempdir().unwrap();
    let log = with_stands(&path, folder.path(), 22);
    let report = fed(&log, folder.path(), |_| {});
    assert_eq!(report.out_of_band(), 0, "{report}");
    let still = report.kinds.iter().find(|kind| kind.kind == Kind::Still).unwrap();
    assert!(still.segments >= 20, "{report}");
    assert!(still.means[4].interval.unwrap().low > 0.0, "boredom grows\n{report}");
    let of = |kind: Kind| report.kinds.iter().find(|k| k.kind == kind).unwrap().means;
    for measure in [0, 1, 2] {
        let (still, turn) = (of(Kind::Still)[measure], of(Kind::Turn)[measure]);
        let (still, turn) = (still.interval.unwrap(), turn.interval.unwrap());
        assert!(still.high < turn.low, "{:?}\n{report}", Measure::ALL[measure]);
    }
}

//! Goal: what is exported is what was recorded, to the bit; a damaged file is refused with the
//! place, and what is whole in it is saved.
//! Method: one traced run of four bodies is exported in every format and read back by other means;
//! MCAP files are cut at every chunk and at random, and bytes are changed at random.
#![cfg(feature = "mcap")]

extern crate alloc;

mod exporting;

use alloc::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use exporting::{hall, trace};
use mcap::MessageStream;
use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;
use tropism_lab::export::mcap::{check, recover, trace as to_mcap};
use tropism_lab::export::{Format, Layout, table};
use tropism_lab::life::Silent;
use tropism_lab::trace::{Frame, TraceReader};
use tropism_scenario::Scenario;

/// Ticks of a life of the traces here: 6 s.
const CAP: u64 = 120;

struct Made {
    folder: TempDir,
    scenario: Scenario,
    trace: PathBuf,
}

fn made(has_internals: bool) -> Made {
    let folder = tempfile::tempdir().expect("a folder");
    let scenario = hall();
    let trace = trace(folder.path(), &scenario, CAP, has_internals);
    Made { folder, scenario, trace }
}

impl Made {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn mcap(&self, name: &str) -> PathBuf {
        let to = self.path(name);
        let reader = TraceReader::open(&self.trace).expect("a trace");
        let origin = (&self.scenario, self.scenario.minds.as_slice());
        let done = to_mcap(reader, origin, &to, &Silent).expect("a file");
        assert!(done.is_simulated_again);
        assert_eq!(done.ticks, 2 * CAP);
        assert_eq!(done.items, check(&to).expect("whole").messages);
        to
    }

    fn frames(&self) -> (Layout, Vec<Frame>) {
        let mut reader = TraceReader::open(&self.trace).expect("a trace");
        let layout = Layout::of(&reader.header).expect("a layout");
        let mut frames = Vec::new();
        let mut frame = Frame::default();
        while reader.next_into(&mut frame).expect("a frame") {
            frames.push(frame.clone());
        }
        (layout, frames)
    }
}

/// All messages by topic, read by the `mcap` crate and not by our reader.
fn messages(path: &Path) -> BTreeMap<String, Vec<(u64, Vec<u8>)>> {
    let bytes = fs::read(path).expect("the file");
    let mut all: BTreeMap<String, Vec<(u64, Vec<u8>)>> = BTreeMap::new();
    for message in MessageStream::new(&bytes).expect("a file") {
        let message = message.expect("a message");
        let topic = all.entry(message.channel.topic.clone()).or_default();
        topic.push((message.log_time, message.data.to_vec()));
    }
    all
}

fn json(data: &[u8]) -> Value {
    serde_json::from_slice(data).expect("JSON")
}

#[test]
fn unit_an_mcap_file_holds_what_the_trace_holds_to_the_bit() {
    let made = made(true);
    let found = messages(&made.mcap("a.mcap"));
    let (layout, frames) = made.frames();
    let names = ["amber", "blue", "coral", "dune"];
    for (robot, name) in layout.robots.iter().zip(names) {
        let of = |topic: &str| &found[&format!("/{name}/{topic}")];
        let (percepts, commands) = (of("percept"), of("command"));
        let inner = of("internals");
        assert_eq!(percepts.len(), frames.len());
        for (tick, frame) in frames.iter().enumerate() {
            let percept = json(&percepts[tick].1);
            assert_eq!(percepts[tick].0, tick as u64 * 50_000_000);
            assert_eq!(percept["tick"], tick as u64);
            for (sensor, value) in robot.sensors.iter().zip(robot.sensors(&frame.values)) {
                let read = percept["readings"][sensor].get("value").and_then(Value::as_f64);
                let bits = |x: f64| (x as f32).to_bits();
                let expected = (!value.is_nan()).then_some(*value);
                assert_eq!(read.map(bits), expected.map(bits), "{name} {sensor} {tick}");
            }
            let command = json(&commands[tick].1);
            for (name, value) in robot.actuators.iter().zip(robot.actuators(&frame.values)) {
                let read = command["applied"][name].as_f64().expect("a number");
                assert_eq!((read as f32).to_bits(), (*value as f32).to_bits());
            }
            let inner = json(&inner[tick].1);
            for (name, value) in robot.internals.iter().zip(robot.internals(&frame.values)) {
                let read = inner["values"].get(name).and_then(Value::as_f64);
                let expected = value.is_finite().then_some(*value);
                assert_eq!(read.map(f64::to_bits), expected.map(f64::to_bits), "{name}");
            }
        }
    }
}

#[test]
fn unit_poses_hold_when_they_say_and_lives_begin_where_they_begin() {
    let made = made(false);
    let found = messages(&made.mcap("a.mcap"));
    let (layout, frames) = made.frames();
    let truths = &found["/dune/truth"];
    // One more than ticks at the start, and one for the second life's beginning.
    assert!(truths.len() > frames.len() + 1, "{} of {}", truths.len(), frames.len());
    let by_time = |ns: u64| {
        let at = |(time, data): &(u64, Vec<u8>)| (*time == ns).then(|| json(data));
        truths.iter().filter_map(at).collect::<Vec<_>>()
    };
    for (tick, frame) in frames.iter().enumerate() {
        let truth = layout.robots[3].truth(&frame.values);
        let message = &by_time((tick as u64 + 1) * 50_000_000)[0];
        for (place, name) in ["x_m", "y_m", "heading_rad", "speed_m_s", "charge"].iter().enumerate()
        {
            let read = message[*name].as_f64().expect("a number");
            assert_eq!((read as f32).to_bits(), (truth[place] as f32).to_bits(), "{tick} {name}");
        }
    }
    let at_the_turn = by_time(CAP * 50_000_000);
    assert_eq!(at_the_turn.len(), 2, "the end of the first life and the start of the second");
    assert_ne!(at_the_turn[0]["x_m"], at_the_turn[1]["x_m"]);
}

#[test]
fn unit_the_scene_the_scans_and_the_events_are_there() {
    use foxglove::Decode as _;
    use foxglove::messages::{LaserScan, Log, SceneUpdate};
    let made = made(false);
    let found = messages(&made.mcap("a.mcap"));
    let scenes: Vec<SceneUpdate> =
        found["/scene"].iter().map(|m| SceneUpdate::decode(m.1.as_slice()).expect("one")).collect();
    let ids = |scene: &SceneUpdate| {
        scene.entities.iter().map(|e| e.id.clone()).collect::<Vec<_>>().join(" ")
    };
    assert!(ids(&scenes[0]).starts_with("border polygons station0 station1 body of amber"));
    assert_eq!(ids(&scenes[1]), "station1", "switched off");
    assert_eq!(ids(&scenes[2]), "station0", "moved");
    let moved = scenes[2].entities[0].arrows[0].pose.expect("a pose");
    let at = moved.position.expect("a place");
    assert_eq!((at.x as f32, at.y as f32), (2.5, 0.1));
    assert_eq!(
        found["/scene"][2].0,
        found["/log"].iter().map(|m| m.0).find(|t| *t > 3_000_000_000).unwrap_or(0)
    );
    let scan = LaserScan::decode(found["/dune/scan"][7].1.as_slice()).expect("a scan");
    assert_eq!(scan.ranges.len(), 3);
    assert!((scan.end_angle - core::f64::consts::FRAC_PI_3).abs() < 1e-6 && scan.start_angle < 0.0);
    let percept = json(&found["/dune/percept"][7].1);
    let lasers = percept["readings"].as_object().expect("readings").iter();
    let heard: Vec<f64> = lasers
        .filter(|(name, _)| name.starts_with("laser") || name.starts_with("lidar"))
        .filter_map(|(_, reading)| reading.get("value").and_then(Value::as_f64))
        .collect();
    let finite: Vec<f64> = scan.ranges.iter().copied().filter(|r| r.is_finite()).collect();
    assert_eq!(heard.len(), finite.len(), "{percept}");
    let logs: Vec<Log> =
        found["/log"].iter().map(|m| Log::decode(m.1.as_slice()).expect("a log")).collect();
    for text in ["shoved by the experimenter", "station switched off (1)", "station moved (0)"] {
        assert!(logs.iter().any(|log| log.message == text), "{text}");
    }
    assert_eq!(logs.iter().filter(|log| log.message == "life began").count(), 4);
}

#[test]
fn determinism_the_same_trace_gives_the_same_bytes() {
    let made = made(true);
    let (a, b) = (made.mcap("a.mcap"), made.mcap("b.mcap"));
    assert_eq!(fs::read(a).expect("a"), fs::read(b).expect("b"));
    for (name, format) in [("c", Format::Csv), ("p", Format::Parquet)] {
        let write = |number: u32| {
            let to = made.path(&format!("{name}{number}"));
            let reader = TraceReader::open(&made.trace).expect("a trace");
            table(reader, None, (&to, format), &Silent).expect("a table");
            fs::read(to).expect("the table")
        };
        assert_eq!(write(1), write(2));
    }
}

#[test]
fn unit_a_table_has_a_row_per_robot_and_tick_and_empty_cells_for_what_is_none() {
    let made = made(true);
    let to = made.path("a.csv");
    let reader = TraceReader::open(&made.trace).expect("a trace");
    let done = table(reader, None, (&to, Format::Csv), &Silent).expect("a table");
    let (layout, frames) = made.frames();
    assert!(!done.is_simulated_again);
    assert_eq!((done.ticks, done.items), (2 * CAP, 8 * CAP));
    let text = fs::read_to_string(&to).expect("the table");
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let column = |name: &str| header.iter().position(|n| *n == name).expect(name);
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), frames.len() * 4);
    for (number, row) in rows.iter().enumerate() {
        let (tick, robot) = (number / 4, number % 4);
        let (layout, values) = (&layout.robots[robot], &frames[tick].values);
        assert_eq!(row[column("t")], tick.to_string());
        assert_eq!(row[column("robot")], robot.to_string());
        let of = |names: &[String], values: &[f64]| {
            for (name, value) in names.iter().zip(values) {
                let cell = row[column(name)];
                if value.is_finite() {
                    let read: f64 = cell.parse().expect("a number");
                    assert_eq!(read.to_bits(), value.to_bits(), "{name} {tick}");
                } else {
                    assert_eq!(cell, "", "{name} {tick}");
                }
            }
        };
        of(&layout.sensors, layout.sensors(values));
        of(&layout.actuators, layout.actuators(values));
        of(&layout.internals, layout.internals(values));
        if robot == 0 {
            assert_eq!(row[column("sonar_front")], "", "a channel of another body");
        }
    }
}

#[test]
fn unit_internal_values_that_a_trace_lacks_are_simulated_again() {
    let (with, without) = (made(true), made(false));
    let write = |made: &Made, is_again: bool| {
        let to = made.path("a.csv");
        let reader = TraceReader::open(&made.trace).expect("a trace");
        let origin = is_again.then_some((&made.scenario, made.scenario.minds.as_slice()));
        let done = table(reader, origin, (&to, Format::Csv), &Silent).expect("a table");
        assert_eq!(done.is_simulated_again, is_again);
        fs::read_to_string(to).expect("the table")
    };
    let held = write(&with, false);
    assert!(held == write(&without, true), "the two tables differ");
    assert!(write(&without, false).len() < held.len() / 2);
}

#[test]
fn edge_a_run_that_comes_out_otherwise_is_an_error_with_its_tick_and_leaves_no_file() {
    let made = made(false);
    let mut bytes = fs::read(&made.trace).expect("the trace");
    let length = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize;
    let names = TraceReader::open(&made.trace).expect("a trace").header.names.len();
    // The second value of frame 17.
    let at = 16 + length + 17 * 8 * (names + 1) + 16;
    bytes[at] ^= 1;
    fs::write(&made.trace, bytes).expect("written");
    let to = made.path("a.mcap");
    let reader = TraceReader::open(&made.trace).expect("a trace");
    let origin = (&made.scenario, made.scenario.minds.as_slice());
    let error = to_mcap(reader, origin, &to, &Silent).unwrap_err().to_string();
    assert!(error.contains("differs first at tick 17: robot0/y_m was "), "{error}");
    assert!(error.contains("hall.trace: "), "{error}");
    assert_eq!(fs::read_dir(made.folder.path()).expect("the folder").count(), 1, "no file is left");
    let mut other = made.scenario.clone();
    other.world.has_noise = false;
    let reader = TraceReader::open(&made.trace).expect("a trace");
    let error = to_mcap(reader, (&other, &other.minds), &to, &Silent).unwrap_err().to_string();
    assert!(error.contains("was changed since"), "{error}");
}

/// Where chunks begin and end.
fn chunks(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 8;
    while at + 9 <= bytes.len() {
        let length = u64::from_le_bytes(bytes[at + 1..at + 9].try_into().expect("eight")) as usize;
        if bytes[at] == 6 {
            found.push((at, at + 9 + length));
        }
        at += 9 + length;
    }
    found
}

#[test]
fn edge_a_file_cut_at_any_chunk_boundary_is_refused_with_the_offset_and_mended() {
    let made = made(true);
    let whole = made.mcap("whole.mcap");
    let bytes = fs::read(&whole).expect("the file");
    let all = messages(&whole);
    let (cut, mended) = (made.path("cut.mcap"), made.path("mended.mcap"));
    let chunks = chunks(&bytes);
    assert!(chunks.len() > 5, "{} chunks", chunks.len());
    let mut last = 0;
    for (start, end) in &chunks {
        for at in [*start, start + 1, start + 9, *end - 1, *end] {
            fs::write(&cut, &bytes[..at]).expect("written");
            let error = check(&cut).unwrap_err().to_string();
            assert!(error.contains("at byte ") && error.contains("cut off"), "{at}: {error}");
            let Ok(saved) = recover(&cut, &mended) else {
                assert!(at < chunks[0].1, "nothing was saved of {at} bytes");
                continue;
            };
            assert!(saved.contents.messages >= last, "{at}");
            last = saved.contents.messages;
            assert_eq!(saved.nameless, 0);
            let found = messages(&mended);
            assert_eq!(check(&mended).expect("whole").messages, last);
            for (topic, list) in &found {
                assert_eq!(list[..], all[topic][..list.len()], "{topic} is a beginning");
            }
        }
    }
    let total: usize = all.values().map(Vec::len).sum();
    assert_eq!(last as usize, total, "cut behind the last chunk, nothing is lost");
}

#[test]
fn edge_what_is_no_mcap_file_is_refused() {
    let made = made(false);
    let path = made.path("x.mcap");
    for (name, bytes) in [
        ("empty", b"".as_slice()),
        ("short", b"\x89MCAP"),
        ("foreign", b"no recording at all, but long enough to be looked at"),
        ("magic", b"\x89MCAP0\r\n"),
        ("twice", b"\x89MCAP0\r\n\x89MCAP0\r\n"),
    ] {
        fs::write(&path, bytes).expect("written");
        let error = check(&path).unwrap_err().to_string();
        assert!(error.contains("x.mcap: at byte "), "{name}: {error}");
        let error = recover(&path, &made.path("y.mcap")).unwrap_err().to_string();
        assert!(error.contains("no message can be recovered"), "{name}: {error}");
        assert!(!made.path("y.mcap").exists());
    }
    let good = made.mcap("good.mcap");
    let error = recover(&good, &good).unwrap_err().to_string();
    assert!(error.contains("into itself"), "{error}");
    assert!(check(&made.path("absent.mcap")).is_err());
}

/// A small file, its bytes and the number of its messages; made once for all cases.
fn sample() -> &'static (Vec<u8>, u64) {
    static SAMPLE: std::sync::OnceLock<(Vec<u8>, u64)> = std::sync::OnceLock::new();
    SAMPLE.get_or_init(|| {
        let made = made(false);
        let path = made.mcap("a.mcap");
        (fs::read(&path).expect("the file"), check(&path).expect("whole").messages)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn prop_a_file_cut_anywhere_is_refused_and_never_panics(share in 0.0_f64..1.0) {
        let (bytes, total) = sample();
        let folder = tempfile::tempdir().expect("a folder");
        let (cut, mended) = (folder.path().join("cut.mcap"), folder.path().join("m.mcap"));
        let at = (share * bytes.len() as f64) as usize;
        fs::write(&cut, &bytes[..at]).expect("written");
        prop_assert!(check(&cut).is_err());
        if let Ok(saved) = recover(&cut, &mended) {
            prop_assert!(saved.contents.messages <= *total);
            prop_assert_eq!(check(&mended).expect("whole").messages, saved.contents.messages);
        }
    }

    #[test]
    fn prop_a_changed_byte_is_found_and_the_other_chunks_are_saved(
        share in 0.0_f64..1.0,
        change in 1_u8..=255,
    ) {
        let (bytes, total) = sample();
        let folder = tempfile::tempdir().expect("a folder");
        let (bad, mended) = (folder.path().join("bad.mcap"), folder.path().join("m.mcap"));
        let at = (share * bytes.len() as f64) as usize;
        let mut changed = bytes.clone();
        changed[at] ^= change;
        fs::write(&bad, &changed).expect("written");
        let error = check(&bad).expect_err("a changed byte").to_string();
        prop_assert!(error.contains("bad.mcap: "), "{}", error);
        let saved = recover(&bad, &mended).expect("other chunks");
        let chunks = chunks(bytes).len() as u64;
        // A chunk holds about an equal share of the messages; one may be lost, with some slack.
        let least = total - 2 * total.div_ceil(chunks);
        prop_assert!(saved.contents.messages >= least, "{} of {total}, byte {at}: {error}",
            saved.contents.messages);
        prop_assert_eq!(check(&mended).expect("whole").messages, saved.contents.messages);
    }
}

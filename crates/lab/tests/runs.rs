//! Goal: a run depends on its scenario, minds and seed and on nothing else, and what is written of
//! it can be trusted.
//! Method: short runs are repeated with other worker counts, with and without onlookers, from
//! snapshots and from traces that were damaged on purpose, and compared to the bit.

use core::fmt::Write as _;
use std::path::{Path, PathBuf};

use expect_test::{expect, expect_file};
use tropism_core::Seed;
use tropism_lab::experiment::{MODEL_VERSION, Manifest, Store, Watch, run as run_experiment};
use tropism_lab::life::{Course, LifeClock, Progress, RunRecord, Silent, live};
use tropism_lab::single::SingleRun;
use tropism_lab::trace::{
    Ending, Frame, Header, TraceReader, TraceWriter, Verdict, replay, scenario_hash,
};
use tropism_lab::{Run, results};
use tropism_scenario::{Document, Experiment, MindSpec, Scenario, built_in_condition, load};

const TINY: &str = r#"
kind = "experiment"
name = "tiny"
about = "two conditions, two seeds, one short life"
conditions = ["full", "random_walk"]
seeds = { first = 1, count = 2 }
lives = 2
life_cap_s = 90
baseline = "random_walk"

[scenario]
world = "standard"
body = "reference_simulator"
"#;

fn experiment(text: &str) -> Experiment {
    match parse(text) {
        Document::Experiment(experiment) => experiment,
        other => panic!("{other:?}"),
    }
}

fn parse(text: &str) -> Document {
    tropism_scenario::parse("test", text, None).unwrap_or_else(|error| panic!("{error}"))
}

fn shipped(relative: &str) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(relative);
    match load(&path) {
        Ok(Document::Scenario(scenario)) => scenario,
        other => panic!("{}: {other:?}", path.display()),
    }
}

fn one_life() -> Scenario {
    shipped("scenarios/organism/one-life.toml")
}

fn records(experiment: &Experiment, workers: usize) -> Vec<RunRecord> {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), &Manifest::new(experiment, "")).expect("a store");
    run_experiment(experiment, &store, workers, &Silent).expect("records").expect("not cancelled")
}

fn table(experiment: &Experiment, records: &[RunRecord]) -> String {
    let summary = results::summarise_all(experiment, records);
    let table = results::summary_table(&summary).expect("a table").to_text();
    format!("{table}\n{}", results::difference_table(&summary).expect("a table").to_text())
}

#[test]
fn determinism_stat_05_the_table_is_the_same_for_any_number_of_workers() {
    let experiment = experiment(TINY);
    let one = records(&experiment, 1);
    for workers in [2, 4, 8] {
        assert_eq!(records(&experiment, workers), one, "{workers} workers");
    }
    let hashes: Vec<_> = one.iter().map(|r| r.hash.as_str()).collect();
    assert!((1..4).all(|i| !hashes[..i].contains(&hashes[i])), "{hashes:?}");
}

#[test]
fn golden_a_tiny_experiment_gives_this_table() {
    let experiment = experiment(TINY);
    let records = records(&experiment, 2);
    let mut text = String::new();
    for RunRecord { condition, seed, hash, .. } in &records {
        let _ = writeln!(text, "{condition} {seed} {hash}");
    }
    let _ = write!(text, "\n{}", table(&experiment, &records));
    expect_file!["golden/tiny_experiment.txt"].assert_eq(&text);
}

#[test]
fn determinism_sim_05_onlookers_change_nothing() {
    let scenario = one_life();
    let hash = |is_watched: bool| {
        let mut run = Run::new(&scenario, &scenario.minds, Seed(4)).expect("a run");
        let course = Course { lives: 1, cap_ticks: 3_000, full_share: 0.9 };
        let mut single = SingleRun::new(&scenario, &run, course);
        let folder = tempfile::tempdir().expect("a folder");
        let header = header(&scenario, 4, course);
        let path = folder.path().join("t");
        let mut trace = TraceWriter::create(&path, header, &run).expect("a trace");
        for _ in 0..3_000 {
            run.tick();
            if is_watched {
                trace.record(&run).expect("a frame");
                single.after_tick(&run);
            }
        }
        run.hash()
    };
    assert_eq!(hash(true), hash(false));
}

#[test]
fn determinism_another_robot_far_away_changes_nothing_of_the_first() {
    let text = |second: &str| {
        format!(
            "kind = \"scenario\"\nname = \"yard\"\nabout = \"a yard\"\nmind = \"full\"\n\
             [world]\nname = \"yard\"\nroom = {{ max_m = [30, 30] }}\n{}{second}",
            robot("one", [1.0, 1.0])
        )
    };
    let run = |text: &str| {
        let Document::Scenario(scenario) = parse(text) else { panic!("no scenario") };
        let mut run = Run::new(&scenario, &scenario.minds, Seed(3)).expect("a run");
        // What a second robot emits does reach the first; one that stands still emits nothing.
        run.retire(1);
        let mut seen = Vec::new();
        for _ in 0..400 {
            run.tick();
            let robot = &run.robots()[0];
            let truth = run.truth(0);
            let place = [truth.x_m, truth.y_m, truth.heading_rad, truth.soc].map(f32::to_bits);
            seen.push((place, robot.percept, robot.command));
        }
        seen
    };
    let alone = run(&text(""));
    let together = run(&text(&robot("two", [28.0, 28.0])));
    for (tick, (alone, together)) in alone.iter().zip(&together).enumerate() {
        assert_eq!(alone, together, "tick {tick}");
    }
}

fn robot(name: &str, [x, y]: [f32; 2]) -> String {
    format!(
        "[[robot]]\nname = \"{name}\"\nbody = \"reference_simulator\"\n\
         start = {{ type = \"region\", min_m = [{x:?}, {y:?}], max_m = [{:?}, {:?}] }}\n",
        x + 1.0,
        y + 1.0
    )
}

#[test]
fn determinism_sim_01_a_snapshot_goes_on_as_the_straight_run() {
    for (scenario, before) in
        [(one_life(), 2_000), (shipped("scenarios/organism/two-robots.toml"), 700)]
    {
        let new = || Run::new(&scenario, &scenario.minds, Seed(9)).expect("a run");
        let mut straight = new();
        (0..before).for_each(|_| straight.tick());
        let snapshot = straight.snapshot();
        let hashes = |run: &mut Run| -> Vec<u64> {
            let step = |_| {
                (0..1_000).for_each(|_| run.tick());
                run.hash()
            };
            (0..10).map(step).collect()
        };
        let expected = hashes(&mut straight);
        // Into a run that never saw the first part, and back into the one that went past it.
        let mut fresh = new();
        fresh.restore(&snapshot).expect("the same world");
        assert_eq!(hashes(&mut fresh), expected, "{}", scenario.name);
        straight.restore(&snapshot).expect("the same world");
        assert_eq!(hashes(&mut straight), expected, "{}", scenario.name);
        let mut other = Run::new(&scenario, &scenario.minds, Seed(10)).expect("a run");
        let hash = other.hash();
        assert!(other.restore(&snapshot).is_err() && other.hash() == hash);
    }
}

#[test]
fn determinism_a_record_is_the_same_whether_its_run_is_traced_or_not() {
    let scenario = one_life();
    let course = Course { lives: 2, cap_ticks: 800, full_share: 0.9 };
    let record = live(&scenario, ("full", &scenario.minds), course, 5, &Silent);
    let record = record.expect("a world").expect("not cancelled");
    let mut run = Run::new(&scenario, &scenario.minds, Seed(5)).expect("a run");
    let mut clock = LifeClock::new(1, course.lives, course.cap_ticks);
    let mut hash = tropism_core::StateHash::new();
    while !clock.is_over() {
        run.tick();
        let before = run.hash();
        if !clock.after_tick(&mut run).is_empty() {
            hash.word(before);
        }
    }
    assert_eq!(format!("{:016x}", hash.value()), record.hash);
}

// Traces.

fn header(scenario: &Scenario, seed: u64, course: Course) -> Header {
    Header {
        scenario: "one-life.toml".to_owned(),
        scenario_hash: scenario_hash(scenario, &scenario.minds),
        condition: None,
        seed,
        model_version: MODEL_VERSION,
        step: (1, 20),
        lives: course.lives,
        cap_ticks: course.cap_ticks,
        has_internals: true,
        names: Vec::new(),
    }
}

/// A trace of 200 ticks in two lives, and where its first frame starts and how long a frame is.
fn traced(folder: &Path) -> (PathBuf, Scenario, usize, usize) {
    let scenario = one_life();
    let course = Course { lives: 2, cap_ticks: 100, full_share: 0.9 };
    let mut run = Run::new(&scenario, &scenario.minds, Seed(6)).expect("a run");
    let path = folder.join("life.trace");
    let mut trace =
        TraceWriter::create(&path, header(&scenario, 6, course), &run).expect("a trace");
    let mut clock = LifeClock::new(1, 2, 100);
    while !clock.is_over() {
        run.tick();
        trace.record(&run).expect("a frame");
        clock.after_tick(&mut run);
    }
    assert_eq!(trace.finish().expect("an end"), 200);
    let bytes = std::fs::read(&path).expect("the trace");
    let length = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize;
    let start = 16 + length;
    (path, scenario, start, (bytes.len() - start - 16) / 200)
}

fn verdict(path: &Path, scenario: &Scenario) -> Result<Verdict, String> {
    let mut reader = TraceReader::open(path).map_err(|e| e.to_string())?;
    replay(&mut reader, scenario, &scenario.minds, &Silent).map_err(|e| e.to_string())
}

/// The message without the folder of the test.
fn refusal(path: &Path, scenario: &Scenario) -> String {
    let error = verdict(path, scenario).expect_err("a refusal");
    let folder = path.parent().expect("a folder").display().to_string();
    error.replace(&folder, "FOLDER")
}

#[test]
fn determinism_a_record_replays_to_the_bit_and_a_flipped_bit_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, scenario, start, size) = traced(folder.path());
    let whole = Verdict::Equal { ticks: 200, ending: Ending::Whole };
    assert_eq!(verdict(&path, &scenario), Ok(whole));
    let good = std::fs::read(&path).expect("the trace");
    // In the hash of tick 0, in a value of tick 57, in the last value of tick 199.
    for (at, tick, differing) in
        [(start, 0, 0), (start + 57 * size + 8, 57, 1), (start + 200 * size - 1, 199, 1)]
    {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        std::fs::write(&path, &bytes).expect("written");
        match verdict(&path, &scenario) {
            Ok(Verdict::Differs { tick: found, values }) => {
                assert_eq!((found, values.len()), (tick, differing));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn edge_log_03_log_07_a_trace_that_was_cut_is_read_up_to_the_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, scenario, start, size) = traced(folder.path());
    let good = std::fs::read(&path).expect("the trace");
    let end = good.len();
    for (length, frames) in [
        (start, 0),
        (start + 1, 0),
        (start + size, 1),
        (start + 150 * size + 13, 150),
        (start + 200 * size, 200),
        (end - 9, 200),
        (end - 1, 200),
    ] {
        std::fs::write(&path, &good[..length]).expect("written");
        let mut reader = TraceReader::open(&path).expect("a trace");
        let mut frame = Frame::default();
        while reader.next_into(&mut frame).expect("a frame") {}
        assert_eq!((reader.frames(), reader.ending()), (frames, Some(Ending::Cut)), "{length}");
        let cut = Verdict::Equal { ticks: frames, ending: Ending::Cut };
        assert_eq!(verdict(&path, &scenario), Ok(cut), "{length}");
    }
    // A frame taken out of the middle: the number at the end tells.
    let mut bytes = good[..start + 10 * size].to_vec();
    bytes.extend_from_slice(&good[start + 200 * size..]);
    std::fs::write(&path, &bytes).expect("written");
    expect!["FOLDER/life.trace: it states 200 frames but holds 10"]
        .assert_eq(&refusal(&path, &scenario));
}

#[test]
fn edge_log_06_what_is_no_trace_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, mut scenario, ..) = traced(folder.path());
    let good = std::fs::read(&path).expect("the trace");
    let mut text = String::new();
    let mut changed = |what: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        std::fs::write(&path, &bytes).expect("written");
        let _ = writeln!(text, "{what}: {}", refusal(&path, &scenario));
    };
    changed("empty", &|b| b.clear());
    changed("short", &|b| b.truncate(15));
    changed("foreign", &|b| b[0] = b'X');
    changed("version", &|b| b[8] = 9);
    changed("huge", &|b| b[12..16].fill(0xff));
    changed("inside", &|b| b.truncate(40));
    changed("garbled", &|b| b[17] = b'!');
    expect![[r"
        empty: FOLDER/life.trace: it is no trace: shorter than its first 16 bytes
        short: FOLDER/life.trace: it is no trace: shorter than its first 16 bytes
        foreign: FOLDER/life.trace: it is no trace: it does not start with TROPISMT
        version: FOLDER/life.trace: trace format 9 is none of 1 to 2, which this reads
        huge: FOLDER/life.trace: its header claims 4294967295 bytes; 4194304 are allowed
        inside: FOLDER/life.trace: it is cut off inside its header
        garbled: FOLDER/life.trace: its header is damaged: key must be a string at line 1 column 2
    "]]
    .assert_eq(&text);
    std::fs::write(&path, &good).expect("written");
    scenario.world.robots[0].plan.battery.capacity_ah *= 0.5;
    let text = refusal(&path, &scenario);
    assert!(text.contains("it was made of scenario one-life.toml with hash "), "{text}");
    assert!(text.ends_with("it, or a file it includes, was changed since"), "{text}");
    assert!(verdict(&folder.path().join("none"), &scenario).is_err_and(|e| e.contains("open")));
    let mut minds = one_life();
    let body = minds.world.robots[0].plan.body;
    minds.minds = vec![built_in_condition("no_spatial", &body).unwrap_or(MindSpec::DoNothing)];
    assert!(refusal(&path, &minds).contains("was changed since"));
}

// Resuming.

#[derive(Default)]
struct Log {
    found: std::sync::Mutex<usize>,
    useless: std::sync::Mutex<Vec<String>>,
    done: std::sync::Mutex<usize>,
    stop_after: Option<usize>,
}

impl Progress for Log {
    fn ticks(&self, _count: u64) {}
    fn is_cancelled(&self) -> bool {
        self.stop_after.is_some_and(|n| *self.done.lock().expect("a lock") >= n)
    }
}

impl Watch for Log {
    fn planned(&self, _runs: usize, finished: usize) {
        *self.found.lock().expect("a lock") = finished;
    }
    fn useless(&self, file: &Path, why: &str) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.useless.lock().expect("a lock").push(format!("{name}: {why}"));
    }
    fn finished(&self, _record: &RunRecord) {
        *self.done.lock().expect("a lock") += 1;
    }
}

#[test]
fn determinism_an_interrupted_experiment_goes_on_and_trusts_no_foreign_file() {
    let experiment = experiment(TINY);
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = Manifest::new(&experiment, "");
    let store = Store::open(folder.path(), &manifest).expect("a store");
    let stopped = Log { stop_after: Some(1), ..Log::default() };
    assert_eq!(run_experiment(&experiment, &store, 1, &stopped).expect("no error"), None);
    let log = Log::default();
    let resumed = run_experiment(&experiment, &store, 2, &log).expect("no error");
    let expected = records(&experiment, 1);
    assert_eq!(resumed.as_ref(), Some(&expected));
    assert_eq!((*log.found.lock().expect("a lock"), *log.done.lock().expect("a lock")), (1, 3));
    // A file cut short, one of another run, one of another experiment, one that is no JSON.
    let run = |name: &str| store.path(&format!("runs/{name}.json"));
    let text = std::fs::read_to_string(run("full-1")).expect("a run");
    std::fs::write(run("full-1"), &text[..text.len() / 2]).expect("written");
    std::fs::copy(run("random_walk-1"), run("full-2")).expect("copied");
    let foreign = std::fs::read_to_string(run("random_walk-1")).expect("a run");
    let foreign = foreign.replace(&manifest.hash, "0123456789abcdef");
    std::fs::write(run("random_walk-1"), foreign).expect("written");
    std::fs::write(run("random_walk-2"), [0xff; 9]).expect("written");
    let log = Log::default();
    let again = run_experiment(&experiment, &store, 2, &log).expect("no error");
    assert_eq!(again, Some(expected));
    let useless = log.useless.lock().expect("a lock").join("\n");
    let text =
        useless.lines().map(|l| l.split(" at line").next().unwrap_or("")).collect::<Vec<_>>();
    expect![[r"
        full-1.json: it is damaged: EOF while parsing a value
        full-2.json: it holds condition random_walk, seed 1
        random_walk-1.json: it belongs to experiment 0123456789abcdef
        random_walk-2.json: it is damaged: expected value"]]
    .assert_eq(&text.join("\n"));
    assert_eq!(*log.done.lock().expect("a lock"), 4);
}

#[test]
fn edge_a_folder_of_another_experiment_is_refused() {
    let experiment = experiment(TINY);
    let folder = tempfile::tempdir().expect("a folder");
    let manifest = Manifest::new(&experiment, "");
    let store = Store::open(folder.path(), &manifest).expect("a store");
    let mut other = manifest.clone();
    other.hash = format!("{}00000000", &manifest.hash[..8]);
    let error = Store::open(folder.path(), &other).expect_err("a refusal").to_string();
    let expected = format!("it belongs to experiment {}, not {}", manifest.hash, other.hash);
    assert!(error.ends_with(&expected), "{error}");
    std::fs::write(store.path("manifest.json"), "{").expect("written");
    assert!(Store::open(folder.path(), &manifest).is_err());
}

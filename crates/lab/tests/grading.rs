//! Grades: the line follower's claims on fewer starts than the command line takes, and that a grade
//! is the same however many workers make it.
#![expect(clippy::unwrap_used, reason = "helpers of tests may stop a test")]

extern crate alloc;

use alloc::sync::Arc;

use tropism_lab::explain::{explain, read};
use tropism_lab::grade::{Grade, Outcome, TASKS, Task, describe, grade, table};
use tropism_lab::trace::{Header, Note, TraceWriter, scenario_hash};
use tropism_lab::{Run, experiment::MODEL_VERSION};
use tropism_scenario::{Document, Machine, MindSpec, Scenario, parse};

const FOLLOWER: &str = include_str!("../../../scenarios/machines/line-follow-avoid.toml");

fn machine(text: &str) -> Arc<Machine> {
    let Ok(Document::Machine(machine)) = parse("machine.toml", text, None) else {
        panic!("no machine")
    };
    machine
}

fn task(name: &str) -> Task {
    Task::named(name).unwrap().unwrap()
}

fn judge(text: &str, name: &str, count: u32) -> Grade {
    grade("machine", &MindSpec::Machine(machine(text)), &task(name), count).unwrap()
}

#[test]
fn unit_every_task_builds_and_grades() {
    for (name, _) in TASKS {
        let mut task = task(name);
        task.time_s = 0.5;
        let grade = grade("nothing", &MindSpec::DoNothing, &task, 2).unwrap();
        assert_eq!((grade.attempts.len(), table(&grade).unwrap().rows()), (2, 2), "{name}");
        assert!(describe(&grade).contains("passes when"));
    }
}

#[test]
fn paper_the_follower_never_crashes_in_the_room_and_turns_to_the_open_side() {
    // Every fifth of the headings that the command line grades with --seeds 200.
    let grade = judge(FOLLOWER, "room", 40);
    assert_eq!(grade.passed.successes, 40, "{}", describe(&grade));
    let turns: Vec<_> = grade.attempts.iter().filter_map(|a| a.first_turn).collect();
    assert!(!turns.is_empty() && turns.iter().all(|t| t.is_to_open_side));
}

#[test]
fn paper_lf_03_the_follower_keeps_the_line_for_two_minutes_and_recovers_from_every_loss() {
    let grade = judge(FOLLOWER, "track", 3);
    assert_eq!(grade.passed.successes, 3, "{}", describe(&grade));
    for attempt in &grade.attempts {
        let line = attempt.line.as_ref().unwrap();
        assert!(line.laps > 3.0 && line.max_m < 0.05, "{line:?}");
        let count = |what: &str| attempt.log.iter().filter(|l| l.contains(what)).count();
        assert!(count("FOLLOW → RECOVER: lost") > 3);
        assert!(count("FOLLOW → RECOVER").abs_diff(count("RECOVER → FOLLOW")) <= 1);
        assert_eq!(count("STOP"), 0);
    }
}

#[test]
fn unit_a_follower_that_cannot_follow_does_not_pass() {
    let blind = FOLLOWER.replace("0.35 * error", "0.0 * error").replace("0.25 * last_side", "0.0");
    let grade = judge(&blind, "track", 2);
    assert_eq!(grade.passed.successes, 0, "{}", describe(&grade));
    let straight =
        FOLLOWER.replace("below = 0.20", "below = 0.01").replace("0.5 * (near", "0.0 * (near");
    let grade = judge(&straight, "room", 2);
    assert!(grade.attempts.iter().all(|a| a.outcome == Outcome::Crashed), "{}", describe(&grade));
    assert!(grade.attempts.iter().all(|a| a.first_crash_s.is_some() && a.clearance_m < 0.005));
}

#[test]
fn determinism_a_grade_does_not_depend_on_the_workers() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut task = task("pen");
        task.time_s = 5.0;
        let mind = MindSpec::Machine(machine(FOLLOWER));
        pool.install(|| grade("machine", &mind, &task, 6).unwrap().attempts)
    };
    let one = with(1);
    assert_eq!(one, with(3));
    assert!(one.windows(2).all(|w| w[0].hash != w[1].hash), "seeded starts differ");
}

#[cfg(feature = "javascript")]
#[test]
fn unit_web_09_a_script_that_fails_ends_its_attempt_as_an_error() {
    let text = "function control(s) { if (s.t > 1) throw new Error('enough'); return { left: \
        0.2, right: 0.2 }; }";
    let mind = MindSpec::Script { path: "x.js".to_owned(), text: text.to_owned() };
    let grade = grade("x.js", &mind, &task("room"), 2).unwrap();
    for attempt in &grade.attempts {
        assert_eq!(attempt.outcome, Outcome::Error);
        assert!(attempt.message.starts_with("x.js:1:") && attempt.message.contains("enough"));
        assert!((attempt.time_s - 1.02).abs() < 0.011, "{}", attempt.time_s);
    }
}

#[cfg(feature = "javascript")]
#[test]
fn paper_the_outside_script_makes_the_same_claims_good() {
    let Some(dir) = tropism_testkit::shared_dir() else {
        eprintln!("skipped: no shared data beside this clone");
        return;
    };
    let text = std::fs::read_to_string(dir.join("data/scripts/line-follow-fsm.js")).unwrap();
    let mind = MindSpec::Script { path: "line-follow-fsm.js".to_owned(), text };
    for (name, count) in [("room", 20), ("track", 2)] {
        let grade = grade("line-follow-fsm.js", &mind, &task(name), count).unwrap();
        assert_eq!(grade.passed.successes, u64::from(count), "{}", describe(&grade));
    }
}

/// Traces a mind in a world.
fn traced(world: &str, mind: MindSpec, ticks: u64) -> (tempfile::TempDir, std::path::PathBuf) {
    let text = format!("kind = 'scenario'\nworld = '{world}'\nmind = 'do_nothing'\n");
    let Ok(Document::Scenario(scenario)) = parse("s", &text, None) else { panic!("no scenario") };
    let scenario: Scenario = scenario;
    let minds = [mind];
    let mut run = Run::new(&scenario, &minds, tropism_core::Seed(1)).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.trace");
    let header = Header {
        scenario: "s".to_owned(),
        scenario_hash: scenario_hash(&scenario, &minds),
        condition: None,
        seed: 1,
        model_version: MODEL_VERSION,
        step: (scenario.step.numerator(), scenario.step.denominator()),
        lives: 1,
        cap_ticks: ticks,
        has_internals: false,
        names: Vec::new(),
    };
    let mut trace = TraceWriter::create(&path, header, &run).unwrap();
    for _ in 0..ticks {
        run.tick();
        trace.record(&run).unwrap();
        for line in run.robots_mut()[0].mind.take_log() {
            trace.note(&Note { robot: 0, tick: line.tick, text: line.text }).unwrap();
        }
    }
    trace.finish().unwrap();
    (dir, path)
}

fn stands_out(world: &str, mind: MindSpec, ticks: u64) -> Vec<&'static str> {
    let (_dir, path) = traced(world, mind, ticks);
    explain(&read(&path).unwrap()).iter().map(|f| f.fault.name()).collect()
}

#[test]
fn unit_a_trace_holds_changes_of_state_with_their_causes_and_older_ones_are_read() {
    let (dir, path) = traced("course_track", MindSpec::Machine(machine(FOLLOWER)), 3_000);
    let story = read(&path).unwrap();
    let is_found = |text: &str| text.starts_with("SEEK → FOLLOW: ") && text.len() > 20;
    assert!(story.notes.iter().any(|(_, text)| is_found(text)), "{:?}", story.notes);
    let ticks: Vec<u64> = story.notes.iter().map(|(tick, _)| *tick).collect();
    assert!(ticks.is_sorted() && ticks.last() < Some(&3_000));
    // The first version is the same without notes.
    let mut old = Vec::new();
    let bytes = std::fs::read(&path).unwrap();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"TRACNOTE") {
            let len = u32::from_le_bytes(bytes[at + 20..at + 24].try_into().unwrap());
            at += 24 + len as usize;
        } else {
            old.push(bytes[at]);
            at += 1;
        }
    }
    old[8] = 1;
    let first = dir.path().join("first.trace");
    std::fs::write(&first, &old).unwrap();
    let read_again = read(&first).unwrap();
    assert_eq!((read_again.notes.len(), read_again.at), (0, story.at));
    old[8] = 3;
    std::fs::write(&first, &old).unwrap();
    let refused = read(&first).unwrap_err().to_string();
    assert!(refused.contains("trace format 3 is none of 1 to 2"), "{refused}");
    // Cut off inside a note, it is read up to there.
    let note = bytes.windows(8).rposition(|w| w == b"TRACNOTE").unwrap();
    std::fs::write(&first, &bytes[..note + 30]).unwrap();
    let cut = read(&first).unwrap();
    assert_eq!(cut.notes.len() + 1, story.notes.len());
}

#[test]
fn unit_a_text_map_is_a_task() {
    let text = include_str!("../../../scenarios/course/maps/comb.txt");
    let task = Task::of_map("comb.txt", text).unwrap();
    let spec = tropism_reactive::ReactiveSpec::named("bug2").unwrap();
    let done = grade("bug2", &MindSpec::Reactive(spec), &task, 3).unwrap();
    assert_eq!(done.passed.successes, 3, "{}", describe(&done));
    let refused = Task::of_map("bad.txt", "S.G\n.\n").unwrap_err().to_string();
    assert_eq!(refused, "bad.txt: 2: 1 cells in a map whose first row has 3");
}

#[test]
fn unit_explain_reads_traces_of_real_runs() {
    let follower = || MindSpec::Machine(machine(FOLLOWER));
    assert_eq!(stands_out("course_track", follower(), 6_000), Vec::<&str>::new());
    // Blind while it follows, straight ahead when the tape is lost.
    let lost = FOLLOWER.replace("0.35 * error", "0.0 * error").replace("0.25 * last_side", "0.0");
    let found = stands_out("course_track", MindSpec::Machine(machine(&lost)), 6_000);
    assert!(found.contains(&"lost line") || found.contains(&"crash"), "{found:?}");
    let straight =
        FOLLOWER.replace("below = 0.20", "below = 0.01").replace("0.5 * (near", "0.0 * (near");
    assert_eq!(stands_out("course_room", MindSpec::Machine(machine(&straight)), 6_000)[0], "crash");
}

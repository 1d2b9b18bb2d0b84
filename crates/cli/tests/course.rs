//! Goal: `grade`, `machine` and `explain` say the same words for the same input.
//! Method: the built binary is run in an empty environment on shipped files and on broken ones;
//! what it prints and its exit code are kept as text.

use core::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use expect_test::expect_file;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A command line with its exit code, standard output and standard error.
fn transcript(folder: &Path, lines: &[&str]) -> String {
    let mut text = String::new();
    for line in lines {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tropism"));
        command.args(line.split(' ')).current_dir(folder).env_clear().stdin(Stdio::null());
        let output = command.output().expect("the binary runs");
        let _ = writeln!(text, "$ tropism {line}");
        for bytes in [&output.stdout, &output.stderr] {
            text.push_str(&String::from_utf8_lossy(bytes));
        }
        let _ = writeln!(text, "exit {}\n", output.status.code().unwrap_or(-1));
    }
    text
}

#[test]
fn edge_grade_prints_its_tasks_its_measures_and_its_refusals() {
    let text = transcript(
        &project(),
        &[
            "grade bug2",
            "grade nobody --task room",
            "grade bug2 --task nowhere",
            "grade bug2 --task none.txt",
            "grade bug2 --task room --pass line",
            "grade braitenberg_3b --task room --seeds 4",
            "grade bug2 --task scenarios/course/maps/walled-in.txt --seeds 1 --at-least 0.5",
            "grade bug2 --task scenarios/course/maps/comb.txt --seeds 2 --at-least 1",
        ],
    );
    expect_file!["golden/grade.txt"].assert_eq(&text);
}

#[test]
fn edge_machine_checks_and_draws() {
    let text = transcript(
        &project(),
        &[
            "machine check scenarios/machines/line-follow-avoid.toml \
             scenarios/machines/interactive.toml",
            "machine check scenarios/machines/room.toml",
            "machine check scenarios/machines/line-follow-avoid.toml --body reference_board",
            "machine check none.toml",
            "machine mermaid scenarios/machines/interactive.toml",
            "machine dot scenarios/machines/interactive.toml",
        ],
    );
    expect_file!["golden/machine.txt"].assert_eq(&text);
}

#[test]
fn edge_explain_tells_how_a_run_ended_and_what_stands_out_with_its_notes() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("written");
    };
    let machine = project().join("scenarios/machines/line-follow-avoid.toml");
    let machine = std::fs::read_to_string(machine).expect("a machine");
    // It sees obstacles too late and steers round none.
    let blind =
        machine.replace("below = 0.20", "below = 0.01").replace("0.5 * (near", "0.0 * (near");
    assert_ne!(machine, blind);
    write("blind.toml", &blind);
    write(
        "script.js",
        "function control(s) { if (s.t > 0.995 && s.t < 1.005) console.log('a second');
        return { left: 0.5, right: 0.5 }; }\n",
    );
    let scenario = |mind: &str| {
        format!("kind = 'scenario'\nname = 's'\nworld = 'course_room'\nmind = {mind}\nseed = 1\n")
    };
    write("blind-run.toml", &scenario("'blind.toml'"));
    write("script-run.toml", &scenario("'script.js'"));
    write("garbage.trace", "no trace at all, but longer than 16 bytes");
    let text = transcript(
        folder.path(),
        &[
            "run blind-run.toml --cap 0.01 --quiet --trace blind.trace",
            "explain blind.trace",
            "run script-run.toml --cap 0.001 --quiet --trace script.trace",
            "explain script.trace",
            "replay script.trace",
            "explain garbage.trace",
            "explain none.trace",
        ],
    );
    let told = |what: &str| assert!(text.contains(what), "{what} is not in\n{text}");
    told("a second");
    told("the last of");
    told("stands out: crash");
    told("ended alive");
    assert!(!text.contains("died of"), "no battery was empty in\n{text}");
    expect_file!["golden/explain.txt"].assert_eq(&text);
}

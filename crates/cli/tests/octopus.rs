//! The octopus verbs, as a person calls them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn scenario(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/octopus").join(name)
}

fn tropism(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tropism")).args(words).output().expect("the binary runs")
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn edge_a_run_saved_half_way_and_continued_ends_like_the_whole_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let file = scenario("quarrel.json").display().to_string();
    // 8 s and twice 4 s.
    let whole = text(&tropism(&["run", &file, "--cap", "0.0022222222"]));
    let half = path("half.json");
    text(&tropism(&["run", &file, "--cap", "0.0011111111", "--save-state", &half]));
    let rest = text(&tropism(&["run", &half, "--cap", "0.0011111111"]));
    assert_eq!(whole, rest);
    assert!(whole.contains("safety releases"));
}

#[test]
fn edge_run_writes_a_trace_and_check_accepts_what_is_shipped() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace.json").display().to_string();
    let file = scenario("detour.json").display().to_string();
    let out = text(&tropism(&["run", &file, "--trace", &trace]));
    assert!(out.contains("arm 2: Holding"), "{out}");
    let written = std::fs::read_to_string(&trace).unwrap();
    assert!(written.starts_with("{\"format\":\"octopus-golden-1\""));
    for name in
        ["detour.json", "quarrel.json", "demonstration.json", "showcase.json", "two-targets.json"]
    {
        let path = scenario(name).display().to_string();
        assert!(text(&tropism(&["check", &path])).contains("a sound octopus scenario"));
    }
}

#[test]
fn edge_run_names_a_flag_that_an_octopus_has_no_use_for() {
    let file = scenario("detour.json").display().to_string();
    for (words, flag) in [
        (["--seed", "3"].as_slice(), "--seed"),
        (&["--lives", "3"], "--lives"),
        (&["--condition", "full"], "--condition"),
        (&["--report", "r.html"], "--report"),
    ] {
        let output = tropism(&[&["run", &file], words].concat());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        let expected = format!("{flag} does not apply to an octopus scene: ");
        assert!(!output.status.success() && message.contains(&expected), "{message}");
    }
}

#[test]
fn edge_trace_takes_law_events_and_spacing() {
    let file = scenario("detour.json").display().to_string();
    let words = ["octopus", "trace", &file, "--law", "reference", "--every", "600"];
    let out = text(&tropism(&words));
    // Updates 0, 1, 2, 3, 600, 1200 and 1800.
    assert_eq!(out.matches("\"seconds\":").count(), 7);
    let wrong = tropism(&["octopus", "trace", &file, "--law", "fast"]);
    let message = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(!wrong.status.success() && message.contains("reference and reach"), "{message}");
}

#[test]
fn edge_a_faulty_file_is_named_with_line_and_field() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.json");
    std::fs::write(&path, "{\"version\": 1,\n \"foot\": []}").unwrap();
    let name = path.display().to_string();
    let output = tropism(&["run", &name]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("bad.json: line 2: the key \"foot\" is unknown"), "{message}");
}

#[test]
fn edge_reach_and_bench_print_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scenes.json");
    let scenes = "{\"scenes\": {\"0\": [{\"target\": [120, 90], \"obstacles\": []}]}}";
    std::fs::write(&path, scenes).unwrap();
    let name = path.display().to_string();
    let json = text(&tropism(&["octopus", "reach", &name, "--json"]));
    assert!(json.contains("\"rows\":[{\"obstacles\":0,\"scenes\":1,\"reached\":1,"), "{json}");
    let table = text(&tropism(&["octopus", "bench", "--scenes", "2"]));
    assert_eq!(table.lines().filter(|line| line.starts_with("| ")).count(), 6, "{table}");
}

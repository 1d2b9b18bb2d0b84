//! Goal: `tropism export` says what it did and what would be right, and leaves no half file.
//! Method: the built binary traces a short life, exports it in every format, and is given what is
//! no trace, no format, no scenario and no whole file.
#![cfg(feature = "mcap")]

use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::{Expect, expect};
use tempfile::TempDir;

fn scenario() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/organism/one-life.toml")
}

/// What the command says and its exit code, in one text.
fn said(folder: &Path, arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_tropism"))
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .output()
        .expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = done.status.code().unwrap_or(-1);
    let all = format!("{}{}exit code {code}\n", text(&done.stdout), text(&done.stderr));
    all.replace("one-life.toml", "ONE_LIFE")
}

/// A folder with a trace of 180 ticks, `life.trace`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    // Named from its folder: a trace keeps the name as it was typed, files differ by its length.
    std::fs::copy(scenario(), folder.path().join("one-life.toml")).expect("copied");
    let run = ["run", "one-life.toml", "--trace", "life.trace", "--cap", "0.0025", "-q"];
    let text = said(folder.path(), &run);
    assert!(text.contains("trace: 180 ticks"), "{text}");
    folder
}

#[expect(clippy::needless_pass_by_value, reason = "as expect-test writes it")]
fn check(folder: &TempDir, arguments: &[&str], expected: Expect) {
    expected.assert_eq(&said(folder.path(), arguments));
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).expect("the folder");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("one").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn edge_a_trace_is_exported_in_every_format_and_the_next_command_is_named() {
    let folder = folder();
    check(
        &folder,
        &["export", "life.trace", "--to", "a.csv"],
        expect![[r"
        a.csv: 180 ticks, 180 rows
        taken from the trace as it is
        next: tropism export life.trace --to a.mcap
        exit code 0
    "]],
    );
    check(
        &folder,
        &["export", "life.trace", "--to", "a.table", "--format", "parquet", "--internals", "-q"],
        expect![[r"
            a.table: 180 ticks, 180 rows
            simulated again: every tick came out as in the trace
            exit code 0
        "]],
    );
    check(
        &folder,
        &["export", "life.trace", "--to", "a.mcap"],
        expect![[r"
        a.mcap: 180 ticks, 1087 messages
        simulated again: every tick came out as in the trace
        next: tropism export --check a.mcap
        exit code 0
    "]],
    );
    check(
        &folder,
        &["export", "--check", "a.mcap"],
        expect![[r"
            /log                      0  foxglove.Log (protobuf)
            /robot/command          180  tropism.Command (json)
            /robot/internals        180  tropism.Internals (json)
            /robot/percept          180  tropism.Percept (json)
            /robot/pose             182  foxglove.PoseInFrame (protobuf)
            /robot/truth            182  tropism.Truth (json)
            /scene                    1  foxglove.SceneUpdate (protobuf)
            /tf                     182  foxglove.FrameTransforms (protobuf)
            a.mcap: whole; 1087 messages, 292663 bytes, 0 s to 9 s
            exit code 0
        "]],
    );
    assert_eq!(names(&folder), ["a.csv", "a.mcap", "a.table", "life.trace", "one-life.toml"]);
}

#[test]
fn edge_a_trace_of_the_octopus_is_exported_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/octopus/detour.json");
    std::fs::copy(scene, folder.path().join("detour.json")).expect("copied");
    let trace = ["octopus", "trace", "detour.json", "--updates", "240", "--output", "t.json"];
    assert_eq!(said(folder.path(), &trace), "exit code 0\n");
    check(
        &folder,
        &["export", "t.json", "--to", "a.csv"],
        expect![[r"
        a.csv: 24 samples, 192 rows
        taken from the trace as it is
        exit code 0
    "]],
    );
    let text = said(folder.path(), &["export", "t.json", "--to", "a.mcap"]);
    assert!(text.ends_with("next: tropism export --check a.mcap\nexit code 0\n"), "{text}");
    let text = said(folder.path(), &["export", "--check", "a.mcap"]);
    assert!(text.contains("/arm_8/internals") && text.contains("a.mcap: whole;"), "{text}");
    let text = said(folder.path(), &["export", "t.json", "--to", "b.csv", "--internals"]);
    assert!(text.contains("leave --scenario and --internals away"), "{text}");
    assert_eq!(names(&folder), ["a.csv", "a.mcap", "detour.json", "t.json"]);
}

#[test]
fn edge_wrong_input_is_refused_with_what_would_be_right_and_leaves_no_file() {
    let folder = folder();
    std::fs::write(folder.path().join("octopus.json"), "{\"version\": 1}").expect("written");
    std::fs::write(folder.path().join("garbage"), "no trace at all, but long").expect("written");
    let before = names(&folder);
    check(
        &folder,
        &["export", "life.trace", "--to", "a.xlsx"],
        expect![[r"
        error: a.xlsx: its ending names no format; give .mcap, .csv or .parquet, or --format
        exit code 2
    "]],
    );
    check(
        &folder,
        &["export", "octopus.json", "--to", "a.csv"],
        expect![[r"
        error: octopus.json: it is JSON, but no trace of an octopus: `format` is missing; `tropism octopus trace SCENE.json --output TRACE.json` makes one
        exit code 2
    "]],
    );
    check(
        &folder,
        &["export", "garbage", "--to", "a.csv"],
        expect![[r"
        error: garbage: it is no trace: it does not start with TROPISMT
        exit code 2
    "]],
    );
    check(
        &folder,
        &["export", "life.trace", "--to", "a.mcap", "--scenario", "absent.toml"],
        expect![[r"
            error: life.trace: it has to be simulated again, which needs its scenario absent.toml; if it was moved, give --scenario FILE: absent.toml: cannot be read: no such file
            exit code 2
        "]],
    );
    check(
        &folder,
        &["export", "life.trace", "--to", "life.trace", "--format", "csv"],
        expect![[r"
        error: --to life.trace: it is the trace itself and would be overwritten; give --to another file name
        exit code 2
    "]],
    );
    check(
        &folder,
        &["export", "life.trace", "--to", "no/such/a.csv"],
        expect![[r"
        error: cannot write `no/such/a.csv`: No such file or directory (os error 2)
        exit code 2
    "]],
    );
    assert_eq!(names(&folder), before);
}

#[test]
fn edge_a_cut_file_is_refused_with_the_place_and_mended() {
    let folder = folder();
    said(folder.path(), &["export", "life.trace", "--to", "a.mcap"]);
    let bytes = std::fs::read(folder.path().join("a.mcap")).expect("the file");
    std::fs::write(folder.path().join("cut.mcap"), &bytes[..40_000]).expect("written");
    check(
        &folder,
        &["export", "--check", "cut.mcap"],
        expect![[r"
            cut.mcap: at byte 241: it is cut off: a record claims 79848 bytes, 39750 are left; 66 messages can be recovered
            next: tropism export --check cut.mcap --recover cut.recovered.mcap
            exit code 1
        "]],
    );
    check(
        &folder,
        &["export", "--check", "cut.mcap", "--recover", "mended.mcap"],
        expect![[r"
            cut.mcap: 40000 bytes
              at byte 241: it is cut off: a record claims 79848 bytes, 39750 are left; 19267 bytes lost
            mended.mcap: 66 messages kept, 19267 bytes lost
            next: tropism export --check mended.mcap
            exit code 0
        "]],
    );
    let text = said(folder.path(), &["export", "--check", "mended.mcap"]);
    assert!(text.contains("mended.mcap: whole"), "{text}");
}

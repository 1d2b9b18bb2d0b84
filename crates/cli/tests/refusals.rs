//! Goal: a command never writes over what it reads, refuses numbers out of range in words, and
//! ends quietly when nobody reads.
//! Method: the built binary is run on files in a temporary folder; the inputs are compared after.

use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

fn project(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn tropism(folder: &TempDir, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tropism"));
    command.args(line.split(' ')).current_dir(folder.path()).stdin(Stdio::null());
    command
}

/// Exit code and what was said on both streams.
fn said(folder: &TempDir, line: &str) -> (Option<i32>, String) {
    let output = tropism(folder, line).output().expect("the binary runs");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn edge_no_command_writes_over_what_it_reads_or_writes_one_file_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let names = ["x.toml", "x.json", "x.csv", "x.js", "x.mcap"];
    for name in names {
        std::fs::write(folder.path().join(name), b"{precious").expect("written");
    }
    let table = [
        ("feed x.csv --out x.csv", "--out"),
        ("feed x.csv --out y.csv --plot ./x.csv", "--plot"),
        ("feed x.csv --out y.csv --report y.csv", "--report"),
        ("dynamics docs x.toml --out x.toml", "--out"),
        ("dynamics blob x.toml --out x.toml", "--out"),
        ("dynamics run x.toml --trace x.toml", "--trace"),
        ("run x.toml --trace x.toml", "--trace"),
        ("run x.toml --report x.toml", "--report"),
        ("run x.toml --boris x.toml", "--boris"),
        ("run x.toml --ethogram x.toml", "--ethogram"),
        ("run x.toml --save-state x.toml", "--save-state"),
        ("run x.json --trace x.json", "--trace"),
        ("run x.toml --trace same --report same", "--report"),
        ("run x.toml --boris a.json --ethogram a.csv", "--ethogram"),
        ("octopus trace x.json --output x.json", "--output"),
        ("grade x.js --task free --parquet x.js", "--parquet"),
        ("export x.csv --to x.csv", "--to"),
        ("export --check x.mcap --recover x.mcap", "--recover"),
        ("state transfer x.json --body reference_simulator --out x.json", "--out"),
    ];
    for (line, option) in table {
        let (code, text) = said(&folder, line);
        assert_eq!(code, Some(2), "{line}: {text}");
        assert!(text.starts_with(&format!("error: {option} ")), "{line}: {text}");
        assert!(text.contains(&format!("give {option} another file name")), "{line}: {text}");
    }
    for name in names {
        let kept = std::fs::read(folder.path().join(name)).expect("read");
        assert_eq!(kept, b"{precious", "{name}");
    }
}

#[test]
fn edge_numbers_out_of_range_are_refused_with_the_range() {
    let folder = tempfile::tempdir().expect("a folder");
    let network = project("scenarios/dynamics/rest.toml");
    std::fs::copy(network, folder.path().join("network.toml")).expect("copied");
    let table = [
        ("dynamics run network.toml --seconds nan", "--seconds is 0 to 1000000 s, not NaN"),
        ("dynamics run network.toml --seconds inf", "--seconds is 0 to 1000000 s, not inf"),
        ("dynamics run network.toml --seconds -1", "--seconds is 0 to 1000000 s, not -1"),
        ("dynamics compare network.toml --seconds nan", "--seconds is 0 to 1000000 s, not NaN"),
        ("run x.toml --lives 0", "--lives is 1 to 10000"),
        ("run x.toml --seed -1", "invalid value '-1' for '--seed <SEED>'"),
        ("octopus bench --scenes 0", "--scenes is 1 to 1000000"),
        ("octopus bench --seed -1", "invalid value '-1' for '--seed <SEED>'"),
        ("experiment x.toml -j 0", "--jobs is 1 or more"),
        ("experiment x.toml --seeds -1", "invalid value '-1' for '--seeds <N>'"),
    ];
    for (line, expected) in table {
        let (code, text) = said(&folder, line);
        assert!(code == Some(2) && text.contains(expected), "{line}: {text}");
    }
    let life = project("scenarios/organism/one-life.toml");
    let (code, text) = said(&folder, &format!("run {} --cap -1", life.display()));
    assert!(code == Some(2) && text.contains("--cap is above 0 hours"), "{text}");
}

#[test]
fn edge_the_trace_of_an_octopus_is_not_replayed_but_exported() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("o.json"), b"{\"version\": 1}").expect("written");
    for verb in ["replay", "explain"] {
        let (code, text) = said(&folder, &format!("{verb} o.json"));
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains("cannot be replayed or explained; `tropism export o.json"), "{text}");
    }
}

#[test]
fn edge_a_reader_that_goes_away_ends_the_command_quietly() {
    let folder = tempfile::tempdir().expect("a folder");
    for line in ["list", "check absent.toml"] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = tropism(&folder, line).stdout(writer).output().expect("the binary runs");
        assert_eq!(output.stderr, b"", "{line}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(141), "{line}");
    }
}

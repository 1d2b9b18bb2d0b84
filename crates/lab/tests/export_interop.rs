//! Goal: a file is what other programs take it for.
//! Method: the public Python packages read a file, decode every message, check JSON against its
//! schema, and their counts are compared with ours. `cargo xtask interop` installs the packages
//! where this test looks for them; without them it says that it is skipped.
#![cfg(feature = "mcap")]

mod exporting;

use std::path::{Path, PathBuf};
use std::process::Command;

use exporting::{hall, trace};
use tropism_lab::export::mcap::{check, recover, trace as to_mcap};
use tropism_lab::life::Silent;
use tropism_lab::trace::TraceReader;

/// A Python that has the packages.
fn python() -> Option<PathBuf> {
    let ours = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interop/bin/python");
    let has_all = |python: &PathBuf| {
        let import = ["-c", "import mcap, mcap_protobuf, jsonschema"];
        Command::new(python).args(import).output().is_ok_and(|done| done.status.success())
    };
    [ours, PathBuf::from("python3")].into_iter().find(has_all)
}

fn read_in_python(python: &Path, file: &Path) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interop.py");
    let done = Command::new(python).arg(script).arg(file).output().expect("python runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{}: {said}", file.display());
    String::from_utf8(done.stdout).expect("text")
}

fn counts(file: &Path) -> String {
    let topics = check(file).expect("whole").topics;
    let lines = topics.iter().filter(|t| t.messages > 0);
    lines.fold(String::new(), |text, t| text + &format!("{} {}\n", t.name, t.messages))
}

#[test]
fn edge_python_decodes_every_message_and_counts_the_same() {
    let Some(python) = python() else {
        eprintln!("skipped: no Python with mcap, mcap-protobuf-support and jsonschema; run");
        eprintln!("`cargo xtask interop`, which installs them under target/ and runs this");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let scenario = hall();
    let path = trace(folder.path(), &scenario, 120, true);
    let reader = TraceReader::open(&path).expect("a trace");
    let file = folder.path().join("a.mcap");
    to_mcap(reader, (&scenario, &scenario.minds), &file, &Silent).expect("a file");
    let said = read_in_python(&python, &file);
    assert_eq!(said, counts(&file));
    assert_eq!(said.lines().count(), 3 + 4 * 5 + 2, "{said}");
    // What was mended is as readable as what was whole.
    let bytes = std::fs::read(&file).expect("the file");
    let (cut, mended) = (folder.path().join("cut.mcap"), folder.path().join("mended.mcap"));
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).expect("written");
    recover(&cut, &mended).expect("half of it");
    assert_eq!(read_in_python(&python, &mended), counts(&mended));
    eprintln!("read by {}", python.display());
}

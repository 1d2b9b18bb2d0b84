//! Goal: no text makes the reader panic. Method: a fixed budget of random changes to the shipped
//! files; whatever is accepted must be sound enough to build a world, a check and a mind from.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tropism_core::Seed;
use tropism_scenario::{Document, check, parse};
use tropism_world::World;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn shipped() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for folder in ["bodies", "worlds", "scenarios/organism"] {
        let folder = root().join(folder);
        let mut names: Vec<PathBuf> =
            std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
        names.sort();
        for name in names {
            files.push((folder.clone(), std::fs::read_to_string(name).unwrap()));
        }
    }
    files
}

const PIECES: [&str; 24] = [
    "nan",
    "inf",
    "-1",
    "0",
    "1e39",
    "-1e-45",
    "99999999999999999999",
    "true",
    "\"\"",
    "[]",
    "{}",
    "[[1, 2], [3]]",
    "[station]",
    "[[station]]",
    "type = 3",
    "\u{1f980}",
    "\"a/b.toml\"",
    "\0",
    "= ",
    "\n",
    "1979-05-27",
    "0x_",
    "'full'",
    "{ first = 18446744073709551615, count = 2 }",
];

#[derive(Clone, Debug)]
enum Change {
    Delete(usize, usize),
    Insert(usize, usize),
    ReplaceValue(usize, usize),
    SwapLines(usize, usize),
    RepeatLine(usize),
    Cut(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let at = 0..100_000_usize;
    prop_oneof![
        (at.clone(), 1..40_usize).prop_map(|(a, n)| Change::Delete(a, n)),
        (at.clone(), 0..PIECES.len()).prop_map(|(a, p)| Change::Insert(a, p)),
        (at.clone(), 0..PIECES.len()).prop_map(|(a, p)| Change::ReplaceValue(a, p)),
        (at.clone(), at.clone()).prop_map(|(a, b)| Change::SwapLines(a, b)),
        at.clone().prop_map(Change::RepeatLine),
        at.prop_map(Change::Cut),
    ]
}

fn apply(text: &str, change: &Change) -> String {
    let chars: Vec<char> = text.chars().collect();
    let lines: Vec<&str> = text.lines().collect();
    if chars.is_empty() || lines.is_empty() {
        return String::from("\n");
    }
    let joined = |lines: Vec<&str>| lines.join("\n") + "\n";
    match *change {
        Change::Delete(at, n) => {
            let at = at % chars.len();
            chars[..at].iter().chain(&chars[(at + n).min(chars.len())..]).collect()
        }
        Change::Insert(at, piece) => {
            let (before, after) = chars.split_at(at % chars.len());
            let (before, after): (String, String) =
                (before.iter().collect(), after.iter().collect());
            before + PIECES[piece] + &after
        }
        Change::ReplaceValue(at, piece) => {
            let at = at % lines.len();
            let key = lines[at].split('=').next().unwrap_or("");
            let line = format!("{key}= {}", PIECES[piece]);
            let mut lines: Vec<&str> = lines;
            lines[at] = &line;
            joined(lines)
        }
        Change::SwapLines(a, b) => {
            let mut lines = lines;
            let n = lines.len();
            lines.swap(a % n, b % n);
            joined(lines)
        }
        Change::RepeatLine(at) => {
            let mut lines = lines;
            let at = at % lines.len();
            lines.insert(at, lines[at]);
            joined(lines)
        }
        Change::Cut(at) => chars[..at % chars.len()].iter().collect(),
    }
}

/// Whatever is accepted can be used.
fn use_it(document: &Document) {
    let _ = check(document);
    let scenario = match document {
        Document::Scenario(scenario) => scenario,
        Document::Experiment(experiment) => {
            assert!(!experiment.conditions.is_empty() && !experiment.seeds.is_empty());
            &experiment.scenario
        }
        _ => return,
    };
    assert_eq!(scenario.world.robots.len(), scenario.minds.len());
    World::new(&scenario.world, Seed(scenario.seed.unwrap_or(0))).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 3000,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(20_261),
        ..ProptestConfig::default()
    })]

    #[test]
    fn prop_no_change_to_a_shipped_file_makes_the_reader_panic(
        file in 0..1000_usize,
        changes in proptest::collection::vec(change(), 1..6),
    ) {
        let files = shipped();
        let (folder, text) = &files[file % files.len()];
        let text = changes.iter().fold(text.clone(), |text, change| apply(&text, change));
        match parse("fuzz.toml", &text, Some(folder)) {
            Ok(document) => use_it(&document),
            Err(error) => {
                prop_assert!(!error.faults().is_empty());
                let lines = text.matches('\n').count() + 1;
                for fault in error.faults() {
                    prop_assert!(fault.file != "fuzz.toml" || fault.line <= lines);
                }
            }
        }
    }

    #[test]
    fn prop_no_text_at_all_makes_the_reader_panic(text in "(kind|world|=|\\[|\\]|'|\"|\n|[a-z_.0-9]| ){0,80}") {
        let _ = parse("fuzz.toml", &text, None);
    }
}

//! Goal: no text makes the reader panic, and what it accepts can be run. Method: a fixed budget of
//! random changes to the shipped files; whatever is accepted is checked, built, and run for two
//! seconds at full command, with every robot inside its room and every value finite.

#![expect(clippy::unwrap_used, reason = "in a test, a failed helper is a failed test")]

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tropism_body::SensorBank;
use tropism_core::Seed;
use tropism_scenario::textmap::TextMap;
use tropism_scenario::{Document, check, parse};
use tropism_world::{World, WorldSpec};

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

const FACTORS: [f32; 8] = [-1.0, 0.0, 0.1, 0.5, 2.0, 3.0, 10.0, 1e3];

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
        Document::World(world) => return run(world, 0),
        _ => return,
    };
    assert_eq!(scenario.world.robots.len(), scenario.minds.len());
    run(&scenario.world, scenario.seed.unwrap_or(0));
}

/// Two seconds at full command.
fn run(spec: &WorldSpec, seed: u64) {
    let mut world = World::new(spec, Seed(seed)).unwrap();
    let mut banks: Vec<SensorBank> =
        spec.robots.iter().map(|robot| SensorBank::new(&robot.plan.body, spec.step)).collect();
    let values: Vec<Vec<f32>> = spec
        .robots
        .iter()
        .map(|robot| robot.plan.body.actuators.iter().map(|a| a.max).collect())
        .collect();
    let commands: Vec<&[f32]> = values.iter().map(Vec::as_slice).collect();
    for _ in 0..spec.step.ticks_in(2.0).min(200) {
        for (robot, bank) in banks.iter_mut().enumerate() {
            world.sense(robot, bank);
            for channel in 0..bank.count() {
                let value = bank.reading(channel, world.tick()).value();
                assert!(value.is_none_or(f32::is_finite));
            }
        }
        world.step(&commands);
        for robot in 0..world.robots() {
            let truth = world.truth(robot);
            let values = [truth.x_m, truth.y_m, truth.heading_rad, truth.soc];
            assert!(values.into_iter().all(f32::is_finite), "{truth:?}");
            let slack = 1e-3;
            assert!(truth.x_m >= spec.room.min.x - slack && truth.x_m <= spec.room.max.x + slack);
            assert!(truth.y_m >= spec.room.min.y - slack && truth.y_m <= spec.room.max.y + slack);
        }
    }
}

/// The text with some of its numbers multiplied, so that most of it stays well formed.
fn with_other_numbers(text: &str, changes: &[(usize, f32)]) -> String {
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let mut words: Vec<String> = Vec::new();
    let mut was_number = false;
    for c in text.chars() {
        // Digits inside a name are no number.
        let follows_name =
            words.last().is_some_and(|w| w.ends_with(|p: char| p == '_' || p.is_alphabetic()));
        let is_number = is_part(c) && (was_number || !follows_name);
        match words.last_mut() {
            Some(word) if is_number == was_number => word.push(c),
            _ => words.push(c.to_string()),
        }
        was_number = is_number;
    }
    let numbers: Vec<usize> =
        (0..words.len()).filter(|i| words[*i].parse::<f32>().is_ok()).collect();
    if numbers.is_empty() {
        return text.to_owned();
    }
    for (at, factor) in changes {
        let word = &mut words[numbers[at % numbers.len()]];
        let value: f32 = word.parse().unwrap_or(0.0);
        *word = format!("{}", value * factor);
    }
    words.concat()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500,
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
    fn prop_other_numbers_are_refused_or_can_be_run(
        file in 0..1000_usize,
        changes in proptest::collection::vec(
            (0..1000_usize, proptest::sample::select(FACTORS.to_vec())),
            1..4,
        ),
    ) {
        let files = shipped();
        let (folder, text) = &files[file % files.len()];
        match parse("fuzz.toml", &with_other_numbers(text, &changes), Some(folder)) {
            Ok(document) => use_it(&document),
            Err(error) => prop_assert!(!error.faults().is_empty()),
        }
    }

    #[test]
    fn prop_text_maps_of_any_kind_are_refused_or_hold_every_wall_once(
        rows in proptest::collection::vec("[#. SGx\\r]{0,12}", 0..10),
        cell_m in prop_oneof![Just(0.1_f32), Just(f32::NAN), Just(-1.0), 1e-3_f32..3.0],
    ) {
        let text = rows.join("\n");
        if let Ok(map) = TextMap::parse(&text) {
            let covered: usize = map.boxes().iter().map(|(_, _, wide, high)| wide * high).sum();
            let walls = text.chars().filter(|c| *c == '#').count();
            prop_assert_eq!(covered, walls);
            if let Ok(spec) = map.world(cell_m, &tropism_world::plans::course_robot()) {
                run(&spec, 1);
            }
        }
    }

    #[test]
    fn prop_no_text_at_all_makes_the_reader_panic(
        text in "(kind|world|=|\\[|\\]|'|\"|\n|[a-z_.0-9]| ){0,80}",
    ) {
        let _ = parse("fuzz.toml", &text, None);
    }
}

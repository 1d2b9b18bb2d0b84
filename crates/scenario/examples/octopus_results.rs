//! Writes the reach tables of `bench/results/`: recorded scenes, fresh scenes, slow joints.
//!
//! `cargo run --release -p tropism-scenario --example octopus_results -- FOLDER [SCENES.json]`

use std::path::Path;

use tropism_scenario::octopus::scenes::{generate, parse};
use tropism_scenario::octopus::verbs::{BENCH_OBSTACLES, ReachOptions, reach_csv, reach_rows};

/// The set the law was tuned on is seed 1; the claims are made on these: seed, scenes per row.
const FRESH: [(u64, u32); 2] = [(2, 100), (3, 500)];

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let folder = Path::new(words.first().map_or(".", String::as_str));
    let compares = ReachOptions { compares: true, ..ReachOptions::default() };
    let mut text = String::new();
    if let Some(file) = words.get(1) {
        let rows = parse(&std::fs::read(file)?).expect("a file of reach scenes");
        text += &reach_csv(None, &reach_rows(&rows, &compares));
    }
    for (seed, scenes) in FRESH {
        let rows = reach_rows(&generate(seed, &BENCH_OBSTACLES, scenes), &compares);
        let part = reach_csv(Some(seed), &rows);
        let skip = if text.is_empty() { 0 } else { part.find('\n').map_or(0, |at| at + 1) };
        text += &part[skip..];
    }
    std::fs::write(folder.join("octopus-reach.csv"), text)?;
    let slow = ReachOptions { turning_speed: 30.0_f64.to_radians(), ..compares };
    let rows = reach_rows(&generate(2, &[0], 1000), &slow);
    std::fs::write(folder.join("octopus-reach-30-degrees.csv"), reach_csv(Some(2), &rows))
}

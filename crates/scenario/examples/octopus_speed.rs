//! Runs a benchmark scene for a number of ticks and prints the hash of its end.
//!
//! `octopus_speed SCENE LAW TICKS`, for counting instructions from outside.

#![expect(clippy::print_stdout, reason = "the hash is its output")]

use tropism_octopus::LawKind;
use tropism_scenario::octopus::bench::{BenchRun, BenchScene};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [scene, law, ticks] = words.as_slice() else {
        panic!("octopus_speed SCENE LAW TICKS");
    };
    let scene = BenchScene::of(scene).expect("four, eight or large");
    let law = if law == "reference" { LawKind::Reference } else { LawKind::Reach };
    let mut run = BenchRun::new(scene, law).expect("a scene");
    for _ in 0..ticks.parse().expect("a number of ticks") {
        run.step();
    }
    println!("{:016x}", run.octopus().state_hash());
}

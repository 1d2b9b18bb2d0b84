//! Runs a specification and the baselines over seeded courses: `contest SPEC FIRST COUNT DT_MS`.
#![allow(clippy::print_stdout, reason = "an example prints")]
use tropism_dynamics::Integrator;
use tropism_dynamics_lab::contest::{Contestant, Summary, runs};
use tropism_dynamics_spec::{Options, compile_text, read::time_step};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).expect("a readable file");
    let (first, count): (u32, u32) = (args[2].parse().unwrap(), args[3].parse().unwrap());
    let step = time_step(&format!("{}ms", args[4])).unwrap();
    let dt = f64::from(step.numerator()) / f64::from(step.denominator());
    let integrator = args.get(5).map(|_| Integrator::Paper);
    let options =
        Options { step: Some(step), integrator, may_be_unstable: true, ..Options::default() };
    let compiled = compile_text(&args[1], &text, options).unwrap_or_else(|e| panic!("{e}"));
    for (name, contestant) in [
        ("network", Contestant::Network(&compiled)),
        ("attractor", Contestant::Attractor),
        ("potential", Contestant::Potential),
    ] {
        println!("{name:10} {:?}", Summary::of(&runs(contestant, first, count, dt)));
    }
}

//! Work to be counted by valgrind: `cost aligned|ruler TICKS` or `cost taxis32|taxis64 TIMES`.
//!
//! Prints a number that depends on the work, so that none of it is left out.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::hint::black_box;
use tropism_dynamics::eval::evaluate;
use tropism_dynamics::{Phase, Real};
use tropism_dynamics_lab::load::Load;
use tropism_dynamics_spec::spec::{Actuator, Behaviour, Layer, Reading};
use tropism_dynamics_spec::{Options, Spec, compile};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let count: u64 = args.get(2).and_then(|c| c.parse().ok()).unwrap_or(1);
    match args.get(1).map(String::as_str) {
        Some("aligned") => ticks(Phase::Aligned, count),
        Some("ruler") => ticks(Phase::Ruler, count),
        Some("taxis32") => expression::<f32>(count),
        Some("taxis64") => expression::<f64>(count),
        _ => println!("cost aligned|ruler|taxis32|taxis64 COUNT"),
    }
}

fn ticks(phase: Phase, count: u64) {
    let mut network = Load::STATED.compiled(phase).network::<f32>();
    for tick in 0..count {
        network.tick(black_box(&[(tick % 7) as f32 / 7.0]), &[1.0, 0.5]);
    }
    println!("{:016x}", network.hash());
}

/// The taxis expression of the cost statement, evaluated as a target is.
fn expression<R: Real>(count: u64) {
    let go = Behaviour::named("go", "1").user("m", "(1 - alpha.go)/0.1s");
    let go = go.target("v", "0.8*min(1, d/0.45)*max(0, cos(p))^2", "10");
    let layer = Layer::named("L0")
        .reading(Reading::named("d", "1").within("0", "9"))
        .reading(Reading::named("p", "1").within("-3", "3"))
        .actuator(Actuator::named("v", "1").holding());
    let spec = Spec::new("taxis", tropism_core::TimeStep::TWENTIETH).mode("m");
    let spec = spec.layer(layer.behaviour(go));
    let compiled =
        compile(&spec, "taxis", "", Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut values: Vec<R> = compiled.image.iter().map(|v| R::of(*v)).collect();
    // The target's expression is the last one in the code.
    let ends = compiled.code.iter().rposition(|i| i.op == tropism_dynamics::Op::First);
    let (start, first) = (ends.unwrap_or(0), usize::from(compiled.header.first_reading));
    let mut sum = R::ZERO;
    for n in 0..count {
        values[first] = R::of((n % 16) as f64 / 10.0);
        values[first + 1] = R::of((n % 11) as f64 / 4.0 - 1.25);
        sum = sum + evaluate(black_box(&compiled.code), start, black_box(&values));
    }
    println!("{sum:?}");
}

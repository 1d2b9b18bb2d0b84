//! Three layers with factor 2 against an independent script (`data/toy.py`).
//!
//! Goal: the runtime computes the seed's difference equations. Method: 10,000 ticks with inputs
//! both sides make from the tick number; every 25th row is compared, and the sum over all rows.
#![expect(clippy::unwrap_used, reason = "a helper of tests may stop the test")]

use tropism_dynamics::{Integrator, Real};
use tropism_dynamics_spec::{Options, compile_text};

const SPEC: &str = include_str!("data/toy.toml");

fn inputs(tick: u32) -> ([f64; 2], [f64; 2]) {
    let switched = |every: u32, cycle: u32| !(tick / every).is_multiple_of(cycle);
    let r0 = f64::from(tick * 37 % 101) / 50.0 - 1.0;
    let offset = if switched(700, 2) { 0.5 } else { -0.3 };
    let r1 = f64::from(tick * 53 % 89) / 44.0 - 1.0 + offset;
    let half = if switched(450, 2) { 0.5 } else { 0.0 };
    ([r0, r1], [f64::from(u8::from(switched(1000, 3))), half])
}

/// Largest difference to the table, over all stored rows and over the sums per tick.
fn difference<R: Real>(integrator: Integrator, table: &str) -> f64 {
    let options = Options { integrator: Some(integrator), ..Options::default() };
    let compiled = compile_text("toy.toml", SPEC, options).unwrap_or_else(|e| panic!("{e}"));
    let mut network = compiled.network::<R>();
    let names = [
        "L0.p", "L0.q", "L0.turn", "L1.m", "L1.n", "L2.mm", "L0.b0", "L0.b1", "L1.c0", "L1.c1",
        "L2.d0", "L0.a", "L0.dir", "L1.h", "L2.g",
    ];
    let slots = names.map(|n| compiled.slot(n).unwrap());
    let mut rows = table.lines().skip(1);
    let (mut sums, mut worst) = ([0.0; 15], 0.0_f64);
    let mut compare = |row: &str, values: &[f64], scale: f64| {
        let expected: Vec<f64> = row.split(',').skip(1).map(|c| c.parse().unwrap()).collect();
        assert_eq!(expected.len(), values.len());
        for (value, expected) in values.iter().zip(expected) {
            worst = worst.max((value - expected).abs() / scale);
        }
    };
    for tick in 0..10_000 {
        let (readings, modes) = inputs(tick);
        network.tick(&readings.map(R::of), &modes.map(R::of));
        let values = slots.map(|s| network.value(s).widen());
        sums.iter_mut().zip(values).for_each(|(s, v)| *s += v);
        if tick.is_multiple_of(25) {
            compare(rows.next().unwrap(), &values, 1.0);
        }
    }
    compare(rows.next().unwrap(), &sums, 10_000.0);
    assert_eq!(network.faults(), 0);
    worst
}

#[test]
fn golden_toy_network_equals_the_script_in_double_precision() {
    let paper = difference::<f64>(Integrator::Paper, include_str!("data/toy_paper.csv"));
    let exact = difference::<f64>(Integrator::Exact, include_str!("data/toy_exact.csv"));
    eprintln!("largest difference: paper {paper:.1e}, exact {exact:.1e}");
    assert!(paper <= 1e-12 && exact <= 1e-12, "{paper:e} {exact:e}");
}

#[test]
fn golden_toy_network_equals_the_script_in_single_precision() {
    let paper = difference::<f32>(Integrator::Paper, include_str!("data/toy_paper.csv"));
    let exact = difference::<f32>(Integrator::Exact, include_str!("data/toy_exact.csv"));
    eprintln!("largest difference: paper {paper:.1e}, exact {exact:.1e}");
    assert!(paper <= 1e-4 && exact <= 1e-4, "{paper:e} {exact:e}");
}

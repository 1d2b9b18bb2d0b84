//! Instructions, counted and not timed.

use crate::Figure;
use core::hint::black_box;
use std::process::Command;
use tropism_dynamics::eval::evaluate;
use tropism_dynamics::{Op, Phase, Real};
use tropism_dynamics_lab::load::Load;
use tropism_dynamics_spec::spec::{Actuator, Behaviour, Layer, Reading};
use tropism_dynamics_spec::{Compiled, Options, Spec, compile};

/// Work to be counted; prints something that depends on all of it.
pub(crate) fn work(kind: &str, count: u64) {
    match kind {
        "aligned" => ticks(Phase::Aligned, count),
        "ruler" => ticks(Phase::Ruler, count),
        "taxis32" => expression::<f32>(count, true),
        "empty32" => expression::<f32>(count, false),
        "taxis64" => expression::<f64>(count, true),
        "empty64" => expression::<f64>(count, false),
        other => println!("no work named {other}"),
    }
}

fn ticks(phase: Phase, count: u64) {
    let mut network = Load::STATED.compiled(phase).network::<f32>();
    for tick in 0..count {
        network.tick(black_box(&[(tick % 7) as f32 / 7.0]), &[1.0, 0.5]);
    }
    println!("{:016x}", network.hash());
}

/// The taxis expression 0.8·min(1, d/0.45)·max(0, cos p)².
fn taxis() -> Compiled {
    let go = Behaviour::named("go", "1").user("m", "(1 - alpha.go)/0.1s");
    let go = go.target("v", "0.8*min(1, d/0.45)*max(0, cos(p))^2", "10");
    let layer = Layer::named("L0")
        .reading(Reading::named("d", "1").within("0", "9"))
        .reading(Reading::named("p", "1").within("-3", "3"))
        .actuator(Actuator::named("v", "1").holding());
    let spec = Spec::new("taxis", tropism_core::TimeStep::TWENTIETH).mode("m");
    let compiled = compile(&spec.layer(layer.behaviour(go)), "taxis", "", Options::default());
    compiled.unwrap_or_else(|refused| panic!("{refused}"))
}

/// The expression over changing inputs, or the same loop without it.
fn expression<R: Real>(count: u64, is_evaluated: bool) {
    let compiled = taxis();
    let mut values: Vec<R> = compiled.image.iter().map(|v| R::of(*v)).collect();
    let begins = compiled.code.iter().rposition(|i| i.op == Op::First);
    let (start, first) = (begins.unwrap_or(0), usize::from(compiled.header.first_reading));
    let mut sum = R::ZERO;
    for n in 0..count {
        values[first] = R::of((n % 16) as f64 / 10.0);
        values[first + 1] = R::of((n % 11) as f64 / 4.0 - 1.25);
        let (code, values) = (black_box(&compiled.code), black_box(&values));
        sum = sum + if is_evaluated { evaluate(code, start, values) } else { values[first] };
    }
    println!("{sum:?}");
}

/// Instructions of this program doing some work.
fn count(kind: &str, times: u64) -> Option<f64> {
    let program = std::env::current_exe().ok()?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(["work", kind, &times.to_string()])
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let (_, after) = text.split_once("Collected : ")?;
    after.split_whitespace().next()?.parse().ok()
}

fn slope(kind: &str, from: u64, to: u64) -> Option<f64> {
    Some((count(kind, to)? - count(kind, from)?) / (to - from) as f64)
}

/// The 128 ticks after which the load network's schedule repeats.
const CYCLE: u64 = 128;

pub(crate) fn figures() -> Vec<Figure> {
    measured().unwrap_or_else(|| {
        println!("skipped: instruction counts need valgrind");
        Vec::new()
    })
}

fn measured() -> Option<Vec<Figure>> {
    let expression = |taxis: &str, empty: &str| {
        Some(slope(taxis, 1_000, 11_000)? - slope(empty, 1_000, 11_000)?)
    };
    let tick = |kind: &str, at: u64| slope(kind, 2 * CYCLE + at, 2 * CYCLE + at + 1);
    let aligned = tick("aligned", 0)?;
    // All layers meet nowhere; every tick of a sample with each layer in it is looked at.
    let sample = (0..9).chain([16, 32, 64, 127]);
    let ruler = sample.map(|at| tick("ruler", at)).collect::<Option<Vec<_>>>()?;
    let ruler = ruler.into_iter().fold(0.0, f64::max);
    let mean = slope("aligned", 2 * CYCLE, 6 * CYCLE)?;
    Some(vec![
        Figure::plain(
            "cost: taxis expression f32 instructions",
            expression("taxis32", "empty32")?,
            "<= 250",
        ),
        Figure::plain(
            "cost: taxis expression f64 instructions",
            expression("taxis64", "empty64")?,
            "<= 250",
        ),
        Figure::plain("cost: worst aligned tick instructions", aligned, ""),
        Figure::plain("cost: worst ruler tick instructions", ruler, ""),
        Figure::plain("cost: worst ruler over worst aligned", ruler / aligned, "<= 0.30"),
        Figure::plain("cost: mean tick over full update", mean / aligned, "<= 0.27"),
    ])
}

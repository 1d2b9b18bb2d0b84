//! The contest on obstacle courses, and why the prototype was slower.

use crate::Figure;
use tropism_core::TimeStep;
use tropism_dynamics::Integrator;
use tropism_dynamics_lab::contest::{Contestant, Summary, runs};
use tropism_dynamics_lab::course::{Outcome, Run};
use tropism_dynamics_spec::{Compiled, Options, compile_text};
use tropism_ethology::statistics::{
    BOOTSTRAP, compare_paired, median, percentile_interval, resample, wilson,
};

const SPEC: &str = include_str!("../../../scenarios/dynamics/course.toml");
const FIRST: u32 = 1000;
const COUNT: u32 = 200;

fn compiled(text: &str, (n, d): (u32, u32), integrator: Integrator) -> Compiled {
    let options = Options {
        step: TimeStep::new(n, d).ok(),
        integrator: Some(integrator),
        may_be_unstable: true,
        ..Options::default()
    };
    compile_text("course.toml", text, options).unwrap_or_else(|refused| panic!("{refused}"))
}

pub(crate) fn figures() -> Vec<Figure> {
    let network = compiled(SPEC, (1, 50), Integrator::Exact);
    let network = runs(Contestant::Network(&network), FIRST, COUNT, 0.02);
    let attractor = runs(Contestant::Attractor, FIRST, COUNT, 0.02);
    let potential = runs(Contestant::Potential, FIRST, COUNT, 0.02);
    let mut found = Vec::new();
    let reached = [">= 0.97", "", "<= half of network"];
    let collided = ["<= 0.01", "", ""];
    let named = [("network", &network), ("attractor", &attractor), ("potential", &potential)];
    for (at, (name, runs)) in named.into_iter().enumerate() {
        let summary = Summary::of(runs);
        found.push(rate(&format!("courses: {name} reached"), summary.reached, reached[at]));
        found.push(rate(&format!("courses: {name} collided"), summary.collided, collided[at]));
        let name = |what: &str| format!("courses: {name} median {what}");
        found.push(Figure::plain(&name("time s"), summary.time, ""));
        found.push(Figure::plain(&name("path m"), summary.path, ""));
        let bar = if at == 0 { ">= 0.05" } else { "" };
        found.push(Figure::plain(&name("clearance m"), summary.clearance, bar));
    }
    found.extend(paired(&network, &attractor));
    found.extend(coarse());
    found.extend(ablation(&attractor));
    found
}

fn rate(name: &str, count: usize, bar: &'static str) -> Figure {
    let rate = wilson(count as u64, u64::from(COUNT));
    let interval = rate.map(|r| (r.interval.low, r.interval.high));
    Figure { name: name.to_owned(), value: count as f64 / f64::from(COUNT), interval, bar }
}

/// Network minus attractor dynamics over the same courses.
fn paired(network: &[Run], attractor: &[Run]) -> Vec<Figure> {
    let values = |runs: &[Run], value: fn(&Run) -> f64| -> Vec<(u64, f64)> {
        runs.iter().enumerate().map(|(seed, run)| (seed as u64, value(run))).collect()
    };
    let difference = |name: &str, value: fn(&Run) -> f64, bar| {
        let paired = compare_paired(&values(attractor, value), &values(network, value), BOOTSTRAP);
        let (mean, interval) =
            paired.map_or((f64::NAN, None), |p| (p.mean, p.interval.map(|i| (i.low, i.high))));
        Figure { name: format!("paired with attractor: {name}"), value: mean, interval, bar }
    };
    let collided = |r: &Run| f64::from(u8::from(r.outcome == Outcome::Collided));
    vec![
        difference("collisions", collided, "interval includes or beats 0"),
        difference("clearance m", |r| r.clearance, ""),
        ratio("paired with attractor: ratio of median times", network, attractor, "<= 1.05"),
    ]
}

/// Median time of one over that of the other, over courses both reached, resampled by course.
fn ratio(name: &str, one: &[Run], other: &[Run], bar: &'static str) -> Figure {
    let both: Vec<(f64, f64)> = one
        .iter()
        .zip(other)
        .filter(|(a, b)| a.outcome == Outcome::Reached && b.outcome == Outcome::Reached)
        .map(|(a, b)| (a.time, b.time))
        .collect();
    let of = |indices: &[usize]| {
        let a: Vec<f64> = indices.iter().map(|i| both[*i].0).collect();
        let b: Vec<f64> = indices.iter().map(|i| both[*i].1).collect();
        Some(median(&a)? / median(&b)?)
    };
    let all: Vec<usize> = (0..both.len()).collect();
    let interval = percentile_interval(&resample(both.len(), BOOTSTRAP, of));
    let interval = interval.map(|i| (i.low, i.high));
    Figure { name: name.to_owned(), value: of(&all).unwrap_or(f64::NAN), interval, bar }
}

/// A period of 80 ms, four times too long for the difference equations.
fn coarse() -> Vec<Figure> {
    let run = |integrator| {
        let network = compiled(SPEC, (2, 25), integrator);
        Summary::of(&runs(Contestant::Network(&network), FIRST, COUNT, 0.08)).reached
    };
    vec![
        rate("80 ms: exact reached", run(Integrator::Exact), ">= 0.90"),
        rate("80 ms: paper reached", run(Integrator::Paper), "<= 0.50"),
    ]
}

/// What made the prototype's network slower, put back one by one.
fn ablation(attractor: &[Run]) -> Vec<Figure> {
    let drive = "vmax*sat(dist/d_slow)*max(0.1, cos(dir))";
    let waiting = format!(
        "if(front > 0.99, vmax*sat(dist/d_slow)*max(0, cos(dir))^2, min({drive}, vmax*front))"
    );
    let waits = SPEC.replace(&format!("min({drive}, vmax*front)"), &waiting);
    // A slow upper layer that starts at 0 lets the lower one wait.
    let late = |text: &str| {
        let text = text.replace("theta_goal = { value = 0.1", "theta_goal = { value = 0.3");
        text.replace("initial = 1\n", "")
    };
    let (starts, both) = (late(SPEC), late(&waits));
    assert!(waits != SPEC && starts != SPEC && both != waits, "the ablations change the text");
    [("waits while turning", waits), ("late start", starts), ("both (prototype)", both)]
        .into_iter()
        .map(|(name, text)| {
            let network = compiled(&text, (1, 50), Integrator::Exact);
            let runs = runs(Contestant::Network(&network), FIRST, COUNT, 0.02);
            ratio(&format!("time over attractor: {name}"), &runs, attractor, "")
        })
        .collect()
}

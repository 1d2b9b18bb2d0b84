//! Two hundred seeded courses: the network against two baselines in one run.
#![expect(clippy::unwrap_used, reason = "a helper of tests may stop the test")]

use tropism_core::TimeStep;
use tropism_dynamics::Integrator;
use tropism_dynamics_lab::contest::{Contestant, Summary, runs};
use tropism_dynamics_spec::{Compiled, Options, compile_text};

const SPEC: &str = include_str!("../../../scenarios/dynamics/course.toml");

fn compiled(hertz: (u32, u32), integrator: Integrator) -> Compiled {
    let options = Options {
        step: Some(TimeStep::new(hertz.0, hertz.1).unwrap()),
        integrator: Some(integrator),
        may_be_unstable: true,
        ..Options::default()
    };
    compile_text("course.toml", SPEC, options).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn paper_the_course_network_reaches_200_courses() {
    let network = compiled((1, 50), Integrator::Exact);
    let network = Summary::of(&runs(Contestant::Network(&network), 1000, 200, 0.02));
    let attractor = Summary::of(&runs(Contestant::Attractor, 1000, 200, 0.02));
    let potential = Summary::of(&runs(Contestant::Potential, 1000, 200, 0.02));
    eprintln!("network   {network:?}\nattractor {attractor:?}\npotential {potential:?}");
    assert!(network.reached >= 194 && network.collided <= 2);
    assert!(network.clearance >= 0.05);
    assert!(network.collided <= attractor.collided && network.clearance > attractor.clearance);
    assert!(network.time <= 1.05 * attractor.time, "{} {}", network.time, attractor.time);
    assert!(network.reached >= 2 * potential.reached);
}

#[test]
fn paper_at_80_ms_the_exact_update_still_drives_and_the_seed_s_does_not() {
    let exact = compiled((2, 25), Integrator::Exact);
    let paper = compiled((2, 25), Integrator::Paper);
    let exact = Summary::of(&runs(Contestant::Network(&exact), 1000, 200, 0.08));
    let paper = Summary::of(&runs(Contestant::Network(&paper), 1000, 200, 0.08));
    eprintln!("exact {exact:?}\npaper {paper:?}");
    assert!(exact.reached >= 180 && paper.reached <= 100);
}

/// The baselines are the recorded ones: same counts on the recorded hundred courses.
#[test]
fn golden_baselines_score_as_recorded() {
    let attractor = Summary::of(&runs(Contestant::Attractor, 1000, 100, 0.02));
    assert_eq!((attractor.reached, attractor.collided, attractor.stuck), (99, 1, 0));
    assert!((attractor.time - 7.1).abs() < 0.05 && (attractor.path - 3.53).abs() < 0.01);
    let potential = Summary::of(&runs(Contestant::Potential, 1000, 100, 0.02));
    assert_eq!((potential.reached, potential.collided, potential.stuck), (42, 4, 54));
    assert!((potential.time - 7.6).abs() < 0.05 && (potential.clearance - 0.039).abs() < 0.001);
}

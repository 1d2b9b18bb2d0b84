//! Goal: the two habits of the design document appear, and only where they should.
//! Method: the shipped experiments at reduced size. The full tables are in docs/results/claims.md;
//! here the direction of a mean over a few organisms must hold by a wide margin.

#![expect(clippy::unwrap_used, reason = "in a test, a failed helper is a failed test")]

use std::path::Path;

use tropism_lab::life::{Course, RunRecord, Silent, live};
use tropism_scenario::{Document, Experiment};

fn experiment(file: &str) -> Experiment {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/organism");
    match tropism_scenario::load(&folder.join(file)).unwrap() {
        Document::Experiment(experiment) => experiment,
        _ => panic!("{file} is no experiment"),
    }
}

/// Mean over organisms of a value of their only life.
fn mean(
    experiment: &Experiment,
    condition: &str,
    (seeds, minutes): (u64, f64),
    value: impl Fn(&RunRecord) -> Option<f64>,
) -> f64 {
    let condition = experiment.conditions.iter().find(|c| c.name == condition).unwrap();
    let cap_ticks = experiment.scenario.step.ticks_in(60.0 * minutes);
    let course = Course { lives: 1, cap_ticks, full_share: experiment.full_share };
    let minds = [condition.mind.clone()];
    let values: Vec<f64> = (101..101 + seeds)
        .filter_map(|seed| {
            let subject = (condition.name.as_str(), minds.as_slice());
            value(&live(&experiment.scenario, subject, course, seed, &Silent).unwrap().unwrap())
        })
        .collect();
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn paper_a_startled_organism_learns_to_back_away_from_a_bumper_in_front() {
    let backing = experiment("claims-backing.toml");
    let size = (4, 60.0);
    let back = |name| mean(&backing, name, size, |r| r.robots[0].lives[0].habits.back_off_share);
    let push = |name| mean(&backing, name, size, |r| r.robots[0].lives[0].habits.safety_push);
    assert!(push("startled_gated_quick") < -0.01);
    let (learned, innate) = (back("startled_gated_quick"), back("startled_no_reflexes"));
    assert!(learned > innate + 0.05, "{learned} {innate}");
}

#[test]
fn paper_one_bumper_alone_hardly_ever_presses_the_published_safety_drive() {
    let backing = experiment("claims-backing.toml");
    let unsafe_share = |r: &RunRecord| Some(r.robots[0].lives[0].drive_shares[2]);
    assert!(mean(&backing, "full", (2, 30.0), unsafe_share) < 0.02);
    assert!(mean(&backing, "startled_full", (2, 30.0), unsafe_share) > 0.1);
}

#[test]
fn paper_without_adaptation_it_circles_on_the_spot_and_with_it_it_does_not() {
    let stereotypy = experiment("claims-stereotypy.toml");
    let size = (4, 90.0);
    let circling = |name| mean(&stereotypy, name, size, |r| r.robots[0].lives[0].circling_share);
    let (without, with) = (circling("gated_unadapted"), circling("gated"));
    assert!(without > with + 0.15, "{without} {with}");
    let spins = |name| mean(&stereotypy, name, size, |r| r.robots[0].lives[0].habits.spin_share);
    assert!(spins("gated") < 0.005);
}

//! Goal: the two habits of the design document appear, and only where they should.
//! Method: the shipped experiments at reduced size. The full tables are in docs/results/claims.md;
//! here the direction of a mean over a few organisms must hold by a wide margin.

#![expect(clippy::unwrap_used, reason = "in a test, a failed helper is a failed test")]

use std::path::Path;

use tropism_lab::life::{Course, Silent, live};
use tropism_lab::metrics::LifeRecord;
use tropism_scenario::{Document, Experiment};

fn experiment(file: &str) -> Experiment {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/organism");
    match tropism_scenario::load(&folder.join(file)).unwrap() {
        Document::Experiment(experiment) => experiment,
        _ => panic!("{file} is no experiment"),
    }
}

/// The only lives of this many organisms.
fn lives(experiment: &Experiment, condition: &str, seeds: u64, minutes: f64) -> Vec<LifeRecord> {
    let condition = experiment.conditions.iter().find(|c| c.name == condition).unwrap();
    let cap_ticks = experiment.scenario.step.ticks_in(60.0 * minutes);
    let course = Course { lives: 1, cap_ticks, full_share: experiment.full_share };
    let minds = [condition.mind.clone()];
    let one = |seed| {
        let subject = (condition.name.as_str(), minds.as_slice());
        let run = live(&experiment.scenario, subject, course, seed, &Silent).unwrap().unwrap();
        run.robots[0].lives[0].clone()
    };
    (101..101 + seeds).map(one).collect()
}

fn mean(lives: &[LifeRecord], value: impl Fn(&LifeRecord) -> Option<f64>) -> f64 {
    let values: Vec<f64> = lives.iter().filter_map(value).collect();
    values.iter().sum::<f64>() / values.len() as f64
}

#[test]
fn paper_a_startled_organism_learns_to_back_away_from_a_bumper_in_front() {
    let backing = experiment("claims-backing.toml");
    let learned = lives(&backing, "startled_gated_quick", 4, 60.0);
    let innate = lives(&backing, "startled_no_reflexes", 4, 60.0);
    assert!(mean(&learned, |l| l.habits.safety_push) < -0.01);
    let (learned, innate) =
        (mean(&learned, |l| l.habits.back_off_share), mean(&innate, |l| l.habits.back_off_share));
    assert!(learned > innate + 0.05, "{learned} {innate}");
}

#[test]
fn paper_one_bumper_alone_hardly_ever_presses_the_published_safety_drive() {
    let backing = experiment("claims-backing.toml");
    let unsafe_share =
        |name| mean(&lives(&backing, name, 2, 30.0), |l| l.drive_shares.get(2).copied());
    assert!(unsafe_share("full") < 0.02);
    assert!(unsafe_share("startled_full") > 0.1);
}

#[test]
fn paper_without_adaptation_it_circles_on_the_spot_and_with_it_it_does_not() {
    let stereotypy = experiment("claims-stereotypy.toml");
    let without = lives(&stereotypy, "gated_unadapted", 4, 90.0);
    let with = lives(&stereotypy, "gated", 4, 90.0);
    assert!(mean(&with, |l| l.habits.spin_share) < 0.01);
    let (without, with) = (mean(&without, |l| l.circling_share), mean(&with, |l| l.circling_share));
    assert!(without > with + 0.15, "{without} {with}");
}

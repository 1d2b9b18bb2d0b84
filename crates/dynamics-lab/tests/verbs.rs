//! The verbs, and a specification edited while it runs.

use tropism_dynamics_lab::stage::Scene;
use tropism_dynamics_lab::verbs::{Plan, check, compare, docs, run};
use tropism_dynamics_spec::Options;

const FIGURE2: &str = include_str!("../../../scenarios/dynamics/figure2.toml");
const COURSE: &str = include_str!("../../../scenarios/dynamics/course.toml");

const PLAN: Plan = Plan { scene: Scene::Field, seconds: 4.0, options: OPTIONS };
const OPTIONS: Options = Options {
    step: None,
    factor: None,
    phase: None,
    integrator: None,
    may_be_unstable: false,
    are_warnings_errors: false,
};

/// Goal: an edit counts from the next whole tick, a faulty one is refused with the old text
/// running on. Method: the goal moves at tick 100; at tick 50 an edit is broken.
#[test]
fn unit_a_specification_edited_while_it_runs() {
    let moved = FIGURE2.replace("goal_y = { value = 1.2", "goal_y = { value = -1.2");
    let broken = FIGURE2.replace("kappa = 10", "kapa = 10");
    let plan = Plan { seconds: 10.0, ..PLAN };
    let recording = run("figure2.toml", FIGURE2, plan, &mut |tick| match tick {
        50 => Some(broken.clone()),
        100 => Some(moved.clone()),
        _ => None,
    })
    .unwrap();
    assert_eq!(recording.reloads.len(), 2);
    let refused = recording.reloads[0].refused.as_ref().unwrap();
    assert!(refused.to_string().contains("did you mean `kappa`?"), "{refused}");
    assert!(recording.reloads[1].refused.is_none() && recording.reloads[1].tick == 100);
    assert_eq!(recording.parts.len(), 2);
    assert_eq!(recording.parts[0].1.rows().len(), 100);
    // Activations go on where they were; the robot ends at the new goal.
    let before = *recording.parts[0].1.channel("L0.taxis.alpha").unwrap().last().unwrap();
    let after = recording.parts[1].1.channel("L0.taxis.alpha").unwrap()[0];
    assert!(before > 0.99 && after > 0.95, "{before} {after}");
    assert!(recording.stage.robot.distance(-1.2, -1.2) < 0.02);
    // Without edits the run is the same as ever.
    let plain = run("figure2.toml", FIGURE2, plan, &mut |_| None).unwrap();
    assert_eq!(plain.parts[0].1.rows()[..100], recording.parts[0].1.rows()[..]);
}

#[test]
fn unit_compare_finds_the_exact_update_nearer_to_the_fine_reference() {
    let found = compare("figure2.toml", FIGURE2, PLAN).unwrap();
    for difference in &found {
        eprintln!("{difference}");
    }
    let [paper, exact, fine] = &found[..] else { panic!("three runs") };
    assert!(exact.position_max < paper.position_max && paper.position_max < 0.06);
    assert!(fine.position_max.to_bits() == 0);
}

#[test]
fn edge_check_and_docs_tell_what_there_is() {
    let report = check("course.toml", COURSE, OPTIONS).unwrap();
    assert!(
        report.contains("sound; 2 layers") && report.contains("L0.w: largest W*dt 2.960"),
        "{report}"
    );
    assert!(docs("course.toml", COURSE, OPTIONS).unwrap().contains("<svg"));
    let refused = check("course.toml", &COURSE.replace("kappa", "kapa"), OPTIONS).unwrap_err();
    assert!(refused.to_string().contains("course.toml:65:1: error"), "{refused}");
}

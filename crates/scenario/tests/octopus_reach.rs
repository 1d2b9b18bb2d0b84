//! The `reach` law on recorded and on fresh scenes: a tenth of them, or few; the whole sets are
//! benchmarks with committed tables.
#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

use tropism_octopus::LawKind;
use tropism_scenario::octopus::scenes::{RunSettings, generate, parse, run};
use tropism_scenario::octopus::verbs::{Input, ReachOptions, reach_rows, reach_verb};
use tropism_testkit::shared_file;

#[test]
fn paper_a_tenth_of_the_recorded_scenes_is_reached_far_more_often_than_recorded() {
    let Some(path) = shared_file("golden/octopus/reach_scenes.json") else { return };
    let rows = parse(&std::fs::read(path).unwrap()).unwrap();
    let rows = reach_rows(&rows, &ReachOptions { stride: 10, ..ReachOptions::default() });
    for row in &rows {
        eprintln!("{row:?}");
        assert_eq!(row.scenes, 10);
        assert!(row.reached >= if row.obstacles < 8 { 10 } else { 9 }, "{row:?}");
        assert!(row.least_gap >= 0.0, "{row:?}");
        let (ours, theirs) = row.medians.unwrap();
        assert!(ours <= theirs, "{row:?}");
    }
}

#[test]
fn paper_fresh_scenes_are_reached_and_nothing_is_entered() {
    let rows = generate(31, &[0, 1, 2, 4, 8], 12);
    let rows = reach_rows(&rows, &ReachOptions { compares: true, ..ReachOptions::default() });
    for row in &rows {
        eprintln!("{row:?}");
        assert!(row.reached >= if row.obstacles < 4 { 12 } else { 10 }, "{row:?}");
        assert!(row.least_gap >= 0.0);
        assert!(row.reached >= row.peer_reached.unwrap());
    }
}

#[test]
fn paper_at_thirty_degrees_per_second_no_scene_without_obstacles_fails() {
    let slow = ReachOptions { turning_speed: 30.0_f64.to_radians(), ..ReachOptions::default() };
    let rows = reach_rows(&generate(32, &[0], 100), &slow);
    assert_eq!(rows[0].reached, 100);
}

#[test]
fn golden_the_reference_law_does_on_recorded_scenes_what_was_recorded() {
    let Some(path) = shared_file("golden/octopus/reach_scenes.json") else { return };
    let rows = parse(&std::fs::read(path).unwrap()).unwrap();
    let settings =
        RunSettings { law: LawKind::Reference, checker_parts: 0, ..RunSettings::default() };
    let mut equal = 0;
    for row in &rows {
        for scene in row.scenes.iter().step_by(10) {
            let ours = run(scene, &settings).reached.map_or(-1, |n| n as i64);
            assert_eq!(
                Some(ours),
                scene.peer_updates,
                "{} obstacles, {}",
                row.obstacles,
                scene.seed
            );
            equal += 1;
        }
    }
    assert_eq!(equal, 50);
}

#[test]
fn unit_the_checker_sees_what_a_careless_arm_does() {
    // The target lies behind an obstacle and the obstacle is hidden from the law: the checker,
    // which knows it, must find the arm inside.
    use tropism_octopus::Point;
    use tropism_scenario::octopus::scenes::Checker;
    let before = [0.0; 20];
    let mut after = [0.0; 20];
    after[0] = 0.2;
    let mut checker = Checker::new(16);
    // Beside the middle of the sweep; clear of both ends.
    let at = Point::unit(0.1) * 200.0;
    checker.look(Point::default(), 12.0, (&before, &after), &[(at, 8.0)]);
    assert!(checker.least_gap < -7.0, "{}", checker.least_gap);
}

#[test]
fn unit_the_reach_verb_writes_rows() {
    let file = br#"{"note": "", "scenes": {"1": [
        {"seed": 1, "target": [150, 120], "obstacles": [[80, -60, 12]], "peer_updates": 50}]}}"#;
    let input = Input { name: "s.json", bytes: file };
    let json = reach_verb(input, &ReachOptions::default(), true).unwrap();
    assert!(json.contains("\"rows\":[{\"obstacles\":1,\"scenes\":1,\"reached\":1,"), "{json}");
    let table = reach_verb(input, &ReachOptions::default(), false).unwrap();
    assert!(table.lines().count() == 3);
}

#[test]
fn determinism_scenes_of_a_seed_are_always_the_same() {
    assert_eq!(generate(5, &[4], 3), generate(5, &[4], 3));
    assert_ne!(generate(5, &[4], 1), generate(6, &[4], 1));
}

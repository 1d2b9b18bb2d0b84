//! Withdrawal, recoil, release and resumption.
#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod common;

use common::{food, obstacle, octopus, p, reach, until};
use tropism_octopus::vector::segment_distance;
use tropism_octopus::{Octopus, Point, Settings, State, Status, Task, WhenTaken};

fn gap(octopus: &Octopus, arm: usize, centre: Point) -> f64 {
    let points = &octopus.arms()[arm].arm().pose().points;
    let each = points.windows(2).map(|e| segment_distance(e[0], e[1], centre));
    each.fold(f64::INFINITY, f64::min)
}

#[test]
fn unit_a_critical_hazard_makes_every_arm_withdraw_and_the_near_ones_move_away() {
    let mut octopus = reach();
    let target = common::BODY + p(200.0, 0.0);
    octopus.assign_reach(2, target).unwrap();
    (0..60).for_each(|_| octopus.step());
    let centre = octopus.arms()[2].arm().tip();
    octopus.report_hazard(centre, 30.0, 0.95, Some(2.0)).unwrap();
    octopus.step();
    assert!(octopus.arms().iter().all(|a| a.state() == State::Withdrawing));
    assert!(octopus.intentions().iter().all(|i| i.priority.value() == 100));
    let mut last = gap(&octopus, 2, centre);
    for _ in 0..100 {
        octopus.step();
        let now = gap(&octopus, 2, centre);
        assert!(now >= last - 0.6, "{now} after {last}");
        last = now;
    }
    assert!(last >= 30.0, "{last} px from the centre of a hazard of 30 px");
}

#[test]
fn unit_withdrawal_releases_food_in_place_and_abandons_the_carry() {
    let mut octopus = reach();
    let at = octopus.arms()[2].arm().pose().points[12];
    let id = food(&mut octopus, at);
    octopus.assign_food(2, id, WhenTaken::Wait).unwrap();
    octopus.refresh_sensing();
    until(&mut octopus, 300, |o| o.arms()[2].held() == Some(id)).unwrap();
    octopus.assign_reach(2, at + p(0.0, -120.0)).unwrap();
    (0..20).for_each(|_| octopus.step());
    let before = octopus.objects().get(id).unwrap().position;
    octopus.report_hazard(p(900.0, 900.0), 20.0, 1.0, Some(0.5)).unwrap();
    octopus.step();
    assert_eq!(octopus.safety_releases(), 1);
    assert_eq!(octopus.arms()[2].held(), None);
    assert_eq!(octopus.objects().get(id).unwrap().position, before, "in place");
    (0..400).for_each(|_| octopus.step());
    assert_eq!(octopus.arms()[2].state(), State::Contact, "touching, but with no task");
    assert!(!octopus.arms()[2].is_active());
    assert_eq!(octopus.safety_releases(), 1, "counted once");
    assert_eq!(octopus.objects().get(id).unwrap().position, before);
}

#[test]
fn unit_ordinary_reaches_resume_after_clearance_and_half_a_second_of_calm() {
    let mut octopus = reach();
    let target = common::BODY + p(180.0, 40.0);
    octopus.assign_reach(2, target).unwrap();
    (0..10).for_each(|_| octopus.step());
    octopus.report_hazard(common::BODY + p(0.0, 300.0), 20.0, 1.0, Some(1.0)).unwrap();
    let withdrawn = until(&mut octopus, 5, |o| o.arms()[2].state() == State::Withdrawing);
    assert_eq!(withdrawn, Some(1));
    let resumed = until(&mut octopus, 600, |o| o.arms()[2].state() != State::Withdrawing).unwrap();
    // One second of hazard and half a second of calm.
    assert!((175..=182).contains(&resumed), "{resumed}");
    assert_eq!(octopus.arms()[2].task(), Task::Place(target));
    let there = until(&mut octopus, 600, |o| o.arms()[2].status() == Status::Reached);
    assert!(there.is_some());
}

#[test]
fn unit_named_tasks_keep_their_food_through_a_withdrawal() {
    let mut octopus = reach();
    let id = food(&mut octopus, common::BODY + p(170.0, 30.0));
    octopus.assign_food(2, id, WhenTaken::Wait).unwrap();
    octopus.report_hazard(common::BODY + p(170.0, 30.0), 40.0, 1.0, Some(1.0)).unwrap();
    (0..60).for_each(|_| octopus.step());
    assert_eq!(octopus.arms()[2].task().food(), Some(id));
    let held = until(&mut octopus, 1200, |o| o.arms()[2].held() == Some(id));
    assert!(held.is_some());
}

#[test]
fn unit_the_critical_severity_is_configurable() {
    let settings = Settings { critical_severity: 0.5, ..Settings::default() };
    let mut octopus = octopus(settings);
    octopus.report_hazard(p(0.0, 0.0), 10.0, 0.5, None).unwrap();
    octopus.step();
    assert_eq!(octopus.arms()[0].state(), State::Withdrawing);
    let mut octopus = reach();
    octopus.report_hazard(p(0.0, 0.0), 10.0, 0.949, None).unwrap();
    octopus.step();
    assert_eq!(octopus.arms()[0].state(), State::Idle);
}

#[test]
fn unit_recoil_is_local_and_graded_by_severity() {
    let moved = |severity: f64| {
        let mut octopus = reach();
        // Ten pixels beside the tip of the third arm.
        let centre = octopus.arms()[2].arm().tip() + p(0.0, 10.0);
        octopus.report_hazard(centre, 40.0, severity, None).unwrap();
        let before: Vec<_> = octopus.arms().iter().map(|a| a.arm().pose().clone()).collect();
        octopus.step();
        let first = gap(&octopus, 2, centre);
        (0..300).for_each(|_| octopus.step());
        for (i, pose) in before.iter().enumerate() {
            let stayed = octopus.arms()[i].arm().pose() == pose;
            assert_eq!(stayed, i != 2, "arm index {i}, severity {severity}");
        }
        (first, gap(&octopus, 2, centre))
    };
    let (gentle_first, gentle) = moved(0.4);
    let (strong_first, strong) = moved(0.8);
    assert!(strong_first > gentle_first, "{strong_first} {gentle_first}");
    // The zone is severity × radius: 16 and 32 px; the arm ends beyond it and not far.
    assert!((16.0..30.0).contains(&gentle), "{gentle}");
    assert!((32.0..46.0).contains(&strong), "{strong}");
}

#[test]
fn unit_held_food_comes_along_in_a_recoil() {
    let mut octopus = reach();
    let at = octopus.arms()[2].arm().pose().points[18];
    let id = food(&mut octopus, at);
    octopus.assign_food(2, id, WhenTaken::Wait).unwrap();
    octopus.refresh_sensing();
    until(&mut octopus, 300, |o| o.arms()[2].held() == Some(id)).unwrap();
    octopus.report_hazard(at + p(0.0, 25.0), 40.0, 0.9, None).unwrap();
    (0..200).for_each(|_| octopus.step());
    assert_eq!(octopus.arms()[2].held(), Some(id));
    assert_ne!(octopus.objects().get(id).unwrap().position, at);
    assert_eq!(octopus.safety_releases(), 0);
}

#[test]
fn unit_withdrawal_and_recoil_keep_out_of_obstacles() {
    for severity in [0.6, 1.0] {
        let mut octopus = reach();
        let tip = octopus.arms()[2].arm().tip();
        let wall = tip + p(34.0, 0.0);
        assert!(gap(&octopus, 2, wall) >= 23.0, "the scene starts free");
        obstacle(&mut octopus, wall, 20.0);
        octopus.report_hazard(tip + p(-12.0, 0.0), 30.0, severity, Some(3.0)).unwrap();
        for _ in 0..360 {
            octopus.step();
            assert!(gap(&octopus, 2, wall) >= 20.0);
        }
    }
}

#[test]
fn unit_hazards_mean_nothing_without_arbitration() {
    let mut with = octopus(Settings::reference());
    let mut without = octopus(Settings::reference());
    for octopus in [&mut with, &mut without] {
        octopus.assign_reach(2, p(600.0, 460.0)).unwrap();
    }
    with.report_hazard(p(500.0, 460.0), 60.0, 1.0, None).unwrap();
    for _ in 0..200 {
        with.step();
        without.step();
    }
    assert_eq!(with.state_hash(), without.state_hash());
}

#[test]
fn unit_the_state_does_not_flicker_at_the_edge_of_a_hazard() {
    let mut octopus = reach();
    let centre = octopus.arms()[2].arm().tip() + p(0.0, 12.0);
    // The target lies within the zone: the arm may not go there, and does not try and recoil.
    octopus.report_hazard(centre, 40.0, 0.8, None).unwrap();
    octopus.assign_reach(2, centre + p(5.0, 0.0)).unwrap();
    (0..240).for_each(|_| octopus.step());
    let state = octopus.arms()[2].state();
    for _ in 0..480 {
        octopus.step();
        assert_eq!(octopus.arms()[2].state(), state);
    }
    assert_eq!(state, State::Blocked);
}

//! The traps of the public model, as tests of the `reach` law.
#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod common;

use common::{obstacle, octopus, p, reach, until};
use tropism_octopus::vector::segment_distance;
use tropism_octopus::{Octopus, Point, Settings, State, Status, WhenTaken};

fn gap(octopus: &Octopus, arm: usize) -> f64 {
    let points = &octopus.arms()[arm].arm().pose().points;
    let gaps = octopus.objects().obstacles().iter().map(|disc| {
        let each = points.windows(2).map(|e| segment_distance(e[0], e[1], disc.centre));
        each.fold(f64::INFINITY, f64::min) - disc.radius
    });
    gaps.fold(f64::INFINITY, f64::min)
}

/// A point beside a segment's middle, at a distance, on either side.
fn beside(octopus: &Octopus, arm: usize, segment: usize, distance: f64) -> Point {
    let points = &octopus.arms()[arm].arm().pose().points;
    let along = (points[segment + 1] - points[segment]) * (1.0 / 12.0);
    (points[segment] + points[segment + 1]) * 0.5 + along.quarter_turned() * distance
}

#[test]
fn unit_an_arm_moves_out_of_an_obstacle_dropped_into_its_band_and_resumes() {
    let mut cases = 0;
    for depth in [0.5, 2.0, 8.0] {
        for segment in [3, 7, 11, 15, 19] {
            for side in [-1.0, 1.0] {
                let mut octopus = reach();
                let radius = 14.0;
                let distance = side * (radius + 3.0 - depth);
                let at = beside(&octopus, 2, segment, distance);
                obstacle(&mut octopus, at, radius);
                // On the free side.
                let target = octopus.arms()[2].arm().base() + p(150.0, 60.0 * -side);
                octopus.assign_reach(2, target).unwrap();
                octopus.refresh_sensing();
                let out = until(&mut octopus, 240, |o| gap(o, 2) >= 3.0 - 1e-3);
                assert!(out.is_some(), "depth {depth} segment {segment} side {side}: stays in");
                let there = until(&mut octopus, 2400, |o| o.arms()[2].status() == Status::Reached);
                assert!(there.is_some(), "depth {depth} segment {segment} side {side}: no resume");
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 30);
}

#[test]
fn unit_an_arm_does_not_freeze_in_the_last_fifth_of_a_pixel_before_a_boundary() {
    for gap_before in [0.0, 0.05, 0.1, 0.2] {
        for segment in [5, 10, 15] {
            let mut octopus = reach();
            let at = beside(&octopus, 1, segment, 14.0 + 3.0 + gap_before);
            obstacle(&mut octopus, at, 14.0);
            // Past the obstacle: the straight way presses into it.
            let base = octopus.arms()[1].arm().base();
            let target = base + (at - base) * (200.0 / (at - base).norm());
            octopus.assign_reach(1, target).unwrap();
            let there = until(&mut octopus, 2400, |o| o.arms()[1].status() == Status::Reached);
            assert!(there.is_some(), "gap {gap_before} segment {segment}");
            assert!(gap(&octopus, 1) >= 1.0);
        }
    }
}

/// Largest movement of any joint over some ticks.
fn stir(octopus: &mut Octopus, arm: usize, ticks: u32) -> f64 {
    let mut most = 0.0_f64;
    for _ in 0..ticks {
        let before = octopus.arms()[arm].arm().pose().angles.clone();
        octopus.step();
        let after = &octopus.arms()[arm].arm().pose().angles;
        most = before.iter().zip(after).fold(most, |m, (a, b)| m.max((a - b).abs()));
    }
    most
}

#[test]
fn unit_arm_01_a_target_beyond_reach_is_stretched_for_and_then_rested() {
    for factor in [1.05, 1.5, 10.0] {
        let mut octopus = reach();
        let base = octopus.arms()[4].arm().base();
        let target = base + Point::unit(1.1) * (240.0 * factor);
        octopus.assign_reach(4, target).unwrap();
        for _ in 0..600 {
            octopus.step();
        }
        let arm = &octopus.arms()[4];
        assert_eq!(arm.status(), Status::BeyondReach);
        let stretched = arm.arm().tip().distance(base);
        assert!(stretched > 235.0, "factor {factor}: {stretched}");
        let aside = arm.arm().tip().distance(base + Point::unit(1.1) * 240.0);
        assert!(aside < 6.0, "factor {factor}: {aside} px beside the line");
        assert!(stir(&mut octopus, 4, 240) <= 0.0, "the arm still moves");
    }
}

#[test]
fn unit_a_walled_in_target_is_called_unreachable_and_the_arm_rests() {
    let mut octopus = reach();
    let base = octopus.arms()[2].arm().base();
    // Above the fresh arm, which curls downwards, so that no wall stands on it.
    let target = base + p(110.0, -110.0);
    for i in 0..10 {
        let around = Point::unit(f64::from(i) * 0.628_318_530_7) * 34.0;
        obstacle(&mut octopus, target + around, 13.0);
    }
    octopus.assign_reach(2, target).unwrap();
    let said = until(&mut octopus, 2400, |o| o.arms()[2].law().finds_unreachable());
    assert!(said.is_some(), "never says so");
    assert_eq!(octopus.arms()[2].state(), State::Blocked);
    assert!(stir(&mut octopus, 2, 480) <= 0.0, "the arm still moves");
    // It is said until the scene changes; then the arm tries again and gets there.
    let walls: Vec<_> = octopus.objects().all().iter().map(|o| o.id).collect();
    for id in walls.into_iter().skip(2).take(4) {
        octopus.remove_object(id).unwrap();
    }
    let there = until(&mut octopus, 2400, |o| o.arms()[2].status() == Status::Reached);
    assert!(there.is_some(), "does not try again");
}

#[test]
fn unit_arm_03_jumping_and_dragging_a_target_end_at_the_same_place() {
    let base = reach().arms()[0].arm().base();
    let (from, to) = (base + p(-160.0, -40.0), base + p(170.0, -60.0));
    let mut dragged = reach();
    for i in 0..=240 {
        let target = from + (to - from) * (f64::from(i) / 240.0);
        dragged.assign_reach(0, target).unwrap();
        dragged.step();
    }
    let mut jumped = reach();
    jumped.assign_reach(0, from).unwrap();
    (0..120).for_each(|_| jumped.step());
    jumped.assign_reach(0, to).unwrap();
    for octopus in [&mut dragged, &mut jumped] {
        let there = until(octopus, 600, |o| o.arms()[0].status() == Status::Reached);
        assert!(there.is_some());
    }
    assert!(dragged.arms()[0].arm().tip().distance(jumped.arms()[0].arm().tip()) <= 4.0);
}

#[test]
fn unit_arm_05_a_target_that_needs_joints_at_their_limit_is_reached() {
    use tropism_octopus::ArmParameters;
    let stiff = ArmParameters::new(20, 12.0, 0.16, 1.5).unwrap();
    let step = common::step();
    // With bends up to 0.16 rad the even arc at the limit has a chord of about 150 px.
    for away in [153.0, 160.0, 175.0] {
        let mut octopus =
            Octopus::new(common::BODY, step, &[stiff; 8], Settings::default()).unwrap();
        let base = octopus.arms()[6].arm().base();
        octopus.assign_reach(6, base + p(-away, 0.0)).unwrap();
        let there = until(&mut octopus, 2400, |o| o.arms()[6].status() == Status::Reached);
        assert!(there.is_some(), "{away} px");
    }
    // A target inside the ring the stiff arm cannot leave is called unreachable.
    let mut octopus = Octopus::new(common::BODY, step, &[stiff; 8], Settings::default()).unwrap();
    let base = octopus.arms()[6].arm().base();
    octopus.assign_reach(6, base + p(-60.0, 0.0)).unwrap();
    let said = until(&mut octopus, 2400, |o| o.arms()[6].law().finds_unreachable());
    assert!(said.is_some());
    assert!(stir(&mut octopus, 6, 240) <= 0.0);
}

#[test]
fn unit_arm_07_a_folded_start_unfolds_without_swinging() {
    // The target lies behind the arm, so that the straight way is a local minimum.
    let mut octopus = reach();
    let base = octopus.arms()[0].arm().base();
    octopus.assign_reach(0, base + p(3.0, 120.0)).unwrap();
    let there = until(&mut octopus, 600, |o| o.arms()[0].status() == Status::Reached);
    assert!(there.is_some());
    (0..30).for_each(|_| octopus.step());
    assert!(stir(&mut octopus, 0, 240) <= 0.0);
}

#[test]
fn unit_states_do_not_flicker() {
    // The public model changes labels 114 times in 60 s of a like scene.
    let mut changes = 0;
    for index in 0..6 {
        let (mut octopus, _) = common::random_scene(index, tropism_octopus::LawKind::Reach, false);
        let mut states: Vec<_> =
            octopus.arms().iter().map(tropism_octopus::ControlledArm::state).collect();
        for _ in 0..1200 {
            octopus.step();
            for (state, arm) in states.iter_mut().zip(octopus.arms()) {
                if *state != arm.state() {
                    changes += 1;
                    *state = arm.state();
                }
            }
        }
    }
    // Six scenes, eight arms: a handful of changes each.
    assert!(changes <= 6 * 8 * 6, "{changes}");
    eprintln!("state changes in 6 scenes of 10 s: {changes}");
}

#[test]
fn unit_held_food_is_carried_around_obstacles() {
    let mut octopus = octopus(Settings::default());
    let at = octopus.arms()[2].arm().pose().points[17];
    let id = common::food(&mut octopus, at);
    octopus.assign_food(2, id, WhenTaken::Wait).unwrap();
    octopus.refresh_sensing();
    until(&mut octopus, 600, |o| o.arms()[2].held() == Some(id)).unwrap();
    let base = octopus.arms()[2].arm().base();
    obstacle(&mut octopus, base + p(140.0, -10.0), 16.0);
    obstacle(&mut octopus, base + p(90.0, -90.0), 16.0);
    let goal = base + p(120.0, -150.0);
    octopus.assign_reach(2, goal).unwrap();
    let there = until(&mut octopus, 2400, |o| !o.arms()[2].is_active());
    assert!(there.is_some(), "{:?}", octopus.arms()[2].state());
    assert!(octopus.objects().get(id).unwrap().position.distance(goal) <= 2.0);
    octopus.retract(2).unwrap();
    let home = until(&mut octopus, 2400, |o| !o.arms()[2].is_active());
    assert!(home.is_some());
}

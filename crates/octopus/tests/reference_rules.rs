//! Rules of the public model that its recorded traces do not exercise, made by hand from them.
#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod common;

use common::{food, obstacle, p, reference, until};
use tropism_core::Tick;
use tropism_octopus::law::Surroundings;
use tropism_octopus::reference::ReferenceLaw;
use tropism_octopus::{
    Arm, ArmLaw, ArmParameters, Disc, Law, LawKind, Octopus, Point, Pose, State, WhenTaken,
};

fn around(obstacles: &[Disc]) -> Surroundings<'_> {
    let tick = Tick(1);
    Surroundings { obstacles, obstacle_revision: 1, payload: None, dt: 1.0 / 120.0, tick }
}

fn disc(x: f64, y: f64, radius: f64) -> Disc {
    Disc { centre: p(x, y), radius, first_segment: 0 }
}

fn straight_arm() -> Arm {
    let mut arm = Arm::new(Point::default(), 0.0, ArmParameters::default());
    assert!(arm.set_angles(&[0.0; 20]));
    arm
}

fn one_tick(arm: &Arm, target: Point, obstacles: &[Disc]) -> (tropism_octopus::law::Motion, Pose) {
    let mut law = ReferenceLaw::new(arm);
    law.reserve(20, obstacles.len());
    let mut next = Pose::with_segments(20);
    let motion = law.propose(arm, target, &around(obstacles), &mut next);
    (motion, next)
}

#[test]
fn unit_a_target_inside_an_obstacle_blocks_and_leaves_the_requests_alone() {
    let arm = straight_arm();
    let mut law = ReferenceLaw::new(&arm);
    law.reserve(20, 1);
    let before = law.requests().to_vec();
    let mut next = Pose::with_segments(20);
    let discs = [disc(100.0, 100.0, 20.0)];
    // 2.9 px outside the rim is still inside the clearance region, 3.1 px is not.
    let motion = law.propose(&arm, p(100.0, 122.9), &around(&discs), &mut next);
    assert!(motion.blocked && !motion.moved);
    assert_eq!(law.requests(), before);
    let motion = law.propose(&arm, p(100.0, 123.1), &around(&discs), &mut next);
    assert!(!motion.blocked);
    assert_ne!(law.requests(), before);
}

#[test]
fn unit_an_arrived_arm_rests_unless_it_senses_an_obstacle() {
    let arm = straight_arm();
    let target = arm.tip() + p(0.0, 1.5);
    let (motion, _) = one_tick(&arm, target, &[disc(120.0, 40.0, 20.0)]);
    assert!(!motion.moved && !motion.avoiding);
    // 2.5 px from the rim: sensed, so messages are exchanged and steering is seen.
    let (motion, _) = one_tick(&arm, target, &[disc(120.0, 22.5, 20.0)]);
    assert!(motion.avoiding);
}

#[test]
fn unit_steering_takes_the_obstacle_whose_centre_is_nearest_to_the_start() {
    // A fast arm, so that the direction of the turn shows and not only its limit.
    let parameters = ArmParameters::default().with_turning_speed(1e3).unwrap();
    let mut arm = Arm::new(Point::default(), 0.0, parameters);
    assert!(arm.set_angles(&[0.0; 20]));
    // From the tip's attachment (228, 0) towards (300, 0): two obstacles within the band.
    let near = disc(240.0, 20.0, 10.0);
    let far = disc(262.0, -18.0, 10.0);
    let target = p(300.0, 0.0);
    let (_, both) = one_tick(&arm, target, &[far, near]);
    let (_, only_near) = one_tick(&arm, target, &[near]);
    let (_, only_far) = one_tick(&arm, target, &[far]);
    assert!((both.angles[19] - only_near.angles[19]).abs() < 1e-12);
    assert!((both.angles[19] - only_far.angles[19]).abs() > 1e-6);
}

#[test]
fn unit_an_arm_inside_the_band_may_move_along_it_but_not_further_in() {
    // The law's guard compares with min(R + 3, old distance): an overlap does not bar a movement
    // that keeps it, such as none at all.
    let arm = straight_arm();
    let overlapping = [disc(6.0, 12.0, 10.0)];
    let (motion, next) = one_tick(&arm, p(200.0, -60.0), &overlapping);
    let first_turn = next.angles[0];
    assert!(first_turn <= 0.0 || motion.blocked, "{first_turn}");
}

#[test]
fn unit_the_sweep_of_the_base_joint_goes_the_short_way_round() {
    let mut arm = straight_arm();
    let mut angles = [0.0; 20];
    angles[0] = core::f64::consts::PI - 0.001;
    assert!(arm.set_angles(&angles));
    // The target lies across the seam; an obstacle on the far side must not be in the way.
    let target = Point::unit(-core::f64::consts::PI + 0.8) * 236.0;
    let discs = [disc(150.0, 0.0, 20.0)];
    let mut law = ReferenceLaw::new(&arm);
    law.reserve(20, 1);
    let mut next = Pose::with_segments(20);
    let mut has_crossed = false;
    for _ in 0..400 {
        let motion = law.propose(&arm, target, &around(&discs), &mut next);
        assert!(!motion.blocked);
        if motion.moved {
            arm.take(&mut next);
        }
        has_crossed |= arm.pose().angles[0] < 0.0;
    }
    assert!(has_crossed);
}

/// A food that touches two segments of each of two arms.
fn contested() -> (Octopus, tropism_octopus::ObjectId) {
    let mut octopus = reference();
    let between = (octopus.arms()[2].arm().base() + octopus.arms()[3].arm().base()) * 0.5;
    let id = octopus.add_object(tropism_octopus::Kind::Food, between, 20.0, 1.0).unwrap();
    for arm in [2, 3] {
        let tip = octopus.arms()[arm].arm().tip();
        octopus.assign_reach(arm, tip + p(50.0, 50.0)).unwrap();
    }
    octopus.refresh_sensing();
    (octopus, id)
}

#[test]
fn unit_of_two_captures_in_one_tick_the_lower_arm_wins() {
    let (mut octopus, id) = contested();
    let n = until(&mut octopus, 60, |o| o.captures() > 0).unwrap();
    assert_eq!(n, 30, "the thirtieth tick of contact completes the grasp");
    assert_eq!(octopus.arms()[2].held(), Some(id));
    assert_eq!(octopus.arms()[3].held(), None);
    octopus.step();
    assert_eq!(octopus.captures(), 1);
}

#[test]
fn unit_food_moved_by_somebody_is_let_go() {
    let (mut octopus, id) = contested();
    until(&mut octopus, 60, |o| o.captures() > 0).unwrap();
    let at = octopus.objects().get(id).unwrap().position;
    octopus.move_object(id, at + p(0.5, 0.0)).unwrap();
    assert_eq!(octopus.arms()[2].held(), None);
    assert!(!octopus.arms()[2].is_active());
}

#[test]
fn unit_reset_keeps_target_and_activity_and_lets_go() {
    let mut octopus = reference();
    let target = p(520.0, 300.0);
    octopus.assign_reach(1, target).unwrap();
    (0..30).for_each(|_| octopus.step());
    octopus.reset(1, ArmParameters::default()).unwrap();
    let arm = &octopus.arms()[1];
    assert!(arm.is_active());
    assert_eq!(arm.target(), target);
    assert!(arm.contacts().is_empty());
    let fresh = Arm::new(arm.arm().base(), arm.arm().initial_heading(), ArmParameters::default());
    assert_eq!(arm.arm().pose(), fresh.pose());
}

#[test]
fn unit_retract_without_food_does_nothing() {
    let mut octopus = reference();
    octopus.retract(0).unwrap();
    assert!(!octopus.arms()[0].is_active());
    octopus.assign_reach(0, p(400.0, 300.0)).unwrap();
    octopus.retract(0).unwrap();
    assert_eq!(octopus.arms()[0].target(), p(400.0, 300.0));
    assert!(!octopus.arms()[0].is_retracting());
}

#[test]
fn unit_a_carry_that_arrives_while_retracting_holds_and_keeps_its_goal() {
    let mut arrivals = 0;
    for segment in [6, 9, 12, 15] {
        let mut octopus = reference();
        let at = octopus.arms()[2].arm().pose().points[segment];
        let id = food(&mut octopus, at);
        octopus.assign_reach(2, p(620.0, 500.0)).unwrap();
        octopus.refresh_sensing();
        until(&mut octopus, 60, |o| o.captures() > 0).unwrap();
        octopus.retract(2).unwrap();
        if until(&mut octopus, 3000, |o| !o.arms()[2].is_active()).is_none() {
            // The reference law often fails to get there, as its author measured.
            continue;
        }
        arrivals += 1;
        let arm = &octopus.arms()[2];
        let goal = arm.arm().retract_goal();
        assert!(octopus.objects().get(id).unwrap().position.distance(goal) <= 2.0);
        assert_eq!((arm.state(), arm.carry_goal()), (State::Holding, Some(goal)));
        assert!(arm.is_retracting());
    }
    assert!(arrivals > 0);
}

#[test]
fn unit_a_payload_that_would_hit_an_obstacle_stops_the_arm_where_it_is() {
    let (mut octopus, id) = contested();
    until(&mut octopus, 60, |o| o.captures() > 0).unwrap();
    let food_at = octopus.objects().get(id).unwrap().position;
    // Beside the food, off every segment, in the way of a carry to the lower right.
    let direction = Point::unit(0.9);
    obstacle(&mut octopus, food_at + direction * 28.0, 11.0);
    octopus.assign_reach(2, food_at + direction * 120.0).unwrap();
    let mut was_blocked = false;
    for _ in 0..200 {
        octopus.step();
        was_blocked |= octopus.arms()[2].state() == State::Blocked;
        let at = octopus.objects().get(id).unwrap().position;
        let apart = at.distance(food_at + direction * 28.0);
        assert!(apart >= 27.0 - 1e-6, "{apart}");
    }
    assert!(was_blocked);
    assert_eq!(octopus.arms()[2].held(), Some(id), "a stopped carry keeps its food");
}

#[test]
fn unit_commands_are_checked_before_anything_changes() {
    let mut octopus = reference();
    food(&mut octopus, p(100.0, 100.0));
    let before = octopus.state_hash();
    assert!(octopus.assign_reach(8, p(0.0, 0.0)).is_err());
    assert!(octopus.assign_reach(0, p(f64::NAN, 0.0)).is_err());
    assert!(octopus.assign_food(0, tropism_octopus::ObjectId(9), WhenTaken::Wait).is_err());
    assert!(octopus.set_turning_speed(0, -1.0).is_err());
    assert!(octopus.hand_over(0, 1).is_err());
    assert_eq!(octopus.state_hash(), before);
}

#[test]
fn unit_both_laws_stand_behind_one_trait() {
    let arm = straight_arm();
    for kind in [LawKind::Reference, LawKind::Reach] {
        let mut law = Law::new(kind, &arm, 0);
        let mut next = Pose::with_segments(20);
        let motion = law.as_dyn().propose(&arm, p(100.0, 150.0), &around(&[]), &mut next);
        assert!(motion.moved, "{kind:?}");
        assert_eq!(law.kind(), kind);
    }
}

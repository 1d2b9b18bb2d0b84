//! Who yields to whom, and what becomes of tasks.
#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod common;

use common::{food, octopus, p, reach, until};
use tropism_octopus::arbitration::{Arbiter, Intention, Priority, Reason, Resource};
use tropism_octopus::{LawKind, ObjectId, Point, Settings, State, Status, Task, WhenTaken};

const FOOD: ObjectId = ObjectId(5);

fn wants_place(place: Point) -> Intention {
    Intention { priority: Priority::Reaching, place: Some(place), ..Intention::default() }
}

fn wants_food() -> Intention {
    Intention { priority: Priority::Reaching, food: Some(FOOD), ..Intention::default() }
}

fn settle(arbiter: &mut Arbiter, wants: &[(usize, Intention)]) -> Vec<usize> {
    let mut all = [Intention::default(); 8];
    for (arm, want) in wants {
        all[*arm] = *want;
    }
    let grants = arbiter.settle(tropism_core::Tick(1), &all, |_, _| false);
    (0..8).filter(|arm| grants[*arm].yields).collect()
}

#[test]
fn unit_priorities_are_those_of_the_design() {
    let values = [
        Priority::Withdrawal,
        Priority::Avoidance,
        Priority::Grip,
        Priority::Reaching,
        Priority::Discovery,
        Priority::Idle,
    ];
    assert_eq!(values.map(Priority::value), [100, 80, 60, 50, 20, 0]);
    assert!(values.windows(2).all(|pair| pair[0] > pair[1]));
}

#[test]
fn unit_the_lowest_number_wins_between_newcomers() {
    let mut arbiter = Arbiter::default();
    let there = p(10.0, 10.0);
    let losers = settle(&mut arbiter, &[(6, wants_place(there)), (2, wants_place(there))]);
    assert_eq!(losers, [6]);
    let outcome = *arbiter.outcomes().next().unwrap();
    assert_eq!((outcome.winner, outcome.loser, outcome.reason), (2, 6, Reason::LowestNumber));
    assert_eq!(outcome.resource, Resource::Place(there));
}

#[test]
fn unit_the_incumbent_wins_over_a_lower_number() {
    let mut arbiter = Arbiter::default();
    let there = p(10.0, 10.0);
    assert!(settle(&mut arbiter, &[(6, wants_place(there))]).is_empty());
    let both = [(6, wants_place(there)), (2, wants_place(there))];
    for _ in 0..5 {
        assert_eq!(settle(&mut arbiter, &both), [2]);
    }
    // One conflict, one record, although it lasts.
    assert_eq!(arbiter.conflicts(), 1);
    assert_eq!(arbiter.outcomes().next().unwrap().reason, Reason::Incumbent);
}

#[test]
fn unit_the_owner_wins_over_the_incumbent() {
    let mut arbiter = Arbiter::default();
    assert!(settle(&mut arbiter, &[(1, wants_food())]).is_empty());
    let holds = Intention { priority: Priority::Grip, holds: Some(FOOD), ..Intention::default() };
    assert_eq!(settle(&mut arbiter, &[(1, wants_food()), (7, holds)]), [1]);
    assert_eq!(arbiter.outcomes().next().unwrap().reason, Reason::Owner);
}

#[test]
fn unit_places_are_shared_within_two_pixels() {
    let mut arbiter = Arbiter::default();
    let a = wants_place(p(10.0, 10.0));
    assert_eq!(settle(&mut arbiter, &[(0, a), (1, wants_place(p(12.0, 10.0)))]), [1]);
    let mut arbiter = Arbiter::default();
    assert!(settle(&mut arbiter, &[(0, a), (1, wants_place(p(12.001, 10.0)))]).is_empty());
}

#[test]
fn unit_a_discovery_never_beats_an_assignment_and_its_loser_goes_on() {
    let mut arbiter = Arbiter::default();
    let finds = Intention { discovery: Some(FOOD), ..wants_place(p(90.0, 0.0)) };
    assert!(settle(&mut arbiter, &[(0, finds)]).is_empty());
    assert_eq!(arbiter.grants()[0].food, Some(FOOD));
    // Arm 1 is incumbent, yet arm 4 was sent for the food.
    assert!(settle(&mut arbiter, &[(0, finds), (3, wants_food())]).is_empty());
    assert_eq!(arbiter.grants()[0].food, None);
    assert_eq!(arbiter.grants()[3].food, Some(FOOD));
    assert_eq!(arbiter.outcomes().next().unwrap().reason, Reason::Assigned);
}

#[test]
fn unit_only_the_last_sixty_four_outcomes_are_kept() {
    let mut arbiter = Arbiter::default();
    for i in 0..100 {
        let there = wants_place(p(f64::from(i) * 10.0, 0.0));
        settle(&mut arbiter, &[]);
        settle(&mut arbiter, &[(0, there), (1, there)]);
    }
    assert_eq!(arbiter.conflicts(), 100);
    let places: Vec<_> = arbiter.outcomes().map(|o| o.resource).collect();
    assert_eq!(places.len(), 64);
    assert_eq!(places[0], Resource::Place(p(360.0, 0.0)));
    assert_eq!(places[63], Resource::Place(p(990.0, 0.0)));
}

#[test]
fn unit_two_arms_sent_to_one_place_the_loser_waits_and_resumes() {
    let mut octopus = reach();
    let place = common::BODY + p(0.0, 110.0);
    octopus.assign_reach(3, place).unwrap();
    octopus.assign_reach(5, place).unwrap();
    octopus.step();
    assert_eq!(octopus.arms()[5].state(), State::Yielding);
    assert_eq!(octopus.arms()[5].task(), Task::Place(place), "the assignment is kept");
    let pose = octopus.arms()[5].arm().pose().clone();
    until(&mut octopus, 600, |o| o.arms()[3].status() == Status::Reached).unwrap();
    assert_eq!(octopus.arms()[5].arm().pose(), &pose, "a yielding arm holds still");
    octopus.idle(3).unwrap();
    let there = until(&mut octopus, 600, |o| o.arms()[5].state() == State::Reached);
    assert!(there.is_some());
}

#[test]
fn unit_named_food_is_followed_when_it_moves() {
    let mut octopus = reach();
    let base = octopus.arms()[2].arm().base();
    let id = food(&mut octopus, base + p(120.0, 60.0));
    octopus.assign_food(2, id, WhenTaken::Wait).unwrap();
    for i in 0..40 {
        let drift = p(0.0, -2.0 * f64::from(i));
        octopus.move_object(id, base + p(120.0, 60.0) + drift).unwrap();
        octopus.step();
    }
    let held = until(&mut octopus, 900, |o| o.arms()[2].held() == Some(id));
    assert!(held.is_some());
}

#[test]
fn unit_a_named_task_ignores_food_met_on_the_way() {
    let mut octopus = reach();
    let points = octopus.arms()[2].arm().pose().points.clone();
    let met = food(&mut octopus, points[12]);
    let base = octopus.arms()[2].arm().base();
    let wanted = food(&mut octopus, base + p(60.0, -170.0));
    octopus.assign_food(2, wanted, WhenTaken::Wait).unwrap();
    octopus.refresh_sensing();
    assert!(octopus.arms()[2].contacts().iter().any(|c| c.object == met));
    let held = until(&mut octopus, 900, |o| o.arms()[2].held().is_some());
    assert!(held.is_some());
    assert_eq!(octopus.arms()[2].held(), Some(wanted));
}

#[test]
fn unit_a_place_task_may_take_what_it_finds() {
    let mut octopus = reach();
    let points = octopus.arms()[2].arm().pose().points.clone();
    let met = food(&mut octopus, points[12]);
    octopus.assign_reach(2, points[20]).unwrap();
    octopus.refresh_sensing();
    let held = until(&mut octopus, 60, |o| o.arms()[2].held() == Some(met));
    assert_eq!(held, Some(30));
}

/// Arms 2 and 3 (indices 1 and 2) are both sent for one food; index 1 gets it.
fn taken(when: WhenTaken, with_second: bool) -> (tropism_octopus::Octopus, ObjectId) {
    let mut octopus = reach();
    let middle = (octopus.arms()[1].arm().base() + octopus.arms()[2].arm().base()) * 0.5;
    let away = (middle - common::BODY) * (120.0 / (middle - common::BODY).norm());
    let id = food(&mut octopus, middle + away);
    if with_second {
        food(&mut octopus, common::BODY + p(190.0, 40.0));
    }
    octopus.assign_food(1, id, when).unwrap();
    octopus.assign_food(2, id, when).unwrap();
    octopus.step();
    assert_eq!(octopus.arms()[2].state(), State::Yielding);
    until(&mut octopus, 900, |o| o.arms()[1].held() == Some(id)).unwrap();
    octopus.step();
    (octopus, id)
}

#[test]
fn unit_food_taken_by_another_makes_the_task_wait_be_freed_or_retargeted() {
    let (mut waits, id) = taken(WhenTaken::Wait, true);
    assert_eq!(waits.arms()[2].state(), State::Yielding);
    assert_eq!(waits.arms()[2].task().food(), Some(id));
    waits.release(1).unwrap();
    assert!(until(&mut waits, 900, |o| o.arms()[2].held() == Some(id)).is_some());

    let (freed, _) = taken(WhenTaken::Free, true);
    assert_eq!((freed.arms()[2].is_active(), freed.arms()[2].task()), (false, Task::None));

    let (mut nearest, id) = taken(WhenTaken::Nearest, true);
    let second = ObjectId(id.0 + 1);
    assert_eq!(nearest.arms()[2].task().food(), Some(second));
    assert!(until(&mut nearest, 900, |o| o.arms()[2].held() == Some(second)).is_some());

    let (without, id) = taken(WhenTaken::Nearest, false);
    assert_eq!(without.arms()[2].task().food(), Some(id), "nothing else there: waits");
}

#[test]
fn unit_a_task_whose_food_is_removed_is_freed() {
    let mut octopus = reach();
    let id = food(&mut octopus, common::BODY + p(150.0, 0.0));
    octopus.assign_food(2, id, WhenTaken::Wait).unwrap();
    octopus.step();
    octopus.remove_object(id).unwrap();
    octopus.step();
    assert!(!octopus.arms()[2].is_active());
}

#[test]
fn unit_arm_09_two_arms_touching_one_food_in_one_tick_have_one_owner() {
    for law in [LawKind::Reference, LawKind::Reach] {
        let plain =
            if law == LawKind::Reference { Settings::reference() } else { Settings::default() };
        let mut octopus = octopus(plain);
        let middle = (octopus.arms()[4].arm().base() + octopus.arms()[5].arm().base()) * 0.5;
        let id = octopus.add_object(tropism_octopus::Kind::Food, middle, 20.0, 1.0).unwrap();
        for arm in [5, 4] {
            let tip = octopus.arms()[arm].arm().tip();
            octopus.assign_reach(arm, tip + p(0.0, 1.0)).unwrap();
        }
        octopus.refresh_sensing();
        until(&mut octopus, 60, |o| o.captures() > 0).unwrap();
        assert_eq!(octopus.arms()[4].held(), Some(id), "{law:?}: the lowest number");
        assert_eq!(octopus.arms()[5].held(), None);
    }
}

#[test]
fn unit_arm_11_an_owner_stays_owner_until_release_and_a_freed_claim_is_free() {
    let (mut octopus, id) = taken(WhenTaken::Wait, false);
    for _ in 0..240 {
        octopus.step();
        assert_eq!(octopus.arms()[1].held(), Some(id));
    }
    // The owner fails: its arm is rebuilt in the middle of the hold.
    octopus.reset(1, tropism_octopus::ArmParameters::default()).unwrap();
    assert!(until(&mut octopus, 900, |o| o.arms()[2].held() == Some(id)).is_some());
}

#[test]
fn unit_captures_are_reported_once_and_the_last_thirty_two_are_kept() {
    let mut octopus = reach();
    let at = octopus.arms()[2].arm().pose().points[12];
    let id = food(&mut octopus, at);
    for n in 1..=40 {
        octopus.assign_reach(2, octopus.arms()[2].arm().tip()).unwrap();
        until(&mut octopus, 60, |o| o.captures() == n).unwrap();
        (0..10).for_each(|_| octopus.step());
        assert_eq!(octopus.captures(), n, "held food is not reported again");
        octopus.release(2).unwrap();
    }
    let reports: Vec<_> = octopus.reports().collect();
    assert_eq!(reports.len(), 32);
    assert!(reports.windows(2).all(|pair| pair[0].tick < pair[1].tick));
    assert!(reports.iter().all(|r| r.object == id && r.arm == 2));
}

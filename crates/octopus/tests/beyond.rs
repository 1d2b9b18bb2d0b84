//! What goes beyond the public design: separation, allocation, hand-over.
#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod common;

use common::{food, octopus, p, until};
use tropism_octopus::separation::between;
use tropism_octopus::{Kind, Octopus, SeparationSettings, Settings, Status, WhenTaken};

fn least_between(octopus: &Octopus, a: usize, b: usize) -> f64 {
    let (a, b) = (&octopus.arms()[a].arm().pose().points, &octopus.arms()[b].arm().pose().points);
    let each = a.windows(2).flat_map(|x| b.windows(2).map(|y| between(x[0], x[1], y[0], y[1])));
    each.fold(f64::INFINITY, f64::min)
}

fn least_own(octopus: &Octopus, arm: usize) -> f64 {
    let points = &octopus.arms()[arm].arm().pose().points;
    let mut least = f64::INFINITY;
    for i in 0..20 {
        for j in i + 3..20 {
            least = least.min(between(points[i], points[i + 1], points[j], points[j + 1]));
        }
    }
    least
}

fn crossing(separation: SeparationSettings) -> Octopus {
    let settings = Settings { separation, ..Settings::default() };
    let mut octopus = octopus(settings);
    // Neighbours that want each other's side.
    octopus.assign_reach(2, common::BODY + p(130.0, 150.0)).unwrap();
    octopus.assign_reach(3, common::BODY + p(190.0, -20.0)).unwrap();
    octopus
}

#[test]
fn unit_arms_cross_without_separation_and_keep_apart_with_it() {
    let mut free = crossing(SeparationSettings::default());
    let mut least = f64::INFINITY;
    for _ in 0..400 {
        free.step();
        least = least.min(least_between(&free, 2, 3));
    }
    assert!(least < 4.0, "the scene is one in which arms would cross: {least}");
    let mut apart = crossing(SeparationSettings { arms: true, ..SeparationSettings::default() });
    for _ in 0..400 {
        apart.step();
        let now = least_between(&apart, 2, 3);
        assert!(now >= 4.0 - 1.0, "{now}");
    }
}

#[test]
fn unit_an_arm_does_not_cross_itself_when_that_is_switched_on() {
    let run = |own: bool| {
        let separation = SeparationSettings { own, ..SeparationSettings::default() };
        let mut octopus = octopus(Settings { separation, ..Settings::default() });
        let mut least = f64::INFINITY;
        for (x, y) in [(20.0, -60.0), (-40.0, 30.0), (60.0, 20.0), (10.0, -20.0)] {
            octopus.assign_reach(0, octopus.arms()[0].arm().base() + p(x, y)).unwrap();
            for _ in 0..200 {
                octopus.step();
                least = least.min(least_own(&octopus, 0));
            }
        }
        least
    };
    assert!(run(false) < 1.0, "the scene is one in which an arm would cross itself");
    assert!(run(true) >= 3.0);
}

#[test]
fn unit_arms_keep_out_of_the_body_when_that_is_switched_on() {
    let run = |body: bool| {
        let separation = SeparationSettings { body, ..SeparationSettings::default() };
        let mut octopus = octopus(Settings { separation, ..Settings::default() });
        octopus.assign_reach(0, common::BODY + p(0.0, 120.0)).unwrap();
        let mut least = f64::INFINITY;
        for _ in 0..600 {
            octopus.step();
            let points = &octopus.arms()[0].arm().pose().points;
            for ends in points.windows(2).skip(1) {
                let d = tropism_octopus::vector::segment_distance(ends[0], ends[1], common::BODY);
                least = least.min(d);
            }
        }
        (least, octopus.arms()[0].status())
    };
    assert!(run(false).0 < 32.0, "the scene is one in which the arm would cross the body");
    let (least, status) = run(true);
    assert!(least >= 32.0, "{least}");
    assert_eq!(status, Status::Reached, "and still gets there, around it");
}

#[test]
fn unit_idle_arms_are_sent_to_the_best_food_at_the_least_cost() {
    let mut octopus = octopus(Settings { allocation: true, ..Settings::default() });
    let mut ids = Vec::new();
    for i in 0..10 {
        let angle = f64::from(i) * 0.6;
        let at = common::BODY + tropism_octopus::Point::unit(angle) * 190.0;
        let reward = f64::from(i);
        ids.push(octopus.add_object(Kind::Food, at, 10.0, reward).unwrap());
    }
    octopus.step();
    let cost = octopus.allocation().cost;
    assert!(cost > 0.0, "the cost is shown");
    let mut sent: Vec<_> = octopus.arms().iter().filter_map(|a| a.task().food()).collect();
    sent.sort();
    assert_eq!(sent, ids[2..], "the eight best of ten");
    let all = until(&mut octopus, 2400, |o| o.captures() >= 8);
    assert!(all.is_some());
}

#[test]
fn unit_food_changes_hands_within_one_tick() {
    let mut octopus = octopus(Settings { hand_over: true, ..Settings::default() });
    let at = octopus.arms()[2].arm().pose().points[14];
    let id = food(&mut octopus, at);
    octopus.assign_food(2, id, WhenTaken::Wait).unwrap();
    octopus.refresh_sensing();
    until(&mut octopus, 300, |o| o.arms()[2].held() == Some(id)).unwrap();
    octopus.hand_over(2, 3).unwrap();
    for _ in 0..1200 {
        let before = octopus.arms().iter().filter(|a| a.held() == Some(id)).count();
        assert_eq!(before, 1, "exactly one owner at every tick");
        octopus.step();
        if octopus.arms()[3].held() == Some(id) {
            break;
        }
    }
    assert_eq!(octopus.arms()[3].held(), Some(id));
    assert_eq!(octopus.arms()[2].held(), None);
    assert_eq!(octopus.captures(), 2);
}

#[test]
fn unit_hand_over_needs_its_switch_and_something_to_give() {
    let mut plain = octopus(Settings::default());
    assert!(plain.hand_over(0, 1).is_err());
    let mut octopus = octopus(Settings { hand_over: true, ..Settings::default() });
    assert!(octopus.hand_over(0, 1).is_err(), "empty-handed");
    assert!(octopus.hand_over(0, 0).is_err());
}

#[test]
fn unit_arm_10_two_carried_foods_may_overlap_which_is_a_stated_limit() {
    // Held food is checked against obstacles only; this pins down what the reference tables say.
    let mut octopus = octopus(Settings::default());
    let mut ids = Vec::new();
    for arm in [2, 3] {
        let at = octopus.arms()[arm].arm().pose().points[14];
        let id = food(&mut octopus, at);
        octopus.assign_food(arm, id, WhenTaken::Wait).unwrap();
        ids.push(id);
    }
    octopus.refresh_sensing();
    until(&mut octopus, 300, |o| o.captures() == 2).unwrap();
    let meeting = common::BODY + p(120.0, 60.0);
    octopus.assign_reach(2, meeting).unwrap();
    octopus.assign_reach(3, meeting + p(5.0, 0.0)).unwrap();
    let both = until(&mut octopus, 2400, |o| !o.arms()[2].is_active() && !o.arms()[3].is_active());
    assert!(both.is_some());
    let place = |i: usize| octopus.objects().get(ids[i]).unwrap().position;
    assert!(place(0).distance(place(1)) < 20.0);
}

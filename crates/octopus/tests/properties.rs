//! What holds in every scene, at every tick.
#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod common;

use common::random_scene;
use tropism_octopus::{Law, LawKind, Octopus, WhenTaken};

fn check_invariants(octopus: &Octopus, foods: usize) {
    for arm in octopus.arms() {
        let pose = arm.arm().pose();
        let limit = arm.arm().parameters().maximum_bend();
        assert!(pose.angles.iter().all(|a| a.is_finite()));
        assert!(pose.angles[1..].iter().all(|a| a.abs() <= limit));
        assert_eq!(pose.points[0], arm.arm().base());
        for ends in pose.points.windows(2) {
            assert!((ends[0].distance(ends[1]) - 12.0).abs() < 1e-9);
        }
        assert!(arm.target().is_finite());
    }
    let held: Vec<_> =
        octopus.arms().iter().filter_map(tropism_octopus::ControlledArm::held).collect();
    let mut sole = held.clone();
    sole.sort();
    sole.dedup();
    assert_eq!(sole.len(), held.len(), "one owner per food");
    let kinds = octopus.objects().all().iter();
    let left = kinds.filter(|o| o.kind == tropism_octopus::Kind::Food).count();
    assert_eq!(left, foods, "no food is lost");
    for arm in octopus.arms() {
        if let Some(grip) = arm.grip() {
            let at = octopus.objects().get(grip.object).unwrap().position;
            assert!(grip.centre(arm.arm().pose()).distance(at) < 1e-6);
        }
    }
}

#[test]
fn prop_segments_bends_owners_and_food_stay_right() {
    for law in [LawKind::Reference, LawKind::Reach] {
        for index in 0..12 {
            let (mut octopus, ids) = random_scene(index, law, false);
            for tick in 0..900 {
                if tick % 150 == 149 {
                    let arm = (tick / 150) as usize;
                    octopus.retract(arm).unwrap();
                    octopus.assign_food(7 - arm, ids[arm % 5], WhenTaken::Wait).unwrap();
                }
                if tick == 400 && law == LawKind::Reach {
                    let at = octopus.arms()[3].arm().tip();
                    octopus.report_hazard(at, 40.0, 0.7, Some(0.5)).unwrap();
                }
                octopus.step();
                check_invariants(&octopus, 5);
            }
        }
    }
}

#[test]
fn prop_under_reach_the_order_of_the_list_of_objects_does_not_matter() {
    for index in 0..20 {
        let (mut one, ids_one) = random_scene(index, LawKind::Reach, false);
        let (mut other, ids_other) = random_scene(index, LawKind::Reach, true);
        for tick in 0..600 {
            one.step();
            other.step();
            for (a, b) in one.arms().iter().zip(other.arms()) {
                assert_eq!(a.arm().pose(), b.arm().pose(), "scene {index}, tick {tick}");
                assert_eq!(a.state(), b.state());
                let place = |ids: &[_], held| ids.iter().position(|id| Some(*id) == held);
                assert_eq!(place(&ids_one, a.held()), place(&ids_other, b.held()));
            }
        }
    }
}

#[test]
fn determinism_the_same_scene_twice_gives_the_same_hash() {
    for law in [LawKind::Reference, LawKind::Reach] {
        let run = || {
            let (mut octopus, _) = random_scene(3, law, false);
            (0..600).for_each(|_| octopus.step());
            octopus.state_hash()
        };
        assert_eq!(run(), run());
    }
}

#[test]
fn determinism_a_snapshot_goes_on_to_the_bit() {
    for law in [LawKind::Reference, LawKind::Reach] {
        for index in 0..8 {
            for stop in [1, 7, 40, 41, 42, 60, 133, 300] {
                let (mut straight, ids) = random_scene(index, law, false);
                if law == LawKind::Reach {
                    let at = straight.arms()[1].arm().tip();
                    straight.report_hazard(at, 30.0, 0.97, Some(0.3)).unwrap();
                    straight.report_hazard(at, 30.0, 0.6, Some(1.3)).unwrap();
                }
                (0..stop).for_each(|_| straight.step());
                let mut resumed = Octopus::from_snapshot(&straight.snapshot()).unwrap();
                assert_eq!(resumed.state_hash(), straight.state_hash());
                for tick in 0..400 {
                    if tick == 150 {
                        for octopus in [&mut straight, &mut resumed] {
                            octopus.retract(2).unwrap();
                            octopus.assign_food(5, ids[1], WhenTaken::Wait).unwrap();
                        }
                    }
                    straight.step();
                    resumed.step();
                    let same = resumed.state_hash() == straight.state_hash();
                    assert!(same, "{law:?}, scene {index}, stop {stop}, tick {tick}");
                }
                assert_eq!(resumed.snapshot(), straight.snapshot());
            }
        }
    }
}

#[test]
fn prop_the_work_of_one_tick_is_bounded() {
    use tropism_octopus::reach::{WORK_PER_TICK, WORK_TICK_MAX};
    let mut most = 0;
    for index in 0..20 {
        let (mut octopus, _) = random_scene(100 + index, LawKind::Reach, false);
        for tick in 0..600 {
            if tick % 37 == 0 {
                // A moving obstacle makes routes be looked at again.
                let id = octopus.objects().all().last().unwrap().id;
                let at = octopus.arms()[(tick / 37) as usize % 8].arm().tip();
                octopus.move_object(id, at + common::p(20.0, 0.0)).unwrap();
            }
            octopus.step();
            for arm in octopus.arms() {
                if let Law::Reach(law) = arm.law() {
                    most = most.max(law.work_in_last_tick());
                }
            }
        }
    }
    eprintln!("most poses looked at in a tick: {most} (bound {WORK_TICK_MAX})");
    assert!(most >= WORK_PER_TICK, "the scenes are hard enough to show the bound");
    assert!(most < WORK_TICK_MAX);
}

#[test]
fn determinism_the_portable_scene_ends_in_its_recorded_hash() {
    use tropism_octopus::portable::{EXPECTED, TICKS, hash};
    let seen = [LawKind::Reference, LawKind::Reach].map(|law| hash(law, TICKS).unwrap());
    assert_eq!(seen, EXPECTED, "{seen:#018x?}");
}

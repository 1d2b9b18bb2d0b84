//! Stepping allocates nothing, however long it goes on.
//!
//! One test, so that no other allocates beside it.
#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

mod common;

use common::{p, random_scene, step};
use tropism_octopus::{ArmParameters, Kind, LawKind, Octopus, Settings};
use tropism_testkit::alloc::{CountingAllocator, allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn noalloc_stepping_allocates_nothing_also_in_a_million_ticks() {
    for law in [LawKind::Reference, LawKind::Reach] {
        for index in 0..12 {
            let (mut octopus, _) = random_scene(index, law, false);
            let at = octopus.arms()[3].arm().tip();
            octopus.report_hazard(at, 40.0, 0.8, Some(0.5)).unwrap();
            octopus.report_hazard(at, 40.0, 1.0, Some(0.2)).unwrap();
            let before = allocations();
            (0..600).for_each(|_| octopus.step());
            assert_eq!(allocations(), before, "{law:?}, scene {index}");
        }
    }
    // Small arms that keep being told something new.
    let small = ArmParameters::new(3, 40.0, 1.0, 1.5).unwrap();
    let settings = Settings::default();
    let mut octopus = Octopus::new(common::BODY, step(), &[small; 8], settings).unwrap();
    octopus.add_object(Kind::Food, common::BODY + p(90.0, 30.0), 10.0, 1.0).unwrap();
    octopus.add_object(Kind::Obstacle, common::BODY + p(-90.0, 30.0), 10.0, 1.0).unwrap();
    let before = allocations();
    for tick in 0..1_000_000_u64 {
        if tick % 500 == 0 {
            let arm = (tick / 500 % 8) as usize;
            let angle = (tick / 500) as f64 * 0.37;
            let place = common::BODY + tropism_octopus::Point::unit(angle) * 110.0;
            octopus.release(arm).unwrap();
            octopus.assign_reach(arm, place).unwrap();
        }
        octopus.step();
    }
    assert_eq!(allocations(), before);
    assert_eq!(octopus.tick().0, 1_000_000);
}

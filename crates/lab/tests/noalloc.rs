//! Goal: a tick of a run takes no memory from the heap.
//! Method: an allocator that counts; every kind of mind in a plain and in a crowded world. Both
//! worlds are in one test, because the counter is one for the whole process.

use std::path::Path;

use tropism_core::Seed;
use tropism_lab::Run;
use tropism_reactive::BUILT_IN_CONTROLLERS;
use tropism_scenario::{Document, Scenario, built_in_condition_at, load, parse};
use tropism_testkit::alloc::{CountingAllocator, allocations};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn shipped(relative: &str) -> Document {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(relative);
    load(&path).unwrap_or_else(|error| panic!("{error}"))
}

fn allocations_of_a_run(scenario: &Scenario, condition: &str) -> u64 {
    let minds: Vec<_> = (scenario.world.robots.iter())
        .filter_map(|r| built_in_condition_at(condition, &r.plan.body, scenario.step))
        .collect();
    assert_eq!(minds.len(), scenario.world.robots.len());
    let mut run = Run::new(scenario, &minds, Seed(2)).unwrap_or_else(|e| panic!("{e}"));
    (0..200).for_each(|_| run.tick());
    let before = allocations();
    (0..2_000).for_each(|_| run.tick());
    allocations() - before
}

#[test]
fn noalloc_a_tick_of_a_run() {
    let Document::Scenario(plain) = shipped("scenarios/organism/one-life.toml") else {
        panic!("no scenario")
    };
    let mut crowded = plain.clone();
    let Document::World(world) = shipped("worlds/several-robots.toml") else { panic!("no world") };
    crowded.world = world;
    let mut fields = plain.clone();
    let Document::World(world) = shipped("worlds/warmth-and-gas.toml") else { panic!("no world") };
    fields.world = world;
    for condition in ["full", "random_walk", "do_nothing"] {
        for scenario in [&plain, &crowded, &fields] {
            let name = scenario.world.name.as_str();
            assert_eq!(allocations_of_a_run(scenario, condition), 0, "{condition} in {name}");
        }
    }
    for world in ["course_room", "course_track", "course_pen", "course_corridor"] {
        let text = format!("kind = 'scenario'\nworld = '{world}'\nmind = 'do_nothing'\n");
        let Ok(Document::Scenario(scenario)) = parse("s", &text, None) else {
            panic!("no scenario")
        };
        for (controller, _) in BUILT_IN_CONTROLLERS {
            let taken = allocations_of_a_run(&scenario, controller);
            assert_eq!(taken, 0, "{controller} in {world}");
        }
    }
    assert!(allocations() > 0, "the counter is not installed");
}

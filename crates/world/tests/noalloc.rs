//! Sensing and stepping allocate nothing.

use tropism_body::SensorBank;
use tropism_core::Seed;
use tropism_testkit::alloc::{CountingAllocator, allocations};
use tropism_world::{RobotSpec, Start, Vec2, World, plans, presets};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn noalloc_sensing_and_stepping_allocate_nothing() {
    let mut spec = presets::arena(30);
    spec.stations = presets::mains().stations;
    spec.lights = presets::mains().lights;
    for plan in [plans::motor_rover(), plans::tricycle(), plans::reference_simulator()] {
        let (min, max) = (Vec2::new(0.2, 0.2), Vec2::new(2.8, 2.8));
        let name = tropism_core::Name::literal("more");
        spec.robots.push(RobotSpec { name, plan, start: Start::Region { min, max, soc: 0.5 } });
    }
    let mut world = World::new(&spec, Seed(1)).unwrap();
    let mut banks: Vec<SensorBank> =
        spec.robots.iter().map(|r| SensorBank::new(&r.plan.body, spec.step)).collect();
    let before = allocations();
    for t in 0..2_000_u32 {
        for (robot, bank) in banks.iter_mut().enumerate() {
            world.sense(robot, bank);
            let v = ((t / 7 + robot as u32) % 9) as f32 * 0.25 - 1.0;
            world.set_actuators(robot, &[0.6, v, v, 0.5]);
        }
        world.advance();
        let _ = (world.truth(0), world.events().len(), world.hash());
    }
    world.begin_life(0, 1);
    assert_eq!(allocations(), before);
}

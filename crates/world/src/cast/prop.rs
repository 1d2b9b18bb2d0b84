//! The eight-lane caster with cell lists against the scalar one that tries everything.

use alloc::vec;
use alloc::vec::Vec;

use tropism_core::{Draws, Name, Purpose, Seed, Tick, math};

use super::{Hit, NOTHING};
use crate::geometry::{ConvexPolygon, Disc, Segment, Vec2};
use crate::sensor::{Beam, MAX_RAYS, SensorModel};
use crate::spec::{RobotSpec, Start, WorldSpec};
use crate::world::World;
use crate::{Material, plans};

fn point(draws: &mut Draws, size: Vec2) -> Vec2 {
    Vec2::new(draws.between(0.0, size.x), draws.between(0.0, size.y))
}

/// A room with up to 40 shapes and 12 robots of random reach; robots may stand anywhere.
fn scene(draws: &mut Draws) -> World {
    let size = Vec2::new(draws.between(1.5, 9.0), draws.between(1.5, 6.0));
    let mut spec = WorldSpec::empty("random", size.x, size.y);
    spec.room.is_border_visible = draws.chance(3, 4);
    for _ in 0..draws.below(14) {
        let (from, to) = (point(draws, size), point(draws, size));
        spec.room.segments.push(Segment { from, to, material: Material::HARD });
    }
    for _ in 0..draws.below(14) {
        let half = Vec2::new(draws.between(0.02, 0.4), draws.between(0.02, 0.4));
        let polygon = ConvexPolygon::rectangle(point(draws, size), half, draws.between(0.0, 6.0));
        spec.room.polygons.push(polygon);
    }
    for _ in 0..draws.below(14) {
        let radius_m = draws.between(0.02, 0.4);
        let center = point(draws, size);
        spec.room.discs.push(Disc { center, radius_m, material: Material::HARD });
    }
    let reach = draws.between(0.1, 6.0);
    let robots = 1 + draws.below(12);
    for i in 0..robots {
        let mut plan = plans::eight_infrared();
        for model in &mut plan.sensors {
            if let SensorModel::InfraRed { beam, .. } = model {
                let spread_rad = draws.between(0.0, 2.0);
                *beam = Beam { max_m: reach, rays: 1 + draws.below(8) as u8, spread_rad, ..*beam };
            }
        }
        let start =
            Start::Pose { at: Vec2::new(0.04 + 0.08 * i as f32, 0.04), heading_rad: 0.0, soc: 1.0 };
        spec.robots.push(RobotSpec { name: Name::literal("r"), plan, start });
    }
    // Obstacles may cover the start row: build the room empty, then move it in.
    let room = core::mem::replace(&mut spec.room, crate::Room::empty(size.x, size.y));
    let mut world = World::new(&spec, Seed(1)).expect("a row of robots in an empty room");
    world.scene = super::Scene::new(&room);
    world.has_obstacles = true;
    for robot in 0..world.robots() {
        let at = point(draws, size);
        world.put(robot, at, draws.between(-math::PI, math::PI), 1.0);
    }
    if draws.chance(1, 2) {
        world.fill_bins();
    }
    world
}

#[test]
fn prop_eight_lanes_and_cell_lists_equal_the_oracle_to_the_bit() {
    let mut draws = Seed(9).stream(Purpose::named("cast"), 0, 0).at(Tick(0));
    let (mut rays, mut met) = (0, 0);
    for scene_number in 0..400 {
        let world = scene(&mut draws);
        for robot in 0..world.robots() {
            let prepared = &world.robots[robot].rays;
            let mut hits = vec![Hit::NONE; MAX_RAYS];
            world.cast_rays::<16>(robot, u16::MAX, &mut hits);
            let state = &world.state.robots[robot];
            for (ray, hit) in prepared.all.iter().zip(&hits) {
                let placed = ray.placed(state.at, state.forward);
                let oracle = world.cast(&placed, Some(robot));
                // The fan promises hits within the sensors' reach.
                let promised = prepared.reach_m - ray.from.length();
                rays += 1;
                if oracle.distance_m <= promised {
                    met += 1;
                    assert_eq!(
                        hit.distance_m.to_bits(),
                        oracle.distance_m.to_bits(),
                        "scene {scene_number}, robot {robot}, {placed:?}: {hit:?}, {oracle:?}"
                    );
                } else {
                    assert!(hit.distance_m > promised, "{hit:?}, {oracle:?}");
                }
            }
        }
    }
    assert!(rays > 50_000 && met > rays / 3, "{met} of {rays} rays met something");
}

#[test]
fn prop_moving_robots_are_seen_as_by_the_oracle() {
    let spec = crate::presets::arena(60);
    let mut world = World::new(&spec, Seed(3)).expect("60 robots fit");
    let mut draws = Seed(4).stream(Purpose::named("drive"), 0, 0).at(Tick(0));
    let mut seen = 0;
    for _ in 0..200 {
        for robot in 0..world.robots() {
            world.set_actuators(robot, &[draws.between(-0.5, 1.0), draws.between(-0.5, 1.0)]);
        }
        world.advance();
        for robot in 0..world.robots() {
            let mut hits = vec![Hit::NONE; 32];
            world.cast_rays::<4>(robot, u16::MAX, &mut hits);
            let oracle: Vec<Hit> =
                world.sensor_rays(robot).map(|(_, ray)| world.cast(&ray, Some(robot))).collect();
            for (hit, oracle) in hits.iter().zip(&oracle) {
                if oracle.distance_m <= 0.25 {
                    seen += u32::from(oracle.primitive != NOTHING);
                    assert_eq!(hit.distance_m.to_bits(), oracle.distance_m.to_bits());
                }
            }
        }
    }
    assert!(seen > 10_000, "{seen}");
}

#[test]
fn prop_plain_rangers_read_what_the_full_model_reads() {
    let mut draws = Seed(12).stream(Purpose::named("plain"), 0, 0).at(Tick(0));
    let mut echoes = 0;
    for scene_number in 0..200 {
        let mut world = scene(&mut draws);
        if scene_number % 4 == 0 {
            let size = world.scene.max;
            world = World::new(&WorldSpec::empty("bare", size.x, size.y), Seed(1)).expect("bare");
        }
        let room = crate::Room::empty(world.scene.max.x, world.scene.max.y);
        let mut spec = WorldSpec { room, ..WorldSpec::empty("course", 1.0, 1.0) };
        let at = Vec2::new(0.5, 0.5);
        let start = Start::Pose { at, heading_rad: 0.0, soc: 1.0 };
        let plan = plans::course_robot();
        let body = plan.body;
        spec.robots.push(RobotSpec { name: Name::literal("r"), plan, start });
        let mut course = World::new(&spec, Seed(2)).expect("one robot");
        course.scene = world.scene.clone();
        course.has_obstacles = course.scene.count() > 0;
        assert_ne!(course.robots[0].plain, 0, "the course robot's rangers have no faults");
        let mut full = course.clone();
        full.robots[0].plain = 0;
        for _ in 0..20 {
            let (at, heading) = (point(&mut draws, spec.room.max), draws.between(-3.1, 3.1));
            let read = |world: &mut World| {
                world.put(0, at, heading, 1.0);
                let mut bank = tropism_body::SensorBank::new(&body, spec.step);
                world.sense(0, &mut bank);
                bank
            };
            let (plain, full) = (read(&mut course), read(&mut full));
            for channel in 4..7 {
                let reading = plain.reading(channel, Tick(0));
                echoes += u32::from(reading.value().is_some());
                assert_eq!(reading, full.reading(channel, Tick(0)), "scene {scene_number}");
            }
        }
    }
    assert!(echoes > 6_000, "{echoes}");
}

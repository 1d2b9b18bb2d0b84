//! Random worlds and random commands; what must hold at every tick.

use tropism_body::{Reading, SensorBank};
use tropism_core::{Draws, Name, Purpose, Seed, Tick};
use tropism_world::field::{Falloff, FieldKind, FieldSpec};
use tropism_world::light::LightSpec;
use tropism_world::{
    Action, ConvexPolygon, Disc, Material, RobotSpec, Segment, Start, StationSpec, TimedEvent,
    Vec2, World, WorldError, WorldSpec, plans,
};

fn spot(draws: &mut Draws, size: Vec2) -> Vec2 {
    Vec2::new(draws.between(0.0, size.x), draws.between(0.0, size.y))
}

fn material(draws: &mut Draws) -> Material {
    [Material::HARD, Material::SOFT, Material::DARK][draws.below(3) as usize]
}

fn action(draws: &mut Draws, size: Vec2, robots: u32, stations: u32) -> Action {
    let robot = draws.chance(1, 2).then(|| draws.below(robots) as u16);
    let station = draws.below(stations.max(1)) as u8;
    match draws.below(if stations > 0 { 5 } else { 3 }) {
        0 => {
            let by = Vec2::new(draws.between(-3.0, 3.0), draws.between(-3.0, 3.0));
            Action::Shove { robot, by, turn_rad: draws.between(-9.0, 9.0) }
        }
        1 => Action::Light { light: None, is_on: draws.chance(1, 2) },
        2 => Action::Battery { robot, by: draws.between(-1.0, 1.0) },
        3 => Action::Station { station, is_on: draws.chance(1, 2) },
        _ => {
            let to = spot(draws, size);
            Action::MoveStation { station, to, facing_rad: draws.between(-4.0, 4.0) }
        }
    }
}

fn world(draws: &mut Draws) -> WorldSpec {
    let size = Vec2::new(draws.between(1.0, 6.0), draws.between(1.0, 6.0));
    let mut spec = WorldSpec::empty("swarm", size.x, size.y);
    spec.room.is_border_visible = draws.chance(1, 2);
    spec.physics_step = tropism_core::TimeStep::new(1, [20, 40, 100][draws.below(3) as usize])
        .expect("a step in range");
    for _ in 0..draws.below(5) {
        let (from, to) = (spot(draws, size), spot(draws, size));
        spec.room.segments.push(Segment { from, to, material: material(draws) });
        let half = Vec2::new(draws.between(0.02, 0.3), draws.between(0.02, 0.3));
        let mut polygon = ConvexPolygon::rectangle(spot(draws, size), half, draws.between(0., 3.));
        polygon.material = material(draws);
        spec.room.polygons.push(polygon);
        let (center, radius_m) = (spot(draws, size), draws.between(0.02, 0.3));
        spec.room.discs.push(Disc { center, radius_m, material: material(draws) });
    }
    let stations = draws.below(4);
    for _ in 0..stations {
        let at = spot(draws, size);
        spec.stations.push(StationSpec::mains(at, draws.between(-4.0, 4.0)));
    }
    spec.lights.push(LightSpec::Ambient { level: draws.uniform() });
    let at = spot(draws, size);
    spec.lights.push(LightSpec::Lamp { at, intensity: draws.uniform(), softening_m2: 0.1 });
    spec.fields.push(FieldSpec {
        kind: if draws.chance(1, 2) { FieldKind::Gas } else { FieldKind::Warmth },
        at: spot(draws, size),
        station: None,
        strength: draws.uniform(),
        spread_m: 0.5,
        falloff: if draws.chance(1, 2) { Falloff::Gaussian } else { Falloff::InverseSquare },
    });
    let robots = 1 + draws.below(30);
    for _ in 0..robots {
        let plan = match draws.below(5) {
            0 => plans::reference_simulator(),
            1 => plans::reference_board(),
            2 => plans::motor_rover(),
            3 => plans::tricycle(),
            _ => plans::eight_infrared(),
        };
        let start = Start::Region { min: Vec2::default(), max: size, soc: draws.uniform() };
        spec.robots.push(RobotSpec { name: Name::literal("one"), plan, start });
    }
    for _ in 0..draws.below(6) {
        let at_s = f64::from(draws.between(0.0, 10.0));
        let every_s = f64::from(draws.between(0.0, 5.0));
        let action = action(draws, size, robots, stations);
        spec.events.push(TimedEvent { at_s, every_s, action });
    }
    spec
}

fn check(world: &World, spec: &WorldSpec, seed: u64) {
    for (robot, r) in spec.robots.iter().enumerate() {
        let t = world.truth(robot);
        let note = format!("seed {seed}, tick {}, robot {robot}: {t:?}", world.tick().0);
        let numbers = [t.x_m, t.y_m, t.heading_rad, t.speed_m_s, t.turn_rad_s, t.net_current_a];
        assert!(numbers.iter().all(|v| v.is_finite()), "{note}");
        assert!((0.0..=1.0).contains(&t.soc), "{note}");
        let slack = 1e-4;
        let radius = r.plan.radius_m - slack;
        assert!(t.x_m >= spec.room.min.x + radius && t.x_m <= spec.room.max.x - radius, "{note}");
        assert!(t.y_m >= spec.room.min.y + radius && t.y_m <= spec.room.max.y - radius, "{note}");
        assert!(t.charge_current_a == 0.0 || t.is_docked, "{note}");
    }
}

#[test]
fn swarm_random_worlds_keep_their_invariants() {
    let (mut built, mut full) = (0, 0);
    for seed in 0..120 {
        let mut draws = Seed(seed).stream(Purpose::named("swarm"), 0, 0).at(Tick(0));
        let spec = world(&mut draws);
        let mut world = match World::new(&spec, Seed(seed)) {
            Ok(world) => world,
            Err(WorldError::Overlap(names)) => {
                assert!(!names.is_empty());
                full += 1;
                continue;
            }
            Err(error) => panic!("seed {seed}: {error}"),
        };
        built += 1;
        let mut banks: Vec<SensorBank> =
            spec.robots.iter().map(|r| SensorBank::new(&r.plan.body, spec.step)).collect();
        for _ in 0..400 {
            for (robot, bank) in banks.iter_mut().enumerate() {
                world.sense(robot, bank);
                for channel in 0..bank.count() {
                    let reading = bank.reading(channel, world.tick());
                    assert_ne!(reading, Reading::NotFinite, "seed {seed}, channel {channel}");
                }
                let values: [f32; 16] = core::array::from_fn(|_| match draws.below(40) {
                    0 => f32::NAN,
                    1 => f32::INFINITY,
                    _ => draws.signed_uniform(),
                });
                world.set_actuators(robot, &values);
            }
            if draws.chance(1, 100) {
                let robot = draws.below(world.robots() as u32) as usize;
                world.begin_life(robot, draws.below(5));
            }
            world.advance();
            check(&world, &spec, seed);
        }
    }
    assert!(built > 60, "{built} built, {full} too full");
}

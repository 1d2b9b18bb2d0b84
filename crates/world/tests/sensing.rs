//! The kinds of sensors other than rangers, each against what it should read without noise.

use tropism_body::{BodySpec, Sample, SensorBank, SensorKind, SensorSpec};
use tropism_core::{Name, Seed, math::PI};
use tropism_world::field::{Falloff, FieldKind, FieldSpec};
use tropism_world::light::LightSpec;
use tropism_world::sensor::{Axis, Beam, InfraRedResponse, SensorModel, Wheel};
use tropism_world::{
    Action, Disc, Material, OccurrenceKind, RobotSpec, Start, StationSpec, Tape, TimedEvent, Vec2,
    World, WorldSpec, plans,
};

const NAMES: [&str; 4] = ["s0", "s1", "s2", "s3"];

/// A 4 × 4 m room without noise and a robot at (1, 1) that looks along +x, with these sensors.
fn with(models: &[SensorModel]) -> WorldSpec {
    let mut spec = WorldSpec::empty("sensing", 4.0, 4.0);
    spec.has_noise = false;
    let mut plan = plans::reference_simulator();
    let channel = |i: usize| SensorSpec::normalised(NAMES[i], SensorKind::Adc).over(-1e4, 1e4);
    let sensors: Vec<SensorSpec> = (0..models.len()).map(channel).collect();
    let actuators: Vec<_> = plan.body.actuators.iter().copied().collect();
    plan.body = BodySpec::new(plan.body.name, &sensors, &actuators, None).expect("a sound body");
    plan.sensors = models.to_vec();
    let start = Start::Pose { at: Vec2::new(1.0, 1.0), heading_rad: 0.0, soc: 1.0 };
    spec.robots.push(RobotSpec { name: Name::literal("one"), plan, start });
    spec
}

fn read(world: &World, spec: &WorldSpec) -> Vec<f32> {
    let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
    world.sense(0, &mut bank);
    (0..bank.count()).map(|c| bank.reading(c, world.tick()).value().unwrap_or(f32::NAN)).collect()
}

fn near(seen: f32, expected: f32) {
    assert!((seen - expected).abs() < 1e-4, "{seen}, expected {expected}");
}

#[test]
fn unit_tape_of_19_mm_is_seen_by_the_sensor_above_it_alone() {
    let floor = |left_m| SensorModel::FloorReflectance {
        ahead_m: 0.05,
        left_m,
        floor: 0.9,
        tape: 0.1,
        spot_m: 0.0,
        noise: 0.0,
    };
    let mut spec = with(&[floor(0.015), floor(0.0), floor(-0.015)]);
    let points = vec![Vec2::new(0.0, 1.0), Vec2::new(2.0, 1.0), Vec2::new(2.0, 3.0)];
    spec.tapes.push(Tape { points, width_m: 0.019 });
    let mut world = World::new(&spec, Seed(1)).unwrap();
    assert_eq!(read(&world, &spec), [0.9, 0.1, 0.9]);
    world.put(0, Vec2::new(1.0, 1.015), 0.0, 1.0);
    assert_eq!(read(&world, &spec), [0.9, 0.9, 0.1]);
}

#[test]
fn unit_a_spot_half_on_tape_reads_half_way() {
    let model = SensorModel::FloorReflectance {
        ahead_m: 0.0,
        left_m: 0.0,
        floor: 0.9,
        tape: 0.1,
        spot_m: 0.01,
        noise: 0.0,
    };
    let mut spec = with(&[model]);
    spec.tapes
        .push(Tape { points: vec![Vec2::new(0.0, 1.0), Vec2::new(2.0, 1.0)], width_m: 0.019 });
    let mut world = World::new(&spec, Seed(1)).unwrap();
    for (y, expected) in [(1.0, 0.1), (1.0095, 0.5), (1.012, 0.7), (1.02, 0.9)] {
        world.put(0, Vec2::new(1.0, y), 0.0, 1.0);
        near(read(&world, &spec)[0], expected);
    }
}

#[test]
fn unit_fields_fall_off_as_stated_and_move_with_their_station() {
    let sense = |kind| SensorModel::Field { kind, half_level: 0.5, noise: 0.0 };
    let mut spec = with(&[sense(FieldKind::Warmth), sense(FieldKind::Gas)]);
    spec.stations.push(StationSpec::mains(Vec2::new(1.3, 1.0), PI));
    spec.fields = vec![
        FieldSpec {
            kind: FieldKind::Warmth,
            at: Vec2::default(),
            station: Some(0),
            strength: 1.0,
            spread_m: 0.3,
            falloff: Falloff::InverseSquare,
        },
        FieldSpec {
            kind: FieldKind::Gas,
            at: Vec2::new(1.0, 1.6),
            station: None,
            strength: 2.0,
            spread_m: 0.6,
            falloff: Falloff::Gaussian,
        },
    ];
    let to = Vec2::new(1.0, 1.0);
    spec.events = vec![
        TimedEvent {
            at_s: 0.0,
            every_s: 0.0,
            action: Action::MoveStation { station: 0, to, facing_rad: PI },
        },
        TimedEvent { at_s: 0.05, every_s: 0.0, action: Action::Field { field: 1, is_on: false } },
    ];
    let mut world = World::new(&spec, Seed(1)).unwrap();
    let share = |c: f32| c / (c + 0.5);
    let seen = read(&world, &spec);
    near(seen[0], share(0.5));
    near(seen[1], share(2.0 * 0.606_530_7));
    world.advance();
    near(read(&world, &spec)[0], share(1.0));
    world.advance();
    near(read(&world, &spec)[1], 0.0);
}

#[test]
fn unit_a_beacon_is_measured_in_the_body_frame_and_the_bearing_never_leaves_its_range() {
    let models = [
        SensorModel::GoalBearing { beacon: 0, noise_rad: 0.0 },
        SensorModel::GoalRange { beacon: 0, noise_m: 0.0 },
    ];
    let mut spec = with(&models);
    spec.beacons.push(Vec2::new(1.0, 3.0));
    let mut world = World::new(&spec, Seed(1)).unwrap();
    for (heading, bearing) in [(0.0, PI / 2.0), (PI / 2.0, 0.0), (PI, -PI / 2.0)] {
        world.put(0, Vec2::new(1.0, 1.0), heading, 1.0);
        let seen = read(&world, &spec);
        near(seen[0], bearing);
        near(seen[1], 2.0);
    }
    world.put(0, Vec2::new(1.0, 1.0), -PI / 2.0, 1.0);
    assert!(read(&world, &spec)[0].abs() > 0.999 * PI);
}

#[test]
fn unit_motion_sensors_tell_speed_turn_acceleration_and_way() {
    let models = [
        SensorModel::Gyro { bias_rad_s: 0.1, noise_rad_s: 0.0 },
        SensorModel::Accelerometer { axis: Axis::Forward, noise_m_s2: 0.0 },
        SensorModel::WheelSpeed { wheel: Wheel::Right, noise_m_s: 0.0 },
        SensorModel::Odometer,
    ];
    let mut spec = with(&models);
    let mut world = World::new(&spec, Seed(1)).unwrap();
    world.step(&[&[0.25, 0.5]]);
    let seen = read(&world, &spec);
    near(seen[0], 0.05 / 0.15);
    near(seen[1], 0.075 / 0.05);
    near(seen[2], 0.1);
    near(seen[3], 0.075 * 0.05);
    spec.has_noise = true;
    let mut world = World::new(&spec, Seed(1)).unwrap();
    world.step(&[&[0.0, 0.0]]);
    near(read(&world, &spec)[0], 0.1);
}

#[test]
fn unit_bumpers_tell_the_side_of_the_contact() {
    let bump = |bearing: f32| SensorModel::Bump { sector: Some((bearing, PI / 4.0)) };
    let mut spec = with(&[bump(0.0), bump(PI / 2.0), bump(-PI / 2.0), bump(PI)]);
    spec.room.discs.push(Disc {
        center: Vec2::new(2.0, 2.0),
        radius_m: 0.5,
        material: Material::HARD,
    });
    let mut world = World::new(&spec, Seed(1)).unwrap();
    for (heading, expected) in [
        (0.0, [1.0, 0.0, 0.0, 0.0]),
        (-PI / 2.0, [0.0, 1.0, 0.0, 0.0]),
        (PI / 2.0, [0.0, 0.0, 1.0, 0.0]),
        (PI, [0.0, 0.0, 0.0, 1.0]),
    ] {
        // The disc lies along +x, overlapping by one millimetre.
        world.put(0, Vec2::new(1.401, 2.0), heading, 1.0);
        world.step(&[&[0.0; 5]]);
        assert_eq!(read(&world, &spec), expected, "heading {heading}");
    }
    world.put(0, Vec2::new(1.0, 2.0), 0.0, 1.0);
    world.step(&[&[0.0; 5]]);
    assert_eq!(read(&world, &spec), [0.0; 4]);
}

#[test]
fn unit_eyes_see_within_their_field_and_darkness_when_lights_go_off() {
    let eye = |bearing_rad, half_field_rad| SensorModel::LightEye {
        bearing_rad,
        is_on_head: false,
        half_field_rad,
        half_level: 0.5,
        noise: 0.0,
    };
    let mut spec = with(&[eye(0.0, PI / 2.0), eye(0.5, 0.4), eye(-2.0, PI / 2.0)]);
    let lamp = LightSpec::Lamp { at: Vec2::new(2.0, 1.0), intensity: 1.0, softening_m2: 0.25 };
    spec.lights = vec![lamp, LightSpec::Ambient { level: 0.1 }];
    let off = Action::Light { light: Some(0), is_on: false };
    spec.events.push(TimedEvent { at_s: 0.0, every_s: 0.0, action: off });
    let mut world = World::new(&spec, Seed(1)).unwrap();
    let share = |l: f32| l / (l + 0.5);
    let seen = read(&world, &spec);
    near(seen[0], share(0.8 + 0.1));
    near(seen[1], share(0.1));
    near(seen[2], share(0.1));
    world.advance();
    assert!(world.events().iter().any(|e| e.kind == OccurrenceKind::LightsOff));
    near(read(&world, &spec)[0], share(0.1));
}

#[test]
fn unit_reflected_infra_red_depends_on_distance_and_material() {
    let beam = Beam { bearing_rad: 0.0, mount_m: 0.1, rays: 3, spread_rad: 0.0, max_m: 0.5 };
    let model = SensorModel::InfraRed { beam, response: InfraRedResponse::Intensity, noise: 0.0 };
    let mut spec = with(&[model]);
    let disc = |material| Disc { center: Vec2::new(1.5, 1.0), radius_m: 0.2, material };
    spec.room.discs.push(disc(Material::HARD));
    near(read(&World::new(&spec, Seed(1)).unwrap(), &spec)[0], 1.0 - 0.2 / 0.5);
    spec.room.discs[0] = disc(Material::DARK);
    near(read(&World::new(&spec, Seed(1)).unwrap(), &spec)[0], 0.15 * 0.6);
}

#[test]
fn unit_charge_current_and_neighbours_buzzers_are_sensed() {
    let microphone = SensorModel::Microphone {
        floor: 0.05,
        drive_gain: 0.35,
        buzzer_gain: 0.8,
        charge_gain: 0.25,
        noise: 0.0,
    };
    let mut spec = with(&[SensorModel::ChargeCurrent { full_a: 2.0, noise_a: 0.0 }, microphone]);
    spec.stations.push(StationSpec::REFERENCE);
    let mut other = spec.robots[0].clone();
    other.name = Name::literal("other");
    other.start = Start::Pose { at: Vec2::new(1.0, 1.5), heading_rad: 0.0, soc: 1.0 };
    spec.robots.push(other);
    let mut world = World::new(&spec, Seed(1)).unwrap();
    world.step(&[&[0.0; 5], &[0.0, 0.0, 0.0, 0.0, 1.0]]);
    let seen = read(&world, &spec);
    near(seen[0], 0.0);
    near(seen[1], 0.05 + 0.8 * 0.5);
    world.put(0, Vec2::new(2.9, 1.25), 0.0, 0.5);
    world.step(&[&[0.0; 5], &[0.0; 5]]);
    near(read(&world, &spec)[0], 0.5 * world.truth(0).charge_current_a);
    assert!(world.truth(0).charge_current_a > 0.5);
}

#[test]
fn unit_every_kind_of_noise_can_be_switched_off() {
    for plan in [
        plans::reference_simulator(),
        plans::reference_board(),
        plans::motor_rover(),
        plans::tricycle(),
        plans::eight_infrared(),
    ] {
        let mut spec = WorldSpec::empty("quiet", 4.0, 4.0);
        spec.has_noise = false;
        spec.stations.push(StationSpec::REFERENCE);
        let start = Start::Pose { at: Vec2::new(1.0, 1.0), heading_rad: 0.3, soc: 0.7 };
        spec.robots.push(RobotSpec { name: Name::literal("one"), plan, start });
        let reads = |seed: u64| {
            let mut world = World::new(&spec, Seed(seed)).unwrap();
            let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
            let mut seen = Vec::new();
            for _ in 0..150 {
                world.sense(0, &mut bank);
                seen.extend((0..bank.count()).map(|c| bank.reading(c, world.tick())));
                world.step(&[&[0.5, 0.7, 0.1, 0.2]]);
            }
            seen
        };
        assert_eq!(reads(1), reads(2), "{}", spec.robots[0].plan.body.name);
        spec.has_noise = true;
        let noisy = |seed: u64| {
            let world = World::new(&spec, Seed(seed)).unwrap();
            let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
            world.sense(0, &mut bank);
            bank
        };
        assert_ne!(noisy(1), noisy(2));
        bank_takes_failures(&spec);
    }
}

/// A failed sample leaves the last reading to age.
fn bank_takes_failures(spec: &WorldSpec) {
    let world = World::new(spec, Seed(1)).expect("a sound world");
    let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
    world.sense(0, &mut bank);
    let before = bank.reading(0, world.tick());
    bank.accept(0, world.tick(), Sample::Failed);
    assert_eq!(bank.reading(0, world.tick()), before);
}

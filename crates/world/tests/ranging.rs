//! Ranging sensors: the cases of practice.

use tropism_body::{BodySpec, Reading, SensorBank, SensorKind, SensorSpec};
use tropism_core::{Name, Seed, math::PI};
use tropism_world::sensor::{Beam, SensorModel};
use tropism_world::{
    ConvexPolygon, Disc, Material, RobotSpec, Segment, Start, Vec2, World, WorldSpec, plans,
};

const NAMES: [&str; 3] = ["sonar_left", "sonar_front", "sonar_right"];
const BEARINGS: [f32; 3] = [PI / 4.0, 0.0, -PI / 4.0];

/// A ranger of five rays over 30°, 2 m, without any fault.
fn sonar(bearing_rad: f32) -> SensorModel {
    SensorModel::Ultrasonic {
        beam: Beam { bearing_rad, mount_m: 0.09, rays: 5, spread_rad: 0.52, max_m: 2.0 },
        min_m: 0.02,
        noise_m: 0.0,
        specular_rad: PI / 2.0,
        false_echo: 0,
        near_burst: 0,
        hears_others: false,
        slot: 0,
        slots: 1,
    }
}

/// A robot at (1, 1) that looks along +x, with three rangers.
fn robot(models: &[SensorModel]) -> RobotSpec {
    let mut plan = plans::motor_rover();
    let channel = |i: usize| SensorSpec::normalised(NAMES[i], SensorKind::Range).over(0.0, 10.0);
    let sensors: Vec<SensorSpec> = (0..models.len()).map(channel).collect();
    let actuators: Vec<_> = plan.body.actuators.iter().copied().collect();
    plan.body = BodySpec::new(plan.body.name, &sensors, &actuators, None).expect("a sound body");
    plan.sensors = models.to_vec();
    let start = Start::Pose { at: Vec2::new(1.0, 1.0), heading_rad: 0.0, soc: 1.0 };
    RobotSpec { name: Name::literal("ranger"), plan, start }
}

fn room(models: &[SensorModel]) -> WorldSpec {
    let mut spec = WorldSpec::empty("ranging", 20.0, 20.0);
    spec.robots.push(robot(models));
    spec
}

fn read(spec: &WorldSpec) -> Vec<Reading> {
    let world = World::new(spec, Seed(1)).expect("a sound world");
    let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
    world.sense(0, &mut bank);
    (0..bank.count()).map(|c| bank.reading(c, world.tick())).collect()
}

fn disc(x: f32, y: f32, radius_m: f32) -> Disc {
    Disc { center: Vec2::new(x, y), radius_m, material: Material::HARD }
}

#[test]
fn unit_us_01_nothing_in_range_is_no_echo_and_never_zero() {
    let mut spec = room(&BEARINGS.map(sonar));
    spec.robots[0].start = Start::Pose { at: Vec2::new(10.0, 10.0), heading_rad: 0.0, soc: 1.0 };
    assert_eq!(read(&spec), [Reading::NoEcho; 3]);
}

#[test]
fn unit_us_03_a_target_that_leaves_is_no_echo_at_the_next_measurement() {
    let mut spec = room(&[sonar(0.0)]);
    let plan = plans::reference_board();
    let start = Start::Pose { at: Vec2::new(1.25, 1.0), heading_rad: 0.0, soc: 1.0 };
    spec.robots.push(RobotSpec { name: Name::literal("target"), plan, start });
    let mut world = World::new(&spec, Seed(1)).unwrap();
    let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
    world.sense(0, &mut bank);
    let seen = bank.reading(0, world.tick()).value().unwrap();
    assert!((seen - 0.06).abs() < 1e-3, "{seen}");
    world.put(1, Vec2::new(15.0, 15.0), 0.0, 1.0);
    world.advance();
    world.sense(0, &mut bank);
    assert_eq!(bank.reading(0, world.tick()), Reading::NoEcho);
}

#[test]
fn unit_us_05_rangers_fired_together_hear_each_other_and_in_turn_they_do_not() {
    let models = |together: bool| -> Vec<SensorModel> {
        let one = |i: usize| match sonar(BEARINGS[i]) {
            SensorModel::Ultrasonic { beam, min_m, noise_m, false_echo, near_burst, .. } => {
                SensorModel::Ultrasonic {
                    beam,
                    min_m,
                    noise_m,
                    specular_rad: 0.35,
                    false_echo,
                    near_burst,
                    hears_others: true,
                    slot: if together { 0 } else { i as u8 },
                    slots: if together { 1 } else { 3 },
                }
            }
            other => other,
        };
        (0..3).map(one).collect()
    };
    // The corner (0, 0) lies ahead: the side rangers meet their walls slantwise.
    let turned = |models: &[SensorModel]| {
        let mut spec = room(models);
        let at = Vec2::new(0.6, 0.6);
        spec.robots[0].start = Start::Pose { at, heading_rad: -0.75 * PI, soc: 1.0 };
        spec
    };
    let run = |spec: &WorldSpec| -> Vec<Option<f32>> {
        let mut world = World::new(spec, Seed(1)).unwrap();
        let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
        for _ in 0..3 {
            world.sense(0, &mut bank);
            world.advance();
        }
        (0..3).map(|c| bank.reading(c, world.tick()).last_value()).collect()
    };
    let (together, in_turn) = (run(&turned(&models(true))), run(&turned(&models(false))));
    // Straight into the corner no wall sends the pulse back: only cross-talk gives a range.
    assert_eq!(in_turn[1], None, "{in_turn:?}");
    assert!(together[1].is_some(), "a false range in front: {together:?}");
    assert!(in_turn[0].is_some() && in_turn[2].is_some(), "{in_turn:?}");
}

#[test]
fn unit_us_07_soft_cloth_is_not_heard_but_felt() {
    let mut spec = room(&[sonar(0.0)]);
    let wall = |material| Segment { from: Vec2::new(1.8, 0.0), to: Vec2::new(1.8, 2.0), material };
    spec.room.segments.push(wall(Material::HARD));
    let hard = read(&spec)[0].value().unwrap();
    assert!((hard - 0.71).abs() < 1e-3, "{hard}");
    spec.room.segments[0] = wall(Material::SOFT);
    assert_eq!(read(&spec), [Reading::NoEcho]);
    let mut world = World::new(&spec, Seed(1)).unwrap();
    for _ in 0..200 {
        world.step(&[&[1.0, 1.0]]);
    }
    let truth = world.truth(0);
    assert!(truth.is_bumped && !truth.is_embedded && truth.x_m <= 1.71 + 1e-4, "{truth:?}");
}

#[test]
fn unit_us_08_bursts_of_near_readings_last_one_to_three_measurements() {
    let SensorModel::Ultrasonic { beam, min_m, .. } = sonar(0.0) else { return };
    let model = SensorModel::Ultrasonic {
        beam,
        min_m,
        noise_m: 0.002,
        specular_rad: PI / 2.0,
        false_echo: 0,
        near_burst: 400,
        hears_others: false,
        slot: 0,
        slots: 1,
    };
    let mut spec = room(&[model]);
    spec.room.discs.push(disc(2.7, 1.0, 0.11));
    let mut world = World::new(&spec, Seed(1)).unwrap();
    let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
    let (mut near, mut run, mut longest, mut runs) = (0, 0, 0, 0);
    for _ in 0..20_000 {
        world.sense(0, &mut bank);
        let value = bank.reading(0, world.tick()).value().unwrap();
        if value < 0.06 {
            near += 1;
            run += 1;
            longest = longest.max(run);
        } else {
            assert!((value - 1.5).abs() < 0.02, "{value}");
            runs += i32::from(run > 0);
            run = 0;
        }
        world.advance();
    }
    assert!((80..180).contains(&runs), "{runs} bursts of about 122");
    assert!(near > runs && longest <= 6, "two bursts may touch: {near} in {runs}, {longest}");
}

#[test]
fn unit_us_09_false_echoes_grow_with_motor_command_and_range() {
    let rate = |max_m: f32, command: f32| {
        let SensorModel::Ultrasonic { beam, min_m, .. } = sonar(0.0) else { return 0 };
        let model = SensorModel::Ultrasonic {
            beam: Beam { max_m, ..beam },
            min_m,
            noise_m: 0.0,
            specular_rad: PI / 2.0,
            false_echo: 6_554,
            near_burst: 0,
            hears_others: false,
            slot: 0,
            slots: 1,
        };
        let mut spec = room(&[model]);
        let at = Vec2::new(10.0, 10.0);
        spec.robots[0].start = Start::Pose { at, heading_rad: 0.0, soc: 1.0 };
        let mut world = World::new(&spec, Seed(3)).unwrap();
        let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
        let mut count = 0;
        for _ in 0..4_000 {
            // Wheels against each other: it turns on the spot.
            world.step(&[&[command, -command]]);
            world.sense(0, &mut bank);
            count += u32::from(bank.reading(0, world.tick()).is_valid());
        }
        count
    };
    assert_eq!(rate(4.0, 0.0), 0);
    let (half, full, short) = (rate(4.0, 0.5), rate(4.0, 1.0), rate(1.0, 1.0));
    assert!((330..470).contains(&full), "{full} of 4000 at 10 %");
    assert!(half * 10 > full * 3 && half * 10 < full * 7, "{half} {full}");
    assert!(short * 10 > full && short * 10 < full * 4, "{short} {full}");
}

#[test]
fn unit_us_10_at_and_beyond_the_range_there_is_no_echo() {
    for (gap, is_heard) in [(1.99, true), (2.001, false), (2.5, false)] {
        let mut spec =
            room(&[SensorModel::Lidar { beam: Beam::single(0.0, 0.09, 2.0), noise_m: 0.0 }]);
        spec.room.discs.push(disc(1.09 + gap + 0.1, 1.0, 0.1));
        assert_eq!(read(&spec)[0].is_valid(), is_heard, "{gap} m");
    }
}

#[test]
fn unit_us_12_other_robots_are_seen_and_the_border_only_if_visible() {
    let mut spec = room(&[sonar(0.0)]);
    spec.robots[0].start = Start::Pose { at: Vec2::new(19.0, 10.0), heading_rad: 0.0, soc: 1.0 };
    assert!(read(&spec)[0].is_valid());
    spec.room.is_border_visible = false;
    assert_eq!(read(&spec), [Reading::NoEcho]);
    let plan = plans::reference_board();
    let start = Start::Pose { at: Vec2::new(19.5, 10.0), heading_rad: 0.0, soc: 1.0 };
    spec.robots.push(RobotSpec { name: Name::literal("other"), plan, start });
    let seen = read(&spec)[0].value().unwrap();
    assert!((seen - 0.31).abs() < 1e-3, "{seen}");
}

#[test]
fn unit_us_13_exactly_the_ranger_on_the_obstacles_side_reacts() {
    for (i, bearing) in BEARINGS.into_iter().enumerate() {
        let mut spec = room(&BEARINGS.map(sonar));
        spec.robots[0].start =
            Start::Pose { at: Vec2::new(10.0, 10.0), heading_rad: 0.0, soc: 1.0 };
        let at = Vec2::new(10.0, 10.0) + Vec2::at_angle(bearing) * 0.8;
        spec.room.polygons.push(ConvexPolygon::rectangle(at, Vec2::new(0.05, 0.05), bearing));
        for (channel, reading) in read(&spec).into_iter().enumerate() {
            assert_eq!(reading.is_valid(), channel == i, "{} at {bearing}", NAMES[channel]);
        }
    }
}

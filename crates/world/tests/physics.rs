//! Drives, contact, batteries, stations and odometry.

use tropism_body::SensorBank;
use tropism_core::{Name, Seed, TimeStep, math, math::PI};
use tropism_world::battery::BatterySpec;
use tropism_world::drive::{DriveSpec, Integration};
use tropism_world::odometry::{
    Odometry, OdometryError, OdometrySpec, count, difference, shortest_turn,
};
use tropism_world::{
    Action, ConvexPolygon, OccurrenceKind, RobotPlan, RobotSpec, Start, StationSpec, StationState,
    TimedEvent, Vec2, World, WorldError, WorldSpec, plans, presets,
};

fn alone(plan: RobotPlan, size: f32) -> WorldSpec {
    let mut spec = WorldSpec::empty("alone", size, size);
    let at = Vec2::new(0.5 * size, 0.5 * size);
    let start = Start::Pose { at, heading_rad: 0.0, soc: 1.0 };
    spec.robots.push(RobotSpec { name: Name::literal("one"), plan, start });
    spec
}

fn stepper(integration: Integration) -> RobotPlan {
    let drive = DriveSpec::Stepper { left: 0, right: 1, speed_m_s: 0.2, base_m: 0.15, integration };
    RobotPlan { drive, ..plans::reference_simulator() }
}

#[test]
fn unit_odo_07_one_stopped_wheel_pivots_on_a_circle_of_half_the_base() {
    let spec = alone(stepper(Integration::Arc), 3.0);
    let mut world = World::new(&spec, Seed(1)).unwrap();
    // The left wheel stands: the centre circles around it.
    let pivot = Vec2::new(1.5, 1.5 + 0.075);
    for t in 0..2_000 {
        let right = if t < 500 { 0.2 } else { 0.9 };
        world.step(&[&[0.0, right]]);
        let truth = world.truth(0);
        let radius = (Vec2::new(truth.x_m, truth.y_m) - pivot).length();
        assert!((radius - 0.075).abs() < 1e-4, "tick {t}: {radius}");
    }
}

#[test]
fn unit_odo_04_a_faster_right_wheel_turns_to_the_left() {
    for integration in [Integration::Arc, Integration::HeadingFirst] {
        let mut world = World::new(&alone(stepper(integration), 3.0), Seed(1)).unwrap();
        world.step(&[&[0.2, 0.4]]);
        assert!(world.truth(0).turn_rad_s > 0.0 && world.truth(0).heading_rad > 0.0);
    }
}

#[test]
fn unit_odo_01_and_03_counters_wrap_both_ways_at_any_modulus() {
    for modulus in [9_000, 65_536, u32::MAX] {
        for way in [-700_i64, -1, 0, 1, 700] {
            let before = (i64::from(modulus) - 3) as u32;
            let now = (i64::from(before) + way).rem_euclid(i64::from(modulus)) as u32;
            assert_eq!(difference(before, now, modulus), way);
            assert_eq!(difference(now, before, modulus), -way);
        }
    }
    assert_eq!(count(-0.001, 1_000.0, 9_000), 8_999);
    let spec =
        OdometrySpec { base_m: 0.15, counts_per_m: [1_000.0; 2], modulus: 9_000, turn_factor: 1.0 };
    let mut reckoned = Odometry::new(spec, [8_990, 8_990]).unwrap();
    reckoned.update([10, 10]);
    assert!((reckoned.at.x - 0.02).abs() < 1e-6 && reckoned.at.y == 0.0);
    reckoned.update([8_990, 8_990]);
    assert!(reckoned.at.x.abs() < 1e-6);
}

#[test]
fn unit_odo_06_both_limits_are_finite_and_no_geometry_is_refused() {
    let spec =
        OdometrySpec { base_m: 0.15, counts_per_m: [1_000.0; 2], modulus: 9_000, turn_factor: 1.0 };
    let mut spot = Odometry::new(spec, [0, 0]).unwrap();
    spot.update([8_900, 100]);
    assert!(spot.at.length() < 1e-6 && (spot.heading_rad - 0.2 / 0.15).abs() < 1e-5);
    let mut straight = Odometry::new(spec, [0, 0]).unwrap();
    straight.update([100, 100]);
    assert!((straight.at.x - 0.1).abs() < 1e-6 && straight.heading_rad == 0.0);
    for (bad, error) in [
        (OdometrySpec { base_m: 0.0, ..spec }, OdometryError::Base),
        (OdometrySpec { base_m: f32::NAN, ..spec }, OdometryError::Base),
        (OdometrySpec { counts_per_m: [0.0, 1.0], ..spec }, OdometryError::Counts),
        (OdometrySpec { modulus: 1, ..spec }, OdometryError::Modulus),
        (OdometrySpec { turn_factor: 0.0, ..spec }, OdometryError::TurnFactor),
    ] {
        assert_eq!(Odometry::new(bad, [0, 0]), Err(error));
    }
    let mut plan = stepper(Integration::Arc);
    if let DriveSpec::Stepper { base_m, .. } = &mut plan.drive {
        *base_m = 0.0;
    }
    assert!(matches!(World::new(&alone(plan, 3.0), Seed(1)), Err(WorldError::Plan(..))));
}

#[test]
fn unit_odo_08_the_short_way_round() {
    let degree = PI / 180.0;
    assert!((shortest_turn(-170.0 * degree, 170.0 * degree) + 20.0 * degree).abs() < 1e-5);
    assert!((shortest_turn(170.0 * degree, -170.0 * degree) - 20.0 * degree).abs() < 1e-5);
    let half = shortest_turn(0.0, PI);
    assert_eq!(half, shortest_turn(0.0, -PI), "the half turn goes one way only");
}

#[test]
fn unit_odo_10_a_skid_steered_body_turns_less_and_the_factor_corrects_it() {
    let mut plan = plans::motor_rover();
    if let DriveSpec::Motors { slip, turn_share, gains, .. } = &mut plan.drive {
        (*slip, *turn_share, *gains) = (0.0, 0.5, [1.0, 1.0]);
    }
    let spec = alone(plan, 3.0);
    let run = |turn_factor: f32| {
        let mut world = World::new(&spec, Seed(1)).unwrap();
        let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
        let geometry =
            OdometrySpec { base_m: 0.14, counts_per_m: [4_000.0; 2], modulus: 9_000, turn_factor };
        let mut reckoned = Odometry::new(geometry, [0, 0]).unwrap();
        let (mut rolled, mut made) = (0.0, 0.0);
        for _ in 0..200 {
            world.step(&[&[-0.6, 0.6]]);
            world.sense(0, &mut bank);
            let counts = [14, 15].map(|c| bank.reading(c, world.tick()).value().unwrap() as u32);
            let before = reckoned.heading_rad;
            reckoned.update(counts);
            rolled += shortest_turn(before, reckoned.heading_rad);
            made += world.truth(0).turn_rad_s * 0.05;
        }
        (rolled, made)
    };
    let (rolled, made) = run(1.0);
    assert!((made / rolled - 0.5).abs() < 0.01, "{made} made, {rolled} reported");
    let (rolled, made) = run(0.5);
    assert!((made / rolled - 1.0).abs() < 0.01, "{made} made, {rolled} reported");
}

#[test]
fn unit_motors_have_a_dead_band_a_lag_and_a_mismatch() {
    let plan = plans::motor_rover();
    let spec = alone(plan, 6.0);
    let mut world = World::new(&spec, Seed(1)).unwrap();
    for _ in 0..40 {
        world.step(&[&[0.11, 0.11]]);
    }
    assert_eq!(world.truth(0).speed_m_s, 0.0, "within the dead band");
    let mut speeds = Vec::new();
    for _ in 0..60 {
        world.step(&[&[1.0, 1.0]]);
        speeds.push(world.truth(0).speed_m_s);
    }
    // One time constant is three ticks: 1 - 1/e of the end speed.
    let end = 0.95 * 0.3 * 0.985;
    assert!((speeds[2] / end - 0.632).abs() < 0.005, "{speeds:?}");
    assert!((speeds[59] - end).abs() < 1e-4);
    assert!(world.truth(0).turn_rad_s > 0.0, "the weaker left motor pulls it to the left");
}

#[test]
fn unit_a_tricycle_turns_about_its_rear_axle() {
    let spec = alone(plans::tricycle(), 6.0);
    let mut world = World::new(&spec, Seed(1)).unwrap();
    for _ in 0..60 {
        world.step(&[&[0.5, 0.0]]);
    }
    for _ in 0..60 {
        world.step(&[&[0.5, 0.4]]);
    }
    let truth = world.truth(0);
    let radius = truth.speed_m_s / truth.turn_rad_s;
    assert!((radius - 0.16 / math::tan(0.6)).abs() < 1e-3, "{radius}");
    assert!((truth.speed_m_s - 0.1 * math::cos(0.6)).abs() < 1e-4);
}

#[test]
fn unit_sim_09_a_physics_step_must_fit_and_shorter_ones_agree() {
    let mut spec = alone(stepper(Integration::Arc), 3.0);
    spec.physics_step = TimeStep::new(16, 1000).unwrap();
    let error = World::new(&spec, Seed(1)).unwrap_err();
    assert!(matches!(error, WorldError::SubStep { .. }));
    assert!(error.to_string().contains("2/125 s does not fit into the control step 1/20 s"));
    let end = |physics: TimeStep| {
        let mut spec = alone(stepper(Integration::Arc), 3.0);
        spec.physics_step = physics;
        let mut world = World::new(&spec, Seed(1)).unwrap();
        for _ in 0..100 {
            world.step(&[&[0.3, 0.5]]);
        }
        assert_eq!(world.tick().0, 100);
        let truth = world.truth(0);
        Vec2::new(truth.x_m, truth.y_m)
    };
    let (one, five) = (end(TimeStep::TWENTIETH), end(TimeStep::new(1, 100).unwrap()));
    assert!((one - five).length() < 1e-4);
}

#[test]
fn unit_sim_12_twenty_spawns_all_exist_or_are_named() {
    let mut spec = WorldSpec::empty("crowd", 3.0, 3.0);
    for i in 0..20 {
        let name = Name::new(&format!("robot_{i}")).unwrap();
        let (min, max) = (Vec2::new(0.2, 0.2), Vec2::new(2.8, 2.8));
        let start = Start::Region { min, max, soc: 1.0 };
        spec.robots.push(RobotSpec { name, plan: plans::reference_simulator(), start });
    }
    let world = World::new(&spec, Seed(1)).unwrap();
    for a in 0..20 {
        for b in 0..a {
            let (a, b) = (world.truth(a), world.truth(b));
            assert!(math::hypot(a.x_m - b.x_m, a.y_m - b.y_m) >= 0.2 - 1e-6);
        }
    }
    for robot in &mut spec.robots {
        robot.start = Start::Pose { at: Vec2::new(1.0, 1.0), heading_rad: 0.0, soc: 1.0 };
    }
    let Err(WorldError::Overlap(names)) = World::new(&spec, Seed(1)) else {
        panic!("twenty robots in one place");
    };
    assert_eq!(names.len(), 19);
    assert_eq!(names[0].as_str(), "robot_1");
}

#[test]
fn unit_sim_13_an_embedded_robot_is_reported_and_costs_bounded_work() {
    let mut spec = alone(stepper(Integration::Arc), 3.0);
    // Two walls closer together than the robot is wide.
    for y in [1.42, 1.58] {
        let half = Vec2::new(1.0, 0.04);
        spec.room.polygons.push(ConvexPolygon::rectangle(Vec2::new(1.5, y), half, 0.0));
    }
    spec.robots[0].start = Start::Pose { at: Vec2::new(0.3, 0.3), heading_rad: 0.0, soc: 1.0 };
    let mut world = World::new(&spec, Seed(1)).unwrap();
    world.put(0, Vec2::new(1.5, 1.5), 0.0, 1.0);
    world.step(&[&[0.5, 0.5]]);
    assert!(world.truth(0).is_embedded);
    assert!(world.events().iter().any(|e| e.kind == OccurrenceKind::Embedded));
    // Inside one solid body it is simply put outside.
    world.put(0, Vec2::new(0.52, 1.42), 0.0, 1.0);
    world.step(&[&[0.0, 0.0]]);
    assert!(!world.truth(0).is_embedded && world.truth(0).x_m < 0.45);
}

#[test]
fn unit_fsm_05_motor_load_sags_the_battery_by_its_resistance() {
    let mut plan = stepper(Integration::Arc);
    plan.battery = BatterySpec { resistance_ohm: 0.5, ..BatterySpec::REFERENCE };
    let mut world = World::new(&alone(plan, 30.0), Seed(1)).unwrap();
    world.step(&[&[0.0, 0.0]]);
    let rest = world.truth(0);
    world.step(&[&[1.0, 1.0]]);
    let load = world.truth(0);
    assert!((load.net_current_a + 1.65).abs() < 1e-5);
    assert!((rest.battery_v - load.battery_v - 0.7).abs() < 1e-3, "1.4 A more over 0.5 ohm");
    assert!((rest.open_circuit_share - load.open_circuit_share).abs() < 1e-4);
}

#[test]
fn unit_esp_01_a_radio_peak_and_motor_start_together_pull_the_voltage_lowest() {
    use tropism_world::battery::Load;
    let mut plan = plans::reference_board();
    // The status lamp's channel stands for the radio: 0.3 A; motors draw a start-up peak.
    plan.battery = BatterySpec { resistance_ohm: 0.8, ..BatterySpec::REFERENCE };
    plan.loads.push(Load::Level { channel: 2, current_a: 0.28 });
    plan.loads.push(Load::Change { channel: 0, current_a: 0.05 });
    plan.loads.push(Load::Change { channel: 1, current_a: 0.05 });
    let mut spec = alone(plan, 30.0);
    spec.robots[0].start = Start::Pose { at: Vec2::new(15.0, 15.0), heading_rad: 0.0, soc: 0.05 };
    let lowest = |is_staged: bool| {
        let mut world = World::new(&spec, Seed(1)).unwrap();
        let mut lowest = f32::INFINITY;
        for t in 0..60 {
            let radio = if t < 20 { 1.0 } else { 0.0 };
            let motor = if t >= if is_staged { 25 } else { 5 } { 1.0 } else { 0.0 };
            world.step(&[&[motor, motor, radio]]);
            lowest = lowest.min(world.truth(0).battery_v);
        }
        lowest
    };
    assert!(lowest(true) - lowest(false) > 0.2, "{} {}", lowest(true), lowest(false));
}

/// A docked robot at this charge; gives the world after so many ticks at rest.
fn docked(spec: &WorldSpec, soc: f32, ticks: u64) -> World {
    let mut world = World::new(spec, Seed(1)).expect("a sound world");
    world.put(0, Vec2::new(2.9, 1.25), 0.0, soc);
    for _ in 0..ticks {
        world.step(&[&[0.0; 5]]);
    }
    world
}

#[test]
fn unit_the_reference_station_stalls_and_is_never_full() {
    let world = docked(&presets::reference(), 0.8, 4 * 3600 * 20);
    let truth = world.truth(0);
    assert!((truth.soc - 0.95).abs() < 0.002, "{truth:?}");
    assert_eq!(world.station_state(0), StationState::Charging);
}

#[test]
fn unit_a_mains_station_fills_the_battery_and_shows_it() {
    let spec = presets::mains();
    let mut world = docked(&spec, 0.8, 1);
    assert_eq!(world.station_state(0), StationState::Charging);
    let mut changes = 0;
    for _ in 0..3 * 3600 * 20 {
        world.step(&[&[0.0; 5]]);
        let kinds = world.events().iter().map(|e| e.kind);
        changes += kinds.filter(|k| *k == OccurrenceKind::StationChanged).count();
    }
    let truth = world.truth(0);
    assert_eq!(world.station_state(0), StationState::Full);
    assert!(truth.soc > 0.97 && truth.is_docked && !truth.is_charging, "{truth:?}");
    assert_eq!(truth.net_current_a, 0.0, "the mains carry the load");
    assert_eq!(changes, 1, "full once and without flapping");
    world.put(0, Vec2::new(1.0, 1.25), 0.0, truth.soc);
    world.step(&[&[0.0; 5]]);
    assert_eq!(world.station_state(0), StationState::Idle);
}

#[test]
fn unit_full_is_left_only_well_below_where_it_was_entered() {
    let mut spec = presets::mains();
    // Full at 98 %; a step takes the battery just below, then well below.
    for (at_s, by) in [(1.0, -0.05), (3.0, -0.05)] {
        let action = Action::Battery { robot: None, by };
        spec.events.push(TimedEvent { at_s, every_s: 0.0, action });
    }
    let mut world = docked(&spec, 0.985, 10);
    assert_eq!(world.station_state(0), StationState::Full);
    let mut states = Vec::new();
    for _ in 0..80 {
        world.step(&[&[0.0; 5]]);
        states.push(world.station_state(0));
    }
    assert!(states[..50].iter().all(|s| *s == StationState::Full), "hysteresis");
    assert_eq!(states[79], StationState::Charging);
}

#[test]
fn unit_cues_follow_the_stations_state() {
    let mut spec = presets::mains();
    spec.has_noise = false;
    let light_and_mic = |soc: f32, is_docked: bool| {
        let mut world = World::new(&spec, Seed(1)).unwrap();
        let at = if is_docked { Vec2::new(2.85, 1.25) } else { Vec2::new(2.5, 1.25) };
        world.put(0, at, 0.0, soc);
        let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
        let (mut light, mut mic) = (Vec::new(), Vec::new());
        for t in 0..700 {
            world.step(&[&[0.0; 5]]);
            world.sense(0, &mut bank);
            if t >= 10 {
                light.push(bank.reading(2, world.tick()).value().unwrap());
                mic.push(bank.reading(1, world.tick()).value().unwrap());
            }
        }
        let flips = light.windows(2).filter(|w| (w[0] - w[1]).abs() > 0.1).count();
        let base = mic.iter().copied().fold(1.0_f32, f32::min);
        let clicks = mic.windows(2).filter(|w| w[1] > w[0] + 0.05 && w[0] < base + 0.05).count();
        (world.station_state(0), flips, clicks, base)
    };
    let (state, flips, clicks, _) = light_and_mic(0.5, false);
    assert_eq!((state, clicks), (StationState::Idle, 0));
    assert!((41..=45).contains(&flips), "every 0.8 s for 34.5 s: {flips}");
    let (state, flips, clicks, hum) = light_and_mic(0.5, true);
    assert_eq!(state, StationState::Charging);
    assert!((225..=235).contains(&flips), "every 0.15 s: {flips}");
    assert!((8..=9).contains(&clicks), "every 4 s: {clicks}");
    let (state, flips, clicks, quiet) = light_and_mic(0.99, true);
    assert_eq!((state, flips), (StationState::Full, 0));
    assert!((2..=3).contains(&clicks), "every 15 s: {clicks}");
    assert!(hum > quiet + 0.2, "the hum ends: {hum} {quiet}");
}

#[test]
fn unit_stations_can_be_switched_and_moved_and_any_number_is_allowed() {
    let mut spec = presets::mains();
    spec.stations.push(StationSpec::mains(Vec2::new(0.1, 1.25), 0.0));
    let action = |action, at_s| TimedEvent { at_s, every_s: 0.0, action };
    spec.events = vec![
        action(Action::Station { station: 1, is_on: false }, 1.0),
        action(Action::Station { station: 1, is_on: true }, 2.0),
        action(
            Action::MoveStation { station: 1, to: Vec2::new(1.5, 2.4), facing_rad: -PI / 2.0 },
            3.0,
        ),
    ];
    let mut world = World::new(&spec, Seed(1)).unwrap();
    world.put(0, Vec2::new(0.1, 1.25), 0.0, 0.5);
    let mut charging = Vec::new();
    for _ in 0..80 {
        world.step(&[&[0.0; 5]]);
        charging.push(world.truth(0).is_charging);
    }
    assert_eq!(world.truth(0).station, Some(1));
    for (second, expected) in [true, false, true, false].into_iter().enumerate() {
        assert_eq!(charging[second * 20 + 10], expected, "second {second}");
    }
    world.put(0, Vec2::new(1.5, 2.4), 0.0, 0.5);
    world.step(&[&[0.0; 5]]);
    assert!(world.truth(0).is_docked);
    assert_eq!(world.station_state(0), StationState::Idle);
}

#[test]
fn unit_a_new_life_resets_only_pose_and_charge_in_the_reference_world() {
    let mut world = docked(&presets::reference(), 0.5, 40);
    assert!(world.truth(0).is_charging);
    world.begin_life(0, 1);
    let truth = world.truth(0);
    assert!(truth.is_charging && truth.soc == 0.8 && world.tick().0 == 40, "{truth:?}");
    assert!((0.3..=1.5).contains(&truth.x_m) && (0.3..=2.2).contains(&truth.y_m));
    let pose = (truth.x_m, truth.heading_rad);
    let mut again = World::new(&presets::reference(), Seed(1)).unwrap();
    again.begin_life(0, 1);
    assert_eq!((again.truth(0).x_m, again.truth(0).heading_rad), pose, "life 1 of seed 1");
    let mut fed = docked(&presets::mains(), 0.5, 40);
    fed.begin_life(0, 1);
    assert!(!fed.truth(0).is_charging);
}

#[test]
fn unit_radio_shadow_is_fixed_by_the_seed_and_fading_by_the_scan() {
    let spec = presets::reference();
    let power = |seed| {
        World::new(&spec, Seed(seed)).map(|mut w| {
            w.put(0, Vec2::new(1.0, 1.0), 0.0, 0.8);
            w.radio_dbm(0, 0).unwrap()
        })
    };
    assert_eq!(power(1), power(1));
    assert_ne!(power(1), power(2));
    let mut values: Vec<f32> = Vec::new();
    for seed in 0..200 {
        values.push(power(seed).unwrap());
    }
    let mean = values.iter().sum::<f32>() / 200.0;
    let sd = (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / 200.0).sqrt();
    let expected = -45.0 - 25.0 * math::log10(math::hypot(1.9, 0.25));
    assert!((mean - expected).abs() < 1.0 && (3.2..4.8).contains(&sd), "{mean} {expected} {sd}");
}

//! Mission, hysteresis, and what happens when nobody is active.
#![expect(clippy::unwrap_used, reason = "a helper of tests may stop the test")]

use tropism_dynamics::Unobserved;
use tropism_dynamics_lab::course::Outcome;
use tropism_dynamics_lab::driver::{Driver, NetworkDriver, Sensing};
use tropism_dynamics_lab::mission::{GOAL, battery, fly};
use tropism_dynamics_lab::robot::{RANGE_MAX, RAYS, Robot};
use tropism_dynamics_spec::{Compiled, Options, compile, read};

const COURSE: &str = include_str!("../../../scenarios/dynamics/course.toml");

fn with(parameters: &[(&str, f64)]) -> Compiled {
    let mut spec = read("course.toml", COURSE).unwrap_or_else(|e| panic!("{e}"));
    for (name, value) in parameters {
        spec.set_parameter(name, &value.to_string()).unwrap();
    }
    compile(&spec, "course.toml", COURSE, Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn paper_mission_switches_once_and_parks_at_home() {
    let compiled = with(&[("goal_x", GOAL.0), ("goal_y", GOAL.1)]);
    let flight = fly::<f64, _>(&compiled, 24.0, &battery, &mut Unobserved).unwrap();
    assert_eq!(flight.outcome, Outcome::Reached);
    assert_eq!(flight.switches, 1);
    let last = flight.moments.last().unwrap();
    let home = last.robot.distance(0.0, 0.0);
    eprintln!("parks {:.1} mm from home, clearance {:.1} cm", home * 1e3, flight.clearance * 1e2);
    assert!(home <= 0.03, "{home}");
    assert!(last.activations[2] >= 0.99 && last.activations[3] >= 0.99, "{:?}", last.activations);
    assert!(last.command.0.abs() <= 1e-3 && last.command.1.abs() <= 1e-3);
}

/// A motor load sags the battery by so much that without filter and hysteresis the low-energy
/// state would come and go with every acceleration.
#[test]
fn unit_fsm_05_a_sagging_battery_does_not_flap() {
    let compiled = with(&[("goal_x", GOAL.0), ("goal_y", GOAL.1)]);
    for hertz in [4.0, 20.0] {
        // Load comes and goes; sagging by 0.04 around the threshold at 0.35.
        let sagging = |time: f64| {
            let sample = (time * hertz).floor();
            let load = if sample % 2.0 < 1.0 { 0.04 } else { 0.0 };
            (0.42 - 0.005 * time - load).clamp(0.0, 1.0)
        };
        let flight = fly::<f64, _>(&compiled, 24.0, &sagging, &mut Unobserved).unwrap();
        assert_eq!(flight.switches, 1, "{hertz} Hz");
    }
}

/// All modes off at full speed: the rest target stops the robot within a second, and `hold` would
/// keep it driving for ever.
#[test]
fn unit_fsm_03_all_modes_off_stops_within_a_second() {
    let compiled = with(&[("goal_x", 20.0)]);
    let mut driver = NetworkDriver::<f32>::new(&compiled).unwrap();
    let mut robot = Robot::default();
    let tick = |driver: &mut NetworkDriver<f32>, robot: &mut Robot| {
        let ranges = Some([RANGE_MAX; RAYS]);
        let (v, w) = driver.drive(&Sensing { ranges, ..Sensing::of(*robot) });
        robot.step(v, w, 0.02);
        v
    };
    let before = (0..150).map(|_| tick(&mut driver, &mut robot)).last().unwrap();
    assert!(before > 0.79, "{before}");
    driver.modes.fill(0.0);
    let after = (0..50).map(|_| tick(&mut driver, &mut robot)).last().unwrap();
    assert!(after.abs() <= 0.01, "{after}");
    eprintln!("1 s after all modes off: {after:.5} m/s");
}

/// A range sensor that falls silent deactivates what depends on it: the robot stands.
#[test]
fn unit_fsm_03_silent_range_sensors_stop_the_robot() {
    let compiled = with(&[("goal_x", 20.0)]);
    let mut driver = NetworkDriver::<f64>::new(&compiled).unwrap();
    let mut robot = Robot::default();
    for tick in 0..200 {
        let ranges = (tick < 100).then_some([RANGE_MAX; RAYS]);
        let (v, w) = driver.drive(&Sensing { ranges, ..Sensing::of(robot) });
        robot.step(v, w, 0.02);
        match tick {
            // 200 ms of grace, then κ = 10/s and a rest rate of 8/s.
            99 | 109 => assert!(v > 0.7),
            160 => assert!(v.abs() < 0.05, "{v}"),
            _ => {}
        }
    }
    assert!(driver.command().0.abs() < 0.01);
}

/// One NaN is answered by the last value, flagged by its age, and leaves no trace.
#[test]
fn unit_ct_03_one_missing_reading_is_flagged_and_forgotten() {
    let compiled = with(&[]);
    let percept = compiled.names.percepts.iter().position(|p| p.name == "F").unwrap() as u16;
    let mut network = compiled.network::<f64>();
    let readings = |gap: bool| {
        let mut values = vec![0.0, 0.0, 0.0, 1.0];
        values.extend([0.5; RAYS]);
        if gap {
            values[6] = f64::NAN;
        }
        values
    };
    let mut ages = Vec::new();
    for tick in 0..6 {
        network.tick(&readings(tick == 3), &[1.0]);
        ages.push(network.percept_age(percept));
        assert!((0..compiled.header.slots).all(|s| network.value(s).is_finite()));
    }
    assert_eq!(ages, [0, 0, 0, 1, 0, 0]);
    assert_eq!(network.faults(), 0);
}

//! Bodies that ship with the library.

use tropism_core::Name;

use crate::actuator::{ActuatorKind as A, ActuatorSpec};
use crate::sensor::{SensorKind as S, SensorSpec};
use crate::spec::BodySpec;
use crate::{MAX_ACTUATORS, MAX_SENSORS};

fn built(name: &str, sensors: &[SensorSpec], actuators: &[ActuatorSpec]) -> BodySpec {
    BodySpec {
        name: Name::new(name).unwrap_or_default(),
        sensors: tropism_core::FixedList::from_slice(sensors),
        actuators: tropism_core::FixedList::from_slice(actuators),
        energy_sensor: Some(0),
    }
}

/// Two stepper wheels, a head, a lamp and a buzzer; seven sensors. The body of the published
/// results.
///
/// # Source
/// Reference simulator: channel order, ranges, rates, costs and currents.
pub fn reference_simulator() -> BodySpec {
    built(
        "reference_simulator",
        &[
            SensorSpec::normalised("battery_voltage", S::Adc),
            SensorSpec::normalised("mic", S::Microphone),
            SensorSpec::normalised("light_left", S::Light),
            SensorSpec::normalised("light_right", S::Light),
            SensorSpec::normalised("bump", S::Digital),
            SensorSpec::normalised("ir_distance", S::Range),
            SensorSpec::normalised("rf_rssi_station", S::Rssi).at_rate(0.2, 15.0),
        ],
        &[
            ActuatorSpec::new("stepper_left", A::PwmBidirectional, -1.0, 1.0)
                .costing(2.0, 1.0, 0.7),
            ActuatorSpec::new("stepper_right", A::PwmBidirectional, -1.0, 1.0)
                .costing(2.0, 1.0, 0.7),
            ActuatorSpec::new("head_pan", A::Servo, -1.0, 1.0).costing(2.0, 0.2, 0.15),
            ActuatorSpec::new("led", A::PwmUnipolar, 0.0, 1.0).costing(0.0, 0.1, 0.05),
            ActuatorSpec::new("buzzer", A::PwmUnipolar, 0.0, 1.0).costing(0.0, 0.1, 0.03),
        ],
    )
}

/// The channels that the reference boards wire: three sensors, seven actuators.
///
/// # Source
/// Reference firmware, board headers.
pub fn reference_board() -> BodySpec {
    let led = |name| ActuatorSpec::new(name, A::PwmUnipolar, 0.0, 1.0).costing(0.0, 0.1, 0.02);
    built(
        "reference_board",
        &[
            SensorSpec::normalised("battery_voltage", S::Adc).at_rate(1.0, 5.0),
            SensorSpec::normalised("touch_bump", S::Digital),
            SensorSpec::normalised("rf_rssi_station", S::Rssi).at_rate(0.2, 15.0),
        ],
        &[
            ActuatorSpec::new("motor_left", A::PwmBidirectional, -1.0, 1.0).costing(4.0, 1.0, 0.7),
            ActuatorSpec::new("motor_right", A::PwmBidirectional, -1.0, 1.0).costing(4.0, 1.0, 0.7),
            led("led_status"),
            led("led_r"),
            led("led_g"),
            led("led_b"),
            ActuatorSpec::new("head_pan", A::Servo, -1.0, 1.0).costing(2.0, 0.2, 0.15),
        ],
    )
}

/// The course robot: two wheels, three rangers, line sensors, encoders, bumper, goal sensor, gyro.
///
/// Units: `line_…` 0 or 1 (1 over tape); `reflectance_…` 0..1 (dark is low); `ultrasonic_…` m;
/// `encoder_…` counts modulo 65536; `goal_bearing` rad, counter-clockwise; `goal_range` m;
/// `turn_rate` rad/s. It has no energy sensor.
///
/// # Source
/// Ranges of the HC-SR04 (0.02..4.00 m); everything else is a choice, documented in
/// `scenarios/course/README.md`.
pub fn course_robot() -> BodySpec {
    course_body("course_robot", 0.0)
}

/// The course robot with readings of its rangers that turn stale: they are fired in turn.
pub fn course_robot_real() -> BodySpec {
    course_body("course_robot_real", 0.5)
}

/// The course robot with three laser beams more, `lidar_left`, `lidar_front` and `lidar_right` at
/// +90, 0 and −90 degrees, in m.
pub fn course_robot_lidar() -> BodySpec {
    let mut body = course_body("course_robot_lidar", 0.0);
    for name in ["lidar_left", "lidar_front", "lidar_right"] {
        // Sixteen channels fit; the course robot has thirteen.
        let _ = body.sensors.push(SensorSpec::normalised(name, S::Range).over(0.0, 8.0));
    }
    body
}

fn course_body(name: &str, echo_valid_for_s: f32) -> BodySpec {
    let bright = |name| SensorSpec::normalised(name, S::Reflectance);
    let echo =
        |name| SensorSpec::normalised(name, S::Range).over(0.0, 4.0).at_rate(0.0, echo_valid_for_s);
    let encoder = |name| SensorSpec::normalised(name, S::Proprioception).over(0.0, 65_535.0);
    let wheel =
        |name| ActuatorSpec::new(name, A::PwmBidirectional, -1.0, 1.0).costing(0.0, 1.0, 0.25);
    let body = built(
        name,
        &[
            SensorSpec::normalised("line_left", S::Digital),
            SensorSpec::normalised("line_right", S::Digital),
            bright("reflectance_left"),
            bright("reflectance_right"),
            echo("ultrasonic_left"),
            echo("ultrasonic_front"),
            echo("ultrasonic_right"),
            encoder("encoder_left"),
            encoder("encoder_right"),
            SensorSpec::normalised("bump", S::Digital),
            SensorSpec::normalised("goal_bearing", S::Proprioception).over(-3.2, 3.2),
            SensorSpec::normalised("goal_range", S::Proprioception).over(0.0, 100.0),
            SensorSpec::normalised("turn_rate", S::Inertial).over(-10.0, 10.0),
        ],
        &[wheel("wheel_left"), wheel("wheel_right")],
    );
    BodySpec { energy_sensor: None, ..body }
}

/// As many channels as a body can have; the worst case for time and memory budgets.
pub fn full_capacity() -> BodySpec {
    const DIGITS: [&str; 16] = [
        "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12", "c13",
        "c14", "c15",
    ];
    const MOTORS: [&str; 16] = [
        "m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11", "m12", "m13",
        "m14", "m15",
    ];
    let sensors: [SensorSpec; MAX_SENSORS] =
        core::array::from_fn(|i| SensorSpec::normalised(DIGITS[i], S::Adc));
    let actuators: [ActuatorSpec; MAX_ACTUATORS] = core::array::from_fn(|i| {
        ActuatorSpec::new(MOTORS[i], A::PwmBidirectional, -1.0, 1.0).costing(2.0, 0.2, 0.1)
    });
    built("full_capacity", &sensors, &actuators)
}

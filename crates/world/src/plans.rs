//! Bodies with their physics.

use alloc::vec;
use alloc::vec::Vec;
use tropism_body::{
    ActuatorKind as A, ActuatorSpec, BodySpec, SensorKind as S, SensorSpec, presets,
};
use tropism_core::{FixedList, Name, math::PI};

use crate::battery::{BatterySpec, Load};
use crate::drive::{DriveSpec, Integration};
use crate::sensor::{Axis, Beam, InfraRedResponse, SensorModel as M, Wheel};
use crate::spec::{HeadSpec, RobotPlan};

const REFERENCE_RADIUS_M: f32 = 0.10;

const RSSI: M = M::Rssi { floor_dbm: -90.0, span_db: 60.0, fading_db: 2.0 };

const MICROPHONE: M = M::Microphone {
    floor: 0.05,
    drive_gain: 0.35,
    buzzer_gain: 0.8,
    charge_gain: 0.25,
    noise: 0.03,
};

const fn eye(bearing_rad: f32, is_on_head: bool) -> M {
    M::LightEye { bearing_rad, is_on_head, half_field_rad: PI / 2.0, half_level: 0.5, noise: 0.01 }
}

const fn level(channel: u8, current_a: f32) -> Load {
    Load::Level { channel, current_a }
}

fn body(name: &str, sensors: &[SensorSpec], actuators: &[ActuatorSpec]) -> BodySpec {
    BodySpec {
        name: Name::new(name).unwrap_or_default(),
        sensors: FixedList::from_slice(sensors),
        actuators: FixedList::from_slice(actuators),
        energy_sensor: Some(0),
    }
}

/// The body of the published results: two stepper wheels, head, lamp, buzzer; seven sensors.
///
/// # Source
/// Reference simulator; the body is [`presets::reference_simulator`].
pub fn reference_simulator() -> RobotPlan {
    let ir = Beam::single(0.0, REFERENCE_RADIUS_M, 0.8);
    RobotPlan {
        body: presets::reference_simulator(),
        radius_m: REFERENCE_RADIUS_M,
        drive: DriveSpec::Stepper {
            left: 0,
            right: 1,
            speed_m_s: 0.20,
            base_m: 0.15,
            integration: Integration::HeadingFirst,
        },
        head: Some(HeadSpec { channel: 2, span_rad: PI / 2.0 }),
        buzzer: Some(4),
        battery: BatterySpec::REFERENCE,
        loads: vec![
            level(0, 0.7),
            level(1, 0.7),
            Load::Change { channel: 2, current_a: 0.015 },
            level(3, 0.05),
            level(4, 0.03),
        ],
        sensors: vec![
            M::BatteryVoltage { noise_v: 0.02 },
            MICROPHONE,
            eye(0.6, true),
            eye(-0.6, true),
            M::Bump { sector: None },
            M::InfraRed {
                beam: ir,
                response: InfraRedResponse::Inverse { min_m: 0.1, offset: 1.25, scale: 8.75 },
                noise: 0.0,
            },
            RSSI,
        ],
    }
}

/// The body that the reference boards wire: three sensors, two motors, four lamps, a head.
///
/// # Source
/// Reference firmware, board headers ([`presets::reference_board`]); motors are assumed to be small
/// gear motors with a dead band of 0.1 and a time constant of 0.1 s.
pub fn reference_board() -> RobotPlan {
    RobotPlan {
        body: presets::reference_board(),
        radius_m: REFERENCE_RADIUS_M,
        drive: DriveSpec::Motors {
            left: 0,
            right: 1,
            speed_m_s: 0.20,
            base_m: 0.15,
            dead_band: 0.1,
            lag_s: 0.1,
            gains: [1.0, 1.0],
            slip: 0.0,
            turn_share: 1.0,
        },
        head: Some(HeadSpec { channel: 6, span_rad: PI / 2.0 }),
        buzzer: None,
        battery: BatterySpec::REFERENCE,
        loads: vec![
            level(0, 0.7),
            level(1, 0.7),
            level(2, 0.02),
            level(3, 0.02),
            level(4, 0.02),
            level(5, 0.02),
            Load::Change { channel: 6, current_a: 0.015 },
        ],
        sensors: vec![M::BatteryVoltage { noise_v: 0.02 }, M::Bump { sector: None }, RSSI],
    }
}

fn motor_rover_body() -> BodySpec {
    let range = |name| SensorSpec::normalised(name, S::Range).over(0.0, 2.0).at_rate(0.0, 0.5);
    let motor =
        |name| ActuatorSpec::new(name, A::PwmBidirectional, -1.0, 1.0).costing(4.0, 1.0, 0.6);
    body(
        "motor_rover",
        &[
            SensorSpec::normalised("battery_voltage", S::Adc),
            SensorSpec::normalised("charge_current", S::ChargeCurrent),
            SensorSpec::normalised("mic", S::Microphone),
            SensorSpec::normalised("light_left", S::Light),
            SensorSpec::normalised("light_right", S::Light),
            SensorSpec::normalised("bump_left", S::Digital),
            SensorSpec::normalised("bump_right", S::Digital),
            SensorSpec::normalised("bump_back", S::Digital),
            range("sonar_left"),
            range("sonar_front"),
            range("sonar_right"),
            SensorSpec::normalised("rf_rssi_station", S::Rssi).at_rate(0.2, 15.0),
            SensorSpec::normalised("turn_rate", S::Inertial).over(-8.0, 8.0),
            SensorSpec::normalised("acceleration", S::Inertial).over(-8.0, 8.0),
            SensorSpec::normalised("encoder_left", S::Proprioception).over(0.0, 9_000.0),
            SensorSpec::normalised("encoder_right", S::Proprioception).over(0.0, 9_000.0),
        ],
        &[
            motor("motor_left"),
            motor("motor_right"),
            ActuatorSpec::new("led", A::PwmUnipolar, 0.0, 1.0).costing(0.0, 0.1, 0.05),
            ActuatorSpec::new("buzzer", A::PwmUnipolar, 0.0, 1.0).costing(0.0, 0.1, 0.03),
        ],
    )
}

/// A robot with two unequal direct-current motors, bumpers on three sides, a charge-current sensor,
/// three rangers, two eyes, a microphone and an inertial unit.
///
/// The left motor is 3 % weaker, 5 % of wheel travel is lost to slip; the rangers fire in turn.
pub fn motor_rover() -> RobotPlan {
    let radius_m = 0.09;
    let sonar = |bearing_rad, slot| M::Ultrasonic {
        beam: Beam { bearing_rad, mount_m: radius_m, rays: 5, spread_rad: 0.52, max_m: 2.0 },
        min_m: 0.03,
        noise_m: 0.005,
        specular_rad: 0.6,
        false_echo: 1300,
        near_burst: 0,
        hears_others: true,
        slot,
        slots: 3,
    };
    let bumper = |bearing, half| M::Bump { sector: Some((bearing, half)) };
    RobotPlan {
        body: motor_rover_body(),
        radius_m,
        drive: DriveSpec::Motors {
            left: 0,
            right: 1,
            speed_m_s: 0.30,
            base_m: 0.14,
            dead_band: 0.12,
            lag_s: 0.15,
            gains: [0.97, 1.0],
            slip: 0.05,
            turn_share: 0.95,
        },
        head: None,
        buzzer: Some(3),
        battery: BatterySpec { capacity_ah: 1.2, ..BatterySpec::REFERENCE },
        loads: vec![level(0, 0.6), level(1, 0.6), level(2, 0.05), level(3, 0.03)],
        sensors: vec![
            M::BatteryVoltage { noise_v: 0.02 },
            M::ChargeCurrent { full_a: 1.0, noise_a: 0.005 },
            MICROPHONE,
            eye(0.6, false),
            eye(-0.6, false),
            bumper(PI / 4.0, PI / 4.0),
            bumper(-PI / 4.0, PI / 4.0),
            bumper(PI, PI / 2.0),
            sonar(PI / 4.0, 0),
            sonar(0.0, 1),
            sonar(-PI / 4.0, 2),
            RSSI,
            M::Gyro { bias_rad_s: 0.005, noise_rad_s: 0.01 },
            M::Accelerometer { axis: Axis::Forward, noise_m_s2: 0.05 },
            M::Encoder { wheel: Wheel::Left, counts_per_m: 4_000.0, modulus: 9_000 },
            M::Encoder { wheel: Wheel::Right, counts_per_m: 4_000.0, modulus: 9_000 },
        ],
    }
}

/// A tricycle: one steered and driven front wheel; eyes, laser beams, warmth and gas.
pub fn tricycle() -> RobotPlan {
    let radius_m = 0.12;
    let laser = |bearing| M::Lidar { beam: Beam::single(bearing, radius_m, 4.0), noise_m: 0.01 };
    let range = |name| SensorSpec::normalised(name, S::Range).over(0.0, 4.0);
    RobotPlan {
        body: body(
            "tricycle",
            &[
                SensorSpec::normalised("battery_voltage", S::Adc),
                SensorSpec::normalised("mic", S::Microphone),
                SensorSpec::normalised("light_left", S::Light),
                SensorSpec::normalised("light_right", S::Light),
                SensorSpec::normalised("bump", S::Digital),
                range("laser_left"),
                range("laser_front"),
                range("laser_right"),
                SensorSpec::normalised("rf_rssi_station", S::Rssi).at_rate(0.2, 15.0),
                SensorSpec::normalised("warmth", S::Warmth),
                SensorSpec::normalised("gas", S::Gas),
                SensorSpec::normalised("wheel_speed", S::Proprioception).over(-1.0, 1.0),
            ],
            &[
                ActuatorSpec::new("steer", A::Servo, -1.0, 1.0).costing(3.0, 0.2, 0.15),
                ActuatorSpec::new("drive", A::PwmBidirectional, -1.0, 1.0).costing(2.0, 1.5, 1.0),
                ActuatorSpec::new("led", A::PwmUnipolar, 0.0, 1.0).costing(0.0, 0.1, 0.05),
                ActuatorSpec::new("buzzer", A::PwmUnipolar, 0.0, 1.0).costing(0.0, 0.1, 0.03),
            ],
        ),
        radius_m,
        drive: DriveSpec::Tricycle {
            steer: 0,
            drive: 1,
            speed_m_s: 0.25,
            axle_m: 0.16,
            steer_max_rad: 1.2,
            steer_rate_rad_s: 3.0,
            lag_s: 0.1,
        },
        head: None,
        buzzer: Some(3),
        battery: BatterySpec { capacity_ah: 1.5, ..BatterySpec::REFERENCE },
        loads: vec![
            Load::Change { channel: 0, current_a: 0.015 },
            level(1, 1.0),
            level(2, 0.05),
            level(3, 0.03),
        ],
        sensors: vec![
            M::BatteryVoltage { noise_v: 0.02 },
            MICROPHONE,
            eye(0.6, false),
            eye(-0.6, false),
            M::Bump { sector: None },
            laser(PI / 3.0),
            laser(0.0),
            laser(-PI / 3.0),
            RSSI,
            M::Field { kind: crate::field::FieldKind::Warmth, half_level: 0.5, noise: 0.01 },
            M::Field { kind: crate::field::FieldKind::Gas, half_level: 0.5, noise: 0.01 },
            M::WheelSpeed { wheel: Wheel::Left, noise_m_s: 0.005 },
        ],
    }
}

/// The two-wheeled robot of the benchmark: eight infra-red sensors of three rays each.
pub fn eight_infrared() -> RobotPlan {
    const NAMES: [&str; 8] = ["ir_0", "ir_1", "ir_2", "ir_3", "ir_4", "ir_5", "ir_6", "ir_7"];
    let radius_m = 0.037;
    let mut sensors = [SensorSpec::default(); 9];
    let mut models = vec![M::BatteryVoltage { noise_v: 0.02 }];
    sensors[0] = SensorSpec::normalised("battery_voltage", S::Adc);
    for (i, name) in NAMES.into_iter().enumerate() {
        sensors[i + 1] = SensorSpec::normalised(name, S::Range);
        let bearing_rad = tropism_core::math::wrap_angle(i as f32 * (PI / 4.0));
        models.push(M::InfraRed {
            beam: Beam { bearing_rad, mount_m: radius_m, rays: 3, spread_rad: 0.35, max_m: 0.25 },
            response: InfraRedResponse::Intensity,
            noise: 0.02,
        });
    }
    let wheel =
        |name| ActuatorSpec::new(name, A::PwmBidirectional, -1.0, 1.0).costing(8.0, 1.0, 0.2);
    RobotPlan {
        body: body("eight_infrared", &sensors, &[wheel("wheel_left"), wheel("wheel_right")]),
        radius_m,
        drive: DriveSpec::Stepper {
            left: 0,
            right: 1,
            speed_m_s: 0.13,
            base_m: 0.053,
            integration: Integration::Arc,
        },
        head: None,
        buzzer: None,
        battery: BatterySpec::REFERENCE,
        loads: vec![level(0, 0.2), level(1, 0.2)],
        sensors: models,
    }
}

/// Speed of the course robot's wheels at command 1, m/s.
pub const COURSE_SPEED_M_S: f32 = 0.4;
/// Distance between the course robot's wheels, m.
pub const COURSE_BASE_M: f32 = 0.12;
/// Radius of the course robot, m.
pub const COURSE_RADIUS_M: f32 = 0.08;
/// Encoder counts per metre of the course robot.
pub const COURSE_COUNTS_PER_M: f32 = 4_000.0;

const COURSE_ENCODER_MODULUS: u32 = 65_536;
/// Line sensors look at the floor this far ahead of the axle and this far to each side, m: a strip
/// of 19 mm fits between them, so both read floor when it is in the middle.
const LINE_AHEAD_M: f32 = 0.06;
const LINE_ASIDE_M: f32 = 0.012;
/// Width of the spot of the analogue sensors, m.
const LINE_SPOT_M: f32 = 0.01;
/// Measuring angle of the HC-SR04, 15 degrees, rad.
const SONAR_CONE_RAD: f32 = 0.2618;

/// Faults of the course robot's sensors: all 0 for the perfect one.
#[derive(Clone, Copy, Debug, Default)]
struct CourseNoise {
    is_staggered: bool,
    sonar_m: f32,
    false_echo: u16,
    near_burst: u16,
    floor: f32,
    goal_rad: f32,
    goal_m: f32,
    gyro_rad_s: f32,
}

fn course_sensors(noise: CourseNoise) -> Vec<M> {
    let floor = |left_m, floor, tape, spot_m, noise| M::FloorReflectance {
        ahead_m: LINE_AHEAD_M,
        left_m,
        floor,
        tape,
        spot_m,
        noise,
    };
    let sonar = |bearing_rad, slot: u8| M::Ultrasonic {
        beam: Beam {
            bearing_rad,
            mount_m: COURSE_RADIUS_M,
            rays: 5,
            spread_rad: SONAR_CONE_RAD,
            max_m: 4.0,
        },
        min_m: 0.02,
        noise_m: noise.sonar_m,
        specular_rad: if noise.is_staggered { 0.9 } else { PI / 2.0 },
        false_echo: noise.false_echo,
        near_burst: noise.near_burst,
        hears_others: noise.is_staggered,
        slot: if noise.is_staggered { slot * 6 } else { 0 },
        slots: if noise.is_staggered { 18 } else { 1 },
    };
    let encoder = |wheel| M::Encoder {
        wheel,
        counts_per_m: COURSE_COUNTS_PER_M,
        modulus: COURSE_ENCODER_MODULUS,
    };
    vec![
        floor(LINE_ASIDE_M, 0.0, 1.0, 0.0, 0.0),
        floor(-LINE_ASIDE_M, 0.0, 1.0, 0.0, 0.0),
        floor(LINE_ASIDE_M, 0.9, 0.1, LINE_SPOT_M, noise.floor),
        floor(-LINE_ASIDE_M, 0.9, 0.1, LINE_SPOT_M, noise.floor),
        sonar(PI / 4.0, 0),
        sonar(0.0, 1),
        sonar(-PI / 4.0, 2),
        encoder(Wheel::Left),
        encoder(Wheel::Right),
        M::Bump { sector: None },
        M::GoalBearing { beacon: 0, noise_rad: noise.goal_rad },
        M::GoalRange { beacon: 0, noise_m: noise.goal_m },
        M::Gyro { bias_rad_s: 0.5 * noise.gyro_rad_s, noise_rad_s: noise.gyro_rad_s },
    ]
}

fn course_plan(body: &BodySpec, drive: DriveSpec, noise: CourseNoise) -> RobotPlan {
    RobotPlan {
        body: *body,
        radius_m: COURSE_RADIUS_M,
        drive,
        head: None,
        buzzer: None,
        battery: BatterySpec { capacity_ah: 2.6, idle_a: 0.1, ..BatterySpec::REFERENCE },
        loads: vec![level(0, 0.25), level(1, 0.25)],
        sensors: course_sensors(noise),
    }
}

/// The course robot without noise: every ranger measures at every tick and does not hear the
/// others; wheels follow with a lag of 50 ms.
///
/// # Source
/// HC-SR04: 0.02..4.00 m, cone of 15 degrees. Size, speed and lag are choices, fixed before any
/// controller ran; `scenarios/course/README.md` lists them.
pub fn course_robot() -> RobotPlan {
    let drive = DriveSpec::Motors {
        left: 0,
        right: 1,
        speed_m_s: COURSE_SPEED_M_S,
        base_m: COURSE_BASE_M,
        dead_band: 0.0,
        lag_s: 0.05,
        gains: [1.0, 1.0],
        slip: 0.0,
        turn_share: 1.0,
    };
    course_plan(&presets::course_robot(), drive, CourseNoise::default())
}

/// The course robot with three laser beams more: to the left, ahead and to the right, up to 8 m,
/// 1 cm of noise.
pub fn course_robot_lidar() -> RobotPlan {
    let mut plan = course_robot();
    plan.body = presets::course_robot_lidar();
    for bearing in [PI / 2.0, 0.0, -PI / 2.0] {
        let beam = Beam::single(bearing, COURSE_RADIUS_M, 8.0);
        plan.sensors.push(M::Lidar { beam, noise_m: 0.01 });
    }
    plan
}

/// The course robot as it is built: rangers fire in turn, one ping every 60 ms (each every 180 ms),
/// with 3 mm of noise, specular loss, echoes of one another and false echoes; the left motor is 2 %
/// weaker, 2 % of the travel slips, commands below 0.05 do nothing.
pub fn course_robot_real() -> RobotPlan {
    let drive = DriveSpec::Motors {
        left: 0,
        right: 1,
        speed_m_s: COURSE_SPEED_M_S,
        base_m: COURSE_BASE_M,
        dead_band: 0.05,
        lag_s: 0.08,
        gains: [0.98, 1.0],
        slip: 0.02,
        turn_share: 1.0,
    };
    let noise = CourseNoise {
        is_staggered: true,
        sonar_m: 0.003,
        false_echo: 650,
        near_burst: 6,
        floor: 0.02,
        goal_rad: 0.02,
        goal_m: 0.02,
        gyro_rad_s: 0.01,
    };
    course_plan(&presets::course_robot_real(), drive, noise)
}

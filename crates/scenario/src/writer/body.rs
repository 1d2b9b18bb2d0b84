//! Bodies as tables.

use tropism_body::{ActuatorKind, ActuatorSpec, BodySpec, SensorKind, SensorSpec};
use tropism_world::RobotPlan;
use tropism_world::battery::{BatterySpec, Load};
use tropism_world::drive::{DriveSpec, Integration};
use tropism_world::sensor::{Axis, Beam, InfraRedResponse, SensorModel, Wheel};

use crate::built_in::BODIES;
use crate::world_file::BODY_FORMAT;
use crate::writer::field_kind;
use crate::writer::toml::{Row, number, text};

/// The name of a built-in body where the plan is one, otherwise the whole body.
pub(crate) fn body(plan: &RobotPlan) -> String {
    let is_it = |name: &str| BODY_FORMAT.built_in(name).is_some_and(|b| b.as_ref() == Ok(plan));
    match BODIES.iter().find(|(name, ..)| is_it(name)) {
        Some((name, ..)) => text(name),
        None => whole(plan),
    }
}

fn rows<T>(items: &[T], row: impl Fn(&T) -> String) -> String {
    let rows: Vec<String> = items.iter().map(row).collect();
    format!("[{}]", rows.join(", "))
}

fn whole(plan: &RobotPlan) -> String {
    let body = &plan.body;
    let actuator = |channel: u8| {
        let spec = body.actuators.get(usize::from(channel));
        text(spec.map_or("", |a| a.name.as_str()))
    };
    let mut row = Row::default()
        .with("name", text(body.name.as_str()))
        .with("radius_m", number(plan.radius_m));
    if let Some(spec) = body.energy_sensor.and_then(|i| body.sensors.get(usize::from(i))) {
        row = row.with("energy_sensor", text(spec.name.as_str()));
    }
    if let Some(buzzer) = plan.buzzer {
        row = row.with("buzzer", actuator(buzzer));
    }
    row = row.with("drive", drive(&plan.drive, body));
    if let Some(head) = plan.head {
        let head = Row::default()
            .with("channel", actuator(head.channel))
            .with("span_rad", number(head.span_rad));
        row = row.with("head", head.done());
    }
    let load = |load: &Load| {
        let (channel, of, current_a) = match *load {
            Load::Level { channel, current_a } => (channel, "level", current_a),
            Load::Change { channel, current_a } => (channel, "change", current_a),
        };
        let row = Row::default().with("channel", actuator(channel)).with("of", text(of));
        row.with("current_a", number(current_a)).done()
    };
    let channels: Vec<(SensorSpec, SensorModel)> =
        body.sensors.iter().copied().zip(plan.sensors.iter().copied()).collect();
    row.with("battery", battery(&plan.battery))
        .with("load", rows(&plan.loads, load))
        .with("sensor", rows(&channels, |(spec, model)| sensor(spec, model)))
        .with("actuator", rows(&body.actuators, actuator_row))
        .done()
}

fn battery(b: &BatterySpec) -> String {
    let corner = |(share, value): &(f32, f32)| format!("[{}, {}]", number(*share), number(*value));
    Row::default()
        .with("capacity_ah", number(b.capacity_ah))
        .with("idle_a", number(b.idle_a))
        .with("cells", number(b.cells))
        .with("cell_empty_v", number(b.cell_empty_v))
        .with("cell_span_v", number(b.cell_span_v))
        .with("resistance_ohm", number(b.resistance_ohm))
        .with("charge_lift_v", number(b.charge_lift_v))
        .with("curve", rows(&b.curve, corner))
        .done()
}

fn actuator_row(a: &ActuatorSpec) -> String {
    let kind = match a.kind {
        ActuatorKind::PwmBidirectional => "pwm_bidirectional",
        ActuatorKind::Digital => "digital",
        ActuatorKind::Servo => "servo",
        _ => "pwm_unipolar",
    };
    let mut row = Row::default().with("name", text(a.name.as_str())).with("kind", text(kind));
    for (key, value) in [
        ("min", a.min),
        ("max", a.max),
        ("rate_per_s", a.rate_per_s),
        ("cost_per_unit", a.cost_per_unit),
        ("current_a", a.current_a),
        ("sustained_cost", a.sustained_cost),
        ("heat_capacity", a.heat_capacity),
    ] {
        row = row.with(key, number(value));
    }
    row.done()
}

fn drive(drive: &DriveSpec, body: &BodySpec) -> String {
    let name = |channel: u8| {
        let spec = body.actuators.get(usize::from(channel));
        text(spec.map_or("", |a| a.name.as_str()))
    };
    match *drive {
        DriveSpec::Stepper { left, right, speed_m_s, base_m, integration } => {
            let word = match integration {
                Integration::HeadingFirst => "heading_first",
                Integration::Arc => "arc",
            };
            Row::of_type("stepper")
                .with("left", name(left))
                .with("right", name(right))
                .with("speed_m_s", number(speed_m_s))
                .with("base_m", number(base_m))
                .with("integration", text(word))
        }
        DriveSpec::Motors {
            left,
            right,
            speed_m_s,
            base_m,
            dead_band,
            lag_s,
            gains,
            slip,
            turn_share,
        } => Row::of_type("motors")
            .with("left", name(left))
            .with("right", name(right))
            .with("speed_m_s", number(speed_m_s))
            .with("base_m", number(base_m))
            .with("dead_band", number(dead_band))
            .with("lag_s", number(lag_s))
            .with("gains", format!("[{}, {}]", number(gains[0]), number(gains[1])))
            .with("slip", number(slip))
            .with("turn_share", number(turn_share)),
        DriveSpec::Tricycle {
            steer,
            drive,
            speed_m_s,
            axle_m,
            steer_max_rad,
            steer_rate_rad_s,
            lag_s,
        } => Row::of_type("tricycle")
            .with("steer", name(steer))
            .with("drive", name(drive))
            .with("speed_m_s", number(speed_m_s))
            .with("axle_m", number(axle_m))
            .with("steer_max_rad", number(steer_max_rad))
            .with("steer_rate_rad_s", number(steer_rate_rad_s))
            .with("lag_s", number(lag_s)),
    }
    .done()
}

/// Name of a sensor's kind in files.
pub(crate) const fn kind_word(kind: SensorKind) -> &'static str {
    match kind {
        SensorKind::Digital => "digital",
        SensorKind::Rssi => "rssi",
        SensorKind::Range => "range",
        SensorKind::Light => "light",
        SensorKind::Microphone => "microphone",
        SensorKind::ChargeCurrent => "charge_current",
        SensorKind::Proprioception => "proprioception",
        SensorKind::Inertial => "inertial",
        SensorKind::Warmth => "warmth",
        SensorKind::Gas => "gas",
        SensorKind::Reflectance => "reflectance",
        _ => "adc",
    }
}

fn sensor(spec: &SensorSpec, model: &SensorModel) -> String {
    let mut row = Row::default()
        .with("name", text(spec.name.as_str()))
        .with("kind", text(kind_word(spec.kind)));
    for (key, value) in [
        ("min", spec.min),
        ("max", spec.max),
        ("update_hz", spec.update_hz),
        ("valid_for_s", spec.valid_for_s),
    ] {
        row = row.with(key, number(value));
    }
    row.with("model", self::model(model)).done()
}

fn beam(row: Row, beam: &Beam) -> Row {
    row.with("bearing_rad", number(beam.bearing_rad))
        .with("mount_m", number(beam.mount_m))
        .with("rays", beam.rays)
        .with("spread_rad", number(beam.spread_rad))
        .with("max_m", number(beam.max_m))
}

fn numbers(kind: &str, values: &[(&str, f32)]) -> Row {
    values.iter().fold(Row::of_type(kind), |row, (key, value)| row.with(key, number(*value)))
}

fn wheel(wheel: Wheel) -> String {
    text(match wheel {
        Wheel::Left => "left",
        Wheel::Right => "right",
    })
}

fn model(model: &SensorModel) -> String {
    ranging(model).or_else(|| motion(model)).unwrap_or_else(|| other(model)).done()
}

fn ranging(model: &SensorModel) -> Option<Row> {
    Some(match *model {
        SensorModel::InfraRed { beam: b, response, noise } => {
            let row = beam(Row::of_type("infra_red"), &b).with("noise", number(noise));
            match response {
                InfraRedResponse::Intensity => row.with("response", text("intensity")),
                InfraRedResponse::Inverse { min_m, offset, scale } => row
                    .with("response", text("inverse"))
                    .with("min_m", number(min_m))
                    .with("offset_per_m", number(offset))
                    .with("scale_per_m", number(scale)),
            }
        }
        SensorModel::Ultrasonic {
            beam: b,
            min_m,
            noise_m,
            specular_rad,
            false_echo,
            near_burst,
            hears_others,
            slot,
            slots,
        } => beam(Row::of_type("ultrasonic"), &b)
            .with("min_m", number(min_m))
            .with("noise_m", number(noise_m))
            .with("specular_rad", number(specular_rad))
            .with("false_echo", false_echo)
            .with("near_burst", near_burst)
            .with("hears_others", hears_others)
            .with("slot", slot)
            .with("slots", slots),
        SensorModel::Lidar { beam: b, noise_m } => {
            beam(Row::of_type("lidar"), &b).with("noise_m", number(noise_m))
        }
        _ => return None,
    })
}

fn motion(model: &SensorModel) -> Option<Row> {
    Some(match *model {
        SensorModel::WheelSpeed { wheel: w, noise_m_s } => {
            numbers("wheel_speed", &[("noise_m_s", noise_m_s)]).with("wheel", wheel(w))
        }
        SensorModel::Encoder { wheel: w, counts_per_m, modulus } => {
            numbers("encoder", &[("counts_per_m", counts_per_m)])
                .with("wheel", wheel(w))
                .with("modulus", modulus)
        }
        SensorModel::Odometer => Row::of_type("odometer"),
        SensorModel::Gyro { bias_rad_s, noise_rad_s } => {
            numbers("gyro", &[("bias_rad_s", bias_rad_s), ("noise_rad_s", noise_rad_s)])
        }
        SensorModel::Accelerometer { axis, noise_m_s2 } => {
            let word = match axis {
                Axis::Forward => "forward",
                Axis::Leftward => "leftward",
            };
            numbers("accelerometer", &[("noise_m_s2", noise_m_s2)]).with("axis", text(word))
        }
        _ => return None,
    })
}

fn other(model: &SensorModel) -> Row {
    match *model {
        SensorModel::BatteryVoltage { noise_v } => {
            numbers("battery_voltage", &[("noise_v", noise_v)])
        }
        SensorModel::ChargeCurrent { full_a, noise_a } => {
            numbers("charge_current", &[("full_a", full_a), ("noise_a", noise_a)])
        }
        SensorModel::Microphone { floor, drive_gain, buzzer_gain, charge_gain, noise } => numbers(
            "microphone",
            &[
                ("floor", floor),
                ("drive_gain", drive_gain),
                ("buzzer_gain", buzzer_gain),
                ("charge_gain", charge_gain),
                ("noise", noise),
            ],
        ),
        SensorModel::LightEye { bearing_rad, is_on_head, half_field_rad, half_level, noise } => {
            numbers(
                "light_eye",
                &[
                    ("bearing_rad", bearing_rad),
                    ("half_field_rad", half_field_rad),
                    ("half_level", half_level),
                    ("noise", noise),
                ],
            )
            .with("is_on_head", is_on_head)
        }
        SensorModel::Bump { sector } => match sector {
            Some((middle, half)) => Row::of_type("bump")
                .with("sector_rad", format!("[{}, {}]", number(middle), number(half))),
            None => Row::of_type("bump"),
        },
        SensorModel::Rssi { floor_dbm, span_db, fading_db } => numbers(
            "rssi",
            &[("floor_dbm", floor_dbm), ("span_db", span_db), ("fading_db", fading_db)],
        ),
        SensorModel::Field { kind, half_level, noise } => {
            numbers("field", &[("half_level", half_level), ("noise", noise)])
                .with("of", field_kind(kind))
        }
        SensorModel::FloorReflectance { ahead_m, left_m, floor, tape, spot_m, noise } => numbers(
            "floor_reflectance",
            &[
                ("ahead_m", ahead_m),
                ("left_m", left_m),
                ("floor", floor),
                ("tape", tape),
                ("spot_m", spot_m),
                ("noise", noise),
            ],
        ),
        SensorModel::GoalBearing { beacon, noise_rad } => {
            numbers("goal_bearing", &[("noise_rad", noise_rad)]).with("beacon", beacon)
        }
        SensorModel::GoalRange { beacon, noise_m } => {
            numbers("goal_range", &[("noise_m", noise_m)]).with("beacon", beacon)
        }
        // Every model there is was written above; a new one shows in the test of all bodies.
        _ => Row::default(),
    }
}

//! Body files: channels, and how the body works physically.

use alloc::collections::BTreeSet;
use core::f32::consts::FRAC_PI_2;

use tropism_body::{ActuatorKind, ActuatorSpec, BodySpec, MAX_ACTUATORS, MAX_SENSORS, SensorSpec};
use tropism_core::{FixedList, Name};
use tropism_world::battery::{BatterySpec, Load};
use tropism_world::drive::{DriveSpec, Integration};
use tropism_world::sensor::SensorModel;
use tropism_world::{HeadSpec, RobotPlan};

use crate::reader::Reader;
use crate::schema::{Key, Kind, ROUND, TINY, Table, Union};
use crate::sensor_file;

const ACTUATOR_KINDS: [&str; 4] = ["pwm_unipolar", "pwm_bidirectional", "digital", "servo"];
const AMOUNT: (f32, f32) = (0.0, 1e6);
const SHARE: (f32, f32) = (0.0, 1.0);
const SPEED: Key = Key::number("speed_m_s", "m/s", (0.0, 100.0), "Rim speed at command 1.");
const BASE: Key = Key::number("base_m", "m", (TINY, 10.0), "Distance between the wheels.");
const LAG: Key =
    Key::number("lag_s", "s", (0.0, 60.0), "Time constant of the motors; 0 follows at once.")
        .or(0.0);

static ACTUATOR: Table = Table {
    name: "actuator",
    about: "One actuator channel; the order of the list is the order of the channels.",
    keys: &[
        Key::must("name", Kind::Name, "Name, unique among all channels of the body."),
        Key::choice("kind", &ACTUATOR_KINDS, "pwm_unipolar", "Physical kind."),
        Key::number("min", "1", (-1e6, 1e6), "Lowest command.").or(0.0),
        Key::number("max", "1", (-1e6, 1e6), "Highest command.").or(1.0),
        Key::number("rate_per_s", "1/s", AMOUNT, "Largest change per second; 0 is unlimited.")
            .or(0.0),
        Key::number("cost_per_unit", "1", AMOUNT, "Exertion per unit of command.").or(0.0),
        Key::number("current_a", "A", (0.0, 1000.0), "Current at full command.").or(0.0),
        Key::number("sustained_cost", "1", AMOUNT, "Exertion it can give for ever; 0 is no limit.")
            .or(ActuatorSpec::REFERENCE_ENVELOPE.0),
        Key::number("heat_capacity", "s", AMOUNT, "Excess exertion times seconds until it trips.")
            .or(ActuatorSpec::REFERENCE_ENVELOPE.1),
    ],
};

static DRIVE: Union = Union {
    name: "drive",
    about: "How the body moves.",
    types: &[
        Table {
            name: "stepper",
            about: "Two stepper wheels that follow their commands at once.",
            keys: &[
                Key::must("left", Kind::Actuator, "Left wheel."),
                Key::must("right", Kind::Actuator, "Right wheel."),
                SPEED,
                BASE,
                Key::choice(
                    "integration",
                    &["arc", "heading_first"],
                    "arc",
                    "Exact arcs, or Euler steps along the new heading.",
                ),
            ],
        },
        Table {
            name: "motors",
            about: "Two direct-current motors with dead band, lag and mismatch.",
            keys: &[
                Key::must("left", Kind::Actuator, "Left wheel."),
                Key::must("right", Kind::Actuator, "Right wheel."),
                SPEED,
                BASE,
                Key::number("dead_band", "1", (0.0, 0.99), "Command below which nothing turns.")
                    .or(0.0),
                LAG,
                Key::must("gains", Kind::Pair(0.0, 10.0), "Speed factors, left and right.")
                    .or_pair([1.0, 1.0]),
                Key::number("slip", "1", SHARE, "Share of wheel travel lost.").or(0.0),
                Key::number("turn_share", "1", SHARE, "Share of the rolled turn that is made.")
                    .or(1.0),
            ],
        },
        Table {
            name: "tricycle",
            about: "One steered and driven front wheel.",
            keys: &[
                Key::must("steer", Kind::Actuator, "Steering."),
                Key::must("drive", Kind::Actuator, "Driving."),
                SPEED,
                Key::number("axle_m", "m", (TINY, 10.0), "Rear axle to front wheel."),
                Key::number(
                    "steer_max_rad",
                    "rad",
                    (0.0, FRAC_PI_2),
                    "Steering angle at command 1.",
                ),
                Key::number("steer_rate_rad_s", "rad/s", (0.0, 100.0), "Largest steering rate."),
                LAG,
            ],
        },
    ],
};

const REFERENCE: BatterySpec = BatterySpec::REFERENCE;

static BATTERY: Table = Table {
    name: "battery",
    about: "The battery; left out, it is that of the reference body.",
    keys: &[
        Key::number("capacity_ah", "Ah", (1e-6, 1e6), "Capacity.").or(REFERENCE.capacity_ah),
        Key::number("idle_a", "A", (0.0, 1000.0), "Current that always flows.")
            .or(REFERENCE.idle_a),
        Key::number("cells", "1", (1.0, 1000.0), "Cells in series.").or(REFERENCE.cells),
        Key::number("cell_empty_v", "V", (0.001, 100.0), "Voltage of an empty cell.")
            .or(REFERENCE.cell_empty_v),
        Key::number("cell_span_v", "V", (0.001, 100.0), "A full cell above an empty one.")
            .or(REFERENCE.cell_span_v),
        Key::number("resistance_ohm", "ohm", (0.0, 1000.0), "Inner resistance.")
            .or(REFERENCE.resistance_ohm),
        Key::number("charge_lift_v", "V", (0.0, 100.0), "Rise while charging.")
            .or(REFERENCE.charge_lift_v),
        Key::may("curve", Kind::Pairs(4, 0.0, 1.0), "Four corners [charge share, curve value]."),
    ],
};

static LOAD: Table = Table {
    name: "load",
    about: "How one actuator loads the battery.",
    keys: &[
        Key::must("channel", Kind::Actuator, "The actuator."),
        Key::choice(
            "of",
            &["level", "change"],
            "level",
            "Current per unit of its value, or per unit of change per second.",
        ),
        Key::number("current_a", "A", (0.0, 1000.0), "Current per unit."),
    ],
};

static HEAD: Table = Table {
    name: "head",
    about: "A head that turns with an actuator.",
    keys: &[
        Key::must("channel", Kind::Actuator, "The actuator."),
        Key::number("span_rad", "rad", (0.0, ROUND), "Angle at command 1."),
    ],
};

/// A body file, or a body inside another document.
pub(crate) static BODY: Table = Table {
    name: "body",
    about: "A body: its channels, and how it works physically.",
    keys: &[
        Key::may("kind", Kind::Choice(&["body"]), "What the file is; needed in a file of its own."),
        Key::must("name", Kind::Name, "Name of the body."),
        Key::may("about", Kind::Text, "What it is, in one sentence."),
        Key::number("radius_m", "m", (TINY, 10.0), "Radius of the round body."),
        Key::may("energy_sensor", Kind::Sensor, "The sensor that feeds the energy need."),
        Key::may("buzzer", Kind::Actuator, "The actuator that sounds."),
        Key::must("drive", Kind::Union(&DRIVE), "How it moves."),
        Key::may("head", Kind::Table(&HEAD), "Its head, if it has one."),
        Key::may("battery", Kind::Table(&BATTERY), "Its battery; left out, the reference one."),
        Key::may("load", Kind::Tables(&LOAD), "What loads the battery besides the idle current."),
        Key::must("sensor", Kind::Tables(&sensor_file::SENSOR), "Sensor channels, at most 16."),
        Key::must("actuator", Kind::Tables(&ACTUATOR), "Actuator channels, at most 16."),
    ],
};

fn actuator(r: &Reader<'_>) -> ActuatorSpec {
    let kind = match r.text("kind") {
        "pwm_bidirectional" => ActuatorKind::PwmBidirectional,
        "digital" => ActuatorKind::Digital,
        "servo" => ActuatorKind::Servo,
        _ => ActuatorKind::PwmUnipolar,
    };
    ActuatorSpec {
        name: r.name("name"),
        kind,
        min: r.number("min"),
        max: r.number("max"),
        rate_per_s: r.number("rate_per_s"),
        cost_per_unit: r.number("cost_per_unit"),
        current_a: r.number("current_a"),
        sustained_cost: r.number("sustained_cost"),
        heat_capacity: r.number("heat_capacity"),
    }
}

/// Limits in order, at most as many channels as fit.
fn check_channels(r: &Reader<'_>, key: &str, most: usize) {
    for (i, channel) in r.tables(key).iter().enumerate() {
        let (min, max) = (channel.number("min"), channel.number("max"));
        if min >= max {
            let at = if channel.has("max") { "max" } else { "min" };
            let what = format!("`min` = {min} is not below `max` = {max}");
            channel.fault(at, what, if min > max { "swap them" } else { "widen the range" });
        }
        if i == most {
            let what = format!("{key} {} of a body that can have {most}", i + 1);
            channel.fault("name", what, format!("remove {key}s beyond the {most}th"));
        }
    }
}

fn check_names(r: &Reader<'_>) {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for channel in r.tables("sensor").iter().chain(&r.tables("actuator")) {
        let Some(name) = channel.maybe_text("name") else {
            continue;
        };
        if !seen.insert(name) {
            let what = format!("two channels of this body are named `{name}`");
            channel.fault("name", what, "give each channel its own name");
        }
    }
}

/// Reports a channel that is not there, unless a name of the body itself was refused.
fn report_unknown(r: &Reader<'_>, key: &str, kind: &str, known: &[&str]) {
    if !known.contains(&Name::default().as_str()) {
        r.unknown(key, kind, r.text(key), known);
    }
}

/// Index of a channel by name; an unknown one is reported.
fn channel(r: &Reader<'_>, key: &str, body: &BodySpec) -> u8 {
    let Some(name) = r.maybe_text(key) else {
        return 0;
    };
    if let Some(i) = body.actuator(name) {
        return i as u8;
    }
    let known: Vec<&str> = body.actuators.iter().map(|a| a.name.as_str()).collect();
    report_unknown(r, key, "actuator", &known);
    0
}

fn drive(r: &Reader<'_>, body: &BodySpec) -> Option<DriveSpec> {
    let speed_m_s = r.number("speed_m_s");
    Some(match r.chosen() {
        "stepper" => DriveSpec::Stepper {
            left: channel(r, "left", body),
            right: channel(r, "right", body),
            speed_m_s,
            base_m: r.number("base_m"),
            integration: match r.text("integration") {
                "heading_first" => Integration::HeadingFirst,
                _ => Integration::Arc,
            },
        },
        "motors" => DriveSpec::Motors {
            left: channel(r, "left", body),
            right: channel(r, "right", body),
            speed_m_s,
            base_m: r.number("base_m"),
            dead_band: r.number("dead_band"),
            lag_s: r.number("lag_s"),
            gains: r.pair("gains"),
            slip: r.number("slip"),
            turn_share: r.number("turn_share"),
        },
        "tricycle" => DriveSpec::Tricycle {
            steer: channel(r, "steer", body),
            drive: channel(r, "drive", body),
            speed_m_s,
            axle_m: r.number("axle_m"),
            steer_max_rad: r.number("steer_max_rad"),
            steer_rate_rad_s: r.number("steer_rate_rad_s"),
            lag_s: r.number("lag_s"),
        },
        _ => return None,
    })
}

fn battery(r: &Reader<'_>) -> BatterySpec {
    let mut curve = REFERENCE.curve;
    if r.has("curve") {
        let corners = r.pairs("curve");
        let is_rising = corners.windows(2).all(|w| w[0][0] < w[1][0] && w[0][1] <= w[1][1]);
        if corners.len() == curve.len() && is_rising {
            for (to, [share, value]) in curve.iter_mut().zip(corners) {
                *to = (share, value);
            }
        } else {
            r.fault("curve", "`curve` does not rise over four corners", "give four, ascending");
        }
    }
    BatterySpec {
        capacity_ah: r.number("capacity_ah"),
        idle_a: r.number("idle_a"),
        cells: r.number("cells"),
        cell_empty_v: r.number("cell_empty_v"),
        cell_span_v: r.number("cell_span_v"),
        resistance_ohm: r.number("resistance_ohm"),
        charge_lift_v: r.number("charge_lift_v"),
        curve,
    }
}

fn load(r: &Reader<'_>, body: &BodySpec) -> Load {
    let (channel, current_a) = (channel(r, "channel", body), r.number("current_a"));
    match r.text("of") {
        "change" => Load::Change { channel, current_a },
        _ => Load::Level { channel, current_a },
    }
}

fn energy_sensor(r: &Reader<'_>, body: &BodySpec) -> Option<u8> {
    let name = r.maybe_text("energy_sensor")?;
    if let Some(i) = body.sensor(name) {
        return Some(i as u8);
    }
    let known: Vec<&str> = body.sensors.iter().map(|s| s.name.as_str()).collect();
    report_unknown(r, "energy_sensor", "sensor", &known);
    None
}

/// Lowers a body table. `None` when a fault was reported that leaves nothing to build.
pub(crate) fn read(r: &Reader<'_>) -> Option<RobotPlan> {
    check_channels(r, "sensor", MAX_SENSORS);
    check_channels(r, "actuator", MAX_ACTUATORS);
    check_names(r);
    let channels: Option<Vec<(SensorSpec, SensorModel)>> =
        r.tables("sensor").iter().map(sensor_file::read).collect();
    let (sensors, models): (Vec<SensorSpec>, Vec<SensorModel>) = channels?.into_iter().unzip();
    let actuators: Vec<ActuatorSpec> = r.tables("actuator").iter().map(actuator).collect();
    let mut body = BodySpec {
        name: r.name("name"),
        sensors: FixedList::from_slice(&sensors),
        actuators: FixedList::from_slice(&actuators),
        energy_sensor: None,
    };
    body.energy_sensor = energy_sensor(r, &body);
    if actuators.is_empty() && r.has("actuator") {
        r.fault("actuator", "a body without actuators", "give at least the wheels");
    }
    let head = r.table("head").map(|head| HeadSpec {
        channel: channel(&head, "channel", &body),
        span_rad: head.number("span_rad"),
    });
    Some(RobotPlan {
        radius_m: r.number("radius_m"),
        drive: drive(&r.table("drive")?, &body)?,
        head,
        buzzer: r.has("buzzer").then(|| channel(r, "buzzer", &body)),
        battery: r.table("battery").as_ref().map_or(REFERENCE, battery),
        loads: r.tables("load").iter().map(|l| load(l, &body)).collect(),
        sensors: models,
        body,
    })
}

//! Sensor channels of body files, and what they measure.

use core::f32::consts::FRAC_PI_2;

use tropism_body::{SensorKind, SensorSpec};
use tropism_world::field::FieldKind;
use tropism_world::sensor::{Axis, Beam, InfraRedResponse, SensorModel, Wheel};

use crate::reader::Reader;
use crate::schema::{FAR, Key, Kind, QUARTER, ROUND, TINY, Table, Union};

const KINDS: [&str; 12] = [
    "adc",
    "digital",
    "rssi",
    "range",
    "light",
    "microphone",
    "charge_current",
    "proprioception",
    "inertial",
    "warmth",
    "gas",
    "reflectance",
];

fn kind_of(word: &str) -> SensorKind {
    match word {
        "digital" => SensorKind::Digital,
        "rssi" => SensorKind::Rssi,
        "range" => SensorKind::Range,
        "light" => SensorKind::Light,
        "microphone" => SensorKind::Microphone,
        "charge_current" => SensorKind::ChargeCurrent,
        "proprioception" => SensorKind::Proprioception,
        "inertial" => SensorKind::Inertial,
        "warmth" => SensorKind::Warmth,
        "gas" => SensorKind::Gas,
        "reflectance" => SensorKind::Reflectance,
        _ => SensorKind::Adc,
    }
}

/// One sensor channel.
pub(crate) static SENSOR: Table = Table {
    name: "sensor",
    about: "One sensor channel; the order of the list is the order of the channels.",
    keys: &[
        Key::must("name", Kind::Name, "Name, unique among all channels of the body."),
        Key::choice("kind", &KINDS, "adc", "Physical kind."),
        Key::number("min", "", (-1e9, 1e9), "Lowest value, in the unit of the model.").or(0.0),
        Key::number("max", "", (-1e9, 1e9), "Highest value, in the unit of the model.").or(1.0),
        Key::number(
            "update_hz",
            "Hz",
            (0.0, 100_000.0),
            "Measurements per second; 0 at every tick.",
        )
        .or(0.0),
        Key::number("valid_for_s", "s", (0.0, 1e6), "Age at which a held value is stale; 0 never.")
            .or(0.0),
        Key::must("model", Kind::Union(&MODEL), "What the channel measures."),
    ],
};

const NOISE: (f32, f32) = (0.0, 1e6);
const ANGLE: (f32, f32) = (-ROUND, ROUND);
const AMOUNT: (f32, f32) = (0.0, 1e6);
const ABOVE_ZERO: (f32, f32) = (1e-6, 1e6);
const SIDES: [&str; 2] = ["left", "right"];

const fn noise(name: &'static str, unit: &'static str) -> Key {
    Key::number(name, unit, NOISE, "Standard deviation of the noise; 0 switches it off.").or(0.0)
}

const BEARING: Key =
    Key::number("bearing_rad", "rad", ANGLE, "Middle direction in the body frame, left positive.")
        .or(0.0);
const MOUNT: Key =
    Key::number("mount_m", "m", (0.0, 10.0), "Distance of the emitter from the body's centre.")
        .or(0.0);
const RAYS: Key = Key::whole("rays", (1, 8), "Number of rays.").or_whole(1);
const SPREAD: Key =
    Key::number("spread_rad", "rad", (0.0, ROUND), "Angle between the first and the last ray.")
        .or(0.0);
const REACH: Key = Key::number("max_m", "m", (TINY, FAR), "Largest distance measured.");
const WHEEL: Key = Key::must("wheel", Kind::Choice(&SIDES), "Which wheel.");
const BEACON: Key =
    Key::whole("beacon", (0, 255), "Number of the beacon in the world, from 0.").or_whole(0);

/// What a sensor measures.
pub(crate) static MODEL: Union = Union {
    name: "sensor model",
    about: "What a channel measures and how badly.",
    types: &[
        Table {
            name: "battery_voltage",
            about: "Terminal voltage as a share of the battery's range.",
            keys: &[noise("noise_v", "V")],
        },
        Table {
            name: "charge_current",
            about: "Current flowing into the battery from outside.",
            keys: &[
                Key::number("full_a", "A", ABOVE_ZERO, "Current that reads 1."),
                noise("noise_a", "A"),
            ],
        },
        Table {
            name: "microphone",
            about: "Sound level: silence, own motors and buzzer, charger's hum, clicks, others.",
            keys: &[
                Key::number("floor", "1", AMOUNT, "Level of silence.").or(0.0),
                Key::number("drive_gain", "1", AMOUNT, "Level of own motors at full command.")
                    .or(0.0),
                Key::number("buzzer_gain", "1", AMOUNT, "Level of a buzzer at full command.")
                    .or(0.0),
                Key::number("charge_gain", "1", AMOUNT, "Level of the charger's hum.").or(0.0),
                noise("noise", "1"),
            ],
        },
        Table {
            name: "light_eye",
            about: "Irradiance L from one direction as L/(L + half).",
            keys: &[
                BEARING,
                Key::switch("is_on_head", false, "True when it turns with the head."),
                Key::number("half_field_rad", "rad", (0.0, QUARTER), "Half field of view.")
                    .or(FRAC_PI_2),
                Key::number("half_level", "1", ABOVE_ZERO, "Irradiance that reads 0.5.").or(0.5),
                noise("noise", "1"),
            ],
        },
        Table {
            name: "bump",
            about: "1 while the body touches something, within a sector if one is given.",
            keys: &[Key::may(
                "sector_rad",
                Kind::Pair(-ROUND, ROUND),
                "Middle and half width of the sector.",
            )
            .in_unit("rad")],
        },
        Table {
            name: "infra_red",
            about: "Infra-red distance or reflected light.",
            keys: &[
                BEARING,
                MOUNT,
                RAYS,
                SPREAD,
                REACH,
                Key::choice(
                    "response",
                    &["inverse", "intensity"],
                    "inverse",
                    "Triangulating sensor, (1/d − offset)/scale, or reflected light.",
                ),
                Key::number("min_m", "m", (TINY, FAR), "Shortest distance told apart (inverse).")
                    .or(0.1),
                Key::number("offset_per_m", "1/m", (-1e6, 1e6), "1/d that reads 0 (inverse).")
                    .or(1.25),
                Key::number(
                    "scale_per_m",
                    "1/m",
                    ABOVE_ZERO,
                    "1/d above it that reads 1 (inverse).",
                )
                .or(8.75),
                noise("noise", "1"),
            ],
        },
        Table {
            name: "ultrasonic",
            about: "Ultrasonic ranger: the nearest echo of its rays, or none.",
            keys: &[
                BEARING,
                MOUNT,
                RAYS,
                SPREAD,
                REACH,
                Key::number("min_m", "m", (0.0, FAR), "Nearest distance measured.").or(0.02),
                noise("noise_m", "m"),
                Key::number("specular_rad", "rad", (0.0, QUARTER), "Largest angle that echoes.")
                    .or(FRAC_PI_2),
                Key::whole(
                    "false_echo",
                    (0, 65_535),
                    "False echoes in 65536 at full drive and 4 m.",
                )
                .or_whole(0),
                Key::whole(
                    "near_burst",
                    (0, 65_535),
                    "Bursts of one to three readings near `min_m`, in 65536 per tick.",
                )
                .or_whole(0),
                Key::switch("hears_others", false, "Hears pulses fired at the same tick."),
                Key::whole("slot", (0, 254), "Fires at ticks that leave this rest.").or_whole(0),
                Key::whole("slots", (1, 255), "Number of firing slots.").or_whole(1),
            ],
        },
        Table {
            name: "lidar",
            about: "One laser beam.",
            keys: &[BEARING, MOUNT, RAYS, SPREAD, REACH, noise("noise_m", "m")],
        },
        Table {
            name: "rssi",
            about: "Radio power of the strongest station.",
            keys: &[
                Key::number("floor_dbm", "dBm", (-200.0, 100.0), "Power that reads 0.").or(-90.0),
                Key::number("span_db", "dB", (1e-3, 300.0), "From 0 to 1.").or(60.0),
                Key::number("fading_db", "dB", (0.0, 100.0), "Fading per scan.").or(0.0),
            ],
        },
        Table {
            name: "wheel_speed",
            about: "Rim speed of a wheel, m/s.",
            keys: &[WHEEL, noise("noise_m_s", "m/s")],
        },
        Table {
            name: "encoder",
            about: "Encoder count of a wheel, 0..modulus.",
            keys: &[
                WHEEL,
                Key::number("counts_per_m", "1/m", ABOVE_ZERO, "Counts per metre of rim travel."),
                Key::whole("modulus", (2, 4_294_967_295), "The counter starts again here.")
                    .or_whole(65_536),
            ],
        },
        Table { name: "odometer", about: "Way rolled by both wheels on average, m.", keys: &[] },
        Table {
            name: "gyro",
            about: "Turn rate, rad/s.",
            keys: &[
                Key::number("bias_rad_s", "rad/s", (-100.0, 100.0), "Constant bias.").or(0.0),
                noise("noise_rad_s", "rad/s"),
            ],
        },
        Table {
            name: "accelerometer",
            about: "Acceleration, m/s².",
            keys: &[
                Key::must("axis", Kind::Choice(&["forward", "leftward"]), "Which direction."),
                noise("noise_m_s2", "m/s²"),
            ],
        },
        Table {
            name: "field",
            about: "Warmth or gas C as C/(C + half).",
            keys: &[
                Key::must("of", Kind::Choice(&["warmth", "gas"]), "Which field."),
                Key::number("half_level", "1", ABOVE_ZERO, "Value that reads 0.5.").or(0.5),
                noise("noise", "1"),
            ],
        },
        Table {
            name: "floor_reflectance",
            about: "Reflectance of the floor under a point of the body.",
            keys: &[
                Key::number("ahead_m", "m", (-10.0, 10.0), "Point ahead of the centre.").or(0.0),
                Key::number("left_m", "m", (-10.0, 10.0), "Point to the left of the centre.")
                    .or(0.0),
                Key::number("floor", "1", (-1e6, 1e6), "Reading on bare floor.").or(0.9),
                Key::number("tape", "1", (-1e6, 1e6), "Reading on tape.").or(0.1),
                Key::number("spot_m", "m", (0.0, 1.0), "Width of the spot; 0 is a point.").or(0.0),
                noise("noise", "1"),
            ],
        },
        Table {
            name: "goal_bearing",
            about: "Direction of a beacon in the body frame, rad.",
            keys: &[BEACON, noise("noise_rad", "rad")],
        },
        Table {
            name: "goal_range",
            about: "Distance of a beacon, m.",
            keys: &[BEACON, noise("noise_m", "m")],
        },
    ],
};

fn beam(r: &Reader<'_>) -> Beam {
    Beam {
        bearing_rad: r.number("bearing_rad"),
        mount_m: r.number("mount_m"),
        rays: r.whole("rays") as u8,
        spread_rad: r.number("spread_rad"),
        max_m: r.number("max_m"),
    }
}

fn wheel(r: &Reader<'_>) -> Wheel {
    if r.text("wheel") == "right" { Wheel::Right } else { Wheel::Left }
}

fn ranging(r: &Reader<'_>) -> Option<SensorModel> {
    Some(match r.chosen() {
        "infra_red" => {
            let response = if r.text("response") == "intensity" {
                InfraRedResponse::Intensity
            } else {
                InfraRedResponse::Inverse {
                    min_m: r.number("min_m"),
                    offset: r.number("offset_per_m"),
                    scale: r.number("scale_per_m"),
                }
            };
            SensorModel::InfraRed { beam: beam(r), response, noise: r.number("noise") }
        }
        "ultrasonic" => {
            let (slot, slots) = (r.whole("slot") as u8, r.whole("slots") as u8);
            if slot >= slots {
                let right = "slots count from 0, so it must be below `slots`";
                r.fault("slot", format!("`slot` = {slot} with `slots` = {slots}"), right);
            }
            SensorModel::Ultrasonic {
                beam: beam(r),
                min_m: r.number("min_m"),
                noise_m: r.number("noise_m"),
                specular_rad: r.number("specular_rad"),
                false_echo: r.whole("false_echo") as u16,
                near_burst: r.whole("near_burst") as u16,
                hears_others: r.switch("hears_others"),
                slot,
                slots,
            }
        }
        "lidar" => SensorModel::Lidar { beam: beam(r), noise_m: r.number("noise_m") },
        _ => return None,
    })
}

fn own_motion(r: &Reader<'_>) -> Option<SensorModel> {
    Some(match r.chosen() {
        "wheel_speed" => {
            SensorModel::WheelSpeed { wheel: wheel(r), noise_m_s: r.number("noise_m_s") }
        }
        "encoder" => SensorModel::Encoder {
            wheel: wheel(r),
            counts_per_m: r.number("counts_per_m"),
            modulus: r.whole("modulus") as u32,
        },
        "odometer" => SensorModel::Odometer,
        "gyro" => SensorModel::Gyro {
            bias_rad_s: r.number("bias_rad_s"),
            noise_rad_s: r.number("noise_rad_s"),
        },
        "accelerometer" => SensorModel::Accelerometer {
            axis: if r.text("axis") == "leftward" { Axis::Leftward } else { Axis::Forward },
            noise_m_s2: r.number("noise_m_s2"),
        },
        _ => return None,
    })
}

fn other(r: &Reader<'_>) -> Option<SensorModel> {
    Some(match r.chosen() {
        "battery_voltage" => SensorModel::BatteryVoltage { noise_v: r.number("noise_v") },
        "charge_current" => {
            SensorModel::ChargeCurrent { full_a: r.number("full_a"), noise_a: r.number("noise_a") }
        }
        "microphone" => SensorModel::Microphone {
            floor: r.number("floor"),
            drive_gain: r.number("drive_gain"),
            buzzer_gain: r.number("buzzer_gain"),
            charge_gain: r.number("charge_gain"),
            noise: r.number("noise"),
        },
        "light_eye" => SensorModel::LightEye {
            bearing_rad: r.number("bearing_rad"),
            is_on_head: r.switch("is_on_head"),
            half_field_rad: r.number("half_field_rad"),
            half_level: r.number("half_level"),
            noise: r.number("noise"),
        },
        "bump" => {
            let sector = r.maybe_pair("sector_rad").map(|[middle, half]| (middle, half));
            SensorModel::Bump { sector }
        }
        "rssi" => SensorModel::Rssi {
            floor_dbm: r.number("floor_dbm"),
            span_db: r.number("span_db"),
            fading_db: r.number("fading_db"),
        },
        "field" => SensorModel::Field {
            kind: if r.text("of") == "gas" { FieldKind::Gas } else { FieldKind::Warmth },
            half_level: r.number("half_level"),
            noise: r.number("noise"),
        },
        "floor_reflectance" => SensorModel::FloorReflectance {
            ahead_m: r.number("ahead_m"),
            left_m: r.number("left_m"),
            floor: r.number("floor"),
            tape: r.number("tape"),
            spot_m: r.number("spot_m"),
            noise: r.number("noise"),
        },
        "goal_bearing" => SensorModel::GoalBearing {
            beacon: r.whole("beacon") as u8,
            noise_rad: r.number("noise_rad"),
        },
        "goal_range" => {
            SensorModel::GoalRange { beacon: r.whole("beacon") as u8, noise_m: r.number("noise_m") }
        }
        _ => return None,
    })
}

/// A sensor channel and its model.
pub(crate) fn read(r: &Reader<'_>) -> Option<(SensorSpec, SensorModel)> {
    let spec = SensorSpec {
        name: r.name("name"),
        kind: kind_of(r.text("kind")),
        min: r.number("min"),
        max: r.number("max"),
        update_hz: r.number("update_hz"),
        valid_for_s: r.number("valid_for_s"),
    };
    let model = r.table("model")?;
    let model = ranging(&model).or_else(|| own_motion(&model)).or_else(|| other(&model))?;
    Some((spec, model))
}

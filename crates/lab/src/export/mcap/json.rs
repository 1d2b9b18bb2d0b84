//! Our own messages: percept, command, internal values and truth as JSON, and their schemas.
//!
//! Format: one object per message with `timestamp` (`sec`, `nsec`), `tick` and `robot`. Numbers
//! have as few digits as bring back the same bits: of f32 where the value is one, of f64 for
//! internal values. What is no number is left out, never 0.
//!
//! The schemas name every channel of the file's robots, so that programs can offer them.

use core::fmt::{Display, Write as _};

use serde_json::{Map, Value, json};
use tropism_body::{Command, Percept, Reading};
use tropism_world::RobotTruth;

use super::super::recording::Recording;
use crate::behaviour::{BEHAVIOURS, observe};

const ABOUT_PERCEPT: &str =
    "What reached a mind at the start of a tick; a value that cannot be trusted is left out.";
const ABOUT_COMMAND: &str = "What a mind wanted in a tick, and what its actuators then did.";
const ABOUT_INTERNALS: &str = "Internal values of a mind after it decided.";
const ABOUT_TRUTH: &str =
    "What was true of a robot at the end of a tick, free of noise; SI units, radians.";

/// Numbers of a truth.
const TRUTH_NUMBERS: [&str; 7] =
    ["x_m", "y_m", "heading_rad", "speed_m_s", "turn_rad_s", "charge", "battery_v"];

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Keys of the channels of one robot, quoted once.
#[derive(Clone, Debug)]
pub(super) struct Keys {
    robot: String,
    sensors: Vec<String>,
    actuators: Vec<String>,
    internals: Vec<String>,
    modules: Vec<String>,
}

impl Keys {
    pub(super) fn of(recording: &Recording, robot: usize, name: &str) -> Self {
        let card = &recording.robots[robot];
        let quote = |names: &[String]| names.iter().map(|n| quoted(n)).collect();
        Self {
            robot: quoted(name),
            sensors: card.body.sensors.iter().map(|s| quoted(s.name.as_str())).collect(),
            actuators: card.body.actuators.iter().map(|a| quoted(a.name.as_str())).collect(),
            internals: quote(&card.internals),
            modules: quote(&card.modules),
        }
    }
}

/// When a message holds: nanoseconds and tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct When {
    pub(super) ns: u64,
    pub(super) tick: u64,
}

/// A JSON object under way. Writing into a string cannot fail.
struct Object<'a> {
    text: &'a mut String,
    is_first: bool,
}

impl<'a> Object<'a> {
    fn new(text: &'a mut String) -> Self {
        text.push('{');
        Self { text, is_first: true }
    }

    /// Begins a member; `key` is quoted already.
    fn key(&mut self, key: &str) -> &mut String {
        if !self.is_first {
            self.text.push(',');
        }
        self.is_first = false;
        self.text.push_str(key);
        self.text.push(':');
        self.text
    }

    fn put(&mut self, key: &str, value: impl Display) {
        let _ = write!(self.key(key), "{value}");
    }

    /// A number with its shortest digits; nothing when it is none.
    fn number(&mut self, key: &str, value: f32) {
        if value.is_finite() {
            let _ = write!(self.key(key), "{value:?}");
        }
    }

    fn wide(&mut self, key: &str, value: f64) {
        if value.is_finite() {
            let _ = write!(self.key(key), "{value:?}");
        }
    }

    fn object(&mut self, key: &str, fill: impl FnOnce(&mut Object<'_>)) {
        let mut inner = Object::new(self.key(key));
        fill(&mut inner);
        inner.end();
    }

    fn end(self) {
        self.text.push('}');
    }
}

fn message(text: &mut String, when: When, keys: &Keys, fill: impl FnOnce(&mut Object<'_>)) {
    text.clear();
    let mut object = Object::new(text);
    object.object("\"timestamp\"", |o| {
        o.put("\"sec\"", when.ns / 1_000_000_000);
        o.put("\"nsec\"", when.ns % 1_000_000_000);
    });
    object.put("\"tick\"", when.tick);
    object.put("\"robot\"", &keys.robot);
    fill(&mut object);
    object.end();
}

/// What a reading is called.
const STATES: [&str; 6] = ["fresh", "held", "stale", "no_echo", "missing", "not_finite"];

const fn state(reading: Reading) -> &'static str {
    STATES[match reading {
        Reading::Fresh(_) => 0,
        Reading::Held { .. } => 1,
        Reading::Stale { .. } => 2,
        Reading::NoEcho => 3,
        Reading::Missing => 4,
        Reading::NotFinite => 5,
    }]
}

pub(super) fn percept(text: &mut String, when: When, keys: &Keys, percept: &Percept) {
    message(text, when, keys, |o| {
        o.object("\"readings\"", |o| {
            for (i, key) in keys.sensors.iter().enumerate() {
                let reading = percept.reading(i);
                o.object(key, |o| {
                    o.put("\"state\"", format_args!("\"{}\"", state(reading)));
                    if let Some(value) = reading.value() {
                        o.number("\"value\"", value);
                    }
                    if let Some(age) = reading.age_ticks() {
                        o.put("\"age_ticks\"", age);
                    }
                });
            }
        });
        o.object("\"actuators\"", |o| {
            for (key, felt) in keys.actuators.iter().zip(percept.actuators.iter()) {
                o.object(key, |o| {
                    o.number("\"value\"", felt.value);
                    o.put("\"is_manual\"", felt.is_manual);
                    o.put("\"is_tripped\"", felt.is_tripped);
                });
            }
        });
    });
}

pub(super) fn command(
    text: &mut String,
    when: When,
    keys: &Keys,
    command: &Command,
    applied: &[f32],
) {
    message(text, when, keys, |o| {
        o.object("\"targets\"", |o| {
            for (i, key) in keys.actuators.iter().enumerate() {
                if let Some(target) = command.target(i) {
                    o.number(key, target);
                }
            }
        });
        o.object("\"applied\"", |o| {
            for (key, value) in keys.actuators.iter().zip(applied) {
                o.number(key, *value);
            }
        });
    });
}

pub(super) fn internals(text: &mut String, when: When, keys: &Keys, module: usize, values: &[f64]) {
    message(text, when, keys, |o| {
        o.put("\"module\"", module);
        if let Some(name) = keys.modules.get(module) {
            o.put("\"module_name\"", name);
        }
        o.object("\"values\"", |o| {
            for (key, value) in keys.internals.iter().zip(values) {
                o.wide(key, *value);
            }
        });
    });
}

pub(super) fn truth(text: &mut String, when: When, keys: &Keys, truth: &RobotTruth) {
    message(text, when, keys, |o| {
        let numbers = [
            truth.x_m,
            truth.y_m,
            truth.heading_rad,
            truth.speed_m_s,
            truth.turn_rad_s,
            truth.soc,
            truth.battery_v,
        ];
        for (name, value) in TRUTH_NUMBERS.iter().zip(numbers) {
            o.number(&quoted(name), value);
        }
        o.put("\"is_docked\"", truth.is_docked);
        o.put("\"is_charging\"", truth.is_charging);
        o.put("\"is_bumped\"", truth.is_bumped);
        o.put("\"behaviour\"", format_args!("\"{}\"", BEHAVIOURS[observe(truth) as usize]));
    });
}

/// Names of all robots, each once, in the order they first come up.
fn union<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    let mut seen = alloc::collections::BTreeSet::new();
    for name in names {
        if seen.insert(name) {
            all.push(name);
        }
    }
    all
}

/// An object with these members and no others.
fn object(members: Vec<(&str, Value)>, optional: &[&str]) -> Value {
    let required: Vec<&str> =
        members.iter().map(|(name, _)| *name).filter(|name| !optional.contains(name)).collect();
    let properties: Map<String, Value> =
        members.into_iter().map(|(name, content)| (name.to_owned(), content)).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// An object with one member of this content per name, none of them required.
fn each(names: &[&str], content: &Value) -> Value {
    object(names.iter().map(|name| (*name, content.clone())).collect(), names)
}

fn message_schema(title: &str, about: &str, own: Vec<(&str, Value)>, optional: &[&str]) -> String {
    let whole = || json!({"type": "integer", "minimum": 0});
    let time = object(
        vec![
            ("sec", whole()),
            ("nsec", json!({"type": "integer", "minimum": 0, "maximum": 999_999_999})),
        ],
        &[],
    );
    let mut members =
        vec![("timestamp", time), ("tick", whole()), ("robot", json!({"type": "string"}))];
    members.extend(own);
    let mut schema = object(members, optional);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = title.into();
    schema["description"] = about.into();
    schema.to_string()
}

/// Names and texts of our four schemas, for the channels of these robots.
pub(super) fn schemas(recording: &Recording) -> [(&'static str, String); 4] {
    let robots = &recording.robots;
    let sensors = union(robots.iter().flat_map(|r| r.body.sensors.iter().map(|s| s.name.as_str())));
    let actuators =
        union(robots.iter().flat_map(|r| r.body.actuators.iter().map(|a| a.name.as_str())));
    let internals = union(robots.iter().flat_map(|r| r.internals.iter().map(String::as_str)));
    let number = json!({"type": "number"});
    let yes_no = json!({"type": "boolean"});
    let whole = json!({"type": "integer", "minimum": 0});
    let reading = object(
        vec![
            ("state", json!({"type": "string", "enum": STATES})),
            ("value", number.clone()),
            ("age_ticks", whole.clone()),
        ],
        &["value", "age_ticks"],
    );
    let felt = object(
        vec![
            ("value", number.clone()),
            ("is_manual", yes_no.clone()),
            ("is_tripped", yes_no.clone()),
        ],
        &["value"],
    );
    let percept =
        vec![("readings", each(&sensors, &reading)), ("actuators", each(&actuators, &felt))];
    let numbers = each(&actuators, &number);
    let command = vec![("targets", numbers.clone()), ("applied", numbers)];
    let inner = vec![
        ("module", whole),
        ("module_name", json!({"type": "string"})),
        ("values", each(&internals, &number)),
    ];
    let mut truth: Vec<(&str, Value)> =
        TRUTH_NUMBERS.iter().map(|name| (*name, number.clone())).collect();
    truth.extend(["is_docked", "is_charging", "is_bumped"].map(|name| (name, yes_no.clone())));
    truth.push(("behaviour", json!({"type": "string", "enum": BEHAVIOURS})));
    let all = [
        ("tropism.Percept", ABOUT_PERCEPT, percept, [].as_slice()),
        ("tropism.Command", ABOUT_COMMAND, command, &[]),
        ("tropism.Internals", ABOUT_INTERNALS, inner, &["module_name"]),
        ("tropism.Truth", ABOUT_TRUTH, truth, &TRUTH_NUMBERS),
    ];
    all.map(|(title, about, own, optional)| (title, message_schema(title, about, own, optional)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_096, ..ProptestConfig::default() })]

        #[test]
        fn prop_numbers_come_back_to_the_bit(bits in any::<u32>(), wide in any::<u64>()) {
            let (narrow, wide) = (f32::from_bits(bits), f64::from_bits(wide));
            let mut text = String::new();
            let mut object = Object::new(&mut text);
            object.number("\"a\"", narrow);
            object.wide("\"b\"", wide);
            object.end();
            let value: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(value.get("a").is_some(), narrow.is_finite());
            prop_assert_eq!(value.get("b").is_some(), wide.is_finite());
            let digits = |key: &str| {
                let from = text.find(key).map(|at| &text[at + key.len() + 1..]);
                from.map(|rest| rest.split([',', '}']).next().unwrap_or("").to_owned())
            };
            if let Some(digits) = digits("\"a\"") {
                prop_assert_eq!(digits.parse::<f32>().unwrap().to_bits(), narrow.to_bits());
                // What a reader of 64-bit numbers gets, narrowed.
                let widened: f64 = digits.parse().unwrap();
                prop_assert_eq!((widened as f32).to_bits(), narrow.to_bits());
            }
            if let Some(digits) = digits("\"b\"") {
                prop_assert_eq!(digits.parse::<f64>().unwrap().to_bits(), wide.to_bits());
            }
        }
    }
}

//! Event files: commands given before certain updates.

use tropism_octopus::{ArmParameters, Kind, ObjectId, Octopus, Point, WhenTaken};

use super::field::{Field, FormatError};
use super::format::parameters;
use super::json::Json;

/// A command and the update (from 1) before which it is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Update, from 1.
    pub before_update: u64,
    /// What is done.
    pub command: Command,
}

/// What an event does; arms are indices from 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Sends an arm to a place.
    Reach(usize, Point),
    /// Sends an arm to a food.
    Fetch(usize, ObjectId, WhenTaken),
    /// Stops an arm.
    Idle(usize),
    /// Carries held food towards the body.
    Retract(usize),
    /// Lets go.
    Release(usize),
    /// Rebuilds an arm; what the list of parameters leaves out stays.
    Reset(usize, Json),
    /// Changes the speed, rad/s.
    Speed(usize, f64),
    /// Adds an object.
    Add(Kind, Point, f64),
    /// Moves an object.
    Move(ObjectId, Point),
    /// Takes an object out.
    Remove(ObjectId),
    /// Reports a hazard: centre, radius, severity, life time in s.
    Hazard(Point, f64, f64, Option<f64>),
    /// Offers held food to another arm.
    HandOver(usize, usize),
}

const OPERATIONS: [&str; 12] = [
    "reach",
    "fetch",
    "idle",
    "retract",
    "release",
    "reset",
    "speed",
    "add",
    "move",
    "remove",
    "hazard",
    "hand_over",
];

/// Reads an event file.
///
/// # Errors
/// [`FormatError`] with line, field and reason of the first fault.
pub fn parse(bytes: &[u8]) -> Result<Vec<Event>, FormatError> {
    from_json(&Json::parse(bytes)?)
}

/// Reads a parsed event list.
///
/// # Errors
/// As [`parse`].
pub fn from_json(json: &Json) -> Result<Vec<Event>, FormatError> {
    let root = Field::root(json);
    let mut events = Vec::new();
    for item in root.items()? {
        let before_update = item.need("before_update")?.integer(1..=i64::MAX)? as u64;
        events.push(Event { before_update, command: command(&item)? });
    }
    Ok(events)
}

fn command(item: &Field<'_>) -> Result<Command, FormatError> {
    let op = item.need("op")?.one_of(&OPERATIONS)?;
    let own: &[&str] = match OPERATIONS[op] {
        "reach" => &["arm", "target"],
        "fetch" => &["arm", "object", "when_taken"],
        "reset" => &["arm", "parameters"],
        "speed" => &["arm", "turning_speed_degrees"],
        "add" => &["kind", "position", "radius"],
        "move" => &["object", "position"],
        "remove" => &["object"],
        "hazard" => &["position", "radius", "severity", "seconds"],
        "hand_over" => &["arm", "to"],
        _ => &["arm"],
    };
    let mut keys = vec!["before_update", "op"];
    keys.extend_from_slice(own);
    item.expect_keys(&keys)?;
    let arm =
        |key| -> Result<usize, FormatError> { Ok(item.need(key)?.integer(1..=8)? as usize - 1) };
    let object = || -> Result<ObjectId, FormatError> {
        Ok(ObjectId(item.need("object")?.integer(1..=i64::from(u32::MAX))? as u32))
    };
    let position = || item.need("position")?.point();
    Ok(match OPERATIONS[op] {
        "reach" => Command::Reach(arm("arm")?, item.need("target")?.point()?),
        "fetch" => {
            let words = [WhenTaken::Wait, WhenTaken::Free, WhenTaken::Nearest];
            let when = item.get("when_taken");
            let when = when.map_or(Ok(0), |f| f.one_of(&words.map(WhenTaken::as_str)))?;
            Command::Fetch(arm("arm")?, object()?, words[when])
        }
        "idle" => Command::Idle(arm("arm")?),
        "retract" => Command::Retract(arm("arm")?),
        "release" => Command::Release(arm("arm")?),
        "reset" => {
            let given = item.need("parameters")?;
            parameters(&given, ArmParameters::default())?;
            Command::Reset(arm("arm")?, given.json.clone())
        }
        "speed" => {
            let speed = item.need("turning_speed_degrees")?.positive()?;
            Command::Speed(arm("arm")?, speed.to_radians())
        }
        "add" => {
            let kinds = [Kind::Food, Kind::Obstacle];
            let kind = kinds[item.need("kind")?.one_of(&["food", "obstacle"])?];
            Command::Add(kind, position()?, item.need("radius")?.positive()?)
        }
        "move" => Command::Move(object()?, position()?),
        "remove" => Command::Remove(object()?),
        "hazard" => Command::Hazard(
            position()?,
            item.need("radius")?.positive()?,
            item.need("severity")?.number()?,
            item.get("seconds").map(|f| f.positive()).transpose()?,
        ),
        _ => Command::HandOver(arm("arm")?, arm("to")?),
    })
}

/// Gives a command, then lets every arm sense.
///
/// # Errors
/// What the octopus or the file says against it.
pub fn apply(octopus: &mut Octopus, command: &Command) -> Result<(), FormatError> {
    let fault = |message: String| FormatError { line: 0, field: String::new(), message };
    let done: Result<(), String> = match command {
        Command::Reach(arm, place) => octopus.assign_reach(*arm, *place).map_err(|e| e.to_string()),
        Command::Fetch(arm, food, when) => {
            octopus.assign_food(*arm, *food, *when).map_err(|e| e.to_string())
        }
        Command::Idle(arm) => octopus.idle(*arm).map_err(|e| e.to_string()),
        Command::Retract(arm) => octopus.retract(*arm).map_err(|e| e.to_string()),
        Command::Release(arm) => octopus.release(*arm).map_err(|e| e.to_string()),
        Command::Reset(arm, given) => {
            let base = *octopus.arms()[*arm].arm().parameters();
            let parameters = parameters(&Field::root(given), base)?;
            octopus.reset(*arm, parameters).map_err(|e| e.to_string())
        }
        Command::Speed(arm, speed) => {
            octopus.set_turning_speed(*arm, *speed).map_err(|e| e.to_string())
        }
        Command::Add(kind, position, radius) => {
            let added = octopus.add_object(*kind, *position, *radius, 1.0);
            added.map(|_| ()).map_err(|e| e.to_string())
        }
        Command::Move(object, position) => {
            octopus.move_object(*object, *position).map_err(|e| e.to_string())
        }
        Command::Remove(object) => octopus.remove_object(*object).map_err(|e| e.to_string()),
        Command::Hazard(position, radius, severity, seconds) => {
            let reported = octopus.report_hazard(*position, *radius, *severity, *seconds);
            reported.map(|_| ()).map_err(|e| e.to_string())
        }
        Command::HandOver(from, to) => octopus.hand_over(*from, *to).map_err(|e| e.to_string()),
    };
    done.map_err(fault)?;
    octopus.refresh_sensing();
    Ok(())
}

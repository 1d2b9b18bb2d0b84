//! Timed events of worlds and scenarios.

use tropism_world::{Action, TimedEvent, WorldSpec};

use crate::reader::Reader;
use crate::schema::{Key, Kind, ROUND, Table, Union};

const AT: Key = Key::number("at_s", "s", (0.0, 1e9), "First time.");
const EVERY: Key =
    Key::number("every_s", "s", (0.0, 1e9), "Seconds between repetitions; 0 is once.").or(0.0);
const ROBOT: Key =
    Key::may("robot", Kind::Whole(0, 65_535), "Which robot, from 0; left out, all of them.");
const STATION: Key = Key::whole("station", (0, 63), "Which station, from 0.").or_whole(0);
const IS_ON: Key = Key::must("is_on", Kind::Switch, "On or off.");

/// A timed event.
pub(crate) static EVENT: Union = Union {
    name: "event",
    about: "Something done to the world at a set time.",
    types: &[
        Table {
            name: "shove",
            about: "Moves robots at once; walls stop them.",
            keys: &[
                AT,
                EVERY,
                ROBOT,
                Key::point("by_m", "Displacement."),
                Key::number("turn_rad", "rad", (-ROUND, ROUND), "Turn.").or(0.0),
            ],
        },
        Table {
            name: "light",
            about: "Switches a light on or off.",
            keys: &[
                AT,
                EVERY,
                Key::may("light", Kind::Whole(0, 31), "Which light, from 0; left out, all."),
                IS_ON,
            ],
        },
        Table {
            name: "station",
            about: "Switches a station on or off.",
            keys: &[AT, EVERY, STATION, IS_ON],
        },
        Table {
            name: "move_station",
            about: "Moves a station.",
            keys: &[
                AT,
                EVERY,
                STATION,
                Key::point("to_m", "New contact point."),
                Key::number("facing_rad", "rad", (-ROUND, ROUND), "New direction."),
            ],
        },
        Table {
            name: "field",
            about: "Switches a source of warmth or gas on or off.",
            keys: &[AT, EVERY, Key::whole("field", (0, 31), "Which source, from 0."), IS_ON],
        },
        Table {
            name: "battery",
            about: "Adds to the charge share of a battery.",
            keys: &[
                AT,
                EVERY,
                ROBOT,
                Key::number("by", "1", (-1.0, 1.0), "Change of the charge share."),
            ],
        },
    ],
};

/// An index below a count; one beyond it is reported.
fn index(r: &Reader<'_>, key: &str, count: usize) -> Option<u64> {
    let index = r.maybe_whole(key)?;
    if index >= count as u64 {
        let right = match count {
            0 => String::from("this world has none"),
            1 => String::from("there is only 0"),
            _ => format!("give 0 to {}", count - 1),
        };
        r.fault(key, format!("no {key} {index}"), right);
        return None;
    }
    Some(index)
}

fn one_of(r: &Reader<'_>, key: &str, count: usize) -> u8 {
    if count == 0 && !r.has(key) {
        r.fault("type", format!("an event for a {key}"), format!("this world has no {key}"));
    }
    index(r, key, count).unwrap_or(0) as u8
}

fn action(r: &Reader<'_>, world: &WorldSpec, robots: Option<usize>) -> Option<Action> {
    let robot = || match robots {
        Some(count) => index(r, "robot", count).map(|i| i as u16),
        None => r.maybe_whole("robot").map(|i| i as u16),
    };
    let is_on = |r: &Reader<'_>| r.maybe_switch("is_on").unwrap_or(false);
    Some(match r.chosen() {
        "shove" => {
            Action::Shove { robot: robot(), by: r.point("by_m"), turn_rad: r.number("turn_rad") }
        }
        "light" => Action::Light {
            light: index(r, "light", world.lights.len()).map(|i| i as u8),
            is_on: is_on(r),
        },
        "station" => {
            Action::Station { station: one_of(r, "station", world.stations.len()), is_on: is_on(r) }
        }
        "move_station" => Action::MoveStation {
            station: one_of(r, "station", world.stations.len()),
            to: r.point("to_m"),
            facing_rad: r.number("facing_rad"),
        },
        "field" => Action::Field { field: one_of(r, "field", world.fields.len()), is_on: is_on(r) },
        "battery" => Action::Battery { robot: robot(), by: r.number("by") },
        _ => return None,
    })
}

/// All events of a table. `robots` is their number where it is known already.
pub(crate) fn read_all(
    r: &Reader<'_>,
    world: &WorldSpec,
    robots: Option<usize>,
) -> Vec<TimedEvent> {
    let event = |r: &Reader<'_>| {
        let action = action(r, world, robots)?;
        Some(TimedEvent { at_s: r.seconds("at_s"), every_s: r.seconds("every_s"), action })
    };
    r.tables("event").iter().filter_map(event).collect()
}

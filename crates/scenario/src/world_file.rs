//! World files: room, stations, lights, fields, events, and where lives begin.

use alloc::collections::BTreeSet;

use tropism_core::TimeStep;
use tropism_world::battery::PowerModel;
use tropism_world::field::{Falloff, FieldKind, FieldSpec};
use tropism_world::light::LightSpec;
use tropism_world::{
    ConvexPolygon, Disc, Material, RobotPlan, RobotSpec, Room, Segment, Start, Tape, Vec2,
    WorldSpec,
};

use crate::event_file::{self, EVENT};
use crate::reader::Reader;
use crate::schema::{FAR, Key, Kind, ROUND, TINY, Table, Union};
use crate::source::Format;
use crate::station_file::{self, STATION};
use crate::{body_file, built_in};

const SHARE: (f32, f32) = (0.0, 1.0);
const ANGLE: (f32, f32) = (-ROUND, ROUND);
const SOFTENING: (f32, f32) = (1e-6, 1e6);
/// Most lights, and most fields: they are switched by the bits of a word.
const SWITCHED_MAX: usize = 32;

const MATERIAL: Key = Key::choice(
    "material",
    &["hard", "soft", "dark"],
    "hard",
    "Surface: hard and bright, soft for sonar, or dark for infra-red.",
);

static ROOM: Table = Table {
    name: "room",
    about: "The border, which no robot can leave.",
    keys: &[
        Key::point("min_m", "Lower left corner.").or_pair([0.0, 0.0]),
        Key::point("max_m", "Upper right corner."),
        MATERIAL,
        Key::switch("is_visible", true, "False: ranging sensors see through the border."),
    ],
};

static WALL: Table = Table {
    name: "wall",
    about: "A thin wall, solid from both sides.",
    keys: &[Key::point("from_m", "One end."), Key::point("to_m", "The other end."), MATERIAL],
};

static BOX: Table = Table {
    name: "box",
    about: "A solid box.",
    keys: &[
        Key::point("center_m", "Its middle."),
        Key::must("size_m", Kind::Pair(TINY, FAR), "Length of its sides.").in_unit("m"),
        Key::number("turn_rad", "rad", ANGLE, "Turn, counter-clockwise.").or(0.0),
        MATERIAL,
    ],
};

static POLYGON: Table = Table {
    name: "polygon",
    about: "A solid convex polygon.",
    keys: &[
        Key::must("corners_m", Kind::Pairs(3, -FAR, FAR), "Corners, counter-clockwise.")
            .in_unit("m"),
        MATERIAL,
    ],
};

static DISC: Table = Table {
    name: "disc",
    about: "A solid disc.",
    keys: &[
        Key::point("center_m", "Its middle."),
        Key::number("radius_m", "m", (TINY, FAR), "Its radius."),
        MATERIAL,
    ],
};

static LIGHT: Union = Union {
    name: "light",
    about: "A light other than station lamps.",
    types: &[
        Table {
            name: "window",
            about: "A long window far along one direction.",
            keys: &[
                Key::number("direction_rad", "rad", ANGLE, "Direction towards it."),
                Key::number("offset_m", "m", (-FAR, FAR), "Its distance from the origin."),
                Key::number("intensity", "1", (0.0, 1e6), "Intensity."),
                Key::number("softening_m2", "m²", SOFTENING, "Softening.").or(0.25),
            ],
        },
        Table {
            name: "lamp",
            about: "A lamp at a point.",
            keys: &[
                Key::point("at_m", "Where it hangs."),
                Key::number("intensity", "1", (0.0, 1e6), "Intensity."),
                Key::number("softening_m2", "m²", SOFTENING, "Softening.").or(0.02),
            ],
        },
        Table {
            name: "ambient",
            about: "The same light from everywhere.",
            keys: &[Key::number("level", "1", (0.0, 1e6), "Irradiance.")],
        },
    ],
};

static FIELD: Table = Table {
    name: "field",
    about: "A source of warmth or gas.",
    keys: &[
        Key::must("of", Kind::Choice(&["warmth", "gas"]), "What it gives off."),
        Key::point("at_m", "Where it is; with `station`, the offset from that contact."),
        Key::may("station", Kind::Whole(0, 63), "The station it moves with, from 0."),
        Key::number("strength", "1", (0.0, 1e6), "Value at the source."),
        Key::number("spread_m", "m", (TINY, FAR), "Width."),
        Key::choice("falloff", &["gaussian", "inverse_square"], "gaussian", "Law of decrease."),
    ],
};

static TAPE: Table = Table {
    name: "tape",
    about: "Tape on the floor.",
    keys: &[
        Key::must("points_m", Kind::Pairs(2, -FAR, FAR), "Corners of its middle line.")
            .in_unit("m"),
        Key::number("width_m", "m", (TINY, 10.0), "Width.").or(0.019),
    ],
};

/// Where lives begin.
pub(crate) static START: Union = Union {
    name: "start",
    about: "Where a robot's lives begin.",
    types: &[
        Table {
            name: "pose",
            about: "Always here.",
            keys: &[
                Key::point("at_m", "Position."),
                Key::number("heading_rad", "rad", ANGLE, "Heading.").or(0.0),
                Key::number("charge", "1", SHARE, "Charge share.").or(0.8),
            ],
        },
        Table {
            name: "region",
            about: "Anywhere in a rectangle, with any heading.",
            keys: &[
                Key::point("min_m", "Lower left corner."),
                Key::point("max_m", "Upper right corner."),
                Key::number("charge", "1", SHARE, "Charge share.").or(0.8),
            ],
        },
    ],
};

static ROBOT: Table = Table {
    name: "robot",
    about: "A robot of the world; a scenario that lists robots replaces these.",
    keys: &[
        Key::must("name", Kind::Name, "Its name."),
        Key::must("body", Kind::Source(&body_file::BODY), "Its body."),
        Key::may(
            "start",
            Kind::Union(&START),
            "Where its lives begin; left out, as the world says.",
        ),
    ],
};

/// A world file, or a world inside another document.
pub(crate) static WORLD: Table = Table {
    name: "world",
    about: "A world: everything but minds.",
    keys: &[
        Key::may(
            "kind",
            Kind::Choice(&["world"]),
            "What the file is; needed in a file of its own.",
        ),
        Key::must("name", Kind::Name, "Name of the world."),
        Key::may("about", Kind::Text, "What it is, in one sentence."),
        Key::may("step", Kind::Step, "Control step; left out, \"1/20\" s."),
        Key::may(
            "physics_step",
            Kind::Step,
            "Physics step; left out, the control step. One that does not fit is shortened.",
        ),
        Key::choice(
            "power",
            &["fed", "reference"],
            "fed",
            "`fed`: stations carry the load; `reference`: artefacts of the published simulator.",
        ),
        Key::switch("has_noise", true, "False switches all noise, fading and shadowing off."),
        Key::must("room", Kind::Table(&ROOM), "The border."),
        Key::may("wall", Kind::Tables(&WALL), "Thin walls."),
        Key::may("box", Kind::Tables(&BOX), "Solid boxes."),
        Key::may("polygon", Kind::Tables(&POLYGON), "Solid convex polygons."),
        Key::may("disc", Kind::Tables(&DISC), "Solid discs."),
        Key::may("station", Kind::Tables(&STATION), "Charging stations."),
        Key::may("light", Kind::Unions(&LIGHT), "Lights, at most 32."),
        Key::may("field", Kind::Tables(&FIELD), "Sources of warmth and gas, at most 32."),
        Key::may("tape", Kind::Tables(&TAPE), "Tape on the floor."),
        Key::may("beacons_m", Kind::Pairs(0, -FAR, FAR), "Points a goal sensor can measure.")
            .in_unit("m"),
        Key::may("event", Kind::Unions(&EVENT), "Timed events."),
        Key::may("start", Kind::Union(&START), "Where lives begin; left out, anywhere inside."),
        Key::may("robot", Kind::Tables(&ROBOT), "Robots, for scenarios that list none."),
    ],
};

/// How world files are read.
pub(crate) const FORMAT: Format<WorldDraft> =
    Format { kind: "world", schema: &WORLD, built_in: built_in::WORLDS, read };

/// How body files are read.
pub(crate) const BODY_FORMAT: Format<RobotPlan> = Format {
    kind: "body",
    schema: &body_file::BODY,
    built_in: built_in::BODIES,
    read: body_file::read,
};

/// A world before a scenario has put its robots in.
#[derive(Clone, Debug)]
pub(crate) struct WorldDraft {
    /// The world.
    pub(crate) spec: WorldSpec,
    /// Where robots without a start of their own begin.
    pub(crate) start: Start,
    /// The physics step as it was asked for.
    pub(crate) physics_asked: TimeStep,
}

fn material(r: &Reader<'_>) -> Material {
    match r.text("material") {
        "soft" => Material::SOFT,
        "dark" => Material::DARK,
        _ => Material::HARD,
    }
}

fn wall(r: &Reader<'_>) -> Segment {
    let (from, to) = (r.point("from_m"), r.point("to_m"));
    if from == to {
        r.fault("to_m", "a wall whose ends are the same point", "move one of them");
    }
    Segment { from, to, material: material(r) }
}

fn cuboid(r: &Reader<'_>) -> ConvexPolygon {
    let [width, height] = r.pair("size_m");
    let half = Vec2::new(width * 0.5, height * 0.5);
    let shape = ConvexPolygon::rectangle(r.point("center_m"), half, r.number("turn_rad"));
    ConvexPolygon { material: material(r), ..shape }
}

fn polygon(r: &Reader<'_>) -> ConvexPolygon {
    let shape = ConvexPolygon { corners: r.points("corners_m"), material: material(r) };
    if !shape.is_convex() && shape.corners.len() >= 3 {
        let what = "a polygon that does not turn left at every corner";
        r.fault("corners_m", what, "list the corners of a convex shape counter-clockwise");
    }
    shape
}

fn disc(r: &Reader<'_>) -> Disc {
    Disc { center: r.point("center_m"), radius_m: r.number("radius_m"), material: material(r) }
}

fn room(r: &Reader<'_>) -> Room {
    let (min, max) = (r.point("min_m"), r.point("max_m"));
    if min.x >= max.x || min.y >= max.y {
        let what = format!("`max_m` = [{}, {}] is not above `min_m`", max.x, max.y);
        r.fault("max_m", what, "give the upper right corner");
    }
    let mut room = Room::empty(1.0, 1.0);
    (room.min, room.max) = (min, max);
    (room.border, room.is_border_visible) = (material(r), r.switch("is_visible"));
    room
}

fn light(r: &Reader<'_>) -> Option<LightSpec> {
    Some(match r.chosen() {
        "window" => LightSpec::Window {
            direction_rad: r.number("direction_rad"),
            offset_m: r.number("offset_m"),
            intensity: r.number("intensity"),
            softening_m2: r.number("softening_m2"),
        },
        "lamp" => LightSpec::Lamp {
            at: r.point("at_m"),
            intensity: r.number("intensity"),
            softening_m2: r.number("softening_m2"),
        },
        "ambient" => LightSpec::Ambient { level: r.number("level") },
        _ => return None,
    })
}

fn field(r: &Reader<'_>, stations: usize) -> FieldSpec {
    let station = r.maybe_whole("station").map(|s| s as u8);
    if station.is_some_and(|s| usize::from(s) >= stations) {
        r.fault("station", "no such station", format!("this world has {stations}, from 0"));
    }
    FieldSpec {
        kind: if r.text("of") == "gas" { FieldKind::Gas } else { FieldKind::Warmth },
        at: r.point("at_m"),
        station,
        strength: r.number("strength"),
        spread_m: r.number("spread_m"),
        falloff: match r.text("falloff") {
            "inverse_square" => Falloff::InverseSquare,
            _ => Falloff::Gaussian,
        },
    }
}

/// Lowers a start.
pub(crate) fn start(r: &Reader<'_>) -> Option<Start> {
    Some(match r.chosen() {
        "pose" => Start::Pose {
            at: r.point("at_m"),
            heading_rad: r.number("heading_rad"),
            soc: r.number("charge"),
        },
        "region" => {
            let (min, max) = (r.point("min_m"), r.point("max_m"));
            if min.x > max.x || min.y > max.y {
                r.fault("max_m", "`max_m` is below `min_m`", "swap them");
            }
            Start::Region { min, max, soc: r.number("charge") }
        }
        _ => return None,
    })
}

/// Every place at least this far from the border, unless the room is too small for it.
const CLEARANCE_M: f32 = 0.15;

fn anywhere(room: &Room) -> Start {
    let middle = (room.min + room.max) * 0.5;
    let inset = |lo: f32, hi: f32, mid: f32| {
        if hi - lo > 2.0 * CLEARANCE_M { (lo + CLEARANCE_M, hi - CLEARANCE_M) } else { (mid, mid) }
    };
    let (x0, x1) = inset(room.min.x, room.max.x, middle.x);
    let (y0, y1) = inset(room.min.y, room.max.y, middle.y);
    Start::Region { min: Vec2::new(x0, y0), max: Vec2::new(x1, y1), soc: 0.8 }
}

/// The longest physics step that fits and is no longer than the one asked for.
fn fitting(control: TimeStep, asked: TimeStep) -> TimeStep {
    if control.times(asked).is_some_and(|k| k >= 1) {
        return asked;
    }
    let ratio = f64::from(control.numerator()) * f64::from(asked.denominator())
        / (f64::from(control.denominator()) * f64::from(asked.numerator()));
    let parts = (ratio.ceil() as u32).max(1);
    let denominator = control.denominator().checked_mul(parts);
    let fitted = denominator.map(|d| TimeStep::new(control.numerator(), d));
    fitted.and_then(Result::ok).unwrap_or(control)
}

fn check_count(r: &Reader<'_>, key: &str, count: usize) {
    if count > SWITCHED_MAX {
        let what = format!("{count} of `{key}`");
        r.fault(key, what, format!("a world has at most {SWITCHED_MAX}"));
    }
}

fn robots(r: &Reader<'_>, start_of_world: Start) -> Vec<RobotSpec> {
    let robot = |r: &Reader<'_>| {
        let plan = BODY_FORMAT.resolve(r, "body")?;
        let start = r.table("start").as_ref().and_then(start).unwrap_or(start_of_world);
        Some(RobotSpec { name: r.name("name"), plan, start })
    };
    let readers = r.tables("robot");
    check_robot_names(&readers);
    readers.iter().filter_map(robot).collect()
}

/// Robots of a document have names of their own.
pub(crate) fn check_robot_names(readers: &[Reader<'_>]) {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for r in readers {
        if let Some(name) = r.maybe_text("name").filter(|name| !seen.insert(name)) {
            let what = format!("two robots are named `{name}`");
            r.fault("name", what, "give each robot its own name");
        }
    }
}

/// Lowers a world table.
pub(crate) fn read(r: &Reader<'_>) -> Option<WorldDraft> {
    let room_reader = r.table("room")?;
    let mut room = room(&room_reader);
    room.segments = r.tables("wall").iter().map(wall).collect();
    room.polygons = r.tables("box").iter().map(cuboid).collect();
    room.polygons.extend(r.tables("polygon").iter().map(polygon));
    room.discs = r.tables("disc").iter().map(disc).collect();
    let step = r.maybe_step("step").unwrap_or(TimeStep::TWENTIETH);
    let physics_asked = r.maybe_step("physics_step").unwrap_or(step);
    let start = r.table("start").as_ref().and_then(start).unwrap_or_else(|| anywhere(&room));
    let stations: Vec<_> = r.tables("station").iter().map(station_file::read).collect();
    let lights: Vec<_> = r.tables("light").iter().filter_map(light).collect();
    let fields: Vec<_> = r.tables("field").iter().map(|f| field(f, stations.len())).collect();
    check_count(r, "light", lights.len());
    check_count(r, "field", fields.len());
    let mut spec = WorldSpec::empty("unnamed", 1.0, 1.0);
    spec.name = r.name("name");
    spec.step = step;
    spec.physics_step = fitting(step, physics_asked);
    spec.power = match r.text("power") {
        "reference" => PowerModel::Reference,
        _ => PowerModel::Fed,
    };
    spec.has_noise = r.switch("has_noise");
    spec.room = room;
    (spec.stations, spec.lights, spec.fields) = (stations, lights, fields);
    let tape = |t: &Reader<'_>| Tape { points: t.points("points_m"), width_m: t.number("width_m") };
    spec.tapes = r.tables("tape").iter().map(tape).collect();
    spec.beacons = r.points("beacons_m");
    spec.robots = robots(r, start);
    let known_robots = r.has("robot").then_some(spec.robots.len());
    spec.events = event_file::read_all(r, &spec, known_robots);
    Some(WorldDraft { spec, start, physics_asked })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_sim_09_a_physics_step_that_does_not_fit_is_shortened() {
        let step = |n, d| TimeStep::new(n, d).unwrap();
        assert_eq!(fitting(step(1, 20), step(16, 1000)), step(1, 80));
        assert_eq!(fitting(step(1, 20), step(1, 100)), step(1, 100));
        assert_eq!(fitting(step(1, 20), step(1, 5)), step(1, 20));
        assert_eq!(fitting(step(1, 99_999), step(1, 100_000)), step(1, 99_999));
    }
}

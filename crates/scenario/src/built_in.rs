//! Worlds and bodies that can be named without a path: the shipped files themselves.

use tropism_world::{RobotPlan, WorldSpec};

use crate::conditions::{BUILT_IN_CONDITIONS, BUILT_IN_CONTROLLERS};
use crate::error::ScenarioError;
use crate::world_file;

type Entry = (&'static str, &'static str, &'static str);

macro_rules! shipped {
    ($folder:literal, $($name:literal: $file:literal, $about:literal;)+) => {
        &[$(($name, $about, include_str!(concat!("../../../", $folder, "/", $file))),)+]
    };
}

/// Worlds.
pub(crate) const WORLDS: &[Entry] = shipped! { "worlds",
    "reference": "reference.toml", "the published simulator's room, artefacts included";
    "standard": "standard.toml", "the same room; the station feeds the load and can be FULL";
    "two_stations": "two-stations.toml", "a wide room with a station at either end";
    "obstacles": "obstacles.toml", "a furnished room";
    "warmth_and_gas": "warmth-and-gas.toml", "sources of warmth and gas, one at the station";
    "window_light": "window-light.toml", "a long room whose light is mostly daylight";
    "arena": "arena.toml", "the benchmark's arena: four discs, four boxes, no station";
    "several_robots": "several-robots.toml", "a hall for four robots and two stations";
    "course_room": "course-room.toml", "the open room of the course: 4 x 3 m, nothing in it";
    "course_track": "course-track.toml", "the line track of the course: straights and tight curves";
    "course_hard_track": "course-hard-track.toml", "a hard line track: gap, crossing, acute corner";
    "course_corridor": "course-corridor.toml", "a ring corridor with corners and a missing wall";
    "course_pen": "course-pen.toml", "the pen: a beacon behind a low L-shaped wall";
    "course_pen_aside": "course-pen-aside.toml", "the pen with the beacon moved 30 cm aside";
    "course_ring": "course-ring.toml", "a beacon walled in on all sides";
};

/// Bodies.
pub(crate) const BODIES: &[Entry] = shipped! { "bodies",
    "reference_simulator": "reference-simulator.toml", "the published body: 7 sensors, 5 actuators";
    "reference_board": "reference-board.toml", "what the reference boards wire: 3 sensors";
    "motor_rover": "motor-rover.toml", "two unequal motors, bumpers, rangers, inertial unit";
    "tricycle": "tricycle.toml", "a steered front wheel, eyes, laser beams, warmth and gas";
    "eight_infrared": "eight-infrared.toml", "a small two-wheeled robot with 8 infra-red sensors";
    "course_robot": "course-robot.toml", "the course robot, free of noise";
    "course_robot_lidar": "course-robot-lidar.toml", "the course robot with three laser beams more";
    "course_robot_real": "course-robot-real.toml", "the course robot as it is built, with noise";
};

/// Body of a robot that is given none.
pub(crate) const DEFAULT_BODY: &str = "reference_simulator";

/// Something that can be named in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listing {
    /// `world`, `body`, `condition` or `controller`.
    pub kind: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
}

/// Everything that can be named, in the order worlds, bodies, conditions, controllers.
pub fn list() -> Vec<Listing> {
    let of = |kind| move |(name, about, _): &Entry| Listing { kind, name, about };
    let worlds = WORLDS.iter().map(of("world"));
    let bodies = BODIES.iter().map(of("body"));
    let conditions =
        BUILT_IN_CONDITIONS.iter().map(|(name, about)| Listing { kind: "condition", name, about });
    let controllers = BUILT_IN_CONTROLLERS.iter().map(|(name, about)| Listing {
        kind: "controller",
        name,
        about,
    });
    worlds.chain(bodies).chain(conditions).chain(controllers).collect()
}

/// The text of a built-in world (`world`) or body (`body`), to start a file of one's own from.
pub fn built_in_text(kind: &str, name: &str) -> Option<&'static str> {
    let entries = match kind {
        "world" => WORLDS,
        "body" => BODIES,
        _ => return None,
    };
    entries.iter().find(|(n, _, _)| *n == name).map(|(_, _, text)| *text)
}

/// A built-in world with the robots its file lists; `None` for an unknown name.
///
/// # Errors
/// Never for the shipped worlds, which a test loads.
pub fn built_in_world(name: &str) -> Option<Result<WorldSpec, ScenarioError>> {
    world_file::FORMAT.built_in(name).map(|draft| draft.map(|draft| draft.spec))
}

/// A built-in body with its physics; `None` for an unknown name.
///
/// # Errors
/// Never for the shipped bodies, which a test loads.
pub fn built_in_body(name: &str) -> Option<Result<RobotPlan, ScenarioError>> {
    world_file::BODY_FORMAT.built_in(name)
}

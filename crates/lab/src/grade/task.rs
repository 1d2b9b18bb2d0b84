//! Tasks: a world, where attempts start, how long they last and what passing means.

use core::f32::consts::TAU;

use tropism_body::BodySpec;
use tropism_core::{Purpose, Seed, Tick, TimeStep};
use tropism_scenario::textmap::{TextMap, TextMapError};
use tropism_scenario::{Document, Scenario, parse};
use tropism_world::{Start, Vec2};

use crate::course::bugs::CELL_M;
use crate::error::LabError;

const START: Purpose = Purpose::named("grade.start");

/// How attempts differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Starts {
    /// The world's start point, headings spread evenly over the circle.
    Headings,
    /// The world's start pose; from the second attempt on moved by up to this much, m and rad.
    Jitter(f32, f32),
    /// As the world says, by the seed.
    Seeds,
}

/// What passing means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// No touch and no stop for the whole time.
    Free,
    /// A lap at least, no touch, no stop, and the tape never further than its limit.
    Line,
    /// The first beacon reached.
    Beacon,
}

/// What passing can mean: no touch, a lap along the tape, the first beacon.
pub const PASS: [&str; 3] = ["free", "line", "beacon"];

/// A task.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// Longest time of an attempt, s.
    pub time_s: f64,
    pub(crate) scenario: Scenario,
    pub(crate) starts: Starts,
    pub(crate) goal: Goal,
}

/// Names and meanings of the tasks.
pub const TASKS: &[(&str, &str)] = &[
    ("room", "the open room, 60 s from start headings all round"),
    ("room_start", "the open room, 60 s from its start pose and poses near it"),
    ("track", "the line track, 120 s from its start pose and poses near it"),
    ("hard_track", "gap, crossing and acute corner, 120 s"),
    ("corridor", "the ring corridor, 60 s from its start pose and poses near it"),
    ("pen", "the beacon behind the L-shaped wall, 120 s from seeded starts"),
    ("pen_aside", "the same with the beacon 30 cm aside"),
    ("ring", "a beacon that cannot be reached, 120 s"),
];

/// What the robot has to work with in every task.
const ROBOT: &str = "The robot is round, 16 cm wide, and drives with two wheels 12 cm apart; at \
    full command a wheel rolls 40 cm per second. Three ultrasonic rangers look 45 degrees to the \
    left, ahead and 45 degrees to the right. Two line sensors sit 6 cm ahead of the axle. The \
    controller is asked 100 times per second for the commands of both wheels, each -1 to 1.";

/// Name of the task that is graded in a world, if there is one.
pub fn task_of_world(world: &str) -> Option<&'static str> {
    Some(match world {
        "course_room" => "room",
        "course_track" => "track",
        "course_hard_track" => "hard_track",
        "course_corridor" => "corridor",
        "course_pen" => "pen",
        "course_pen_aside" => "pen_aside",
        "course_ring" => "ring",
        _ => return None,
    })
}

impl Task {
    /// What the one who is to solve it is told.
    pub fn text(&self) -> String {
        let what = match self.name.as_str() {
            "room" => {
                "Keep driving in an empty room of 4 x 3 m. Turn away before a wall is touched, \
                 whatever the heading at the start."
            }
            "room_start" => "Keep driving in an empty room of 4 x 3 m without touching a wall.",
            "track" => {
                "Find the strip of dark tape on the floor and follow it round the track: straights \
                 and tight curves."
            }
            "hard_track" => {
                "Follow the tape although it has a gap, crosses itself and turns one acute corner."
            }
            "corridor" => "Drive along a ring corridor with corners; part of one wall is missing.",
            "pen" | "pen_aside" => {
                "Reach the beacon. A low wall in the shape of an L stands between: it stops the \
                 robot and its rangers, but the beacon is sensed over it."
            }
            "ring" => {
                "The beacon is walled in on all sides. It cannot be reached; a good controller \
                 notices and does not crash."
            }
            _ => "Drive the first robot of this scenario.",
        };
        let (time_s, passes) = (self.time_s, self.passes_when());
        let robot = if TASKS.iter().any(|(name, _)| *name == self.name) { ROBOT } else { "" };
        let text = format!("{what} An attempt lasts {time_s} s and passes when {passes}. {robot}");
        text.trim_end().to_owned()
    }

    /// A built-in task; `None` for a name that is not in [`TASKS`].
    ///
    /// # Errors
    /// [`LabError::Data`] when its world is refused, which a test excludes.
    pub fn named(name: &str) -> Option<Result<Self, LabError>> {
        let near = Starts::Jitter(0.02, 0.1);
        let (world, time_s, starts, goal) = match name {
            "room" => ("course_room", 60.0, Starts::Headings, Goal::Free),
            "room_start" => ("course_room", 60.0, near, Goal::Free),
            "track" => ("course_track", 120.0, near, Goal::Line),
            "hard_track" => ("course_hard_track", 120.0, near, Goal::Line),
            "corridor" => ("course_corridor", 60.0, near, Goal::Free),
            "pen" => ("course_pen", 120.0, Starts::Seeds, Goal::Beacon),
            "pen_aside" => ("course_pen_aside", 120.0, Starts::Seeds, Goal::Beacon),
            "ring" => ("course_ring", 120.0, Starts::Seeds, Goal::Beacon),
            _ => return None,
        };
        let text = format!("kind = 'scenario'\nworld = '{world}'\nmind = 'do_nothing'\n");
        let task = match parse(name, &text, None) {
            Ok(Document::Scenario(scenario)) => {
                Ok(Self { name: name.to_owned(), time_s, scenario, starts, goal })
            }
            Ok(_) => Err(LabError::Data(format!("task `{name}` has no scenario"))),
            Err(error) => Err(LabError::Data(format!("task `{name}`: {error}"))),
        };
        Some(task)
    }

    /// A task made of a scenario. `pass` is one of [`PASS`]; without it the first robot follows the
    /// tape, or reaches the first beacon, or touches nothing: the first of these its world allows.
    ///
    /// # Errors
    /// [`LabError::Data`] for another `pass`, or one that the world has nothing for.
    pub fn of_scenario(scenario: Scenario, pass: Option<&str>) -> Result<Self, LabError> {
        let world = &scenario.world;
        let goal = match pass {
            Some("line") | None if !world.tapes.is_empty() => Goal::Line,
            Some("beacon") | None if !world.beacons.is_empty() => Goal::Beacon,
            Some("free") | None => Goal::Free,
            Some(other) => {
                let names = PASS.join(", ");
                let what = format!("passing by `{other}` is not for this world; there are {names}");
                return Err(LabError::Data(what));
            }
        };
        let starts = match world.robots[0].start {
            Start::Pose { .. } if goal == Goal::Free => Starts::Headings,
            Start::Pose { .. } => Starts::Jitter(0.02, 0.1),
            Start::Region { .. } => Starts::Seeds,
        };
        let time_s = scenario.life_cap_s.min(600.0);
        Ok(Self { name: scenario.name.clone(), time_s, scenario, starts, goal })
    }

    /// A task made of a text map with the course robot: the goal is to be reached within five
    /// minutes, from the start and from poses near it.
    ///
    /// # Errors
    /// [`LabError::Data`] says which line of the map is wrong.
    pub fn of_map(name: &str, text: &str) -> Result<Self, LabError> {
        let refuse = |error: TextMapError| LabError::Data(format!("{name}: {error}"));
        let map = TextMap::parse(text).map_err(refuse)?;
        let world = map.world(CELL_M, &tropism_world::plans::course_robot()).map_err(refuse)?;
        let Some(ring) = Self::named("ring") else {
            return Err(LabError::Data("there is no task `ring`".to_owned()));
        };
        let mut task = ring?;
        name.clone_into(&mut task.name);
        task.time_s = 300.0;
        task.starts = Starts::Jitter(0.02, 0.1);
        task.scenario.world = world;
        task.scenario.step = task.scenario.world.step;
        Ok(task)
    }

    /// The body a controller gets, and how often it acts.
    pub fn host(&self) -> (&BodySpec, TimeStep) {
        (&self.scenario.world.robots[0].plan.body, self.scenario.step)
    }

    /// What passing means, in words.
    pub fn passes_when(&self) -> &'static str {
        match self.goal {
            Goal::Free => "it touches nothing and never stands still for a second",
            Goal::Line => {
                "it laps the tape at least once, touches nothing, never stands still for a \
                 second and never strays more than 15 cm from tape it has found"
            }
            Goal::Beacon => "its centre comes within 15 cm of the beacon",
        }
    }

    /// The start of an attempt.
    pub(crate) fn start(&self, i: u32, count: u32) -> Start {
        let own = self.scenario.world.robots[0].start;
        let Start::Pose { at, heading_rad, soc } = own else { return own };
        match self.starts {
            Starts::Headings => {
                let turned = heading_rad + TAU * i as f32 / count as f32;
                Start::Pose { at, heading_rad: tropism_core::math::wrap_angle(turned), soc }
            }
            Starts::Jitter(way_m, turn_rad) if i > 0 => {
                let mut draws = Seed(u64::from(i)).stream(START, 0, 0).at(Tick(0));
                let moved =
                    Vec2::new(draws.signed_uniform() * way_m, draws.signed_uniform() * way_m);
                let heading_rad = heading_rad + draws.signed_uniform() * turn_rad;
                Start::Pose { at: at + moved, heading_rad, soc }
            }
            _ => own,
        }
    }
}

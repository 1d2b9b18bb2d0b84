//! One attempt, measured tick by tick.

use serde::Serialize;
use tropism_core::{Seed, math};
use tropism_scenario::MindSpec;
use tropism_world::{RobotTruth, Room, Tape, Vec2, WorldSpec};

use crate::error::LabError;
use crate::grade::task::{Goal, Task};
use crate::run::Run;

/// Distance at which a beacon counts as reached, m.
const REACHED_M: f32 = 0.15;
/// Distance at which tape counts as found, m.
const FOUND_M: f32 = 0.03;
/// Distance at which found tape counts as lost for good, m.
const STRAY_M: f32 = 0.15;
/// Standing still this long ends an attempt, s.
const STILL_S: f64 = 1.0;
/// Turn commands smaller than this have no side.
const STRAIGHT: f32 = 0.02;
/// Signed line errors smaller than this have no side, m.
const CENTRED_M: f32 = 0.001;

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// As the task wants.
    Passed,
    /// It touched something.
    Crashed,
    /// It stood still.
    Stopped,
    /// It strayed from the tape.
    LostLine,
    /// It never finished a lap.
    NoLap,
    /// It did not reach the beacon in time.
    NotReached,
    /// The controller failed.
    Error,
}

impl Outcome {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Crashed => "crashed",
            Self::Stopped => "stopped",
            Self::LostLine => "lost_line",
            Self::NoLap => "no_lap",
            Self::NotReached => "not_reached",
            Self::Error => "error",
        }
    }
}

/// Where the tape was.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LineError {
    /// Laps driven along the tape, forwards or backwards.
    pub laps: f64,
    /// Mean distance of the body's centre from the middle of the tape since it was found, m.
    pub mean_m: f64,
    /// Largest such distance, m.
    pub max_m: f64,
    /// Half the width of the weave: between the 5 % and the 95 % quantile of the signed distance,
    /// m.
    pub amplitude_m: f64,
    /// Crossings of the middle in one direction, per second.
    pub frequency_hz: f64,
}

/// The first time a wheel ran backwards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FirstTurn {
    /// When, s.
    pub at_s: f64,
    /// It turned to the left.
    pub is_left: bool,
    /// It turned to the side where the rangers saw more room.
    pub is_to_open_side: bool,
}

/// One attempt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attempt {
    /// Number of the start, which is also its seed.
    pub start: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// What the controller said when it failed.
    pub message: String,
    /// Times it touched something.
    pub crashes: u32,
    /// When it first did, s.
    pub first_crash_s: Option<f64>,
    /// Length of the attempt, s.
    pub time_s: f64,
    /// Way of the body's centre, m.
    pub path_m: f64,
    /// Changes of sign of the turn command per second.
    pub flips_per_s: f64,
    /// Smallest distance from the rim of the body to anything, m.
    pub clearance_m: f64,
    /// The tape, in worlds that have some.
    pub line: Option<LineError>,
    /// The first time a wheel ran backwards.
    pub first_turn: Option<FirstTurn>,
    /// Distance to the first beacon at the end, m.
    pub goal_distance_m: Option<f64>,
    /// Hash of the run at its end.
    pub hash: String,
    /// What the controller printed, and changes of state, first lines.
    pub log: Vec<String>,
}

/// Nearest point of a stretch: its distance, signed to the left of the stretch, and how far along.
fn beside(p: Vec2, from: Vec2, to: Vec2) -> (f32, f32) {
    let along = to - from;
    let squared = along.length_squared();
    let share = if squared > 0.0 { math::unit((p - from).dot(along) / squared) } else { 0.0 };
    let apart = p - (from + along * share);
    let side = if along.cross(apart) < 0.0 { -1.0 } else { 1.0 };
    (side * apart.length(), share * math::sqrt(squared))
}

/// Distance of a point from everything in a room.
fn clearance(room: &Room, p: Vec2) -> f32 {
    let mut least = f32::INFINITY;
    for wall in [p.x - room.min.x, room.max.x - p.x, p.y - room.min.y, room.max.y - p.y] {
        least = least.min(wall);
    }
    for s in &room.segments {
        least = least.min(math::abs(beside(p, s.from, s.to).0));
    }
    for d in &room.discs {
        least = least.min((p - d.center).length() - d.radius_m);
    }
    for polygon in &room.polygons {
        let corners = &polygon.corners;
        for (i, from) in corners.iter().enumerate() {
            let to = corners[(i + 1) % corners.len()];
            least = least.min(math::abs(beside(p, *from, to).0));
        }
    }
    least
}

/// Follows the tape from outside; several pieces count as one, in the order of the world's file.
#[derive(Debug)]
struct LineMeter<'t> {
    tapes: &'t [Tape],
    length_m: f32,
    is_found: bool,
    along_m: f32,
    travelled_m: f64,
    sum_m: f64,
    max_m: f64,
    signed: Vec<f32>,
    side: f32,
    crossings: u32,
}

impl<'t> LineMeter<'t> {
    fn new(tapes: &'t [Tape]) -> Self {
        let ends = tapes.iter().flat_map(|tape| tape.points.windows(2));
        let length_m = ends.map(|w| (w[1] - w[0]).length()).sum();
        Self {
            tapes,
            length_m,
            is_found: false,
            along_m: 0.0,
            travelled_m: 0.0,
            sum_m: 0.0,
            max_m: 0.0,
            signed: Vec::new(),
            side: 0.0,
            crossings: 0,
        }
    }

    /// Takes a position; gives the distance from the tape.
    fn record(&mut self, p: Vec2) -> f32 {
        let (mut best, mut along, mut passed) = (f32::INFINITY, 0.0, 0.0);
        for ends in self.tapes.iter().flat_map(|tape| tape.points.windows(2)) {
            let (apart, way) = beside(p, ends[0], ends[1]);
            if math::abs(apart) < math::abs(best) {
                (best, along) = (apart, passed + way);
            }
            passed += (ends[1] - ends[0]).length();
        }
        let distance = math::abs(best);
        if !self.is_found {
            self.is_found = distance < FOUND_M;
            self.along_m = along;
            return distance;
        }
        let half = 0.5 * self.length_m;
        let mut step = along - self.along_m;
        if step > half {
            step -= self.length_m;
        } else if step < -half {
            step += self.length_m;
        }
        // A jump to another part of the tape, where it comes near itself, is no way driven.
        if math::abs(step) < 0.1 {
            self.travelled_m += f64::from(step);
        }
        self.along_m = along;
        self.sum_m += f64::from(distance);
        self.max_m = self.max_m.max(f64::from(distance));
        self.signed.push(best);
        if distance > CENTRED_M {
            let side = if best > 0.0 { 1.0 } else { -1.0 };
            self.crossings += u32::from(self.side * side < 0.0);
            self.side = side;
        }
        distance
    }

    fn finish(mut self, step_s: f64) -> LineError {
        let n = self.signed.len();
        if n == 0 {
            return LineError::default();
        }
        self.signed.sort_by(f32::total_cmp);
        let at = |q: usize| f64::from(self.signed[(n - 1) * q / 100]);
        LineError {
            laps: (self.travelled_m / f64::from(self.length_m)).abs(),
            mean_m: self.sum_m / n as f64,
            max_m: self.max_m,
            amplitude_m: 0.5 * (at(95) - at(5)),
            frequency_hz: f64::from(self.crossings) / 2.0 / (n as f64 * step_s),
        }
    }
}

/// Everything measured of an attempt but the tape.
#[derive(Debug)]
struct Meter {
    crashes: u32,
    was_bumped: bool,
    first_crash_s: Option<f64>,
    path_m: f64,
    last: Option<Vec2>,
    side: f32,
    flips: u32,
    clearance_m: f32,
    still_ticks: u64,
    first_turn: Option<FirstTurn>,
}

impl Meter {
    fn record(
        &mut self,
        run: &Run,
        truth: &RobotTruth,
        now_s: f64,
        (room, radius_m): (&Room, f32),
    ) {
        let p = Vec2::new(truth.x_m, truth.y_m);
        if truth.is_bumped && !self.was_bumped {
            self.crashes += 1;
            self.first_crash_s.get_or_insert(now_s);
        }
        self.was_bumped = truth.is_bumped;
        if let Some(last) = self.last {
            self.path_m += f64::from((p - last).length());
        }
        self.last = Some(p);
        self.clearance_m = self.clearance_m.min(clearance(room, p) - radius_m);
        let robot = &run.robots()[0];
        let value =
            |name: &str| robot.body.actuator(name).map_or(0.0, |i| robot.actuators.value(i));
        let (left, right) = (value("wheel_left"), value("wheel_right"));
        let turn = 0.5 * (right - left);
        if math::abs(turn) > STRAIGHT {
            self.flips += u32::from(self.side * turn < 0.0);
            self.side = turn;
        }
        let is_still = left == 0.0 && right == 0.0;
        self.still_ticks = if is_still { self.still_ticks + 1 } else { 0 };
        if self.first_turn.is_none() && left * right < 0.0 {
            let range = |name: &str| {
                let reading = robot.body.sensor(name).map(|i| robot.percept.reading(i));
                reading.and_then(tropism_body::Reading::value).unwrap_or(f32::INFINITY)
            };
            let is_left = right > left;
            let left_is_open = range("ultrasonic_left") > range("ultrasonic_right");
            let is_to_open_side = is_left == left_is_open;
            self.first_turn = Some(FirstTurn { at_s: now_s, is_left, is_to_open_side });
        }
    }
}

/// Takes what the controller printed or did.
fn logged(run: &mut Run) -> Vec<String> {
    const KEPT: usize = 200;
    let lines = run.robots_mut().first_mut().map(|r| r.mind.take_log()).unwrap_or_default();
    lines.iter().take(KEPT).map(|l| format!("{}: {}", l.tick, l.text)).collect()
}

/// Ends an attempt early, when it must.
fn verdict(
    task: &Task,
    meter: &Meter,
    strayed: bool,
    goal_m: Option<f32>,
    still: u64,
) -> Option<Outcome> {
    match task.goal {
        Goal::Free | Goal::Line if meter.crashes > 0 => Some(Outcome::Crashed),
        Goal::Free | Goal::Line if meter.still_ticks >= still => Some(Outcome::Stopped),
        Goal::Line if strayed => Some(Outcome::LostLine),
        Goal::Beacon if goal_m.is_some_and(|d| d <= REACHED_M) => Some(Outcome::Passed),
        _ => None,
    }
}

/// One attempt.
pub(crate) fn run(mind: &MindSpec, task: &Task, i: u32, count: u32) -> Result<Attempt, LabError> {
    let mut scenario = task.scenario.clone();
    scenario.world.robots[0].start = task.start(i, count);
    let spec: &WorldSpec = &scenario.world;
    let radius_m = spec.robots[0].plan.radius_m;
    let world = |error| LabError::World { condition: task.name.clone(), error };
    let mut run =
        Run::new(&scenario, core::slice::from_ref(mind), Seed(u64::from(i))).map_err(world)?;
    let step_s = f64::from(scenario.step.seconds());
    let still = scenario.step.ticks_in(STILL_S);
    let mut meter = Meter {
        crashes: 0,
        was_bumped: false,
        first_crash_s: None,
        path_m: 0.0,
        last: None,
        side: 0.0,
        flips: 0,
        clearance_m: f32::INFINITY,
        still_ticks: 0,
        first_turn: None,
    };
    let mut line = (!spec.tapes.is_empty()).then(|| LineMeter::new(&spec.tapes));
    let (mut outcome, mut goal_m) = (None, None);
    for _ in 0..scenario.step.ticks_in(task.time_s) {
        run.tick();
        let truth = run.truth(0);
        let p = Vec2::new(truth.x_m, truth.y_m);
        let now_s = scenario.step.seconds_at(run.now());
        meter.record(&run, &truth, now_s, (&spec.room, radius_m));
        let strayed = line.as_mut().is_some_and(|l| l.record(p) > STRAY_M && l.is_found);
        goal_m = spec.beacons.first().map(|b| (p - *b).length());
        outcome = verdict(task, &meter, strayed, goal_m, still);
        if run.robots()[0].mind.failure().is_some() {
            outcome = Some(Outcome::Error);
        }
        if outcome.is_some() {
            break;
        }
    }
    let time_s = scenario.step.seconds_at(run.now());
    let line = line.map(|l| l.finish(step_s));
    let at_the_end = match task.goal {
        Goal::Free => Outcome::Passed,
        Goal::Line if line.as_ref().is_some_and(|l| l.laps >= 1.0) => Outcome::Passed,
        Goal::Line => Outcome::NoLap,
        Goal::Beacon => Outcome::NotReached,
    };
    let message = run.robots()[0].mind.failure().map(ToString::to_string).unwrap_or_default();
    Ok(Attempt {
        start: i,
        outcome: outcome.unwrap_or(at_the_end),
        message,
        crashes: meter.crashes,
        first_crash_s: meter.first_crash_s,
        time_s,
        path_m: meter.path_m,
        flips_per_s: f64::from(meter.flips) / time_s.max(step_s),
        clearance_m: f64::from(meter.clearance_m),
        line,
        first_turn: meter.first_turn,
        goal_distance_m: goal_m.map(f64::from),
        hash: format!("{:016x}", run.hash()),
        log: logged(&mut run),
    })
}

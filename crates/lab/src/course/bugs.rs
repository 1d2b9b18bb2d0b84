//! Every bug algorithm in every bug world, against the published bounds.
//!
//! Terms: D is the distance from start to goal, P the length of the path that keeps the follower's
//! distance round an obstacle.

use core::fmt::Write as _;
use std::path::Path;

use tropism_reactive::ReactiveSpec;
use tropism_reactive::bug::{Algorithm, BugParameters, BugResult};
use tropism_reactive::course::RADIUS_M;
use tropism_scenario::textmap::TextMap;
use tropism_world::{Vec2, WorldSpec, plans};

use super::drive::{CourseError, outing};

/// Size of a cell of the text maps, m: an obstacle two cells thick is two and a half radii thick.
pub const CELL_M: f32 = 0.1;

/// The algorithms with their names.
pub const ALGORITHMS: [(&str, Algorithm); 4] = [
    ("bug0", Algorithm::Bug0),
    ("bug1", Algorithm::Bug1),
    ("bug2", Algorithm::Bug2),
    ("tangent_bug", Algorithm::Tangent),
];

/// A closed ring round the goal.
pub const RING: &str = "\
......................................\n\
......................................\n\
...................##############.....\n\
...................##############.....\n\
...................##..........##.....\n\
...................##..........##.....\n\
...................##..........##.....\n\
....S..............##....G.....##.....\n\
...................##..........##.....\n\
...................##..........##.....\n\
...................##..........##.....\n\
...................##############.....\n\
...................##############.....\n\
......................................\n\
......................................\n";

/// One run.
#[derive(Clone, Debug)]
pub struct BugRun {
    /// How it ended.
    pub result: BugResult,
    /// Way of the centre, m.
    pub way_m: f32,
    /// When it ended, s.
    pub time_s: f64,
    /// Hit points.
    pub hits: usize,
    /// Where the robot truly was at them.
    pub met_at: Vec<Vec2>,
    /// Distance to the goal at the end, m.
    pub goal_m: f32,
    /// Ticks with contact.
    pub contacts: u64,
}

/// Runs one algorithm in one world until it ends.
///
/// # Errors
/// [`CourseError`] as [`outing`].
pub fn run(
    world: &WorldSpec,
    algorithm: Algorithm,
    parameters: BugParameters,
    seed: u64,
) -> Result<BugRun, CourseError> {
    let mut outing = outing(world, &ReactiveSpec::Bug(algorithm, parameters), seed)?;
    let limit = world.step.ticks_in(f64::from(parameters.limit) + 2.0);
    let (mut contacts, mut met_at) = (0, Vec::new());
    let mut before = outing.sample().truth;
    let mut way_m = 0.0;
    loop {
        outing.tick();
        let sample = outing.sample();
        let now = sample.truth;
        way_m += (now.x_m - before.x_m).hypot_of(now.y_m - before.y_m);
        before = now;
        contacts += u64::from(now.is_bumped);
        let Some(bug) = outing.mind.bug() else {
            return Err(CourseError::Unknown(String::from("bug")));
        };
        if bug.hits().all().len() > met_at.len() {
            met_at.push(Vec2::new(now.x_m, now.y_m));
        }
        if bug.result() != BugResult::Running || sample.tick > limit {
            return Ok(BugRun {
                result: bug.result(),
                way_m,
                time_s: world.step.seconds_at(tropism_core::Tick(sample.tick)),
                hits: bug.hits().all().len(),
                met_at,
                goal_m: sample.goal_m,
                contacts,
            });
        }
    }
}

trait Hypot {
    fn hypot_of(self, y: f32) -> f32;
}

impl Hypot for f32 {
    fn hypot_of(self, y: f32) -> f32 {
        tropism_core::math::hypot(self, y)
    }
}

/// Distance from start to goal, and length of the obstacles' rims in a text map, each grown by the
/// distance kept: the way of a centre that keeps that distance.
///
/// Model: a grown rim is the rim's sides, a quarter of a circle more at each outer corner and twice
/// the distance less at each inner one: P = rim + d·(outer·π/2 − 2·inner). It holds while no gap is
/// narrower than twice the distance and cells do not meet at a corner alone.
///
/// # Source
/// Lumelsky and Stepanov (1987) count the perimeter of what a point robot meets. A disc is a point
/// among obstacles grown by its radius, so the radius is the distance of a robot that feels its
/// way.
pub fn distances(map: &TextMap, keep_m: f32) -> (f32, f32) {
    let (from, to) = (TextMap::middle(map.start, CELL_M), TextMap::middle(map.goal, CELL_M));
    let (mut sides, mut outer, mut inner) = (0_u32, 0_u32, 0_u32);
    // Every corner of the grid, as the cell to its upper right; cells outside are free.
    for y in 0..=map.height {
        for x in 0..=map.width {
            let is_wall = |dx: usize, dy: usize| {
                x + 1 > dx && y + 1 > dy && map.is_wall(x.wrapping_sub(dx), y.wrapping_sub(dy))
            };
            let around = [is_wall(0, 0), is_wall(1, 0), is_wall(0, 1), is_wall(1, 1)];
            match around.into_iter().filter(|w| *w).count() {
                1 => outer += 1,
                3 => inner += 1,
                _ => {}
            }
            sides += u32::from(around[0] != around[1]) + u32::from(around[0] != around[2]);
        }
    }
    let turns = outer as f32 * core::f32::consts::FRAC_PI_2 - 2.0 * inner as f32;
    ((to - from).length(), sides as f32 * CELL_M + turns * keep_m)
}

/// The table of all algorithms in the text maps of a folder and in the ring, both sides.
///
/// # Errors
/// [`CourseError::File`] for a folder or map that cannot be read.
pub fn report(folder: &Path) -> Result<String, CourseError> {
    let plan = plans::course_robot();
    let mut text = String::from(
        "| world | algorithm | boundary | sensing | result | way m | D m | P m | bound m | hits |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut maps = vec![(String::from("ring"), RING.to_owned())];
    for name in ["wall", "L", "U"] {
        let path = folder.join(format!("{name}.txt"));
        let map = std::fs::read_to_string(&path)
            .map_err(|error| CourseError::File(format!("{}: {error}", path.display())))?;
        maps.push((name.to_owned(), map));
    }
    for (name, map) in maps {
        let map = TextMap::parse(&map).map_err(|e| CourseError::File(format!("{name}: {e}")))?;
        let world =
            map.world(CELL_M, &plan).map_err(|e| CourseError::File(format!("{name}: {e}")))?;
        for (label, algorithm) in ALGORITHMS {
            for right in [1.0, 0.0] {
                for ranging in [1.0, 0.0] {
                    if algorithm == Algorithm::Tangent && (right == 0.0 || ranging == 0.0) {
                        continue;
                    }
                    let parameters =
                        BugParameters { boundary_right: right, ranging, ..Default::default() };
                    let run = run(&world, algorithm, parameters, 1)?;
                    let keep_m = if ranging > 0.5 { parameters.follow } else { RADIUS_M };
                    let (d, p) = distances(&map, keep_m);
                    let bound = match algorithm {
                        Algorithm::Bug1 => format!("{:.1}", d + 1.5 * p),
                        Algorithm::Bug2 => {
                            format!("{:.1}", d + 0.5 * run.hits.max(1) as f32 * 2.0 * p)
                        }
                        _ => String::from("-"),
                    };
                    let side = if algorithm == Algorithm::Tangent {
                        "by sight"
                    } else if right > 0.5 {
                        "right"
                    } else {
                        "left"
                    };
                    let sensing = if ranging > 0.5 { "range" } else { "contact" };
                    let _ = writeln!(
                        text,
                        "| {name} | {label} | {side} | {sensing} | {:?} | {:.2} | {d:.2} | \
                        {p:.2} | {bound} | {} |",
                        run.result, run.way_m, run.hits
                    );
                }
            }
        }
    }
    Ok(text)
}

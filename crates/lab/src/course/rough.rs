//! Bug1 by contact alone in worlds it was not tuned in: random blocks and random courses.
//!
//! Terms: a *block map* is a text map of polyominoes of blocks of 30 cm, drawn from a seed; an
//! obstacle is *met* when a hit point lies nearest to it; the *bound* of a run is D + 1.5 ΣP over
//! the obstacles met, P being the length of a rim grown by the robot's radius.
//!
//! What it does not do: no obstacle of a block map has a hole, and none comes nearer to another
//! than a block, so that each grown rim is known exactly.

use core::fmt::Write as _;

use rayon::prelude::*;
use tropism_core::{Purpose, Seed, Tick};
use tropism_ethology::statistics::wilson;
use tropism_reactive::bug::{Algorithm, BugParameters, BugResult};
use tropism_reactive::course::RADIUS_M;
use tropism_scenario::textmap::{TextMap, random_course};
use tropism_world::{Vec2, WorldSpec, plans};

use super::bugs::{self, BugRun, CELL_M};
use super::drive::CourseError;

/// Cells of a block's side.
const BLOCK: usize = 3;
/// Blocks of a map; the outermost are free.
const WIDE: usize = 11;
/// See [`WIDE`].
const HIGH: usize = 9;
const MAPS: Purpose = Purpose::named("course.blocks");

/// A grid of blocks: 0 free, else the number of the obstacle.
type Blocks = [[u8; WIDE]; HIGH];

/// A world with what is known of its obstacles' grown rims.
#[derive(Clone, Debug)]
pub struct Rough {
    /// The world.
    pub world: WorldSpec,
    /// Distance from start to goal, m.
    pub distance_m: f32,
    /// Obstacles.
    pub shapes: Vec<Shape>,
}

/// An obstacle.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Length of its rim grown by the robot's radius, m.
    pub perimeter_m: f32,
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug)]
enum Part {
    Disc(Vec2, f32),
    Edge(Vec2, Vec2),
}

impl Part {
    fn distance_m(self, p: Vec2) -> f32 {
        match self {
            Self::Disc(center, radius_m) => (p - center).length() - radius_m,
            Self::Edge(from, to) => {
                let along = to - from;
                let share = (p - from).dot(along) / along.length_squared();
                (p - (from + along * tropism_core::math::unit(share))).length()
            }
        }
    }
}

fn edges(corners: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    (0..corners.len()).map(move |i| (corners[i], corners[(i + 1) % corners.len()]))
}

impl Shape {
    fn distance_m(&self, p: Vec2) -> f32 {
        self.parts.iter().map(|part| part.distance_m(p)).fold(f32::INFINITY, f32::min)
    }
}

impl Rough {
    /// The bound of Bug1 for a run: D + 1.5 ΣP over the obstacles met, each counted once.
    pub fn bound_m(&self, run: &BugRun) -> f32 {
        let mut is_met = vec![false; self.shapes.len()];
        for at in &run.met_at {
            let apart = self.shapes.iter().map(|shape| shape.distance_m(*at)).enumerate();
            if let Some((nearest, _)) = apart.min_by(|a, b| a.1.total_cmp(&b.1)) {
                is_met[nearest] = true;
            }
        }
        let met = self.shapes.iter().zip(is_met).filter(|(_, is_met)| *is_met);
        self.distance_m + 1.5 * met.map(|(shape, _)| shape.perimeter_m).sum::<f32>()
    }
}

/// Draws one polyomino into the grid: from a seat, block by block, where it stays a block away from
/// all others.
fn grow(blocks: &mut Blocks, number: u8, draws: &mut tropism_core::Draws) {
    let is_clear = |blocks: &Blocks, (x, y): (usize, usize)| {
        let mut around = (y - 1..=y + 1).flat_map(|row| (x - 1..=x + 1).map(move |c| (c, row)));
        around.all(|(c, row)| blocks[row][c] == 0 || blocks[row][c] == number)
    };
    let seat = |draws: &mut tropism_core::Draws| {
        (1 + draws.below(WIDE as u32 - 2) as usize, 1 + draws.below(HIGH as u32 - 2) as usize)
    };
    // The columns of start and goal stay free.
    let is_inside =
        |(x, y): (usize, usize)| (2..WIDE - 2).contains(&x) && (1..HIGH - 1).contains(&y);
    let (mut at, size) = (seat(draws), 3 + draws.below(7));
    for _ in 0..size {
        if is_inside(at) && is_clear(blocks, at) {
            blocks[at.1][at.0] = number;
        }
        let next = match draws.below(4) {
            0 => (at.0 + 1, at.1),
            1 => (at.0 - 1, at.1),
            2 => (at.0, at.1 + 1),
            _ => (at.0, at.1 - 1),
        };
        at = if is_inside(next) { next } else { at };
    }
}

/// Fills holes and corners that touch: what the free outside does not reach, and one of the two
/// free blocks where two blocks meet at a corner alone.
fn mend(blocks: &mut Blocks) {
    loop {
        let mut changed = false;
        for y in 1..HIGH {
            for x in 1..WIDE {
                let [a, b, c, d] =
                    [blocks[y - 1][x - 1], blocks[y - 1][x], blocks[y][x - 1], blocks[y][x]];
                if a != 0 && d != 0 && b == 0 && c == 0 {
                    (blocks[y - 1][x], changed) = (a, true);
                } else if b != 0 && c != 0 && a == 0 && d == 0 {
                    (blocks[y - 1][x - 1], changed) = (b, true);
                }
            }
        }
        let mut is_outside = [[false; WIDE]; HIGH];
        is_outside[0][0] = true;
        for _ in 0..WIDE * HIGH {
            for y in 0..HIGH {
                for x in 0..WIDE {
                    let near =
                        [(x + 1, y), (x.wrapping_sub(1), y), (x, y + 1), (x, y.wrapping_sub(1))];
                    let reaches = |(x, y): (usize, usize)| x < WIDE && y < HIGH && is_outside[y][x];
                    is_outside[y][x] |= blocks[y][x] == 0 && near.into_iter().any(reaches);
                }
            }
        }
        for y in 0..HIGH {
            for x in 1..WIDE {
                if blocks[y][x] == 0 && !is_outside[y][x] {
                    // A hole lies inside the obstacle to its left.
                    (blocks[y][x], changed) = (blocks[y][x - 1], true);
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// Numbers the connected obstacles anew; gives how many there are.
fn label(blocks: &mut Blocks) -> u8 {
    let (old, mut count) = (*blocks, 0);
    *blocks = [[0; WIDE]; HIGH];
    for y in 0..HIGH {
        for x in 0..WIDE {
            if old[y][x] == 0 || blocks[y][x] != 0 {
                continue;
            }
            count += 1;
            let mut open = vec![(x, y)];
            while let Some((x, y)) = open.pop() {
                if x < WIDE && y < HIGH && old[y][x] != 0 && blocks[y][x] == 0 {
                    blocks[y][x] = count;
                    open.extend([(x + 1, y), (x, y + 1)]);
                    open.extend([(x.wrapping_sub(1), y), (x, y.wrapping_sub(1))]);
                }
            }
        }
    }
    count
}

/// The text of a grid, or of one of its obstacles.
fn text(blocks: &Blocks, only: Option<u8>, (start, goal): (usize, usize)) -> String {
    let mut text = String::new();
    for y in (0..HIGH * BLOCK).rev() {
        for x in 0..WIDE * BLOCK {
            let number = blocks[y / BLOCK][x / BLOCK];
            let is_wall = number != 0 && only.is_none_or(|only| only == number);
            text.push(match (x, y) {
                (4, y) if y == start => 'S',
                (x, y) if x == WIDE * BLOCK - 2 && y == goal => 'G',
                _ if is_wall => '#',
                _ => '.',
            });
        }
        text.push('\n');
    }
    text
}

/// The block map of a seed.
///
/// # Errors
/// [`CourseError::File`] for a map that its own reader refuses, which a test excludes.
///
/// # Determinism
/// Drawn from the seed alone.
pub fn blocks(seed: u64, is_real: bool) -> Result<Rough, CourseError> {
    let mut draws = Seed(seed).stream(MAPS, 0, 0).at(Tick(0));
    let mut grid = [[0; WIDE]; HIGH];
    let count = 2 + draws.below(4) as u8;
    for number in 1..=count {
        grow(&mut grid, number, &mut draws);
    }
    mend(&mut grid);
    let count = label(&mut grid);
    let row = |draws: &mut tropism_core::Draws| 4 + draws.below((HIGH * BLOCK - 8) as u32) as usize;
    let ends = (row(&mut draws), row(&mut draws));
    let refuse = |error: tropism_scenario::textmap::TextMapError| {
        CourseError::File(format!("block map {seed}: {error}"))
    };
    let map = TextMap::parse(&text(&grid, None, ends)).map_err(refuse)?;
    let plan = if is_real { plans::course_robot_real() } else { plans::course_robot() };
    let world = map.world(CELL_M, &plan).map_err(refuse)?;
    let mut shapes = Vec::new();
    for number in 1..=count {
        let own = TextMap::parse(&text(&grid, Some(number), ends)).map_err(refuse)?;
        let boxes = own.boxes().into_iter().map(|(x, y, wide, high)| {
            [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
                .map(|(x, y)| Vec2::new(x as f32 * CELL_M, y as f32 * CELL_M))
        });
        let parts: Vec<Part> = boxes
            .flat_map(|b| edges(&b).map(|(f, t)| Part::Edge(f, t)).collect::<Vec<_>>())
            .collect();
        if !parts.is_empty() {
            let (_, perimeter_m) = bugs::distances(&own, RADIUS_M);
            shapes.push(Shape { perimeter_m, parts });
        }
    }
    Ok(Rough { world, distance_m: bugs::distances(&map, RADIUS_M).0, shapes })
}

/// The random course of a seed, with the rims of its discs and boxes.
pub fn course(seed: u64, is_real: bool) -> Rough {
    let plan = if is_real { plans::course_robot_real() } else { plans::course_robot() };
    let world = random_course(Seed(seed), 8, &plan);
    let round = 2.0 * core::f32::consts::PI;
    let discs = world.room.discs.iter().map(|disc| Shape {
        perimeter_m: round * (disc.radius_m + RADIUS_M),
        parts: vec![Part::Disc(disc.center, disc.radius_m)],
    });
    let boxes = world.room.polygons.iter().map(|polygon| Shape {
        perimeter_m: edges(&polygon.corners).map(|(f, t)| (t - f).length()).sum::<f32>()
            + round * RADIUS_M,
        parts: edges(&polygon.corners).map(|(f, t)| Part::Edge(f, t)).collect(),
    });
    let shapes = discs.chain(boxes).collect();
    let start = match world.robots[0].start {
        tropism_world::Start::Pose { at, .. } => at,
        tropism_world::Start::Region { min, .. } => min,
    };
    let distance_m = (world.beacons[0] - start).length();
    Rough { world, distance_m, shapes }
}

/// One run of Bug1 by contact alone, and its bound.
///
/// # Errors
/// [`CourseError`] as [`bugs::run`].
pub fn run(rough: &Rough, boundary_right: f32, seed: u64) -> Result<(BugRun, f32), CourseError> {
    let numbers = BugParameters { ranging: 0.0, boundary_right, ..BugParameters::default() };
    let run = bugs::run(&rough.world, Algorithm::Bug1, numbers, seed)?;
    let bound_m = rough.bound_m(&run);
    Ok((run, bound_m))
}

/// The table over this many seeds from a first one; only runs that met an obstacle count.
///
/// # Errors
/// [`CourseError`] as [`run`].
pub fn report(count: u64, first: u64) -> Result<String, CourseError> {
    let mut text = String::from(
        "| worlds | body | boundary | met | reached | within the bound | 95 % interval | \
        way / bound: median | worst |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for (name, is_blocks) in [("blocks", true), ("courses", false)] {
        for (body, is_real) in [("perfect", false), ("real", true)] {
            for (side, boundary_right) in [("right", 1.0), ("left", 0.0)] {
                let seeds = (first..first + count).into_par_iter();
                let runs: Result<Vec<(BugRun, f32)>, CourseError> = seeds
                    .map(|seed| {
                        let rough =
                            if is_blocks { blocks(seed, is_real)? } else { course(seed, is_real) };
                        run(&rough, boundary_right, seed)
                    })
                    .collect();
                let _ = writeln!(text, "| {name} | {body} | {side} | {}", row(&runs?));
            }
        }
    }
    Ok(text)
}

/// The figures of the runs that met an obstacle.
fn row(runs: &[(BugRun, f32)]) -> String {
    let met: Vec<&(BugRun, f32)> = runs.iter().filter(|(run, _)| run.hits > 0).collect();
    let reached = met.iter().filter(|(run, _)| run.result == BugResult::Reached);
    let mut shares: Vec<f32> = reached.map(|(run, bound_m)| run.way_m / bound_m).collect();
    shares.sort_by(f32::total_cmp);
    let within = shares.iter().filter(|share| **share <= 1.0).count();
    let interval = wilson(within as u64, met.len() as u64).map(|rate| rate.interval);
    let interval = interval
        .map(|i| format!("{:.1} to {:.1} %", 100.0 * i.low, 100.0 * i.high))
        .unwrap_or_default();
    let at = |i: usize| shares.get(i).copied().unwrap_or(f32::NAN);
    format!(
        "{}/{} | {}/{} | {within}/{} | {interval} | {:.3} | {:.3} |",
        met.len(),
        runs.len(),
        shares.len(),
        met.len(),
        met.len(),
        at(shares.len() / 2),
        at(shares.len().saturating_sub(1)),
    )
}

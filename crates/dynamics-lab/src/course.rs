//! Seeded obstacle courses and one run over them.
//!
//! Terms: a run *reaches* the goal when its centre comes within 6 cm, *collides* when the rim
//! touches a disc or wall, and is *stuck* when time is up.

use crate::driver::{Driver, Sensing};
use crate::generator::Generator;
use crate::robot::{Disc, RADIUS, Robot, Walls};
use tropism_core::math::f64 as math;

/// The goal of every course.
pub const GOAL: (f64, f64) = (3.2, 0.0);
/// Distance that counts as reached, m.
pub const REACHED: f64 = 0.06;
/// Time limit, s.
pub const LIMIT: f64 = 25.0;
/// The walls of every course.
pub const WALLS: Walls = Walls { x: (-0.5, 3.7), y: (-1.25, 1.25) };

/// A field with a start pose.
#[derive(Clone, Debug)]
pub struct Course {
    /// Obstacles.
    pub discs: Vec<Disc>,
    /// Start.
    pub start: Robot,
}

impl Course {
    /// The course of this seed with so many discs (fewer if they do not fit).
    pub fn new(seed: u32, count: usize) -> Self {
        let mut generator = Generator::new(seed);
        let mut discs: Vec<Disc> = Vec::new();
        for _ in 0..5000 {
            if discs.len() == count {
                break;
            }
            let x = generator.uniform(0.45, 2.75);
            let y = generator.uniform(-0.9, 0.9);
            let disc = Disc { x, y, r: generator.uniform(0.07, 0.16) };
            let is_free = |d: &Disc| {
                math::hypot(disc.x - d.x, disc.y - d.y) > disc.r + d.r + 2.0 * RADIUS + 0.10
            };
            if discs.iter().all(is_free) {
                discs.push(disc);
            }
        }
        // The recorded courses turn the robot by ±3.14, not by ±π.
        let turn = 314.0 / 100.0;
        let start = Robot::at(0.0, 0.0, generator.uniform(-turn, turn));
        Self { discs, start }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// At the goal.
    Reached,
    /// Touched something.
    Collided,
    /// Out of time.
    Stuck,
}

/// One run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// When, s.
    pub time: f64,
    /// Length of the path, m.
    pub path: f64,
    /// Smallest distance of the rim from anything, m.
    pub clearance: f64,
    /// Sum of changes of the turn command per second, a measure of chatter.
    pub chatter: f64,
}

/// Drives one course.
pub fn drive(course: &Course, driver: &mut dyn Driver, dt: f64) -> Run {
    let mut robot = course.start;
    let (mut time, mut path, mut clearance, mut changes) = (0.0, 0.0, 9.0_f64, 0.0);
    let mut last_w = None;
    let mut outcome = Outcome::Stuck;
    while time < LIMIT {
        let ranges = Some(robot.ranges(&course.discs, Some(WALLS)));
        let (v, w) = driver.drive(&Sensing { ranges, ..Sensing::of(robot) });
        changes += last_w.map_or(0.0, |last: f64| (w - last).abs());
        last_w = Some(w);
        let before = robot;
        robot.step(v, w, dt);
        time += dt;
        path += robot.distance(before.state[0], before.state[1]);
        let rim = robot.clearance(&course.discs, Some(WALLS));
        clearance = clearance.min(rim);
        if rim < 0.0 {
            outcome = Outcome::Collided;
            break;
        }
        if robot.distance(GOAL.0, GOAL.1) < REACHED {
            outcome = Outcome::Reached;
            break;
        }
    }
    Run { outcome, time, path, clearance, chatter: changes / time }
}

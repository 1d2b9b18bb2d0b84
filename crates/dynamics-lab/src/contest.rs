//! Several drivers over the same courses.

use crate::baseline::{Attractor, Potential};
use crate::course::{Course, Outcome, Run, drive};
use crate::driver::NetworkDriver;
use tropism_dynamics_spec::Compiled;

/// Discs on a course.
pub const DISCS: usize = 9;

/// Who drives.
#[derive(Clone, Copy, Debug)]
pub enum Contestant<'c> {
    /// A network, in double precision.
    Network(&'c Compiled),
    /// Attractor dynamics.
    Attractor,
    /// Potential field.
    Potential,
}

/// The runs of one contestant over courses `first..first + count`.
///
/// # Panics
/// When a network is not wired to this robot.
pub fn runs(contestant: Contestant<'_>, first: u32, count: u32, dt: f64) -> Vec<Run> {
    (0..count)
        .map(|index| {
            let course = Course::new(first + index, DISCS);
            match contestant {
                Contestant::Network(compiled) => {
                    let driver = NetworkDriver::<f64>::new(compiled);
                    let mut driver = driver.unwrap_or_else(|error| panic!("{error}"));
                    drive(&course, &mut driver, dt)
                }
                Contestant::Attractor => drive(&course, &mut Attractor::new(index, dt), dt),
                Contestant::Potential => drive(&course, &mut Potential::new(dt), dt),
            }
        })
        .collect()
}

/// Counts and medians over runs; medians are over those that reached the goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Number of runs.
    pub runs: usize,
    /// At the goal.
    pub reached: usize,
    /// Touched something.
    pub collided: usize,
    /// Out of time.
    pub stuck: usize,
    /// Median time, s.
    pub time: f64,
    /// Median path, m.
    pub path: f64,
    /// Median clearance, m.
    pub clearance: f64,
}

impl Summary {
    /// The summary of some runs.
    pub fn of(runs: &[Run]) -> Self {
        let count = |outcome| runs.iter().filter(|r| r.outcome == outcome).count();
        let reached: Vec<&Run> = runs.iter().filter(|r| r.outcome == Outcome::Reached).collect();
        let middle = |value: fn(&Run) -> f64| median(reached.iter().map(|r| value(r)).collect());
        Self {
            runs: runs.len(),
            reached: reached.len(),
            collided: count(Outcome::Collided),
            stuck: count(Outcome::Stuck),
            time: middle(|r| r.time),
            path: middle(|r| r.path),
            clearance: middle(|r| r.clearance),
        }
    }
}

/// The middle value, or the mean of the two in the middle; NaN of nothing.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

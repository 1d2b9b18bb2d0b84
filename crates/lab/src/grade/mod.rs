//! Grading: one controller, one task, many starts, judged by what is true of the robot.
//!
//! Terms: an *attempt* is one run from one start; it *passes* or ends in a named outcome; the
//! *rate* of a batch comes with its Wilson interval; a *flip* is a change of sign of the turn
//! command.
//!
//! What it does not do: it reads no clock and prints nothing. A controller is judged by the world's
//! truth, never by its own odometry.

mod attempt;
mod task;
mod text;

use rayon::prelude::*;
use serde::Serialize;
use tropism_ethology::statistics::{Rate, wilson};
use tropism_ethology::table::{Cell, Column, Kind, Table, TableError};
use tropism_scenario::MindSpec;

use crate::error::LabError;

pub use attempt::{Attempt, FirstTurn, LineError, Outcome};
pub use task::{PASS, TASKS, Task, task_of_world};
pub use text::describe;

/// A graded batch.
#[derive(Clone, Debug, Serialize)]
pub struct Grade {
    /// The controller as it was named.
    pub controller: String,
    /// Name of the task.
    pub task: String,
    /// What passing means.
    pub passes_when: String,
    /// Attempts that passed.
    pub passed: Rate,
    /// Attempts in which the body touched something.
    pub crashed: Rate,
    /// The attempts, in order of their starts.
    pub attempts: Vec<Attempt>,
}

/// Grades a controller: attempts 0..`count`, in parallel, gathered in order.
///
/// # Errors
/// [`LabError`] when the world cannot be built, the body lacks a channel the controller needs, or
/// `count` is 0.
///
/// # Determinism
/// The grade depends on controller, task and count alone, not on the number of workers.
pub fn grade(name: &str, mind: &MindSpec, task: &Task, count: u32) -> Result<Grade, LabError> {
    check(mind, task, count)?;
    let attempts: Result<Vec<Attempt>, LabError> =
        (0..count).into_par_iter().map(|i| attempt::run(mind, task, i, count)).collect();
    gather(name, task, attempts?)
}

/// Checks that a controller can be graded, before the first attempt.
///
/// # Errors
/// [`LabError`] when the body lacks a channel the controller needs, or `count` is 0.
pub fn check(mind: &MindSpec, task: &Task, count: u32) -> Result<(), LabError> {
    if count == 0 {
        return Err(LabError::Data("grading needs at least one start: --seeds 1".to_owned()));
    }
    if let MindSpec::Machine(machine) = mind {
        let body = &task.scenario.world.robots[0].plan.body;
        let missing = machine.missing(body);
        if !missing.is_empty() {
            let what = format!("body `{}` has no {}", body.name, missing.join(", "));
            return Err(LabError::Data(format!("machine `{}`: {what}", machine.name)));
        }
    }
    Ok(())
}

/// Attempt `i` of `count`, for callers that grade step by step.
///
/// # Errors
/// [`LabError`] when the world cannot be built.
///
/// # Determinism
/// It is the attempt that [`grade`] would make.
pub fn attempt(mind: &MindSpec, task: &Task, i: u32, count: u32) -> Result<Attempt, LabError> {
    attempt::run(mind, task, i, count)
}

/// The grade of attempts in order of their starts.
///
/// # Errors
/// [`LabError::Data`] without attempts.
pub fn gather(name: &str, task: &Task, attempts: Vec<Attempt>) -> Result<Grade, LabError> {
    let rate = |is_one: fn(&Attempt) -> bool| {
        let successes = attempts.iter().filter(|a| is_one(a)).count();
        wilson(successes as u64, attempts.len() as u64)
            .ok_or_else(|| LabError::Data("no attempts".to_owned()))
    };
    Ok(Grade {
        controller: name.to_owned(),
        task: task.name.clone(),
        passes_when: task.passes_when().to_owned(),
        passed: rate(|a| a.outcome == Outcome::Passed)?,
        crashed: rate(|a| a.crashes > 0)?,
        attempts,
    })
}

/// One row per attempt.
///
/// # Errors
/// Never for a grade made by [`grade`].
pub fn table(grade: &Grade) -> Result<Table, TableError> {
    let columns = [
        ("start", Kind::U64),
        ("outcome", Kind::Text),
        ("message", Kind::Text),
        ("crashes", Kind::U64),
        ("first_crash_s", Kind::F64),
        ("time_s", Kind::F64),
        ("path_m", Kind::F64),
        ("flips_per_s", Kind::F64),
        ("clearance_m", Kind::F64),
        ("laps", Kind::F64),
        ("line_error_mean_m", Kind::F64),
        ("line_error_max_m", Kind::F64),
        ("line_amplitude_m", Kind::F64),
        ("line_frequency_hz", Kind::F64),
        ("first_turn_s", Kind::F64),
        ("first_turn_is_open_side", Kind::Bool),
        ("goal_distance_m", Kind::F64),
    ];
    let columns = columns.into_iter().map(|(name, kind)| Column::new(name, kind)).collect();
    let mut table = Table::new(columns)?;
    for a in &grade.attempts {
        let line = a.line.as_ref();
        table.push(&[
            Cell::from(a.start),
            Cell::from(a.outcome.name()),
            Cell::from(a.message.as_str()),
            Cell::from(a.crashes),
            Cell::from(a.first_crash_s),
            Cell::from(a.time_s),
            Cell::from(a.path_m),
            Cell::from(a.flips_per_s),
            Cell::from(a.clearance_m),
            Cell::from(line.map(|l| l.laps)),
            Cell::from(line.map(|l| l.mean_m)),
            Cell::from(line.map(|l| l.max_m)),
            Cell::from(line.map(|l| l.amplitude_m)),
            Cell::from(line.map(|l| l.frequency_hz)),
            Cell::from(a.first_turn.map(|t| t.at_s)),
            Cell::from(a.first_turn.is_some_and(|t| t.is_to_open_side)),
            Cell::from(a.goal_distance_m),
        ])?;
    }
    Ok(table)
}

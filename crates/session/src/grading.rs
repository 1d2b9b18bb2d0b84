//! Grading a controller start by start, for pages that show the progress.

use tropism_core::Seed;
use tropism_lab::grade::{Attempt, Task, attempt, check, describe, gather};
use tropism_lab::script::ScriptMind;
use tropism_scenario::MindSpec;
use tropism_wire::session::{Fault, TextFile};

use crate::load::controller;
use crate::robots::script_fault;
use crate::table::fault;

/// Most starts of one grading.
pub const STARTS_MAX: u32 = 10_000;

/// What drives the robot.
#[derive(Clone, Debug)]
pub enum Driver {
    /// A built-in condition or controller.
    Named(String),
    /// A script (`.js`) or a state machine (`.toml`).
    File(TextFile),
}

/// A grading under way.
///
/// # Determinism
/// Its attempts and its summary are those of [`tropism_lab::grade::grade`], whatever the number of
/// workers there.
#[derive(Debug)]
pub struct Grading {
    name: String,
    mind: MindSpec,
    task: Task,
    starts: u32,
    attempts: Vec<Attempt>,
}

impl Grading {
    /// A grading before its first attempt.
    ///
    /// # Errors
    /// [`Fault`] for an unknown task or controller, a number of starts that is 0 or above
    /// [`STARTS_MAX`], a file with mistakes (with their places), a body that lacks a channel.
    pub fn new(task: &str, driver: &Driver, starts: u32) -> Result<Self, Fault> {
        let names = || tropism_lab::grade::TASKS.iter().map(|(name, _)| *name);
        let task = Task::named(task).ok_or_else(|| {
            let known: Vec<&str> = names().collect();
            fault(format!("there is no task {task}; there are {}", known.join(", ")))
        })?;
        let task = task.map_err(|error| fault(error.to_string()))?;
        if !(1..=STARTS_MAX).contains(&starts) {
            return Err(fault(format!("{starts} starts; there are 1 to {STARTS_MAX}")));
        }
        let (name, file) = match driver {
            Driver::Named(name) => (name.clone(), None),
            Driver::File(file) => (file.name.clone(), Some(file)),
        };
        let mind = controller(file, &name, task.host())?;
        check(&mind, &task, starts).map_err(|error| fault(error.to_string()))?;
        if let MindSpec::Script { path, text } = &mind {
            let (body, step) = task.host();
            let script = ScriptMind::new((path, text), body, step, Seed(0), 0);
            if let Some(error) = script.failure() {
                return Err(script_fault(error));
            }
        }
        Ok(Self { name, mind, task, starts, attempts: Vec::new() })
    }

    /// What the one who is to solve a task is told; `None` for a name that is no task.
    pub fn task_text(task: &str) -> Option<String> {
        Task::named(task)?.ok().map(|task| task.text())
    }

    /// Attempts made and attempts to make.
    pub fn progress(&self) -> (u32, u32) {
        (self.attempts.len() as u32, self.starts)
    }

    /// Makes the next attempt; `None` when all are made.
    ///
    /// # Errors
    /// [`Fault`] when the world cannot be built.
    #[expect(clippy::should_implement_trait, reason = "an iterator would not lend its attempts")]
    pub fn next(&mut self) -> Option<Result<&Attempt, Fault>> {
        let made = self.attempts.len() as u32;
        if made == self.starts {
            return None;
        }
        match attempt(&self.mind, &self.task, made, self.starts) {
            Ok(row) => {
                self.attempts.push(row);
                self.attempts.last().map(Ok)
            }
            Err(error) => Some(Err(fault(error.to_string()))),
        }
    }

    /// The attempts so far as JSON (an object with rates, intervals and rows) and as text.
    ///
    /// # Errors
    /// [`Fault`] before the first attempt.
    pub fn summary(&self) -> Result<Summary, Fault> {
        let grade = gather(&self.name, &self.task, self.attempts.clone());
        let grade = grade.map_err(|error| fault(error.to_string()))?;
        let json = serde_json::to_string(&grade).map_err(|error| fault(error.to_string()))?;
        Ok(Summary { json, text: describe(&grade) })
    }
}

/// What came of a grading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The grade as JSON.
    pub json: String,
    /// The grade as text.
    pub text: String,
}

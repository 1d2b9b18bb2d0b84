//! A script as a mind.

use tropism_body::{BodySpec, Command, Controller, Observer, Percept};
use tropism_core::{Seed, TimeStep};

use crate::script::{LogLine, RunningScript, ScriptError, Senses, Setting, engine_for, used};

/// A robot's script.
///
/// Once it has failed, both wheels stay at zero and [`Self::failure`] says why.
///
/// A clone starts the script anew and carries `memory` over as JSON: what the script keeps outside
/// `memory` is not cloned.
#[derive(Debug)]
pub struct ScriptMind {
    path: String,
    text: String,
    senses: Senses,
    step: TimeStep,
    seed: Seed,
    robot: u32,
    wheels: Option<[usize; 2]>,
    running: Option<Box<dyn RunningScript>>,
    failure: Option<ScriptError>,
    last: [f64; 2],
    used: u16,
}

impl ScriptMind {
    /// A script at its start. One that cannot start has failed.
    pub fn new(
        (path, text): (&str, &str),
        body: &BodySpec,
        step: TimeStep,
        seed: Seed,
        robot: u32,
    ) -> Self {
        let wheels = body.actuator("wheel_left").zip(body.actuator("wheel_right"));
        let senses = Senses::of(body);
        let mut mind = Self {
            path: path.to_owned(),
            text: text.to_owned(),
            used: used::channels(&senses, text),
            senses,
            step,
            seed,
            robot,
            wheels: wheels.map(|(left, right)| [left, right]),
            running: None,
            failure: None,
            last: [0.0; 2],
        };
        mind.start("{}");
        mind
    }

    fn start(&mut self, memory_json: &str) {
        let refuse = |what: &str| ScriptError {
            file: self.path.clone(),
            line: 0,
            column: 0,
            tick: None,
            what: what.to_owned(),
        };
        let started = match self.wheels {
            None => Err(refuse("the body has no actuators wheel_left and wheel_right")),
            Some(_) => engine_for(&self.path).and_then(|engine| {
                engine.start(Setting {
                    path: &self.path,
                    text: &self.text,
                    senses: &self.senses,
                    step: self.step,
                    seed: self.seed,
                    robot: self.robot,
                    memory_json,
                })
            }),
        };
        match started {
            Ok(running) => self.running = Some(running),
            Err(error) => self.failure = Some(error),
        }
    }

    /// Why it failed, if it did.
    pub const fn failure(&self) -> Option<&ScriptError> {
        self.failure.as_ref()
    }

    /// Takes the lines printed since the last call.
    pub fn take_log(&mut self) -> Vec<LogLine> {
        self.running.as_mut().map(|r| r.take_log()).unwrap_or_default()
    }

    /// Memory as JSON.
    pub fn memory_json(&self) -> String {
        self.running.as_ref().map_or_else(|| "{}".to_owned(), |r| r.memory_json())
    }

    /// Another life: memory starts empty.
    pub fn begin_life(&mut self) {
        if let Some(running) = &mut self.running {
            running.forget();
        }
    }
}

impl Clone for ScriptMind {
    fn clone(&self) -> Self {
        let mut twin = Self {
            path: self.path.clone(),
            text: self.text.clone(),
            senses: self.senses.clone(),
            running: None,
            failure: self.failure.clone(),
            ..*self
        };
        if twin.failure.is_none() {
            twin.start(&self.memory_json());
        }
        twin
    }
}

impl Controller for ScriptMind {
    #[inline]
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        let Some([left, right]) = self.wheels else { return };
        self.last = [0.0; 2];
        if self.failure.is_none()
            && let Some(running) = &mut self.running
        {
            match running.control(percept, &self.senses) {
                Ok(speeds) => self.last = speeds,
                Err(error) => self.failure = Some(error),
            }
        }
        command.write(left, self.last[0] as f32);
        command.write(right, self.last[1] as f32);
    }

    fn senses_used(&self) -> u16 {
        self.used
    }

    fn modules(&self) -> &'static [&'static str] {
        &["script", "error"]
    }

    fn controlling_module(&self) -> usize {
        usize::from(self.failure.is_some())
    }

    fn observe(&self, observer: &mut dyn Observer) {
        observer.value("script_left", None, self.last[0]);
        observer.value("script_right", None, self.last[1]);
        observer.value("script_failed", None, f64::from(u8::from(self.failure.is_some())));
    }
}

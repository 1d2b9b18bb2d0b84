//! A state machine as a mind.

use alloc::sync::Arc;

use tropism_body::{BodySpec, Command, Controller, Observer, Percept};
use tropism_core::TimeStep;
use tropism_reactive::machine::{Cause, MachineState};
use tropism_scenario::{BoundMachine, Machine};

use crate::script::LogLine;

/// Most changes of state kept as text; the rest is only counted.
const LOG_MAX: usize = 10_000;

/// A robot's state machine.
#[derive(Clone, Debug)]
pub struct MachineMind {
    machine: Arc<Machine>,
    bound: Arc<BoundMachine>,
    state: MachineState,
    log: Vec<LogLine>,
}

impl MachineMind {
    /// A machine in its first state.
    pub fn new(machine: &Arc<Machine>, body: &BodySpec, step: TimeStep) -> Self {
        let bound = Arc::new(machine.bind(body, step));
        let state = MachineState::new(&bound.program());
        Self { machine: Arc::clone(machine), bound, state, log: Vec::new() }
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// What it is in the middle of.
    pub const fn state(&self) -> &MachineState {
        &self.state
    }

    /// An event from outside, for the next tick; false for a name the machine does not have.
    pub fn fire(&mut self, event: &str) -> bool {
        let number = self.machine.event(event);
        if let Some(number) = number {
            self.state.fire(number);
        }
        number.is_some()
    }

    /// Takes the changes of state since the last call, each with its cause.
    pub fn take_log(&mut self) -> Vec<LogLine> {
        core::mem::take(&mut self.log)
    }

    /// Starts over.
    pub fn begin_life(&mut self) {
        self.state.reset(&self.bound.program());
    }
}

impl Controller for MachineMind {
    #[inline]
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        self.state.step(&self.bound.program(), percept, command);
        if let Some(step) = self.state.last_step()
            && self.log.len() < LOG_MAX
        {
            let names = self.bound.state_names();
            let name = |i: u8| names.get(usize::from(i)).copied().unwrap_or("");
            let cause = match step.cause {
                Cause::Transition(i) => self.machine.cause(i),
                Cause::Limit => self.machine.cause(u16::MAX),
            };
            let text = format!("{} → {}: {cause}", name(step.from), name(step.to));
            self.log.push(LogLine { tick: percept.tick.0, text });
        }
    }

    fn modules(&self) -> &'static [&'static str] {
        self.bound.state_names()
    }

    fn controlling_module(&self) -> usize {
        usize::from(self.state.state())
    }

    fn observe(&self, observer: &mut dyn Observer) {
        self.state.observe(&self.bound.program(), observer);
    }
}

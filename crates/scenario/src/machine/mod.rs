//! State machines as files.
//!
//! Terms: as in `tropism_reactive::machine`; a *way out* is a transition of a state; a machine is
//! *bound* when its channels are those of a body and its seconds are ticks.
//!
//! What it does not do: it runs no machine.

pub(crate) mod check;
mod draw;
pub(crate) mod file;
mod formula;

use alloc::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tropism_body::{BodySpec, SensorKind};
use tropism_core::TimeStep;
use tropism_reactive::machine::{
    Assignment, Condition, Formula, NO_EVENT, Op, Program, Side, Span, State, Transition,
};

use crate::source::Source;

/// A condition, thresholds and seconds as written.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineCondition {
    /// Its name.
    pub name: String,
    /// What it looks at, by name.
    pub input_name: String,
    pub(crate) input: Op,
    /// Side on which it is true.
    pub side: Side,
    /// Threshold to become true.
    pub enter: f32,
    /// Threshold to become false again.
    pub leave: f32,
    /// Seconds it must be true before it counts.
    pub confirm_s: f64,
    /// The input can only jump, so a pair of thresholds holds no noise off.
    pub(crate) input_jumps: bool,
}

/// A transition.
#[derive(Clone, Debug, PartialEq)]
pub struct WayOut {
    /// Number of the state that follows.
    pub to: u8,
    /// Conditions that must hold, as bits.
    pub needs: u32,
    /// Conditions that must not hold, as bits.
    pub forbids: u32,
    /// Number of the event that fires it.
    pub event: Option<u8>,
    pub(crate) set: Vec<Assignment>,
}

/// A state.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineStateSpec {
    /// Its name.
    pub name: String,
    /// What it does, in one sentence.
    pub about: String,
    /// Nothing follows but by an event.
    pub is_final: bool,
    /// Why it may last for ever, when it may.
    pub may_last: Option<String>,
    /// Ways out, tried in order.
    pub leave: Vec<WayOut>,
    /// Seconds before which no condition ends it.
    pub minimum_s: f64,
    /// Seconds after which it ends, and the state that follows then.
    pub limit: Option<(f64, u8)>,
    pub(crate) entry: Vec<Assignment>,
    pub(crate) drive: Vec<Assignment>,
}

/// A checked machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// What it is, in one sentence.
    pub about: String,
    /// The document it came from.
    pub source: Source,
    /// Sensor channels it reads.
    pub sensors: Vec<String>,
    /// Actuator channels it drives.
    pub actuators: Vec<String>,
    /// Its conditions.
    pub conditions: Vec<MachineCondition>,
    /// Events that come from outside.
    pub events: Vec<String>,
    /// Its states.
    pub states: Vec<MachineStateSpec>,
    /// Number of the first state.
    pub start: u8,
    pub(crate) ops: Vec<Op>,
    pub(crate) signals: Vec<(String, Formula)>,
    pub(crate) memory: Vec<(String, f32)>,
    pub(crate) every_tick: Vec<Assignment>,
}

/// A machine with the channels of a body and a control step.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundMachine {
    sensors: Vec<u8>,
    untrusted: Vec<f32>,
    ops: Vec<Op>,
    signals: Vec<Formula>,
    signal_names: Vec<&'static str>,
    memory: Vec<f32>,
    memory_names: Vec<&'static str>,
    every_tick: Span,
    conditions: Vec<Condition>,
    assignments: Vec<Assignment>,
    transitions: Vec<Transition>,
    states: Vec<State>,
    state_names: &'static [&'static str],
    start: u8,
    step_s: f32,
}

/// Names handed to traits that want them for the length of the program. Each list of names is kept
/// once, however often a machine is loaded.
fn kept(names: Vec<String>) -> &'static [&'static str] {
    static KEPT: Mutex<BTreeMap<Vec<String>, &'static [&'static str]>> =
        Mutex::new(BTreeMap::new());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept.get(&names) {
        return known;
    }
    let own = |name: &String| -> &'static str { Box::leak(name.clone().into_boxed_str()) };
    let list: &'static [&'static str] = Box::leak(names.iter().map(own).collect());
    kept.insert(names, list);
    list
}

#[derive(Default)]
struct Tables {
    assignments: Vec<Assignment>,
    transitions: Vec<Transition>,
}

impl Tables {
    fn assign(&mut self, list: &[Assignment]) -> Span {
        let first = self.assignments.len() as u16;
        self.assignments.extend_from_slice(list);
        Span { first, len: list.len() as u16 }
    }

    fn leave(&mut self, list: &[WayOut]) -> Span {
        let transitions: Vec<Transition> = list
            .iter()
            .map(|way| Transition {
                to: way.to,
                needs: way.needs,
                forbids: way.forbids,
                event: way.event.unwrap_or(NO_EVENT),
                set: self.assign(&way.set),
            })
            .collect();
        let first = self.transitions.len() as u16;
        self.transitions.extend(transitions);
        Span { first, len: list.len() as u16 }
    }
}

impl Machine {
    /// Number of a state by name.
    pub fn state(&self, name: &str) -> Option<u8> {
        self.states.iter().position(|s| s.name == name).map(|i| i as u8)
    }

    /// Number of an event by name.
    pub fn event(&self, name: &str) -> Option<u8> {
        self.events.iter().position(|e| e == name).map(|i| i as u8)
    }

    /// Channels that a body lacks, with the channels it has in their place: sensors, then
    /// actuators.
    pub fn missing(&self, body: &BodySpec) -> Vec<String> {
        let sensors = self.sensors.iter().filter(|name| body.sensor(name).is_none());
        let actuators = self.actuators.iter().filter(|name| body.actuator(name).is_none());
        sensors.chain(actuators).cloned().collect()
    }

    /// The flat tables for a body and a control step. A channel that the body lacks reads as not
    /// to be trusted and drives nothing; [`Self::missing`] tells of it beforehand.
    pub fn bind(&self, body: &BodySpec, step: TimeStep) -> BoundMachine {
        const NOWHERE: u8 = u8::MAX;
        let ticks = |s: f64| step.ticks_in(s).min(u64::from(u32::MAX)) as u32;
        let sensor = |name: &String| body.sensor(name).map_or(NOWHERE, |i| i as u8);
        let actuator = |i: u8| {
            let name = self.actuators.get(usize::from(i));
            name.and_then(|name| body.actuator(name)).map_or(NOWHERE, |i| i as u8)
        };
        let untrusted = |name: &String| match body.sensor(name).map(|i| body.sensors[i].kind) {
            Some(SensorKind::Range) => f32::INFINITY,
            _ => 0.0,
        };
        let mut tables = Tables::default();
        let every_tick = tables.assign(&self.every_tick);
        let states = self.states.iter().map(|state| {
            let drive: Vec<Assignment> = state
                .drive
                .iter()
                .map(|a| Assignment { target: actuator(a.target), formula: a.formula })
                .collect();
            State {
                entry: tables.assign(&state.entry),
                drive: tables.assign(&drive),
                leave: tables.leave(&state.leave),
                minimum_ticks: ticks(state.minimum_s),
                limit_ticks: state.limit.map_or(0, |(s, _)| ticks(s).max(1)),
                limit_to: state.limit.map_or(0, |(_, to)| to),
            }
        });
        let states = states.collect();
        let conditions = self.conditions.iter().map(|c| Condition {
            input: c.input,
            side: c.side,
            enter: c.enter,
            leave: c.leave,
            confirm_ticks: ticks(c.confirm_s),
        });
        let names = |list: Vec<String>| kept(list).to_vec();
        BoundMachine {
            sensors: self.sensors.iter().map(sensor).collect(),
            untrusted: self.sensors.iter().map(untrusted).collect(),
            ops: self.ops.clone(),
            signals: self.signals.iter().map(|(_, formula)| *formula).collect(),
            signal_names: names(self.signals.iter().map(|(name, _)| name.clone()).collect()),
            memory: self.memory.iter().map(|(_, start)| *start).collect(),
            memory_names: names(self.memory.iter().map(|(name, _)| name.clone()).collect()),
            every_tick,
            conditions: conditions.collect(),
            assignments: tables.assignments,
            transitions: tables.transitions,
            states,
            state_names: kept(self.states.iter().map(|s| s.name.clone()).collect()),
            start: self.start,
            step_s: step.seconds(),
        }
    }

    /// Why a transition of the bound table is taken, in words: its event and its guard. A number
    /// beyond the table is the time limit.
    pub fn cause(&self, transition: u16) -> String {
        let mut ways = self.states.iter().flat_map(|s| s.leave.iter());
        ways.nth(usize::from(transition)).map_or_else(|| "time limit".to_owned(), |w| self.guard(w))
    }

    pub(crate) fn guard(&self, way: &WayOut) -> String {
        let named = |bits: u32, word: &'static str| {
            let conditions = self.conditions.iter().enumerate();
            let chosen = conditions.filter(move |(i, _)| bits & (1 << i) != 0);
            chosen.map(move |(_, c)| format!("{word}{}", c.name))
        };
        let event = way.event.and_then(|i| self.events.get(usize::from(i)));
        let parts = event.map(|e| format!("event {e}")).into_iter();
        let parts = parts.chain(named(way.needs, "")).chain(named(way.forbids, "not "));
        parts.collect::<Vec<_>>().join(" and ")
    }
}

impl BoundMachine {
    /// The tables, as the runner wants them.
    #[inline]
    pub fn program(&self) -> Program<'_> {
        Program {
            sensors: &self.sensors,
            untrusted: &self.untrusted,
            ops: &self.ops,
            signals: &self.signals,
            signal_names: &self.signal_names,
            memory: &self.memory,
            memory_names: &self.memory_names,
            every_tick: self.every_tick,
            conditions: &self.conditions,
            assignments: &self.assignments,
            transitions: &self.transitions,
            states: &self.states,
            start: self.start,
            step_s: self.step_s,
        }
    }

    /// Names of the states in order.
    pub const fn state_names(&self) -> &'static [&'static str] {
        self.state_names
    }
}

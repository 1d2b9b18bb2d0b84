//! Running a machine.
//!
//! One tick: signals, memory that changes at every tick, conditions, at most one transition
//! (transitions in their order, then the time limit), then the actuators of the state that holds
//! now.
//!
//! What it does not do: it never blocks, never fails and draws no random number.

use tropism_body::{Command, Observer, Percept};

use crate::machine::formula::{Inputs, evaluate};
use crate::machine::program::{Assignment, NO_EVENT, Program, Side, Span, Transition};
use crate::machine::{CONDITIONS_MAX, EVENTS_MAX, MEMORY_MAX, SIGNALS_MAX};

/// Most sensors a machine reads: those a body can have.
const SENSORS_MAX: usize = tropism_body::MAX_SENSORS;

/// Numbers that stay.
pub type Memory = [f32; MEMORY_MAX];

/// Why a state was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// This transition of the program's table: its guard held, or its event came.
    Transition(u16),
    /// The time limit of the state.
    Limit,
}

/// A change of state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The state that was left.
    pub from: u8,
    /// The state that follows.
    pub to: u8,
    /// Why.
    pub cause: Cause,
}

/// What a machine is in the middle of.
///
/// # Determinism
/// It depends on the program, the percepts and the events alone.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineState {
    state: u8,
    ticks_in_state: u32,
    memory: Memory,
    signals: [f32; SIGNALS_MAX],
    latched: u32,
    held_ticks: [u32; CONDITIONS_MAX],
    holds: u32,
    waiting_events: u32,
    last: Option<Step>,
    changes: u32,
}

impl MachineState {
    /// A machine in its first state.
    pub fn new(program: &Program<'_>) -> Self {
        let mut state = Self {
            state: program.start,
            ticks_in_state: 0,
            memory: [0.0; MEMORY_MAX],
            signals: [0.0; SIGNALS_MAX],
            latched: 0,
            held_ticks: [0; CONDITIONS_MAX],
            holds: 0,
            waiting_events: 0,
            last: None,
            changes: 0,
        };
        for (slot, start) in state.memory.iter_mut().zip(program.memory) {
            *slot = *start;
        }
        state
    }

    /// Starts over: first state, memory as at the start, no condition holds, no event waits.
    pub fn reset(&mut self, program: &Program<'_>) {
        *self = Self::new(program);
    }

    /// Number of the present state.
    pub const fn state(&self) -> u8 {
        self.state
    }

    /// Ticks since the present state was entered.
    pub const fn ticks_in_state(&self) -> u32 {
        self.ticks_in_state
    }

    /// Memory.
    pub const fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Signals of the last tick.
    pub const fn signals(&self) -> &[f32; SIGNALS_MAX] {
        &self.signals
    }

    /// The change of state of the last tick, if there was one.
    pub const fn last_step(&self) -> Option<Step> {
        self.last
    }

    /// Changes of state so far.
    pub const fn changes(&self) -> u32 {
        self.changes
    }

    /// True when the condition counts.
    pub const fn holds(&self, condition: u8) -> bool {
        condition < 32 && self.holds & (1 << (condition & 31)) != 0
    }

    /// An event from outside; it counts at the next tick only.
    pub const fn fire(&mut self, event: u8) {
        if (event as usize) < EVENTS_MAX {
            self.waiting_events |= 1 << event;
        }
    }

    /// One tick. Commands that are not finite are written as 0.
    #[inline]
    pub fn step(&mut self, program: &Program<'_>, percept: &Percept, command: &mut Command) {
        let mut sensors = [0.0_f32; SENSORS_MAX];
        let mut valid = 0;
        let named = program.sensors.iter().zip(program.untrusted).take(SENSORS_MAX);
        for (i, (channel, untrusted)) in named.enumerate() {
            let value = percept.reading(usize::from(*channel)).value();
            sensors[i] = value.unwrap_or(*untrusted);
            valid |= u32::from(value.is_some()) << i;
        }
        for (i, formula) in program.signals.iter().enumerate().take(SIGNALS_MAX) {
            let ops = program.formula(*formula);
            self.signals[i] = evaluate(ops, &self.inputs(program, &sensors, valid));
        }
        self.assign(program, program.every_tick, (&sensors, valid));
        self.judge(program, (&sensors, valid));
        self.last = self.choose(program);
        self.waiting_events = 0;
        if let Some(step) = self.last {
            if let Cause::Transition(i) = step.cause
                && let Some(transition) = program.transitions.get(usize::from(i))
            {
                self.assign(program, transition.set, (&sensors, valid));
            }
            self.state = step.to;
            self.ticks_in_state = 0;
            self.changes = self.changes.saturating_add(1);
            if let Some(state) = program.states.get(usize::from(step.to)) {
                self.assign(program, state.entry, (&sensors, valid));
            }
        }
        if let Some(state) = program.states.get(usize::from(self.state)) {
            let inputs = self.inputs(program, &sensors, valid);
            for Assignment { target, formula } in state.drive.of(program.assignments) {
                let value = evaluate(program.formula(*formula), &inputs);
                command.write(usize::from(*target), if value.is_finite() { value } else { 0.0 });
            }
        }
        self.ticks_in_state = self.ticks_in_state.saturating_add(1);
    }

    #[inline]
    fn inputs<'i>(&'i self, program: &Program<'_>, sensors: &'i [f32], valid: u32) -> Inputs<'i> {
        Inputs {
            sensors,
            valid,
            signals: &self.signals,
            memory: &self.memory,
            seconds_in_state: self.ticks_in_state as f32 * program.step_s,
        }
    }

    fn assign(&mut self, program: &Program<'_>, span: Span, (sensors, valid): (&[f32], u32)) {
        for Assignment { target, formula } in span.of(program.assignments) {
            let value = evaluate(program.formula(*formula), &self.inputs(program, sensors, valid));
            if let Some(slot) = self.memory.get_mut(usize::from(*target)) {
                *slot = value;
            }
        }
    }

    #[inline]
    fn judge(&mut self, program: &Program<'_>, (sensors, valid): (&[f32], u32)) {
        let mut holds = 0;
        for (i, c) in program.conditions.iter().enumerate().take(CONDITIONS_MAX) {
            let x = evaluate(&[c.input], &self.inputs(program, sensors, valid));
            let was = self.latched & (1 << i) != 0;
            let (enters, leaves) = match c.side {
                Side::Below => (x < c.enter, x >= c.leave),
                Side::Above => (x > c.enter, x <= c.leave),
            };
            let is_now = enters || (was && !leaves);
            self.latched = self.latched & !(1 << i) | u32::from(is_now) << i;
            let held = &mut self.held_ticks[i];
            *held = if is_now { held.saturating_add(1) } else { 0 };
            holds |= u32::from(is_now && *held >= c.confirm_ticks) << i;
        }
        self.holds = holds;
    }

    #[inline]
    fn choose(&self, program: &Program<'_>) -> Option<Step> {
        let state = program.states.get(usize::from(self.state))?;
        let leaves = |t: &Transition| {
            let has_guard = self.holds & t.needs == t.needs && self.holds & t.forbids == 0;
            if t.event == NO_EVENT {
                has_guard && self.ticks_in_state >= state.minimum_ticks
            } else {
                has_guard && t.event < 32 && self.waiting_events & (1 << t.event) != 0
            }
        };
        let transitions = state.leave.of(program.transitions);
        if let Some(i) = transitions.iter().position(leaves) {
            let cause = Cause::Transition(state.leave.first + i as u16);
            return Some(Step { from: self.state, to: transitions[i].to, cause });
        }
        let is_over = state.limit_ticks > 0 && self.ticks_in_state >= state.limit_ticks;
        is_over.then_some(Step { from: self.state, to: state.limit_to, cause: Cause::Limit })
    }

    /// Shows state, time in it, the transition of this tick (its number, −1 for none, the number
    /// of transitions for a time limit), signals and memory.
    pub fn observe(&self, program: &Program<'_>, observer: &mut dyn Observer) {
        observer.value("state", None, f64::from(self.state));
        observer.value("ticks_in_state", None, f64::from(self.ticks_in_state));
        let cause = match self.last.map(|s| s.cause) {
            None => -1.0,
            Some(Cause::Transition(i)) => f64::from(i),
            Some(Cause::Limit) => program.transitions.len() as f64,
        };
        observer.value("transition", None, cause);
        for (name, value) in program.signal_names.iter().zip(&self.signals) {
            observer.value("signal", Some(name), f64::from(*value));
        }
        for (name, value) in program.memory_names.iter().zip(&self.memory) {
            observer.value("memory", Some(name), f64::from(*value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Condition, Formula, Op, State};
    use tropism_body::Reading;
    use tropism_core::{Purpose, Seed, Tick};

    const CRUISE: u8 = 0;
    const AVOID: u8 = 1;
    const HOLDING: [Assignment; 2] = [
        Assignment { target: 0, formula: Formula { first: 0, len: 1 } },
        Assignment { target: 0, formula: Formula { first: 1, len: 1 } },
    ];

    fn state(drive: u16, leave: Span) -> State {
        State { drive: Span { first: drive, len: 1 }, leave, ..State::default() }
    }

    /// Cruise and avoid over one range sensor.
    fn flips(leave: f32, confirm_ticks: u32, range: impl Fn(u64) -> f32, ticks: u64) -> u32 {
        let near = Condition {
            input: Op::Sensor(0),
            side: Side::Below,
            enter: 0.20,
            leave,
            confirm_ticks,
        };
        let way = |to, needs, forbids| Transition {
            to,
            needs,
            forbids,
            event: NO_EVENT,
            set: Span::default(),
        };
        let program = Program {
            sensors: &[0],
            untrusted: &[f32::INFINITY],
            ops: &[Op::Constant(0.5), Op::Constant(-0.2)],
            signals: &[],
            signal_names: &[],
            memory: &[],
            memory_names: &[],
            every_tick: Span::default(),
            conditions: &[near],
            assignments: &HOLDING,
            transitions: &[way(AVOID, 1, 0), way(CRUISE, 0, 1)],
            states: &[state(0, Span { first: 0, len: 1 }), state(1, Span { first: 1, len: 1 })],
            start: CRUISE,
            step_s: 0.01,
        };
        let mut machine = MachineState::new(&program);
        let mut percept = Percept::default();
        for t in 0..ticks {
            percept.tick = Tick(t);
            percept.readings.clear();
            let value = range(t);
            let reading = if value.is_finite() { Reading::Fresh(value) } else { Reading::NoEcho };
            let _ = percept.readings.push(reading);
            let mut command = Command::new();
            machine.step(&program, &percept, &mut command);
            let expected = if machine.state() == AVOID { -0.2 } else { 0.5 };
            assert_eq!(command.target(0), Some(expected));
        }
        machine.changes()
    }

    /// ±1 cm around 20 cm, or around another distance.
    fn noisy(around: f32) -> impl Fn(u64) -> f32 {
        let stream = Seed(11).stream(Purpose::named("hysteresis"), 0, 0);
        move |t| around + 0.01 * stream.at(Tick(t)).signed_uniform()
    }

    #[test]
    fn unit_fsm_01_one_threshold_flips_every_few_ticks_and_the_pair_never() {
        let ticks = 6_000;
        let single = flips(0.20, 0, noisy(0.20), ticks);
        assert!(single > 2_000, "a single threshold changed state {single} times in {ticks} ticks");
        // The pair enters once and stays; 30 cm is out of the noise's reach.
        assert_eq!(flips(0.30, 0, noisy(0.20), ticks), 1);
        // Around the leaving threshold it leaves once at most and does not come back.
        assert!(flips(0.30, 0, noisy(0.30), ticks) <= 1);
    }

    #[test]
    fn unit_us_08_a_burst_shorter_than_the_confirmation_triggers_nothing() {
        // 150 cm, with bursts of 1 to 3 samples at 2 to 5 cm.
        let burst = |t: u64| {
            let place = t % 97;
            if place < 1 + (t / 97) % 3 { 0.02 + 0.01 * place as f32 } else { 1.5 }
        };
        assert!(flips(0.30, 0, burst, 3_000) > 20, "without confirmation every burst counts");
        assert_eq!(flips(0.30, 4, burst, 3_000), 0);
        // Something that stays is seen, four ticks late.
        assert_eq!(flips(0.30, 4, |t| if t < 100 { 1.5 } else { 0.1 }, 103), 0);
        assert_eq!(flips(0.30, 4, |t| if t < 100 { 1.5 } else { 0.1 }, 104), 1);
    }

    #[test]
    fn unit_us_01_no_echo_is_far_away() {
        assert_eq!(flips(0.30, 0, |_| f32::INFINITY, 500), 0);
    }
}

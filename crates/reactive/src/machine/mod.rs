//! State machines as flat tables.
//!
//! Terms: a *signal* is a number worked out from the sensors at every tick; *memory* are numbers
//! that stay from tick to tick; a *condition* is true or false, with a pair of thresholds so that
//! small noise cannot flip it; a *guard* is a set of conditions that must hold, or not hold, for a
//! transition; an *event* comes from outside, such as a person at a button.
//!
//! What it does not do: it reads no file and checks no table for sense; whoever builds a
//! [`Program`] does. An index that points nowhere reads 0 and changes nothing.
//!
//! # Source
//! The order within a tick and the two safeguards (pair of thresholds, time limits) follow the
//! navigation lesson's line follower; the tables are our own.

mod formula;
mod program;
mod runner;

pub use formula::{Formula, Inputs, Op, STACK_MAX};
pub use program::{Assignment, Condition, NO_EVENT, Program, Side, Span, State, Transition};
pub use runner::{Cause, MachineState, Memory, Step};

/// Most states of a machine.
pub const STATES_MAX: usize = 32;
/// Most signals of a machine.
pub const SIGNALS_MAX: usize = 32;
/// Most numbers of memory.
pub const MEMORY_MAX: usize = 16;
/// Most conditions: guards are bit masks.
pub const CONDITIONS_MAX: usize = 32;
/// Most events: waiting ones are a bit mask.
pub const EVENTS_MAX: usize = 32;
/// Most transitions.
pub const TRANSITIONS_MAX: usize = 250;

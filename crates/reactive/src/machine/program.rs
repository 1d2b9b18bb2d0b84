//! The tables of a machine.
//!
//! What it does not do: no table owns anything; on a microcontroller they are constants in flash.

use crate::machine::formula::{Formula, Op};

/// No event.
pub const NO_EVENT: u8 = u8::MAX;

/// A piece of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First entry.
    pub first: u16,
    /// Number of entries.
    pub len: u16,
}

impl Span {
    /// The entries.
    #[inline]
    pub fn of<T>(self, table: &[T]) -> &[T] {
        let first = usize::from(self.first);
        table.get(first..first + usize::from(self.len)).unwrap_or(&[])
    }
}

/// On which side of its threshold a condition is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Below.
    Below,
    /// Above.
    Above,
}

/// Something that is true or false.
///
/// Model: becomes true when the input passes `enter` to the named side, stays true until it comes
/// back to `leave`, and counts once it has been true for `confirm_ticks` ticks in a row. An input
/// that is not a number changes nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    /// What it looks at.
    pub input: Op,
    /// The side on which it is true.
    pub side: Side,
    /// Threshold to become true.
    pub enter: f32,
    /// Threshold to become false again.
    pub leave: f32,
    /// Ticks in a row it must be true before it counts; 0 and 1 mean at once.
    pub confirm_ticks: u32,
}

/// A number that is set to a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Slot of memory, or actuator channel of the body.
    pub target: u8,
    /// Its new value.
    pub formula: Formula,
}

/// A state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Memory set on entry.
    pub entry: Span,
    /// Actuators driven at every tick.
    pub drive: Span,
    /// Transitions, tried in order.
    pub leave: Span,
    /// Ticks before which no condition can end it.
    pub minimum_ticks: u32,
    /// Ticks after which it ends; 0 never.
    pub limit_ticks: u32,
    /// State that follows then.
    pub limit_to: u8,
}

/// A way out of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The state that follows.
    pub to: u8,
    /// Conditions that must hold, as bits.
    pub needs: u32,
    /// Conditions that must not hold, as bits.
    pub forbids: u32,
    /// The event that fires it, or [`NO_EVENT`].
    pub event: u8,
    /// Memory set on the way.
    pub set: Span,
}

/// A whole machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Program<'p> {
    /// Sensor channels of the body that formulas read, by their number in formulas.
    pub sensors: &'p [u8],
    /// What stands for a sensor reading that cannot be trusted, one per sensor.
    pub untrusted: &'p [f32],
    /// Operations of all formulas.
    pub ops: &'p [Op],
    /// Signals, in the order they are worked out.
    pub signals: &'p [Formula],
    /// Names of the signals.
    pub signal_names: &'p [&'static str],
    /// Memory at the start.
    pub memory: &'p [f32],
    /// Names of memory.
    pub memory_names: &'p [&'static str],
    /// Memory set at every tick, before the conditions.
    pub every_tick: Span,
    /// Conditions.
    pub conditions: &'p [Condition],
    /// All assignments.
    pub assignments: &'p [Assignment],
    /// All transitions.
    pub transitions: &'p [Transition],
    /// States.
    pub states: &'p [State],
    /// The first state.
    pub start: u8,
    /// Seconds of a tick.
    pub step_s: f32,
}

impl Program<'_> {
    /// The operations of a formula.
    #[inline]
    pub fn formula(&self, formula: Formula) -> &[Op] {
        Span { first: formula.first, len: formula.len }.of(self.ops)
    }
}

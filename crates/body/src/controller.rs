//! The one trait all minds implement.

use crate::command::Command;
use crate::percept::Percept;

/// Receives named internal values of a mind.
pub trait Observer {
    /// One value. `channel` names the channel or part it belongs to; a recorder joins the two
    /// with an underscore.
    fn value(&mut self, name: &str, channel: Option<&str>, value: f64);
}

/// A mind: percepts in, commands out, once per tick.
///
/// # Determinism
/// `step` depends on the mind's state and the percept alone. It never fails, never allocates and
/// never reads a clock.
pub trait Controller {
    /// One tick. The command arrives empty.
    fn step(&mut self, percept: &Percept, command: &mut Command);

    /// Sensor channels whose readings can make a difference to this mind, as bits; all of them
    /// unless it says otherwise. Others may be left unmeasured where nobody looks at them.
    fn senses_used(&self) -> u16 {
        u16::MAX
    }

    /// Names of the behaviour modules that can be in control.
    fn modules(&self) -> &'static [&'static str];

    /// Index of the module that had most say in the last command.
    fn controlling_module(&self) -> usize;

    /// Shows the internal values of the last tick.
    fn observe(&self, observer: &mut dyn Observer);
}

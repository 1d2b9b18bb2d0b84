//! What every table can do.

use tropism_core::TimeStep;
use tropism_wire::session::{Command, Fault, Frame, Outcome, Part, Stage};

/// Something on the table that goes on tick by tick.
///
/// A clone ([`Table::twin`]) goes on exactly as the original would: seeking stands on that.
pub(crate) trait Table: core::fmt::Debug {
    /// Length of a tick.
    fn step(&self) -> TimeStep;

    /// One tick.
    fn tick(&mut self);

    /// Hash of the whole state.
    fn hash(&self) -> u64;

    /// Fills in name, about, kind and the field of that kind.
    fn describe(&self, stage: &mut Stage);

    /// Fills in the field of its kind, and what happened since the last call.
    fn show(&mut self, watch: &Watch, frame: &mut Frame);

    /// Carries out a command that changes what stands on the table.
    ///
    /// # Errors
    /// [`Fault`] says what is wrong and what would be right; then nothing has changed.
    fn apply(&mut self, command: &Command) -> Result<Applied, Fault>;

    /// The same table once more.
    fn twin(&self) -> Box<dyn Table>;

    /// A twin taken now goes on exactly as this one would. Where it does not, seeking goes back to
    /// tick 0 and does everything again.
    fn is_twin_exact(&self) -> bool {
        true
    }
}

/// What a command did.
#[derive(Clone, Debug)]
pub(crate) struct Applied {
    /// What is answered.
    pub(crate) outcome: Outcome,
    /// The stage must be sent anew.
    pub(crate) is_other_stage: bool,
}

impl Applied {
    /// Done, nothing to say.
    pub(crate) const PLAIN: Self = Self { outcome: Outcome::Plain, is_other_stage: false };
    /// Done, and the stage is another one.
    pub(crate) const EDITED: Self = Self { outcome: Outcome::Plain, is_other_stage: true };
}

/// Whose inside is shown.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    /// Which robot.
    pub(crate) robot: u32,
    /// Which parts.
    pub(crate) parts: Vec<Part>,
}

impl Watch {
    /// This part is asked for.
    pub(crate) fn has(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }
}

/// A fault without a place.
pub(crate) fn fault(what: impl Into<String>) -> Fault {
    Fault { what: what.into(), places: Vec::new() }
}

/// A fault for a command of another table.
pub(crate) fn not_here(command: &Command, table: &str) -> Fault {
    let text = format!("{command:?}");
    let name = text.split([' ', '{', '(']).next().unwrap_or_default();
    fault(format!("{table} cannot do this: {}", snake(name)))
}

/// `BatteryEmpty` as `battery_empty`.
pub(crate) fn snake(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(c.to_lowercase());
    }
    text
}

//! What was asked, with its tick.

use serde::{Deserialize, Serialize};
use tropism_wire::session::{Command, ResetWhat};

use crate::table::Table;

/// Most text a journal holds, bytes; a session of that length is loaded anew.
pub(crate) const BYTES_MAX: usize = 64 << 20;
/// Most commands a journal holds.
pub(crate) const COMMANDS_MAX: usize = 1_000_000;

/// A command that changed what stands on the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Asked {
    /// It was carried out after so many ticks.
    pub(crate) tick: u64,
    /// The command.
    pub(crate) command: Command,
}

/// The command changes what stands on the table; the others only look, steer or load.
pub(crate) const fn acts(command: &Command) -> bool {
    match command {
        Command::Reset { what, .. } => !matches!(what, ResetWhat::Whole),
        Command::Set { .. }
        | Command::Switch { .. }
        | Command::Drive { .. }
        | Command::Move { .. }
        | Command::Add { .. }
        | Command::Remove { .. }
        | Command::Power { .. }
        | Command::Assign { .. }
        | Command::HandOver { .. }
        | Command::Hazard { .. }
        | Command::Law { .. }
        | Command::Script { .. }
        | Command::Fire { .. }
        | Command::GiveLifeState { .. }
        | Command::Spec { .. }
        | Command::Mode { .. } => true,
        Command::List
        | Command::Load { .. }
        | Command::Play
        | Command::Pause
        | Command::Step { .. }
        | Command::Speed { .. }
        | Command::Seek { .. }
        | Command::Watch { .. }
        | Command::LifeState { .. }
        | Command::SaveWorld
        | Command::Record { .. }
        | Command::StopRecording
        | Command::Recording { .. } => false,
    }
}

/// Bytes of the texts in a command, roughly.
pub(crate) fn bytes(command: &Command) -> usize {
    64 + match command {
        Command::Script { file, .. } => file.text.len(),
        Command::GiveLifeState { document, .. } => document.len(),
        Command::Spec { text } => text.len(),
        Command::Add { .. } => 1_024,
        _ => 0,
    }
}

/// A table as it stood.
#[derive(Debug)]
pub(crate) struct Kept {
    /// After so many ticks, before anything asked at that tick.
    pub(crate) tick: u64,
    /// Commands done before it.
    pub(crate) done: usize,
    /// The table; a twin of it goes on.
    pub(crate) table: Box<dyn Table>,
}

/// Most tables kept besides the first.
const KEPT_MAX: usize = 24;
/// Ticks between two kept tables at first; doubled whenever there are too many.
const EVERY_TICKS: u64 = 128;

/// Tables kept for going back: the first, and a bounded number of later ones, evenly spread.
#[derive(Debug)]
pub(crate) struct Shelf {
    first: Kept,
    later: Vec<Kept>,
    every_ticks: u64,
}

impl Shelf {
    pub(crate) fn new(table: &dyn Table) -> Self {
        let first = Kept { tick: 0, done: 0, table: table.twin() };
        Self { first, later: Vec::new(), every_ticks: EVERY_TICKS }
    }

    /// Keeps the table, if one is due at this tick and not kept yet.
    pub(crate) fn offer(&mut self, tick: u64, done: usize, table: &dyn Table) {
        let is_new = self.later.last().is_none_or(|kept| kept.tick < tick);
        if tick == 0 || !tick.is_multiple_of(self.every_ticks) || !is_new {
            return;
        }
        if !table.is_twin_exact() {
            return;
        }
        self.later.push(Kept { tick, done, table: table.twin() });
        if self.later.len() > KEPT_MAX {
            self.every_ticks *= 2;
            let every_ticks = self.every_ticks;
            self.later.retain(|kept| kept.tick.is_multiple_of(every_ticks));
        }
    }

    /// The latest kept table that is not after this tick.
    pub(crate) fn before(&self, tick: u64) -> &Kept {
        self.later.iter().rev().find(|kept| kept.tick <= tick).unwrap_or(&self.first)
    }

    /// Forgets what came after this tick.
    pub(crate) fn cut(&mut self, tick: u64) {
        self.later.retain(|kept| kept.tick <= tick);
    }
}

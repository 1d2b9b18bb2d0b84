//! A table in time: going on, going back, and doing again what was asked.
//!
//! Terms: the *journal* is every command that acted, with its tick; the *horizon* is the latest
//! tick that was ever reached, or the end of a recording; before it the journal is done again tick
//! by tick; a *known hash* is that of the state at a tick, before anything asked there.
//!
//! A new command before the horizon cuts the future: what came after it is forgotten.
//!
//! What it does not do: it writes no file; lines for one are handed out.

use tropism_core::TimeStep;
use tropism_wire::session::{Command, Event, Fault, Outcome};

use crate::journal::{Asked, BYTES_MAX, COMMANDS_MAX, Shelf, acts, bytes};
use crate::recording::{Line, Tape, line};
use crate::table::{Applied, Table, fault};

/// Ticks between two known hashes.
pub(crate) const HASH_EVERY: u64 = 256;

/// A table in time.
#[derive(Debug)]
pub(crate) struct Timeline {
    table: Box<dyn Table>,
    tick: u64,
    journal: Vec<Asked>,
    /// Commands of the journal that are done.
    done: usize,
    /// Text of the journal, bytes.
    bytes: usize,
    horizon: u64,
    hashes: Vec<(u64, u64)>,
    shelf: Shelf,
    is_recording: bool,
    /// Counts what makes the stage another one.
    edits: u32,
    events: Vec<Event>,
    /// Lines for a file, when one is written.
    lines: Option<Lines>,
}

/// Lines for a file that is being written.
#[derive(Debug, Default)]
struct Lines {
    text: String,
    /// Commands written.
    asked: usize,
    /// Tick of the last hash written.
    hash_tick: u64,
}

impl Lines {
    fn push(&mut self, item: &Line) {
        self.text.push_str(&line(item));
    }

    fn hash(&mut self, tick: u64, hash: u64) {
        if tick > self.hash_tick {
            self.hash_tick = tick;
            self.push(&Line::Hash { tick, hash: format!("{hash:016x}") });
        }
    }

    fn asked(&mut self, journal: &[Asked]) {
        for Asked { tick, command } in journal.iter().skip(self.asked) {
            self.push(&Line::Asked { tick: *tick, command: command.clone() });
        }
        self.asked = self.asked.max(journal.len());
    }
}

impl Timeline {
    pub(crate) fn new(table: Box<dyn Table>) -> Self {
        Self {
            shelf: Shelf::new(&*table),
            table,
            tick: 0,
            journal: Vec::new(),
            done: 0,
            bytes: 0,
            horizon: 0,
            hashes: Vec::new(),
            is_recording: false,
            edits: 0,
            events: Vec::new(),
            lines: None,
        }
    }

    /// A recording, to be played.
    pub(crate) fn of_tape(table: Box<dyn Table>, tape: Tape) -> Self {
        let mut timeline = Self::new(table);
        timeline.bytes = tape.journal.iter().map(|asked| bytes(&asked.command)).sum();
        (timeline.journal, timeline.hashes) = (tape.journal, tape.hashes);
        (timeline.horizon, timeline.is_recording) = (tape.ticks, true);
        timeline.do_due();
        timeline
    }

    pub(crate) fn table(&self) -> &dyn Table {
        &*self.table
    }

    pub(crate) fn table_mut(&mut self) -> &mut dyn Table {
        &mut *self.table
    }

    pub(crate) fn step(&self) -> TimeStep {
        self.table.step()
    }

    pub(crate) const fn tick(&self) -> u64 {
        self.tick
    }

    pub(crate) const fn horizon(&self) -> u64 {
        self.horizon
    }

    pub(crate) const fn is_recording(&self) -> bool {
        self.is_recording
    }

    pub(crate) const fn edits(&self) -> u32 {
        self.edits
    }

    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        core::mem::take(&mut self.events)
    }

    fn note(&mut self, kind: &str, text: String) {
        let (tick, kind, text) = (self.tick, kind.into(), Some(text));
        if self.events.len() < 100 {
            self.events.push(Event { tick, kind, robot: None, index: None, text });
        }
    }

    /// One tick; false at the end of a recording, where nothing happens.
    pub(crate) fn go_on(&mut self) -> bool {
        if self.is_recording && self.tick >= self.horizon {
            return false;
        }
        self.table.tick();
        self.tick += 1;
        self.horizon = self.horizon.max(self.tick);
        if self.tick.is_multiple_of(HASH_EVERY) {
            self.check_hash();
        }
        self.shelf.offer(self.tick, self.done, &*self.table);
        self.do_due();
        true
    }

    fn check_hash(&mut self) {
        let (tick, hash) = (self.tick, self.table.hash());
        match self.hashes.binary_search_by_key(&tick, |(tick, _)| *tick) {
            Ok(i) if self.hashes[i].1 != hash => {
                let known = self.hashes[i].1;
                let what = format!("the state differs: {hash:016x}, recorded was {known:016x}");
                self.note("diverged", what);
            }
            Ok(_) => {}
            Err(i) => self.hashes.insert(i, (tick, hash)),
        }
        if let Some(lines) = &mut self.lines {
            lines.hash(tick, hash);
        }
    }

    /// Does again what was asked at this tick.
    fn do_due(&mut self) {
        while let Some(asked) = self.journal.get(self.done).filter(|asked| asked.tick <= self.tick)
        {
            match self.table.apply(&asked.command) {
                Ok(applied) => self.edits += u32::from(applied.is_other_stage),
                Err(refused) => {
                    let what = format!("a recorded command was refused: {}", refused.what);
                    self.note("diverged", what);
                }
            }
            self.done += 1;
        }
        if let Some(lines) = &mut self.lines {
            lines.asked(&self.journal[..self.done]);
        }
    }

    /// Carries out a command; one that acts is journalled and cuts the future.
    pub(crate) fn apply(&mut self, command: Command) -> Result<Outcome, Fault> {
        if !acts(&command) {
            return self.table.apply(&command).map(|applied| applied.outcome);
        }
        let size = bytes(&command);
        if self.bytes + size > BYTES_MAX || self.done >= COMMANDS_MAX {
            return Err(fault("the journal of this session is full; load anew to go on changing"));
        }
        let Applied { outcome, is_other_stage } = self.table.apply(&command)?;
        self.cut();
        self.bytes += size;
        self.edits += u32::from(is_other_stage);
        self.journal.push(Asked { tick: self.tick, command });
        self.done += 1;
        if let Some(lines) = &mut self.lines {
            lines.asked(&self.journal);
        }
        Ok(outcome)
    }

    /// Forgets what comes after now.
    fn cut(&mut self) {
        self.is_recording = false;
        if self.done == self.journal.len() && self.tick == self.horizon {
            return;
        }
        let forgotten = &self.journal[self.done..];
        self.bytes -= forgotten.iter().map(|asked| bytes(&asked.command)).sum::<usize>();
        self.journal.truncate(self.done);
        self.horizon = self.tick;
        let tick = self.tick;
        self.hashes.retain(|(at, _)| *at <= tick);
        self.shelf.cut(tick);
        if let Some(lines) = &mut self.lines {
            lines.push(&Line::Cut { tick, commands: self.done as u64 });
            (lines.asked, lines.hash_tick) = (self.done, lines.hash_tick.min(tick));
        }
    }

    /// Goes to a tick between 0 and the horizon.
    pub(crate) fn seek(&mut self, tick: u64) -> Result<(), Fault> {
        if tick > self.horizon {
            let horizon = self.horizon;
            return Err(fault(format!("tick {tick} lies ahead; there is 0 to {horizon}")));
        }
        let kept = self.shelf.before(tick);
        if self.tick > tick || kept.tick > self.tick {
            (self.tick, self.done) = (kept.tick, kept.done);
            self.table = kept.table.twin();
            // Without an edit since the load, the stage is the same at every tick.
            self.edits += u32::from(self.edits > 0);
            self.do_due();
        }
        while self.tick < tick && self.go_on() {}
        Ok(())
    }

    /// Back to the beginning; nothing of what was asked is kept.
    pub(crate) fn restart(&mut self) {
        let table = self.shelf.before(0).table.twin();
        let edits = self.edits + 1;
        *self = Self { edits, ..Self::new(table) };
    }

    /// Begins lines for a file, with everything up to now.
    pub(crate) fn begin_lines(&mut self, head: &Line) {
        let mut lines = Lines::default();
        lines.push(head);
        let mut from = 0;
        let known = self.hashes.iter().filter(|(tick, _)| *tick <= self.tick);
        for (tick, hash) in known {
            let until = from + self.journal[from..self.done].partition_point(|a| a.tick < *tick);
            lines.asked(&self.journal[..until]);
            lines.hash(*tick, *hash);
            from = until;
        }
        lines.asked(&self.journal[..self.done]);
        self.lines = Some(lines);
    }

    /// Takes the lines written since the last call.
    pub(crate) fn take_lines(&mut self) -> Option<String> {
        let lines = self.lines.as_mut()?;
        (!lines.text.is_empty()).then(|| core::mem::take(&mut lines.text))
    }

    /// Ends the lines; gives what is left of them.
    pub(crate) fn end_lines(&mut self) -> Option<String> {
        let mut lines = self.lines.take()?;
        lines.push(&Line::End { tick: self.tick });
        Some(lines.text)
    }
}

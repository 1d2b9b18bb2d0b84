//! From rows at any time to percepts at every tick.
//!
//! Terms: a *late* row is stamped before its predecessor by no more than the file's kind explains;
//! a *reset* is a row stamped further back, where a recording starts over. The first row is tick 0.
//!
//! Time never runs backwards: a late row counts as recorded one tick after its predecessor, a
//! reset row likewise if resets are allowed and is an error otherwise.
//!
//! Sensors are held or interpolated linearly between two rows that both hold a value; an
//! interpolated reading is fresh, a held one has an age and turns stale after the channel's own
//! time. Actuator values are always held: they are commands. An actuator that was not recorded
//! keeps its last value, before the first its value at rest.
//!
//! What it does not do: no smoothing, no extrapolation beyond the last row.

use std::path::PathBuf;

use tropism_body::{ActuatorState, BodySpec, MAX_ACTUATORS, MAX_SENSORS, Percept, Reading};
use tropism_core::{Tick, TimeStep, math};

use super::binding::Binding;
use super::error::FeedError;
use super::row::{Cell, Row, RowSource};

/// How sensor values come about between two rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// The last recorded value.
    Held,
    /// A straight line from row to row.
    #[default]
    Linear,
}

/// What an empty cell means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyCell {
    /// The channel had no reading.
    #[default]
    Missing,
    /// The channel was not sampled in this row and its last value ages on; for recordings that
    /// merge topics of different rates.
    NotSampled,
}

/// What a row stamped before its predecessor is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backwards {
    /// An error.
    #[default]
    Refused,
    /// A reset: time goes on, the mind begins another life.
    Reset,
}

/// Rules of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeRules {
    /// Between rows.
    pub interpolation: Interpolation,
    /// Meaning of empty cells.
    pub empty: EmptyCell,
    /// Rows that go back.
    pub backwards: Backwards,
    /// Largest step back of a late row, s; `None` for what the kind of file makes by itself.
    pub late_s_max: Option<f64>,
    /// Longest time between two rows, s; longer is an error, because it is usually a broken clock.
    pub gap_s_max: f64,
    /// Seconds left out at the start of the recording.
    pub from_s: f64,
}

impl Default for TimeRules {
    fn default() -> Self {
        Self {
            interpolation: Interpolation::default(),
            empty: EmptyCell::default(),
            backwards: Backwards::default(),
            late_s_max: None,
            gap_s_max: 3600.0,
            from_s: 0.0,
        }
    }
}

/// Things that happened to time and values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeTally {
    /// Late rows.
    pub late: u64,
    /// Line of the first late row.
    pub first_late_line: Option<u64>,
    /// Resets.
    pub reset_count: u64,
    /// Line and tick of the first 100 resets.
    pub resets: Vec<(u64, u64)>,
    /// Values outside their channel's range that were cut to it.
    pub clamped: u64,
    /// Longest time between two rows, s.
    pub gap_s_longest: f64,
}

#[derive(Clone, Debug)]
struct Timed {
    /// Time on the tick axis, never decreasing.
    at: f64,
    is_reset: bool,
    row: Row,
}

#[derive(Clone, Copy, Debug, Default)]
struct Latch {
    /// `None` for a channel that is missing.
    cell: Option<Cell>,
    tick: u64,
}

/// What a mind receives at one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Readings and actuator values.
    pub percept: Percept,
    /// The recording started over at this tick.
    pub is_reset: bool,
    /// A row began here: the interval between two rows changed.
    pub is_new_row: bool,
}

/// Percepts of a recording, tick by tick.
#[derive(Debug)]
pub struct Timeline<'a> {
    path: PathBuf,
    source: &'a mut dyn RowSource,
    body: BodySpec,
    binding: &'a Binding,
    rules: TimeRules,
    tick_s: f64,
    late_ticks_max: f64,
    valid_ticks: [u64; MAX_SENSORS],
    /// Shift from the file's time to the tick axis.
    shift: f64,
    tick: u64,
    latches: [Latch; MAX_SENSORS],
    actuators: [f32; MAX_ACTUATORS],
    present: Option<Timed>,
    next: Option<Timed>,
    tally: TimeTally,
}

impl<'a> Timeline<'a> {
    /// A timeline at its start.
    pub fn new(
        path: PathBuf,
        source: &'a mut dyn RowSource,
        (body, binding): (&BodySpec, &'a Binding),
        step: TimeStep,
        rules: TimeRules,
    ) -> Self {
        let tick_s = f64::from(step.numerator()) / f64::from(step.denominator());
        let mut valid_ticks = [u64::MAX; MAX_SENSORS];
        for (valid, spec) in valid_ticks.iter_mut().zip(body.sensors.iter()) {
            if spec.valid_for_s > 0.0 {
                *valid = step.ticks_in(f64::from(spec.valid_for_s));
            }
        }
        let mut actuators = [0.0; MAX_ACTUATORS];
        for (value, spec) in actuators.iter_mut().zip(body.actuators.iter()) {
            *value = math::clamp(0.0, spec.min, spec.max);
        }
        let late_s = rules.late_s_max.unwrap_or(source.late_s_usual());
        Self {
            path,
            source,
            body: *body,
            binding,
            rules,
            tick_s,
            late_ticks_max: late_s / tick_s,
            valid_ticks,
            shift: 0.0,
            tick: 0,
            latches: [Latch::default(); MAX_SENSORS],
            actuators,
            present: None,
            next: None,
            tally: TimeTally::default(),
        }
    }

    /// What was counted so far.
    pub const fn tally(&self) -> &TimeTally {
        &self.tally
    }

    /// The source, for its counts.
    pub fn source(&self) -> &dyn RowSource {
        self.source
    }

    /// A sensor's values in the row before and the row after the last tick.
    pub fn ends(&self, sensor: usize) -> Option<(f32, f32)> {
        let column = (*self.binding.sensors.get(sensor)?)?;
        let value = |row: &Option<Timed>| row.as_ref()?.row.cells.get(column)?.value();
        Some((value(&self.present)?, value(&self.next)?))
    }

    /// What the mind receives at the next tick; `None` after the last row.
    ///
    /// # Errors
    /// [`FeedError`] of the source; a row that goes back further than allowed; a gap that is too
    /// long.
    pub fn next_moment(&mut self) -> Result<Option<Moment>, FeedError> {
        let (mut is_reset, mut is_new_row) = (false, false);
        if self.present.is_none() && self.next.is_none() {
            self.next = self.pull(None)?;
        }
        let now = self.tick as f64 + 1e-6;
        while let Some(due) = self.next.take_if(|next| next.at <= now) {
            is_reset |= due.is_reset;
            is_new_row = true;
            self.latch(&due);
            self.next = self.pull(Some(&due))?;
            self.present = Some(due);
        }
        let Some(present) = &self.present else {
            return Ok(None);
        };
        if self.next.is_none() && !is_new_row {
            return Ok(None);
        }
        let percept = self.percept(present);
        self.tick += 1;
        Ok(Some(Moment { percept, is_reset, is_new_row }))
    }

    fn pull(&mut self, before: Option<&Timed>) -> Result<Option<Timed>, FeedError> {
        let Some(mut row) = self.source.next_row()? else {
            return Ok(None);
        };
        let Some(before) = before else {
            let from = row.ticks + self.rules.from_s / self.tick_s - 1e-6;
            while row.ticks < from {
                let Some(next) = self.source.next_row()? else { return Ok(None) };
                row = next;
            }
            self.shift = -row.ticks;
            return Ok(Some(Timed { at: 0.0, is_reset: false, row }));
        };
        let at = row.ticks + self.shift;
        let back = before.at - at;
        if back > 0.0 {
            return self.back(before, row, back).map(Some);
        }
        let gap_s = -back * self.tick_s;
        self.tally.gap_s_longest = self.tally.gap_s_longest.max(gap_s);
        if gap_s > self.rules.gap_s_max {
            let problem = format!("time leaps by {gap_s:.3} s");
            let remedy = format!("at most {} s lie between two rows", self.rules.gap_s_max);
            return Err(self.wrong(row.line, problem, remedy));
        }
        Ok(Some(Timed { at, is_reset: false, row }))
    }

    fn back(&mut self, before: &Timed, row: Row, back: f64) -> Result<Timed, FeedError> {
        let is_late = back <= self.late_ticks_max + 1e-6;
        if !is_late && self.rules.backwards == Backwards::Refused {
            let problem = format!("time runs back by {:.3} s", back * self.tick_s);
            let remedy = "rows are in order of time; a recording that starts over needs resets";
            return Err(self.wrong(row.line, problem, remedy.into()));
        }
        let at = math::f64::floor(before.at) + 1.0;
        if is_late {
            self.tally.late += 1;
            self.tally.first_late_line.get_or_insert(row.line);
        } else {
            self.shift = at - row.ticks;
            self.tally.reset_count += 1;
            if self.tally.resets.len() < 100 {
                self.tally.resets.push((row.line, at as u64));
            }
        }
        Ok(Timed { at, is_reset: !is_late, row })
    }

    fn wrong(&self, line: u64, problem: String, remedy: String) -> FeedError {
        FeedError::Line { path: self.path.clone(), line, column: None, problem, remedy }
    }

    fn latch(&mut self, due: &Timed) {
        for (i, column) in self.binding.sensors.iter().enumerate() {
            let Some(column) = column else { continue };
            let spec = &self.body.sensors[i];
            let mut cell = due.row.cells.get(*column).copied().unwrap_or(Cell::Missing);
            if cell == Cell::Missing && self.rules.empty == EmptyCell::NotSampled {
                continue;
            }
            if let Cell::Value(value) = &mut cell {
                let inside = math::clamp(*value, spec.min, spec.max);
                self.tally.clamped += u64::from(inside != *value);
                *value = inside;
            }
            self.latches[i] = Latch { cell: Some(cell), tick: self.tick };
        }
        for (j, column) in self.binding.actuators.iter().enumerate() {
            let cell = column.and_then(|column| due.row.cells.get(column));
            if let Some(value) = cell.and_then(|cell| cell.value()) {
                let spec = &self.body.actuators[j];
                let inside = math::clamp(value, spec.min, spec.max);
                self.tally.clamped += u64::from(inside != value);
                self.actuators[j] = inside;
            }
        }
    }

    fn percept(&self, present: &Timed) -> Percept {
        let mut percept = Percept { tick: Tick(self.tick), ..Percept::default() };
        for i in 0..self.body.sensors.len() {
            let _ = percept.readings.push(self.reading(i, present));
        }
        for value in &self.actuators[..self.body.actuators.len()] {
            let state = ActuatorState { value: *value, ..ActuatorState::default() };
            let _ = percept.actuators.push(state);
        }
        percept
    }

    fn reading(&self, sensor: usize, present: &Timed) -> Reading {
        let latch = self.latches[sensor];
        let age = self.tick - latch.tick;
        let value = match latch.cell {
            None | Some(Cell::Missing) => return Reading::Missing,
            Some(Cell::NotFinite) => return Reading::NotFinite,
            Some(Cell::NoEcho) => return Reading::NoEcho,
            Some(Cell::Value(value)) => value,
        };
        if self.rules.interpolation == Interpolation::Linear
            && let Some(between) = self.between(sensor, present)
        {
            return Reading::Fresh(between);
        }
        let age_ticks = age.min(u64::from(u32::MAX)) as u32;
        if age == 0 {
            Reading::Fresh(value)
        } else if age <= self.valid_ticks[sensor] {
            Reading::Held { value, age_ticks }
        } else {
            Reading::Stale { value, age_ticks }
        }
    }

    /// The value on the line from the present row to the next, if both hold one.
    fn between(&self, sensor: usize, present: &Timed) -> Option<f32> {
        let next = self.next.as_ref().filter(|next| !next.is_reset && next.at > present.at)?;
        let (from, to) = self.ends(sensor)?;
        let weight = (self.tick as f64 - present.at) / (next.at - present.at);
        let value = f64::from(from) + weight * (f64::from(to) - f64::from(from));
        let spec = &self.body.sensors[sensor];
        Some(math::clamp(value as f32, spec.min, spec.max))
    }
}

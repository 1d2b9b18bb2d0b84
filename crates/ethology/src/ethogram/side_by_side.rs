//! What controlled a robot beside what an observer saw.

use core::fmt;

use tropism_core::{Tick, TimeStep};

use super::record::{Bout, Ethogram};
use crate::table::{Column, Kind, Table, TableError};

/// A stretch in which neither record changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// First tick.
    pub start: Tick,
    /// Number of ticks.
    pub ticks: u64,
    /// State of the first record; `None` in a gap.
    pub first: Option<u8>,
    /// State of the second record; `None` in a gap.
    pub second: Option<u8>,
}

/// Two records over the same time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideBySide {
    /// Stretches by time, without holes, from tick 0 to the longer record's end.
    pub segments: Vec<Segment>,
    /// Ticks per (state of the first, state of the second), row by row.
    pub joint_ticks: Vec<u64>,
    /// Number of states of the second record: the length of a row.
    pub columns: usize,
}

/// Why two records cannot be laid side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SideBySideError {
    /// The records count different ticks.
    Steps {
        /// Step of the first record.
        first: TimeStep,
        /// Step of the second record.
        second: TimeStep,
    },
}

impl fmt::Display for SideBySideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Steps { first: a, second: b } = self;
        write!(
            f,
            "one record has ticks of {}/{} s, the other of {}/{} s",
            a.numerator(),
            a.denominator(),
            b.numerator(),
            b.denominator()
        )
    }
}

impl core::error::Error for SideBySideError {}

/// Lays two records, such as the controlling module and the observed behaviour, side by side.
///
/// # Errors
/// [`SideBySideError::Steps`] when their time steps differ.
pub fn side_by_side(first: &Ethogram, second: &Ethogram) -> Result<SideBySide, SideBySideError> {
    if first.step() != second.step() {
        return Err(SideBySideError::Steps { first: first.step(), second: second.step() });
    }
    let columns = second.catalogue().behaviours().len();
    let mut joint_ticks = vec![0; first.catalogue().behaviours().len() * columns];
    let mut segments = Vec::new();
    let end = first.end().0.max(second.end().0);
    let (mut a, mut b) = (Cursor::new(first.bouts(), end), Cursor::new(second.bouts(), end));
    let mut now = 0;
    while now < end {
        let ((state_a, until_a), (state_b, until_b)) = (a.at(now), b.at(now));
        let ticks = until_a.min(until_b) - now;
        segments.push(Segment { start: Tick(now), ticks, first: state_a, second: state_b });
        if let (Some(row), Some(column)) = (state_a, state_b) {
            joint_ticks[usize::from(row) * columns + usize::from(column)] += ticks;
        }
        now += ticks;
    }
    Ok(SideBySide { segments, joint_ticks, columns })
}

impl SideBySide {
    /// Ticks in which the first record shows `row` and the second `column`.
    pub fn joint(&self, row: u8, column: u8) -> u64 {
        let cell = usize::from(row) * self.columns + usize::from(column);
        if usize::from(column) < self.columns {
            self.joint_ticks.get(cell).copied().unwrap_or(0)
        } else {
            0
        }
    }
}

impl SideBySide {
    /// The segments as a table: start, duration, then the state of each record by its name under
    /// the title of its catalogue; a gap is an empty text.
    ///
    /// # Errors
    /// [`TableError::Duplicate`] when both catalogues have the same title.
    pub fn table(&self, first: &Ethogram, second: &Ethogram) -> Result<Table, TableError> {
        let mut table = Table::new(vec![
            Column::new("start_s", Kind::F64),
            Column::new("duration_s", Kind::F64),
            Column::new(first.catalogue().title(), Kind::Text),
            Column::new(second.catalogue().title(), Kind::Text),
        ])?;
        let name = |record: &Ethogram, state: Option<u8>| {
            state.map_or_else(String::new, |state| record.catalogue().name(state).to_owned())
        };
        for segment in &self.segments {
            let start_s = first.step().seconds_at(segment.start);
            let duration_s = first.step().seconds_at(Tick(segment.ticks));
            let states = [name(first, segment.first), name(second, segment.second)];
            let [one, two] = states;
            table.push(&[start_s.into(), duration_s.into(), one.into(), two.into()])?;
        }
        Ok(table)
    }
}

struct Cursor<'a> {
    bouts: &'a [Bout],
    next: usize,
    end: u64,
}

impl<'a> Cursor<'a> {
    fn new(bouts: &'a [Bout], end: u64) -> Self {
        Self { bouts, next: 0, end }
    }

    /// State at a tick and the tick at which it may change; ticks must not fall.
    fn at(&mut self, tick: u64) -> (Option<u8>, u64) {
        while self.bouts.get(self.next).is_some_and(|bout| bout.end().0 <= tick) {
            self.next += 1;
        }
        match self.bouts.get(self.next) {
            Some(bout) if bout.start.0 <= tick => (Some(bout.state), bout.end().0),
            Some(bout) => (None, bout.start.0),
            None => (None, self.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CAPACITY, Catalogue, Recorder};
    use super::*;

    fn record(step: TimeStep, runs: &[(u8, u64)]) -> Ethogram {
        let catalogue = Catalogue::of_states("t", &["a", "b", "c"]).unwrap();
        let mut recorder = Recorder::new("r", step, catalogue, CAPACITY);
        for (state, ticks) in runs {
            recorder.observe_for(*state, *ticks);
        }
        recorder.finish()
    }

    #[test]
    fn unit_segments_change_where_either_record_changes() {
        let step = TimeStep::TWENTIETH;
        let module = record(step, &[(0, 4), (9, 2), (1, 4)]);
        let seen = record(step, &[(2, 5), (1, 3)]);
        let both = side_by_side(&module, &seen).unwrap();
        let rows: Vec<_> =
            both.segments.iter().map(|s| (s.start.0, s.ticks, s.first, s.second)).collect();
        assert_eq!(
            rows,
            [
                (0, 4, Some(0), Some(2)),
                (4, 1, None, Some(2)),
                (5, 1, None, Some(1)),
                (6, 2, Some(1), Some(1)),
                (8, 2, Some(1), None),
            ]
        );
        assert_eq!((both.joint(0, 2), both.joint(1, 1), both.joint(1, 2)), (4, 2, 0));
        assert_eq!((both.joint(0, 9), both.joint(9, 0)), (0, 0));
    }

    #[test]
    fn golden_side_by_side_table() {
        let titled = |title: &str, runs: &[(u8, u64)]| {
            let catalogue = Catalogue::of_states(title, &["rest", "dock"]).unwrap();
            let mut recorder = Recorder::new("r", TimeStep::TWENTIETH, catalogue, CAPACITY);
            for (state, ticks) in runs {
                recorder.observe_for(*state, *ticks);
            }
            recorder.finish()
        };
        let (module, seen) =
            (titled("module", &[(1, 30)]), titled("observed", &[(0, 10), (1, 10)]));
        let table = side_by_side(&module, &seen).unwrap().table(&module, &seen).unwrap();
        expect_test::expect![[r"
            start_s,duration_s,module,observed
            0.0,0.5,dock,rest
            0.5,0.5,dock,dock
            1.0,0.5,dock,
        "]]
        .assert_eq(&table.to_csv());
        assert!(side_by_side(&seen, &seen).unwrap().table(&seen, &seen).is_err());
    }

    #[test]
    fn unit_records_of_other_ticks_are_refused() {
        let slow = record(TimeStep::TWENTIETH, &[(0, 1)]);
        let fast = record(TimeStep::new(1, 120).unwrap(), &[(0, 1)]);
        let error = side_by_side(&slow, &fast).unwrap_err();
        assert_eq!(error.to_string(), "one record has ticks of 1/20 s, the other of 1/120 s");
    }
}

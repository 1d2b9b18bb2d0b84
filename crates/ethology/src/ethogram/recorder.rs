//! Building a record tick by tick.

use tropism_core::{Tick, TimeStep};

use super::catalogue::{BehaviourKind, Catalogue};
use super::durations::DurationCounts;
use super::record::{Bout, Ethogram, PointEvent};

/// Usual number of bouts, and of point events, kept one by one.
pub const CAPACITY: usize = 100_000;

/// Builds an [`Ethogram`] from one state per tick.
///
/// Memory: totals, transitions and duration counts grow with the number of states and the square
/// root of the record's length; bouts and point events are listed up to a capacity, and counted
/// beyond it.
///
/// # Example
/// ```
/// use tropism_core::TimeStep;
/// use tropism_ethology::ethogram::{CAPACITY, Catalogue, Recorder};
/// let catalogue = Catalogue::of_states("observed behaviour", &["rest", "wander"])?;
/// let mut recorder = Recorder::new("robot 1", TimeStep::TWENTIETH, catalogue, CAPACITY);
/// recorder.observe_for(0, 30);
/// recorder.observe(1);
/// let record = recorder.finish();
/// assert_eq!(record.bouts().len(), 2);
/// # Ok::<(), tropism_ethology::ethogram::CatalogueError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    record: Ethogram,
    capacity: usize,
    current: Option<(u8, u64)>,
    previous: Option<u8>,
}

impl Recorder {
    /// An empty record that lists at most `capacity` bouts and as many point events.
    pub fn new(subject: &str, step: TimeStep, catalogue: Catalogue, capacity: usize) -> Self {
        let record = Ethogram::empty(subject, step, catalogue);
        Self { record, capacity, current: None, previous: None }
    }

    /// One tick in this state; a code that is no state of the catalogue counts as a gap.
    pub fn observe(&mut self, state: u8) {
        self.observe_for(state, 1);
    }

    /// `ticks` ticks in this state.
    pub fn observe_for(&mut self, state: u8, ticks: u64) {
        if ticks == 0 {
            return;
        }
        if !self.record.catalogue().is(state, BehaviourKind::State) {
            return self.gap(ticks);
        }
        match &mut self.current {
            Some((same, length)) if *same == state => *length += ticks,
            _ => {
                self.close(true);
                self.current = Some((state, ticks));
                if let Some(previous) = self.previous {
                    self.record.transitions.count(previous, state);
                }
            }
        }
        self.record.ticks += ticks;
    }

    /// `ticks` ticks without observation: the running bout is cut and no transition is counted.
    pub fn gap(&mut self, ticks: u64) {
        if ticks == 0 {
            return;
        }
        self.close(false);
        self.previous = None;
        self.record.ticks += ticks;
        self.record.gap_ticks += ticks;
    }

    /// A point behaviour at the coming tick; other codes are ignored.
    pub fn point(&mut self, code: u8) {
        if !self.record.catalogue().is(code, BehaviourKind::Point) {
            return;
        }
        self.record.point_counts[usize::from(code)] += 1;
        if self.record.points.len() < self.capacity {
            self.record.points.push(PointEvent { code, at: Tick(self.record.ticks) });
        }
    }

    /// Ticks recorded so far, gaps included.
    pub fn now(&self) -> Tick {
        Tick(self.record.ticks)
    }

    /// Ends the record; the running bout is cut.
    pub fn finish(mut self) -> Ethogram {
        self.close(false);
        self.record
    }

    fn close(&mut self, complete: bool) {
        let Some((state, ticks)) = self.current.take() else {
            return;
        };
        self.previous = Some(state);
        let total = &mut self.record.totals[usize::from(state)];
        total.ticks += ticks;
        total.bouts += 1;
        if complete {
            total.complete.add(ticks);
        }
        if self.record.bouts.len() < self.capacity {
            let start = Tick(self.record.ticks - ticks);
            self.record.bouts.push(Bout { state, start, ticks, complete });
        } else {
            self.record.bouts_not_kept += 1;
        }
    }
}

/// Totals of one state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StateTotal {
    pub(super) ticks: u64,
    pub(super) bouts: u64,
    pub(super) complete: DurationCounts,
}

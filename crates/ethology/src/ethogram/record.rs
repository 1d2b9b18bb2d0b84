//! A finished record and its plain statistics.

use serde::Serialize;
use tropism_core::{Tick, TimeStep};

use super::catalogue::{BehaviourKind, Catalogue};
use super::durations::DurationCounts;
use super::recorder::StateTotal;
use super::transitions::{Diagonal, Transitions};
use crate::statistics::shannon_bits;
use crate::warning::Warning;

/// One uninterrupted stretch of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bout {
    /// Code of the state.
    pub state: u8,
    /// First tick.
    pub start: Tick,
    /// Number of ticks.
    pub ticks: u64,
    /// Whether another state ended it; otherwise the record or a gap cut it.
    pub complete: bool,
}

impl Bout {
    /// The tick after the last one.
    pub const fn end(&self) -> Tick {
        Tick(self.start.0 + self.ticks)
    }
}

/// Something that happened at one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointEvent {
    /// Code of the point behaviour.
    pub code: u8,
    /// When.
    pub at: Tick,
}

/// Time spent in one state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BudgetRow {
    /// Code of the state.
    pub state: u8,
    /// Its name.
    pub name: String,
    /// Number of bouts.
    pub bouts: u64,
    /// Ticks spent in it.
    pub ticks: u64,
    /// Seconds spent in it.
    pub seconds: f64,
    /// Share of the observed time in [0, 1]; 0 when nothing was observed.
    pub share: f64,
}

/// Which behaviour one subject showed when.
#[derive(Clone, Debug, PartialEq)]
pub struct Ethogram {
    subject: String,
    step: TimeStep,
    catalogue: Catalogue,
    pub(super) ticks: u64,
    pub(super) gap_ticks: u64,
    pub(super) totals: Vec<StateTotal>,
    pub(super) bouts: Vec<Bout>,
    pub(super) bouts_not_kept: u64,
    pub(super) points: Vec<PointEvent>,
    pub(super) point_counts: Vec<u64>,
    pub(super) transitions: Transitions,
}

impl Ethogram {
    pub(super) fn empty(subject: &str, step: TimeStep, catalogue: Catalogue) -> Self {
        let names: Vec<String> = catalogue.behaviours().iter().map(|b| b.name.clone()).collect();
        let count = names.len();
        Self {
            subject: subject.into(),
            step,
            catalogue,
            ticks: 0,
            gap_ticks: 0,
            totals: vec![StateTotal::default(); count],
            bouts: Vec::new(),
            bouts_not_kept: 0,
            points: Vec::new(),
            point_counts: vec![0; count],
            transitions: Transitions::empty(names, Diagonal::Structural),
        }
    }

    /// Whose behaviour it is.
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Seconds per tick.
    pub fn step(&self) -> TimeStep {
        self.step
    }

    /// The behaviours told apart.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Length of the record, gaps included.
    pub fn end(&self) -> Tick {
        Tick(self.ticks)
    }

    /// Ticks in which some state was observed.
    pub fn observed_ticks(&self) -> u64 {
        self.ticks - self.gap_ticks
    }

    /// Bouts in the order of their start, up to the recorder's capacity.
    pub fn bouts(&self) -> &[Bout] {
        &self.bouts
    }

    /// Point events in the order of time, up to the recorder's capacity.
    pub fn points(&self) -> &[PointEvent] {
        &self.points
    }

    /// How often a point behaviour happened, listed or not.
    pub fn point_count(&self, code: u8) -> u64 {
        self.point_counts.get(usize::from(code)).copied().unwrap_or(0)
    }

    /// Doubts about the lists; the totals are always exact.
    pub fn warnings(&self) -> Vec<Warning> {
        let count = self.bouts_not_kept;
        if count > 0 { vec![Warning::BoutsNotKept { count }] } else { Vec::new() }
    }

    /// Time per state, by code.
    pub fn time_budget(&self) -> Vec<BudgetRow> {
        let observed = self.observed_ticks().max(1) as f64;
        self.catalogue
            .of_kind(BehaviourKind::State)
            .map(|(state, behaviour)| {
                let total = &self.totals[usize::from(state)];
                BudgetRow {
                    state,
                    name: behaviour.name.clone(),
                    bouts: total.bouts,
                    ticks: total.ticks,
                    seconds: self.step.seconds_at(Tick(total.ticks)),
                    share: total.ticks as f64 / observed,
                }
            })
            .collect()
    }

    /// Lengths of the complete bouts of a state; `None` for a code outside the catalogue.
    pub fn bout_lengths(&self, state: u8) -> Option<&DurationCounts> {
        self.totals.get(usize::from(state)).map(|total| &total.complete)
    }

    /// Transitions between bouts; a bout never follows one of the same state.
    pub fn transitions(&self) -> &Transitions {
        &self.transitions
    }

    /// Shannon entropy of the time budget, in bits.
    pub fn behaviour_entropy_bits(&self) -> f64 {
        shannon_bits(&self.totals.iter().map(|total| total.ticks).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Recorder;
    use super::super::catalogue::Behaviour;
    use super::*;

    fn recorder(capacity: usize) -> Recorder {
        let list = vec![
            Behaviour::state("rest", ""),
            Behaviour::state("wander", ""),
            Behaviour::state("dock", ""),
            Behaviour::point("bump", ""),
        ];
        let catalogue = Catalogue::new("observed behaviour", list).unwrap();
        Recorder::new("robot 1", TimeStep::TWENTIETH, catalogue, capacity)
    }

    #[test]
    fn unit_a_short_record_by_hand() {
        let mut r = recorder(10);
        for state in [0, 0, 1, 1, 1, 0, 2, 2] {
            r.observe(state);
        }
        r.point(3);
        r.point(1);
        let e = r.finish();
        let starts: Vec<_> =
            e.bouts().iter().map(|b| (b.state, b.start.0, b.end().0, b.complete)).collect();
        assert_eq!(starts, [(0, 0, 2, true), (1, 2, 5, true), (0, 5, 6, true), (2, 6, 8, false)]);
        let shares: Vec<f64> = e.time_budget().iter().map(|row| row.share).collect();
        assert_eq!(shares, [0.375, 0.375, 0.25]);
        assert_eq!(e.transitions().between(0, 1), 1);
        assert_eq!(e.bout_lengths(2).unwrap().bouts(), 0, "a cut bout has no known length");
        assert_eq!((e.points().len(), e.points()[0].at, e.point_count(3)), (1, Tick(8), 1));
        assert!((e.behaviour_entropy_bits() - 1.561_278_124_459_133).abs() < 1e-12);
    }

    #[test]
    fn unit_a_gap_cuts_the_bout_and_breaks_the_sequence() {
        let mut r = recorder(10);
        r.observe_for(0, 5);
        r.gap(3);
        r.observe_for(0, 2);
        r.observe_for(200, 4);
        r.observe_for(3, 1);
        r.observe_for(1, 1);
        let e = r.finish();
        assert_eq!((e.end(), e.observed_ticks()), (Tick(16), 8));
        assert_eq!(e.bouts().len(), 3);
        assert!(e.bouts().iter().all(|bout| !bout.complete));
        assert_eq!(e.transitions().total(), 0);
    }

    #[test]
    fn unit_a_full_list_keeps_exact_totals_and_says_so() {
        let mut r = recorder(3);
        for _ in 0..5 {
            r.observe(0);
            r.observe_for(1, 3);
            r.point(3);
        }
        let e = r.finish();
        assert_eq!((e.bouts().len(), e.points().len()), (3, 3));
        assert_eq!(e.warnings(), [Warning::BoutsNotKept { count: 7 }]);
        let budget = e.time_budget();
        assert_eq!((budget[0].ticks, budget[1].ticks, budget[1].bouts), (5, 15, 5));
        assert_eq!((e.transitions().between(0, 1), e.transitions().between(1, 0)), (5, 4));
        assert_eq!(e.point_count(3), 5);
    }

    #[test]
    fn unit_memory_stays_small_over_a_long_record() {
        let mut r = recorder(100);
        for n in 0..200_000_u64 {
            r.observe_for(u8::from(n % 2 == 0), 1 + n % 37);
        }
        let e = r.finish();
        assert_eq!(e.bouts().len(), 100);
        assert!(e.bout_lengths(0).unwrap().lengths() <= 37);
    }

    proptest! {
        #[test]
        fn prop_bouts_tile_the_record(states in prop::collection::vec(0_u8..6, 0..200)) {
            let mut r = recorder(1000);
            for state in &states {
                r.observe(*state);
            }
            let e = r.finish();
            prop_assert_eq!(e.end(), Tick(states.len() as u64));
            let listed: u64 = e.bouts().iter().map(|bout| bout.ticks).sum();
            prop_assert_eq!(listed, e.observed_ticks());
            for bout in e.bouts() {
                for tick in bout.start.0..bout.end().0 {
                    prop_assert_eq!(states[usize::try_from(tick).unwrap()], bout.state);
                }
            }
            for pair in e.bouts().windows(2) {
                prop_assert!(pair[0].end() <= pair[1].start);
                prop_assert!(pair[0].state != pair[1].state || pair[0].end() < pair[1].start);
            }
            let share: f64 = e.time_budget().iter().map(|row| row.share).sum();
            prop_assert!((share - 1.0).abs() < 1e-9 || e.observed_ticks() == 0);
        }
    }
}

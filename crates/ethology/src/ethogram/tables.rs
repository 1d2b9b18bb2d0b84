//! Results of an ethogram as tables.

use super::catalogue::BehaviourKind;
use super::record::Ethogram;
use super::transitions::Transitions;
use crate::table::{Column, Kind, Table, TableError};

fn columns(list: &[(&str, Kind)]) -> Vec<Column> {
    list.iter().map(|(name, kind)| Column::new(name, *kind)).collect()
}

impl Ethogram {
    /// One row per listed bout: state, start and duration in seconds, whether its end was seen.
    ///
    /// # Errors
    /// None in practice: the columns are fixed and distinct.
    pub fn bout_table(&self) -> Result<Table, TableError> {
        let mut table = Table::new(columns(&[
            ("subject", Kind::Text),
            ("state", Kind::Text),
            ("start_s", Kind::F64),
            ("duration_s", Kind::F64),
            ("complete", Kind::Bool),
        ]))?;
        for bout in self.bouts() {
            let start_s = self.step().seconds_at(bout.start);
            let duration_s = self.step().seconds_at(tropism_core::Tick(bout.ticks));
            let name = self.catalogue().name(bout.state);
            let complete = bout.complete.into();
            let row =
                [self.subject().into(), name.into(), start_s.into(), duration_s.into(), complete];
            table.push(&row)?;
        }
        Ok(table)
    }

    /// One row per state: bouts, time, share of the observed time, and durations of complete bouts.
    ///
    /// # Errors
    /// None in practice: the columns are fixed and distinct.
    pub fn budget_table(&self) -> Result<Table, TableError> {
        let mut table = Table::new(columns(&[
            ("state", Kind::Text),
            ("bouts", Kind::U64),
            ("time_s", Kind::F64),
            ("share", Kind::F64),
            ("mean_s", Kind::F64),
            ("sd_s", Kind::F64),
            ("median_s", Kind::F64),
            ("quantile_95_s", Kind::F64),
        ]))?;
        for row in self.time_budget() {
            let lengths = self.bout_lengths(row.state);
            let d = lengths.and_then(|lengths| lengths.durations(self.step()));
            table.push(&[
                row.name.into(),
                row.bouts.into(),
                row.seconds.into(),
                row.share.into(),
                d.map(|d| d.mean_s).into(),
                d.and_then(|d| d.sd_s).into(),
                d.map(|d| d.median_s).into(),
                d.map(|d| d.quantile_95_s).into(),
            ])?;
        }
        Ok(table)
    }

    /// One row per point behaviour: how often it happened and its rate over the observed time.
    ///
    /// # Errors
    /// None in practice: the columns are fixed and distinct.
    pub fn point_table(&self) -> Result<Table, TableError> {
        let list = [("behaviour", Kind::Text), ("count", Kind::U64), ("per_min", Kind::F64)];
        let mut table = Table::new(columns(&list))?;
        let minutes = self.step().seconds_at(tropism_core::Tick(self.observed_ticks())) / 60.0;
        for (code, behaviour) in self.catalogue().of_kind(BehaviourKind::Point) {
            let count = self.point_count(code);
            let rate = (minutes > 0.0).then(|| count as f64 / minutes);
            table.push(&[behaviour.name.as_str().into(), count.into(), rate.into()])?;
        }
        Ok(table)
    }
}

impl Transitions {
    /// One row per pair of states that was seen or expected: count, probability, expected count,
    /// standardised residual.
    ///
    /// # Errors
    /// None in practice: the columns are fixed and distinct.
    pub fn table(&self) -> Result<Table, TableError> {
        let mut table = Table::new(columns(&[
            ("from", Kind::Text),
            ("to", Kind::Text),
            ("count", Kind::U64),
            ("probability", Kind::F64),
            ("expected", Kind::F64),
            ("residual", Kind::F64),
        ]))?;
        let cells = self.expected().into_iter().zip(self.residuals()).enumerate();
        for (cell, (expected, residual)) in cells {
            let (from, to) = (cell / self.size(), cell % self.size());
            let count = self.between(from, to);
            if count == 0 && expected <= 0.0 {
                continue;
            }
            table.push(&[
                self.names()[from].as_str().into(),
                self.names()[to].as_str().into(),
                count.into(),
                self.probability(from, to).into(),
                expected.into(),
                residual.into(),
            ])?;
        }
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use tropism_core::TimeStep;

    use super::super::{Behaviour, CAPACITY, Catalogue, Recorder};
    use super::*;

    fn record() -> Ethogram {
        let list = vec![
            Behaviour::state("rest", ""),
            Behaviour::state("wander", ""),
            Behaviour::point("bump", ""),
        ];
        let catalogue = Catalogue::new("observed behaviour", list).unwrap();
        let mut recorder = Recorder::new("robot 1", TimeStep::TWENTIETH, catalogue, CAPACITY);
        for (state, ticks) in [(0, 20), (1, 40), (0, 60)] {
            recorder.observe_for(state, ticks);
            recorder.point(2);
        }
        recorder.finish()
    }

    #[test]
    fn golden_tables_of_a_short_record() {
        let record = record();
        let tables = [
            record.bout_table().unwrap().to_text(),
            record.budget_table().unwrap().to_text(),
            record.point_table().unwrap().to_text(),
            record.transitions().table().unwrap().to_text(),
        ];
        expect_test::expect![[r"
            subject  state   start_s  duration_s  complete
            ───────  ──────  ───────  ──────────  ────────
            robot 1  rest          0           1       yes
            robot 1  wander        1           2       yes
            robot 1  rest          3           3        no

            state   bouts  time_s   share  mean_s  sd_s  median_s  quantile_95_s
            ──────  ─────  ──────  ──────  ──────  ────  ────────  ─────────────
            rest        2       4  0.6667       1     –         1              1
            wander      1       2  0.3333       2     –         2              2

            behaviour  count  per_min
            ─────────  ─────  ───────
            bump           3       30

            from    to      count  probability  expected  residual
            ──────  ──────  ─────  ───────────  ────────  ────────
            rest    wander      1            1         1         0
            wander  rest        1            1         1         0
        "]]
        .assert_eq(&tables.join("\n"));
    }
}

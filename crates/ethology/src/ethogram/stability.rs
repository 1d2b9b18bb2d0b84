//! Whether behaviour keeps its habits over time.

use serde::Serialize;

use super::record::Ethogram;
use crate::warning::Warning;

/// How alike consecutive parts of a record are; 1 is the same, 0 shares nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stability {
    /// Number of parts of equal length.
    pub parts: usize,
    /// Likeness of the time budgets.
    pub budget: f64,
    /// Likeness of the transitions; `None` when no two neighbours hold transitions.
    pub transitions: Option<f64>,
    /// Doubts about these numbers.
    pub warnings: Vec<Warning>,
}

/// Compares consecutive parts of a record; `None` below two parts or without two neighbours in
/// which something was observed.
///
/// Model: mean over neighbouring parts of 1 − ½ Σ|pᵢ − qᵢ|, with p and q the shares of time per
/// state (`budget`) or the shares of transitions per pair of states (`transitions`). A transition
/// belongs to the part in which the later bout starts.
///
/// # Source
/// Ours; the question is that of stationarity in Bakeman and Gottman 1997, chapter 8.
pub fn sequential_stability(record: &Ethogram, parts: usize) -> Option<Stability> {
    let length = record.end().0.div_ceil(parts.max(1) as u64);
    if parts < 2 || length == 0 {
        return None;
    }
    let k = record.catalogue().behaviours().len();
    let mut budgets = vec![vec![0.0; k]; parts];
    let mut pairs = vec![vec![0.0; k * k]; parts];
    let part_of =
        |tick: u64| usize::try_from(tick / length).map_or(parts - 1, |p| p.min(parts - 1));
    for bout in record.bouts() {
        let mut from = bout.start.0;
        while from < bout.end().0 {
            let part = part_of(from);
            let to = bout.end().0.min((part as u64 + 1) * length);
            budgets[part][usize::from(bout.state)] += (to - from) as f64;
            from = to;
        }
    }
    for pair in record.bouts().windows(2).filter(|pair| pair[0].end() == pair[1].start) {
        let cell = usize::from(pair[0].state) * k + usize::from(pair[1].state);
        pairs[part_of(pair[1].start.0)][cell] += 1.0;
    }
    let budget = likeness(&budgets)?;
    let warnings = record.warnings();
    Some(Stability { parts, budget, transitions: likeness(&pairs), warnings })
}

fn likeness(parts: &[Vec<f64>]) -> Option<f64> {
    let shared = |pair: &[Vec<f64>]| {
        let (a, b) = (pair[0].iter().sum::<f64>(), pair[1].iter().sum::<f64>());
        let distance = pair[0].iter().zip(&pair[1]).map(|(x, y)| (x / a - y / b).abs());
        (a > 0.0 && b > 0.0).then(|| 1.0 - 0.5 * distance.sum::<f64>())
    };
    let values: Vec<f64> = parts.windows(2).filter_map(shared).collect();
    crate::statistics::mean(&values)
}

#[cfg(test)]
mod tests {
    use tropism_core::TimeStep;

    use super::super::{CAPACITY, Catalogue, Recorder};
    use super::*;

    fn record(runs: &[(u8, u64)]) -> Ethogram {
        let catalogue = Catalogue::of_states("t", &["a", "b", "c"]).unwrap();
        let mut recorder = Recorder::new("r", TimeStep::TWENTIETH, catalogue, CAPACITY);
        for (state, ticks) in runs {
            recorder.observe_for(*state, *ticks);
        }
        recorder.finish()
    }

    #[test]
    fn unit_steady_habits_score_one() {
        let runs: Vec<(u8, u64)> = (0..40).map(|i| (i % 2, 5)).collect();
        let stability = sequential_stability(&record(&runs), 4).unwrap();
        assert!((stability.budget - 1.0).abs() < 1e-12);
        assert!(stability.transitions.unwrap() > 0.85);
    }

    #[test]
    fn unit_a_change_of_habit_lowers_the_score() {
        let stability = sequential_stability(&record(&[(0, 50), (1, 50)]), 2).unwrap();
        assert!(stability.budget.abs() < 1e-12);
        assert_eq!(stability.transitions, None);
        // First half a 30, b 20; second half b 50: they share 20/50.
        let partly = sequential_stability(&record(&[(0, 30), (1, 70)]), 2).unwrap();
        assert!((partly.budget - 0.4).abs() < 1e-12);
    }

    #[test]
    fn unit_nothing_to_compare() {
        assert_eq!(sequential_stability(&record(&[(0, 50)]), 1), None);
        assert_eq!(sequential_stability(&record(&[]), 2), None);
    }
}

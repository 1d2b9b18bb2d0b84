//! First-order transitions and how they differ from chance.

use tropism_core::math::f64 as math;

use crate::statistics::shannon_bits;

/// Most rounds of proportional fitting.
const ROUNDS: usize = 2_000;
/// Relative error of the margins at which fitting stops.
const TOLERANCE: f64 = 1e-10;

/// What the diagonal of a transition table means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagonal {
    /// A state may follow itself.
    Free,
    /// A state cannot follow itself, as between bouts; the diagonal is zero by structure.
    Structural,
}

/// Counts of transitions between states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transitions {
    names: Vec<String>,
    counts: Vec<u64>,
    diagonal: Diagonal,
}

impl Transitions {
    /// No transition yet between these states.
    pub fn empty(names: Vec<String>, diagonal: Diagonal) -> Self {
        let counts = vec![0; names.len() * names.len()];
        Self { names, counts, diagonal }
    }

    /// Counts one transition; unknown codes, and repeats where they cannot be, are ignored.
    pub fn count(&mut self, from: u8, to: u8) {
        self.count_many(from, to, 1);
    }

    /// Counts a transition that happened this often, by the rules of [`Self::count`].
    pub fn count_many(&mut self, from: u8, to: u8, times: u64) {
        let (from, to) = (usize::from(from), usize::from(to));
        if from < self.size() && to < self.size() && self.can(from, to) {
            let size = self.size();
            self.counts[from * size + to] += times;
        }
    }

    /// Number of states.
    pub fn size(&self) -> usize {
        self.names.len()
    }

    /// Names by code.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    fn can(&self, from: usize, to: usize) -> bool {
        self.diagonal == Diagonal::Free || from != to
    }

    /// Transitions from one state to another; 0 for unknown codes.
    pub fn between(&self, from: usize, to: usize) -> u64 {
        let known = from < self.size() && to < self.size();
        if known { self.counts[from * self.size() + to] } else { 0 }
    }

    /// All transitions.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    fn row(&self, from: usize) -> u64 {
        (0..self.size()).map(|to| self.between(from, to)).sum()
    }

    fn column(&self, to: usize) -> u64 {
        (0..self.size()).map(|from| self.between(from, to)).sum()
    }

    /// Probability of `to` after `from`; `None` when nothing followed `from`.
    pub fn probability(&self, from: usize, to: usize) -> Option<f64> {
        let row = self.row(from);
        (row > 0).then(|| self.between(from, to) as f64 / row as f64)
    }

    /// Counts expected if the next state did not depend on the present one, row by row.
    ///
    /// Model: eᵢⱼ = aᵢ·bⱼ for allowed cells with the observed margins. With a free diagonal this is
    /// row·column/total; with a structural one (quasi-independence) a and b come from iterative
    /// proportional fitting.
    ///
    /// # Source
    /// Goodman 1968, "The analysis of cross-classified data"; Deming and Stephan 1940 (fitting).
    pub fn expected(&self) -> Vec<f64> {
        let k = self.size();
        let rows: Vec<f64> = (0..k).map(|i| self.row(i) as f64).collect();
        let columns: Vec<f64> = (0..k).map(|j| self.column(j) as f64).collect();
        let mut e: Vec<f64> = (0..k * k)
            .map(|cell| {
                let allowed = self.can(cell / k, cell % k);
                let lived = rows[cell / k] > 0.0 && columns[cell % k] > 0.0;
                f64::from(u8::from(allowed && lived))
            })
            .collect();
        for _ in 0..ROUNDS {
            let mut worst = 0.0_f64;
            for (i, wanted) in rows.iter().enumerate() {
                let sum: f64 = e[i * k..(i + 1) * k].iter().sum();
                if sum > 0.0 {
                    worst = worst.max((sum / wanted - 1.0).abs());
                    e[i * k..(i + 1) * k].iter_mut().for_each(|x| *x *= wanted / sum);
                }
            }
            for (j, wanted) in columns.iter().enumerate() {
                let sum: f64 = e.iter().skip(j).step_by(k).sum();
                if sum > 0.0 {
                    worst = worst.max((sum / wanted - 1.0).abs());
                    e.iter_mut().skip(j).step_by(k).for_each(|x| *x *= wanted / sum);
                }
            }
            if worst < TOLERANCE {
                break;
            }
        }
        e
    }

    /// Standardised residual (observed − expected)/√expected per cell, row by row; 0 where nothing
    /// is expected.
    ///
    /// Cells beyond ±2 are transitions seen more or less often than chance explains; they are a
    /// description, not a test.
    pub fn residuals(&self) -> Vec<f64> {
        let residual = |(observed, e): (&u64, f64)| {
            if e > 1e-12 { (*observed as f64 - e) / math::sqrt(e) } else { 0.0 }
        };
        self.counts.iter().zip(self.expected()).map(residual).collect()
    }

    /// Entropy of the next state given the present one, in bits: 0 for a fixed order.
    ///
    /// Model: Σᵢ (nᵢ/n)·H(row i).
    pub fn conditional_entropy_bits(&self) -> f64 {
        let total = self.total().max(1) as f64;
        let k = self.size();
        (0..k)
            .map(|i| self.row(i) as f64 / total * shannon_bits(&self.counts[i * k..(i + 1) * k]))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(diagonal: Diagonal, k: usize, counts: &[u64]) -> Transitions {
        let names = (0..k).map(|i| format!("s{i}")).collect();
        Transitions { names, counts: counts.to_vec(), diagonal }
    }

    #[test]
    fn unit_free_diagonal_gives_row_times_column_over_total() {
        let t = table(Diagonal::Free, 2, &[10, 20, 30, 40]);
        let expected = t.expected();
        for (seen, wanted) in expected.iter().zip([12.0, 18.0, 28.0, 42.0]) {
            assert!((seen - wanted).abs() < 1e-9, "{expected:?}");
        }
        assert!((t.residuals()[0] + 2.0 / 12.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!(t.probability(0, 1), Some(2.0 / 3.0));
    }

    #[test]
    fn unit_two_alternating_states_hold_no_surprise() {
        let t = table(Diagonal::Structural, 2, &[0, 9, 8, 0]);
        assert!(t.residuals().iter().all(|r| r.abs() < 1e-6), "{:?}", t.residuals());
        assert!(t.conditional_entropy_bits().abs() < 1e-12);
    }

    #[test]
    fn unit_a_fixed_cycle_stands_out_of_three_states() {
        // s0 → s1 → s2 → s0: every allowed cell is expected half as often as the cycle shows it.
        let t = table(Diagonal::Structural, 3, &[0, 40, 0, 0, 0, 40, 40, 0, 0]);
        assert!((t.expected()[1] - 20.0).abs() < 1e-6 && (t.expected()[2] - 20.0).abs() < 1e-6);
        assert!(t.residuals()[1] > 4.0 && t.residuals()[2] < -4.0);
    }

    #[test]
    fn unit_unknown_codes_and_impossible_repeats_are_ignored() {
        let mut t = Transitions::empty(vec!["a".into(), "b".into()], Diagonal::Structural);
        t.count(0, 0);
        t.count(0, 7);
        t.count(0, 1);
        assert_eq!((t.total(), t.between(0, 1), t.between(0, 7)), (1, 1, 0));
        assert_eq!(t.probability(1, 0), None);
    }

    proptest! {
        #[test]
        fn prop_rows_sum_to_one_and_expected_margins_are_observed_margins(
            counts in prop::collection::vec(1_u64..50, 16)
        ) {
            let mut counts = counts;
            (0..4).for_each(|i| counts[i * 5] = 0);
            let t = table(Diagonal::Structural, 4, &counts);
            let expected = t.expected();
            for i in 0..4 {
                let sum: f64 = (0..4).map(|j| t.probability(i, j).unwrap()).sum();
                prop_assert!((sum - 1.0).abs() < 1e-12);
                prop_assert!(expected[i * 5].abs() < 1e-15);
            }
            // Any margins may be out of reach of a hollow table; those of a table are not.
            for i in 0..4 {
                let row: f64 = expected[i * 4..i * 4 + 4].iter().sum();
                prop_assert!((row - t.row(i) as f64).abs() < 0.01 * t.row(i) as f64);
                let column: f64 = expected.iter().skip(i).step_by(4).sum();
                prop_assert!((column - t.column(i) as f64).abs() < 1e-6);
            }
        }
    }
}

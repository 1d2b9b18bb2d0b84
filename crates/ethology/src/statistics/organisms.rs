//! From many lives of an organism to one number per organism.

use alloc::collections::BTreeMap;

use serde::Serialize;

use super::line::fit_line;

/// One measured life.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Observation {
    /// Number of the organism.
    pub organism: u32,
    /// Number of the life, from 0.
    pub life: u32,
    /// What was measured.
    pub value: f64,
}

fn by_organism(lives: &[Observation]) -> BTreeMap<u32, Vec<(f64, f64)>> {
    let mut groups: BTreeMap<u32, Vec<(f64, f64)>> = BTreeMap::new();
    for one in lives.iter().filter(|one| one.value.is_finite()) {
        groups.entry(one.organism).or_default().push((f64::from(one.life), one.value));
    }
    groups
}

/// Mean over the lives of each organism, by ascending organism.
///
/// Lives of one organism are correlated; the mean per organism is the independent unit that
/// [`super::summarise`] expects.
pub fn means_of_organisms(lives: &[Observation]) -> Vec<(u32, f64)> {
    let mean = |lives: &[(f64, f64)]| lives.iter().map(|l| l.1).sum::<f64>() / lives.len() as f64;
    by_organism(lives).into_iter().map(|(organism, lives)| (organism, mean(&lives))).collect()
}

/// Slope of the value over the life number for each organism with at least two different lives.
///
/// This is the measure of learning over lives: change of the value per life.
pub fn slopes_of_organisms(lives: &[Observation]) -> Vec<(u32, f64)> {
    by_organism(lives)
        .into_iter()
        .filter_map(|(organism, lives)| Some((organism, fit_line(&lives)?.slope)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(organism: u32, life: u32, value: f64) -> Observation {
        Observation { organism, life, value }
    }

    #[test]
    fn unit_lives_are_pooled_per_organism() {
        let lives = [life(4, 0, 1.0), life(2, 0, 5.0), life(4, 1, 3.0), life(4, 2, f64::NAN)];
        assert_eq!(means_of_organisms(&lives), [(2, 5.0), (4, 2.0)]);
        assert_eq!(slopes_of_organisms(&lives), [(4, 2.0)]);
    }
}

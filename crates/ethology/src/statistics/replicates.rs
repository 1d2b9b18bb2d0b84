//! Replicates that are no replicates.

use alloc::collections::BTreeMap;

use serde::Serialize;

/// One run: its seed and a hash of what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Replicate {
    /// Seed of the run.
    pub seed: u64,
    /// Hash over the run's results, such as the hash of its trace.
    pub fingerprint: u64,
}

/// Runs with the same fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IdenticalGroup {
    /// The fingerprint they share.
    pub fingerprint: u64,
    /// Places of the runs in the list given.
    pub runs: Vec<usize>,
    /// Whether they also share the seed, so that equality is no surprise.
    pub share_seed: bool,
}

/// Groups of two or more runs that did the same, by first appearance.
///
/// An empty answer means that every run differs from every other one.
pub fn identical_replicates(runs: &[Replicate]) -> Vec<IdenticalGroup> {
    let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (place, run) in runs.iter().enumerate() {
        groups.entry(run.fingerprint).or_default().push(place);
    }
    let mut found: Vec<IdenticalGroup> = groups
        .into_iter()
        .filter(|(_, places)| places.len() > 1)
        .map(|(fingerprint, places)| IdenticalGroup {
            fingerprint,
            share_seed: places.iter().all(|place| runs[*place].seed == runs[places[0]].seed),
            runs: places,
        })
        .collect();
    found.sort_by_key(|group| group.runs[0]);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(seed: u64, fingerprint: u64) -> Replicate {
        Replicate { seed, fingerprint }
    }

    #[test]
    fn unit_stat_03_one_seed_repeated_is_reported_as_one_group() {
        let groups = identical_replicates(&[run(42, 7); 10]);
        assert_eq!(groups.len(), 1);
        assert_eq!((groups[0].runs.len(), groups[0].share_seed), (10, true));
    }

    #[test]
    fn unit_stat_03_equal_runs_of_distinct_seeds_are_reported_too() {
        let runs = [run(1, 5), run(2, 6), run(3, 5), run(4, 8)];
        let groups = identical_replicates(&runs);
        let expected = IdenticalGroup { fingerprint: 5, runs: vec![0, 2], share_seed: false };
        assert_eq!(groups, [expected]);
        assert_eq!(identical_replicates(&runs[..2]), []);
    }
}

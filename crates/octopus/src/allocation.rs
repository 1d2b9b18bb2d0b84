//! Reward-ranked allocation: which idle arm fetches which free food.
//!
//! Foods are ranked by reward, the higher first, equals in canonical order; the first k are taken,
//! k being the number of free arms. Among all ways to give them to the arms the one with the least
//! summed cost is chosen, cost = distance from the arm's tip to the food's centre in px. Food out
//! of an arm's reach is not given to it.
//!
//! The search is exact: dynamic programming over the 2⁸ sets of arms, food after food; more food
//! served comes before less cost, and a better-ranked food before a worse-ranked one.
//!
//! What it does not do: it does not know obstacles; cost is the straight distance.

use crate::constants::ARMS;
use crate::vector::Point;

/// One arm sent to one food.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Assignment {
    /// Index of the arm.
    pub arm: usize,
    /// Index of the food in the ranked list.
    pub food: usize,
    /// Distance, px.
    pub cost: f64,
}

/// An allocation and its summed cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Allocation {
    /// At most one per arm, by food rank.
    pub assignments: [Option<Assignment>; ARMS],
    /// Summed cost, px.
    pub cost: f64,
}

/// What the allocation knows of a free arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seeker {
    /// Its tip, px.
    pub tip: Point,
    /// Its base, px.
    pub base: Point,
    /// Length of the stretched arm, px.
    pub reach: f64,
}

const SETS: usize = 1 << ARMS;

/// Gives the first `foods`, ranked, to the free arms.
///
/// `seekers[i]` is `None` for an arm that is busy. Foods beyond the eighth are not looked at.
pub fn allocate(seekers: &[Option<Seeker>; ARMS], foods: &[Point]) -> Allocation {
    let free = seekers.iter().flatten().count();
    let foods = &foods[..foods.len().min(free)];
    // Per set of arms used after a number of foods: (value, cost); value counts the foods served
    // with weights 2^(7 − rank), so that a better-ranked food outweighs all worse ones.
    let mut best = [None::<(u32, f64)>; SETS];
    let mut came_from = [[u8::MAX; SETS]; ARMS];
    best[0] = Some((0, 0.0));
    for (rank, food) in foods.iter().enumerate() {
        let mut after = best;
        for (set, entry) in best.iter().enumerate() {
            let Some((value, cost)) = *entry else { continue };
            for (arm, seeker) in seekers.iter().enumerate() {
                let Some(seeker) = seeker else { continue };
                let is_free = set & (1 << arm) == 0;
                if !is_free || seeker.base.distance(*food) > seeker.reach {
                    continue;
                }
                let next = set | (1 << arm);
                let offer = (value + (1 << (ARMS - 1 - rank)), cost + seeker.tip.distance(*food));
                if after[next].is_none_or(|held| is_better(offer, held)) {
                    after[next] = Some(offer);
                    came_from[rank][next] = arm as u8;
                }
            }
        }
        best = after;
    }
    trace_back(seekers, foods, &best, &came_from)
}

fn is_better(offer: (u32, f64), held: (u32, f64)) -> bool {
    offer.0 > held.0 || (offer.0 == held.0 && offer.1 < held.1)
}

fn trace_back(
    seekers: &[Option<Seeker>; ARMS],
    foods: &[Point],
    best: &[Option<(u32, f64)>; SETS],
    came_from: &[[u8; SETS]; ARMS],
) -> Allocation {
    let mut chosen = (0, (0, 0.0));
    for (set, entry) in best.iter().enumerate() {
        if let Some(offer) = entry
            && is_better(*offer, chosen.1)
        {
            chosen = (set, *offer);
        }
    }
    let mut allocation = Allocation { cost: chosen.1.1, ..Allocation::default() };
    let (mut set, mut value) = (chosen.0, chosen.1.0);
    for rank in (0..foods.len()).rev() {
        let weight = 1 << (ARMS - 1 - rank);
        if value & weight == 0 {
            continue;
        }
        let arm = usize::from(came_from[rank][set]);
        let Some(seeker) = seekers.get(arm).copied().flatten() else {
            continue;
        };
        let cost = seeker.tip.distance(foods[rank]);
        allocation.assignments[rank] = Some(Assignment { arm, food: rank, cost });
        set &= !(1 << arm);
        value &= !weight;
    }
    allocation
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seeker(x: f64) -> Seeker {
        Seeker { tip: Point::new(x, 0.0), base: Point::new(x, 50.0), reach: 400.0 }
    }

    #[test]
    fn unit_the_cheapest_way_wins_over_the_greedy_one() {
        let mut seekers = [None; ARMS];
        seekers[1] = Some(seeker(0.0));
        seekers[4] = Some(seeker(100.0));
        // Greedy would send arm 1 to the first food (60) and arm 4 to the second (190).
        let foods = [Point::new(60.0, 0.0), Point::new(-90.0, 0.0)];
        let found = allocate(&seekers, &foods);
        let pairs: alloc::vec::Vec<_> =
            found.assignments.iter().flatten().map(|a| (a.arm, a.food)).collect();
        assert_eq!(pairs, [(4, 0), (1, 1)]);
        assert!((found.cost - 130.0).abs() < 1e-12);
    }

    #[test]
    fn unit_food_out_of_reach_and_busy_arms_are_left_out() {
        let mut seekers = [None; ARMS];
        seekers[2] = Some(seeker(0.0));
        assert_eq!(allocate(&seekers, &[Point::new(900.0, 0.0)]), Allocation::default());
        assert_eq!(allocate(&[None; ARMS], &[Point::default()]), Allocation::default());
    }

    #[test]
    fn prop_allocation_equals_the_best_of_all_permutations() {
        use tropism_core::{Purpose, Seed, Tick};
        for case in 0..50 {
            let mut draws = Seed(3).stream(Purpose::named("test.allocation"), 0, case).at(Tick(0));
            let mut point = || {
                let (x, y) = (draws.between(-200.0, 200.0), draws.between(-200.0, 200.0));
                Point::new(f64::from(x), f64::from(y))
            };
            let mut seekers = [None; ARMS];
            for seeker in seekers.iter_mut().take(4) {
                *seeker = Some(Seeker { tip: point(), base: Point::default(), reach: 900.0 });
            }
            let foods = [point(), point(), point(), point()];
            let mut least = f64::INFINITY;
            for code in 0..256_usize {
                let arms = [code & 3, (code >> 2) & 3, (code >> 4) & 3, code >> 6];
                let is_permutation = (0..4).all(|a| arms.contains(&a));
                if is_permutation {
                    let cost = arms
                        .iter()
                        .zip(&foods)
                        .map(|(arm, food)| seekers[*arm].map_or(0.0, |s| s.tip.distance(*food)));
                    least = least.min(cost.sum());
                }
            }
            assert!((allocate(&seekers, &foods).cost - least).abs() < 1e-9);
        }
    }
}

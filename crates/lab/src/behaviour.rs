//! What an observer would call the robot's behaviour, and how behaviours follow one another.

use serde::{Deserialize, Serialize};
use tropism_core::math;
use tropism_ethology::ethogram::{Diagonal, Transitions};
use tropism_world::RobotTruth;

/// Observed behaviours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Behaviour {
    /// At a station's contacts.
    Docked,
    /// Hardly moving.
    Rest,
    /// Driving forwards.
    Ahead,
    /// Driving backwards.
    Back,
    /// Turning on the spot to the left.
    SpinLeft,
    /// Turning on the spot to the right.
    SpinRight,
    /// Touching something while driving.
    Push,
}

/// Their names, in order.
pub const BEHAVIOURS: [&str; 7] =
    ["docked", "rest", "ahead", "back", "spin_left", "spin_right", "push"];

/// Speed below which a robot rests, m/s.
const REST_M_S: f32 = 0.01;
/// Turn rate below which a robot does not turn, rad/s.
const REST_RAD_S: f32 = 0.1;
/// Metres of way per radian of turn below which a turn is on the spot.
const SPOT_M: f32 = 0.04;

/// The behaviour at a tick.
#[inline]
pub fn observe(truth: &RobotTruth) -> Behaviour {
    let (speed, turn) = (math::abs(truth.speed_m_s), math::abs(truth.turn_rad_s));
    if truth.is_docked {
        Behaviour::Docked
    } else if truth.is_bumped && speed > REST_M_S {
        Behaviour::Push
    } else if turn > REST_RAD_S && speed < SPOT_M * turn {
        if truth.turn_rad_s > 0.0 { Behaviour::SpinLeft } else { Behaviour::SpinRight }
    } else if speed < REST_M_S {
        Behaviour::Rest
    } else if truth.speed_m_s > 0.0 {
        Behaviour::Ahead
    } else {
        Behaviour::Back
    }
}

/// Number of duration classes: class k holds bouts of 2^k up to 2^(k+1) − 1 ticks.
pub const DURATION_CLASSES: usize = 24;

/// Counts of a sequence of states: time per state, bouts and their durations, transitions.
///
/// A life has tens of thousands of bouts; an experiment keeps these sums of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    size: usize,
    /// Ticks spent in each state.
    pub ticks: Vec<u64>,
    /// Transitions from state to state, row by row; the diagonal is empty.
    pub transitions: Vec<u64>,
    /// Bouts of each state by duration class, state by state.
    pub durations: Vec<u64>,
    /// The state under way and 1; 0 before the first, so that a push is one comparison.
    #[serde(skip)]
    state: u16,
    #[serde(skip)]
    length: u64,
}

impl Chain {
    /// Counts for this many states.
    pub fn new(size: usize) -> Self {
        Self {
            size,
            ticks: vec![0; size],
            transitions: vec![0; size * size],
            durations: vec![0; size * DURATION_CLASSES],
            state: 0,
            length: 0,
        }
    }

    /// Number of states.
    pub const fn size(&self) -> usize {
        self.size
    }

    /// One tick in a state.
    #[inline]
    pub fn push(&mut self, state: u8) {
        let next = u16::from(state) + 1;
        if self.state == next {
            self.length += 1;
        } else {
            self.change_to(next);
        }
    }

    #[inline(never)]
    fn change_to(&mut self, next: u16) {
        self.close();
        if self.state > 0 {
            self.transitions[usize::from(self.state - 1) * self.size + usize::from(next - 1)] += 1;
        }
        self.state = next;
        self.length = 1;
    }

    fn close(&mut self) {
        if let Some(state) = usize::from(self.state).checked_sub(1) {
            self.ticks[state] += self.length;
            let class = (self.length.max(1).ilog2() as usize).min(DURATION_CLASSES - 1);
            self.durations[state * DURATION_CLASSES + class] += 1;
        }
    }

    /// The counts with the bout under way closed.
    #[must_use]
    pub fn ended(&self) -> Self {
        let mut ended = self.clone();
        ended.close();
        ended.state = 0;
        ended.length = 0;
        ended
    }

    /// The transitions as a matrix of the observed behaviours.
    pub fn transitions(&self) -> Transitions {
        let names = BEHAVIOURS.iter().map(|n| (*n).to_owned()).collect();
        let mut matrix = Transitions::empty(names, Diagonal::Structural);
        for (cell, count) in self.transitions.iter().enumerate() {
            matrix.count_many((cell / self.size) as u8, (cell % self.size) as u8, *count);
        }
        matrix
    }

    /// Adds the counts of another sequence over the same states.
    pub fn add(&mut self, other: &Self) {
        if self.size == 0 {
            *self = Self::new(other.size);
        }
        let sum = |into: &mut [u64], from: &[u64]| {
            for (into, from) in into.iter_mut().zip(from) {
                *into += from;
            }
        };
        sum(&mut self.ticks, &other.ticks);
        sum(&mut self.transitions, &other.transitions);
        sum(&mut self.durations, &other.durations);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_counts_add_up() {
        let mut chain = Chain::new(3);
        for state in [0, 0, 1, 1, 1, 1, 0, 2] {
            chain.push(state);
        }
        let chain = chain.ended();
        assert_eq!(chain.ticks, [3, 4, 1]);
        assert_eq!(chain.transitions, [0, 1, 1, 1, 0, 0, 0, 0, 0]);
        assert_eq!(chain.durations[..2], [1, 1]);
        assert_eq!(chain.durations[DURATION_CLASSES + 2], 1);
        let mut sum = Chain::default();
        sum.add(&chain);
        sum.add(&chain);
        assert_eq!(sum.ticks.iter().sum::<u64>(), 16);
    }
}

//! How a run ended, from the facts of its trace alone.
//!
//! Terms: *stuck* is a robot that touched something within the last [`STUCK_S`] and stayed within
//! [`STUCK_M`] of one place for as long, though it drives.
//!
//! What it does not do: it looks for no fault on the way.

use core::fmt;

use super::{Legs as _, Story};

/// A goal nearer than this is reached, m.
pub(super) const GOAL_M: f64 = 0.15;
/// Time over which a robot that came nowhere is stuck, s.
const STUCK_S: f64 = 3.0;
/// How far a stuck robot moves at most, m.
const STUCK_M: f64 = 0.05;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Ending {
    /// It died: its battery was empty away from a station.
    BatteryEmpty {
        /// Tick at which it was empty.
        tick: u64,
        /// Charge share at the first tick.
        charge_at_start: f64,
    },
    /// It reached its goal.
    ReachedGoal {
        /// First tick at the goal.
        tick: u64,
        /// Distance at the last tick, m.
        range_m: f64,
    },
    /// It touches something and comes nowhere.
    Stuck {
        /// First tick from which it stayed in its last place.
        tick: u64,
    },
    /// It lived until its life was cut off.
    Cap {
        /// The ticks of the cap.
        ticks: u64,
    },
    /// The trace ends before the life does.
    Open,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BatteryEmpty { tick, charge_at_start } => write!(
                f,
                "died of an empty battery at tick {tick}: charge 0.0 %, {:.1} % at the start",
                100.0 * charge_at_start
            ),
            Self::ReachedGoal { tick, range_m } => {
                write!(f, "reached its goal at tick {tick} (within {GOAL_M} m), alive; ")?;
                write!(f, "{range_m:.2} m from it at the end")
            }
            Self::Stuck { tick } => {
                write!(f, "ended alive, but stuck: within {STUCK_M} m from tick {tick} on, ")?;
                write!(f, "and touching something in the last {STUCK_S} s")
            }
            Self::Cap { ticks } => write!(f, "ended alive, cut off at its cap of {ticks} ticks"),
            Self::Open => f.write_str("alive at the last tick of the trace"),
        }
    }
}

impl Story {
    /// How the run ended; of several that hold the first of death, at the goal, stuck, goal
    /// reached before, and cap.
    pub fn ending(&self) -> Ending {
        let last = self.at.len().saturating_sub(1) as u64;
        let is_away = !self.docked.last().copied().unwrap_or(false);
        if self.charge.last().is_some_and(|charge| *charge <= 0.0) && is_away {
            let charged = self.charge.iter().rposition(|charge| *charge > 0.0);
            let charge_at_start = self.charge.first().copied().unwrap_or(0.0);
            let tick = charged.map_or(0, |tick| tick as u64 + 1);
            return Ending::BatteryEmpty { tick, charge_at_start };
        }
        let range_m = self.goal.last().copied().unwrap_or(f64::INFINITY);
        if let Some(tick) = self.stuck_since().filter(|_| range_m > GOAL_M) {
            return Ending::Stuck { tick };
        }
        if let Some(tick) = self.goal.iter().position(|range| *range <= GOAL_M) {
            return Ending::ReachedGoal { tick: tick as u64, range_m };
        }
        if self.cap_ticks > 0 && last + 1 >= self.cap_ticks {
            return Ending::Cap { ticks: self.cap_ticks };
        }
        Ending::Open
    }

    fn stuck_since(&self) -> Option<u64> {
        let (x, y) = *self.at.last()?;
        let window = (STUCK_S / self.step_s.max(1e-6)) as usize;
        let away = self.at.iter().rposition(|(u, v)| (u - x).hypot_of(v - y) > STUCK_M);
        let since = away.map_or(0, |tick| tick + 1);
        let from = self.at.len().checked_sub(window)?;
        let touches = self.bump.get(from..)?.contains(&true);
        let drives = self.still.get(from..)?.contains(&false);
        (since <= from && touches && drives).then_some(since as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{describe, explain};
    use super::*;

    /// Drives on at 1 cm per tick for 1000 ticks of 10 ms, touching something in between.
    fn story() -> Story {
        Story {
            step_s: 0.01,
            at: (0..1_000).map(|t| (f64::from(t) * 0.01, 0.0)).collect(),
            turn: vec![0.0; 1_000],
            still: vec![false; 1_000],
            module: vec![0; 1_000],
            bump: (0..1_000).map(|t| (100..300).contains(&t)).collect(),
            charge: vec![0.5; 1_000],
            docked: vec![false; 1_000],
            cap_ticks: 1_000,
            ..Story::default()
        }
    }

    fn told(story: &Story) -> String {
        describe(story, &explain(story))
    }

    #[test]
    fn unit_an_empty_battery_is_the_death_and_a_crash_only_stands_out() {
        let mut story = story();
        story.charge = (0..1_000).map(|t| (0.5 - f64::from(t) * 0.5 / 990.0).max(0.0)).collect();
        let text = told(&story);
        let first = text.lines().nth(1).unwrap();
        let expected = "died of an empty battery at tick 990: charge 0.0 %, 50.0 % at the start";
        assert_eq!(first, expected);
        assert!(text.contains("stands out: crash, ticks 100 to 299: "), "{text}");
        assert_eq!(text.matches("died of").count(), 1, "{text}");
        // At a station an empty battery is filled: no death.
        story.docked[999] = true;
        assert_eq!(story.ending(), Ending::Cap { ticks: 1_000 });
    }

    #[test]
    fn unit_a_run_that_ends_at_its_goal_says_so_first() {
        let mut story = story();
        story.goal = (0..1_000).map(|t| if t < 700 { 0.8 } else { 0.1 }).collect();
        let text = told(&story);
        let first = text.lines().nth(1).unwrap();
        let at_goal =
            "reached its goal at tick 700 (within 0.15 m), alive; 0.10 m from it at the end";
        assert_eq!(first, at_goal);
        assert!(!text.contains("died of"), "{text}");
        // One that passes its goal has reached it too.
        story.goal[999] = 0.2;
        assert_eq!(story.ending(), Ending::ReachedGoal { tick: 700, range_m: 0.2 });
    }

    #[test]
    fn unit_a_robot_that_pushes_a_wall_is_stuck_and_alive() {
        let mut story = story();
        for t in 500..1_000 {
            (story.at[t], story.bump[t]) = ((5.0, 0.0), true);
        }
        let text = told(&story);
        assert!(text.contains("ended alive, but stuck: within 0.05 m from tick 495 on"), "{text}");
        assert!(!text.contains("died of"), "{text}");
        // One that stands still on purpose is not stuck.
        story.still = vec![true; 1_000];
        assert_eq!(story.ending(), Ending::Cap { ticks: 1_000 });
    }

    #[test]
    fn unit_a_run_that_ends_at_its_cap_is_told_alive() {
        let mut story = story();
        let text = told(&story);
        let first = text.lines().nth(1).unwrap();
        assert_eq!(first, "ended alive, cut off at its cap of 1000 ticks");
        assert!(text.contains("stands out: crash") && !text.contains("died of"), "{text}");
        story.cap_ticks = 2_000;
        assert_eq!(story.ending(), Ending::Open);
    }
}

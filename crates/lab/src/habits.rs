//! Habits of a life: what it does after a bump, and circling and spinning on the spot.
//!
//! Terms: a *bump* is the begin of a contact away from a station; a *bump ahead* is one after a
//! second in which the robot moved forwards on the whole; the robot *backs off* when it drives
//! backwards at a tenth of the reference body's top speed or more within the second after. A
//! *window* is 10 s away from a station; the robot *circles* in one with more than one full turn to
//! one side within 0.25 m. A *spin* is a window with at least one and a half net turns to
//! one side, without a bump, never farther from where it began than a body's diameter: neither
//! dithering nor circling along a wall counts. The *relief* of boredom is its fall from tick to
//! tick.
//!
//! What it does not do: it changes nothing and keeps no history but one second of speed.

use serde::{Deserialize, Serialize};
use tropism_core::math;
use tropism_organism::{Need, Organism, context_of};
use tropism_world::RobotTruth;

use crate::schema;

/// Speed backwards from which a robot backs off, m/s.
const BACK_M_S: f32 = 0.02;
/// Seconds of a window of circling and spinning.
const WINDOW_S: u32 = 10;
/// Distance within which a window of turning counts as circling on the spot, m.
const CIRCLE_M: f32 = 0.25;
/// Net turn of a spin, rad.
const SPIN_RAD: f32 = 3.0 * math::PI;
/// Farthest a spinning robot gets from where the window began, m: the diameter of the reference
/// body.
const REACH_M: f32 = 0.20;

/// The habits of one life.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HabitRecord {
    /// Bumps ahead.
    pub bumps_ahead: u64,
    /// Mean speed in the second before a bump ahead, m/s.
    pub speed_before_m_s: Option<f64>,
    /// Mean speed in the second after it, m/s.
    pub speed_after_m_s: Option<f64>,
    /// Share of the bumps ahead after which the robot backs off.
    pub back_off_share: Option<f64>,
    /// Mean gate of the safety context half a second after a bump ahead.
    pub safety_gate: Option<f64>,
    /// What the safety context would drive the wheels with at those moments, weighted by its gate.
    pub safety_push: Option<f64>,
    /// Share of the windows that are spins.
    pub spin_share: Option<f64>,
    /// Share of all relief of boredom that came during spins.
    pub spin_relief_share: Option<f64>,
    /// What the constant of the boredom context turns with at the end, |right − left|/2.
    pub boredom_turn: Option<f64>,
    /// What the constant of the boredom context drives ahead with at the end, |right + left|/2.
    pub boredom_ahead: Option<f64>,
}

/// Gathers the habits of a life.
#[derive(Clone, Debug)]
pub(crate) struct HabitMeter {
    wheels: (usize, usize),
    dt_s: f32,
    second_ticks: u32,
    /// Speeds of the last second, oldest at `next`.
    speeds: Vec<f32>,
    next: usize,
    was_bumped: bool,
    /// Within the second after a bump.
    is_after_bump: bool,
    any: AnyBumps,
    ahead: BumpsAhead,
    windows: Windows,
}

/// Sums over all bumps.
#[derive(Clone, Copy, Debug, Default)]
struct AnyBumps {
    left: u32,
    count: u64,
    after: f64,
    after_ticks: u64,
}

/// Sums over bumps ahead.
#[derive(Clone, Copy, Debug, Default)]
struct BumpsAhead {
    left: usize,
    count: u64,
    before: f64,
    after: f64,
    after_ticks: u64,
    backs: bool,
    backed: u64,
    gate: f64,
    gates: u64,
    push: f64,
}

/// The window under way, and sums over those before.
#[derive(Clone, Copy, Debug, Default)]
struct Windows {
    ticks: u32,
    turn_rad: f32,
    from_m: (f32, f32),
    reach_m2: f32,
    is_spoilt: bool,
    was_docked: bool,
    boredom: f32,
    relief: f32,
    count: u64,
    circling: u64,
    spinning: u64,
    relief_all: f64,
    relief_spinning: f64,
}

impl HabitMeter {
    pub(crate) fn new(wheels: (usize, usize), dt_s: f32, second_ticks: u32) -> Self {
        Self {
            wheels,
            dt_s,
            second_ticks,
            speeds: vec![0.0; second_ticks.max(2) as usize],
            next: 0,
            was_bumped: false,
            is_after_bump: false,
            any: AnyBumps::default(),
            ahead: BumpsAhead::default(),
            windows: Windows::default(),
        }
    }

    pub(crate) fn begin_life(&mut self) {
        *self = Self::new(self.wheels, self.dt_s, self.second_ticks);
    }

    /// One tick, after the world has moved.
    #[expect(clippy::inline_always, reason = "in its caller, half of the truth need not be found")]
    #[inline(always)]
    pub(crate) fn record(&mut self, truth: &RobotTruth, organism: Option<&Organism>) {
        // Contacts of the dock are no bumps, they are where it wants to be.
        let is_bumped = truth.is_bumped && !truth.is_docked;
        // Most ticks are like the one before: free, or pushing on.
        if self.is_after_bump || is_bumped != self.was_bumped {
            self.record_bump(is_bumped, truth.speed_m_s, organism);
        }
        let (oldest, second) = (self.next, self.speeds.len());
        self.next = if oldest + 1 == second { 0 } else { oldest + 1 };
        if let Some(speed) = self.speeds.get_mut(oldest) {
            *speed = truth.speed_m_s;
        }
        let boredom = organism.map(|o| o.state().physiology.values[Need::Boredom as usize]);
        self.windows.record(truth, boredom, (self.dt_s, WINDOW_S * self.second_ticks));
    }

    #[inline(never)]
    fn record_bump(&mut self, is_bumped: bool, speed_m_s: f32, organism: Option<&Organism>) {
        let begins = is_bumped && !self.was_bumped;
        self.was_bumped = is_bumped;
        self.any.record(begins, speed_m_s, self.second_ticks);
        let (b, second) = (&mut self.ahead, self.speeds.len());
        if b.left > 0 {
            b.left -= 1;
            b.after += f64::from(speed_m_s);
            b.after_ticks += 1;
            b.backs |= speed_m_s < -BACK_M_S;
            if b.left == second / 2
                && let Some(organism) = organism
            {
                let gate = f64::from(safety_gate(organism));
                b.gate += gate;
                b.gates += 1;
                b.push += gate * schema::safety_push(organism, self.wheels).unwrap_or(0.0);
            }
            if b.left == 0 {
                b.backed += u64::from(b.backs);
            }
        }
        if begins && b.left == 0 {
            let before = self.speeds.iter().sum::<f32>() / second as f32;
            if before > 0.0 {
                b.count += 1;
                b.before += f64::from(before);
                b.backs = false;
                b.left = second;
            }
        }
        self.is_after_bump = self.any.left > 0 || b.left > 0;
    }

    /// Bumps that began, and the mean speed in the second after one, m/s.
    pub(crate) fn bumps(&self) -> (u64, Option<f64>) {
        let any = &self.any;
        (any.count, (any.after_ticks > 0).then(|| any.after / any.after_ticks as f64))
    }

    /// Share of the windows in which it circled.
    pub(crate) fn circling_share(&self) -> Option<f64> {
        let windows = &self.windows;
        (windows.count > 0).then(|| windows.circling as f64 / windows.count as f64)
    }

    pub(crate) fn end_life(&self, organism: Option<&Organism>) -> HabitRecord {
        let (b, w) = (&self.ahead, &self.windows);
        let mean = |sum: f64, count: f64| (count > 0.0).then(|| sum / count);
        // A bump in the last second of the life has no whole second after it.
        let whole = b.count.saturating_sub(u64::from(b.left > 0)) as f64;
        let constant = organism.map(|o| boredom_constants(o, self.wheels));
        HabitRecord {
            bumps_ahead: b.count,
            speed_before_m_s: mean(b.before, b.count as f64),
            speed_after_m_s: mean(b.after, b.after_ticks as f64),
            back_off_share: mean(b.backed as f64, whole),
            safety_gate: mean(b.gate, b.gates as f64),
            safety_push: mean(b.push, b.gate),
            spin_share: mean(w.spinning as f64, w.count as f64),
            spin_relief_share: mean(w.relief_spinning, w.relief_all),
            boredom_turn: constant.map(|(l, r)| f64::from(math::abs(r - l)) / 2.0),
            boredom_ahead: constant.map(|(l, r)| f64::from(math::abs(r + l)) / 2.0),
        }
    }
}

fn safety_gate(organism: &Organism) -> f32 {
    organism.state().reflex.gates[usize::from(context_of(Need::Safety))]
}

/// Weights from the constant to both wheels in the boredom context.
fn boredom_constants(organism: &Organism, wheels: (usize, usize)) -> (f32, f32) {
    let reflex = &organism.state().reflex;
    let (context, constant) = (usize::from(context_of(Need::Boredom)), reflex.inputs() - 1);
    (reflex.weight(context, constant, wheels.0), reflex.weight(context, constant, wheels.1))
}

impl AnyBumps {
    #[inline]
    fn record(&mut self, begins: bool, speed_m_s: f32, second_ticks: u32) {
        if self.left > 0 {
            self.left -= 1;
            self.after_ticks += 1;
            self.after += f64::from(speed_m_s);
        }
        if begins && self.left == 0 {
            self.count += 1;
            self.left = second_ticks;
        }
    }
}

impl Windows {
    #[inline]
    fn record(&mut self, truth: &RobotTruth, boredom: Option<f32>, (dt_s, window): (f32, u32)) {
        if self.ticks == 0 {
            self.from_m = (truth.x_m, truth.y_m);
        }
        self.ticks += 1;
        self.turn_rad += truth.turn_rad_s * dt_s;
        self.is_spoilt |= truth.is_bumped;
        self.was_docked |= truth.is_docked;
        let (dx, dy) = (truth.x_m - self.from_m.0, truth.y_m - self.from_m.1);
        let distance2 = dx * dx + dy * dy;
        self.reach_m2 = if distance2 > self.reach_m2 { distance2 } else { self.reach_m2 };
        if let Some(boredom) = boredom {
            let fall = self.boredom - boredom;
            self.relief += if fall > 0.0 { fall } else { 0.0 };
            self.boredom = boredom;
        }
        if self.ticks == window {
            self.close();
        }
    }

    #[cold]
    fn close(&mut self) {
        let turn_rad = math::abs(self.turn_rad);
        let is_circling = turn_rad > 2.0 * math::PI && self.reach_m2 < CIRCLE_M * CIRCLE_M;
        let is_spin = turn_rad >= SPIN_RAD && self.reach_m2 < REACH_M * REACH_M && !self.is_spoilt;
        if !self.was_docked {
            self.count += 1;
            self.circling += u64::from(is_circling);
            self.relief_all += f64::from(self.relief);
            if is_spin {
                self.spinning += 1;
                self.relief_spinning += f64::from(self.relief);
            }
        }
        *self = Self {
            boredom: self.boredom,
            count: self.count,
            circling: self.circling,
            spinning: self.spinning,
            relief_all: self.relief_all,
            relief_spinning: self.relief_spinning,
            ..Self::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn still() -> RobotTruth {
        RobotTruth {
            x_m: 0.0,
            y_m: 0.0,
            heading_rad: 0.0,
            speed_m_s: 0.0,
            turn_rad_s: 0.0,
            soc: 1.0,
            is_docked: false,
            is_charging: false,
            charge_current_a: 0.0,
            net_current_a: 0.0,
            is_bumped: false,
            is_embedded: false,
            distance_to_station_m: f32::INFINITY,
            station: None,
            battery_v: 12.0,
            energy_share: 1.0,
            open_circuit_share: 1.0,
        }
    }

    fn turning(turn_rad_s: f32, is_bumped: bool, drift_m_s: f32) -> f64 {
        let mut windows = Windows::default();
        for t in 0..400 {
            let truth = RobotTruth {
                turn_rad_s,
                is_bumped: is_bumped && t == 7,
                x_m: drift_m_s * 0.05 * t as f32,
                ..still()
            };
            windows.record(&truth, None, (0.05, 200));
        }
        windows.spinning as f64 / windows.count as f64
    }

    #[test]
    fn unit_bv_09_relief_of_boredom_by_spinning_shows_as_such() {
        let relief = |turn_rad_s: f32| {
            let mut windows = Windows::default();
            for t in 0..2_000_u32 {
                let truth = RobotTruth { turn_rad_s, x_m: 0.01 * t as f32, ..still() };
                let truth = if turn_rad_s > 0.0 { RobotTruth { x_m: 0.0, ..truth } } else { truth };
                // Boredom rises and is relieved every 5 s.
                windows.record(&truth, Some(t as f32 % 100.0 / 100.0), (0.05, 200));
            }
            assert!(windows.relief_all > 5.0);
            (
                windows.spinning as f64 / windows.count as f64,
                windows.relief_spinning / windows.relief_all,
            )
        };
        assert_eq!(relief(1.5), (1.0, 1.0));
        assert_eq!(relief(0.0), (0.0, 0.0));
    }

    #[test]
    fn unit_a_spin_is_round_and_on_the_spot_and_touches_nothing() {
        assert_eq!(turning(1.0, false, 0.0), 1.0);
        assert_eq!(turning(-1.0, false, 0.0), 1.0);
        assert_eq!(turning(0.9, false, 0.0), 0.0);
        assert_eq!(turning(1.0, false, 0.03), 0.0);
        assert_eq!(turning(1.0, true, 0.0), 0.5);
    }
}

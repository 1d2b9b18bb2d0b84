//! What is measured of a life, tick by tick, in bounded memory.
//!
//! Terms: *hungry* is an energy drive above 0 (for minds without one: a battery channel below
//! 0.65 without noise); *full* is a charge of at least the scenario's full share; *spinning* is
//! turning on the spot, the stereotypy of an under-stimulated creature.

use serde::{Deserialize, Serialize};
use tropism_body::Controller;
use tropism_core::{TimeStep, math};
use tropism_world::{RobotTruth, Room};

use crate::behaviour::{self, BEHAVIOURS, Behaviour, Chain};
use crate::habits::{HabitMeter, HabitRecord};
use crate::run::Robot;

/// Side of a cell of the coverage map, m.
pub const CELL_M: f32 = 0.10;
/// Energy level below which a mind without needs counts as hungry.
const HUNGRY_BELOW: f32 = 0.65;
/// Seconds of one window of the behaviour entropy.
const ENTROPY_WINDOW_S: f64 = 60.0;
/// Wheel command beyond which a wheel counts as turning.
const WHEEL_THRESHOLD: f32 = 0.1;

/// Measures of one life.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LifeRecord {
    /// Number of the life, from 0.
    pub life: u32,
    /// Ticks lived.
    pub ticks: u64,
    /// Hours lived.
    pub lifespan_h: f64,
    /// Ended by an empty battery; otherwise cut off by the cap.
    pub died: bool,
    /// Times that charging began.
    pub dockings: u64,
    /// Share of the time with closed contacts.
    pub docked_share: f64,
    /// Hours with a full battery.
    pub full_h: f64,
    /// Share of the time with a full battery that was spent docked.
    pub docked_when_full: Option<f64>,
    /// Share of the cells of the room that were visited.
    pub coverage: f64,
    /// Mean speed, m/s.
    pub speed_m_s: f64,
    /// Mean distance to the nearest contact while hungry, m.
    pub distance_hungry_m: Option<f64>,
    /// Mean distance to the nearest contact while not hungry, m.
    pub distance_sated_m: Option<f64>,
    /// Mean over windows of 60 s of the entropy of the two wheels' directions, bits.
    pub behaviour_entropy_bits: Option<f64>,
    /// Entropy of the time spent per cell, bits.
    pub visitation_entropy_bits: f64,
    /// Share of the time spent turning on the spot, in whatever direction.
    pub turning_share: f64,
    /// Share of the windows of 10 s away from a station with more than one full turn to one side
    /// within 0.25 m: stereotyped circling. `None` without such a window.
    pub circling_share: Option<f64>,
    /// Share of the time each drive was above 0, in the order of the needs.
    pub drive_shares: Vec<f64>,
    /// Mean fuzz.
    pub fuzz_mean: Option<f64>,
    /// Observed behaviour.
    pub behaviour: Chain,
    /// The module in control.
    pub module: Chain,
    /// Contingency entries at the end.
    pub contingencies: u64,
    /// Places at the end.
    pub places: u64,
    /// What the safety context would drive the wheels with on a bump, mean of both wheels.
    pub safety_push: Option<f64>,
    /// Mean speed in the second after a bump began, m/s.
    pub speed_after_bump_m_s: Option<f64>,
    /// Bumps that began.
    pub bumps: u64,
    /// Backing away after bumps, and spinning on the spot.
    pub habits: HabitRecord,
}

/// Where a robot has been, over all its lives.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// Lower left corner, m.
    pub origin_m: (f32, f32),
    /// Cells along x.
    pub columns: usize,
    /// Cells along y.
    pub rows: usize,
    /// Ticks spent per cell, row by row from the lower left.
    pub ticks: Vec<u32>,
}

impl Coverage {
    /// A map of a room, nothing visited yet.
    pub fn new(room: &Room) -> Self {
        let cells = |length: f32| (math::floor(length / CELL_M + 0.5) as usize).max(1);
        let (columns, rows) = (cells(room.max.x - room.min.x), cells(room.max.y - room.min.y));
        let origin_m = (room.min.x, room.min.y);
        Self { origin_m, columns, rows, ticks: vec![0; columns * rows] }
    }

    #[inline]
    pub(crate) fn cell(&self, x_m: f32, y_m: f32) -> usize {
        // `as` saturates: a position left of or below the room counts to the first cell.
        let index =
            |way_m: f32, count: usize| usize::from((way_m * (1.0 / CELL_M)) as u16).min(count - 1);
        let column = index(x_m - self.origin_m.0, self.columns);
        index(y_m - self.origin_m.1, self.rows) * self.columns + column
    }
}

/// Gathers the measures of one robot's lives.
#[derive(Clone, Debug)]
pub struct Meter {
    step: TimeStep,
    wheels: (usize, usize),
    full_share: f32,
    window_ticks: u32,
    /// Time per cell over all lives.
    pub coverage: Coverage,
    life: Vec<u32>,
    current: Counters,
    behaviour: Chain,
    module: Chain,
    habits: HabitMeter,
}

#[derive(Clone, Debug, Default)]
struct Counters {
    ticks: u64,
    was_charging: bool,
    dockings: u64,
    full: u64,
    full_docked: u64,
    speed: f64,
    hungry: u64,
    distance_hungry: f64,
    distance_sated: f64,
    drives: [u64; 6],
    fuzz: f64,
    window: [u32; 9],
    window_left: u32,
    entropy: f64,
    windows: u32,
}

impl Meter {
    /// A meter for a robot whose two drive channels are `wheels`.
    pub fn new(
        step: TimeStep,
        wheels: (usize, usize),
        room: &Room,
        full_share: f32,
        modules: usize,
    ) -> Self {
        let coverage = Coverage::new(room);
        let window_ticks = step.ticks_in(ENTROPY_WINDOW_S).max(1) as u32;
        let second_ticks = step.ticks_in(1.0).max(1) as u32;
        Self {
            step,
            wheels,
            full_share,
            window_ticks,
            life: vec![0; coverage.ticks.len()],
            coverage,
            current: Counters { window_left: window_ticks, ..Counters::default() },
            behaviour: Chain::new(BEHAVIOURS.len()),
            module: Chain::new(modules),
            habits: HabitMeter::new(wheels, step.seconds(), second_ticks),
        }
    }

    /// Starts another life.
    pub fn begin_life(&mut self) {
        // The charging flag carries over, as the contacts do.
        let was_charging = self.current.was_charging;
        self.current =
            Counters { window_left: self.window_ticks, was_charging, ..Counters::default() };
        self.life.fill(0);
        self.behaviour = Chain::new(self.behaviour.size());
        self.module = Chain::new(self.module.size());
        self.habits.begin_life();
    }

    /// One tick, after the world has moved.
    #[expect(clippy::inline_always, reason = "in its caller, half of the truth need not be found")]
    #[inline(always)]
    pub fn record(&mut self, truth: &RobotTruth, robot: &Robot) {
        let cell = self.coverage.cell(truth.x_m, truth.y_m);
        self.life[cell] += 1;
        let c = &mut self.current;
        c.ticks += 1;
        if truth.is_charging != c.was_charging {
            c.was_charging = truth.is_charging;
            c.dockings += u64::from(truth.is_charging);
        }
        if truth.soc >= self.full_share {
            c.full += 1;
            c.full_docked += u64::from(truth.is_docked);
        }
        let speed = math::abs(truth.speed_m_s);
        c.speed += f64::from(speed);
        let organism = robot.mind.organism();
        let is_hungry = match organism {
            Some(organism) => {
                let physiology = &organism.state().physiology;
                for (count, drive) in c.drives.iter_mut().zip(&physiology.drives) {
                    *count += u64::from(*drive > 0.0);
                }
                c.fuzz += f64::from(physiology.fuzz);
                physiology.drives[0] > 0.0
            }
            None => truth.energy_share < HUNGRY_BELOW,
        };
        let distance = f64::from(truth.distance_to_station_m);
        if is_hungry {
            c.hungry += 1;
            c.distance_hungry += distance;
        } else {
            c.distance_sated += distance;
        }
        self.behaviour.push(behaviour::observe(truth) as u8);
        self.module.push(robot.mind.controlling_module() as u8);
        self.habits.record(truth, organism);
        self.record_wheels(robot);
    }

    #[inline]
    fn record_wheels(&mut self, robot: &Robot) {
        let sign = |channel: usize| {
            let value = robot.actuators.value(channel);
            1 + usize::from(value > WHEEL_THRESHOLD) - usize::from(value < -WHEEL_THRESHOLD)
        };
        let c = &mut self.current;
        c.window[3 * sign(self.wheels.0) + sign(self.wheels.1)] += 1;
        c.window_left -= 1;
        if c.window_left == 0 {
            c.entropy += tropism_ethology::statistics::shannon_bits(&c.window.map(u64::from));
            c.windows += 1;
            c.window = [0; 9];
            c.window_left = self.window_ticks;
        }
    }

    /// Ends the life and gives its measures.
    pub fn end_life(&mut self, life: u32, died: bool, robot: &Robot) -> LifeRecord {
        use Behaviour::{Docked, SpinLeft, SpinRight};
        let c = &self.current;
        let ticks = c.ticks.max(1) as f64;
        let share = |count: u64| count as f64 / ticks;
        let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
        let visited = self.life.iter().filter(|t| **t > 0).count();
        let counts: Vec<u64> = self.life.iter().map(|t| u64::from(*t)).collect();
        let organism = robot.mind.organism();
        let behaviour = self.behaviour.ended();
        let spent = |kind: Behaviour| behaviour.ticks[kind as usize];
        let (bumps, speed_after_bump_m_s) = self.habits.bumps();
        for (total, life) in self.coverage.ticks.iter_mut().zip(&self.life) {
            *total = total.saturating_add(*life);
        }
        let hour_ticks = self.step.ticks_in(3600.0) as f64;
        LifeRecord {
            life,
            ticks: c.ticks,
            lifespan_h: c.ticks as f64 / hour_ticks,
            died,
            dockings: c.dockings,
            docked_share: share(spent(Docked)),
            full_h: c.full as f64 / hour_ticks,
            docked_when_full: (c.full > 0).then(|| c.full_docked as f64 / c.full as f64),
            coverage: visited as f64 / self.life.len() as f64,
            speed_m_s: c.speed / ticks,
            distance_hungry_m: mean(c.distance_hungry, c.hungry).filter(|d| d.is_finite()),
            distance_sated_m: mean(c.distance_sated, c.ticks - c.hungry).filter(|d| d.is_finite()),
            behaviour_entropy_bits: mean(c.entropy, u64::from(c.windows)),
            visitation_entropy_bits: tropism_ethology::statistics::shannon_bits(&counts),
            turning_share: share(spent(SpinLeft) + spent(SpinRight)),
            circling_share: self.habits.circling_share(),
            drive_shares: organism
                .map_or_else(Vec::new, |_| c.drives.iter().map(|d| share(*d)).collect()),
            fuzz_mean: organism.map(|_| c.fuzz / ticks),
            behaviour,
            module: self.module.ended(),
            contingencies: organism.map_or(0, |o| o.state().contingency.count() as u64),
            places: organism.map_or(0, |o| o.state().spatial.count() as u64),
            safety_push: organism.and_then(|o| crate::schema::safety_push(o, self.wheels)),
            speed_after_bump_m_s,
            bumps,
            habits: self.habits.end_life(organism),
        }
    }

    /// Ticks of the present life so far.
    pub const fn ticks(&self) -> u64 {
        self.current.ticks
    }
}

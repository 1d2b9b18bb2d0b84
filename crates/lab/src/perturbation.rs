//! How steady the needs are before and after something happens to the creature.
//!
//! Model: for each perturbation, the variance of each need over the minute before and over the
//! minute after, in one life.

use serde::{Deserialize, Serialize};
use tropism_core::TimeStep;
use tropism_organism::{NEEDS, Need};
use tropism_world::{Occurrence, OccurrenceKind};

/// Seconds before and after an event that are compared.
pub const WINDOW_S: f64 = 60.0;

/// Variances below this count as this when ratios are formed: a standard deviation of 0.0001.
pub const FLOOR: f64 = 1e-8;

/// Variances around one event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Perturbation {
    /// What happened.
    pub event: String,
    /// Life in which it happened.
    pub life: u32,
    /// Tick of that life.
    pub tick: u64,
    /// Variance of each need over the minute before.
    pub before: [f64; NEEDS],
    /// Variance of each need over the minute after, or until the life ended.
    pub after: [f64; NEEDS],
    /// Hours from the event to the end of the life.
    pub survived_h: f64,
}

/// Name of a kind of occurrence that counts as a perturbation.
pub fn name_of(kind: OccurrenceKind) -> Option<&'static str> {
    Some(match kind {
        OccurrenceKind::Shoved => "shove",
        OccurrenceKind::BatteryStepped => "battery step",
        OccurrenceKind::LightsOn => "lights on",
        OccurrenceKind::LightsOff => "lights off",
        OccurrenceKind::StationOn => "station on",
        OccurrenceKind::StationOff => "station off",
        OccurrenceKind::StationMoved => "station moved",
        OccurrenceKind::FieldSwitched => "field switched",
        _ => return None,
    })
}

/// Most perturbations kept of one run.
const KEPT: usize = 4_096;

/// Watches the needs around perturbations.
#[derive(Clone, Debug)]
pub struct PerturbationMeter {
    window: usize,
    ring: Vec<[f32; NEEDS]>,
    seen: usize,
    tick: u64,
    hour_ticks: f64,
    open: Vec<(Perturbation, Moments)>,
    closed: Vec<Perturbation>,
}

impl PerturbationMeter {
    /// A meter; its memory is one minute of needs.
    pub fn new(step: TimeStep) -> Self {
        let window = step.ticks_in(WINDOW_S).max(1) as usize;
        Self {
            window,
            ring: vec![[0.0; NEEDS]; window],
            seen: 0,
            tick: 0,
            hour_ticks: step.ticks_in(3600.0) as f64,
            open: Vec::new(),
            closed: Vec::new(),
        }
    }

    /// One tick of a robot: its needs, and what happened in the world.
    pub fn record(&mut self, life: u32, robot: usize, needs: &[f32; NEEDS], now: &[Occurrence]) {
        for (_, moments) in &mut self.open {
            if moments.count < self.window as u64 {
                moments.add(needs);
            }
        }
        for occurrence in now {
            let concerns = occurrence.robot.is_none_or(|r| usize::from(r) == robot);
            let Some(name) = name_of(occurrence.kind).filter(|_| concerns) else { continue };
            if self.open.len() + self.closed.len() >= KEPT {
                break;
            }
            let mut before = Moments::default();
            let known = self.seen.min(self.window);
            self.ring[..known].iter().for_each(|needs| before.add(needs));
            let event = name.to_owned();
            let (before, after) = (before.variances(), [0.0; NEEDS]);
            let tick = self.tick;
            let p = Perturbation { event, life, tick, before, after, survived_h: 0.0 };
            self.open.push((p, Moments::default()));
        }
        self.ring[self.seen % self.window] = *needs;
        self.seen += 1;
        self.tick += 1;
    }

    /// The life is over.
    pub fn end_life(&mut self) {
        for (mut perturbation, moments) in self.open.drain(..) {
            perturbation.after = moments.variances();
            perturbation.survived_h = (self.tick - perturbation.tick) as f64 / self.hour_ticks;
            self.closed.push(perturbation);
        }
        self.seen = 0;
        self.tick = 0;
    }

    /// Everything measured.
    pub fn into_perturbations(self) -> Vec<Perturbation> {
        self.closed
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    count: u64,
    mean: [f64; NEEDS],
    squares: [f64; NEEDS],
}

impl Moments {
    fn add(&mut self, needs: &[f32; NEEDS]) {
        self.count += 1;
        for ((mean, squares), need) in self.mean.iter_mut().zip(&mut self.squares).zip(needs) {
            let deviation = f64::from(*need) - *mean;
            *mean += deviation / self.count as f64;
            *squares += deviation * (f64::from(*need) - *mean);
        }
    }

    fn variances(&self) -> [f64; NEEDS] {
        self.squares.map(|s| if self.count > 1 { s / (self.count - 1) as f64 } else { 0.0 })
    }
}

/// Names of the needs, in the order of the variances.
pub fn need_names() -> [&'static str; NEEDS] {
    Need::ALL.map(Need::name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_a_shove_that_upsets_safety_shows_as_variance_after_it() {
        let mut meter = PerturbationMeter::new(TimeStep::TWENTIETH);
        let shove = Occurrence { kind: OccurrenceKind::Shoved, robot: Some(0), index: None };
        for t in 0..4_000 {
            let mut needs = [0.5; NEEDS];
            needs[2] = if t > 2_000 { 0.9 - 0.0005 * (t - 2_000) as f32 } else { 0.9 };
            let now = if t == 2_000 { &[shove][..] } else { &[] };
            meter.record(0, 0, &needs, now);
            meter.record_nothing_for_other_robot(t, shove);
        }
        meter.end_life();
        let found = meter.into_perturbations();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].before[2], found[0].tick), (0.0, 2_000));
        assert!(found[0].after[2] > 0.01 && found[0].after[0] == 0.0);
        assert!((found[0].survived_h - 2_000.0 / 72_000.0).abs() < 1e-9);
    }

    impl PerturbationMeter {
        /// An event of another robot opens nothing here.
        fn record_nothing_for_other_robot(&mut self, t: i32, shove: Occurrence) {
            if t == 1_000 {
                let other = Occurrence { robot: Some(7), ..shove };
                let before = self.open.len();
                let (tick, seen) = (self.tick, self.seen);
                self.record(0, 0, &[0.5; NEEDS], &[other]);
                (self.tick, self.seen) = (tick, seen);
                assert_eq!(self.open.len(), before);
            }
        }
    }
}

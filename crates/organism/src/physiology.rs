//! Needs, salience, habituation and the distance from comfort.
//!
//! Terms: a *need* is a slow variable in [0, 1] with a preferred band; its *drive* is the distance
//! from the band in band widths; the *homeostatic distance* is the sum of squared drives;
//! *salience* is the part of a change that a channel's own regularity does not explain; *startle*
//! is salience that has not been habituated to.
//!
//! Model, per channel with value v: d = |v − (v′ + Δv′)|, floor = 3·jitter + 0.005,
//! salient = max(0, d − floor). Per need: the linear equations of [`Physiology::update`].
//! Distance D = Σ drive² over all needs but curiosity.
//!
//! What it does not do: it knows no channel by meaning but the energy sensor.
//!
//! # Source
//! Keramati and Gutkin 2014 for drive reduction as reward with exponent 2; the reference engine for
//! the constants.

use tropism_body::MAX_SENSORS;
use tropism_core::math;

use crate::parameters::{DriveParameters, PhysiologyParameters};
use crate::senses::Senses;

/// Number of needs.
pub const NEEDS: usize = 6;

/// A need, in the order of contexts and codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Resource level.
    Energy,
    /// Exertion that has not been rested off.
    Fatigue,
    /// Absence of startle.
    Safety,
    /// Recent salient change.
    Arousal,
    /// Recent prediction error.
    Curiosity,
    /// Absence of more than usual change.
    Boredom,
}

impl Need {
    /// All needs in order.
    pub const ALL: [Self; NEEDS] =
        [Self::Energy, Self::Fatigue, Self::Safety, Self::Arousal, Self::Curiosity, Self::Boredom];

    /// Name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Energy => "energy",
            Self::Fatigue => "fatigue",
            Self::Safety => "safety",
            Self::Arousal => "arousal",
            Self::Curiosity => "curiosity",
            Self::Boredom => "boredom",
        }
    }
}

/// Values at the start of a life, in the order of [`Need::ALL`].
pub const AT_BIRTH: [f32; NEEDS] = [0.7, 0.1, 0.9, 0.3, 0.3, 0.0];

/// The slow variables and what the senses have taught them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Physiology {
    /// Needs in [0, 1].
    pub values: [f32; NEEDS],
    /// Drives of the needs, in band widths.
    pub drives: [f32; NEEDS],
    /// Homeostatic distance D.
    pub distance: f32,
    /// Scale of exploration.
    pub fuzz: f32,
    /// Mean salience over the channels at this tick.
    pub activity: f32,
    /// Largest startle at this tick.
    pub spike: f32,
    /// Usual activity.
    pub activity_average: f32,
    /// Level of each channel at the tick before.
    pub previous: [f32; MAX_SENSORS],
    /// Change of each channel at the tick before.
    pub velocity: [f32; MAX_SENSORS],
    /// Learned jitter of each channel.
    pub jitter: [f32; MAX_SENSORS],
    /// Habituation of each channel in [0, 1].
    pub habituation: [f32; MAX_SENSORS],
    /// Channels with a previous level, as bits.
    pub has_previous: u16,
}

impl Default for Physiology {
    fn default() -> Self {
        Self {
            values: AT_BIRTH,
            drives: [0.0; NEEDS],
            distance: 0.0,
            fuzz: 0.03,
            activity: 0.0,
            spike: 0.0,
            activity_average: 0.0,
            previous: [0.0; MAX_SENSORS],
            velocity: [0.0; MAX_SENSORS],
            jitter: [0.0; MAX_SENSORS],
            habituation: [0.0; MAX_SENSORS],
            has_previous: 0,
        }
    }
}

/// What the physiology reacts to at one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strain {
    /// Level of the energy sensor; `None` without a link or while it cannot be trusted: then the
    /// modelled drain and regain stand in.
    pub energy_level: Option<f32>,
    /// Exertion of all actuators.
    pub cost: f32,
    /// Prediction error of the tick before, in [0, 1].
    pub surprise: f32,
}

/// Switches of the physiology.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhysiologyMode {
    /// False: plain change counts as activity and relieves boredom against a fixed scale. Startle
    /// keeps its expectations, or noise alone would frighten.
    pub is_adapting: bool,
    /// True: every drive stays 0.
    pub is_flattened: bool,
}

impl Physiology {
    /// A new life in the same body: needs start over, what the senses have learned stays.
    pub fn begin_life(&mut self) {
        self.values = AT_BIRTH;
        self.has_previous = 0;
    }

    /// One tick.
    pub fn update(
        &mut self,
        (p, bands): (&PhysiologyParameters, &DriveParameters),
        mode: PhysiologyMode,
        dt_s: f32,
        senses: &Senses,
        strain: Strain,
    ) {
        if mode.is_adapting {
            self.feel(p, dt_s, senses);
        } else {
            let raw_activity = self.raw_activity(p, senses);
            self.feel(p, dt_s, senses);
            self.activity = raw_activity;
        }
        self.integrate(p, mode, dt_s, strain);
        self.press(bands, mode.is_flattened);
    }

    fn feel(&mut self, p: &PhysiologyParameters, dt_s: f32, senses: &Senses) {
        let (mut total, mut spike) = (0.0, 0.0);
        let share = dt_s / p.jitter_s;
        for i in 0..senses.count.min(MAX_SENSORS) {
            let value = senses.levels[i];
            let bit = 1 << i;
            if !senses.is_valid(i) {
                self.has_previous &= !bit;
                continue;
            }
            if self.has_previous & bit != 0 {
                let distance = math::abs(value - (self.previous[i] + self.velocity[i]));
                self.velocity[i] = value - self.previous[i];
                let floor = p.jitter_multiple * self.jitter[i] + p.salience_floor;
                let mut habituation = self.habituation[i];
                if distance > floor {
                    let salient = distance - floor;
                    total += salient;
                    let startle = salient * (1.0 - habituation);
                    spike = if startle > spike { startle } else { spike };
                    habituation += p.habituation_gain * (1.0 - habituation);
                }
                self.habituation[i] = habituation - habituation * dt_s / p.habituation_recovery_s;
                let bounded = if distance < 2.0 * floor { distance } else { 2.0 * floor };
                self.jitter[i] += share * (bounded - self.jitter[i]);
            }
            self.previous[i] = value;
            self.has_previous |= bit;
        }
        self.spike = spike;
        self.activity = if senses.count == 0 { 0.0 } else { total / senses.count as f32 };
    }

    /// Mean change over the channels beyond a fixed floor: activity as it would be without
    /// extrapolation, learned jitter and habituation.
    fn raw_activity(&self, p: &PhysiologyParameters, senses: &Senses) -> f32 {
        let mut total = 0.0;
        for i in 0..senses.count.min(MAX_SENSORS) {
            if senses.is_valid(i) && self.has_previous & (1 << i) != 0 {
                let change = math::abs(senses.levels[i] - self.previous[i]) - p.unadapted_floor;
                total += if change > 0.0 { change } else { 0.0 };
            }
        }
        if senses.count == 0 { 0.0 } else { total / senses.count as f32 }
    }

    fn integrate(&mut self, p: &PhysiologyParameters, mode: PhysiologyMode, dt: f32, s: Strain) {
        let [mut energy, mut fatigue, mut safety, mut arousal, mut curiosity, mut boredom] =
            self.values;
        energy += match s.energy_level {
            Some(level) => p.energy_follow * (level - energy) * dt,
            None => (p.energy_regain - p.energy_drain * s.cost) * dt,
        };
        fatigue += (p.fatigue_gain * s.cost * (1.0 - fatigue) - p.fatigue_recovery * fatigue) * dt;
        safety += (p.safety_recovery * (1.0 - safety) - p.safety_startle * self.spike) * dt;
        arousal += (p.arousal_gain * self.activity - p.arousal_decay * arousal) * dt;
        curiosity += (p.curiosity_gain * s.surprise - p.curiosity_decay * curiosity) * dt;
        let usual = if mode.is_adapting {
            self.activity_average +=
                (self.activity - self.activity_average) * (dt / p.activity_average_s);
            self.activity_average + 1e-4
        } else {
            p.unadapted_activity
        };
        let relative = math::clamp(self.activity / usual, 0.0, p.relative_activity_max);
        boredom += (p.boredom_gain * (1.0 - boredom) - p.boredom_relief * relative * boredom) * dt;
        self.values = [energy, fatigue, safety, arousal, curiosity, boredom].map(math::unit);
    }

    /// Drives, distance and fuzz from the needs as they stand.
    pub fn press(&mut self, b: &DriveParameters, is_flattened: bool) {
        let [energy, fatigue, safety, arousal, curiosity, boredom] = self.values;
        self.drives = if is_flattened {
            [0.0; NEEDS]
        } else {
            [
                deviation(energy, b.energy_low, b.energy_high),
                deviation(fatigue, 0.0, b.fatigue_high),
                deviation(safety, b.safety_low, 1.0),
                deviation(arousal, 0.0, b.arousal_high),
                curiosity,
                deviation(boredom, 0.0, b.boredom_high),
            ]
        };
        let d = &self.drives;
        self.distance = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[3] * d[3] + d[5] * d[5];
        let fuzz = b.fuzz_curiosity * d[4] + b.fuzz_boredom * d[5] + b.fuzz_energy * d[0]
            - b.fuzz_safety * d[2];
        self.fuzz = math::clamp(fuzz, b.fuzz_min, b.fuzz_max);
    }

    /// Drive of one need.
    pub fn drive(&self, need: Need) -> f32 {
        self.drives[need as usize]
    }

    /// Which needs are at or above one half, as bits in the order of [`Need::ALL`].
    #[inline]
    pub fn context(&self) -> u8 {
        let bits = self.values.iter().enumerate().map(|(i, v)| u8::from(*v >= 0.5) << i);
        bits.fold(0, |context, bit| context | bit)
    }
}

/// Distance of a value outside [lo, hi] in widths of the band.
#[inline]
fn deviation(value: f32, lo: f32, hi: f32) -> f32 {
    let width = hi - lo + 1e-6;
    if value < lo {
        (lo - value) / width
    } else if value > hi {
        (value - hi) / width
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(physiology: &mut Physiology, levels: &[f32], valid: u16, is_adapting: bool) {
        let mut senses = Senses::new(levels.len());
        senses.levels[..levels.len()].copy_from_slice(levels);
        senses.valid = valid;
        let strain = Strain { energy_level: Some(0.8), cost: 0.0, surprise: 0.0 };
        let parameters = (&PhysiologyParameters::default(), &DriveParameters::default());
        let mode = PhysiologyMode { is_adapting, is_flattened: false };
        physiology.update(parameters, mode, 0.05, &senses, strain);
    }

    #[test]
    fn unit_a_steady_slope_is_no_event_and_a_jump_is() {
        let mut physiology = Physiology::default();
        for t in 0..50 {
            tick(&mut physiology, &[0.01 * t as f32], 1, true);
        }
        assert_eq!(physiology.activity, 0.0);
        tick(&mut physiology, &[0.9], 1, true);
        assert!(physiology.spike > 0.2);
        let unadapted = &mut Physiology::default();
        for t in 0..20 {
            tick(unadapted, &[0.05 * t as f32], 1, false);
        }
        assert!(unadapted.activity > 0.02);
    }

    #[test]
    fn unit_a_repeated_jolt_startles_less_and_less() {
        let mut physiology = Physiology::default();
        let mut spikes = [0.0; 4];
        for spike in &mut spikes {
            for _ in 0..40 {
                tick(&mut physiology, &[0.0], 1, true);
            }
            tick(&mut physiology, &[1.0], 1, true);
            *spike = physiology.spike;
        }
        assert!(spikes.windows(2).all(|w| w[1] < w[0]), "{spikes:?}");
    }

    #[test]
    fn unit_a_channel_that_falls_silent_and_returns_startles_nobody() {
        let mut physiology = Physiology::default();
        for _ in 0..20 {
            tick(&mut physiology, &[0.2], 1, true);
        }
        tick(&mut physiology, &[0.2], 0, true);
        tick(&mut physiology, &[0.9], 1, true);
        assert_eq!((physiology.spike, physiology.activity), (0.0, 0.0));
    }

    #[test]
    fn prop_needs_stay_in_their_range_whatever_comes() {
        let mut draws = tropism_core::Seed(5)
            .stream(tropism_core::Purpose::named("t"), 0, 0)
            .at(tropism_core::Tick(0));
        let mut physiology = Physiology::default();
        for _ in 0..20_000 {
            let levels = [draws.uniform(), draws.uniform(), draws.uniform()];
            tick(&mut physiology, &levels, draws.next_u32() as u16, draws.chance(1, 2));
            assert!(physiology.values.iter().all(|v| (0.0..=1.0).contains(v)));
            assert!(physiology.drives.iter().all(|d| *d >= 0.0 && d.is_finite()));
            assert!((0.05..=0.8).contains(&physiology.fuzz));
        }
    }
}

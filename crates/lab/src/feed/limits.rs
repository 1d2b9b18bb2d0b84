//! The band of every internal value.
//!
//! Terms: a *band* is the range that a value can take by the model's own equations and parameters,
//! whatever the senses deliver; a value outside it is a fault of the program.
//!
//! What it does not do: it judges no behaviour. `in_*` may be NaN, which says that the channel had
//! no trusted value; any other NaN is outside.

use tropism_body::BodySpec;
use tropism_organism::parameters::OrganismParameters;
use tropism_organism::physiology::{NEEDS, Need};
use tropism_organism::{Organism, contingency, reflex, spatial};

/// A closed range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Lowest value.
    pub low: f64,
    /// Highest value.
    pub high: f64,
    /// NaN stands for a reading that could not be trusted.
    pub may_be_nan: bool,
}

impl Band {
    const fn new(low: f64, high: f64) -> Self {
        Self { low, high, may_be_nan: false }
    }

    const fn around_zero(size: f64) -> Self {
        Self::new(-size, size)
    }

    /// True for a value inside; single precision may miss an end by rounding.
    pub fn holds(&self, value: f64) -> bool {
        let slack = 1e-5 * (1.0 + self.low.abs().max(self.high.abs()).min(1e6));
        if value.is_nan() {
            self.may_be_nan
        } else {
            value >= self.low - slack && value <= self.high + slack
        }
    }
}

/// What the bands follow from.
#[derive(Clone, Debug)]
pub struct Limits {
    body: BodySpec,
    parameters: OrganismParameters,
    /// Largest drive of each need.
    drives: [f64; NEEDS],
    /// Largest homeostatic distance.
    distance: f64,
    connections: f64,
}

/// Largest change that a level can make against its extrapolation: from 0 to an expected 2.
const DEVIATION_MAX: f64 = 2.0;

impl Limits {
    /// Limits of an organism.
    pub fn new(organism: &Organism) -> Self {
        let parameters = organism.config().parameters;
        let b = &parameters.drives;
        let outside = |low: f32, high: f32| {
            let (low, high) = (f64::from(low), f64::from(high));
            low.max(1.0 - high) / (high - low + 1e-6)
        };
        let drives = [
            outside(b.energy_low, b.energy_high),
            outside(0.0, b.fatigue_high),
            outside(b.safety_low, 1.0),
            outside(0.0, b.arousal_high),
            1.0,
            outside(0.0, b.boredom_high),
        ];
        let curiosity = Need::Curiosity as usize;
        let squares = drives.iter().enumerate().filter(|d| d.0 != curiosity).map(|d| d.1 * d.1);
        let body = *organism.body();
        let inputs = (body.sensors.len() + 1) as f64;
        let connections = inputs * body.actuators.len() as f64 * reflex::CONTEXTS as f64;
        Self { body, parameters, drives, distance: squares.sum(), connections }
    }

    /// Band of a value by the name and channel that an organism shows it under.
    pub fn band(&self, name: &str, channel: Option<&str>) -> Band {
        let p = &self.parameters;
        let places = |n: usize| fourth_power(n) - 1.0;
        let need = channel.and_then(|c| Need::ALL.into_iter().find(|need| need.name() == c));
        let largest = self.drives.iter().copied().fold(0.0, f64::max);
        let weight = f64::from(p.reflex.weight_max);
        let inputs = (self.body.sensors.len() + 1) as f64;
        match name {
            "in" => Band { may_be_nan: true, ..Band::new(0.0, 1.0) },
            "act" | "target" => self.actuator(channel),
            "cost" => Band::new(0.0, f64::from(self.body.cost_max())),
            "activity" | "spike" | "activity_avg" | "jit" => Band::new(0.0, DEVIATION_MAX),
            "h" | "hab" | "surprise" | "bias_conf" | "mean" | "bias_found" => Band::new(0.0, 1.0),
            "d" => Band::new(0.0, need.map_or(largest, |need| self.drives[need as usize])),
            "total_drive" => Band::new(0.0, self.distance),
            "fuzz" => Band::new(p.drives.fuzz_min.into(), p.drives.fuzz_max.into()),
            "action_code" | "bias_action" => Band::new(0.0, places(self.body.actuators.len())),
            "sensor_code" | "place_sig" | "best_sig" => {
                Band::new(0.0, places(self.body.sensors.len()))
            }
            "ctx" => Band::new(0.0, 63.0),
            "drive_delta" | "rew_mean" => Band::around_zero(self.distance),
            "rew_var" => Band::new(0.0, 4.0 * self.distance * self.distance),
            "cm_slot" => Band::new(-1.0, contingency::SLOTS as f64 - 1.0),
            "cm_count" | "cm_strength_sum" => Band::new(0.0, contingency::SLOTS as f64),
            "sp_count" => Band::new(0.0, spatial::SLOTS as f64),
            "best_score" => Band::around_zero(self.drives.iter().map(|drive| drive * drive).sum()),
            "sp_visits_here" => Band::new(0.0, f64::from(u32::MAX)),
            "sp_imp_energy_here" => Band::around_zero(self.drives[Need::Energy as usize]),
            "advantage" => Band::around_zero(p.reflex.advantage_max.into()),
            "reflex" => Band::around_zero(reflex::CONTEXTS as f64 * inputs * weight),
            "w_abs_sum" => Band::new(0.0, self.connections * weight),
            "w" => Band::around_zero(weight),
            "e_abs_sum" => Band::new(0.0, f64::from(f32::MAX)),
            "keep" => Band::new(1.0 - f64::from(p.action.rest_gain), 1.0),
            "nudge" => Band::around_zero(p.spatial.nudge_max.into()),
            "bias" => Band::around_zero(self.span(channel) * f64::from(p.action.bias_gain)),
            _ => Band::around_zero(f64::from(f32::MAX)),
        }
    }

    fn actuator(&self, channel: Option<&str>) -> Band {
        let spec = channel.and_then(|c| self.body.actuator(c)).map(|j| self.body.actuators[j]);
        spec.map_or(Band::around_zero(0.0), |spec| Band::new(spec.min.into(), spec.max.into()))
    }

    fn span(&self, channel: Option<&str>) -> f64 {
        let band = self.actuator(channel);
        band.high - band.low
    }

    /// Values inside the memories that are outside their bands: strengths, reflex weights and
    /// place improvements, one by one.
    pub fn hidden_violations(&self, organism: &Organism) -> [u64; 3] {
        let state = organism.state();
        let memory = &state.contingency;
        let strengths = memory.slots().filter_map(|slot| memory.entry(slot));
        let strengths = strengths.filter(|e| !(0.0..=1.0).contains(&e.strength)).count();
        let weight = self.band("w", None);
        let mut weights = 0;
        for context in 0..reflex::CONTEXTS {
            for input in 0..state.reflex.inputs() {
                for output in 0..state.reflex.outputs() {
                    let value = state.reflex.weight(context, input, output);
                    weights += u64::from(!weight.holds(value.into()));
                }
            }
        }
        let places = (0..spatial::SLOTS).filter_map(|slot| state.spatial.place(slot));
        let improvements = places.flat_map(|place| {
            place
                .improvement
                .into_iter()
                .zip(self.drives)
                .map(|(value, most)| !Band::around_zero(most).holds(value.into()))
        });
        let improvements = improvements.filter(|is_outside| *is_outside).count();
        [strengths as u64, weights, improvements as u64]
    }
}

/// Names of what [`Limits::hidden_violations`] counts.
pub(super) const HIDDEN: [&str; 3] =
    ["strength of a contingency", "weight of a reflex", "improvement of a place"];

/// 4ⁿ, the number of codes of n channels with two bits each.
fn fourth_power(n: usize) -> f64 {
    (0..n).fold(1.0, |product, _| product * 4.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism_body::presets;
    use tropism_core::{Seed, TimeStep};
    use tropism_organism::OrganismConfig;

    #[test]
    fn unit_bands_follow_from_the_parameters() {
        let body = presets::reference_simulator();
        let config = OrganismConfig::default();
        let organism = Organism::new(&body, TimeStep::TWENTIETH, config, Seed(1), 0);
        let limits = Limits::new(&organism);
        let energy = limits.band("d", Some("energy"));
        assert!((energy.high - 0.65 / 0.35).abs() < 1e-3 && energy.holds(0.0));
        assert!(!energy.holds(2.0) && !energy.holds(f64::NAN));
        assert!(limits.band("in", Some("mic")).holds(f64::NAN));
        let led = limits.band("target", Some("led"));
        assert!(!led.holds(-0.1) && led.holds(1.0));
        assert!(!limits.band("fuzz", None).holds(0.0));
        assert!(!limits.band("something_new", None).holds(f64::INFINITY));
        assert!(limits.band("place_sig", None).holds(16_383.0));
        assert!(!limits.band("place_sig", None).holds(16_385.0));
        assert_eq!(limits.hidden_violations(&organism), [0, 0, 0]);
    }
}

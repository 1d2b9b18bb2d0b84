//! Learned reflexes: a linear map from sensors to actuators, shaped by relief alone.
//!
//! Terms: a *context* is one such map, gated by a drive (the first is always on); an *eligibility
//! trace* remembers which exploration met which input; the *advantage* is the reward relative to
//! its own running mean and deviation.
//!
//! Model, with inputs x (level minus its running mean, and a constant 1), exploration ξ, gate g,
//! advantage A:
//! ```text
//! e   <- λ·e + (1-λ)·g·x·ξ
//! w   <- clamp((w + η·A·e)·(1 - δ·dt), ±w_max)
//! u_j  = Σ_k g_k Σ_i w_kij·x_i
//! ```
//!
//! What it does not do: no hidden layer, no model of the world, no target values.
//!
//! # Source
//! Williams 1992 (REINFORCE); Fiete and Seung 2006 (node perturbation); the reference engine for
//! the constants and the order learn, propose, record.

use tropism_body::{MAX_ACTUATORS, MAX_SENSORS};
use tropism_core::math;

use crate::parameters::ReflexParameters;
use crate::physiology::{NEEDS, Need};
use crate::senses::Senses;

/// Number of contexts: one that is always on, one per need.
pub const CONTEXTS: usize = NEEDS + 1;
/// Inputs at full capacity: every sensor and a constant.
pub const INPUTS_MAX: usize = MAX_SENSORS + 1;
const LENGTH: usize = CONTEXTS * INPUTS_MAX * MAX_ACTUATORS;
/// Connections that learn at a time.
const LANES: usize = 8;

/// A number for every connection, laid out so that whole registers can be read from memory.
#[derive(Clone, Copy, PartialEq)]
#[repr(align(16))]
struct Cells([f32; LENGTH]);

/// One connection of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Connection {
    /// Context: 0 always, 1.. the needs in order.
    pub context: u8,
    /// Input: a sensor, or the number of sensors for the constant.
    pub input: u8,
    /// Actuator.
    pub output: u8,
    /// Weight.
    pub weight: f32,
}

/// The maps and what they learn from.
#[derive(Clone, Copy, PartialEq)]
pub struct Reflex {
    inputs: usize,
    outputs: usize,
    weights: Cells,
    traces: Cells,
    /// Running mean of each sensor level.
    pub means: [f32; MAX_SENSORS],
    /// Inputs of the last proposal.
    pub x: [f32; INPUTS_MAX],
    /// Gates of the last proposal.
    pub gates: [f32; CONTEXTS],
    /// Running mean of the reward.
    pub reward_mean: f32,
    /// Running variance of the reward.
    pub reward_variance: f32,
    /// Last advantage.
    pub advantage: f32,
    /// Homeostatic distance at the last learning step.
    pub previous_distance: f32,
    /// False until the first learning step.
    pub has_previous: bool,
}

impl core::fmt::Debug for Reflex {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Reflex")
            .field("inputs", &self.inputs)
            .field("outputs", &self.outputs)
            .field("advantage", &self.advantage)
            .finish_non_exhaustive()
    }
}

impl Reflex {
    /// Empty maps for a body. Input means start at the level given (0 in the reference).
    pub fn new(sensors: usize, actuators: usize, mean_at_birth: f32) -> Self {
        Self {
            inputs: sensors.min(MAX_SENSORS) + 1,
            outputs: actuators.min(MAX_ACTUATORS),
            weights: Cells([0.0; LENGTH]),
            traces: Cells([0.0; LENGTH]),
            means: [mean_at_birth; MAX_SENSORS],
            x: [0.0; INPUTS_MAX],
            gates: [0.0; CONTEXTS],
            reward_mean: 0.0,
            reward_variance: 1e-6,
            advantage: 0.0,
            previous_distance: 0.0,
            has_previous: false,
        }
    }

    /// Forgets all connections and traces.
    pub fn clear(&mut self) {
        self.weights.0.fill(0.0);
        self.traces.0.fill(0.0);
    }

    /// Number of inputs, the constant included.
    pub const fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of outputs.
    pub const fn outputs(&self) -> usize {
        self.outputs
    }

    const fn length(&self) -> usize {
        CONTEXTS * self.inputs * self.outputs
    }

    const fn index(&self, context: usize, input: usize, output: usize) -> usize {
        (context * self.inputs + input) * self.outputs + output
    }

    /// Learns from the fall of the homeostatic distance since the last call.
    pub fn learn(&mut self, p: &ReflexParameters, dt_s: f32, distance: f32, is_plastic: bool) {
        if !self.has_previous {
            self.previous_distance = distance;
            self.has_previous = true;
            return;
        }
        let reward = self.previous_distance - distance;
        self.previous_distance = distance;
        let share = dt_s / p.reward_s;
        let deviation = reward - self.reward_mean;
        self.reward_mean += share * deviation;
        self.reward_variance += share * (deviation * deviation - self.reward_variance);
        let sd = math::sqrt(self.reward_variance);
        let sd = if sd > p.reward_sd_min { sd } else { p.reward_sd_min };
        self.advantage = math::clamp(deviation / sd, -p.advantage_max, p.advantage_max);
        if is_plastic {
            let rate = p.learn_rate * self.advantage;
            let keep = 1.0 - p.weight_decay * dt_s;
            let limit = p.weight_max;
            // Whole groups: the cells beyond the last connection are 0 and stay so.
            let length = self.length().next_multiple_of(LANES).min(LENGTH);
            for (w, e) in self.weights.0[..length].iter_mut().zip(&self.traces.0[..length]) {
                let moved = (*w + rate * e) * keep;
                let below = if moved < limit { moved } else { limit };
                *w = if below > -limit { below } else { -limit };
            }
        }
    }

    /// Takes the inputs and gates of a tick and proposes an activation per actuator.
    pub fn propose(
        &mut self,
        p: &ReflexParameters,
        dt_s: f32,
        senses: &Senses,
        drives: &[f32; NEEDS],
    ) -> [f32; MAX_ACTUATORS] {
        let share = dt_s / p.input_mean_s;
        for i in 0..self.inputs - 1 {
            self.x[i] = if senses.is_valid(i) {
                self.means[i] += share * (senses.levels[i] - self.means[i]);
                senses.levels[i] - self.means[i]
            } else {
                0.0
            };
        }
        self.x[self.inputs - 1] = 1.0;
        self.gates[0] = p.always_gate;
        for (gate, drive) in self.gates[1..].iter_mut().zip(drives) {
            *gate = math::unit(p.drive_gate_gain * drive);
        }
        let curiosity = Need::Curiosity as usize;
        self.gates[1 + curiosity] = math::unit(drives[curiosity]) * p.curiosity_gate;
        match self.outputs {
            0..=4 => self.activate::<4>(),
            5..=8 => self.activate::<8>(),
            _ => self.activate::<MAX_ACTUATORS>(),
        }
    }

    /// The maps applied to the inputs. A row is read `WIDTH` cells at a time: those beyond it
    /// belong to the next one, and their sums are dropped.
    #[inline]
    fn activate<const WIDTH: usize>(&self) -> [f32; MAX_ACTUATORS] {
        let mut sums = [0.0; WIDTH];
        for (context, gate) in self.gates.iter().enumerate() {
            if *gate == 0.0 {
                continue;
            }
            let mut rest = &self.weights.0[self.index(context, 0, 0)..];
            for x in &self.x[..self.inputs] {
                let Some(row) = rest.first_chunk::<WIDTH>() else { break };
                let gated = gate * x;
                for (u, w) in sums.iter_mut().zip(row) {
                    *u += gated * w;
                }
                rest = rest.get(self.outputs..).unwrap_or_default();
            }
        }
        let mut activation = [0.0; MAX_ACTUATORS];
        let outputs = self.outputs.min(WIDTH);
        activation[..outputs].copy_from_slice(&sums[..outputs]);
        activation
    }

    /// Remembers the exploration that was added to the last proposal. `keep` is λ = exp(−dt/τ).
    pub fn record(&mut self, keep: f32, taken: &[f32; MAX_ACTUATORS]) {
        let n = self.inputs * self.outputs;
        if n == 0 {
            return;
        }
        let mut outer = [0.0; INPUTS_MAX * MAX_ACTUATORS];
        match self.outputs {
            0..=4 => self.explored::<4>(taken, &mut outer),
            5..=8 => self.explored::<8>(taken, &mut outer),
            _ => self.explored::<MAX_ACTUATORS>(taken, &mut outer),
        }
        for (traces, gate) in self.traces.0[..CONTEXTS * n].chunks_exact_mut(n).zip(self.gates) {
            if gate == 0.0 {
                for trace in traces {
                    *trace *= keep;
                }
                continue;
            }
            let fresh = (1.0 - keep) * gate;
            for (trace, cell) in traces.iter_mut().zip(&outer[..n]) {
                *trace = keep * *trace + fresh * cell;
            }
        }
    }

    /// Products of inputs and explorations. A row is written `WIDTH` cells at a time: those beyond
    /// it are written again by the next one.
    #[inline]
    fn explored<const WIDTH: usize>(
        &self,
        taken: &[f32; MAX_ACTUATORS],
        outer: &mut [f32; INPUTS_MAX * MAX_ACTUATORS],
    ) {
        let Some(taken) = taken.first_chunk::<WIDTH>() else { return };
        let mut rest = outer.as_mut_slice();
        for x in &self.x[..self.inputs] {
            let Some(row) = rest.first_chunk_mut::<WIDTH>() else { return };
            *row = taken.map(|taken| x * taken);
            rest = rest.get_mut(self.outputs..).unwrap_or_default();
        }
    }

    /// Weight of a connection; 0 for one that does not exist.
    pub fn weight(&self, context: usize, input: usize, output: usize) -> f32 {
        self.cell(&self.weights.0, context, input, output)
    }

    /// Eligibility of a connection; 0 for one that does not exist.
    pub fn trace(&self, context: usize, input: usize, output: usize) -> f32 {
        self.cell(&self.traces.0, context, input, output)
    }

    fn cell(&self, of: &[f32; LENGTH], context: usize, input: usize, output: usize) -> f32 {
        if context < CONTEXTS && input < self.inputs && output < self.outputs {
            of[self.index(context, input, output)]
        } else {
            0.0
        }
    }

    /// Sets a weight.
    pub fn set_weight(&mut self, c: Connection) {
        let (context, input, output) = (c.context.into(), c.input.into(), c.output.into());
        if context < CONTEXTS && input < self.inputs && output < self.outputs {
            self.weights.0[self.index(context, input, output)] = c.weight;
        }
    }

    /// Sets an eligibility trace.
    pub fn set_trace(&mut self, c: Connection) {
        let (context, input, output) = (c.context.into(), c.input.into(), c.output.into());
        if context < CONTEXTS && input < self.inputs && output < self.outputs {
            self.traces.0[self.index(context, input, output)] = c.weight;
        }
    }

    /// Sum of |weight| and of |trace| over all connections.
    pub fn magnitudes(&self) -> (f32, f32) {
        let sum = |of: &[f32]| of.iter().map(|v| math::abs(*v)).sum();
        (sum(&self.weights.0[..self.length()]), sum(&self.traces.0[..self.length()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_exploration_that_was_followed_by_relief_becomes_a_reflex() {
        let p = ReflexParameters::default();
        let mut reflex = Reflex::new(1, 2, 0.0);
        let mut senses = Senses::new(1);
        (senses.valid, senses.levels[0]) = (1, 0.0);
        let mut distance = 1.0;
        let mut draws = tropism_core::Seed(1)
            .stream(tropism_core::Purpose::named("t"), 0, 0)
            .at(tropism_core::Tick(0));
        for _ in 0..20_000 {
            reflex.learn(&p, 0.05, distance, true);
            let _ = reflex.propose(&p, 0.05, &senses, &[0.0; NEEDS]);
            let mut taken = [0.0; MAX_ACTUATORS];
            taken[0] = draws.signed_uniform();
            taken[1] = draws.signed_uniform();
            reflex.record(0.983, &taken);
            distance -= 0.01 * taken[0];
        }
        assert!(reflex.weight(0, 1, 0) > 0.05, "{}", reflex.weight(0, 1, 0));
        assert!(reflex.weight(0, 1, 0) > 3.0 * math::abs(reflex.weight(0, 1, 1)));
    }

    #[test]
    fn prop_weights_stay_within_their_limit_under_any_reward() {
        let p = ReflexParameters { learn_rate: 10.0, ..ReflexParameters::default() };
        let mut reflex = Reflex::new(3, 3, 0.0);
        let mut senses = Senses::new(3);
        let mut draws = tropism_core::Seed(2)
            .stream(tropism_core::Purpose::named("t"), 0, 0)
            .at(tropism_core::Tick(0));
        for _ in 0..3_000 {
            senses.valid = draws.below(8) as u16;
            senses.levels[0] = draws.uniform();
            reflex.learn(&p, 0.05, draws.between(0.0, 20.0), true);
            let drives = [draws.uniform(); NEEDS];
            let u = reflex.propose(&p, 0.05, &senses, &drives);
            assert!(u.iter().all(|u| u.is_finite()));
            reflex.record(0.983, &[draws.signed_uniform(); MAX_ACTUATORS]);
        }
        for context in 0..CONTEXTS {
            for input in 0..4 {
                assert!(math::abs(reflex.weight(context, input, 2)) <= p.weight_max);
            }
        }
    }

    #[test]
    fn unit_a_channel_without_a_trusted_value_is_no_deviation() {
        let p = ReflexParameters::default();
        let mut reflex = Reflex::new(1, 1, 0.0);
        reflex.set_weight(Connection { context: 0, input: 0, output: 0, weight: 1.0 });
        let mut senses = Senses::new(1);
        senses.levels[0] = 0.9;
        let silent = reflex.propose(&p, 0.05, &senses, &[0.0; NEEDS]);
        assert_eq!((silent[0], reflex.means[0]), (0.0, 0.0));
        senses.valid = 1;
        assert!(reflex.propose(&p, 0.05, &senses, &[0.0; NEEDS])[0] > 0.8);
    }
}

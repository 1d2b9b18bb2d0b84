//! Every number of the organism, declared once.

tropism_core::parameters! {
    /// Needs, salience and habituation.
    pub struct PhysiologyParameters {
        /// How fast energy follows the energy sensor.
        energy_follow: "1/s", 0.0..=20.0, 0.4, "reference engine, physiology";
        /// Energy gained per second when no energy sensor is linked.
        energy_regain: "1/s", 0.0..=1.0, 0.01, "reference engine, physiology";
        /// Energy lost per second and unit of exertion when no energy sensor is linked.
        energy_drain: "1/s", 0.0..=1.0, 0.08, "reference engine, physiology";
        /// Fatigue gained per second and unit of exertion.
        fatigue_gain: "1/s", 0.0..=1.0, 0.012, "reference engine, physiology";
        /// Fatigue lost per second.
        fatigue_recovery: "1/s", 0.0..=1.0, 0.028, "reference engine, physiology";
        /// Safety regained per second.
        safety_recovery: "1/s", 0.0..=10.0, 0.05, "reference engine, physiology";
        /// Safety lost per second and unit of startle.
        safety_startle: "1/s", 0.0..=100.0, 1.2, "reference engine, physiology";
        /// Arousal gained per second and unit of activity.
        arousal_gain: "1/s", 0.0..=100.0, 1.5, "reference engine, physiology";
        /// Arousal lost per second.
        arousal_decay: "1/s", 0.0..=10.0, 0.3, "reference engine, physiology";
        /// Curiosity gained per second and unit of surprise.
        curiosity_gain: "1/s", 0.0..=10.0, 1.0, "reference engine, physiology";
        /// Curiosity lost per second.
        curiosity_decay: "1/s", 0.0..=10.0, 0.25, "reference engine, physiology";
        /// Boredom gained per second.
        boredom_gain: "1/s", 0.0..=10.0, 0.05, "reference engine, physiology";
        /// Boredom lost per second at relative activity 1.
        boredom_relief: "1/s", 0.0..=10.0, 0.5, "reference engine, physiology";
        /// Largest relative activity that counts.
        relative_activity_max: "1", 0.0..=100.0, 2.0, "reference engine, physiology";
        /// Time constant of the usual activity.
        activity_average_s: "s", 0.1..=100_000.0, 120.0, "reference engine, physiology";
        /// Activity that counts as usual when sensory adaptation is off.
        unadapted_activity: "1", 0.0001..=1.0, 0.01, "our choice, see MODELS";
        /// Change per tick that does not count when sensory adaptation is off.
        unadapted_floor: "1", 0.0..=1.0, 0.02, "our choice, see MODELS";
        /// Multiples of a channel's own jitter that are no event.
        jitter_multiple: "1", 0.0..=100.0, 3.0, "reference engine, salience";
        /// Change that is never an event.
        salience_floor: "1", 0.0..=1.0, 0.005, "reference engine, salience";
        /// Time constant of the learned jitter.
        jitter_s: "s", 0.1..=100_000.0, 10.0, "reference engine, salience";
        /// Share of the way to full habituation per event.
        habituation_gain: "1", 0.0..=1.0, 0.2, "reference engine, salience";
        /// Time constant of recovery from habituation.
        habituation_recovery_s: "s", 0.1..=100_000.0, 60.0, "reference engine, salience";
    }
}

tropism_core::parameters! {
    /// Preferred bands of the needs and the weights of exploration.
    pub struct DriveParameters {
        /// Lower end of the energy band.
        energy_low: "1", 0.0..=1.0, 0.65, "design document, section 6.1";
        /// Upper end of the energy band.
        energy_high: "1", 0.0..=1.0, 1.0, "design document, section 6.1";
        /// Upper end of the fatigue band.
        fatigue_high: "1", 0.0..=1.0, 0.6, "design document, section 6.1";
        /// Lower end of the safety band.
        safety_low: "1", 0.0..=1.0, 0.7, "design document, section 6.1";
        /// Upper end of the arousal band.
        arousal_high: "1", 0.0..=1.0, 0.7, "design document, section 6.1";
        /// Upper end of the boredom band.
        boredom_high: "1", 0.0..=1.0, 0.4, "design document, section 6.1";
        /// Weight of curiosity in the fuzz.
        fuzz_curiosity: "1", 0.0..=10.0, 0.3, "design document, section 6.2";
        /// Weight of boredom in the fuzz.
        fuzz_boredom: "1", 0.0..=10.0, 0.4, "design document, section 6.2";
        /// Weight of hunger in the fuzz.
        fuzz_energy: "1", 0.0..=10.0, 0.3, "design document, section 6.2";
        /// Weight of threat in the fuzz, taken away.
        fuzz_safety: "1", 0.0..=10.0, 0.3, "design document, section 6.2";
        /// Smallest fuzz.
        fuzz_min: "1", 0.0..=1.0, 0.05, "design document, section 6.2";
        /// Largest fuzz.
        fuzz_max: "1", 0.0..=10.0, 0.8, "design document, section 6.2";
    }
}

tropism_core::parameters! {
    /// Contingency memory.
    pub struct ContingencyParameters {
        /// Change of a channel per tick that counts as one.
        change_threshold: "1", 0.0..=1.0, 0.02, "reference engine, contingency memory";
        /// Share of strength lost per tick.
        decay_per_tick: "1", 0.0..=1.0, 0.005, "design document, section 7.2";
        /// Strength below which an entry is forgotten.
        prune_below: "1", 0.0..=1.0, 0.02, "design document, section 7.2";
        /// Strength of a new entry, and share of the way to 1 when it repeats.
        learn_rate: "1", 0.0..=1.0, 0.1, "design document, section 7.2";
    }
}

tropism_core::parameters! {
    /// Spatial memory.
    pub struct SpatialParameters {
        /// Share of the way to the newest improvement per visit.
        improvement_rate: "1", 0.0..=1.0, 0.15, "design document, section 8.1";
        /// Nudge per unit of score.
        nudge_gain: "1", 0.0..=100.0, 0.5, "design document, section 8.2";
        /// Largest nudge.
        nudge_max: "1", 0.0..=1.0, 0.3, "design document, section 8.2";
    }
}

tropism_core::parameters! {
    /// Learned reflexes.
    pub struct ReflexParameters {
        /// Time constant of the running mean of each input.
        input_mean_s: "s", 0.1..=100_000.0, 300.0, "design document, section 12";
        /// Time constant of the running mean and variance of the reward.
        reward_s: "s", 0.1..=100_000.0, 30.0, "reference engine, policy";
        /// Smallest standard deviation of the reward that divides.
        reward_sd_min: "1", 0.000_000_001..=1.0, 0.0001, "reference engine, policy";
        /// Largest advantage.
        advantage_max: "1", 0.0..=1000.0, 5.0, "reference engine, policy";
        /// Learning rate.
        learn_rate: "1", 0.0..=10.0, 0.002, "reference engine, policy";
        /// Share of a weight lost per second.
        weight_decay: "1/s", 0.0..=1.0, 0.0002, "reference engine, policy";
        /// Largest weight.
        weight_max: "1", 0.0..=1000.0, 1.5, "design document, section 12";
        /// Time constant of the eligibility trace.
        trace_s: "s", 0.01..=100_000.0, 3.0, "design document, section 12";
        /// Factor on the gate of each drive context before it is clamped to 1.
        drive_gate_gain: "1", 0.0..=100.0, 1.0, "reference engine, policy";
        /// Gate of the context that is always on.
        always_gate: "1", 0.0..=1.0, 1.0, "reference engine, policy";
        /// Factor on the gate of the curiosity context.
        curiosity_gate: "1", 0.0..=1.0, 1.0, "reference engine, policy";
    }
}

tropism_core::parameters! {
    /// How an action is put together.
    pub struct ActionParameters {
        /// Time constant of the exploration noise.
        noise_s: "s", 0.001..=1000.0, 1.0, "design document, section 9.2";
        /// Exploration per unit of noise, fuzz and span.
        noise_gain: "1", 0.0..=10.0, 0.5, "reference engine, action generator";
        /// Bias per unit of confidence and span.
        bias_gain: "1", 0.0..=10.0, 0.3, "reference engine, action generator";
        /// Share of the movement given up at full fatigue or hunger.
        rest_gain: "1", 0.0..=1.0, 0.3, "reference engine, action generator";
    }
}

/// All numbers of an organism. `OrganismParameters::reference()` is the published set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OrganismParameters {
    /// Needs, salience and habituation.
    pub physiology: PhysiologyParameters,
    /// Bands and fuzz.
    pub drives: DriveParameters,
    /// Contingency memory.
    pub contingency: ContingencyParameters,
    /// Spatial memory.
    pub spatial: SpatialParameters,
    /// Learned reflexes.
    pub reflex: ReflexParameters,
    /// Action selection.
    pub action: ActionParameters,
}

impl OrganismParameters {
    /// The parameter set of the reference engine.
    pub fn reference() -> Self {
        Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism_core::parameter::ParameterSet;

    #[test]
    fn unit_every_default_lies_within_its_bounds() {
        let tables = [
            PhysiologyParameters::TABLE,
            DriveParameters::TABLE,
            ContingencyParameters::TABLE,
            SpatialParameters::TABLE,
            ReflexParameters::TABLE,
            ActionParameters::TABLE,
        ];
        for parameter in tables.into_iter().flatten() {
            assert!(parameter.check(parameter.default).is_ok(), "{}", parameter.name);
            assert!(!parameter.about.is_empty() && !parameter.source.is_empty());
        }
    }
}

//! The conditions that ship with the library: ablations, hand-made wirings and controls.
//!
//! Terms: a *condition* is what an experiment compares: a mind with something added or taken away;
//! a *control* is a condition without a mind.

use alloc::sync::Arc;

use tropism_body::BodySpec;
use tropism_core::TimeStep;
use tropism_organism::{Ablation, OrganismConfig, Reflexes, reference_wiring};
use tropism_reactive::ReactiveSpec;

use crate::machine::Machine;

/// A mind as data.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MindSpec {
    /// The homeostatic organism.
    Organism(Box<OrganismConfig>),
    /// Drives ahead and turns now and then.
    RandomWalk,
    /// Writes 0 to every actuator.
    DoNothing,
    /// A state machine.
    Machine(Arc<Machine>),
    /// A controller in JavaScript.
    Script {
        /// The file as it was named.
        path: String,
        /// Its whole text.
        text: String,
    },
    /// A reactive controller of the course robot.
    Reactive(ReactiveSpec),
}

/// Names and meanings of the built-in conditions.
pub const BUILT_IN_CONDITIONS: &[(&str, &str)] = &[
    ("full", "the reference organism, everything on"),
    ("hand_wired", "reflexes wired by hand and never changed"),
    ("hand_wired_plastic", "reflexes wired by hand and learned on"),
    ("no_reflexes", "no learned reflexes"),
    ("no_contingency", "recall of contingencies does not bias actions"),
    ("contingency_frozen", "contingency memory stays as it is: empty, in a new-born organism"),
    ("no_spatial", "places do not change exploration"),
    ("spatial_cleared", "spatial memory wiped every 60 s"),
    ("no_battery_link", "the energy need does not follow the energy sensor"),
    ("noise_only", "no reflexes, and both memories without influence"),
    ("no_exploration", "no exploration noise: deterministic"),
    ("flattened_drives", "no drive presses"),
    ("no_sensory_adaptation", "no habituation, no learned jitter, no usual activity"),
    ("hidden_battery", "the energy sensor never delivers"),
    ("randomised_battery", "the energy sensor is replaced by uniform draws"),
    ("gated", "learning only in drive contexts, hunger gate times four"),
    ("random_walk", "control: drives ahead and turns now and then"),
    ("do_nothing", "control: writes 0 to every actuator"),
];

/// Names and meanings of the built-in reactive controllers, for bodies with the course robot's
/// channels.
pub use tropism_reactive::BUILT_IN_CONTROLLERS;

/// Seconds between two wipes under `spatial_cleared`.
const WIPE_S: f64 = 60.0;

fn ablation(name: &str, body: &BodySpec, step: TimeStep) -> Option<Ablation> {
    let energy = body.energy_sensor.map_or(0, |channel| 1_u16 << (channel & 15));
    let full = Ablation::default();
    Some(match name {
        "full" | "gated" => full,
        "hand_wired" => Ablation { reflexes: Reflexes::Frozen, ..full },
        "hand_wired_plastic" => Ablation { reflexes: Reflexes::Plastic, ..full },
        "no_reflexes" => Ablation { reflexes: Reflexes::Off, ..full },
        "no_contingency" => Ablation { has_contingency_influence: false, ..full },
        "contingency_frozen" => Ablation { is_contingency_frozen: true, ..full },
        "no_spatial" => Ablation { has_spatial_influence: false, ..full },
        "spatial_cleared" => Ablation { spatial_wipe_ticks: step.ticks_in(WIPE_S) as u32, ..full },
        "no_battery_link" => Ablation { has_battery_link: false, ..full },
        "noise_only" => Ablation {
            reflexes: Reflexes::Off,
            has_contingency_influence: false,
            has_spatial_influence: false,
            ..full
        },
        "no_exploration" => Ablation { has_exploration: false, ..full },
        "flattened_drives" => Ablation { has_drives: false, ..full },
        "no_sensory_adaptation" => Ablation { has_sensory_adaptation: false, ..full },
        "hidden_battery" => Ablation { hidden_sensors: energy, ..full },
        "randomised_battery" => Ablation { randomised_sensors: energy, ..full },
        _ => return None,
    })
}

/// A built-in condition or reactive controller for this body and control step.
pub fn built_in_condition_at(name: &str, body: &BodySpec, step: TimeStep) -> Option<MindSpec> {
    if let Some(spec) = ReactiveSpec::named(name) {
        return Some(MindSpec::Reactive(spec));
    }
    match name {
        "random_walk" => return Some(MindSpec::RandomWalk),
        "do_nothing" => return Some(MindSpec::DoNothing),
        _ => {}
    }
    let ablation = ablation(name, body, step)?;
    let mut config = OrganismConfig { ablation, ..OrganismConfig::default() };
    if matches!(ablation.reflexes, Reflexes::Frozen | Reflexes::Plastic) {
        config.wiring = reference_wiring(body);
    }
    if name == "gated" {
        let reflex = &mut config.parameters.reflex;
        (reflex.always_gate, reflex.curiosity_gate, reflex.drive_gate_gain) = (0.0, 0.0, 4.0);
    }
    Some(MindSpec::Organism(Box::new(config)))
}

/// A built-in condition for this body at 20 Hz; `None` for a name that is neither in
/// [`BUILT_IN_CONDITIONS`] nor in [`BUILT_IN_CONTROLLERS`].
///
/// # Source
/// Reference simulator, conditions and constants; `gated`: the analysis of why the reference does
/// not accumulate over lives.
pub fn built_in_condition(name: &str, body: &BodySpec) -> Option<MindSpec> {
    built_in_condition_at(name, body, TimeStep::TWENTIETH)
}

/// The built-in controller of the same algorithm, whatever its numbers.
pub(crate) fn alike(spec: &ReactiveSpec) -> &'static str {
    let is_alike = |name: &str| match (ReactiveSpec::named(name), spec) {
        (Some(ReactiveSpec::Vehicle(a, _)), ReactiveSpec::Vehicle(b, _)) => a == *b,
        (Some(ReactiveSpec::Bug(a, _)), ReactiveSpec::Bug(b, _)) => a == *b,
        (Some(a), b) => core::mem::discriminant(&a) == core::mem::discriminant(b),
        (None, _) => false,
    };
    let found = BUILT_IN_CONTROLLERS.iter().find(|(name, _)| is_alike(name));
    found.map_or("braitenberg_1", |(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism_body::presets;

    fn organism(name: &str) -> OrganismConfig {
        match built_in_condition(name, &presets::reference_simulator()) {
            Some(MindSpec::Organism(config)) => *config,
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn unit_every_listed_condition_exists_and_they_all_differ() {
        let body = presets::reference_simulator();
        let minds: Vec<MindSpec> = BUILT_IN_CONDITIONS
            .iter()
            .map(|(name, _)| built_in_condition(name, &body).unwrap())
            .collect();
        for (i, mind) in minds.iter().enumerate() {
            assert!(!minds[..i].contains(mind), "{}", BUILT_IN_CONDITIONS[i].0);
        }
        assert_eq!(built_in_condition("fulll", &body), None);
    }

    #[test]
    fn unit_conditions_change_what_they_say() {
        assert_eq!(organism("full"), OrganismConfig::default());
        assert_eq!(organism("spatial_cleared").ablation.spatial_wipe_ticks, 1200);
        assert_eq!(organism("hidden_battery").ablation.hidden_sensors, 1);
        assert_eq!(organism("randomised_battery").ablation.randomised_sensors, 1);
        assert_eq!(organism("hand_wired").wiring.len(), 8);
        assert_eq!(organism("gated").parameters.reflex.drive_gate_gain, 4.0);
        let noise_only = organism("noise_only").ablation;
        assert!(!noise_only.has_contingency_influence && !noise_only.has_spatial_influence);
        assert_eq!(noise_only.reflexes, Reflexes::Off);
    }
}

//! What an organism is made with: parameters, ablations, wiring.
//!
//! An ablation is a value here, never another code path: the same step runs with other switches.

use tropism_core::FixedList;

use crate::parameters::OrganismParameters;
use crate::physiology::Need;
use crate::reflex::Connection;

/// How the reflexes come about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reflexes {
    /// Learned from zero.
    #[default]
    Learned,
    /// None: the proposal is always 0.
    Off,
    /// Given by [`OrganismConfig::wiring`] and never changed.
    Frozen,
    /// Given by [`OrganismConfig::wiring`] and learned on.
    Plastic,
}

/// Most connections a given wiring can have.
pub const WIRING_MAX: usize = 32;

/// Switches that take something away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent switch of an experiment")]
pub struct Ablation {
    /// Where the reflexes come from.
    pub reflexes: Reflexes,
    /// Recall biases actions. Curiosity keeps its source either way.
    pub has_contingency_influence: bool,
    /// Contingency memory neither learns nor forgets.
    pub is_contingency_frozen: bool,
    /// Places change exploration.
    pub has_spatial_influence: bool,
    /// Ticks between two wipes of spatial memory; 0 never.
    pub spatial_wipe_ticks: u32,
    /// The energy sensor feeds the energy need; otherwise the modelled drain does.
    pub has_battery_link: bool,
    /// Exploration noise is drawn; otherwise the organism is deterministic.
    pub has_exploration: bool,
    /// Drives press; otherwise all are 0.
    pub has_drives: bool,
    /// Activity is what exceeds expectation; otherwise plain change relieves boredom.
    pub has_sensory_adaptation: bool,
    /// Sensors that never deliver, as bits.
    pub hidden_sensors: u16,
    /// Sensors replaced by uniform draws, as bits.
    pub randomised_sensors: u16,
}

impl Default for Ablation {
    fn default() -> Self {
        Self {
            reflexes: Reflexes::Learned,
            has_contingency_influence: true,
            is_contingency_frozen: false,
            has_spatial_influence: true,
            spatial_wipe_ticks: 0,
            has_battery_link: true,
            has_exploration: true,
            has_drives: true,
            has_sensory_adaptation: true,
            hidden_sensors: 0,
            randomised_sensors: 0,
        }
    }
}

/// Everything that makes one organism differ from another at birth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OrganismConfig {
    /// Numbers.
    pub parameters: OrganismParameters,
    /// Switches.
    pub ablation: Ablation,
    /// Given connections, for [`Reflexes::Frozen`] and [`Reflexes::Plastic`].
    pub wiring: FixedList<WiredConnection, WIRING_MAX>,
    /// Running mean of each input at birth. The reference simulator starts at 0, before the first
    /// reading.
    pub input_mean_at_birth: f32,
}

/// A connection with a default, so that a fixed list can hold it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WiredConnection(pub Connection);

impl Default for WiredConnection {
    fn default() -> Self {
        Self(Connection { context: 0, input: 0, output: 0, weight: 0.0 })
    }
}

/// Index of the reflex context of a need.
pub const fn context_of(need: Need) -> u8 {
    need as u8 + 1
}

/// The hand-made approach of the reference: hungry, turn towards light; stop where it hums.
///
/// Channels are those of `presets::reference_simulator`. A body without them gets an empty wiring.
///
/// # Source
/// Reference simulator, condition `hand_wired`.
pub fn reference_wiring(body: &tropism_body::BodySpec) -> FixedList<WiredConnection, WIRING_MAX> {
    let hunger = context_of(Need::Energy);
    let mut list = FixedList::new();
    let wheels = (body.actuator("stepper_left"), body.actuator("stepper_right"));
    let senses = (body.sensor("light_left"), body.sensor("light_right"), body.sensor("mic"));
    if let ((Some(left), Some(right)), (Some(eye_left), Some(eye_right), Some(mic))) =
        (wheels, senses)
    {
        let constant = body.sensors.len();
        let connections = [
            (eye_left, right, 1.5),
            (eye_right, left, 1.5),
            (eye_left, left, -0.8),
            (eye_right, right, -0.8),
            (constant, left, 0.2),
            (constant, right, 0.2),
            (mic, left, -1.5),
            (mic, right, -1.5),
        ];
        for (input, output, weight) in connections {
            let (input, output) = (input as u8, output as u8);
            let connection = Connection { context: hunger, input, output, weight };
            let _ = list.push(WiredConnection(connection));
        }
    }
    list
}

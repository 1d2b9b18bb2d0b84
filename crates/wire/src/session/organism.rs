//! The inside of an organism in a frame.

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A need now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NeedFrame {
    /// Level, 0–1.
    pub value: f32,
    /// Its drive, 0–1: how far it is outside its band.
    pub drive: f32,
}

/// Shares that made an actuator's target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActuatorDecision {
    /// From reflexes.
    pub reflex: f32,
    /// From exploration noise.
    pub explore: f32,
    /// From recalled contingencies.
    pub bias: f32,
    /// Share that rest leaves, 0–1; 1 is fully awake.
    pub keep: f32,
    /// What the mind wanted.
    pub target: f32,
}

/// The action recalled from contingency memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecallFrame {
    /// −1, 0 or 1 per actuator.
    pub action: Vec<i8>,
    /// Confidence.
    pub confidence: f32,
}

/// Needs, drives and the decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OrganismFrame {
    /// Age, ticks.
    pub age_ticks: u64,
    /// Needs in the order of the stage.
    pub needs: Vec<NeedFrame>,
    /// Squared homeostatic distance.
    pub distance: f32,
    /// Fuzz.
    pub fuzz: f32,
    /// Surprise, 0–1.
    pub surprise: f32,
    /// Salience: activity of the senses.
    pub activity: f32,
    /// Startle: the spike of activity over its average.
    pub startle: f32,
    /// Last reward.
    pub reward: f32,
    /// Per actuator, in the order of the stage.
    pub decision: Vec<ActuatorDecision>,
    /// Explore/stay nudge of spatial memory.
    pub nudge: f32,
    /// What was recalled, if anything.
    pub recall: Option<RecallFrame>,
    /// Why it did what it did, in one line.
    pub why: String,
}

/// One contingency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContingencyEntry {
    /// What was done: −1, 0 or 1 per actuator.
    pub action: Vec<i8>,
    /// What was then felt: −1, 0 or 1 per sensor.
    pub sensors: Vec<i8>,
    /// Needs that were high, as bits.
    pub context: u32,
    /// Strength.
    pub strength: f32,
    /// Mean change of the drives.
    pub relief: f32,
    /// Ticks since it was last met.
    pub age_ticks: u32,
}

/// Contingency memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContingencyFrame {
    /// Slots in use.
    pub count: u32,
    /// Slots there are.
    pub capacity: u32,
    /// The strongest, strongest first.
    pub entries: Vec<ContingencyEntry>,
}

/// One place of spatial memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaceFrame {
    /// The slot holds a place.
    pub is_occupied: bool,
    /// The organism is there now.
    pub is_here: bool,
    /// Visits.
    pub visits: u32,
    /// Ticks since the last visit.
    pub age_ticks: u32,
    /// Score now: drives times past improvement.
    pub score: f32,
    /// Quartile of every sensor, 0–3.
    pub levels: Vec<u8>,
}

/// Learned reflexes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReflexFrame {
    /// Gate of every context now, in the order of the stage.
    pub gates: Vec<f32>,
    /// Inputs now: sensors in order, then the constant.
    pub inputs: Vec<f32>,
    /// Weights by context, then actuator, then input.
    pub weights: Vec<Vec<Vec<f32>>>,
}

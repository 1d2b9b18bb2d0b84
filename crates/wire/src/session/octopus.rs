//! The octopus on the stage and in frames. Lengths in pixels, angles in radians.

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use super::command::Point;
use super::stage::SwitchStage;

/// Sensors of one kind on an arm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SensorCount {
    /// Kind.
    pub kind: String,
    /// How many.
    pub count: u32,
}

/// An arm as it is built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArmStage {
    /// Number, 1–8.
    pub number: u32,
    /// Where it is fixed.
    pub base: Point,
    /// Number of segments.
    pub segments: u32,
    /// Length of a segment.
    pub length: f64,
    /// Largest bend of a joint.
    pub bend_rad: f64,
    /// Turning speed of a joint, rad/s.
    pub speed_rad_s: f64,
    /// Kinds of its sensors with their number.
    pub sensors: Vec<SensorCount>,
}

/// What does not change from tick to tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OctopusStage {
    /// Lower and upper corner of the world.
    pub bounds: [Point; 2],
    /// Centre of the body.
    pub body: Point,
    /// Radius of the body.
    pub body_radius: f64,
    /// The arms.
    pub arms: Vec<ArmStage>,
    /// Laws to choose from.
    pub laws: Vec<String>,
    /// The law in force.
    pub law: String,
    /// Switches that [`super::Command::Switch`] takes.
    pub switches: Vec<SwitchStage>,
}

/// An object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ObjectFrame {
    /// Identifier.
    pub id: u32,
    /// It is food; else an obstacle.
    pub is_food: bool,
    /// Centre.
    pub at: Point,
    /// Radius.
    pub radius: f64,
    /// Arm that holds it, 1–8.
    pub holder: Option<u32>,
}

/// An arm now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArmFrame {
    /// Joint positions from base to tip.
    pub joints: Vec<Point>,
    /// Displayed state.
    pub state: String,
    /// Priority of its task for the arbiter; absent when it has none.
    pub priority: Option<f64>,
    /// Why it does what it does, in words.
    pub reason: String,
    /// Where the tip is to go.
    pub target: Option<Point>,
    /// Distance from the tip to the target.
    pub distance: Option<f64>,
    /// The target is farther than the arm is long.
    pub is_beyond_reach: bool,
    /// Held object.
    pub held: Option<u32>,
    /// Points of contact.
    pub contacts: Vec<Point>,
}

/// A capture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaptureFrame {
    /// Arm, 1–8.
    pub arm: u32,
    /// Object.
    pub object: u32,
    /// When, s.
    pub at_s: f64,
}

/// A hazard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HazardFrame {
    /// Identifier.
    pub id: u32,
    /// Centre.
    pub at: Point,
    /// Radius.
    pub radius: f64,
    /// Severity, 0–1.
    pub severity: f64,
    /// Every arm withdraws because of it.
    pub is_critical: bool,
    /// Time for which it still counts, s; absent without end.
    pub left_s: Option<f64>,
}

/// The octopus now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OctopusFrame {
    /// The arms in order.
    pub arms: Vec<ArmFrame>,
    /// The objects.
    pub objects: Vec<ObjectFrame>,
    /// The hazards.
    pub hazards: Vec<HazardFrame>,
    /// The latest conflicts between arms in words, latest first.
    pub conflicts: Vec<String>,
    /// Times the arbiter made an arm let go for safety.
    pub safety_releases: u32,
    /// Captures so far.
    pub captures: u32,
    /// The latest captures, latest first.
    pub capture_log: Vec<CaptureFrame>,
}

//! What stands on the table.

use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use super::command::{Point, Switch};
use super::octopus::OctopusStage;

/// The three tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StageKind {
    /// Robots with minds in a world.
    Robots,
    /// A behaviour network driving a robot.
    Dynamics,
    /// The octopus.
    Octopus,
}

/// What stands on the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stage {
    /// Kind; the field of that name below is present.
    pub kind: StageKind,
    /// Counts loads and edits: a frame of the same number fits this stage.
    pub version: u32,
    /// Name of what was loaded.
    pub name: String,
    /// What it is, in one sentence.
    pub about: String,
    /// Root seed.
    pub seed: u64,
    /// Control step in s as numerator and denominator.
    pub step: [u32; 2],
    /// Ticks of this session kept for seeking: from 0 to here.
    pub ticks: u64,
    /// It is a recording: what was asked is replayed.
    pub is_recording: bool,
    /// Robots in a world.
    pub robots: Option<WorldStage>,
    /// A behaviour network.
    pub dynamics: Option<DynamicsStage>,
    /// The octopus.
    pub octopus: Option<OctopusStage>,
}

/// A thin wall.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Wall {
    /// One end.
    pub from: Point,
    /// The other end.
    pub to: Point,
}

/// A solid polygon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Polygon {
    /// Corners, counter-clockwise.
    pub corners: Vec<Point>,
}

/// A disc or field source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundThing {
    /// Centre.
    pub at: Point,
    /// Radius, m; of a source, the distance at which it has fallen to half.
    pub radius_m: f64,
    /// `disc`, `warmth` or `gas`.
    pub kind: String,
}

/// A light other than the lamps of stations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LightStage {
    /// `lamp`, `window` or `ambient`.
    pub kind: String,
    /// Where it is; of a window, its point nearest to the middle of the room; absent for ambient
    /// light, which comes from everywhere.
    pub at: Option<Point>,
    /// Direction towards a window, rad.
    pub direction_rad: Option<f64>,
    /// Distance at which it has fallen to half, m; 0 for ambient light.
    pub radius_m: f64,
    /// Irradiance times squared distance, m²; of ambient light, its irradiance.
    pub intensity: f64,
}

/// Tape on the floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TapeStage {
    /// Corners of its middle line.
    pub points: Vec<Point>,
    /// Width, m.
    pub width_m: f64,
}

/// A charging station as it is built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StationStage {
    /// Half the opening of its funnel, rad.
    pub funnel_rad: f64,
    /// Distance within which contacts close, m.
    pub contact_m: f64,
    /// It can be heard by radio.
    pub has_radio: bool,
}

/// The world as it stands; robots and stations move in frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorldStage {
    /// Lower left and upper right corner of the border.
    pub bounds: [Point; 2],
    /// Thin walls.
    pub walls: Vec<Wall>,
    /// Solid polygons.
    pub polygons: Vec<Polygon>,
    /// Solid discs.
    pub discs: Vec<RoundThing>,
    /// Tape.
    pub tapes: Vec<TapeStage>,
    /// Beacons.
    pub beacons: Vec<Point>,
    /// Lights.
    pub lights: Vec<LightStage>,
    /// Sources of warmth and gas.
    pub fields: Vec<RoundThing>,
    /// Stations.
    pub stations: Vec<StationStage>,
    /// Robots.
    pub robots: Vec<RobotStage>,
    /// The task this scenario is graded by, if any.
    pub task: Option<String>,
}

/// A sensor channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SensorStage {
    /// Name.
    pub name: String,
    /// Kind.
    pub kind: String,
    /// Smallest value.
    pub min: f32,
    /// Largest value.
    pub max: f32,
    /// Unit, empty for a share.
    pub unit: String,
}

/// An actuator channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActuatorStage {
    /// Name.
    pub name: String,
    /// Smallest value.
    pub min: f32,
    /// Largest value.
    pub max: f32,
    /// Exertion per unit of its value.
    pub cost: f32,
}

/// A robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RobotStage {
    /// Name.
    pub name: String,
    /// Name of its body.
    pub body: String,
    /// Radius, m.
    pub radius_m: f64,
    /// Sensor channels.
    pub sensors: Vec<SensorStage>,
    /// Actuator channels.
    pub actuators: Vec<ActuatorStage>,
    /// Names of the modules that can be in control.
    pub modules: Vec<String>,
    /// Its mind.
    pub mind: MindStage,
}

/// A mind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MindStage {
    /// `organism`, `random_walk`, `do_nothing`, `reactive`, `machine` or `script`.
    pub kind: String,
    /// Parameters that [`super::Command::Set`] takes.
    pub parameters: Vec<ParameterStage>,
    /// Switches that [`super::Command::Switch`] takes.
    pub switches: Vec<SwitchStage>,
    /// For an organism.
    pub organism: Option<OrganismStage>,
    /// For a state machine.
    pub machine: Option<MachineStage>,
    /// For a script: its text.
    pub script: Option<super::command::TextFile>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParameterStage {
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// Value now.
    pub value: f32,
    /// Smallest value.
    pub min: f32,
    /// Largest value.
    pub max: f32,
    /// What it is.
    pub about: String,
}

/// A switch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SwitchStage {
    /// Name: the key of mind files.
    pub name: String,
    /// What it does.
    pub about: String,
    /// Value now.
    pub value: Switch,
    /// Words to choose from; empty for on/off and numbers. For lists of names, the names.
    pub choices: Vec<String>,
}

/// A need.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NeedStage {
    /// Name.
    pub name: String,
    /// Lower end of its band.
    pub low: f32,
    /// Upper end of its band.
    pub high: f32,
}

/// An organism as it is built.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OrganismStage {
    /// Needs.
    pub needs: Vec<NeedStage>,
    /// Contexts of the reflexes.
    pub contexts: Vec<String>,
    /// Direction in which each sensor looks in the body's frame, rad; absent for one that looks
    /// nowhere.
    pub bearings_rad: Vec<Option<f64>>,
}

/// A state of a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MachineState {
    /// Name.
    pub name: String,
    /// What the robot does in it.
    pub about: String,
}

/// A way from one state to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MachineTransition {
    /// State it leaves.
    pub from: u32,
    /// State it enters.
    pub to: u32,
    /// Guard in words.
    pub cause: String,
    /// Event that takes it, if it waits for one.
    pub event: Option<String>,
}

/// A state machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MachineStage {
    /// States.
    pub states: Vec<MachineState>,
    /// Index of the state in which it begins.
    pub start: u32,
    /// Transitions.
    pub transitions: Vec<MachineTransition>,
    /// Events that can be fired.
    pub events: Vec<String>,
    /// Its file.
    pub text: String,
}

/// A level of a behaviour network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Level {
    /// Name.
    pub name: String,
    /// Ticks per update.
    pub every_ticks: u32,
}

/// A node of a behaviour network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DynamicsNode {
    /// Full name.
    pub name: String,
    /// `sensor`, `percept`, `behaviour`, `target`, `mode` or `actuator`.
    pub kind: String,
    /// Index of its level; 0 is the lowest, and modes stand one above the highest.
    pub level: u32,
    /// Unit.
    pub unit: String,
    /// Line of the file where it is declared.
    pub line: u32,
    /// Index of its value in a frame.
    pub signal: u32,
}

/// An influence of one node on another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Edge {
    /// Node that acts.
    pub from: u32,
    /// Node acted upon.
    pub to: u32,
}

/// A behaviour network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DynamicsStage {
    /// Levels, lowest first.
    pub levels: Vec<Level>,
    /// Nodes.
    pub nodes: Vec<DynamicsNode>,
    /// Influences.
    pub edges: Vec<Edge>,
    /// Names of the signals of a frame.
    pub signals: Vec<String>,
    /// Modes that can be set, with their values.
    pub modes: Vec<ParameterStage>,
    /// Parameters whose value is a plain number, for [`super::Command::Set`], which writes the new
    /// number into the text; one without a range goes from the smallest to the largest `f32`.
    pub parameters: Vec<ParameterStage>,
    /// The file's text.
    pub text: String,
    /// Warnings of the compiler, with their lines.
    pub warnings: Vec<super::message::Place>,
    /// Name of the scene.
    pub scene: String,
    /// Scenes to choose from.
    pub scenes: Vec<String>,
    /// Discs of the scene: centre and radius, m.
    pub discs: Vec<RoundThing>,
    /// Walls of the scene: lower left and upper right corner.
    pub walls: Option<[Point; 2]>,
    /// Goal or lamp of the scene.
    pub goal: Option<Point>,
    /// Radius of the robot, m.
    pub robot_radius_m: f64,
    /// Radius of the ball, m.
    pub ball_radius_m: f64,
}

//! The state after a tick.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use super::command::Point;
use super::octopus::OctopusFrame;
use super::organism::{ContingencyFrame, OrganismFrame, PlaceFrame, ReflexFrame};

/// The state after a tick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Frame {
    /// Ticks done.
    pub tick: u64,
    /// Simulated time, s.
    pub time_s: f64,
    /// Number of the stage it belongs to.
    pub stage: u32,
    /// Hash of the whole state, 16 hexadecimal digits.
    pub hash: String,
    /// The session plays.
    pub is_playing: bool,
    /// Simulated seconds per second of playing.
    pub speed: f64,
    /// Name of the recording under way.
    pub recording: Option<String>,
    /// Robots in a world.
    pub robots: Option<WorldFrame>,
    /// A behaviour network.
    pub dynamics: Option<DynamicsFrame>,
    /// The octopus.
    pub octopus: Option<OctopusFrame>,
    /// What happened since the frame before.
    pub events: Vec<Event>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Event {
    /// After which tick.
    pub tick: u64,
    /// Kind, such as `docked` or `life_began`.
    pub kind: String,
    /// The robot or arm, if it concerns one.
    pub robot: Option<u32>,
    /// The station, light or field, if it concerns one.
    pub index: Option<u32>,
    /// In words, where the kind says too little.
    pub text: Option<String>,
}

/// The world now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorldFrame {
    /// Robots in order.
    pub robots: Vec<RobotFrame>,
    /// Stations in order.
    pub stations: Vec<StationFrame>,
    /// Lights that are on, as bits.
    pub lights_on: u32,
    /// Field sources that are on, as bits.
    pub fields_on: u32,
    /// Inside of the watched robot.
    pub watched: Option<Box<Watched>>,
}

/// A station now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StationFrame {
    /// Contact point.
    pub at: Point,
    /// Direction it faces, rad.
    pub facing_rad: f32,
    /// Switched on.
    pub is_on: bool,
    /// `idle`, `charging` or `full`.
    pub state: String,
}

/// A ranging ray now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RayFrame {
    /// Sensor channel.
    pub channel: u32,
    /// Where it starts.
    pub from: Point,
    /// What it hits, or the end of its range.
    pub to: Point,
    /// It hit something.
    pub is_hit: bool,
}

/// A robot now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a robot")]
pub struct RobotFrame {
    /// Position.
    pub at: Point,
    /// Heading, rad.
    pub heading_rad: f32,
    /// Position by odometry, with heading; absent for a body without encoders.
    pub odometry: Option<[f32; 3]>,
    /// Speed, m/s.
    pub speed_m_s: f32,
    /// Charge share, 0–1.
    pub charge: f32,
    /// Contacts are closed.
    pub is_docked: bool,
    /// Current flows into the battery.
    pub is_charging: bool,
    /// It touched something in the last step.
    pub is_bumped: bool,
    /// Life, from 0.
    pub life: u32,
    /// The mind gave up or the battery is empty.
    pub is_stopped: bool,
    /// Observed behaviour.
    pub behaviour: String,
    /// Module in control, an index of the stage's list.
    pub module: u32,
    /// Readings in order; `null` cannot be trusted.
    pub sensors: Vec<Option<f32>>,
    /// Actuator values in order.
    pub actuators: Vec<f32>,
    /// Actuators driven by hand, as bits.
    pub manual: u32,
    /// Actuators at rest for safety, as bits.
    pub tripped: u32,
    /// The battery is so low that everything rests.
    pub is_battery_critical: bool,
    /// Ranging rays as they lie; only when asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rays: Vec<RayFrame>,
}

/// A named value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedValue {
    /// Name.
    pub name: String,
    /// Value.
    pub value: Option<f64>,
}

/// Inside of the watched robot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Watched {
    /// Which robot.
    pub robot: u32,
    /// Its mind.
    pub mind: MindFrame,
    /// Internal values by name; only when asked for.
    pub internals: Option<Vec<NamedValue>>,
    /// Lines printed, and changes of state with their cause, since the frame before.
    pub log: Vec<LogEntry>,
}

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LogEntry {
    /// Tick.
    pub tick: u64,
    /// Text.
    pub text: String,
}

/// A mind now; parts of an organism only when asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MindFrame {
    /// An organism.
    Organism {
        /// Needs and decision.
        state: Option<Box<OrganismFrame>>,
        /// Contingency memory.
        contingency: Option<ContingencyFrame>,
        /// Spatial memory.
        places: Option<Vec<PlaceFrame>>,
        /// Reflexes.
        reflex: Option<ReflexFrame>,
    },
    /// A state machine.
    Machine {
        /// What it is in the middle of.
        machine: MachineFrame,
    },
    /// A script.
    Script {
        /// What it is in the middle of.
        script: ScriptFrame,
    },
    /// A reactive controller.
    Reactive {
        /// What it is in the middle of.
        reactive: ReactiveFrame,
    },
    /// A control without an inside.
    Plain,
}

/// A state machine now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MachineFrame {
    /// State, an index of the stage's list.
    pub state: u32,
    /// Ticks in it.
    pub ticks_in_state: u64,
    /// Events that would be taken now.
    pub possible: Vec<String>,
    /// Signals and memory by name.
    pub values: Vec<NamedValue>,
}

/// A script now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScriptFrame {
    /// Its memory as JSON.
    pub memory: String,
    /// Why it gave up, if it did; the motors are then at zero.
    pub failure: Option<super::message::Fault>,
}

/// A reactive controller now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReactiveFrame {
    /// Internal values by name.
    pub values: Vec<NamedValue>,
}

/// The scene of a behaviour network now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scene {
    /// Robot's position.
    pub at: Point,
    /// Its heading, rad.
    pub heading_rad: f64,
    /// Range rays from the robot's centre: angle in its frame and length, m.
    pub rays: Vec<[f64; 2]>,
    /// Ball, if there is one.
    pub ball: Option<Point>,
    /// How the run ended, if it did.
    pub ending: Option<String>,
}

/// A term behind an activation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TermFrame {
    /// Node, an index of the stage's list.
    pub node: u32,
    /// What the term is, as in the file.
    pub text: String,
    /// Its contribution: what it added to an activation in the level's last step, or its weight in
    /// an actuator's pull.
    pub value: f64,
}

/// A behaviour network now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DynamicsFrame {
    /// Values in the order of the stage's signals; `null` is none.
    pub signals: Vec<Option<f64>>,
    /// Why each is as it is; only when asked for.
    pub terms: Vec<TermFrame>,
    /// The robot and its scene.
    pub scene: Scene,
    /// An edit is waiting for the tick at which it is taken over.
    pub is_edit_waiting: bool,
    /// Nodes that are driven by hand, indices of the stage's list.
    pub by_hand: Vec<u32>,
    /// Expressions that gave no finite number so far and were left out.
    pub faults: u32,
}

//! The session protocol: what a page and a laboratory say to each other.
//!
//! Terms: a *session* is one laboratory table with one run on it; a *request* asks something of it
//! and is answered by exactly one *reply* with its number; a *stage* says what stands on the table
//! and changes only when something is loaded or edited; a *frame* is the state after a tick.
//!
//! Everything is JSON text, one object per message. Numbers that do not exist are `null`; a reading
//! that cannot be trusted is `null` too, never 0. Lengths are in metres, angles in radians
//! counter-clockwise from +x, times in seconds, except for the octopus, which lives in pixels.
//!
//! # Determinism
//! Frames hold nothing of the clock, of the link or of the back end: the same requests give the
//! same frames, byte for byte, on every back end.
//!
//! What it does not do: it moves no bytes and keeps no session; it only says what they look like.

mod command;
mod frame;
mod message;
mod octopus;
mod organism;
mod stage;

pub use command::{
    ArmTask, Command, FieldOf, NewThing, Part, Point, Request, ResetWhat, Source, Switch, TextFile,
    Thing, ThingKind, WhenTaken,
};
pub use frame::{
    DynamicsFrame, Event, Frame, LogEntry, MachineFrame, MindFrame, NamedValue, RayFrame,
    ReactiveFrame, RobotFrame, Scene, ScriptFrame, StationFrame, TermFrame, Watched, WorldFrame,
};
pub use message::{Fault, Listed, Message, Outcome, Place, RecordingInfo};
pub use octopus::{
    ArmFrame, ArmStage, CaptureFrame, HazardFrame, ObjectFrame, OctopusFrame, OctopusStage,
    SensorCount,
};
pub use organism::{
    ActuatorDecision, ContingencyEntry, ContingencyFrame, NeedFrame, OrganismFrame, PlaceFrame,
    RecallFrame, ReflexFrame,
};
pub use stage::{
    ActuatorStage, DynamicsNode, DynamicsStage, Edge, Level, LightStage, MachineStage,
    MachineState, MachineTransition, MindStage, NeedStage, OrganismStage, ParameterStage, Polygon,
    RobotStage, RoundThing, SensorStage, Stage, StageKind, StationStage, SwitchStage, TapeStage,
    Wall, WorldStage,
};

/// Version of the protocol. A peer of another version is refused by name of both.
pub const PROTOCOL: u32 = 1;

/// Longest request in bytes: a life state of the largest body fits several times.
pub const REQUEST_BYTES_MAX: usize = 1 << 20;

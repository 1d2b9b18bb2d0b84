//! What a body is, for every mind and every world.
//!
//! Terms: a *channel* is one named sensor or actuator; a *reading* is what a sensor channel says at
//! a tick, with its age and validity; a *percept* is all readings of a tick together with the
//! actuator states the mind can feel; a *command* is what a mind wants its actuators to do; a
//! *controller* is anything that turns percepts into commands.
//!
//! What it does not do: it knows no kinematics, no world and no mind; it gives no channel a meaning
//! beyond its physical range. A missing, stale or non-finite reading stays one; it never becomes 0.
#![no_std]

mod actuator;
mod command;
mod controller;
mod percept;
pub mod presets;
mod reading;
mod safety;
mod sensor;
mod spec;

pub use actuator::{ActuatorBank, ActuatorKind, ActuatorSpec, ActuatorState, MANUAL_SECONDS};
pub use command::Command;
pub use controller::{Controller, Observer};
pub use percept::Percept;
pub use reading::Reading;
pub use safety::{SafetyAction, SafetyMonitor, SafetyParameters, SafetyReport};
pub use sensor::{Sample, SensorBank, SensorKind, SensorSpec};
pub use spec::{BodyError, BodySpec, Side};

/// Most sensor channels a body can have.
pub const MAX_SENSORS: usize = 16;

/// Most actuator channels a body can have.
pub const MAX_ACTUATORS: usize = 16;

//! The 2-D world all robots live in.
//!
//! Terms: a *world* is a room with stations, lights, fields and robots; a *plan* is a body together
//! with its physics; the *truth* is what holds of a robot, free of noise.
//!
//! What it does not do: it knows no mind. It senses for a body's sensor bank and takes actuator
//! values; what happens in between is not its business. No third dimension, no forces.
#![no_std]

extern crate alloc;

pub mod battery;
mod bytes;
pub mod cast;
mod check;
pub mod contact;
pub mod drive;
pub mod edit;
mod error;
pub mod event;
pub mod field;
pub mod geometry;
pub mod light;
mod noise;
pub mod odometry;
pub mod plans;
pub mod presets;
mod robot;
pub mod sensor;
mod spec;
mod state;
pub mod station;
mod step;
mod world;

pub use error::{StateError, WorldError};
pub use event::{Action, Occurrence, OccurrenceKind, TimedEvent};
pub use geometry::{ConvexPolygon, Disc, Material, Room, Segment, Vec2};
pub use spec::{HeadSpec, RobotPlan, RobotSpec, Start, Tape, WorldSpec};
pub use state::WorldState;
pub use station::{StationSpec, StationState};
pub use world::{RobotTruth, World};

//! An octopus: eight arms with local minds and a centre that only assigns and settles conflicts.
//!
//! Terms: an *arm* is a chain of rigid segments; a *law* moves one arm towards one point; a *grip*
//! is food rigidly attached to a segment; the *centre* ([`Octopus`]) visits the arms in a fixed
//! order, keeps food exclusively owned and settles who yields. Lengths are pixels, x to the right
//! and y downwards, angles are radians clockwise as seen on the screen, numbers are `f64`.
//!
//! What it does not do: no forces, no water, no moving body, no third dimension. Files and verbs
//! live elsewhere; this crate reads nothing and allocates only when an octopus, an arm or an
//! object is made.
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod allocation;
pub mod arbitration;
pub mod arm;
pub mod constants;
pub mod contact;
pub mod controlled;
pub mod grip;
pub mod hazard;
pub mod law;
pub mod objects;
mod octopus;
pub mod portable;
pub mod reach;
pub mod reference;
mod retreat;
pub mod separation;
pub mod snapshot;
pub mod state;
pub mod task;
pub mod vector;

pub use arm::{Arm, ArmError, ArmParameters, Pose};
pub use controlled::{ControlledArm, Permit};
pub use law::{ArmLaw, Law, LawKind};
pub use objects::{Disc, Kind, Object, ObjectError, ObjectId};
pub use octopus::{CaptureReport, CommandError, Octopus, Settings};
pub use retreat::Urge;
pub use separation::SeparationSettings;
pub use state::{State, Status};
pub use task::{Task, WhenTaken};
pub use vector::Point;

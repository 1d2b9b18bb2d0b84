//! The laboratory: minds in worlds, measured.
//!
//! Terms: a *run* is one world with its robots and minds; a *life* begins at a start pose and ends
//! with an empty battery or at the cap; an *experiment* is conditions × seeds.
//!
//! What it does not do: it reads no clock and no environment, and draws no progress bars; leaves
//! do. It holds no model of mind or world.

extern crate alloc;

pub mod behaviour;
pub mod course;
mod error;
pub mod experiment;
pub mod explain;
pub mod feed;
pub mod grade;
pub mod habits;
pub mod life;
mod machine;
pub mod metrics;
mod mind;
pub mod outcome;
pub mod perturbation;
pub mod report;
pub mod results;
mod run;
pub mod schema;
pub mod script;
pub mod single;
pub mod study;
mod tables;
pub mod trace;
pub mod twins;

pub use error::LabError;
pub use machine::MachineMind;
pub use mind::Mind;
pub use run::{Robot, Run, Snapshot};

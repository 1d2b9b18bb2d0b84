//! The same recorded life on every target.
//!
//! Terms: a *recording* holds what the sensors of one life delivered; to *replay* it is to run
//! sensors, mind, actuators and safety on it; two targets are in *parity* when the commands of
//! every tick have the same bits, which their hash shows.
//!
//! What it does not do: the recorded sensors do not answer to the commands of the replay.
#![no_std]

#[cfg(feature = "wire")]
mod lifestate;
pub mod recording;
mod replay;

pub use recording::{Recording, RecordingError};
pub use replay::{Engine, Report, run};

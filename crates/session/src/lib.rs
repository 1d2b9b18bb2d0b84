//! A run one can watch and touch.
//!
//! Terms: the protocol and its words are in [`tropism_wire::session`]. A *table* is what a session
//! has loaded: robots in a world, a behaviour network, or the octopus. The *pacer* turns elapsed
//! time into whole ticks. The *journal* is everything asked that acted, with its tick: going back
//! is the nearest kept table and the journal from there; a new command there cuts the future. A
//! *recording* is what was loaded, the journal and hashes of the state, as JSON lines.
//!
//! # Determinism
//! A session reads no clock. Frames follow from the requests and the ticks between them alone. A
//! script that keeps values outside `memory` is done again from its first tick when one goes back.
//!
//! What it does not do: it moves no bytes and opens no file; the leaves (a server, a browser's
//! worker) do, and they hold the clock.

extern crate alloc;

mod describe;
mod dynamics;
mod grading;
mod journal;
mod library;
mod load;
mod octopus;
mod other;
mod pacer;
mod recording;
mod robots;
mod session;
mod steps;
mod table;
mod tape;
#[cfg(test)]
mod tests;
mod timeline;

pub use grading::{Driver, Grading, STARTS_MAX, Summary};
pub use pacer::{CATCH_UP_S, Pacer};
pub use recording::{MemoryStore, RECORDING_BYTES_MAX, Store, info as recording_info};
pub use session::Session;
pub use steps::{Asked, LOOK_TICKS, Steps, Turn, WAITING_BYTES_MAX, WAITING_MAX};

//! A run one can watch and touch.
//!
//! Terms: the protocol and its words are in [`tropism_wire::session`]. A *table* is what a session
//! has loaded: robots in a world, a behaviour network, or the octopus. The *pacer* turns elapsed
//! time into whole ticks.
//!
//! # Determinism
//! A session reads no clock. Frames follow from the requests and the ticks between them alone.
//!
//! What it does not do: it moves no bytes; the leaves (a server, a browser's worker) do, and they
//! hold the clock.

extern crate alloc;

mod describe;
mod dynamics;
mod octopus;
mod other;
mod pacer;
mod robots;
mod session;
mod table;

pub use pacer::{CATCH_UP_S, Pacer};
pub use session::Session;

//! Reactive controllers: vehicles, wall and line following, bug algorithms, layers.
//!
//! Terms: a *vehicle* is a wiring from sensors to wheels; a *boundary* is the rim of an obstacle
//! that is being followed; a *layer* is a behaviour that can take the wheels from those below it.
//! Turns are positive to the left: `left = base − turn`, `right = base + turn`.
//!
//! What it does not do: it builds no map, plans no path and knows no world; it sees a body's
//! channels and writes a body's channels.
#![no_std]

pub mod blend;
pub mod bug;
pub mod course;
pub mod filter;
pub mod layers;
pub mod line;
pub mod machine;
pub mod pd;
pub mod plane;
#[cfg(test)]
mod probe;
pub mod reactive;
pub mod touch;
pub mod trail;
pub mod vehicle;
pub mod wall;
pub mod watchdog;

pub use reactive::{BUILT_IN_CONTROLLERS, Reactive, ReactiveSpec};

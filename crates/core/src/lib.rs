//! The ground every tropism crate stands on.
//!
//! Terms: a *tick* is one control step, counted by an integer; a *stream* is a sequence of random
//! draws that belongs to one purpose; a *parameter* is a number with a name, a unit, bounds, a
//! default and a source.
//!
//! What it does not do: it knows no robot, reads no clock, allocates nothing and never panics on
//! data.
#![no_std]

pub mod hash;
pub mod list;
pub mod math;
pub mod name;
pub mod parameter;
pub mod random;
pub mod tick;
pub mod units;

pub use hash::StateHash;
pub use list::FixedList;
pub use name::{Name, NameError};
pub use parameter::{OutOfBounds, Parameter};
pub use random::{Draws, Purpose, Seed, Stream};
pub use tick::{StepError, Tick, TimeStep};

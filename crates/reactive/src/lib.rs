//! Reactive controllers.
//!
//! Terms: a *machine* is a state machine held as data.
//!
//! What it does not do: no map, no planning, no learning; nothing allocates and nothing fails while
//! stepping.
#![no_std]

pub mod machine;

//! A laboratory table for a browser's worker.
//!
//! Terms: the *worker* is the thread of a page that holds this module; it owns the clock and the
//! link to the page. Messages are those of [`tropism_wire::session`], as text.
//!
//! # Determinism
//! The same requests give the same messages, byte for byte, as on every other back end. Only how
//! many ticks [`Lab::advance`] makes follows from the time that went by.
//!
//! What it does not do: it draws nothing and keeps nothing; it has no file, no network and no
//! thread.

extern crate alloc;

mod clock;
mod engine;
mod lab;

pub use engine::{
    Engine, Guest, Host, math_longer, math_one, math_ones, math_two, math_twos, script_bounds,
    script_outside, script_prelude, use_engine,
};
pub use lab::Lab;

//! Experiments, traces and recorded lives.
//!
//! What it does not do: no clock, no environment, no command line.

extern crate alloc;

pub mod feed;

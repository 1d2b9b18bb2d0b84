//! Experiments, traces and recorded lives.
//!
//! What it does not do: no clock, no environment, no command line.

pub mod feed;

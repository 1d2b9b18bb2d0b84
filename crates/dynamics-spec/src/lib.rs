//! Specifications of layered dual dynamics: one text for simulator, firmware and documentation.
//!
//! Terms: a *specification* is the TOML text (or its Rust form) of a network; *compiling* checks it
//! and gives the flat table of `tropism-dynamics`; a *blob* is that table in bytes for firmware.
//!
//! What it does not do: it runs no simulation and opens no file; callers hand in text.

extern crate alloc;

pub mod builder;
pub mod compile;
pub mod compiled;
pub mod diagnostic;
pub mod document;
pub mod expr;
pub mod influence;
pub mod interval;
mod ir;
pub mod live;
mod lower;
pub mod read;
pub mod spec;
mod symbol;
pub mod trace;
pub mod unit;
pub mod wiring;

pub use compile::{Options, compile, compile_text};
pub use compiled::{Compiled, OwnedNetwork};
pub use diagnostic::{Diagnostic, Refused, Severity};
pub use read::read;
pub use spec::Spec;

//! Layered dual dynamics: behaviour networks as difference equations on layers with their own
//! time scales.
//!
//! Terms: a *layer* z has its own period and holds percepts s, behaviours with activations
//! α ∈ [0, 1], and actuators a; a *user* of a behaviour is a behaviour of the layer above (or a
//! mode input) that calls for it through a *T-term*; a *target* is where a behaviour wants an
//! actuator to be. A network is a flat [`Table`] with expressions in bytecode, compiled elsewhere
//! and verified here.
//!
//! What it does not do: it parses no text, knows no body and no world, draws no random number,
//! allocates nothing and never panics.
//!
//! # Source
//! S. Behnke 1999, `RoboCup` working notes, "Computation of the Dynamics"; after H. Jaeger's Dual
//! Dynamics (1995). `docs/models/dynamics.md` maps every symbol and says where we differ.
#![no_std]

pub mod controller;
pub mod eval;
pub mod network;
pub mod observe;
pub mod op;
pub mod real;
mod step;
pub mod table;
pub mod verify;

pub use controller::{NetworkMind, Wiring};
pub use network::{Borrowed, NEVER, Network, Parts, Storage};
pub use observe::{Fault, Observer, Term, Unobserved};
pub use op::{Instruction, Op};
pub use real::Real;
pub use table::{Header, Integrator, Phase, Source, Table};
pub use verify::TableError;

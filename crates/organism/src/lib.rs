//! The homeostatic organism: needs, habituation, memories and learned reflexes in a few kilobytes.
//!
//! Terms are defined where they are used: *need*, *drive* and *salience* in [`physiology`], *entry*
//! and *surprise* in [`contingency`], *place* in [`spatial`], *context* and *advantage* in
//! [`reflex`]. One tick is [`Organism::step_with_noise`].
//!
//! What it does not do: it allocates nothing, fails never, reads no clock, and gives no channel a
//! meaning but one: the energy sensor feeds the energy need.
#![no_std]

pub mod code;
mod config;
pub mod contingency;
mod controls;
mod observe;
mod organism;
pub mod parameters;
pub mod physiology;
mod planes;
pub mod reflex;
pub mod senses;
pub mod spatial;

pub use config::{
    Ablation, OrganismConfig, Reflexes, WIRING_MAX, WiredConnection, context_of, reference_wiring,
};
pub use controls::{DoNothing, RandomWalk};
pub use organism::{Decision, MODULES, Organism, OrganismState, total_drive};
pub use parameters::OrganismParameters;
pub use physiology::{NEEDS, Need};

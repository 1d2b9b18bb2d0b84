//! The life state of an organism as a document.
//!
//! Terms: a *life state* is everything that makes an organism behave as it does and that its
//! configuration does not hold; a *document* is a life state as JSON; a *blob* is the same in a
//! compact checked binary form for flash; a *transfer* gives a life state to an organism of
//! another body, by channel names.
//!
//! Reading never touches an organism: bytes become a checked [`LifeState`] or a
//! [`LifeStateError`]; only a checked state is given on.
//!
//! # Example
//! ```
//! use tropism_body::presets;
//! use tropism_core::{Seed, TimeStep};
//! use tropism_organism::{Organism, OrganismConfig};
//! let (step, config) = (TimeStep::TWENTIETH, OrganismConfig::default());
//! let organism = Organism::new(&presets::reference_simulator(), step, config, Seed(1), 0);
//! let mut text = String::new();
//! tropism_wire::write_json(&organism, &mut text)?;
//!
//! let life = tropism_wire::read_json(text.as_bytes())?;
//! let mut other = Organism::new(&presets::reference_board(), step, config, Seed(2), 0);
//! let report = life.give_to(&mut other);
//! assert!(report.to_string().contains("sensors dropped: mic, "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What it does not do: it holds no configuration (parameters, switches, wiring) and nothing that
//! belongs to the body or the world (actuator positions, heat of the parts, sampling times).
#![no_std]
#![allow(
    clippy::large_stack_frames,
    reason = "a life state is 25 kB; boards keep one in static memory and read into it"
)]

#[cfg(any(feature = "std", feature = "session"))]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod blob;
mod check;
mod error;
#[cfg(feature = "std")]
pub mod file;
mod json;
mod life;
mod network;
#[cfg(feature = "session")]
pub mod session;
pub mod slots;
mod summary;
mod transfer;

pub use error::{LifeStateError, Reason, Text};
pub use json::{BYTES_MAX, read_json, read_json_into, read_json_up_to, write_json};
pub use life::{LifeState, Parts, Streams};
pub use network::{
    NETWORK_HEADER_BYTES, NetworkBuffers, NetworkError, read_network, write_network,
};
pub use transfer::{Carried, Names, TransferReport};

/// Version of the document written here.
pub const VERSION: u32 = 2;

/// Value of the key `format` in a version 2 document.
pub const FORMAT: &str = "tropism-life-state";

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
//! What it does not do: it holds no configuration (parameters, switches, wiring) and nothing that
//! belongs to the body or the world (actuator positions, heat of the parts, sampling times).
#![no_std]

#[cfg(feature = "std")]
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
pub mod slots;
mod transfer;

pub use error::{LifeStateError, Reason, Text};
pub use json::{BYTES_MAX, read_json, read_json_up_to, write_json};
pub use life::{LifeState, Parts, Streams};
pub use transfer::{Carried, Names, TransferReport};

/// Version of the document written here.
pub const VERSION: u32 = 2;

/// Value of the key `format` in a version 2 document.
pub const FORMAT: &str = "tropism-life-state";

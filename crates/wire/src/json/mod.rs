//! The life state as JSON.

mod read;
mod read_reflexes;
mod read_v1;
mod read_v2;
mod reader;
mod write;

pub use read::{BYTES_MAX, read_json, read_json_into, read_json_up_to};
pub use write::write_json;

/// Names of the reflex contexts, in order.
pub(crate) const CONTEXT_NAMES: [&str; 7] =
    ["always", "energy", "fatigue", "safety", "arousal", "curiosity", "boredom"];

/// Name of the constant input of the reflexes; no channel can be called so.
pub(crate) const CONSTANT: &str = "1";

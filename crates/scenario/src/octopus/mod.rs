//! Octopus scenario files, traces, reach scenes and benchmarks.
//!
//! Terms: a *scenario file* describes a scene before anything moves; a *saved file* also holds the
//! state of a run; an *event file* lists commands to be given before certain updates.
//!
//! What it does not do: it opens no window and reads no clock; the caller opens the files.

pub mod bench;
pub mod build;
pub mod events;
pub mod field;
pub mod format;
pub mod json;
pub mod save;
pub mod scenes;
pub mod trace;
pub mod verbs;

pub use tropism_octopus::LawKind;

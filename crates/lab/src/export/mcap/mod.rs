//! MCAP files: written with the schemas of Foxglove and our own, read back, mended.
//!
//! Format: chunks of about 256 KiB, compressed with lz4, each with a checksum; indexes and
//! statistics at the end. Foxglove's messages are protobuf, our own are JSON with a JSON Schema in
//! the file. A metadata record `tropism` says what was recorded.
//!
//! What it does not do: it reads chunks that are not compressed or compressed with lz4, none with
//! zstd; attachments are counted as bytes, not carried over.

mod check;
mod chunk;
mod drawing;
mod json;
mod octopus;
mod scan;
mod session;
mod writer;

pub use check::{Contents, Recovered, Topic, check, recover};
pub use octopus::octopus_trace;
pub use session::trace;
pub use writer::{Level, McapWriter, MindTick};

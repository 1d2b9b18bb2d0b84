//! Recordings: what was loaded and what was asked, from which a run follows to the bit.
//!
//! Terms: a recording is JSON lines. The *header* comes first: versions and what was loaded, with
//! all its texts and the seed. Then follow, in order of time, commands with their tick and hashes
//! of the state; a *cut* takes back what came after a tick; an *end* line closes it. A recording
//! without an end line is *cut off*: the program that wrote it was stopped. It is read up to its
//! last whole line.
//!
//! What it does not do: it holds no frames. A recording of another model version replays as far as
//! it agrees, and the first difference is told.

mod read;
mod store;

use serde::{Deserialize, Serialize};
use tropism_wire::session::{Command, RecordingInfo};

use crate::journal::Asked;

pub use read::info;
pub(crate) use read::{is_recording, read};
pub use store::{MemoryStore, RECORDING_BYTES_MAX, Store};

/// Version of the format.
pub(crate) const FORMAT: u32 = 1;

/// A line of a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Line {
    /// What was loaded.
    Header {
        /// Version of the format.
        tropism_recording: u32,
        /// Version of the session protocol.
        protocol: u32,
        /// Version of the models.
        model_version: u32,
        /// The program that wrote it.
        program: String,
        /// The load, with all texts and the seed.
        load: Command,
    },
    /// A command.
    Asked {
        /// After so many ticks.
        tick: u64,
        /// The command.
        command: Command,
    },
    /// The state at a tick, before anything asked there.
    Hash {
        /// The tick.
        tick: u64,
        /// 16 hexadecimal digits.
        hash: String,
    },
    /// Somebody went back and asked something else.
    Cut {
        /// What came after this tick counts no more.
        tick: u64,
        /// Commands that still count.
        commands: u64,
    },
    /// It was ended.
    End {
        /// Ticks it covers.
        tick: u64,
    },
}

/// A line as text.
pub(crate) fn line(line: &Line) -> String {
    let mut text = serde_json::to_string(line)
        .unwrap_or_else(|error| unreachable!("plain data is JSON: {error}"));
    text.push('\n');
    text
}

/// A recording that was read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tape {
    /// What to load.
    pub(crate) load: Command,
    /// Version of the models that made it.
    pub(crate) model_version: u32,
    /// What was asked.
    pub(crate) journal: Vec<Asked>,
    /// Known hashes, in order of their ticks.
    pub(crate) hashes: Vec<(u64, u64)>,
    /// Ticks it covers.
    pub(crate) ticks: u64,
    /// It has no end.
    pub(crate) is_cut: bool,
}

/// What a listing says of a recording that cannot be read.
pub(crate) fn unreadable(name: &str, bytes: u64) -> RecordingInfo {
    RecordingInfo { name: name.to_owned(), ticks: 0, is_cut: true, bytes }
}

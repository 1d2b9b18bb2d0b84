//! What a session says.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

use super::frame::Frame;
use super::stage::Stage;

/// Something a session says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// The first message of a session.
    Hello {
        /// Version of the protocol.
        protocol: u32,
        /// Program and version.
        program: String,
        /// Version of the models; recordings of another version may differ.
        model_version: u32,
    },
    /// A request was carried out.
    Done {
        /// Its number.
        id: u32,
        /// What came of it.
        outcome: Outcome,
    },
    /// A request was refused; nothing was changed. Without a number the request could not be read.
    Refused {
        /// Its number.
        id: Option<u32>,
        /// Why.
        fault: Fault,
    },
    /// What stands on the table, after a load or an edit.
    Stage {
        /// The stage.
        stage: Box<Stage>,
    },
    /// The state after a tick.
    Frame {
        /// The frame.
        frame: Box<Frame>,
    },
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Outcome {
    /// It was done.
    Plain,
    /// What can be loaded.
    Listing {
        /// Scenarios, networks and octopus scenes.
        entries: Vec<Listed>,
        /// Kept recordings.
        recordings: Vec<RecordingInfo>,
        /// Conditions a robot's mind can be given.
        conditions: Vec<String>,
    },
    /// A life state.
    LifeState {
        /// The document.
        document: String,
    },
    /// A life state was given.
    Transfer {
        /// What was taken over and what was dropped, in lines.
        report: String,
        /// The body had the same channels.
        fingerprint_matched: bool,
        /// Contingencies taken over.
        contingencies: u32,
        /// Places taken over.
        places: u32,
    },
    /// A document.
    Document {
        /// A good file name for it.
        name: String,
        /// Its text.
        text: String,
    },
}

/// Something that can be loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Listed {
    /// Its name for [`super::Source::BuiltIn`].
    pub name: String,
    /// `robots`, `dynamics` or `octopus`.
    pub kind: super::stage::StageKind,
    /// What it is, in one sentence.
    pub about: String,
}

/// A kept recording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordingInfo {
    /// Its name.
    pub name: String,
    /// Ticks it covers.
    pub ticks: u64,
    /// It ends before it was ended: the program was stopped.
    pub is_cut: bool,
    /// Size, bytes.
    pub bytes: u64,
}

/// Where a fault is, and what it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Place {
    /// Name of the file or of the request's field.
    pub file: String,
    /// Line from 1; 0 when it concerns the whole.
    pub line: u32,
    /// Column from 1; 0 when it concerns the whole line.
    pub column: u32,
    /// What is wrong there and what would be right.
    pub text: String,
}

/// Why something was refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fault {
    /// What is wrong and what would be right.
    pub what: String,
    /// Where, for files; every fault of a file has its own.
    #[serde(default)]
    pub places: Vec<Place>,
}

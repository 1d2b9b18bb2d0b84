//! What can go wrong in the lab, with the file and what would be right.

use std::path::{Path, PathBuf};

use tropism_ethology::table::FileError;
use tropism_world::WorldError;

/// An error of the lab.
#[derive(Debug)]
#[non_exhaustive]
pub enum LabError {
    /// The operating system refused.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What it said.
        error: std::io::Error,
    },
    /// A file is not what it should be.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// Writing a result failed.
    File(FileError),
    /// A world cannot be built.
    World {
        /// Condition it was built for.
        condition: String,
        /// Why.
        error: WorldError,
    },
    /// The worker threads could not be started.
    Workers(String),
    /// Something the data cannot give.
    Data(String),
}

impl LabError {
    pub(crate) fn io(path: &Path, doing: &'static str, error: std::io::Error) -> Self {
        Self::Io { path: path.to_owned(), doing, error }
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), what: what.into() }
    }
}

impl core::fmt::Display for LabError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Io { path, doing, error } => {
                write!(f, "{}: could not {doing}: {error}", path.display())
            }
            Self::Damaged { path, what } => write!(f, "{}: {what}", path.display()),
            Self::File(error) => core::fmt::Display::fmt(error, f),
            Self::World { condition, error } => {
                write!(f, "the world for condition `{condition}` cannot be built: {error}")
            }
            Self::Workers(what) => write!(f, "the workers could not be started: {what}"),
            Self::Data(what) => f.write_str(what),
        }
    }
}

impl core::error::Error for LabError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io { error, .. } => Some(error),
            Self::World { error, .. } => Some(error),
            _ => None,
        }
    }
}

//! Life states in files on a host.
//!
//! A save goes into a new file beside the old one, is forced to the disk and then takes the old
//! one's name; what was there before stays as `NAME.bak`.

use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tropism_organism::Organism;

use crate::{BYTES_MAX, LifeState, LifeStateError, read_json, write_json};

/// Why a file could not be saved or loaded.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// The system refused.
    Io(PathBuf, io::Error),
    /// The file is no sound life state.
    Refused(PathBuf, Box<LifeStateError>),
}

impl core::fmt::Display for FileError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Refused(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl core::error::Error for FileError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Io(_, error) => Some(error),
            Self::Refused(_, error) => Some(&**error),
        }
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Saves the life state of an organism: whole, or not at all.
///
/// # Errors
/// [`FileError::Io`]; the file that was there is untouched.
pub fn save(path: &Path, organism: &Organism) -> Result<(), FileError> {
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = write_json(organism, &mut text);
    let new = with_suffix(path, ".new");
    let at = |path: &Path| {
        let path = path.to_owned();
        move |error| FileError::Io(path, error)
    };
    let written = File::create(&new).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(at(&new))?;
    if path.exists() {
        let backup = with_suffix(path, ".bak");
        fs::copy(path, &backup).map_err(at(&backup))?;
    }
    fs::rename(&new, path).map_err(at(path))?;
    // The new name is on the disk only when its folder is.
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(at(folder))
}

/// Loads a life state of at most [`BYTES_MAX`] bytes.
///
/// # Errors
/// [`FileError`] names the file and the reason.
pub fn load(path: &Path) -> Result<LifeState, FileError> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|e| FileError::Io(path.to_owned(), e))?;
    // One byte past the limit suffices to know that a file is too large.
    let size = file.metadata().map_or(0, |m| m.len() as usize);
    file.take(BYTES_MAX as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| FileError::Io(path.to_owned(), e))?;
    let refused = |error| FileError::Refused(path.to_owned(), Box::new(error));
    if bytes.len() > BYTES_MAX {
        let bytes = size.max(bytes.len());
        let reason = crate::Reason::TooLarge { bytes, limit: BYTES_MAX };
        return Err(refused(LifeStateError::whole(reason)));
    }
    read_json(&bytes).map_err(refused)
}

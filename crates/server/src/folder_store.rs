//! Recordings in a folder, a file of JSON lines each.

use alloc::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use tropism_session::{RECORDING_BYTES_MAX, Store, recording_info};
use tropism_wire::session::RecordingInfo;

/// What the file of a recording ends in.
const EXTENSION: &str = "jsonl";

/// What was found out about a file of this size and age.
type Known = (u64, Option<SystemTime>, RecordingInfo);

/// Recordings in a folder, which is made with the first of them.
#[derive(Debug)]
pub(crate) struct FolderStore {
    folder: PathBuf,
    /// Files this session writes.
    open: BTreeMap<String, File>,
    /// Long recordings are not read again as long as they stay as they are.
    known: Mutex<BTreeMap<String, Known>>,
}

impl FolderStore {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, open: BTreeMap::new(), known: Mutex::default() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.{EXTENSION}"))
    }

    fn info(&self, name: &str) -> Option<RecordingInfo> {
        let meta = self.path(name).metadata().ok().filter(std::fs::Metadata::is_file)?;
        let (size, age) = (meta.len(), meta.modified().ok());
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, _, info)) = known.get(name).filter(|k| k.0 == size && k.1 == age) {
            return Some(info.clone());
        }
        let info = recording_info(name, &self.read(name).unwrap_or_default());
        let info = RecordingInfo { bytes: size, ..info };
        known.insert(name.to_owned(), (size, age, info.clone()));
        Some(info)
    }
}

/// Names that sessions make; others are no recordings and lead nowhere.
fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

impl Store for FolderStore {
    fn list(&self) -> Vec<RecordingInfo> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let name = name.strip_suffix(EXTENSION)?.strip_suffix('.')?;
                is_name(name).then(|| name.to_owned())
            })
            .collect();
        names.sort();
        names.iter().filter_map(|name| self.info(name)).collect()
    }

    fn has(&self, name: &str) -> bool {
        is_name(name) && self.path(name).exists()
    }

    fn append(&mut self, name: &str, lines: &str) -> Result<(), String> {
        if !is_name(name) {
            return Err(format!("`{name}` is no name of a recording"));
        }
        let path = self.path(name);
        let failed = |error| format!("{}: {error}", path.display());
        if !self.open.contains_key(name) {
            std::fs::create_dir_all(&self.folder).map_err(failed)?;
            let file = OpenOptions::new().append(true).create_new(true).open(&path);
            self.open.insert(name.to_owned(), file.map_err(failed)?);
        }
        let Some(file) = self.open.get_mut(name) else { return Ok(()) };
        // One write per call, without a buffer: it is the system's when the program is killed.
        file.write_all(lines.as_bytes()).map_err(failed)
    }

    fn read(&self, name: &str) -> Result<String, String> {
        if !self.has(name) {
            return Err(format!("there is no recording {name}"));
        }
        let path = self.path(name);
        let failed = |error: &dyn core::fmt::Display| format!("{}: {error}", path.display());
        let file = File::open(&path).map_err(|error| failed(&error))?;
        let mut bytes = Vec::new();
        let most = RECORDING_BYTES_MAX as u64 + 1;
        file.take(most).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
        if bytes.len() as u64 == most {
            let what = format!("it is larger than {RECORDING_BYTES_MAX} bytes");
            return Err(failed(&what));
        }
        // The last character of a file that was cut off may be half of one.
        String::from_utf8(bytes).or_else(|error| {
            let whole = error.utf8_error().valid_up_to();
            let is_tail = error.as_bytes().len() - whole < 4;
            let mut bytes = error.into_bytes();
            bytes.truncate(whole);
            match String::from_utf8(bytes) {
                Ok(text) if is_tail => Ok(text),
                _ => Err(failed(&"it is no text")),
            }
        })
    }
}

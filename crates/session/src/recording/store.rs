//! Where recordings are kept.

use alloc::collections::BTreeMap;

use tropism_wire::session::RecordingInfo;

use crate::recording::info;

/// Largest recording, bytes.
pub const RECORDING_BYTES_MAX: usize = 256 << 20;

/// Keeps recordings. A session makes the names: letters, digits, `-` and `_`, at most 64.
pub trait Store: core::fmt::Debug {
    /// What is kept, in order of names; see [`info`].
    fn list(&self) -> Vec<RecordingInfo>;

    /// There is one of this name.
    fn has(&self, name: &str) -> bool;

    /// Adds whole lines to a recording, which begins with its first ones. When this returns they
    /// outlive the program being killed.
    ///
    /// # Errors
    /// Why they could not be kept, in words; the recording is then over.
    fn append(&mut self, name: &str, lines: &str) -> Result<(), String>;

    /// The text of a recording.
    ///
    /// # Errors
    /// Why it cannot be had, in words.
    fn read(&self, name: &str) -> Result<String, String>;
}

/// Most bytes a [`MemoryStore`] keeps.
const MEMORY_MAX: usize = 64 << 20;

/// Keeps recordings in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    texts: BTreeMap<String, String>,
}

impl Store for MemoryStore {
    fn list(&self) -> Vec<RecordingInfo> {
        self.texts.iter().map(|(name, text)| info(name, text)).collect()
    }

    fn has(&self, name: &str) -> bool {
        self.texts.contains_key(name)
    }

    fn append(&mut self, name: &str, lines: &str) -> Result<(), String> {
        let kept: usize = self.texts.values().map(String::len).sum();
        if kept + lines.len() > MEMORY_MAX {
            return Err(format!(
                "{MEMORY_MAX} bytes of recordings are kept; there is no more room"
            ));
        }
        self.texts.entry(name.to_owned()).or_default().push_str(lines);
        Ok(())
    }

    fn read(&self, name: &str) -> Result<String, String> {
        let missing = || format!("there is no recording {name}");
        self.texts.get(name).cloned().ok_or_else(missing)
    }
}

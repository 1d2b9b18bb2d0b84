//! Files that appear whole or not at all.

use core::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Names tried for the temporary file before giving up.
const ATTEMPTS: u32 = 1_000;

/// Why a file could not be written.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What failed.
    pub source: io::Error,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write `{}`: {}", self.path.display(), self.source)
    }
}

impl core::error::Error for FileError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// A file under a temporary name in its folder, until it is committed; dropping removes it.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    temporary: PathBuf,
    file: Option<File>,
}

impl AtomicFile {
    /// Opens a temporary file beside `path`.
    ///
    /// # Errors
    /// [`FileError`] when the folder does not exist or cannot be written, or `path` has no name.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let fail = |source| FileError { path: path.into(), source };
        let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "the path names no file");
        let name = path.file_name().ok_or_else(|| fail(no_name()))?;
        for number in 0..ATTEMPTS {
            let mut hidden = std::ffi::OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{number}.partial"));
            let temporary = path.with_file_name(hidden);
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => {
                    return Ok(Self { path: path.into(), temporary, file: Some(file) });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(fail(error)),
            }
        }
        Err(fail(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "too many unfinished files beside it",
        )))
    }

    /// The final path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Forces the contents to the disk and gives the file its name, replacing an older one.
    ///
    /// # Errors
    /// [`FileError`] when the disk or the folder refuses; the older file is then untouched.
    pub fn commit(mut self) -> Result<(), FileError> {
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        let result = file.sync_all().and_then(|()| fs::rename(&self.temporary, &self.path));
        if result.is_err() {
            self.file = Some(file);
        }
        result.and_then(|()| sync_folder(&self.path)).map_err(|source| self.error(source))
    }

    pub(super) fn error(&self, source: io::Error) -> FileError {
        FileError { path: self.path.clone(), source }
    }
}

/// A rename is on the disk when its folder is.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

impl Write for AtomicFile {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(buffer))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), File::flush)
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // Nobody is left to hear of a failure; the hidden name tells what the file is.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Writes a whole file: temporary file in the same folder, forced to the disk, renamed.
///
/// # Errors
/// [`FileError`] naming the path; the older file is then untouched.
pub fn atomic_write(path: &Path, contents: &[u8]) -> Result<(), FileError> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(contents).map_err(|source| FileError { path: path.into(), source })?;
    file.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn unit_a_written_file_replaces_the_older_one_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        atomic_write(&path, b"one").unwrap();
        atomic_write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.csv"]);
    }

    #[test]
    fn unit_a_dropped_file_leaves_the_older_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        atomic_write(&path, b"old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        assert_eq!(names(folder.path()).len(), 2);
        drop(file);
        assert_eq!((names(folder.path()).len(), fs::read(&path).unwrap()), (1, b"old".to_vec()));
    }

    #[test]
    fn unit_two_writers_of_one_path_do_not_mix() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut first = AtomicFile::create(&path).unwrap();
        let mut second = AtomicFile::create(&path).unwrap();
        first.write_all(b"first").unwrap();
        second.write_all(b"second").unwrap();
        second.commit().unwrap();
        first.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
    }

    #[test]
    fn unit_the_error_names_the_path() {
        let error = atomic_write(Path::new("no/such/folder/x.csv"), b"").unwrap_err();
        assert!(error.to_string().starts_with("cannot write `no/such/folder/x.csv`: "));
        assert!(atomic_write(Path::new("/"), b"").is_err());
    }
}

//! Files that appear whole or not at all.

use core::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Names tried for the temporary file before giving up.
const ATTEMPTS: u32 = 1_000;

/// Symlinks followed before giving up.
const LINKS: u32 = 40;

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
///
/// A symlink stays and the file it leads to is replaced. A device, a FIFO or a standard stream of
/// the process (`/dev/stdout`) is no file that could be replaced: it is written to at once.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    /// Where it is written until it takes the name `target`; none when written to directly.
    temporary: Option<PathBuf>,
    target: PathBuf,
    file: Option<File>,
}

impl AtomicFile {
    /// Opens a temporary file beside `path`, or `path` itself when it is no regular file.
    ///
    /// # Errors
    /// [`FileError`] when the folder does not exist or cannot be written, `path` has no name, is a
    /// folder, is read-only, or is a symlink that leads round in a circle.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let fail = |source| FileError { path: path.into(), source };
        let found = fs::metadata(path).ok();
        if found.as_ref().is_some_and(|found| !found.is_file() && !found.is_dir())
            || is_stream(path)
        {
            // Appending keeps what was printed before to a standard stream that is a file.
            let file = OpenOptions::new().append(true).open(path).map_err(fail)?;
            return Ok(Self {
                path: path.into(),
                temporary: None,
                target: path.into(),
                file: Some(file),
            });
        }
        if let Some(found) = found {
            check_replaceable(&found).map_err(fail)?;
        }
        let target = follow(path).map_err(fail)?;
        let (file, temporary) = temporary_beside(&target).map_err(fail)?;
        Ok(Self { path: path.into(), temporary: Some(temporary), target, file: Some(file) })
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
        let Some(temporary) = &self.temporary else {
            // What was written is where it belongs; a pipe cannot be forced to a disk.
            return Ok(());
        };
        let result = file.sync_all().and_then(|()| fs::rename(temporary, &self.target));
        if result.is_err() {
            self.file = Some(file);
        }
        result.and_then(|()| sync_folder(&self.target)).map_err(|source| self.error(source))
    }

    pub(super) fn error(&self, source: io::Error) -> FileError {
        FileError { path: self.path.clone(), source }
    }
}

/// True for names of the process's own streams, which may lead to a regular file.
fn is_stream(path: &Path) -> bool {
    let names = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"];
    cfg!(unix) && names.iter().any(|name| path.starts_with(name))
}

/// A rename heeds only the folder's permissions; the file's own are asked here.
fn check_replaceable(found: &fs::Metadata) -> io::Result<()> {
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if found.permissions().readonly() {
        let what = "it is read-only; make it writable or give another name";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, what));
    }
    Ok(())
}

/// The end of a chain of symlinks, whether there is a file or not.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..LINKS {
        if !fs::symlink_metadata(&target).is_ok_and(|found| found.is_symlink()) {
            return Ok(target);
        }
        let next = fs::read_link(&target)?;
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "its symlinks lead round in a circle"))
}

/// A new file with a hidden name in the folder of `target`, and its path.
fn temporary_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "the path names no file");
    let name = target.file_name().ok_or_else(no_name)?;
    for number in 0..ATTEMPTS {
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{number}.partial"));
        let temporary = target.with_file_name(hidden);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((file, temporary)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many unfinished files beside it"))
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
        if let (Some(_), Some(temporary)) = (self.file.take(), &self.temporary) {
            // Nobody is left to hear of a failure; the hidden name tells what the file is.
            let _ = fs::remove_file(temporary);
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

    #[test]
    fn edge_a_read_only_file_and_a_folder_are_refused_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, b"old").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        let error = atomic_write(&path, b"new").unwrap_err().to_string();
        assert!(error.contains("a.csv`: it is read-only; make it writable"), "{error}");
        assert_eq!((fs::read(&path).unwrap(), names(folder.path()).len()), (b"old".to_vec(), 1));
        let error = atomic_write(folder.path(), b"new").unwrap_err().to_string();
        assert!(error.ends_with("it is a folder"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn edge_a_symlink_stays_and_the_file_it_leads_to_is_replaced() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        fs::write(at("deep/old.csv"), b"old").unwrap();
        symlink("deep/old.csv", at("link")).unwrap();
        symlink("link", at("chain")).unwrap();
        symlink("deep/absent.csv", at("dangling")).unwrap();
        symlink("circle", at("circle")).unwrap();
        atomic_write(&at("chain"), b"new").unwrap();
        atomic_write(&at("dangling"), b"born").unwrap();
        assert!(atomic_write(&at("circle"), b"x").unwrap_err().to_string().contains("circle"));
        assert_eq!(fs::read(at("deep/old.csv")).unwrap(), b"new");
        assert_eq!(fs::read(at("deep/absent.csv")).unwrap(), b"born");
        for name in ["link", "chain", "dangling", "circle"] {
            assert!(fs::symlink_metadata(at(name)).unwrap().is_symlink(), "{name}");
        }
        assert_eq!((names(folder.path()).len(), names(&at("deep")).len()), (5, 2));
    }

    #[cfg(unix)]
    #[test]
    fn edge_a_fifo_is_written_to_and_stays() {
        use std::os::unix::fs::FileTypeExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let reader = std::thread::spawn({
            let path = path.clone();
            move || fs::read(path).unwrap()
        });
        atomic_write(&path, b"through").unwrap();
        assert!(fs::symlink_metadata(&path).unwrap().file_type().is_fifo());
        assert_eq!(reader.join().unwrap(), b"through");
        assert_eq!(names(folder.path()), ["fifo"]);
    }
}

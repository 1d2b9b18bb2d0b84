//! Helpers shared by tests and benchmarks.
//!
//! What it does not do: it holds no model and is never a dependency of anything shipped.

pub mod alloc;
pub mod table;

use std::path::PathBuf;

/// The folder with outside data beside the checkout, if it is there.
///
/// The project keeps no copy of outside data. A test that needs a file asks here and, on `None`,
/// prints that it was skipped and returns.
pub fn shared_dir() -> Option<PathBuf> {
    let start = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    start.ancestors().map(|dir| dir.join("shared")).find(|dir| dir.join("golden").is_dir())
}

/// Path of an outside file, or a message on standard error and `None`.
pub fn shared_file(relative: &str) -> Option<PathBuf> {
    let found = shared_dir().map(|dir| dir.join(relative)).filter(|path| path.exists());
    if found.is_none() {
        eprintln!("skipped: outside data `shared/{relative}` is not beside this checkout");
    }
    found
}

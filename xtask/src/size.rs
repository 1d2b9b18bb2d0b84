//! `size`: flash and memory of the firmware images.

use anyhow::{Result, bail};

use crate::repository::Repository;

/// Leaves the measuring to `parity`, which builds the images.
pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<()> {
    crate::only_known(arguments, &[])?;
    match crate::command("parity") {
        Some(parity) => (parity.run)(repository, &["--size".to_owned()]),
        None => bail!("the images are measured by `parity`, which this build does not have"),
    }
}

//! `tidy`: what no compiler checks.
//!
//! Terms: a *stratum* is a level of the crate graph, core at 0; an *edge* is a dependency; a *mark*
//! is a word that says "not finished".

mod documents;
mod edges;
mod headers;
mod lines;
mod references;
mod sizes;

use anyhow::{Result, bail};

use crate::docs;
use crate::repository::Repository;

/// One broken rule: where, what, and what would be right.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    file: String,
    line: usize,
    what: String,
    right: String,
}

impl Violation {
    fn new(file: &str, line: usize, what: impl Into<String>, right: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, what: what.into(), right: right.into() }
    }
}

impl core::fmt::Display for Violation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { file, line, what, right } = self;
        write!(f, "{file}:{line}: {what}: {right}")
    }
}

/// Prints every violation, notes files above the aim, and fails when there is a violation.
pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<()> {
    crate::only_known(arguments, &[])?;
    let files = repository.text_files()?;
    let packages = edges::packages(repository)?;
    let mut found = edges::check(&packages);
    found.extend(edges::check_firmware(&edges::firmware_packages(repository)?));
    for package in &packages {
        let root = files.iter().find(|file| file.path == package.root);
        found.extend(headers::check(package, root));
    }
    let mut notes = Vec::new();
    for file in &files {
        found.extend(lines::check(file));
        let size = sizes::Size::of(file);
        found.extend(size.check(file));
        notes.extend(size.note(file));
    }
    found.extend(documents::check_decisions(&files));
    found.extend(documents::check_generated(&files, &docs::pages()));
    found.extend(references::check(&files));
    found.extend(documents::check_readme(&files, &crate::names()));
    found.sort();
    found.dedup();
    for note in &notes {
        println!("note: {note}");
    }
    for violation in &found {
        println!("{violation}");
    }
    println!(
        "tidy: {} files, {} packages, {} above the aim of {} lines, {} violations",
        files.len(),
        packages.len(),
        notes.len(),
        sizes::AIM,
        found.len()
    );
    if !found.is_empty() {
        bail!("{} violations", found.len());
    }
    Ok(())
}

//! What every crate has: documentation, inherited lints, and `no_std` where it is promised.

use super::Violation;
use super::edges::{Package, promises_no_std};
use crate::repository::TextFile;

/// Checks the manifest and the root source of a package.
pub(super) fn check(package: &Package, root: Option<&TextFile>) -> Vec<Violation> {
    let mut found = Vec::new();
    let manifest = package.file("Cargo.toml");
    if !inherits_lints(&package.manifest) {
        let right = "write [lints] and under it workspace = true";
        found.push(Violation::new(&manifest, 1, "lints are not those of the workspace", right));
    }
    let Some(root) = root else {
        found.push(Violation::new(&manifest, 1, "its source is not in the tree", "add it"));
        return found;
    };
    if !root.text.trim_start().starts_with("//!") {
        let right = "begin with //! lines: what it is, terms, what it does not do";
        found.push(Violation::new(&root.path, 1, "the crate has no documentation", right));
    }
    if promises_no_std(&package.name) && !is_no_std(&root.text) {
        let right = "write #![no_std] after the documentation";
        found.push(Violation::new(&root.path, 1, "the crate promises no_std", right));
    }
    found
}

fn inherits_lints(manifest: &str) -> bool {
    let mut lines = manifest.lines().map(str::trim);
    let is_said = |line: &str| line.replace(' ', "") == "workspace=true";
    if manifest.lines().any(|line| line.replace(' ', "") == "lints.workspace=true") {
        return true;
    }
    lines.any(|line| line == "[lints]")
        && lines.take_while(|line| !line.starts_with('[')).any(is_said)
}

fn is_no_std(source: &str) -> bool {
    source.lines().any(|line| {
        let line = line.trim();
        line == "#![no_std]" || (line.starts_with("#![cfg_attr(") && line.ends_with("no_std)]"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_lints_are_inherited_in_either_spelling() {
        assert!(inherits_lints("[package]\n[lints]\nworkspace = true\n"));
        assert!(inherits_lints("lints.workspace = true\n"));
        assert!(!inherits_lints("[lints.rust]\nunsafe_code = \"deny\"\n"));
        assert!(!inherits_lints("[lints]\n[dependencies]\nworkspace = true\n"));
        assert!(!inherits_lints("[package]\n"));
    }

    #[test]
    fn unit_no_std_is_read_from_the_source() {
        assert!(is_no_std("//! Docs.\n#![no_std]\n"));
        assert!(is_no_std("#![cfg_attr(not(test), no_std)]\n"));
        assert!(!is_no_std("//! It says #![no_std] only in prose.\n"));
    }
}

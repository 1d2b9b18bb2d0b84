//! What documents point at must be there: files of the tree, and tests by name.

use alloc::collections::BTreeSet;

use super::Violation;
use crate::repository::TextFile;

/// Folders whose files documents point at.
const FOLDERS: &[&str] = &["crates/", "docs/", "xtask/", "bench/", "scenarios/", "firmware/"];

/// Prefixes of the names of tests.
const KINDS: &[&str] = &[
    "unit_",
    "golden_",
    "prop_",
    "determinism_",
    "swarm_",
    "paper_",
    "parity_",
    "noalloc_",
    "size_",
    "edge_",
];

/// Fragments tell of the past; generated pages name keys of files.
const LEFT_OUT: &[&str] = &["changelog.d/", "docs/reference/"];

/// Checks the words in backticks of all pages written by hand.
pub(super) fn check(files: &[TextFile]) -> Vec<Violation> {
    let tests: BTreeSet<&str> =
        files.iter().filter(|file| file.kind() == "rs").flat_map(|f| functions(&f.text)).collect();
    let mut found = Vec::new();
    let is_read = |path: &str| !LEFT_OUT.iter().any(|folder| path.starts_with(folder));
    let pages = files.iter().filter(|file| file.kind() == "md" && is_read(&file.path));
    for page in pages {
        for (i, line) in page.text.lines().enumerate() {
            for word in in_backticks(line) {
                if is_path(word) && !exists(files, word) {
                    let what = format!("there is no `{word}`");
                    found.push(Violation::new(&page.path, i + 1, what, "name a file of the tree"));
                }
                if is_test(word) && !tests.contains(word) {
                    let what = format!("there is no test `{word}`");
                    found.push(Violation::new(
                        &page.path,
                        i + 1,
                        what,
                        "name the test that is there",
                    ));
                }
            }
        }
    }
    found
}

fn in_backticks(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

fn is_path(word: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    FOLDERS.iter().any(|folder| word.starts_with(folder)) && word.chars().all(is_plain)
}

fn exists(files: &[TextFile], path: &str) -> bool {
    let folder = format!("{}/", path.trim_end_matches('/'));
    files.iter().any(|file| file.path == path || file.path.starts_with(&folder))
}

fn is_test(word: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let is_long = |kind: &str| word.starts_with(kind) && word.len() > kind.len();
    KINDS.iter().any(|kind| is_long(kind)) && word.chars().all(is_plain)
}

fn functions(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("fn ")?;
        rest.split(['(', '<']).next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_page(line: &str, expected: &[&str]) {
        let file = |path: &str, text: &str| TextFile { path: path.into(), text: text.into() };
        let source = file("crates/core/src/tick.rs", "    #[test]\n    fn unit_steps_nest() {\n");
        let found = check(&[source, file("docs/A.md", line)]);
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), expected, "{line}");
    }

    #[test]
    fn unit_files_and_tests_that_are_not_there_are_found() {
        check_page("`crates/core/src/tick.rs`, `crates/core`, `crates/core/src/`", &[]);
        check_page("`unit_steps_nest` and `unit_` and `crates/*/src`", &[]);
        check_page(
            "x `crates/core/src/tock.rs`",
            &["docs/A.md:1: there is no `crates/core/src/tock.rs`: name a file of the tree"],
        );
        check_page(
            "`golden_steps`",
            &["docs/A.md:1: there is no test `golden_steps`: name the test that is there"],
        );
    }
}

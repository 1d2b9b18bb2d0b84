//! What is wrong with a file, and what would be right.
//!
//! Terms: a *fault* is one thing wrong at one place; an *error* is all faults found in one go.

use alloc::collections::BTreeSet;
use core::cell::{Cell, RefCell};
use core::ops::Range;

/// Most faults kept of a document; the rest is counted.
const KEPT_MAX: usize = 50;

/// One thing wrong at one place of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Fault {
    /// The file, as it was named.
    pub file: String,
    /// Line, from 1; 0 when the file could not be read at all.
    pub line: usize,
    /// Column in characters, from 1; 0 when the file could not be read at all.
    pub column: usize,
    /// Path of the key, such as `station[0].funnel.throat_m`; empty for the document itself.
    pub key: String,
    /// What is wrong.
    pub what: String,
    /// What would be right: nearest key, allowed names, bounds and unit. Can be empty.
    pub right: String,
    /// Where this file is named, as `file:line:column`, from the inside out; empty for the document
    /// itself.
    pub named_by: Vec<String>,
}

impl core::fmt::Display for Fault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { file, line, column, what, right, .. } = self;
        f.write_str(file)?;
        if *line > 0 {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {what}")?;
        if !right.is_empty() {
            write!(f, "; {right}")?;
        }
        self.named_by.iter().try_for_each(|place| write!(f, " (named in {place})"))
    }
}

/// Why a document was refused: every fault found, in order of place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioError {
    faults: Vec<Fault>,
    more: usize,
}

impl ScenarioError {
    /// The faults, at least one and at most fifty, file by file in order of place.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Faults found beyond those.
    pub fn more(&self) -> usize {
        self.more
    }

    /// An error about a file as a whole.
    pub(crate) fn of_file(file: &str, what: impl Into<String>, right: impl Into<String>) -> Self {
        let fault = Fault {
            file: file.to_owned(),
            line: 0,
            column: 0,
            key: String::new(),
            what: what.into(),
            right: right.into(),
            named_by: Vec::new(),
        };
        Self { faults: vec![fault], more: 0 }
    }
}

impl core::fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (i, fault) in self.faults.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{fault}")?;
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, "\n… and {more} more"),
        }
    }
}

impl core::error::Error for ScenarioError {}

/// Where a reader reports to; many readers of one document share it.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    found: RefCell<Vec<Fault>>,
    more: Cell<usize>,
    /// Keys that need no further fault: one was reported, or the key was misspelt.
    silent: RefCell<BTreeSet<String>>,
}

impl Faults {
    /// Further faults at this key would only follow from the one already reported.
    pub(crate) fn silence(&self, key: String) -> bool {
        self.silent.borrow_mut().insert(key)
    }

    pub(crate) fn push(&self, fault: Fault) {
        if self.is_full() {
            self.count_more();
        } else {
            self.found.borrow_mut().push(fault);
        }
    }

    /// True when further faults are only counted, so that their text need not be made.
    pub(crate) fn is_full(&self) -> bool {
        self.found.borrow().len() >= KEPT_MAX
    }

    pub(crate) fn count_more(&self) {
        self.more.set(self.more.get() + 1);
    }

    /// Takes over the faults of a document that is named at this place.
    pub(crate) fn append(&self, error: ScenarioError, named_at: &str) {
        self.more.set(self.more.get() + error.more);
        for mut fault in error.faults {
            fault.named_by.push(named_at.to_owned());
            self.push(fault);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.borrow().is_empty()
    }

    /// The value, or everything that was wrong.
    pub(crate) fn finish<T>(self, file: &str, value: Option<T>) -> Result<T, ScenarioError> {
        let mut faults = self.found.into_inner();
        let files: Vec<String> = faults.iter().map(|fault| fault.file.clone()).collect();
        let order = |fault: &Fault| files.iter().position(|file| *file == fault.file);
        faults.sort_by_key(|fault| (order(fault), fault.line, fault.column));
        faults.dedup();
        match value {
            Some(value) if faults.is_empty() => Ok(value),
            _ if faults.is_empty() => Err(ScenarioError::of_file(file, "cannot be understood", "")),
            _ => Err(ScenarioError { faults, more: self.more.get() }),
        }
    }
}

/// Line and column, from 1, of a byte offset; columns count characters.
pub(crate) fn place(text: &str, span: &Range<usize>) -> (usize, usize) {
    let before = text.get(..span.start.min(text.len())).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Number of single-character edits and swaps of neighbours from one word to another.
fn edits(from: &str, to: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows = vec![vec![0_usize; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best =
                (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[a.len()][b.len()]
}

/// Longest word that is compared; longer ones are no typing errors.
const COMPARED_MAX: usize = 64;

const UNIT_SUFFIXES: [&str; 12] =
    ["_m_s2", "_rad_s", "_m_s", "_dbm", "_ohm", "_rad", "_m2", "_ah", "_m", "_s", "_a", "_v"];

/// The candidate nearest to a word, if one is near enough to be meant. A missing unit suffix
/// counts for nothing.
pub(crate) fn nearest<'n>(
    word: &str,
    candidates: impl Iterator<Item = &'n str>,
) -> Option<&'n str> {
    if word.len() > COMPARED_MAX {
        return None;
    }
    let allowed = (word.chars().count() / 3).max(1);
    let distance = |candidate: &str| {
        let bare = UNIT_SUFFIXES.iter().find_map(|s| candidate.strip_suffix(s));
        edits(word, candidate).min(bare.map_or(usize::MAX, |bare| edits(word, bare)))
    };
    let (best, name) = candidates.map(|c| (distance(c), c)).min_by_key(|(d, _)| *d)?;
    (best <= allowed).then_some(name)
}

/// What to write instead of an unknown word.
pub(crate) fn suggest<'n>(word: &str, candidates: &[&'n str]) -> String {
    match nearest(word, candidates.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None if candidates.is_empty() => String::from("nothing is allowed here"),
        None => {
            let names: Vec<&'n str> = candidates.to_vec();
            format!("allowed here: {}", names.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_edits_count_inserts_deletes_changes_and_swaps() {
        for (a, b, n) in [("", "", 0), ("abc", "", 3), ("radus", "radius", 1), ("ab", "ba", 1)] {
            assert_eq!((edits(a, b), edits(b, a)), (n, n), "{a} {b}");
        }
    }

    #[test]
    fn unit_a_suggestion_ignores_the_unit_and_stays_silent_when_nothing_is_near() {
        assert_eq!(suggest("radus", &["width_m", "radius_m"]), "did you mean `radius_m`?");
        assert_eq!(suggest("zebra", &["width_m", "at"]), "allowed here: width_m, at");
        assert_eq!(nearest(&"r".repeat(65), ["radius_m"].into_iter()), None);
    }

    #[test]
    fn unit_places_count_lines_and_characters_from_one() {
        let text = "a = 1\n\u{e4}\u{f6} = 2\n";
        assert_eq!(place(text, &(0..1)), (1, 1));
        assert_eq!(place(text, &(11..12)), (2, 4));
        assert_eq!(place(text, &(999..1000)), (3, 1));
    }
}

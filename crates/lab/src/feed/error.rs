//! Why a recording could not be fed.

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tropism_ethology::table::FileError;

/// What is wrong, and what would be right.
#[derive(Debug)]
#[non_exhaustive]
pub enum FeedError {
    /// The file cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// A line is wrong.
    Line {
        /// The file.
        path: PathBuf,
        /// Line number from 1.
        line: u64,
        /// Column, when one cell is to blame.
        column: Option<String>,
        /// What is wrong.
        problem: String,
        /// What would be right.
        remedy: String,
    },
    /// The file as a whole, or an option that belongs to it, is wrong.
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
        /// What would be right.
        remedy: String,
    },
    /// A result cannot be written.
    Write(FileError),
}

impl FeedError {
    pub(crate) fn file(path: &Path, problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::File { path: path.into(), problem: problem.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for FeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, source } => write!(f, "cannot read `{}`: {source}", path.display()),
            Self::Line { path, line, column, problem, remedy } => {
                write!(f, "{}:{line}: ", path.display())?;
                if let Some(column) = column {
                    write!(f, "column `{column}`: ")?;
                }
                write!(f, "{problem}; {remedy}")
            }
            Self::File { path, problem, remedy } => {
                write!(f, "{}: {problem}; {remedy}", path.display())
            }
            Self::Write(error) => write!(f, "{error}"),
        }
    }
}

impl core::error::Error for FeedError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Read { source, .. } => Some(source),
            Self::Write(error) => Some(error),
            Self::Line { .. } | Self::File { .. } => None,
        }
    }
}

impl From<FileError> for FeedError {
    fn from(error: FileError) -> Self {
        Self::Write(error)
    }
}

/// Levenshtein distance, for naming the nearest valid name.
fn edits(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let change = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

/// The candidate that differs least from `name`, the first on ties.
pub(crate) fn nearest<'a>(name: &str, among: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    among.min_by_key(|candidate| edits(name, candidate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_the_nearest_name_is_found() {
        let names = ["mic", "light_left", "light_right"];
        assert_eq!(nearest("light_l", names.into_iter()), Some("light_left"));
        assert_eq!(nearest("mik", names.into_iter()), Some("mic"));
        assert_eq!(edits("abc", ""), 3);
    }

    #[test]
    fn unit_an_error_names_file_line_column_and_remedy() {
        let error = FeedError::Line {
            path: "a.csv".into(),
            line: 7,
            column: Some("mic".into()),
            problem: "`x` is no number".into(),
            remedy: "a number is expected".into(),
        };
        let text = error.to_string();
        assert_eq!(text, "a.csv:7: column `mic`: `x` is no number; a number is expected");
    }
}

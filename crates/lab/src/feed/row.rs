//! Rows of a recording, whatever file they come from.
//!
//! Terms: a *row* is what was recorded at one time; a *cell* is one value of it; a *source* yields
//! rows in file order.
//!
//! What it does not do: it knows no body; columns are names.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::error::FeedError;

/// Longest line that is read, in bytes; a recording without line ends would fill the memory.
const LINE_BYTES_MAX: u64 = 4 << 20;

/// One recorded value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// A finite number.
    Value(f32),
    /// A ranging sensor that heard nothing.
    NoEcho,
    /// Nothing was recorded.
    Missing,
    /// NaN or infinity was recorded.
    NotFinite,
}

impl Cell {
    /// The number, if there is one.
    pub const fn value(self) -> Option<f32> {
        match self {
            Self::Value(value) => Some(value),
            Self::NoEcho | Self::Missing | Self::NotFinite => None,
        }
    }
}

/// What was recorded at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Line number in the file, from 1.
    pub line: u64,
    /// Time in ticks from an origin of the file's own.
    pub ticks: f64,
    /// Values in the order of the columns.
    pub cells: Vec<Cell>,
}

/// Lines that gave no row, and remarks about the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lines read.
    pub lines: u64,
    /// Rows delivered.
    pub rows: u64,
    /// Comments and empty lines.
    pub comments: u64,
    /// Lines skipped, by message name, in order of first appearance.
    pub skipped: Vec<(String, u64)>,
    /// Lines of a known message that could not be read, and the first of them.
    pub damaged: u64,
    /// Line number of the first damaged line and what was wrong with it.
    pub first_damage: Option<(u64, String)>,
    /// Rows whose stamp was repaired.
    pub restamped: u64,
    /// Line of the first of them.
    pub first_restamped: Option<u64>,
}

impl Tally {
    /// Counts a skipped line. Beyond 64 different names the rest is counted together.
    pub(crate) fn skip(&mut self, name: &str) {
        let name = if self.skipped.len() < 64 { name } else { "(other)" };
        match self.skipped.iter_mut().find(|entry| entry.0 == name) {
            Some(entry) => entry.1 += 1,
            None => self.skipped.push((name.into(), 1)),
        }
    }

    pub(crate) fn damage(&mut self, line: u64, problem: &str) {
        self.damaged += 1;
        if self.first_damage.is_none() {
            self.first_damage = Some((line, problem.into()));
        }
    }

    /// Number of skipped lines, comments not counted.
    pub fn skipped_lines(&self) -> u64 {
        self.skipped.iter().map(|entry| entry.1).sum()
    }
}

/// Yields the rows of a recording in file order.
pub trait RowSource: core::fmt::Debug {
    /// Name of the format.
    fn format(&self) -> &'static str;

    /// Names of the columns, the time column not among them.
    fn columns(&self) -> &[String];

    /// The next row; `None` at the end.
    ///
    /// # Errors
    /// [`FeedError`] names the line that cannot be read.
    fn next_row(&mut self) -> Result<Option<Row>, FeedError>;

    /// What was counted so far.
    fn tally(&self) -> &Tally;

    /// Bytes read so far.
    fn bytes_read(&self) -> u64;

    /// Largest step back in time, in seconds, that this kind of file makes by itself: its messages
    /// are stamped where they arise and written where they arrive.
    fn late_s_usual(&self) -> f64 {
        0.0
    }
}

/// Lines of a text file with their numbers, in bounded memory.
#[derive(Debug)]
pub(crate) struct Lines {
    path: PathBuf,
    reader: BufReader<File>,
    buffer: Vec<u8>,
    line: u64,
    bytes: u64,
}

impl Lines {
    pub(crate) fn open(path: &Path) -> Result<Self, FeedError> {
        let file = File::open(path).map_err(|source| FeedError::Read { path: path.into(), source });
        let reader = BufReader::with_capacity(1 << 16, file?);
        Ok(Self { path: path.into(), reader, buffer: Vec::new(), line: 0, bytes: 0 })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next line without its end, and its number; a byte order mark is taken off.
    pub(crate) fn next_line(&mut self) -> Result<Option<(u64, &str)>, FeedError> {
        self.buffer.clear();
        let mut limited = (&mut self.reader).take(LINE_BYTES_MAX);
        let read = limited.read_until(b'\n', &mut self.buffer);
        let n = read.map_err(|source| FeedError::Read { path: self.path.clone(), source })?;
        if n == 0 {
            return Ok(None);
        }
        self.line += 1;
        self.bytes += n as u64;
        if n as u64 == LINE_BYTES_MAX && self.buffer.last() != Some(&b'\n') {
            return Err(self.wrong("the line is longer than 4 MiB", "lines end with a line feed"));
        }
        let Ok(text) = core::str::from_utf8(&self.buffer) else {
            return Err(self.wrong("the line is no UTF-8 text", "a text file is expected"));
        };
        let text = text.trim_end_matches(['\n', '\r']);
        let text = if self.line == 1 { text.trim_start_matches('\u{feff}') } else { text };
        Ok(Some((self.line, text)))
    }

    fn wrong(&self, problem: &str, remedy: &str) -> FeedError {
        FeedError::Line {
            path: self.path.clone(),
            line: self.line,
            column: None,
            problem: problem.into(),
            remedy: remedy.into(),
        }
    }
}

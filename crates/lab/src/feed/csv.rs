//! Comma-separated recordings.
//!
//! Format: a header row; cells apart by the separator that the header uses (comma, semicolon or
//! tab), in double quotes where needed; lines that start with `#` are comments. The time column is
//! `t` (ticks), `t_s` (seconds) or `t_ms` (milliseconds); without one every row is one tick. An
//! empty cell is missing, `nan` and `inf` (any case, any sign) are not finite; neither is ever 0.
//!
//! What it does not do: no line break inside quotes, no decimal comma.

use std::path::Path;

use tropism_core::TimeStep;

use super::error::FeedError;
use super::row::{Cell, Lines, Row, RowSource, Tally};

/// Names of a time column, with the number of units in a second; `None` counts ticks.
const TIME_COLUMNS: [(&str, Option<f64>); 3] =
    [("t", None), ("t_s", Some(1.0)), ("t_ms", Some(1000.0))];

/// Rows of a comma-separated file.
#[derive(Debug)]
pub struct CsvSource {
    lines: Lines,
    separator: char,
    header: Vec<String>,
    columns: Vec<String>,
    /// Index of the time column in the header and ticks per unit.
    time: Option<(usize, f64)>,
    origin: Option<f64>,
    tally: Tally,
}

impl CsvSource {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// [`FeedError`] when the file cannot be read, has no header, a nameless or doubled column, or
    /// two time columns.
    pub fn open(path: &Path, step: TimeStep) -> Result<Self, FeedError> {
        let mut lines = Lines::open(path)?;
        let mut tally = Tally::default();
        let (line, text) = loop {
            let Some((line, text)) = lines.next_line()? else {
                let remedy = "a header row with channel names is expected";
                return Err(FeedError::file(path, "the file has no header row", remedy));
            };
            tally.lines = line;
            if is_remark(text) {
                tally.comments += 1;
            } else {
                break (line, text.to_owned());
            }
        };
        let separator = [',', ';', '\t'].into_iter().find(|s| text.contains(*s)).unwrap_or(',');
        let header: Vec<String> =
            fields(&text, separator).iter().map(|name| name.trim().to_owned()).collect();
        let wrong = |column: &str, problem: &str, remedy: &str| FeedError::Line {
            path: path.into(),
            line,
            column: Some(column.into()),
            problem: problem.into(),
            remedy: remedy.into(),
        };
        let mut time = None;
        let ticks_per_s = f64::from(step.denominator()) / f64::from(step.numerator());
        for (i, name) in header.iter().enumerate() {
            if name.is_empty() {
                let place = format!("{}", i + 1);
                return Err(wrong(&place, "the column has no name", "name it as a channel"));
            }
            if header[..i].contains(name) {
                return Err(wrong(name, "the name appears twice", "column names are distinct"));
            }
            if let Some((_, per_s)) = TIME_COLUMNS.iter().find(|c| c.0 == name) {
                if time.is_some() {
                    let remedy = "one of `t`, `t_s`, `t_ms` is expected";
                    return Err(wrong(name, "this is a second time column", remedy));
                }
                time = Some((i, per_s.map_or(1.0, |per_s| ticks_per_s / per_s)));
            }
        }
        let is_time = |i: usize| time.is_some_and(|(at, _)| at == i);
        let columns = header.iter().enumerate().filter(|c| !is_time(c.0));
        let columns = columns.map(|c| c.1.clone()).collect();
        Ok(Self { lines, separator, header, columns, time, origin: None, tally })
    }

    fn wrong(&self, line: u64, column: Option<&str>, problem: String, remedy: &str) -> FeedError {
        FeedError::Line {
            path: self.lines.path().into(),
            line,
            column: column.map(Into::into),
            problem,
            remedy: remedy.into(),
        }
    }

    fn parse(&mut self, line: u64, text: &str) -> Result<Row, FeedError> {
        let found = fields(text, self.separator);
        if found.len() != self.header.len() {
            let problem = format!("{} cells", found.len());
            let remedy = format!("the header has {} columns", self.header.len());
            return Err(self.wrong(line, None, problem, &remedy));
        }
        let mut ticks = self.tally.rows as f64;
        let mut cells = Vec::with_capacity(self.columns.len());
        for (i, text) in found.iter().enumerate() {
            let cell = cell_of(text);
            if let Some((at, scale)) = self.time
                && at == i
            {
                // Parsed in double precision: clocks count from 1970.
                let time = text.trim().parse::<f64>().ok().filter(|time| time.is_finite());
                let Some(time) = time else {
                    let problem = format!("`{}` is no time", text.trim());
                    let remedy = "every row needs a finite time";
                    return Err(self.wrong(line, Some(&self.header[i]), problem, remedy));
                };
                ticks = (time - *self.origin.get_or_insert(time)) * scale;
                continue;
            }
            let Some(cell) = cell else {
                let problem = format!("`{}` is no number", text.trim());
                let remedy = "a number, `nan` or an empty cell is expected";
                return Err(self.wrong(line, Some(&self.header[i]), problem, remedy));
            };
            cells.push(cell);
        }
        self.tally.rows += 1;
        Ok(Row { line, ticks, cells })
    }
}

impl RowSource for CsvSource {
    fn format(&self) -> &'static str {
        "csv"
    }

    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_row(&mut self) -> Result<Option<Row>, FeedError> {
        loop {
            let Some((line, text)) = self.lines.next_line()? else {
                return Ok(None);
            };
            self.tally.lines = line;
            if is_remark(text) {
                self.tally.comments += 1;
                continue;
            }
            let text = text.to_owned();
            return self.parse(line, &text).map(Some);
        }
    }

    fn tally(&self) -> &Tally {
        &self.tally
    }

    fn bytes_read(&self) -> u64 {
        self.lines.bytes()
    }
}

fn is_remark(text: &str) -> bool {
    text.trim().is_empty() || text.starts_with('#')
}

/// The meaning of a cell; `None` for text that is no number.
fn cell_of(text: &str) -> Option<Cell> {
    let text = text.trim();
    if text.is_empty() {
        return Some(Cell::Missing);
    }
    let value: f32 = text.parse().ok()?;
    Some(if value.is_finite() { Cell::Value(value) } else { Cell::NotFinite })
}

/// Cells of a line. A doubled quote inside quotes is one quote.
fn fields(text: &str, separator: char) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let last = fields.len() - 1;
        if c == '"' {
            if is_quoted && characters.peek() == Some(&'"') {
                fields[last].push('"');
                characters.next();
            } else {
                is_quoted = !is_quoted;
            }
        } else if c == separator && !is_quoted {
            fields.push(String::new());
        } else {
            fields[last].push(c);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_cells_mean_what_they_say() {
        for (text, cell) in [
            ("", Some(Cell::Missing)),
            ("  ", Some(Cell::Missing)),
            ("nan", Some(Cell::NotFinite)),
            ("-inf", Some(Cell::NotFinite)),
            ("1e99", Some(Cell::NotFinite)),
            (" 0.5", Some(Cell::Value(0.5))),
            ("0,5", None),
            ("off", None),
        ] {
            assert_eq!(cell_of(text), cell, "{text}");
        }
    }

    #[test]
    fn unit_quotes_hold_separators() {
        assert_eq!(fields("a,\"b,\"\"c\"\"\",", ','), ["a", "b,\"c\"", ""]);
        assert_eq!(fields("1;2", ';'), ["1", "2"]);
    }
}

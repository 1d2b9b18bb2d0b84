//! What is wrong with a specification, and where.
//!
//! Terms: a *mark* is a byte offset into the specification's text; a network built in Rust has no
//! text, so its marks are empty and the path alone says where.

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Legal, but probably not what was meant.
    Warning,
    /// Refused.
    Error,
}

/// Byte offset into the text, if there is a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark(pub Option<usize>);

impl Mark {
    /// A place so many bytes further on.
    #[must_use]
    pub fn plus(self, bytes: usize) -> Self {
        Self(self.0.map(|at| at + bytes))
    }
}

/// A piece of the specification with its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    /// The text itself.
    pub text: String,
    /// Where its first character stands.
    pub mark: Mark,
}

impl Text {
    /// The text as a slice.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), mark: Mark(None) }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self { text, mark: Mark(None) }
    }
}

impl core::fmt::Display for Text {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.text)
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file, or the network's name when it was built in Rust.
    pub file: String,
    /// Line, from 1; 0 without a text.
    pub line: usize,
    /// Column in characters, from 1; 0 without a text.
    pub column: usize,
    /// What it is about, such as `L0.taxis.users.goto`.
    pub path: String,
    /// What is wrong and, where known, what to do.
    pub reason: String,
}

impl core::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let word = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        write!(f, ": {word}: ")?;
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        f.write_str(&self.reason)
    }
}

/// All findings that made a specification be refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub Vec<Diagnostic>);

impl core::fmt::Display for Refused {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (at, diagnostic) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl core::error::Error for Refused {}

/// Collects findings against one text.
#[derive(Clone, Debug)]
pub struct Reporter {
    file: String,
    text: String,
    found: Vec<Diagnostic>,
}

impl Reporter {
    /// A reporter for this file name and text (empty for a network built in Rust).
    pub fn new(file: &str, text: &str) -> Self {
        Self { file: file.to_owned(), text: text.to_owned(), found: Vec::new() }
    }

    /// Adds a finding.
    pub fn report(&mut self, severity: Severity, mark: Mark, path: &str, reason: String) {
        let (line, column) = mark.0.map_or((0, 0), |at| self.line_column(at));
        let (file, path) = (self.file.clone(), path.to_owned());
        self.found.push(Diagnostic { severity, file, line, column, path, reason });
    }

    /// Adds an error.
    pub fn error(&mut self, mark: Mark, path: &str, reason: String) {
        self.report(Severity::Error, mark, path, reason);
    }

    /// Adds a warning.
    pub fn warn(&mut self, mark: Mark, path: &str, reason: String) {
        self.report(Severity::Warning, mark, path, reason);
    }

    /// Whether anything at least this bad was found.
    pub fn has(&self, severity: Severity) -> bool {
        self.found.iter().any(|d| d.severity >= severity)
    }

    /// All findings in the order of the text.
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.found.sort_by_key(|d| (d.line, d.column));
        self.found
    }

    fn line_column(&self, at: usize) -> (usize, usize) {
        let mut end = at.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |n| n + 1);
        (line, before[start..].chars().count() + 1)
    }
}

/// The candidate nearest to a misspelt name, if one is near enough to be meant.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let limit = name.chars().count() / 3 + 1;
    let near = candidates.into_iter().map(|c| (distance(name, c), c));
    near.filter(|(d, _)| *d <= limit).min_by_key(|(d, _)| *d).map(|(_, c)| c)
}

/// " (did you mean `x`?)" or nothing.
pub fn suggestion<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> String {
    nearest(name, candidates).map_or(String::new(), |c| format!(" (did you mean `{c}`?)"))
}

/// Edits (insert, delete, replace) between two words.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = if x == *y { corner } else { corner + 1 };
            corner = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_a_place_is_told_by_line_and_column_in_characters() {
        let mut reporter = Reporter::new("a.toml", "größe = 1\nzwei = 2\n");
        reporter.error(Mark(Some(13)), "", "no".to_owned());
        reporter.error(Mark(Some(9)), "", "no".to_owned());
        let found = reporter.finish();
        assert_eq!((found[0].line, found[0].column), (1, 8));
        assert_eq!((found[1].line, found[1].column), (2, 2));
    }

    #[test]
    fn unit_a_near_name_is_offered_and_a_far_one_is_not() {
        assert_eq!(nearest("behavior", ["behaviour", "percept"]), Some("behaviour"));
        assert_eq!(nearest("dst", ["dist", "dir"]), Some("dist"));
        assert_eq!(nearest("energy", ["dist", "dir"]), None);
    }
}

//! Reading fields of a file with messages that name file line, field and nearest valid key.

use super::json::{Json, Value};

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    /// Line, from 1; 0 when none applies.
    pub line: u32,
    /// Field, such as `arms[2].target`; empty for the whole file.
    pub field: String,
    /// What is wrong.
    pub message: String,
}

impl core::fmt::Display for FormatError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        if !self.field.is_empty() {
            write!(f, "{}: ", self.field)?;
        }
        f.write_str(&self.message)
    }
}

impl core::error::Error for FormatError {}

impl From<super::json::JsonError> for FormatError {
    fn from(error: super::json::JsonError) -> Self {
        let message = format!("column {}: {}", error.column, error.message);
        Self { line: error.line, field: String::new(), message }
    }
}

/// A value together with the path that leads to it.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// The value.
    pub json: &'a Json,
    path: Path<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Path<'a> {
    Root,
    Key(&'a Field<'a>, &'a str),
    Index(&'a Field<'a>, usize),
}

impl core::fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(parent, key) => {
                parent.path.fmt(f)?;
                if !matches!(parent.path, Self::Root) {
                    f.write_str(".")?;
                }
                f.write_str(key)
            }
            Self::Index(parent, index) => {
                parent.path.fmt(f)?;
                write!(f, "[{index}]")
            }
        }
    }
}

impl<'a> Field<'a> {
    /// The whole file.
    pub const fn root(json: &'a Json) -> Self {
        Self { json, path: Path::Root }
    }

    /// A refusal of this value.
    pub fn error(&self, message: impl Into<String>) -> FormatError {
        FormatError { line: self.json.line, field: self.path.to_string(), message: message.into() }
    }

    /// An entry of this object, if it is there.
    pub fn get(&'a self, key: &'a str) -> Option<Self> {
        self.json.get(key).map(|json| Self { json, path: Path::Key(self, key) })
    }

    /// An entry of this object that must be there.
    ///
    /// # Errors
    /// When it is not.
    pub fn need(&'a self, key: &'a str) -> Result<Self, FormatError> {
        self.get(key).ok_or_else(|| self.error(format!("the key \"{key}\" is missing")))
    }

    /// Checks that this is an object with no other keys than these.
    ///
    /// # Errors
    /// Names the alphabetically first unknown key, and the valid key most like it.
    pub fn expect_keys(&self, keys: &[&str]) -> Result<(), FormatError> {
        let Value::Object(entries) = &self.json.value else {
            return Err(self.error("an object is expected"));
        };
        let unknown =
            entries.iter().filter(|(k, _)| !keys.contains(&k.as_str())).min_by_key(|e| &e.0);
        let Some((key, value)) = unknown else {
            return Ok(());
        };
        let nearest = keys.iter().min_by_key(|k| edit_distance(k, key));
        let hint = nearest.map_or(String::new(), |k| format!("; did you mean \"{k}\"?"));
        let mut error = self.error(format!("the key \"{key}\" is unknown{hint}"));
        error.line = value.line;
        Err(error)
    }

    /// The entries of this list, each as a field.
    ///
    /// # Errors
    /// When it is no list.
    pub fn items(&'a self) -> Result<impl Iterator<Item = Self>, FormatError> {
        let items = self.json.as_array().ok_or_else(|| self.error("a list is expected"))?;
        let field = |(i, json)| Self { json, path: Path::Index(self, i) };
        Ok(items.iter().enumerate().map(field))
    }

    /// A finite number.
    ///
    /// # Errors
    /// When it is none.
    pub fn number(&self) -> Result<f64, FormatError> {
        self.json.as_f64().ok_or_else(|| self.error("a finite number is expected"))
    }

    /// A finite number above 0.
    ///
    /// # Errors
    /// When it is none.
    pub fn positive(&self) -> Result<f64, FormatError> {
        self.number()?;
        let fits = self.number().ok().filter(|x| *x > 0.0);
        fits.ok_or_else(|| self.error("a number above 0 is expected"))
    }

    /// A whole number, written without point or exponent, within a range.
    ///
    /// # Errors
    /// When it is none.
    pub fn integer(&self, range: core::ops::RangeInclusive<i64>) -> Result<i64, FormatError> {
        let fits = self.json.as_integer().filter(|n| range.contains(n));
        fits.ok_or_else(|| {
            let (low, high) = (range.start(), range.end());
            self.error(format!("a whole number in {low}..={high} is expected"))
        })
    }

    /// Text that is not blank, kept verbatim.
    ///
    /// # Errors
    /// When it is none.
    pub fn name(&self) -> Result<String, FormatError> {
        let text = self.json.as_text().filter(|t| !t.trim().is_empty());
        Ok(text.ok_or_else(|| self.error("text that is not blank is expected"))?.to_owned())
    }

    /// One of these words.
    ///
    /// # Errors
    /// When it is none.
    pub fn one_of(&self, words: &[&str]) -> Result<usize, FormatError> {
        let index = self.json.as_text().and_then(|t| words.iter().position(|w| *w == t));
        index.ok_or_else(|| self.error(format!("one of {} is expected", words.join(", "))))
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// When it is neither.
    pub fn boolean(&self) -> Result<bool, FormatError> {
        self.json.as_bool().ok_or_else(|| self.error("true or false is expected"))
    }

    /// Two finite numbers.
    ///
    /// # Errors
    /// When it is not that.
    pub fn point(&self) -> Result<tropism_octopus::Point, FormatError> {
        let items = self.json.as_array().filter(|items| items.len() == 2);
        let pair = items.and_then(|i| Some((i[0].as_f64()?, i[1].as_f64()?)));
        let (x, y) = pair.ok_or_else(|| self.error("two finite numbers [x, y] are expected"))?;
        Ok(tropism_octopus::Point::new(x, y))
    }
}

/// Letters to insert, delete or replace to turn one word into the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

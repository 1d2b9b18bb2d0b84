//! Strict JSON: numbers keep their spelling, keys are unique, every value knows its line.
//!
//! Terms: a *literal* is a number as it was written; `20` and `20.0` are different literals.
//!
//! What it does not do: no comments, no NaN, no infinity, no byte order mark, no lone surrogates.

use core::fmt::Write as _;

/// A value and the line on which it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Json {
    /// From 1; 0 for values made by the program.
    pub line: u32,
    /// What it is.
    pub value: Value,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as written.
    Number(String),
    /// Text.
    Text(String),
    /// A list.
    Array(Vec<Json>),
    /// Keys and values in the order of the file.
    Object(Vec<(String, Json)>),
}

/// Where and why a text is no JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

impl core::fmt::Display for JsonError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl core::error::Error for JsonError {}

const DEPTH_MAX: u32 = 64;

impl Json {
    /// Reads one value that is the whole text.
    ///
    /// # Errors
    /// [`JsonError`] with the place of the first fault.
    pub fn parse(bytes: &[u8]) -> Result<Self, JsonError> {
        let text = core::str::from_utf8(bytes).map_err(|error| {
            let good = &bytes[..error.valid_up_to()];
            let line = 1 + String::from_utf8_lossy(good).matches('\n').count() as u32;
            JsonError { line, column: 1, message: "not valid UTF-8".to_owned() }
        })?;
        let mut reader = Reader { text, at: 0, line: 1, line_start: 0 };
        reader.skip_space();
        let value = reader.value(0)?;
        reader.skip_space();
        if reader.at < text.len() {
            return Err(reader.fault("text after the end of the value"));
        }
        Ok(value)
    }

    /// The entry of an object.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match &self.value {
            Value::Object(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The number, if it is one and finite.
    pub fn as_f64(&self) -> Option<f64> {
        match &self.value {
            Value::Number(literal) => literal.parse::<f64>().ok().filter(|x| x.is_finite()),
            _ => None,
        }
    }

    /// The number, if it is written as a whole number that fits.
    pub fn as_integer(&self) -> Option<i64> {
        match &self.value {
            Value::Number(literal) => literal.parse::<i64>().ok(),
            _ => None,
        }
    }

    /// The text.
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value.
    pub const fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// The list.
    pub fn as_array(&self) -> Option<&[Self]> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// True for `null`.
    pub const fn is_null(&self) -> bool {
        matches!(self.value, Value::Null)
    }

    /// As text, indented by two; short lists of numbers stay on one line.
    pub fn pretty(&self) -> String {
        let mut out = String::new();
        write_value(&mut out, self, Some(0));
        out.push('\n');
        out
    }

    /// As text without spaces.
    pub fn compact(&self) -> String {
        let mut out = String::new();
        write_value(&mut out, self, None);
        out
    }
}

/// Builds a value from a number.
pub fn number(x: f64) -> Json {
    made(Value::Number(format!("{x:?}")))
}

/// Builds a value from a whole number.
pub fn integer(x: u64) -> Json {
    made(Value::Number(x.to_string()))
}

/// Builds a value from text.
pub fn text(text: &str) -> Json {
    made(Value::Text(text.to_owned()))
}

/// Builds a value from a truth value.
pub const fn boolean(b: bool) -> Json {
    Json { line: 0, value: Value::Bool(b) }
}

/// `null`.
pub const fn null() -> Json {
    Json { line: 0, value: Value::Null }
}

/// Builds a list.
pub fn array(items: impl IntoIterator<Item = Json>) -> Json {
    made(Value::Array(items.into_iter().collect()))
}

/// Builds an object.
pub fn object(entries: Vec<(&str, Json)>) -> Json {
    let entries = entries.into_iter().map(|(k, v)| (k.to_owned(), v));
    made(Value::Object(entries.collect()))
}

const fn made(value: Value) -> Json {
    Json { line: 0, value }
}

fn write_value(out: &mut String, json: &Json, indent: Option<usize>) {
    match &json.value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Number(literal) => out.push_str(literal),
        Value::Text(text) => write_text(out, text),
        Value::Array(items) => {
            let is_flat =
                items.iter().all(|i| !matches!(i.value, Value::Array(_) | Value::Object(_)));
            let inner = if is_flat { None } else { indent };
            write_list(out, ('[', ']'), items.len(), inner, |out, i, indent| {
                write_value(out, &items[i], indent);
            });
        }
        Value::Object(entries) => {
            write_list(out, ('{', '}'), entries.len(), indent, |out, i, indent| {
                write_text(out, &entries[i].0);
                out.push(':');
                if indent.is_some() {
                    out.push(' ');
                }
                write_value(out, &entries[i].1, indent);
            });
        }
    }
}

fn write_list(
    out: &mut String,
    (open, close): (char, char),
    count: usize,
    indent: Option<usize>,
    item: impl Fn(&mut String, usize, Option<usize>),
) {
    out.push(open);
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(core::iter::repeat_n(' ', 2 * depth));
    };
    for i in 0..count {
        if i > 0 {
            out.push(',');
        }
        if let Some(depth) = indent {
            line(out, depth + 1);
        }
        item(out, i, indent.map(|d| d + 1));
    }
    if let (Some(depth), true) = (indent, count > 0) {
        line(out, depth);
    }
    out.push(close);
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    line_start: usize,
}

impl Reader<'_> {
    fn fault(&self, message: impl Into<String>) -> JsonError {
        let column = self.text[self.line_start..self.at].chars().count() as u32 + 1;
        JsonError { line: self.line, column, message: message.into() }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            if self.peek() == Some(b'\n') {
                self.line += 1;
                self.line_start = self.at + 1;
            }
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, JsonError> {
        if self.text[self.at..].starts_with(word) {
            self.at += word.len();
            Ok(value)
        } else {
            Err(self.fault("not a JSON value"))
        }
    }

    fn value(&mut self, depth: u32) -> Result<Json, JsonError> {
        if depth > DEPTH_MAX {
            return Err(self.fault("nested too deeply"));
        }
        let line = self.line;
        let value = match self.peek() {
            Some(b'{') => self.object(depth)?,
            Some(b'[') => self.array(depth)?,
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(_) => return Err(self.fault("not a JSON value")),
            None => return Err(self.fault("the text ends where a value is expected")),
        };
        Ok(Json { line, value })
    }

    fn object(&mut self, depth: u32) -> Result<Value, JsonError> {
        self.at += 1;
        let mut entries: Vec<(String, Json)> = Vec::new();
        self.skip_space();
        if self.take(b'}') {
            return Ok(Value::Object(entries));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.fault("a key in double quotes is expected"));
            }
            let key = self.string()?;
            if entries.iter().any(|(k, _)| *k == key) {
                return Err(self.fault(format!("the key \"{key}\" stands twice in one object")));
            }
            self.skip_space();
            if !self.take(b':') {
                return Err(self.fault("a colon is expected"));
            }
            self.skip_space();
            let value = self.value(depth + 1)?;
            entries.push((key, value));
            self.skip_space();
            if self.take(b'}') {
                return Ok(Value::Object(entries));
            }
            if !self.take(b',') {
                return Err(self.fault("a comma or } is expected"));
            }
        }
    }

    fn array(&mut self, depth: u32) -> Result<Value, JsonError> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_space();
        if self.take(b']') {
            return Ok(Value::Array(items));
        }
        loop {
            self.skip_space();
            items.push(self.value(depth + 1)?);
            self.skip_space();
            if self.take(b']') {
                return Ok(Value::Array(items));
            }
            if !self.take(b',') {
                return Err(self.fault("a comma or ] is expected"));
            }
        }
    }

    fn number(&mut self) -> Result<Value, JsonError> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') && self.digits() == 0 {
            return Err(self.fault("a digit is expected"));
        }
        if self.take(b'.') && self.digits() == 0 {
            return Err(self.fault("a digit is expected after the point"));
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            if self.digits() == 0 {
                return Err(self.fault("a digit is expected in the exponent"));
            }
        }
        if matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.fault("a number does not begin with 0"));
        }
        Ok(Value::Number(self.text[start..self.at].to_owned()))
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.at - start
    }

    fn string(&mut self) -> Result<String, JsonError> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(c) = rest.chars().next() else {
                return Err(self.fault("the text ends within a string"));
            };
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(out);
                }
                '\\' => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                c if c < ' ' => return Err(self.fault("a control character within a string")),
                c => {
                    out.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let byte = self.peek();
        self.at += 1;
        Ok(match byte {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let first = self.hex()?;
                let code = if (0xd800..0xdc00).contains(&first) {
                    if !(self.take(b'\\') && self.take(b'u')) {
                        return Err(self.fault("half a surrogate pair"));
                    }
                    let second = self.hex()?;
                    if !(0xdc00..0xe000).contains(&second) {
                        return Err(self.fault("half a surrogate pair"));
                    }
                    0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                } else {
                    first
                };
                char::from_u32(code).ok_or_else(|| self.fault("half a surrogate pair"))?
            }
            _ => {
                self.at -= 1;
                return Err(self.fault("no such escape"));
            }
        })
    }

    fn hex(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.get(self.at..self.at + 4);
        let is_hex = |d: &&str| d.bytes().all(|b| b.is_ascii_hexdigit());
        let code = digits.filter(is_hex).and_then(|d| u32::from_str_radix(d, 16).ok());
        let code = code.ok_or_else(|| self.fault("four hexadecimal digits are expected"))?;
        self.at += 4;
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        Json::parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn unit_faults_name_their_place() {
        assert_eq!(
            message("{\n \"a\": 1,\n \"a\": 2}"),
            "line 3, column 5: the key \"a\" stands twice in one object"
        );
        assert!(message("[1, NaN]").starts_with("line 1, column 5: not a JSON value"));
        assert!(message("[01]").contains("does not begin with 0"));
        assert!(message("[1] 2").contains("after the end"));
        assert!(message("\"\\ud800\"").contains("surrogate"));
        assert!(message(&"[".repeat(100)).contains("nested too deeply"));
        assert!(message("\u{feff}{}").contains("not a JSON value"));
        let error = Json::parse(b"{\"a\": \"\xff\"}").unwrap_err();
        assert_eq!(error.message, "not valid UTF-8");
    }

    #[test]
    fn unit_numbers_keep_their_spelling() {
        let parsed = Json::parse(b"[1, 1.0, 1e0, 1e999, 99999999999999999999]").unwrap();
        let items = parsed.as_array().unwrap();
        let whole: Vec<_> = items.iter().map(Json::as_integer).collect();
        assert_eq!(whole, [Some(1), None, None, None, None]);
        assert_eq!(items[3].as_f64(), None);
        assert_eq!(items[4].as_f64(), Some(1e20));
    }

    #[test]
    fn unit_writing_and_reading_gives_the_same_bits() {
        let values = [0.1, -0.0, 1e-300, 12_345.678_9, 1e22, f64::MIN_POSITIVE];
        let written = array(values.map(number)).compact();
        let read = Json::parse(written.as_bytes()).unwrap();
        for (a, b) in values.iter().zip(read.as_array().unwrap()) {
            assert_eq!(a.to_bits(), b.as_f64().unwrap().to_bits());
        }
        let nested = object(vec![("a\n\"", array([text("é"), null(), boolean(true)]))]);
        let again = Json::parse(nested.pretty().as_bytes()).unwrap();
        assert_eq!(again.compact(), nested.compact());
    }
}

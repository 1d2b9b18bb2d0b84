//! A pull reader for JSON that knows where it is.
//!
//! It accepts exactly RFC 8259 and allocates nothing. Strings are compared as written: a name
//! spelled with escapes is not recognised; no writer of life states does that.

use core::fmt::Write as _;

use crate::error::{LifeStateError, Reason, Text};

/// Deepest nesting of any life state is 6.
const DEPTH: usize = 16;

#[derive(Clone, Copy)]
enum Segment<'a> {
    Key(&'a str),
    Index(u32),
}

pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    path: [Segment<'a>; DEPTH],
    depth: usize,
}

type Read<T = ()> = Result<T, LifeStateError>;

/// What to do with one value of an object.
pub(crate) type Each<'f, 'a> = &'f mut dyn FnMut(&mut Reader<'a>, &'a str) -> Read;

impl<'a> Reader<'a> {
    pub(crate) const fn new(text: &'a str) -> Self {
        Self { text, at: 0, path: [Segment::Index(0); DEPTH], depth: 0 }
    }

    pub(crate) const fn position(&self) -> usize {
        self.at
    }

    /// A reader of the value of a top-level key, seen before.
    pub(crate) fn value_at(text: &'a str, key: &'a str, position: usize) -> Self {
        let mut reader = Self::new(text);
        reader.at = position;
        reader.path[0] = Segment::Key(key);
        reader.depth = 1;
        reader
    }

    pub(crate) fn error(&self, reason: Reason) -> LifeStateError {
        let mut path = Text::new();
        for (i, segment) in self.path[..self.depth].iter().enumerate() {
            let _ = match segment {
                Segment::Key(key) => {
                    write!(path, "{}{key}", if i == 0 { "" } else { "." })
                }
                Segment::Index(index) => write!(path, "[{index}]"),
            };
        }
        LifeStateError { reason, path, offset: Some(self.at as u32) }
    }

    fn fail<T>(&self, reason: Reason) -> Read<T> {
        Err(self.error(reason))
    }

    fn expected<T>(&self, what: &'static str) -> Read<T> {
        let is_end = self.at >= self.text.len();
        self.fail(if is_end { Reason::Truncated } else { Reason::Expected(what) })
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    fn take(&mut self, wanted: u8, what: &'static str) -> Read {
        if self.peek() == Some(wanted) {
            self.at += 1;
            Ok(())
        } else {
            self.expected(what)
        }
    }

    fn push(&mut self, segment: Segment<'a>) -> Read {
        if self.depth == DEPTH {
            return self.fail(Reason::TooDeep);
        }
        self.path[self.depth] = segment;
        self.depth += 1;
        Ok(())
    }

    pub(crate) fn object(&mut self, each: Each<'_, 'a>) -> Read {
        self.take(b'{', "an object")?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            let key = self.string()?;
            self.push(Segment::Key(key))?;
            self.take(b':', "`:`")?;
            each(self, key)?;
            self.depth -= 1;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => break self.at += 1,
                _ => return self.expected("`,` or `}`"),
            }
        }
        Ok(())
    }

    pub(crate) fn array(&mut self, each: &mut dyn FnMut(&mut Self, u32) -> Read) -> Read {
        self.take(b'[', "an array")?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        let mut index = 0;
        loop {
            self.push(Segment::Index(index))?;
            each(self, index)?;
            self.depth -= 1;
            index += 1;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => break self.at += 1,
                _ => return self.expected("`,` or `]`"),
            }
        }
        Ok(())
    }

    /// A string as written between its quotes.
    pub(crate) fn string(&mut self) -> Read<&'a str> {
        self.take(b'"', "a string")?;
        let start = self.at;
        loop {
            match self.byte() {
                Some(b'"') => break,
                Some(b'\\') => {
                    self.at += 1;
                    self.escape()?;
                }
                Some(0..=0x1f) | None => return self.expected("the end of the string"),
                Some(_) => self.at += 1,
            }
        }
        let text = &self.text[start..self.at];
        self.at += 1;
        Ok(text)
    }

    fn escape(&mut self) -> Read {
        match self.byte() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    match self.byte() {
                        Some(b) if b.is_ascii_hexdigit() => self.at += 1,
                        _ => return self.expected("four hexadecimal digits"),
                    }
                }
            }
            _ => return self.expected("an escape"),
        }
        Ok(())
    }

    fn digits(&mut self) -> Read {
        if !self.byte().is_some_and(|b| b.is_ascii_digit()) {
            return self.expected("a digit");
        }
        while self.byte().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Read<&'a str> {
        let first = self.peek();
        let start = self.at;
        let rest = &self.text.as_bytes()[start..];
        let unsigned = rest.strip_prefix(b"-").unwrap_or(rest);
        if [&b"NaN"[..], b"nan", b"Inf", b"inf"].iter().any(|word| unsigned.starts_with(word)) {
            return self.fail(Reason::NotFinite);
        }
        if !matches!(first, Some(b'-' | b'0'..=b'9')) {
            return self.expected("a number");
        }
        if first == Some(b'-') {
            self.at += 1;
        }
        if self.byte() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(&self.text[start..self.at])
    }

    /// A finite number, rounded once.
    pub(crate) fn float(&mut self) -> Read<f32> {
        match self.number()?.parse::<f32>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => self.fail(Reason::NotFinite),
        }
    }

    /// A whole number in 0..=most.
    pub(crate) fn whole(&mut self, most: u64) -> Read<u64> {
        match self.number()?.parse::<u64>() {
            Ok(value) if value <= most => Ok(value),
            _ => self.fail(Reason::OutOfRange { lo: 0.0, hi: most as f32 }),
        }
    }

    /// −1 or +1; 0 is taken for no change.
    pub(crate) fn direction(&mut self) -> Read<u32> {
        match self.number()? {
            "1" => Ok(1),
            "-1" => Ok(2),
            "0" => Ok(0),
            _ => self.fail(Reason::OutOfRange { lo: -1.0, hi: 1.0 }),
        }
    }

    /// Takes a word, or as much of it as there is before the text ends.
    fn word(&mut self, word: &str) -> bool {
        self.peek();
        let rest = &self.text.as_bytes()[self.at..];
        let is_here = rest.starts_with(word.as_bytes());
        if is_here || (!rest.is_empty() && word.as_bytes().starts_with(rest)) {
            self.at += word.len().min(rest.len());
        }
        is_here
    }

    pub(crate) fn truth(&mut self) -> Read<bool> {
        if self.word("true") {
            Ok(true)
        } else if self.word("false") {
            Ok(false)
        } else {
            self.expected("true or false")
        }
    }

    /// Takes a `null`, if there is one.
    pub(crate) fn null(&mut self) -> bool {
        self.word("null")
    }

    /// Any value, checked and passed over.
    pub(crate) fn skip(&mut self) -> Read {
        match self.peek() {
            Some(b'{') => self.object(&mut |r, _| r.skip()),
            Some(b'[') => self.array(&mut |r, _| r.skip()),
            Some(b'"') => self.string().map(|_| ()),
            Some(b't' | b'f') => self.truth().map(|_| ()),
            Some(b'n') if self.null() => Ok(()),
            None => self.fail(Reason::Truncated),
            Some(_) => self.number().map(|_| ()),
        }
    }

    /// Nothing but white space may be left.
    pub(crate) fn end(&mut self) -> Read {
        if self.peek().is_some() { self.fail(Reason::TrailingText) } else { Ok(()) }
    }
}

/// The keys of one object: each known, given once, none missing.
pub(crate) struct Keys<const N: usize> {
    names: [&'static str; N],
    seen: u32,
}

impl<const N: usize> Keys<N> {
    pub(crate) const fn new(names: [&'static str; N]) -> Self {
        Self { names, seen: 0 }
    }

    /// The index of a key.
    pub(crate) fn take(&mut self, r: &Reader<'_>, key: &str) -> Read<usize> {
        let Some(index) = self.names.iter().position(|name| *name == key) else {
            return r.fail(Reason::UnknownKey(nearest(&self.names, key)));
        };
        if self.seen & (1 << index) != 0 {
            return r.fail(Reason::Duplicate);
        }
        self.seen |= 1 << index;
        Ok(index)
    }

    /// Fails unless every key was given.
    pub(crate) fn finish(&self, r: &Reader<'_>) -> Read {
        for (i, name) in self.names.iter().enumerate() {
            if self.seen & (1 << i) == 0 {
                return r.fail(Reason::MissingKey(name));
            }
        }
        Ok(())
    }
}

/// The name that takes fewest edits to become `word`.
pub(crate) fn nearest(names: &[&'static str], word: &str) -> &'static str {
    names.iter().copied().min_by_key(|name| edits(name, word)).unwrap_or("")
}

fn edits(a: &str, b: &str) -> usize {
    const MOST: usize = 32;
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if b.len() >= MOST {
        return b.len();
    }
    let mut row: [usize; MOST] = core::array::from_fn(|j| j);
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

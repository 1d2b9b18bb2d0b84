//! Why a life state was refused.

use core::fmt::{self, Write as _};

use tropism_core::Name;

/// A short text in a fixed buffer; what does not fit is cut off at the front.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Text {
    bytes: [u8; Self::CAPACITY],
    len: u8,
}

impl Text {
    /// Longest text in bytes.
    pub const CAPACITY: usize = 63;

    /// An empty text.
    pub const fn new() -> Self {
        Self { bytes: [0; Self::CAPACITY], len: 0 }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        let bytes = &self.bytes[..usize::from(self.len)];
        core::str::from_utf8(bytes).unwrap_or("?")
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        for byte in s.bytes() {
            if usize::from(self.len) == Self::CAPACITY {
                // The end of a path says more than its beginning.
                self.bytes.copy_within(1.., 0);
                self.len -= 1;
            }
            self.bytes[usize::from(self.len)] = if byte.is_ascii() { byte } else { b'?' };
            self.len += 1;
        }
        Ok(())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// More bytes than the limit.
    TooLarge {
        /// Bytes offered.
        bytes: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// The text ends inside the document.
    Truncated,
    /// Not JSON at this place, or JSON of another type.
    Expected(&'static str),
    /// Nested deeper than any life state.
    TooDeep,
    /// Something follows the document.
    TrailingText,
    /// No `version` key: another kind of document.
    NoVersion,
    /// A version that is not read here.
    Version(u32),
    /// The key `format` names something else.
    Format,
    /// A required key is absent.
    MissingKey(&'static str),
    /// A key of no meaning here; the nearest one that has one.
    UnknownKey(&'static str),
    /// A key or slot given twice.
    Duplicate,
    /// A channel that the document does not list.
    UnknownChannel,
    /// A channel the document lists has no value here.
    MissingChannel(Name),
    /// No valid channel or body name.
    BadName,
    /// No need or context of this name; the nearest one.
    UnknownContext(&'static str),
    /// NaN or infinite.
    NotFinite,
    /// A number outside these bounds.
    OutOfRange {
        /// Lowest allowed.
        lo: f32,
        /// Highest allowed.
        hi: f32,
    },
    /// More items than a memory has room for.
    TooMany(u32),
    /// The fingerprint does not belong to the channel names.
    Fingerprint,
    /// A code or signature with bits of channels that do not exist.
    Code,
    /// Not a blob, or one of another layout.
    NotABlob,
    /// The checksum of a blob is wrong: it was damaged or not written to its end.
    Checksum,
    /// A blob that does not fit into the buffer.
    BufferTooSmall(usize),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { bytes, limit } => {
                write!(f, "{bytes} bytes are more than the limit of {limit}")
            }
            Self::Truncated => f.write_str("the document ends too early"),
            Self::Expected(what) => write!(f, "expected {what}"),
            Self::TooDeep => f.write_str("nested too deep for a life state"),
            Self::TrailingText => f.write_str("text after the end of the document"),
            Self::NoVersion => f.write_str("no key `version`: this is no life state"),
            Self::Version(v) => write!(f, "version {v} is not read here, only 1 and 2"),
            Self::Format => write!(f, "the format is not `{}`", crate::FORMAT),
            Self::MissingKey(key) => write!(f, "the key `{key}` is missing"),
            Self::UnknownKey(nearest) => write!(f, "unknown key; did you mean `{nearest}`?"),
            Self::Duplicate => f.write_str("given twice"),
            Self::UnknownChannel => f.write_str("no channel of this name is listed"),
            Self::MissingChannel(name) => write!(f, "no value for the channel `{name}`"),
            Self::BadName => {
                f.write_str("a name is a-z, then a-z, 0-9 or _, at most 31 characters")
            }
            Self::UnknownContext(nearest) => {
                write!(f, "unknown need or context; did you mean `{nearest}`?")
            }
            Self::NotFinite => f.write_str("not a finite number"),
            Self::OutOfRange { lo, hi } => write!(f, "outside {lo}..{hi}"),
            Self::TooMany(most) => write!(f, "more than {most}"),
            Self::Fingerprint => f.write_str("the fingerprint belongs to other channel names"),
            Self::Code => f.write_str("bits of channels that do not exist"),
            Self::NotABlob => f.write_str("not a life-state blob"),
            Self::Checksum => f.write_str("the checksum is wrong: damaged or cut short"),
            Self::BufferTooSmall(bytes) => write!(f, "the buffer of {bytes} bytes is too small"),
        }
    }
}

/// A life state was refused; nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LifeStateError {
    /// What is wrong.
    pub reason: Reason,
    /// Where, as a JSON path; empty for the whole document.
    pub path: Text,
    /// Byte at which reading stopped, if reading got that far.
    pub offset: Option<u32>,
}

impl LifeStateError {
    /// An error about the whole document.
    pub const fn whole(reason: Reason) -> Self {
        Self { reason, path: Text::new(), offset: None }
    }

    /// An error at a path.
    pub fn at(reason: Reason, path: fmt::Arguments<'_>) -> Self {
        let mut text = Text::new();
        let _ = text.write_fmt(path);
        Self { reason, path: text, offset: None }
    }
}

impl fmt::Display for LifeStateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("life state refused: ")?;
        if !self.path.as_str().is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        fmt::Display::fmt(&self.reason, f)?;
        match self.offset {
            Some(offset) => write!(f, " (byte {offset})"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for LifeStateError {}

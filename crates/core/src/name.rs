//! Short names that need no allocator.

/// Longest name in bytes.
pub const CAPACITY: usize = 31;

/// Why a name was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameError {
    /// No characters.
    Empty,
    /// More than [`CAPACITY`] bytes.
    TooLong,
    /// Something other than a–z, 0–9 and `_`, or a first character that is no letter.
    Character,
}

impl core::fmt::Display for NameError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Empty => "a name needs at least one character",
            Self::TooLong => "a name has at most 31 characters",
            Self::Character => "a name starts with a letter a-z and goes on with a-z, 0-9 or _",
        })
    }
}

impl core::error::Error for NameError {}

/// A channel or body name: a lower-case letter, then letters, digits and `_`, at most 31 bytes.
///
/// # Example
/// ```
/// use tropism_core::Name;
/// let name = Name::new("light_left")?;
/// assert_eq!(name.as_str(), "light_left");
/// assert!(Name::new("Light left").is_err());
/// # Ok::<(), tropism_core::NameError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    bytes: [u8; CAPACITY],
    len: u8,
}

impl Name {
    /// A checked name.
    ///
    /// # Errors
    /// [`NameError`] says which rule was broken.
    pub const fn new(text: &str) -> Result<Self, NameError> {
        let source = text.as_bytes();
        if source.is_empty() {
            return Err(NameError::Empty);
        }
        if source.len() > CAPACITY {
            return Err(NameError::TooLong);
        }
        let mut bytes = [0; CAPACITY];
        let mut i = 0;
        while i < source.len() {
            let c = source[i];
            let is_fine = c.is_ascii_lowercase() || (i > 0 && (c.is_ascii_digit() || c == b'_'));
            if !is_fine {
                return Err(NameError::Character);
            }
            bytes[i] = c;
            i += 1;
        }
        Ok(Self { bytes, len: source.len() as u8 })
    }

    /// A name written in the program itself.
    ///
    /// # Panics
    /// On a name that breaks the rules; in a constant this is a compile error.
    pub const fn literal(text: &str) -> Self {
        match Self::new(text) {
            Ok(name) => name,
            Err(_) => panic!("a name is a-z, then a-z, 0-9 or _, at most 31 characters"),
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or("")
    }
}

impl Default for Name {
    fn default() -> Self {
        Self::literal("unnamed")
    }
}

impl core::fmt::Debug for Name {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Debug::fmt(self.as_str(), f)
    }
}

impl core::fmt::Display for Name {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_names_are_checked() {
        assert_eq!(Name::new(""), Err(NameError::Empty));
        assert_eq!(Name::new("9lives"), Err(NameError::Character));
        assert_eq!(Name::new("größe"), Err(NameError::Character));
        assert_eq!(Name::new(&"abcdefgh".repeat(4)), Err(NameError::TooLong));
        assert_eq!(Name::literal("ir_0").as_str(), "ir_0");
    }
}

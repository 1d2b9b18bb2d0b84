//! Stable hashes: of names, and of what a run did.
//!
//! What it does not do: no protection against an adversary.

/// FNV-1a, 64 bits, usable in constants.
pub const fn fnv1a_64(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash
}

/// FNV-1a, 32 bits; the channel fingerprint of a life state.
///
/// # Example
/// ```
/// assert_eq!(tropism_core::hash::fnv1a_32(b""), 2_166_136_261);
/// ```
pub const fn fnv1a_32(bytes: &[u8]) -> u32 {
    fnv1a_32_onto(2_166_136_261, bytes)
}

/// Continues an FNV-1a 32-bit hash with more bytes.
pub const fn fnv1a_32_onto(hash: u32, bytes: &[u8]) -> u32 {
    let mut hash = hash;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u32).wrapping_mul(16_777_619);
        i += 1;
    }
    hash
}

/// A running hash over words, for golden hashes and replay checks.
///
/// # Determinism
/// Depends on the order of the words. Floats enter by their bits; a NaN enters as one fixed word,
/// because its payload differs between processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateHash(u64);

impl Default for StateHash {
    fn default() -> Self {
        Self::new()
    }
}

impl StateHash {
    /// The hash of nothing.
    pub const fn new() -> Self {
        Self(0x6a09_e667_f3bc_c908)
    }

    /// Adds one word.
    #[inline]
    pub const fn word(&mut self, word: u64) {
        self.0 = crate::random::mix(self.0.rotate_left(5) ^ word);
    }

    /// Adds a float by its bits.
    #[inline]
    pub const fn float(&mut self, value: f32) {
        self.word(if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() as u64 });
    }

    /// Adds bytes, eight at a time.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(fnv1a_64(bytes));
        self.word(bytes.len() as u64);
    }

    /// The hash so far.
    pub const fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_fnv_matches_its_published_vectors() {
        assert_eq!(fnv1a_32(b"a"), 0xe40c_292c);
        assert_eq!(fnv1a_32(b"foobar"), 0xbf9c_f968);
        assert_eq!(fnv1a_64(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn unit_order_and_every_nan_count_as_stated() {
        let hash = |values: &[f32]| {
            let mut h = StateHash::new();
            for value in values {
                h.float(*value);
            }
            h.value()
        };
        assert_ne!(hash(&[1.0, 2.0]), hash(&[2.0, 1.0]));
        assert_eq!(hash(&[f32::NAN]), hash(&[-f32::NAN]));
    }
}

//! Changes of many channels in one word.
//!
//! A code holds two bits per channel: 1 up, 2 down, 0 neither. Comparing codes takes a few word
//! operations: xor, fold the two bits of a channel into one, count.

/// Code of up to 16 channels.
pub type Code = u32;

const LOW_BITS: u32 = 0x5555_5555;

/// One bit per channel whose symbols differ.
#[inline]
pub const fn differing(a: Code, b: Code) -> u32 {
    let x = a ^ b;
    (x | (x >> 1)) & LOW_BITS
}

/// Number of channels whose symbols differ.
#[inline]
pub const fn distance(a: Code, b: Code) -> u32 {
    differing(a, b).count_ones()
}

/// Distance if it is 0 or 1, without counting.
#[inline]
pub const fn near(a: Code, b: Code) -> Option<u32> {
    let bits = differing(a, b);
    if bits == 0 {
        Some(0)
    } else if bits.is_power_of_two() {
        Some(1)
    } else {
        None
    }
}

/// Symbol of a change: 1 above the threshold, 2 below its negative, else 0.
#[inline]
pub fn symbol(change: f32, threshold: f32) -> u32 {
    u32::from(change > threshold) | (u32::from(change < -threshold) << 1)
}

/// Symbol of one channel as a direction: +1, −1 or 0.
#[inline]
pub const fn direction(code: Code, channel: usize) -> i8 {
    match (code >> (2 * channel)) & 3 {
        1 => 1,
        2 => -1,
        _ => 0,
    }
}

/// Jenkins one-at-a-time over whole words, final part included.
#[inline]
pub fn hash(words: &[u32]) -> u32 {
    let mut h = 0_u32;
    for (i, word) in words.iter().enumerate() {
        h = if i == 0 { *word } else { h.wrapping_add(*word) };
        h = h.wrapping_add(h << 10);
        h ^= h >> 6;
    }
    h = h.wrapping_add(h << 3);
    h ^= h >> 11;
    h.wrapping_add(h << 15)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow_distance(a: Code, b: Code) -> u32 {
        (0..16).map(|i| u32::from((a >> (2 * i)) & 3 != (b >> (2 * i)) & 3)).sum()
    }

    #[test]
    fn prop_word_operations_equal_symbol_by_symbol_comparison() {
        let mut draws = tropism_core::Seed(1)
            .stream(tropism_core::Purpose::named("t"), 0, 0)
            .at(tropism_core::Tick(0));
        for _ in 0..20_000 {
            let a = draws.next_u32();
            let b = if draws.chance(1, 2) { draws.next_u32() } else { a ^ (3 << draws.below(31)) };
            let slow = slow_distance(a, b);
            assert_eq!(distance(a, b), slow);
            assert_eq!(near(a, b), (slow <= 1).then_some(slow));
        }
    }

    #[test]
    fn unit_symbols_are_strict_and_read_back() {
        assert_eq!((symbol(0.02, 0.02), symbol(0.021, 0.02), symbol(-0.03, 0.02)), (0, 1, 2));
        assert_eq!((direction(0b10_01, 0), direction(0b10_01, 1), direction(9, 2)), (1, -1, 0));
    }
}

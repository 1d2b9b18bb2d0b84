//! Codes turned on their side, so that one code is compared with those of all slots at once.
//!
//! Terms: a *plane* holds one bit of the code of every slot, 64 slots to a word.
//!
//! Model: a channel of a slot differs where one of its two planes differs from the wanted bit; two
//! words per group of slots count the differing channels as none, one, and more.
//!
//! What it does not do: it knows nothing of empty slots; who asks masks them out.

use crate::code::Code;
use crate::contingency::{SLOTS, WORDS};

/// One bit per slot.
pub(crate) type Slots = [u64; WORDS];

/// The codes of all slots, bit by bit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    bits: [[Slots; 2]; Code::BITS as usize / 2],
    /// All bits that any code ever had: channels beyond them are 0 in every slot.
    used: Code,
}

/// Slots by how many channels differ from a code.
pub(crate) struct Alike {
    /// None.
    pub(crate) exact: Slots,
    /// One at most.
    pub(crate) near: Slots,
}

impl Planes {
    /// Code 0 in every slot.
    pub(crate) const fn new() -> Self {
        Self { bits: [[[0; WORDS]; 2]; Code::BITS as usize / 2], used: 0 }
    }

    /// A slot takes another code.
    #[inline]
    pub(crate) fn change(&mut self, slot: usize, old: Code, new: Code) {
        self.used |= new;
        let (word, bit) = (slot % SLOTS / 64, 1 << (slot % 64));
        let mut changed = old ^ new;
        while changed != 0 {
            let at = changed.trailing_zeros() as usize;
            changed &= changed - 1;
            self.bits[at / 2][at % 2][word] ^= bit;
        }
    }

    /// The slots whose code is like the wanted one.
    #[inline]
    pub(crate) fn alike(&self, wanted: Code) -> Alike {
        let (mut some, mut more) = ([0; WORDS], [0; WORDS]);
        let mut rest = wanted;
        let channels = (Code::BITS - (self.used | wanted).leading_zeros()).div_ceil(2) as usize;
        for [low, high] in &self.bits[..channels] {
            let ones = [rest & 1, rest >> 1 & 1].map(|bit| u64::from(bit).wrapping_neg());
            rest >>= 2;
            for word in 0..WORDS {
                let differs = (low[word] ^ ones[0]) | (high[word] ^ ones[1]);
                more[word] |= some[word] & differs;
                some[word] |= differs;
            }
        }
        Alike { exact: some.map(|word| !word), near: more.map(|word| !word) }
    }
}

/// The slots of a set, in order.
#[inline]
pub(crate) fn for_each(set: &Slots, mut visit: impl FnMut(usize)) {
    for (word, bits) in set.iter().enumerate() {
        let mut bits = *bits;
        while bits != 0 {
            visit(word * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code;

    #[test]
    fn prop_planes_find_what_a_scan_of_the_codes_finds() {
        let mut draws = tropism_core::Seed(1)
            .stream(tropism_core::Purpose::named("t"), 0, 0)
            .at(tropism_core::Tick(0));
        for channels in [1, 5, 16] {
            let (mut planes, mut codes) = (Planes::new(), [0; SLOTS]);
            for _ in 0..2_000 {
                let mut code = 0;
                for channel in 0..channels {
                    if draws.chance(1, 4) {
                        code |= draws.below(3) << (2 * channel);
                    }
                }
                let slot = draws.below(SLOTS as u32) as usize;
                planes.change(slot, codes[slot], code);
                codes[slot] = code;
                let wanted = codes[draws.below(SLOTS as u32) as usize] ^ (1 << draws.below(4));
                let found = planes.alike(wanted);
                for (slot, code) in codes.iter().enumerate() {
                    let is_in = |set: &Slots| set[slot / 64] & (1 << (slot % 64)) != 0;
                    let distance = code::distance(*code, wanted);
                    assert_eq!(is_in(&found.exact), distance == 0);
                    assert_eq!(is_in(&found.near), distance <= 1);
                }
            }
        }
    }
}

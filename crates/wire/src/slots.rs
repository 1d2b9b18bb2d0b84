//! Two places to keep a blob in, so that one is whole at any moment.
//!
//! Terms: a *slot* is a region of flash; its *generation* counts saves. A save goes into the slot
//! that does not hold the newest whole blob, so a power cut at any byte leaves the old or the new
//! state, never none.
//!
//! What it does not do: it writes no flash; erasing and programming are the board's.

use crate::blob;

/// One of two slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The first.
    A,
    /// The second.
    B,
}

/// Where to read from and where to write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Slot with the newest whole blob, if any.
    pub read_from: Option<Slot>,
    /// Slot for the next save.
    pub write_to: Slot,
    /// Generation of the next save.
    pub generation: u32,
}

/// Looks at both slots.
///
/// # Example
/// ```
/// use tropism_wire::slots::{Slot, plan};
/// let empty = [0xff_u8; 64];
/// let first = plan(&empty, &empty);
/// assert_eq!((first.read_from, first.write_to, first.generation), (None, Slot::A, 1));
/// ```
pub fn plan(a: &[u8], b: &[u8]) -> Plan {
    let (first, second) = (blob::generation(a), blob::generation(b));
    match (first, second) {
        (None, None) => Plan { read_from: None, write_to: Slot::A, generation: 1 },
        (Some(g), None) => after(Slot::A, g),
        (None, Some(g)) => after(Slot::B, g),
        // Generations wrap: the one less than half the circle ahead is the newer.
        (Some(x), Some(y)) if (y.wrapping_sub(x) as i32) > 0 => after(Slot::B, y),
        (Some(x), Some(_)) => after(Slot::A, x),
    }
}

const fn after(newest: Slot, generation: u32) -> Plan {
    let write_to = match newest {
        Slot::A => Slot::B,
        Slot::B => Slot::A,
    };
    Plan { read_from: Some(newest), write_to, generation: generation.wrapping_add(1) }
}

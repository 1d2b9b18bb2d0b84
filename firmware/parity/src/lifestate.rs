//! The life state on the target itself.

#![expect(clippy::large_stack_arrays, reason = "no allocator on the board")]

use core::fmt;

use tropism_core::StateHash;
use tropism_organism::Organism;
use tropism_wire::LifeState;
use tropism_wire::blob::{BYTES_MAX, read_blob_into, write_blob};

/// Hashes text and counts its bytes.
struct Sink {
    hash: StateHash,
    bytes: usize,
}

impl fmt::Write for Sink {
    #[inline(never)]
    fn write_str(&mut self, s: &str) -> fmt::Result {
        // Pieces may be cut differently on different targets; bytes are not.
        for byte in s.bytes() {
            self.hash.word(u64::from(byte));
        }
        self.bytes += s.len();
        Ok(())
    }
}

/// Writes the document; returns its hash and length, and the length of the blob.
#[inline(never)]
pub(crate) fn write(organism: &Organism) -> ((u64, usize), usize) {
    let mut sink = Sink { hash: StateHash::new(), bytes: 0 };
    let _ = tropism_wire::write_json(organism, &mut sink);
    let mut buffer = [0; BYTES_MAX];
    let blob = write_blob(organism, 1, &mut buffer).unwrap_or(0);
    ((sink.hash.value(), sink.bytes), blob)
}

/// Saves as a blob and goes on as another organism that was given it. A blob that cannot be read
/// back leaves a newborn of other streams, which the hash of the commands shows.
#[inline(never)]
pub(crate) fn go_on_from_blob(organism: &mut Organism) {
    let mut buffer = [0; BYTES_MAX];
    let length = write_blob(organism, 1, &mut buffer).unwrap_or(0);
    let other = tropism_core::Seed(!organism.seed().0);
    *organism = Organism::new(organism.body(), organism.time_step(), *organism.config(), other, 9);
    let mut life = LifeState::blank();
    if read_blob_into(&buffer[..length], &mut life).is_ok() {
        life.give_to(organism);
    }
}

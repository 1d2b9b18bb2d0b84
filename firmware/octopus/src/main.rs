//! The octopus's portable scene on a bare riscv32imc core without floating point.
//!
//! Prints the hash of 2,000 ticks under both laws with the instructions a tick took, and ends with
//! code 0 only when both are those of the host.
#![no_std]
#![no_main]

use core::alloc::{GlobalAlloc, Layout};
use core::fmt::Write as _;
use core::sync::atomic::{AtomicUsize, Ordering};

use tropism_board::{Serial, exit, instructions};
use tropism_octopus::LawKind;
use tropism_octopus::portable::{EXPECTED, TICKS, hash};

/// Memory above the program and its stack.
const HEAP_START: usize = 0x8080_0000;
const HEAP_END: usize = 0x8400_0000;

/// Hands out memory from bottom to top and takes none back.
struct Bump(AtomicUsize);

#[global_allocator]
static HEAP: Bump = Bump(AtomicUsize::new(HEAP_START));

// SAFETY: there is one core and no interrupt, so the load and the store belong together; the
// pieces are aligned, do not overlap and lie in memory nobody else uses.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = self.0.load(Ordering::Relaxed).next_multiple_of(layout.align());
        let end = start + layout.size();
        if end > HEAP_END {
            return core::ptr::null_mut();
        }
        self.0.store(end, Ordering::Relaxed);
        start as *mut u8
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    let serial = &mut Serial;
    let mut code = 0;
    for (index, law) in [LawKind::Reference, LawKind::Reach].into_iter().enumerate() {
        let before = instructions();
        let seen = hash(law, TICKS).unwrap_or(0);
        let per_tick = (instructions() - before) / TICKS;
        let is_equal = seen == EXPECTED[index];
        let word = if is_equal { "equal" } else { "DIFFERENT" };
        let _ = writeln!(serial, "{law:?} {seen:016x} {word}, {per_tick} instructions per tick");
        code |= u32::from(!is_equal);
    }
    let heap = HEAP.0.load(Ordering::Relaxed) - HEAP_START;
    let _ = writeln!(serial, "heap_bytes {heap} for both");
    exit(code)
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    let _ = writeln!(Serial, "{info}");
    exit(2)
}

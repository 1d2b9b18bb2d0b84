//! The octopus's portable scene on a bare riscv32imc core without floating point.
//!
//! Prints the hash of 2,000 ticks under both laws with the instructions a tick took, and ends with
//! code 0 only when both are those of the host.
#![no_std]
#![no_main]

use core::alloc::{GlobalAlloc, Layout};
use core::arch::{asm, global_asm};
use core::fmt::{self, Write as _};
use core::sync::atomic::{AtomicUsize, Ordering};

use tropism_octopus::LawKind;
use tropism_octopus::portable::{EXPECTED, TICKS, hash};

const SERIAL: *mut u8 = 0x1000_0000 as *mut u8;
/// Memory above the program and its stack.
const HEAP_START: usize = 0x8080_0000;
const HEAP_END: usize = 0x8400_0000;

global_asm!(
    ".section .init, \"ax\"",
    ".global _start",
    "_start:",
    "la sp, __stack_top",
    // Clear .bss.
    "la t0, __bss_start",
    "la t1, __bss_end",
    "1: bgeu t0, t1, 2f",
    "sw zero, 0(t0)",
    "addi t0, t0, 4",
    "j 1b",
    "2: call main",
    "3: j 3b",
);

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

struct Serial;

impl fmt::Write for Serial {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        for byte in s.bytes() {
            // SAFETY: the transmit register of the machine's serial port, always ready here.
            unsafe { SERIAL.write_volatile(byte) };
        }
        Ok(())
    }
}

/// Instructions executed so far.
fn instructions() -> u64 {
    loop {
        let (high, low, again): (u32, u32, u32);
        // SAFETY: reading counters changes nothing.
        unsafe {
            asm!(
                "csrr {0}, minstreth",
                "csrr {1}, minstret",
                "csrr {2}, minstreth",
                out(reg) high, out(reg) low, out(reg) again,
                options(nomem, nostack)
            );
        }
        if high == again {
            return (u64::from(high) << 32) | u64::from(low);
        }
    }
}

/// Ends the emulation with a code.
fn exit(code: u32) -> ! {
    let block = [0x2_0026_u32, code];
    // SAFETY: the semihosting call SYS_EXIT_EXTENDED; the three instructions must not be
    // compressed to be recognised.
    unsafe {
        asm!(
            ".balign 16",
            ".option push",
            ".option norvc",
            "slli x0, x0, 0x1f",
            "ebreak",
            "srai x0, x0, 7",
            ".option pop",
            in("a0") 0x20,
            in("a1") block.as_ptr(),
        );
    }
    loop {
        core::hint::spin_loop();
    }
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

//! The emulator's virt machine with one riscv32imc core: start, serial port, counter, exit.
//!
//! An image links `virt.ld` of this folder, defines `main` and a panic handler, and finds the rest
//! here. On any other target the crate is empty.
//!
//! What it does not do: no interrupts, no allocator, no formatting of its own.
#![no_std]
#![cfg(target_arch = "riscv32")]

use core::arch::{asm, global_asm};
use core::fmt;

const SERIAL: *mut u8 = 0x1000_0000 as *mut u8;
/// Filled into the stack before use, to see how deep it went.
const PAINT: u32 = 0xa5a5_a5a5;

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
    // Paint the stack.
    "2: li t2, {paint}",
    "3: bgeu t0, sp, 4f",
    "sw t2, 0(t0)",
    "addi t0, t0, 4",
    "j 3b",
    "4: call main",
    "5: j 5b",
    paint = const PAINT,
);

unsafe extern "C" {
    static __flash_start: u32;
    static __data_start: u32;
    static __flash_end: u32;
    static __bss_end: u32;
    static __stack_top: u32;
}

/// The serial port.
#[derive(Debug)]
pub struct Serial;

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
pub fn instructions() -> u64 {
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
pub fn exit(code: u32) -> ! {
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

/// Bytes of code and constants of the whole image.
pub fn flash_bytes() -> usize {
    &raw const __flash_end as usize - &raw const __flash_start as usize
}

/// Bytes of data with a place of their own.
pub fn static_bytes() -> usize {
    &raw const __bss_end as usize - &raw const __data_start as usize
}

/// Bytes of stack ever used.
pub fn stack_bytes() -> usize {
    let (bottom, top) = (&raw const __bss_end, &raw const __stack_top);
    let mut at = bottom;
    // SAFETY: the words between .bss and the top of the stack are memory that nobody writes now.
    while at < top && unsafe { at.read_volatile() } == PAINT {
        at = at.wrapping_add(1);
    }
    top as usize - at as usize
}

//! The replay on a bare riscv32imc core without floating point.
//!
//! The recording lies at a fixed address, put there by the emulator; so the size of the image is
//! the size of the program. The report goes out by the serial port.
#![no_std]
#![no_main]

use core::arch::{asm, global_asm};
use core::fmt::{self, Write as _};

use tropism_parity::recording::{HEADER_BYTES, Recording};

/// Where the emulator puts the recording.
const RECORDING: *const u8 = 0x8400_0000 as *const u8;
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
    "2: li t2, 0xa5a5a5a5",
    "3: bgeu t0, sp, 4f",
    "sw t2, 0(t0)",
    "addi t0, t0, 4",
    "j 3b",
    "4: call main",
    "5: j 5b",
);

unsafe extern "C" {
    static __flash_start: u32;
    static __data_start: u32;
    static __flash_end: u32;
    static __bss_start: u32;
    static __bss_end: u32;
    static __stack_top: u32;
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

/// Bytes of stack ever used.
fn stack_used() -> usize {
    let (bottom, top) = (&raw const __bss_end, &raw const __stack_top);
    let mut at = bottom;
    // SAFETY: the words between .bss and the top of the stack are memory that nobody writes now.
    while at < top && unsafe { at.read_volatile() } == PAINT {
        at = at.wrapping_add(1);
    }
    top as usize - at as usize
}

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    // SAFETY: memory of the machine that the emulator filled before the start; all bit patterns
    // are bytes.
    let bytes = unsafe {
        let header = &*RECORDING.cast::<[u8; HEADER_BYTES]>();
        core::slice::from_raw_parts(RECORDING, Recording::length_of(header))
    };
    let serial = &mut Serial;
    match tropism_parity::run(bytes, &mut instructions) {
        Ok(report) => {
            let flash = &raw const __flash_end as usize - &raw const __flash_start as usize;
            let fixed = &raw const __bss_end as usize - &raw const __data_start as usize;
            let _ = write!(serial, "{report}");
            let _ = writeln!(serial, "flash_bytes {flash}");
            let _ = writeln!(serial, "static_bytes {fixed}");
            let _ = writeln!(serial, "stack_bytes {}", stack_used());
            exit(0)
        }
        Err(error) => {
            let _ = writeln!(serial, "error {error}");
            exit(1)
        }
    }
}

#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    let _ = Serial.write_str("error panic\n");
    exit(101)
}

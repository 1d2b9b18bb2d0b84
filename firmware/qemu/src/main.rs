//! The replay on a bare riscv32imc core without floating point.
//!
//! The recording lies at a fixed address, put there by the emulator; so the size of the image is
//! the size of the program. The report goes out by the serial port.
#![no_std]
#![no_main]

use core::fmt::Write as _;

use tropism_board::{Serial, exit, flash_bytes, instructions, stack_bytes, static_bytes};
use tropism_parity::recording::{HEADER_BYTES, Recording};

/// Where the emulator puts the recording.
const RECORDING: *const u8 = 0x8400_0000 as *const u8;

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
            let _ = write!(serial, "{report}");
            let _ = writeln!(serial, "flash_bytes {}", flash_bytes());
            let _ = writeln!(serial, "static_bytes {}", static_bytes());
            let _ = writeln!(serial, "stack_bytes {}", stack_bytes());
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

//! Runs the course network from its blob for 10,000 ticks and prints the hash of its life.
//!
//! The inputs are made from the tick number, the same as in the host's test of equal hashes.
//!
//! What it does not do: no interrupts, no allocator, no floating-point unit.
#![no_std]
#![no_main]

use core::arch::{asm, global_asm};
use core::fmt::{self, Write};
use tropism_core::StateHash;
use tropism_dynamics::{Borrowed, Instruction, Network};
use tropism_wire::{NetworkBuffers, read_network};

static BLOB: &[u8] = include_bytes!("../network.blob");
const TICKS: u32 = 10_000;

global_asm!(
    ".section .text.start",
    ".globl _start",
    "_start:",
    "la sp, __stack_top",
    "la t0, __bss_start",
    "la t1, __bss_end",
    "1: bgeu t0, t1, 2f",
    "sw zero, 0(t0)",
    "addi t0, t0, 4",
    "j 1b",
    "2: call main",
    "3: j 3b",
);

/// The serial port of the virtual board.
struct Serial;

impl Write for Serial {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            // SAFETY: the virtual board has a 16550 at this address; its transmit register takes
            // a byte at any time.
            unsafe { core::ptr::write_volatile(0x1000_0000 as *mut u8, byte) };
        }
        Ok(())
    }
}

/// Ends the emulator with an exit code, by semihosting.
fn exit(code: u32) -> ! {
    let block: [u32; 2] = [0x20026, code];
    // SAFETY: the sequence is the semihosting call; operation 0x20 reads the block and ends.
    unsafe {
        asm!(
            ".option push", ".option norvc",
            "slli x0, x0, 0x1f", "ebreak", "srai x0, x0, 7",
            ".option pop",
            in("a0") 0x20, in("a1") &raw const block,
        );
    }
    loop {}
}

#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    let _ = Serial.write_str("panic\n");
    exit(2)
}

/// Instructions retired so far.
fn instructions() -> u32 {
    let count: u32;
    // SAFETY: reads a counter.
    unsafe { asm!("csrr {}, minstret", out(reg) count) };
    count
}

fn inputs(tick: u32) -> [f32; 15] {
    core::array::from_fn(|n| match n {
        3 => 1.0,
        0..=2 => ((tick * 7 + n as u32 * 13) % 41) as f32 / 20.0 - 1.0,
        _ if (tick + n as u32).is_multiple_of(17) => f32::NAN,
        _ => ((tick * 3 + n as u32 * 5) % 29) as f32 / 29.0,
    })
}

#[unsafe(no_mangle)]
extern "C" fn main() -> ! {
    let (mut records, mut code) = ([0; 2048], [Instruction::END; 1024]);
    let (mut image, mut values, mut marks) = ([0.0_f32; 512], [0.0; 512], [0; 128]);
    let buffers = NetworkBuffers { records: &mut records, code: &mut code, image: &mut image };
    let network = read_network::<f32>(BLOB, buffers).ok().and_then(|table| {
        let storage = Borrowed::new(table, &mut values, &mut marks).ok()?;
        Network::new(*table.header(), storage).ok()
    });
    let Some(mut network) = network else {
        let _ = Serial.write_str("the blob was refused\n");
        exit(1)
    };
    let mut life = StateHash::new();
    let mut most = 0;
    for tick in 0..TICKS {
        let readings = inputs(tick);
        let before = instructions();
        network.tick(&readings, &[1.0]);
        most = most.max(instructions().wrapping_sub(before));
        life.word(network.hash());
    }
    let hash = life.value();
    let _ = Serial.write_str("hash ");
    (0..16).rev().for_each(|place| digit((hash >> (4 * place) & 0xf) as u8));
    print(" instructions_worst ", most);
    print(" bytes_without_blob ", flash_bytes() - BLOB.len() as u32);
    let _ = Serial.write_str("\n");
    exit(0)
}

unsafe extern "C" {
    static __flash_start: u8;
    static __flash_end: u8;
}

/// Bytes of code and constants of the whole image.
fn flash_bytes() -> u32 {
    &raw const __flash_end as u32 - &raw const __flash_start as u32
}

fn digit(value: u8) {
    let letter = if value < 10 { b'0' + value } else { b'a' + value - 10 };
    let _ = Serial.write_char(char::from(letter));
}

/// A label and a whole number, without the formatting machinery of the standard library.
fn print(label: &str, number: u32) {
    let _ = Serial.write_str(label);
    let mut power = 1_000_000_000;
    let mut has_begun = false;
    while power > 0 {
        let value = (number / power % 10) as u8;
        has_begun |= value > 0 || power == 1;
        if has_begun {
            digit(value);
        }
        power /= 10;
    }
}

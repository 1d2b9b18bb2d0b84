//! Runs the course network from its blob for 10,000 ticks and prints the hash of its life.
//!
//! The inputs are made from the tick number, the same as in the host's test of equal hashes.
//!
//! What it does not do: no interrupts, no allocator, no floating-point unit.
#![no_std]
#![no_main]

use core::fmt::Write as _;

use tropism_board::{Serial, exit, flash_bytes, instructions};
use tropism_core::StateHash;
use tropism_dynamics::{Borrowed, Instruction, Network};
use tropism_wire::{NetworkBuffers, read_network};

static BLOB: &[u8] = include_bytes!("../network.blob");
const TICKS: u32 = 10_000;

#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    let _ = Serial.write_str("panic\n");
    exit(2)
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
        most = most.max((instructions() - before) as u32);
        life.word(network.hash());
    }
    let hash = life.value();
    let _ = Serial.write_str("hash ");
    (0..16).rev().for_each(|place| digit((hash >> (4 * place) & 0xf) as u8));
    print(" instructions_worst ", most);
    print(" bytes_without_blob ", (flash_bytes() - BLOB.len()) as u32);
    let _ = Serial.write_str("\n");
    exit(0)
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

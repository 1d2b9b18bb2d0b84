//! Runs the reference world for a number of ticks, for counting instructions.
//!
//! `valgrind --tool=callgrind target/release/examples/reference_cost TICKS [MASK]`: the difference
//! between two run lengths, divided by the difference in ticks, is the cost of one tick of sensing
//! the channels of the mask (all seven without one; 16 is the bumper alone) and stepping.
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use tropism_body::SensorBank;
use tropism_core::Seed;
use tropism_world::{World, WorldError, presets};

fn main() -> Result<(), WorldError> {
    let ticks = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(20_000_u32);
    let mask = std::env::args().nth(2).and_then(|n| n.parse().ok()).unwrap_or(u16::MAX);
    let spec = presets::reference();
    let mut world = World::new(&spec, Seed(1))?;
    let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
    let mut values = [0.0_f32; 5];
    for t in 0..ticks {
        world.sense_only(0, mask, &mut bank);
        // A saw tooth on every channel, so that wheels and head move at every tick.
        for (i, value) in values.iter_mut().enumerate() {
            let phase = (t + 17 * i as u32) % 64;
            *value = phase as f32 * (1.0 / 64.0) - if i < 3 { 0.4 } else { 0.0 };
        }
        world.set_actuators(0, &values);
        world.advance();
    }
    println!("{ticks} ticks, state hash {:016x}", world.hash());
    Ok(())
}

//! Goal: a board that loses power at any byte of a save keeps the old or the new state.
//! Method: saves into two slots of a made-up flash are cut after every write and every erase.
#![allow(
    clippy::large_stack_frames,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "helpers of tests"
)]

mod common;

use common::{Life, json};
use tropism_body::presets;
use tropism_wire::blob::{BYTES_MAX, HEADER_BYTES, generation, read_blob, write_blob};
use tropism_wire::slots::{Slot, plan};
use tropism_wire::{Reason, read_json};

fn blob(life: &Life, generation: u32) -> Vec<u8> {
    let mut buffer = vec![0; BYTES_MAX];
    let length = write_blob(&life.organism, generation, &mut buffer).unwrap();
    buffer.truncate(length);
    buffer
}

#[test]
fn unit_esp_07_power_lost_at_any_step_of_a_save_leaves_the_old_or_the_new_state() {
    const SECTOR: usize = 4096;
    let mut life = Life::new(&presets::reference_board(), 9);
    life.live(120);
    let (old, old_text) = (blob(&life, 7), json(&life.organism));
    life.live(30);
    let (new, new_text) = (blob(&life, 8), json(&life.organism));
    let room = new.len().max(old.len()).next_multiple_of(SECTOR);
    let mut a = vec![0xff; room];
    a[..old.len()].copy_from_slice(&old);
    // The other slot still holds a damaged older state.
    let mut before = a.clone();
    before[HEADER_BYTES + 40] ^= 1;
    let chosen = plan(&a, &before);
    assert_eq!((chosen.read_from, chosen.write_to, chosen.generation), (Some(Slot::A), Slot::B, 8));
    let (mut olds, mut news) = (0, 0);
    let steps = room / SECTOR + new.len();
    for done in 0..=steps {
        let mut b = before.clone();
        for sector in 0..done.min(room / SECTOR) {
            b[sector * SECTOR..(sector + 1) * SECTOR].fill(0xff);
        }
        let written = done.saturating_sub(room / SECTOR);
        b[..written].copy_from_slice(&new[..written]);
        let slot = match plan(&a, &b).read_from {
            Some(Slot::A) => &a,
            Some(Slot::B) => &b,
            None => panic!("nothing left after step {done}"),
        };
        let state = read_blob(slot).unwrap();
        let mut other = Life::new(&presets::reference_board(), 1);
        state.give_to(&mut other.organism);
        let text = json(&other.organism);
        olds += u32::from(text == old_text);
        news += u32::from(text == new_text);
        assert!(text == old_text || text == new_text);
    }
    assert_eq!((olds as usize, news), (steps, 1));
}

#[test]
fn unit_generations_wrap_and_the_newer_slot_is_read() {
    let mut life = Life::new(&presets::reference_board(), 9);
    life.live(20);
    for (a, b, newest, next) in
        [(3, 4, Slot::B, 5), (4, 3, Slot::A, 5), (u32::MAX, 0, Slot::B, 1), (5, 5, Slot::A, 6)]
    {
        let found = plan(&blob(&life, a), &blob(&life, b));
        assert_eq!((found.read_from, found.generation), (Some(newest), next));
        assert_ne!(found.write_to, newest);
    }
}

#[test]
fn unit_a_blob_is_refused_for_what_is_wrong_with_it() {
    let mut life = Life::reference(9);
    life.live(400);
    let good = blob(&life, 1);
    assert_eq!(generation(&good), Some(1));
    let reason = |bytes: &[u8]| read_blob(bytes).unwrap_err().reason;
    assert_eq!(reason(&[]), Reason::NotABlob);
    assert_eq!(reason(&[0xff; 4096]), Reason::NotABlob);
    assert_eq!(reason(&good[..good.len() - 1]), Reason::Truncated);
    for at in (4..good.len()).step_by(97) {
        let mut bad = good.clone();
        bad[at] ^= 0x10;
        assert!(matches!(reason(&bad), Reason::Checksum | Reason::Truncated), "{at}");
    }
    let mut small = [0; 300];
    let error = write_blob(&life.organism, 1, &mut small).unwrap_err();
    assert_eq!(error.reason, Reason::BufferTooSmall(300));
}

#[test]
fn unit_the_largest_blob_fits_and_equals_the_document() {
    let mut life = Life::new(&presets::full_capacity(), 1);
    common::scramble(&mut life.organism, 5);
    let bytes = blob(&life, 1);
    println!("full capacity, every slot taken: {} bytes of blob", bytes.len());
    let from_blob = read_blob(&bytes).unwrap();
    let from_text = read_json(json(&life.organism).as_bytes()).unwrap();
    assert!(from_blob == from_text);
}

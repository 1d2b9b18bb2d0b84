//! Goal: saving and going on equals never having stopped, and every bit of a state survives.
//! Method: lives with made-up senses are saved through each form and go on in another organism.
#![allow(
    clippy::large_stack_frames,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "helpers of tests"
)]

mod common;

use common::{Life, json, scramble};
use proptest::prelude::*;
use tropism_body::presets;
use tropism_core::Seed;
use tropism_organism::{Organism, OrganismConfig};
use tropism_wire::blob::{BYTES_MAX as BLOB_MAX, read_blob, write_blob};
use tropism_wire::{LifeState, Parts, read_json};

/// The three ways a life can be carried over.
fn forms(organism: &Organism) -> Vec<LifeState> {
    let mut buffer = vec![0; BLOB_MAX];
    let length = write_blob(organism, 1, &mut buffer).unwrap();
    let text = json(organism);
    vec![
        read_json(text.as_bytes()).unwrap(),
        read_blob(&buffer[..length]).unwrap(),
        LifeState::of(organism),
    ]
}

fn newborn_like(life: &Life) -> Organism {
    let body = life.organism.body();
    Organism::new(body, common::STEP, OrganismConfig::default(), Seed(991), 0)
}

#[test]
fn determinism_st_02_restored_life_equals_the_straight_one_for_ten_thousand_ticks() {
    for (body, ticks) in [
        (presets::reference_simulator(), 10_000),
        (presets::reference_board(), 3_000),
        (presets::full_capacity(), 1_500),
    ] {
        let mut straight = Life::new(&body, 5);
        straight.live(2_345);
        let saved = straight.clone();
        straight.live(ticks);
        for (form, state) in forms(&saved.organism).iter().enumerate() {
            let mut resumed = Life { organism: newborn_like(&saved), ..saved.clone() };
            let report = state.give_to(&mut resumed.organism);
            assert!(report.is_exact && report.has_same_channels, "{report}");
            assert_eq!(json(&resumed.organism), json(&saved.organism), "form {form}");
            resumed.live(ticks);
            assert_eq!(resumed.hash, straight.hash, "form {form}");
            assert_eq!(json(&resumed.organism), json(&straight.organism), "form {form}");
        }
    }
}

#[test]
fn unit_st_04_reward_statistics_usual_activity_and_age_are_saved_together() {
    let mut life = Life::reference(4);
    life.live(700);
    for state in forms(&life.organism) {
        let mut other = newborn_like(&life);
        state.give_to(&mut other);
        let (old, new) = (life.organism.state(), other.state());
        assert_eq!(new.reflex.reward_mean.to_bits(), old.reflex.reward_mean.to_bits());
        assert_eq!(new.reflex.reward_variance.to_bits(), old.reflex.reward_variance.to_bits());
        assert_eq!(new.physiology.activity_average, old.physiology.activity_average);
        assert_eq!((new.age, other.seed(), other.robot()), (old.age, Seed(4), 3));
        assert_ne!(new.reflex.reward_mean, 0.0);
    }
}

#[test]
fn unit_st_05_what_a_successor_inherits_is_an_explicit_choice() {
    let mut parent = Life::reference(6);
    parent.live(900);
    let state = LifeState::of(&parent.organism);
    let newborn = newborn_like(&parent);
    for (parts, expect) in [
        (Parts::LEARNED, [true, true, true, true, false, false]),
        (Parts { reflexes: false, ..Parts::LEARNED }, [true, true, false, true, false, false]),
        (Parts { contingency: false, ..Parts::ALL }, [false, true, true, true, true, true]),
    ] {
        let mut child = newborn.clone();
        let report = state.give_parts_to(&mut child, parts);
        let (c, p) = (child.state(), parent.organism.state());
        let given = [
            c.contingency.count() == p.contingency.count(),
            c.spatial.count() == p.spatial.count(),
            c.reflex.magnitudes() == p.reflex.magnitudes(),
            c.physiology.jitter == p.physiology.jitter,
            c.physiology.values == p.physiology.values,
            c.age == p.age && child.seed() == parent.organism.seed(),
        ];
        assert_eq!(given, expect, "{parts:?}");
        assert_eq!((report.parts, report.is_exact), (parts, false));
    }
}

#[test]
fn unit_esp_09_the_fullest_memory_of_the_largest_body_is_written_and_read_whole() {
    let body = presets::full_capacity();
    let mut life = Life::new(&body, 1);
    scramble(&mut life.organism, 3);
    let text = json(&life.organism);
    assert!(text.len() < tropism_wire::BYTES_MAX, "{} bytes", text.len());
    let state = read_json(text.as_bytes()).unwrap();
    let mut other = newborn_like(&life);
    let report = state.give_to(&mut other);
    assert_eq!((report.contingency.kept, report.spatial.kept), (256, 32));
    assert_eq!(other.state(), life.organism.state());
    println!("full capacity, every slot taken: {} bytes of JSON", text.len());
}

#[test]
fn unit_the_text_goes_out_in_small_pieces_and_is_plain_json() {
    struct Longest(usize);
    impl core::fmt::Write for Longest {
        fn write_str(&mut self, s: &str) -> core::fmt::Result {
            self.0 = self.0.max(s.len());
            Ok(())
        }
    }
    let mut life = Life::reference(2);
    life.live(500);
    let mut longest = Longest(0);
    tropism_wire::write_json(&life.organism, &mut longest).unwrap();
    assert!(longest.0 <= 64, "a piece of {} bytes", longest.0);
    let value: serde_json::Value = serde_json::from_str(&json(&life.organism)).unwrap();
    assert_eq!(value["version"], 2);
    assert_eq!(
        value["contingency"]["entries"].as_array().unwrap().len(),
        life.organism.state().contingency.count()
    );
}

#[test]
fn unit_a_used_life_state_is_read_into_like_a_new_one() {
    let mut used = LifeState::blank();
    for (body, seed) in [
        (presets::full_capacity(), 1),
        (presets::reference_board(), 2),
        (presets::reference_simulator(), 3),
    ] {
        let mut life = Life::new(&body, seed);
        life.live(200);
        let text = json(&life.organism);
        let limit = tropism_wire::BYTES_MAX;
        tropism_wire::read_json_into(text.as_bytes(), limit, &mut used).unwrap();
        for state in [&used, &read_json(text.as_bytes()).unwrap()] {
            let mut other = newborn_like(&life);
            assert!(state.give_to(&mut other).is_exact);
            assert_eq!(json(&other), text);
        }
        let cut = &text.as_bytes()[..text.len() / 2];
        assert!(tropism_wire::read_json_into(cut, limit, &mut used).is_err());
        let mut untouched = newborn_like(&life);
        assert_eq!(used.give_to(&mut untouched).parts, Parts::NONE);
        assert_eq!(untouched, newborn_like(&life));
    }
}

#[test]
fn unit_key_order_does_not_matter() {
    let mut life = Life::reference(2);
    life.live(300);
    // This map sorts its keys: `version` and `sensors` come last.
    let value: serde_json::Value = serde_json::from_str(&json(&life.organism)).unwrap();
    let plain = json(&life.organism);
    let sorted = {
        let mut names: Vec<&String> = value.as_object().unwrap().keys().collect();
        names.sort_by(|a, b| b.cmp(a));
        let mut parts = Vec::new();
        for name in names {
            parts.push(format!("\"{name}\":{}", section(&plain, name)));
        }
        format!(" {{\n {} }}\n ", parts.join(" , "))
    };
    let mut other = newborn_like(&life);
    assert!(read_json(sorted.as_bytes()).unwrap().give_to(&mut other).is_exact);
    assert_eq!(json(&other), json(&life.organism));
}

/// The value of a top-level key, cut out of the text as it stands.
fn section<'a>(text: &'a str, key: &str) -> &'a str {
    let mut depth = 0;
    let mark = format!("\"{key}\":");
    let mut start = 0;
    for (i, c) in text.char_indices() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ => {}
        }
        if start == 0 && depth == 1 && text[i..].starts_with(&mark) {
            start = i + mark.len();
        } else if start != 0 && i >= start {
            let is_end = (c == ',' && depth == 1) || depth == 0;
            if is_end {
                return &text[start..i];
            }
        }
    }
    panic!("no key {key}");
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]
    #[test]
    fn prop_any_state_survives_every_form_to_the_bit(seed in any::<u64>(), which in 0..3) {
        let body = match which {
            0 => presets::reference_simulator(),
            1 => presets::reference_board(),
            _ => presets::full_capacity(),
        };
        let mut life = Life::new(&body, seed);
        life.live(seed % 40);
        scramble(&mut life.organism, seed);
        for state in forms(&life.organism) {
            let mut other = newborn_like(&life);
            prop_assert!(state.give_to(&mut other).is_exact);
            // Equality of floats takes −0 for 0; the text does not.
            prop_assert_eq!(json(&life.organism), json(&other));
            // Fields beyond the last channel carry nothing; only the largest body has none.
            prop_assert!(which != 2 || life.organism.state() == other.state());
        }
    }
}

//! Goal: nothing but a sound life state is ever taken, and a refusal says what and where.
//! Method: sound documents are broken in one place, or in random ones.
#![allow(
    clippy::large_stack_frames,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "helpers of tests"
)]

mod common;

use common::{Life, json};
use tropism_wire::blob::{BYTES_MAX as BLOB_MAX, read_blob, write_blob};
use tropism_wire::{LifeStateError, Reason, read_json, read_json_up_to};

fn life() -> Life {
    let mut life = Life::reference(8);
    life.live(600);
    life
}

fn refusal(text: &str) -> LifeStateError {
    match read_json(text.as_bytes()) {
        Ok(_) => panic!("taken: {}", &text[..text.len().min(200)]),
        Err(error) => error,
    }
}

/// The text between two marks replaced.
fn broken(text: &str, after: &str, until: char, with: &str) -> String {
    let start = text.find(after).unwrap_or_else(|| panic!("no {after}")) + after.len();
    let end = start + text[start..].find(until).unwrap();
    format!("{}{with}{}", &text[..start], &text[end..])
}

#[test]
fn unit_esp_17_foreign_empty_truncated_and_wrong_versions_are_refused_with_the_reason() {
    let good = json(&life().organism);
    for (text, reason) in [
        ("", Reason::Truncated),
        ("   ", Reason::Truncated),
        ("{}", Reason::NoVersion),
        ("[1,2]", Reason::Expected("an object")),
        ("{\"wifi\":{\"ssid\":\"x\"},\"brightness\":12}", Reason::NoVersion),
        ("{\"version\":3}", Reason::Version(3)),
        ("{\"version\":0}", Reason::Version(0)),
        ("{\"version\":1}", Reason::MissingKey("physiology")),
        ("{\"version\":2}", Reason::MissingKey("actuators")),
        ("{\"version\":2,\"version\":2}", Reason::Duplicate),
        ("{\"version\":\"2\"}", Reason::Expected("a number")),
        ("<html></html>", Reason::Expected("an object")),
    ] {
        assert_eq!(refusal(text).reason, reason, "{text}");
    }
    let format = broken(&good, "\"format\":", ',', "\"wled\"");
    assert_eq!(refusal(&format).reason, Reason::Format);
    assert_eq!(refusal(&format!("{good}x")).reason, Reason::TrailingText);
    assert_eq!(refusal(&format!("{good}{good}")).reason, Reason::TrailingText);
    let mut bytes = good.into_bytes();
    bytes[40] = 0xff;
    assert_eq!(read_json(&bytes).unwrap_err().reason, Reason::Expected("UTF-8"));
}

#[test]
fn unit_esp_09_a_document_cut_at_any_byte_is_refused() {
    let mut life = Life::reference(8);
    life.live(20);
    let good = json(&life.organism);
    for end in 0..good.len() {
        let error = read_json(&good.as_bytes()[..end]).unwrap_err();
        assert_eq!(error.reason, Reason::Truncated, "cut at {end}: {error}");
    }
}

#[test]
fn unit_esp_10_an_upload_over_the_limit_is_refused_before_it_is_read() {
    let good = json(&life().organism);
    let padded = format!("{good}{}", " ".repeat(262_145 - good.len()));
    let error = refusal(&padded);
    assert_eq!(error.reason, Reason::TooLarge { bytes: 262_145, limit: 262_144 });
    assert!(error.to_string().contains("262144"), "{error}");
    assert!(read_json(&padded.as_bytes()[..262_144]).is_ok());
    let error = read_json_up_to(good.as_bytes(), 1000).unwrap_err();
    assert!(matches!(error.reason, Reason::TooLarge { limit: 1000, .. }));
}

#[test]
fn unit_esp_10_uploads_of_any_size_leave_the_running_organism_alone() {
    let mut running = life();
    let mut undisturbed = running.clone();
    let before = running.organism.clone();
    let good = json(&running.organism);
    for size in [10_000, 40_000, 200_000, 300_000] {
        let foreign = format!("{{\"version\":2,\"junk\":\"{}\"}}", "j".repeat(size));
        assert!(read_json(foreign.as_bytes()).is_err());
        let nan = broken(&good, "\"surprise\":", ',', "NaN");
        assert!(read_json(nan.as_bytes()).is_err());
    }
    assert_eq!(running.organism, before);
    running.live(200);
    undisturbed.live(200);
    assert_eq!(json(&running.organism), json(&undisturbed.organism));
}

#[test]
fn unit_a_number_out_of_place_is_refused_by_its_path() {
    let good = json(&life().organism);
    let cases = [
        ("\"surprise\":", "NaN", "contingency.surprise", Reason::NotFinite),
        ("\"surprise\":", "1e999", "contingency.surprise", Reason::NotFinite),
        ("\"surprise\":", "-Infinity", "contingency.surprise", Reason::NotFinite),
        ("\"surprise\":", "null", "contingency.surprise", Reason::Expected("a number")),
        ("\"surprise\":", "1.5", "contingency.surprise", Reason::OutOfRange { lo: 0.0, hi: 1.0 }),
        (
            "\"needs\":{\"energy\":",
            "-0.1",
            "physiology.needs.energy",
            Reason::OutOfRange { lo: 0.0, hi: 1.0 },
        ),
        (
            "\"mic\":{\"previous\":",
            "2",
            "physiology.channels.mic.previous",
            Reason::OutOfRange { lo: 0.0, hi: 1.0 },
        ),
        (
            "\"reward_variance\":",
            "-1",
            "reflexes.reward_variance",
            Reason::OutOfRange { lo: 0.0, hi: 1e28 },
        ),
        (
            "\"entries\":[{\"slot\":",
            "256",
            "contingency.entries[0].slot",
            Reason::OutOfRange { lo: 0.0, hi: 255.0 },
        ),
        ("\"age_ticks\":", "1.5", "age_ticks", Reason::OutOfRange { lo: 0.0, hi: u64::MAX as f32 }),
    ];
    for (key, value, path, reason) in cases {
        let error = refusal(&broken(&good, key, ',', value));
        assert_eq!((error.path.as_str(), error.reason), (path, reason), "{key} {value}");
    }
}

#[test]
fn unit_unknown_missing_and_repeated_names_are_refused_by_their_path() {
    let good = json(&life().organism);
    let first = good.find("\"entries\":[{\"slot\":").unwrap() + 19;
    let slot: String = good[first..].chars().take_while(char::is_ascii_digit).collect();
    let second = first + good[first..].find("},{\"slot\":").unwrap() + 10;
    let end = second + good[second..].find(',').unwrap();
    let twice = format!("{}{slot}{}", &good[..second], &good[end..]);
    let error = refusal(&twice);
    assert_eq!((error.path.as_str(), error.reason), ("contingency.entries[1]", Reason::Duplicate));
    for (old, new, path, reason) in [
        (
            "\"connections\":{\"always\"",
            "\"connections\":{\"alwasy\"",
            "reflexes.connections.alwasy",
            Reason::UnknownContext("always"),
        ),
        ("\"drives\":", "\"drivse\":", "physiology.drivse", Reason::UnknownKey("drives")),
        ("\"fuzz\":", "\"distance\":", "physiology.distance", Reason::Duplicate),
        (
            "\"exploration\":{\"stepper_left\"",
            "\"exploration\":{\"wing\"",
            "exploration.wing",
            Reason::UnknownChannel,
        ),
        (
            "\"sensors\":[\"battery_voltage\"",
            "\"sensors\":[\"mic\"",
            "sensors[1]",
            Reason::Duplicate,
        ),
        (
            "\"sensors\":[\"battery_voltage\"",
            "\"sensors\":[\"Battery\"",
            "sensors[0]",
            Reason::BadName,
        ),
        (
            "\"step_s\":[1,20]",
            "\"step_s\":[1,0]",
            "step_s",
            Reason::Expected("a step of 10 us to 1 s as [numerator, denominator]"),
        ),
    ] {
        assert!(good.contains(old), "{old}");
        let error = refusal(&good.replacen(old, new, 1));
        assert_eq!((error.path.as_str(), error.reason), (path, reason), "{new}");
    }
    let print = broken(&good, "\"channel_fingerprint\":", ',', "\"00000000\"");
    assert_eq!(refusal(&print).reason, Reason::Fingerprint);
    let deep = format!("{{\"x\":{}1{}}}", "[".repeat(400), "]".repeat(400));
    assert_eq!(refusal(&deep).reason, Reason::TooDeep);
}

#[test]
fn unit_esp_19_a_restore_is_all_or_nothing_and_the_next_save_holds_it() {
    let donor = life();
    let mut running = Life::reference(1);
    running.live(50);
    let before = running.organism.clone();
    assert!(read_json(&json(&donor.organism).as_bytes()[1..]).is_err());
    assert_eq!(running.organism, before);
    let state = read_json(json(&donor.organism).as_bytes()).unwrap();
    state.give_to(&mut running.organism);
    assert_eq!(json(&running.organism), json(&donor.organism));
}

#[test]
fn prop_mutated_documents_and_blobs_never_panic_and_never_break_bounds() {
    let life = life();
    let good = json(&life.organism).into_bytes();
    let mut blob = vec![0; BLOB_MAX];
    let length = write_blob(&life.organism, 1, &mut blob).unwrap();
    blob.truncate(length);
    let mut draws = common::draws(12);
    let mut taken = 0;
    for round in 0..3_000 {
        let is_blob = round % 3 == 0;
        let mut bytes = if is_blob { blob.clone() } else { good.clone() };
        for _ in 0..=draws.below(3) {
            let at = draws.below(bytes.len() as u32) as usize;
            match draws.below(4) {
                0 => bytes[at] = draws.next_u32() as u8,
                1 => bytes[at] = b"0123456789-.eE\"{}[],:"[draws.below(21) as usize],
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"0192{}[]\",:e-"[draws.below(13) as usize]),
            }
        }
        if is_blob {
            assert!(read_blob(&bytes).is_err() || bytes == blob);
            continue;
        }
        if let Ok(state) = read_json(&bytes) {
            taken += 1;
            let mut other = Life::reference(1);
            state.give_to(&mut other.organism);
            other.live(3);
            assert!(read_json(json(&other.organism).as_bytes()).is_ok());
        }
    }
    assert!(taken > 20, "only {taken} mutations were harmless");
}

#[test]
fn prop_the_reader_agrees_with_another_about_what_is_json() {
    let good = json(&life().organism);
    let small = &good.as_bytes()[..400];
    let mut draws = common::draws(5);
    for _ in 0..20_000 {
        let start = draws.below(300) as usize;
        let mut bytes = small[start..start + 60].to_vec();
        let close = b"{\"k\":1.5e3,\"a\":[true,null,\"\\u00e9\\n\"],\"n\":{}}";
        bytes.splice(0..40, close.iter().copied());
        bytes.truncate(close.len());
        for _ in 0..=draws.below(2) {
            let at = draws.below(bytes.len() as u32) as usize;
            bytes[at] = b"0123456789-+.eE\"{}[],:\\ntfu "[draws.below(28) as usize];
        }
        let theirs = serde_json::from_slice::<serde_json::Value>(&bytes);
        let ours = read_json(&bytes).unwrap_err();
        // Sound JSON without a version is refused for that alone.
        let is_json = ours.reason == Reason::NoVersion;
        let is_number_too_large =
            theirs.as_ref().is_err_and(|e| e.to_string().contains("number out of range"));
        let is_lone_surrogate = theirs.as_ref().is_err_and(|e| {
            e.to_string().contains("surrogate") || e.to_string().contains("hex escape")
        });
        assert!(
            is_json == theirs.is_ok() || is_number_too_large || is_lone_surrogate,
            "{}: {ours} / {theirs:?}",
            String::from_utf8_lossy(&bytes)
        );
    }
}

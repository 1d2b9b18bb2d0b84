//! Goal: another body keeps what maps by name and is told what was dropped; old files are read.
#![allow(
    clippy::large_stack_frames,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "helpers of tests"
)]

mod common;

use common::{Life, json};
use tropism_body::{BodySpec, presets};
use tropism_core::Name;
use tropism_organism::{Organism, OrganismConfig, code};
use tropism_wire::{LifeState, Reason, read_json};

fn born(body: &BodySpec) -> Organism {
    Organism::new(body, common::STEP, OrganismConfig::default(), tropism_core::Seed(1), 0)
}

#[test]
fn unit_channels_in_another_order_keep_their_meaning() {
    let body = presets::reference_simulator();
    let mut other = body;
    other.name = Name::literal("reordered");
    other.sensors.swap(1, 5);
    other.actuators.swap(0, 4);
    let mut life = Life::reference(3);
    life.live(800);
    let mut organism = born(&other);
    let report = LifeState::of(&life.organism).give_to(&mut organism);
    assert!(!report.is_exact && report.dropped_sensors.is_empty());
    let (old, new) = (life.organism.state(), organism.state());
    assert_eq!(new.physiology.jitter[5], old.physiology.jitter[1]);
    assert_eq!(new.reflex.weight(2, 5, 4), old.reflex.weight(2, 1, 0));
    assert_eq!(new.reflex.weight(2, 7, 4), old.reflex.weight(2, 7, 0));
    assert_eq!(report.spatial.kept as usize, new.spatial.count());
    let swapped = |c: u32, i: usize, j: usize| {
        let (x, y) = ((c >> (2 * i)) & 3, (c >> (2 * j)) & 3);
        (c & !(3 << (2 * i)) & !(3 << (2 * j))) | (x << (2 * j)) | (y << (2 * i))
    };
    for slot in new.contingency.slots() {
        let e = new.contingency.entry(slot).unwrap();
        let twin = old.contingency.slots().filter_map(|s| old.contingency.entry(s)).find(|o| {
            swapped(o.action, 0, 4) == e.action
                && swapped(o.sensors, 1, 5) == e.sensors
                && o.context == e.context
                && o.strength == e.strength
        });
        assert!(twin.is_some(), "slot {slot}");
    }
    // There and back again: nothing that fits is lost.
    let mut home = born(&body);
    LifeState::of(&organism).give_to(&mut home);
    assert_eq!(home.state().reflex.magnitudes().0, old.reflex.magnitudes().0);
}

#[test]
fn unit_what_does_not_map_is_dropped_and_named() {
    let mut life = Life::reference(3);
    life.live(800);
    let mut organism = born(&presets::reference_board());
    let report = LifeState::of(&life.organism).give_to(&mut organism);
    let text = report.to_string();
    for name in ["mic", "light_left", "bump", "stepper_left", "motor_left", "touch_bump"] {
        assert!(text.contains(name), "{name}: {text}");
    }
    let names = |list: &[Name]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        names(&report.dropped_actuators),
        ["stepper_left", "stepper_right", "led", "buzzer"]
    );
    assert_eq!(names(&report.new_sensors), ["touch_bump"]);
    let old = life.organism.state();
    assert_eq!(report.contingency.kept as usize, organism.state().contingency.count());
    assert_eq!(
        report.contingency.kept + report.contingency.dropped,
        old.contingency.count() as u32
    );
    assert_eq!(report.spatial.kept + report.spatial.dropped, old.spatial.count() as u32);
    assert!(report.contingency.dropped > 0 && report.reflexes.dropped > report.reflexes.kept);
    // Three inputs (two sensors and the constant) to the one common actuator, in every context
    // that ever opened.
    assert!(report.reflexes.kept > 0 && report.reflexes.kept <= 21, "{}", report.reflexes);
    for slot in organism.state().contingency.slots() {
        let e = organism.state().contingency.entry(slot).unwrap();
        assert!((0..16).all(|i| i == 6 || code::direction(e.action, i) == 0));
    }
    let mut twin = Life { organism, ..Life::new(&presets::reference_board(), 1) };
    twin.live(200);
}

const OLD: &str = r#"{"version":1,"age_ms":123450,"channel_fingerprint":"FINGER",
 "physiology":{"energy":0.42,"boredom":1.7},
 "contingency":[
  {"actuators":{"stepper_left":1,"stepper_right":-1},"sensors":{"mic":1},"ctx_hash":5,
   "strength":0.75,"mean_drive_delta":0.001,"age":70},
  {"actuators":{"wing":1},"sensors":{"antenna":-1},"ctx_hash":1,"strength":0.5},
  {"actuators":{"stepper_left":1,"stepper_right":-1},"sensors":{"mic":1},"ctx_hash":5,
   "strength":0.25},
  {"sensors":{"bump":1}}],
 "spatial":[{"sensors":{"battery_voltage":3,"mic":0,"antenna":2},
   "drive_improvement":{"energy":0.01}}],
 "note":[1,{"x":null}]}"#;

#[test]
fn unit_a_file_of_version_1_is_read_by_the_rules_of_the_reference() {
    let body = presets::reference_simulator();
    let text = OLD.replace("FINGER", &format!("{:08x}", body.fingerprint()));
    let state = read_json(text.as_bytes()).unwrap();
    let mut life = Life::reference(2);
    life.live(300);
    let before = *life.organism.state();
    let report = state.give_to(&mut life.organism);
    assert!(report.has_same_channels && !report.is_exact);
    let s = life.organism.state();
    assert_eq!(s.age.0, 2469);
    assert_eq!((s.physiology.values[0], s.physiology.values[5]), (0.42, 1.0));
    assert_eq!(s.physiology.values[1], before.physiology.values[1]);
    assert_eq!((report.contingency.kept, report.contingency.dropped), (2, 2));
    let entries: Vec<_> =
        s.contingency.slots().filter_map(|slot| s.contingency.entry(slot)).collect();
    let strong = entries.iter().find(|e| e.action == 0b10_01).unwrap();
    assert_eq!((strong.strength, strong.context, strong.age_ticks), (0.75, 5, 70));
    assert_eq!((strong.relief, strong.sensors), (0.001, 0b100));
    let bare = entries.iter().find(|e| e.action == 0).unwrap();
    assert_eq!((bare.strength, bare.context, bare.sensors), (0.0, 0, 1 << 8));
    assert_eq!(s.spatial.count(), 1);
    let place = (0..32).find_map(|slot| s.spatial.place(slot)).unwrap();
    assert_eq!((place.signature, place.visits, place.age_ticks), (3, 1, 0));
    assert_eq!(place.improvement, [0.01, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(s.reflex.magnitudes(), before.reflex.magnitudes());
    assert_eq!(s.physiology.jitter, before.physiology.jitter);
    assert_eq!(report.dropped_sensors.len(), 1);
    // The import goes on as a version 2 document.
    assert!(read_json(json(&life.organism).as_bytes()).is_ok());
}

#[test]
fn unit_a_file_of_version_1_with_a_bad_number_is_refused() {
    for (old, new, reason) in [
        ("0.42", "NaN", Reason::NotFinite),
        ("0.75", "7.5", Reason::OutOfRange { lo: 0.0, hi: 1.0 }),
        ("\"ctx_hash\":5", "\"ctx_hash\":64", Reason::OutOfRange { lo: 0.0, hi: 63.0 }),
        ("\"mic\":1", "\"mic\":3", Reason::OutOfRange { lo: -1.0, hi: 1.0 }),
        ("\"boredom\"", "\"borodem\"", Reason::UnknownContext("boredom")),
    ] {
        let text = OLD.replace("FINGER", "00000000").replacen(old, new, 1);
        assert_eq!(read_json(text.as_bytes()).unwrap_err().reason, reason, "{new}");
    }
}

#[test]
fn unit_a_save_is_whole_and_the_former_file_stays_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("life.json");
    let mut life = Life::reference(2);
    life.live(100);
    tropism_wire::file::save(&path, &life.organism).unwrap();
    let first = std::fs::read(&path).unwrap();
    life.live(100);
    tropism_wire::file::save(&path, &life.organism).unwrap();
    assert_eq!(std::fs::read(folder.path().join("life.json.bak")).unwrap(), first);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    let mut other = born(&presets::reference_simulator());
    assert!(tropism_wire::file::load(&path).unwrap().give_to(&mut other).is_exact);
    assert_eq!(json(&other), json(&life.organism));
    std::fs::write(&path, vec![b' '; 300_000]).unwrap();
    let error = tropism_wire::file::load(&path).unwrap_err().to_string();
    assert!(error.contains("life.json: ") && error.contains("262144"), "{error}");
    let missing = tropism_wire::file::load(&folder.path().join("none.json"));
    assert!(missing.is_err_and(|e| e.to_string().contains("none.json")));
}

//! The reference law against the recorded traces of the public model.
#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

use std::path::Path;
use std::process::Command;

use tropism_octopus::LawKind;
use tropism_scenario::octopus::build::build;
use tropism_scenario::octopus::events;
use tropism_scenario::octopus::format::Scenario;
use tropism_scenario::octopus::json::{Json, Value};
use tropism_scenario::octopus::trace::{TraceRequest, trace};
use tropism_testkit::shared_file;

const TOLERANCE: f64 = 1e-9;

fn unpack(path: &Path) -> Vec<u8> {
    let output = Command::new("xz").arg("-dc").arg(path).output();
    let output = output.expect("the program `xz` (package xz-utils) is needed");
    assert!(output.status.success(), "xz could not unpack {}", path.display());
    output.stdout
}

/// Compares two values; gives the largest difference of numbers and panics on any other one.
fn compare(path: &str, ours: &Json, theirs: &Json) -> f64 {
    let fail = || -> ! {
        panic!("{path}: ours {} theirs {}", ours.compact(), theirs.compact());
    };
    match (&ours.value, &theirs.value) {
        (Value::Array(a), Value::Array(b)) => {
            if a.len() != b.len() {
                fail();
            }
            let each = a.iter().zip(b).enumerate();
            each.map(|(i, (a, b))| compare(&format!("{path}[{i}]"), a, b)).fold(0.0, f64::max)
        }
        (Value::Object(a), Value::Object(b)) => {
            let mut worst = 0.0_f64;
            for (key, theirs) in b {
                let Some((_, ours)) = a.iter().find(|(k, _)| k == key) else {
                    panic!("{path}: no key {key}");
                };
                worst = worst.max(compare(&format!("{path}.{key}"), ours, theirs));
            }
            worst
        }
        (Value::Number(_), Value::Number(_)) => {
            let (a, b) = (ours.as_f64().unwrap(), theirs.as_f64().unwrap());
            let mut apart = (a - b).abs();
            if path.contains(".angles[0]") {
                apart = apart.min((apart - 2.0 * core::f64::consts::PI).abs());
            }
            if apart > TOLERANCE {
                fail();
            }
            apart
        }
        (a, b) if a == b => 0.0,
        _ => fail(),
    }
}

fn check(name: &str, scenario_file: &str, events_file: Option<&str>) {
    let Some(golden) = shared_file(&format!("golden/octopus/{name}.json.xz")) else {
        return;
    };
    let golden = Json::parse(&unpack(&golden)).unwrap();
    let input = |file: &str| {
        let path = shared_file(&format!("golden/octopus/inputs/{file}")).unwrap();
        std::fs::read(path).unwrap()
    };
    let scenario_json = Json::parse(&input(scenario_file)).unwrap();
    let events_json = events_file.map_or(Json::parse(b"[]"), |f| Json::parse(&input(f))).unwrap();
    let scenario = Scenario::from_json(&scenario_json).unwrap();
    let events = events::from_json(&events_json).unwrap();
    let mut octopus = build(&scenario, Some(LawKind::Reference)).unwrap();
    let updates = golden.get("updates").unwrap().as_integer().unwrap() as u64;
    let ours = trace(
        &mut octopus,
        &TraceRequest {
            name,
            scenario_file,
            scenario: &scenario_json,
            events_json: &events_json,
            events: &events,
            updates,
            every: 12,
            with_requests: true,
        },
    )
    .unwrap();
    let ours = Json::parse(ours.compact().as_bytes()).unwrap();
    let mut worst = 0.0_f64;
    for key in ["format", "dt", "updates", "every", "state_changes", "capture_reports", "samples"] {
        worst = worst.max(compare(key, ours.get(key).unwrap(), golden.get(key).unwrap()));
    }
    eprintln!("{name}: largest difference of a number {worst:e}");
}

#[test]
fn golden_single_reach() {
    check("single", "single-reach.json", Some("single.events.json"));
}

#[test]
fn golden_obstacle_detour() {
    check("obstacle", "obstacle-detour.json", None);
}

#[test]
fn golden_capture_and_carry() {
    check("carry", "capture-carry.json", Some("carry.events.json"));
}

//! Goal: the dashboard speaks as its documentation says, and a bad life state changes nothing.
//! Method: shapes are compared key by key; the creature before and after an upload by its own life
//! state.
#![allow(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod common;

use common::Lab;
use serde_json::{Value, json};

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

/// A server whose creature has lived this long and stands still.
fn aged(ticks: u32) -> Lab {
    let lab = Lab::usual();
    let mut socket = lab.socket("/session?share");
    socket.say(r#"{"id":1,"command":{"do":"pause"}}"#);
    while socket.until("done")["id"] != 1 {}
    socket.say(&format!(r#"{{"id":2,"command":{{"do":"step","ticks":{ticks}}}}}"#));
    while socket.until("done")["id"] != 2 {}
    lab
}

#[test]
fn unit_channels_have_the_documented_shape() {
    let lab = aged(50);
    let channels = lab.get("/api/channels").json();
    assert_eq!(
        keys(&channels),
        ["actuators", "battery_critical", "fuzz_scale", "physiology", "sensors"]
    );
    assert_eq!(
        keys(&channels["actuators"][0]),
        ["manual", "max", "min", "name", "safety_tripped", "value"]
    );
    assert_eq!(channels["actuators"].as_array().unwrap().len(), 5);
    assert_eq!(keys(&channels["sensors"][0]), ["name", "value"]);
    assert_eq!(keys(&channels["physiology"][0]), ["drive", "name", "value"]);
    let needs: Vec<&Value> =
        channels["physiology"].as_array().unwrap().iter().map(|n| &n["name"]).collect();
    assert_eq!(needs, ["energy", "fatigue", "safety", "arousal", "curiosity", "boredom"]);
    assert_eq!(channels["battery_critical"], false);
    let missing = lab.get("/api/channels?robot=3");
    assert_eq!((missing.status, missing.error().contains("from 0 to 0")), (404, true));
    assert_eq!(lab.get("/api/channels?robot=x").status, 400);
}

#[test]
fn unit_memories_have_the_documented_shape() {
    let lab = aged(2000);
    let memory = lab.get("/api/contingency").json();
    assert_eq!(keys(&memory), ["capacity", "count", "entries"]);
    assert_eq!(memory["capacity"], 256);
    let entries = memory["entries"].as_array().unwrap();
    assert!((1..=20).contains(&entries.len()), "{memory}");
    assert_eq!(keys(&entries[0]), ["actuators", "age", "mean_drive_delta", "sensors", "strength"]);
    let strength = |e: &Value| e["strength"].as_f64().unwrap();
    assert!(entries.is_sorted_by(|a, b| strength(a) >= strength(b)));
    for delta in entries.iter().flat_map(|e| e["sensors"].as_array().unwrap()) {
        assert!(
            keys(delta) == ["delta", "name"] && [json!(1), json!(-1)].contains(&delta["delta"])
        );
    }
    let places = lab.get("/api/spatial").json();
    assert_eq!(keys(&places), ["capacity", "cells", "count"]);
    let cells = places["cells"].as_array().unwrap();
    assert_eq!((places["capacity"].as_u64(), cells.len()), (Some(32), 32));
    let taken = cells.iter().filter(|c| c["occupied"] == true);
    assert_eq!(places["count"].as_u64(), Some(taken.clone().count() as u64));
    assert_eq!(keys(taken.clone().next().unwrap()), ["age", "occupied", "score", "visit_count"]);
    assert!(cells.iter().filter(|c| c["occupied"] == false).all(|c| keys(c) == ["occupied"]));
}

#[test]
fn edge_a_life_state_goes_out_and_in_and_a_bad_one_changes_nothing() {
    let lab = aged(2000);
    let state = lab.get("/api/state");
    assert_eq!(state.status, 200);
    assert!(state.header("content-disposition").contains("emergent-state.json"));
    let good = lab.post("/api/state", state.body.as_bytes());
    assert_eq!(good.status, 200, "{good:?}");
    let taken = good.json();
    assert_eq!(
        keys(&taken),
        ["contingency_restored", "fingerprint_matched", "ok", "spatial_restored"]
    );
    assert_eq!((&taken["ok"], &taken["fingerprint_matched"]), (&json!(true), &json!(true)));
    assert!(taken["contingency_restored"].as_u64() > Some(0));

    let untouched = lab.get("/api/state").body;
    let half = &state.body[..state.body.len() / 2];
    let number = state.body.find("\"energy\":").map(|i| i + 9).unwrap();
    let end = number + state.body[number..].find([',', '}']).unwrap();
    let with = |value: &str| format!("{}{value}{}", &state.body[..number], &state.body[end..]);
    let huge = "x".repeat(16 << 20);
    let cases = [
        (huge.as_str(), 413, "state too large"),
        (half, 400, "bad json"),
        ("", 400, "bad json"),
        (&with("NaN"), 400, "bad json"),
        (&with("1e999"), 400, ""),
        (&with("\"much\""), 400, "life state refused: "),
        ("{\"version\":9}", 400, "life state refused: "),
        ("{\"colour\":1}", 400, "life state refused: "),
        ("[]", 400, "life state refused: "),
    ];
    for (body, status, error) in cases {
        let reply = lab.post("/api/state", body.as_bytes());
        let shown = &body[..body.len().min(60)];
        assert_eq!(reply.status, status, "{shown}: {reply:?}");
        assert!(reply.error().starts_with(error), "{shown}: {reply:?}");
        assert!(lab.get("/api/state").body == untouched, "{shown}: the creature changed");
    }
    let not_text = lab.post("/api/state", &[0xff, 0xfe, b'{']);
    assert_eq!((not_text.status, not_text.error().as_str()), (400, "bad json"));
    assert!(lab.get("/api/state").body == untouched);
}

#[test]
fn edge_a_life_state_of_the_reference_is_taken() {
    let lab = aged(20);
    // Version 1, another body: one sensor in common.
    let state = json!({
        "version": 1, "age_ms": 1000, "channel_fingerprint": "00000000",
        "physiology": {"energy": 0.5, "fatigue": 0.1},
        "contingency": [
            {"actuators": {"propeller": 1}, "sensors": {"sonar": 1}, "ctx_hash": 0,
             "strength": 0.5, "mean_drive_delta": 0.1, "age": 3},
            {"actuators": {"stepper_left": 1}, "sensors": {"bump": 1}, "ctx_hash": 0,
             "strength": 0.4, "mean_drive_delta": 0.1, "age": 3}
        ],
        "spatial": [],
    });
    let reply = lab.post("/api/state", state.to_string().as_bytes());
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.json()["fingerprint_matched"], false);
    assert_eq!(reply.json()["contingency_restored"], 1);
}

#[test]
fn edge_the_log_has_a_row_per_second() {
    let lab = Lab::usual();
    let mut socket = lab.socket("/session?share");
    socket.say(r#"{"id":1,"command":{"do":"speed","factor":50}}"#);
    socket.until("done");
    while socket.until("frame")["frame"]["time_s"].as_f64().unwrap() < 10.0 {}
    let log = lab.get("/log.csv");
    assert_eq!(log.header("content-type"), "text/csv; charset=utf-8");
    let mut rows = log.body.lines();
    let header = "t_ms,energy,fatigue,safety,arousal,curiosity,boredom,fuzz,actuator_cost";
    assert_eq!(rows.next(), Some(header));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(',').collect()).collect();
    assert!(rows.len() >= 9, "{}", log.body);
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(row[0], format!("{}", (i + 1) * 1000));
        assert!(row.len() == 9 && row[1..].iter().all(|v| v.split('.').nth(1).unwrap().len() == 4));
    }
}

#[test]
fn edge_values_are_pushed_and_an_actuator_is_driven_by_hand() {
    let lab = Lab::usual();
    let mut socket = lab.socket("/ws");
    let first = socket.next().unwrap();
    assert_eq!(keys(&first), keys(&lab.get("/api/channels").json()));
    for nonsense in ["{", "{\"actuator\":\"tail\",\"value\":1}", "[]"] {
        socket.say(nonsense);
    }
    socket.say("{\"actuator\":\"head_pan\",\"value\":0.75}");
    let head = (0..50).find_map(|_| {
        let pushed = socket.next().unwrap();
        let actuators = pushed["actuators"].as_array().unwrap();
        let head = actuators.iter().find(|a| a["name"] == "head_pan").unwrap().clone();
        (head["manual"] == true && head["value"].as_f64() > Some(0.7)).then_some(head)
    });
    assert!(head.is_some(), "the head never got there");
}

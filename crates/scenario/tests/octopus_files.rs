//! Octopus scenario files: what is refused, and that a saved run goes on to the bit.
#![allow(clippy::unwrap_used, reason = "helpers of tests unwrap as tests do")]

use tropism_octopus::{LawKind, Octopus};
use tropism_scenario::octopus::build::build;
use tropism_scenario::octopus::events;
use tropism_scenario::octopus::format::{Scenario, TargetEntry};
use tropism_scenario::octopus::save::{open, save};
use tropism_scenario::octopus::verbs::{Input, TraceOptions, run_verb, trace_verb};
use tropism_testkit::shared_file;

fn refusal(text: &str) -> String {
    Scenario::parse(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn unit_defaults_of_version_one_are_those_of_the_public_format() {
    let scenario = Scenario::parse(b"{\"version\": 1}").unwrap();
    assert_eq!(scenario.name, "Untitled scenario");
    assert_eq!((scenario.body.x, scenario.body.y), (400.0, 460.0));
    let p = scenario.defaults;
    assert_eq!((p.segment_count(), p.turning_speed()), (20, 1.5));
    assert!((p.segment_length() - 12.0).abs() < 1e-12);
    let text = b"{\"version\": 1, \"food\": [{\"position\": [1, 2]}]}";
    assert!((Scenario::parse(text).unwrap().food[0].radius - 14.0).abs() < 1e-12);
}

#[test]
fn unit_every_rule_of_version_one_is_kept_and_named() {
    let v1 = |rest: &str| refusal(&format!("{{\"version\": 1, {rest}}}"));
    for bad in ["1.0", "1e0", "true", "\"1\"", "3", "null"] {
        let message = refusal(&format!("{{\"version\": {bad}}}"));
        assert!(message.starts_with("line 1: version: "), "{message}");
    }
    assert!(refusal("{}").contains("\"version\" is missing"));
    assert!(refusal("[]").contains("an object is expected"));
    assert!(v1("\"name\": \"  \"").contains("name: text that is not blank"));
    assert!(v1("\"body\": null").contains("body: two finite numbers"));
    assert!(v1("\"body\": [1]").contains("body:"));
    assert!(v1("\"body\": [1, 1e999]").contains("body:"));
    assert!(v1("\"body\": [true, 1]").contains("body:"));
    assert!(v1("\"name\": \"a\", \"name\": \"b\"").contains("stands twice"));
    assert!(v1("\"defaults\": {\"segment_count\": 20.0}").contains("defaults.segment_count"));
    assert!(v1("\"defaults\": {\"segment_count\": 101}").contains("2..=100"));
    assert!(v1("\"defaults\": {\"segment_length\": 0}").contains("above 0"));
    assert!(v1("\"defaults\": {\"maximum_bend_degrees\": 180.1}").contains("180"));
    assert!(v1("\"defaults\": {\"turning_speed_degrees\": 5e-324}").contains("radians"));
    let message = v1("\"zoo\": 1, \"foot\": 2");
    assert!(message.contains("\"foot\" is unknown; did you mean \"food\"?"), "{message}");
    assert!(v1("\"food\": [{\"radius\": 3}]").contains("food[0]: the key \"position\" is missing"));
    assert!(v1("\"food\": [{\"position\": [0, 0], \"radius\": -1}]").contains("food[0].radius"));
    let twice =
        "\"food\": [{\"id\": \"a\", \"position\": [0,0]}, {\"id\": \"a\", \"position\": [1,1]}]";
    assert!(v1(twice).contains("food[1].id: this id is taken"));
    assert!(
        v1("\"obstacles\": [{\"id\": \"x\", \"position\": [0,0]}]").contains("\"id\" is unknown")
    );
    assert!(v1("\"arms\": [{\"number\": 9}]").contains("arms[0].number"));
    assert!(v1("\"arms\": [{\"number\": 1}, {\"number\": 1}]").contains("described twice"));
    assert!(v1("\"arms\": [{\"number\": 1, \"target\": {}}]").contains("exactly one"));
    assert!(v1("\"arms\": [{\"number\": 1, \"target\": null}]").contains("arms[0].target"));
    let both = "\"arms\": [{\"number\": 1, \"target\": {\"food\": \"a\", \"position\": [0,0]}}]";
    assert!(v1(both).contains("exactly one"));
    let unknown = "\"arms\": [{\"number\": 1, \"target\": {\"food\": \"a\"}}]";
    assert!(v1(unknown).contains("no food has the id \"a\""));
    assert!(v1("\"hazards\": []").contains("\"hazards\" is unknown"), "version 1 has none");
    let untrimmed = "{\"version\": 1, \"food\": [{\"id\": \" a\", \"position\": [0,0]}],
        \"arms\": [{\"number\": 1, \"target\": {\"food\": \"a\"}}]}";
    assert!(refusal(untrimmed).starts_with("line 2: arms[0].target.food"));
}

#[test]
fn unit_version_two_is_as_strict() {
    let v2 = |rest: &str| refusal(&format!("{{\"version\": 2, {rest}}}"));
    assert!(v2("\"law\": \"fast\"").contains("law: one of reference, reach"));
    assert!(v2("\"critical_severity\": 1.5").contains("critical_severity"));
    let hazard = |severity: &str| {
        format!("\"hazards\": [{{\"position\": [0,0], \"radius\": 5, \"severity\": {severity}}}]")
    };
    assert!(v2(&hazard("2")).contains("hazards[0].severity"));
    assert!(v2(&hazard("null")).contains("hazards[0].severity"));
    let place =
        "\"arms\": [{\"number\": 1, \"target\": {\"position\": [0,0], \"when_taken\": \"free\"}}]";
    assert!(v2(place).contains("when_taken"));
    let good = format!("{{\"version\": 2, \"hand_over\": true, {}}}", hazard("0.5"));
    let scenario = Scenario::parse(good.as_bytes()).unwrap();
    assert!(scenario.extras.hand_over);
    assert_eq!(scenario.hazards.len(), 1);
}

#[test]
fn unit_arbitration_is_off_for_version_one_under_the_reference_law_only() {
    let settings = |text: &str, law| Scenario::parse(text.as_bytes()).unwrap().settings(law);
    let (one, two) = ("{\"version\": 1}", "{\"version\": 2, \"law\": \"reference\"}");
    assert!(!settings(one, Some(LawKind::Reference)).arbitration);
    assert!(settings(one, None).arbitration);
    assert_eq!(settings(one, None).law, LawKind::Reach);
    assert!(settings(two, None).arbitration);
    assert_eq!(settings(two, None).law, LawKind::Reference);
    let off = "{\"version\": 2, \"arbitration\": false}";
    assert!(!settings(off, None).arbitration);
}

const BUSY: &str = r#"{
  "version": 2, "name": "Busy", "hand_over": true,
  "food": [
    {"id": "a", "position": [520, 380], "radius": 12},
    {"id": "b", "position": [300, 560], "radius": 10, "reward": 3}
  ],
  "obstacles": [
    {"position": [500, 420], "radius": 14}, {"position": [560, 470], "radius": 18},
    {"position": [330, 480], "radius": 16}, {"position": [460, 560], "radius": 12}
  ],
  "hazards": [
    {"position": [400, 300], "radius": 40, "severity": 0.97, "seconds": 0.6},
    {"position": [600, 560], "radius": 50, "severity": 0.6, "seconds": 3}
  ],
  "arms": [
    {"number": 1, "target": {"position": [430, 250]}},
    {"number": 2, "target": {"food": "a", "when_taken": "nearest"}},
    {"number": 3, "target": {"food": "a"}},
    {"number": 4, "target": {"position": [590, 520]}},
    {"number": 6, "target": {"food": "b"},
     "parameters": {"segment_count": 26, "segment_length": 9}},
    {"number": 7, "target": {"position": [250, 420]}},
    {"number": 8, "target": {"position": [251, 421]}}
  ]
}"#;

fn steps(octopus: &mut Octopus, n: u32) {
    (0..n).for_each(|_| octopus.step());
}

#[test]
fn determinism_saving_and_loading_in_the_middle_goes_on_to_the_bit() {
    let scenario = Scenario::parse(BUSY.as_bytes()).unwrap();
    for law in [LawKind::Reference, LawKind::Reach] {
        for stop in [0, 1, 30, 73, 74, 90, 140, 145, 200, 400, 900] {
            let mut straight = build(&scenario, Some(law)).unwrap();
            steps(&mut straight, stop);
            let file = save(&straight, "Busy").pretty();
            let saved = Scenario::parse(file.as_bytes()).unwrap();
            let mut resumed = open(&saved, None).unwrap();
            assert_eq!(resumed.snapshot(), straight.snapshot(), "{law:?} at {stop}");
            for tick in 0..300 {
                straight.step();
                resumed.step();
                let same = straight.state_hash() == resumed.state_hash();
                assert!(same, "{law:?}, saved at {stop}, {tick} ticks later");
            }
        }
    }
}

#[test]
fn unit_a_saved_file_is_also_a_scene() {
    let scenario = Scenario::parse(BUSY.as_bytes()).unwrap();
    let mut octopus = build(&scenario, None).unwrap();
    steps(&mut octopus, 20);
    let mut scene = Scenario::parse(save(&octopus, "Busy").pretty().as_bytes()).unwrap();
    scene.state = None;
    assert_eq!(scene.food.len(), 2);
    assert_eq!(scene.food[0].id.as_deref(), Some("food-1"));
    assert!(matches!(scene.arms[2].target, Some(TargetEntry::Food(0, _))));
    assert!(scene.arms[4].target.is_none());
    assert!(build(&scene, None).is_ok());
}

#[test]
fn edge_a_damaged_state_is_refused_with_its_place() {
    let scenario = Scenario::parse(BUSY.as_bytes()).unwrap();
    let mut octopus = build(&scenario, None).unwrap();
    steps(&mut octopus, 100);
    let file = save(&octopus, "Busy").pretty();
    let broken = |from: &str, to: &str| {
        let changed = file.replacen(from, to, 1);
        assert_ne!(changed, file);
        let read = Scenario::parse(changed.as_bytes());
        read.and_then(|s| open(&s, None)).unwrap_err().to_string()
    };
    assert!(broken("\"next_object\"", "\"next_objet\"").contains("did you mean \"next_object\""));
    assert!(broken("\"permit\": \"", "\"permit\": \"x").contains("state.arms[0].permit"));
    assert!(broken("\"dwell\": ", "\"dwell\": null, \"x\": ").contains("state.arms[0]"));
    assert!(broken("\"angles\": [", "\"angles\": [9,").contains("state"));
}

#[test]
fn prop_bytes_cut_or_changed_never_panic() {
    let text = BUSY.as_bytes();
    for end in 0..text.len() {
        let _ = Scenario::parse(&text[..end]);
    }
    for at in 0..text.len() {
        for byte in [b'"', b'9', b'{', b',', 0xff] {
            let mut changed = text.to_vec();
            changed[at] = byte;
            if let Ok(scenario) = Scenario::parse(&changed) {
                let _ = build(&scenario, None);
            }
        }
    }
}

#[test]
fn unit_events_are_checked_and_named() {
    let refusal = |text: &str| events::parse(text.as_bytes()).unwrap_err().to_string();
    assert!(
        refusal("[{\"before_update\": 0, \"op\": \"idle\", \"arm\": 1}]")
            .contains("[0].before_update")
    );
    assert!(refusal("[{\"before_update\": 1, \"op\": \"jump\"}]").contains("one of reach"));
    let odd = "[{\"before_update\": 1, \"op\": \"idle\", \"arm\": 1, \"target\": [0, 0]}]";
    assert!(refusal(odd).contains("\"target\" is unknown"));
}

#[test]
fn unit_the_trace_verb_runs_as_long_as_its_events_need() {
    let Some(scenario) = shared_file("golden/octopus/inputs/capture-carry.json") else { return };
    let events = shared_file("golden/octopus/inputs/carry.events.json").unwrap();
    let (scenario, events) = (std::fs::read(scenario).unwrap(), std::fs::read(events).unwrap());
    let scenario = Input { name: "folder/capture-carry.json", bytes: &scenario };
    let events = Input { name: "carry.events.json", bytes: &events };
    let options = TraceOptions { law: Some(LawKind::Reference), ..TraceOptions::default() };
    let text = trace_verb(scenario, Some(events), &options).unwrap();
    let json = tropism_scenario::octopus::json::Json::parse(text.as_bytes()).unwrap();
    assert_eq!(json.get("updates").unwrap().as_integer(), Some(2160));
    assert_eq!(json.get("scenario_file").unwrap().as_text(), Some("capture-carry.json"));
    assert_eq!(json.get("capture_reports").unwrap().as_array().unwrap().len(), 3);
    let faulty = Input { name: "x.json", bytes: b"{" };
    let message = trace_verb(faulty, None, &options).unwrap_err().to_string();
    assert!(message.starts_with("x.json: line 1: "), "{message}");
}

#[test]
fn unit_the_run_verb_gives_a_summary_and_a_file_to_go_on_from() {
    let input = Input { name: "busy.json", bytes: BUSY.as_bytes() };
    let whole = run_verb(input, None, 300).unwrap();
    let half = run_verb(input, None, 150).unwrap();
    let rest = Input { name: "saved.json", bytes: half.saved.as_bytes() };
    let rest = run_verb(rest, None, 150).unwrap();
    assert_eq!(whole.saved, rest.saved);
    assert!(whole.summary.contains("arm lengths from its target"));
}

#[test]
fn unit_conflicts_and_permits_are_in_the_trace() {
    let input = Input { name: "busy.json", bytes: BUSY.as_bytes() };
    let text = trace_verb(input, None, &TraceOptions::default()).unwrap();
    let json = tropism_scenario::octopus::json::Json::parse(text.as_bytes()).unwrap();
    let conflicts = json.get("conflicts").unwrap().as_array().unwrap();
    let reasons: Vec<_> = conflicts.iter().filter_map(|c| c.get("reason")?.as_text()).collect();
    assert!(reasons.contains(&"lowest number"), "{reasons:?}");
    assert!(text.contains("\"Withdrawing\"") && text.contains("\"Yielding\""));
}

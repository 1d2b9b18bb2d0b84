//! The octopus by way of the protocol's commands.

use tropism_core::{Purpose, Seed, Tick};
use tropism_octopus::{Kind, LawKind};
use tropism_scenario::octopus::events;
use tropism_scenario::octopus::format::Scenario;
use tropism_scenario::octopus::save;
use tropism_wire::session::{
    ArmTask, Command, Frame, NewThing, Outcome, Stage, Switch, Thing, ThingKind, WhenTaken,
};

use super::{OctopusTable, load};
use crate::table::{Table, Watch};
use crate::tests::{empty_frame, empty_stage};

const QUARREL: &str = include_str!("../../../../scenarios/octopus/quarrel.json");
const SHOWCASE: &str = include_str!("../../../../scenarios/octopus/showcase.json");

fn table(text: &str) -> OctopusTable {
    load("scene.json", text).unwrap()
}

fn asked(text: &str) -> Command {
    serde_json::from_str(text).unwrap()
}

fn run(table: &mut dyn Table, ticks: u32) {
    (0..ticks).for_each(|_| table.tick());
}

fn frame(table: &mut dyn Table) -> Frame {
    let mut frame = empty_frame();
    table.show(&Watch::default(), &mut frame);
    frame
}

fn stage(table: &dyn Table) -> Stage {
    let mut stage = empty_stage();
    table.describe(&mut stage);
    stage
}

/// The same change, asked for in the words of the protocol.
fn translated(command: &events::Command) -> Command {
    let arm = |index: usize| index as u32 + 1;
    let assign = |index, task| Command::Assign { arm: arm(index), task };
    let point = |p: tropism_octopus::Point| [p.x, p.y];
    let reset = |speed_degrees| ArmTask::Reset {
        segments: None,
        length: None,
        bend_degrees: None,
        speed_degrees,
    };
    match command {
        events::Command::Reach(i, at) => assign(*i, ArmTask::Reach { at: point(*at) }),
        events::Command::Fetch(i, food, _) => {
            assign(*i, ArmTask::Food { food: food.0, when_taken: WhenTaken::Wait })
        }
        events::Command::Idle(i) => assign(*i, ArmTask::Idle),
        events::Command::Retract(i) => assign(*i, ArmTask::Retract),
        events::Command::Release(i) => assign(*i, ArmTask::Release),
        events::Command::Reset(i, given) => {
            let number = |key| given.get(key).map(|v| v.compact().parse::<f64>().unwrap());
            let task = ArmTask::Reset {
                segments: number("segment_count").map(|n| n as u32),
                length: number("segment_length"),
                bend_degrees: number("maximum_bend_degrees"),
                speed_degrees: number("turning_speed_degrees"),
            };
            assign(*i, task)
        }
        events::Command::Speed(i, radians) => assign(*i, reset(Some(radians.to_degrees()))),
        events::Command::Add(kind, at, radius) => {
            let (at, radius) = (point(*at), *radius);
            let thing = match kind {
                Kind::Food => NewThing::Food { at, radius },
                Kind::Obstacle => NewThing::Obstacle { at, radius },
            };
            Command::Add { thing }
        }
        events::Command::Move(id, at) => {
            let thing = Thing { kind: ThingKind::Food, index: id.0 };
            Command::Move { thing, to: point(*at), heading_rad: None }
        }
        events::Command::Remove(id) => {
            Command::Remove { thing: Thing { kind: ThingKind::Food, index: id.0 } }
        }
        events::Command::Hazard(at, radius, severity, seconds) => Command::Hazard {
            at: point(*at),
            radius: *radius,
            severity: *severity,
            seconds: *seconds,
        },
        events::Command::HandOver(from, to) => Command::HandOver { from: arm(*from), to: arm(*to) },
    }
}

/// A table and a bare octopus, both given the events of a file before their updates.
fn check_as_the_model_runs(scene: &str, list: &[events::Event], law: Option<LawKind>) {
    let mut table = table(scene);
    if let Some(law) = law {
        let name = super::describe::law_name(law).to_owned();
        table.apply(&Command::Law { law: name }).unwrap();
        let (name, value) = ("arbitration".to_owned(), Switch::Bool(false));
        table.apply(&Command::Switch { robot: 0, name, value }).unwrap();
    }
    let read = Scenario::parse(scene.as_bytes()).unwrap();
    let mut bare = save::open(&read, law).unwrap();
    for update in 1..=2160 {
        for event in list.iter().filter(|event| event.before_update == update) {
            let mut command = translated(&event.command);
            if let Command::Remove { thing } | Command::Move { thing, .. } = &mut command {
                let id = tropism_octopus::ObjectId(thing.index);
                let is_food = bare.objects().get(id).unwrap().kind == Kind::Food;
                thing.kind = if is_food { ThingKind::Food } else { ThingKind::Obstacle };
            }
            events::apply(&mut bare, &event.command).unwrap();
            if let Err(fault) = table.apply(&command) {
                // The model lets an empty-handed arm retract, the table says that it cannot.
                assert!(fault.what.contains("holds nothing"), "{fault:?}");
            }
        }
        bare.step();
        table.tick();
        assert_eq!(table.octopus.state_hash(), bare.state_hash(), "update {update}");
    }
}

#[test]
fn golden_recorded_inputs_go_as_the_model_runs_them() {
    for (scene, list) in [
        ("single-reach.json", Some("single.events.json")),
        ("obstacle-detour.json", None),
        ("capture-carry.json", Some("carry.events.json")),
    ] {
        let path = |name: &str| format!("golden/octopus/inputs/{name}");
        let Some(scene) = tropism_testkit::shared_file(&path(scene)) else { return };
        let scene = std::fs::read_to_string(scene).unwrap();
        let list = list.and_then(|name| tropism_testkit::shared_file(&path(name)));
        let list = list.map(|list| events::parse(&std::fs::read(list).unwrap()).unwrap());
        let list = list.unwrap_or_default();
        check_as_the_model_runs(&scene, &list, None);
        check_as_the_model_runs(&scene, &list, Some(LawKind::Reference));
    }
}

#[test]
fn determinism_a_twin_goes_on_as_the_original_after_any_command() {
    let mut table = table(QUARREL);
    for (at, command) in [
        (90, r#"{"do":"add","thing":{"kind":"obstacle","at":[420,300],"radius":12}}"#),
        (40, r#"{"do":"assign","arm":1,"task":{"task":"reach","at":[380,250]}}"#),
        (200, r#"{"do":"hazard","at":[250,420],"radius":30,"severity":0.6,"seconds":1}"#),
        (30, r#"{"do":"law","law":"reference"}"#),
        (60, r#"{"do":"law","law":"reach"}"#),
        (25, r#"{"do":"switch","name":"separation","value":["arms","body"]}"#),
        (70, r#"{"do":"assign","arm":4,"task":{"task":"reset","segments":12}}"#),
        (10, r#"{"do":"hazard","at":[420,420],"radius":30,"severity":1}"#),
    ] {
        run(&mut table, at);
        table.apply(&asked(command)).unwrap();
        let mut twin = table.twin();
        assert_eq!(frame(&mut *twin), frame(&mut table), "{command}");
        for tick in 0..1000 {
            assert_eq!(twin.hash(), table.hash(), "{command}, {tick}");
            twin.tick();
            table.tick();
            if tick > 300 && tick % 100 == 0 {
                // A twin of the twin, taken in the middle of whatever goes on.
                twin = twin.twin();
                assert_eq!(frame(&mut *twin).octopus, frame(&mut table).octopus);
            }
        }
    }
}

#[test]
fn determinism_the_original_goes_as_its_twins_do() {
    let mut table = table(SHOWCASE);
    for start in [0, 1, 7, 60, 300] {
        run(&mut table, start);
        let mut twin = table.twin();
        let mut other = load("scene.json", SHOWCASE).unwrap();
        run(&mut other, table.octopus.tick().0 as u32);
        for _ in 0..1000 {
            twin.tick();
            other.tick();
            assert_eq!(twin.hash(), other.hash());
            assert_eq!(frame(&mut *twin), frame(&mut other));
        }
    }
}

#[test]
fn unit_arms_show_state_priority_and_reason() {
    let mut table = table(QUARREL);
    run(&mut table, 20);
    let shown = frame(&mut table).octopus.unwrap();
    assert!(shown.hazards[0].is_critical && shown.hazards[0].left_s.is_some());
    assert_eq!(shown.arms[1].state, "Withdrawing");
    assert_eq!(shown.arms[1].priority, Some(100.0));
    assert!(shown.arms[1].reason.contains("critical hazard"), "{}", shown.arms[1].reason);
    run(&mut table, 120);
    let shown = frame(&mut table).octopus.unwrap();
    let yielding: Vec<_> = shown.arms.iter().filter(|arm| arm.state == "Yielding").collect();
    assert!(!yielding.is_empty());
    for arm in yielding {
        assert!(arm.reason.starts_with("yields "), "{}", arm.reason);
    }
    assert!(shown.conflicts[0].contains(" yields "), "{}", shown.conflicts[0]);
    assert!(shown.arms[0].reason == "no task" && shown.arms[0].target.is_none());
}

#[test]
fn unit_captures_are_logged_and_happen_once() {
    let mut table = table(SHOWCASE);
    run(&mut table, 1200);
    let frame = frame(&mut table);
    let captured: Vec<_> = frame.events.iter().filter(|e| e.kind == "captured").collect();
    assert_eq!(captured.len(), 1, "{:?}", frame.events);
    assert_eq!((captured[0].robot, captured[0].index), (Some(7), Some(1)));
    let shown = frame.octopus.unwrap();
    assert_eq!((shown.captures, shown.capture_log[0].arm), (1, 7));
    assert_eq!(shown.objects[0].holder, Some(7));
    assert_eq!(shown.arms[6].held, Some(1));
    assert!(shown.arms[4].is_beyond_reach, "{:?}", shown.arms[4]);
    assert_eq!(shown.arms[0].state, "Reached");
}

#[test]
fn unit_held_food_is_carried_handed_over_brought_home_and_let_go() {
    let mut table = table(SHOWCASE);
    run(&mut table, 1200);
    let mut ask = |text: &str| table.apply(&asked(text));
    let refused = ask(r#"{"do":"hand_over","from":7,"to":8}"#).unwrap_err();
    assert!(refused.what.contains("hand-over is off"), "{}", refused.what);
    ask(r#"{"do":"switch","name":"hand_over","value":true}"#).unwrap();
    ask(r#"{"do":"hand_over","from":7,"to":8}"#).unwrap();
    run(&mut table, 2400);
    assert_eq!(table.octopus.arms()[7].held().map(|id| id.0), Some(1));
    let mut ask = |text: &str| table.apply(&asked(text));
    ask(r#"{"do":"assign","arm":8,"task":{"task":"retract"}}"#).unwrap();
    run(&mut table, 1);
    let shown = frame(&mut table).octopus.unwrap();
    assert!(shown.arms[7].reason.starts_with("brings food 1 home"), "{}", shown.arms[7].reason);
    table.apply(&asked(r#"{"do":"assign","arm":8,"task":{"task":"release"}}"#)).unwrap();
    assert_eq!(frame(&mut table).octopus.unwrap().objects[0].holder, None);
}

#[test]
fn unit_parameters_of_an_arm_are_clamped_and_a_speed_alone_keeps_the_pose() {
    let mut table = table(SHOWCASE);
    run(&mut table, 60);
    let joints = |table: &mut OctopusTable| frame(table).octopus.unwrap().arms[0].joints.clone();
    let before = joints(&mut table);
    let reset = |rest: &str| {
        asked(&format!(r#"{{"do":"assign","arm":1,"task":{{"task":"reset",{rest}}}}}"#))
    };
    table.apply(&reset(r#""speed_degrees":1000"#)).unwrap();
    assert_eq!(joints(&mut table), before);
    table.apply(&reset(r#""segments":1000,"length":1,"bend_degrees":999"#)).unwrap();
    let arm = stage(&table).octopus.unwrap().arms[0].clone();
    assert_eq!((arm.segments, arm.length), (40, 6.0));
    assert!((arm.bend_rad - core::f64::consts::PI).abs() < 1e-12);
    assert!((arm.speed_rad_s - 229.18_f64.to_radians()).abs() < 1e-12);
    assert_eq!(joints(&mut table).len(), 41);
}

#[test]
fn unit_what_cannot_be_done_is_refused_and_changes_nothing() {
    let mut table = table(QUARREL);
    run(&mut table, 100);
    let hash = table.hash();
    for (request, expected) in [
        (r#"{"do":"assign","arm":0,"task":{"task":"idle"}}"#, "arms are 1 to 8"),
        (r#"{"do":"assign","arm":9,"task":{"task":"idle"}}"#, "arms are 1 to 8"),
        (r#"{"do":"assign","arm":1,"task":{"task":"food","food":3}}"#, "no food has the id 3"),
        (r#"{"do":"assign","arm":1,"task":{"task":"retract"}}"#, "arm 1 holds nothing"),
        (r#"{"do":"hand_over","from":1,"to":2}"#, "arm 1 holds nothing"),
        (r#"{"do":"hand_over","from":2,"to":2}"#, "to itself"),
        (r#"{"do":"hazard","at":[0,0],"radius":-1,"severity":0.5}"#, "a radius above 0"),
        (r#"{"do":"hazard","at":[0,0],"radius":1,"severity":0.5,"seconds":0}"#, "above 0"),
        (r#"{"do":"law","law":"newton"}"#, "the laws are reference and reach"),
        (r#"{"do":"switch","name":"luck","value":true}"#, "there is no switch luck"),
        (r#"{"do":"switch","name":"arbitration","value":1}"#, "true or false"),
        (r#"{"do":"switch","name":"critical_severity","value":2}"#, "0..=1"),
        (r#"{"do":"switch","name":"separation","value":["legs"]}"#, "arms, own, body"),
        (r#"{"do":"add","thing":{"kind":"food","at":[0,0],"radius":0}}"#, "radius above 0"),
        (r#"{"do":"add","thing":{"kind":"beacon","at":[0,0]}}"#, "food and obstacles only"),
        (r#"{"do":"remove","thing":{"kind":"food","index":3}}"#, "3 is an obstacle, no food"),
        (r#"{"do":"remove","thing":{"kind":"obstacle","index":99}}"#, "no obstacle 99"),
        (r#"{"do":"remove","thing":{"kind":"hazard","index":9}}"#, "no hazard has the id 9"),
        (r#"{"do":"reset","what":"robot"}"#, "reset as a `whole`"),
        (r#"{"do":"mode","name":"m","value":1}"#, "an octopus cannot do this: mode"),
    ] {
        let fault = table.apply(&asked(request)).unwrap_err();
        assert!(fault.what.contains(expected), "{request}: {}", fault.what);
        assert_eq!(table.hash(), hash, "{request}");
    }
}

#[test]
fn unit_things_come_move_and_go_and_a_reset_brings_all_back() {
    let mut table = table(QUARREL);
    let born = table.hash();
    table
        .apply(&asked(r#"{"do":"add","thing":{"kind":"food","at":[300,300],"radius":9}}"#))
        .unwrap();
    let food = frame(&mut table).octopus.unwrap().objects.last().unwrap().clone();
    assert_eq!((food.id, food.is_food, food.at), (5, true, [300.0, 300.0]));
    let moved = r#"{"do":"move","thing":{"kind":"food","index":5},"to":[310,300]}"#;
    table.apply(&asked(moved)).unwrap();
    table.apply(&asked(r#"{"do":"remove","thing":{"kind":"obstacle","index":3}}"#)).unwrap();
    table.apply(&asked(r#"{"do":"remove","thing":{"kind":"hazard","index":2}}"#)).unwrap();
    let shown = frame(&mut table).octopus.unwrap();
    assert!(shown.objects.iter().all(|o| o.id != 3) && shown.hazards.len() == 1);
    run(&mut table, 50);
    table.apply(&asked(r#"{"do":"reset","what":"whole"}"#)).unwrap();
    assert_eq!(table.hash(), born);
}

#[test]
fn unit_a_saved_scene_loads_and_goes_on_alike() {
    let mut table = table(QUARREL);
    run(&mut table, 333);
    let Outcome::Document { name, text } = table.apply(&Command::SaveWorld).unwrap().outcome else {
        panic!("no document");
    };
    assert_eq!(name, "two-arms--one-shrimp--and-something-that.json");
    let mut again = load(&name, &text).unwrap();
    for _ in 0..300 {
        assert_eq!(again.hash(), table.hash());
        again.tick();
        table.tick();
    }
}

#[test]
fn edge_garbage_is_refused_with_its_place() {
    for (text, line, expected) in [
        ("{\n \"version\": 1,\n \"foot\": []\n}", 3, "did you mean \"food\"?"),
        ("{\n \"version\": 7}", 2, "the whole number 1 or 2"),
        ("{\n \"version\": 1,,}", 2, "scene.json:2:"),
        ("{", 1, "scene.json:1:"),
    ] {
        let fault = load("scene.json", text).unwrap_err();
        assert!(fault.what.contains(expected), "{}", fault.what);
        assert_eq!(fault.places[0].line, line, "{text}");
    }
    let mut draws = Seed(5).stream(Purpose::named("test.garbage"), 0, 0).at(Tick(0));
    for _ in 0..2000 {
        let mut bytes = QUARREL.as_bytes().to_vec();
        for _ in 0..3 {
            let at = draws.below(bytes.len() as u32) as usize;
            bytes[at] = 32 + draws.below(94) as u8;
        }
        let text = String::from_utf8(bytes).unwrap();
        if let Ok(mut table) = load("scene.json", &text) {
            run(&mut table, 3);
            let _ = frame(&mut table);
        }
    }
}

//! Commands to minds: each does what it says, and a refused one changes nothing.

mod common;

use common::{Desk, kinds};
use tropism_wire::session::{Command, MindFrame, Outcome, Part, ResetWhat, Switch, TextFile};

fn set(parameter: &str, value: f64) -> Command {
    Command::Set { robot: 0, parameter: parameter.into(), value }
}

fn switch(name: &str, value: Switch) -> Command {
    Command::Switch { robot: 0, name: name.into(), value }
}

fn drive(actuator: &str, value: f64) -> Command {
    Command::Drive { robot: 0, actuator: actuator.into(), value }
}

#[test]
fn unit_parameters_are_set_and_listed() {
    let mut desk = Desk::with("standard");
    let mut plain = Desk::with("standard");
    let value = |desk: &Desk| {
        let list = desk.robot(0).mind.parameters;
        list.iter().find(|p| p.name == "drives.fuzz_max").map(|p| (p.value, p.min, p.max))
    };
    assert_eq!(value(&desk), Some((0.8, 0.0, 10.0)));
    let said = desk.ask(set("drives.fuzz_max", 0.2));
    assert_eq!(said.len(), 3, "a stage and a frame follow: {said:?}");
    assert_eq!(value(&desk).map(|v| v.0), Some(0.2));
    desk.step(200);
    plain.step(200);
    assert_ne!(desk.hash(), plain.hash());
    for (name, value) in [
        ("drives.fuzz_max", 11.0),
        ("drives.fuzz", 0.1),
        ("x", f64::MAX),
        ("drives.fuzz_max", -1.0),
    ] {
        assert!(!desk.refused(set(name, value)).what.is_empty());
    }
    let other = Command::Set { robot: 4, parameter: "drives.fuzz_max".into(), value: 0.3 };
    assert!(desk.refused(other).what.contains("the only one is 0"));
    let mut course = Desk::with("course_track");
    let list = course.robot(0).mind.parameters;
    assert!(list.iter().any(|p| p.name == "reactive.kp"), "{list:?}");
    course.ok(set("reactive.kp", 0.3));
    course.refused(set("reactive.kp", 1e9));
    Desk::with("machine-track").refused(set("reactive.kp", 0.3));
}

#[test]
fn unit_switches_act_at_once() {
    let mut desk = Desk::with("standard");
    desk.step(400);
    desk.watch(&[Part::Organism]);
    desk.ok(switch("exploration", Switch::Bool(false)));
    desk.ok(switch("reflexes", Switch::Word("off".into())));
    desk.ok(switch("contingency_influence", Switch::Bool(false)));
    desk.ok(switch("hide", Switch::Words(vec!["battery_voltage".into()])));
    desk.ok(switch("spatial_wipe_s", Switch::Number(10.0)));
    // Noise lives on in its filter for a while, but nothing new is drawn.
    desk.step(600);
    let MindFrame::Organism { state: Some(state), .. } = desk.world().watched.unwrap().mind else {
        panic!()
    };
    assert!(state.decision.iter().all(|d| d.explore.abs() < 1e-6 && d.reflex == 0.0));
    assert!(state.why.starts_with("rest leads"), "{}", state.why);
    let names: Vec<String> = desk.robot(0).mind.switches.iter().map(|s| s.name.clone()).collect();
    assert_eq!(names.len(), 11, "{names:?}");
    for (name, value) in [
        ("exploration", Switch::Number(1.0)),
        ("explore", Switch::Bool(true)),
        ("hide", Switch::Words(vec!["nose".into()])),
        ("spatial_wipe_s", Switch::Number(-1.0)),
    ] {
        assert!(!desk.refused(switch(name, value)).what.is_empty());
    }
    Desk::with("course_room").refused(switch("exploration", Switch::Bool(false)));
}

#[test]
fn unit_driving_by_hand_holds_for_three_seconds() {
    let mut desk = Desk::with("standard");
    desk.ok(drive("stepper_left", 0.5));
    desk.step(20);
    let robot = desk.world().robots[0].clone();
    assert_eq!((robot.manual, robot.actuators[0]), (1, 0.5));
    desk.step(60);
    assert_eq!(desk.world().robots[0].manual, 0);
    assert!(desk.refused(drive("wheel", 0.5)).what.contains("stepper_left"));
    assert!(desk.refused(drive("stepper_left", 1.5)).what.contains("-1 to 1"));
}

#[test]
fn unit_a_machine_takes_events() {
    let mut desk = Desk::with("machine-interactive");
    let fire = |event: &str| Command::Fire { robot: 0, event: event.into() };
    let stage = desk.robot(0).mind.machine.unwrap();
    assert!(stage.events.contains(&"begin".to_owned()) && stage.text.contains("kind"));
    assert_eq!(stage.states[stage.start as usize].name, "Idle");
    assert!(stage.transitions.iter().any(|t| t.event.as_deref() == Some("begin")));
    desk.step(5);
    let machine = |desk: &mut Desk| match desk.world().watched.unwrap().mind {
        MindFrame::Machine { machine } => machine,
        other => panic!("{other:?}"),
    };
    let now = machine(&mut desk);
    assert!(now.possible.contains(&"begin".to_owned()), "{now:?}");
    assert!(now.values.iter().any(|v| v.name == "error"), "{now:?}");
    desk.ok(fire("begin"));
    desk.session.advance(1);
    let log = desk.world().watched.unwrap().log;
    assert!(log[0].text.contains("Idle → "), "{log:?}");
    assert_ne!(machine(&mut desk).state, now.state);
    assert!(desk.refused(fire("beginn")).what.contains("path_clear"));
    Desk::with("standard").refused(fire("begin"));
}

#[test]
fn unit_a_life_state_goes_out_and_in() {
    let mut old = Desk::with("standard");
    old.step(4000);
    let Outcome::LifeState { document } = old.ok(Command::LifeState { robot: 0 }) else { panic!() };
    let mut young = Desk::with("standard");
    young.step(10);
    let give = |document: String| Command::GiveLifeState { robot: 0, document };
    let before = young.hash();
    let Outcome::Transfer { report, fingerprint_matched, contingencies, .. } =
        young.ok(give(document.clone()))
    else {
        panic!()
    };
    assert!(fingerprint_matched && contingencies > 0, "{report}");
    assert!(report.starts_with("restored exactly"), "{report}");
    assert_ne!(young.hash(), before, "the hash covers the mind");
    // Another body: transferred by names.
    let mut rover = Desk::with("several_robots");
    let give_rover = Command::GiveLifeState { robot: 2, document: document.clone() };
    let Outcome::Transfer { report, fingerprint_matched, .. } = rover.ok(give_rover) else {
        panic!()
    };
    assert!(!fingerprint_matched && report.starts_with("transferred"), "{report}");
    // Refused ones leave the running creature as it is.
    for cut in [0, 1, 100, document.len() / 2, document.len() - 2] {
        young.refused(give(document[..cut].to_owned()));
    }
    let nan = document.replacen("\"strength\":", "\"strength\":1e999,\"x\":", 1);
    young.refused(give(nan));
    young.refused(give(document.replacen("tropism-life-state", "someone-elses", 1)));
    young.refused(give("x".repeat(300_000)));
    let mut said = Vec::new();
    young.session.handle_text(&"x".repeat(16 << 20), &mut said);
    assert!(format!("{said:?}").contains("16777216 bytes"));
    Desk::with("course_room").refused(Command::LifeState { robot: 0 });
    Desk::with("course_room").refused(give(document));
}

#[test]
fn unit_resets_take_back_what_they_say() {
    let mut desk = Desk::with("standard");
    let start = desk.frame();
    desk.step(3000);
    let reset = |what| Command::Reset { what, robot: 0 };
    desk.watch(&[Part::Organism]);
    let age = |desk: &mut Desk| match desk.world().watched.unwrap().mind {
        MindFrame::Organism { state: Some(state), .. } => state.age_ticks,
        other => panic!("{other:?}"),
    };
    desk.ok(reset(ResetWhat::World));
    let now = desk.frame();
    assert_eq!(now.tick, 3000);
    let (a, b) = (&start.robots.as_ref().unwrap().robots[0], &now.robots.unwrap().robots[0]);
    assert_eq!((a.at, a.heading_rad, a.charge), (b.at, b.heading_rad, b.charge));
    assert_eq!(age(&mut desk), 3000, "the mind stays");
    desk.ok(reset(ResetWhat::Robot));
    assert_eq!(age(&mut desk), 0);
    desk.step(10);
    desk.refused(Command::Reset { what: ResetWhat::Robot, robot: 9 });
    for _ in 0..50 {
        // Always restartable: play after a reset plays.
        desk.ok(Command::Play);
        desk.session.advance(3);
        desk.ok(reset(ResetWhat::Whole));
        assert!(!desk.session.is_playing());
        let frame = desk.frame();
        assert_eq!((frame.tick, &frame.hash), (0, &start.hash));
    }
    desk.ok(Command::Play);
    desk.session.advance(1);
    assert_eq!(desk.frame().tick, 1);
}

#[test]
fn unit_an_empty_battery_ends_a_life_and_begins_the_next() {
    let text = "kind = 'scenario'\nworld = 'standard'\nmind = 'random_walk'\n\
                start = { type = 'pose', at_m = [0.5, 0.5], charge = 0.0005 }\n";
    let mut desk = Desk::of_text("short.toml", text);
    desk.step(2000);
    let frame = desk.frame();
    let robot = &frame.robots.as_ref().unwrap().robots[0];
    assert!(robot.life > 0, "{robot:?}");
    let mut desk = Desk::of_text("short.toml", text);
    let mut kinds_seen = Vec::new();
    for _ in 0..40 {
        desk.session.advance(50);
        kinds_seen.extend(kinds(&desk.frame().events).into_iter().map(str::to_owned));
    }
    assert!(kinds_seen.iter().any(|k| k == "life_ended"), "{kinds_seen:?}");
    assert!(kinds_seen.iter().any(|k| k == "life_began"), "{kinds_seen:?}");
}

#[test]
fn unit_a_script_without_an_engine_is_refused_or_starts() {
    let mut desk = Desk::with("course_room");
    let script = |name: &str, text: &str| Command::Script {
        robot: 0,
        file: TextFile { name: name.into(), text: text.into() },
    };
    let text = "function control(sensors, memory) {\n  memory.n = (memory.n || 0) + 1;\n  \
                console.log('n', memory.n);\n  return { left: 0.5, right: 0.5 };\n}\n";
    if cfg!(feature = "javascript") {
        desk.ok(script("go.js", text));
        desk.session.advance(10);
        let watched = desk.world().watched.unwrap();
        assert_eq!(watched.log.len(), 10);
        let MindFrame::Script { script: now } = watched.mind else { panic!() };
        assert_eq!((now.memory.as_str(), now.failure), ("{\"n\":10}", None));
        let fault = desk.refused(script("bad.js", "function control( {"));
        assert_eq!(fault.places[0].line, 1, "{fault:?}");
        desk.ok(script("loop.js", "function control() { for (;;) {} }"));
        desk.session.advance(3);
        let frame = desk.frame();
        assert!(kinds(&frame.events).contains(&"mind_failed"), "{:?}", frame.events);
        let robot = &frame.robots.unwrap().robots[0];
        assert!(robot.is_stopped && robot.actuators[..2] == [0.0, 0.0]);
        // Seeking over a script is to the bit, though no clone carries what it keeps outside.
        let counter = "let n = 0;\nfunction control() { n += 1; \
                       return { left: n % 7 / 10, right: 0.3 }; }";
        desk.ok(script("n.js", counter));
        desk.step(700);
        let hash = desk.hash();
        desk.ok(Command::Seek { tick: 300 });
        desk.ok(Command::Seek { tick: 713 });
        assert_eq!(desk.hash(), hash);
    } else {
        let fault = desk.refused(script("go.js", text));
        assert!(fault.what.contains("javascript"), "{fault:?}");
    }
    assert!(desk.refused(script("go.py", text)).what.contains(".js"));
    Desk::with("standard").refused(script("go.js", text));
}

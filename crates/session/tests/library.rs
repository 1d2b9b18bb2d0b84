//! Everything listed loads and goes on; texts of every kind load; faults have their places.

mod common;

use common::{Desk, built_in, load_text};
use tropism_wire::session::{Command, Frame, Message, Outcome, Part, Source, Stage, StageKind};

const MACHINE: &str = include_str!("../../../scenarios/machines/line-follow-avoid.toml");
const WORLD: &str = include_str!("../../../worlds/several-robots.toml");
const BODY: &str = include_str!("../../../bodies/motor-rover.toml");

#[test]
fn unit_everything_listed_loads_goes_on_and_is_told_in_full() {
    let mut desk = Desk::empty();
    let Outcome::Listing { entries, recordings, conditions } = desk.ok(Command::List) else {
        panic!()
    };
    assert!(entries.len() >= 22 && recordings.is_empty());
    assert!(conditions.iter().any(|c| c == "full") && conditions.iter().any(|c| c == "bug2"));
    for entry in entries.iter().filter(|e| e.kind == StageKind::Robots) {
        let said = desk.ask(built_in(&entry.name));
        assert_eq!(said.len(), 3, "{}: {said:?}", entry.name);
        let parts = vec![
            Part::Rays,
            Part::Organism,
            Part::Contingency,
            Part::Places,
            Part::Reflex,
            Part::Internals,
        ];
        desk.ok(Command::Watch { robot: 0, parts });
        desk.step(60);
        let (stage, frame) = (desk.stage(), desk.frame());
        assert!(!stage.about.is_empty() || !stage.name.is_empty());
        assert_eq!(frame.tick, 60);
        let robots = frame.robots.as_ref().unwrap();
        assert!(robots.watched.is_some());
        let text = serde_json::to_string(&Message::Frame { frame: Box::new(frame.clone()) });
        let back: Message = serde_json::from_str(&text.unwrap()).unwrap();
        let Message::Frame { frame: back } = back else { panic!() };
        assert_eq!(strip(*back), strip(frame), "{}", entry.name);
        let text = serde_json::to_string(&stage).unwrap();
        assert_eq!(serde_json::from_str::<Stage>(&text).unwrap(), stage, "{}", entry.name);
    }
    let refused = desk.refused(built_in("standart"));
    assert!(refused.what.contains("standard"), "{refused:?}");
}

/// Events of the frame before are no part of the comparison.
fn strip(mut frame: Frame) -> Frame {
    frame.events.clear();
    frame
}

#[test]
fn unit_worlds_bodies_machines_and_scripts_load_as_texts() {
    let stage = Desk::of_text("hall.toml", WORLD).stage();
    assert_eq!(stage.robots.unwrap().robots.len(), 4);
    let robot = Desk::of_text("rover.toml", BODY).robot(0);
    assert_eq!((robot.body.as_str(), robot.mind.kind.as_str()), ("motor_rover", "organism"));
    let desk = Desk::of_text("m.toml", MACHINE);
    assert_eq!(desk.robot(0).mind.kind, "machine");
    assert_eq!(desk.stage().robots.unwrap().task.as_deref(), Some("track"));
    let script = "function control(s, m) { return { left: 1, right: 1 }; }";
    let desk = Desk::of_text("go.js", script);
    assert_eq!(desk.robot(0).mind.kind, "script");
    assert_eq!(desk.robot(0).mind.script.unwrap().text, script);
    assert_eq!(desk.stage().robots.unwrap().task.as_deref(), Some("room"));
    let mut desk = Desk::empty();
    let track = include_str!("../../../scenarios/machines/track.toml");
    desk.ok(load_text("x.toml", track, &[("line-follow-avoid.toml", MACHINE)]));
    assert_eq!(desk.robot(0).mind.kind, "machine");
    let missing = desk.refused(load_text("x.toml", track, &[]));
    assert!(missing.what.contains("handed over"), "{missing:?}");
}

#[test]
fn unit_every_fault_of_a_text_has_its_place() {
    let mut desk = Desk::with("standard");
    let text = "kind = 'scenario'\nworld = 'standart'\nmind = 'ful'\nlivs = 3\n";
    let fault = desk.refused(load_text("mine.toml", text, &[]));
    let lines: Vec<u32> = fault.places.iter().map(|p| p.line).collect();
    assert_eq!(lines, [2, 4], "{fault:?}");
    assert!(fault.places[0].text.contains("did you mean `standard`?"), "{fault:?}");
    assert!(fault.places.iter().all(|p| p.file == "mine.toml" && p.column > 0));
    let broken = MACHINE.replace("below = 0.20", "below = \"near\"");
    let fault = desk.refused(load_text("m.toml", &broken, &[]));
    assert!(fault.places.iter().any(|p| p.file == "m.toml" && p.line > 20), "{fault:?}");
    let fault = desk.refused(load_text("a.toml", "this is no toml", &[]));
    assert_eq!(fault.places[0].line, 1);
}

#[test]
fn unit_seed_and_condition_are_taken() {
    let load = |seed, condition: Option<&str>| Command::Load {
        source: Source::BuiltIn { name: "one-life".into() },
        seed,
        condition: condition.map(Into::into),
        scene: None,
    };
    let mut desk = Desk::empty();
    desk.ok(load(Some(7), Some("random_walk")));
    assert_eq!((desk.stage().seed, desk.robot(0).mind.kind.as_str()), (7, "random_walk"));
    desk.ok(load(None, Some("hand_wired")));
    assert_eq!(desk.stage().seed, 1);
    let fault = desk.refused(load(None, Some("nobody")));
    assert!(fault.what.contains("do_nothing"), "{fault:?}");
    let fault = desk.refused(load(None, Some("bug2")));
    assert!(fault.what.contains("course robot"), "{fault:?}");
    let own = Command::Load {
        source: Source::BuiltIn { name: "perturbations".into() },
        seed: None,
        condition: Some("shy".into()),
        scene: None,
    };
    desk.ok(own);
    let reflexes = desk.robot(0).mind.switches.iter().find(|s| s.name == "reflexes").cloned();
    assert_eq!(reflexes.unwrap().value, tropism_wire::session::Switch::Word("frozen".into()));
}

#[test]
fn unit_a_frame_of_fifty_robots_is_small() {
    let mut desk = Desk::with("crowd");
    desk.watch(&[Part::Organism]);
    desk.step(100);
    let frame = desk.session.frame().unwrap();
    let text = serde_json::to_string(&frame).unwrap();
    assert!(text.len() < 64_000, "{}", text.len());
}

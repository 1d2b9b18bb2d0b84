//! Time: equal requests give equal frames, going back equals never having left, and recordings
//! replay to the bit.

mod common;

use common::{Desk, built_in, kinds, load_text};
use tropism_session::{MemoryStore, Session, Store as _, recording_info};
use tropism_wire::session::{
    Command, Message, NewThing, Outcome, ResetWhat, Source, Switch, TextFile, Thing, ThingKind,
};

/// A tour of commands, each at its tick.
fn tour() -> Vec<(u32, Command)> {
    let drive = |value| Command::Drive { robot: 0, actuator: "stepper_left".into(), value };
    let disc = NewThing::Disc { at: [2.2, 2.2], radius_m: 0.1 };
    let station = Thing { kind: ThingKind::Station, index: 0 };
    vec![
        (40, drive(0.5)),
        (1, drive(-0.25)),
        (160, Command::Add { thing: disc }),
        (100, Command::Power { thing: station, is_on: false }),
        (0, Command::Set { robot: 0, parameter: "reflex.learn_rate".into(), value: 0.01 }),
        (300, Command::Move { thing: station, to: [2.9, 1.0], heading_rad: None }),
        (211, Command::Switch { robot: 0, name: "drives".into(), value: Switch::Bool(false) }),
        (90, Command::Reset { what: ResetWhat::World, robot: 0 }),
        (410, Command::Remove { thing: Thing { kind: ThingKind::Disc, index: 0 } }),
        (200, Command::Reset { what: ResetWhat::Robot, robot: 0 }),
    ]
    .into_iter()
    .filter(|(_, c)| !matches!(c, Command::Remove { .. }))
    .collect()
}

fn walk(desk: &mut Desk) {
    for (ticks, command) in tour() {
        desk.session.advance(ticks.into());
        desk.ok(command);
    }
    desk.session.advance(300);
}

#[test]
fn determinism_equal_requests_give_equal_frames() {
    let said = || {
        let mut desk = Desk::empty();
        let mut said = desk.ask(built_in("standard"));
        for (ticks, command) in tour() {
            said.extend(desk.ask(Command::Step { ticks: ticks.max(1) }));
            said.extend(desk.ask(command));
        }
        said.iter().map(|m| serde_json::to_string(m).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(said(), said());
}

#[test]
fn determinism_playing_in_odd_portions_equals_a_step() {
    let mut stepped = Desk::with("two-robots");
    stepped.step(1000);
    let mut played = Desk::with("two-robots");
    played.ok(Command::Play);
    let mut left = 1000_u64;
    for portion in [1, 7, 0, 13, 2, 100, 3].into_iter().cycle() {
        let portion = u64::min(portion, left);
        played.session.advance(portion);
        let _ = played.frame();
        left -= portion;
        if left == 0 {
            break;
        }
    }
    assert_eq!(played.hash(), stepped.hash());
    assert_eq!(played.world(), stepped.world());
}

#[test]
fn determinism_going_back_and_forth_equals_a_straight_run() {
    let mut desk = Desk::with("standard");
    let mut straight = Vec::new();
    for (ticks, command) in tour() {
        for _ in 0..ticks {
            desk.session.advance(1);
            let frame = desk.frame();
            straight.push((frame.tick, frame.hash));
        }
        desk.ok(command);
        // A command shows at its own tick.
        if let (Some(last), Some(hash)) = (straight.last_mut(), desk.hash()) {
            last.1 = hash;
        }
    }
    for _ in 0..300 {
        desk.session.advance(1);
        let frame = desk.frame();
        straight.push((frame.tick, frame.hash));
    }
    let stage = desk.stage().robots;
    let last = straight.len() as u64;
    assert_eq!(desk.stage().ticks, last);
    for tick in [last, 0, 1, 700, 701, 128, 129, 40, 41, last - 1, 599, 600, 900, 3, last] {
        desk.ok(Command::Seek { tick });
        let frame = desk.frame();
        assert_eq!(frame.tick, tick);
        if tick > 0 {
            assert_eq!(Some(&(tick, frame.hash)), straight.get(tick as usize - 1), "{tick}");
        }
    }
    assert_eq!(desk.stage().robots, stage);
    // Played again from the middle, what was asked is done again.
    desk.ok(Command::Seek { tick: 150 });
    desk.session.advance(last - 150);
    assert_eq!(desk.hash().as_ref(), straight.last().map(|(_, hash)| hash));
    assert!(desk.refused(Command::Seek { tick: last + 1 }).what.contains("lies ahead"));
}

#[test]
fn unit_a_command_in_the_past_cuts_the_future() {
    let mut desk = Desk::with("standard");
    walk(&mut desk);
    let end = desk.frame().tick;
    desk.ok(Command::Seek { tick: 100 });
    desk.ok(Command::Drive { robot: 0, actuator: "stepper_right".into(), value: 1.0 });
    assert_eq!(desk.stage().ticks, 100);
    desk.refused(Command::Seek { tick: end });
    desk.step(500);
    let hash = desk.hash();
    let mut straight = Desk::with("standard");
    for (ticks, command) in tour().into_iter().take(2) {
        straight.session.advance(ticks.into());
        straight.ok(command);
    }
    straight.session.advance(59);
    straight.ok(Command::Drive { robot: 0, actuator: "stepper_right".into(), value: 1.0 });
    straight.step(500);
    assert_eq!(straight.hash(), hash);
}

/// A recording of the tour, begun at some tick, with a cut in it.
fn recorded(begin: u32) -> (String, Option<String>, u64) {
    let mut desk = Desk::with("standard");
    for (ticks, command) in tour().into_iter().take(begin as usize) {
        desk.session.advance(ticks.into());
        desk.ok(command);
    }
    desk.ok(Command::Record { name: Some("tour".into()) });
    assert_eq!(desk.frame().recording.as_deref(), Some("tour"));
    for (ticks, command) in tour().into_iter().skip(begin as usize) {
        desk.session.advance(ticks.into());
        desk.ok(command);
    }
    desk.session.advance(100);
    let tick = desk.frame().tick;
    desk.ok(Command::Seek { tick: tick - 280 });
    desk.ok(Command::Drive { robot: 0, actuator: "stepper_right".into(), value: -0.5 });
    desk.session.advance(400);
    let (hash, tick) = (desk.hash(), desk.frame().tick);
    let text = desk.document(Command::StopRecording);
    assert_eq!(desk.frame().recording, None);
    (text, hash, tick)
}

#[test]
fn determinism_recordings_replay_to_the_bit() {
    for begin in [0, 3] {
        let (text, hash, ticks) = recorded(begin);
        let mut desk = Desk::empty();
        desk.ok(load_text("tour.jsonl", &text, &[]));
        let stage = desk.stage();
        assert!(stage.is_recording && stage.ticks == ticks, "{} {ticks}", stage.ticks);
        desk.ok(Command::Play);
        desk.session.advance(ticks + 50);
        assert!(!desk.session.is_playing(), "playing ends with the recording");
        let frame = desk.frame();
        assert_eq!((frame.tick, Some(frame.hash)), (ticks, hash.clone()));
        assert!(!kinds(&frame.events).contains(&"diverged"), "{:?}", frame.events);
        assert!(kinds(&frame.events).contains(&"recording_ended"));
        desk.ok(Command::Seek { tick: 10 });
        desk.ok(Command::Seek { tick: ticks });
        assert_eq!(desk.hash(), hash);
        // Asking something of a recording makes it a run of one's own.
        desk.ok(Command::Seek { tick: 50 });
        desk.ok(Command::Drive { robot: 0, actuator: "stepper_right".into(), value: 1.0 });
        assert!(!desk.stage().is_recording && desk.stage().ticks == 50);
        desk.step(100);
    }
}

#[test]
fn unit_a_recording_cut_anywhere_is_read_up_to_its_last_whole_line() {
    let (text, ..) = recorded(0);
    let head = text.find('\n').unwrap() + 1;
    let mut last = 0;
    for cut in 0..text.len() {
        let part = &text[..cut];
        let info = recording_info("tour", part);
        assert!(info.is_cut);
        if cut >= head {
            // A cut line takes ticks back; else the recording only grows.
            let is_after_cut = part.contains("\"line\":\"cut\"");
            assert!(info.ticks >= last || is_after_cut, "{cut}");
            last = if is_after_cut { 0 } else { info.ticks };
        }
    }
    assert!(!recording_info("tour", &text).is_cut);
    for cut in [head, head + 10, text.len() / 2, text.len() - 1] {
        let mut desk = Desk::empty();
        let said = desk.ask(load_text("tour.jsonl", &text[..cut], &[]));
        let Some(Message::Frame { frame }) = said.last() else { panic!("{said:?}") };
        assert!(kinds(&frame.events).contains(&"recording_cut"), "{:?}", frame.events);
        desk.session.advance(5_000);
        let frame = desk.frame();
        assert!(!kinds(&frame.events).contains(&"diverged"), "{:?}", frame.events);
    }
    let mut desk = Desk::empty();
    desk.refused(load_text("tour.jsonl", &text[..head - 1], &[]));
}

#[test]
fn unit_a_recording_that_differs_says_where() {
    let (text, ..) = recorded(0);
    let at = text.find("\"hash\":\"").unwrap() + 8;
    let other = if &text[at..=at] == "0" { "1" } else { "0" };
    let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
    let mut desk = Desk::empty();
    desk.ok(load_text("tour.jsonl", &changed, &[]));
    desk.session.advance(300);
    let events = desk.frame().events;
    let found = events.iter().find(|e| e.kind == "diverged").unwrap();
    assert_eq!(found.tick, 256);
    for (from, to) in [
        ("\"tropism_recording\":1", "\"tropism_recording\":2"),
        ("\"protocol\":", "\"protocol\":9"),
        ("{\"line\":\"asked\"", "{\"line\":\"asked\",\"x\":1"),
        ("\"do\":\"drive\"", "\"do\":\"play\""),
    ] {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text, "{from}");
        let fault = Desk::empty().refused(load_text("tour.jsonl", &damaged, &[]));
        assert!(fault.places[0].line > 0, "{fault:?}");
    }
    let deep = format!("{}{}\n", text, "[".repeat(100_000));
    Desk::empty().refused(load_text("tour.jsonl", &deep, &[]));
}

#[test]
fn unit_recordings_are_named_listed_and_kept() {
    let mut desk = Desk::with("course_track");
    desk.ok(Command::Record { name: None });
    desk.session.advance(600);
    assert!(desk.refused(Command::Record { name: None }).what.contains("being recorded"));
    desk.ok(Command::StopRecording);
    desk.refused(Command::StopRecording);
    let Outcome::Listing { recordings, .. } = desk.ok(Command::List) else { panic!() };
    assert_eq!((recordings[0].name.as_str(), recordings[0].ticks), ("course_track-1", 600));
    assert!(!recordings[0].is_cut);
    for name in ["", "../x", "a b", "ä", &"x".repeat(65), "course_track-1"] {
        desk.refused(Command::Record { name: Some(name.into()) });
    }
    desk.refused(Command::Recording { name: "nobody".into() });
    let text = desk.document(Command::Recording { name: "course_track-1".into() });
    assert!(text.ends_with("{\"line\":\"end\",\"tick\":600}\n"));
    let source = Source::Recording { name: "course_track-1".into() };
    desk.ok(Command::Load { source, seed: None, condition: None, scene: None });
    assert!(desk.stage().is_recording);
    // A load or a whole reset ends what is being recorded.
    desk.ok(built_in("standard"));
    desk.ok(Command::Record { name: Some("two".into()) });
    desk.session.advance(10);
    desk.ok(Command::Reset { what: ResetWhat::Whole, robot: 0 });
    assert_eq!(desk.frame().recording, None);
    let text = desk.document(Command::Recording { name: "two".into() });
    assert!(text.ends_with("{\"line\":\"end\",\"tick\":10}\n"), "{text}");
    let mut store = MemoryStore::default();
    store.append("a", "x\n").unwrap();
    assert!(store.has("a") && !store.has("b") && store.list()[0].is_cut);
    let mut session = Session::with_store(Box::new(store));
    let mut out = Vec::new();
    session.handle_text("{\"id\":1,\"command\":{\"do\":\"list\"}}", &mut out);
    assert!(format!("{out:?}").contains("RecordingInfo"));
}

#[test]
fn unit_steps_and_speeds_have_bounds() {
    let mut desk = Desk::empty();
    for command in [Command::Play, Command::Step { ticks: 1 }, Command::Seek { tick: 0 }] {
        assert!(desk.refused(command).what.contains("nothing is loaded"));
    }
    let mut desk = Desk::with("course_room");
    desk.refused(Command::Step { ticks: 0 });
    desk.refused(Command::Step { ticks: 100_001 });
    desk.step(100_000);
    assert_eq!(desk.frame().tick, 100_000);
    for factor in [0.0, 0.049, 1001.0, -1.0, 1e300] {
        desk.refused(Command::Speed { factor });
    }
    desk.ok(Command::Speed { factor: 0.05 });
    assert_eq!((desk.session.speed(), desk.frame().speed), (0.05, 0.05));
    // The seek through that many ticks starts from a kept table near by.
    let hash = desk.hash();
    for tick in [99_999, 50_000, 100_000] {
        desk.ok(Command::Seek { tick });
    }
    assert_eq!(desk.hash(), hash);
}

#[test]
fn unit_a_text_of_a_script_is_in_its_recording() {
    let script = "function control() { return { left: 0.2, right: 0.4 }; }";
    let mut desk = Desk::of_text("go.js", script);
    desk.ok(Command::Record { name: None });
    desk.session.advance(300);
    let text = desk.document(Command::StopRecording);
    assert!(text.lines().next().unwrap().contains("left: 0.2"));
    let hash = desk.hash();
    let mut again = Desk::of_text("again.jsonl", &text);
    again.session.advance(300);
    assert_eq!(again.hash(), hash);
    let _ = TextFile { name: String::new(), text: String::new() };
}

//! Editing the world under robots that go on; saving it; garbage.

mod common;

use common::{Desk, kinds};
use proptest::prelude::*;
use tropism_scenario::{Document, parse};
use tropism_session::Session;
use tropism_wire::session::{
    Command, FieldOf, Message, NewThing, Part, Point, Thing, ThingKind, WorldStage,
};

fn thing(kind: ThingKind, index: u32) -> Thing {
    Thing { kind, index }
}

fn move_to(kind: ThingKind, index: u32, to: Point, heading_rad: Option<f64>) -> Command {
    Command::Move { thing: thing(kind, index), to, heading_rad }
}

#[test]
fn unit_things_are_added_moved_and_removed() {
    let mut desk = Desk::with("standard");
    desk.step(50);
    let robot = desk.world().robots[0].at;
    let things = [
        NewThing::Disc { at: [2.3, 2.2], radius_m: 0.1 },
        NewThing::Box { at: [2.0, 0.2], width_m: 0.2, height_m: 0.1, turn_rad: 0.5 },
        NewThing::Wall { from: [2.5, 2.0], to: [2.9, 2.0] },
        NewThing::Tape { points: vec![[0.5, 0.5], [1.0, 0.5], [1.0, 1.0]], width_m: 0.019 },
        NewThing::Beacon { at: [0.2, 0.2] },
    ];
    for thing in things {
        let said = desk.ask(Command::Add { thing });
        assert!(matches!(said[1], Message::Stage { .. }), "{said:?}");
    }
    let stage = desk.stage().robots.unwrap();
    let counts = [
        stage.discs.len(),
        stage.polygons.len(),
        stage.walls.len(),
        stage.tapes.len(),
        stage.beacons.len(),
    ];
    assert_eq!(counts, [1; 5]);
    assert_eq!(desk.world().robots[0].at, robot, "robots stay");
    desk.ok(move_to(ThingKind::Disc, 0, [2.2, 2.3], None));
    desk.ok(move_to(ThingKind::Wall, 0, [2.4, 1.9], None));
    desk.ok(move_to(ThingKind::Polygon, 0, [2.1, 0.3], None));
    desk.ok(move_to(ThingKind::Tape, 0, [0.6, 0.6], None));
    desk.ok(move_to(ThingKind::Beacon, 0, [0.3, 0.3], None));
    desk.ok(move_to(ThingKind::Station, 0, [1.5, 2.4], Some(-1.5)));
    let stage = desk.stage().robots.unwrap();
    let near = |a: Point, b: Point| (a[0] - b[0]).abs() + (a[1] - b[1]).abs() < 1e-6;
    assert!(near(stage.discs[0].at, [2.2, 2.3]) && near(stage.walls[0].to, [2.8, 1.9]));
    assert!(near(stage.polygons[0].corners[0], [2.1, 0.3]));
    assert!(near(stage.tapes[0].points[2], [1.1, 1.1]) && near(stage.beacons[0], [0.3, 0.3]));
    let station = desk.world().stations[0].clone();
    assert!(near(station.at, [1.5, 2.4]) && (station.facing_rad + 1.5).abs() < 1e-6);
    desk.ok(move_to(ThingKind::Robot, 0, [0.4, 2.0], Some(1.0)));
    let now = desk.world().robots[0].clone();
    assert!(near(now.at, [0.4, 2.0]) && (now.heading_rad - 1.0).abs() < 1e-6);
    for kind in
        [ThingKind::Disc, ThingKind::Polygon, ThingKind::Wall, ThingKind::Tape, ThingKind::Beacon]
    {
        desk.ok(Command::Remove { thing: thing(kind, 0) });
        desk.refused(Command::Remove { thing: thing(kind, 0) });
    }
    desk.ok(Command::Remove { thing: thing(ThingKind::Station, 0) });
    assert!(desk.world().stations.is_empty());
    desk.step(100);
}

fn warmth(at: Point, strength: f64, spread_m: f64) -> NewThing {
    NewThing::Field { of: FieldOf::Warmth, at, strength, spread_m }
}

/// What robot 0 reads of a channel.
fn reading(desk: &mut Desk, name: &str) -> f32 {
    let stage = desk.stage().robots.expect("robots");
    let channel = stage.robots[0].sensors.iter().position(|s| s.name == name).expect("it is there");
    desk.world().robots[0].sensors[channel].unwrap_or(f32::NAN)
}

#[test]
fn unit_lights_sources_and_stations_are_added_moved_and_removed() {
    let mut desk = Desk::with("sunny-room");
    let before = desk.stage().robots.unwrap();
    let kinds = |stage: &WorldStage| -> Vec<String> {
        stage.lights.iter().map(|light| light.kind.clone()).collect()
    };
    assert_eq!(kinds(&before), ["window", "lamp", "ambient"]);
    let [x, y] = desk.world().robots[0].at;
    desk.step(20);
    let cold = reading(&mut desk, "warmth");
    for thing in [
        NewThing::Lamp { at: [1.0, 0.2], intensity: 0.15 },
        NewThing::Window { at: [4.2, 1.0], direction_rad: 0.0, intensity: 0.3 },
        warmth([x, y], 2.0, 0.5),
        NewThing::Field { of: FieldOf::Gas, at: [3.0, 0.4], strength: 1.0, spread_m: 0.3 },
        NewThing::Station { at: [0.1, 1.5], facing_rad: 0.0 },
    ] {
        let said = desk.ask(Command::Add { thing });
        assert!(matches!(said[1], Message::Stage { .. }), "{said:?}");
    }
    desk.step(20);
    let warm = reading(&mut desk, "warmth");
    assert!(warm > cold + 0.3, "the robot feels the new source: {cold} then {warm}");
    let stage = desk.stage().robots.unwrap();
    assert_eq!(kinds(&stage), ["window", "lamp", "ambient", "lamp", "window"]);
    let fields: Vec<&str> = stage.fields.iter().map(|field| field.kind.as_str()).collect();
    assert_eq!(fields, ["warmth", "gas", "warmth", "gas"]);
    let now = desk.world();
    assert_eq!((now.lights_on, now.fields_on), (0b1_1111, 0b1111), "what is new is on");
    assert_eq!(now.stations.len(), 2);
    // A window keeps its direction, passes through the point, and stands in the middle of a side.
    let near = |a: Point, b: Point| (a[0] - b[0]).abs() + (a[1] - b[1]).abs() < 1e-5;
    assert!(near(stage.lights[4].at.unwrap(), [4.2, 1.5]), "{:?}", stage.lights[4]);
    desk.ok(move_to(ThingKind::Light, 4, [4.5, 0.3], None));
    assert!(near(desk.stage().robots.unwrap().lights[4].at.unwrap(), [4.5, 1.5]));
    desk.ok(move_to(ThingKind::Light, 4, [0.0, 3.5], Some(core::f64::consts::FRAC_PI_2)));
    let turned = desk.stage().robots.unwrap().lights[4].clone();
    assert!(near(turned.at.unwrap(), [2.0, 3.5]), "{turned:?}");
    desk.ok(move_to(ThingKind::Light, 3, [1.5, 0.4], None));
    desk.ok(move_to(ThingKind::Field, 2, [0.3, 2.8], None));
    let stage = desk.stage().robots.unwrap();
    assert!(near(stage.lights[3].at.unwrap(), [1.5, 0.4]));
    assert!(near(stage.fields[2].at, [0.3, 2.8]));
    for (kind, index) in [(ThingKind::Light, 3), (ThingKind::Field, 0), (ThingKind::Station, 1)] {
        desk.ok(Command::Remove { thing: thing(kind, index) });
    }
    let stage = desk.stage().robots.unwrap();
    assert_eq!(kinds(&stage), ["window", "lamp", "ambient", "window"]);
    assert_eq!((stage.fields.len(), stage.stations.len()), (3, 1));
    desk.step(50);
}

#[test]
fn unit_there_is_a_bound_on_lights() {
    let mut desk = Desk::with("standard");
    let lamp = || Command::Add { thing: NewThing::Lamp { at: [1.0, 1.0], intensity: 0.1 } };
    for _ in 1..32 {
        desk.ok(lamp());
    }
    let fault = desk.refused(lamp());
    assert!(fault.what.contains("32"), "{fault:?}");
    assert_eq!(desk.stage().robots.unwrap().lights.len(), 32);
}

#[test]
fn unit_refused_edits_say_why_and_change_nothing() {
    let mut desk = Desk::with("obstacles");
    desk.step(100);
    let at = desk.world().robots[0].at;
    let buried = desk.refused(Command::Add { thing: NewThing::Disc { at, radius_m: 0.2 } });
    assert!(buried.what.contains("bury `"), "{buried:?}");
    let add = |thing| Command::Add { thing };
    for (command, words) in [
        (add(NewThing::Disc { at: [0.5, 0.5], radius_m: -1.0 }), "radius_m"),
        (add(NewThing::Disc { at: [1e9, 0.5], radius_m: 0.1 }), "a place"),
        (add(NewThing::Wall { from: [0.5, 0.5], to: [0.5, 0.5] }), "no proper shape"),
        (add(NewThing::Tape { points: vec![[0.0, 0.0]], width_m: 0.02 }), "corners"),
        (add(NewThing::Food { at: [0.0, 0.0], radius: 1.0 }), "octopus"),
        (move_to(ThingKind::Robot, 0, [-1.0, 0.0], None), "cannot stand there"),
        (move_to(ThingKind::Robot, 3, [1.0, 1.0], None), "the only one is 0"),
        (move_to(ThingKind::Disc, 77, [1.0, 1.0], None), "disc 77"),
        (move_to(ThingKind::Light, 1, [1.0, 1.0], None), "everywhere"),
        (add(NewThing::Lamp { at: [1.0, 1.0], intensity: -1.0 }), "`intensity` = -1"),
        (add(warmth([1.0, 1.0], 1.0, 0.0)), "`spread_m` = 0"),
        (add(warmth([1.0, 1.0], 1e9, 0.5)), "`strength`"),
        (move_to(ThingKind::Station, 0, [1.0, 1.0], Some(1e300)), "angle"),
        (Command::Remove { thing: thing(ThingKind::Robot, 0) }, "robots stay"),
        (Command::Power { thing: thing(ThingKind::Disc, 0), is_on: true }, "cannot be switched"),
        (Command::Power { thing: thing(ThingKind::Light, 9), is_on: true }, "light 9"),
        (Command::Law { law: "x".into() }, "cannot do this: law"),
        (Command::HandOver { from: 1, to: 2 }, "hand_over"),
        (Command::Spec { text: String::new() }, "spec"),
    ] {
        let fault = desk.refused(command);
        assert!(fault.what.contains(words), "{words}: {}", fault.what);
    }
}

#[test]
fn unit_lights_stations_and_fields_are_switched() {
    let mut desk = Desk::with("warmth_and_gas");
    let world = desk.world();
    assert!(world.fields_on > 0 && world.stations[0].is_on);
    for (kind, index) in [(ThingKind::Field, 0), (ThingKind::Station, 0)] {
        desk.ok(Command::Power { thing: thing(kind, index), is_on: false });
    }
    let now = desk.world();
    assert_eq!(now.fields_on, world.fields_on & !1);
    assert!(!now.stations[0].is_on);
    let mut desk = Desk::with("standard");
    assert_eq!(desk.world().lights_on, 1);
    desk.ok(Command::Power { thing: thing(ThingKind::Light, 0), is_on: false });
    assert_eq!(desk.world().lights_on, 0);
}

#[test]
fn unit_rays_end_at_what_they_hit_and_odometry_follows_the_truth() {
    let mut desk = Desk::with("course_room");
    desk.watch(&[Part::Rays]);
    desk.step(300);
    let stage = desk.stage().robots.unwrap();
    let robot = desk.world().robots[0].clone();
    assert_eq!(robot.rays.len(), 15, "three cones of five rays");
    for ray in &robot.rays {
        for (i, axis) in ray.to.iter().enumerate() {
            assert!(*axis > stage.bounds[0][i] - 1e-3 && *axis < stage.bounds[1][i] + 1e-3);
        }
        assert!(ray.is_hit, "no wall is farther than the rangers reach");
    }
    let [x, y, heading] = robot.odometry.unwrap();
    let off = (f64::from(x) - robot.at[0]).abs() + (f64::from(y) - robot.at[1]).abs();
    assert!(off < 0.04 && (heading - robot.heading_rad).abs() < 0.1, "{off} {heading}");
    desk.ok(move_to(ThingKind::Robot, 0, [1.0, 1.0], Some(0.5)));
    desk.step(1);
    let robot = desk.world().robots[0].clone();
    let [x, y, _] = robot.odometry.unwrap();
    assert!((f64::from(x) - 1.0).abs() < 0.01 && (f64::from(y) - 1.0).abs() < 0.01);
    desk.watch(&[]);
    assert!(desk.world().robots[0].rays.is_empty());
    assert_eq!(Desk::with("standard").world().robots[0].odometry, None);
}

#[test]
fn unit_a_saved_world_is_the_world_as_it_stands() {
    let mut desk = Desk::with("perturbations");
    desk.step(20_000);
    desk.ok(Command::Add { thing: NewThing::Disc { at: [2.3, 2.2], radius_m: 0.1 } });
    desk.ok(Command::Power { thing: thing(ThingKind::Light, 0), is_on: false });
    let set =
        |parameter: &str, value| Command::Set { robot: 0, parameter: parameter.into(), value };
    desk.ok(set("reflex.learn_rate", 0.01));
    let text = desk.document(Command::SaveWorld);
    let Ok(Document::Scenario(read)) = parse("saved.toml", &text, None) else { panic!("{text}") };
    assert_eq!(read.world.room.discs.len(), 1);
    let mut again = Desk::of_text("saved.toml", &text);
    assert_eq!(again.document(Command::SaveWorld).lines().count(), text.lines().count());
    let (was, now) = (desk.world(), again.world());
    assert_eq!((was.robots[0].at, was.robots[0].charge), (now.robots[0].at, now.robots[0].charge));
    assert_eq!(was.stations[0].at, now.stations[0].at);
    again.step(1);
    assert_eq!(again.world().lights_on, 0);
    let rate = again.robot(0).mind.parameters.into_iter().find(|p| p.name == "reflex.learn_rate");
    assert_eq!(rate.unwrap().value, 0.01);
    desk.step(10);
    assert!(kinds(&desk.frame().events).len() < 100);
}

#[test]
fn unit_a_saved_world_brings_its_programs_along() {
    let script = "let turns = 0;\nfunction control(s, m) {\n  turns += 1;\n  \
                  return { left: 0.2, right: 0.1 + (turns % 7) / 70 };\n}\n";
    for (mut desk, kind) in [
        (Desk::with("machine-track"), "machine"),
        (Desk::with("machine-interactive"), "machine"),
        (Desk::of_text("zig.js", script), "script"),
    ] {
        let text = desk.document(Command::SaveWorld);
        // Nothing but the text: as in another browser, or on another machine.
        let mut again = Desk::of_text("saved.toml", &text);
        assert_eq!(again.robot(0).mind.kind, kind);
        assert_eq!(again.robot(0).mind.script, desk.robot(0).mind.script);
        again.step(400);
        desk.step(400);
        let (was, now) = (desk.world(), again.world());
        assert_eq!(was.robots[0].at, now.robots[0].at, "{text}");
        assert_eq!(again.document(Command::SaveWorld).lines().count(), text.lines().count());
    }
}

fn garbage() -> impl Strategy<Value = String> {
    let words = prop_oneof![
        Just("load"),
        Just("step"),
        Just("seek"),
        Just("drive"),
        Just("move"),
        Just("add"),
        Just("remove"),
        Just("power"),
        Just("set"),
        Just("switch"),
        Just("fire"),
        Just("reset"),
        Just("life_state"),
        Just("give_life_state"),
        Just("record"),
        Just("stop_recording"),
        Just("save_world"),
        Just("script"),
        Just("watch"),
        Just("speed"),
        Just("nonsense"),
    ];
    let number = prop_oneof![
        any::<f64>().prop_map(|x| format!("{x:e}")),
        (0u32..4).prop_map(|x| x.to_string()),
        (-2.0f64..4.0).prop_map(|x| x.to_string()),
        Just("null".to_owned()),
        Just("\"x\"".to_owned()),
        Just("1e999".to_owned()),
    ];
    let kind = prop_oneof![
        Just("robot"),
        Just("station"),
        Just("disc"),
        Just("wall"),
        Just("tape"),
        Just("field"),
        Just("light"),
        Just("beacon"),
        Just("polygon"),
        Just("food"),
    ];
    (words, number.clone(), number.clone(), number, kind, 0usize..6).prop_map(
        |(word, a, b, c, kind, shape)| {
            let fields = match shape {
                0 => format!(", \"ticks\": {a}, \"tick\": {a}"),
                1 => format!(
                    ", \"thing\": {{\"kind\": \"{kind}\", \"index\": {c}}}, \"to\": [{a}, {b}]"
                ),
                2 => format!(
                    ", \"thing\": {{\"kind\": \"{kind}\", \"at\": [{a}, {b}], \"radius_m\": {c}}}"
                ),
                3 => format!(", \"robot\": {c}, \"actuator\": \"stepper_left\", \"value\": {a}"),
                4 => format!(
                    ", \"thing\": {{\"kind\": \"{kind}\", \"index\": {c}}}, \"is_on\": false"
                ),
                _ => String::new(),
            };
            format!("{{\"id\": 1, \"command\": {{\"do\": \"{word}\"{fields}}}}}")
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn prop_garbage_never_panics_and_is_answered(
        requests in proptest::collection::vec(prop_oneof![4 => garbage(), 1 => ".{0,80}"], 1..25),
    ) {
        let mut session = Desk::with("several_robots").session;
        for request in requests {
            // Long steps are tested elsewhere.
            let mut out = Vec::new();
            session.handle_text(&request, &mut out);
            let is_answer =
                |m: &&Message| matches!(m, Message::Done { .. } | Message::Refused { .. });
            prop_assert_eq!(out.iter().filter(is_answer).count(), 1, "{}", request);
            session.advance(2);
        }
        prop_assert!(session.frame().is_some());
    }

    #[test]
    fn prop_damaged_recordings_never_panic(at in 0usize..3000, byte in any::<u8>()) {
        let mut desk = Desk::with("course_room");
        desk.ok(Command::Record { name: Some("r".into()) });
        desk.session.advance(300);
        let mut text = desk.document(Command::StopRecording).into_bytes();
        let at = at % text.len();
        text[at] = byte;
        let text = String::from_utf8_lossy(&text).into_owned();
        let mut desk = Desk::empty();
        let _ = desk.ask(common::load_text("r.jsonl", &text, &[]));
        desk.session.advance(300);
        prop_assert!(Session::hello() == Session::hello());
    }
}

//! Networks by way of the protocol's commands.

use tropism_core::{Purpose, Seed, Tick};
use tropism_dynamics_lab::stage::Scene;
use tropism_dynamics_lab::verbs::{Plan, run as run_verb};
use tropism_dynamics_spec::Options;
use tropism_wire::session::{Command, DynamicsFrame, DynamicsStage, Part};

use super::{DynamicsTable, load};
use crate::table::{Table, Watch};
use crate::tests::{empty_frame, empty_stage};

const FIGURE2: &str = include_str!("../../../../scenarios/dynamics/figure2.toml");
const COURSE: &str = include_str!("../../../../scenarios/dynamics/course.toml");
const BALL: &str = include_str!("../../../../scenarios/dynamics/ball.toml");
const REST: &str = include_str!("../../../../scenarios/dynamics/rest.toml");

fn table(text: &str, scene: &str) -> DynamicsTable {
    load("net.toml", text, Some(scene)).unwrap()
}

fn asked(text: &str) -> Command {
    serde_json::from_str(text).unwrap()
}

fn edit(text: &str) -> Command {
    Command::Spec { text: text.to_owned() }
}

fn run(table: &mut dyn Table, ticks: u32) {
    (0..ticks).for_each(|_| table.tick());
}

fn frame(table: &mut dyn Table) -> DynamicsFrame {
    let mut frame = empty_frame();
    let watch = Watch { robot: 0, parts: vec![Part::Terms] };
    table.show(&watch, &mut frame);
    frame.dynamics.unwrap()
}

fn stage(table: &dyn Table) -> DynamicsStage {
    let mut stage = empty_stage();
    table.describe(&mut stage);
    stage.dynamics.unwrap()
}

fn signal(table: &mut DynamicsTable, name: &str) -> Option<f64> {
    let at = stage(table).signals.iter().position(|signal| signal == name).unwrap();
    frame(table).signals[at]
}

#[test]
fn determinism_a_table_goes_as_the_run_verb() {
    for (text, scene, seconds) in
        [(FIGURE2, Scene::Field, 8.0), (COURSE, Scene::Course(3), 12.0), (BALL, Scene::Ball, 10.0)]
    {
        let plan = Plan { scene, seconds, options: Options::default() };
        let recording = run_verb("net.toml", text, plan, &mut |_| None).unwrap();
        let mut table = table(text, &scene.name());
        let ticks = table.step().ticks_in(seconds) as u32;
        run(&mut table, ticks);
        assert_eq!(table.place.robot, recording.stage.robot);
        assert_eq!(table.place.ball, recording.stage.ball);
        let recorder = &recording.parts[0].1;
        let last = recorder.rows().last().unwrap();
        let mut compared = 0;
        for (name, value) in stage(&table).signals.iter().zip(&frame(&mut table).signals) {
            let at = recorder.channels().iter().position(|channel| channel == name);
            if let (Some(at), Some(value)) = (at, value) {
                assert_eq!(last[at], *value, "{name}");
                compared += 1;
            }
        }
        assert!(compared > 8, "{compared}");
    }
}

#[test]
fn determinism_a_twin_goes_on_as_the_original_after_any_command() {
    let mut table = table(BALL, "ball");
    let slower = BALL.replace("d_slow = { value = 0.25", "d_slow = { value = 0.5");
    for command in [
        edit(&slower),
        asked(r#"{"do":"mode","name":"m_play","value":0.3}"#),
        asked(r#"{"do":"drive","actuator":"ball_x","value":0.5}"#),
        asked(r#"{"do":"drive","actuator":"drive_w","value":0.2}"#),
        asked(r#"{"do":"move","thing":{"kind":"ball","index":0},"to":[0.5,-0.4]}"#),
        asked(r#"{"do":"add","thing":{"kind":"disc","at":[2,2],"radius_m":0.2}}"#),
        asked(r#"{"do":"reset","what":"robot"}"#),
        asked(r#"{"do":"reset","what":"world"}"#),
    ] {
        run(&mut table, 60);
        let before = table.hash();
        table.apply(&command).unwrap();
        assert_ne!(table.hash(), before, "{command:?}");
        let mut twin = table.twin();
        for _ in 0..1000 {
            assert_eq!(twin.hash(), table.hash(), "{command:?}");
            twin.tick();
            table.tick();
        }
        assert_eq!(frame(&mut *twin), frame(&mut table), "{command:?}");
    }
}

#[test]
fn unit_the_stage_shows_nodes_at_their_lines_edges_and_scenes() {
    let table = table(FIGURE2, "field");
    let stage = stage(&table);
    let at = |name: &str| stage.nodes.iter().position(|node| node.name == name).unwrap();
    let kinds = [
        ("L0.x", "sensor", "x = {"),
        ("mode.m_on", "mode", "m_on = "),
        ("L0.dist", "percept", "dist = {"),
        ("L0.taxis", "behaviour", "name = \"taxis\""),
        ("L0.taxis.v", "target", "targets.v = "),
        ("L0.v", "actuator", "v = {"),
    ];
    for (name, kind, written) in kinds {
        let node = &stage.nodes[at(name)];
        let line = FIGURE2.lines().nth(node.line as usize - 1).unwrap();
        assert_eq!(node.kind, kind);
        assert!(line.trim_start().starts_with(written), "{name}: {line}");
    }
    for (from, to) in [
        ("L0.x", "L0.dist"),
        ("L1.tx", "L0.dist"),
        ("L0.dist", "L0.taxis.v"),
        ("L1.goto", "L0.taxis"),
        ("mode.m_on", "L1.goto"),
        ("L0.taxis", "L0.taxis.v"),
        ("L0.taxis.v", "L0.v"),
    ] {
        let edge = (at(from) as u32, at(to) as u32);
        assert!(stage.edges.iter().any(|e| (e.from, e.to) == edge), "{from} to {to}");
    }
    assert_eq!(stage.levels[1].every_ticks, 2);
    assert_eq!(stage.goal, Some([-1.2, 1.2]));
    assert!(stage.scenes.contains(&stage.scene));
    let theta = stage.parameters.iter().find(|p| p.name == "theta").unwrap();
    assert_eq!((theta.value, theta.min, theta.max, theta.unit.as_str()), (0.08, 0.01, 1.0, "s"));
}

#[test]
fn unit_terms_add_up_to_the_change_of_an_activation() {
    let mut table = table(FIGURE2, "field");
    let stage = stage(&table);
    let node = stage.nodes.iter().find(|node| node.name == "L0.taxis").unwrap();
    let (node, at) = (node.signal, node.signal as usize);
    for _ in 0..200 {
        let before = frame(&mut table).signals[at].unwrap();
        table.tick();
        let now = frame(&mut table);
        let sum: f64 = now.terms.iter().filter(|t| t.node == node).map(|t| t.value).sum();
        let after = now.signals[at].unwrap();
        assert!(((before + sum).clamp(0.0, 1.0) - after).abs() < 1e-12, "{before} {sum} {after}");
    }
    let shown = frame(&mut table);
    let term = shown.terms.iter().find(|t| t.node == node).unwrap();
    assert_eq!(term.text, "goto: (1 - alpha.rest - alpha.taxis)/theta");
    let mut unwatched = empty_frame();
    table.show(&Watch::default(), &mut unwatched);
    assert!(unwatched.dynamics.unwrap().terms.is_empty());
}

#[test]
fn unit_a_faulty_text_is_refused_with_every_place_and_nothing_changes() {
    let mut table = table(FIGURE2, "field");
    run(&mut table, 50);
    let (hash, shown) = (table.hash(), frame(&mut table));
    let faulty = FIGURE2
        .replace("about = \"Driving.\"", "abuot = \"Driving.\"")
        .replace("initial = 1, about = \"Battery", "intial = 1, about = \"Battery");
    // Twice, because a watcher that sees the same text again may keep quiet, and a table may not.
    for _ in 0..2 {
        let fault = table.apply(&edit(&faulty)).unwrap_err();
        assert_eq!(fault.places.len(), 2, "{fault:?}");
        for place in &fault.places {
            let reason = &place.text;
            let line = faulty.lines().nth(place.line as usize - 1).unwrap();
            assert!(line.contains("abuot") || line.contains("intial"), "{line}");
            assert!(place.column > 0 && place.file == "net.toml");
            assert!(reason.contains("did you mean"), "{reason}");
        }
    }
    for other in [
        FIGURE2.replace("dt0 = \"20ms\"", "dt0 = \"10ms\""),
        FIGURE2.replace("/theta\"", "/thta\""),
        String::new(),
        "[[[".to_owned(),
    ] {
        let fault = table.apply(&edit(&other)).unwrap_err();
        assert!(!fault.places.is_empty(), "{fault:?}");
    }
    assert_eq!(table.hash(), hash);
    assert_eq!(frame(&mut table), shown);
    assert_eq!(stage(&table).text, FIGURE2);
}

#[test]
fn unit_a_sound_text_takes_over_with_the_running_values() {
    let mut table = table(FIGURE2, "field");
    run(&mut table, 50);
    let before = signal(&mut table, "L0.taxis").unwrap();
    let v = signal(&mut table, "L0.v").unwrap();
    assert!(before > 0.5 && v > 0.0, "{before} {v}");
    let edited = FIGURE2.replace("vmax = { value = 0.8", "vmax = { value = 0.2");
    let applied = table.apply(&edit(&edited)).unwrap();
    assert!(applied.is_other_stage);
    assert_eq!(stage(&table).text, edited);
    assert_eq!(signal(&mut table, "L0.taxis"), Some(before));
    run(&mut table, 100);
    assert!(signal(&mut table, "L0.v").unwrap() < 0.21);
}

#[test]
fn unit_a_parameter_is_set_in_the_text() {
    let mut table = table(FIGURE2, "field");
    run(&mut table, 10);
    table.apply(&asked(r#"{"do":"set","parameter":"vmax","value":0.25}"#)).unwrap();
    let text = stage(&table).text;
    assert_eq!(text, FIGURE2.replace("vmax = { value = 0.8", "vmax = { value = 0.25"));
    let hash = table.hash();
    for (request, expected) in [
        (r#"{"do":"set","parameter":"vmax","value":7}"#, "vmax"),
        (r#"{"do":"set","parameter":"vmx","value":0.2}"#, "did you mean `vmax`?"),
    ] {
        let fault = table.apply(&asked(request)).unwrap_err();
        assert!(fault.what.contains(expected), "{}", fault.what);
    }
    let mut course = load("net.toml", COURSE, None).unwrap();
    let fault = course.apply(&asked(r#"{"do":"set","parameter":"bearing","value":1}"#));
    assert!(fault.unwrap_err().what.contains("no plain number"));
    assert_eq!(table.hash(), hash);
}

#[test]
fn unit_modes_and_hands_act_from_the_next_tick_and_hands_let_go() {
    let mut table = table(FIGURE2, "field");
    table.apply(&asked(r#"{"do":"mode","name":"m_on","value":0}"#)).unwrap();
    run(&mut table, 100);
    assert_eq!(signal(&mut table, "L1.goto"), Some(0.0));
    table.apply(&asked(r#"{"do":"drive","actuator":"drive_v","value":0.5}"#)).unwrap();
    assert_eq!(frame(&mut table).by_hand.len(), 1);
    run(&mut table, 150);
    let x = table.place.robot.state[0];
    assert!(x > 1.2, "{x}");
    run(&mut table, 51);
    assert!(frame(&mut table).by_hand.is_empty());
    let mut rest = load("rest.toml", REST, None).unwrap();
    run(&mut rest, 5);
    assert_eq!(signal(&mut rest, "L0.distance"), None);
    rest.apply(&asked(r#"{"do":"drive","actuator":"distance","value":0.01}"#)).unwrap();
    run(&mut rest, 100);
    assert_eq!(signal(&mut rest, "L0.distance"), Some(0.01));
    assert!(signal(&mut rest, "L0.rest").unwrap() > 0.9);
    let warnings = stage(&rest).warnings;
    assert!(warnings.iter().any(|w| w.line > 0 && w.text.contains("no sensor distance")));
    assert!(warnings.iter().any(|w| w.text.contains("drive_w")), "{warnings:?}");
}

#[test]
fn unit_a_robot_that_touches_stands_until_it_is_moved() {
    let mut table = table(COURSE, "course:1");
    let disc = stage(&table).discs[0].at;
    let to = format!("[{},{}]", disc[0], disc[1]);
    let request = format!(r#"{{"do":"move","thing":{{"kind":"robot","index":0}},"to":{to}}}"#);
    table.apply(&asked(&request)).unwrap();
    run(&mut table, 5);
    let shown = frame(&mut table);
    assert_eq!(shown.scene.ending.as_deref(), Some("touched something"));
    let away = r#"{"do":"move","thing":{"kind":"robot","index":0},"to":[0,0],"heading_rad":0}"#;
    table.apply(&asked(away)).unwrap();
    run(&mut table, 5);
    let shown = frame(&mut table);
    assert_eq!(shown.scene.ending, None);
    assert_eq!((shown.scene.rays.len(), shown.scene.ball), (11, None));
    let born = load("net.toml", COURSE, Some("course:1")).unwrap().hash();
    table.apply(&asked(r#"{"do":"reset","what":"whole"}"#)).unwrap();
    assert_eq!(table.hash(), born);
}

#[test]
fn unit_what_cannot_be_done_is_refused_and_changes_nothing() {
    let mut table = table(COURSE, "course:2");
    run(&mut table, 20);
    let hash = table.hash();
    for (request, expected) in [
        (r#"{"do":"mode","name":"m_off","value":1}"#, "there are: m_on"),
        (r#"{"do":"mode","name":"m_on","value":2}"#, "within 0..=1"),
        (r#"{"do":"drive","actuator":"drive_v","value":9}"#, "from -1 to 1 m/s"),
        (r#"{"do":"drive","actuator":"horn","value":1}"#, "nothing is wired to horn"),
        (r#"{"do":"move","thing":{"kind":"robot","index":1},"to":[0,0]}"#, "one robot"),
        (r#"{"do":"move","thing":{"kind":"robot","index":0},"to":[1e9,0]}"#, "within 100 m"),
        (r#"{"do":"move","thing":{"kind":"ball","index":0},"to":[0,0]}"#, "no ball"),
        (r#"{"do":"move","thing":{"kind":"disc","index":99},"to":[0,0]}"#, "no disc 99"),
        (r#"{"do":"remove","thing":{"kind":"tape","index":0}}"#, "robot, discs"),
        (r#"{"do":"add","thing":{"kind":"disc","at":[0,0],"radius_m":-1}}"#, "above 0"),
        (r#"{"do":"add","thing":{"kind":"beacon","at":[0,0]}}"#, "only discs"),
        (r#"{"do":"law","law":"reach"}"#, "a behaviour network cannot do this: law"),
    ] {
        let fault = table.apply(&asked(request)).unwrap_err();
        assert!(fault.what.contains(expected), "{request}: {}", fault.what);
        assert_eq!(table.hash(), hash, "{request}");
    }
    let fault = load("net.toml", COURSE, Some("moon")).unwrap_err();
    assert!(fault.what.contains("course:SEED"), "{}", fault.what);
}

#[test]
fn edge_garbage_texts_are_refused_and_never_panic() {
    let mut table = table(BALL, "ball");
    let mut draws = Seed(6).stream(Purpose::named("test.garbage"), 0, 0).at(Tick(0));
    let mut taken = 0;
    for _ in 0..1500 {
        let mut bytes = BALL.as_bytes().to_vec();
        for _ in 0..2 {
            let at = draws.below(bytes.len() as u32) as usize;
            bytes[at] = 32 + draws.below(94) as u8;
        }
        let text = String::from_utf8(bytes).unwrap();
        taken += u32::from(table.apply(&edit(&text)).is_ok());
        run(&mut table, 2);
        let _ = (frame(&mut table), stage(&table));
    }
    assert!(taken > 10, "{taken}");
    let long = format!("s = {{ expr = \"{}x\" }}", "x + ".repeat(200_000));
    let text = FIGURE2.replace("speed = {", &format!("{long}\nspeed = {{"));
    let fault = table.apply(&edit(&text)).unwrap_err();
    assert!(fault.what.contains("1024 tokens"), "{:.300}", fault.what);
}

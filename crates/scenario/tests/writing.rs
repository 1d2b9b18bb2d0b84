//! What is written is read back equal, and texts handed over stand for files.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tropism_core::Name;
use tropism_scenario::SwitchValue as V;
use tropism_scenario::{
    Document, MindSpec, Scenario, Source, built_in_condition, built_in_world, list, load, parse,
    parse_with, with_parameter, with_switch, write_scenario, write_world,
};
use tropism_world::{
    Action, ConvexPolygon, Disc, Material, RobotSpec, Segment, Start, Tape, TimedEvent, Vec2,
    WorldSpec,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[track_caller]
fn check_world(spec: &WorldSpec) {
    let text = write_world(spec);
    match parse("written", &text, None) {
        Ok(Document::World(read)) => assert_eq!(&read, spec, "{text}"),
        Ok(_) => panic!("no world:\n{text}"),
        Err(error) => panic!("{error}\n{text}"),
    }
}

fn names(kind: &str) -> Vec<&'static str> {
    list().iter().filter(|l| l.kind == kind).map(|l| l.name).collect()
}

/// A plan that is no built-in body, so that it is written whole.
fn own(body: &str) -> RobotSpec {
    let mut plan =
        tropism_scenario::built_in_body(body).expect("it ships").expect("a test loads it");
    plan.radius_m *= 1.0625;
    let start = Start::Pose { at: Vec2::new(1.0, 1.0), heading_rad: -0.7, soc: 0.613 };
    RobotSpec { name: Name::literal("own"), plan, start }
}

#[test]
fn unit_every_shipped_world_is_written_and_read_back_equal() {
    for name in names("world") {
        check_world(&built_in_world(name).unwrap().unwrap());
    }
}

#[test]
fn unit_every_shipped_body_is_written_whole_and_read_back_equal() {
    for name in names("body") {
        let mut spec = WorldSpec::empty("yard", 4.0, 4.0);
        spec.robots.push(own(name));
        assert!(write_world(&spec).contains("sensor = ["));
        check_world(&spec);
    }
}

fn scenario(path: &Path) -> Option<Scenario> {
    match load(path) {
        Ok(Document::Scenario(scenario)) => Some(scenario),
        Ok(Document::Experiment(experiment)) => Some(experiment.scenario),
        _ => None,
    }
}

#[track_caller]
fn check_scenario(scenario: &Scenario, files: &[Source]) {
    let text = write_scenario(scenario);
    let read = match parse_with("written.toml", &text, files) {
        Ok(Document::Scenario(read)) => read,
        Ok(_) => panic!("no scenario:\n{text}"),
        Err(error) => panic!("{error}\n{text}"),
    };
    assert_eq!(read.world, scenario.world, "{text}");
    let is_machine = |m: &MindSpec| matches!(m, MindSpec::Machine(_));
    if !scenario.minds.iter().any(is_machine) {
        assert_eq!(read.minds, scenario.minds, "{text}");
    }
    assert_eq!(read.minds.len(), scenario.minds.len());
    assert_eq!(
        (read.seed, read.life_cap_s, read.lives, read.safety, &read.name, &read.about),
        (
            scenario.seed,
            scenario.life_cap_s,
            scenario.lives,
            scenario.safety,
            &scenario.name,
            &scenario.about
        )
    );
}

#[test]
fn unit_every_shipped_scenario_is_written_and_read_back_equal() {
    let mut seen = 0;
    for folder in ["scenarios/organism", "scenarios/machines"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if let Some(scenario) = scenario(&path) {
                // Machines are brought along: nothing has to be handed over with the text.
                check_scenario(&scenario, &[]);
                seen += 1;
            }
        }
    }
    assert!(seen >= 6, "{seen}");
}

#[test]
fn unit_changed_minds_are_written_and_read_back_equal() {
    let text = "kind = 'scenario'\nworld = 'standard'\nmind = 'hand_wired_plastic'\n";
    let Ok(Document::Scenario(mut scenario)) = parse("text", text, None) else { panic!() };
    let body = scenario.world.robots[0].plan.body;
    let step = scenario.step;
    let Some(MindSpec::Organism(config)) = scenario.minds.first_mut() else { panic!() };
    config.parameters = with_parameter(&config.parameters, "reflex.learn_rate", 0.007).unwrap();
    config.parameters = with_parameter(&config.parameters, "drives.fuzz_max", 0.9).unwrap();
    for (name, value) in [
        ("spatial_wipe_s", V::Number(30.0)),
        ("hide", V::Words(vec!["mic".into()])),
        ("drives", V::Bool(false)),
    ] {
        config.ablation = with_switch((name, &value), &config.ablation, &body, step).unwrap();
    }
    check_scenario(&scenario, &[]);
    let text = "kind = 'scenario'\nworld = 'course_room'\nmind = 'braitenberg_2b'\n";
    let Ok(Document::Scenario(mut scenario)) = parse("text", text, None) else { panic!() };
    let Some(MindSpec::Reactive(spec)) = scenario.minds.first_mut() else { panic!() };
    let near = spec.value_at(0).unwrap() * 1.01;
    spec.set_at(0, near).unwrap();
    check_scenario(&scenario, &[]);
    for name in names("condition") {
        scenario.minds[0] = built_in_condition(name, &body).unwrap();
        let text = write_scenario(&scenario);
        assert!(text.contains(&format!("mind = \"{name}\"")) || text.contains("from"), "{text}");
    }
}

#[test]
fn unit_programs_are_brought_along_each_under_a_name_of_its_own() {
    let machine = root().join("scenarios/machines/track.toml");
    let Some(mut scenario) = scenario(&machine) else { panic!() };
    let first = scenario.world.robots[0].clone();
    let odd = "// it's '''quoted'''\r\nfunction control(s) { return { left: 1 }; }\n";
    let plain = "function control(s) {\n\treturn { left: s.t, right: \"\\u0041\".length };\n}\n";
    for (i, path, text) in [
        (1_u8, "a/turn.js", plain),
        (2, "b/turn.js", odd),
        (3, "turn.js", plain),
        (4, "odd name \"here\".js", "// ends with '"),
    ] {
        let name = Name::new(&format!("robot_{i}")).unwrap();
        let at = scenario.world.room.min + Vec2::new(0.3 * f32::from(i), 0.3);
        let start = Start::Pose { at, heading_rad: 0.0, soc: 1.0 };
        scenario.world.robots.push(RobotSpec { name, start, ..first.clone() });
        scenario.minds.push(MindSpec::Script { path: path.into(), text: text.into() });
    }
    let text = write_scenario(&scenario);
    let read = match parse("anywhere.toml", &text, None) {
        Ok(Document::Scenario(read)) => read,
        Ok(_) => panic!("no scenario:\n{text}"),
        Err(error) => panic!("{error}\n{text}"),
    };
    let programs = |scenario: &Scenario| -> Vec<(String, String)> {
        let program = |mind: &MindSpec| match mind {
            MindSpec::Script { path, text } => (path.clone(), text.clone()),
            MindSpec::Machine(machine) => {
                (machine.source.path.clone(), machine.source.text.clone())
            }
            other => panic!("{other:?}"),
        };
        scenario.minds.iter().map(program).collect()
    };
    let (was, now) = (programs(&scenario), programs(&read));
    for ((_, was), (_, now)) in was.iter().zip(&now) {
        assert_eq!(was, now, "{text}");
    }
    let names: Vec<&str> = now.iter().map(|(path, _)| path.as_str()).collect();
    let machine = "line-follow-avoid.toml";
    assert_eq!(names, [machine, "turn.js", "turn-2.js", "turn.js", "odd name \"here\".js"]);
    assert_eq!(read.world, scenario.world);
    assert_eq!(read.included.len(), 4, "what is brought along is told of like files");
    assert_eq!(write_scenario(&read), text, "written again it is the same");
}

#[test]
fn unit_files_that_a_scenario_brings_along_come_before_all_others() {
    let text = "kind = 'scenario'\nworld = 'here.toml'\nbody = 'rover.toml'\n[files]\n\
        'here.toml' = \"kind = 'world'\\nname = 'here'\\nroom = { max_m = [2, 2] }\\n\"\n";
    let body = std::fs::read_to_string(root().join("bodies/motor-rover.toml")).unwrap();
    let handed = [
        Source { path: "here.toml".into(), text: "kind = 3".into() },
        Source { path: "rover.toml".into(), text: body },
    ];
    let read = match parse_with("a.toml", text, &handed) {
        Ok(Document::Scenario(read)) => read,
        other => panic!("{other:?}"),
    };
    assert_eq!((read.world.name.as_str(), read.world.room.max.x), ("here", 2.0));
    assert_eq!(read.world.robots[0].plan.body.name.as_str(), "motor_rover");
    // In an experiment they stand with its scenario; a fault has its place in the file's text.
    let experiment = "kind = 'experiment'\nconditions = ['full']\nseeds = [1]\n[scenario]\n\
        world = 'w.toml'\n[scenario.files]\n'w.toml' = \"kind = 'world'\\nname = 'w'\\n\
        room = { max_m = [2, 2] }\\nlight = [{ type = 'lmap' }]\"\n";
    let error = parse("e.toml", experiment, None).unwrap_err();
    let fault = &error.faults()[0];
    assert_eq!((fault.file.as_str(), fault.line), ("w.toml", 4), "{error}");
    let wrong = "kind = 'scenario'\nworld = 'standard'\nfiles = { 'a.js' = 3 }\n";
    let error = parse("f.toml", wrong, None).unwrap_err().to_string();
    assert!(error.contains("f.toml:3:") && error.contains("file name = text"), "{error}");
}

#[test]
fn unit_texts_handed_over_stand_for_files() {
    let read = |name: &str| {
        let text = std::fs::read_to_string(root().join("scenarios/machines").join(name)).unwrap();
        Source { path: name.to_owned(), text }
    };
    let outer = read("track.toml");
    let files = [read("line-follow-avoid.toml"), read("interactive.toml")];
    let Ok(Document::Scenario(scenario)) = parse_with(&outer.path, &outer.text, &files) else {
        panic!()
    };
    assert!(matches!(scenario.minds[0], MindSpec::Machine(_)));
    assert_eq!(scenario.included.len(), 1);
    let missing = parse_with(&outer.path, &outer.text, &files[1..]).unwrap_err();
    assert!(missing.to_string().contains("handed over"), "{missing}");
    // The file system stays out of it, whatever the name.
    let text = "kind = 'scenario'\nworld = '/etc/passwd.toml'\n";
    let refused = parse_with("a.toml", text, &[]).unwrap_err();
    assert!(refused.to_string().contains("handed over"), "{refused}");
    let broken = Source { text: "kind = 'machine'\nname = 3\n".into(), ..files[0].clone() };
    let error = parse_with(&outer.path, &outer.text, &[broken]).unwrap_err();
    assert!(error.faults().iter().any(|f| f.line == 2 && f.file == "line-follow-avoid.toml"));
}

#[test]
fn unit_refused_changes_say_what_would_be_right() {
    let text = "kind = 'scenario'\nworld = 'standard'\n";
    let Ok(Document::Scenario(scenario)) = parse("text", text, None) else { panic!() };
    let body = scenario.world.robots[0].plan.body;
    let Some(MindSpec::Organism(config)) = scenario.minds.first() else { panic!() };
    let p = |name: &str, value| with_parameter(&config.parameters, name, value).unwrap_err();
    assert_eq!(
        p("reflex.learn_rat", 1.0),
        "no parameter is named `reflex.learn_rat`; did you mean `reflex.learn_rate`?"
    );
    assert!(p("reflex.learn_rate", 11.0).contains("outside 0..10"));
    assert!(p("reflex.learn_rate", f32::NAN).contains("outside"));
    assert!(p("drives.energy_low", 1.0).contains("must lie below"));
    let s = |name: &str, value| {
        with_switch((name, &value), &config.ablation, &body, scenario.step).unwrap_err()
    };
    assert_eq!(s("drives", V::Number(1.0)), "`drives` needs true or false");
    assert!(s("drive", V::Bool(true)).contains("did you mean `drives`?"));
    assert!(s("hide", V::Words(vec!["mick".into()])).contains("did you mean `mic`?"));
    assert!(s("reflexes", V::Word("of".into())).contains("\"frozen\""));
    assert!(s("spatial_wipe_s", V::Number(f64::NAN)).contains("a number in"));
}

fn point() -> impl Strategy<Value = Vec2> {
    (-3.9f32..3.9, -2.9f32..2.9).prop_map(|(x, y)| Vec2::new(x, y))
}

fn material() -> impl Strategy<Value = Material> {
    prop_oneof![Just(Material::HARD), Just(Material::SOFT), Just(Material::DARK)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn prop_edited_worlds_are_written_and_read_back_equal(
        discs in proptest::collection::vec((point(), 0.01f32..0.5, material()), 0..4),
        walls in proptest::collection::vec((point(), point(), material()), 0..4),
        boxes in proptest::collection::vec((point(), 0.01f32..1.0, -3.0f32..3.0), 0..4),
        tape in proptest::collection::vec(point(), 2..6),
        beacons in proptest::collection::vec(point(), 0..3),
        at_s in 0.0f64..1e6,
        facing in -3.0f32..3.0,
    ) {
        let mut spec = built_in_world("several_robots").unwrap().unwrap();
        (spec.room.min, spec.room.max) = (Vec2::new(-4.0, -3.0), Vec2::new(6.0, 4.5));
        for (center, radius_m, material) in discs {
            spec.room.discs.push(Disc { center, radius_m, material });
        }
        for (from, to, material) in walls {
            spec.room.segments.push(Segment { from, to, material });
        }
        for (center, half, turn) in boxes {
            let half = Vec2::new(half, 0.3 * half);
            spec.room.polygons.push(ConvexPolygon::rectangle(center, half, turn));
        }
        spec.tapes.push(Tape { points: tape, width_m: 0.019 });
        spec.beacons = beacons;
        spec.stations[0].facing_rad = facing;
        spec.stations[1].funnel = None;
        for action in [
            Action::Shove { robot: Some(2), by: Vec2::new(0.1, facing), turn_rad: facing },
            Action::MoveStation { station: 1, to: Vec2::new(facing, 0.3), facing_rad: facing },
            Action::Light { light: None, is_on: false },
            Action::Field { field: 1, is_on: true },
            Action::Battery { robot: None, by: -0.25 },
        ] {
            spec.events.push(TimedEvent { at_s, every_s: 0.1 * at_s, action });
        }
        let text = write_world(&spec);
        match parse("written", &text, None) {
            Ok(Document::World(read)) => prop_assert_eq!(read, spec),
            Ok(_) => prop_assert!(false, "no world"),
            // Robots found no place among random obstacles: the text itself must still be sound.
            Err(error) => prop_assert!(error.to_string().contains("no free place"), "{}", error),
        }
    }
}

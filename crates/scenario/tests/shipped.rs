//! Every shipped file loads, says what it is, and means what the libraries below mean by it.

#![expect(clippy::unwrap_used, reason = "in a test, a failed helper is a failed test")]

use std::path::{Path, PathBuf};

use tropism_body::SafetyAction;
use tropism_organism::Reflexes;
use tropism_scenario::{Document, MindSpec, built_in_body, built_in_world, check, list, load};
use tropism_world::sensor::SensorModel;
use tropism_world::{Material, RobotPlan, plans, presets};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn shipped() -> Vec<PathBuf> {
    let folders = ["bodies", "worlds", "scenarios/organism"];
    let mut files: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(root().join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    files
}

fn document(relative: &str) -> Document {
    load(&root().join(relative)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn unit_every_shipped_file_loads_without_a_warning() {
    let files = shipped();
    assert!(files.len() >= 26, "{files:?}");
    for file in files {
        let document = load(&file).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(check(&document), [], "{}", file.display());
    }
}

#[test]
fn unit_every_shipped_file_says_what_it_is_and_how_to_run_it() {
    for file in shipped() {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let comment: Vec<&str> = text.lines().take_while(|line| line.starts_with("# ")).collect();
        assert!(comment.len() >= 2, "{name}");
        let command = comment.last().unwrap();
        assert!(command.contains("cargo run --release -- ") && command.ends_with(&name), "{name}");
    }
}

#[test]
fn unit_every_shipped_world_and_body_has_a_built_in_name() {
    for listing in list() {
        match listing.kind {
            "world" => {
                let world = built_in_world(listing.name).unwrap().unwrap();
                assert_eq!(world.name.as_str(), listing.name);
                assert!(!world.robots.is_empty());
            }
            "body" => {
                let plan = built_in_body(listing.name).unwrap().unwrap();
                assert_eq!(plan.body.name.as_str(), listing.name);
                plan.body.check().unwrap();
            }
            _ => {}
        }
    }
    let files = shipped();
    let count =
        |folder: &str| files.iter().filter(|f| f.parent().unwrap().ends_with(folder)).count();
    assert_eq!(count("worlds"), list().iter().filter(|l| l.kind == "world").count());
    assert_eq!(count("bodies"), list().iter().filter(|l| l.kind == "body").count());
    assert!(built_in_world("nowhere").is_none());
}

#[test]
fn unit_body_files_equal_the_plans_of_the_world_library() {
    type Plan = fn() -> RobotPlan;
    let plans: [(&str, Plan); 8] = [
        ("reference_simulator", plans::reference_simulator),
        ("reference_board", plans::reference_board),
        ("motor_rover", plans::motor_rover),
        ("tricycle", plans::tricycle),
        ("eight_infrared", plans::eight_infrared),
        ("course_robot", plans::course_robot),
        ("course_robot_real", plans::course_robot_real),
        ("course_robot_lidar", plans::course_robot_lidar),
    ];
    for (name, plan) in plans {
        assert_eq!(built_in_body(name).unwrap().unwrap(), plan(), "{name}");
    }
}

#[test]
fn unit_shipped_worlds_equal_the_presets_of_the_world_library() {
    assert_eq!(built_in_world("reference").unwrap().unwrap(), presets::reference());
    assert_eq!(built_in_world("arena").unwrap().unwrap(), presets::arena(1));
    let mut mains = presets::mains();
    mains.name = tropism_core::Name::literal("standard");
    assert_eq!(built_in_world("standard").unwrap().unwrap(), mains);
}

#[test]
fn unit_headline_is_the_published_comparison() {
    let Document::Experiment(headline) = document("scenarios/organism/headline.toml") else {
        panic!("no experiment");
    };
    let names: Vec<&str> = headline.conditions.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names.len(), 10);
    assert_eq!(names[0], "full");
    assert_eq!(names[9], "do_nothing");
    assert_eq!(headline.seeds, (1..=32).collect::<Vec<u64>>());
    assert_eq!((headline.lives, headline.life_cap_s), (6, 10_800.0));
    assert_eq!(headline.baseline.as_deref(), Some("no_reflexes"));
    assert_eq!(headline.full_share, 0.9);
    assert_eq!(headline.scenario.world, presets::reference());
    assert_eq!(headline.scenario.safety.1, SafetyAction::Force);
    assert_eq!(headline.scenario.minds.len(), 1);
    assert!(headline.source.text.starts_with("# The published comparison"));
}

#[test]
fn unit_self_sufficiency_has_a_longer_cap_fresh_seeds_and_controls() {
    let Document::Experiment(e) = document("scenarios/organism/self-sufficiency.toml") else {
        panic!("no experiment");
    };
    assert_eq!((e.seeds[0], e.seeds[31], e.seeds.len()), (33, 64, 32));
    assert_eq!((e.lives, e.life_cap_s), (2, 36_000.0));
    let has = |name: &str| e.conditions.iter().any(|c| c.name == name);
    assert!(has("random_walk") && has("do_nothing") && has("gated"));
}

#[test]
fn unit_perturbations_lower_parameters_wiring_events_and_twins() {
    let Document::Experiment(e) = document("scenarios/organism/perturbations.toml") else {
        panic!("no experiment");
    };
    let organism = |name: &str| match &e.conditions.iter().find(|c| c.name == name).unwrap().mind {
        MindSpec::Organism(config) => **config,
        other => panic!("{other:?}"),
    };
    assert_eq!(organism("quick").parameters.reflex.learn_rate, 0.004);
    assert_eq!(organism("quick").parameters.reflex.trace_s, 1.5);
    let shy = organism("shy");
    assert_eq!(shy.ablation.reflexes, Reflexes::Frozen);
    assert_eq!(shy.wiring.len(), 4);
    let last = shy.wiring[3].0;
    assert_eq!((last.context, last.input, last.output, last.weight), (1, 3, 0, 1.5));
    assert_eq!(e.scenario.world.events.len(), 7);
    assert_eq!(e.twins.as_ref().unwrap().condition, "full");
}

#[test]
fn unit_us_07_furniture_has_surfaces_that_sonar_hardly_hears() {
    let world = built_in_world("obstacles").unwrap().unwrap();
    assert_eq!(world.room.polygons.last().unwrap().material, Material::SOFT);
    assert_eq!(world.room.discs.last().unwrap().material, Material::DARK);
    assert_eq!((world.room.polygons.len(), world.room.discs.len()), (3, 5));
}

#[test]
fn unit_us_05_crosstalk_and_staggered_firing_are_keys_of_the_body() {
    let rover = tropism_scenario::built_in_text("body", "motor_rover").unwrap();
    let deaf = rover.replace("hears_others = true", "hears_others = false");
    let Document::Body(plan) = tropism_scenario::parse("rover", &deaf, None).unwrap() else {
        panic!("no body");
    };
    let hears = |plan: &RobotPlan| {
        let is_hearing =
            |m: &&SensorModel| matches!(m, SensorModel::Ultrasonic { hears_others: true, .. });
        plan.sensors.iter().filter(is_hearing).count()
    };
    assert_eq!((hears(&plan), hears(&plans::motor_rover())), (0, 3));
}

#[test]
fn unit_two_robots_have_minds_of_their_own() {
    let Document::Scenario(s) = document("scenarios/organism/two-robots.toml") else {
        panic!("no scenario");
    };
    assert_eq!(s.world.robots.len(), 2);
    assert_ne!(s.minds[0], s.minds[1]);
    assert_eq!(s.seed, Some(1));
}

#[test]
fn determinism_the_reference_document_is_the_same_every_time_and_complete() {
    let text = tropism_scenario::reference_markdown();
    assert_eq!(text, tropism_scenario::reference_markdown());
    for word in
        ["`learn_rate`", "`critical_energy`", "`contact_m`", "`seed_offset`", "`two_stations`"]
    {
        assert!(text.contains(word), "{word}");
    }
}

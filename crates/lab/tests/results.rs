//! Results of experiments: the page renders whatever was run, tables are as people see them,
//! twins with one past never part, and the body schema is that of the body.
#![expect(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

use tropism_core::Seed;
use tropism_lab::experiment::{Manifest, Store, run, run_twins};
use tropism_lab::life::{RunRecord, Silent};
use tropism_lab::twins::{self, TwinRecord};
use tropism_lab::{report, results, schema};
use tropism_scenario::{Document, Experiment, Scenario, load};

/// An experiment from its text.
fn experiment(text: &str) -> Experiment {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("experiment.toml");
    std::fs::write(&path, text).expect("a file");
    match load(&path).unwrap_or_else(|error| panic!("{error}")) {
        Document::Experiment(experiment) => experiment,
        _ => panic!("no experiment"),
    }
}

fn records(experiment: &Experiment, workers: usize) -> (Vec<RunRecord>, Vec<TwinRecord>) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), &Manifest::new(experiment, "test")).expect("a store");
    let records = run(experiment, &store, workers, &Silent).expect("it runs").expect("to the end");
    let twins = run_twins(experiment, &store, workers, &Silent).expect("it runs");
    let twins = twins.expect("to the end");
    let again = run_twins(experiment, &store, workers, &Silent).expect("it resumes");
    assert_eq!(again.as_deref(), Some(twins.as_slice()), "found finished, to the bit");
    (records, twins)
}

fn page(experiment: &Experiment) -> String {
    let (records, twins) = records(experiment, 2);
    let summary = results::summarise_all(experiment, &records);
    let manifest = Manifest::new(experiment, "tropism experiment x.toml");
    let page = report::page(experiment, &manifest, &summary, &records, &twins);
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(!page.contains("NaN") && !page.contains("inf "), "numbers are numbers");
    page
}

const HEAD: &str = "kind = \"experiment\"\nname = \"small\"\nseeds = [1]\nlives = 1\n";

#[test]
fn unit_the_page_renders_for_one_condition_one_seed_one_life() {
    let page = page(&experiment(&format!(
        "{HEAD}conditions = [\"full\"]\nlife_cap_s = 180\n[scenario]\nworld = \"standard\"\n\
         body = \"reference_simulator\"\n"
    )));
    for part in ["right-censored", "Body schema, learned", "Body schema, true", "Drive occupancy"] {
        assert!(page.contains(part), "{part} is missing");
    }
    assert!(!page.contains("History dependence") && !page.contains("Differences to"));
}

#[test]
fn unit_the_page_renders_for_do_nothing_alone() {
    let page = page(&experiment(&format!(
        "{HEAD}conditions = [\"do_nothing\"]\nlife_cap_s = 60\n[scenario]\nworld = \"standard\"\n\
         body = \"reference_simulator\"\n"
    )));
    assert!(!page.contains("Body schema") && !page.contains("Drive occupancy"));
}

#[test]
fn unit_the_page_renders_for_events_and_two_robots() {
    let small = experiment(
        "kind = \"experiment\"\nname = \"small\"\nseeds = [1, 2]\nlives = 1\n\
         conditions = [\"full\", \"random_walk\"]\nbaseline = \"full\"\nlife_cap_s = 60\n\
         [scenario]\nworld = \"standard\"\n\
         [[scenario.robot]]\nname = \"a\"\nbody = \"reference_simulator\"\nmind = \"full\"\n\
         start = { type = \"region\", min_m = [0.3, 0.3], max_m = [1.5, 1.1] }\n\
         [[scenario.robot]]\nname = \"b\"\nbody = \"reference_simulator\"\nmind = \"noise_only\"\n\
         start = { type = \"region\", min_m = [0.3, 1.4], max_m = [1.5, 2.2] }\n\
         [[scenario.event]]\ntype = \"shove\"\nat_s = 30\nby_m = [0.2, 0.1]\nturn_rad = 1.0\n\
         [[scenario.event]]\ntype = \"light\"\nat_s = 40\nis_on = false\n",
    );
    let page = page(&small);
    assert!(page.contains("ln(variance after / before)") && page.contains("lights off"));
    assert!(page.contains("Differences to full"));
    let (records, _) = records(&small, 1);
    let lives = results::life_table(&records).expect("a table");
    let runs = results::run_table(&records).expect("a table");
    assert_eq!((lives.rows(), runs.rows()), (8, 4), "lives of both robots, runs of the first");
}

#[test]
fn unit_a_world_without_stations_has_no_distances() {
    let small = experiment(&format!(
        "{HEAD}conditions = [\"full\"]\nlife_cap_s = 60\n[scenario]\nworld = \"arena\"\n\
         body = \"eight_infrared\"\n"
    ));
    let (records, _) = records(&small, 1);
    let life = &records[0].robots[0].lives[0];
    assert_eq!((life.distance_hungry_m, life.distance_sated_m), (None, None));
    let summary = results::summarise_all(&small, &records);
    let text = results::behaviour_table(&summary).expect("a table").to_text();
    assert!(text.contains('–') && !text.contains("inf"), "{text}");
    let _ = page(&small);
}

const TWINS: &str = "kind = \"experiment\"\nname = \"twins\"\nseeds = [1, 2]\nlives = 1\n\
    conditions = [\"full\"]\nlife_cap_s = 60\n\
    twins = { condition = \"full\", past_s = 60, compare_s = 20, every_s = 1 }\n\
    [scenario]\nworld = \"standard\"\nbody = \"reference_simulator\"\n";

#[test]
fn determinism_twins_with_one_past_never_part_and_workers_change_nothing() {
    let small = experiment(TWINS);
    let (_, one) = records(&small, 1);
    let (_, two) = records(&small, 2);
    assert_eq!(one, two);
    assert_eq!(one.len(), 2);
    for record in &one {
        assert!(record.is_deterministic(), "seed {}", record.seed);
        assert_eq!(record.pairs.iter().map(Vec::len).collect::<Vec<_>>(), [20; 3]);
        let end = |pair: usize| record.pairs[pair][19].values;
        assert!(end(0)[0] > 0.0 && end(0)[1] > 0.0, "different pasts show");
        assert!(end(2)[0] > 0.0 && end(2)[2] < 1.0, "other draws show");
    }
    assert_eq!(twins::table(&one).expect("a table").rows(), 2 * 3 * 20);
    let page = page(&small);
    assert!(page.contains("never parted, to the bit"));
}

fn built_in(body: &str) -> Scenario {
    let text = format!(
        "{HEAD}conditions = [\"full\"]\nlife_cap_s = 60\n[scenario]\nworld = \"standard\"\n\
         body = \"{body}\"\n"
    );
    experiment(&text).scenario
}

#[test]
fn unit_the_true_couplings_are_those_of_the_reference_body() {
    let truth = schema::measured(&built_in("reference_simulator"), Seed(1), 4).expect("a world");
    let of = |actuator: &str, sensor: &str| {
        let a = truth.actuators.iter().position(|n| n == actuator).expect(actuator);
        let s = truth.sensors.iter().position(|n| n == sensor).expect(sensor);
        truth.values[a * truth.sensors.len() + s]
    };
    assert!(truth.values.iter().all(|v| v.is_finite() && v.abs() <= 1.0));
    // A buzzer is heard at once, whatever the place; lamp and buzzer load the battery.
    assert!(of("buzzer", "mic") > 0.9, "{}", of("buzzer", "mic"));
    assert!(of("led", "battery_voltage") < -0.02, "{}", of("led", "battery_voltage"));
    assert!(of("buzzer", "battery_voltage") < -0.02, "{}", of("buzzer", "battery_voltage"));
    // The eyes are on the head: what they see changes as it turns.
    let eyes = of("head_pan", "light_left").abs() + of("head_pan", "light_right").abs();
    assert!(eyes > 0.05, "{eyes}");
    // Neither lamp nor buzzer touches anything or moves the robot.
    for still in ["led", "buzzer"] {
        assert!(of(still, "bump").abs() < 1e-9 && of(still, "rf_rssi_station").abs() < 1e-3);
    }
    // Wheels change what is felt, but no sensor goes up with a wheel at every place and heading.
    for wheel in ["stepper_left", "stepper_right"] {
        let row = truth.sensors.iter().map(|sensor| of(wheel, sensor).abs());
        let most = row.fold(0.0, f64::max);
        assert!(most > 0.0 && most < 0.2, "{wheel}: {most}");
    }
}

#[test]
fn golden_tables_of_two_conditions() {
    let small = experiment(
        "kind = \"experiment\"\nname = \"small\"\nseeds = [1, 2, 3]\nlives = 2\n\
         conditions = [\"do_nothing\", \"random_walk\"]\nbaseline = \"do_nothing\"\n\
         life_cap_s = 120\n[scenario]\nworld = \"standard\"\nbody = \"reference_simulator\"\n",
    );
    let (records, _) = records(&small, 2);
    let summary = results::summarise_all(&small, &records);
    let texts = [
        results::survival_table(&summary),
        results::behaviour_table(&summary),
        results::restricted_table(&summary),
    ];
    let text = texts.map(|t| t.expect("a table").to_text()).join("\n");
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{widest:?} columns");
    expect_test::expect![[r#"
        condition    n       life h        95 %    sd  died %  dockings  docked %  docked when full %
        ───────────  ─  ───────────  ──────────  ────  ──────  ────────  ────────  ──────────────────
        do_nothing   3  0.03 ± 0.00  0.03..0.03  0.00       0       0.0       0.0                   –
        random_walk  3  0.03 ± 0.00  0.03..0.03  0.00       0       0.2       0.9                   –

        condition    hungry m  sated m  difference  cover %    m/s  entropy bit  circling %  turning %
        ───────────  ────────  ───────  ──────────  ───────  ─────  ───────────  ──────────  ─────────
        do_nothing          –     1.95           –        0  0.000         0.00         0.0        0.0
        random_walk         –     1.79           –        9  0.080         1.00         2.8        0.0

        condition    organisms  lives  deaths  restricted mean h     se        95 %     median h
        ───────────  ─────────  ─────  ──────  ─────────────────  ─────  ──────────  ───────────
        do_nothing           3      6       0               0.03  0.000  0.03..0.03  not reached
        random_walk          3      6       0               0.03  0.000  0.03..0.03  not reached
    "#]].assert_eq(&text);
}

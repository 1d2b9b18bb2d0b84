//! A traced run with four bodies, two lives and every kind of event, for the tests of export.

use std::path::{Path, PathBuf};

use tropism_core::Seed;
use tropism_lab::Run;
use tropism_lab::experiment::MODEL_VERSION;
use tropism_lab::life::LifeClock;
use tropism_lab::trace::{Header, TraceWriter, scenario_hash};
use tropism_scenario::{Document, Scenario};

const HALL: &str = r#"
kind = "scenario"
name = "hall"
about = "four bodies, two stations, every kind of event"
world = "several_robots"
mind = "full"
seed = 3
lives = 2
life_cap_s = 6

[[event]]
type = "shove"
at_s = 1
by_m = [0.05, 0.0]

[[event]]
type = "station"
at_s = 2
station = 1
is_on = false

[[event]]
type = "move_station"
at_s = 3
station = 0
to_m = [2.5, 0.1]
facing_rad = 1.5707964
"#;

pub(crate) fn hall() -> Scenario {
    match tropism_scenario::parse("hall", HALL, None) {
        Ok(Document::Scenario(scenario)) => scenario,
        other => panic!("{other:?}"),
    }
}

/// Traces a scenario for its lives of `cap_ticks` ticks each.
pub(crate) fn trace(
    folder: &Path,
    scenario: &Scenario,
    cap_ticks: u64,
    has_internals: bool,
) -> PathBuf {
    let path = folder.join("hall.trace");
    let mut run = Run::new(scenario, &scenario.minds, Seed(3)).expect("a run");
    let header = Header {
        scenario: "hall".to_owned(),
        scenario_hash: scenario_hash(scenario, &scenario.minds),
        condition: None,
        seed: 3,
        model_version: MODEL_VERSION,
        step: (scenario.step.numerator(), scenario.step.denominator()),
        lives: scenario.lives,
        cap_ticks,
        has_internals,
        names: Vec::new(),
    };
    let mut writer = TraceWriter::create(&path, header, &run).expect("a trace");
    let mut clock = LifeClock::new(run.robots().len(), scenario.lives, cap_ticks);
    while !clock.is_over() {
        run.tick();
        writer.record(&run).expect("a frame");
        clock.after_tick(&mut run);
    }
    writer.finish().expect("an end");
    path
}

//! Steps one controller in a scenario, for instruction counts: the slope between two numbers of
//! ticks is the cost of a robot-step, everything in.
//!
//! `valgrind --tool=callgrind target/release/examples/robot_steps SCENARIO TICKS [MIND [few]]`: the
//! mind is a controller's name, a script, or `machine` for the scenario's own; `few` measures only
//! the channels it uses. `bench/course.sh` makes the table.
#![expect(clippy::print_stdout, reason = "the hash shows that the work was done")]

use std::path::Path;

use tropism_core::Seed;
use tropism_lab::Run;
use tropism_reactive::ReactiveSpec;
use tropism_scenario::{Document, MindSpec, load};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a scenario file");
    let ticks: u64 = arguments.next().and_then(|t| t.parse().ok()).expect("a number of ticks");
    let Ok(Document::Scenario(scenario)) = load(Path::new(&path)) else {
        panic!("{path} is no scenario")
    };
    let mut minds = scenario.minds.clone();
    let mind = arguments.next();
    if let Some(spec) = mind.as_deref().and_then(ReactiveSpec::named) {
        minds = vec![MindSpec::Reactive(spec)];
    } else if let Some(script) = mind.filter(|name| name != "machine") {
        let text = std::fs::read_to_string(&script).expect("a script");
        minds = vec![MindSpec::Script { path: script, text }];
    }
    let mut run = Run::new(&scenario, &minds, Seed(1)).expect("a world");
    if arguments.next().as_deref() == Some("few") {
        run.measure_only_what_is_used();
    }
    for _ in 0..ticks {
        run.tick();
    }
    println!("{:016x}", run.hash());
}

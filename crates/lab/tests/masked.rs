//! Goal: leaving unmeasured what no mind uses changes nothing that is true of a robot.
//! Method: the same run with and without, tick by tick, over the minds of an experiment file.

#![allow(clippy::unwrap_used, reason = "a test that cannot read its own files has failed")]

use std::path::Path;

use tropism_body::Reading;
use tropism_core::Seed;
use tropism_lab::Run;
use tropism_scenario::{Document, load};

#[test]
fn determinism_a_run_is_the_same_to_the_bit_when_only_used_channels_are_measured() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let Document::Experiment(experiment) =
        load(&root.join("scenarios/organism/headline.toml")).unwrap()
    else {
        panic!("the headline is an experiment");
    };
    let mut left_out = 0;
    for name in ["full", "random_walk", "do_nothing"] {
        let condition = experiment.conditions.iter().find(|c| c.name == name).unwrap();
        let minds = [condition.mind.clone()];
        let mut all = Run::new(&experiment.scenario, &minds, Seed(3)).unwrap();
        let mut few = all.clone();
        few.measure_only_what_is_used();
        for t in 0..20_000 {
            all.tick();
            few.tick();
            assert_eq!(all.truth(0), few.truth(0), "{name}, tick {t}");
            assert_eq!(all.robots()[0].command, few.robots()[0].command, "{name}, tick {t}");
        }
        assert_eq!(all.world().hash(), few.world().hash(), "{name}");
        let readings = few.robots()[0].percept.readings.iter();
        left_out += readings.filter(|r| **r == Reading::Missing).count();
        assert!(all.robots()[0].percept.readings.iter().all(|r| r.is_valid()), "{name}");
    }
    // Of seven channels the walk uses its bumper and idleness none; safety watches the battery.
    assert_eq!(left_out, 5 + 6);
}

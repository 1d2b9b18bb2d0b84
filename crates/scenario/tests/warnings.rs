//! What is allowed and probably not meant.

#![expect(clippy::needless_raw_string_hashes, reason = "as the test library writes them")]

mod folding;

use expect_test::{Expect, expect};
use folding::folded;
use tropism_scenario::{check, parse};

fn warnings(text: &str, expect: &Expect) {
    let document = parse("x.toml", text, None).unwrap_or_else(|error| panic!("{error}"));
    let lines: Vec<String> = check(&document).iter().map(ToString::to_string).collect();
    expect.assert_eq(&folded(&lines.join("\n")));
}

#[test]
fn edge_sim_09_a_control_period_that_is_no_multiple_of_the_physics_step_warns() {
    warnings(
        "kind = 'scenario'\n[world]\nname = 'w'\nstep = '1/20'\nphysics_step = '16/1000'\n\
         room = { max_m = [3, 2] }\n[[world.station]]\ncontact_m = [1, 1]\nfacing_rad = 0\n",
        &expect![[r#"
            physics_step: the control step 1/20 s is no multiple of the physics step
                2/125 s; physics runs at 1/80 s, the longest step that fits"#]],
    );
}

#[test]
fn edge_few_organisms_unused_names_and_twins_of_conditions_warn() {
    warnings(
        "kind = 'experiment'\nconditions = ['full', 'no_reflexes']\nseeds = { count = 19 }\n\
         [scenario]\nworld = 'reference'\nseed = 3\nlife_cap_s = 60\n\
         event = [{ type = 'battery', at_s = 61, by = 0.1 }]\n[[condition]]\nname = 'again'\n\
         [[condition]]\nname = 'wired'\n[[condition.wiring]]\nfrom = 'mic'\nto = 'led'\n\
         weight = 2\n[[condition]]\nname = 'empty'\nreflexes = 'frozen'\nhide = ['mic']\n\
         randomise = ['mic']\n[[condition]]\nname = 'strong'\nreflexes = 'plastic'\n\
         [[condition.wiring]]\nfrom = 'mic'\nto = 'led'\nweight = 2\n",
        &expect![[r#"
            event[0]: at 61 s, after the last life has ended
            seeds: 19 organisms per condition; fewer than 20 tell little
            seed: the scenario's own seed is unused: an experiment gives seeds
            again: the same mind as `full`: it will give the same runs
            wired: a wiring is given, but reflexes are neither frozen nor plastic:
                unused
            empty: reflexes are given, but no wiring fits this body: it starts without
                any
            empty: a sensor is both hidden and randomised; hiding wins
            strong: a weight lies beyond weight_max = 1.5
            baseline: none is named: the table shows no paired differences"#]],
    );
}

#[test]
fn edge_sensors_of_things_that_are_not_there_warn() {
    warnings(
        "kind = 'scenario'\nbody = 'tricycle'\n[world]\nname = 'w'\nroom = { max_m = [3, 2] }\n",
        &expect![[r#"
            robot.rf_rssi_station: this world has no station to receive
            robot.warmth: this world has no such field; the reading stays at 0
            robot.gas: this world has no such field; the reading stays at 0"#]],
    );
}

//! What a person reads when a document is wrong, to the letter.

#![expect(clippy::format_collect, reason = "short texts")]
#![expect(clippy::unwrap_used, reason = "in a test, a failed helper is a failed test")]
#![expect(clippy::needless_raw_string_hashes, reason = "as the test library writes them")]

mod folding;

use expect_test::{Expect, expect};
use folding::folded;
use tropism_scenario::{Document, load, parse};

const ROOM: &str = "kind = \"world\"\nname = \"w\"\nroom = { max_m = [3, 2] }\n";
const SCENARIO: &str = "kind = \"scenario\"\nworld = \"reference\"\n";
const EXPERIMENT: &str = "kind = \"experiment\"\nconditions = [\"full\"]\nseeds = [1]\n\
                          scenario = { world = \"reference\" }\n";

fn refused(text: &str) -> String {
    match parse("x.toml", text, None) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(error) => error.to_string(),
    }
}

fn check(text: &str, expect: &Expect) {
    expect.assert_eq(&folded(&refused(text)));
}

fn world(rest: &str, expect: &Expect) {
    check(&format!("{ROOM}{rest}"), expect);
}

fn scenario(rest: &str, expect: &Expect) {
    check(&format!("{SCENARIO}{rest}"), expect);
}

fn experiment(rest: &str, expect: &Expect) {
    check(&format!("{EXPERIMENT}{rest}"), expect);
}

/// A body with these channels in front of its own.
fn body(channels: &str, expect: &Expect) {
    let text = format!(
        "kind = \"body\"\nname = \"b\"\nradius_m = 0.1\n\
         drive = {{ type = \"stepper\", left = \"l\", right = \"r\", speed_m_s = 0.2, \
         base_m = 0.1 }}\n{channels}\n[[actuator]]\nname = \"l\"\n[[actuator]]\nname = \"r\"\n\
         [[sensor]]\nname = \"s\"\nmodel = {{ type = \"bump\" }}\n"
    );
    check(&text, expect);
}

#[test]
fn edge_misspelt_keys_name_the_nearest() {
    world(
        "[[disc]]\ncenter_m = [1, 1]\n  radus = 0.1\n",
        &expect!["x.toml:6:3: unknown key `radus`; did you mean `radius_m`?"],
    );
    world(
        "gravity = 9.81\n",
        &expect![[r#"
        x.toml:4:1: unknown key `gravity`; allowed here: kind, name, about, step,
            physics_step, power, has_noise, room, wall, box, polygon, disc, station,
            light, field, tape, beacons_m, event, start, robot"#]],
    );
}

#[test]
fn edge_all_faults_come_in_one_go_in_order() {
    world(
        "power = \"fedd\"\n[[disc]]\ncenter_m = [1]\nradius_m = -0.1\n[[light]]\ntype = \"lmap\"\n\
         [[light]]\nlevel = 1\n",
        &expect![[r#"
            x.toml:4:9: `power` is "fedd"; did you mean `fed`?
            x.toml:6:12: `center_m` is [1]; it needs two numbers [a, b], each in
                -1000..1000 m
            x.toml:7:12: `radius_m` is -0.1; it needs a number in 0.001..1000 m
            x.toml:9:8: unknown type of light: "lmap"; did you mean `lamp`?
            x.toml:10:1: `type` is missing; give one of "window", "lamp", "ambient""#]],
    );
}

#[test]
fn edge_missing_keys_say_what_to_give() {
    check(
        "kind = \"world\"\n",
        &expect![[r#"
        x.toml:1:1: `name` is missing; give a name in quotes: a-z, then a-z, 0-9 or
            _
        x.toml:1:1: `room` is missing; give a table"#]],
    );
    check(
        "kind = \"experiment\"\n",
        &expect![[r#"
        x.toml:1:1: `scenario` is missing; give a built-in name or a path in quotes,
            or a table
        x.toml:1:1: `seeds` is missing; give a list of whole numbers, or a table {
            first = 1, count = 32 }"#]],
    );
    check(
        "world = \"reference\"\n",
        &expect![[r#"
            x.toml:1:1: `kind` is missing; start the file with `kind = …`, one of
                "scenario", "experiment", "world", "body", "machine""#]],
    );
    check(
        "kind = \"scenery\"\n",
        &expect![[r#"
            x.toml:1:8: `kind` is "scenery"; allowed here: scenario, experiment, world,
                body, machine"#]],
    );
    check(
        "",
        &expect![[r#"
            x.toml:1:1: `kind` is missing; start the file with `kind = …`, one of
                "scenario", "experiment", "world", "body", "machine""#]],
    );
}

#[test]
fn edge_syntax_errors_have_a_place() {
    check(
        "kind = \"world\nname = 3\n",
        &expect![[r#"x.toml:1:14: no valid TOML: invalid basic string, expected `"`"#]],
    );
    check("kind = 'world'\nkind = 'world'\n", &expect!["x.toml:2:1: no valid TOML: duplicate key"]);
    check("a = [[[[", &expect!["x.toml:1:9: no valid TOML: unclosed array, expected `]`"]);
}

#[test]
fn edge_bt_23_a_path_given_as_text_is_recognised() {
    check(
        "scenarios/organism/headline.toml",
        &expect![[r#"
        x.toml:1:33: no valid TOML: key with no value, expected `=`; this looks like
            a path; load the file instead of parsing its name"#]],
    );
}

#[test]
fn edge_numbers_are_finite_within_bounds_and_of_the_right_kind() {
    world(
        "[[disc]]\ncenter_m = [nan, 1]\nradius_m = inf\n",
        &expect![[r#"
        x.toml:5:12: `center_m` is [nan, 1]; it needs two numbers [a, b], each in
            -1000..1000 m
        x.toml:6:12: `radius_m` is inf; it needs a number in 0.001..1000 m"#]],
    );
    world(
        "[[disc]]\ncenter_m = [1, 1]\nradius_m = \"0.1\"\n",
        &expect![[r#"x.toml:6:12: `radius_m` is "0.1"; it needs a number in 0.001..1000 m"#]],
    );
    scenario(
        "lives = 0\n",
        &expect!["x.toml:3:9: `lives` is 0; it needs a whole number in 1..100000"],
    );
    scenario(
        "lives = 1.5\n",
        &expect!["x.toml:3:9: `lives` is 1.5; it needs a whole number in 1..100000"],
    );
    scenario(
        "life_cap_s = -1\n",
        &expect!["x.toml:3:14: `life_cap_s` is -1; it needs a number in 0.001..31557600 s"],
    );
    scenario("seed = -1\n", &expect!["x.toml:3:8: `seed` is -1; it needs a whole number from 0"]);
    scenario(
        "seed = 99999999999999999999\n",
        &expect!["x.toml:3:8: `seed` is 99999999999999999999; it needs a whole number from 0"],
    );
}

#[test]
fn edge_ct_05_swapped_limits_are_refused() {
    body(
        "[[actuator]]\nname = \"m\"\nmin = 1.0\nmax = -1.0\n",
        &expect!["x.toml:8:7: `min` = 1 is not below `max` = -1; swap them"],
    );
    body(
        "[[sensor]]\nname = \"t\"\nmin = 2\nmax = 2\nmodel = { type = \"bump\" }\n",
        &expect!["x.toml:8:7: `min` = 2 is not below `max` = 2; widen the range"],
    );
}

#[test]
fn edge_seventeen_channels_do_not_fit() {
    let sensors: String = (0..16)
        .map(|i| format!("[[sensor]]\nname = \"s{i}\"\nmodel = {{ type = \"bump\" }}\n"))
        .collect();
    body(
        &sensors,
        &expect![[r#"
        x.toml:59:8: sensor 17 of a body that can have 16; remove sensors beyond the
            16th"#]],
    );
}

#[test]
fn edge_duplicate_names_are_refused() {
    body(
        "[[sensor]]\nname = \"l\"\nmodel = { type = \"bump\" }\n",
        &expect![[r#"
        x.toml:10:8: two channels of this body are named `l`; give each channel its
            own name"#]],
    );
    scenario(
        &"[[robot]]\nname = \"a\"\nbody = \"tricycle\"\n".repeat(2),
        &expect!["x.toml:7:8: two robots are named `a`; give each robot its own name"],
    );
    experiment(
        "[[condition]]\nname = \"full\"\n",
        &expect![[r#"
        x.toml:6:8: two conditions are named `full`; give each condition its own
            name"#]],
    );
    check(
        &EXPERIMENT.replace("[\"full\"]", "[\"full\", \"full\"]"),
        &expect!["x.toml:2:23: condition `full` is listed twice; list it once"],
    );
}

#[test]
fn edge_channels_of_a_body_must_exist() {
    check(
        "kind = \"body\"\nname = \"b\"\nradius_m = 0.1\nenergy_sensor = \"batery\"\n\
         buzzer = \"horn\"\n\
         drive = { type = \"stepper\", left = \"whel_l\", right = \"wheel_r\", speed_m_s = 1, \
         base_m = 0.1 }\n[[actuator]]\nname = \"wheel_l\"\n[[actuator]]\nname = \"wheel_r\"\n\
         [[sensor]]\nname = \"battery\"\nmodel = { type = \"bump\" }\n",
        &expect![[r#"
            x.toml:4:17: no sensor is named `batery`; did you mean `battery`?
            x.toml:5:10: no actuator is named `horn`; allowed here: wheel_l, wheel_r
            x.toml:6:36: no actuator is named `whel_l`; did you mean `wheel_l`?"#]],
    );
}

#[test]
fn edge_names_in_conditions_must_exist() {
    experiment(
        "[[condition]]\nname = \"a\"\nhide = [\"mic\", \"batery_voltage\"]\n\
         [[condition.wiring]]\ncontext = \"hunger\"\nfrom = \"light_leftt\"\nto = \"steper_left\"\n\
         weight = 1.5\n",
        &expect![[r#"
            x.toml:7:16: no sensor of `reference_simulator` is named `batery_voltage`;
                did you mean `battery_voltage`?
            x.toml:9:11: `context` is "hunger"; allowed here: always, energy, fatigue,
                safety, arousal, curiosity, boredom
            x.toml:10:8: no sensor is named `light_leftt`; did you mean `light_left`?
            x.toml:11:6: no actuator is named `steper_left`; did you mean
                `stepper_left`?"#]],
    );
    check(
        &EXPERIMENT.replace("[\"full\"]", "[\"ful\"]"),
        &expect!["x.toml:2:15: no built-in condition is named `ful`; did you mean `full`?"],
    );
    experiment(
        "baseline = \"no_reflexes\"\n",
        &expect![[r#"
        x.toml:5:12: no condition of this experiment is named `no_reflexes`; allowed
            here: full"#]],
    );
    experiment(
        "[twins]\ncondition = \"fulll\"\n",
        &expect![[r#"
        x.toml:6:13: no condition of this experiment is named `fulll`; did you mean
            `full`?"#]],
    );
    experiment(
        "[[condition]]\nname = \"b\"\nfrom = \"do_nothing\"\ndrives = false\n",
        &expect![[r#"
            x.toml:8:10: `do_nothing` has no `drives`; start from a condition that is an
                organism, such as `full`"#]],
    );
}

#[test]
fn edge_parameters_are_checked_through_their_tables() {
    experiment(
        "[[condition]]\nname = \"a\"\nparameters.reflex.learn_rat = 1\n\
         parameters.reflex.trace_s = 0\nparameters.reflexes.trace_s = 1\n\
         parameters.drives.energy_low = nan\nparameters.action = 3\n\
         parameters.spatial.nudge_max = \"low\"\n",
        &expect![[r#"
            x.toml:7:19: no parameter is named `learn_rat`; did you mean `learn_rate`?
            x.toml:8:29: `trace_s` = 0; it needs a number in 0.01..100000 s
            x.toml:9:12: no parameter group is named `reflexes`; did you mean `reflex`?
            x.toml:10:32: `energy_low` = NaN; it needs a number in 0..1
            x.toml:11:21: a parameter group is a table; give a number in it, such as
                parameters.reflex.learn_rate = 0.002
            x.toml:12:32: `nudge_max` is no number; it needs a number in 0..1"#]],
    );
}

#[test]
fn edge_stat_03_equal_seeds_are_refused() {
    check(
        &EXPERIMENT.replace("seeds = [1]", "seeds = [\n  42,\n  7,\n  0x2a,\n]"),
        &expect![[r#"
            x.toml:6:3: seed 42 is already given on line 4; equal seeds give equal runs;
                give every organism its own"#]],
    );
    check(
        &EXPERIMENT.replace("[1]", "[]"),
        &expect!["x.toml:3:9: no seeds; give at least one, better 20 or more"],
    );
    check(
        &EXPERIMENT.replace("[1]", "[1, -2, 'x']"),
        &expect![[r#"
        x.toml:3:13: seed 2 is no whole number from 0; give numbers such as 1, 2, 3
        x.toml:3:17: seed 3 is no whole number from 0; give numbers such as 1, 2, 3"#]],
    );
    check(
        &EXPERIMENT.replace("[1]", "32"),
        &expect![[r#"
        x.toml:3:9: `seeds` is neither a list nor a table; give [1, 2, 3] or { first
            = 1, count = 32 }"#]],
    );
    check(
        &EXPERIMENT.replace("[1]", "{ first = 1, cuont = 3 }"),
        &expect!["x.toml:3:22: unknown key `cuont`; did you mean `count`?"],
    );
}

#[test]
fn edge_sim_08_steps_out_of_range_are_refused() {
    world(
        "step = \"0/20\"\n",
        &expect![[r#"
        x.toml:4:8: `step` is "0/20": a time step needs two whole numbers above 0,
            such as 1/20; it needs a fraction of a second in quotes, such as "1/20""#]],
    );
    world(
        "step = 0.05\n",
        &expect![[r#"
        x.toml:4:8: `step` is 0.05; it needs a fraction of a second in quotes, such
            as "1/20""#]],
    );
    world(
        "step = \"3/2\"\n",
        &expect![[r#"
        x.toml:4:8: `step` is "3/2": a time step is at most 1 s; it needs a fraction
            of a second in quotes, such as "1/20""#]],
    );
}

#[test]
fn edge_shapes_stations_and_events_are_checked() {
    world(
        "[[polygon]]\ncorners_m = [[0, 0], [0, 1], [1, 1]]\n[[wall]]\nfrom_m = [1, 1]\n\
         to_m = [1, 1]\n[[station]]\ncontact_m = [1, 1]\nfacing_rad = 0\nfull_from = 0.5\n\
         [[event]]\ntype = \"station\"\nat_s = 1\nstation = 3\nis_on = true\n\
         [[event]]\ntype = \"field\"\nat_s = 1\nfield = 0\nis_on = true\n",
        &expect![[r#"
            x.toml:5:13: a polygon that does not turn left at every corner; list the
                corners of a convex shape counter-clockwise
            x.toml:8:8: a wall whose ends are the same point; move one of them
            x.toml:9:1: `resume_below` = 0.9 lies above `full_from` = 0.5; FULL must be
                left below the share at which it is entered
            x.toml:16:11: no station 3; there is only 0
            x.toml:21:9: no field 0; this world has none"#]],
    );
    check(
        "kind = \"world\"\nname = \"w\"\nroom = { max_m = [-3, 2] }\n",
        &expect![[r#"
        x.toml:3:18: `max_m` = [-3, 2] is not above `min_m`; give the upper right
            corner"#]],
    );
    scenario(
        "[[event]]\ntype = \"battery\"\nat_s = 1\nby = 0.1\nrobot = 1\n",
        &expect!["x.toml:7:9: no robot 1; there is only 0"],
    );
}

#[test]
fn edge_sim_12_robots_without_room_are_named() {
    let pose = "start = { type = \"pose\", at_m = [1, 1] }";
    let robot = |name: &str| format!("[[robot]]\nname = \"{name}\"\nbody = \"tricycle\"\n{pose}\n");
    scenario(
        &format!("{}{}", robot("a"), robot("b")),
        &expect!["x.toml:2:9: no free place to start for `b`"],
    );
}

#[test]
fn edge_built_in_names_are_suggested_and_paths_need_a_folder() {
    check(
        "kind = \"scenario\"\nworld = \"referense\"\n",
        &expect![[r#"
        x.toml:2:9: no built-in world is named `referense`; did you mean
            `reference`?"#]],
    );
    check(
        "kind = \"scenario\"\nworld = \"worlds/reference.toml\"\n",
        &expect![[r#"
        x.toml:2:9: `world` names the file `worlds/reference.toml`; give a built-in
            name or the table itself; this document is no file"#]],
    );
    scenario(
        "body = \"tricicle\"\n",
        &expect!["x.toml:3:8: no built-in body is named `tricicle`; did you mean `tricycle`?"],
    );
    scenario(
        "mind = 7\n",
        &expect!["x.toml:3:8: `mind` is 7; it needs a built-in name in quotes, or a table"],
    );
}

/// The error for a file in a fresh folder, with the folder's name taken out.
fn file(name: &str, files: &[(&str, &[u8])], expect: &Expect) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let error = load(&folder.path().join(name)).unwrap_err().to_string();
    let place = format!("{}/", folder.path().display());
    expect.assert_eq(&folded(&error.replace(&place, "")));
}

#[test]
fn edge_files_that_cannot_be_read_say_why() {
    file("none.toml", &[], &expect!["none.toml: cannot be read: no such file"]);
    file(
        "latin.toml",
        &[("latin.toml", b"kind = 'world'\nname = '\xe4'\n")],
        &expect!["latin.toml: line 2 is not UTF-8 text; save the file as UTF-8"],
    );
    let large = vec![b'#'; (1 << 20) + 1];
    file(
        "large.toml",
        &[("large.toml", &large)],
        &expect!["large.toml: has 1048577 bytes; a document has at most 1048576 bytes"],
    );
    let folder = tempfile::tempdir().unwrap();
    let name = format!("{}", folder.path().display());
    let error = load(folder.path()).unwrap_err().to_string();
    expect!["scenarios: is a folder; name a .toml file in it"]
        .assert_eq(&error.replace(&name, "scenarios"));
}

#[test]
fn edge_files_that_refer_to_files_name_the_right_one() {
    let outer = b"kind = 'scenario'\nworld = 'w.toml'\n";
    file(
        "s.toml",
        &[("s.toml", outer)],
        &expect!["s.toml:2:9: w.toml: cannot be read: no such file"],
    );
    let world = b"kind = 'world'\nname = 'w'\nroom = { max_m = [3, 2] }\nwal = 3\n";
    file(
        "s.toml",
        &[("s.toml", outer), ("w.toml", world)],
        &expect!["w.toml:4:1: unknown key `wal`; did you mean `wall`? (named in s.toml:2:9)"],
    );
    file(
        "s.toml",
        &[("s.toml", outer), ("w.toml", outer)],
        &expect![[
            r#"w.toml:1:8: `kind` is "scenario"; needed here: "world" (named in s.toml:2:9)"#
        ]],
    );
}

#[test]
fn edge_web_12_faults_carry_the_path_of_their_key() {
    let text =
        format!("{ROOM}[[station]]\ncontact_m = [1, 1]\nfacing_rad = 0\nfunnel.throat_m = -1\n");
    let error = parse("x.toml", &text, None).unwrap_err();
    let fault = &error.faults()[0];
    assert_eq!(
        (fault.key.as_str(), fault.line, fault.column),
        ("station[0].funnel.throat_m", 7, 19)
    );
}

#[test]
fn edge_one_mistake_is_one_fault() {
    check(
        "kind = \"world\"\nname = \"w\"\n[room]\nmax = [3, 2]\n",
        &expect!["x.toml:4:1: unknown key `max`; did you mean `max_m`?"],
    );
    check(
        "kind = \"world\"\nname = \"w\"\n[room]\nmax_m = [3, nan]\n",
        &expect![[r#"
        x.toml:4:9: `max_m` is [3, nan]; it needs two numbers [a, b], each in
            -1000..1000 m"#]],
    );
    let tricycle = tropism_scenario::built_in_text("body", "tricycle").unwrap();
    check(
        &tricycle.replace("\"steer\"", "\"Steer\""),
        &expect![[r#"
        x.toml:109:8: `name` is "Steer"; it needs a name in quotes: a-z, then a-z,
            0-9 or _"#]],
    );
}

#[test]
fn edge_a_flood_of_faults_is_counted() {
    let text = format!("{ROOM}{}", (0..60).map(|i| format!("zz{i} = 1\n")).collect::<String>());
    let error = parse("x.toml", &text, None).unwrap_err();
    assert_eq!((error.faults().len(), error.more()), (50, 10));
    assert!(error.to_string().ends_with("\n… and 10 more"));
}

#[test]
fn edge_a_body_too_fast_for_its_size_is_refused() {
    let text = tropism_scenario::built_in_text("body", "tricycle").unwrap();
    check(
        &text.replace("speed_m_s = 0.25", "speed_m_s = 25"),
        &expect![[r#"
        x.toml: robot `tricycle` can cross more than its radius in one physics step;
            shorten it"#]],
    );
}

#[test]
fn edge_circles_of_references_are_refused() {
    let own = b"kind = 'experiment'\nconditions = ['full']\nseeds = [1]\nscenario = 'e.toml'\n";
    file(
        "e.toml",
        &[("e.toml", own)],
        &expect!["e.toml:4:12: e.toml: this file refers back to itself; break the circle"],
    );
}

#[test]
fn edge_bt_18_paths_start_from_the_file_that_names_them() {
    let folder = tempfile::tempdir().unwrap();
    for inner in ["worlds", "runs"] {
        std::fs::create_dir(folder.path().join(inner)).unwrap();
    }
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("runs/s.toml", "kind = 'scenario'\nworld = '../worlds/w.toml'\n");
    write(
        "worlds/w.toml",
        "kind = 'world'\nname = 'w'\nroom = { max_m = [3, 2] }\n\
         robot = [{ name = 'a', body = '../worlds/b.toml' }]\n",
    );
    write("worlds/b.toml", tropism_scenario::built_in_text("body", "tricycle").unwrap());
    let Document::Scenario(s) = load(&folder.path().join("runs/s.toml")).unwrap() else {
        panic!("no scenario");
    };
    assert_eq!(s.world.robots[0].plan.body.name.as_str(), "tricycle");
    let included: Vec<&str> =
        s.included.iter().map(|source| source.path.rsplit('/').next().unwrap()).collect();
    assert_eq!(included, ["b.toml", "w.toml"]);
}

//! Faulty specifications, each refused with the line and the reason.
//!
//! Method: one sound network, one change each; the change is marked by the text that must be on
//! the reported line.

use tropism_dynamics::Integrator;
use tropism_dynamics_spec::{Options, Severity, compile_text};

const SOUND: &str = r#"[network]
name = "sound"
dt0 = "20ms"
factor = 2
integrator = "exact"

[mode]
m_on = "on"

[parameter]
vmax = { value = 0.8, unit = "m/s" }
theta = { value = 0.08, unit = "s" }
slow = { value = 0.4, unit = "m" }

[[layer]]
name = "L0"
exclusive = [["taxis", "rest"]]
[layer.reading]
x = { unit = "m", range = [-5, 5] }
heading = { unit = "rad", type = "angle" }
bearing = { unit = "rad", type = "angle" }
rays = { count = 4, unit = "m", range = [0, 1] }
[layer.percept]
dist = "abs(up.tx - x)"
dir = { expr = "bearing - heading", type = "angle" }
near = "min(k in rays: rays[k])"
[[layer.behaviour]]
name = "taxis"
kappa = 10
users.goto = "(1 - alpha.taxis)/theta"
targets.v = { g = "vmax*sat(dist/slow)*cos(dir)", rate = 10 }
[[layer.behaviour]]
name = "rest"
kappa = 10
users.goto = "(sstep(-near, -0.2m, -0.1m) - alpha.rest)/theta"
targets.v = { g = "0", rate = 8 }
[layer.actuator]
v = { unit = "m/s", range = [-1, 1], on_idle = { target = 0, rate = 8 }, hardware = "drive" }

[[layer]]
name = "L1"
[layer.percept]
dist = { mean = "below.dist", time = "250ms" }
[[layer.behaviour]]
name = "goto"
kappa = 3
users.m_on = "(1 - alpha.goto)/0.3s"
targets.tx = { g = "1", rate = 6 }
[layer.actuator]
tx = { unit = "m", on_idle = "hold", set_point = true }
"#;

/// Applies a change, compiles, and expects a finding on the line that holds `marker`.
fn check_with(change: (&str, &str), marker: &str, reason: &str, options: Options) {
    assert!(SOUND.contains(change.0), "{}", change.0);
    let text = SOUND.replacen(change.0, change.1, 1);
    let Err(refused) = compile_text("faulty.toml", &text, options) else {
        panic!("accepted: {}", change.1);
    };
    let lines: Vec<&str> = text.lines().collect();
    let found = refused.0.iter().any(|d| {
        let is_there = d.line > 0 && lines[d.line - 1].contains(marker);
        is_there && d.column > 0 && d.reason.contains(reason) && d.severity >= Severity::Warning
    });
    assert!(found, "expected `{reason}` at `{marker}`, found:\n{refused}");
}

fn check(change: (&str, &str), marker: &str, reason: &str) {
    check_with(change, marker, reason, Options::default());
}

#[test]
fn edge_the_sound_network_is_accepted_without_a_warning() {
    let compiled = compile_text("sound.toml", SOUND, Options::default()).unwrap();
    assert_eq!(compiled.warnings().count(), 0, "{:?}", compiled.findings);
}

#[test]
fn edge_01_broken_toml() {
    check(("factor = 2", "factor = = 2"), "factor = = 2", "");
}

#[test]
fn edge_02_unknown_key_offers_the_nearest() {
    check(("kappa = 10", "kapa = 10"), "kapa", "did you mean `kappa`?");
}

#[test]
fn edge_03_missing_key() {
    check(("kappa = 3\n", ""), "[[layer.behaviour]]", "`kappa` is missing");
}

#[test]
fn edge_04_percepts_in_a_circle() {
    let circle = "dist = \"abs(up.tx - x) + 0*far\"\nfar = \"2*dist\"";
    check(("dist = \"abs(up.tx - x)\"", circle), "dist = \"abs", "dist -> far -> dist");
}

#[test]
fn edge_05_a_behaviour_without_a_user() {
    let change = "users.goto = \"(1 - alpha.taxis)/theta\"\n";
    check((change, ""), "name = \"taxis\"", "without a user");
}

#[test]
fn edge_06_a_user_that_does_not_exist() {
    check(("users.goto = \"(1", "users.gote = \"(1"), "users.gote", "did you mean `goto`?");
}

#[test]
fn edge_07_a_user_of_the_top_layer_that_is_no_mode() {
    check(("users.m_on", "users.m_off"), "users.m_off", "no mode, and there is no layer above");
}

#[test]
fn edge_08_units_of_a_target() {
    let change = ("vmax*sat(dist/slow)*cos(dir)", "vmax*dist");
    check(change, "vmax*dist", "this is in m^2/s, but m/s is needed");
}

#[test]
fn edge_09_units_of_a_sum() {
    check(("abs(up.tx - x)", "abs(up.tx - vmax)"), "up.tx - vmax", "difference of m and m/s");
}

#[test]
fn edge_10_a_term_that_is_no_rate() {
    check(("(1 - alpha.goto)/0.3s", "1 - alpha.goto"), "1 - alpha.goto", "1/s is needed");
}

#[test]
fn edge_11_a_difference_of_angles_that_does_not_wrap() {
    let change =
        ("dir = { expr = \"bearing - heading\", type = \"angle\" }", "dir = \"bearing - heading\"");
    check(change, "bearing - heading", "must wrap");
}

#[test]
fn edge_12_the_average_of_an_angle_that_does_not_wrap() {
    let change = ("near = \"", "avg = { mean = \"heading\", time = \"1s\" }\nnear = \"");
    check(change, "avg", "average of an angle");
}

#[test]
fn edge_13_the_sine_of_a_length() {
    check(("cos(dir)", "cos(dist)"), "cos(dist)", "cos takes a pure number, not one in m");
}

#[test]
fn edge_14_one_physical_sensor_in_two_layers() {
    let change = (
        "name = \"L1\"\n",
        "name = \"L1\"\n[layer.reading]\nx2 = { unit = \"m\", hardware = \"x\" }\n",
    );
    check(change, "x2 =", "belongs to layer L0 already");
}

#[test]
fn edge_15_one_physical_actuator_in_two_layers() {
    let change = ("set_point = true", "set_point = true, hardware = \"drive\"");
    check(change, "tx =", "belongs to layer L0 already");
}

#[test]
fn edge_16_w_dt_above_two_in_paper_mode() {
    let paper = Options { integrator: Some(Integrator::Paper), ..Options::default() };
    check_with(("rate = 10 }", "rate = 100 }"), "v = { unit", "diverges", paper);
    let text = SOUND.replace("rate = 10 }", "rate = 100 }");
    let allowed = Options { may_be_unstable: true, ..paper };
    assert!(compile_text("x", &text, allowed).unwrap().warnings().count() == 1);
    assert!(compile_text("x", &text, Options::default()).is_ok(), "exact mode is always stable");
}

#[test]
fn edge_17_w_dt_above_one_is_refused_when_warnings_are() {
    let strict = Options {
        integrator: Some(Integrator::Paper),
        are_warnings_errors: true,
        ..Options::default()
    };
    check_with(("rate = 10 }", "rate = 50 }"), "v = { unit", "overshoots", strict);
}

#[test]
fn edge_18_a_behaviour_whose_terms_are_never_positive() {
    let change =
        ("(sstep(-near, -0.2m, -0.1m) - alpha.rest)", "(sstep(near, 2m, 3m) - alpha.rest)");
    check(change, "name = \"rest\"", "none of its T-terms can be positive");
}

#[test]
fn edge_19_a_behaviour_whose_user_is_never_active() {
    let change = ("(1 - alpha.goto)/0.3s", "(0 - alpha.goto)/0.3s");
    check(change, "name = \"taxis\"", "none of its users can ever become active");
}

#[test]
fn edge_20_exclusive_behaviours_blending_on_a_set_point() {
    let change = ("hardware = \"drive\" }", "hardware = \"drive\", set_point = true }");
    check(change, "v = { unit", "select = \"max\"");
}

#[test]
fn edge_21_an_actuator_that_does_not_say_what_it_does_when_idle() {
    check(("on_idle = \"hold\", ", ""), "tx =", "`on_idle` is missing");
}

#[test]
fn edge_22_ct_05_limits_the_wrong_way_round() {
    check(("range = [-1, 1]", "range = [1, -1]"), "v =", "is not below the upper limit");
}

#[test]
fn edge_23_ct_01_a_period_of_zero() {
    check(("dt0 = \"20ms\"", "dt0 = \"0ms\""), "dt0", "above 0");
}

#[test]
fn edge_24_an_unknown_name_in_an_expression() {
    check(("sat(dist/slow)", "sat(dst/slow)"), "dst", "did you mean `dist`?");
}

#[test]
fn edge_25_an_unknown_function() {
    check(("sat(dist/slow)", "sta(dist/slow)"), "sta", "there is no function `sta`");
}

#[test]
fn edge_26_a_target_for_an_actuator_of_another_layer() {
    check(("targets.tx", "targets.v"), "targets.v", "layer L1 has no actuator `v`");
}

#[test]
fn edge_27_tau_of_one_under_the_exact_integrator() {
    check(("g = \"1\", rate = 6", "g = \"1\", tau = 1"), "tau = 1", "needs it below 1");
}

#[test]
fn edge_28_an_index_outside_a_row() {
    check(("min(k in rays: rays[k])", "rays[4]"), "rays[4]", "has elements 0 to 3");
}

#[test]
fn edge_29_two_names_for_one_thing() {
    check(("near = \"", "x = \"1\"\nnear = \""), "x = \"1\"", "declared twice");
}

#[test]
fn edge_30_a_rate_that_can_be_negative() {
    check(("g = \"1\", rate = 6", "g = \"1\", rate = \"6/1s - dist/0.01m/1s\""), "0.01m", "can be");
}

/// The place of a mistake inside an expression is told to the column.
#[test]
fn edge_the_column_points_into_the_expression() {
    let text = SOUND.replace("sat(dist/slow)", "sat(dst/slow)");
    let refused = compile_text("f.toml", &text, Options::default()).unwrap_err();
    let line = text.lines().nth(refused.0[0].line - 1).unwrap();
    assert_eq!(&line[refused.0[0].column - 1..][..3], "dst");
    assert!(refused.to_string().starts_with("f.toml:31:"), "{refused}");
}

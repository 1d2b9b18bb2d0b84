//! Machine files: those that ship are sound, and each kind of mistake is named where it is.

extern crate alloc;

use alloc::sync::Arc;

use proptest::prelude::*;
use tropism_body::{Command, Percept, Reading};
use tropism_core::{Tick, TimeStep};
use tropism_reactive::machine::MachineState;
use tropism_scenario::{Document, Machine, parse};

const FOLLOWER: &str = include_str!("../../../scenarios/machines/line-follow-avoid.toml");
const INTERACTIVE: &str = include_str!("../../../scenarios/machines/interactive.toml");

fn machine(text: &str) -> Arc<Machine> {
    match parse("machine.toml", text, None) {
        Ok(Document::Machine(machine)) => machine,
        Ok(other) => panic!("no machine: {other:?}"),
        Err(error) => panic!("{error}"),
    }
}

/// The fault of a changed file, one line each.
fn fault(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "the file no longer has {from:?}");
    match parse("m.toml", &text.replacen(from, to, 1), None) {
        Ok(_) => panic!("{to:?} was taken"),
        Err(error) => error.to_string(),
    }
}

fn check(text: &str, from: &str, to: &str, expected: &str) {
    let error = fault(text, from, to);
    assert!(error.contains(expected), "{to:?} gave\n{error}\nwithout {expected:?}");
    let has_place = error.lines().all(|line| {
        let mut parts = line.strip_prefix("m.toml:").unwrap_or("").split(':');
        parts.next().is_some_and(|n| n.parse::<u32>().is_ok_and(|n| n > 0))
    });
    assert!(has_place, "no file:line in\n{error}");
}

#[test]
fn unit_the_shipped_machines_are_sound_and_fit_the_course_robot() {
    let body = tropism_body::presets::course_robot();
    for text in [FOLLOWER, INTERACTIVE] {
        let machine = machine(text);
        assert_eq!(machine.missing(&body), Vec::<String>::new());
        let names: Vec<&str> = machine.states.iter().map(|s| s.name.as_str()).collect();
        assert!(machine.mermaid().contains(names[0]) && machine.dot().starts_with("digraph"));
    }
}

#[test]
fn unit_each_mistake_is_refused_with_its_line_and_what_would_be_right() {
    let dead =
        "[[state]]\nname = \"LOST\"\nfinal = true\ndrive = { wheel_left = 0, wheel_right = 0 }\n";
    let stop = "[[state]]\nname = \"STOP\"";
    check(FOLLOWER, stop, &format!("{dead}\n{stop}"), "`LOST` is dead: nothing leads to it");
    check(FOLLOWER, "final = true\n", "", "`STOP` has no way out; give it a way out under `leave`");
    check(FOLLOWER, "limit = { s = 3, to = \"STOP\" }", "", "`RECOVER` has no time limit");
    check(
        FOLLOWER,
        "may_last = \"it cruises and waits for nothing\"",
        "",
        "`SEEK` has no time limit",
    );
    check(FOLLOWER, "to = \"FOLLOW\"", "to = \"FOLOW\"", "did you mean `FOLLOW`?");
    check(FOLLOWER, "when = [\"near\"]", "when = [\"naer\"]", "did you mean `near`?");
    check(FOLLOWER, "0.5 - 0.35 * error", "0.5 - 0.35 * eror", "did you mean `error`?");
    check(FOLLOWER, "0.5 - 0.35 * error", "0.5 - * error", "the formula has `*` here");
    check(FOLLOWER, "0.5 - 0.35 * error", "0.5 < error", "the formula goes on with `<`");
    check(
        FOLLOWER,
        "wheel_right = \"cruise + turn\"",
        "",
        "`drive` leaves `wheel_right` as it was",
    );
    check(FOLLOWER, "start = \"SEEK\"", "start = \"SEKE\"", "did you mean `SEEK`?");
    check(FOLLOWER, "away = 1 ", "away = \"x\" ", "`away` is no number");
    check(
        INTERACTIVE,
        "until_above = 0.30",
        "until_above = 0.10",
        "the thresholds are swapped: below 0.2 but until_above 0.1",
    );
    check(
        INTERACTIVE,
        "\"line_found\"]",
        "\"line_found\", \"bell\"]",
        "event `bell` fires nothing",
    );
    check(INTERACTIVE, "limit = { s = 20", "limit = { s = 0.5", "is not above minimum_s");
    check(
        INTERACTIVE,
        "{ when = [\"line\"], to = \"Follow\" }",
        "{ when = [\"line\"], to = \"Recover\" }",
        "`Recover` leads to itself",
    );
}

#[test]
fn unit_fsm_01_a_machine_that_can_chatter_is_refused() {
    let at_once = FOLLOWER.replace("minimum_s = 0.8\n", "");
    // The pair 20/30 alone holds noise off.
    machine(&at_once);
    check(
        &at_once,
        "above = 0.30",
        "above = 0.20",
        "noise around ultrasonic_front = 0.2 drives it round",
    );
    check(
        &at_once,
        "above = 0.30",
        "above = 0.15",
        "with ultrasonic_front between 0.15 and 0.2 every guard holds; are the thresholds swapped?",
    );
    // A minimum time in the state does too.
    machine(&FOLLOWER.replace("above = 0.30", "above = 0.20"));
    let single = INTERACTIVE.replace("until_above = 0.30\n", "");
    check(&single, "minimum_s = 0.8\n", "", "can chatter: noise around ultrasonic_front = 0.2");
    // A pair of thresholds over something that jumps between two values holds nothing off.
    let jumping = INTERACTIVE
        .replace("tape = ", "wall = \"if(ultrasonic_front < 0.2, 0, 1)\"\ntape = ")
        .replace(
            "input = \"ultrasonic_front\"\nbelow = 0.20\nuntil_above = 0.30",
            "input = \"wall\"\nbelow = 0.4\nuntil_above = 0.6",
        );
    check(&jumping, "minimum_s = 0.8\n", "", "can chatter");
    machine(&INTERACTIVE.replace("minimum_s = 0.8\n", ""));
}

/// Runs a machine on percepts and events; gives the state and wheels at every tick.
fn drive(
    machine: &Machine,
    ticks: u64,
    mut sense: impl FnMut(u64, &mut MachineState) -> [Option<f32>; 5],
) -> Vec<(String, f32, f32)> {
    let body = tropism_body::presets::course_robot();
    let bound = machine.bind(&body, TimeStep::new(1, 100).expect("a step"));
    let mut state = MachineState::new(&bound.program());
    let names =
        ["line_left", "line_right", "ultrasonic_left", "ultrasonic_front", "ultrasonic_right"];
    let wheels = ["wheel_left", "wheel_right"].map(|w| body.actuator(w).expect("a wheel"));
    let mut out = Vec::new();
    for t in 0..ticks {
        let values = sense(t, &mut state);
        let mut percept = Percept { tick: Tick(t), ..Percept::default() };
        for spec in body.sensors.iter() {
            let place = names.iter().position(|n| *n == spec.name.as_str());
            let reading = match place.map(|i| values[i]) {
                Some(Some(x)) => Reading::Fresh(x),
                Some(None) => Reading::NoEcho,
                None => Reading::Missing,
            };
            let _ = percept.readings.push(reading);
        }
        let mut command = Command::new();
        state.step(&bound.program(), &percept, &mut command);
        let [left, right] = wheels.map(|w| command.target(w).expect("both wheels are driven"));
        let name = bound.state_names()[usize::from(state.state())];
        out.push((name.to_owned(), left, right));
    }
    out
}

#[test]
fn unit_the_follower_acts_as_its_design_says() {
    let machine = machine(FOLLOWER);
    let out = drive(&machine, 1_100, |t, _| match t {
        100..150 => [Some(1.0), Some(0.0), None, None, None],
        // Something in front, more room on the right.
        150..200 => [Some(1.0), Some(0.0), Some(0.3), Some(0.15), Some(1.0)],
        _ => [Some(0.0), Some(0.0), None, None, None],
    });
    assert_eq!(out[0], ("SEEK".to_owned(), 0.5, 0.5));
    assert_eq!(out[100], ("FOLLOW".to_owned(), 0.5 - 0.35, 0.5 + 0.35));
    assert_eq!(out[150], ("AVOID".to_owned(), 0.5, -0.2));
    // At least 0.8 s, and then towards the line, which lies on the side turned away from.
    assert_eq!(out[229].0, "AVOID");
    assert_eq!(out[230], ("RECOVER".to_owned(), 0.3 - 0.25, 0.3 + 0.25));
    // Three seconds without the line.
    assert_eq!(out[529].0, "RECOVER");
    assert_eq!(out[530], ("STOP".to_owned(), 0.0, 0.0));
    assert_eq!(out[1_099].0, "STOP");
}

#[test]
fn unit_the_interactive_machine_moves_with_its_events() {
    let machine = machine(INTERACTIVE);
    let events = [
        (10, "begin", "Follow"),
        (20, "obstacle", "Avoid"),
        (25, "path_clear", "Recover"),
        (30, "line_found", "Follow"),
        (40, "line_lost", "Recover"),
        (50, "halt", "Idle"),
        // There is no way for this one out of Idle.
        (60, "obstacle", "Idle"),
        (70, "begin", "Follow"),
    ];
    let tape = [Some(1.0), Some(1.0), None, None, None];
    let bare = [Some(0.0), Some(0.0), None, None, None];
    let out = drive(&machine, 600, |t, state| {
        for (at, event, _) in events {
            if at == t {
                state.fire(machine.event(event).unwrap());
            }
        }
        // The line is under the sensors while it follows, so that events alone decide.
        if (30..40).contains(&t) || (10..20).contains(&t) { tape } else { bare }
    });
    assert_eq!(out[9].0, "Idle");
    for (at, event, expected) in events {
        assert_eq!(out[at as usize].0, expected, "after {event}");
    }
    // From tick 70 on there is no line: lost at once (it was lost long ago), then the time limit.
    assert_eq!((out[71].0.as_str(), out[372].0.as_str()), ("Recover", "Idle"));
}

#[test]
fn unit_lf_06_every_pattern_of_the_line_sensors_has_a_defined_action() {
    for text in [FOLLOWER, INTERACTIVE] {
        let machine = machine(text);
        for pattern in 0..256_u32 {
            let out = drive(&machine, 2_000, |t, state| {
                if t == 0
                    && let Some(begin) = machine.event("begin")
                {
                    state.fire(begin);
                }
                // Eight phases, each with one of four patterns drawn from the number.
                let bits = pattern.rotate_left((t / 50 % 8) as u32);
                [Some((bits & 1) as f32), Some((bits >> 1 & 1) as f32), None, None, None]
            });
            assert!(out.iter().all(|(_, l, r)| l.abs() <= 1.0 && r.abs() <= 1.0));
            let searching =
                out.iter().rev().take_while(|(s, ..)| s.eq_ignore_ascii_case("recover"));
            assert!(searching.count() <= 301, "pattern {pattern} searches for ever");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn prop_a_damaged_machine_file_is_refused_or_taken_never_a_panic(
        which in 0..2_usize,
        cuts in proptest::collection::vec((0.0..1.0_f64, 0..40_usize, "[ -~\n]{0,12}"), 1..6),
    ) {
        let mut text = [FOLLOWER, INTERACTIVE][which].to_owned();
        for (place, len, put) in cuts {
            let at = (place * text.len() as f64) as usize;
            let end = (at + len).min(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(end) {
                text.replace_range(at..end, &put);
            }
        }
        if let Ok(Document::Machine(machine)) = parse("fuzz", &text, None) {
            let _ = (machine.mermaid(), machine.dot());
            let out = drive(&machine_with_wheels(&machine), 50, |t, _| {
                [Some((t % 3) as f32), None, Some(0.1), Some(0.01 * t as f32), None]
            });
            prop_assert!(out.iter().all(|(_, l, r)| l.is_finite() && r.is_finite()));
        }
    }

    #[test]
    fn prop_formulas_of_any_text_are_refused_or_taken_never_a_panic(text in "[-a-z0-9_+*/(),.<>= \
    ]{0,60}") {
        let quoted = format!("cruise = {text:?}");
        let file = FOLLOWER.replace("cruise = \"if(ultrasonic_front < 0.5, 0.3, 0.5)\"", &quoted);
        let _ = parse("fuzz", &file, None);
    }
}

/// The same machine; one that lost a wheel's name is replaced by the shipped one.
fn machine_with_wheels(found: &Arc<Machine>) -> Arc<Machine> {
    let has_both =
        ["wheel_left", "wheel_right"].iter().all(|w| found.actuators.iter().any(|a| a == w));
    if has_both { Arc::clone(found) } else { machine(FOLLOWER) }
}

#[test]
fn edge_deep_and_long_formulas_are_refused() {
    let deep = format!("{}1{}", "(".repeat(5_000), ")".repeat(5_000));
    check(FOLLOWER, "max(line_left, line_right)", &deep, "nested too deeply");
    let long = vec!["1"; 5_000].join("+");
    check(FOLLOWER, "max(line_left, line_right)", &long, "too large");
    let negative = format!("{}1", "-".repeat(100_000));
    let text = FOLLOWER.replacen("max(line_left, line_right)", &negative, 1);
    let _ = parse("m.toml", &text, None);
}

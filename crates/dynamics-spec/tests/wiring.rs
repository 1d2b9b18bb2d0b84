//! A network as the mind of a body.

use tropism_body::{Command, Controller, Observer, Percept, Reading, presets};
use tropism_core::{FixedList, Tick, TimeStep};
use tropism_dynamics_spec::wiring::{WiringError, mind, wire};
use tropism_dynamics_spec::{Compiled, Options, compile_text};

const SPEC: &str = include_str!("../../../scenarios/dynamics/light.toml");

fn compiled(text: &str) -> Compiled {
    compile_text("light.toml", text, Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Battery, microphone, light left and right, bumper, range, radio.
fn percept(tick: u64, readings: [Reading; 7]) -> Percept {
    let readings = FixedList::from_slice(&readings);
    Percept { tick: Tick(tick), readings, ..Percept::default() }
}

#[derive(Default)]
struct Seen(Vec<(String, Option<String>, f64)>);

impl Observer for Seen {
    fn value(&mut self, name: &str, part: Option<&str>, value: f64) {
        self.0.push((name.to_owned(), part.map(str::to_owned), value));
    }
}

#[test]
fn unit_a_network_drives_a_body_by_channel_names() {
    let body = presets::reference_simulator();
    let mut mind = mind(&compiled(SPEC), &body, TimeStep::TWENTIETH).unwrap();
    assert_eq!(mind.modules(), ["seek", "avoid", "bask"]);
    let f = Reading::Fresh;
    let mut run = |readings: [Reading; 7], ticks: u64| {
        let mut command = Command::new();
        for tick in 0..ticks {
            command.clear();
            mind.step(&percept(tick, readings), &mut command);
        }
        let mut seen = Seen::default();
        mind.observe(&mut seen);
        assert!(seen.0.iter().any(|(n, p, _)| n == "activation" && p.as_deref() == Some("bask")));
        (command.target(0).unwrap(), command.target(1).unwrap(), mind.controlling_module())
    };
    // Brighter on the left, nothing heard in front: it drives and turns left.
    let (left, right, module) =
        run([f(1.0), f(0.0), f(0.5), f(0.3), f(0.0), Reading::NoEcho, f(0.0)], 60);
    assert!(module == 0 && right > left && left > 0.2, "{left} {right}");
    // Something in front: it backs off.
    let (left, right, module) = run([f(1.0), f(0.0), f(0.5), f(0.3), f(0.0), f(0.1), f(0.0)], 60);
    assert!(module == 1 && left < -0.4 && right < -0.1, "{left} {right}");
    // Bright: it stands.
    let (left, right, module) = run([f(1.0), f(0.0), f(0.9), f(0.9), f(0.0), f(1.0), f(0.0)], 60);
    assert!(module == 2 && left.abs() < 0.01 && right.abs() < 0.01, "{left} {right}");
    // The range sensor falls silent: what needs it is deactivated, the wheels come to rest.
    let missing = Reading::Missing;
    let (left, right, _) = run([f(1.0), f(0.0), f(0.5), f(0.3), f(0.0), missing, f(0.0)], 60);
    assert!(left.abs() < 0.01 && right.abs() < 0.01, "{left} {right}");
}

#[test]
fn edge_wiring_names_what_does_not_fit() {
    let body = presets::reference_simulator();
    let step = TimeStep::TWENTIETH;
    let wrong =
        compiled(&SPEC.replace("hardware = \"stepper_left\"", "hardware = \"steper_left\""));
    let error = wire(&wrong, &body, step).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the body has no actuator `steper_left` (did you mean `stepper_left`?)"
    );
    let error = wire(&compiled(SPEC), &body, TimeStep::new(1, 50).unwrap()).unwrap_err();
    assert!(matches!(error, WiringError::Period { .. }), "{error}");
    let wrong = compiled(&SPEC.replace("light_right", "light_rear"));
    let error = wire(&wrong, &body, step).unwrap_err().to_string();
    assert!(error.contains("no sensor `light_rear` (did you mean `light_"), "{error}");
}

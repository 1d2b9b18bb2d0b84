//! What holds for every network: random ones, and closed forms.
#![expect(clippy::unwrap_used, reason = "a helper of tests may stop the test")]

use tropism_core::{Draws, Purpose, Seed, Tick, TimeStep};
use tropism_dynamics::{Integrator, Phase};
use tropism_dynamics_spec::spec::{Actuator, Behaviour, Layer, Reading};
use tropism_dynamics_spec::{Compiled, Options, Spec, compile};

const RANDOM: Purpose = Purpose::named("dynamics.random_networks");

/// A network with its actuators' hulls: initial value, targets and rest target.
struct Sample {
    compiled: Compiled,
    hulls: Vec<(f64, f64)>,
}

fn actuator(draws: &mut Draws, name: &str, hull: &mut (f64, f64)) -> Actuator {
    let mut number = || {
        let value = (f64::from(draws.between(-5.0, 5.0)) * 1e3).round() / 1e3;
        *hull = (hull.0.min(value), hull.1.max(value));
        value.to_string()
    };
    let (initial, rest) = (number(), number());
    let actuator = Actuator::named(name, "1").starting_at(&initial);
    let actuator = if draws.chance(1, 4) { actuator.selecting_max() } else { actuator };
    if draws.chance(1, 2) {
        return actuator.holding();
    }
    actuator.resting_at(&rest, &draws.between(0.1, 400.0).to_string())
}

fn behaviour(
    draws: &mut Draws,
    (index, count): (u32, u32),
    users: &[String],
    actuators: &[String],
    hulls: &mut [(f64, f64)],
) -> Behaviour {
    let kappa = draws.between(0.1, 80.0).to_string();
    let mut behaviour = Behaviour::named(&format!("b{index}"), &kappa);
    behaviour.initial = draws.between(0.01, 1.0).to_string().as_str().into();
    for user in users {
        let other = draws.below(count);
        let [a, b, c, d] = core::array::from_fn(|_| draws.between(-60.0, 60.0));
        let term = format!("{a} + {b}*alpha.b{other} + {c}*r + {d}*alpha.b{index}/(r + 0.5)");
        behaviour = behaviour.user(user, &format!("({term})/1s"));
    }
    for (actuator, hull) in actuators.iter().zip(hulls) {
        if draws.chance(3, 4) {
            let (low, width) = (draws.between(-5.0, 5.0), draws.between(0.01, 3.0));
            let goal = format!("clip({low} + 9*r, {low}, {})", low + width);
            *hull = (hull.0.min(low.into()), hull.1.max((low + width).into()));
            behaviour = if draws.chance(1, 2) {
                let rate = draws.between(0.0, 500.0);
                behaviour.target(actuator, &goal, &format!("{rate}*abs(r)/1s"))
            } else {
                behaviour.target_per_step(actuator, &goal, &draws.between(0.0, 0.99).to_string())
            };
        }
    }
    behaviour
}

/// A random network of 1 to 3 layers, each with 1 to 3 behaviours and 1 or 2 actuators.
fn sample(index: u64, integrator: Integrator) -> Sample {
    let mut draws = Seed(7).stream(RANDOM, 0, 0).at(Tick(index));
    let step = TimeStep::new(1, 10 + draws.below(190)).unwrap();
    let mut spec = Spec::new("random", step).mode("m");
    spec.factor = (1 + draws.below(4)) as u16;
    spec.phase = if draws.chance(1, 2) { Phase::Ruler } else { Phase::Aligned };
    spec.integrator = integrator;
    let layers = 1 + draws.below(3);
    let counts: Vec<u32> = (0..layers).map(|_| 1 + draws.below(3)).collect();
    let mut hulls = Vec::new();
    for (z, count) in counts.iter().enumerate() {
        let mut layer = Layer::named(&format!("L{z}"));
        if z == 0 {
            let reading = Reading::named("r0", "1").within("-1", "1");
            layer = layer.reading(reading).percept("r", "r0");
        } else {
            layer = layer.mean("r", "below.r", "0.2s");
        }
        let names: Vec<String> = (0..=draws.below(2)).map(|k| format!("a{k}")).collect();
        let mut own = vec![(f64::INFINITY, f64::NEG_INFINITY); names.len()];
        for (name, hull) in names.iter().zip(&mut own) {
            layer = layer.actuator(actuator(&mut draws, name, hull));
        }
        let above = counts.get(z + 1).map_or(0, |n| *n);
        let mut users: Vec<String> = (0..above).map(|k| format!("b{k}")).collect();
        users.retain(|_| draws.chance(2, 3));
        if users.is_empty() {
            users.push("m".to_owned());
        }
        for k in 0..*count {
            layer = layer.behaviour(behaviour(&mut draws, (k, *count), &users, &names, &mut own));
        }
        hulls.extend(own);
        spec = spec.layer(layer);
    }
    let options = Options { may_be_unstable: true, ..Options::default() };
    let compiled = compile(&spec, "random", "", options).unwrap_or_else(|e| panic!("{index}: {e}"));
    Sample { compiled, hulls }
}

/// Goal: no network, input or step size leads out of the range. Method: 10⁵ random networks with
/// W·dt far above 2, inputs with jumps, infinities and gaps.
#[test]
fn prop_activations_stay_in_range_and_exact_actuators_in_the_hull_of_their_targets() {
    let mut hardest = 0.0_f64;
    for index in 0..100_000 {
        let Sample { compiled, hulls } = sample(index, Integrator::Exact);
        hardest = compiled.bounds.iter().map(|b| b.pull).fold(hardest, f64::max);
        let mut network = compiled.network::<f32>();
        let mut draws = Seed(8).stream(RANDOM, 0, 1).at(Tick(index));
        for tick in 0..24 {
            let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30];
            let fine = draws.signed_uniform();
            let reading = if draws.chance(1, 6) { bad[draws.below(4) as usize] } else { fine };
            let mode = [draws.between(-0.5, 1.5), f32::NAN][usize::from(draws.chance(1, 9))];
            network.tick(&[reading], &[if tick < 16 { 1.0 } else { mode }]);
            for behaviour in &compiled.names.behaviours {
                let alpha = network.value(behaviour.slot);
                assert!((0.0..=1.0).contains(&alpha), "{index}: {} = {alpha}", behaviour.name);
            }
            for (actuator, (low, high)) in compiled.names.actuators.iter().zip(&hulls) {
                let value = f64::from(network.value(actuator.slot));
                let slack = 1e-6 * (1.0 + low.abs() + high.abs());
                let is_inside = (low - slack..=high + slack).contains(&value);
                assert!(is_inside, "{index}: {value} outside {low}..{high}");
            }
        }
    }
    assert!(hardest > 10.0, "the sweep reaches W dt = {hardest}");
}

/// Goal: even where the seed's update diverges nothing becomes NaN and activations stay in range.
#[test]
fn prop_paper_mode_never_makes_a_nan() {
    for index in 0..10_000 {
        let Sample { compiled, .. } = sample(index, Integrator::Paper);
        let mut network = compiled.network::<f32>();
        for tick in 0..120_u32 {
            network.tick(&[if tick.is_multiple_of(7) { -1.0 } else { 0.9 }], &[1.0]);
        }
        for slot in 0..compiled.header.slots {
            assert!(network.value(slot).is_finite(), "{index}: slot {slot}");
        }
    }
}

fn one_actuator(pull: f64, options: Options) -> Result<Compiled, tropism_dynamics_spec::Refused> {
    let go = Behaviour::named("go", "1").user("m", "(1 - alpha.go)/0.05s");
    let mut go = go.target("v", "1", &(pull * 20.0).to_string());
    go.initial = "1".into();
    let layer = Layer::named("L0").actuator(Actuator::named("v", "1").holding());
    let spec = Spec::new("w", TimeStep::TWENTIETH).mode("m").layer(layer.behaviour(go));
    compile(&spec, "w", "", options)
}

fn sixty_ticks(compiled: &Compiled) -> Vec<f64> {
    let (mut network, slot) = (compiled.network::<f64>(), compiled.slot("L0.v").unwrap());
    let mut next = || {
        network.tick(&[], &[1.0]);
        network.value(slot)
    };
    (0..60).map(|_| next()).collect()
}

/// W·dt from 0.1 to 10 on one actuator: the exact update never leaves [start, target]; the seed's
/// converges without overshoot up to 1, with overshoot below 2, and diverges above; the checker
/// says so before running.
#[test]
fn unit_stability_over_w_dt_from_a_tenth_to_ten() {
    for tenth in (1..=100_u32).filter(|t| *t != 20) {
        let pull = f64::from(tenth) / 10.0;
        let exact = sixty_ticks(&one_actuator(pull, Options::default()).unwrap());
        assert!(exact.windows(2).all(|p| p[0] <= p[1]) && exact[59] <= 1.0, "{pull}");
        let options = Options { integrator: Some(Integrator::Paper), ..Options::default() };
        assert_eq!(one_actuator(pull, options).is_err(), tenth > 20, "{pull}");
        let paper = one_actuator(pull, Options { may_be_unstable: true, ..options }).unwrap();
        assert_eq!(paper.warnings().count() > 0, tenth > 10, "{pull}");
        let values = sixty_ticks(&paper);
        assert_eq!(values.iter().any(|v| *v > 1.0 + 1e-12), tenth > 10, "{pull}");
        assert_eq!(values[59].abs() > 3.0, tenth > 20, "{pull}: {}", values[59]);
    }
}

/// The actuator update for held g and α is the closed form a(t) = g + (a₀ − g) e^(−W t).
#[test]
fn unit_the_exact_update_is_the_closed_form() {
    let one = Behaviour { initial: "0.75".into(), ..Behaviour::named("one", "1") };
    let two = Behaviour { initial: "0.5".into(), ..Behaviour::named("two", "1") };
    let layer = Layer::named("L0")
        .actuator(Actuator::named("v", "1").starting_at("-2").holding())
        .behaviour(one.user("m", "0").target("v", "1.5", "3"))
        .behaviour(two.user("m", "0").target("v", "-0.25", "1.7"));
    let spec = Spec::new("closed", TimeStep::new(1, 50).unwrap()).mode("m").layer(layer);
    let compiled = compile(&spec, "closed", "", Options::default()).unwrap();
    let (mut network, slot) = (compiled.network::<f64>(), compiled.slot("L0.v").unwrap());
    let (w1, w2) = (0.75 * 3.0, 0.5 * 1.7);
    let goal = (w1 * 1.5 - w2 * 0.25) / (w1 + w2);
    for tick in 1..=200 {
        network.tick(&[], &[1.0]);
        let time = f64::from(tick) / 50.0;
        let closed = goal + (-2.0 - goal) * tropism_core::math::f64::exp(-(w1 + w2) * time);
        assert!((network.value(slot) - closed).abs() < 1e-14, "{tick}");
    }
}

/// Without a user an activation decays as α₀ e^(−κt), to first order in dt.
#[test]
fn unit_without_users_an_activation_decays_with_kappa() {
    let error = |hertz: u32| {
        let go = Behaviour { initial: "1".into(), ..Behaviour::named("go", "10") };
        let layer = Layer::named("L0").behaviour(go.user("m", "(1 - alpha.go)/0.1s"));
        let spec = Spec::new("decay", TimeStep::new(1, hertz).unwrap()).mode("m").layer(layer);
        let compiled = compile(&spec, "decay", "", Options::default()).unwrap();
        let mut network = compiled.network::<f64>();
        let slot = compiled.slot("L0.go").unwrap();
        let mut worst = 0.0_f64;
        for tick in 1..=hertz {
            network.tick(&[], &[0.0]);
            let time = f64::from(tick) / f64::from(hertz);
            let closed = tropism_core::math::f64::exp(-10.0 * time);
            worst = worst.max((network.value(slot) - closed).abs());
        }
        worst
    };
    let (coarse, fine) = (error(50), error(100));
    assert!(coarse < 0.045 && (1.8..2.3).contains(&(coarse / fine)), "{coarse} {fine}");
}

/// ODO-08: from −170° to 170° is a turn of 20° through 180°, for averages and for actuators.
#[test]
fn unit_odo_08_angles_take_the_short_way_around() {
    let degrees = |d: f64| d.to_radians();
    let go = Behaviour { initial: "1".into(), ..Behaviour::named("go", "1") };
    let mut aim = Actuator::named("aim", "rad").holding().starting_at("-170deg");
    aim.is_angle = true;
    let mut reading = Reading::named("h", "rad");
    reading.is_angle = true;
    let mut layer = Layer::named("L0").reading(reading).mean("slow", "h", "0.5s").actuator(aim);
    layer.percepts[0].is_angle = true;
    let layer = layer.behaviour(go.user("m", "(1 - alpha.go)/0.1s").target("aim", "h", "2"));
    let spec = Spec::new("turn", TimeStep::TWENTIETH).mode("m").layer(layer);
    let compiled = compile(&spec, "turn", "", Options::default()).unwrap();
    let mut network = compiled.network::<f64>();
    let slots = ["L0.slow", "L0.aim"].map(|n| compiled.slot(n).unwrap());
    network.tick(&[degrees(-170.0)], &[1.0]);
    for _ in 0..100 {
        network.tick(&[degrees(170.0)], &[1.0]);
        for slot in slots {
            assert!(network.value(slot).abs() >= degrees(169.999), "{}", network.value(slot));
        }
    }
    assert!(slots.iter().all(|s| (network.value(*s) - degrees(170.0)).abs() < 1e-3));
}

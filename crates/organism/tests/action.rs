//! Goal: action selection never changes unnoticed.
//! Method: an organism lives 400 ticks on made-up senses with noise supplied from outside, with one
//! actuator held by hand for a while; what it decided is kept as a table.

use core::fmt::Write as _;

use tropism_body::{ActuatorBank, Command, Percept, Reading, presets};
use tropism_core::{Seed, Tick, TimeStep};
use tropism_organism::{Ablation, Need, Organism, OrganismConfig, Reflexes, reference_wiring};

/// Sum of four uniform 16-bit numbers in sixteenths, without any generator.
fn noise(t: u64, j: u64) -> f32 {
    let part = |k: u64| ((t * (31 + 6 * j) + 17 * k * (j + 1)) % 97) as f32 / 48.0 - 1.0;
    (part(1) + part(2) + part(3) + part(5)) * 0.866
}

fn level(t: u64, i: usize) -> f32 {
    match i {
        0 => 0.8 - 0.001_5 * t as f32,
        1 => 0.1 + 0.05 * ((t / 50) % 3) as f32,
        2 | 3 => 0.3 + 0.1 * ((t / (20 + 7 * i as u64)) % 5) as f32,
        4 => f32::from(u8::from(t % 90 < 4)),
        5 => ((t * 3) % 100) as f32 / 100.0,
        _ => 0.4,
    }
}

/// Lives 400 ticks; `see` gets every percept, the organism after it and the LED's value.
fn live(config: &OrganismConfig, mut see: impl FnMut(&Percept, &Organism, f32)) {
    let body = presets::reference_simulator();
    let step = TimeStep::TWENTIETH;
    let mut organism = Organism::new(&body, step, *config, Seed(1), 0);
    let mut bank = ActuatorBank::new(&body, step);
    for t in 0..400 {
        let tick = Tick(t);
        let mut percept = Percept { tick, ..Percept::default() };
        for i in 0..7 {
            let is_lost = i == 6 && t % 100 > 70;
            let reading = if is_lost { Reading::Missing } else { Reading::Fresh(level(t, i)) };
            let _ = percept.readings.push(reading);
        }
        if t == 120 {
            bank.write_by_hand(3, 1.0, tick);
        }
        bank.feel_into(tick, &mut percept);
        let mut command = Command::new();
        let noise = core::array::from_fn(|j| noise(t, j as u64));
        organism.step_with_noise(&percept, &noise, &mut command);
        bank.apply(&command, tick);
        see(&percept, &organism, bank.value(3));
    }
}

fn life(config: &OrganismConfig) -> String {
    let mut table = String::from("tick,keep,nudge,recall,reflex_l,explore_l,bias_l,target_l,led\n");
    live(config, |percept, organism, led| {
        let t = percept.tick.0;
        if t % 20 == 0 || (115..125).contains(&t) {
            let d = organism.decision();
            let recall = d.recall.map_or(0, |r| r.action);
            // Writing into a string cannot fail.
            let _ = writeln!(
                table,
                "{t},{:.6},{:.6},{recall},{:.6},{:.6},{:.6},{:.6},{led:.6}",
                d.keep, d.nudge, d.reflex[0], d.explore[0], d.bias[0], d.target[0],
            );
        }
    });
    table
}

#[test]
fn golden_action_selection_with_supplied_noise() {
    let full = life(&OrganismConfig::default());
    expect_test::expect_file!["golden/action_full.csv"].assert_eq(&full);
    let ablation = Ablation { reflexes: Reflexes::Frozen, ..Ablation::default() };
    let wiring = reference_wiring(&presets::reference_simulator());
    let wired = life(&OrganismConfig { ablation, wiring, ..OrganismConfig::default() });
    expect_test::expect_file!["golden/action_hand_wired.csv"].assert_eq(&wired);
}

#[test]
fn unit_every_ablation_takes_away_what_it_says() {
    let of = |ablation| life(&OrganismConfig { ablation, ..OrganismConfig::default() });
    let column = |table: &str, n: usize| -> Vec<f32> {
        table.lines().skip(1).map(|l| l.split(',').nth(n).unwrap().parse().unwrap()).collect()
    };
    let is_zero = |values: &[f32]| values.iter().all(|v| *v == 0.0);
    let base = Ablation::default();
    let full = of(base);
    assert!([2, 4, 5, 6].iter().all(|n| !is_zero(&column(&full, *n))), "{full}");
    assert!(is_zero(&column(&of(Ablation { reflexes: Reflexes::Off, ..base }), 4)));
    assert!(is_zero(&column(&of(Ablation { has_contingency_influence: false, ..base }), 6)));
    assert!(is_zero(&column(&of(Ablation { has_spatial_influence: false, ..base }), 2)));
    let flat = of(Ablation { has_drives: false, ..base });
    assert!(column(&flat, 1).iter().all(|keep| *keep == 1.0) && is_zero(&column(&flat, 4)));
}

fn ablated(ablation: Ablation) -> OrganismConfig {
    OrganismConfig { ablation, ..OrganismConfig::default() }
}

#[test]
fn unit_a_frozen_contingency_memory_neither_learns_nor_forgets() {
    let base = Ablation::default();
    let counts = |is_contingency_frozen| {
        let mut counts = Vec::new();
        live(&ablated(Ablation { is_contingency_frozen, ..base }), |_, organism, _| {
            counts.push(organism.state().contingency.count());
        });
        counts
    };
    assert!(counts(false).last() > Some(&3));
    assert!(counts(true).iter().all(|n| *n == 0));
    // A memory that was learned stays as it is, entry by entry.
    let body = presets::reference_simulator();
    let mut organism =
        Organism::new(&body, TimeStep::TWENTIETH, OrganismConfig::default(), Seed(1), 0);
    let tick = |organism: &mut Organism, t: u64| {
        let mut percept = Percept { tick: Tick(t), ..Percept::default() };
        for i in 0..7 {
            let _ = percept.readings.push(Reading::Fresh(level(t * 7, i)));
        }
        organism.step_with_noise(&percept, &[0.0; 16], &mut Command::new());
    };
    (0..300).for_each(|t| tick(&mut organism, t));
    let entries = |organism: &Organism| -> Vec<_> {
        let memory = &organism.state().contingency;
        let entries = memory.slots().filter_map(|slot| memory.entry(slot));
        entries.map(|e| (e.action, e.sensors, e.context, e.strength, e.relief)).collect()
    };
    let learned = entries(&organism);
    organism.set_ablation(Ablation { is_contingency_frozen: true, ..base });
    (300..600).for_each(|t| tick(&mut organism, t));
    assert!(!learned.is_empty());
    assert_eq!(entries(&organism), learned);
    organism.set_ablation(base);
    (600..900).for_each(|t| tick(&mut organism, t));
    assert_ne!(entries(&organism), learned);
}

#[test]
fn unit_wiping_leaves_one_place_at_every_wipe() {
    let count_at_wipes = |spatial_wipe_ticks| {
        let (mut at, mut most) = (Vec::new(), 0);
        let ablation = Ablation { spatial_wipe_ticks, ..Ablation::default() };
        live(&ablated(ablation), |percept, organism, _| {
            let count = organism.state().spatial.count();
            most = count.max(most);
            if percept.tick.0 % 100 == 0 && percept.tick.0 > 0 {
                at.push(count);
            }
        });
        (at, most)
    };
    let (wiped, most) = count_at_wipes(100);
    assert!(wiped.iter().all(|n| *n == 1) && most > 1, "{wiped:?}, at most {most}");
    assert!(count_at_wipes(0).0.iter().all(|n| *n > 1));
}

#[test]
fn unit_without_the_battery_link_energy_follows_what_was_spent() {
    let ablation = Ablation { has_battery_link: false, ..Ablation::default() };
    let config = ablated(ablation);
    let p = config.parameters.physiology;
    let body = presets::reference_simulator();
    let mut expected = tropism_organism::physiology::AT_BIRTH[Need::Energy as usize];
    let (mut error, mut cost_most) = (0.0_f32, 0.0_f32);
    live(&config, |percept, organism, _| {
        let felt = percept.actuators.iter().zip(body.actuators.iter());
        let cost: f32 = felt.map(|(felt, spec)| felt.value.abs() * spec.cost_per_unit).sum();
        expected += (p.energy_regain - p.energy_drain * cost) / 20.0;
        let energy = organism.state().physiology.values[Need::Energy as usize];
        error = error.max((energy - expected).abs());
        cost_most = cost_most.max(cost);
    });
    assert!(error < 1e-5 && cost_most > 0.1, "{error}, cost {cost_most}");
}

#[test]
fn unit_hidden_channels_are_never_valid_and_randomised_ones_are_uniform() {
    let of = |hidden_sensors, randomised_sensors| {
        let (mut valid, mut levels) = (0, Vec::new());
        let ablation = Ablation { hidden_sensors, randomised_sensors, ..Ablation::default() };
        live(&ablated(ablation), |_, organism, _| {
            valid |= organism.state().senses.valid;
            levels.push(organism.state().senses.levels[2]);
        });
        (valid, levels)
    };
    assert_eq!((of(0, 0).0, of(0b10, 0).0), (0b111_1111, 0b111_1101));
    let (_, mut levels) = of(0, 0b100);
    levels.sort_by(f32::total_cmp);
    // Kolmogorov's distance to the uniform; 1.95 / √400 is the critical value at 0.1 %.
    let n = levels.len() as f32;
    let distance = levels.iter().enumerate().map(|(i, l)| (l - (i as f32 + 0.5) / n).abs());
    let distance = distance.fold(0.0, f32::max);
    assert!(distance < 1.95 / 20.0, "{distance}");
}

#[test]
fn unit_without_adaptation_activity_is_plain_change() {
    let activity = |has_sensory_adaptation| {
        let mut all = Vec::new();
        let ablation = Ablation { has_sensory_adaptation, ..Ablation::default() };
        live(&ablated(ablation), |_, organism, _| all.push(organism.state().physiology.activity));
        all
    };
    let floor = OrganismConfig::default().parameters.physiology.unadapted_floor;
    let body = presets::reference_simulator();
    for (t, activity) in activity(false).iter().enumerate().skip(1) {
        let t = t as u64;
        let total: f32 = (body.sensors.iter().enumerate())
            .filter(|(i, _)| *i != 6 || (t % 100 <= 70 && (t - 1) % 100 <= 70))
            .map(|(i, s)| (s.share(level(t, i)) - s.share(level(t - 1, i))).abs() - floor)
            .map(|change| change.max(0.0))
            .sum();
        assert!((activity - total / 7.0).abs() < 1e-6, "tick {t}: {activity}, {total}");
    }
    assert_ne!(activity(true), activity(false));
}

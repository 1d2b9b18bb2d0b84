//! Goal: action selection never changes unnoticed.
//! Method: an organism lives 400 ticks on made-up senses with noise supplied from outside, with one
//! actuator held by hand for a while; what it decided is kept as a table.

use std::fmt::Write as _;

use tropism_body::{ActuatorBank, Command, Percept, Reading, presets};
use tropism_core::{Seed, Tick, TimeStep};
use tropism_organism::{Ablation, Organism, OrganismConfig, Reflexes, reference_wiring};

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

fn life(config: OrganismConfig) -> String {
    let body = presets::reference_simulator();
    let step = TimeStep::TWENTIETH;
    let mut organism = Organism::new(&body, step, config, Seed(1), 0);
    let mut bank = ActuatorBank::new(&body, step);
    let mut table = String::from("tick,keep,nudge,recall,reflex_l,explore_l,bias_l,target_l,led\n");
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
        if t % 20 == 0 || (115..125).contains(&t) {
            let d = organism.decision();
            let recall = d.recall.map_or(0, |r| r.action);
            writeln!(
                table,
                "{t},{:.6},{:.6},{recall},{:.6},{:.6},{:.6},{:.6},{:.6}",
                d.keep,
                d.nudge,
                d.reflex[0],
                d.explore[0],
                d.bias[0],
                d.target[0],
                bank.value(3),
            )
            .unwrap();
        }
    }
    table
}

#[test]
fn golden_action_selection_with_supplied_noise() {
    let full = life(OrganismConfig::default());
    expect_test::expect_file!["golden/action_full.csv"].assert_eq(&full);
    let ablation = Ablation { reflexes: Reflexes::Frozen, ..Ablation::default() };
    let wiring = reference_wiring(&presets::reference_simulator());
    let wired = life(OrganismConfig { ablation, wiring, ..OrganismConfig::default() });
    expect_test::expect_file!["golden/action_hand_wired.csv"].assert_eq(&wired);
}

#[test]
fn unit_every_ablation_takes_away_what_it_says() {
    let of = |ablation| life(OrganismConfig { ablation, ..OrganismConfig::default() });
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
    for changed in [
        Ablation { is_contingency_frozen: true, ..base },
        Ablation { spatial_wipe_ticks: 100, ..base },
        Ablation { has_battery_link: false, ..base },
        Ablation { has_sensory_adaptation: false, ..base },
        Ablation { hidden_sensors: 0b10, ..base },
        Ablation { randomised_sensors: 0b100, ..base },
    ] {
        assert_ne!(of(changed), full, "{changed:?}");
    }
}

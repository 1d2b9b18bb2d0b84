//! The reference world against the recorded one.
//!
//! Method: scripted commands go straight to the noise-free world; every fifth tick is compared
//! with the golden file, pose and currents within 10⁻⁴, flags exactly.

use tropism_body::{Reading, SensorBank};
use tropism_core::Seed;
use tropism_testkit::shared_file;
use tropism_testkit::table::Table;
use tropism_world::cast::Ray;
use tropism_world::{Vec2, World, presets};

fn triangle(m: u64, p: u64) -> f64 {
    let h = (p / 2) as f64;
    let m = m as f64;
    if m < h { 1.0 - 2.0 * m / h } else { -1.0 + 2.0 * (m - h) / h }
}

fn commands(case: &str, t: u64) -> [f32; 5] {
    let both = |v: f64| [v, v, 0.0, 0.0, 0.0];
    let values: [f64; 5] = match case {
        "A" => {
            let q = ((t / 200) % 6) as usize;
            [
                [0.5, 1.0, -0.5, 0.3, 1.0, 0.8][q],
                [0.5, 0.6, -0.2, -0.3, 1.0, 1.0][q],
                triangle(t % 80, 80),
                f64::from(u8::from((t / 100) % 2 == 1)),
                f64::from(u8::from(t % 50 < 5)),
            ]
        }
        "B" if t < 160 => both(0.6),
        "B" if t < 1600 => both(0.0),
        "B" => both(-0.5),
        "C" => [0.4, 0.5, 0.0, 0.0, 0.0],
        _ => both(if t < 1200 { 0.0 } else { 0.8 }),
    };
    values.map(|v| v as f32)
}

#[test]
fn golden_reference_world_follows_the_recorded_one() {
    let Some(path) = shared_file("golden/organism/world.csv.xz") else {
        return;
    };
    let table = Table::read(&path);
    let mut spec = presets::reference();
    spec.has_noise = false;
    let mut row = 0;
    let mut worst: Vec<(&str, f64)> = Vec::new();
    for (case, (x, y, heading, soc), ticks) in [
        ("A", (0.8, 0.6, 0.5, 0.8), 2400),
        ("B", (2.3, 1.45, -0.1, 0.3), 2400),
        ("C", (1.0, 1.0, 0.0, 0.0015), 1200),
        ("D", (2.89, 1.26, 3.0, 0.93), 2400),
    ] {
        let mut world = World::new(&spec, Seed(1)).unwrap();
        let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
        world.put(0, Vec2::new(x, y), heading, soc);
        for t in 0..ticks {
            world.step(&[&commands(case, t)]);
            if t % 5 != 4 {
                continue;
            }
            assert_eq!(table.rows[row][0], case);
            assert_eq!(table.number(row, "t") as u64, t);
            let truth = world.truth(0);
            let flag = |name: &str, value: bool| {
                assert_eq!(table.number(row, name) != 0.0, value, "{case} {t} {name}");
            };
            flag("docked", truth.is_docked);
            flag("charging", truth.is_charging);
            flag("bump", truth.is_bumped);
            world.sense(0, &mut bank);
            let mic = bank.reading(1, world.tick()).value().unwrap();
            let forward = Vec2::at_angle(truth.heading_rad);
            let ray = Ray { from: Vec2::new(truth.x_m, truth.y_m), along: forward };
            let ir = world.cast(&ray, Some(0)).distance_m - 0.10;
            for (name, seen) in [
                ("x", truth.x_m),
                ("y", truth.y_m),
                ("theta", truth.heading_rad),
                ("soc", truth.soc),
                ("speed", truth.speed_m_s.abs()),
                ("dist", truth.distance_to_station_m),
                ("battery_v", truth.battery_v),
                ("light_l", world.irradiance(0, 0.6, true)),
                ("light_r", world.irradiance(0, -0.6, true)),
                ("ir_m", ir),
                ("mic", mic),
                ("rssi_mean", world.radio_dbm(0, 0).unwrap()),
            ] {
                let error = (f64::from(seen) - table.number(row, name)).abs();

                assert!(error < 1e-4, "{case} {t} {name}: {seen}, {}", table.rows[row].join(","));
                match worst.iter_mut().find(|w| w.0 == name) {
                    Some(w) => w.1 = w.1.max(error),
                    None => worst.push((name, error)),
                }
            }
            row += 1;
        }
    }
    assert_eq!(row, table.rows.len());
    eprintln!("largest differences: {worst:?}");
}

#[test]
fn golden_channels_follow_from_the_recorded_quantities() {
    let Some(path) = shared_file("golden/organism/world.csv.xz") else {
        return;
    };
    let table = Table::read(&path);
    let mut spec = presets::reference();
    spec.has_noise = false;
    let mut world = World::new(&spec, Seed(1)).unwrap();
    let mut bank = SensorBank::new(&spec.robots[0].plan.body, spec.step);
    world.put(0, Vec2::new(0.8, 0.6), 0.5, 0.8);
    for t in 0..2400 {
        world.step(&[&commands("A", t)]);
        if t % 5 != 4 {
            continue;
        }
        world.sense(0, &mut bank);
        let row = (t / 5) as usize;
        let light = |name: &str| {
            let l = table.number(row, name);
            l / (l + 0.5)
        };
        let ir = table.number(row, "ir_m").clamp(0.1, 0.8);
        for (channel, expected) in [
            (0, (table.number(row, "battery_v") - 9.0) / 3.6),
            (2, light("light_l")),
            (3, light("light_r")),
            (4, table.number(row, "bump")),
            (5, (1.0 / ir - 1.25) / 8.75),
        ] {
            let Reading::Fresh(seen) = bank.reading(channel, world.tick()) else {
                panic!("channel {channel} is measured at every tick");
            };
            let error = (f64::from(seen) - expected.clamp(0.0, 1.0)).abs();
            assert!(error < 5e-4, "tick {t}, channel {channel}: {seen}, expected {expected}");
        }
    }
}

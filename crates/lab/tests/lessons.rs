//! Goal: every scenario beside the page's short questions shows what its text says.
//! Method: each is run over seeds 1 to 20 (1 to 3 without optimisation) for 20 s, or as long as its
//! text needs, and what it says is counted: changes of state told to the console, closeness to tape
//! and beacon, changes of turning side. `cargo test --release -p tropism-lab --features javascript
//! --test lessons -- --nocapture` prints the figures that `scenarios/lesson/README.md` holds.
#![cfg(feature = "javascript")]
#![cfg_attr(
    feature = "javascript",
    expect(clippy::unwrap_used, reason = "helpers of tests may stop a test")
)]

use std::path::Path;

use tropism_core::Seed;
use tropism_core::math::f64::hypot;
use tropism_lab::Run;
use tropism_scenario::{Document, Scenario, load};

const SEEDS: u64 = if cfg!(debug_assertions) { 3 } else { 20 };
/// The beacon of the pen, m.
const BEACON: (f64, f64) = (2.3, 2.3);

/// What is seen in one run.
#[derive(Debug, Default)]
struct Seen {
    /// Lines told to the console, one per state entered.
    told: usize,
    /// Share of ticks with the line sensors' middle within 3 cm of the tape.
    on_tape: f64,
    /// Distance of that point from the tape at the end, m.
    tape_m: f64,
    /// Distance from the beacon: least, and at the end, m.
    beacon_m: (f64, f64),
    /// Changes of turning side.
    flips: usize,
    /// Turned altogether, to either side, rad.
    turned_rad: f64,
    /// Farthest from the start, m.
    roamed_m: f64,
    /// Ticks in which a wheel was driven.
    driven: u64,
    ticks: u64,
}

fn scenario(name: &str) -> Scenario {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/lesson");
    match load(&folder.join(format!("{name}.toml"))).unwrap() {
        Document::Scenario(scenario) => scenario,
        _ => panic!("{name} is no scenario"),
    }
}

/// Distance of a point from the tape's middle line, m.
fn from_tape(scenario: &Scenario, (x, y): (f64, f64)) -> f64 {
    let mut least = f64::INFINITY;
    for pair in scenario.world.tapes.iter().flat_map(|tape| tape.points.windows(2)) {
        let (ax, ay) = (f64::from(pair[0].x), f64::from(pair[0].y));
        let (ux, uy) = (f64::from(pair[1].x) - ax, f64::from(pair[1].y) - ay);
        let along = ((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy).max(1e-12);
        let k = along.clamp(0.0, 1.0);
        least = least.min(hypot(x - ax - k * ux, y - ay - k * uy));
    }
    least
}

fn see(name: &str, seed: u64, seconds: f64) -> Seen {
    let scenario = scenario(name);
    let mut run = Run::new(&scenario, &scenario.minds, Seed(seed)).unwrap();
    let mut seen = Seen { beacon_m: (f64::INFINITY, 0.0), ..Seen::default() };
    seen.ticks = scenario.step.ticks_in(seconds);
    let mut heading = f64::from(run.truth(0).heading_rad);
    let (start, mut side, mut near) = (run.truth(0), 0.0, 0_u64);
    for _ in 0..seen.ticks {
        run.tick();
        let robot = &mut run.robots_mut()[0];
        assert!(robot.mind.failure().is_none(), "{name}: {:?}", robot.mind.failure());
        seen.told += robot.mind.take_log().len();
        let wheels = robot.actuators.values();
        let turn = wheels[1] - wheels[0];
        seen.driven += u64::from(wheels[0] != 0.0 || wheels[1] != 0.0);
        if turn.abs() > 0.02 {
            seen.flips += usize::from(side * turn < 0.0);
            side = turn;
        }
        let truth = run.truth(0);
        let (x, y) = (f64::from(truth.x_m), f64::from(truth.y_m));
        let (sin, cos) = tropism_core::math::f64::sin_cos(f64::from(truth.heading_rad));
        let turned = (f64::from(truth.heading_rad) - heading).abs();
        heading = f64::from(truth.heading_rad);
        seen.turned_rad += turned.min(core::f64::consts::TAU - turned);
        seen.tape_m = from_tape(&scenario, (x + 0.06 * cos, y + 0.06 * sin));
        near += u64::from(seen.tape_m < 0.03);
        let beacon = hypot(x - BEACON.0, y - BEACON.1);
        seen.beacon_m = (seen.beacon_m.0.min(beacon), beacon);
        let roamed = hypot(x - f64::from(start.x_m), y - f64::from(start.y_m));
        seen.roamed_m = seen.roamed_m.max(roamed);
    }
    seen.on_tape = near as f64 / seen.ticks as f64;
    seen
}

/// Runs every seed, prints them, and gives how many are as the text says; the shipped seed must be.
fn count(name: &str, seconds: f64, is_so: impl Fn(&Seen) -> bool) -> u64 {
    let shipped = scenario(name).seed.unwrap();
    let all: Vec<Seen> = (1..=SEEDS).map(|seed| see(name, seed, seconds)).collect();
    let range = |get: &dyn Fn(&Seen) -> f64| {
        let values = || all.iter().map(get);
        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
    };
    let held = all.iter().filter(|seen| is_so(seen)).count() as u64;
    eprintln!(
        "{name}: {held} of {SEEDS} seeds in {seconds} s; told {:?}, on tape {:.2?}, tape {:.2?} m, \
         beacon {:.2?} m then {:.2?} m, flips {:?}, turned {:.1?} rad, roamed {:.2?} m",
        range(&|s| s.told as f64),
        range(&|s| s.on_tape),
        range(&|s| s.tape_m),
        range(&|s| s.beacon_m.0),
        range(&|s| s.beacon_m.1),
        range(&|s| s.flips as f64),
        range(&|s| s.turned_rad),
        range(&|s| s.roamed_m),
    );
    assert!(is_so(&see(name, shipped, seconds)), "{name} with its own seed {shipped}");
    held
}

#[test]
fn swarm_one_threshold_changes_its_state_far_more_often_than_two() {
    assert_eq!(count("one-threshold", 20.0, |seen| seen.told > 400), SEEDS);
    assert_eq!(count("two-thresholds", 20.0, |seen| (4..=40).contains(&seen.told)), SEEDS);
}

#[test]
fn swarm_slow_eyes_leave_the_tape_that_quick_eyes_keep() {
    assert_eq!(count("slow-eyes", 20.0, |seen| seen.on_tape < 0.6), SEEDS);
    assert_eq!(count("quick-eyes", 20.0, |seen| seen.on_tape > 0.95), SEEDS);
}

#[test]
fn swarm_the_pen_holds_the_blend_and_not_the_one_that_escapes() {
    let is_held = |seen: &Seen| seen.beacon_m.0 > 0.7;
    assert_eq!(count("pen-trap", 20.0, is_held), SEEDS);
    // It is held for as long as it lives.
    assert!(is_held(&see("pen-trap", 1, 60.0)));
    assert_eq!(count("pen-escape", 60.0, |seen| seen.beacon_m.0 < 0.2), SEEDS);
}

#[test]
fn swarm_without_memory_the_tape_is_lost_and_with_it_found() {
    assert_eq!(count("lost-line", 20.0, |seen| seen.tape_m > 0.1), SEEDS);
    assert_eq!(count("found-line", 20.0, |seen| seen.tape_m < 0.05), SEEDS);
}

#[test]
fn swarm_hard_steering_weaves() {
    assert_eq!(count("weaving", 20.0, |seen| seen.flips > 100 && seen.turned_rad > 28.0), SEEDS);
    assert_eq!(count("quick-eyes", 20.0, |seen| seen.turned_rad < 20.0), SEEDS);
}

#[test]
fn swarm_a_search_without_a_limit_drives_on_in_one_place() {
    let is_endless = |seen: &Seen| seen.driven == seen.ticks && seen.roamed_m < 0.3;
    assert_eq!(count("no-time-limit", 60.0, is_endless), SEEDS);
}

//! The behaviour library at work, one test for each specification.
#![expect(clippy::unwrap_used, reason = "a helper of tests may stop the test")]

use tropism_core::{Purpose, Seed, Tick};
use tropism_dynamics_lab::ball::Ball;
use tropism_dynamics_lab::driver::{Driver, NetworkDriver, Sensing};
use tropism_dynamics_lab::robot::{Robot, Walls};
use tropism_dynamics_spec::{Compiled, Options, compile_text};

const DT: f64 = 0.02;
const DRAWS: Purpose = Purpose::named("dynamics.library");

fn compiled(name: &str) -> Compiled {
    let path = format!("{}/../../scenarios/dynamics/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let options = Options { are_warnings_errors: true, ..Options::default() };
    compile_text(&path, &text, options).unwrap_or_else(|e| panic!("{e}"))
}

fn driver(compiled: &Compiled) -> NetworkDriver<f32> {
    NetworkDriver::new(compiled).unwrap()
}

/// Every specification is sound, free of warnings, and says what its parts are for.
#[test]
fn edge_every_library_specification_is_sound_and_documented() {
    let folder = format!("{}/../../scenarios/dynamics", env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let spec = compiled(&name).spec;
        assert!(!spec.about.is_empty(), "{name}");
        for parameter in &spec.parameters {
            let is_said = !parameter.about.is_empty() && !parameter.source.is_empty();
            assert!(is_said, "{name}: {}", parameter.name);
        }
        for behaviour in spec.layers.iter().flat_map(|l| &l.behaviours) {
            assert!(!behaviour.about.is_empty(), "{name}: {}", behaviour.name);
        }
        count += 1;
    }
    assert_eq!(count, 9);
}

#[test]
fn paper_taxis_reaches_a_seen_target_and_stops_when_it_is_lost() {
    let compiled = compiled("taxis");
    let (mut driver, mut robot) = (driver(&compiled), Robot::default());
    for tick in 0..500 {
        let target = Some((-1.0, 0.4)).filter(|_| !(100..200).contains(&tick));
        let (v, w) = driver.drive(&Sensing { target, ..Sensing::of(robot) });
        robot.step(v, w, DT);
        if tick == 199 {
            assert!(v.abs() < 0.01 && w.abs() < 0.01, "{v} {w}");
        }
    }
    assert!(robot.distance(-1.0, 0.4) < 0.015);
}

/// The hysteresis loop, swept slowly both ways: thresholds within 5 % of the designed ones; and
/// noise of half the loop width around its middle switches at most once in 60 s.
#[test]
fn unit_rest_switches_where_it_was_designed_to() {
    let compiled = compiled("rest");
    let slot = compiled.slot("L0.rest").unwrap();
    let mut network = compiled.network::<f32>();
    let mut threshold = |path: Vec<f32>, is_on: bool| {
        path.into_iter().find(|d| {
            (0..100).for_each(|_| network.tick(&[*d], &[1.0]));
            (network.value(slot) > 0.5) == is_on
        })
    };
    let falling = threshold((0..600).map(|n| 0.06 - n as f32 * 1e-4).collect(), true).unwrap();
    let rising = threshold((0..600).map(|n| n as f32 * 1e-4).collect(), false).unwrap();
    eprintln!("on below {falling:.4} m, off above {rising:.4} m");
    assert!((falling / 0.015 - 1.0).abs() < 0.05 && (rising / 0.04 - 1.0).abs() < 0.05);
    for (seed, start) in [(1, 0.0), (2, 0.06), (3, 0.0), (4, 0.06)] {
        let mut network = compiled.network::<f32>();
        (0..200).for_each(|_| network.tick(&[start], &[1.0]));
        let stream = Seed(seed).stream(DRAWS, 0, 0);
        let (mut switches, mut was_on) = (0, network.value(slot) > 0.5);
        for tick in 0..3000 {
            let noise = stream.at(Tick(tick)).signed_uniform() * 0.0125;
            network.tick(&[0.0275 + noise], &[1.0]);
            let is_on = network.value(slot) > 0.5;
            switches += u32::from(is_on != was_on);
            was_on = is_on;
        }
        assert!(switches <= 1, "{seed}: {switches}");
    }
}

/// Clearance noise of ±1 cm around a threshold of 30 cm: bounded transitions.
#[test]
fn unit_fsm_01_noise_around_a_threshold_does_not_flip_the_corner_behaviour() {
    let compiled = compiled("wall");
    let slot = compiled.slot("L0.corner").unwrap();
    let mut network = compiled.network::<f32>();
    let stream = Seed(5).stream(DRAWS, 0, 1);
    let (mut switches, mut was_on) = (0, false);
    for tick in 0..3000 {
        let mut rays = [0.8_f32; 11];
        let mut draws = stream.at(Tick(tick));
        rays[4..=6].iter_mut().for_each(|r| *r = 0.30 + 0.01 * draws.signed_uniform());
        network.tick(&rays, &[1.0]);
        let is_on = network.value(slot) > 0.5;
        switches += u32::from(is_on != was_on);
        was_on = is_on;
    }
    assert!(switches <= 1, "{switches} transitions in a minute");
}

/// Ten minutes of working and charging: it goes home when low, leaves when charged, and a sagging
/// battery adds no switch.
#[test]
fn unit_fsm_05_homing_cycles_without_flapping() {
    let compiled = compiled("homing");
    let (mut driver, mut robot) = (driver(&compiled), Robot::default());
    let home = compiled.slot("L1.home").unwrap();
    let (mut energy, mut switches, mut was_homing, mut charged) = (1.0_f64, 0, false, 0.0);
    for tick in 0..30_000_u32 {
        let sag = 0.06 * robot.state[3].abs().max(robot.state[4].abs());
        let sensing = Sensing { energy: energy - sag, ..Sensing::of(robot) };
        let (v, w) = driver.drive(&sensing);
        robot.step(v, w, DT);
        let is_charging = robot.distance(0.0, 0.0) < 0.06;
        let gain = if is_charging { DT / 40.0 } else { -DT / 60.0 };
        energy = (energy + gain).clamp(0.0, 1.0);
        charged += if is_charging { gain } else { 0.0 };
        let is_homing = driver.network.value(home) > 0.5;
        switches += u32::from(is_homing != was_homing);
        was_homing = is_homing;
        assert!(energy > 0.2, "{tick}");
    }
    eprintln!("{switches} switches in 10 min, {charged:.1} batteries charged");
    assert!((8..=24).contains(&switches) && charged > 2.0);
}

/// Once around a room of 3 × 2 m: no touch, and the wall at its distance away from the corners.
#[test]
fn paper_wall_keeping_goes_around_a_room() {
    let compiled = compiled("wall");
    let walls = Walls { x: (0.0, 3.0), y: (0.0, 2.0) };
    let (mut driver, mut robot) = (driver(&compiled), Robot::at(1.0, 0.6, 0.4));
    let (mut nearest, mut sides, mut errors) = (9.0_f64, [false; 4], Vec::new());
    for tick in 0..4000 {
        let ranges = Some(robot.ranges(&[], Some(walls)));
        let (v, w) = driver.drive(&Sensing { ranges, ..Sensing::of(robot) });
        robot.step(v, w, DT);
        let rim = robot.clearance(&[], Some(walls));
        nearest = nearest.min(rim);
        let [x, y, ..] = robot.state;
        let sees = [y < 0.5, x > 2.5, y > 1.5, x < 0.5];
        sides.iter_mut().zip(sees).for_each(|(s, now)| *s |= now);
        let is_straight = (1.0..2.0).contains(&x) || (0.8..1.2).contains(&y);
        if tick > 1000 && is_straight {
            errors.push((rim - 0.20).abs());
        }
    }
    let worst = errors.iter().copied().fold(0.0, f64::max);
    eprintln!("nearest {nearest:.3} m, worst distance error on straights {worst:.3} m");
    assert!(sides == [true; 4] && nearest > 0.05 && worst < 0.06);
}

/// From twelve places around the ball the robot gets it over the goal line.
#[test]
fn paper_ball_is_dribbled_into_the_goal() {
    let compiled = compiled("ball");
    let mut scored = 0;
    for start in 0..12 {
        let angle = core::f64::consts::TAU * f64::from(start) / 12.0;
        let mut ball = Ball { at: (1.2, 0.3 - 0.05 * f64::from(start)), speed: (0.0, 0.0) };
        let (x, y) = (ball.at.0 + 0.7 * angle.cos_(), ball.at.1 + 0.7 * angle.sin_());
        let mut robot = Robot::at(x, y, angle * 3.0);
        let mut driver = driver(&compiled);
        driver.modes = vec![1.0, 0.0];
        for _ in 0..1500 {
            let (v, w) = driver.drive(&Sensing { ball: Some(ball.at), ..Sensing::of(robot) });
            robot.step(v, w, DT);
            ball.roll(DT);
            ball.touch(&robot);
            if ball.at.0 >= 3.0 {
                break;
            }
        }
        let is_goal = ball.at.0 >= 3.0 && ball.at.1.abs() <= 0.4;
        eprintln!("start {start}: ball at {:.2}, {:.2}", ball.at.0, ball.at.1);
        scored += u32::from(is_goal);
    }
    assert!(scored >= 11, "{scored} of 12");
}

/// Stopped, the player goes to its place and stands.
#[test]
fn paper_ball_player_waits_when_the_game_is_stopped() {
    let compiled = compiled("ball");
    let (mut driver, mut robot) = (driver(&compiled), Robot::at(1.0, 1.0, 0.0));
    driver.modes = vec![0.0, 1.0];
    for _ in 0..1000 {
        let (v, w) = driver.drive(&Sensing { ball: Some((1.0, 0.0)), ..Sensing::of(robot) });
        robot.step(v, w, DT);
    }
    assert!(robot.distance(0.0, 0.0) < 0.05 && driver.command().0.abs() < 0.01);
}

/// A hundred shots from 1.6 m at random corners of the goal.
#[test]
fn paper_goalkeeper_blocks_shots() {
    let compiled = compiled("goalkeeper");
    let mut saved = 0;
    for shot in 0..100 {
        let mut draws = Seed(9).stream(DRAWS, 0, 2).at(Tick(shot));
        let mut uniform = |lo: f32, hi: f32| f64::from(draws.between(lo, hi));
        let (from, to, speed) =
            ((1.6, uniform(-0.8, 0.8)), (0.0, uniform(-0.35, 0.35)), uniform(0.9, 1.4));
        let mut ball = Ball { at: from, speed: (0.0, 0.0) };
        let mut robot = Robot::at(0.1, 0.0, core::f64::consts::FRAC_PI_2);
        let mut driver = driver(&compiled);
        let mut is_saved = false;
        for tick in 0..250 {
            if tick == 50 {
                let (dx, dy) = (to.0 - from.0, to.1 - from.1);
                let length = dx.hypot_(dy);
                ball.speed = (speed * dx / length, speed * dy / length);
            }
            let (v, w) = driver.drive(&Sensing { ball: Some(ball.at), ..Sensing::of(robot) });
            robot.step(v, w, DT);
            ball.roll(DT);
            is_saved |= ball.touch(&robot);
            if ball.at.0 <= 0.0 {
                break;
            }
        }
        saved += u32::from(is_saved || ball.at.0 > 0.0);
    }
    eprintln!("saved {saved} of 100");
    assert!(saved >= 90);
}

/// The portable functions under short names.
trait Portable {
    fn sin_(self) -> f64;
    fn cos_(self) -> f64;
    fn hypot_(self, other: f64) -> f64;
}

impl Portable for f64 {
    fn sin_(self) -> f64 {
        tropism_core::math::f64::sin(self)
    }
    fn cos_(self) -> f64 {
        tropism_core::math::f64::cos(self)
    }
    fn hypot_(self, other: f64) -> f64 {
        tropism_core::math::f64::hypot(self, other)
    }
}

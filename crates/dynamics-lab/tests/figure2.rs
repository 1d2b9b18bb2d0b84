//! Figure 2 of the seed: the recording, its order of events, and stopping from everywhere.
#![expect(clippy::unwrap_used, reason = "a helper of tests may stop the test")]

use tropism_dynamics::Real;
use tropism_dynamics_lab::driver::{Driver, NetworkDriver, Sensing};
use tropism_dynamics_lab::robot::Robot;
use tropism_dynamics_spec::{Compiled, Options, compile_text};
use tropism_testkit::{shared_file, table::Table};

const SPEC: &str = include_str!("../../../scenarios/dynamics/figure2.toml");

fn compiled(options: Options) -> Compiled {
    compile_text("figure2.toml", SPEC, options).unwrap_or_else(|refused| panic!("{refused}"))
}

/// Goal: the recording of the numerical prototype, cell by cell. Method: same start, same target,
/// 300 ticks in double precision; the file has six decimals.
#[test]
fn golden_figure_2_equals_the_recording() {
    let Some(path) = shared_file("golden/dynamics/fig2_taxis.csv") else { return };
    let table = Table::read(&path);
    let compiled = compiled(Options::default());
    let mut driver = NetworkDriver::<f64>::new(&compiled).unwrap();
    let mut robot = Robot::default();
    let columns = [
        ("dist", "L0.dist"),
        ("dir", "L0.dir"),
        ("a_taxis", "L0.taxis"),
        ("a_rest", "L0.rest"),
        ("a_goto", "L1.goto"),
        ("a_home", "L1.home"),
        ("a_idle", "L1.idle"),
        ("tx", "L1.tx"),
        ("ty", "L1.ty"),
        ("dist_ma", "L1.dist"),
        ("energy_ma", "L1.energy"),
    ];
    let columns = columns.map(|(column, name)| (column, compiled.slot(name).unwrap()));
    let mut worst = 0.0_f64;
    for row in 0..table.rows.len() {
        let before = robot;
        let (v, w) = driver.drive(&Sensing::of(robot));
        robot.step(v, w, 0.02);
        let states = ["x", "y", "th", "vl", "vr"].iter().zip(before.state);
        let values = columns.iter().map(|(c, slot)| (*c, driver.network.value(*slot)));
        let all = states.map(|(c, s)| (*c, s)).chain(values).chain([("v", v), ("w", w)]);
        for (column, value) in all {
            let difference = (value - table.number(row, column)).abs();
            assert!(difference < 2e-6, "row {row}, {column}: {value}");
            worst = worst.max(difference);
        }
    }
    assert!(table.rows.len() == 300 && worst > 0.0);
}

struct Record {
    t: f64,
    distance: f64,
    direction: f64,
    v: f64,
    w: f64,
}

fn run<R: Real>(start: Robot, seconds: f64) -> Vec<Record> {
    let compiled = compiled(Options::default());
    let mut driver = NetworkDriver::<R>::new(&compiled).unwrap();
    let (distance, direction) = (compiled.slot("L0.dist"), compiled.slot("L0.dir"));
    let (distance, direction) = (distance.unwrap(), direction.unwrap());
    let mut robot = start;
    let ticks = (seconds / 0.02).round() as usize;
    (0..ticks)
        .map(|tick| {
            let (v, w) = driver.drive(&Sensing::of(robot));
            robot.step(v, w, 0.02);
            let value = |slot| driver.network.value(slot).widen();
            let t = tick as f64 * 0.02;
            Record { t, distance: value(distance), direction: value(direction), v, w }
        })
        .collect()
}

/// Goal: the order of events in the figure's caption. Bounds are those of the acceptance sheet.
#[test]
fn paper_figure_2_turns_then_accelerates_drives_slows_and_stops() {
    let records = run::<f64>(Robot::default(), 6.0);
    let first = |is: &dyn Fn(&Record) -> bool| records.iter().find(|r| is(r)).unwrap().t;
    let peak_w = records.iter().map(|r| r.w.abs()).fold(0.0, f64::max);
    let peak_v = records.iter().map(|r| r.v).fold(0.0, f64::max);
    let turn = first(&|r| r.w.abs() >= 0.95 * peak_w);
    let facing = first(&|r| r.direction.abs() < 0.2);
    let fast = first(&|r| r.v >= 0.9 * peak_v);
    let slowing = records.iter().rev().find(|r| r.v >= 0.9 * peak_v).unwrap().t;
    let near = first(&|r| r.distance < 0.05);
    let stop = records.iter().rev().find(|r| r.v.abs() > 1e-3 || r.w.abs() > 1e-3).unwrap().t;
    let order = [turn, facing, fast, slowing, near, stop];
    assert!(order.is_sorted_by(|a, b| a < b), "{order:?}");
    let before = records.iter().take_while(|r| r.direction.abs() >= 1.2);
    assert!(before.into_iter().all(|r| r.v <= 0.08));
    let plateau = records.iter().filter(|r| r.v >= 0.95 * 0.8).count() as f64 * 0.02;
    assert!(plateau >= 1.0, "{plateau}");
    let last = records.last().unwrap();
    assert!(last.distance <= 0.01 && last.v.abs() <= 1e-3 && last.w.abs() <= 1e-3);
    assert!(records.windows(2).all(|p| p[1].distance <= p[0].distance + 1e-3));
}

/// Goal: no place to start from is special. Method: 64 headings × 5 distances, both precisions for
/// a quarter of them.
#[test]
fn paper_figure_2_stops_within_15_mm_from_everywhere() {
    let mut worst = 0.0_f64;
    for heading in 0..64 {
        for distance in [0.3, 0.6, 1.0, 1.7, 2.5] {
            let angle = core::f64::consts::TAU * f64::from(heading) / 64.0;
            // The target stands at (−1.2, 1.2); the start lies east of it.
            let start = Robot::at(-1.2 + distance, 1.2, angle);
            let mut ends = vec![run::<f64>(start, 10.0).pop().unwrap()];
            if heading % 4 == 0 {
                ends.push(run::<f32>(start, 10.0).pop().unwrap());
            }
            for end in ends {
                assert!(end.distance <= 0.015, "{heading} {distance}: {}", end.distance);
                assert!(end.v.abs() <= 1e-3 && end.w.abs() <= 1e-3);
                worst = worst.max(end.distance);
            }
        }
    }
    eprintln!("worst distance at rest {:.2} mm", worst * 1e3);
}

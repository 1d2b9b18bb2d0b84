//! The difference equations approach the differential equations of the seed.
//!
//! Goal: first order in dt, for factors 1, 2 and 4, against a reference of the fully continuous
//! system (LSODA, relative tolerance 1e-9, every 10 ms). Method: figure 2 for 4 s; the error is the
//! largest distance between positions at common times.
#![expect(clippy::unwrap_used, reason = "a helper of tests may stop the test")]

use tropism_core::TimeStep;
use tropism_core::math::f64 as math;
use tropism_dynamics::Integrator;
use tropism_dynamics_lab::driver::{Driver, NetworkDriver, Sensing};
use tropism_dynamics_lab::robot::Robot;
use tropism_dynamics_spec::{Options, compile_text};
use tropism_testkit::{shared_file, table::Table};

const SPEC: &str = include_str!("../../../scenarios/dynamics/figure2.toml");

/// Largest position error in metres with a period of `1/hertz` s.
fn error(reference: &Table, hertz: u32, factor: u16, integrator: Integrator) -> f64 {
    let step = TimeStep::new(1, hertz).unwrap();
    let options = Options {
        step: Some(step),
        factor: Some(factor),
        integrator: Some(integrator),
        ..Options::default()
    };
    let compiled = compile_text("figure2.toml", SPEC, options).unwrap_or_else(|e| panic!("{e}"));
    let mut driver = NetworkDriver::<f64>::new(&compiled).unwrap();
    let (mut robot, mut worst) = (Robot::default(), 0.0_f64);
    for tick in 0..4 * hertz {
        // The reference has a row every 10 ms.
        if (tick * 100).is_multiple_of(hertz) {
            let row = (tick * 100 / hertz) as usize;
            let (x, y) = (reference.number(row, "x"), reference.number(row, "y"));
            worst = worst.max(math::hypot(robot.state[0] - x, robot.state[1] - y));
        }
        let (v, w) = driver.drive(&Sensing::of(robot));
        robot.step(v, w, 1.0 / f64::from(hertz));
    }
    worst
}

/// Slope of log error over log dt by least squares.
fn order(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (math::ln(*x), math::ln(*y))).collect();
    let n = logs.len() as f64;
    let (mx, my) =
        (logs.iter().map(|p| p.0).sum::<f64>() / n, logs.iter().map(|p| p.1).sum::<f64>() / n);
    let covariance: f64 = logs.iter().map(|p| (p.0 - mx) * (p.1 - my)).sum();
    covariance / logs.iter().map(|p| (p.0 - mx) * (p.0 - mx)).sum::<f64>()
}

#[test]
fn golden_the_ode_limit_is_reached_with_first_order() {
    let Some(path) = shared_file("golden/dynamics/ode_reference.csv") else { return };
    let reference = Table::read(&path);
    for factor in [1, 2, 4] {
        for integrator in [Integrator::Exact, Integrator::Paper] {
            let points = [50, 100, 200, 400].map(|hertz| {
                (1.0 / f64::from(hertz), error(&reference, hertz, factor, integrator))
            });
            let order = order(&points);
            let millimetres = points.map(|p| (p.1 * 1e4).round() / 10.0);
            eprintln!("f = {factor}, {integrator:?}: {millimetres:?} mm, order {order:.3}");
            assert!((0.9..=1.1).contains(&order), "{factor} {integrator:?}: {order}");
            if factor == 2 && integrator == Integrator::Exact {
                assert!(points[0].1 <= 0.045 && points[3].1 <= 0.006, "{points:?}");
            }
        }
    }
}

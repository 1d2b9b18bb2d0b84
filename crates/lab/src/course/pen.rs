//! The pen: a beacon behind a low L-shaped wall.
//!
//! Terms: a run is *stuck* when the robot has not reached the beacon and has stayed within 60 cm
//! for the last 20 s.

use core::fmt::Write as _;

use tropism_core::Tick;
use tropism_ethology::plot::{Mark, Series, xy};
use tropism_reactive::ReactiveSpec;
use tropism_world::drive::DriveSpec;
use tropism_world::sensor::SensorModel;
use tropism_world::{RobotPlan, WorldSpec};

use super::drive::{CourseError, outing};

/// Longest run, s.
const RUN_S: f64 = 180.0;
/// Distance of the beacon that counts as reached, m.
const REACHED_M: f32 = 0.2;
/// Ticks of the last stretch that is looked at.
const LAST_TICKS: usize = 2_000;
/// Turn commands smaller than this have no sign.
const DEAD_TURN: f32 = 0.03;

/// How a run in the pen went.
#[derive(Clone, Debug)]
pub struct PenRun {
    /// Time at which the beacon was reached, s.
    pub reached_s: Option<f64>,
    /// Stuck at the end.
    pub is_stuck: bool,
    /// Flips of the turn command in the last 20 s.
    pub flips: u32,
    /// Smallest and largest front range in the last 20 s, m.
    pub front_m: (f32, f32),
    /// The 5 % and the 95 % quantile of the same, m.
    pub front_5_m: f32,
    /// See [`Self::front_5_m`].
    pub front_95_m: f32,
    /// Ticks with contact in the whole run.
    pub contacts: u64,
    /// Places of the last 20 s.
    pub path: Vec<(f64, f64)>,
}

/// Label, controller and changed parameters.
type Candidate = (&'static str, &'static str, &'static [(&'static str, f32)]);

/// One run.
///
/// # Errors
/// [`CourseError`] as [`outing`].
pub fn run(world: &WorldSpec, mind: &ReactiveSpec, seed: u64) -> Result<PenRun, CourseError> {
    run_for(world, mind, seed, RUN_S)
}

/// One run of at most this many seconds.
///
/// # Errors
/// [`CourseError`] as [`outing`].
pub fn run_for(
    world: &WorldSpec,
    mind: &ReactiveSpec,
    seed: u64,
    seconds: f64,
) -> Result<PenRun, CourseError> {
    let mut outing = outing(world, mind, seed)?;
    let ticks = world.step.ticks_in(seconds);
    let mut last = alloc::collections::VecDeque::with_capacity(LAST_TICKS);
    let mut contacts = 0;
    let mut reached_s = None;
    for _ in 0..ticks {
        outing.tick();
        let sample = outing.sample();
        contacts += u64::from(sample.truth.is_bumped);
        if last.len() == LAST_TICKS {
            last.pop_front();
        }
        last.push_back(sample);
        if sample.goal_m < REACHED_M {
            reached_s = Some(world.step.seconds_at(Tick(sample.tick)));
            break;
        }
    }
    let ends = |value: &dyn Fn(&super::Sample) -> f32| {
        last.iter().map(value).fold((f32::INFINITY, f32::NEG_INFINITY), |(lo, hi), v| {
            (if v < lo { v } else { lo }, if v > hi { v } else { hi })
        })
    };
    let (x, y) = (ends(&|s| s.truth.x_m), ends(&|s| s.truth.y_m));
    let is_small = x.1 - x.0 < 0.6 && y.1 - y.0 < 0.6;
    let mut front: Vec<f32> = last.iter().map(|s| s.echoes[1].distance_m()).collect();
    front.sort_by(f32::total_cmp);
    let share = |q: usize| front.get(front.len().saturating_sub(1) * q / 100).copied();
    let mut sign = 0.0;
    let mut flips = 0;
    for sample in &last {
        if sample.turn.abs() > DEAD_TURN {
            flips += u32::from(sample.turn * sign < 0.0);
            sign = sample.turn;
        }
    }
    Ok(PenRun {
        reached_s,
        is_stuck: reached_s.is_none() && is_small,
        flips,
        front_m: ends(&|s| s.echoes[1].distance_m()),
        front_5_m: share(5).unwrap_or(f32::NAN),
        front_95_m: share(95).unwrap_or(f32::NAN),
        contacts,
        path: last.iter().map(|s| (f64::from(s.truth.x_m), f64::from(s.truth.y_m))).collect(),
    })
}

pub(super) fn world(name: &str) -> Result<WorldSpec, CourseError> {
    let unknown = || CourseError::Unknown(name.to_owned());
    let world = tropism_scenario::built_in_world(name).ok_or_else(unknown)?;
    world.map_err(|error| CourseError::File(error.to_string()))
}

/// A controller with some of its numbers changed.
pub(super) fn changed(name: &str, changes: &[(&str, f32)]) -> Result<ReactiveSpec, CourseError> {
    let unknown = || CourseError::Unknown(name.to_owned());
    let mut spec = ReactiveSpec::named(name).ok_or_else(unknown)?;
    for (parameter, value) in changes {
        let at = spec.table().iter().position(|p| p.name == *parameter).ok_or_else(unknown)?;
        spec.set_at(at, *value).map_err(|error| CourseError::File(error.to_string()))?;
    }
    Ok(spec)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The pen's table over this many seeds.
///
/// # Errors
/// [`CourseError`] as [`run`].
pub fn report(runs: u64) -> Result<String, CourseError> {
    let mut text = String::from(
        "| pen | body | controller | reached | stuck | s per flip (median) | front cm | time s \
        (median) |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    let minds: [Candidate; 5] = [
        ("blend", "goal_blend", &[]),
        ("blend, half gains", "goal_blend", &[("gain", 0.5)]),
        ("blend, quarter gains", "goal_blend", &[("gain", 0.25)]),
        ("blend with escape", "goal_blend_escape", &[]),
        ("bug2", "bug2", &[]),
    ];
    for pen in ["course_pen", "course_pen_aside"] {
        for is_real in [false, true] {
            let mut world = world(pen)?;
            if is_real {
                world.robots[0].plan = tropism_world::plans::course_robot_real();
            }
            for (label, name, changes) in minds {
                let spec = changed(name, changes)?;
                let row = row(&world, &spec, runs)?;
                let body = if is_real { "real" } else { "perfect" };
                let _ = writeln!(text, "| {pen} | {body} | {label} | {row}");
            }
        }
    }
    Ok(text)
}

fn row(world: &WorldSpec, spec: &ReactiveSpec, runs: u64) -> Result<String, CourseError> {
    let (mut reached, mut stuck) = (0, 0);
    let (mut periods, mut times) = (Vec::new(), Vec::new());
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for seed in 1..=runs {
        let run = run(world, spec, seed)?;
        if let Some(s) = run.reached_s {
            reached += 1;
            times.push(s);
        }
        if run.is_stuck {
            stuck += 1;
            periods.push(20.0 / f64::from(run.flips.max(1)));
            low.push(f64::from(run.front_m.0) * 100.0);
            high.push(f64::from(run.front_m.1) * 100.0);
        }
    }
    Ok(format!(
        "{reached}/{runs} | {stuck}/{runs} | {:.2} | {:.0}-{:.0} | {:.1} |",
        median(periods),
        median(low),
        median(high),
        median(times)
    ))
}

/// What of the real body makes the blend stick and swing: one trait at a time taken away. A stuck
/// run swings when it flips at least every 4 s.
///
/// # Errors
/// [`CourseError`] as [`run`].
pub fn causes(runs: u64) -> Result<String, CourseError> {
    let mut text = String::from(
        "| pen | real body | gains | stuck | of these swing |\n|---|---|---|---|---|\n",
    );
    for pen in ["course_pen", "course_pen_aside"] {
        for without in ["as it is", "no dead band", "no ranger noise", "rangers at every tick"] {
            let mut world = world(pen)?;
            world.robots[0].plan = without_trait(without);
            for gain in [1.0, 0.5] {
                let spec = changed("goal_blend", &[("gain", gain)])?;
                let (mut stuck, mut swing) = (0, 0);
                for seed in 1..=runs {
                    let run = run(&world, &spec, seed)?;
                    stuck += u32::from(run.is_stuck);
                    swing += u32::from(run.is_stuck && run.flips >= 5);
                }
                let _ = writeln!(text, "| {pen} | {without} | {gain} | {stuck}/{runs} | {swing} |");
            }
        }
    }
    Ok(text)
}

/// The real body without one of its traits.
fn without_trait(name: &str) -> RobotPlan {
    let mut plan = tropism_world::plans::course_robot_real();
    if let DriveSpec::Motors { dead_band, .. } = &mut plan.drive
        && name == "no dead band"
    {
        *dead_band = 0.0;
    }
    for sensor in &mut plan.sensors {
        let SensorModel::Ultrasonic {
            noise_m,
            false_echo,
            near_burst,
            hears_others,
            slot,
            slots,
            ..
        } = sensor
        else {
            continue;
        };
        match name {
            "no ranger noise" => {
                (*noise_m, *false_echo, *near_burst, *hears_others) = (0.0, 0, 0, false);
            }
            "rangers at every tick" => (*slot, *slots, *hears_others) = (0, 1, false),
            _ => {}
        }
    }
    plan
}

/// The path of the last 20 s of the first run of the blend on the real body that is stuck and
/// flips at least every 2 s, as SVG.
///
/// # Errors
/// [`CourseError::Unknown`] when none of 100 runs is stuck.
pub fn figure_eight() -> Result<String, CourseError> {
    let mut world = world("course_pen")?;
    world.robots[0].plan = tropism_world::plans::course_robot_real();
    let spec = changed("goal_blend", &[])?;
    for seed in 1..=100 {
        let run = run(&world, &spec, seed)?;
        if run.is_stuck && run.flips >= 10 {
            let name = format!("blend, real body, seed {seed}, last 20 s");
            let series = Series { name: &name, points: &run.path, band: &[], mark: Mark::Line };
            let svg = xy(&[series], "x (m)", "y (m)");
            let svg = svg.map_err(|error| CourseError::File(error.to_string()))?;
            return Ok(svg.as_str().to_owned());
        }
    }
    Err(CourseError::Unknown(String::from("stuck run")))
}

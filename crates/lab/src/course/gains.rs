//! The blend's gains, drawn at random: how many sets do in the pen what the lesson tells.
//!
//! Terms: a set is *like the lesson* in a point when its stuck runs, on the real body, are so: some
//! but not all stick; a flip every 1.0 to 1.4 s; a front range from 16..21 to 31..40 cm (5 % to
//! 95 %); with half the gains a longer time per flip, and still swinging (at most 4 s); with the
//! beacon 30 cm aside none sticks.
//!
//! What it does not do: it changes nothing but gains; world, robot and starts stay.

use core::fmt::Write as _;

use rayon::prelude::*;
use tropism_core::{Purpose, Seed, Tick};
use tropism_world::WorldSpec;

use super::drive::CourseError;
use super::pen::{self, changed};

/// Gains that are drawn, and between what bounds.
const RANGES: [(&str, f32, f32); 7] = [
    ("base", 0.2, 0.8),
    ("avoid", 0.3, 4.0),
    ("front", 0.0, 3.0),
    ("smooth", 0.0, 1.2),
    ("brake", 0.4, 3.0),
    ("goal", 0.1, 1.5),
    ("goal_max", 0.05, 0.8),
];
/// Runs of a set.
const RUNS: u64 = 10;
/// Time of a run, s.
const RUN_S: f64 = 70.0;
/// What the lesson tells.
const POINTS: [&str; 5] = ["some runs stick", "flips", "front range", "half gains", "beacon aside"];

/// What the runs of a set were like.
#[derive(Clone, Copy, Debug, Default)]
struct Batch {
    stuck: u64,
    period_s: f64,
    front_m: (f64, f64),
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn batch(world: &WorldSpec, gains: &[(&str, f32)]) -> Result<Batch, CourseError> {
    let spec = changed("goal_blend", gains)?;
    let (mut periods, mut low, mut high) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 1..=RUNS {
        let run = pen::run_for(world, &spec, seed, RUN_S)?;
        if run.is_stuck {
            periods.push(20.0 / f64::from(run.flips.max(1)));
            low.push(f64::from(run.front_5_m));
            high.push(f64::from(run.front_95_m));
        }
    }
    Ok(Batch {
        stuck: periods.len() as u64,
        period_s: median(&mut periods),
        front_m: (median(&mut low), median(&mut high)),
    })
}

/// The points in which a set is like the lesson.
fn points(gains: &[(&str, f32)], pens: &[WorldSpec; 2]) -> Result<[bool; 5], CourseError> {
    let own = batch(&pens[0], gains)?;
    let sticks = own.stuck > 0 && own.stuck < RUNS;
    if !sticks {
        return Ok([false; 5]);
    }
    let half: Vec<(&str, f32)> = gains.iter().copied().chain([("gain", 0.5)]).collect();
    let slower = batch(&pens[0], &half)?;
    let aside = batch(&pens[1], gains)?;
    let is_front = (0.16..=0.21).contains(&own.front_m.0) && (0.31..=0.40).contains(&own.front_m.1);
    let is_slower =
        slower.stuck > 0 && slower.period_s > 1.1 * own.period_s && slower.period_s <= 4.0;
    Ok([sticks, (1.0..=1.4).contains(&own.period_s), is_front, is_slower, aside.stuck == 0])
}

/// Draws sets and counts.
///
/// # Errors
/// [`CourseError`] as [`pen::run`].
///
/// # Determinism
/// Set n is drawn from n alone.
pub fn report(sets: u64) -> Result<String, CourseError> {
    let mut pens = [pen::world("course_pen")?, pen::world("course_pen_aside")?];
    for pen in &mut pens {
        pen.robots[0].plan = tropism_world::plans::course_robot_real();
    }
    let all: Result<Vec<[bool; 5]>, CourseError> = (0..sets)
        .into_par_iter()
        .map(|n| {
            let mut draws = Seed(n).stream(Purpose::named("course.gains"), 0, 0).at(Tick(0));
            let gains = RANGES.map(|(name, lo, hi)| (name, draws.between(lo, hi)));
            points(&gains, &pens)
        })
        .collect();
    let all = all?;
    let mut text = String::from("| like the lesson in | sets |\n|---|---|\n");
    for (i, point) in POINTS.iter().enumerate() {
        let count = all.iter().filter(|p| p[i]).count();
        let _ = writeln!(text, "| {point} | {count}/{sets} |");
    }
    for least in 3..=POINTS.len() {
        let count = all.iter().filter(|p| p.iter().filter(|x| **x).count() >= least).count();
        let _ = writeln!(text, "| at least {least} of these points | {count}/{sets} |");
    }
    Ok(text)
}

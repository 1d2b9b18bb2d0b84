//! The line table: steering gain by base speed.

use core::fmt::Write as _;

use tropism_world::{Vec2, WorldSpec};

use super::drive::{CourseError, outing};
use super::pen::changed;

/// Time of a run, s.
const RUN_S: f64 = 120.0;
/// Time left out at the beginning, while the robot finds the tape, s.
const SETTLE_S: f64 = 5.0;
/// The line sensors are this far ahead of the axle, m.
const AHEAD_M: f32 = 0.06;

/// How a line was followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineRun {
    /// Mean distance of the point between the sensors from the tape's middle, mm.
    pub mean_mm: f32,
    /// Largest, mm.
    pub max_mm: f32,
    /// Flips of the turn command per second.
    pub flips_per_s: f32,
    /// Times the line was lost.
    pub losses: u32,
    /// Still following at the end.
    pub is_on: bool,
    /// Way driven, m.
    pub way_m: f32,
}

fn off_tape(world: &WorldSpec, at: Vec2) -> f32 {
    let mut nearest = f32::INFINITY;
    for tape in &world.tapes {
        for ends in tape.points.windows(2) {
            let way = ends[1] - ends[0];
            let along = tropism_core::math::unit((at - ends[0]).dot(way) / way.length_squared());
            let d = (at - (ends[0] + way * along)).length();
            nearest = if d < nearest { d } else { nearest };
        }
    }
    nearest
}

/// Runs a follower for two minutes.
///
/// # Errors
/// [`CourseError`] as [`outing`].
pub fn run(world: &WorldSpec, name: &str, changes: &[(&str, f32)]) -> Result<LineRun, CourseError> {
    let mut outing = outing(world, &changed(name, changes)?, 1)?;
    let (ticks, settle) = (world.step.ticks_in(RUN_S), world.step.ticks_in(SETTLE_S));
    let (mut sum, mut max, mut count) = (0.0_f32, 0.0_f32, 0_u32);
    let (mut flips, mut sign, mut way_m) = (0_u32, 0.0_f32, 0.0_f32);
    for tick in 0..ticks {
        outing.tick();
        let sample = outing.sample();
        way_m += sample.truth.speed_m_s.abs() * world.step.seconds();
        if tick < settle {
            continue;
        }
        let t = sample.truth;
        let at = Vec2::new(t.x_m, t.y_m) + Vec2::at_angle(t.heading_rad) * AHEAD_M;
        let off = off_tape(world, at);
        sum += off;
        max = if off > max { off } else { max };
        count += 1;
        if sample.turn.abs() > 0.02 {
            flips += u32::from(sample.turn * sign < 0.0);
            sign = sample.turn;
        }
    }
    let line = outing.mind.line();
    Ok(LineRun {
        mean_mm: 1_000.0 * sum / count.max(1) as f32,
        max_mm: 1_000.0 * max,
        flips_per_s: flips as f32 / (RUN_S - SETTLE_S) as f32,
        losses: line.map_or(0, tropism_reactive::line::LineFollower::losses),
        is_on: line.is_some_and(|l| l.state() != tropism_reactive::line::LineState::Stop),
        way_m,
    })
}

/// The table of gains and speeds on the line track.
///
/// # Errors
/// [`CourseError`] as [`run`].
pub fn report() -> Result<String, CourseError> {
    let mut text = String::from(
        "| track | follower | kp | base | mean mm | max mm | flips/s | losses | on at 120 s | \
        way m |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for (track, name) in [
        ("course_track", "line_digital"),
        ("course_track", "line_pd"),
        ("course_hard_track", "line_pd"),
    ] {
        let unknown = || CourseError::Unknown(track.to_owned());
        let world = tropism_scenario::built_in_world(track).ok_or_else(unknown)?;
        let world = world.map_err(|error| CourseError::File(error.to_string()))?;
        for kp in [0.15, 0.35, 0.6, 1.0] {
            for base in [0.3, 0.5, 0.7, 0.9] {
                let r = run(&world, name, &[("kp", kp), ("base", base)])?;
                let _ = writeln!(
                    text,
                    "| {track} | {name} | {kp} | {base} | {:.1} | {:.1} | {:.2} | {} | {} | \
                    {:.1} |",
                    r.mean_mm,
                    r.max_mm,
                    r.flips_per_s,
                    r.losses,
                    if r.is_on { "yes" } else { "no" },
                    r.way_m
                );
            }
        }
    }
    Ok(text)
}

//! Wall following at 25 cm: how much P, PD and the wall angle weave.

use core::fmt::Write as _;

use tropism_world::{RobotSpec, Segment, Start, Vec2, WorldSpec, plans};

use super::drive::{CourseError, outing};
use super::pen::changed;

/// How a straight wall was followed after a start 15 cm too far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WallRun {
    /// Standard deviation of the distance over the last 20 of 40 s, mm.
    pub weave_mm: f32,
    /// Half the range of the distance over the whole run after the first crossing, mm.
    pub swing_mm: f32,
    /// Mean distance over the last 20 s, m.
    pub mean_m: f32,
    /// Crossings of the 25 cm per second over the whole run.
    pub crossings_per_s: f32,
    /// Half the width of the weave: between the 5 % and the 95 % quantile of the distance from the
    /// first crossing on, mm.
    pub amplitude_mm: f32,
    /// Crossings in one direction per second, from the first crossing on.
    pub frequency_hz: f32,
}

/// A straight wall of 20 m on the right, the robot 40 cm from it.
pub fn straight(is_real: bool) -> WorldSpec {
    let mut spec = WorldSpec::empty("straight_wall", 20.0, 4.0);
    if let Ok(step) = tropism_core::TimeStep::new(1, 100) {
        (spec.step, spec.physics_step) = (step, step);
    }
    spec.room.segments.push(Segment {
        from: Vec2::new(0.0, 1.0),
        to: Vec2::new(20.0, 1.0),
        ..Segment::default()
    });
    spec.beacons.push(Vec2::new(19.0, 2.0));
    spec.robots.push(RobotSpec {
        name: tropism_core::Name::literal("robot"),
        plan: if is_real { plans::course_robot_real() } else { plans::course_robot() },
        start: Start::Pose { at: Vec2::new(0.5, 1.4), heading_rad: 0.0, soc: 1.0 },
    });
    spec
}

/// Runs a follower along the straight wall for 40 s.
///
/// # Errors
/// [`CourseError`] as [`outing`].
pub fn run(
    world: &WorldSpec,
    name: &str,
    changes: &[(&str, f32)],
    seed: u64,
) -> Result<WallRun, CourseError> {
    let mut outing = outing(world, &changed(name, changes)?, seed)?;
    let (mut late, mut weave) = (Vec::new(), Vec::new());
    let mut crossings = 0_u32;
    let mut before = 0.0_f32;
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    for tick in 0..4_000 {
        outing.tick();
        let distance_m = outing.sample().truth.y_m - 1.0;
        let off = distance_m - 0.25;
        crossings += u32::from(off * before < 0.0);
        before = off;
        if crossings > 0 {
            weave.push(distance_m);
            low = if distance_m < low { distance_m } else { low };
            high = if distance_m > high { distance_m } else { high };
        }
        if tick >= 2_000 {
            late.push(distance_m);
        }
    }
    let n = late.len() as f32;
    let mean_m = late.iter().sum::<f32>() / n;
    let variance = late.iter().map(|d| (d - mean_m) * (d - mean_m)).sum::<f32>() / n;
    weave.sort_by(f32::total_cmp);
    let at = |q: usize| weave.get(weave.len().saturating_sub(1) * q / 100).copied().unwrap_or(0.0);
    let weave_s = weave.len().max(1) as f32 * world.step.seconds();
    Ok(WallRun {
        amplitude_mm: 500.0 * (at(95) - at(5)),
        frequency_hz: 0.5 * crossings as f32 / weave_s,
        weave_mm: 1_000.0 * tropism_core::math::sqrt(variance),
        swing_mm: if high > low { 500.0 * (high - low) } else { 0.0 },
        mean_m,
        crossings_per_s: crossings as f32 / 40.0,
    })
}

/// The table of laws and bodies.
///
/// # Errors
/// [`CourseError`] as [`run`].
pub fn report() -> Result<String, CourseError> {
    let mut text = String::from(
        "| body | law | weave mm (sd, last 20 s) | swing mm | amplitude mm | frequency Hz | \
         mean cm | crossings/s |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for is_real in [false, true] {
        let world = straight(is_real);
        for name in ["wall_p", "wall_pd", "wall_angle"] {
            let r = run(&world, name, &[], 1)?;
            let body = if is_real { "real" } else { "perfect" };
            let _ = writeln!(
                text,
                "| {body} | {name} | {:.2} | {:.1} | {:.1} | {:.2} | {:.1} | {:.2} |",
                r.weave_mm,
                r.swing_mm,
                r.amplitude_mm,
                r.frequency_hz,
                100.0 * r.mean_m,
                r.crossings_per_s
            );
        }
    }
    Ok(text)
}

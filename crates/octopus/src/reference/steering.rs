//! Local steering around the nearest obstacle ahead.

use tropism_core::math::f64 as math;

use crate::constants::{
    ARM_CLEARANCE, BOUNDARY_STEP, GEOMETRY_TOLERANCE, LOOK_AHEAD_SEGMENTS, STEERING_MARGIN,
    WAYPOINT_MARGIN,
};
use crate::objects::Disc;
use crate::vector::{Point, clip};

/// Cosine and sine of the boundary step.
fn boundary_turn() -> Point {
    // cos 0.4 and sin 0.4, correctly rounded.
    const TURN: Point = Point::new(0.921_060_994_002_885_1, 0.389_418_342_308_650_5);
    debug_assert!(TURN.distance(Point::unit(BOUNDARY_STEP)) < 1e-15);
    TURN
}

/// Bends a goal around the obstacle that stands nearest in its way; always to the same side.
///
/// Probe: from `start` towards `goal`, at most three segment lengths. Of the obstacles closer to
/// the probe than radius + 3 + 8 px the one with the centre nearest to `start` is taken, the first
/// on equality, and the goal becomes the point 0.4 rad further around it, 5 px outside that band.
pub(super) fn steer(start: Point, goal: Point, length: f64, obstacles: &[Disc]) -> (Point, bool) {
    let look = LOOK_AHEAD_SEGMENTS * length;
    let mut probe: Option<(Point, f64)> = None;
    let mut nearest: Option<(f64, &Disc)> = None;
    for disc in obstacles {
        let offset = disc.centre - start;
        let band = disc.radius + ARM_CLEARANCE + STEERING_MARGIN;
        let from_start = offset.norm_squared();
        // The probe is no longer than `look`: what lies further off cannot be near it.
        if from_start >= (look + band) * (look + band)
            || nearest.is_some_and(|(best, _)| from_start >= best)
        {
            continue;
        }
        let (probe, inverse) = match probe {
            Some(known) => known,
            None => match probe_towards(goal - start, look) {
                Some(made) => *probe.insert(made),
                None => return (goal, false),
            },
        };
        let fraction = clip(offset.dot(probe) * inverse, 0.0, 1.0);
        let gap = offset - probe * fraction;
        if gap.norm_squared() < band * band {
            nearest = Some((from_start, disc));
        }
    }
    let Some((from_start, disc)) = nearest else {
        return (goal, false);
    };
    let outward = if from_start > 0.0 {
        (start - disc.centre) * (1.0 / math::sqrt(from_start))
    } else {
        Point::new(1.0, 0.0)
    };
    let distance = disc.radius + ARM_CLEARANCE + STEERING_MARGIN + WAYPOINT_MARGIN;
    (disc.centre + outward.turned(boundary_turn()) * distance, true)
}

/// The way to the goal or its first `look` pixels, and the inverse of its squared length; `None`
/// when there is no way to go.
fn probe_towards(way: Point, look: f64) -> Option<(Point, f64)> {
    let distance_squared = way.norm_squared();
    if distance_squared <= GEOMETRY_TOLERANCE * GEOMETRY_TOLERANCE {
        return None;
    }
    let probe = if distance_squared <= look * look {
        way
    } else {
        way * (look / math::sqrt(distance_squared))
    };
    Some((probe, 1.0 / probe.norm_squared()))
}

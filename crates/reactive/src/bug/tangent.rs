//! What `TangentBug` sees: free points at the ends of rays.

use tropism_core::math;

use crate::course::{Echo, RADIUS_M, Side};
use crate::plane::{Point, Reckoning};

/// Bearings of the rangers left, front and right, rad.
const BEARINGS: [f32; 3] = [0.25 * math::PI, 0.0, -0.25 * math::PI];
/// Rays are looked at no farther than this, m.
const SIGHT_M: f32 = 1.5;
/// A free point keeps this far from what ends the ray, m.
const MARGIN_M: f32 = 0.25;

/// Free length of a ray from the body's centre, m.
fn free_m(echo: Echo) -> f32 {
    let end = match echo {
        Echo::At(d) => RADIUS_M + d - MARGIN_M,
        Echo::Nothing => SIGHT_M,
        Echo::Unknown => 0.0,
    };
    math::clamp(end, 0.0, SIGHT_M)
}

/// The side on which the boundary should be: the way over the end of the left ray or of the right
/// one, whichever is shorter.
pub(super) fn better_side(pose: &Reckoning, goal: Point, echoes: [Echo; 3]) -> Side {
    let way = |i: usize| {
        let free = free_m(echoes[i]);
        free + pose.place(free, BEARINGS[i]).distance(goal)
    };
    if way(0) <= way(2) { Side::Right } else { Side::Left }
}

/// The free point in sight that is nearest to the goal, not on the side of the boundary.
pub(super) fn nearest_free(
    pose: &Reckoning,
    goal: Point,
    echoes: [Echo; 3],
    boundary: Side,
) -> (Point, f32) {
    let mut best = (pose.at, pose.at.distance(goal));
    for (i, bearing) in BEARINGS.into_iter().enumerate() {
        let is_boundary = (boundary == Side::Left && i == 0) || (boundary == Side::Right && i == 2);
        if is_boundary {
            continue;
        }
        let along = Point::polar(1.0, pose.heading_rad + bearing);
        let length = math::clamp(goal.minus(pose.at).dot(along), 0.0, free_m(echoes[i]));
        let point = pose.place(length, bearing);
        let distance = point.distance(goal);
        if distance < best.1 {
            best = (point, distance);
        }
    }
    best
}

/// Nearest distance to the goal of the boundary points in sight.
pub(super) fn boundary_m(pose: &Reckoning, goal: Point, echoes: [Echo; 3], boundary: Side) -> f32 {
    let mut nearest = f32::INFINITY;
    for (i, bearing) in BEARINGS.into_iter().enumerate() {
        let is_other = (boundary == Side::Left && i == 2) || (boundary == Side::Right && i == 0);
        if let Echo::At(d) = echoes[i]
            && !is_other
            && d < 0.5
        {
            let distance = pose.place(RADIUS_M + d, bearing).distance(goal);
            nearest = if distance < nearest { distance } else { nearest };
        }
    }
    nearest
}

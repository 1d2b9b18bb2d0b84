//! Following a boundary that three rays or a bumper see only in parts.
//!
//! Terms: a *trail* is the list of boundary points seen last, in the odometry frame; the boundary
//! is *abeam* when its nearest point lies at a right angle to the heading.
//!
//! What it does not do: it does not know which obstacle a point belongs to.

use tropism_core::math;

use crate::course::{Echo, RADIUS_M, Side};
use crate::plane::{Point, Reckoning};

/// Points remembered.
pub const TRAIL_POINTS: usize = 64;
/// Points nearer to the last one than this are not remembered again, m.
const SPACING_M: f32 = 0.02;
/// Echoes of the side ranger farther than this belong to something else, m.
const SIDE_REACH_M: f32 = 0.5;
/// The same for the front ranger, m.
const FRONT_REACH_M: f32 = 0.3;
/// Way backed off after a contact, m.
const BACK_OFF_M: f32 = 0.03;
/// Net turn without a new point after which the boundary counts as lost, rad.
const LOST_RAD: f32 = 8.0;

/// Boundary points seen last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trail {
    points: [Point; TRAIL_POINTS],
    len: usize,
    next: usize,
}

impl Default for Trail {
    fn default() -> Self {
        Self { points: [Point::default(); TRAIL_POINTS], len: 0, next: 0 }
    }
}

impl Trail {
    /// Forgets all points.
    pub const fn clear(&mut self) {
        (self.len, self.next) = (0, 0);
    }

    /// True without a point.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Remembers a point; the oldest one goes when there is no room. False for one too near to the
    /// one before.
    pub fn add(&mut self, point: Point) -> bool {
        let last = self.points[(self.next + TRAIL_POINTS - 1) % TRAIL_POINTS];
        if self.len > 0 && last.distance(point) < SPACING_M {
            return false;
        }
        self.points[self.next] = point;
        self.next = (self.next + 1) % TRAIL_POINTS;
        self.len = (self.len + 1).min(TRAIL_POINTS);
        true
    }

    /// The remembered point nearest to a place.
    pub fn nearest(&self, at: Point) -> Option<Point> {
        let mut best = None;
        let mut best2 = f32::INFINITY;
        for point in &self.points[..self.len] {
            let apart = point.minus(at);
            let d2 = apart.dot(apart);
            if d2 < best2 {
                (best, best2) = (Some(*point), d2);
            }
        }
        best
    }
}

/// How a boundary is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowLaw {
    /// Distance of the centre from the boundary, m.
    pub distance_m: f32,
    /// Wheel command along a straight boundary.
    pub base: f32,
    /// Turn command per rad of error.
    pub angle_gain: f32,
    /// Error in rad per metre of distance.
    pub distance_gain: f32,
}

impl FollowLaw {
    /// Keeps this distance with the usual gains.
    pub const fn at(distance_m: f32, base: f32) -> Self {
        Self { distance_m, base, angle_gain: 0.8, distance_gain: 5.0 }
    }
}

/// Keeps a boundary abeam at a distance.
///
/// Model: with the nearest remembered point at bearing β and distance d, and σ = +1 for a boundary
/// on the left, −1 on the right: ε = β − σ·π/2 + σ·clamp(k·(d − d₀), ±0.7), turn = gain·ε, and the
/// speed falls to 0 at |ε| = 1 rad. Outer corners are points like any other, so the robot rounds
/// them at its distance; inner corners are seen by the front ranger.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Follower {
    /// The points.
    pub trail: Trail,
    /// Where the boundary is.
    pub side: Side,
    back_until_m: f32,
    turned_rad: f32,
    heading_rad: f32,
}

impl Follower {
    /// Begins with what is seen now.
    pub fn begin(&mut self, side: Side, pose: &Reckoning, echoes: [Echo; 3], is_bumped: bool) {
        *self = Self { side, heading_rad: pose.heading_rad, ..Self::default() };
        self.look(pose, echoes);
        if is_bumped {
            self.touch(pose, 0.0);
        } else if self.trail.is_empty() {
            // The other side ranger saw it.
            for (echo, bearing) in echoes.into_iter().zip([0.25 * math::PI, 0.0, -0.25 * math::PI])
            {
                self.see(pose, echo, bearing, SIDE_REACH_M);
            }
        }
    }

    fn see(&mut self, pose: &Reckoning, echo: Echo, bearing_rad: f32, reach_m: f32) {
        if let Echo::At(d) = echo
            && d < reach_m
        {
            self.turned_rad = 0.0;
            self.trail.add(pose.place(RADIUS_M + d, bearing_rad));
        }
    }

    fn look(&mut self, pose: &Reckoning, [left, front, right]: [Echo; 3]) {
        let side = if self.side == Side::Left { left } else { right };
        self.see(pose, side, self.side.sign() * 0.25 * math::PI, SIDE_REACH_M);
        self.see(pose, front, 0.0, FRONT_REACH_M);
    }

    fn touch(&mut self, pose: &Reckoning, aside: f32) {
        let bearing = aside * self.side.sign();
        self.turned_rad = 0.0;
        self.trail.add(pose.place(RADIUS_M, bearing));
        self.back_until_m = pose.travelled_m + BACK_OFF_M;
    }

    /// True when the robot has turned far without seeing or touching anything.
    pub fn is_lost(&self) -> bool {
        math::abs(self.turned_rad) > LOST_RAD || self.trail.is_empty()
    }

    /// One tick; gives base and turn.
    pub fn step(
        &mut self,
        law: &FollowLaw,
        pose: &Reckoning,
        echoes: [Echo; 3],
        is_bumped: bool,
    ) -> (f32, f32) {
        self.turned_rad += math::wrap_angle(pose.heading_rad - self.heading_rad);
        self.heading_rad = pose.heading_rad;
        self.look(pose, echoes);
        if is_bumped && pose.travelled_m >= self.back_until_m {
            self.touch(pose, 0.25 * math::PI);
        }
        if pose.travelled_m < self.back_until_m {
            return (-0.6 * law.base, 0.0);
        }
        let Some(nearest) = self.trail.nearest(pose.at) else {
            return (0.5 * law.base, 0.0);
        };
        let sign = self.side.sign();
        let beta = pose.bearing_of(nearest);
        let far = law.distance_gain * (nearest.distance(pose.at) - law.distance_m);
        let abeam = math::wrap_angle(beta - sign * 0.5 * math::PI);
        let error = abeam + sign * math::clamp(far, -0.7, 0.7);
        let turn = math::clamp(law.angle_gain * error, -0.4, 0.4);
        (law.base * math::unit(1.0 - math::abs(error)), turn)
    }
}

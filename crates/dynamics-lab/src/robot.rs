//! The reference robot: a differential drive with first-order motors and eleven range rays.
//!
//! Model: ẋ = v cos θ, ẏ = v sin θ, θ̇ = (right − left)/(2b), and for each wheel's speed u: u̇ =
//! (command − u)/T; v is the mean of the wheels. Integrated by fourth-order Runge–Kutta in substeps
//! of at most 5 ms under a held command. Rays start at the centre and are measured from the rim.
//!
//! What it does not do: no slip, no noise, no collision response; a touch ends a run.
//!
//! # Source
//! The numerical prototype of the dual-dynamics reference; radius, half base, lag and speed limit
//! are its numbers.

use tropism_core::math::f64 as math;

/// Radius of the body, m.
pub const RADIUS: f64 = 0.09;
/// Half the distance between the wheels, m.
pub const HALF_BASE: f64 = 0.045;
/// Time constant of the motors, s.
pub const MOTOR_LAG: f64 = 0.06;
/// Largest wheel speed, m/s.
pub const WHEEL_MAX: f64 = 1.0;
/// Number of rays.
pub const RAYS: usize = 11;
/// Longest range, m.
pub const RANGE_MAX: f64 = 0.8;

/// A disc-shaped obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    /// Centre.
    pub x: f64,
    /// Centre.
    pub y: f64,
    /// Radius.
    pub r: f64,
}

/// Four walls around the field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walls {
    /// Left and right.
    pub x: (f64, f64),
    /// Bottom and top.
    pub y: (f64, f64),
}

/// Pose and wheel speeds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Robot {
    /// x, y, heading, left and right wheel speed.
    pub state: [f64; 5],
}

/// Bearing of a ray from the nose, rad.
pub fn bearing(ray: usize) -> f64 {
    let degrees = -100.0 + 200.0 * ray as f64 / (RAYS as f64 - 1.0);
    degrees.to_radians()
}

/// The angle wrapped by way of the unit circle.
pub fn wrap(angle: f64) -> f64 {
    math::atan2(math::sin(angle), math::cos(angle))
}

impl Robot {
    /// A robot at rest.
    pub fn at(x: f64, y: f64, heading: f64) -> Self {
        Self { state: [x, y, heading, 0.0, 0.0] }
    }

    /// Distance of the centre from a point.
    pub fn distance(&self, x: f64, y: f64) -> f64 {
        math::hypot(self.state[0] - x, self.state[1] - y)
    }

    /// Direction of a point from the nose.
    pub fn direction(&self, x: f64, y: f64) -> f64 {
        let [px, py, heading, ..] = self.state;
        wrap(math::atan2(y - py, x - px) - heading)
    }

    /// Time derivative of the state under wheel commands.
    pub fn derivative(q: &[f64; 5], left: f64, right: f64) -> [f64; 5] {
        let (v, turn) = (f64::midpoint(q[3], q[4]), (q[4] - q[3]) / (2.0 * HALF_BASE));
        [
            v * math::cos(q[2]),
            v * math::sin(q[2]),
            turn,
            (left - q[3]) / MOTOR_LAG,
            (right - q[4]) / MOTOR_LAG,
        ]
    }

    /// Moves on for `dt` seconds under mean wheel speed `v` and half difference `w`.
    pub fn step(&mut self, v: f64, w: f64, dt: f64) {
        let left = (v - w).clamp(-WHEEL_MAX, WHEEL_MAX);
        let right = (v + w).clamp(-WHEEL_MAX, WHEEL_MAX);
        let substeps = (dt / 0.005).ceil().max(1.0);
        let h = dt / substeps;
        for _ in 0..substeps as usize {
            let q = self.state;
            let moved =
                |k: &[f64; 5], h: f64| -> [f64; 5] { core::array::from_fn(|i| q[i] + h * k[i]) };
            let k1 = Self::derivative(&q, left, right);
            let k2 = Self::derivative(&moved(&k1, h / 2.0), left, right);
            let k3 = Self::derivative(&moved(&k2, h / 2.0), left, right);
            let k4 = Self::derivative(&moved(&k3, h), left, right);
            self.state = core::array::from_fn(|i| {
                q[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])
            });
        }
    }

    /// Distance from the rim along every ray, within 0 to [`RANGE_MAX`].
    pub fn ranges(&self, discs: &[Disc], walls: Option<Walls>) -> [f64; RAYS] {
        let [px, py, heading, ..] = self.state;
        core::array::from_fn(|ray| {
            let (s, c) = math::sin_cos(heading + bearing(ray));
            let mut nearest = RANGE_MAX + RADIUS;
            for disc in discs {
                let (dx, dy) = (disc.x - px, disc.y - py);
                let along = c * dx + s * dy;
                let depth = along * along - (dx * dx + dy * dy - disc.r * disc.r);
                if depth > 0.0 && along > 0.0 {
                    nearest = nearest.min(along - math::sqrt(depth));
                }
            }
            if let Some(walls) = walls {
                nearest = nearest.min(to_wall(c, px, walls.x)).min(to_wall(s, py, walls.y));
            }
            (nearest - RADIUS).clamp(0.0, RANGE_MAX)
        })
    }

    /// Distance of the rim from the nearest obstacle or wall; negative inside.
    pub fn clearance(&self, discs: &[Disc], walls: Option<Walls>) -> f64 {
        let [x, y, ..] = self.state;
        let discs = discs.iter().map(|d| math::hypot(d.x - x, d.y - y) - d.r);
        let nearest = discs.fold(f64::INFINITY, f64::min);
        let walls = walls
            .map_or(f64::INFINITY, |w| (x - w.x.0).min(w.x.1 - x).min(y - w.y.0).min(w.y.1 - y));
        nearest.min(walls) - RADIUS
    }
}

/// Distance along a ray component to the wall it points at.
fn to_wall(component: f64, position: f64, (low, high): (f64, f64)) -> f64 {
    if component > 1e-9 {
        (high - position) / component
    } else if component < -1e-9 {
        (low - position) / component
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_rays_measure_from_the_rim() {
        let robot = Robot::at(0.0, 0.0, 0.0);
        let disc = Disc { x: 0.5, y: 0.0, r: 0.1 };
        let ranges = robot.ranges(&[disc], None);
        assert!((ranges[5] - (0.4 - RADIUS)).abs() < 1e-12);
        assert!((ranges[0] - RANGE_MAX).abs() < 1e-12);
        let walls = Walls { x: (-0.3, 0.3), y: (-0.2, 0.2) };
        assert!((robot.ranges(&[], Some(walls))[5] - (0.3 - RADIUS)).abs() < 1e-12);
        assert!((robot.clearance(&[disc], Some(walls)) - (0.2 - RADIUS)).abs() < 1e-12);
    }
}

//! A rolling ball that the robot can push.
//!
//! Model: constant deceleration by friction; on contact the ball is moved out of the robot along
//! the line of centres and takes at least the robot's speed along it.
//!
//! What it does not do: the robot feels nothing; no spin, no bounce.

use crate::robot::{RADIUS, Robot};
use tropism_core::math::f64 as math;

/// Radius of the ball, m (a golf ball's).
pub const BALL_RADIUS: f64 = 0.0213;
/// Deceleration, m/s².
const FRICTION: f64 = 0.25;

/// Place and speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Place.
    pub at: (f64, f64),
    /// Speed.
    pub speed: (f64, f64),
}

impl Ball {
    /// Rolls on for `dt` seconds and bounces nowhere.
    pub fn roll(&mut self, dt: f64) {
        let speed = math::hypot(self.speed.0, self.speed.1);
        let kept = if speed > 0.0 { (speed - FRICTION * dt).max(0.0) / speed } else { 0.0 };
        self.speed = (self.speed.0 * kept, self.speed.1 * kept);
        self.at = (self.at.0 + self.speed.0 * dt, self.at.1 + self.speed.1 * dt);
    }

    /// Is pushed by the robot if they touch; tells whether they did.
    pub fn touch(&mut self, robot: &Robot) -> bool {
        let [x, y, heading, left, right] = robot.state;
        let (dx, dy) = (self.at.0 - x, self.at.1 - y);
        let (distance, reach) = (math::hypot(dx, dy), RADIUS + BALL_RADIUS);
        if distance >= reach || distance <= 0.0 {
            return false;
        }
        let (nx, ny) = (dx / distance, dy / distance);
        self.at = (x + nx * reach, y + ny * reach);
        let (s, c) = math::sin_cos(heading);
        let pushing = f64::midpoint(left, right) * (c * nx + s * ny);
        let along = self.speed.0 * nx + self.speed.1 * ny;
        let gained = (pushing - along).max(0.0);
        self.speed = (self.speed.0 + gained * nx, self.speed.1 + gained * ny);
        true
    }
}

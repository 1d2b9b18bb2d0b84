//! The two baselines of the comparison, unchanged from the prototype.
//!
//! # Source
//! E. Bicho and G. Schöner 1997 (attractor dynamics of heading direction); O. Khatib 1986
//! (potential field). Parameters are the prototype's.

use crate::course::GOAL;
use crate::driver::{Driver, Sensing};
use crate::generator::{Generator, Normal};
use crate::robot::{HALF_BASE, RADIUS, RANGE_MAX, RAYS, bearing, wrap};
use tropism_core::math::f64 as math;

const SPEED: f64 = 0.8;
const SLOW_FROM: f64 = 0.45;

/// Heading dynamics: a goal attractor and one repulsive forcelet per ray.
///
/// Model: ω = λ sin ψ + Σ μ·δ·e^(−δ²/2σ²) + noise of 0.05 rad/s, over rays with bearing −δ and
/// range d, with strength μ = β·e^(−d/γ) and width σ = atan(tan(Δ/2) + R/(R + d)).
#[derive(Debug)]
pub struct Attractor {
    speed: f64,
    dt: f64,
    noise: Generator,
    normal: Normal,
}

impl Attractor {
    /// The controller for the course with this index, which also seeds its noise.
    pub fn new(index: u32, dt: f64) -> Self {
        Self { speed: 0.0, dt, noise: Generator::new(index), normal: Normal::new() }
    }
}

/// Distance and direction of the goal.
fn goal(sensing: &Sensing) -> (f64, f64) {
    let [x, y, heading, ..] = sensing.robot.state;
    let direction = wrap(math::atan2(GOAL.1 - y, GOAL.0 - x) - heading);
    (sensing.robot.distance(GOAL.0, GOAL.1), direction)
}

/// First-order speed filter with rate 8/s.
fn follow(speed: &mut f64, wanted: f64, dt: f64) -> f64 {
    *speed += (1.0 - math::exp(-8.0 * dt)) * (wanted - *speed);
    *speed
}

impl Driver for Attractor {
    fn drive(&mut self, sensing: &Sensing) -> (f64, f64) {
        let ranges = sensing.ranges.unwrap_or([RANGE_MAX; RAYS]);
        let (distance, direction) = goal(sensing);
        let between = bearing(1) - bearing(0);
        let half = between / 2.0;
        let mut force = 0.0;
        for (ray, range) in ranges.iter().enumerate() {
            if *range < RANGE_MAX - 1e-9 {
                let angle = bearing(ray);
                let strength = 14.0 * math::exp(-range / 0.12);
                let tangent = math::sin(half) / math::cos(half);
                let width = math::atan2(tangent + RADIUS / (RADIUS + range), 1.0);
                force += strength * -angle * math::exp(-angle * angle / (2.0 * width * width));
            }
        }
        let noise = 0.05 * self.normal.draw(&mut self.noise);
        let turn = 2.2 * math::sin(direction) + force + noise;
        let front = (0..RAYS).filter(|r| bearing(*r).abs() < 0.75).map(|r| ranges[r]);
        let front = front.fold(f64::INFINITY, f64::min);
        let by_obstacle = SPEED * ((front - 0.03) / 0.30).clamp(0.08, 1.0);
        let by_goal =
            SPEED * (distance / SLOW_FROM).clamp(0.0, 1.0) * math::cos(direction).max(0.1);
        let v = follow(&mut self.speed, by_obstacle.min(by_goal), self.dt);
        (v, (turn * HALF_BASE).clamp(-0.30, 0.30))
    }
}

/// Potential field: a unit pull to the goal and a repulsion from every ray below 0.32 m.
#[derive(Debug)]
pub struct Potential {
    speed: f64,
    dt: f64,
}

impl Potential {
    /// A controller at rest.
    pub const fn new(dt: f64) -> Self {
        Self { speed: 0.0, dt }
    }
}

impl Driver for Potential {
    fn drive(&mut self, sensing: &Sensing) -> (f64, f64) {
        let ranges = sensing.ranges.unwrap_or([RANGE_MAX; RAYS]);
        let (distance, direction) = goal(sensing);
        let (sine, cosine) = math::sin_cos(direction);
        let near = (distance / 0.2).min(1.0);
        let (mut fx, mut fy) = (cosine * near, sine * near);
        let (reach, strength) = (0.32, 0.012);
        for (ray, range) in ranges.iter().enumerate() {
            if *range < reach {
                let range = range.max(0.02);
                let push = strength * (1.0 / range - 1.0 / reach) / range;
                let (s, c) = math::sin_cos(bearing(ray));
                fx -= push * c;
                fy -= push * s;
            }
        }
        let (angle, size) = (math::atan2(fy, fx), math::hypot(fx, fy).min(1.0));
        let slow = (distance / SLOW_FROM).clamp(0.0, 1.0);
        let wanted = SPEED * size * math::cos(angle).max(0.0) * slow;
        let v = follow(&mut self.speed, wanted, self.dt);
        (v, (0.12 * (angle / 0.6).clamp(-1.0, 1.0)).clamp(-0.3, 0.3))
    }
}

//! Retreat: a step that takes the arm's segments out of circles, each arm by itself.
//!
//! Every joint point inside a zone widened by its margin is pushed outward with a force that
//! grows with depth; the joints turn along the resulting torques, the strongest at the allowed
//! share of full speed. A step that would bring any segment closer to an obstacle is halved, at
//! most five times.
//!
//! Symbols: point `p_i`, zone centre c, radius R, margin m, force
//! `f_i` = (`p_i` − c)/|`p_i` − c| · min(1, (R + m − |`p_i` − c|)/m), torque
//! `τ_j` = Σ_{i ≥ j} (`p_i` − `p_{j−1}`) × `f_i`, `Δα_j` = share · w dt · `τ_j` / max |τ|.
//!
//! What it does not do: the base stays where it is, also inside a hazard.

use alloc::vec::Vec;

use crate::arm::{Arm, Pose};
use crate::constants::ARM_CLEARANCE;
use crate::law::Surroundings;
use crate::objects::Disc;
use crate::reference::{Guard, Rule};
use crate::vector::{Point, clip, wrap};

/// What an arm is to get away from.
#[derive(Clone, Copy, Debug)]
pub struct Urge<'a> {
    /// The circles.
    pub zones: &'a [Disc],
    /// Distance to their rims at which the urge ends, px.
    pub margin: f64,
    /// Share of full turning speed, 0..=1.
    pub share: f64,
}

/// Scratch for retreat steps.
#[derive(Debug)]
pub(crate) struct Retreat {
    forces: Vec<Point>,
    torques: Vec<f64>,
    guard: Guard,
}

/// Halvings tried before a retreat step is given up.
const HALVINGS: u32 = 5;

impl Retreat {
    pub(crate) fn new(segments: usize, obstacles: usize) -> Self {
        let mut guard = Guard::default();
        guard.reserve(segments, obstacles);
        Self {
            forces: alloc::vec![Point::default(); segments],
            torques: alloc::vec![0.0; segments],
            guard,
        }
    }

    pub(crate) fn reserve(&mut self, segments: usize, obstacles: usize) {
        self.forces.resize(segments, Point::default());
        self.torques.resize(segments, 0.0);
        self.guard.reserve(segments, obstacles);
    }

    /// Writes the next pose; false when nothing pushes or every way is barred.
    pub(crate) fn propose(
        &mut self,
        arm: &Arm,
        urge: &Urge<'_>,
        around: &Surroundings<'_>,
        next: &mut Pose,
    ) -> bool {
        let Some(depth) = self.push(arm, urge) else {
            return false;
        };
        let parameters = arm.parameters();
        let most = parameters.turning_speed() * around.dt * urge.share * depth.max(0.05);
        let rule = Rule { clearance: ARM_CLEARANCE, spacing: 1.0, is_padded: false };
        let mut scale = most;
        for _ in 0..=HALVINGS {
            self.step(arm, scale, next);
            let poses = (arm.pose(), &*next);
            if self.guard.accepts(poses, parameters.segment_length(), around.obstacles, rule) {
                return true;
            }
            scale *= 0.5;
        }
        false
    }

    /// Torques, the strongest scaled to 1, and the greatest depth in shares of the margin.
    fn push(&mut self, arm: &Arm, urge: &Urge<'_>) -> Option<f64> {
        let pose = arm.pose();
        let mut depth_most = 0.0_f64;
        for (i, force) in self.forces.iter_mut().enumerate() {
            *force = Point::default();
            for zone in urge.zones.iter().filter(|z| i >= z.first_segment) {
                // Judged at the segment's closest point, applied at its end.
                let near = crate::vector::closest_on_segment(
                    pose.points[i],
                    pose.points[i + 1],
                    zone.centre,
                );
                let out = near - zone.centre;
                let apart = out.norm();
                let depth = (zone.radius + urge.margin - apart) / urge.margin;
                if depth <= 0.0 {
                    continue;
                }
                let direction = if apart > 1e-9 {
                    out * (1.0 / apart)
                } else {
                    Point::unit(pose.headings[i]).quarter_turned()
                };
                depth_most = depth_most.max(depth);
                *force = *force + direction * depth.min(4.0);
            }
        }
        if depth_most <= 0.0 {
            return None;
        }
        let limit = arm.parameters().maximum_bend();
        let mut strongest = 0.0_f64;
        // Σ f and Σ p × f of the points further out, from the tip inward.
        let (mut sum, mut moment) = (Point::default(), 0.0);
        for j in (0..self.torques.len()).rev() {
            let (p, f) = (pose.points[j + 1], self.forces[j]);
            sum = sum + f;
            moment += p.x * f.y - p.y * f.x;
            let pivot = pose.points[j];
            let mut torque = moment - (pivot.x * sum.y - pivot.y * sum.x);
            let bend = pose.angles[j];
            if j > 0 && ((bend >= limit && torque > 0.0) || (bend <= -limit && torque < 0.0)) {
                torque = 0.0;
            }
            self.torques[j] = torque;
            strongest = strongest.max(torque.abs());
        }
        if strongest <= 0.0 {
            return None;
        }
        self.torques.iter_mut().for_each(|t| *t *= 1.0 / strongest);
        Some(depth_most.min(1.0))
    }

    fn step(&self, arm: &Arm, scale: f64, next: &mut Pose) {
        let limit = arm.parameters().maximum_bend();
        for (i, (angle, torque)) in arm.pose().angles.iter().zip(&self.torques).enumerate() {
            let turned = angle + scale * torque;
            next.angles[i] = if i == 0 { wrap(turned) } else { clip(turned, -limit, limit) };
        }
        next.rebuild(arm.base(), arm.parameters().segment_length());
    }
}

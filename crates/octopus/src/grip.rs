//! Rigid attachment of food to a segment, and the sweep of a payload.

use crate::arm::Pose;
use crate::constants::{GEOMETRY_TOLERANCE, SWEEP_TRAVEL};
use crate::objects::{Disc, ObjectId};
use crate::reference::{Guard, sample_count};
use crate::vector::Point;

/// Food attached to a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grip {
    /// The held food.
    pub object: ObjectId,
    /// The segment it is attached to, 0 at the base.
    pub segment: usize,
    /// Centre seen from the segment's end: along the segment, and a quarter turn from it, px.
    pub offset: Point,
}

impl Grip {
    /// Attaches food at `centre` to a segment as it lies now.
    pub(crate) fn attach(pose: &Pose, object: ObjectId, segment: usize, centre: Point) -> Self {
        let end = pose.points[segment + 1];
        let offset = (centre - end).turned_back(direction(pose, segment));
        Self { object, segment, offset }
    }

    /// Where the food's centre is in a pose.
    pub fn centre(&self, pose: &Pose) -> Point {
        pose.points[self.segment + 1] + self.offset.turned(direction(pose, self.segment))
    }

    /// True when the held food, of this radius, can go along from one pose to the next.
    ///
    /// With `is_padded` the rule of the public model's swept guard applied to the food's centre:
    /// travel T = L Σ |Δθ| + |o| |Δθ| of its segment, samples at the middle of M = ⌈T/2⌉ equal
    /// parts, and dist − T/(2M) ≥ min(r + R, old distance) − 1e-8 at each. Without, samples at the
    /// ends of ⌈T⌉ parts and no T/(2M): a payload that touches may then leave.
    pub(crate) fn passes(
        &self,
        (old, new): (&Pose, &Pose),
        length: f64,
        radius: f64,
        (obstacles, is_padded): (&[Disc], bool),
        guard: &mut Guard,
    ) -> bool {
        if obstacles.is_empty() {
            return true;
        }
        guard.measure(old, new, length);
        let arm_turn = guard.turn(self.segment).abs();
        let travel = guard.travel(self.segment) + self.offset.norm() * arm_turn;
        let spacing = if is_padded { SWEEP_TRAVEL } else { 0.5 * SWEEP_TRAVEL };
        let samples = sample_count(travel, spacing);
        let (first, padding) =
            if is_padded { (0.5, travel * 0.5 / samples as f64) } else { (1.0, 0.0) };
        let before = self.centre(old);
        for disc in obstacles.iter().filter(|d| d.first_segment == 0) {
            let apart = before.distance(disc.centre);
            let touch = radius + disc.radius;
            if apart >= touch + travel + 1e-6 {
                continue;
            }
            let least = touch.min(apart) - GEOMETRY_TOLERANCE;
            for sample in 0..samples {
                let fraction = (sample as f64 + first) / samples as f64;
                let centre = self.centre_between(old, length, fraction, guard);
                if centre.distance(disc.centre) - padding < least {
                    return false;
                }
            }
        }
        true
    }

    fn centre_between(&self, old: &Pose, length: f64, fraction: f64, guard: &Guard) -> Point {
        let mut at = old.points[0];
        let mut direction = Point::new(1.0, 0.0);
        for i in 0..=self.segment {
            direction = Point::unit(old.headings[i] + fraction * guard.turn(i));
            at = at + direction * length;
        }
        at + self.offset.turned(direction)
    }
}

/// Unit vector along a segment.
fn direction(pose: &Pose, segment: usize) -> Point {
    let along = pose.points[segment + 1] - pose.points[segment];
    let length = along.norm();
    if length > 0.0 { along * (1.0 / length) } else { Point::new(1.0, 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arm::{Arm, ArmParameters};

    #[test]
    fn unit_a_grip_keeps_its_place_on_the_segment() {
        let parameters = ArmParameters::default();
        let mut arm = Arm::new(Point::new(5.0, 5.0), 0.3, parameters);
        let food = Point::new(100.0, 60.0);
        let grip = Grip::attach(arm.pose(), ObjectId(1), 7, food);
        assert!(grip.centre(arm.pose()).distance(food) < 1e-12);
        let apart = food.distance(arm.pose().points[8]);
        assert!(arm.set_angles(&[0.1; 20]));
        let centre = grip.centre(arm.pose());
        assert!((centre.distance(arm.pose().points[8]) - apart).abs() < 1e-12);
    }

    #[test]
    fn unit_a_payload_is_stopped_by_an_obstacle_in_its_way_only() {
        let arm = Arm::new(Point::default(), 0.0, ArmParameters::default());
        let grip = Grip::attach(arm.pose(), ObjectId(1), 19, arm.tip());
        let mut next = arm.pose().clone();
        next.angles[0] += 0.1;
        next.rebuild(Point::default(), 12.0);
        let mut guard = Guard::default();
        guard.reserve(20, 1);
        let at = |centre| [Disc { centre, radius: 8.0, first_segment: 0 }];
        let poses = (arm.pose(), &next);
        let ahead = at(next.tip() + (next.tip() - arm.tip()) * 0.5);
        for is_padded in [true, false] {
            assert!(!grip.passes(poses, 12.0, 10.0, (&ahead, is_padded), &mut guard));
        }
        let far = at(next.tip() + Point::new(200.0, 0.0));
        assert!(grip.passes(poses, 12.0, 10.0, (&far, true), &mut guard));
    }
}

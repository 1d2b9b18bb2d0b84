//! Keeping arms apart from each other and from themselves.
//!
//! A movement is taken up to the largest of 1, 1/2 and 1/4 of its length at which no segment comes
//! closer than the separation to a segment of another arm, or to one of its own that is not a
//! neighbour; pairs that are closer already must not come closer. The body is kept out of by a
//! disc among the obstacles, see `Octopus`.
//!
//! What it does not do: it plans nothing; two arms that want through each other stay apart and
//! blocked until one of them is told otherwise.

use crate::arm::{Arm, Pose};
use crate::contact::bounds;
use crate::controlled::ControlledArm;
use crate::reference::sample_count;
use crate::vector::{Point, segment_distance, wrap};

/// Which separations are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparationSettings {
    /// Between segments of different arms.
    pub arms: bool,
    /// Between segments of one arm with at least two others between them.
    pub own: bool,
    /// Between the body's disc and every segment but an arm's first.
    pub body: bool,
    /// Least distance between segments, px.
    pub distance: f64,
}

impl Default for SeparationSettings {
    /// Everything off; 4 px.
    fn default() -> Self {
        Self { arms: false, own: false, body: false, distance: 4.0 }
    }
}

/// The other arms of one tick.
#[derive(Debug)]
pub(crate) struct Separation<'a> {
    pub(crate) settings: SeparationSettings,
    pub(crate) others: [&'a [ControlledArm]; 2],
}

impl Separation<'_> {
    /// Shortens `next` as far as needed; false when even a quarter of the way is barred.
    pub(crate) fn accepts(&self, arm: &Arm, next: &mut Pose) -> bool {
        if !(self.settings.arms || self.settings.own) {
            return true;
        }
        for _ in 0..3 {
            if self.is_clear(arm.pose(), next) {
                return true;
            }
            let old = arm.pose();
            for (i, (to, from)) in next.angles.iter_mut().zip(&old.angles).enumerate() {
                let change = *to - from;
                *to = from + 0.5 * if i == 0 { wrap(change) } else { change };
            }
            next.angles[0] = wrap(next.angles[0]);
            next.rebuild(arm.base(), arm.parameters().segment_length());
        }
        false
    }

    /// Checks the straight ways of all joint points between two poses.
    fn is_clear(&self, old: &Pose, new: &Pose) -> bool {
        let way = |(a, b): (&Point, &Point)| a.distance(*b);
        let travel = old.points.iter().zip(&new.points).map(way).fold(0.0, f64::max);
        let samples = sample_count(travel, 0.5 * self.settings.distance);
        let (low, high) = (bounds(old), bounds(new));
        let low_corner = Point::new(low.0.x.min(high.0.x), low.0.y.min(high.0.y));
        let high_corner = Point::new(low.1.x.max(high.1.x), low.1.y.max(high.1.y));
        let near = |other: &ControlledArm| {
            let (a, b) = bounds(&other.arm.pose);
            let d = self.settings.distance;
            a.x - d <= high_corner.x
                && b.x + d >= low_corner.x
                && a.y - d <= high_corner.y
                && b.y + d >= low_corner.y
        };
        (1..=samples).all(|k| {
            let fraction = k as f64 / samples as f64;
            let at = |i: usize| old.points[i] + (new.points[i] - old.points[i]) * fraction;
            let others = self.others.iter().flat_map(|arms| arms.iter());
            let keeps_apart = !self.settings.arms
                || others.filter(|o| near(o)).all(|o| self.pair_is_clear(old, &o.arm.pose, &at));
            keeps_apart && (!self.settings.own || self.own_is_clear(old, &at))
        })
    }

    fn pair_is_clear(&self, old: &Pose, other: &Pose, at: &impl Fn(usize) -> Point) -> bool {
        (0..old.segments()).all(|i| {
            let (start, end) = (at(i), at(i + 1));
            other.points.windows(2).all(|ends| {
                self.keeps((start, end), (ends[0], ends[1]), || {
                    between(old.points[i], old.points[i + 1], ends[0], ends[1])
                })
            })
        })
    }

    fn own_is_clear(&self, old: &Pose, at: &impl Fn(usize) -> Point) -> bool {
        (0..old.segments()).all(|i| {
            (i + 3..old.segments()).all(|j| {
                self.keeps((at(i), at(i + 1)), (at(j), at(j + 1)), || {
                    let p = &old.points;
                    between(p[i], p[i + 1], p[j], p[j + 1])
                })
            })
        })
    }

    /// True when two segments are far enough apart, or no closer than they were.
    fn keeps(&self, a: (Point, Point), b: (Point, Point), before: impl Fn() -> f64) -> bool {
        let least = self.settings.distance;
        let middles = (a.0 + a.1 - b.0 - b.1).norm() * 0.5;
        let half_lengths = (a.0.distance(a.1) + b.0.distance(b.1)) * 0.5;
        if middles >= least + half_lengths {
            return true;
        }
        let now = between(a.0, a.1, b.0, b.1);
        now >= least || now >= before() - 1e-9
    }
}

/// Distance between two closed segments, 0 when they cross.
pub fn between(a: Point, b: Point, c: Point, d: Point) -> f64 {
    let side = |p: Point, q: Point, r: Point| {
        let (u, v) = (q - p, r - p);
        u.x * v.y - u.y * v.x
    };
    let crosses = side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0;
    if crosses {
        return 0.0;
    }
    let one = segment_distance(a, b, c).min(segment_distance(a, b, d));
    one.min(segment_distance(c, d, a)).min(segment_distance(c, d, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_distance_between_segments() {
        let p = Point::new;
        assert!(between(p(0.0, 0.0), p(10.0, 0.0), p(5.0, -5.0), p(5.0, 5.0)) < 1e-12);
        let apart = between(p(0.0, 0.0), p(10.0, 0.0), p(0.0, 3.0), p(10.0, 4.0));
        assert!((apart - 3.0).abs() < 1e-12);
        let apart = between(p(0.0, 0.0), p(10.0, 0.0), p(13.0, 4.0), p(20.0, 4.0));
        assert!((apart - 5.0).abs() < 1e-12);
    }
}

//! Kinematics and collision of a planned pose.
//!
//! Terms: the *effector* is what is brought to the goal: the tip, or the centre of held food; the
//! *margin* of a pose is its least distance from a rim beyond the clearance; *work* counts poses
//! looked at, the unit in which planning is bounded.

use tropism_core::math::f64 as math;

use crate::law::Payload;
use crate::objects::Disc;
use crate::vector::{Point, closest_on_segment, wrap};

/// Distance beyond touching that planning keeps between held food and obstacles, px.
const PAYLOAD_CLEARANCE: f64 = 1.0;
/// Planned movements are looked at at least this often along a segment's travel, px.
const LOOK_SPACING: f64 = 3.0;

/// What is brought to the goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Effector {
    /// Segment it belongs to.
    pub(super) segment: usize,
    /// Place seen from that segment's end.
    pub(super) offset: Point,
    /// Radius of the held food; 0 for the tip.
    pub(super) radius: f64,
}

impl Effector {
    pub(super) fn new(segments: usize, payload: Option<&Payload>) -> Self {
        match payload {
            Some(p) => Self { segment: p.grip.segment, offset: p.grip.offset, radius: p.radius },
            None => Self { segment: segments - 1, offset: Point::default(), radius: 0.0 },
        }
    }
}

/// A chain among obstacles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain<'a> {
    pub(super) base: Point,
    pub(super) length: f64,
    pub(super) limit: f64,
    pub(super) discs: &'a [Disc],
    pub(super) clearance: f64,
    pub(super) effector: Effector,
}

/// Sine and cosine good to 1e-11 for bends up to 1.1 rad; the exact ones beyond.
#[inline]
pub(super) fn quick_unit(x: f64) -> Point {
    if !(-1.1..=1.1).contains(&x) {
        return Point::unit(x);
    }
    let s = x * x;
    let sine = x
        * (1.0
            + s * (-1.0 / 6.0
                + s * (1.0 / 120.0
                    + s * (-1.0 / 5040.0
                        + s * (1.0 / 362_880.0
                            + s * (-1.0 / 39_916_800.0 + s * (1.0 / 6_227_020_800.0)))))));
    let cosine = 1.0
        + s * (-0.5
            + s * (1.0 / 24.0
                + s * (-1.0 / 720.0
                    + s * (1.0 / 40320.0 + s * (-1.0 / 3_628_800.0 + s * (1.0 / 479_001_600.0))))));
    Point::new(cosine, sine)
}

impl Chain<'_> {
    /// Joint points of a pose.
    pub(super) fn points(&self, angles: &[f64], out: &mut [Point]) {
        let mut at = self.base;
        let mut direction = Point::unit(angles[0]);
        out[0] = at;
        for (i, angle) in angles.iter().enumerate() {
            if i > 0 {
                direction = direction.turned(quick_unit(*angle));
            }
            at = at + direction * self.length;
            out[i + 1] = at;
        }
    }

    /// Where the effector is.
    pub(super) fn effector_at(&self, points: &[Point]) -> Point {
        let end = points[self.effector.segment + 1];
        let direction = (end - points[self.effector.segment]) * (1.0 / self.length);
        end + self.effector.offset.turned(direction)
    }

    /// Least distance beyond the clearance, px; negative in collision.
    pub(super) fn margin(&self, points: &[Point]) -> f64 {
        let mut least = f64::INFINITY;
        for (i, ends) in points.windows(2).enumerate() {
            let middle = (ends[0] + ends[1]) * 0.5;
            for disc in self.discs.iter().filter(|d| i >= d.first_segment) {
                let keep = disc.radius + self.clearance;
                let bound = least + keep + 0.5 * self.length;
                let offset = disc.centre - middle;
                if bound > 0.0 && offset.norm_squared() >= bound * bound {
                    continue;
                }
                let near = closest_on_segment(ends[0], ends[1], disc.centre);
                least = least.min(near.distance(disc.centre) - keep);
            }
        }
        least.min(self.payload_margin(points))
    }

    fn payload_margin(&self, points: &[Point]) -> f64 {
        if self.effector.radius <= 0.0 {
            return f64::INFINITY;
        }
        let centre = self.effector_at(points);
        let keep = self.effector.radius + PAYLOAD_CLEARANCE;
        let discs = self.discs.iter().filter(|d| d.first_segment == 0);
        discs.map(|d| centre.distance(d.centre) - d.radius - keep).fold(f64::INFINITY, f64::min)
    }

    /// Fraction of the movement that can be made from this pose without looking; negative in
    /// collision.
    fn free_fraction(&self, points: &[Point], travel: &[f64]) -> f64 {
        let mut fraction = 1.0_f64;
        let half = 0.5 * self.length;
        for (i, ends) in points.windows(2).enumerate() {
            let middle = (ends[0] + ends[1]) * 0.5;
            let far = fraction * travel[i] + self.clearance + half;
            for disc in self.discs {
                let offset = disc.centre - middle;
                let bound = far + disc.radius;
                if offset.norm_squared() >= bound * bound || i < disc.first_segment {
                    continue;
                }
                let near = closest_on_segment(ends[0], ends[1], disc.centre);
                let margin = near.distance(disc.centre) - disc.radius - self.clearance;
                if margin < 0.0 {
                    return -1.0;
                }
                fraction = fraction.min(margin.max(LOOK_SPACING) / travel[i].max(1e-9));
            }
        }
        if self.effector.radius > 0.0 {
            let margin = self.payload_margin(points);
            if margin < 0.0 {
                return -1.0;
            }
            let reach = self.effector.offset.norm() / self.length + 1.0;
            let way = travel[self.effector.segment].max(1e-9) * reach;
            fraction = fraction.min(margin.max(LOOK_SPACING) / way);
        }
        fraction
    }
}

/// Change of each angle from one pose to another; the base the short way round.
pub(super) fn changes(from: &[f64], to: &[f64], out: &mut [f64]) {
    for (i, ((a, b), change)) in from.iter().zip(to).zip(out).enumerate() {
        *change = if i == 0 { wrap(b - a) } else { b - a };
    }
}

/// Largest change of a joint, the time of a movement in rad.
pub(super) fn largest(changes: &[f64]) -> f64 {
    changes.iter().fold(0.0, |most: f64, c| most.max(c.abs()))
}

/// Buffers of one size for planning.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) points: alloc::vec::Vec<Point>,
    pub(super) angles: alloc::vec::Vec<f64>,
    pub(super) change: alloc::vec::Vec<f64>,
    pub(super) travel: alloc::vec::Vec<f64>,
}

impl Scratch {
    pub(super) fn resize(&mut self, segments: usize) {
        self.points.resize(segments + 1, Point::default());
        self.angles.resize(segments, 0.0);
        self.change.resize(segments, 0.0);
        self.travel.resize(segments, 0.0);
    }
}

/// Fraction of the straight movement from a free pose that stays free, found in at most
/// `looks` poses; 1 when all of it does.
pub(super) fn free_part(
    chain: &Chain<'_>,
    (from, to): (&[f64], &[f64]),
    scratch: &mut Scratch,
    looks: u32,
    work: &mut u32,
) -> f64 {
    changes(from, to, &mut scratch.change);
    let (mut turn, mut swept) = (0.0, 0.0);
    for (change, travel) in scratch.change.iter().zip(&mut scratch.travel) {
        turn += change;
        swept += math::sqrt(turn * turn);
        *travel = chain.length * swept;
    }
    let mut done = 0.0;
    let mut known_free = 0.0;
    for look in 0..looks {
        let each = from.iter().zip(&scratch.change).zip(&mut scratch.angles);
        each.for_each(|((a, change), angle)| *angle = a + done * change);
        chain.points(&scratch.angles, &mut scratch.points);
        *work += 1;
        let mut free = chain.free_fraction(&scratch.points, &scratch.travel);
        if free < 0.0 {
            if look > 0 {
                return known_free;
            }
            // The start counts as free even where it is not.
            free = LOOK_SPACING / scratch.travel[scratch.travel.len() - 1].max(1e-9);
        }
        known_free = done;
        if done >= 1.0 {
            return 1.0;
        }
        done = (done + free).min(1.0);
    }
    known_free
}

//! The swept guard: is the way between two poses free?
//!
//! With `Δθ` the change of heading, `T_i` = L Σ |Δθ| up to segment i bounds the travel of every
//! point of the segment. M = max(1, ⌈`T_N`/2⌉) poses at the middle of equal parts are looked at,
//! and each segment must keep `dist − T_i/(2M)` ≥ min(R + 3, old distance) − 1e-8.
//!
//! A pair of segment and obstacle with old distance ≥ R + 3 + `T_i` satisfies that at every
//! sample, so only the other, *near* pairs are sampled. The verdict is the same.

use alloc::vec::Vec;

use crate::arm::Pose;
use crate::constants::{ARM_CLEARANCE, GEOMETRY_TOLERANCE, SWEEP_TRAVEL};
use crate::objects::Disc;
use crate::vector::{Point, segment_distance, wrap};

/// What a movement must keep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// Distance from an obstacle's rim, px; a pair that starts closer must not come closer.
    pub(crate) clearance: f64,
    /// Most travel between two samples, px.
    pub(crate) spacing: f64,
    /// True: samples at the middle of the parts, and what may be travelled in half a part is
    /// taken off. False: samples at the end of the parts, as measured; the way between two
    /// samples can dip by half the spacing at most.
    pub(crate) is_padded: bool,
}

impl Rule {
    /// The rule of the public model.
    pub(crate) const REFERENCE: Self =
        Self { clearance: ARM_CLEARANCE, spacing: SWEEP_TRAVEL, is_padded: true };
}

/// A pair that may fail.
#[derive(Clone, Copy, Debug, Default)]
struct Near {
    segment: usize,
    centre: Point,
    least: f64,
}

/// Scratch of the swept guard, and the steered goals of the tick.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    /// Steered goal per segment.
    pub(crate) goals: Vec<Point>,
    /// Change of heading per segment.
    turns: Vec<f64>,
    /// Bound on the travel per segment, px.
    travel: Vec<f64>,
    /// Direction of each segment at the current sample, and its turn per sample.
    directions: Vec<(Point, Point)>,
    near: Vec<Near>,
}

impl Guard {
    pub(crate) fn reserve(&mut self, segments: usize, obstacles: usize) {
        self.goals.resize(segments, Point::default());
        self.turns.resize(segments, 0.0);
        self.travel.resize(segments, 0.0);
        self.directions.resize(segments, (Point::default(), Point::default()));
        self.near.clear();
        self.near.reserve(segments * obstacles);
    }

    /// Fills `turns` and `travel` for the change from one pose to another.
    pub(crate) fn measure(&mut self, old: &Pose, new: &Pose, length: f64) {
        let mut turn = 0.0;
        let mut swept = 0.0;
        for (i, (a, b)) in old.angles.iter().zip(&new.angles).enumerate() {
            let change = b - a;
            turn += if i == 0 { wrap(change) } else { change };
            swept += turn.abs();
            self.turns[i] = turn;
            self.travel[i] = length * swept;
        }
    }

    /// Change of heading of a segment in the last measured movement, rad.
    pub(crate) fn turn(&self, segment: usize) -> f64 {
        self.turns[segment]
    }

    /// Bound on the travel of a segment in the last measured movement, px.
    pub(crate) fn travel(&self, segment: usize) -> f64 {
        self.travel[segment]
    }

    /// Applies the rule of the module to the movement from `old` to `new`.
    pub(crate) fn accepts(
        &mut self,
        (old, new): (&Pose, &Pose),
        length: f64,
        all: &[Disc],
        rule: Rule,
    ) -> bool {
        if all.is_empty() {
            return true;
        }
        self.measure(old, new, length);
        self.find_near(old, length, all, rule.clearance);
        let Some(last) = self.near.last().map(|near| near.segment) else {
            return true;
        };
        let total = self.travel[self.travel.len() - 1];
        let samples = sample_count(total, rule.spacing);
        let (first, padding) =
            if rule.is_padded { (0.5, 0.5 / samples as f64) } else { (1.0, 0.0) };
        self.prepare(old, last, samples, first);
        let points = Walk::new(old.points[0], length);
        for sample in 0..samples {
            if sample > 0 {
                for (direction, step) in &mut self.directions[..=last] {
                    *direction = direction.turned(*step);
                }
            }
            if !self.sample_is_clear(&points, padding) {
                return false;
            }
        }
        true
    }

    /// Collects the near pairs, by segment.
    fn find_near(&mut self, old: &Pose, length: f64, all: &[Disc], clearance: f64) {
        self.near.clear();
        for (segment, ends) in old.points.windows(2).enumerate() {
            let middle = (ends[0] + ends[1]) * 0.5;
            let slack = self.travel[segment] + clearance + 1e-6;
            for disc in all {
                let bound = disc.radius + slack + 0.5 * length;
                let apart = (disc.centre - middle).norm_squared();
                if apart >= bound * bound || segment < disc.first_segment {
                    continue;
                }
                let distance = segment_distance(ends[0], ends[1], disc.centre);
                if distance < disc.radius + slack {
                    let least = (disc.radius + clearance).min(distance);
                    self.near.push(Near { segment, centre: disc.centre, least });
                }
            }
        }
    }

    /// Directions at the first sample and the turn from one sample to the next.
    fn prepare(&mut self, old: &Pose, last: usize, samples: usize, first: f64) {
        let part = 1.0 / samples as f64;
        for i in 0..=last {
            let start = Point::unit(old.headings[i] + self.turns[i] * first * part);
            let step =
                if samples > 1 { Point::unit(self.turns[i] * part) } else { Point::new(1.0, 0.0) };
            self.directions[i] = (start, step);
        }
    }

    fn sample_is_clear(&self, walk: &Walk, padding: f64) -> bool {
        let mut walked = 0;
        let mut start = walk.base;
        let mut end = walk.base;
        for near in &self.near {
            while walked <= near.segment {
                start = end;
                end = start + self.directions[walked].0 * walk.length;
                walked += 1;
            }
            let distance = segment_distance(start, end, near.centre);
            let padded = distance - self.travel[near.segment] * padding;
            if padded < near.least - GEOMETRY_TOLERANCE {
                return false;
            }
        }
        true
    }
}

/// Where a sampled pose starts and how long its segments are.
struct Walk {
    base: Point,
    length: f64,
}

impl Walk {
    const fn new(base: Point, length: f64) -> Self {
        Self { base, length }
    }
}

/// Samples for a movement in which nothing travels further than `travel` px.
pub(crate) fn sample_count(travel: f64, spacing: f64) -> usize {
    let count = tropism_core::math::f64::floor(-travel / spacing);
    // ⌈x⌉ = −⌊−x⌋; the cast saturates.
    ((-count) as usize).max(1)
}

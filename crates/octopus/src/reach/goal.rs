//! Goal poses: within the bend limits, effector at the goal, clear of obstacles.
//!
//! Each iteration linearises two kinds of wishes at the present pose and solves them together by
//! projected Gauss–Seidel: the effector's remaining way as a damped 2 × 2 block, and for the
//! segments that are too close to an obstacle a push along the normal. A joint at its limit takes
//! no further share (damped least squares after Wampler 1986, projection after Baerlocher and
//! Boulic 2004; ours differs by the single combined sweep).
//!
//! What it does not do: it knows no way to the pose it finds.

use alloc::vec::Vec;

use super::chain::{Chain, Scratch};
use crate::vector::{Point, clip, closest_on_segment, wrap};

/// Most contacts treated in one iteration.
const CONTACTS: usize = 8;
/// Sweeps over all wishes per iteration.
const SWEEPS: u32 = 3;
/// Largest change of a joint per iteration, rad.
const STEP: f64 = 0.25;
/// Extra distance asked for when pushing out, px.
const PUSH_PAD: f64 = 0.5;

/// A wish to move one point of the chain along a direction.
#[derive(Clone, Copy, Debug, Default)]
struct Push {
    last_joint: usize,
    at: Point,
    normal: Point,
    depth: f64,
}

/// Buffers of the solver.
#[derive(Debug, Default)]
pub(super) struct Solver {
    change: Vec<f64>,
}

/// What became of a search for a goal pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    /// Distance left between effector and goal, px.
    pub(super) residual: f64,
    /// Distance beyond the clearance, px; infinite when obstacles were not looked at.
    pub(super) margin: f64,
}

impl Solver {
    pub(super) fn resize(&mut self, segments: usize) {
        self.change.resize(segments, 0.0);
    }

    /// Improves `angles` until the effector is within `tolerance` and, with `heeds_obstacles`,
    /// clear of them, or the iterations are used up.
    pub(super) fn settle(
        &mut self,
        chain: &Chain<'_>,
        angles: &mut [f64],
        goal: (Point, f64),
        (iterations, heeds_obstacles): (u32, bool),
        (scratch, work): (&mut Scratch, &mut u32),
    ) -> Settled {
        let (goal, tolerance) = goal;
        let mut settled = Settled { residual: f64::INFINITY, margin: f64::INFINITY };
        for iteration in 0..=iterations {
            chain.points(angles, &mut scratch.points);
            *work += 1;
            let effector = chain.effector_at(&scratch.points);
            let way = goal - effector;
            settled.residual = way.norm();
            let mut pushes = [Push::default(); CONTACTS];
            let mut count = 0;
            if heeds_obstacles {
                (count, settled.margin) = contacts(chain, &scratch.points, &mut pushes);
            }
            let is_done = settled.residual <= tolerance && settled.margin >= 0.0;
            if is_done || iteration == iterations {
                break;
            }
            self.improve(chain, angles, &scratch.points, (effector, way), &pushes[..count]);
        }
        settled
    }

    fn improve(
        &mut self,
        chain: &Chain<'_>,
        angles: &mut [f64],
        points: &[Point],
        (effector, way): (Point, Point),
        pushes: &[Push],
    ) {
        self.change.fill(0.0);
        let sweeps = if pushes.is_empty() { 2 } else { SWEEPS };
        for _ in 0..sweeps {
            for push in pushes {
                self.push(chain, angles, points, push);
            }
            self.bring(chain, angles, points, effector, way);
        }
        let most = self.change.iter().fold(0.0, |m: f64, c| m.max(c.abs()));
        let scale = if most > STEP { STEP / most } else { 1.0 };
        for (i, (angle, change)) in angles.iter_mut().zip(&self.change).enumerate() {
            let turned = *angle + scale * change;
            *angle = if i == 0 { wrap(turned) } else { clip(turned, -chain.limit, chain.limit) };
        }
    }

    /// Adds a change to a joint without leaving its limits.
    #[inline]
    fn add(&mut self, chain: &Chain<'_>, angles: &[f64], joint: usize, change: f64) {
        let sum = self.change[joint] + change;
        self.change[joint] = if joint == 0 {
            sum
        } else {
            clip(sum, -chain.limit - angles[joint], chain.limit - angles[joint])
        };
    }

    fn push(&mut self, chain: &Chain<'_>, angles: &[f64], points: &[Point], push: &Push) {
        let lever = |j: usize| push.normal.dot((push.at - points[j]).quarter_turned());
        let (mut made, mut sum) = (0.0, 0.0);
        for j in 0..=push.last_joint {
            let l = lever(j);
            made += l * self.change[j];
            sum += l * l;
        }
        let missing = push.depth - made;
        if missing <= 0.0 {
            return;
        }
        let share = missing / (sum + 1.0);
        for j in 0..=push.last_joint {
            self.add(chain, angles, j, share * lever(j));
        }
    }

    fn bring(
        &mut self,
        chain: &Chain<'_>,
        angles: &[f64],
        points: &[Point],
        effector: Point,
        way: Point,
    ) {
        let last = chain.effector.segment;
        let pivots = &points[..=last];
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        let mut left = way;
        for (j, pivot) in pivots.iter().enumerate() {
            let lever = (effector - *pivot).quarter_turned();
            left = left - lever * self.change[j];
            let room = self.change[j] + angles[j];
            let is_stuck = j > 0 && room.abs() >= chain.limit && room * lever.dot(way) > 0.0;
            if !is_stuck {
                xx += lever.x * lever.x;
                xy += lever.x * lever.y;
                yy += lever.y * lever.y;
            }
        }
        let damping = 1e-3 * (xx + yy) + 1e-9;
        let (a, c) = (xx + damping, yy + damping);
        let determinant = a * c - xy * xy;
        let y = Point::new(
            (c * left.x - xy * left.y) / determinant,
            (a * left.y - xy * left.x) / determinant,
        );
        for (j, pivot) in pivots.iter().enumerate() {
            let lever = (effector - *pivot).quarter_turned();
            self.add(chain, angles, j, lever.dot(y));
        }
    }
}

/// The deepest contacts, one per segment at most, and the margin of the pose.
fn contacts(chain: &Chain<'_>, points: &[Point], out: &mut [Push; CONTACTS]) -> (usize, f64) {
    let mut count = 0;
    let mut least = f64::INFINITY;
    let mut insert = |push: Push| {
        if count < CONTACTS {
            out[count] = push;
            count += 1;
        } else if let Some(weakest) = out.iter_mut().min_by(|a, b| a.depth.total_cmp(&b.depth))
            && weakest.depth < push.depth
        {
            *weakest = push;
        }
    };
    for (i, ends) in points.windows(2).enumerate() {
        let middle = (ends[0] + ends[1]) * 0.5;
        let mut deepest: Option<Push> = None;
        for disc in chain.discs.iter().filter(|d| i >= d.first_segment) {
            let keep = disc.radius + chain.clearance;
            let bound = keep + PUSH_PAD + 0.5 * chain.length;
            if (disc.centre - middle).norm_squared() >= bound * bound {
                continue;
            }
            let at = closest_on_segment(ends[0], ends[1], disc.centre);
            let out = at - disc.centre;
            let apart = out.norm();
            least = least.min(apart - keep);
            let depth = keep + PUSH_PAD - apart;
            if depth > 0.0 && deepest.is_none_or(|d| d.depth < depth) {
                let normal = if apart > 1e-9 {
                    out * (1.0 / apart)
                } else {
                    (ends[1] - ends[0]).quarter_turned() * (1.0 / chain.length)
                };
                deepest = Some(Push { last_joint: i, at, normal, depth });
            }
        }
        if let Some(push) = deepest {
            insert(push);
        }
    }
    let margin = if chain.effector.radius > 0.0 { chain.margin(points) } else { least };
    (count, margin)
}

/// A pose of even bends whose tip lies `distance` from the base in direction `towards`; the bends
/// have the sign of `side`.
pub(super) fn arc(chain: &Chain<'_>, goal: Point, side: f64, out: &mut [f64]) {
    let count = (chain.effector.segment + 1) as f64;
    let way = goal - chain.base;
    let chord = |bend: f64| {
        if bend < 1e-9 {
            return chain.length * count;
        }
        let sine = |x: f64| Point::unit(x).y;
        chain.length * sine(0.5 * count * bend) / sine(0.5 * bend)
    };
    // The chord falls from the stretched length to 0 as the bend grows to a full turn.
    let (mut low, mut high) = (0.0, chain.limit.min(2.0 * core::f64::consts::PI / count));
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        if chord(middle) > way.norm() {
            low = middle;
        } else {
            high = middle;
        }
    }
    let bend = 0.5 * (low + high);
    out.fill(side * bend);
    out[0] = wrap(way.angle() - side * bend * 0.5 * (count - 1.0));
}

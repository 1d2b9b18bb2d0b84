//! One ray against one primitive at a time: the oracle of the eight-lane caster.
//!
//! Every formula here is written in the order of operations of the eight-lane form, so that both
//! give the same bits.

use tropism_core::math;

use super::{Edge, Hit, Ray, Round, Scene};

/// How far past its ends an edge still counts, as a share of its length: no ray slips through a
/// corner by rounding.
pub(super) const OVERLAP: f32 = 1e-6;

/// Distance to an edge, infinite if it is missed.
#[inline]
pub(super) fn edge(ray: &Ray, edge: &Edge) -> f32 {
    let wx = edge.from.x - ray.from.x;
    let wy = edge.from.y - ray.from.y;
    let over = 1.0 / (ray.along.x * edge.way.y - ray.along.y * edge.way.x);
    let t = (wx * edge.way.y - wy * edge.way.x) * over;
    let u = (wx * ray.along.y - wy * ray.along.x) * over;
    if t >= 0.0 && (-OVERLAP..=1.0 + OVERLAP).contains(&u) { t } else { f32::INFINITY }
}

/// Distance to a disc, 0 from inside, infinite if it is missed.
#[inline]
pub(super) fn disc(ray: &Ray, round: &Round) -> f32 {
    let mx = round.center.x - ray.from.x;
    let my = round.center.y - ray.from.y;
    let r2 = round.radius_m * round.radius_m;
    let ahead = mx * ray.along.x + my * ray.along.y;
    let aside = mx * ray.along.y - my * ray.along.x;
    let under = r2 - aside * aside;
    if under < 0.0 {
        return f32::INFINITY;
    }
    let t = ahead - math::sqrt(under);
    if t >= 0.0 {
        t
    } else if mx * mx + my * my < r2 {
        0.0
    } else {
        f32::INFINITY
    }
}

/// Distance to the border from within, 0 from outside.
#[inline]
pub(super) fn border(ray: &Ray, scene: &Scene) -> f32 {
    let reach = |from: f32, along: f32, lo: f32, hi: f32| {
        let wall = if along > 0.0 { hi } else { lo };
        if along == 0.0 { f32::INFINITY } else { (wall - from) / along }
    };
    let tx = reach(ray.from.x, ray.along.x, scene.min.x, scene.max.x);
    let ty = reach(ray.from.y, ray.along.y, scene.min.y, scene.max.y);
    let t = if tx < ty { tx } else { ty };
    if t > 0.0 { t } else { 0.0 }
}

impl Scene {
    /// A ray in a room without obstacles and other robots.
    #[inline]
    pub(crate) fn cast_border(&self, ray: &Ray) -> Hit {
        if !self.is_border_visible {
            return Hit::NONE;
        }
        Hit { distance_m: border(ray, self), primitive: self.border_id() }
    }

    /// First primitive on a ray, by trying all of them; robots are given as discs.
    pub(crate) fn cast_brute(&self, ray: &Ray, robots: impl Iterator<Item = (u32, Round)>) -> Hit {
        let mut best = Hit::NONE;
        let mut offer = |t: f32, primitive: u32| {
            if t < best.distance_m {
                best = Hit { distance_m: t, primitive };
            }
        };
        for (i, e) in self.edges.iter().enumerate() {
            offer(edge(ray, e), i as u32);
        }
        for (i, d) in self.discs.iter().enumerate() {
            offer(disc(ray, d), (self.edges.len() + i) as u32);
        }
        let border_id = self.border_id();
        if self.is_border_visible {
            offer(border(ray, self), border_id);
        }
        for (i, robot) in robots {
            offer(disc(ray, &robot), border_id + 1 + i);
        }
        best
    }
}

//! Eight rays at a time.
//!
//! Only additions, multiplications, divisions, square roots and comparisons are used, each
//! correctly rounded, in the order of the scalar oracle: the same bits on every target.

use alloc::vec::Vec;
use wide::f32x8;

use super::scalar::OVERLAP;
use super::{Edge, Hit, NOTHING, Ray, Round, Scene};
use crate::geometry::Vec2;

/// Most candidates collected before they are tried.
const BATCH: usize = 32;

/// Eight rays.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lanes {
    from_x: f32x8,
    from_y: f32x8,
    along_x: f32x8,
    along_y: f32x8,
}

/// Nearest hits of eight rays so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    distance: f32x8,
    primitive: f32x8,
}

impl Nearest {
    pub(crate) const NONE: Self =
        Self { distance: f32x8::new([f32::INFINITY; 8]), primitive: f32x8::new([-1.0; 8]) };

    /// The hit of one lane.
    pub(crate) fn write(&self, hits: &mut [Hit]) {
        let (distance, primitive) = (self.distance.to_array(), self.primitive.to_array());
        for ((hit, t), id) in hits.iter_mut().zip(distance).zip(primitive) {
            let primitive = if id < 0.0 { NOTHING } else { id as u32 };
            *hit = Hit { distance_m: t, primitive };
        }
    }

    /// The distances alone.
    #[inline]
    pub(crate) fn write_distances(&self, distances_m: &mut [f32; 8]) {
        *distances_m = self.distance.to_array();
    }

    #[inline]
    fn offer(&mut self, t: f32x8, is_hit: f32x8, id: f32) {
        let is_nearer = is_hit & t.simd_lt(self.distance);
        self.distance = is_nearer.bitselect(t, self.distance);
        self.primitive = is_nearer.bitselect(f32x8::splat(id), self.primitive);
    }
}

impl Lanes {
    /// Rays in blocks of eight; the last block is filled up with rays of no direction.
    pub(crate) fn blocks(rays: &[Ray]) -> Vec<Self> {
        let pick = |rays: &[Ray], part: fn(&Ray) -> f32| {
            f32x8::new(core::array::from_fn(|i| rays.get(i).map_or(0.0, part)))
        };
        rays.chunks(8)
            .map(|rays| Self {
                from_x: pick(rays, |r| r.from.x),
                from_y: pick(rays, |r| r.from.y),
                along_x: pick(rays, |r| r.along.x),
                along_y: pick(rays, |r| r.along.y),
            })
            .collect()
    }

    /// The same rays seen from the world, for a body at `at` that looks along `forward`.
    #[inline]
    pub(crate) fn placed(&self, at: Vec2, forward: Vec2) -> Self {
        let (c, s) = (f32x8::splat(forward.x), f32x8::splat(forward.y));
        Self {
            from_x: f32x8::splat(at.x) + (c * self.from_x - s * self.from_y),
            from_y: f32x8::splat(at.y) + (s * self.from_x + c * self.from_y),
            along_x: c * self.along_x - s * self.along_y,
            along_y: s * self.along_x + c * self.along_y,
        }
    }

    #[inline]
    fn meet_edge(&self, edge: &Edge, id: f32, nearest: &mut Nearest) {
        let wx = f32x8::splat(edge.from.x) - self.from_x;
        let wy = f32x8::splat(edge.from.y) - self.from_y;
        let (ex, ey) = (f32x8::splat(edge.way.x), f32x8::splat(edge.way.y));
        let over = f32x8::ONE / (self.along_x * ey - self.along_y * ex);
        let t = (wx * ey - wy * ex) * over;
        let u = (wx * self.along_y - wy * self.along_x) * over;
        let is_hit = t.simd_ge(f32x8::ZERO)
            & u.simd_ge(f32x8::splat(-OVERLAP))
            & u.simd_le(f32x8::splat(1.0 + OVERLAP));
        nearest.offer(t, is_hit, id);
    }

    #[inline]
    fn meet_disc(&self, round: &Round, id: f32, nearest: &mut Nearest) {
        let mx = f32x8::splat(round.center.x) - self.from_x;
        let my = f32x8::splat(round.center.y) - self.from_y;
        let r2 = f32x8::splat(round.radius_m * round.radius_m);
        let ahead = mx * self.along_x + my * self.along_y;
        let aside = mx * self.along_y - my * self.along_x;
        let under = r2 - aside * aside;
        // A square root of a negative number is NaN and hits nothing.
        let t = ahead - under.sqrt();
        let is_inside = (mx * mx + my * my).simd_lt(r2);
        let is_ahead = t.simd_ge(f32x8::ZERO);
        let t = is_ahead.bitselect(t, f32x8::ZERO);
        nearest.offer(t, under.simd_ge(f32x8::ZERO) & (is_ahead | is_inside), id);
    }

    /// Distances to the border: 0 from outside, infinite for a ray of no direction.
    #[inline]
    pub(crate) fn border_m(&self, scene: &Scene) -> f32x8 {
        let reach = |from: f32x8, along: f32x8, lo: f32, hi: f32| {
            let wall = along.simd_gt(f32x8::ZERO).bitselect(f32x8::splat(hi), f32x8::splat(lo));
            let moves = along.simd_ne(f32x8::ZERO);
            moves.bitselect((wall - from) / along, f32x8::splat(f32::INFINITY))
        };
        let tx = reach(self.from_x, self.along_x, scene.min.x, scene.max.x);
        let ty = reach(self.from_y, self.along_y, scene.min.y, scene.max.y);
        let t = tx.simd_lt(ty).bitselect(tx, ty);
        // All bits of a mask are set where it holds, so this is t or 0.
        t.simd_gt(f32x8::ZERO) & t
    }
}

/// Primitives that rays of one robot may meet.
#[derive(Debug)]
pub(crate) struct Candidates {
    still: tropism_core::FixedList<u32, BATCH>,
    rounds: tropism_core::FixedList<(Round, u32), BATCH>,
}

/// Rays of one robot under way.
#[derive(Debug)]
pub(crate) struct Fan<'a> {
    pub(crate) lanes: &'a [Lanes],
    pub(crate) nearest: &'a mut [Nearest],
    /// Blocks in use, by bit.
    pub(crate) blocks: u32,
    candidates: Candidates,
}

impl<'a> Fan<'a> {
    pub(crate) fn new(lanes: &'a [Lanes], nearest: &'a mut [Nearest], blocks: u32) -> Self {
        let candidates = Candidates {
            still: tropism_core::FixedList::new(),
            rounds: tropism_core::FixedList::new(),
        };
        Self { lanes, nearest, blocks, candidates }
    }

    /// Adds an edge or disc of the room.
    #[inline]
    pub(crate) fn add_still(&mut self, scene: &Scene, primitive: u32) {
        if self.candidates.still.is_full() {
            self.run(scene);
        }
        let _ = self.candidates.still.push(primitive);
    }

    /// Adds a robot.
    #[inline]
    pub(crate) fn add_round(&mut self, scene: &Scene, round: Round, primitive: u32) {
        if self.candidates.rounds.is_full() {
            self.run(scene);
        }
        let _ = self.candidates.rounds.push((round, primitive));
    }

    /// Tries the border.
    #[inline]
    pub(crate) fn try_border(&mut self, scene: &Scene) {
        let id = scene.border_id() as f32;
        for (i, lanes) in self.lanes.iter().enumerate() {
            if self.blocks & (1 << i) != 0 {
                // What is infinitely far is never nearer.
                self.nearest[i].offer(
                    lanes.border_m(scene),
                    f32x8::splat(f32::from_bits(u32::MAX)),
                    id,
                );
            }
        }
    }

    /// Tries the candidates collected so far.
    ///
    /// Nearer hits win; of equally near ones the one tried first.
    pub(crate) fn run(&mut self, scene: &Scene) {
        let edges = scene.edges.len();
        for (i, lanes) in self.lanes.iter().enumerate() {
            if self.blocks & (1 << i) == 0 {
                continue;
            }
            let nearest = &mut self.nearest[i];
            for &primitive in self.candidates.still.iter() {
                let index = primitive as usize;
                let id = primitive as f32;
                if index < edges {
                    lanes.meet_edge(&scene.edges[index], id, nearest);
                } else {
                    lanes.meet_disc(&scene.discs[index - edges], id, nearest);
                }
            }
            for (round, primitive) in self.candidates.rounds.iter() {
                lanes.meet_disc(round, *primitive as f32, nearest);
            }
        }
        self.candidates.still.clear();
        self.candidates.rounds.clear();
    }
}

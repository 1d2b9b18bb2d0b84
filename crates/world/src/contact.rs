//! Contact of round robots with the room and with each other.
//!
//! Model: a robot that overlaps something is moved out along the shortest way; this is repeated at
//! most [`ROUNDS`] times per physics step. What still overlaps then by more than [`DEPTH_M`] is
//! called embedded; it stays where it is and may move again at the next step.
//!
//! What it does not do: no friction, no momentum; pushed robots share the overlap evenly.

use tropism_core::math;

use crate::cast::{Scene, Solid};
use crate::geometry::Vec2;

/// Rounds of contact work per physics step.
pub const ROUNDS: usize = 4;

/// Overlap that counts as embedded, m.
pub const DEPTH_M: f32 = 1e-3;

/// tan 22.5°, tan 67.5°.
const STEEP: [f32; 2] = [0.414_213_57, 2.414_213_7];

/// The sector of 22.5° of the body frame that points from the centre to a contact, as a bit.
///
/// Sector 0 begins at −π; they are numbered counter-clockwise.
#[inline]
pub(crate) fn sector_bit(toward: Vec2, forward: Vec2) -> u16 {
    let (x, y) = (toward.dot(forward), forward.cross(toward));
    // Turned by half a turn, the quadrant follows from the signs; within it from two slopes.
    let (quadrant, along, across) = match (x <= 0.0, y <= 0.0) {
        (true, true) => (0, -x, -y),
        (false, true) => (1, -y, x),
        (false, false) => (2, x, y),
        (true, false) => (3, y, -x),
    };
    let part = u16::from(across >= STEEP[0] * along)
        + u16::from(across >= along)
        + u16::from(across >= STEEP[1] * along);
    1 << (4 * quadrant + part)
}

/// The sectors whose middle lies within `half` of `bearing`, as a mask.
pub(crate) fn sector_mask(bearing_rad: f32, half_rad: f32) -> u16 {
    let mut mask = 0;
    for sector in 0..16_u16 {
        let middle = (f32::from(sector) + 0.5) * (math::PI / 8.0) - math::PI;
        if math::abs(math::wrap_angle(middle - bearing_rad)) <= half_rad {
            mask |= 1 << sector;
        }
    }
    mask
}

/// Contacts of one robot in one control step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Touch {
    pub(crate) sectors: u16,
    pub(crate) is_bumped: bool,
}

impl Touch {
    #[inline]
    pub(crate) fn add(&mut self, toward: Vec2, forward: Vec2) {
        self.is_bumped = true;
        self.sectors |= sector_bit(toward, forward);
    }
}

/// A coordinate held between two sides of the border, and the touch of the side that held it.
#[inline]
fn held(at: f32, (lo, hi): (f32, f32), axis: Vec2, (forward, touch): (Vec2, &mut Touch)) -> f32 {
    if at < lo {
        touch.add(axis * -1.0, forward);
        lo
    } else if at > hi {
        touch.add(axis, forward);
        hi
    } else {
        at
    }
}

impl Scene {
    /// Holds a robot's centre inside the border.
    #[expect(clippy::inline_always, reason = "mostly four comparisons, less than a call")]
    #[inline(always)]
    pub(crate) fn hold_inside(&self, at: &mut Vec2, r: f32, forward: Vec2, touch: &mut Touch) {
        let (lo, hi) = (self.min, self.max);
        at.x = held(at.x, (lo.x + r, hi.x - r), Vec2::new(1.0, 0.0), (forward, touch));
        at.y = held(at.y, (lo.y + r, hi.y - r), Vec2::new(0.0, 1.0), (forward, touch));
    }

    /// Way out of the deepest overlap of a disc with the still obstacles, if there is one.
    pub(crate) fn way_out(&self, at: Vec2, r: f32) -> Option<Vec2> {
        let mut deepest = 0.0;
        let mut way = None;
        let mut offer = |depth: f32, out: Vec2| {
            if depth > deepest {
                deepest = depth;
                way = Some(out * depth);
            }
        };
        let block = self.touch.cells.around(at, r);
        self.touch.visit(block, |i| match self.solids[i as usize] {
            Solid::Wall(i) => {
                let edge = &self.edges[i as usize];
                let (gap, out) = gap_to_edge(at, edge.from, edge.way);
                offer(r - gap, out);
            }
            Solid::Polygon(first, count) => {
                self.polygon_way_out(at, r, first as usize..(first + count) as usize, &mut offer);
            }
            Solid::Disc(i) => {
                let disc = &self.discs[i as usize];
                let from = at - disc.center;
                let gap = from.length();
                offer(r + disc.radius_m - gap, direction(from, gap));
            }
        });
        way
    }

    fn polygon_way_out(
        &self,
        at: Vec2,
        r: f32,
        edges: core::ops::Range<usize>,
        offer: &mut impl FnMut(f32, Vec2),
    ) {
        let mut inner = f32::NEG_INFINITY;
        let mut inner_out = Vec2::default();
        let mut outer = (f32::INFINITY, Vec2::default());
        for edge in &self.edges[edges] {
            let length = edge.way.length();
            let out = Vec2::new(edge.way.y, -edge.way.x) * (1.0 / length);
            let height = (at - edge.from).dot(out);
            if height > inner {
                (inner, inner_out) = (height, out);
            }
            let (gap, out) = gap_to_edge(at, edge.from, edge.way);
            if gap < outer.0 {
                outer = (gap, out);
            }
        }
        if inner <= 0.0 {
            offer(r - inner, inner_out);
        } else {
            offer(r - outer.0, outer.1);
        }
    }
}

/// Distance from a point to an edge and the unit vector from the edge to the point.
fn gap_to_edge(at: Vec2, from: Vec2, way: Vec2) -> (f32, Vec2) {
    let along = math::unit((at - from).dot(way) / way.length_squared());
    let off = at - (from + way * along);
    let gap = off.length();
    (gap, if gap > 0.0 { off * (1.0 / gap) } else { way.left() * (1.0 / way.length()) })
}

/// Unit vector of `from`, or +x for two centres in the same place.
#[inline]
pub(crate) fn direction(from: Vec2, length: f32) -> Vec2 {
    if length > 0.0 { from * (1.0 / length) } else { Vec2::new(1.0, 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_sectors_go_round_with_the_angle() {
        for sector in 0..16_u16 {
            for within in [0.05, 0.5, 0.95] {
                let angle = (f32::from(sector) + within) * (math::PI / 8.0) - math::PI;
                let (sin, cos) = math::sin_cos(angle + 0.7);
                let (fs, fc) = math::sin_cos(0.7);
                let bit = sector_bit(Vec2::new(cos, sin), Vec2::new(fc, fs));
                assert_eq!(bit, 1 << sector, "sector {sector}, {within}");
            }
        }
        assert_eq!(sector_mask(0.0, math::PI / 8.0), 0b11 << 7);
        assert_eq!(sector_mask(math::PI, math::PI / 8.0), 1 << 15 | 1);
    }
}

//! Casting rays into the still room and onto robots.
//!
//! Terms: a *primitive* is one thing a ray can hit: an edge, a disc, the border or a robot.
//!
//! What it does not do: no refraction, no second reflection.

mod grid;
mod lanes;
#[cfg(test)]
mod prop;
mod scalar;

use alloc::vec::Vec;

pub(crate) use grid::{Bins, Cells, Grid};
pub(crate) use lanes::{Fan, Lanes, Nearest};

use crate::geometry::{Material, Room, Vec2};

/// Where a ray starts and the unit vector it follows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ray {
    /// Start.
    pub from: Vec2,
    /// Unit direction.
    pub along: Vec2,
}

impl Ray {
    /// The same ray seen from the world, for a body at `at` that looks along `forward`.
    #[inline]
    #[must_use]
    pub fn placed(&self, at: Vec2, forward: Vec2) -> Self {
        Self { from: at + self.from.turned(forward), along: self.along.turned(forward) }
    }
}

/// What a ray meets first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance, m; infinite when nothing is met.
    pub distance_m: f32,
    /// Primitive: edges, then discs, then the border, then robots; [`NOTHING`] for none.
    pub primitive: u32,
}

/// No primitive.
pub const NOTHING: u32 = u32::MAX;

impl Hit {
    /// Nothing met.
    pub const NONE: Self = Self { distance_m: f32::INFINITY, primitive: NOTHING };
}

/// A directed edge of a wall or polygon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) from: Vec2,
    pub(crate) way: Vec2,
    pub(crate) material: Material,
}

/// A round obstacle: a still disc or a robot.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Round {
    pub(crate) center: Vec2,
    pub(crate) radius_m: f32,
    pub(crate) material: Material,
}

/// The still room prepared for casting and contact.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) min: Vec2,
    pub(crate) max: Vec2,
    pub(crate) border: Material,
    pub(crate) is_border_visible: bool,
    /// True when every surface is heard by sonar at its full range.
    pub(crate) is_loud: bool,
    pub(crate) edges: Vec<Edge>,
    pub(crate) discs: Vec<Round>,
    /// What robots can touch.
    pub(crate) solids: Vec<Solid>,
    /// Bounding boxes of edges and discs.
    bounds: Vec<(Vec2, Vec2)>,
    /// Edges and discs by cell.
    sight: Grid,
    /// Solids by cell.
    pub(crate) touch: Grid,
}

/// Something a robot can touch.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Solid {
    /// A thin wall: its edge.
    Wall(u32),
    /// A polygon: its first edge and how many it has.
    Polygon(u32, u32),
    /// A disc.
    Disc(u32),
}

/// Size of the cells of the still room, m.
const CELL_M: f32 = 0.3;

/// Up to this many primitives are tried without cell lists.
const FEW: usize = 8;

/// Added to a reach when candidates are chosen, so that rounding loses none, m.
const SLACK_M: f32 = 1e-4;

impl Scene {
    pub(crate) fn new(room: &Room) -> Self {
        let mut edges: Vec<Edge> = room
            .segments
            .iter()
            .map(|s| Edge { from: s.from, way: s.to - s.from, material: s.material })
            .collect();
        let mut solids: Vec<Solid> = (0..edges.len()).map(|i| Solid::Wall(i as u32)).collect();
        for polygon in &room.polygons {
            let n = polygon.corners.len();
            solids.push(Solid::Polygon(edges.len() as u32, n as u32));
            for i in 0..n {
                let (from, to) = (polygon.corners[i], polygon.corners[(i + 1) % n]);
                edges.push(Edge { from, way: to - from, material: polygon.material });
            }
        }
        let discs: Vec<Round> = room
            .discs
            .iter()
            .map(|d| Round { center: d.center, radius_m: d.radius_m, material: d.material })
            .collect();
        solids.extend((0..discs.len()).map(|i| Solid::Disc(i as u32)));
        let edge_bounds = edges.iter().map(|e| ordered(e.from, e.from + e.way));
        let disc_bounds = discs.iter().map(|d| {
            let r = Vec2::new(d.radius_m, d.radius_m);
            (d.center - r, d.center + r)
        });
        let bounds: Vec<(Vec2, Vec2)> = edge_bounds.chain(disc_bounds).collect();
        let first_disc = edges.len();
        let solid_bounds = solids.iter().map(|solid| match *solid {
            Solid::Wall(i) => bounds[i as usize],
            Solid::Polygon(first, count) => bounds[first as usize..(first + count) as usize]
                .iter()
                .fold(bounds[first as usize], |(lo, hi), (l, h)| {
                    (ordered(lo, *l).0, ordered(hi, *h).1)
                }),
            Solid::Disc(i) => bounds[first_disc + i as usize],
        });
        let cells = Cells::new(room.min, room.max, CELL_M);
        let mut surfaces = edges.iter().map(|e| e.material).chain(discs.iter().map(|d| d.material));
        let is_loud = room.border.sonar >= 1.0 && surfaces.all(|m| m.sonar >= 1.0);
        Self {
            is_loud,
            min: room.min,
            max: room.max,
            border: room.border,
            is_border_visible: room.is_border_visible,
            sight: Grid::new(cells, bounds.iter().copied()),
            touch: Grid::new(cells, solid_bounds),
            edges,
            discs,
            solids,
            bounds,
        }
    }

    /// Number of edges and discs.
    pub(crate) fn count(&self) -> usize {
        self.bounds.len()
    }

    /// Gives a fan all still things within reach of a point, the border included.
    #[inline]
    pub(crate) fn gather(&self, at: Vec2, reach_m: f32, fan: &mut Fan<'_>) {
        let r = Vec2::new(reach_m + SLACK_M, reach_m + SLACK_M);
        let (lo, hi) = (at - r, at + r);
        let is_near = |i: u32| {
            let (l, h) = self.bounds[i as usize];
            l.x <= hi.x && h.x >= lo.x && l.y <= hi.y && h.y >= lo.y
        };
        let mut offer = |i: u32| {
            if is_near(i) {
                fan.add_still(self, i);
            }
        };
        if self.bounds.len() <= FEW {
            (0..self.bounds.len() as u32).for_each(&mut offer);
        } else {
            self.sight.visit(self.sight.cells.block(lo, hi), &mut offer);
        }
        let is_border_near =
            lo.x < self.min.x || lo.y < self.min.y || hi.x > self.max.x || hi.y > self.max.y;
        if self.is_border_visible && is_border_near {
            fan.try_border(self);
        }
    }

    pub(crate) fn border_id(&self) -> u32 {
        (self.edges.len() + self.discs.len()) as u32
    }

    /// Surface of a primitive; robots are hard.
    pub(crate) fn material(&self, primitive: u32) -> Material {
        let index = primitive as usize;
        let edges = self.edges.len();
        if index < edges {
            self.edges[index].material
        } else if index < edges + self.discs.len() {
            self.discs[index - edges].material
        } else if index == edges + self.discs.len() {
            self.border
        } else {
            Material::HARD
        }
    }
}

fn ordered(a: Vec2, b: Vec2) -> (Vec2, Vec2) {
    let pair = |a: f32, b: f32| if a < b { (a, b) } else { (b, a) };
    let ((x0, x1), (y0, y1)) = (pair(a.x, b.x), pair(a.y, b.y));
    (Vec2::new(x0, y0), Vec2::new(x1, y1))
}

impl crate::world::World {
    /// Outward normal of what a ray has hit, up to its sign.
    pub(crate) fn normal_at(&self, ray: &Ray, hit: Hit) -> Vec2 {
        let point = ray.from + ray.along * hit.distance_m;
        let index = hit.primitive as usize;
        let (edges, discs) = (self.scene.edges.len(), self.scene.discs.len());
        let along = if index < edges {
            self.scene.edges[index].way.left()
        } else if index < edges + discs {
            point - self.scene.discs[index - edges].center
        } else if index == edges + discs {
            let (lo, hi) = (self.scene.min, self.scene.max);
            let smaller = |a: f32, b: f32| if a < b { a } else { b };
            let to_x = smaller(point.x - lo.x, hi.x - point.x);
            let to_y = smaller(point.y - lo.y, hi.y - point.y);
            if to_x < to_y { Vec2::new(1.0, 0.0) } else { Vec2::new(0.0, 1.0) }
        } else {
            point - self.state.robots[index - edges - discs - 1].at
        };
        let length = along.length();
        if length > 0.0 { along * (1.0 / length) } else { ray.along }
    }
}

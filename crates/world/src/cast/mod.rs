//! Casting rays into the still room and onto robots.
//!
//! Terms: a *primitive* is one thing a ray can hit: an edge, a disc, the border or a robot.
//!
//! What it does not do: no refraction, no second reflection.

mod scalar;

use alloc::vec::Vec;

use crate::geometry::{Material, Room, Vec2};

/// Where a ray starts and the unit vector it follows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ray {
    /// Start.
    pub from: Vec2,
    /// Unit direction.
    pub along: Vec2,
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
    pub(crate) edges: Vec<Edge>,
    pub(crate) discs: Vec<Round>,
    /// First edge and number of edges of each polygon.
    pub(crate) polygons: Vec<(u32, u32)>,
}

impl Scene {
    pub(crate) fn new(room: &Room) -> Self {
        let mut edges: Vec<Edge> = room
            .segments
            .iter()
            .map(|s| Edge { from: s.from, way: s.to - s.from, material: s.material })
            .collect();
        let mut polygons = Vec::new();
        for polygon in &room.polygons {
            let n = polygon.corners.len();
            polygons.push((edges.len() as u32, n as u32));
            for i in 0..n {
                let (from, to) = (polygon.corners[i], polygon.corners[(i + 1) % n]);
                edges.push(Edge { from, way: to - from, material: polygon.material });
            }
        }
        let discs = room
            .discs
            .iter()
            .map(|d| Round { center: d.center, radius_m: d.radius_m, material: d.material })
            .collect();
        Self {
            min: room.min,
            max: room.max,
            border: room.border,
            is_border_visible: room.is_border_visible,
            edges,
            discs,
            polygons,
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

impl crate::world::World {
    /// Outward normal of what a ray has hit, up to its sign.
    pub(crate) fn normal_at(&self, ray: &Ray, hit: &Hit) -> Vec2 {
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

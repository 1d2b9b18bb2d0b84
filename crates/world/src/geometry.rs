//! Points, materials and the still parts of a room.
//!
//! Terms: the *border* is the rectangle that no robot can leave; a *segment* is a thin wall seen
//! from both sides; a *convex polygon* and a *disc* are solid.
//!
//! What it does not do: no curved walls, no holes, no height.

use alloc::vec::Vec;
use tropism_core::math;

/// A point or vector, metres, x to the right and y up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec2 {
    /// Along x.
    pub x: f32,
    /// Along y.
    pub y: f32,
}

impl Vec2 {
    /// The point (x, y).
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// The unit vector at this angle; components smaller than 10⁻⁶ become 0, so that the four
    /// main directions are exact.
    pub fn at_angle(angle_rad: f32) -> Self {
        let (sin, cos) = math::sin_cos(angle_rad);
        let exact = |v: f32| if math::abs(v) < 1e-6 { 0.0 } else { v };
        Self::new(exact(cos), exact(sin))
    }

    /// Inner product.
    #[inline]
    pub fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }

    /// z-part of the outer product; positive when `other` lies to the left.
    #[inline]
    pub fn cross(self, other: Self) -> f32 {
        self.x * other.y - self.y * other.x
    }

    /// The vector turned left by a right angle.
    #[inline]
    #[must_use]
    pub fn left(self) -> Self {
        Self::new(-self.y, self.x)
    }

    /// The vector turned by the angle whose cosine and sine are `turn.x` and `turn.y`.
    #[inline]
    #[must_use]
    pub fn turned(self, turn: Self) -> Self {
        Self::new(turn.x * self.x - turn.y * self.y, turn.y * self.x + turn.x * self.y)
    }

    /// Squared length.
    #[inline]
    pub fn length_squared(self) -> f32 {
        self.dot(self)
    }

    /// Length.
    #[inline]
    pub fn length(self) -> f32 {
        math::sqrt(self.length_squared())
    }

    pub(crate) fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

impl core::ops::Add for Vec2 {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl core::ops::Sub for Vec2 {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl core::ops::Mul<f32> for Vec2 {
    type Output = Self;
    #[inline]
    fn mul(self, scale: f32) -> Self {
        Self::new(self.x * scale, self.y * scale)
    }
}

/// How much of a sound pulse or of infra-red light a surface returns, 0..1 each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Share of the largest sonar range at which the surface is still heard; cloth is near 0.2.
    pub sonar: f32,
    /// Share of infra-red light returned; black felt is near 0.1.
    pub infrared: f32,
}

impl Material {
    /// A hard, bright wall.
    pub const HARD: Self = Self { sonar: 1.0, infrared: 1.0 };
    /// Cloth or foam: nearly unheard by sonar.
    pub const SOFT: Self = Self { sonar: 0.15, infrared: 0.8 };
    /// Dark plastic: heard well, returns little infra-red light.
    pub const DARK: Self = Self { sonar: 1.0, infrared: 0.15 };

    pub(crate) fn is_sound(self) -> bool {
        (0.0..=1.0).contains(&self.sonar) && (0.0..=1.0).contains(&self.infrared)
    }
}

impl Default for Material {
    fn default() -> Self {
        Self::HARD
    }
}

/// A thin wall.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Segment {
    /// One end.
    pub from: Vec2,
    /// The other end.
    pub to: Vec2,
    /// Its surface.
    pub material: Material,
}

/// A solid disc.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Disc {
    /// Centre.
    pub center: Vec2,
    /// Radius, m.
    pub radius_m: f32,
    /// Its surface.
    pub material: Material,
}

/// A solid convex polygon with corners counter-clockwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConvexPolygon {
    /// At least three corners, counter-clockwise.
    pub corners: Vec<Vec2>,
    /// Its surface.
    pub material: Material,
}

impl ConvexPolygon {
    /// A box with this centre, half sides and turn.
    pub fn rectangle(center: Vec2, half: Vec2, turn_rad: f32) -> Self {
        let turn = Vec2::at_angle(turn_rad);
        let corner = |x: f32, y: f32| center + Vec2::new(x * half.x, y * half.y).turned(turn);
        let corners =
            alloc::vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        Self { corners, material: Material::HARD }
    }

    /// True when there are at least three finite corners and every turn is to the left.
    pub fn is_convex(&self) -> bool {
        let n = self.corners.len();
        n >= 3
            && (0..n).all(|i| {
                let [a, b, c] = [0, 1, 2].map(|k| self.corners[(i + k) % n]);
                a.is_finite() && (b - a).cross(c - b) > 0.0
            })
    }
}

/// The still parts of a room.
#[derive(Clone, Debug, PartialEq)]
pub struct Room {
    /// Lower left corner of the border.
    pub min: Vec2,
    /// Upper right corner of the border.
    pub max: Vec2,
    /// Surface of the border.
    pub border: Material,
    /// False for an open arena: the border holds robots back but ranging sensors see through it.
    pub is_border_visible: bool,
    /// Thin walls.
    pub segments: Vec<Segment>,
    /// Solid polygons.
    pub polygons: Vec<ConvexPolygon>,
    /// Solid discs.
    pub discs: Vec<Disc>,
}

impl Room {
    /// An empty room with its lower left corner at the origin.
    pub fn empty(width_m: f32, height_m: f32) -> Self {
        Self {
            min: Vec2::default(),
            max: Vec2::new(width_m, height_m),
            border: Material::HARD,
            is_border_visible: true,
            segments: Vec::new(),
            polygons: Vec::new(),
            discs: Vec::new(),
        }
    }
}

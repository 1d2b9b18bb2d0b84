//! Scalar fields: warmth and gas around their sources.
//!
//! What it does not do: no diffusion in time, no wind; walls do not block a field.

use tropism_core::math;

use crate::geometry::Vec2;

/// What a field carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Warmth.
    Warmth,
    /// Gas or scent.
    Gas,
}

/// How a field falls off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Falloff {
    /// strength · e^(−d²/(2·spread²)).
    Gaussian,
    /// strength / (1 + d²/spread²).
    InverseSquare,
}

/// A source of warmth or gas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldSpec {
    /// What it gives off.
    pub kind: FieldKind,
    /// Where it is; with `station` set, the offset from that station's contact.
    pub at: Vec2,
    /// The station it moves with, if any.
    pub station: Option<u8>,
    /// Value at the source.
    pub strength: f32,
    /// Width, m.
    pub spread_m: f32,
    /// Law of decrease.
    pub falloff: Falloff,
}

impl FieldSpec {
    /// Value at this squared distance.
    #[inline]
    pub fn value(&self, distance_m2: f32) -> f32 {
        let share = distance_m2 / (self.spread_m * self.spread_m);
        match self.falloff {
            Falloff::Gaussian => self.strength * math::exp(-0.5 * share),
            Falloff::InverseSquare => self.strength / (1.0 + share),
        }
    }
}

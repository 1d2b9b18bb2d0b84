//! Light: station lamps, windows, lamps and ambient light, and eyes that see them.
//!
//! What it does not do: no shadows; walls do not block light.

use tropism_core::math;

use crate::geometry::Vec2;

/// A light source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LightSpec {
    /// A long window far along one direction.
    ///
    /// Model: E(φ) = cos(direction − φ)⁺ · intensity / (w² + softening), w = offset − p·direction.
    Window {
        /// Direction towards the window, rad.
        direction_rad: f32,
        /// Distance of the window from the origin along that direction, m.
        offset_m: f32,
        /// Intensity.
        intensity: f32,
        /// Softening, m².
        softening_m2: f32,
    },
    /// A lamp.
    ///
    /// Model: E(φ) = cos(bearing − φ)⁺ · intensity / (d² + softening).
    Lamp {
        /// Where it hangs.
        at: Vec2,
        /// Intensity.
        intensity: f32,
        /// Softening, m².
        softening_m2: f32,
    },
    /// The same light from everywhere.
    Ambient {
        /// Irradiance.
        level: f32,
    },
}

/// A light source with its direction as a unit vector.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Light {
    Window { direction: Vec2, offset: f32, intensity: f32, softening: f32 },
    Lamp { at: Vec2, intensity: f32, softening: f32 },
    Ambient { level: f32 },
}

impl Light {
    pub(crate) fn new(spec: &LightSpec) -> Self {
        match *spec {
            LightSpec::Window { direction_rad, offset_m, intensity, softening_m2 } => {
                let direction = Vec2::at_angle(direction_rad);
                Self::Window { direction, offset: offset_m, intensity, softening: softening_m2 }
            }
            LightSpec::Lamp { at, intensity, softening_m2 } => {
                Self::Lamp { at, intensity, softening: softening_m2 }
            }
            LightSpec::Ambient { level } => Self::Ambient { level },
        }
    }

    /// Light that reaches a point.
    #[inline]
    pub(crate) fn glow(&self, at: Vec2) -> Glow {
        match *self {
            Self::Window { direction, offset, intensity, softening } => {
                let w = offset - at.dot(direction);
                Glow { toward: direction, strength: intensity / (w * w + softening) }
            }
            Self::Lamp { at: lamp, intensity, softening } => {
                Glow::from_point(lamp - at, intensity, softening)
            }
            Self::Ambient { .. } => Glow::NONE,
        }
    }
}

/// Light at a point: the direction it comes from and its irradiance on a face
/// turned to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glow {
    pub(crate) toward: Vec2,
    pub(crate) strength: f32,
}

impl Glow {
    pub(crate) const NONE: Self = Self { toward: Vec2::new(0.0, 0.0), strength: 0.0 };

    /// Light of a point source at this offset.
    #[inline]
    pub(crate) fn from_point(offset: Vec2, intensity: f32, softening: f32) -> Self {
        let d2 = offset.length_squared();
        let nearest = if d2 > 1e-12 { d2 } else { 1e-12 };
        let toward = offset * (1.0 / math::sqrt(nearest));
        Self { toward, strength: intensity / (d2 + softening) }
    }

    /// Irradiance of an eye that looks along the unit vector `gaze`; light from beyond the half
    /// field of view, given by its cosine, is not seen.
    #[inline]
    pub(crate) fn on(&self, gaze: Vec2, cos_half_field: f32) -> f32 {
        let cosine = self.toward.dot(gaze);
        if cosine > cos_half_field { cosine * self.strength } else { 0.0 }
    }
}

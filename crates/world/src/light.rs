//! Light: station lamps, windows, lamps and ambient light, and eyes that see them.
//!
//! What it does not do: no shadows; walls do not block light.

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

    /// Irradiance of an eye at `at` that looks along the unit vector `gaze`.
    #[inline]
    pub(crate) fn irradiance(&self, at: Vec2, eye: &Eye) -> f32 {
        match *self {
            Self::Window { direction, offset, intensity, softening } => {
                let w = offset - at.dot(direction);
                eye.gain(direction.dot(eye.gaze)) * intensity / (w * w + softening)
            }
            Self::Lamp { at: lamp, intensity, softening } => {
                eye.point(lamp - at, intensity, softening)
            }
            Self::Ambient { level } => level,
        }
    }
}

/// Direction and field of view of an eye.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eye {
    pub(crate) gaze: Vec2,
    /// Cosine of the half field of view; light from further aside is not seen.
    pub(crate) cos_half_field: f32,
}

impl Eye {
    /// cos⁺ inside the field of view, 0 outside.
    #[inline]
    pub(crate) fn gain(&self, cosine: f32) -> f32 {
        if cosine > self.cos_half_field && cosine > 0.0 { cosine } else { 0.0 }
    }

    /// Irradiance from a point source at this offset.
    #[inline]
    pub(crate) fn point(&self, offset: Vec2, intensity: f32, softening: f32) -> f32 {
        let along = offset.dot(self.gaze);
        if along <= 0.0 {
            return 0.0;
        }
        let d2 = offset.length_squared();
        self.gain(along / tropism_core::math::sqrt(d2)) * intensity / (d2 + softening)
    }
}

//! Radio power of a station.

use tropism_core::{Purpose, Seed, Tick, math};

use crate::geometry::Vec2;
use crate::station::Radio;

const SHADOW: Purpose = Purpose::named("world.shadow");
const WAVES: usize = 12;

/// Shadowing of one station: a sum of plane waves fixed by the seed.
///
/// Model: S(x, y) = sd·√(2/12)·Σ sin(kx·x + ky·y + φ), k ~ N(0, 3) in rad/m, φ uniform.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shadow {
    waves: [(f32, f32, f32); WAVES],
    scale: f32,
}

impl Shadow {
    pub(crate) fn new(seed: Seed, station: u32, radio: &Radio, has_noise: bool) -> Self {
        let mut draws = seed.stream(SHADOW, 0, station).at(Tick(0));
        let waves = core::array::from_fn(|_| {
            let kx = 3.0 * draws.normal();
            let ky = 3.0 * draws.normal();
            (kx, ky, draws.between(0.0, 2.0 * math::PI))
        });
        let scale = if has_noise { radio.shadow_db * math::sqrt(2.0 / WAVES as f32) } else { 0.0 };
        Self { waves, scale }
    }

    pub(crate) fn at(&self, p: Vec2) -> f32 {
        if self.scale == 0.0 {
            return 0.0;
        }
        let sum: f32 =
            self.waves.iter().map(|(kx, ky, phase)| math::sin(kx * p.x + ky * p.y + phase)).sum();
        self.scale * sum
    }
}

/// Mean power at this distance, without shadow and fading, dBm.
pub(crate) fn mean_dbm(radio: &Radio, distance_m: f32) -> f32 {
    let d = if distance_m > 0.05 { distance_m } else { 0.05 };
    radio.power_dbm - radio.slope_db * math::log10(d)
}

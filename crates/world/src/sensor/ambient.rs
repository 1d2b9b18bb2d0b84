//! Light, radio, fields and tape at a point.

use tropism_core::math;

use super::radio::mean_dbm;
use crate::field::FieldKind;
use crate::geometry::Vec2;
use crate::light::{Glow, Light};
use crate::world::World;

/// Most directed lights seen at once; the weakest beyond them is left out.
const GLOWS: usize = 8;

/// Directed lights at a point, and the light from everywhere.
pub(super) struct Glows {
    each: [Glow; GLOWS],
    count: usize,
    everywhere: f32,
}

impl Glows {
    pub(super) const NONE: Self = Self { each: [Glow::NONE; GLOWS], count: 0, everywhere: 0.0 };

    #[inline]
    fn add(&mut self, glow: Glow) {
        if self.count < GLOWS {
            self.each[self.count] = glow;
            self.count += 1;
        } else {
            self.replace_weakest(glow);
        }
    }

    #[cold]
    #[inline(never)]
    fn replace_weakest(&mut self, glow: Glow) {
        let weakest = self.each.iter_mut().min_by(|a, b| a.strength.total_cmp(&b.strength));
        if let Some(weakest) = weakest
            && weakest.strength < glow.strength
        {
            *weakest = glow;
        }
    }

    #[inline]
    pub(super) fn seen(&self, gaze: Vec2, cos_half_field: f32) -> f32 {
        let mut sum = self.everywhere;
        for glow in &self.each[..self.count.min(GLOWS)] {
            sum += glow.on(gaze, cos_half_field);
        }
        sum
    }
}

impl World {
    /// Irradiance of an eye of a robot, free of noise: direction relative to head or body.
    pub fn irradiance(&self, robot: usize, bearing_rad: f32, is_on_head: bool) -> f32 {
        let state = &self.state.robots[robot];
        let base = if is_on_head { state.gaze } else { state.forward };
        let gaze = Vec2::at_angle(bearing_rad).turned(base);
        self.glows_at(state.at).seen(gaze, 0.0)
    }

    /// Light from all sources at a point.
    #[inline]
    pub(super) fn glows_at(&self, at: Vec2) -> Glows {
        let mut glows = Glows::NONE;
        let tick = self.tick();
        for (station, now) in self.stations.iter().zip(&self.state.stations) {
            if now.is_on {
                let lamp = station.spec.led * station.brightness(now, tick);
                let soft = station.spec.led_softening_m2;
                glows.add(Glow::from_point(now.contact - at, lamp, soft));
            }
        }
        for (i, light) in self.lights.iter().enumerate() {
            if self.state.lights_on & (1 << i) != 0 {
                match light {
                    Light::Ambient { level } => glows.everywhere += level,
                    _ => glows.add(light.glow(at)),
                }
            }
        }
        glows
    }

    /// Radio power of a station at a robot with shadow and without fading, dBm; `None` when it is
    /// off or not there.
    pub fn radio_dbm(&self, robot: usize, station: usize) -> Option<f32> {
        let (spec, now) = (self.stations.get(station)?, self.state.stations.get(station)?);
        let at = self.state.robots[robot].at;
        let distance = (now.contact - at).length();
        now.is_on.then(|| mean_dbm(&spec.spec.radio, distance) + self.shadows[station].at(at))
    }

    /// Value of a scalar field at a point.
    pub fn field_at(&self, kind: FieldKind, at: Vec2) -> f32 {
        let mut sum = 0.0;
        for (i, field) in self.fields.iter().enumerate() {
            if field.kind != kind || self.state.fields_on & (1 << i) == 0 {
                continue;
            }
            let place = match field.station {
                Some(s) => self.state.stations[usize::from(s)].contact + field.at,
                None => field.at,
            };
            sum += field.value((place - at).length_squared());
        }
        sum
    }

    /// True when a point lies on tape.
    pub fn is_on_tape(&self, at: Vec2) -> bool {
        self.tapes.iter().any(|tape| {
            let half = 0.5 * tape.width_m;
            tape.points
                .windows(2)
                .any(|ends| away(at, ends[0], ends[1]).length_squared() <= half * half)
        })
    }

    /// Share of a spot of this width that lies on tape, 0..1.
    pub(crate) fn tape_cover(&self, at: Vec2, spot_m: f32) -> f32 {
        let mut cover = 0.0;
        for tape in &self.tapes {
            let half = 0.5 * tape.width_m;
            let far = half + 0.5 * spot_m;
            for ends in tape.points.windows(2) {
                let apart = away(at, ends[0], ends[1]);
                let distance2 = apart.length_squared();
                if distance2 < far * far {
                    let share = math::unit(0.5 + (half - math::sqrt(distance2)) / spot_m);
                    cover = if share > cover { share } else { cover };
                }
            }
        }
        cover
    }
}

/// Way to a point from the nearest point of a stretch.
#[inline]
fn away(at: Vec2, from: Vec2, to: Vec2) -> Vec2 {
    let way = to - from;
    let length2 = way.length_squared();
    let along = if length2 > 0.0 { (at - from).dot(way) / length2 } else { 0.0 };
    at - (from + way * math::unit(along))
}

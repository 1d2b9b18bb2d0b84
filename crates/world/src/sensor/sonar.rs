//! Ultrasonic rangers and their faults.

use tropism_body::{Sample, SensorBank};
use tropism_core::random::mix;
use tropism_core::{Tick, math};

use super::SensorModel;
use super::measure::{Moment, smaller};
use super::range::PLAIN_BLOCKS;
use crate::cast::{Hit, NOTHING, Ray};
use crate::robot::Channel;
use crate::world::World;

/// Range at which false echoes have their nominal probability, m.
const FALSE_ECHO_RANGE_M: f32 = 4.0;

/// Readings of a burst lie within this much of the nearest measured distance, m.
const BURST_DEPTH_M: f32 = 0.03;

/// Sets the words of bursts apart from those of noise.
const BURST: u64 = 0x6e65_6172_6275_7273;

impl World {
    /// Measures rangers that have no faults, among surfaces that are heard at full range: the
    /// reading is the nearest hit. It gives what [`Moment::ultrasonic`] gives, to the bit.
    #[inline(never)]
    pub(super) fn measure_plain(&self, robot: usize, bank: &mut SensorBank, channels: u16) {
        let (tick, prepared) = (self.tick(), &self.robots[robot]);
        let mut distances_m = [[f32::INFINITY; 8]; PLAIN_BLOCKS];
        self.cast_distances(robot, channels, &mut distances_m);
        let distances_m = distances_m.as_flattened();
        let mut left = channels;
        while left != 0 {
            let channel = left.trailing_zeros() as usize;
            left &= left - 1;
            let (first, count) = prepared.rays.of[channel];
            let own = distances_m.get(usize::from(first)..usize::from(first + count));
            let nearest_m = own.unwrap_or(&[]).iter().copied().fold(f32::INFINITY, smaller);
            if let SensorModel::Ultrasonic { beam, min_m, .. } = prepared.channels[channel].model {
                let is_heard = nearest_m >= min_m && nearest_m <= beam.max_m;
                let sample = if is_heard { Sample::Value(nearest_m) } else { Sample::NoEcho };
                bank.accept(channel, tick, sample);
            }
        }
    }
}

impl Moment<'_> {
    pub(super) fn ultrasonic(&self, channel: usize, c: &Channel) -> Sample {
        let SensorModel::Ultrasonic {
            beam,
            min_m,
            noise_m,
            false_echo,
            near_burst,
            hears_others,
            ..
        } = c.model
        else {
            return Sample::Failed;
        };
        let mut nearest = f32::INFINITY;
        let (first, _) = self.prepared.rays.of[channel];
        for (i, hit) in self.of(channel).iter().enumerate() {
            if let Some(d) = self.echo(usize::from(first) + i, *hit, beam.max_m, c.cosine) {
                nearest = smaller(nearest, d);
            }
        }
        if hears_others {
            nearest = smaller(nearest, self.cross_talk(channel, c, beam.max_m));
        }
        let mut draws = c.noise.at(self.tick);
        if self.world.has_noise {
            nearest += noise_m * draws.normal();
            let share = self.state.effort * beam.max_m / FALSE_ECHO_RANGE_M;
            let odds = (f32::from(false_echo) * share) as u32;
            if draws.chance(odds, 1 << 16) {
                nearest = smaller(nearest, draws.between(min_m, beam.max_m));
            }
            if self.is_in_burst(c, near_burst) {
                nearest = min_m + draws.between(0.0, BURST_DEPTH_M);
            }
        }
        if nearest >= min_m && nearest <= beam.max_m {
            Sample::Value(nearest)
        } else {
            Sample::NoEcho
        }
    }

    /// True while a burst of near readings lasts. Whether one began at a tick, and how long it
    /// lasts, follows from that tick's word alone.
    fn is_in_burst(&self, c: &Channel, near_burst: u16) -> bool {
        near_burst > 0
            && (0..3).any(|ago| {
                let Some(began) = self.tick.0.checked_sub(ago) else {
                    return false;
                };
                // Bits that the noise of the same tick does not use.
                let word = mix(c.noise.bits(Tick(began)) ^ BURST);
                word & 0xffff < u64::from(near_burst) && (word >> 32) % 3 >= ago
            })
    }

    /// Distance of an echo that comes back along its own ray.
    fn echo(&self, ray: usize, hit: Hit, max_m: f32, cos_specular: f32) -> Option<f32> {
        if hit.primitive == NOTHING {
            return None;
        }
        let material = self.world.scene.material(hit.primitive);
        if hit.distance_m > max_m * material.sonar {
            return None;
        }
        if cos_specular > 0.0 {
            let ray = self.ray(ray);
            let normal = self.world.normal_at(&ray, hit);
            if math::abs(normal.dot(ray.along)) < cos_specular {
                return None;
            }
        }
        Some(hit.distance_m)
    }

    /// Half the way of the shortest pulse of another ranger of this body that is heard here.
    fn cross_talk(&self, channel: usize, c: &Channel, max_m: f32) -> f32 {
        let plan = self.prepared;
        let here = self.ray(usize::from(plan.rays.of[channel].0)).from;
        let facing = c.bearing.turned(self.state.forward);
        let mut nearest = f32::INFINITY;
        for (other, o) in plan.channels.iter().enumerate() {
            let is_other = other != channel && self.fired & (1 << other) != 0;
            if !(is_other && matches!(o.model, SensorModel::Ultrasonic { .. })) {
                continue;
            }
            let first = usize::from(plan.rays.of[other].0);
            for (i, hit) in self.of(other).iter().enumerate() {
                if hit.primitive == NOTHING || hit.distance_m > max_m {
                    continue;
                }
                let ray = self.ray(first + i);
                let back = ray.from + ray.along * hit.distance_m - here;
                let way = back.length();
                // Heard within 60 degrees of the receiver's axis.
                if back.dot(facing) > 0.5 * way {
                    let range = 0.5 * (hit.distance_m + way);
                    let heard_to = max_m * self.world.scene.material(hit.primitive).sonar;
                    nearest = if range <= heard_to { smaller(nearest, range) } else { nearest };
                }
            }
        }
        nearest
    }

    fn ray(&self, index: usize) -> Ray {
        self.prepared.rays.all[index].placed(self.state.at, self.state.forward)
    }
}

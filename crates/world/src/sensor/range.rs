//! The rays of a robot's ranging sensors, prepared once in its own frame.

use tropism_body::MAX_SENSORS;
use tropism_core::math;

use super::SensorModel;
use crate::cast::{Lanes, Ray};
use crate::geometry::Vec2;

/// Most rays of one robot: 16 channels of 8.
pub(crate) const MAX_RAYS: usize = MAX_SENSORS * 8;

/// Rays in the body frame, in channel order.
#[derive(Clone, Debug)]
pub(crate) struct Rays {
    pub(crate) all: alloc::vec::Vec<Ray>,
    /// The same rays, eight at a time.
    pub(crate) lanes: alloc::vec::Vec<Lanes>,
    /// Channels that have rays in each block of eight.
    pub(crate) users: alloc::vec::Vec<u16>,
    /// First ray and number of rays of each channel.
    pub(crate) of: [(u8, u8); MAX_SENSORS],
    /// Channels that have rays.
    pub(crate) channels: u16,
    /// Farthest point any ray can reach from the body's centre, m.
    pub(crate) reach_m: f32,
}

impl Rays {
    pub(crate) fn new(sensors: &[SensorModel]) -> Self {
        let mut this = Self {
            all: alloc::vec::Vec::new(),
            lanes: alloc::vec::Vec::new(),
            users: alloc::vec::Vec::new(),
            of: [(0, 0); MAX_SENSORS],
            channels: 0,
            reach_m: 0.0,
        };
        for (channel, model) in sensors.iter().enumerate().take(MAX_SENSORS) {
            let Some(beam) = model.beam() else {
                continue;
            };
            this.of[channel] = (this.all.len() as u8, beam.rays);
            this.channels |= 1 << channel;
            let reach = beam.mount_m + beam.max_m;
            this.reach_m = if reach > this.reach_m { reach } else { this.reach_m };
            let gaps = f32::from(beam.rays.max(2) - 1);
            let from = Vec2::at_angle(beam.bearing_rad) * beam.mount_m;
            for i in 0..beam.rays {
                let aside = if beam.rays == 1 {
                    0.0
                } else {
                    beam.spread_rad * (f32::from(i) / gaps - 0.5)
                };
                let along = Vec2::at_angle(math::wrap_angle(beam.bearing_rad + aside));
                if this.all.len().is_multiple_of(8) {
                    this.users.push(0);
                }
                if let Some(users) = this.users.last_mut() {
                    *users |= 1 << channel;
                }
                this.all.push(Ray { from, along });
            }
        }
        this.lanes = Lanes::blocks(&this.all);
        this
    }
}

//! The rays of a robot's ranging sensors, prepared once in its own frame, and their casting.

use tropism_body::MAX_SENSORS;
use tropism_core::math;

use super::SensorModel;
use crate::cast::{Fan, Hit, Lanes, Nearest, Ray, Round};
use crate::geometry::{Material, Vec2};
use crate::world::World;

/// Most rays of one robot: 16 channels of 8.
pub(crate) const MAX_RAYS: usize = MAX_SENSORS * 8;

/// Blocks of eight rays of which distances alone can be asked.
pub(crate) const PLAIN_BLOCKS: usize = 4;

/// Added to a reach when robots are chosen, so that rounding loses none, m.
const RANGE_SLACK_M: f32 = 1e-4;

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

impl World {
    /// Casts the rays of the marked channels; hits beyond the farthest reach of the robot's rays
    /// are left out.
    pub(crate) fn cast_rays<const BLOCKS: usize>(
        &self,
        robot: usize,
        channels: u16,
        hits: &mut [Hit],
    ) {
        let mut nearest = [Nearest::NONE; BLOCKS];
        self.cast_fan(robot, channels, &mut nearest);
        let count = self.robots[robot].rays.lanes.len().min(BLOCKS);
        for (hits, nearest) in hits.chunks_mut(8).zip(&nearest[..count]) {
            nearest.write(hits);
        }
    }

    #[inline]
    fn cast_fan<const BLOCKS: usize>(
        &self,
        robot: usize,
        channels: u16,
        nearest: &mut [Nearest; BLOCKS],
    ) {
        let (state, rays) = (&self.state.robots[robot], &self.robots[robot].rays);
        let count = rays.lanes.len().min(BLOCKS);
        let mut lanes = [Lanes::default(); BLOCKS];
        let mut used = 0_u32;
        for (i, (own, users)) in rays.lanes.iter().zip(&rays.users).take(count).enumerate() {
            if users & channels != 0 {
                lanes[i] = own.placed(state.at, state.forward);
                used |= 1 << i;
            }
        }
        let mut fan = Fan::new(&lanes[..count], &mut nearest[..count], used);
        self.scene.gather(state.at, rays.reach_m, &mut fan);
        self.gather_robots(robot, rays.reach_m, &mut fan);
        fan.run(&self.scene);
    }

    /// As [`Self::cast_rays`], where nothing but distances is asked for.
    pub(crate) fn cast_distances(
        &self,
        robot: usize,
        channels: u16,
        distances_m: &mut [[f32; 8]; PLAIN_BLOCKS],
    ) {
        let (state, rays) = (&self.state.robots[robot], &self.robots[robot].rays);
        if self.scene.count() == 0 && self.robots.len() == 1 && self.scene.is_border_visible {
            let blocks = distances_m.iter_mut().zip(&rays.lanes).zip(&rays.users);
            for ((distances_m, own), users) in blocks {
                if users & channels != 0 {
                    let placed = own.placed(state.at, state.forward);
                    *distances_m = placed.border_m(&self.scene).to_array();
                }
            }
            return;
        }
        let mut nearest = [Nearest::NONE; PLAIN_BLOCKS];
        self.cast_fan::<PLAIN_BLOCKS>(robot, channels, &mut nearest);
        for (distances_m, nearest) in distances_m.iter_mut().zip(&nearest) {
            nearest.write_distances(distances_m);
        }
    }

    /// Gives a fan the robots within reach.
    #[inline]
    fn gather_robots(&self, robot: usize, reach_m: f32, fan: &mut Fan<'_>) {
        if self.robots.len() == 1 {
            return;
        }
        let at = self.state.robots[robot].at;
        let first = self.scene.border_id() + 1;
        let mut offer = |i: u32| {
            let other = i as usize;
            if other == robot {
                return;
            }
            let (center, radius_m) = (self.state.robots[other].at, self.robots[other].radius_m);
            let far = reach_m + radius_m + RANGE_SLACK_M;
            if (center - at).length_squared() <= far * far {
                let round = Round { center, radius_m, material: Material::HARD };
                fan.add_round(&self.scene, round, first + i);
            }
        };
        if self.bins.are_fresh {
            self.bins.visit(at, reach_m + self.radius_max_m + RANGE_SLACK_M, &mut offer);
        } else {
            (0..self.robots.len() as u32).for_each(&mut offer);
        }
    }
}

//! Measuring the channels of a robot.

use tropism_body::{Sample, SensorBank};
use tropism_core::{Tick, math};

use super::ambient::Glows;
use super::{Axis, InfraRedResponse, MAX_RAYS, SensorModel, Wheel};
use crate::cast::{Hit, NOTHING};
use crate::geometry::Vec2;
use crate::noise;
use crate::robot::{Channel, Robot};
use crate::state::{BUMPED, CHARGING, RobotState};
use crate::world::World;

/// Distance at which another robot's buzzer has half its level, m.
const BUZZER_HALF_M: f32 = 0.5;

/// What is measured at one moment.
pub(super) struct Moment<'a> {
    pub(super) world: &'a World,
    pub(super) robot: usize,
    pub(super) prepared: &'a Robot,
    pub(super) state: &'a RobotState,
    pub(super) tick: Tick,
    pub(super) hits: &'a [Hit],
    pub(super) fired: u16,
    pub(super) glows: &'a Glows,
}

impl World {
    /// Measures the channels of a robot that are due at the present tick and hands them to its
    /// sensor bank, which must have been made for the robot's own body.
    ///
    /// # Determinism
    /// Depends on the state, the seed and the tick; noise of a channel is drawn from its own
    /// stream. Calling it twice, or not at all, changes nothing in the world.
    #[inline]
    pub fn sense(&self, robot: usize, bank: &mut SensorBank) {
        self.sense_only(robot, u16::MAX, bank);
    }

    /// As [`Self::sense`] for the channels whose bit is set alone; the others age in the bank. For
    /// minds that read few channels: since every channel has its own stream, leaving some out
    /// changes nothing about the rest.
    #[expect(clippy::inline_always, reason = "it only picks who measures; its call cost as much")]
    #[inline(always)]
    pub fn sense_only(&self, robot: usize, channels: u16, bank: &mut SensorBank) {
        let Some(prepared) = self.robots.get(robot) else {
            return;
        };
        let rays = &prepared.rays;
        let state = &self.state.robots[robot];
        let with_rays = channels & rays.channels;
        let due = if with_rays == 0 { 0 } else { self.due_rays(prepared, with_rays, bank) };
        let wanted = (channels & !rays.channels) | due;
        match rays.all.len() {
            _ if due == 0 => self.measure(robot, bank, wanted, &[]),
            1 if self.scene.count() == 0 && self.robots.len() == 1 => {
                let hit = self.scene.cast_border(&rays.all[0].placed(state.at, state.forward));
                self.measure(robot, bank, wanted, &[hit]);
            }
            _ if due & !prepared.plain == 0 && self.scene.is_loud => {
                self.measure_plain(robot, bank, due);
                if wanted != due {
                    self.measure(robot, bank, wanted & !due, &[]);
                }
            }
            0..=32 => self.cast_eightfold::<4, 32>(robot, bank, wanted),
            _ => self.cast_eightfold::<16, MAX_RAYS>(robot, bank, wanted),
        }
    }

    /// The channels with rays that measure now.
    #[inline]
    fn due_rays(&self, robot: &Robot, channels: u16, bank: &SensorBank) -> u16 {
        let tick = self.tick();
        let mut due = channels & robot.steady;
        let mut left = channels & !robot.steady;
        while left != 0 {
            let channel = left.trailing_zeros() as usize;
            left &= left - 1;
            if bank.is_due(channel, tick) && robot.channels[channel].fires_at(tick) {
                due |= 1 << channel;
            }
        }
        due
    }

    #[inline(never)]
    fn cast_eightfold<const BLOCKS: usize, const RAYS: usize>(
        &self,
        robot: usize,
        bank: &mut SensorBank,
        wanted: u16,
    ) {
        let mut hits = [Hit::NONE; RAYS];
        let channels = wanted & self.robots[robot].rays.channels;
        self.cast_rays::<BLOCKS>(robot, channels, &mut hits);
        self.measure(robot, bank, wanted, &hits);
    }

    /// Measures the wanted channels that are due; those with rays among them are.
    #[inline(never)]
    fn measure(&self, robot: usize, bank: &mut SensorBank, wanted: u16, hits: &[Hit]) {
        let tick = self.tick();
        let (state, prepared) = (&self.state.robots[robot], &self.robots[robot]);
        let fired = wanted & prepared.rays.channels;
        let found;
        let glows = if prepared.eyes & wanted == 0 {
            &Glows::NONE
        } else {
            found = self.glows_at(state.at);
            &found
        };
        let moment = Moment { world: self, robot, prepared, state, tick, hits, fired, glows };
        // A channel measured at every tick needs no question; measuring it twice in a tick gives
        // the same value twice.
        let certain = prepared.steady | fired;
        let mut left = wanted;
        while left != 0 {
            let channel = left.trailing_zeros() as usize;
            left &= left - 1;
            let Some(c) = prepared.channels.get(channel) else {
                return;
            };
            if certain & (1 << channel) != 0 || bank.is_due(channel, tick) {
                bank.accept(channel, tick, moment.sample(channel, c));
            }
        }
    }
}

impl Channel {
    /// Rangers in firing slots rest at other ticks.
    #[inline]
    fn fires_at(&self, tick: Tick) -> bool {
        match self.model {
            SensorModel::Ultrasonic { slot, slots, .. } => {
                tick.0 % u64::from(slots.max(1)) == u64::from(slot)
            }
            _ => true,
        }
    }
}

impl Moment<'_> {
    /// Noise of a channel with this standard deviation.
    #[inline]
    fn noise(&self, c: &Channel, sd: f32) -> f32 {
        sd * noise::normal(c.noise, self.tick)
    }

    #[inline]
    fn sample(&self, channel: usize, c: &Channel) -> Sample {
        // The commonest kinds are small functions without a stack frame of their own.
        let value = match c.model {
            SensorModel::BatteryVoltage { noise_v } => self.battery(c, noise_v),
            SensorModel::Microphone { .. } => self.microphone(c),
            SensorModel::LightEye { .. } => self.eye(c),
            SensorModel::Bump { .. } => {
                let is_hit = self.state.is(BUMPED) && self.state.contacts & c.sectors != 0;
                if is_hit { 1.0 } else { 0.0 }
            }
            SensorModel::InfraRed { .. } => self.infrared(channel, c),
            _ => return self.rarer(channel, c),
        };
        Sample::Value(value)
    }

    #[inline]
    fn battery(&self, c: &Channel, noise_v: f32) -> f32 {
        let plan = self.prepared;
        let v = self.state.battery_v + noise_v * noise::normal(c.noise, self.tick);
        (v - plan.empty_v) * plan.inverse_span_v
    }

    #[inline(never)]
    fn microphone(&self, c: &Channel) -> f32 {
        let SensorModel::Microphone { floor, drive_gain, buzzer_gain, charge_gain, noise } =
            c.model
        else {
            return 0.0;
        };
        let state = self.state;
        let mut level = floor + drive_gain * state.effort;
        if let Some(buzzer) = self.prepared.buzzer {
            level += buzzer_gain * state.previous[usize::from(buzzer & 15)];
        }
        if state.is(CHARGING) {
            level += charge_gain;
        }
        if self.world.has_sounds {
            level += self.surroundings(buzzer_gain);
        }
        level + noise * noise::normal(c.noise, self.tick)
    }

    #[inline(never)]
    fn eye(&self, c: &Channel) -> f32 {
        let SensorModel::LightEye { is_on_head, half_level, noise, .. } = c.model else {
            return 0.0;
        };
        let base = if is_on_head { self.state.gaze } else { self.state.forward };
        let seen = self.glows.seen(c.bearing.turned(base), c.cosine);
        let sum = seen + noise * noise::normal(c.noise, self.tick);
        let light = if sum > 0.0 { sum } else { 0.0 };
        light / (light + half_level)
    }

    #[cold]
    #[inline(never)]
    fn rarer(&self, channel: usize, c: &Channel) -> Sample {
        let value = match c.model {
            SensorModel::Ultrasonic { .. } => return self.ultrasonic(channel, c),
            SensorModel::Lidar { beam, noise_m } => {
                let hit = self.of(channel)[0];
                if hit.primitive == NOTHING || hit.distance_m > beam.max_m {
                    return Sample::NoEcho;
                }
                hit.distance_m + self.noise(c, noise_m)
            }
            SensorModel::Rssi { floor_dbm, span_db, fading_db } => {
                let strongest = (0..self.world.stations())
                    .filter_map(|s| self.world.radio_dbm(self.robot, s))
                    .fold(f32::NEG_INFINITY, |a, b| if b > a { b } else { a });
                if strongest == f32::NEG_INFINITY {
                    0.0
                } else {
                    (strongest + self.noise(c, fading_db) - floor_dbm) / span_db
                }
            }
            _ => self.inner_or_goal(c),
        };
        Sample::Value(value)
    }

    /// Clicks of stations and buzzers of other robots.
    fn surroundings(&self, buzzer_gain: f32) -> f32 {
        let (world, at) = (self.world, self.state.at);
        let mut level = 0.0;
        for (station, now) in world.stations.iter().zip(&world.state.stations) {
            level += station.click(now, self.tick, at);
        }
        if world.robots.len() > 1 {
            for (other, plan) in world.robots.iter().enumerate() {
                if other == self.robot {
                    continue;
                }
                let Some(buzzer) = plan.buzzer else { continue };
                let sounding = &world.state.robots[other];
                let loud = sounding.previous[usize::from(buzzer & 15)];
                if loud > 0.0 {
                    let d2 = (sounding.at - at).length_squared();
                    let half2 = BUZZER_HALF_M * BUZZER_HALF_M;
                    level += buzzer_gain * loud * half2 / (half2 + d2);
                }
            }
        }
        level
    }

    /// Hits of the rays of a channel.
    pub(super) fn of(&self, channel: usize) -> &[Hit] {
        let (first, count) = self.prepared.rays.of[channel];
        self.hits.get(usize::from(first)..usize::from(first + count)).unwrap_or(&[Hit::NONE])
    }

    #[inline(never)]
    fn infrared(&self, channel: usize, c: &Channel) -> f32 {
        let SensorModel::InfraRed { beam, response, noise } = c.model else {
            return 0.0;
        };
        let hits = self.of(channel);
        let value = match response {
            InfraRedResponse::Inverse { min_m, offset, scale } => {
                let mut nearest = beam.max_m;
                for hit in hits {
                    nearest = smaller(nearest, hit.distance_m);
                }
                let nearest = if nearest > min_m { nearest } else { min_m };
                (1.0 / nearest - offset) / scale
            }
            InfraRedResponse::Intensity => {
                let mut sum = 0.0;
                for hit in hits {
                    if hit.distance_m < beam.max_m {
                        let returned = self.world.scene.material(hit.primitive).infrared;
                        sum += returned * (1.0 - hit.distance_m / beam.max_m);
                    }
                }
                sum / f32::from(beam.rays)
            }
        };
        if noise == 0.0 { value } else { value + self.noise(c, noise) }
    }

    /// Sensors of the body's own motion, of fields, floor and beacons.
    fn inner_or_goal(&self, c: &Channel) -> f32 {
        let (world, state) = (self.world, self.state);
        let side = |wheel: Wheel| usize::from(wheel == Wheel::Right);
        let to_beacon = |beacon: u8| world.beacons.get(usize::from(beacon)).map(|b| *b - state.at);
        match c.model {
            SensorModel::ChargeCurrent { full_a, noise_a } => {
                (state.charge_a + self.noise(c, noise_a)) / full_a
            }
            SensorModel::WheelSpeed { wheel, noise_m_s } => {
                state.drive.wheels_m_s[side(wheel)] + self.noise(c, noise_m_s)
            }
            SensorModel::Encoder { wheel, counts_per_m, modulus } => {
                let travel = state.drive.travel_m[side(wheel)];
                crate::odometry::count(travel, counts_per_m, modulus) as f32
            }
            SensorModel::Odometer => {
                (0.5 * (state.drive.travel_m[0] + state.drive.travel_m[1])) as f32
            }
            SensorModel::Gyro { bias_rad_s, noise_rad_s } => {
                let bias = if world.has_noise { bias_rad_s } else { 0.0 };
                state.turn_rad_s + bias + self.noise(c, noise_rad_s)
            }
            SensorModel::Accelerometer { axis, noise_m_s2 } => {
                let along = match axis {
                    Axis::Forward => state.accel.x,
                    Axis::Leftward => state.accel.y,
                };
                along + self.noise(c, noise_m_s2)
            }
            SensorModel::Field { kind, half_level, noise } => {
                let value = world.field_at(kind, state.at) + self.noise(c, noise);
                let value = if value > 0.0 { value } else { 0.0 };
                value / (value + half_level)
            }
            SensorModel::FloorReflectance { ahead_m, left_m, floor, tape, spot_m, noise } => {
                let point = state.at + Vec2::new(ahead_m, left_m).turned(state.forward);
                let bright = if spot_m > 0.0 {
                    floor + world.tape_cover(point, spot_m) * (tape - floor)
                } else if world.is_on_tape(point) {
                    tape
                } else {
                    floor
                };
                bright + self.noise(c, noise)
            }
            SensorModel::GoalBearing { beacon, noise_rad } => to_beacon(beacon).map_or(0.0, |b| {
                let bearing = math::atan2(state.forward.cross(b), state.forward.dot(b));
                math::wrap_angle(bearing + self.noise(c, noise_rad))
            }),
            SensorModel::GoalRange { beacon, noise_m } => {
                to_beacon(beacon).map_or(0.0, |b| b.length() + self.noise(c, noise_m))
            }
            _ => 0.0,
        }
    }
}

#[inline]
pub(super) fn smaller(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

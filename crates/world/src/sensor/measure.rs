//! Measuring the channels of a robot.

use tropism_body::{Sample, SensorBank};
use tropism_core::{Tick, math};

use super::radio::mean_dbm;
use super::{Axis, InfraRedResponse, MAX_RAYS, SensorModel, Wheel};
use crate::cast::{Fan, Hit, Lanes, NOTHING, Nearest, Ray, Round};
use crate::field::FieldKind;
use crate::geometry::{Material, Vec2};
use crate::light::{Glow, Light};
use crate::noise;
use crate::robot::{Channel, Robot};
use crate::state::{BUMPED, CHARGING, RobotState};
use crate::world::World;

/// Distance at which another robot's buzzer has half its level, m.
const BUZZER_HALF_M: f32 = 0.5;

/// Range at which false echoes have their nominal probability, m.
const FALSE_ECHO_RANGE_M: f32 = 4.0;

/// Added to a reach when robots are chosen, so that rounding loses none, m.
const RANGE_SLACK_M: f32 = 1e-4;

/// Most directed lights seen at once; the weakest beyond them is left out.
const GLOWS: usize = 8;

/// Directed lights at a point, and the light from everywhere.
struct Glows {
    each: [Glow; GLOWS],
    count: usize,
    everywhere: f32,
}

impl Glows {
    #[inline]
    fn add(&mut self, glow: Glow) {
        if self.count < GLOWS {
            self.each[self.count] = glow;
            self.count += 1;
        } else if let Some(weakest) =
            self.each.iter_mut().min_by(|a, b| a.strength.total_cmp(&b.strength))
            && weakest.strength < glow.strength
        {
            *weakest = glow;
        }
    }

    #[inline]
    fn seen(&self, gaze: Vec2, cos_half_field: f32) -> f32 {
        let mut sum = self.everywhere;
        for glow in &self.each[..self.count.min(GLOWS)] {
            sum += glow.on(gaze, cos_half_field);
        }
        sum
    }
}

/// What is measured at one moment.
struct Moment<'a> {
    world: &'a World,
    robot: usize,
    prepared: &'a Robot,
    state: &'a RobotState,
    tick: Tick,
    hits: &'a [Hit],
    fired: u16,
    glows: &'a Glows,
}

impl World {
    /// Measures the channels of a robot that are due at the present tick and hands them to its
    /// sensor bank.
    ///
    /// # Determinism
    /// Depends on the state, the seed and the tick; noise of a channel is drawn from its own
    /// stream. Calling it twice, or not at all, changes nothing in the world.
    pub fn sense(&self, robot: usize, bank: &mut SensorBank) {
        let Some(prepared) = self.robots.get(robot) else {
            return;
        };
        let rays = &prepared.rays;
        let due = if rays.channels == 0 { 0 } else { self.due_rays(prepared, bank) };
        match rays.all.len() {
            _ if due == 0 => self.measure(robot, bank, 0, &[]),
            1 if self.scene.count() == 0 && self.robots.len() == 1 => {
                let state = &self.state.robots[robot];
                let hit = self.scene.cast_border(&rays.all[0].placed(state.at, state.forward));
                self.measure(robot, bank, due, &[hit]);
            }
            0..=32 => self.cast_eightfold::<4, 32>(robot, bank, due),
            _ => self.cast_eightfold::<16, MAX_RAYS>(robot, bank, due),
        }
    }

    /// The channels with rays that measure now.
    #[inline]
    fn due_rays(&self, robot: &Robot, bank: &SensorBank) -> u16 {
        let tick = self.tick();
        let mut left = robot.rays.channels;
        let mut due = 0;
        while left != 0 {
            let channel = left.trailing_zeros() as usize;
            left &= left - 1;
            if bank.is_due(channel, tick) && robot.channels[channel].fires_at(tick) {
                due |= 1 << channel;
            }
        }
        due
    }

    fn cast_eightfold<const BLOCKS: usize, const RAYS: usize>(
        &self,
        robot: usize,
        bank: &mut SensorBank,
        due: u16,
    ) {
        let mut hits = [Hit::NONE; RAYS];
        self.cast_rays::<BLOCKS>(robot, due, &mut hits);
        self.measure(robot, bank, due, &hits);
    }

    /// Measures all due channels; those with rays only if they are in `fired`.
    #[inline]
    fn measure(&self, robot: usize, bank: &mut SensorBank, fired: u16, hits: &[Hit]) {
        let tick = self.tick();
        let (state, prepared) = (&self.state.robots[robot], &self.robots[robot]);
        let mut glows = Glows { each: [Glow::default(); GLOWS], count: 0, everywhere: 0.0 };
        if prepared.has_eyes {
            self.find_glows(state.at, &mut glows);
        }
        let moment =
            Moment { world: self, robot, prepared, state, tick, hits, fired, glows: &glows };
        let silent = prepared.rays.channels & !fired;
        for (channel, c) in prepared.channels.iter().enumerate() {
            if silent & (1 << channel) == 0 && bank.is_due(channel, tick) {
                bank.accept(channel, tick, moment.sample(channel, c));
            }
        }
    }

    /// Casts the rays of the marked channels; hits beyond the farthest reach of the robot's rays
    /// are left out.
    pub(crate) fn cast_rays<const BLOCKS: usize>(
        &self,
        robot: usize,
        channels: u16,
        hits: &mut [Hit],
    ) {
        let (state, rays) = (&self.state.robots[robot], &self.robots[robot].rays);
        let count = rays.lanes.len().min(BLOCKS);
        let mut lanes = [Lanes::default(); BLOCKS];
        let mut nearest = [Nearest::NONE; BLOCKS];
        let mut used = 0_u32;
        for i in 0..count {
            if rays.users[i] & channels != 0 {
                lanes[i] = rays.lanes[i].placed(state.at, state.forward);
                used |= 1 << i;
            }
        }
        let mut fan = Fan::new(&lanes[..count], &mut nearest[..count], used);
        self.scene.gather(state.at, rays.reach_m, &mut fan);
        self.gather_robots(robot, rays.reach_m, &mut fan);
        fan.run(&self.scene);
        for (hits, nearest) in hits.chunks_mut(8).zip(&nearest[..count]) {
            nearest.write(hits);
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

    /// Irradiance of an eye of a robot, free of noise: direction relative to head or body.
    pub fn irradiance(&self, robot: usize, bearing_rad: f32, is_on_head: bool) -> f32 {
        let state = &self.state.robots[robot];
        let base = if is_on_head { state.gaze } else { state.forward };
        let gaze = Vec2::at_angle(bearing_rad).turned(base);
        let mut glows = Glows { each: [Glow::default(); GLOWS], count: 0, everywhere: 0.0 };
        self.find_glows(state.at, &mut glows);
        glows.seen(gaze, 0.0)
    }

    /// Light from all sources at a point.
    fn find_glows(&self, at: Vec2, glows: &mut Glows) {
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
            tape.points.windows(2).any(|ends| {
                let way = ends[1] - ends[0];
                let length2 = way.length_squared();
                let along = if length2 > 0.0 { (at - ends[0]).dot(way) / length2 } else { 0.0 };
                let nearest = ends[0] + way * math::unit(along);
                (at - nearest).length_squared() <= half * half
            })
        })
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
        if sd == 0.0 || !self.world.has_noise {
            return 0.0;
        }
        sd * noise::normal(c.noise, self.tick)
    }

    #[inline]
    fn sample(&self, channel: usize, c: &Channel) -> Sample {
        let (world, state) = (self.world, self.state);
        let value = match c.model {
            SensorModel::BatteryVoltage { noise_v } => {
                let plan = self.prepared;
                let v = world.terminal_v(self.robot) + self.noise(c, noise_v);
                (v - plan.empty_v) * plan.inverse_span_v
            }
            SensorModel::Microphone { floor, drive_gain, buzzer_gain, charge_gain, noise } => {
                let mut level = floor + drive_gain * state.effort;
                if let Some(buzzer) = self.prepared.buzzer {
                    level += buzzer_gain * state.previous[usize::from(buzzer & 15)];
                }
                if state.is(CHARGING) {
                    level += charge_gain;
                }
                level + self.surroundings(buzzer_gain) + self.noise(c, noise)
            }
            SensorModel::LightEye { is_on_head, half_level, noise, .. } => {
                let base = if is_on_head { state.gaze } else { state.forward };
                let seen = self.glows.seen(c.bearing.turned(base), c.cosine);
                let sum = seen + self.noise(c, noise);
                let light = if sum > 0.0 { sum } else { 0.0 };
                light / (light + half_level)
            }
            SensorModel::Bump { .. } => {
                let is_hit = state.is(BUMPED) && state.contacts & c.sectors != 0;
                f32::from(u8::from(is_hit))
            }
            SensorModel::InfraRed { .. } => self.infrared(channel, c),
            SensorModel::Ultrasonic { .. } => return self.ultrasonic(channel, c),
            SensorModel::Lidar { beam, noise_m } => {
                let hit = self.of(channel)[0];
                if hit.primitive == NOTHING || hit.distance_m > beam.max_m {
                    return Sample::NoEcho;
                }
                hit.distance_m + self.noise(c, noise_m)
            }
            SensorModel::Rssi { floor_dbm, span_db, fading_db } => {
                let strongest = (0..world.stations())
                    .filter_map(|s| world.radio_dbm(self.robot, s))
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
    #[inline]
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
    fn of(&self, channel: usize) -> &[Hit] {
        let (first, count) = self.prepared.rays.of[channel];
        self.hits.get(usize::from(first)..usize::from(first + count)).unwrap_or(&[Hit::NONE])
    }

    fn infrared(&self, channel: usize, c: &Channel) -> f32 {
        let SensorModel::InfraRed { beam, response, noise } = c.model else {
            return 0.0;
        };
        let hits = self.of(channel);
        let value = match response {
            InfraRedResponse::Inverse { min_m, offset, scale } => {
                let nearest = hits.iter().map(|h| h.distance_m).fold(f32::INFINITY, smaller);
                (1.0 / math::clamp(nearest, min_m, beam.max_m) - offset) / scale
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
        value + self.noise(c, noise)
    }

    fn ultrasonic(&self, channel: usize, c: &Channel) -> Sample {
        let SensorModel::Ultrasonic { beam, min_m, noise_m, false_echo, hears_others, .. } =
            c.model
        else {
            return Sample::Failed;
        };
        let mut nearest = f32::INFINITY;
        let (first, _) = self.prepared.rays.of[channel];
        for (i, hit) in self.of(channel).iter().enumerate() {
            if let Some(d) = self.echo(usize::from(first) + i, hit, beam.max_m, c.cosine) {
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
        }
        if nearest >= min_m && nearest <= beam.max_m {
            Sample::Value(nearest)
        } else {
            Sample::NoEcho
        }
    }

    /// Distance of an echo that comes back along its own ray.
    fn echo(&self, ray: usize, hit: &Hit, max_m: f32, cos_specular: f32) -> Option<f32> {
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
            SensorModel::FloorReflectance { ahead_m, left_m, floor, tape, noise } => {
                let point = state.at + Vec2::new(ahead_m, left_m).turned(state.forward);
                let bright = if world.is_on_tape(point) { tape } else { floor };
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
fn smaller(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

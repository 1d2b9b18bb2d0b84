//! A robot prepared for stepping.

use tropism_body::{MAX_ACTUATORS, MAX_SENSORS};
use tropism_core::{Name, Purpose, Seed, Stream};
use wide::f32x8;

use crate::battery::{BatterySpec, Load};
use crate::contact::sector_mask;
use crate::drive::Drive;
use crate::geometry::Vec2;
use crate::sensor::{PLAIN_BLOCKS, Rays, SensorModel};
use crate::spec::{RobotPlan, RobotSpec, Start};
use crate::state::{CHARGING, RobotState};

const NOISE: Purpose = Purpose::named("world.noise");

/// A sensor model with its constants worked out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Channel {
    pub(crate) model: SensorModel,
    pub(crate) noise: Stream,
    /// Unit vector of the model's bearing, if it has one.
    pub(crate) bearing: Vec2,
    /// Cosine of the half field of view.
    pub(crate) cosine: f32,
    /// Contact sectors.
    pub(crate) sectors: u16,
}

/// A robot prepared for stepping.
#[derive(Clone, Debug)]
pub(crate) struct Robot {
    pub(crate) name: Name,
    pub(crate) radius_m: f32,
    pub(crate) drive: Drive,
    pub(crate) wheels: [u8; 2],
    pub(crate) actuators: usize,
    pub(crate) head: Option<(u8, f32)>,
    pub(crate) buzzer: Option<u8>,
    pub(crate) battery: BatterySpec,
    pub(crate) empty_v: f32,
    pub(crate) inverse_span_v: f32,
    pub(crate) share_per_amp: f32,
    /// A at value 1 and at a change of 1 per step, by actuator.
    pub(crate) load_a: [[f32x8; 2]; 2],
    /// A at command 1 of both wheels, for the reference's sag.
    pub(crate) wheel_a: f32,
    pub(crate) channels: alloc::vec::Vec<Channel>,
    pub(crate) rays: Rays,
    /// Channels that see light.
    pub(crate) eyes: u16,
    /// Channels measured at every tick.
    pub(crate) steady: u16,
    /// Rangers whose reading is the nearest hit of their rays and nothing else.
    pub(crate) plain: u16,
    pub(crate) has_accelerometer: bool,
    pub(crate) start: Start,
}

impl Robot {
    /// `steps` are the control and the physics step, s.
    pub(crate) fn new(
        spec: &RobotSpec,
        (seed, index): (Seed, u32),
        steps: (f32, f32),
        has_noise: bool,
    ) -> Self {
        let plan = &spec.plan;
        let (empty_v, span_v) = plan.battery.range_v();
        let wheels = plan.drive.wheel_channels();
        let wheel_a = plan
            .loads
            .iter()
            .find_map(|load| match load {
                Load::Level { channel, current_a } if *channel == wheels[0] => Some(*current_a),
                _ => None,
            })
            .unwrap_or(0.0);
        let channels = plan
            .sensors
            .iter()
            .take(MAX_SENSORS)
            .enumerate()
            .map(|(i, model)| {
                let model = if has_noise { *model } else { model.quiet() };
                channel(&model, seed.stream(NOISE, index, i as u32))
            })
            .collect();
        let rays = Rays::new(&plan.sensors);
        let is_plain = |c: &SensorModel| c.is_plain_ultrasonic(has_noise);
        let plain = channels_of(plan, is_plain);
        Self {
            name: spec.name,
            radius_m: plan.radius_m,
            drive: Drive::new(plan.drive, steps.1),
            wheels,
            actuators: plan.body.actuators.len().min(MAX_ACTUATORS),
            head: plan.head.map(|h| (h.channel, h.span_rad)),
            buzzer: plan.buzzer,
            battery: plan.battery,
            empty_v,
            inverse_span_v: 1.0 / span_v,
            share_per_amp: steps.0 / (3600.0 * plan.battery.capacity_ah),
            load_a: loads(&plan.loads, steps.0),
            wheel_a,
            channels,
            plain: if rays.lanes.len() > PLAIN_BLOCKS { 0 } else { plain },
            rays,
            steady: steady(plan),
            has_accelerometer: plan
                .sensors
                .iter()
                .any(|s| matches!(s, SensorModel::Accelerometer { .. })),
            eyes: channels_of(plan, |s| matches!(s, SensorModel::LightEye { .. })),
            start: spec.start,
        }
    }
}

impl Robot {
    /// Terminal voltage of the battery.
    #[inline]
    pub(crate) fn terminal_v(&self, state: &RobotState) -> f32 {
        let battery = &self.battery;
        let lift = if state.is(CHARGING) { battery.charge_lift_v } else { 0.0 };
        battery.open_circuit_v(state.soc) - battery.resistance_ohm * state.sag_a + lift
    }

    /// Current drawn by the actuators.
    #[inline]
    pub(crate) fn drawn_a(&self, now: &[f32; 16], before: &[f32; 16]) -> f32 {
        let (now, before) = (halves(*now), halves(*before));
        let [by_level, by_change] = &self.load_a;
        let part =
            |i: usize| now[i].abs() * by_level[i] + (now[i] - before[i]).abs() * by_change[i];
        let low = part(0);
        let sum = if self.actuators > 8 { low + part(1) } else { low };
        let [a, b, c, d, e, f, g, h] = sum.to_array();
        ((a + b) + (c + d)) + ((e + f) + (g + h))
    }
}

/// The channels whose model is of a kind, as a mask.
fn channels_of(plan: &RobotPlan, is_wanted: impl Fn(&SensorModel) -> bool) -> u16 {
    let models = plan.sensors.iter().enumerate();
    models.fold(0, |mask, (i, model)| mask | u16::from(is_wanted(model)) << (i & 15))
}

/// Channels measured at every tick, whatever was measured before.
fn steady(plan: &RobotPlan) -> u16 {
    let in_slots =
        channels_of(plan, |s| matches!(s, SensorModel::Ultrasonic { slots, .. } if *slots > 1));
    let specs = plan.body.sensors.iter().enumerate();
    let always = specs.fold(0, |mask, (i, s)| mask | u16::from(s.update_hz == 0.0) << (i & 15));
    always & !in_slots
}

/// Load currents by level and by change.
fn loads(loads: &[Load], dt_s: f32) -> [[f32x8; 2]; 2] {
    let mut by = [[0.0_f32; 16]; 2];
    for load in loads {
        match *load {
            Load::Level { channel, current_a } => by[0][usize::from(channel & 15)] += current_a,
            Load::Change { channel, current_a } => {
                by[1][usize::from(channel & 15)] += current_a / dt_s;
            }
        }
    }
    by.map(halves)
}

/// Sixteen numbers as two times eight.
#[inline]
pub(crate) fn halves(values: [f32; 16]) -> [f32x8; 2] {
    let (low, high) = values.split_at(8);
    [low, high].map(|half| f32x8::new(core::array::from_fn(|i| half[i])))
}

fn channel(model: &SensorModel, noise: Stream) -> Channel {
    let mut channel =
        Channel { model: *model, noise, bearing: Vec2::new(1.0, 0.0), cosine: 0.0, sectors: 0 };
    match *model {
        SensorModel::LightEye { bearing_rad, half_field_rad, .. } => {
            channel.bearing = Vec2::at_angle(bearing_rad);
            channel.cosine = Vec2::at_angle(half_field_rad).x;
        }
        SensorModel::Bump { sector } => {
            channel.sectors = sector.map_or(u16::MAX, |(b, half)| sector_mask(b, half));
        }
        SensorModel::Ultrasonic { beam, specular_rad, .. } => {
            channel.bearing = Vec2::at_angle(beam.bearing_rad);
            channel.cosine = Vec2::at_angle(specular_rad).x;
        }
        _ => {}
    }
    channel
}

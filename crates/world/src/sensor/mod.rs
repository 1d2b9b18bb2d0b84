//! Sensor models.
//!
//! Terms: a *model* says what a channel of a body measures and how badly; a *beam* is the bundle of
//! rays of a ranging sensor.
//!
//! What it does not do: no model reads another one's output; rates and ages of readings belong to
//! the body's sensor bank.

mod ambient;
mod measure;
mod radio;
mod range;
mod sonar;

pub(crate) use radio::Shadow;
pub(crate) use range::{MAX_RAYS, PLAIN_BLOCKS, Rays};

use tropism_core::math;

use crate::field::FieldKind;

/// A bundle of rays from a point of the body's rim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// Middle direction in the body frame, rad.
    pub bearing_rad: f32,
    /// Distance of the emitter from the body's centre along that direction, m.
    pub mount_m: f32,
    /// Number of rays, 1..=8.
    pub rays: u8,
    /// Angle between the first and the last ray, rad.
    pub spread_rad: f32,
    /// Largest distance measured, m.
    pub max_m: f32,
}

impl Beam {
    /// One ray.
    pub const fn single(bearing_rad: f32, mount_m: f32, max_m: f32) -> Self {
        Self { bearing_rad, mount_m, rays: 1, spread_rad: 0.0, max_m }
    }
}

/// What an infra-red sensor makes of a distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InfraRedResponse {
    /// Triangulating sensor: d clamped to [min, max], channel (1/d − offset)/scale.
    Inverse {
        /// Shortest distance told apart, m.
        min_m: f32,
        /// 1/d that reads 0, 1/m.
        offset: f32,
        /// 1/d above the offset that reads 1, 1/m.
        scale: f32,
    },
    /// Reflected light: the mean over the rays of reflectivity · (1 − d/max).
    Intensity,
}

/// Left or right wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wheel {
    /// Left.
    Left,
    /// Right.
    Right,
}

/// A direction of the body frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Forward.
    Forward,
    /// To the left.
    Leftward,
}

/// What a sensor channel measures. Every `noise…` is a standard deviation, 0 switches it off.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SensorModel {
    /// Terminal voltage as a share of the battery's range: (V − empty)/span.
    BatteryVoltage {
        /// V.
        noise_v: f32,
    },
    /// Current flowing into the battery from outside as a share of `full_a`.
    ChargeCurrent {
        /// A that read 1.
        full_a: f32,
        /// A.
        noise_a: f32,
    },
    /// floor + drive·effort + buzzer·own + charge·\[charging\] + clicks + others.
    ///
    /// Buzzers of other robots count with `buzzer_gain`/(1 + (d/0.5 m)²).
    Microphone {
        /// Level of silence.
        floor: f32,
        /// Level of own motors at full command.
        drive_gain: f32,
        /// Level of a buzzer at full command.
        buzzer_gain: f32,
        /// Level of the charger's hum.
        charge_gain: f32,
        /// Of the level.
        noise: f32,
    },
    /// L/(L + half) of the irradiance L, noise added to L before.
    LightEye {
        /// Direction relative to the head or body, rad.
        bearing_rad: f32,
        /// True when it turns with the head.
        is_on_head: bool,
        /// Half field of view, rad, at most π/2.
        half_field_rad: f32,
        /// Irradiance that reads ½.
        half_level: f32,
        /// Of the irradiance.
        noise: f32,
    },
    /// 1 while the body touches something, within a sector if one is given.
    Bump {
        /// Middle and half width of the sector in the body frame, rad.
        sector: Option<(f32, f32)>,
    },
    /// Infra-red distance.
    InfraRed {
        /// Rays.
        beam: Beam,
        /// From distance to channel.
        response: InfraRedResponse,
        /// Of the channel.
        noise: f32,
    },
    /// Ultrasonic ranger, m; the nearest echo of its rays.
    ///
    /// No echo when nothing lies within max·sonar reflectivity, when every surface in the cone is
    /// met at more than `specular_rad` from its normal, or when the echo is nearer than `min_m`.
    Ultrasonic {
        /// Rays across the cone.
        beam: Beam,
        /// Nearest distance measured, m.
        min_m: f32,
        /// m.
        noise_m: f32,
        /// Largest angle of incidence that returns an echo, rad; π/2 returns all.
        specular_rad: f32,
        /// Probability of a false echo per measurement at full motor command and 4 m range, in
        /// 1/65536; it grows in proportion to both.
        false_echo: u16,
        /// Probability per tick that a burst of one to three readings near `min_m` begins, in
        /// 1/65536.
        near_burst: u16,
        /// True when it hears pulses of the body's other rangers fired at the same tick.
        hears_others: bool,
        /// Fires at ticks ≡ slot (mod slots).
        slot: u8,
        /// Number of firing slots; 1 fires at every tick.
        slots: u8,
    },
    /// One laser beam, m; no echo beyond its range.
    Lidar {
        /// Rays.
        beam: Beam,
        /// m.
        noise_m: f32,
    },
    /// Radio power of the strongest station, (dBm − floor)/span.
    Rssi {
        /// Power that reads 0, dBm.
        floor_dbm: f32,
        /// dB from 0 to 1.
        span_db: f32,
        /// dB per scan.
        fading_db: f32,
    },
    /// Rim speed of a wheel, m/s.
    WheelSpeed {
        /// Which.
        wheel: Wheel,
        /// m/s.
        noise_m_s: f32,
    },
    /// Encoder count of a wheel, 0..modulus.
    Encoder {
        /// Which.
        wheel: Wheel,
        /// Counts per metre of rim travel.
        counts_per_m: f32,
        /// The counter goes from modulus − 1 to 0.
        modulus: u32,
    },
    /// Way rolled by both wheels on average, m.
    Odometer,
    /// Turn rate, rad/s, with a constant bias.
    Gyro {
        /// rad/s.
        bias_rad_s: f32,
        /// rad/s.
        noise_rad_s: f32,
    },
    /// Acceleration, m/s².
    Accelerometer {
        /// Which direction.
        axis: Axis,
        /// m/s².
        noise_m_s2: f32,
    },
    /// C/(C + half) of a scalar field.
    Field {
        /// Warmth or gas.
        kind: FieldKind,
        /// Value that reads ½.
        half_level: f32,
        /// Of the value.
        noise: f32,
    },
    /// Reflectance of the floor under a spot of the body.
    ///
    /// Model: floor + c·(tape − floor), where c is the share of the spot's width that lies on tape,
    /// clamp(½ + (half width of the tape − distance to its middle line)/spot, 0, 1); a spot of 0 is
    /// a point, c is then 0 or 1.
    FloorReflectance {
        /// Point ahead of the centre, m.
        ahead_m: f32,
        /// Point to the left of the centre, m.
        left_m: f32,
        /// Reading on bare floor.
        floor: f32,
        /// Reading on tape.
        tape: f32,
        /// Width of the spot, m.
        spot_m: f32,
        /// Of the reading.
        noise: f32,
    },
    /// Direction of a beacon in the body frame, rad in [−π, π).
    GoalBearing {
        /// Which beacon.
        beacon: u8,
        /// rad.
        noise_rad: f32,
    },
    /// Distance of a beacon, m.
    GoalRange {
        /// Which beacon.
        beacon: u8,
        /// m.
        noise_m: f32,
    },
}

impl SensorModel {
    /// The rays of a ranging sensor.
    pub(crate) fn beam(&self) -> Option<&Beam> {
        match self {
            Self::InfraRed { beam, .. }
            | Self::Ultrasonic { beam, .. }
            | Self::Lidar { beam, .. } => Some(beam),
            _ => None,
        }
    }

    /// The same model without noise; faults of rangers and the bias of a gyro are left out where
    /// they are measured.
    pub(crate) fn quiet(mut self) -> Self {
        match &mut self {
            Self::BatteryVoltage { noise_v: n }
            | Self::ChargeCurrent { noise_a: n, .. }
            | Self::Microphone { noise: n, .. }
            | Self::LightEye { noise: n, .. }
            | Self::InfraRed { noise: n, .. }
            | Self::Ultrasonic { noise_m: n, .. }
            | Self::Lidar { noise_m: n, .. }
            | Self::Rssi { fading_db: n, .. }
            | Self::WheelSpeed { noise_m_s: n, .. }
            | Self::Gyro { noise_rad_s: n, .. }
            | Self::Accelerometer { noise_m_s2: n, .. }
            | Self::Field { noise: n, .. }
            | Self::FloorReflectance { noise: n, .. }
            | Self::GoalBearing { noise_rad: n, .. }
            | Self::GoalRange { noise_m: n, .. } => *n = 0.0,
            Self::Bump { .. } | Self::Encoder { .. } | Self::Odometer => {}
        }
        self
    }

    /// True for a ranger without noise, false echoes, cross-talk and specular loss.
    pub(crate) fn is_plain_ultrasonic(&self, has_noise: bool) -> bool {
        matches!(
            *self,
            Self::Ultrasonic {
                noise_m,
                specular_rad,
                false_echo,
                near_burst,
                hears_others: false,
                ..
            } if specular_rad >= math::PI / 2.0
                && (!has_noise || (noise_m == 0.0 && false_echo == 0 && near_burst == 0))
        )
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.beam().is_none_or(|b| {
            b.rays >= 1
                && b.rays <= 8
                && b.max_m > 0.0
                && b.max_m.is_finite()
                && b.mount_m >= 0.0
                && b.bearing_rad.is_finite()
                && b.spread_rad >= 0.0
        }) && match *self {
            Self::ChargeCurrent { full_a: x, .. }
            | Self::LightEye { half_level: x, .. }
            | Self::Field { half_level: x, .. }
            | Self::Rssi { span_db: x, .. }
            | Self::Encoder { counts_per_m: x, .. } => x > 0.0 && x.is_finite(),
            Self::Ultrasonic { slot, slots, .. } => slot < slots,
            Self::FloorReflectance { spot_m, .. } => spot_m >= 0.0 && spot_m.is_finite(),
            _ => true,
        }
    }
}

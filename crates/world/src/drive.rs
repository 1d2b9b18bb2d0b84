//! Drives: from actuator values to the motion of the body.
//!
//! Terms: *wheel travel* is the way a wheel's rim has rolled; *slip* is the share of it that does
//! not move the body.
//!
//! What it does not do: no suspension, no tipping, no forces between wheels and floor beyond slip.

use tropism_core::math;

use crate::geometry::Vec2;

/// How a pose follows from wheel travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integration {
    /// The exact arc of constant speed and turn rate.
    #[default]
    Arc,
    /// Explicit Euler, heading first: the position moves along the new heading.
    HeadingFirst,
}

/// A drive as data. Channels are actuator indices of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DriveSpec {
    /// Two stepper wheels that follow their commands at once.
    ///
    /// Model: v = speed · command for each wheel; the body moves with their mean and turns with
    /// ω = (right − left)/base.
    Stepper {
        /// Left wheel channel.
        left: u8,
        /// Right wheel channel.
        right: u8,
        /// Rim speed at command 1, m/s.
        speed_m_s: f32,
        /// Distance between the wheels, m.
        base_m: f32,
        /// How the pose is integrated.
        integration: Integration,
    },
    /// Two direct-current motors.
    ///
    /// Model: target = 0 for |u| ≤ dead band, else speed·gain·(u ∓ band)/(1 − band); the wheel
    /// follows with time constant τ: Δv = (1 − e^(−dt/τ))·(target − v). The body moves with
    /// (1 − slip)·v and turns with turn share·ω (a skid-steered body turns less than it rolls).
    Motors {
        /// Left wheel channel.
        left: u8,
        /// Right wheel channel.
        right: u8,
        /// Rim speed at command 1, m/s.
        speed_m_s: f32,
        /// Distance between the wheels, m.
        base_m: f32,
        /// Command below which a motor does not turn.
        dead_band: f32,
        /// Time constant of the motors, s; 0 follows at once.
        lag_s: f32,
        /// Speed factors of the left and the right motor.
        gains: [f32; 2],
        /// Share of wheel travel lost to slip, 0..1.
        slip: f32,
        /// Share of the rolled turn that the body makes, 0..1.
        turn_share: f32,
    },
    /// One steered and driven front wheel, two idle wheels behind.
    ///
    /// Model: the steering angle δ follows its command at a limited rate; v = u·cos δ,
    /// ω = u·sin δ / axle distance, for the middle of the rear axle, where u is the rim speed of
    /// the front wheel.
    Tricycle {
        /// Steering channel.
        steer: u8,
        /// Driving channel.
        drive: u8,
        /// Rim speed at command 1, m/s.
        speed_m_s: f32,
        /// Distance from the rear axle to the front wheel, m.
        axle_m: f32,
        /// Steering angle at command 1, rad, positive to the left.
        steer_max_rad: f32,
        /// Largest change of the steering angle, rad/s.
        steer_rate_rad_s: f32,
        /// Time constant of the motor, s; 0 follows at once.
        lag_s: f32,
    },
}

/// What a drive remembers from step to step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DriveState {
    /// Rim speeds of the left and right wheel (tricycle: both the front wheel), m/s.
    pub wheels_m_s: [f32; 2],
    /// Steering angle, rad.
    pub steer_rad: f32,
    /// Way rolled by each wheel since the start, m.
    pub travel_m: [f64; 2],
}

/// Motion of a body during one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Motion {
    pub(crate) speed_m_s: f32,
    pub(crate) turn_rad_s: f32,
}

/// A drive with its step-dependent factors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    spec: DriveSpec,
    inverse_base: f32,
    follow: f32,
    dt_s: f32,
    pub(crate) integration: Integration,
}

fn share_per_step(lag_s: f32, dt_s: f32) -> f32 {
    if lag_s > 0.0 { 1.0 - math::exp(-dt_s / lag_s) } else { 1.0 }
}

/// Command after the dead band, stretched so that 1 stays 1.
#[inline]
fn past_dead_band(command: f32, band: f32) -> f32 {
    let size = math::abs(command);
    if size <= band {
        return 0.0;
    }
    let past = (size - band) / (1.0 - band);
    if command < 0.0 { -past } else { past }
}

impl Drive {
    pub(crate) fn new(spec: DriveSpec, dt_s: f32) -> Self {
        let (base, lag) = match spec {
            DriveSpec::Stepper { base_m, .. } => (base_m, 0.0),
            DriveSpec::Motors { base_m, lag_s, .. } => (base_m, lag_s),
            DriveSpec::Tricycle { axle_m, lag_s, .. } => (axle_m, lag_s),
        };
        let integration = match spec {
            DriveSpec::Stepper { integration, .. } => integration,
            DriveSpec::Motors { .. } | DriveSpec::Tricycle { .. } => Integration::Arc,
        };
        let follow = share_per_step(lag, dt_s);
        Self { spec, inverse_base: 1.0 / base, follow, dt_s, integration }
    }

    /// Moves the wheels one step towards their commands.
    #[expect(clippy::inline_always, reason = "called from one place, at every physics step")]
    #[inline(always)]
    pub(crate) fn motion(
        &self,
        state: &mut DriveState,
        commands: &[f32; tropism_body::MAX_ACTUATORS],
        has_power: bool,
    ) -> Motion {
        let at = |channel: u8| if has_power { commands[usize::from(channel & 15)] } else { 0.0 };
        match self.spec {
            DriveSpec::Stepper { left, right, speed_m_s, .. } => {
                let (vl, vr) = (at(left) * speed_m_s, at(right) * speed_m_s);
                self.roll(state, vl, vr);
                Motion { speed_m_s: (vl + vr) * 0.5, turn_rad_s: (vr - vl) * self.inverse_base }
            }
            DriveSpec::Motors {
                left,
                right,
                speed_m_s,
                dead_band,
                gains,
                slip,
                turn_share,
                ..
            } => {
                let toward = |now: f32, command: f32, gain: f32| {
                    let target = speed_m_s * gain * past_dead_band(command, dead_band);
                    now + self.follow * (target - now)
                };
                let vl = toward(state.wheels_m_s[0], at(left), gains[0]);
                let vr = toward(state.wheels_m_s[1], at(right), gains[1]);
                self.roll(state, vl, vr);
                let grip = 1.0 - slip;
                Motion {
                    speed_m_s: grip * (vl + vr) * 0.5,
                    turn_rad_s: grip * turn_share * (vr - vl) * self.inverse_base,
                }
            }
            DriveSpec::Tricycle {
                steer,
                drive,
                speed_m_s,
                steer_max_rad,
                steer_rate_rad_s,
                ..
            } => {
                let most = steer_rate_rad_s * self.dt_s;
                let wanted = if has_power { at(steer) * steer_max_rad } else { state.steer_rad };
                state.steer_rad += math::clamp(wanted - state.steer_rad, -most, most);
                let now = state.wheels_m_s[0];
                let rim = now + self.follow * (at(drive) * speed_m_s - now);
                self.roll(state, rim, rim);
                let (sin, cos) = math::sin_cos(state.steer_rad);
                Motion { speed_m_s: rim * cos, turn_rad_s: rim * sin * self.inverse_base }
            }
        }
    }

    #[inline]
    fn roll(&self, state: &mut DriveState, left: f32, right: f32) {
        state.wheels_m_s = [left, right];
        state.travel_m[0] += f64::from(left * self.dt_s);
        state.travel_m[1] += f64::from(right * self.dt_s);
    }
}

impl DriveSpec {
    /// The channels whose commands move the body.
    pub(crate) fn wheel_channels(&self) -> [u8; 2] {
        match *self {
            Self::Stepper { left, right, .. } | Self::Motors { left, right, .. } => [left, right],
            Self::Tricycle { drive, .. } => [drive, drive],
        }
    }

    /// Largest speed of the body's centre, m/s.
    pub(crate) fn speed_max(&self) -> f32 {
        match *self {
            Self::Stepper { speed_m_s, .. } | Self::Tricycle { speed_m_s, .. } => speed_m_s,
            Self::Motors { speed_m_s, gains: [l, r], .. } => speed_m_s * if l > r { l } else { r },
        }
    }

    pub(crate) fn is_sound(&self) -> bool {
        let amounts = |values: &[f32]| values.iter().all(|v| v.is_finite() && *v >= 0.0);
        let share = |v: f32| (0.0..=1.0).contains(&v);
        match *self {
            Self::Stepper { speed_m_s, base_m, .. } => {
                amounts(&[speed_m_s, base_m]) && base_m > 0.0
            }
            Self::Motors {
                speed_m_s, base_m, dead_band, lag_s, gains, slip, turn_share, ..
            } => {
                amounts(&[speed_m_s, base_m, lag_s, gains[0], gains[1]])
                    && base_m > 0.0
                    && (0.0..1.0).contains(&dead_band)
                    && share(slip)
                    && share(turn_share)
            }
            Self::Tricycle {
                speed_m_s, axle_m, steer_max_rad, steer_rate_rad_s, lag_s, ..
            } => {
                amounts(&[speed_m_s, axle_m, steer_max_rad, steer_rate_rad_s, lag_s])
                    && axle_m > 0.0
                    && steer_max_rad <= math::PI / 2.0
            }
        }
    }

    /// The two actuator channels that move the body: left and right, or steer and drive.
    pub fn channels(&self) -> [u8; 2] {
        match *self {
            Self::Stepper { left, right, .. } | Self::Motors { left, right, .. } => [left, right],
            Self::Tricycle { steer, drive, .. } => [steer, drive],
        }
    }
}

/// Displacement in the body frame of an arc with these speeds, and its turn.
///
/// Model: with φ = ω·dt, (v·dt·sin φ/φ, v·dt·(1 − cos φ)/φ); for |φ| < 10⁻³ the series
/// 1 − φ²/6 and φ/2, so that both limits, straight and on the spot, are finite.
#[inline]
pub fn arc(speed_m_s: f32, turn_rad_s: f32, dt_s: f32) -> (Vec2, f32) {
    let way = speed_m_s * dt_s;
    let turn = turn_rad_s * dt_s;
    if math::abs(turn) < 1e-3 {
        return (Vec2::new(way * (1.0 - turn * turn / 6.0), way * turn * 0.5), turn);
    }
    let (sin, cos) = math::sin_cos(turn);
    (Vec2::new(way * sin / turn, way * (1.0 - cos) / turn), turn)
}

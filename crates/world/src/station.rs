//! Charging stations: geometry, power, cues and the IDLE/CHARGING/FULL machine.
//!
//! Terms: the *contact* is the point a robot's centre must reach; the *funnel* is a wedge that
//! pushes a robot sideways onto the axis of the contact; *cues* are what the station shows and
//! sounds.
//!
//! What it does not do: a station never tells a robot anything but by light, sound, radio, warmth
//! and current. Contacts neither corrode nor bounce.

use tropism_core::{Tick, TimeStep, math};

use crate::geometry::Vec2;

/// What a station is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StationState {
    /// Nobody is charging.
    #[default]
    Idle,
    /// A battery is being charged.
    Charging,
    /// A robot is docked and its battery is full.
    Full,
}

/// Side walls that lead to the contact.
///
/// Model: with depth u and sideways offset w of the robot's centre from the contact, for
/// −behind < u < reach and half(u) < |w| < outer, w is set to ±half(u),
/// half(u) = max(0, u) + throat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Funnel {
    /// Half width at the contact, m.
    pub throat_m: f32,
    /// Depth at which the funnel opens, m.
    pub reach_m: f32,
    /// How far it goes on behind the contact, m.
    pub behind_m: f32,
    /// Offset beyond which a robot passes outside, m.
    pub outer_m: f32,
}

impl Funnel {
    /// The funnel of the reference world.
    pub const REFERENCE: Self =
        Self { throat_m: 0.03, reach_m: 0.30, behind_m: 0.10, outer_m: 0.33 };
}

/// One lamp pattern: a square wave between two brightness shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LedPattern {
    /// Seconds of each half; 0 is steady at `high`.
    pub half_period_s: f32,
    /// Share of full brightness in the first half.
    pub high: f32,
    /// Share in the second half.
    pub low: f32,
}

impl LedPattern {
    /// Always at full brightness.
    pub const STEADY: Self = Self { half_period_s: 0.0, high: 1.0, low: 1.0 };
}

/// What a station shows and sounds in one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cue {
    /// The lamp.
    pub led: LedPattern,
    /// Seconds between clicks; 0 is silent.
    pub click_every_s: f32,
}

/// Radio beacon.
///
/// Model: mean power P(d) = P₁ − slope·log₁₀(max(0.05, d)) + shadow(x, y), dBm; the shadow is a sum
/// of twelve plane waves fixed by the seed; every scan adds fading (see the sensor).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Radio {
    /// Power at 1 m, dBm.
    pub power_dbm: f32,
    /// Loss per decade of distance, dB.
    pub slope_db: f32,
    /// Standard deviation of the shadow, dB.
    pub shadow_db: f32,
}

/// A charging station.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StationSpec {
    /// Where a docked robot's centre is.
    pub contact: Vec2,
    /// Direction from the contact into the room, rad.
    pub facing_rad: f32,
    /// Side walls, if any.
    pub funnel: Option<Funnel>,
    /// Distance to the contact below which current flows, m.
    pub contact_radius_m: f32,
    /// Largest current into the battery, A.
    pub charge_current_a: f32,
    /// Charge share above which the current falls linearly to 0 at 1.
    pub taper_from: f32,
    /// Largest current from the mains for load and battery together, A; with
    /// [`crate::battery::PowerModel::Reference`] the load is never fed.
    pub supply_a: f32,
    /// Charge share at which FULL is entered once the current has fallen below `full_current_a`.
    pub full_from: f32,
    /// Battery current below which FULL is entered, A.
    pub full_current_a: f32,
    /// Charge share below which FULL is left again.
    pub resume_below: f32,
    /// Irradiance factor of the lamp: E = factor / (d² + softening).
    pub led: f32,
    /// Softening of the lamp, m².
    pub led_softening_m2: f32,
    /// Sound level of a click at the contact.
    pub click_level: f32,
    /// Distance at which a click has half its level, m.
    pub click_half_m: f32,
    /// Cues when idle, charging and full.
    pub cues: [Cue; 3],
    /// Radio beacon.
    pub radio: Radio,
    /// False when it starts switched off.
    pub is_on: bool,
}

impl StationSpec {
    const SILENT: Cue = Cue { led: LedPattern::STEADY, click_every_s: 0.0 };

    /// The station of the reference world: steady lamp, no clicks.
    pub const REFERENCE: Self = Self {
        contact: Vec2::new(2.9, 1.25),
        facing_rad: math::PI,
        funnel: Some(Funnel::REFERENCE),
        contact_radius_m: 0.06,
        charge_current_a: 1.0,
        taper_from: 0.8,
        supply_a: 1.0,
        full_from: 0.95,
        full_current_a: 0.02,
        resume_below: 0.90,
        led: 0.15,
        led_softening_m2: 0.02,
        click_level: 0.0,
        click_half_m: 0.5,
        cues: [Self::SILENT; 3],
        radio: Radio { power_dbm: -45.0, slope_db: 25.0, shadow_db: 4.0 },
        is_on: true,
    };

    /// A station whose cues follow its state and whose supply carries the robot's load.
    ///
    /// The lamp blinks slowly when idle, fast when charging and is steady when full; it clicks
    /// every 4 s when charging and every 15 s when full.
    pub const fn mains(contact: Vec2, facing_rad: f32) -> Self {
        let idle = LedPattern { half_period_s: 0.8, high: 1.0, low: 0.1 };
        let charging = LedPattern { half_period_s: 0.15, high: 220.0 / 255.0, low: 10.0 / 255.0 };
        Self {
            contact,
            facing_rad,
            supply_a: 2.5,
            full_current_a: 0.1,
            click_level: 0.6,
            cues: [
                Cue { led: idle, click_every_s: 0.0 },
                Cue { led: charging, click_every_s: 4.0 },
                Cue { led: LedPattern::STEADY, click_every_s: 15.0 },
            ],
            ..Self::REFERENCE
        }
    }
}

/// What changes about a station during a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StationDynamics {
    /// Its state.
    pub state: StationState,
    /// Tick at which it entered that state.
    pub since: Tick,
    /// Where the contact is now.
    pub contact: Vec2,
    /// Where it faces now.
    pub facing: Vec2,
    /// Switched on.
    pub is_on: bool,
}

impl StationDynamics {
    pub(crate) fn new(spec: &StationSpec) -> Self {
        Self {
            state: StationState::Idle,
            since: Tick(0),
            contact: spec.contact,
            facing: Vec2::at_angle(spec.facing_rad),
            is_on: spec.is_on,
        }
    }
}

/// A station with its times in ticks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Station {
    pub(crate) spec: StationSpec,
    half_ticks: [u64; 3],
    click_ticks: [u64; 3],
}

impl Station {
    pub(crate) fn new(spec: &StationSpec, step: TimeStep) -> Self {
        // Rounded up, but not because a decimal fraction has no exact float.
        let whole = |seconds: f32| step.ticks_in(f64::from(seconds) * (1.0 - 1e-6));
        Self {
            spec: *spec,
            half_ticks: spec.cues.map(|cue| whole(cue.led.half_period_s)),
            click_ticks: spec.cues.map(|cue| whole(cue.click_every_s)),
        }
    }

    /// Lamp brightness now, 0..1.
    #[inline]
    pub(crate) fn brightness(&self, now: &StationDynamics, tick: Tick) -> f32 {
        let state = now.state as usize;
        let half = self.half_ticks[state];
        let led = &self.spec.cues[state].led;
        if half == 0 || ((tick.0 - now.since.0) / half).is_multiple_of(2) {
            led.high
        } else {
            led.low
        }
    }

    /// Level of a click sounding at this tick, heard at this point.
    #[inline]
    pub(crate) fn click(&self, now: &StationDynamics, tick: Tick, at: Vec2) -> f32 {
        let every = self.click_ticks[now.state as usize];
        if every == 0 || !now.is_on || !(tick.0 - now.since.0).is_multiple_of(every) {
            return 0.0;
        }
        let distance_m2 = (now.contact - at).length_squared();
        let half2 = self.spec.click_half_m * self.spec.click_half_m;
        self.spec.click_level * half2 / (half2 + distance_m2)
    }

    /// Where the funnel moves a robot's centre, if it touches it.
    #[inline]
    pub(crate) fn funnelled(&self, now: &StationDynamics, at: Vec2) -> Option<Vec2> {
        let funnel = self.spec.funnel.as_ref()?;
        let from_contact = at - now.contact;
        let into = from_contact.dot(now.facing);
        if !(into > -funnel.behind_m && into < funnel.reach_m) {
            return None;
        }
        let side = now.facing.left();
        let off = from_contact.dot(side);
        let half = if into > 0.0 { into + funnel.throat_m } else { funnel.throat_m };
        let distance = math::abs(off);
        if !(distance > half && distance < funnel.outer_m) {
            return None;
        }
        let wanted = if off > 0.0 { half } else { -half };
        Some(at + side * (wanted - off))
    }

    /// Current offered to a battery with this charge, A.
    #[inline]
    pub(crate) fn offered_a(&self, soc: f32) -> f32 {
        let spec = &self.spec;
        if soc < spec.taper_from {
            spec.charge_current_a
        } else {
            let left = (1.0 - soc) / (1.0 - spec.taper_from);
            spec.charge_current_a * if left > 0.0 { left } else { 0.0 }
        }
    }

    /// The state after a tick with a robot docked (its charge share, the current from the charger
    /// into its battery and the battery's net current), or with none.
    pub(crate) fn next_state(
        &self,
        now: StationState,
        docked: Option<(f32, f32, f32)>,
        can_be_full: bool,
    ) -> StationState {
        let spec = &self.spec;
        match (now, docked) {
            (_, None) => StationState::Idle,
            (StationState::Full, Some((soc, ..))) if soc >= spec.resume_below => StationState::Full,
            (_, Some((soc, into_a, net_a)))
                if can_be_full
                    && soc >= spec.full_from
                    && net_a >= 0.0
                    && into_a < spec.full_current_a =>
            {
                StationState::Full
            }
            (_, Some(_)) => StationState::Charging,
        }
    }
}

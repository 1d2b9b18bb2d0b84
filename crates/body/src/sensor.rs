//! Sensor channels: what they are, and how measurements become readings.

use tropism_core::{FixedList, Name, Tick, TimeStep};

use crate::reading::Reading;
use crate::{BodySpec, MAX_SENSORS};

/// The physical kind of a sensor. It gives no meaning; drivers and world models pick by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SensorKind {
    /// Analogue voltage through a converter.
    #[default]
    Adc,
    /// On or off.
    Digital,
    /// Received signal strength of a radio beacon.
    Rssi,
    /// Distance by echo or triangulation.
    Range,
    /// Brightness.
    Light,
    /// Sound level.
    Microphone,
    /// Current flowing into the battery.
    ChargeCurrent,
    /// Position, speed or travelled way of the body's own parts.
    Proprioception,
    /// Acceleration or turn rate.
    Inertial,
    /// Warmth of the surroundings.
    Warmth,
    /// Concentration of a gas.
    Gas,
    /// Reflectance of the floor.
    Reflectance,
}

/// One sensor channel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SensorSpec {
    /// Name, unique among all channels of the body.
    pub name: Name,
    /// Physical kind.
    pub kind: SensorKind,
    /// Lowest value in the channel's unit.
    pub min: f32,
    /// Highest value in the channel's unit.
    pub max: f32,
    /// Measurements per second; 0 measures at every tick.
    pub update_hz: f32,
    /// Seconds after which a held value is stale; 0 never.
    pub valid_for_s: f32,
}

impl SensorSpec {
    /// A channel normalised to 0..1 and measured at every tick.
    pub const fn normalised(name: &str, kind: SensorKind) -> Self {
        let name = Name::literal(name);
        Self { name, kind, min: 0.0, max: 1.0, update_hz: 0.0, valid_for_s: 0.0 }
    }

    /// The same channel measured this often and stale after this time.
    #[must_use]
    pub const fn at_rate(self, update_hz: f32, valid_for_s: f32) -> Self {
        Self { update_hz, valid_for_s, ..self }
    }

    /// The same channel over another range.
    #[must_use]
    pub const fn over(self, min: f32, max: f32) -> Self {
        Self { min, max, ..self }
    }

    /// A value of this channel as a share of its range, clamped to [0, 1].
    #[inline]
    pub fn share(&self, value: f32) -> f32 {
        tropism_core::math::unit((value - self.min) / (self.max - self.min))
    }
}

/// What a driver or a world model delivers when asked to measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sample {
    /// A value in the channel's unit; it is clamped to the channel's range.
    Value(f32),
    /// A ranging sensor heard nothing.
    NoEcho,
    /// The measurement failed; the last one ages on.
    Failed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Latch {
    reading: Latched,
    measured_at: Tick,
    next_due: Tick,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Latched {
    Value(f32),
    NoEcho,
    NotFinite,
    #[default]
    Nothing,
}

/// The sampling state of all sensor channels of a body: rates, ages, validity.
///
/// # Example
/// ```
/// use tropism_body::{presets, Reading, Sample, SensorBank};
/// use tropism_core::{Tick, TimeStep};
/// let body = presets::reference_board();
/// let mut bank = SensorBank::new(&body, TimeStep::TWENTIETH);
/// assert_eq!(bank.reading(0, Tick(0)), Reading::Missing);
/// assert!(bank.is_due(0, Tick(0)));
/// bank.accept(0, Tick(0), Sample::Value(0.8));
/// assert_eq!(bank.reading(0, Tick(0)), Reading::Fresh(0.8));
/// assert_eq!(bank.reading(0, Tick(5)), Reading::Held { value: 0.8, age_ticks: 5 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensorBank {
    specs: FixedList<SensorSpec, MAX_SENSORS>,
    period_ticks: [u32; MAX_SENSORS],
    valid_ticks: [u32; MAX_SENSORS],
    latches: [Latch; MAX_SENSORS],
}

impl SensorBank {
    /// All channels of the body, nothing measured yet.
    pub fn new(body: &BodySpec, step: TimeStep) -> Self {
        let mut period_ticks = [1; MAX_SENSORS];
        let mut valid_ticks = [u32::MAX; MAX_SENSORS];
        for (i, spec) in body.sensors.iter().enumerate() {
            if spec.update_hz > 0.0 {
                period_ticks[i] = step.ticks_in(f64::from(1.0 / spec.update_hz)).max(1) as u32;
            }
            if spec.valid_for_s > 0.0 {
                valid_ticks[i] = step.ticks_in(f64::from(spec.valid_for_s)) as u32;
            }
        }
        let latches = [Latch::default(); MAX_SENSORS];
        Self { specs: body.sensors, period_ticks, valid_ticks, latches }
    }

    /// Number of channels.
    #[inline]
    pub fn count(&self) -> usize {
        self.specs.len()
    }

    /// True when the channel should be measured at this tick.
    #[inline]
    pub fn is_due(&self, channel: usize, tick: Tick) -> bool {
        channel < self.count() && tick >= self.latches[channel].next_due
    }

    /// Takes a measurement made at this tick.
    #[inline]
    pub fn accept(&mut self, channel: usize, tick: Tick, sample: Sample) {
        let Some(spec) = self.specs.get(channel) else {
            return;
        };
        let latch = &mut self.latches[channel];
        latch.next_due = Tick(tick.0 + u64::from(self.period_ticks[channel]));
        let reading = match sample {
            Sample::Value(v) if v.is_finite() => {
                Latched::Value(tropism_core::math::clamp(v, spec.min, spec.max))
            }
            Sample::Value(_) => Latched::NotFinite,
            Sample::NoEcho => Latched::NoEcho,
            Sample::Failed => return,
        };
        latch.reading = reading;
        latch.measured_at = tick;
    }

    /// What the channel says at this tick.
    #[inline]
    pub fn reading(&self, channel: usize, tick: Tick) -> Reading {
        let Some(latch) = self.latches.get(channel) else {
            return Reading::Missing;
        };
        // The commonest case first, without an age.
        match latch.reading {
            Latched::Value(value) if latch.measured_at == tick => Reading::Fresh(value),
            _ => self.older(channel, latch, tick),
        }
    }

    /// What a channel says that was not measured at this tick, or measured no value.
    #[inline(never)]
    fn older(&self, channel: usize, latch: &Latch, tick: Tick) -> Reading {
        let age_ticks = tick.0.saturating_sub(latch.measured_at.0).min(u64::from(u32::MAX)) as u32;
        match latch.reading {
            Latched::Value(value) if age_ticks == 0 => Reading::Fresh(value),
            Latched::Value(value) if age_ticks <= self.valid_ticks[channel] => {
                Reading::Held { value, age_ticks }
            }
            Latched::Value(value) => Reading::Stale { value, age_ticks },
            Latched::NoEcho => Reading::NoEcho,
            Latched::NotFinite => Reading::NotFinite,
            Latched::Nothing => Reading::Missing,
        }
    }

    /// Writes all readings of this tick.
    #[inline]
    pub fn read_into(&self, tick: Tick, readings: &mut FixedList<Reading, MAX_SENSORS>) {
        readings.refill(self.count(), |channel| self.reading(channel, tick));
    }

    /// As [`Self::read_into`] for readings that this bank filled before, where only these channels
    /// can say anything new since no other is measured.
    #[inline]
    pub fn read_only(
        &self,
        tick: Tick,
        channels: u16,
        readings: &mut FixedList<Reading, MAX_SENSORS>,
    ) {
        if channels == u16::MAX || readings.len() != self.count() {
            return self.read_into(tick, readings);
        }
        let mut left = channels;
        while left != 0 {
            let channel = left.trailing_zeros() as usize;
            left &= left - 1;
            if let Some(reading) = readings.get_mut(channel) {
                *reading = self.reading(channel, tick);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets;

    fn bank() -> SensorBank {
        let mut body = presets::reference_board();
        body.sensors[0] = body.sensors[0].at_rate(1.0, 2.0);
        SensorBank::new(&body, TimeStep::TWENTIETH)
    }

    #[test]
    fn unit_us_03_a_value_turns_stale_and_shows_its_age() {
        let mut bank = bank();
        bank.accept(0, Tick(0), Sample::Value(0.06));
        assert!(!bank.is_due(0, Tick(19)) && bank.is_due(0, Tick(20)));
        bank.accept(0, Tick(20), Sample::Failed);
        assert_eq!(bank.reading(0, Tick(40)), Reading::Held { value: 0.06, age_ticks: 40 });
        assert_eq!(bank.reading(0, Tick(41)), Reading::Stale { value: 0.06, age_ticks: 41 });
    }

    #[test]
    fn unit_us_01_no_echo_and_nan_are_never_zero() {
        let mut bank = bank();
        for (sample, reading) in [
            (Sample::NoEcho, Reading::NoEcho),
            (Sample::Value(f32::NAN), Reading::NotFinite),
            (Sample::Value(f32::NEG_INFINITY), Reading::NotFinite),
        ] {
            bank.accept(0, Tick(3), sample);
            assert_eq!(bank.reading(0, Tick(4)), reading);
            assert_eq!(bank.reading(0, Tick(4)).last_value(), None);
        }
        assert_eq!(bank.reading(99, Tick(4)), Reading::Missing);
    }

    #[test]
    fn unit_values_are_clamped_to_the_channel_range() {
        let mut bank = bank();
        bank.accept(0, Tick(0), Sample::Value(1.5));
        assert_eq!(bank.reading(0, Tick(0)), Reading::Fresh(1.0));
    }
}

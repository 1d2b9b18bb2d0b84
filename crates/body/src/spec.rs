//! The body as a list of channels.

use tropism_core::{FixedList, Name, hash};

use crate::actuator::ActuatorSpec;
use crate::sensor::SensorSpec;
use crate::{MAX_ACTUATORS, MAX_SENSORS};

/// Sensor or actuator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// A sensor channel.
    Sensor,
    /// An actuator channel.
    Actuator,
}

/// Why a body was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyError {
    /// Two channels share a name.
    DuplicateName(Name),
    /// Lower limit not below upper limit, or one that is not finite.
    Range(Side, Name),
    /// A rate, time, cost or current that is negative or not finite.
    Negative(Side, Name),
    /// The energy sensor is no channel of the body.
    EnergySensor,
    /// More channels than fit.
    TooMany(Side),
}

impl core::fmt::Display for BodyError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::DuplicateName(name) => write!(f, "two channels are named `{name}`"),
            Self::Range(_, name) => write!(f, "channel `{name}`: min must be below max"),
            Self::Negative(_, name) => {
                write!(f, "channel `{name}`: rates, times, costs and currents are 0 or more")
            }
            Self::EnergySensor => f.write_str("the energy sensor is no sensor of this body"),
            Self::TooMany(Side::Sensor) => write!(f, "a body has at most {MAX_SENSORS} sensors"),
            Self::TooMany(Side::Actuator) => {
                write!(f, "a body has at most {MAX_ACTUATORS} actuators")
            }
        }
    }
}

impl core::error::Error for BodyError {}

/// A body: its channels in order. The order fixes codes, signatures and hashes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySpec {
    /// Name of the body.
    pub name: Name,
    /// Sensor channels.
    pub sensors: FixedList<SensorSpec, MAX_SENSORS>,
    /// Actuator channels.
    pub actuators: FixedList<ActuatorSpec, MAX_ACTUATORS>,
    /// The sensor that feeds the energy variable, if there is one.
    pub energy_sensor: Option<u8>,
}

impl BodySpec {
    /// A checked body.
    ///
    /// # Errors
    /// [`BodyError`] names the first broken rule.
    pub fn new(
        name: Name,
        sensors: &[SensorSpec],
        actuators: &[ActuatorSpec],
        energy_sensor: Option<u8>,
    ) -> Result<Self, BodyError> {
        if sensors.len() > MAX_SENSORS {
            return Err(BodyError::TooMany(Side::Sensor));
        }
        if actuators.len() > MAX_ACTUATORS {
            return Err(BodyError::TooMany(Side::Actuator));
        }
        let body = Self {
            name,
            sensors: FixedList::from_slice(sensors),
            actuators: FixedList::from_slice(actuators),
            energy_sensor,
        };
        body.check()?;
        Ok(body)
    }

    /// Checks all rules of a body.
    ///
    /// # Errors
    /// [`BodyError`] names the first broken rule.
    pub fn check(&self) -> Result<(), BodyError> {
        let is_amount = |x: f32| x.is_finite() && x >= 0.0;
        let is_range = |lo: f32, hi: f32| lo.is_finite() && hi.is_finite() && lo < hi;
        for s in self.sensors.iter() {
            if !is_range(s.min, s.max) {
                return Err(BodyError::Range(Side::Sensor, s.name));
            }
            if !(is_amount(s.update_hz) && is_amount(s.valid_for_s)) {
                return Err(BodyError::Negative(Side::Sensor, s.name));
            }
        }
        for a in self.actuators.iter() {
            if !is_range(a.min, a.max) {
                return Err(BodyError::Range(Side::Actuator, a.name));
            }
            let amounts =
                [a.rate_per_s, a.cost_per_unit, a.current_a, a.sustained_cost, a.heat_capacity];
            if !amounts.into_iter().all(is_amount) {
                return Err(BodyError::Negative(Side::Actuator, a.name));
            }
        }
        for (i, name) in self.names().enumerate() {
            if self.names().skip(i + 1).any(|other| other == name) {
                return Err(BodyError::DuplicateName(name));
            }
        }
        if self.energy_sensor.is_some_and(|i| usize::from(i) >= self.sensors.len()) {
            return Err(BodyError::EnergySensor);
        }
        Ok(())
    }

    fn names(&self) -> impl Iterator<Item = Name> + '_ {
        let actuators = self.actuators.iter().map(|a| a.name);
        actuators.chain(self.sensors.iter().map(|s| s.name))
    }

    /// Index of a sensor by name.
    pub fn sensor(&self, name: &str) -> Option<usize> {
        self.sensors.iter().position(|s| s.name.as_str() == name)
    }

    /// Index of an actuator by name.
    pub fn actuator(&self, name: &str) -> Option<usize> {
        self.actuators.iter().position(|a| a.name.as_str() == name)
    }

    /// FNV-1a over the actuator names, then the sensor names: the same for equal channel layouts.
    pub fn fingerprint(&self) -> u32 {
        self.names().fold(hash::fnv1a_32(b""), |hash, name| {
            hash::fnv1a_32_onto(hash, name.as_str().as_bytes())
        })
    }

    /// Exertion with every actuator at its largest command.
    pub fn cost_max(&self) -> f32 {
        let largest = |a: &ActuatorSpec| {
            let (lo, hi) = (tropism_core::math::abs(a.min), tropism_core::math::abs(a.max));
            if lo > hi { lo } else { hi }
        };
        self.actuators.iter().map(|a| largest(a) * a.cost_per_unit).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SensorKind, presets};

    #[test]
    fn unit_the_presets_are_sound_and_cost_what_they_should() {
        let body = presets::reference_simulator();
        body.check().unwrap();
        presets::reference_board().check().unwrap();
        assert!((body.cost_max() - 2.4).abs() < 1e-6);
        assert_eq!(body.sensor("rf_rssi_station"), Some(6));
        assert_eq!(body.actuator("buzzer"), Some(4));
    }

    #[test]
    fn unit_ct_05_swapped_limits_and_other_faults_are_refused() {
        let base = presets::reference_simulator();
        let mut swapped = base;
        swapped.actuators[0].min = 1.0;
        swapped.actuators[0].max = -1.0;
        assert!(matches!(swapped.check(), Err(BodyError::Range(Side::Actuator, _))));
        let mut twice = base;
        twice.sensors[1].name = base.sensors[0].name;
        assert!(matches!(twice.check(), Err(BodyError::DuplicateName(_))));
        let mut lost = base;
        lost.energy_sensor = Some(7);
        assert_eq!(lost.check(), Err(BodyError::EnergySensor));
        let mut negative = base;
        negative.sensors[0].update_hz = f32::NAN;
        assert!(matches!(negative.check(), Err(BodyError::Negative(..))));
        let many = [SensorSpec::normalised("s", SensorKind::Adc); 17];
        let refused = BodySpec::new(base.name, &many, &[], None);
        assert_eq!(refused, Err(BodyError::TooMany(Side::Sensor)));
    }
}

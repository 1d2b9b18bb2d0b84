//! All that reaches a mind at one tick.

use tropism_core::{FixedList, Tick};

use crate::actuator::ActuatorState;
use crate::reading::Reading;
use crate::{MAX_ACTUATORS, MAX_SENSORS};

/// Readings and felt actuator states of one tick, in channel order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Percept {
    /// The tick.
    pub tick: Tick,
    /// What the sensors say.
    pub readings: FixedList<Reading, MAX_SENSORS>,
    /// The actuators as they stand, from the writes of the tick before.
    pub actuators: FixedList<ActuatorState, MAX_ACTUATORS>,
}

impl Percept {
    /// What a sensor channel says; [`Reading::Missing`] for one that does not exist.
    #[inline]
    pub fn reading(&self, channel: usize) -> Reading {
        self.readings.get(channel).copied().unwrap_or_default()
    }

    /// Adds the percept to a hash.
    pub fn hash_into(&self, hash: &mut tropism_core::StateHash) {
        for reading in self.readings.iter() {
            hash.word(u64::from(reading.is_valid()));
            hash.float(reading.last_value().unwrap_or(f32::NAN));
        }
        for actuator in self.actuators.iter() {
            hash.float(actuator.value);
        }
    }
}

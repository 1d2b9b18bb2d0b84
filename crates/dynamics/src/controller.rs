//! A network as the mind of a body.
//!
//! Terms: a *wire* joins a reading of the network to a sensor channel of the body, or an actuator
//! of the network to an actuator channel.
//!
//! Rule: a trusted reading is passed on; a ranging sensor that heard nothing counts as the far end
//! of its range; everything else is missing, and the specification's rule for missing readings
//! holds.
//!
//! What it does not do: it scales nothing; network and body speak the same units.

use crate::network::{Network, Storage};
use crate::table::Table;
use tropism_body::{
    Command, Controller, MAX_ACTUATORS, MAX_SENSORS, Observer as BodyObserver, Percept, Reading,
};
use tropism_core::FixedList;

/// Mode inputs a mind can have.
pub const MAX_MODES: usize = 8;

/// Which channel is which.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wiring {
    /// For every reading of the network, the sensor channel it comes from.
    pub sensors: FixedList<u8, MAX_SENSORS>,
    /// For every wired actuator, its slot and the actuator channel it drives.
    pub actuators: FixedList<(u16, u8), MAX_ACTUATORS>,
    /// Mode inputs.
    pub modes: FixedList<f32, MAX_MODES>,
}

/// A wired network.
#[derive(Clone, Debug)]
pub struct NetworkMind<S> {
    network: Network<f32, S>,
    wiring: Wiring,
    modules: &'static [&'static str],
}

impl<S: Storage<f32>> NetworkMind<S> {
    /// Wires a network; `modules` names the behaviours of layer 0 in their order.
    pub const fn new(
        network: Network<f32, S>,
        wiring: Wiring,
        modules: &'static [&'static str],
    ) -> Self {
        Self { network, wiring, modules }
    }

    /// The network.
    pub const fn network(&self) -> &Network<f32, S> {
        &self.network
    }

    /// Sets a mode input; it is clamped to [0, 1].
    pub fn set_mode(&mut self, index: usize, value: f32) {
        if let Some(mode) = self.wiring.modes.get_mut(index) {
            *mode = tropism_core::math::unit(value);
        }
    }

    /// Activation of a behaviour of layer 0.
    fn activation(&self, index: usize) -> f32 {
        let slot = self.network.behaviour_slot(index as u16);
        slot.map_or(0.0, |slot| self.network.value(slot))
    }
}

/// What the network hears of a sensor channel.
fn heard(reading: Reading) -> f32 {
    match reading {
        Reading::NoEcho => f32::INFINITY,
        other => other.value().unwrap_or(f32::NAN),
    }
}

impl<S: Storage<f32>> Controller for NetworkMind<S> {
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        let mut readings = [f32::NAN; MAX_SENSORS];
        for (place, channel) in readings.iter_mut().zip(self.wiring.sensors.iter()) {
            *place = heard(percept.reading(usize::from(*channel)));
        }
        self.network.tick(&readings, &self.wiring.modes);
        for (slot, channel) in self.wiring.actuators.iter() {
            command.write(usize::from(*channel), self.network.value(*slot));
        }
    }

    fn modules(&self) -> &'static [&'static str] {
        self.modules
    }

    fn controlling_module(&self) -> usize {
        let (mut best, mut most) = (0, 0.0);
        for index in 0..self.modules.len() {
            let alpha = self.activation(index);
            if alpha > most {
                (best, most) = (index, alpha);
            }
        }
        best
    }

    fn observe(&self, observer: &mut dyn BodyObserver) {
        for (index, name) in self.modules.iter().enumerate() {
            observer.value("activation", Some(name), f64::from(self.activation(index)));
        }
        observer.value("faults", None, f64::from(self.network.faults()));
    }
}

impl<S: Storage<f32>> Network<f32, S> {
    /// Slot of the activation of a behaviour, by its index in the table.
    fn behaviour_slot(&self, index: u16) -> Option<u16> {
        let header = *self.header();
        let records = self.storage().records();
        let table = Table::<f32>::trusted(header, records, &[], &[]);
        (index < header.behaviours).then(|| table.behaviour(index).slot)
    }
}

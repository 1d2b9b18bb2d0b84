//! A place in value memory for every name, and checks of the names themselves.

use super::Compiler;
use crate::compiled::{Channel, Names};
use crate::diagnostic::{Mark, Text};
use crate::interval::Interval;
use crate::symbol::{Scope, Symbol, Value};
use crate::unit::Dimension;
use alloc::collections::{BTreeMap, BTreeSet};

/// Where everything stands, in state slots.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) names: Names,
    pub(super) layers: Vec<Places>,
    pub(super) modes: Scope,
    pub(super) initial: Vec<f64>,
    pub(super) first_reading: u16,
    pub(super) first_mode: u16,
    pub(super) scratch: u16,
}

/// Symbols and record places of one layer.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    pub(super) readings: Scope,
    /// Percepts that are compiled so far.
    pub(super) percepts: Scope,
    /// Slots of all percepts of the layer by declaration.
    pub(super) percept_slots: Vec<Vec<u16>>,
    /// Slots of previous values by percept name.
    pub(super) previous: BTreeMap<String, u16>,
    /// Indices of the percepts whose previous value is kept.
    pub(super) kept: Vec<u16>,
    pub(super) activations: Scope,
    pub(super) actuators: Scope,
    pub(super) first_percept: u16,
    pub(super) percept_count: u16,
    pub(super) first_behaviour: u16,
    pub(super) first_actuator: u16,
}

impl Layout {
    fn place(&mut self) -> u16 {
        self.initial.push(0.0);
        (self.initial.len() - 1) as u16
    }

    /// A slot for the value a percept had one step before.
    pub(super) fn place_previous(&mut self, initial: f64) -> u16 {
        let slot = self.place();
        self.initial[usize::from(slot)] = initial;
        slot
    }
}

fn element(name: &Text, count: Option<u16>, index: u16) -> String {
    if count.is_some() { format!("{name}[{index}]") } else { name.text.clone() }
}

impl Compiler<'_> {
    /// Gives every name its slots, layer by layer and kind by kind.
    pub(super) fn lay_out(&mut self) {
        let mut seen = BTreeSet::new();
        for layer in &self.spec.layers {
            self.check_name(&layer.name, "layer.name");
            if !seen.insert(layer.name.text.clone()) {
                let reason = format!("a layer `{}` exists already", layer.name);
                self.error(layer.name.mark, "layer.name", reason);
            }
            self.layout.names.layers.push(layer.name.text.clone());
            self.layout.layers.push(Places::default());
        }
        self.check_hardware();
        self.place_readings();
        self.place_modes();
        for layer in 0..self.spec.layers.len() {
            self.place_percepts(layer);
        }
        for layer in 0..self.spec.layers.len() {
            self.place_states(layer);
        }
        let most = self.spec.layers.iter().map(|l| l.behaviours.len()).max().unwrap_or(0);
        self.layout.scratch = self.layout.initial.len() as u16;
        self.layout.initial.extend(core::iter::repeat_n(0.0, most));
        if self.layout.initial.len() > 0x7000 {
            let reason = "the network needs more than 28672 values".to_owned();
            self.error(self.spec.name.mark, "network", reason);
        }
    }

    /// Every physical sensor and actuator belongs to exactly one layer.
    fn check_hardware(&mut self) {
        let mut owners: BTreeMap<(&str, &str), &str> = BTreeMap::new();
        let mut found: Vec<(Mark, String, String)> = Vec::new();
        for layer in &self.spec.layers {
            let sensors = layer.readings.iter().map(|r| ("sensor", &r.hardware, &r.name));
            let motors = layer.actuators.iter();
            let motors = motors.filter_map(|a| Some(("actuator", a.hardware.as_ref()?, &a.name)));
            for (kind, hardware, name) in sensors.chain(motors) {
                if let Some(owner) = owners.insert((kind, &hardware.text), &layer.name.text) {
                    let reason = format!(
                        "the physical {kind} `{hardware}` belongs to layer {owner} already; \
                         each belongs to exactly one layer"
                    );
                    let mark = if hardware.mark.0.is_some() { hardware.mark } else { name.mark };
                    found.push((mark, format!("{}.{name}", layer.name), reason));
                }
            }
        }
        for (mark, path, reason) in found {
            self.error(mark, &path, reason);
        }
    }

    fn place_readings(&mut self) {
        self.layout.first_reading = self.layout.initial.len() as u16;
        for (index, layer) in self.spec.layers.iter().enumerate() {
            for reading in &layer.readings {
                let path = format!("{}.{}", layer.name, reading.name);
                self.check_local(&reading.name, &path);
                let unit = self.unit(&reading.unit, &path);
                let initial = self.constant(&reading.initial, &path, unit).unwrap_or(0.0);
                let range = self.range(reading.range.as_ref(), &path, unit);
                let range = range.map_or(Interval::WHOLE, |(lo, hi)| Interval::new(lo, hi));
                let range = if reading.is_angle { Interval::TURN } else { range };
                let mut row = Vec::new();
                for k in 0..reading.count.unwrap_or(1) {
                    let slot = self.layout.place();
                    self.layout.initial[usize::from(slot)] = initial;
                    let number = self.layout.names.readings.len() as u16;
                    let channel = Channel {
                        layer: index,
                        name: element(&reading.name, reading.count, k),
                        slot,
                        unit: reading.unit.text.clone(),
                    };
                    self.layout.names.readings.push(channel);
                    let wire = element(&reading.hardware, reading.count, k);
                    self.layout.names.reading_hardware.push(wire);
                    let needs = [number].into();
                    let range = range.hull(Interval::point(initial));
                    row.push(Value { slot, unit, is_angle: reading.is_angle, range, needs });
                }
                let symbol = match (reading.count, row.first()) {
                    (None, Some(value)) => Symbol::Value(value.clone()),
                    _ => Symbol::Row(row),
                };
                let readings = &mut self.layout.layers[index].readings;
                if readings.insert(reading.name.text.clone(), symbol).is_some() {
                    let reason = format!("`{}` is declared twice", reading.name);
                    self.error(reading.name.mark, &path, reason);
                }
            }
        }
    }

    fn place_modes(&mut self) {
        self.layout.first_mode = self.layout.initial.len() as u16;
        for mode in &self.spec.modes {
            self.check_name(&mode.name, "mode");
            let slot = self.layout.place();
            let (layer, name) = (self.spec.layers.len(), mode.name.text.clone());
            let unit = "1".to_owned();
            self.layout.names.modes.push(Channel { layer, name: name.clone(), slot, unit });
            let value = activation(slot);
            if self.layout.modes.insert(name, Symbol::Value(value)).is_some() {
                let reason = format!("mode `{}` is declared twice", mode.name);
                self.error(mode.name.mark, "mode", reason);
            }
        }
    }

    /// Percepts get their slots in the order they are declared; records follow in the order they
    /// are computed.
    fn place_percepts(&mut self, index: usize) {
        let layer = &self.spec.layers[index];
        for percept in &layer.percepts {
            let path = format!("{}.{}", layer.name, percept.name);
            self.check_local(&percept.name, &path);
            let is_known = self.layout.layers[index].readings.contains_key(&percept.name.text);
            let is_twice =
                layer.percepts.iter().filter(|p| p.name.text == percept.name.text).count() > 1;
            if is_known || is_twice {
                let reason = format!("`{}` is declared twice in this layer", percept.name);
                self.error(percept.name.mark, &path, reason);
            }
            let count = self.row_length(index, percept.over.as_ref(), &path);
            let slots = (0..count).map(|_| self.layout.place()).collect();
            self.layout.layers[index].percept_slots.push(slots);
        }
    }

    fn row_length(&mut self, layer: usize, over: Option<&Text>, path: &str) -> u16 {
        let Some(over) = over else { return 1 };
        self.used.insert(over.text.clone());
        let length = match self.parameters.get(&over.text) {
            Some(Symbol::List(values, _)) => Some(values.len()),
            _ => match self.layout.layers[layer].readings.get(&over.text) {
                Some(Symbol::Row(row)) => Some(row.len()),
                _ => None,
            },
        };
        if length.is_none() {
            let reason = format!("`{over}` is neither a row of readings nor a list of constants");
            self.error(over.mark, path, reason);
        }
        length.unwrap_or(1) as u16
    }

    fn place_states(&mut self, index: usize) {
        let layer = &self.spec.layers[index];
        self.layout.layers[index].first_behaviour = self.layout.names.behaviours.len() as u16;
        for behaviour in &layer.behaviours {
            let path = format!("{}.{}", layer.name, behaviour.name);
            self.check_name(&behaviour.name, &path);
            let slot = self.layout.place();
            let initial = self.constant(&behaviour.initial, &path, Dimension::NONE);
            let initial = initial.unwrap_or(0.0);
            if !(0.0..=1.0).contains(&initial) {
                let reason = format!("an activation starts within 0..1, not at {initial}");
                self.error(behaviour.initial.mark, &path, reason);
            }
            self.layout.initial[usize::from(slot)] = initial;
            let (name, unit) = (behaviour.name.text.clone(), "1".to_owned());
            self.layout.names.behaviours.push(Channel { layer: index, name, slot, unit });
            let activations = &mut self.layout.layers[index].activations;
            let symbol = Symbol::Value(activation(slot));
            if activations.insert(behaviour.name.text.clone(), symbol).is_some() {
                let reason = format!("a behaviour `{}` exists already", behaviour.name);
                self.error(behaviour.name.mark, &path, reason);
            }
        }
        self.layout.layers[index].first_actuator = self.layout.names.actuators.len() as u16;
        for actuator in &layer.actuators {
            let path = format!("{}.{}", layer.name, actuator.name);
            self.check_name(&actuator.name, &path);
            let unit = self.unit(&actuator.unit, &path);
            let initial = self.constant(&actuator.initial, &path, unit).unwrap_or(0.0);
            let range = self.range(actuator.range.as_ref(), &path, unit);
            let range = range.map_or(Interval::WHOLE, |(lo, hi)| Interval::new(lo, hi));
            if !range.contains(initial) {
                let reason = format!("it starts at {initial}, outside its range");
                self.error(actuator.initial.mark, &path, reason);
            }
            let range = if actuator.is_angle { Interval::TURN } else { range };
            let slot = self.layout.place();
            self.layout.initial[usize::from(slot)] = initial;
            let name = actuator.name.text.clone();
            let shown = actuator.unit.text.clone();
            let channel = Channel { layer: index, name: name.clone(), slot, unit: shown };
            self.layout.names.actuators.push(channel);
            let wire = actuator.hardware.as_ref().map(|h| h.text.clone());
            self.layout.names.actuator_hardware.push(wire);
            let needs = BTreeSet::new();
            let value = Value { slot, unit, is_angle: actuator.is_angle, range, needs };
            let actuators = &mut self.layout.layers[index].actuators;
            if actuators.insert(name, Symbol::Value(value)).is_some() {
                let reason = format!("an actuator `{}` exists already", actuator.name);
                self.error(actuator.name.mark, &path, reason);
            }
        }
    }

    /// A name used bare in expressions must not hide a parameter.
    fn check_local(&mut self, name: &Text, path: &str) {
        self.check_name(name, path);
        if self.parameters.contains_key(&name.text) {
            self.error(name.mark, path, format!("`{name}` is also a parameter"));
        }
    }
}

fn activation(slot: u16) -> Value {
    Value {
        slot,
        unit: Dimension::NONE,
        is_angle: false,
        range: Interval::UNIT,
        needs: BTreeSet::new(),
    }
}

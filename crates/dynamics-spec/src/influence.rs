//! Which part of a network acts on which: the edges of its graph.
//!
//! Terms: a part *acts on* another when the other's expression reads it, when it uses a behaviour,
//! or when it pulls an actuator. What is folded away as constant acts on nothing.
//!
//! What it does not do: it says nothing of strength or sign; those change from tick to tick.

use crate::compiled::{Channel, Compiled};
use alloc::collections::BTreeSet;
use tropism_dynamics::{Op, Source, Table};

/// A part of a network, by its index among its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A physical sensor.
    Reading(usize),
    /// A mode input.
    Mode(usize),
    /// A percept.
    Percept(usize),
    /// A behaviour.
    Behaviour(usize),
    /// A target of a behaviour for an actuator.
    Target(usize),
    /// An actuator.
    Actuator(usize),
}

/// All pairs (acting, acted upon), each once, in order.
pub fn influences(compiled: &Compiled) -> Vec<(Part, Part)> {
    let table = Table::trusted(compiled.header, &compiled.records, &compiled.code, &compiled.image);
    let parts = parts(compiled, &table);
    let names = &compiled.names;
    let pulls = names.targets.iter().enumerate();
    let pulls = pulls.map(|(index, t)| (Part::Target(index), Part::Actuator(t.actuator)));
    let mut found: BTreeSet<_> = pulls.collect();
    let mut read = |source: Source, by: Part| {
        for slot in slots(&table, source) {
            if let Some(part) = parts.get(usize::from(slot)).copied().flatten() {
                found.insert((part, by));
            }
        }
    };
    for index in 0..names.percepts.len() {
        read(table.percept(index as u16).source(), Part::Percept(index));
    }
    for (index, user) in names.users.iter().enumerate() {
        let record = table.user(index as u16);
        let behaviour = Part::Behaviour(user.behaviour);
        read(record.source(), behaviour);
        read(Source::Slot(record.activation), behaviour);
    }
    for index in 0..names.targets.len() {
        let record = table.target(index as u16);
        read(record.goal_source(), Part::Target(index));
        read(record.rate_source(), Part::Target(index));
        read(Source::Slot(record.activation), Part::Target(index));
    }
    found.into_iter().filter(|(from, to)| from != to).collect()
}

/// The part that owns each slot.
fn parts(compiled: &Compiled, table: &Table<'_, f64>) -> Vec<Option<Part>> {
    let mut parts = vec![None; compiled.image.len()];
    let mut own = |list: &[Channel], part: fn(usize) -> Part| {
        for (index, channel) in list.iter().enumerate() {
            if let Some(place) = parts.get_mut(usize::from(channel.slot)) {
                *place = Some(part(index));
            }
        }
    };
    let names = &compiled.names;
    own(&names.readings, Part::Reading);
    own(&names.modes, Part::Mode);
    own(&names.percepts, Part::Percept);
    own(&names.behaviours, Part::Behaviour);
    own(&names.actuators, Part::Actuator);
    for index in 0..names.percepts.len() {
        // A percept's value of one step before; a slot that is not kept lies outside.
        let previous = usize::from(table.percept(index as u16).previous);
        if let Some(place) = parts.get_mut(previous) {
            *place = Some(Part::Percept(index));
        }
    }
    parts
}

/// The slots an expression reads.
fn slots(table: &Table<'_, f64>, source: Source) -> Vec<u16> {
    match source {
        Source::Slot(slot) => vec![slot],
        Source::Code(start) => {
            let code = table.code().iter().skip(usize::from(start));
            let code = code.take_while(|instruction| instruction.op != Op::End);
            code.filter(|i| i.op.effect().reads_slot).map(|i| i.argument).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, compile_text};

    const TEXT: &str = r#"
[network]
name = "pair"
dt0 = "20ms"
[mode]
m_on = "Wanted."
[parameter]
theta = { value = 0.1, unit = "s" }
[[layer]]
name = "L0"
[layer.reading]
x = { unit = "m", range = [-1, 1] }
[layer.percept]
twice = { expr = "2*x" }
[[layer.behaviour]]
name = "go"
kappa = 10
users.m_on = "(1 - alpha.go)/theta"
targets.v = { g = "twice/1s", rate = 5 }
[layer.actuator]
v = { unit = "m/s", range = [-2, 2], on_idle = { target = 0, rate = 5 } }
"#;

    #[test]
    fn unit_edges_follow_expressions_uses_and_pulls() {
        let compiled = compile_text("pair.toml", TEXT, Options::default()).unwrap();
        let expected = [
            (Part::Reading(0), Part::Percept(0)),
            (Part::Mode(0), Part::Behaviour(0)),
            (Part::Percept(0), Part::Target(0)),
            (Part::Behaviour(0), Part::Target(0)),
            (Part::Target(0), Part::Actuator(0)),
        ];
        assert_eq!(influences(&compiled), expected);
    }
}

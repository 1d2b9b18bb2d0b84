//! Readings and percepts.

use super::{Compiler, add_prefixed, merged};
use crate::compiled::Channel;
use crate::diagnostic::Text;
use crate::interval::Interval;
use crate::ir::Ir;
use crate::lower::Names;
use crate::spec::{Missing, Percept, PerceptValue};
use crate::symbol::{Kind, Scope, Symbol, Typed, Value};
use crate::unit::Dimension;
use alloc::collections::BTreeSet;
use tropism_core::math::f64 as math;
use tropism_dynamics::Op;
use tropism_dynamics::table::{
    NO_SLOT, PerceptRecord, RULE_DEACTIVATE, RULE_DEFAULT, RULE_HOLD, ReadingRecord,
};

impl Compiler<'_> {
    pub(super) fn readings(&mut self) {
        for layer in &self.spec.layers {
            for reading in &layer.readings {
                let path = format!("{}.{}.missing", layer.name, reading.name);
                let unit = crate::unit::parse(&reading.unit.text).map(|u| u.dimension);
                let unit = unit.unwrap_or_default();
                let zero = self.pool.constant(0.0);
                let mut record = ReadingRecord {
                    rule: RULE_HOLD,
                    grace: 0,
                    default: zero,
                    decay: zero,
                    angle: u16::from(reading.is_angle),
                    low: NO_SLOT,
                    high: NO_SLOT,
                };
                if let Some((low, high)) = self.range(reading.range.as_ref(), &path, unit) {
                    record.low = self.pool.constant(low);
                    record.high = self.pool.constant(high);
                }
                match &reading.missing {
                    Missing::Hold => {}
                    Missing::Default { after, value, time } => {
                        record.rule = RULE_DEFAULT;
                        record.grace = self.ticks(after, &path);
                        let value = self.constant(value, &path, unit).unwrap_or(0.0);
                        record.default = self.pool.constant(value);
                        let gain = self.gain(time, &path, 0);
                        record.decay = self.pool.constant(gain);
                    }
                    Missing::Deactivate { after } => {
                        record.rule = RULE_DEACTIVATE;
                        record.grace = self.ticks(after, &path);
                    }
                }
                for _ in 0..reading.count.unwrap_or(1) {
                    self.records.readings.extend(record.to_words());
                }
            }
        }
    }

    /// 1 − e^(−dt/T) for a layer's period and a time constant.
    fn gain(&mut self, time: &Text, path: &str, layer: usize) -> f64 {
        let seconds = self.constant(time, path, Dimension::TIME).unwrap_or(1.0);
        if seconds <= 0.0 {
            self.error(time.mark, path, format!("the time constant {time} is not above 0"));
        }
        1.0 - math::exp(-self.seconds(layer) / seconds)
    }

    /// Compiles the percepts of a layer in the order of their dependencies.
    pub(super) fn percepts(&mut self, layer: usize) {
        self.layout.layers[layer].first_percept = self.layout.names.percepts.len() as u16;
        for at in self.percept_order(layer) {
            let percept = &self.spec.layers[layer].percepts[at];
            let scope = self.percept_scope(layer);
            let previous = self.previous_scope(layer);
            self.percept(layer, at, percept, Names { scope: &scope, previous: &previous });
        }
        let first = self.layout.layers[layer].first_percept;
        let count = self.layout.names.percepts.len() as u16 - first;
        self.layout.layers[layer].percept_count = count;
    }

    /// What a percept may read: readings and percepts of its layer, the layer below, actuators of
    /// the layer above.
    fn percept_scope(&self, layer: usize) -> Scope {
        let places = &self.layout.layers[layer];
        let mut scope = merged(&[&self.parameters, &places.readings, &places.percepts]);
        if let Some(below) = layer.checked_sub(1).and_then(|z| self.layout.layers.get(z)) {
            add_prefixed(&mut scope, "below.", &below.readings);
            add_prefixed(&mut scope, "below.", &below.percepts);
        }
        if let Some(up) = self.layout.layers.get(layer + 1) {
            add_prefixed(&mut scope, "up.", &up.actuators);
        }
        scope
    }

    /// Percepts named in `prev(…)`, with what their declarations say about them.
    fn previous_scope(&mut self, layer: usize) -> Scope {
        let mut scope = Scope::new();
        for (name, slot) in self.layout.layers[layer].previous.clone() {
            let percepts = &self.spec.layers[layer].percepts;
            let Some(percept) = percepts.iter().find(|p| p.name.text == name) else { continue };
            let known = self.layout.layers[layer].percepts.get(&name).cloned();
            let value = if let Some(Symbol::Value(value)) = known {
                Value { slot, ..value }
            } else {
                let unit = percept.unit.clone().unwrap_or_else(|| "1".into());
                let unit = self.unit(&unit, &name);
                let range = self.range(percept.range.as_ref(), &name, unit);
                let range = range.map_or(Interval::WHOLE, |(lo, hi)| Interval::new(lo, hi));
                let is_angle = percept.is_angle;
                let range = if is_angle { Interval::TURN } else { range };
                Value { slot, unit, is_angle, range, needs: BTreeSet::new() }
            };
            scope.insert(name, Symbol::Value(value));
        }
        scope
    }

    /// Declarations in an order in which each comes after what it reads; reports cycles.
    fn percept_order(&mut self, layer: usize) -> Vec<usize> {
        let percepts = &self.spec.layers[layer].percepts;
        let mut reads = Vec::new();
        for percept in percepts {
            let path = format!("{}.{}", self.spec.layers[layer].name, percept.name);
            let text = match &percept.value {
                PerceptValue::Expr(text) | PerceptValue::Mean { of: text, .. } => text,
            };
            let mut own = Vec::new();
            // A text that does not parse is reported when it is compiled.
            if let Ok(expr) = crate::expr::parse(&text.text) {
                let mut previous = Vec::new();
                expr.names(&mut |name, is_previous| {
                    let at = percepts.iter().position(|p| p.name.text == name);
                    match at {
                        Some(at) if is_previous => previous.push(at),
                        Some(at) => own.push(at),
                        None => {}
                    }
                });
                for at in previous {
                    self.need_previous(layer, at, &path);
                }
            }
            reads.push(own);
        }
        let mut order = Order { reads: &reads, done: Vec::new(), open: Vec::new(), cycle: None };
        (0..percepts.len()).for_each(|at| order.visit(at));
        let (done, cycle) = (order.done, order.cycle);
        if let Some(cycle) = cycle {
            let names: Vec<_> = cycle.iter().map(|at| percepts[*at].name.text.as_str()).collect();
            let first = &percepts[cycle[0]];
            let path = format!("{}.{}", self.spec.layers[layer].name, first.name);
            let reason = format!(
                "percepts read each other in a circle: {} -> {}; use prev() for the value one \
                 step before",
                names.join(" -> "),
                names[0]
            );
            self.error(first.name.mark, &path, reason);
        }
        done
    }

    fn need_previous(&mut self, layer: usize, at: usize, path: &str) {
        let percept = &self.spec.layers[layer].percepts[at];
        if self.layout.layers[layer].previous.contains_key(&percept.name.text) {
            return;
        }
        if percept.over.is_some() {
            self.error(percept.name.mark, path, "prev() of a row is not supported".to_owned());
        }
        let slot = self.layout.place_previous(0.0);
        self.layout.layers[layer].previous.insert(percept.name.text.clone(), slot);
    }

    fn percept(&mut self, layer: usize, at: usize, percept: &Percept, names: Names<'_>) {
        let path = format!("{}.{}", self.spec.layers[layer].name, percept.name);
        let (text, time) = match &percept.value {
            PerceptValue::Expr(text) => (text, None),
            PerceptValue::Mean { of, time } => (of, Some(time)),
        };
        let gain = time.map_or(0.0, |time| self.gain(time, &path, layer));
        let slots = self.layout.layers[layer].percept_slots[at].clone();
        let mut row = Vec::new();
        for (k, slot) in slots.iter().enumerate() {
            let index = percept.over.as_ref().map(|_| k as u16);
            let Some(typed) = self.lowered(text, &path, names, index) else { return };
            let Some(value) = self.percept_value(*slot, percept, typed, text, &path) else {
                return;
            };
            let (typed, value) = value;
            self.percept_record(layer, percept, &typed, &value, (time.is_some(), gain));
            let name = match index {
                Some(k) => format!("{}[{k}]", percept.name),
                None => percept.name.text.clone(),
            };
            let unit =
                percept.unit.as_ref().map_or_else(|| value.unit.to_string(), |u| u.text.clone());
            self.layout.names.percepts.push(Channel { layer, name, slot: *slot, unit });
            row.push(value);
        }
        let symbol = match (&percept.over, row.first()) {
            (None, Some(value)) => Symbol::Value(value.clone()),
            _ => Symbol::Row(row),
        };
        self.layout.layers[layer].percepts.insert(percept.name.text.clone(), symbol);
    }

    /// Checks a percept's expression and gives what others may know about its value.
    fn percept_value(
        &mut self,
        slot: u16,
        percept: &Percept,
        mut typed: Typed,
        text: &Text,
        path: &str,
    ) -> Option<(Typed, Value)> {
        if typed.kind == Kind::Unwrapped && !percept.is_angle {
            let reason = "a difference of angles must wrap: give the percept type = \"angle\", or \
                          write wrap(…)";
            self.error(text.mark, path, reason.to_owned());
            return None;
        }
        let is_mean = matches!(percept.value, PerceptValue::Mean { .. });
        if typed.kind == Kind::Angle && is_mean && !percept.is_angle {
            let reason = "the average of an angle must wrap: give the percept type = \"angle\"";
            self.error(text.mark, path, reason.to_owned());
            return None;
        }
        if let Some(stated) = &percept.unit {
            let unit = self.unit(stated, path);
            let is_angle = percept.is_angle || typed.kind == Kind::Angle;
            self.fits(text.mark, path, &typed, unit, is_angle)?;
            typed.unit = unit;
        }
        let is_angle = percept.is_angle || (typed.kind == Kind::Angle && !is_mean);
        if is_angle && typed.unit != Dimension::NONE {
            let reason = format!("an angle is a pure number, this is in {}", typed.unit);
            self.error(text.mark, path, reason);
            return None;
        }
        let unit = typed.unit;
        let initial = self.constant(&percept.initial, path, unit).unwrap_or(0.0);
        self.layout.initial[usize::from(slot)] = initial;
        if let Some((low, high)) = self.range(percept.range.as_ref(), path, unit) {
            typed.ir = Ir::three(Op::Clip, [typed.ir, Ir::Const(low), Ir::Const(high)]);
            typed.range = typed.range.most(Interval::point(low)).least(Interval::point(high));
        }
        let range = typed.range.hull(Interval::point(initial));
        let range = if is_angle { Interval::TURN } else { range };
        let needs = typed.needs.clone();
        Some((typed, Value { slot, unit, is_angle, range, needs }))
    }

    fn percept_record(
        &mut self,
        layer: usize,
        percept: &Percept,
        typed: &Typed,
        value: &Value,
        (is_mean, gain): (bool, f64),
    ) {
        let (value_kind, source) = self.source(&typed.ir);
        let first_need = self.records.needs.len() as u16;
        self.records.needs.extend(&typed.needs);
        let previous = self.layout.layers[layer].previous.get(&percept.name.text).copied();
        if let Some(previous) = previous {
            let initial = self.layout.initial[usize::from(value.slot)];
            self.layout.initial[usize::from(previous)] = initial;
            let index = self.layout.names.percepts.len() as u16;
            self.layout.layers[layer].kept.push(index);
        }
        let mean = if is_mean { PerceptRecord::MEAN } else { 0 };
        let angle = if value.is_angle { PerceptRecord::ANGLE } else { 0 };
        let record = PerceptRecord {
            slot: value.slot,
            flags: mean | angle,
            value_kind,
            value: source,
            gain: self.pool.constant(gain),
            previous: previous.unwrap_or(NO_SLOT),
            first_need,
            needs: typed.needs.len() as u16,
        };
        self.records.percepts.extend(record.to_words());
    }
}

/// Depth-first ordering.
struct Order<'r> {
    reads: &'r [Vec<usize>],
    done: Vec<usize>,
    open: Vec<usize>,
    cycle: Option<Vec<usize>>,
}

impl Order<'_> {
    fn visit(&mut self, at: usize) {
        if self.done.contains(&at) {
            return;
        }
        if let Some(start) = self.open.iter().position(|o| *o == at) {
            self.cycle.get_or_insert_with(|| self.open[start..].to_vec());
            return;
        }
        self.open.push(at);
        for read in &self.reads[at] {
            self.visit(*read);
        }
        self.open.pop();
        self.done.push(at);
    }
}

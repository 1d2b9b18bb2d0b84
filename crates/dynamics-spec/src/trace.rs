//! Recording every variable of a run on one time axis, and asking why a behaviour was active.
//!
//! Terms: a *channel* is one variable: a mode, a percept, an activation, a T-term, a target, a
//! pull's weight or an actuator. A layer that does not step keeps its values, so every channel has
//! a value at every tick.
//!
//! What it does not do: it writes no file; it gives rows and text.

use crate::compiled::{Channel, Compiled, OwnedNetwork};
use core::fmt::Write as _;
use tropism_dynamics::{Fault, Observer, Real, Term};

/// Values of T-terms and targets of the present tick.
#[derive(Clone, Debug, Default)]
struct Present {
    stepped: u32,
    terms: Vec<(f64, f64, f64)>,
    decays: Vec<f64>,
    pulls: Vec<(f64, f64)>,
    faults: Vec<Fault>,
}

/// Records a network tick by tick.
#[derive(Clone, Debug)]
pub struct Recorder {
    compiled: Compiled,
    channels: Vec<String>,
    present: Present,
    rows: Vec<Vec<f64>>,
    stepped: Vec<u32>,
    faults: Vec<(u64, Fault)>,
}

/// One T-term's part in a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The user.
    pub user: String,
    /// The user's activation A.
    pub activation: f64,
    /// T, 1/s.
    pub rate: f64,
    /// dt·A·T.
    pub change: f64,
}

/// Why an activation has the value it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// `layer.behaviour`.
    pub behaviour: String,
    /// The step that set the value: the asked tick, or the layer's last step before it.
    pub tick: usize,
    /// Activation before the step.
    pub before: f64,
    /// Activation after it.
    pub after: f64,
    /// T-terms, the one that moved it most first.
    pub parts: Vec<Part>,
    /// Change by the product term, ≤ 0.
    pub decay: f64,
    /// Activation of the behaviour's own users was nowhere above 0.
    pub is_unused: bool,
}

impl<R: Real> Observer<R> for Recorder {
    fn layer(&mut self, layer: u16) {
        self.present.stepped |= 1 << layer;
        for (target, name) in self.compiled.names.targets.iter().enumerate() {
            if self.compiled.names.actuators[name.actuator].layer == usize::from(layer) {
                self.present.pulls[target].1 = 0.0;
            }
        }
        for (user, name) in self.compiled.names.users.iter().enumerate() {
            if self.compiled.names.behaviours[name.behaviour].layer == usize::from(layer) {
                self.present.terms[user] = (0.0, 0.0, 0.0);
            }
        }
    }

    fn term(&mut self, user: u16, _behaviour: u16, term: Term<R>) {
        if let Some(place) = self.present.terms.get_mut(usize::from(user)) {
            *place = (term.activation.widen(), term.rate.widen(), term.change.widen());
        }
    }

    fn decay(&mut self, behaviour: u16, change: R) {
        if let Some(place) = self.present.decays.get_mut(usize::from(behaviour)) {
            *place = change.widen();
        }
    }

    fn target(&mut self, target: u16, _actuator: u16, goal: R, weight: R) {
        if let Some(place) = self.present.pulls.get_mut(usize::from(target)) {
            *place = (goal.widen(), weight.widen());
        }
    }

    fn fault(&mut self, fault: Fault) {
        self.present.faults.push(fault);
    }
}

impl Recorder {
    /// A recorder for networks of this table.
    pub fn new(compiled: &Compiled) -> Self {
        let names = &compiled.names;
        let layer =
            |c: &Channel| names.layers.get(c.layer).map_or("mode", String::as_str).to_owned();
        let full = |c: &Channel| format!("{}.{}", layer(c), c.name);
        let mut channels: Vec<String> = names.modes.iter().map(full).collect();
        channels.extend(names.readings.iter().map(|c| format!("{}.age", full(c))));
        channels.extend(names.percepts.iter().map(full));
        channels.extend(names.behaviours.iter().map(|c| format!("{}.alpha", full(c))));
        for user in &names.users {
            let behaviour = full(&names.behaviours[user.behaviour]);
            channels.push(format!("{behaviour}.{}.T", user.name));
            channels.push(format!("{behaviour}.{}.change", user.name));
        }
        channels.extend(names.behaviours.iter().map(|c| format!("{}.decay", full(c))));
        for target in &names.targets {
            let behaviour = full(&names.behaviours[target.behaviour]);
            let actuator = &names.actuators[target.actuator].name;
            channels.push(format!("{behaviour}.{actuator}.g"));
            channels.push(format!("{behaviour}.{actuator}.weight"));
        }
        channels.extend(names.actuators.iter().map(full));
        let present = Present {
            terms: vec![(0.0, 0.0, 0.0); names.users.len()],
            decays: vec![0.0; names.behaviours.len()],
            pulls: vec![(0.0, 0.0); names.targets.len()],
            ..Present::default()
        };
        let (rows, stepped, faults) = (Vec::new(), Vec::new(), Vec::new());
        Self { compiled: compiled.clone(), channels, present, rows, stepped, faults }
    }

    /// Takes the row of the tick just done; the recorder must have observed that tick.
    pub fn take<R: Real>(&mut self, network: &OwnedNetwork<R>) {
        let names = &self.compiled.names;
        let values = |list: &[Channel]| -> Vec<f64> {
            list.iter().map(|c| network.value(c.slot).widen()).collect()
        };
        let mut row = values(&names.modes);
        row.extend((0..names.readings.len()).map(|r| f64::from(network.age(r as u16))));
        row.extend(values(&names.percepts));
        row.extend(values(&names.behaviours));
        row.extend(self.present.terms.iter().flat_map(|t| [t.1, t.2]));
        row.extend(&self.present.decays);
        row.extend(self.present.pulls.iter().flat_map(|p| [p.0, p.1]));
        row.extend(values(&names.actuators));
        let tick = self.rows.len() as u64;
        self.faults.extend(self.present.faults.drain(..).map(|f| (tick, f)));
        self.rows.push(row);
        self.stepped.push(core::mem::take(&mut self.present.stepped));
    }

    /// Names of all channels.
    pub fn channels(&self) -> &[String] {
        &self.channels
    }

    /// Rows so far, one per tick, in the order of the channels.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// Expressions that gave no finite number, with the tick.
    pub fn faults(&self) -> &[(u64, Fault)] {
        &self.faults
    }

    /// One channel over time.
    pub fn channel(&self, name: &str) -> Option<Vec<f64>> {
        let at = self.channels.iter().position(|c| c == name)?;
        Some(self.rows.iter().map(|r| r[at]).collect())
    }

    /// All channels as comma-separated text with a time column.
    pub fn to_csv(&self) -> String {
        let mut text = format!("t,{}\n", self.channels.join(","));
        let step = self.compiled.header.step;
        for (tick, row) in self.rows.iter().enumerate() {
            let time = step.seconds_at(tropism_core::Tick(tick as u64));
            let _ = write!(text, "{time}");
            for value in row {
                let _ = write!(text, ",{value}");
            }
            text.push('\n');
        }
        text
    }

    fn value(&self, tick: usize, channel: &str) -> f64 {
        let at = self.channels.iter().position(|c| c == channel);
        at.and_then(|at| self.rows.get(tick)?.get(at).copied()).unwrap_or(0.0)
    }

    /// Which users and T-terms set the activation of `layer.behaviour` at a tick.
    ///
    /// `None` for an unknown behaviour, or before its layer's first step.
    pub fn why(&self, behaviour: &str, tick: usize) -> Option<Why> {
        let names = &self.compiled.names;
        let (layer, name) = behaviour.split_once('.')?;
        let layer = names.layers.iter().position(|l| l == layer)?;
        let index = names.behaviours.iter().position(|b| b.layer == layer && b.name == name)?;
        let step = (0..=tick.min(self.rows.len().checked_sub(1)?)).rev();
        let step = step.into_iter().find(|t| self.stepped[*t] >> layer & 1 == 1)?;
        let alpha = format!("{behaviour}.alpha");
        let before = match step.checked_sub(1) {
            Some(last) => self.value(last, &alpha),
            None => self.compiled.image[usize::from(names.behaviours[index].slot)],
        };
        let mut parts = Vec::new();
        for user in names.users.iter().filter(|u| u.behaviour == index) {
            let rate = self.value(step, &format!("{behaviour}.{}.T", user.name));
            let change = self.value(step, &format!("{behaviour}.{}.change", user.name));
            let above = names.layers.get(layer + 1).map(|l| format!("{l}.{}.alpha", user.name));
            let above = above.filter(|c| self.channels.contains(c));
            let channel = above.unwrap_or_else(|| format!("mode.{}", user.name));
            let activation = self.value(step, &channel);
            parts.push(Part { user: user.name.clone(), activation, rate, change });
        }
        parts.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
        Some(Why {
            behaviour: behaviour.to_owned(),
            tick: step,
            before,
            after: self.value(step, &alpha),
            is_unused: parts.iter().all(|p| p.activation <= 0.0),
            parts,
            decay: self.value(step, &format!("{behaviour}.decay")),
        })
    }
}

impl core::fmt::Display for Why {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { behaviour, tick, before, after, .. } = self;
        writeln!(f, "{behaviour} at tick {tick}: {before:.4} -> {after:.4}")?;
        for Part { user, activation, rate, change } in &self.parts {
            writeln!(f, "  {user}: A {activation:.4}, T {rate:+.4}/s, change {change:+.5}")?;
        }
        write!(f, "  product term: change {:+.5}", self.decay)?;
        if self.is_unused {
            f.write_str(" (no user is active)")?;
        }
        let sum = before + self.parts.iter().map(|p| p.change).sum::<f64>() + self.decay;
        if (sum - after).abs() > 1e-6 {
            write!(f, "\n  clamped from {sum:+.4}")?;
        }
        Ok(())
    }
}

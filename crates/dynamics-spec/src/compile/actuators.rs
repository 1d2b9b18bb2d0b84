//! Actuators: targets, rates, rest, and how hard they can be pulled.

use super::Compiler;
use crate::compiled::{Bound, TargetName};
use crate::diagnostic::{Severity, suggestion};
use crate::interval::Interval;
use crate::lower::Names;
use crate::spec::{Actuator, OnIdle, Select, Target};
use crate::symbol::{Scope, Symbol, Value};
use crate::unit::Dimension;
use tropism_core::math::f64 as math;
use tropism_dynamics::Integrator;
use tropism_dynamics::table::{ActuatorRecord, NO_SLOT, TargetRecord};

impl Compiler<'_> {
    pub(super) fn actuators(&mut self) {
        for layer in 0..self.spec.layers.len() {
            self.check_targets(layer);
            let scope = self.goal_scope(layer);
            for (at, actuator) in self.spec.layers[layer].actuators.iter().enumerate() {
                let index = usize::from(self.layout.layers[layer].first_actuator) + at;
                self.actuator(layer, index, actuator, &scope);
            }
        }
    }

    /// Every target must name an actuator of its own layer.
    fn check_targets(&mut self, layer: usize) {
        let spec = &self.spec.layers[layer];
        for behaviour in &spec.behaviours {
            for target in &behaviour.targets {
                let name = &target.actuator;
                if !spec.actuators.iter().any(|a| a.name.text == name.text) {
                    let known = spec.actuators.iter().map(|a| a.name.text.as_str());
                    let hint = suggestion(&name.text, known);
                    let path = format!("{}.{}.targets.{name}", spec.name, behaviour.name);
                    let reason = format!("layer {} has no actuator `{name}`{hint}", spec.name);
                    self.error(name.mark, &path, reason);
                }
            }
        }
    }

    fn actuator(&mut self, layer: usize, index: usize, actuator: &Actuator, scope: &Scope) {
        let path = format!("{}.{}", self.spec.layers[layer].name, actuator.name);
        let symbol = self.layout.layers[layer].actuators.get(&actuator.name.text).cloned();
        let Some(Symbol::Value(value)) = symbol else { return };
        let first_target = self.layout.names.targets.len() as u16;
        let mut pulls = Vec::new();
        let first = usize::from(self.layout.layers[layer].first_behaviour);
        for (at, behaviour) in self.spec.layers[layer].behaviours.iter().enumerate() {
            let aims = |t: &&Target| t.actuator.text == actuator.name.text;
            for target in behaviour.targets.iter().filter(aims) {
                let path = format!("{path} of {}", behaviour.name);
                let pull = self.target((layer, first + at, index), target, &value, scope, &path);
                pulls.push((behaviour.name.text.clone(), pull.unwrap_or(0.0)));
            }
        }
        let mut flags = if actuator.is_angle { ActuatorRecord::ANGLE } else { 0 };
        if actuator.select == Select::Max {
            flags |= ActuatorRecord::MAX;
        }
        let (mut rest, mut rest_rate) = (0.0, 0.0);
        match &actuator.on_idle {
            OnIdle::Hold => {}
            OnIdle::Unset => {
                let reason = "`on_idle` is missing: say \"hold\" or { target, rate }; there is no \
                              default, because holding the last speed for ever must be a decision";
                self.error(actuator.name.mark, &path, reason.to_owned());
            }
            OnIdle::Rest { target, rate } => {
                flags |= ActuatorRecord::REST;
                let path = format!("{path}.on_idle");
                rest = self.constant(target, &path, value.unit).unwrap_or(0.0);
                rest_rate = self.constant(rate, &path, Dimension::RATE).unwrap_or(0.0);
                if rest_rate <= 0.0 {
                    self.error(rate.mark, &path, "the rest rate is not above 0".to_owned());
                }
            }
        }
        let range = self.range(actuator.range.as_ref(), &path, value.unit);
        let record = ActuatorRecord {
            slot: value.slot,
            flags,
            low: range.map_or(NO_SLOT, |r| self.pool.constant(r.0)),
            high: range.map_or(NO_SLOT, |r| self.pool.constant(r.1)),
            first_target,
            targets: self.layout.names.targets.len() as u16 - first_target,
            rest: self.pool.constant(rest),
            rest_rate: self.pool.constant(rest_rate),
        };
        self.records.actuators.extend(record.to_words());
        self.check_pull(layer, index, actuator, &pulls, rest_rate);
    }

    /// Compiles a target and gives the largest pull per step it can make.
    fn target(
        &mut self,
        (layer, behaviour, actuator): (usize, usize, usize),
        target: &Target,
        value: &Value,
        scope: &Scope,
        path: &str,
    ) -> Option<f64> {
        let none = Scope::new();
        let names = Names { scope, previous: &none };
        let goal = self.lowered(&target.goal, path, names, None)?;
        self.fits(target.goal.mark, path, &goal, value.unit, value.is_angle)?;
        let word = if target.is_per_step { "tau" } else { "rate" };
        if target.rate.text.is_empty() {
            let reason = "`rate` (1/s) or `tau` (per step) is missing".to_owned();
            self.error(target.actuator.mark, path, reason);
            return None;
        }
        let rate = self.lowered(&target.rate, path, names, None)?;
        let unit = if target.is_per_step { Dimension::NONE } else { Dimension::RATE };
        self.fits(target.rate.mark, path, &rate, unit, false)?;
        if rate.range.lo < 0.0 {
            let reason = format!("{word} can be {}: a pull away from the target", rate.range.lo);
            self.error(target.rate.mark, path, reason);
        }
        let is_exact = self.spec.integrator == Integrator::Exact;
        if target.is_per_step && is_exact && rate.range.hi >= 1.0 {
            let reason = format!(
                "tau can be {}; the exact integrator needs it below 1, because tau = 1 means an \
                 infinite rate",
                rate.range.hi
            );
            self.error(target.rate.mark, path, reason);
        }
        let (goal_kind, goal_source) = self.source(&goal.ir);
        let (rate_kind, rate_source) = self.source(&rate.ir);
        let record = TargetRecord {
            behaviour: behaviour as u16,
            activation: self.layout.names.behaviours[behaviour].slot,
            goal_kind,
            goal: goal_source,
            rate_kind,
            rate: rate_source,
            per_step: u16::from(target.is_per_step),
        };
        self.records.targets.extend(record.to_words());
        self.layout.names.targets.push(TargetName { behaviour, actuator });
        Some(self.pull(layer, rate.range, target.is_per_step))
    }

    /// Largest pull per step for a rate's range.
    fn pull(&self, layer: usize, rate: Interval, is_per_step: bool) -> f64 {
        match (is_per_step, self.spec.integrator) {
            (false, _) => rate.hi * self.seconds(layer),
            (true, Integrator::Paper) => rate.hi,
            (true, Integrator::Exact) => -math::ln((1.0 - rate.hi).max(f64::MIN_POSITIVE)),
        }
    }

    /// W is linear in every activation, so its largest value lies where each is 0 or 1: all at 1,
    /// or all at 0 where only the rest target pulls.
    fn check_pull(
        &mut self,
        layer: usize,
        index: usize,
        actuator: &Actuator,
        pulls: &[(String, f64)],
        rest_rate: f64,
    ) {
        let rest = rest_rate * self.seconds(layer);
        let active: f64 = match actuator.select {
            Select::Blend => pulls.iter().map(|(_, w)| w).sum(),
            Select::Max => pulls.iter().map(|(_, w)| *w).fold(0.0, f64::max),
        };
        let most = active.max(rest);
        self.bounds.push(Bound { actuator: index, pull: most });
        if most <= 1.0 {
            return;
        }
        let parts: Vec<_> = pulls.iter().map(|(n, w)| format!("{n} {w:.3}")).collect();
        let shown = format!("W*dt can reach {most:.3} (at rest {rest:.3}; {})", parts.join(", "));
        let path = format!("{}.{}", self.spec.layers[layer].name, actuator.name);
        let mark = actuator.name.mark;
        let is_paper = self.spec.integrator == Integrator::Paper;
        match (is_paper, most > 2.0 && !self.options.may_be_unstable) {
            (false, _) => {
                let reason = format!("{shown}: it follows faster than its layer steps");
                self.reporter.report(Severity::Note, mark, &path, reason);
            }
            (true, true) => {
                let reason = format!(
                    "{shown}: above 2 the difference equation diverges; lower the rates, shorten \
                     the period, or use integrator = \"exact\""
                );
                self.error(mark, &path, reason);
            }
            (true, false) => {
                let reason = format!("{shown}: above 1 the difference equation overshoots");
                self.reporter.warn(mark, &path, reason);
            }
        }
    }
}

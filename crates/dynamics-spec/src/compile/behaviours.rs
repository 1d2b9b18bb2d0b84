//! Behaviours: users and T-terms.

use super::{Compiler, add_prefixed, merged};
use crate::compiled::UserName;
use crate::diagnostic::{Text, suggestion};
use crate::lower::Names;
use crate::spec::{Behaviour, Missing};
use crate::symbol::{Scope, Symbol};
use crate::unit::Dimension;
use alloc::collections::BTreeSet;
use tropism_dynamics::table::{BehaviourRecord, UserRecord};

impl Compiler<'_> {
    /// What a T-term may read: percepts and activations of its own layer.
    pub(super) fn term_scope(&self, layer: usize) -> Scope {
        let places = &self.layout.layers[layer];
        let mut scope = merged(&[&self.parameters, &places.readings, &places.percepts]);
        add_prefixed(&mut scope, "alpha.", &places.activations);
        scope
    }

    /// What a target may read: percepts of its layer and actuators of the layer above.
    pub(super) fn goal_scope(&self, layer: usize) -> Scope {
        let places = &self.layout.layers[layer];
        let mut scope = merged(&[&self.parameters, &places.readings, &places.percepts]);
        if let Some(up) = self.layout.layers.get(layer + 1) {
            add_prefixed(&mut scope, "up.", &up.actuators);
        }
        scope
    }

    pub(super) fn activations(&mut self) {
        for layer in 0..self.spec.layers.len() {
            let scope = self.term_scope(layer);
            for (at, behaviour) in self.spec.layers[layer].behaviours.iter().enumerate() {
                let index = usize::from(self.layout.layers[layer].first_behaviour) + at;
                self.behaviour(layer, index, behaviour, &scope);
            }
        }
    }

    fn behaviour(&mut self, layer: usize, index: usize, behaviour: &Behaviour, scope: &Scope) {
        let path = format!("{}.{}", self.spec.layers[layer].name, behaviour.name);
        let kappa_path = format!("{path}.kappa");
        let kappa = if behaviour.kappa.text.is_empty() {
            self.error(behaviour.name.mark, &path, "`kappa` is missing".to_owned());
            None
        } else {
            self.constant(&behaviour.kappa, &kappa_path, Dimension::RATE)
        };
        if kappa.is_some_and(|k| k <= 0.0) {
            let reason = "kappa is not above 0: without users the behaviour would stay active";
            self.error(behaviour.kappa.mark, &kappa_path, reason.to_owned());
        }
        if behaviour.users.is_empty() {
            let reason = "a behaviour without a user can never be called for; name a behaviour of \
                          the layer above or a mode under `users`";
            self.error(behaviour.name.mark, &path, reason.to_owned());
        }
        let first_user = self.layout.names.users.len() as u16;
        let mut needs = BTreeSet::new();
        for (user, term) in &behaviour.users {
            self.user(layer, index, (user, term), scope, &mut needs);
        }
        for target in &behaviour.targets {
            for text in [&target.goal, &target.rate] {
                needs.extend(self.needs_of(layer, text));
            }
        }
        needs.retain(|reading| self.deactivates(*reading));
        let first_need = self.records.needs.len() as u16;
        self.records.needs.extend(&needs);
        let record = BehaviourRecord {
            slot: self.layout.names.behaviours[index].slot,
            kappa: self.pool.constant(kappa.unwrap_or(1.0)),
            first_user,
            users: self.layout.names.users.len() as u16 - first_user,
            first_need,
            needs: needs.len() as u16,
        };
        self.records.behaviours.extend(record.to_words());
    }

    fn user(
        &mut self,
        layer: usize,
        behaviour: usize,
        (user, term): (&Text, &Text),
        scope: &Scope,
        needs: &mut BTreeSet<u16>,
    ) {
        let channel = &self.layout.names.behaviours[behaviour];
        let path = format!("{}.{}.users.{user}", self.spec.layers[layer].name, channel.name);
        let above = self.layout.layers.get(layer + 1).map(|l| &l.activations);
        let found = above.and_then(|a| a.get(&user.text));
        let found = found.or_else(|| self.layout.modes.get(&user.text)).cloned();
        let Some(Symbol::Value(activation)) = found else {
            let mut known: Vec<String> = self.layout.modes.keys().cloned().collect();
            known.extend(above.into_iter().flat_map(|a| a.keys().cloned()));
            let hint = suggestion(&user.text, known.iter().map(String::as_str));
            let place = match self.spec.layers.get(layer + 1) {
                Some(up) => format!("neither a behaviour of layer {} nor a mode", up.name),
                None => "no mode, and there is no layer above".to_owned(),
            };
            self.error(user.mark, &path, format!("`{user}` is {place}{hint}"));
            return;
        };
        let none = Scope::new();
        let names = Names { scope, previous: &none };
        let Some(typed) = self.lowered(term, &path, names, None) else { return };
        if self.fits(term.mark, &path, &typed, Dimension::RATE, false).is_none() {
            return;
        }
        if typed.is_leaky {
            let reason = "a logistic function never reaches 0 or 1, so the behaviour leaks; use \
                          sstep"
                .to_owned();
            self.reporter.warn(term.mark, &path, reason);
        }
        needs.extend(&typed.needs);
        self.reach.users.push((behaviour, activation.slot, typed.range.hi));
        let (term_kind, source) = self.source(&typed.ir);
        let record = UserRecord { activation: activation.slot, term_kind, term: source };
        self.records.users.extend(record.to_words());
        self.layout.names.users.push(UserName { behaviour, name: user.text.clone() });
    }

    /// Readings an expression of a target depends on; mistakes are reported with the actuators.
    fn needs_of(&self, layer: usize, text: &Text) -> BTreeSet<u16> {
        let (scope, none) = (self.goal_scope(layer), Scope::new());
        let names = Names { scope: &scope, previous: &none };
        let expr = crate::expr::parse(&text.text).ok();
        let typed = expr.and_then(|e| crate::lower::lower(&e, names, None).ok());
        typed.map(|t| t.needs).unwrap_or_default()
    }

    fn deactivates(&self, reading: u16) -> bool {
        let channel = &self.layout.names.readings[usize::from(reading)];
        let name = channel.name.split('[').next().unwrap_or(&channel.name);
        let readings = &self.spec.layers[channel.layer].readings;
        let found = readings.iter().find(|r| r.name.text == name);
        found.is_some_and(|r| matches!(r.missing, Missing::Deactivate { .. }))
    }
}

//! What a network computed on the way in its last steps.

use tropism_dynamics::{Observer, Term};
use tropism_dynamics_spec::Compiled;

/// T-terms, decays and pulls of every layer's last step.
#[derive(Clone, Debug)]
pub(super) struct Present {
    /// Layer of each user's behaviour.
    user_layers: Vec<u16>,
    /// Layer of each behaviour.
    behaviour_layers: Vec<u16>,
    /// Layer of each target.
    target_layers: Vec<u16>,
    /// What each user added to its behaviour.
    pub(super) changes: Vec<f64>,
    /// What the product term added to each behaviour.
    pub(super) decays: Vec<f64>,
    /// Goal and weight of each target that pulled.
    pub(super) pulls: Vec<Option<(f64, f64)>>,
}

impl Present {
    pub(super) fn new(compiled: &Compiled) -> Self {
        let names = &compiled.names;
        let layer = |behaviour: usize| names.behaviours[behaviour].layer as u16;
        let behaviours = 0..names.behaviours.len();
        Self {
            user_layers: names.users.iter().map(|user| layer(user.behaviour)).collect(),
            target_layers: names.targets.iter().map(|target| layer(target.behaviour)).collect(),
            changes: vec![0.0; names.users.len()],
            decays: vec![0.0; behaviours.len()],
            pulls: vec![None; names.targets.len()],
            behaviour_layers: behaviours.map(layer).collect(),
        }
    }
}

impl Observer<f64> for Present {
    fn layer(&mut self, layer: u16) {
        for (change, _) in self.changes.iter_mut().zip(&self.user_layers).filter(|c| *c.1 == layer)
        {
            *change = 0.0;
        }
        for (decay, _) in
            self.decays.iter_mut().zip(&self.behaviour_layers).filter(|d| *d.1 == layer)
        {
            *decay = 0.0;
        }
        for (pull, _) in self.pulls.iter_mut().zip(&self.target_layers).filter(|p| *p.1 == layer) {
            *pull = None;
        }
    }

    fn term(&mut self, user: u16, _behaviour: u16, term: Term<f64>) {
        if let Some(change) = self.changes.get_mut(usize::from(user)) {
            *change = term.change;
        }
    }

    fn decay(&mut self, behaviour: u16, change: f64) {
        if let Some(decay) = self.decays.get_mut(usize::from(behaviour)) {
            *decay = change;
        }
    }

    fn target(&mut self, target: u16, _actuator: u16, goal: f64, weight: f64) {
        if let Some(pull) = self.pulls.get_mut(usize::from(target)) {
            *pull = Some((goal, weight));
        }
    }
}

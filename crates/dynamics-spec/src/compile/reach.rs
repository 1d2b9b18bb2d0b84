//! Which behaviours can ever become active, and which must not be mixed.

use super::Compiler;
use crate::diagnostic::suggestion;
use crate::spec::Select;

/// What is needed to judge reachability: behaviour, slot of the user's activation, upper bound of
/// the T-term.
#[derive(Clone, Debug, Default)]
pub(super) struct Reach {
    pub(super) users: Vec<(usize, u16, f64)>,
}

impl Compiler<'_> {
    /// A behaviour is reachable when it starts active, or when a reachable user's T-term can be
    /// positive. Modes are reachable.
    pub(super) fn check_reach(&mut self) {
        let names = &self.layout.names;
        let mut active: Vec<u16> = names.modes.iter().map(|m| m.slot).collect();
        let starts = names.behaviours.iter().map(|b| b.slot);
        active.extend(starts.filter(|s| self.layout.initial[usize::from(*s)] > 0.0));
        let mut reached: Vec<bool> =
            names.behaviours.iter().map(|b| active.contains(&b.slot)).collect();
        loop {
            let before = active.len();
            for (behaviour, user, most) in &self.reach.users {
                if !reached[*behaviour] && *most > 0.0 && active.contains(user) {
                    reached[*behaviour] = true;
                    active.push(names.behaviours[*behaviour].slot);
                }
            }
            if active.len() == before {
                break;
            }
        }
        let mut at = 0;
        for layer in &self.spec.layers {
            for behaviour in &layer.behaviours {
                let is_used = self.reach.users.iter().any(|(b, ..)| *b == at);
                if !reached[at] && is_used {
                    let can_rise = self.reach.users.iter().any(|(b, _, m)| *b == at && *m > 0.0);
                    let why = if can_rise {
                        "none of its users can ever become active"
                    } else {
                        "none of its T-terms can be positive"
                    };
                    let path = format!("{}.{}", layer.name, behaviour.name);
                    let reason = format!("it starts at 0 and stays there: {why}");
                    self.reporter.error(behaviour.name.mark, &path, reason);
                }
                at += 1;
            }
        }
    }

    /// Behaviours that exclude each other must not blend on a set-point actuator: while one takes
    /// over from the other, the mixture of two goals is a third that nobody wants.
    pub(super) fn check_exclusive(&mut self) {
        for layer in &self.spec.layers {
            for group in &layer.exclusive {
                for name in group {
                    if !layer.behaviours.iter().any(|b| b.name.text == name.text) {
                        let known = layer.behaviours.iter().map(|b| b.name.text.as_str());
                        let hint = suggestion(&name.text, known);
                        let path = format!("{}.exclusive", layer.name);
                        let reason =
                            format!("layer {} has no behaviour `{name}`{hint}", layer.name);
                        self.reporter.error(name.mark, &path, reason);
                    }
                }
                for actuator in &layer.actuators {
                    let aims = |name: &&crate::diagnostic::Text| {
                        let behaviour = layer.behaviours.iter().find(|b| b.name.text == name.text);
                        behaviour.is_some_and(|b| {
                            b.targets.iter().any(|t| t.actuator.text == actuator.name.text)
                        })
                    };
                    let sharing: Vec<_> = group.iter().filter(aims).collect();
                    let is_mixed = actuator.is_set_point && actuator.select == Select::Blend;
                    if sharing.len() > 1 && is_mixed {
                        let names: Vec<_> = sharing.iter().map(|n| n.text.as_str()).collect();
                        let reason = format!(
                            "{} exclude each other but blend on this set point; use select = \
                             \"max\"",
                            names.join(" and ")
                        );
                        let path = format!("{}.{}", layer.name, actuator.name);
                        self.reporter.error(actuator.name.mark, &path, reason);
                    }
                }
            }
        }
    }
}

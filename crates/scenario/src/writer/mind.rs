//! Minds as names or tables.

use core::fmt::Write as _;

use tropism_body::{BodySpec, SafetyAction, SafetyParameters};
use tropism_core::TimeStep;
use tropism_core::parameter::ParameterSet;
use tropism_organism::{OrganismConfig, OrganismParameters};
use tropism_reactive::ReactiveSpec;

use crate::conditions::{
    BUILT_IN_CONDITIONS, BUILT_IN_CONTROLLERS, MindSpec, alike, built_in_condition_at,
};
use crate::mind_file::{CONSTANT, CONTEXTS};
use crate::source::FILES;
use crate::switches::{SwitchValue, parameter_groups, parameter_value, switch_value, switches};
use crate::writer::toml::{Row, line, lines, number, text};

/// Limits of the safety monitor.
pub(crate) fn safety(parameters: SafetyParameters, action: SafetyAction) -> String {
    let word = match action {
        SafetyAction::Force => "force",
        SafetyAction::Write => "write",
    };
    let critical = parameters.value_at(0).unwrap_or(SafetyParameters::TABLE[0].default);
    Row::default()
        .with("action", text(word))
        .with(SafetyParameters::TABLE[0].name, number(critical))
        .done()
}

/// Machines and scripts that a scenario brings along, each under a name of its own.
#[derive(Debug, Default)]
pub(crate) struct Programs(Vec<(String, String)>);

impl Programs {
    /// The name of a text: the last part of its path, with a number where another text has it.
    fn name(&mut self, path: &str, text: &str) -> String {
        let last = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let (stem, ending) = last.rsplit_once('.').unwrap_or((last, ""));
        for n in 1_u32.. {
            let name = if n == 1 { last.to_owned() } else { format!("{stem}-{n}.{ending}") };
            match self.0.iter().find(|(taken, _)| *taken == name) {
                Some((_, its)) if its != text => {}
                Some(_) => return name,
                None => {
                    self.0.push((name.clone(), text.to_owned()));
                    return name;
                }
            }
        }
        last.to_owned()
    }

    /// As the last table of a file; nothing without any.
    pub(crate) fn write(&self, out: &mut String) {
        if self.0.is_empty() {
            return;
        }
        // Writing to a text cannot fail.
        let _ = write!(out, "\n[{FILES}]\n");
        for (name, plain) in &self.0 {
            line(out, &text(name), &lines(plain));
        }
    }
}

/// The name of a built-in mind where it is one, the name under which a machine or a script is
/// brought along, otherwise a table of changes.
pub(crate) fn mind(
    spec: &MindSpec,
    body: &BodySpec,
    step: TimeStep,
    programs: &mut Programs,
) -> String {
    let names = BUILT_IN_CONDITIONS.iter().chain(BUILT_IN_CONTROLLERS).map(|(name, _)| *name);
    let is_it = |name: &&str| built_in_condition_at(name, body, step).as_ref() == Some(spec);
    if let Some(name) = names.clone().find(is_it) {
        return text(name);
    }
    match spec {
        MindSpec::Organism(config) => organism(config, body, step),
        MindSpec::Machine(machine) => {
            text(&programs.name(&machine.source.path, &machine.source.text))
        }
        MindSpec::Script { path, text: its } => text(&programs.name(path, its)),
        MindSpec::Reactive(spec) => reactive(spec),
        _ => text("do_nothing"),
    }
}

fn reactive(spec: &ReactiveSpec) -> String {
    let from = alike(spec);
    let table = spec.table().iter().enumerate();
    let row = table.fold(Row::default(), |row, (i, p)| {
        row.with(p.name, number(spec.value_at(i).unwrap_or(p.default)))
    });
    let parameters = Row::default().with("reactive", row.done());
    Row::default().with("from", text(from)).with("parameters", parameters.done()).done()
}

fn value(value: &SwitchValue) -> String {
    match value {
        SwitchValue::Bool(is_on) => is_on.to_string(),
        SwitchValue::Number(x) => format!("{x:?}"),
        SwitchValue::Word(word) => text(word),
        SwitchValue::Words(words) => {
            let words: Vec<String> = words.iter().map(|w| text(w)).collect();
            format!("[{}]", words.join(", "))
        }
    }
}

fn organism(config: &OrganismConfig, body: &BodySpec, step: TimeStep) -> String {
    let mut row = Row::default().with("from", text("full"));
    for switch in switches() {
        if let Some(now) = switch_value(switch.name, &config.ablation, body, step) {
            row = row.with(switch.name, value(&now));
        }
    }
    row = row.with("input_mean_at_birth", number(config.input_mean_at_birth));
    let born = OrganismParameters::default();
    let mut groups = Row::default();
    for (group, (name, _, table)) in parameter_groups().iter().enumerate() {
        let mut changed = Row::default();
        for (i, p) in table.iter().enumerate() {
            let now = parameter_value(&config.parameters, group, i);
            if let Some(now) = now.filter(|now| Some(*now) != parameter_value(&born, group, i)) {
                changed = changed.with(p.name, number(now));
            }
        }
        groups = groups.with(name, changed.done());
    }
    row = row.with("parameters", groups.done());
    let connections = config.wiring.iter().filter_map(|c| {
        let c = c.0;
        let from = match body.sensors.get(usize::from(c.input)) {
            Some(spec) => spec.name.as_str(),
            None => CONSTANT,
        };
        let to = body.actuators.get(usize::from(c.output))?;
        let row = Row::default()
            .with("context", text(CONTEXTS.get(usize::from(c.context))?))
            .with("from", text(from))
            .with("to", text(to.name.as_str()));
        Some(row.with("weight", number(c.weight)).done())
    });
    let connections: Vec<String> = connections.collect();
    if connections.is_empty() {
        row.done()
    } else {
        row.with("wiring", format!("[{}]", connections.join(", "))).done()
    }
}

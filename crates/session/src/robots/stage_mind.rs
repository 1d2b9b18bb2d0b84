//! A mind on the stage: what can be set and switched, and what it is made of.

use tropism_body::BodySpec;
use tropism_core::TimeStep;
use tropism_lab::Mind;
use tropism_organism::parameters::DriveParameters;
use tropism_organism::reflex::CONTEXTS;
use tropism_organism::{Need, Organism};
use tropism_reactive::ReactiveSpec;
use tropism_scenario::{
    Machine, MindSpec, SwitchInfo, SwitchValue, parameter_groups, parameter_value, switch_value,
    switches,
};
use tropism_wire::session::{
    MachineStage, MachineState, MachineTransition, MindStage, NeedStage, OrganismStage,
    ParameterStage, Switch, SwitchStage, TextFile,
};

use crate::robots::Robots;
use crate::robots::stage::bearing;
use crate::robots::why::context_name;

fn empty(kind: &str) -> MindStage {
    MindStage {
        kind: kind.into(),
        parameters: Vec::new(),
        switches: Vec::new(),
        organism: None,
        machine: None,
        script: None,
    }
}

fn parameter(name: String, p: &tropism_core::Parameter, value: f32) -> ParameterStage {
    ParameterStage {
        name,
        unit: if p.unit == "1" { String::new() } else { p.unit.into() },
        value,
        min: p.min,
        max: p.max,
        about: p.about.into(),
    }
}

fn organism_parameters(o: &Organism) -> Vec<ParameterStage> {
    let mut list = Vec::new();
    for (group, (name, _, table)) in parameter_groups().iter().enumerate() {
        for (i, p) in table.iter().enumerate() {
            let value = parameter_value(&o.config().parameters, group, i).unwrap_or(p.default);
            list.push(parameter(format!("{name}.{}", p.name), p, value));
        }
    }
    list
}

fn switch(info: &SwitchInfo, o: &Organism, body: &BodySpec, step: TimeStep) -> Option<SwitchStage> {
    let value = match switch_value(info.name, &o.config().ablation, body, step)? {
        SwitchValue::Bool(is_on) => Switch::Bool(is_on),
        SwitchValue::Number(x) => Switch::Number(x),
        SwitchValue::Word(word) => Switch::Word(word),
        SwitchValue::Words(words) => Switch::Words(words),
    };
    let sensors = body.sensors.iter().map(|s| s.name.to_string());
    let choices = info.choices.iter().map(|c| (*c).to_owned());
    Some(SwitchStage {
        name: info.name.into(),
        about: info.about.into(),
        value,
        choices: if info.is_sensors { sensors.collect() } else { choices.collect() },
    })
}

/// Ends of the band of a need.
fn band(need: Need, d: &DriveParameters) -> (f32, f32) {
    match need {
        Need::Energy => (d.energy_low, d.energy_high),
        Need::Fatigue => (0.0, d.fatigue_high),
        Need::Safety => (d.safety_low, 1.0),
        Need::Arousal => (0.0, d.arousal_high),
        Need::Curiosity => (0.0, 0.0),
        Need::Boredom => (0.0, d.boredom_high),
    }
}

fn machine(machine: &Machine) -> MachineStage {
    let state = |s: &tropism_scenario::machine::MachineStateSpec| MachineState {
        name: s.name.clone(),
        about: s.about.clone(),
    };
    let mut transitions = Vec::new();
    let mut number = 0;
    for (from, state) in machine.states.iter().enumerate() {
        for way in &state.leave {
            let event = way.event.and_then(|e| machine.events.get(usize::from(e)));
            transitions.push(MachineTransition {
                from: from as u32,
                to: way.to.into(),
                cause: machine.cause(number),
                event: event.cloned(),
            });
            number += 1;
        }
        if let Some((s, to)) = state.limit {
            let cause = format!("after {s} s");
            let (from, to) = (from as u32, to.into());
            transitions.push(MachineTransition { from, to, cause, event: None });
        }
    }
    MachineStage {
        states: machine.states.iter().map(state).collect(),
        start: machine.start.into(),
        transitions,
        events: machine.events.clone(),
        text: machine.source.text.clone(),
    }
}

fn reactive(spec: &ReactiveSpec) -> Vec<ParameterStage> {
    let table = spec.table().iter().enumerate();
    let value = |i: usize, default: f32| spec.value_at(i).unwrap_or(default);
    table.map(|(i, p)| parameter(format!("reactive.{}", p.name), p, value(i, p.default))).collect()
}

impl Robots {
    fn organism_stage(&self, robot: usize, o: &Organism) -> OrganismStage {
        let need = |need: Need| {
            let (low, high) = band(need, &o.config().parameters.drives);
            NeedStage { name: need.name().into(), low, high }
        };
        OrganismStage {
            needs: Need::ALL.into_iter().map(need).collect(),
            contexts: (0..CONTEXTS).map(|c| context_name(c).to_owned()).collect(),
            bearings_rad: self.spec.robots[robot].plan.sensors.iter().map(bearing).collect(),
        }
    }

    pub(crate) fn mind_stage(&self, robot: usize) -> MindStage {
        match &self.run.robots()[robot].mind {
            Mind::Organism(o) => {
                let switch = |info| switch(&info, o, o.body(), o.time_step());
                MindStage {
                    parameters: organism_parameters(o),
                    switches: switches().into_iter().filter_map(switch).collect(),
                    organism: Some(self.organism_stage(robot, o)),
                    ..empty("organism")
                }
            }
            Mind::RandomWalk(_) => empty("random_walk"),
            Mind::Reactive(_) => {
                let parameters = match &self.minds[robot] {
                    MindSpec::Reactive(spec) => reactive(spec),
                    _ => Vec::new(),
                };
                MindStage { parameters, ..empty("reactive") }
            }
            Mind::Machine(mind) => {
                MindStage { machine: Some(machine(mind.machine())), ..empty("machine") }
            }
            Mind::Script(_) => {
                let script = match &self.minds[robot] {
                    MindSpec::Script { path, text } => {
                        Some(TextFile { name: path.clone(), text: text.clone() })
                    }
                    _ => None,
                };
                MindStage { script, ..empty("script") }
            }
            _ => empty("do_nothing"),
        }
    }
}

//! A compiled network as nodes, edges, signals and texts: all that follows from its text alone.

use tropism_dynamics_lab::driver::has_sensor;
use tropism_dynamics_spec::Compiled;
use tropism_dynamics_spec::compiled::Channel;
use tropism_dynamics_spec::diagnostic::{Mark, Text};
use tropism_dynamics_spec::influence::{Part, influences};
use tropism_dynamics_spec::spec::{Behaviour, Layer, Parameter, ParameterValue, Spec};
use tropism_wire::session::{DynamicsNode, Edge, Level, ParameterStage, Place};

use super::load::placed;

/// What follows from the text.
#[derive(Debug)]
pub(super) struct View {
    pub(super) levels: Vec<Level>,
    /// Readings, modes, percepts, behaviours, targets, actuators, in this order.
    pub(super) nodes: Vec<DynamicsNode>,
    pub(super) edges: Vec<Edge>,
    /// One per node in their order, then the weight of every target.
    pub(super) signals: Vec<String>,
    pub(super) parameters: Vec<ParameterStage>,
    pub(super) warnings: Vec<Place>,
    /// Number of readings; they are the first nodes.
    pub(super) readings: usize,
    /// Device channels and the node each is wired to.
    pub(super) wires: Vec<(String, usize)>,
    /// T-term of each user, as in the file.
    pub(super) user_texts: Vec<String>,
    /// Product term of each behaviour.
    pub(super) decay_texts: Vec<String>,
    /// Goal of each target, as in the file.
    pub(super) target_texts: Vec<String>,
    starts: Starts,
}

/// Index of the first node of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Starts {
    modes: usize,
    percepts: usize,
    behaviours: usize,
    targets: usize,
    actuators: usize,
}

impl View {
    pub(super) fn new(file: &str, text: &str, compiled: &Compiled) -> Self {
        let (names, spec) = (&compiled.names, &compiled.spec);
        let starts = starts(compiled);
        let nodes = nodes(text, compiled);
        let weights = (0..names.targets.len()).map(|t| &nodes[starts.targets + t].name);
        let weights: Vec<String> = weights.map(|name| format!("{name}.weight")).collect();
        let mut signals: Vec<String> = nodes.iter().map(|node| node.name.clone()).collect();
        signals.extend(weights);
        let actuators = names.actuator_hardware.iter().enumerate();
        let actuators =
            actuators.filter_map(|(i, wire)| Some((wire.clone()?, starts.actuators + i)));
        let readings = names.reading_hardware.iter().enumerate();
        let mut view = Self {
            levels: (spec.layers.iter().enumerate())
                .map(|(i, l)| Level { name: l.name.text.clone(), every_ticks: spec.period(i) })
                .collect(),
            edges: Vec::new(),
            signals,
            parameters: spec.parameters.iter().filter_map(parameter).collect(),
            warnings: compiled.warnings().map(placed).collect(),
            readings: names.readings.len(),
            wires: readings.map(|(i, wire)| (wire.clone(), i)).chain(actuators).collect(),
            user_texts: user_texts(compiled),
            decay_texts: decay_texts(compiled),
            target_texts: target_texts(compiled),
            starts,
            nodes,
        };
        view.edges = influences(compiled).into_iter().map(|edge| view.edge(edge)).collect();
        view.warn_of_wires(file, compiled);
        view
    }

    fn edge(&self, (from, to): (Part, Part)) -> Edge {
        Edge { from: self.node(from) as u32, to: self.node(to) as u32 }
    }

    /// The node of a part.
    pub(super) const fn node(&self, part: Part) -> usize {
        match part {
            Part::Reading(index) => index,
            Part::Mode(index) => self.starts.modes + index,
            Part::Percept(index) => self.starts.percepts + index,
            Part::Behaviour(index) => self.starts.behaviours + index,
            Part::Target(index) => self.starts.targets + index,
            Part::Actuator(index) => self.starts.actuators + index,
        }
    }

    /// Says which devices this robot lacks, and which the network leaves alone.
    fn warn_of_wires(&mut self, file: &str, compiled: &Compiled) {
        let mut warn = |line, what: String| {
            self.warnings.push(Place { file: file.to_owned(), line, column: 0, text: what });
        };
        for (index, hardware) in compiled.names.reading_hardware.iter().enumerate() {
            if !has_sensor(hardware) {
                let line = self.nodes[index].line;
                warn(line, format!("the robot has no sensor {hardware}: it is always missing"));
            }
        }
        for wire in ["drive_v", "drive_w"] {
            if compiled.actuator(wire).is_none() {
                warn(0, format!("no actuator is wired to {wire}: it stays at 0"));
            }
        }
    }
}

fn starts(compiled: &Compiled) -> Starts {
    let names = &compiled.names;
    let modes = names.readings.len();
    let percepts = modes + names.modes.len();
    let behaviours = percepts + names.percepts.len();
    let targets = behaviours + names.behaviours.len();
    let actuators = targets + names.targets.len();
    Starts { modes, percepts, behaviours, targets, actuators }
}

/// The line of a mark, from 1; 0 without a text.
fn line(text: &str, mark: Mark) -> u32 {
    mark.0.map_or(0, |at| text.get(..at).unwrap_or(text).matches('\n').count() as u32 + 1)
}

/// A name without the index of its element.
fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

fn full(compiled: &Compiled, channel: &Channel) -> String {
    let layer = compiled.names.layers.get(channel.layer).map_or("mode", String::as_str);
    format!("{layer}.{}", channel.name)
}

fn behaviour<'c>(spec: &'c Spec, channel: &Channel) -> Option<&'c Behaviour> {
    let layer = spec.layers.get(channel.layer)?;
    layer.behaviours.iter().find(|b| b.name.text == channel.name)
}

/// Nodes as they are gathered.
struct Gathered<'c> {
    text: &'c str,
    compiled: &'c Compiled,
    nodes: Vec<DynamicsNode>,
}

impl Gathered<'_> {
    fn push(&mut self, name: String, kind: &str, channel: &Channel, mark: Option<Mark>) {
        let unit = if channel.unit == "1" { "" } else { channel.unit.as_str() };
        self.nodes.push(DynamicsNode {
            name,
            kind: kind.to_owned(),
            level: channel.layer as u32,
            unit: unit.to_owned(),
            line: line(self.text, mark.unwrap_or_default()),
            signal: self.nodes.len() as u32,
        });
    }

    /// Channels of a kind; `declared` names the declarations of that kind in a layer.
    fn all(&mut self, list: &[Channel], kind: &str, declared: fn(&Layer) -> Vec<&Text>) {
        for channel in list {
            let layer = self.compiled.spec.layers.get(channel.layer);
            let names = layer.map(declared).unwrap_or_default();
            let name = names.into_iter().find(|name| name.text == base(&channel.name));
            let mark = name.map(|name| name.mark);
            self.push(full(self.compiled, channel), kind, channel, mark);
        }
    }
}

fn nodes(text: &str, compiled: &Compiled) -> Vec<DynamicsNode> {
    let (names, spec) = (&compiled.names, &compiled.spec);
    let mut found = Gathered { text, compiled, nodes: Vec::new() };
    found.all(&names.readings, "sensor", |l| l.readings.iter().map(|r| &r.name).collect());
    for channel in &names.modes {
        let mode = spec.modes.iter().find(|mode| mode.name.text == channel.name);
        found.push(full(compiled, channel), "mode", channel, mode.map(|mode| mode.name.mark));
    }
    found.all(&names.percepts, "percept", |l| l.percepts.iter().map(|p| &p.name).collect());
    found.all(&names.behaviours, "behaviour", |l| l.behaviours.iter().map(|b| &b.name).collect());
    for target in &names.targets {
        let (from, to) = (&names.behaviours[target.behaviour], &names.actuators[target.actuator]);
        let written = behaviour(spec, from);
        let written = written.and_then(|b| b.targets.iter().find(|t| t.actuator.text == to.name));
        let name = format!("{}.{}", full(compiled, from), to.name);
        found.push(name, "target", to, written.map(|target| target.goal.mark));
    }
    found.all(&names.actuators, "actuator", |l| l.actuators.iter().map(|a| &a.name).collect());
    found.nodes
}

fn user_texts(compiled: &Compiled) -> Vec<String> {
    let names = &compiled.names;
    let text = |user: &tropism_dynamics_spec::compiled::UserName| {
        let written = behaviour(&compiled.spec, &names.behaviours[user.behaviour]);
        let written = written.and_then(|b| b.users.iter().find(|(name, _)| name.text == user.name));
        format!("{}: {}", user.name, written.map_or("", |(_, term)| term.as_str()))
    };
    names.users.iter().map(text).collect()
}

fn decay_texts(compiled: &Compiled) -> Vec<String> {
    let kappa = |channel: &Channel| {
        let written = behaviour(&compiled.spec, channel);
        format!("no user: kappa = {}", written.map_or("", |b| b.kappa.as_str()))
    };
    compiled.names.behaviours.iter().map(kappa).collect()
}

fn target_texts(compiled: &Compiled) -> Vec<String> {
    let names = &compiled.names;
    let text = |target: &tropism_dynamics_spec::compiled::TargetName| {
        let (from, to) = (&names.behaviours[target.behaviour], &names.actuators[target.actuator]);
        let written = behaviour(&compiled.spec, from);
        let written = written.and_then(|b| b.targets.iter().find(|t| t.actuator.text == to.name));
        format!("{}: {}", from.name, written.map_or("", |target| target.goal.as_str()))
    };
    names.targets.iter().map(text).collect()
}

/// A parameter whose value is a plain number.
fn parameter(parameter: &Parameter) -> Option<ParameterStage> {
    let ParameterValue::One(value) = &parameter.value else { return None };
    let end = |text: Option<&str>, open: f32| text.and_then(|t| t.parse().ok()).unwrap_or(open);
    let range = parameter.range.as_ref();
    Some(ParameterStage {
        name: parameter.name.text.clone(),
        unit: if parameter.unit.text == "1" { String::new() } else { parameter.unit.text.clone() },
        value: value.text.parse().ok()?,
        min: end(range.map(|(low, _)| low.as_str()), f32::MIN),
        max: end(range.map(|(_, high)| high.as_str()), f32::MAX),
        about: parameter.about.clone(),
    })
}

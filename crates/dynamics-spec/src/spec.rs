//! A specification as written: names, texts and choices, not yet checked.
//!
//! Constant fields (initial values, ranges, κ, times) are expressions over numbers and parameters;
//! the others may read what the seed's equations allow them to read.

use crate::diagnostic::Text;
use tropism_core::TimeStep;
use tropism_dynamics::{Integrator, Phase};

/// A whole network.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Name of the network.
    pub name: Text,
    /// What it is for.
    pub about: String,
    /// Period of layer 0.
    pub step: TimeStep,
    /// The seed's f (c): periods of a layer in one of the layer above, unless it says its own.
    pub factor: u16,
    /// Which layers run when.
    pub phase: Phase,
    /// How actuators follow their targets.
    pub integrator: Integrator,
    /// External activations above the top layer.
    pub modes: Vec<Mode>,
    /// Named constants and lists of constants.
    pub parameters: Vec<Parameter>,
    /// Layers from the bottom up.
    pub layers: Vec<Layer>,
}

/// An external activation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mode {
    /// Name.
    pub name: Text,
    /// What switches it on.
    pub about: String,
}

/// A named constant, or a list of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name.
    pub name: Text,
    /// One value, or a list.
    pub value: ParameterValue,
    /// Unit of bare numbers.
    pub unit: Text,
    /// Allowed range, if any.
    pub range: Option<(Text, Text)>,
    /// What it does.
    pub about: String,
    /// Where its value comes from.
    pub source: String,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterValue {
    /// A constant expression.
    One(Text),
    /// A list of constant expressions.
    Many(Vec<Text>),
    /// So many values evenly spaced between two.
    Even(Text, Text, u16),
}

/// A layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    /// Name.
    pub name: Text,
    /// What happens on this time scale.
    pub about: String,
    /// Its own factor to the layer below.
    pub factor: Option<u16>,
    /// Physical sensors read here.
    pub readings: Vec<Reading>,
    /// Percepts.
    pub percepts: Vec<Percept>,
    /// Behaviours.
    pub behaviours: Vec<Behaviour>,
    /// Actuators.
    pub actuators: Vec<Actuator>,
    /// Groups of behaviours of which at most one is meant to be active.
    pub exclusive: Vec<Vec<Text>>,
}

/// What a missing reading does.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Missing {
    /// The last value stays.
    #[default]
    Hold,
    /// After the grace time the value moves to a default with a time constant.
    Default {
        /// Grace time.
        after: Text,
        /// Where it moves.
        value: Text,
        /// Time constant.
        time: Text,
    },
    /// After the grace time, behaviours that depend on it are deactivated.
    Deactivate {
        /// Grace time.
        after: Text,
    },
}

/// A physical sensor, or a row of equal ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Name.
    pub name: Text,
    /// Number of elements, if it is a row.
    pub count: Option<u16>,
    /// Unit.
    pub unit: Text,
    /// Physical range; values outside count as the nearer end.
    pub range: Option<(Text, Text)>,
    /// An angle, which wraps.
    pub is_angle: bool,
    /// Value before the first valid reading.
    pub initial: Text,
    /// Rule for missing values.
    pub missing: Missing,
    /// Name of the device channel; the same name by default.
    pub hardware: Text,
    /// What it measures.
    pub about: String,
}

/// A percept, or a row of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Percept {
    /// Name.
    pub name: Text,
    /// How it is computed.
    pub value: PerceptValue,
    /// Expected unit, if stated.
    pub unit: Option<Text>,
    /// Range it is clamped to, if stated.
    pub range: Option<(Text, Text)>,
    /// An angle, which wraps.
    pub is_angle: bool,
    /// List over whose indices `k` it is repeated.
    pub over: Option<Text>,
    /// Value before the first valid input.
    pub initial: Text,
    /// What it tells.
    pub about: String,
}

/// How a percept is computed.
#[derive(Clone, Debug, PartialEq)]
pub enum PerceptValue {
    /// An expression.
    Expr(Text),
    /// A moving average of an expression with a time constant.
    Mean {
        /// What is averaged.
        of: Text,
        /// Time constant.
        time: Text,
    },
}

/// A behaviour.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Behaviour {
    /// Name.
    pub name: Text,
    /// What it does.
    pub about: String,
    /// κ, rate of deactivation without an active user.
    pub kappa: Text,
    /// Activation at tick 0.
    pub initial: Text,
    /// Users and their T-terms.
    pub users: Vec<(Text, Text)>,
    /// Targets.
    pub targets: Vec<Target>,
}

/// What a behaviour wants of an actuator.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The actuator.
    pub actuator: Text,
    /// G.
    pub goal: Text,
    /// λ in 1/s, or τ per step.
    pub rate: Text,
    /// True for τ.
    pub is_per_step: bool,
}

/// What an actuator does while no behaviour is active.
#[derive(Clone, Debug, PartialEq)]
pub enum OnIdle {
    /// Nothing was said; refused, because holding a speed for ever must be somebody's decision.
    Unset,
    /// Keeps its value, as in the seed.
    Hold,
    /// Moves to a rest target.
    Rest {
        /// Rest target.
        target: Text,
        /// Rate of the pull.
        rate: Text,
    },
}

/// How the pulls of several behaviours meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Select {
    /// They add up, as in the seed.
    #[default]
    Blend,
    /// The most active behaviour alone pulls.
    Max,
}

/// An actuator.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Name.
    pub name: Text,
    /// Unit.
    pub unit: Text,
    /// Range it is clamped to.
    pub range: Option<(Text, Text)>,
    /// An angle, which wraps.
    pub is_angle: bool,
    /// Value at tick 0.
    pub initial: Text,
    /// How pulls meet.
    pub select: Select,
    /// What happens while nobody is active; there is no default in a file.
    pub on_idle: OnIdle,
    /// A discrete goal: a mixture of two targets would mean neither.
    pub is_set_point: bool,
    /// Device channel, if it is wired to hardware.
    pub hardware: Option<Text>,
    /// What it moves.
    pub about: String,
}

impl Spec {
    /// An empty network with the seed's usual choices.
    pub fn new(name: &str, step: TimeStep) -> Self {
        Self {
            name: name.into(),
            about: String::new(),
            step,
            factor: 2,
            phase: Phase::Aligned,
            integrator: Integrator::Exact,
            modes: Vec::new(),
            parameters: Vec::new(),
            layers: Vec::new(),
        }
    }

    /// Gives a parameter another value.
    ///
    /// # Errors
    /// The nearest known name when there is no such parameter.
    pub fn set_parameter(&mut self, name: &str, value: &str) -> Result<(), String> {
        if let Some(parameter) = self.parameters.iter_mut().find(|p| p.name.text == name) {
            let mark = parameter.name.mark;
            parameter.value = ParameterValue::One(Text { text: value.to_owned(), mark });
            return Ok(());
        }
        let known = self.parameters.iter().map(|p| p.name.text.as_str());
        let hint = crate::diagnostic::suggestion(name, known);
        Err(format!("there is no parameter `{name}`{hint}"))
    }

    /// Period of a layer in ticks of layer 0, saturating.
    pub fn period(&self, layer: usize) -> u32 {
        let factors = self.layers.iter().take(layer + 1).skip(1);
        factors.fold(1_u32, |p, l| p.saturating_mul(l.factor.unwrap_or(self.factor).into()))
    }
}

//! Building a specification in Rust; it compiles to the same table as its text.
//!
//! # Example
//! ```
//! use tropism_core::TimeStep;
//! use tropism_dynamics_spec::{Options, Spec, compile};
//! use tropism_dynamics_spec::spec::{Actuator, Behaviour, Layer};
//!
//! let go = Behaviour::named("go", "10").user("m_on", "(1 - alpha.go)/0.1s");
//! let layer = Layer::named("L0")
//!     .actuator(Actuator::named("v", "m/s").resting_at("0", "8"))
//!     .behaviour(go.target("v", "0.5", "10"));
//! let spec = Spec::new("demo", TimeStep::TWENTIETH).mode("m_on").layer(layer);
//! let compiled = compile(&spec, "demo", "", Options::default()).unwrap();
//! let mut network = compiled.network::<f32>();
//! (0..100).for_each(|_| network.tick(&[], &[1.0]));
//! assert!((network.value(compiled.slot("L0.v").unwrap()) - 0.5).abs() < 1e-3);
//! ```

use crate::diagnostic::Text;
use crate::spec::{
    Actuator, Behaviour, Layer, Missing, Mode, OnIdle, Parameter, ParameterValue, Percept,
    PerceptValue, Reading, Select, Spec, Target,
};

impl Spec {
    /// With one more mode input.
    #[must_use]
    pub fn mode(mut self, name: &str) -> Self {
        self.modes.push(Mode { name: name.into(), about: String::new() });
        self
    }

    /// With one more constant.
    #[must_use]
    pub fn parameter(mut self, name: &str, value: &str, unit: &str) -> Self {
        self.parameters.push(Parameter {
            name: name.into(),
            value: ParameterValue::One(value.into()),
            unit: unit.into(),
            range: None,
            about: String::new(),
            source: String::new(),
        });
        self
    }

    /// With one more layer on top.
    #[must_use]
    pub fn layer(mut self, layer: Layer) -> Self {
        self.layers.push(layer);
        self
    }
}

impl Layer {
    /// An empty layer.
    pub fn named(name: &str) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// With one more physical sensor.
    #[must_use]
    pub fn reading(mut self, reading: Reading) -> Self {
        self.readings.push(reading);
        self
    }

    /// With one more percept from an expression.
    #[must_use]
    pub fn percept(self, name: &str, expr: &str) -> Self {
        self.push_percept(name, PerceptValue::Expr(expr.into()))
    }

    /// With one more percept that is a moving average.
    #[must_use]
    pub fn mean(self, name: &str, of: &str, time: &str) -> Self {
        self.push_percept(name, PerceptValue::Mean { of: of.into(), time: time.into() })
    }

    fn push_percept(mut self, name: &str, value: PerceptValue) -> Self {
        self.percepts.push(Percept {
            name: name.into(),
            value,
            unit: None,
            range: None,
            is_angle: false,
            over: None,
            initial: "0".into(),
            about: String::new(),
        });
        self
    }

    /// With one more behaviour.
    #[must_use]
    pub fn behaviour(mut self, behaviour: Behaviour) -> Self {
        self.behaviours.push(behaviour);
        self
    }

    /// With one more actuator.
    #[must_use]
    pub fn actuator(mut self, actuator: Actuator) -> Self {
        self.actuators.push(actuator);
        self
    }
}

impl Reading {
    /// A sensor in this unit whose last value holds while it is silent.
    pub fn named(name: &str, unit: &str) -> Self {
        Self {
            name: name.into(),
            count: None,
            unit: unit.into(),
            range: None,
            is_angle: false,
            initial: "0".into(),
            missing: Missing::Hold,
            hardware: name.into(),
            about: String::new(),
        }
    }

    /// With a physical range.
    #[must_use]
    pub fn within(mut self, low: &str, high: &str) -> Self {
        self.range = Some((low.into(), high.into()));
        self
    }

    /// With another rule for missing values.
    #[must_use]
    pub fn when_missing(mut self, missing: Missing) -> Self {
        self.missing = missing;
        self
    }
}

impl Behaviour {
    /// A behaviour that decays with κ when nobody uses it.
    pub fn named(name: &str, kappa: &str) -> Self {
        let initial: Text = "0".into();
        Self { name: name.into(), kappa: kappa.into(), initial, ..Self::default() }
    }

    /// Used by a behaviour above, or a mode, with this T-term.
    #[must_use]
    pub fn user(mut self, user: &str, term: &str) -> Self {
        self.users.push((user.into(), term.into()));
        self
    }

    /// Pulls an actuator to a goal with a rate in 1/s.
    #[must_use]
    pub fn target(self, actuator: &str, goal: &str, rate: &str) -> Self {
        self.push_target(actuator, goal, rate, false)
    }

    /// Pulls an actuator to a goal with the seed's τ per step.
    #[must_use]
    pub fn target_per_step(self, actuator: &str, goal: &str, tau: &str) -> Self {
        self.push_target(actuator, goal, tau, true)
    }

    fn push_target(mut self, actuator: &str, goal: &str, rate: &str, is_per_step: bool) -> Self {
        let (actuator, goal, rate) = (actuator.into(), goal.into(), rate.into());
        self.targets.push(Target { actuator, goal, rate, is_per_step });
        self
    }
}

impl Actuator {
    /// An actuator in this unit; say what it does when idle.
    pub fn named(name: &str, unit: &str) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            range: None,
            is_angle: false,
            initial: "0".into(),
            select: Select::Blend,
            on_idle: OnIdle::Unset,
            is_set_point: false,
            hardware: None,
            about: String::new(),
        }
    }

    /// Keeps its value while nobody is active.
    #[must_use]
    pub fn holding(mut self) -> Self {
        self.on_idle = OnIdle::Hold;
        self
    }

    /// Moves to a rest target while nobody is active.
    #[must_use]
    pub fn resting_at(mut self, target: &str, rate: &str) -> Self {
        self.on_idle = OnIdle::Rest { target: target.into(), rate: rate.into() };
        self
    }

    /// Starts at this value.
    #[must_use]
    pub fn starting_at(mut self, initial: &str) -> Self {
        self.initial = initial.into();
        self
    }

    /// The most active behaviour alone pulls.
    #[must_use]
    pub fn selecting_max(mut self) -> Self {
        self.select = Select::Max;
        self
    }
}

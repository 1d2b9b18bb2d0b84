//! A network of a given size, for measuring cost.

use tropism_core::TimeStep;
use tropism_dynamics::Phase;
use tropism_dynamics_spec::spec::{Actuator, Behaviour, Layer, Reading};
use tropism_dynamics_spec::{Compiled, Options, Spec, compile};

/// Size of the load network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Layers.
    pub layers: usize,
    /// Behaviours in each.
    pub behaviours: usize,
    /// Actuators in each; every behaviour has a target for every actuator.
    pub actuators: usize,
    /// Users, hence T-terms, of each behaviour.
    pub users: usize,
}

impl Load {
    /// The size costs are stated for.
    pub const STATED: Self = Self { layers: 8, behaviours: 16, actuators: 4, users: 2 };

    /// The network of this size.
    ///
    /// # Panics
    /// Never: the specification is sound for every size the runtime holds.
    pub fn compiled(self, phase: Phase) -> Compiled {
        let mut spec = Spec::new("load", TimeStep::TWENTIETH).mode("m0").mode("m1");
        spec.phase = phase;
        for z in 0..self.layers {
            spec = spec.layer(self.layer(z));
        }
        let compiled = compile(&spec, "load", "", Options::default());
        compiled.unwrap_or_else(|refused| panic!("{refused}"))
    }

    fn layer(self, z: usize) -> Layer {
        let mut layer = Layer::named(&format!("L{z}"));
        layer = if z == 0 {
            layer.reading(Reading::named("r", "1").within("-1", "1")).percept("s", "0.5*r + 0.1")
        } else {
            layer.mean("s", "below.s", "0.3s")
        };
        for k in 0..self.actuators {
            let actuator = Actuator::named(&format!("a{k}"), "1");
            layer = layer.actuator(actuator.resting_at("0", "1"));
        }
        for j in 0..self.behaviours {
            // Active from the start, so that every target counts.
            let name = format!("b{j}");
            let mut behaviour = Behaviour { initial: "0.5".into(), ..Behaviour::named(&name, "2") };
            for u in 0..self.users {
                let is_top = z + 1 == self.layers;
                let user = if is_top {
                    format!("m{u}")
                } else {
                    format!("b{}", (j + u) % self.behaviours)
                };
                let term = format!("(sstep(s, -{0}, {0}) - alpha.b{j})/0.2s", 1 + u);
                behaviour = behaviour.user(&user, &term);
            }
            for k in 0..self.actuators {
                let goal = format!("0.8*sat(s + {j}/16) - 0.1*{k}");
                behaviour = behaviour.target(&format!("a{k}"), &goal, "3");
            }
            layer = layer.behaviour(behaviour);
        }
        layer
    }
}

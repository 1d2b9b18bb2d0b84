//! The minds a robot can be given.

use tropism_body::{BodySpec, Command, Controller, Observer, Percept};
use tropism_core::{Seed, TimeStep};
use tropism_organism::{DoNothing, Need, Organism, RandomWalk};
use tropism_reactive::Reactive;
use tropism_scenario::MindSpec;

use crate::machine::MachineMind;
use crate::script::{LogLine, ScriptError, ScriptMind};

/// One mind, of any kind. A plain enum, so that the hot loop needs no virtual call, with a tag of
/// its own, so that the kind is read and not worked out.
#[derive(Clone, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum Mind {
    /// The homeostatic learner.
    Organism(Box<Organism>),
    /// Ahead, and a turn now and then.
    RandomWalk(RandomWalk),
    /// Writes zeros.
    DoNothing(DoNothing),
    /// A reactive controller.
    Reactive(Box<Reactive>),
    /// A state machine.
    Machine(Box<MachineMind>),
    /// A script.
    Script(Box<ScriptMind>),
}

impl Mind {
    /// A newborn mind of this kind. Its random draws belong to (seed, robot).
    pub fn new(spec: &MindSpec, body: &BodySpec, step: TimeStep, seed: Seed, robot: u32) -> Self {
        match spec {
            MindSpec::Organism(config) => {
                Self::Organism(Box::new(Organism::new(body, step, **config, seed, robot)))
            }
            MindSpec::RandomWalk => Self::RandomWalk(RandomWalk::new(body, step, seed, robot)),
            // A controller that does not fit the body was refused with the scenario.
            MindSpec::Reactive(spec) => match Reactive::new(body, step, spec) {
                Ok(mind) => Self::Reactive(Box::new(mind)),
                Err(_) => Self::DoNothing(DoNothing::new(body)),
            },
            MindSpec::Machine(machine) => {
                Self::Machine(Box::new(MachineMind::new(machine, body, step)))
            }
            MindSpec::Script { path, text } => {
                Self::Script(Box::new(ScriptMind::new((path, text), body, step, seed, robot)))
            }
            _ => Self::DoNothing(DoNothing::new(body)),
        }
    }

    /// Another life: what a life begins with starts over, what was learned stays.
    pub fn begin_life(&mut self) {
        match self {
            Self::Organism(organism) => organism.begin_life(),
            Self::Reactive(mind) => mind.begin_life(),
            Self::Machine(machine) => machine.begin_life(),
            Self::Script(script) => script.begin_life(),
            Self::RandomWalk(_) | Self::DoNothing(_) => {}
        }
    }

    /// Why the mind gave up, if it did; then its wheels stand still.
    pub fn failure(&self) -> Option<&ScriptError> {
        match self {
            Self::Script(script) => script.failure(),
            _ => None,
        }
    }

    /// Takes what a script printed, or how a machine changed its state, since the last call.
    pub fn take_log(&mut self) -> Vec<LogLine> {
        match self {
            Self::Script(script) => script.take_log(),
            Self::Machine(machine) => machine.take_log(),
            _ => Vec::new(),
        }
    }

    /// The reactive controller inside, if it is one.
    pub fn reactive(&self) -> Option<&Reactive> {
        match self {
            Self::Reactive(mind) => Some(mind),
            _ => None,
        }
    }

    /// The organism inside, if it is one.
    #[inline]
    pub fn organism(&self) -> Option<&Organism> {
        match self {
            Self::Organism(organism) => Some(organism),
            _ => None,
        }
    }

    /// The organism inside, to change it.
    pub fn organism_mut(&mut self) -> Option<&mut Organism> {
        match self {
            Self::Organism(organism) => Some(organism),
            _ => None,
        }
    }

    /// The energy drive, for minds that have one.
    #[inline]
    pub fn hunger(&self) -> Option<f32> {
        self.organism().map(|o| o.state().physiology.drive(Need::Energy))
    }
}

impl Controller for Mind {
    #[inline]
    fn step(&mut self, percept: &Percept, command: &mut Command) {
        match self {
            Self::Organism(mind) => mind.step(percept, command),
            Self::RandomWalk(mind) => mind.step(percept, command),
            Self::DoNothing(mind) => mind.step(percept, command),
            Self::Reactive(mind) => mind.step(percept, command),
            Self::Machine(mind) => mind.step(percept, command),
            Self::Script(mind) => mind.step(percept, command),
        }
    }

    fn senses_used(&self) -> u16 {
        match self {
            Self::Organism(mind) => mind.senses_used(),
            Self::RandomWalk(mind) => mind.senses_used(),
            Self::DoNothing(mind) => mind.senses_used(),
            Self::Reactive(mind) => mind.sensors_read(),
            Self::Machine(mind) => mind.senses_used(),
            Self::Script(mind) => mind.senses_used(),
        }
    }

    fn modules(&self) -> &'static [&'static str] {
        match self {
            Self::Organism(mind) => mind.modules(),
            Self::RandomWalk(mind) => mind.modules(),
            Self::DoNothing(mind) => mind.modules(),
            Self::Reactive(mind) => mind.modules(),
            Self::Machine(mind) => mind.modules(),
            Self::Script(mind) => mind.modules(),
        }
    }

    #[inline]
    fn controlling_module(&self) -> usize {
        match self {
            Self::Organism(mind) => mind.controlling_module(),
            Self::RandomWalk(mind) => mind.controlling_module(),
            Self::DoNothing(mind) => mind.controlling_module(),
            Self::Reactive(mind) => mind.controlling_module(),
            Self::Machine(mind) => mind.controlling_module(),
            Self::Script(mind) => mind.controlling_module(),
        }
    }

    fn observe(&self, observer: &mut dyn Observer) {
        match self {
            Self::Organism(mind) => mind.observe(observer),
            Self::RandomWalk(mind) => mind.observe(observer),
            Self::DoNothing(mind) => mind.observe(observer),
            Self::Reactive(mind) => mind.observe(observer),
            Self::Machine(mind) => mind.observe(observer),
            Self::Script(mind) => mind.observe(observer),
        }
    }
}

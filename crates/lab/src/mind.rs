//! The minds a robot can be given.

use tropism_body::{BodySpec, Command, Controller, Observer, Percept};
use tropism_core::{Seed, TimeStep};
use tropism_organism::{DoNothing, Need, Organism, RandomWalk};
use tropism_scenario::MindSpec;

/// One mind, of any kind. A plain enum, so that the hot loop needs no virtual call.
#[derive(Clone, Debug)]
pub enum Mind {
    /// The homeostatic learner.
    Organism(Box<Organism>),
    /// Ahead, and a turn now and then.
    RandomWalk(RandomWalk),
    /// Writes zeros.
    DoNothing(DoNothing),
}

impl Mind {
    /// A newborn mind of this kind. Its random draws belong to (seed, robot).
    pub fn new(spec: &MindSpec, body: &BodySpec, step: TimeStep, seed: Seed, robot: u32) -> Self {
        match spec {
            MindSpec::Organism(config) => {
                Self::Organism(Box::new(Organism::new(body, step, **config, seed, robot)))
            }
            MindSpec::RandomWalk => Self::RandomWalk(RandomWalk::new(body, step, seed, robot)),
            _ => Self::DoNothing(DoNothing::new(body)),
        }
    }

    /// Another life: what a life begins with starts over, what was learned stays.
    pub fn begin_life(&mut self) {
        if let Self::Organism(organism) = self {
            organism.begin_life();
        }
    }

    /// The organism inside, if it is one.
    #[inline]
    pub fn organism(&self) -> Option<&Organism> {
        match self {
            Self::Organism(organism) => Some(organism),
            Self::RandomWalk(_) | Self::DoNothing(_) => None,
        }
    }

    /// The organism inside, to change it.
    pub fn organism_mut(&mut self) -> Option<&mut Organism> {
        match self {
            Self::Organism(organism) => Some(organism),
            Self::RandomWalk(_) | Self::DoNothing(_) => None,
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
        }
    }

    fn senses_used(&self) -> u16 {
        match self {
            Self::Organism(mind) => mind.senses_used(),
            Self::RandomWalk(mind) => mind.senses_used(),
            Self::DoNothing(mind) => mind.senses_used(),
        }
    }

    fn modules(&self) -> &'static [&'static str] {
        match self {
            Self::Organism(mind) => mind.modules(),
            Self::RandomWalk(mind) => mind.modules(),
            Self::DoNothing(mind) => mind.modules(),
        }
    }

    #[inline]
    fn controlling_module(&self) -> usize {
        match self {
            Self::Organism(mind) => mind.controlling_module(),
            Self::RandomWalk(mind) => mind.controlling_module(),
            Self::DoNothing(mind) => mind.controlling_module(),
        }
    }

    fn observe(&self, observer: &mut dyn Observer) {
        match self {
            Self::Organism(mind) => mind.observe(observer),
            Self::RandomWalk(mind) => mind.observe(observer),
            Self::DoNothing(mind) => mind.observe(observer),
        }
    }
}

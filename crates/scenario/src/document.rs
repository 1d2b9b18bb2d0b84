//! Scenarios and experiments as data.

use alloc::sync::Arc;

use tropism_body::{SafetyAction, SafetyParameters};
use tropism_core::TimeStep;
use tropism_world::{RobotPlan, WorldSpec};

use crate::conditions::MindSpec;
use crate::machine::Machine;
use crate::source::Source;

/// A world with robots, and a mind for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// What it is, in one sentence.
    pub about: String,
    /// The document it came from.
    pub source: Source,
    /// Files it refers to, directly or not; built-in ones are part of the program.
    pub included: Vec<Source>,
    /// Control step.
    pub step: TimeStep,
    /// Physics step as the document asked for it; `world.physics_step` is the one that fits.
    pub physics_step_asked: TimeStep,
    /// The world, robots inside.
    pub world: WorldSpec,
    /// One mind per robot.
    pub minds: Vec<MindSpec>,
    /// Root seed, if the document gives one.
    pub seed: Option<u64>,
    /// Longest life, s.
    pub life_cap_s: f64,
    /// Lives in a row.
    pub lives: u32,
    /// Limits of the safety monitor, and how it acts.
    pub safety: (SafetyParameters, SafetyAction),
}

/// One condition of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Its name.
    pub name: String,
    /// What it is.
    pub about: String,
    /// The mind of the first robot; the other robots keep those of the scenario.
    pub mind: MindSpec,
}

/// Twins with different pasts, put into the same world stream.
///
/// Two organisms of one condition live `past_s` each, the first on the run's seed, the second on
/// the seed of another run, `seed_offset` further. Then both start from the same place in the same
/// world stream for `compare_s`, and the distance between them is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Twins {
    /// Name of the condition.
    pub condition: String,
    /// Length of the separate pasts, s.
    pub past_s: f64,
    /// Length of the comparison, s.
    pub compare_s: f64,
    /// Seconds between two comparisons.
    pub every_s: f64,
    /// Distance of the second twin's past from the run's seed.
    pub seed_offset: u64,
}

/// Conditions × seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// Its name.
    pub name: String,
    /// What it shows, in one sentence.
    pub about: String,
    /// The document it came from.
    pub source: Source,
    /// Files it refers to, directly or not; built-in ones are part of the program.
    pub included: Vec<Source>,
    /// What is run.
    pub scenario: Scenario,
    /// What is compared.
    pub conditions: Vec<Condition>,
    /// One organism per seed and condition.
    pub seeds: Vec<u64>,
    /// Lives of each organism.
    pub lives: u32,
    /// Longest life, s.
    pub life_cap_s: f64,
    /// Condition that paired differences are taken from.
    pub baseline: Option<String>,
    /// Charge share from which a battery counts as full.
    pub full_share: f32,
    /// Comparison of twins, if asked for.
    pub twins: Option<Twins>,
}

/// A document of any kind.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a program holds one document at a time")]
#[non_exhaustive]
pub enum Document {
    /// A scenario.
    Scenario(Scenario),
    /// An experiment.
    Experiment(Experiment),
    /// A world, with the robots it lists.
    World(WorldSpec),
    /// A body and its physics.
    Body(Box<RobotPlan>),
    /// A state machine.
    Machine(Arc<Machine>),
}

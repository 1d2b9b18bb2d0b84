//! Things that are allowed and probably not meant.

use alloc::collections::BTreeSet;

use tropism_core::TimeStep;
use tropism_organism::{OrganismConfig, Reflexes};
use tropism_world::drive::DriveSpec;
use tropism_world::sensor::SensorModel;
use tropism_world::{RobotPlan, WorldSpec};

use crate::conditions::{MindSpec, built_in_condition};
use crate::document::{Document, Experiment, Scenario};

/// Fewest organisms for which an interval says something.
const ORGANISMS_FEW: usize = 20;

/// Something that is allowed and probably not meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What it is about: a key or the name of a part.
    pub about: String,
    /// What is noticed, and what follows from it.
    pub text: String,
}

impl core::fmt::Display for Warning {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}: {}", self.about, self.text)
    }
}

#[derive(Default)]
struct Warnings(Vec<Warning>);

impl Warnings {
    fn add(&mut self, about: impl Into<String>, text: impl Into<String>) {
        self.0.push(Warning { about: about.into(), text: text.into() });
    }

    fn step(&mut self, scenario: &Scenario) {
        let (asked, used) = (scenario.physics_step_asked, scenario.world.physics_step);
        if asked != used {
            let show = |s: TimeStep| format!("{}/{} s", s.numerator(), s.denominator());
            let text = format!(
                "the control step {} is no multiple of the physics step {}; physics runs at {}, \
                 the longest step that fits",
                show(scenario.step),
                show(asked),
                show(used)
            );
            self.add("physics_step", text);
        }
    }

    fn plan(&mut self, name: &str, plan: &RobotPlan, world: &WorldSpec) {
        for (spec, model) in plan.body.sensors.iter().zip(&plan.sensors) {
            let about = || format!("{name}.{}", spec.name);
            match *model {
                SensorModel::GoalBearing { beacon, .. } | SensorModel::GoalRange { beacon, .. }
                    if usize::from(beacon) >= world.beacons.len() =>
                {
                    let text = format!("beacon {beacon} is not in this world; it reads nothing");
                    self.add(about(), text);
                }
                SensorModel::Field { kind, .. }
                    if !world.fields.iter().any(|field| field.kind == kind) =>
                {
                    self.add(about(), "this world has no such field; the reading stays at 0");
                }
                SensorModel::Rssi { .. } if world.stations.is_empty() => {
                    self.add(about(), "this world has no station to receive");
                }
                _ => {}
            }
        }
    }

    fn organism(&mut self, name: &str, config: &OrganismConfig) {
        let ablation = &config.ablation;
        let is_given = matches!(ablation.reflexes, Reflexes::Frozen | Reflexes::Plastic);
        if is_given && config.wiring.is_empty() {
            let text = "reflexes are given, but no wiring fits this body: it starts without any";
            self.add(name, text);
        }
        if !is_given && !config.wiring.is_empty() {
            let text = "a wiring is given, but reflexes are neither frozen nor plastic: unused";
            self.add(name, text);
        }
        let weight_max = config.parameters.reflex.weight_max;
        if config.wiring.iter().any(|c| c.0.weight.abs() > weight_max) && is_given {
            let text = format!("a weight lies beyond weight_max = {weight_max}");
            self.add(name, text);
        }
        if ablation.hidden_sensors & ablation.randomised_sensors != 0 {
            self.add(name, "a sensor is both hidden and randomised; hiding wins");
        }
    }

    fn mind(&mut self, name: &str, mind: &MindSpec, plan: &RobotPlan) {
        match mind {
            MindSpec::Organism(config) => {
                if plan.body.energy_sensor.is_none() {
                    let text = "no energy sensor: the energy need follows its own model";
                    self.add(format!("{name}.{}", plan.body.name), text);
                }
                self.organism(name, config);
            }
            MindSpec::RandomWalk => {
                let has_wheels = match plan.drive {
                    DriveSpec::Stepper { left, right, .. }
                    | DriveSpec::Motors { left, right, .. } => (left, right) == (0, 1),
                    DriveSpec::Tricycle { .. } => false,
                };
                if !has_wheels {
                    let text = "the walk takes the first two actuators for its wheels; here they \
                                are something else";
                    self.add(name, text);
                }
            }
            MindSpec::DoNothing
            | MindSpec::Machine(_)
            | MindSpec::Script { .. }
            | MindSpec::Reactive(_) => {}
        }
    }

    fn twins(&mut self, experiment: &Experiment) {
        let Some(twins) = &experiment.twins else {
            return;
        };
        let seeds: BTreeSet<u64> = experiment.seeds.iter().copied().collect();
        let mut pasts = seeds.iter().filter_map(|seed| seed.checked_add(twins.seed_offset));
        if pasts.any(|past| seeds.contains(&past)) {
            let text = "a second twin's past is another organism's run; raise seed_offset";
            self.add("twins", text);
        }
    }

    fn scenario(&mut self, scenario: &Scenario) {
        self.step(scenario);
        for robot in &scenario.world.robots {
            self.plan(robot.name.as_str(), &robot.plan, &scenario.world);
        }
        let life_s = scenario.life_cap_s * f64::from(scenario.lives);
        for (i, event) in scenario.world.events.iter().enumerate() {
            if event.at_s >= life_s {
                let text = format!("at {} s, after the last life has ended", event.at_s);
                self.add(format!("event[{i}]"), text);
            }
        }
        if scenario.life_cap_s < f64::from(scenario.step.seconds()) {
            self.add("life_cap_s", "shorter than one control step");
        }
    }

    fn experiment(&mut self, experiment: &Experiment) {
        self.scenario(&experiment.scenario);
        let organisms = experiment.seeds.len();
        if organisms < ORGANISMS_FEW {
            let text = format!(
                "{organisms} organisms per condition; fewer than {ORGANISMS_FEW} tell little"
            );
            self.add("seeds", text);
        }
        if experiment.scenario.seed.is_some() {
            self.add("seed", "the scenario's own seed is unused: an experiment gives seeds");
        }
        let plan = &experiment.scenario.world.robots[0].plan;
        let full = built_in_condition("full", &plan.body);
        if experiment.scenario.minds.first() != full.as_ref() {
            self.add("mind", "the first robot's own mind is unused: conditions replace it");
        }
        self.twins(experiment);
        for (i, condition) in experiment.conditions.iter().enumerate() {
            self.mind(&condition.name, &condition.mind, plan);
            let earlier = &experiment.conditions[..i];
            if let Some(same) = earlier.iter().find(|other| other.mind == condition.mind) {
                let text = format!("the same mind as `{}`: it will give the same runs", same.name);
                self.add(&condition.name, text);
            }
        }
        if experiment.conditions.len() > 1 && experiment.baseline.is_none() {
            self.add("baseline", "none is named: the table shows no paired differences");
        }
    }
}

/// What is allowed in a document and probably not meant.
pub fn check(document: &Document) -> Vec<Warning> {
    let mut warnings = Warnings::default();
    match document {
        Document::Scenario(scenario) => {
            warnings.scenario(scenario);
            for (robot, mind) in scenario.world.robots.iter().zip(&scenario.minds) {
                warnings.mind(robot.name.as_str(), mind, &robot.plan);
            }
        }
        Document::Experiment(experiment) => warnings.experiment(experiment),
        Document::World(world) => {
            for robot in &world.robots {
                warnings.plan(robot.name.as_str(), &robot.plan, world);
            }
        }
        Document::Body(_) | Document::Machine(_) => {}
    }
    warnings.0
}

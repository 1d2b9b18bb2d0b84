//! Commands to robots and their minds.

use tropism_core::Seed;
use tropism_lab::script::ScriptMind;
use tropism_lab::{MachineMind, Mind};
use tropism_organism::Organism;
use tropism_reactive::Reactive;
use tropism_scenario::{MindSpec, SwitchValue, with_parameter, with_switch};
use tropism_wire::session::{Command, Fault, Outcome, ResetWhat, Switch, TextFile};
use tropism_wire::{read_json, write_json};

use crate::robots::Robots;
use crate::robots::mind::script_fault;
use crate::table::{Applied, fault, not_here};

impl Robots {
    pub(crate) fn carry_out(&mut self, command: &Command) -> Result<Applied, Fault> {
        match command {
            Command::Drive { robot, actuator, value } => self.drive(*robot, actuator, *value),
            Command::Set { robot, parameter, value } => self.set(*robot, parameter, *value),
            Command::Switch { robot, name, value } => self.switch(*robot, name, value),
            Command::Script { robot, file } => self.script(*robot, file),
            Command::Fire { robot, event } => self.fire(*robot, event),
            Command::LifeState { robot } => self.life_state(*robot),
            Command::GiveLifeState { robot, document } => self.give_life_state(*robot, document),
            Command::Reset { what: ResetWhat::Robot, robot } => self.reset_robot(*robot),
            Command::Reset { what: ResetWhat::World, .. } => self.reset_world(),
            Command::Move { thing, to, heading_rad } => self.move_thing(*thing, *to, *heading_rad),
            Command::Add { thing } => self.add(thing),
            Command::Remove { thing } => self.remove(*thing),
            Command::Power { thing, is_on } => self.power(*thing, *is_on),
            Command::SaveWorld => self.save(),
            other => Err(not_here(other, "a world of robots")),
        }
    }

    fn drive(&mut self, robot: u32, name: &str, value: f64) -> Result<Applied, Fault> {
        let (index, now) = (self.index(robot)?, self.run.now());
        let robot = &mut self.run.robots_mut()[index];
        let Some(channel) = robot.body.actuator(name) else {
            let names: Vec<_> = robot.body.actuators.iter().map(|a| a.name.as_str()).collect();
            let names = names.join(", ");
            return Err(fault(format!("there is no actuator {}; it has {names}", shown(name))));
        };
        let spec = &robot.body.actuators[channel];
        if !(f64::from(spec.min)..=f64::from(spec.max)).contains(&value) {
            let (min, max) = (spec.min, spec.max);
            return Err(fault(format!("{value} for {name}; it takes {min} to {max}")));
        }
        robot.actuators.write_by_hand(channel, value as f32, now);
        self.keepers[index].take_by_hand(channel, value as f32);
        Ok(Applied::PLAIN)
    }

    fn set(&mut self, robot: u32, name: &str, value: f64) -> Result<Applied, Fault> {
        let (robot, step) = (self.index(robot)?, self.loaded.step);
        let one = &mut self.run.robots_mut()[robot];
        match (&mut one.mind, &mut self.minds[robot]) {
            (Mind::Organism(mind), MindSpec::Organism(config)) => {
                let changed = with_parameter(&mind.config().parameters, name, value as f32);
                let changed = changed.map_err(fault)?;
                mind.set_parameters(changed);
                config.parameters = changed;
            }
            (Mind::Reactive(mind), MindSpec::Reactive(spec)) => {
                let plain = name.strip_prefix("reactive.").unwrap_or(name);
                let Some(index) = spec.table().iter().position(|p| p.name == plain) else {
                    let names: Vec<_> = spec.table().iter().map(|p| p.name).collect();
                    let names = names.join(", ");
                    let shown = shown(name);
                    return Err(fault(format!("no parameter is named {shown}; it has {names}")));
                };
                let mut changed = *spec;
                changed.set_at(index, value as f32).map_err(|e| fault(e.to_string()))?;
                let fresh = Reactive::new(&one.body, step, &changed);
                **mind = fresh.map_err(|e| fault(e.to_string()))?;
                *spec = changed;
            }
            _ => return Err(fault("this mind has no parameters to set")),
        }
        Ok(Applied::EDITED)
    }

    fn organism_mut(&mut self, robot: usize) -> Result<&mut Organism, Fault> {
        let organism = self.run.robots_mut()[robot].mind.organism_mut();
        organism.ok_or_else(|| fault("this robot's mind is no organism"))
    }

    fn switch(&mut self, robot: u32, name: &str, value: &Switch) -> Result<Applied, Fault> {
        let (robot, step) = (self.index(robot)?, self.loaded.step);
        let value = match value {
            Switch::Bool(is_on) => SwitchValue::Bool(*is_on),
            Switch::Number(x) => SwitchValue::Number(*x),
            Switch::Word(word) => SwitchValue::Word(word.clone()),
            Switch::Words(words) => SwitchValue::Words(words.clone()),
        };
        let organism = self.organism_mut(robot)?;
        let (now, body) = (organism.config().ablation, *organism.body());
        let changed = with_switch((name, &value), &now, &body, step).map_err(fault)?;
        organism.set_ablation(changed);
        if let MindSpec::Organism(config) = &mut self.minds[robot] {
            config.ablation = changed;
        }
        Ok(Applied::EDITED)
    }

    fn script(&mut self, robot: u32, file: &TextFile) -> Result<Applied, Fault> {
        let index = self.index(robot)?;
        let one = &self.run.robots()[index];
        let (step, seed) = (self.loaded.step, Seed(self.seed));
        let text = (file.name.as_str(), file.text.as_str());
        let mind = ScriptMind::new(text, &one.body, step, seed, robot);
        if let Some(error) = mind.failure() {
            return Err(script_fault(error));
        }
        self.minds[index] = MindSpec::Script { path: file.name.clone(), text: file.text.clone() };
        self.run.robots_mut()[index].mind = Mind::Script(Box::new(mind));
        Ok(Applied::EDITED)
    }

    fn machine_mut(&mut self, robot: usize) -> Result<&mut MachineMind, Fault> {
        match &mut self.run.robots_mut()[robot].mind {
            Mind::Machine(machine) => Ok(machine),
            _ => Err(fault("this robot's mind is no state machine")),
        }
    }

    fn fire(&mut self, robot: u32, event: &str) -> Result<Applied, Fault> {
        let robot = self.index(robot)?;
        let machine = self.machine_mut(robot)?;
        if machine.fire(event) {
            return Ok(Applied::PLAIN);
        }
        let events = &machine.machine().events;
        let right = if events.is_empty() { "none".to_owned() } else { events.join(", ") };
        Err(fault(format!("the machine has no event {}; it has {right}", shown(event))))
    }

    fn life_state(&mut self, robot: u32) -> Result<Applied, Fault> {
        let robot = self.index(robot)?;
        let mut document = String::new();
        write_json(self.organism_mut(robot)?, &mut document)
            .map_err(|_full| fault("the life state could not be written"))?;
        Ok(Applied { outcome: Outcome::LifeState { document }, is_other_stage: false })
    }

    fn give_life_state(&mut self, robot: u32, document: &str) -> Result<Applied, Fault> {
        let robot = self.index(robot)?;
        let organism = self.organism_mut(robot)?;
        let life = read_json(document.as_bytes()).map_err(|error| fault(error.to_string()))?;
        let report = life.give_to(organism);
        let outcome = Outcome::Transfer {
            report: report.to_string(),
            fingerprint_matched: report.has_same_channels,
            contingencies: report.contingency.kept,
            places: report.spatial.kept,
        };
        self.note("life_state_given", robot, None);
        Ok(Applied { outcome, is_other_stage: false })
    }

    fn reset_robot(&mut self, robot: u32) -> Result<Applied, Fault> {
        let robot = self.index(robot)?;
        let mind = self.newborn(robot);
        let (parameters, action) = self.loaded.safety;
        let one = &mut self.run.robots_mut()[robot];
        let (body, step) = (one.body, self.loaded.step);
        one.mind = mind;
        one.sensors = tropism_body::SensorBank::new(&body, step);
        one.actuators = tropism_body::ActuatorBank::new(&body, step);
        one.safety = tropism_body::SafetyMonitor::new(&body, step, parameters, action);
        one.percept = tropism_body::Percept::default();
        one.command = tropism_body::Command::new();
        self.keepers[robot].begin_life(0);
        self.keepers[robot].let_go();
        self.run.world_mut().begin_life(robot, 0);
        self.note("robot_reset", robot, None);
        Ok(Applied::EDITED)
    }

    fn reset_world(&mut self) -> Result<Applied, Fault> {
        let spec = self.loaded.world.clone();
        let again = self.run.world_mut().begin_again(&spec);
        again.map_err(|error| fault(error.to_string()))?;
        self.spec = spec;
        for robot in 0..self.keepers.len() {
            self.run.robots_mut()[robot].mind.begin_life();
            self.keepers[robot].begin_life(0);
            self.note("life_began", robot, None);
        }
        Ok(Applied::EDITED)
    }
}

/// The beginning of a word that somebody gave.
pub(crate) fn shown(word: &str) -> String {
    word.chars().take(60).collect()
}

//! What can be asked of a network and its scene.

use alloc::sync::Arc;

use tropism_dynamics_lab::driver::NetworkDriver;
use tropism_dynamics_lab::robot::{Disc, Robot, WHEEL_MAX};
use tropism_dynamics_lab::stage::Stage as Scenery;
use tropism_dynamics_spec::diagnostic::suggestion;
use tropism_dynamics_spec::spec::ParameterValue;
use tropism_dynamics_spec::{Options, compile_text};
use tropism_wire::session::{
    Command, Fault, NewThing, Outcome, Place, Point, ResetWhat, Thing, ThingKind,
};

use super::load::{load, refused};
use super::present::Present;
use super::view::View;
use super::{BY_HAND_S, DynamicsTable, Hand};
use crate::table::{Applied, Table as _, fault, not_here};

/// Farthest from the origin something can be put, m.
const FAR_M: f64 = 100.0;
/// Most discs in a scene.
const DISCS_MAX: usize = 64;

impl DynamicsTable {
    /// Everything a network and its scene can be asked.
    pub(super) fn carry_out(&mut self, command: &Command) -> Result<Applied, Fault> {
        match command {
            Command::Spec { text } => self.edit(text)?,
            Command::Set { parameter, value, .. } => self.set(parameter, *value)?,
            Command::Mode { name, value } => {
                self.mode(name, *value)?;
                return Ok(Applied::PLAIN);
            }
            Command::Drive { actuator, value, .. } => {
                self.drive(actuator, *value)?;
                return Ok(Applied::PLAIN);
            }
            Command::Move { thing, to, heading_rad } => self.relocate(*thing, *to, *heading_rad)?,
            Command::Add { thing } => self.add(thing)?,
            Command::Remove { thing } => self.remove(*thing)?,
            Command::Reset { what, .. } => self.reset(*what)?,
            Command::SaveWorld => {
                let name = self.file.clone();
                let outcome = Outcome::Document { name, text: self.live.text().to_owned() };
                return Ok(Applied { outcome, ..Applied::PLAIN });
            }
            other => return Err(not_here(other, "a behaviour network")),
        }
        Ok(Applied::EDITED)
    }

    /// A new text takes over now, between two ticks; the running values go on.
    fn edit(&mut self, text: &str) -> Result<(), Fault> {
        let compiled = compile_text(&self.file, text, Options::default());
        let compiled = compiled.map_err(|found| refused(&found))?;
        let step = self.step();
        if compiled.header.step != step {
            return Err(self.other_period(text));
        }
        self.live.network.clone_from(&self.driver.network);
        self.live.offer(text).map_err(|found| refused(&found))?;
        if !self.live.take_over() {
            return Ok(());
        }
        let mut driver = NetworkDriver::loose(self.live.compiled());
        driver.network.clone_from(&self.live.network);
        let names = &self.live.compiled().names.modes;
        for (name, value) in names.iter().zip(&mut driver.modes) {
            let known = self.view.nodes.iter().filter(|node| node.kind == "mode");
            let full = format!("mode.{}", name.name);
            if let Some(at) = known.into_iter().position(|node| node.name == full) {
                *value = self.driver.modes[at];
            }
        }
        self.driver = driver;
        self.exchange_view();
        self.event("network_exchanged", "the edited network took over".to_owned());
        Ok(())
    }

    /// Everything that follows from the text, for the text that runs now. Hands stay on the nodes
    /// they are on, by name.
    fn exchange_view(&mut self) {
        let compiled = self.live.compiled();
        let view = View::new(&self.file, self.live.text(), compiled);
        for hand in &mut self.by_hand {
            let name = &self.view.nodes[hand.node].name;
            let found = view.nodes.iter().position(|node| node.name == *name);
            hand.node = found.unwrap_or(usize::MAX);
        }
        self.by_hand.retain(|hand| hand.node != usize::MAX);
        self.present = Present::new(compiled);
        self.view = Arc::new(view);
    }

    fn other_period(&self, text: &str) -> Fault {
        let step = self.step();
        let what = format!(
            "the period of layer 0 is {}/{} s and cannot change while it runs; load the text anew",
            step.numerator(),
            step.denominator()
        );
        let found = text.lines().position(|line| line.trim_start().starts_with("dt0"));
        let line = found.map_or(0, |line| line as u32 + 1);
        let place = Place { file: self.file.clone(), line, column: 0, text: what.clone() };
        Fault { places: vec![place], what }
    }

    /// Writes another number for a parameter into the text.
    fn set(&mut self, name: &str, value: f64) -> Result<(), Fault> {
        if !value.is_finite() {
            return Err(fault(format!("{name} should be a number")));
        }
        let parameters = &self.live.compiled().spec.parameters;
        let Some(parameter) = parameters.iter().find(|p| p.name.text == name) else {
            let known = parameters.iter().map(|p| p.name.text.as_str());
            return Err(fault(format!("there is no parameter {name}{}", suggestion(name, known))));
        };
        let written = match &parameter.value {
            ParameterValue::One(text) if text.text.parse::<f64>().is_ok() => text.mark.0,
            _ => None,
        };
        let text = self.live.text();
        let Some((before, rest)) = written.and_then(|at| text.split_at_checked(at)) else {
            let what = format!("{name} is no plain number; change it in the text");
            return Err(fault(what));
        };
        let is_number = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
        let length = rest.find(|c| !is_number(c)).unwrap_or(rest.len());
        let text = format!("{before}{value}{}", &rest[length..]);
        self.edit(&text)
    }

    fn mode(&mut self, name: &str, value: f64) -> Result<(), Fault> {
        let modes = &self.live.compiled().names.modes;
        let Some(index) = modes.iter().position(|mode| mode.name == name) else {
            let known: Vec<_> = modes.iter().map(|mode| mode.name.as_str()).collect();
            return Err(fault(format!("there is no mode {name}; there are: {}", known.join(", "))));
        };
        if !(0.0..=1.0).contains(&value) {
            return Err(fault(format!("a mode is within 0..=1, not {value}")));
        }
        self.driver.modes[index] = value;
        Ok(())
    }

    /// Gives a reading, or a wheel command, by hand.
    fn drive(&mut self, name: &str, value: f64) -> Result<(), Fault> {
        let nodes = &self.view.nodes;
        let wire = self.view.wires.iter().find(|(wire, _)| wire == name).map(|wire| wire.1);
        let wired = |node: &usize| self.view.wires.iter().any(|wire| wire.1 == *node);
        let named = nodes.iter().position(|node| node.name == name).filter(wired);
        let Some(node) = wire.or(named) else {
            let known: Vec<_> = self.view.wires.iter().map(|wire| wire.0.as_str()).collect();
            let known = known.join(", ");
            return Err(fault(format!("nothing is wired to {name}; there are: {known}")));
        };
        let is_wheel = node >= self.view.readings;
        if !value.is_finite() || (is_wheel && value.abs() > WHEEL_MAX) {
            let range = if is_wheel { "from -1 to 1 m/s" } else { "finite" };
            return Err(fault(format!("{name} should be {range}, not {value}")));
        }
        let until = self.tick + self.step().ticks_in(BY_HAND_S);
        self.by_hand.retain(|hand| hand.node != node);
        self.by_hand.push(Hand { node, value, until });
        Ok(())
    }

    /// Index of a disc.
    fn disc(&self, thing: Thing) -> Result<usize, Fault> {
        let (index, count) = (thing.index as usize, self.place.discs.len());
        if thing.kind != ThingKind::Disc {
            return Err(fault("the scene of a network has a robot, discs and at most a ball"));
        }
        if index < count {
            return Ok(index);
        }
        Err(fault(format!("there is no disc {index}; there are {count}, counted from 0")))
    }

    fn relocate(&mut self, thing: Thing, to: Point, heading: Option<f64>) -> Result<(), Fault> {
        let (x, y) = placeable(to)?;
        match thing.kind {
            ThingKind::Robot => {
                if thing.index != 0 {
                    return Err(fault("there is one robot, number 0"));
                }
                let heading = heading.unwrap_or(self.place.robot.state[2]);
                if !heading.is_finite() {
                    return Err(fault("heading_rad should be a number"));
                }
                self.place.robot = Robot::at(x, y, tropism_dynamics_lab::robot::wrap(heading));
                self.touched = None;
            }
            ThingKind::Ball => {
                let Some(ball) = &mut self.place.ball else {
                    return Err(fault("there is no ball in this scene"));
                };
                (ball.at, ball.speed) = ((x, y), (0.0, 0.0));
            }
            _ => {
                let index = self.disc(thing)?;
                (self.place.discs[index].x, self.place.discs[index].y) = (x, y);
                self.touched = None;
            }
        }
        Ok(())
    }

    fn add(&mut self, thing: &NewThing) -> Result<(), Fault> {
        let NewThing::Disc { at, radius_m } = thing else {
            return Err(fault("only discs can be put into the scene of a network"));
        };
        let (x, y) = placeable(*at)?;
        if !(*radius_m > 0.0 && *radius_m <= 10.0) {
            return Err(fault(format!(
                "a disc's radius is above 0 and at most 10 m, not {radius_m}"
            )));
        }
        if self.place.discs.len() >= DISCS_MAX {
            return Err(fault(format!("there is room for {DISCS_MAX} discs; remove one first")));
        }
        self.place.discs.push(Disc { x, y, r: *radius_m });
        Ok(())
    }

    fn remove(&mut self, thing: Thing) -> Result<(), Fault> {
        let index = self.disc(thing)?;
        self.place.discs.remove(index);
        self.touched = None;
        Ok(())
    }

    fn reset(&mut self, what: ResetWhat) -> Result<(), Fault> {
        match what {
            ResetWhat::Whole => {
                *self = load(&self.file, &self.source, Some(&self.scene.name()))?;
            }
            ResetWhat::Robot => {
                self.driver = NetworkDriver::loose(self.live.compiled());
                self.present = Present::new(self.live.compiled());
                self.place.robot = Scenery::new(self.scene).robot;
                (self.touched, self.by_hand) = (None, Vec::new());
            }
            ResetWhat::World => {
                self.place = Scenery::new(self.scene);
                (self.began, self.touched) = (self.tick, None);
            }
        }
        Ok(())
    }
}

fn placeable(at: Point) -> Result<(f64, f64), Fault> {
    if at.iter().all(|x| x.abs() <= FAR_M) {
        return Ok((at[0], at[1]));
    }
    Err(fault(format!("a place is within {FAR_M} m of the origin, not at {}, {}", at[0], at[1])))
}

//! What can be asked of the octopus.

use tropism_octopus::constants::{ARMS, HAZARDS_MAX, SEGMENTS_MIN};
use tropism_octopus::hazard::{HazardError, HazardId};
use tropism_octopus::{
    ArmParameters, CommandError, Kind, ObjectError, ObjectId, Point as Position, Settings,
    WhenTaken as Rule,
};
use tropism_scenario::octopus::save;
use tropism_scenario::octopus::verbs::law_named;
use tropism_wire::session::{
    ArmTask, Command, Fault, NewThing, Outcome, Point, ResetWhat, Switch, Thing, ThingKind,
    WhenTaken,
};

use super::OctopusTable;
use super::describe::SEPARATIONS;
use crate::table::{Applied, fault, not_here};

/// Ranges within which the parameters of an arm are clamped, as in the public explorer.
const SEGMENTS: (u32, u32) = (SEGMENTS_MIN as u32, 40);
const LENGTH_PX: (f64, f64) = (6.0, 30.0);
const BEND_DEGREES: (f64, f64) = (5.0, 180.0);
const SPEED_DEGREES: (f64, f64) = (14.32, 229.18);

impl OctopusTable {
    /// Everything an octopus can be asked; each command is followed by sensing, as in the model's
    /// event files, and shows at once, paused or not.
    pub(super) fn carry_out(&mut self, command: &Command) -> Result<Applied, Fault> {
        match command {
            Command::Assign { arm, task } => self.assign(*arm, task)?,
            Command::HandOver { from, to } => self.hand_over(*from, *to)?,
            Command::Hazard { at, radius, severity, seconds } => {
                if seconds.is_some_and(|s| !(s > 0.0 && s.is_finite())) {
                    return Err(fault("a hazard's `seconds` are above 0; without them it stays"));
                }
                let at = position(*at);
                let reported = self.octopus.report_hazard(at, *radius, *severity, *seconds);
                reported.map(drop).map_err(hazard_fault)?;
            }
            Command::Law { law } => {
                let law = law_named(law).map_err(fault)?;
                self.octopus.reconfigure(Settings { law, ..*self.octopus.settings() });
            }
            Command::Switch { name, value, .. } => self.switch(name, value)?,
            Command::Add { thing } => self.add(thing)?,
            Command::Move { thing, to, .. } => self.relocate(*thing, position(*to))?,
            Command::Remove { thing } => self.remove(*thing)?,
            Command::Reset { what, .. } => self.reset(*what)?,
            Command::SaveWorld => return Ok(self.saved()),
            other => return Err(not_here(other, "an octopus")),
        }
        self.octopus.refresh_sensing();
        self.intentions = *self.octopus.intentions();
        Ok(Applied::EDITED)
    }

    fn assign(&mut self, arm: u32, task: &ArmTask) -> Result<(), Fault> {
        let arm = index(arm)?;
        let octopus = &mut self.octopus;
        let done = match task {
            ArmTask::Reach { at } => octopus.assign_reach(arm, position(*at)),
            ArmTask::Food { food, when_taken } => {
                let rule = match when_taken {
                    WhenTaken::Wait => Rule::Wait,
                    WhenTaken::Free => Rule::Free,
                    WhenTaken::Nearest => Rule::Nearest,
                };
                octopus.assign_food(arm, ObjectId(*food), rule)
            }
            ArmTask::Idle => octopus.idle(arm),
            ArmTask::Retract => {
                if octopus.arms()[arm].held().is_none() {
                    return Err(fault(format!("arm {} holds nothing to bring home", arm + 1)));
                }
                octopus.retract(arm)
            }
            ArmTask::Release => octopus.release(arm),
            ArmTask::Reset { segments, length, bend_degrees, speed_degrees } => {
                let given = (*segments, *length, *bend_degrees, *speed_degrees);
                return self.rebuild(arm, given);
            }
        };
        done.map_err(command_fault)
    }

    /// Parameters of an arm in the order segments, length, bend, speed; what is absent stays.
    fn rebuild(&mut self, arm: usize, given: Given) -> Result<(), Fault> {
        let (segments, length, bend, speed) = given;
        let now = *self.octopus.arms()[arm].arm().parameters();
        let speed = clamped("speed_degrees", speed, SPEED_DEGREES)?.map(f64::to_radians);
        let length = clamped("length", length, LENGTH_PX)?;
        let bend = clamped("bend_degrees", bend, BEND_DEGREES)?;
        let bend = bend.map(|degrees| degrees.to_radians().min(core::f64::consts::PI));
        if let (None, None, None, Some(speed)) = (segments, length, bend, speed) {
            return self.octopus.set_turning_speed(arm, speed).map_err(command_fault);
        }
        let segments = segments.map(|n| n.clamp(SEGMENTS.0, SEGMENTS.1) as usize);
        let parameters = ArmParameters::new(
            segments.unwrap_or(now.segment_count()),
            length.unwrap_or(now.segment_length()),
            bend.unwrap_or(now.maximum_bend()),
            speed.unwrap_or(now.turning_speed()),
        );
        let parameters = parameters.map_err(|error| fault(error.to_string()))?;
        self.octopus.reset(arm, parameters).map_err(command_fault)
    }

    fn hand_over(&mut self, from: u32, to: u32) -> Result<(), Fault> {
        let (giver, taker) = (index(from)?, index(to)?);
        if giver == taker {
            return Err(fault(format!("arm {from} cannot hand over to itself")));
        }
        self.octopus.hand_over(giver, taker).map_err(command_fault)
    }

    fn switch(&mut self, name: &str, value: &Switch) -> Result<(), Fault> {
        let mut settings = *self.octopus.settings();
        let wanted = |what: &str| fault(format!("the switch {name} takes {what}"));
        match (name, value) {
            ("arbitration", Switch::Bool(is_on)) => settings.arbitration = *is_on,
            ("allocation", Switch::Bool(is_on)) => settings.allocation = *is_on,
            ("hand_over", Switch::Bool(is_on)) => settings.hand_over = *is_on,
            ("critical_severity", Switch::Number(x)) if (0.0..=1.0).contains(x) => {
                settings.critical_severity = *x;
            }
            ("separation_distance", Switch::Number(x)) if *x > 0.0 && x.is_finite() => {
                settings.separation.distance = *x;
            }
            ("separation", Switch::Words(words)) => {
                if let Some(word) = words.iter().find(|w| !SEPARATIONS.contains(&w.as_str())) {
                    let known = SEPARATIONS.join(", ");
                    return Err(fault(format!("there is no separation {word}; there are {known}")));
                }
                let has = |name: &str| words.iter().any(|word| word == name);
                let separation = &mut settings.separation;
                separation.arms = has(SEPARATIONS[0]);
                separation.own = has(SEPARATIONS[1]);
                separation.body = has(SEPARATIONS[2]);
            }
            ("arbitration" | "allocation" | "hand_over", _) => {
                return Err(wanted("true or false"));
            }
            ("critical_severity", _) => return Err(wanted("a number in 0..=1")),
            ("separation_distance", _) => return Err(wanted("a number above 0")),
            ("separation", _) => return Err(wanted("a list of names")),
            _ => {
                return Err(fault(format!(
                    "there is no switch {name}; there are arbitration, critical_severity, \
                     allocation, hand_over, separation, separation_distance"
                )));
            }
        }
        self.octopus.reconfigure(settings);
        Ok(())
    }

    fn add(&mut self, thing: &NewThing) -> Result<(), Fault> {
        let (kind, at, radius) = match thing {
            NewThing::Food { at, radius } => (Kind::Food, *at, *radius),
            NewThing::Obstacle { at, radius } => (Kind::Obstacle, *at, *radius),
            _ => return Err(fault("an octopus has food and obstacles only")),
        };
        let added = self.octopus.add_object(kind, position(at), radius, 1.0);
        let room = self.octopus.objects().capacity();
        added.map(drop).map_err(|error| match error {
            ObjectError::Full => fault(format!("{error}: there is room for {room}")),
            other => fault(other.to_string()),
        })
    }

    /// The object of this kind and identifier.
    fn object(&self, thing: Thing) -> Result<ObjectId, Fault> {
        let (kind, wanted, other) = match thing.kind {
            ThingKind::Food => (Kind::Food, "food", "an obstacle"),
            ThingKind::Obstacle => (Kind::Obstacle, "obstacle", "food"),
            _ => return Err(fault("an octopus has food, obstacles and hazards only")),
        };
        let id = ObjectId(thing.index);
        match self.octopus.objects().get(id) {
            None => Err(fault(format!("there is no {wanted} {}", thing.index))),
            Some(found) if found.kind != kind => {
                Err(fault(format!("{} is {other}, no {wanted}", thing.index)))
            }
            Some(_) => Ok(id),
        }
    }

    fn relocate(&mut self, thing: Thing, to: Position) -> Result<(), Fault> {
        if thing.kind == ThingKind::Hazard {
            return Err(fault("a hazard stays where it was reported; remove it, report another"));
        }
        let id = self.object(thing)?;
        self.octopus.move_object(id, to).map_err(|error| fault(error.to_string()))
    }

    fn remove(&mut self, thing: Thing) -> Result<(), Fault> {
        if thing.kind == ThingKind::Hazard {
            return self.octopus.clear_hazard(HazardId(thing.index)).map_err(hazard_fault);
        }
        let id = self.object(thing)?;
        self.octopus.remove_object(id).map_err(|error| fault(error.to_string()))
    }

    fn reset(&mut self, what: ResetWhat) -> Result<(), Fault> {
        if what != ResetWhat::Whole {
            return Err(fault(
                "an octopus is reset as a `whole`; a single arm by the task `reset`",
            ));
        }
        let octopus = save::open(&self.scenario, None);
        self.octopus = octopus.map_err(|error| fault(error.to_string()))?;
        self.events.clear();
        Ok(())
    }

    fn saved(&self) -> Applied {
        let name = &self.scenario.name;
        let safe = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let file: String = name.chars().take(40).map(safe).collect();
        let text = save::save(&self.octopus, name).pretty();
        let outcome = Outcome::Document { name: format!("{file}.json"), text };
        Applied { outcome, ..Applied::PLAIN }
    }
}

/// Segments, length, bend and speed as they were asked for.
type Given = (Option<u32>, Option<f64>, Option<f64>, Option<f64>);

const fn position(at: Point) -> Position {
    Position::new(at[0], at[1])
}

/// Index of an arm by its number.
fn index(number: u32) -> Result<usize, Fault> {
    let found = (number as usize).checked_sub(1).filter(|index| *index < ARMS);
    found.ok_or_else(|| fault(format!("there is no arm {number}; arms are 1 to {ARMS}")))
}

fn clamped(name: &str, value: Option<f64>, range: (f64, f64)) -> Result<Option<f64>, Fault> {
    match value {
        Some(value) if !value.is_finite() => Err(fault(format!("{name} should be a number"))),
        other => Ok(other.map(|value| value.clamp(range.0, range.1))),
    }
}

/// The model counts arms from 0; people count from 1.
fn command_fault(error: CommandError) -> Fault {
    fault(match error {
        CommandError::EmptyHanded(index) => format!("arm {} holds nothing", index + 1),
        CommandError::NoHandOver => {
            "hand-over is off; turn the switches hand_over and arbitration on".to_owned()
        }
        other => other.to_string(),
    })
}

fn hazard_fault(error: HazardError) -> Fault {
    fault(match error {
        HazardError::Full => format!("there is room for {HAZARDS_MAX} hazards; remove one first"),
        other => other.to_string(),
    })
}

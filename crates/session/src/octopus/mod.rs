//! The octopus on the table.
//!
//! Terms: an arm's *number* is 1–8 in the protocol, its index 0–7 in the model. What the model says
//! of an arm is put into words in [`show`]; what is asked is carried out in [`command`].
//!
//! What it does not do: it draws nothing at random, so the seed of a session means nothing here.

mod command;
mod describe;
mod hash;
mod load;
mod show;
#[cfg(test)]
mod tests;

use alloc::sync::Arc;

use tropism_core::TimeStep;
use tropism_octopus::Octopus;
use tropism_octopus::arbitration::Intention;
use tropism_octopus::constants::ARMS;
use tropism_scenario::octopus::format::Scenario;
use tropism_wire::session::{Command, Event, Fault, Frame, Stage};

use crate::table::{Applied, Table, Watch};

pub(crate) use load::{is_octopus, load};

/// An octopus in its scene.
#[derive(Debug)]
pub(crate) struct OctopusTable {
    /// The scene as it was loaded.
    scenario: Arc<Scenario>,
    octopus: Octopus,
    /// What each arm wanted in the last tick; kept here because a snapshot does not hold it.
    intentions: [Intention; ARMS],
    /// What has happened since the last frame.
    events: Vec<Event>,
}

impl OctopusTable {
    fn new(scenario: Arc<Scenario>, octopus: Octopus) -> Self {
        let intentions = *octopus.intentions();
        Self { scenario, octopus, intentions, events: Vec::new() }
    }
}

impl Table for OctopusTable {
    fn step(&self) -> TimeStep {
        self.octopus.time_step()
    }

    fn tick(&mut self) {
        let before = show::Counts::of(&self.octopus);
        self.octopus.step();
        self.intentions = *self.octopus.intentions();
        show::events(&self.octopus, &before, &mut self.events);
    }

    fn hash(&self) -> u64 {
        hash::hash(&self.octopus)
    }

    fn describe(&self, stage: &mut Stage) {
        describe::describe(&self.scenario, &self.octopus, stage);
    }

    fn show(&mut self, _watch: &Watch, frame: &mut Frame) {
        frame.octopus = Some(show::frame(&self.octopus, &self.intentions));
        frame.events.append(&mut self.events);
    }

    fn apply(&mut self, command: &Command) -> Result<Applied, Fault> {
        self.carry_out(command)
    }

    fn twin(&self) -> Box<dyn Table> {
        let octopus = Octopus::from_snapshot(&self.octopus.snapshot());
        let octopus = octopus.expect("an octopus goes on from its own snapshot");
        Box::new(Self {
            scenario: Arc::clone(&self.scenario),
            octopus,
            intentions: self.intentions,
            events: self.events.clone(),
        })
    }
}

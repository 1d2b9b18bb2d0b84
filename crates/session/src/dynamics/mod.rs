//! A behaviour network driving a robot in a scene.
//!
//! Terms: a *node* is a sensor, percept, behaviour, target, mode or actuator of the network; its
//! *signal* is its value. A text is edited in place: a sound one takes over between two ticks with
//! the running values of all parts that exist in both; a faulty one is refused with every place.
//!
//! Order of a tick: the scene is sensed, what is given by hand replaces what is sensed, the network
//! steps, the robot moves. A robot that has touched something stands still, and so does its
//! network, until it is moved or reset.
//!
//! What it does not do: it draws nothing at random, so the seed of a session means nothing here; a
//! seeded course is named by its scene.

mod command;
mod load;
mod present;
mod show;
#[cfg(test)]
mod tests;
mod view;

use alloc::sync::Arc;

use tropism_core::{StateHash, Tick, TimeStep};
use tropism_dynamics_lab::driver::NetworkDriver;
use tropism_dynamics_lab::stage::{Scene, Stage as Place};
use tropism_dynamics_spec::live::Live;
use tropism_wire::session::{Command, Event, Fault, Frame, Stage};

use crate::table::{Applied, Table, Watch};
use present::Present;
use view::View;

pub(crate) use load::{is_network, load};

/// Ticks of what is given by hand count for this long after the last time, s.
const BY_HAND_S: f64 = 3.0;

/// Something driven by hand.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Hand {
    node: usize,
    value: f64,
    /// First tick at which it no longer counts.
    until: u64,
}

/// A network, its robot and their scene.
#[derive(Clone, Debug)]
pub(crate) struct DynamicsTable {
    file: String,
    /// The text as it was loaded.
    source: Arc<str>,
    scene: Scene,
    /// Compiles and exchanges; its own network only carries values over.
    live: Live<f64>,
    driver: NetworkDriver<f64>,
    view: Arc<View>,
    present: Present,
    place: Place,
    tick: u64,
    /// Tick at which the scene began.
    began: u64,
    /// Tick in which the robot touched something.
    touched: Option<u64>,
    by_hand: Vec<Hand>,
    events: Vec<Event>,
}

impl DynamicsTable {
    fn new(file: &str, text: &str, scene: Scene, live: Live<f64>) -> Self {
        let driver = NetworkDriver::loose(live.compiled());
        Self {
            file: file.to_owned(),
            source: Arc::from(text),
            scene,
            driver,
            view: Arc::new(View::new(file, live.text(), live.compiled())),
            present: Present::new(live.compiled()),
            live,
            place: Place::new(scene),
            tick: 0,
            began: 0,
            touched: None,
            by_hand: Vec::new(),
            events: Vec::new(),
        }
    }

    fn event(&mut self, kind: &str, text: String) {
        let (tick, kind) = (self.tick, kind.to_owned());
        self.events.push(Event { tick, kind, robot: Some(0), index: None, text: Some(text) });
    }

    /// What a wire of the robot is told by hand.
    fn hand_of(&self, wire: &str) -> Option<f64> {
        let node = self.view.wires.iter().find(|(name, _)| name == wire)?.1;
        self.by_hand.iter().find(|hand| hand.node == node).map(|hand| hand.value)
    }

    fn advance(&mut self) {
        let step = self.step();
        let (now, began) = (self.tick, self.began);
        self.by_hand.retain(|hand| hand.until > now);
        let sensing = self.place.sensing(step.seconds_at(Tick(now - began)));
        let readings = self.view.readings;
        let given = self.by_hand.iter().filter(|hand| hand.node < readings);
        let given: Vec<_> = given.map(|hand| (hand.node, hand.value)).collect();
        let (v, w) = self.driver.drive_by_hand(&sensing, &given, &mut self.present);
        let command = (self.hand_of("drive_v").unwrap_or(v), self.hand_of("drive_w").unwrap_or(w));
        let dt = f64::from(step.numerator()) / f64::from(step.denominator());
        if !self.place.step(command, dt) {
            self.touched = Some(now + 1);
        }
    }
}

impl Table for DynamicsTable {
    fn step(&self) -> TimeStep {
        self.live.compiled().header.step
    }

    fn tick(&mut self) {
        let was_free = self.touched.is_none();
        if was_free {
            self.advance();
        }
        self.tick += 1;
        if was_free && self.touched.is_some() {
            self.event("touched", "the robot touched something and stands".to_owned());
        }
    }

    fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.word(self.tick);
        hash.word(self.began);
        hash.word(self.touched.map_or(0, |tick| tick + 1));
        hash.word(self.driver.network.hash());
        hash.word(u64::from(self.driver.network.faults()));
        hash.bytes(self.live.text().as_bytes());
        let ball = self.place.ball;
        let floats = (self.place.robot.state.iter().copied())
            .chain(ball.into_iter().flat_map(|b| [b.at.0, b.at.1, b.speed.0, b.speed.1]))
            .chain(self.place.discs.iter().flat_map(|disc| [disc.x, disc.y, disc.r]))
            .chain(self.driver.modes.iter().copied());
        floats.for_each(|value| hash.word(value.to_bits()));
        for hand in &self.by_hand {
            hash.word(hand.node as u64);
            hash.word(hand.until);
            hash.word(hand.value.to_bits());
        }
        hash.value()
    }

    fn describe(&self, stage: &mut Stage) {
        self.describe_into(stage);
    }

    fn show(&mut self, watch: &Watch, frame: &mut Frame) {
        frame.dynamics = Some(self.frame(watch));
        frame.events.append(&mut self.events);
    }

    fn apply(&mut self, command: &Command) -> Result<Applied, Fault> {
        self.carry_out(command)
    }

    fn twin(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}

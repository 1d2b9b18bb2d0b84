//! Robots in a world.
//!
//! Terms: a *keeper* holds what a session keeps of one robot besides the run: its life, its
//! odometry and its log.
//!
//! A life ends when the battery is empty away from a station, or, in a scenario of several lives,
//! at the longest life; the next one begins at once, for as long as the session goes on.

mod command;
mod edit;
mod frame;
mod keeper;
mod made;
mod mind;
mod save;
mod stage;
mod stage_mind;
mod watched;
mod why;

use alloc::rc::Rc;

use tropism_body::Controller as _;
use tropism_core::{Seed, StateHash, TimeStep};
use tropism_lab::{Mind, Run, life};
use tropism_scenario::{MindSpec, Scenario};
use tropism_wire::session::{Command, Event, Fault, Frame, Stage, StageKind};
use tropism_world::{WorldError, WorldSpec};

pub(crate) use crate::robots::mind::script_fault;
pub(crate) use crate::robots::save::slug;

use crate::robots::keeper::{Digest, Keeper};
use crate::table::{Applied, Table, Watch, fault, snake};

/// Most events kept between two frames; older ones are dropped.
const EVENTS_MAX: usize = 2_000;

/// Robots in a world, under way.
#[derive(Clone, Debug)]
pub(crate) struct Robots {
    /// As it was loaded.
    loaded: Rc<Scenario>,
    /// The world as it was edited since.
    spec: WorldSpec,
    /// One mind per robot, with what was set and switched since.
    minds: Vec<MindSpec>,
    seed: u64,
    run: Run,
    keepers: Vec<Keeper>,
    events: Vec<Event>,
}

impl Robots {
    pub(crate) fn new(scenario: Scenario, seed: u64) -> Result<Self, WorldError> {
        let spec = scenario.world.clone();
        let mind = |i: usize| scenario.minds.get(i).or_else(|| scenario.minds.last()).cloned();
        let minds: Vec<MindSpec> =
            (0..spec.robots.len()).map(|i| mind(i).unwrap_or(MindSpec::DoNothing)).collect();
        let run = Run::new(&scenario, &minds, Seed(seed))?;
        let keepers = spec.robots.iter().map(|robot| Keeper::new(&robot.plan)).collect();
        let loaded = Rc::new(scenario);
        Ok(Self { loaded, spec, minds, seed, run, keepers, events: Vec::new() })
    }

    /// Index of a robot.
    fn index(&self, robot: u32) -> Result<usize, Fault> {
        let count = self.keepers.len();
        match count {
            _ if (robot as usize) < count => Ok(robot as usize),
            0 => Err(fault("there is no robot in this world")),
            1 => Err(fault(format!("there is no robot {robot}; the only one is 0"))),
            _ => {
                Err(fault(format!("there is no robot {robot}; they count from 0 to {}", count - 1)))
            }
        }
    }

    /// A mind as its robot was given it, newborn.
    fn newborn(&self, robot: usize) -> Mind {
        let body = &self.run.robots()[robot].body;
        Mind::new(&self.minds[robot], body, self.loaded.step, Seed(self.seed), robot as u32)
    }

    /// Notes something that happened to a robot.
    fn note(&mut self, kind: &str, robot: usize, text: Option<&str>) {
        let event = Event {
            tick: self.run.now().0,
            kind: kind.into(),
            robot: Some(robot as u32),
            index: None,
            text: text.map(Into::into),
        };
        self.push(event);
    }

    fn push(&mut self, event: Event) {
        if self.events.len() == EVENTS_MAX {
            self.events.remove(0);
        }
        self.events.push(event);
    }

    /// Ends the lives that are over and begins the next.
    fn live_on(&mut self) {
        let cap = self.loaded.step.ticks_in(self.loaded.life_cap_s).max(1);
        let has_cap = self.loaded.lives > 1;
        for robot in 0..self.keepers.len() {
            let died = life::is_dead(&self.run.truth(robot));
            let keeper = &mut self.keepers[robot];
            keeper.ticks += 1;
            let is_over = died || (has_cap && keeper.ticks >= cap);
            if !is_over {
                continue;
            }
            keeper.begin_life(keeper.life + 1);
            let life = keeper.life;
            let why = if died { "the battery is empty" } else { "the longest life is over" };
            self.note("life_ended", robot, Some(why));
            self.run.begin_life(robot, life);
        }
    }

    fn gather(&mut self) {
        let tick = self.run.now().0;
        for i in 0..self.run.world().events().len() {
            let happened = self.run.world().events()[i];
            self.push(Event {
                tick,
                kind: snake(&format!("{:?}", happened.kind)),
                robot: happened.robot.map(u32::from),
                index: happened.index.map(u32::from),
                text: None,
            });
        }
        for (robot, keeper) in self.run.robots_mut().iter_mut().zip(&mut self.keepers) {
            keeper.log(robot.mind.take_log());
        }
    }
}

impl Table for Robots {
    fn step(&self) -> TimeStep {
        self.loaded.step
    }

    fn tick(&mut self) {
        for (i, keeper) in self.keepers.iter_mut().enumerate() {
            keeper.start(&self.run, i);
        }
        let now = self.run.now();
        for (robot, keeper) in self.run.robots_mut().iter_mut().zip(&mut self.keepers) {
            keeper.hold(&mut robot.actuators, now);
        }
        let failed: Vec<bool> =
            self.run.robots().iter().map(|r| r.mind.failure().is_some()).collect();
        self.run.tick();
        for (keeper, robot) in self.keepers.iter_mut().zip(self.run.robots()) {
            keeper.feel(&robot.percept);
        }
        self.live_on();
        self.gather();
        for (robot, had_failed) in failed.into_iter().enumerate() {
            let failure = self.run.robots()[robot].mind.failure().map(ToString::to_string);
            if let (Some(text), false) = (failure, had_failed) {
                self.note("mind_failed", robot, Some(&text));
            }
        }
    }

    fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.word(self.run.hash());
        for (robot, keeper) in self.run.robots().iter().zip(&self.keepers) {
            hash.word(u64::from(keeper.life));
            hash.word(keeper.ticks);
            for value in robot.actuators.values() {
                hash.float(*value);
            }
            let mut digest = Digest(hash);
            robot.mind.observe(&mut digest);
            hash = digest.0;
        }
        hash.value()
    }

    fn describe(&self, stage: &mut Stage) {
        stage.kind = StageKind::Robots;
        stage.name.clone_from(&self.loaded.name);
        stage.about.clone_from(&self.loaded.about);
        stage.robots = Some(self.world_stage());
    }

    fn show(&mut self, watch: &Watch, frame: &mut Frame) {
        frame.robots = Some(self.world_frame(watch));
        frame.events.append(&mut self.events);
    }

    fn apply(&mut self, command: &Command) -> Result<Applied, Fault> {
        self.carry_out(command)
    }

    fn twin(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }

    /// A script keeps what it likes outside `memory`, which no clone carries over.
    fn is_twin_exact(&self) -> bool {
        !self.run.robots().iter().any(|robot| matches!(robot.mind, Mind::Script(_)))
    }
}

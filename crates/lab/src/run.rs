//! A run: one world, its robots and their minds, advanced tick by tick.
//!
//! Terms: a *life* of a robot begins at its start pose and ends when its battery is empty away from
//! a station, or at the cap; the mind goes on from life to life.
//!
//! One tick: every robot senses, its mind steps, its actuators follow, safety has the last word,
//! then the world moves.

use tropism_body::{
    ActuatorBank, BodySpec, Command, Controller, Percept, SafetyMonitor, SensorBank,
};
use tropism_core::{Seed, StateHash, Tick};
use tropism_scenario::{MindSpec, Scenario};
use tropism_world::{RobotTruth, StateError, World, WorldError, WorldState};

use crate::mind::Mind;

/// A robot: body, mind and what they last exchanged.
#[derive(Clone, Debug)]
pub struct Robot {
    /// Its channels.
    pub body: BodySpec,
    /// Sampling state of its sensors.
    pub sensors: SensorBank,
    /// Its actuators.
    pub actuators: ActuatorBank,
    /// Its safety monitor.
    pub safety: SafetyMonitor,
    /// Its mind.
    pub mind: Mind,
    /// What reached the mind at the last tick.
    pub percept: Percept,
    /// What the mind wanted at the last tick.
    pub command: Command,
    /// Sensor channels that are measured, as bits.
    measured: u16,
}

/// A run between two ticks: the state of the world, and the robots with their minds.
#[derive(Clone, Debug)]
pub struct Snapshot {
    world: WorldState,
    robots: Vec<Robot>,
}

/// A world with minds in it.
#[derive(Clone, Debug)]
pub struct Run {
    world: World,
    robots: Vec<Robot>,
}

impl Run {
    /// A run at its first tick. `minds` gives one mind per robot; a single one serves all.
    ///
    /// # Errors
    /// [`WorldError`] when the world cannot be built, such as overlapping start poses.
    pub fn new(scenario: &Scenario, minds: &[MindSpec], seed: Seed) -> Result<Self, WorldError> {
        let world = World::new(&scenario.world, seed)?;
        let step = scenario.step;
        let (parameters, action) = scenario.safety;
        let mut robots = Vec::with_capacity(scenario.world.robots.len());
        for (i, robot) in scenario.world.robots.iter().enumerate() {
            let body = &robot.plan.body;
            let mind = minds.get(i).or_else(|| minds.last()).unwrap_or(&MindSpec::DoNothing);
            robots.push(Robot {
                body: *body,
                sensors: SensorBank::new(body, step),
                actuators: ActuatorBank::new(body, step),
                safety: SafetyMonitor::new(body, step, parameters, action),
                mind: Mind::new(mind, body, step, seed, i as u32),
                percept: Percept::default(),
                command: Command::new(),
                measured: u16::MAX,
            });
        }
        Ok(Self { world, robots })
    }

    /// From now on measures only the channels that make a difference: those the minds use and
    /// those safety watches. For runs whose percepts nobody records. Minds, commands and world go
    /// on exactly as they would, since every channel draws from a stream of its own; what is left
    /// out shows in the percepts and in [`Self::hash`], which covers them.
    pub fn measure_only_what_is_used(&mut self) {
        for robot in &mut self.robots {
            let watched = robot.body.energy_sensor.map_or(0, |channel| 1 << channel);
            robot.measured = robot.mind.senses_used() | watched;
        }
    }

    /// One tick.
    ///
    /// # Determinism
    /// Robots are served in their order in the scenario; each senses the world as it stood at the
    /// end of the last tick.
    #[inline]
    pub fn tick(&mut self) {
        self.tick_with(|_, robot| robot.mind.step(&robot.percept, &mut robot.command));
    }

    /// One tick in which `decide` stands in for the minds.
    #[inline]
    pub fn tick_with(&mut self, mut decide: impl FnMut(usize, &mut Robot)) {
        let tick = self.world.tick();
        for (i, robot) in self.robots.iter_mut().enumerate() {
            self.world.sense_only(i, robot.measured, &mut robot.sensors);
            robot.percept.tick = tick;
            robot.sensors.read_only(tick, robot.measured, &mut robot.percept.readings);
            robot.actuators.feel_into(tick, &mut robot.percept);
            robot.command.clear();
            decide(i, robot);
            robot.actuators.apply(&robot.command, tick);
            robot.safety.enforce(&robot.body, &robot.percept, &mut robot.actuators);
            self.world.take_actuators(i, &robot.actuators);
        }
        self.world.advance();
    }

    /// The present tick.
    pub fn now(&self) -> Tick {
        self.world.tick()
    }

    /// The world.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The world, to change it between ticks.
    pub const fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The robots.
    pub fn robots(&self) -> &[Robot] {
        &self.robots
    }

    /// The robots, to change them between ticks.
    pub fn robots_mut(&mut self) -> &mut [Robot] {
        &mut self.robots
    }

    /// What is true of a robot.
    #[inline]
    pub fn truth(&self, robot: usize) -> RobotTruth {
        self.world.truth(robot)
    }

    /// Puts a robot at the start of another life.
    pub fn begin_life(&mut self, robot: usize, life: u32) {
        self.world.begin_life(robot, life);
        if let Some(robot) = self.robots.get_mut(robot) {
            robot.mind.begin_life();
        }
    }

    /// Takes the mind out of a robot: from now on it does nothing.
    pub fn retire(&mut self, robot: usize) {
        if let Some(robot) = self.robots.get_mut(robot) {
            robot.mind = Mind::DoNothing(tropism_organism::DoNothing::new(&robot.body));
        }
    }

    /// The run as it stands between two ticks.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot { world: self.world.snapshot(), robots: self.robots.clone() }
    }

    /// Goes back (or forth) to a snapshot of a run of the same scenario and seed. What follows is
    /// equal, to the bit, to what followed there.
    ///
    /// # Errors
    /// [`StateError::OtherWorld`] when it is of another world or seed; the run is then unchanged.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), StateError> {
        self.world.restore(&snapshot.world)?;
        self.robots.clone_from(&snapshot.robots);
        Ok(())
    }

    /// Hash of the world and of all commands of the last tick.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.word(self.world.hash());
        for robot in &self.robots {
            robot.percept.hash_into(&mut hash);
            robot.command.hash_into(&mut hash);
        }
        hash.value()
    }
}

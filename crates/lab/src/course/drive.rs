//! One robot, one controller, one world: driven for a while and watched.

use tropism_body::{ActuatorBank, Command, Controller, Percept, SensorBank};
use tropism_core::Seed;
use tropism_reactive::course::{Channels, Echo};
use tropism_reactive::reactive::ReactiveError;
use tropism_reactive::{Reactive, ReactiveSpec};
use tropism_world::{RobotTruth, World, WorldError, WorldSpec};

/// Why an outing could not begin.
#[derive(Debug)]
#[non_exhaustive]
pub enum CourseError {
    /// The world cannot be built.
    World(WorldError),
    /// The controller does not fit the body.
    Controller(ReactiveError),
    /// A name nobody knows.
    Unknown(String),
    /// A file that cannot be read or drawn.
    File(String),
}

impl core::fmt::Display for CourseError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::World(error) => error.fmt(f),
            Self::Controller(error) => error.fmt(f),
            Self::Unknown(name) => write!(f, "nothing is named `{name}`"),
            Self::File(text) => f.write_str(text),
        }
    }
}

impl core::error::Error for CourseError {}

/// What is seen of one tick.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Ticks since the start.
    pub tick: u64,
    /// What is true of the robot after the tick.
    pub truth: RobotTruth,
    /// The rangers left, front and right.
    pub echoes: [Echo; 3],
    /// Half the difference of the wheels' commands.
    pub turn: f32,
    /// Distance of the first beacon, m; infinite without one.
    pub goal_m: f32,
}

/// A robot under way.
#[derive(Debug)]
pub struct Outing {
    world: World,
    sensors: SensorBank,
    actuators: ActuatorBank,
    channels: Channels,
    goal: Option<tropism_world::Vec2>,
    percept: Percept,
    /// The controller.
    pub mind: Reactive,
}

/// A world's only robot with this controller.
///
/// # Errors
/// [`CourseError`] for a world that cannot be built or a body that does not fit.
pub fn outing(spec: &WorldSpec, mind: &ReactiveSpec, seed: u64) -> Result<Outing, CourseError> {
    let world = World::new(spec, Seed(seed)).map_err(CourseError::World)?;
    let no_robot = || CourseError::Unknown(String::from("robot"));
    let body = spec.robots.first().map(|r| r.plan.body).ok_or_else(no_robot)?;
    let mind = Reactive::new(&body, spec.step, mind).map_err(CourseError::Controller)?;
    let channels = Channels::of(&body)
        .map_err(|missing| CourseError::Controller(ReactiveError::Channel(missing)))?;
    Ok(Outing {
        world,
        sensors: SensorBank::new(&body, spec.step),
        actuators: ActuatorBank::new(&body, spec.step),
        channels,
        goal: spec.beacons.first().copied(),
        percept: Percept::default(),
        mind,
    })
}

impl Outing {
    /// The world.
    pub const fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Senses, decides, acts.
    #[inline]
    pub fn tick(&mut self) {
        let tick = self.world.tick();
        self.world.sense_only(0, self.mind.sensors_read(), &mut self.sensors);
        self.percept.tick = tick;
        self.sensors.read_into(tick, &mut self.percept.readings);
        self.actuators.feel_into(tick, &mut self.percept);
        let mut command = Command::new();
        self.mind.step(&self.percept, &mut command);
        self.actuators.apply(&command, tick);
        self.world.take_actuators(0, &self.actuators);
        self.world.advance();
    }

    /// What the last tick looked like.
    pub fn sample(&self) -> Sample {
        let truth = self.world.truth(0);
        let at = tropism_world::Vec2::new(truth.x_m, truth.y_m);
        Sample {
            tick: self.world.tick().0,
            truth,
            echoes: self.channels.ranges(&self.percept),
            turn: 0.5 * (self.actuators.value(1) - self.actuators.value(0)),
            goal_m: self.goal.map_or(f32::INFINITY, |goal| (goal - at).length()),
        }
    }

    /// Hash of the world.
    pub fn hash(&self) -> u64 {
        self.world.hash()
    }
}

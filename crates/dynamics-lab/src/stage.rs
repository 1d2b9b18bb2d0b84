//! Places to try a network in, one for each family of scenarios.

use crate::ball::Ball;
use crate::course::{Course, WALLS};
use crate::driver::Sensing;
use crate::mission;
use crate::robot::{Disc, Robot, Walls};

/// Which place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// An open field with a target at (−1.2, 1.2), as in figure 2.
    Field,
    /// Four discs and a battery that runs out.
    Mission,
    /// A seeded obstacle course.
    Course(u32),
    /// A room of 3 × 2 m.
    Room,
    /// A field with a ball at (1.2, 0.3).
    Ball,
}

/// The target of the open field.
const TARGET: (f64, f64) = (-1.2, 1.2);

/// Names of the scenes, for messages.
pub const SCENES: [&str; 5] = ["field", "mission", "course:SEED", "room", "ball"];

impl Scene {
    /// Its name.
    pub fn name(self) -> String {
        match self {
            Self::Field => "field".to_owned(),
            Self::Mission => "mission".to_owned(),
            Self::Course(seed) => format!("course:{seed}"),
            Self::Room => "room".to_owned(),
            Self::Ball => "ball".to_owned(),
        }
    }

    /// The scene of this name; a course takes its seed after a colon.
    pub fn named(name: &str) -> Option<Self> {
        match name.split_once(':') {
            Some(("course", seed)) => seed.parse().ok().map(Self::Course),
            Some(_) => None,
            None => match name {
                "field" => Some(Self::Field),
                "mission" => Some(Self::Mission),
                "room" => Some(Self::Room),
                "ball" => Some(Self::Ball),
                _ => None,
            },
        }
    }
}

/// A robot in its place.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The robot.
    pub robot: Robot,
    /// The ball, where there is one.
    pub ball: Option<Ball>,
    /// Discs in the way.
    pub discs: Vec<Disc>,
    scene: Scene,
    walls: Option<Walls>,
}

impl Stage {
    /// Which place it is.
    pub const fn scene(&self) -> Scene {
        self.scene
    }

    /// The walls around it, where there are any.
    pub const fn walls(&self) -> Option<Walls> {
        self.walls
    }

    /// The target or goal of the scene.
    pub fn goal(&self) -> Option<(f64, f64)> {
        match self.scene {
            Scene::Field => Some(TARGET),
            Scene::Mission => Some(mission::GOAL),
            Scene::Course(_) => Some(crate::course::GOAL),
            Scene::Room | Scene::Ball => None,
        }
    }

    /// The beginning of a scene.
    pub fn new(scene: Scene) -> Self {
        let (mut robot, mut ball) = (Robot::default(), None);
        let (mut discs, mut walls) = (Vec::new(), None);
        match scene {
            Scene::Field => {}
            Scene::Mission => {
                robot = Robot::at(0.0, 0.0, 2.6);
                discs = mission::DISCS.to_vec();
                walls = Some(mission::WALLS);
            }
            Scene::Course(seed) => {
                let course = Course::new(seed, crate::contest::DISCS);
                (robot, discs, walls) = (course.start, course.discs, Some(WALLS));
            }
            Scene::Room => {
                robot = Robot::at(1.0, 0.6, 0.4);
                walls = Some(Walls { x: (0.0, 3.0), y: (0.0, 2.0) });
            }
            Scene::Ball => ball = Some(Ball { at: (1.2, 0.3), speed: (0.0, 0.0) }),
        }
        Self { robot, ball, discs, scene, walls }
    }

    /// What the robot senses at this time.
    pub fn sensing(&self, time: f64) -> Sensing {
        let energy = if self.scene == Scene::Mission { mission::battery(time) } else { 1.0 };
        Sensing {
            ranges: Some(self.robot.ranges(&self.discs, self.walls)),
            energy,
            ball: self.ball.map(|b| b.at),
            target: (self.scene == Scene::Field).then_some(TARGET),
            ..Sensing::of(self.robot)
        }
    }

    /// Moves on under a command; false when the robot touched something.
    pub fn step(&mut self, (v, w): (f64, f64), dt: f64) -> bool {
        self.robot.step(v, w, dt);
        if let Some(ball) = &mut self.ball {
            ball.roll(dt);
            ball.touch(&self.robot);
        }
        self.robot.clearance(&self.discs, self.walls) >= 0.0
    }
}

//! Robots in a world.

use tropism_body::Controller as _;
use tropism_core::{Seed, TimeStep};
use tropism_lab::{Run, behaviour};
use tropism_scenario::Scenario;
use tropism_wire::session::{
    Command, Event, Fault, Frame, MindFrame, RobotFrame, Stage, StageKind, StationFrame, Watched,
    WorldFrame,
};
use tropism_world::{StationState, WorldError};

use crate::describe::{self, point};
use crate::table::{Applied, Table, Watch, fault, not_here, snake};

/// Robots in a world, under way.
#[derive(Clone, Debug)]
pub(crate) struct Robots {
    scenario: Scenario,
    run: Run,
    lives: Vec<u32>,
    events: Vec<Event>,
}

impl Robots {
    pub(crate) fn new(scenario: Scenario, seed: u64) -> Result<Self, WorldError> {
        let run = Run::new(&scenario, &scenario.minds, Seed(seed))?;
        let lives = vec![0; run.robots().len()];
        Ok(Self { scenario, run, lives, events: Vec::new() })
    }

    fn drive(&mut self, robot: u32, name: &str, value: f64) -> Result<(), Fault> {
        let now = self.run.now();
        let count = self.run.robots().len();
        let Some(robot) = self.run.robots_mut().get_mut(robot as usize) else {
            return Err(fault(format!(
                "there is no robot {robot}; they count from 0 to {}",
                count - 1
            )));
        };
        let Some(channel) = robot.body.actuator(name) else {
            let names: Vec<_> = robot.body.actuators.iter().map(|a| a.name.as_str()).collect();
            return Err(fault(format!("there is no actuator {name}; it has {}", names.join(", "))));
        };
        robot.actuators.write_by_hand(channel, value as f32, now);
        Ok(())
    }

    fn station(&self, i: usize) -> StationFrame {
        let world = self.run.world();
        let (at, is_on) = world.station_place(i).unwrap_or_default();
        let state = match world.station_state(i) {
            StationState::Charging => "charging",
            StationState::Full => "full",
            StationState::Idle => "idle",
        };
        StationFrame { at: point(at), facing_rad: 0.0, is_on, state: state.into() }
    }

    fn robot(&self, i: usize) -> RobotFrame {
        let (robot, truth) = (&self.run.robots()[i], self.run.truth(i));
        let now = self.run.now();
        let channels = 0..robot.body.sensors.len();
        RobotFrame {
            at: [truth.x_m.into(), truth.y_m.into()],
            heading_rad: truth.heading_rad,
            odometry: None,
            speed_m_s: truth.speed_m_s,
            charge: truth.soc,
            is_docked: truth.is_docked,
            is_charging: truth.is_charging,
            is_bumped: truth.is_bumped,
            life: self.lives[i],
            is_stopped: robot.mind.failure().is_some(),
            behaviour: behaviour::BEHAVIOURS[behaviour::observe(&truth) as usize].into(),
            module: robot.mind.controlling_module() as u32,
            sensors: channels.map(|c| robot.percept.reading(c).value()).collect(),
            actuators: robot.actuators.values().to_vec(),
            manual: bits(robot.body.actuators.len(), |c| robot.actuators.is_manual(c, now)),
            tripped: bits(robot.percept.actuators.len(), |c| robot.percept.actuators[c].is_tripped),
            is_battery_critical: robot.safety.report().is_battery_critical,
            rays: Vec::new(),
        }
    }
}

impl Table for Robots {
    fn step(&self) -> TimeStep {
        self.scenario.step
    }

    fn tick(&mut self) {
        self.run.tick();
        let tick = self.run.now().0;
        for happened in self.run.world().events() {
            self.events.push(Event {
                tick,
                kind: snake(&format!("{:?}", happened.kind)),
                robot: happened.robot.map(u32::from),
                index: happened.index.map(u32::from),
                text: None,
            });
        }
    }

    fn hash(&self) -> u64 {
        self.run.hash()
    }

    fn describe(&self, stage: &mut Stage) {
        stage.kind = StageKind::Robots;
        stage.name.clone_from(&self.scenario.name);
        stage.about.clone_from(&self.scenario.about);
        stage.robots = Some(describe::world(&self.scenario, &self.run));
    }

    fn show(&mut self, watch: &Watch, frame: &mut Frame) {
        let robots = (0..self.run.robots().len()).map(|i| self.robot(i)).collect();
        let stations = (0..self.run.world().stations()).map(|i| self.station(i)).collect();
        let is_there = (watch.robot as usize) < self.run.robots().len();
        let watched = is_there.then(|| Watched {
            robot: watch.robot,
            mind: MindFrame::Plain,
            internals: None,
            log: Vec::new(),
        });
        let watched = watched.map(Box::new);
        frame.robots = Some(WorldFrame { robots, stations, lights_on: 0, fields_on: 0, watched });
        frame.events.append(&mut self.events);
    }

    fn apply(&mut self, command: &Command) -> Result<Applied, Fault> {
        match command {
            Command::Drive { robot, actuator, value } => {
                self.drive(*robot, actuator, *value).map(|()| Applied::PLAIN)
            }
            other => Err(not_here(other, "a world of robots")),
        }
    }

    fn twin(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}

fn bits(count: usize, is_set: impl Fn(usize) -> bool) -> u32 {
    (0..count).filter(|i| is_set(*i)).map(|i| 1 << i).sum()
}

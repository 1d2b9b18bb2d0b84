//! The world: robots, stations and the room, advanced tick by tick.

use alloc::vec::Vec;
use tropism_body::{ActuatorBank, MAX_ACTUATORS};
use tropism_core::{FixedList, Purpose, Seed, Tick, TimeStep, math};

use crate::battery::PowerModel;
use crate::cast::{Bins, Cells, Hit, Ray, Round, Scene};
use crate::check;
use crate::contact::Touch;
use crate::error::{StateError, WorldError};
use crate::event::{OCCURRENCES, Occurrence, OccurrenceKind, Scheduled};
use crate::field::FieldSpec;
use crate::geometry::{Material, Vec2};
use crate::light::Light;
use crate::robot::Robot;
use crate::sensor::Shadow;
use crate::spec::{Start, Tape, WorldSpec};
use crate::state::{BUMPED, CHARGING, DOCKED, EMBEDDED, RobotState, WorldState};
use crate::station::{Station, StationDynamics, StationState};

const START: Purpose = Purpose::named("world.start");

/// Draws of a start pose before a robot is said to have no place.
const START_ATTEMPTS: u64 = 256;

/// Size of the bins of robots, in radii of the largest robot: a robot touches those of the
/// neighbouring bins only.
const BIN_RADII: f32 = 2.5;

/// From this many robots on they are sorted into bins.
pub(crate) const BINNED_FROM: usize = 24;

/// Size of the bins of robots, m: at least [`BIN_RADII`] radii, and large enough for about two bins
/// per robot, since all bins are emptied at every step.
fn bin_size(scene: &Scene, robots: usize, radius_max_m: f32) -> f32 {
    let size = scene.max - scene.min;
    let spread = math::sqrt(size.x * size.y / (2.0 * (robots + 1) as f32));
    let least = BIN_RADII * radius_max_m;
    if spread > least { spread } else { least }
}

/// What is true of a robot, free of noise.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts")]
pub struct RobotTruth {
    /// Position of the centre, m.
    pub x_m: f32,
    /// Position of the centre, m.
    pub y_m: f32,
    /// Heading, rad in [−π, π).
    pub heading_rad: f32,
    /// Speed the wheels give the centre, m/s, signed; a wall may hold the body all the same.
    pub speed_m_s: f32,
    /// Turn rate, rad/s, positive to the left.
    pub turn_rad_s: f32,
    /// Charge share, 0..1.
    pub soc: f32,
    /// Its contacts are closed.
    pub is_docked: bool,
    /// More than 10 mA flow from the charger into the battery.
    pub is_charging: bool,
    /// Current from the charger into the battery, A.
    pub charge_current_a: f32,
    /// Charging minus discharging current of the battery, A.
    pub net_current_a: f32,
    /// It touched something in the last step.
    pub is_bumped: bool,
    /// Contact work could not free it in the last step.
    pub is_embedded: bool,
    /// Distance to the nearest contact, m; infinite in a world without stations.
    pub distance_to_station_m: f32,
    /// The nearest station.
    pub station: Option<usize>,
    /// Terminal voltage, V.
    pub battery_v: f32,
    /// Terminal voltage as a share of the battery's range, not clamped: what a battery channel
    /// reads without noise.
    pub energy_share: f32,
    /// The same share without load and without the lift of charging.
    pub open_circuit_share: f32,
}

/// A 2-D world.
///
/// One control tick is: `sense` for every robot, `set_actuators` for every robot, `step`.
///
/// # Determinism
/// Everything follows from the specification, the seed and the commands. Draws come from streams
/// keyed by purpose, robot and channel, so that adding a robot, a channel or an observer shifts no
/// other draw.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) step_size: TimeStep,
    pub(crate) physics_s: f32,
    pub(crate) physics_hz: f32,
    pub(crate) physics_steps: u32,
    pub(crate) power: PowerModel,
    pub(crate) has_noise: bool,
    /// Something outside a robot can sound: a clicking station or another robot.
    pub(crate) has_sounds: bool,
    pub(crate) seed: Seed,
    pub(crate) scene: Scene,
    pub(crate) has_obstacles: bool,
    pub(crate) stations: Vec<Station>,
    pub(crate) shadows: Vec<Shadow>,
    pub(crate) lights: Vec<Light>,
    pub(crate) fields: Vec<FieldSpec>,
    pub(crate) tapes: Vec<Tape>,
    pub(crate) beacons: Vec<Vec2>,
    pub(crate) schedule: Vec<Scheduled>,
    pub(crate) next_event: u64,
    pub(crate) robots: Vec<Robot>,
    pub(crate) state: WorldState,
    pub(crate) occurrences: FixedList<Occurrence, OCCURRENCES>,
    pub(crate) bins: Bins,
    pub(crate) radius_max_m: f32,
    /// Contacts of every robot in the step under way, and whether it is embedded.
    pub(crate) touches: Vec<(Touch, bool)>,
}

impl World {
    /// A world at tick 0 with every robot at the start of life 0.
    ///
    /// # Errors
    /// [`WorldError`] names the first unsound part, or all robots without a free place to start.
    pub fn new(spec: &WorldSpec, seed: Seed) -> Result<Self, WorldError> {
        let physics_steps = check::world(spec)?;
        let dt_s = spec.step.seconds();
        let physics_s = spec.physics_step.seconds();
        let robots: Vec<Robot> = spec
            .robots
            .iter()
            .enumerate()
            .map(|(i, r)| Robot::new(r, (seed, i as u32), (dt_s, physics_s), spec.has_noise))
            .collect();
        let shadows = spec
            .stations
            .iter()
            .enumerate()
            .map(|(i, s)| Shadow::new(seed, i as u32, &s.radio, spec.has_noise))
            .collect();
        let state = WorldState {
            identity: check::identity(spec, seed),
            tick: Tick(0),
            lights_on: u32::MAX,
            fields_on: u32::MAX,
            robots: alloc::vec![RobotState::default(); robots.len()],
            stations: spec.stations.iter().map(StationDynamics::new).collect(),
        };
        let scene = Scene::new(&spec.room);
        let has_obstacles = !(scene.edges.is_empty() && scene.discs.is_empty());
        let radius_max_m = robots.iter().map(|r| r.radius_m).fold(0.0, f32::max);
        let cells = Cells::new(scene.min, scene.max, bin_size(&scene, robots.len(), radius_max_m));
        let mut world = Self {
            bins: Bins::new(cells, robots.len()),
            radius_max_m,
            step_size: spec.step,
            physics_s,
            physics_hz: 1.0 / physics_s,
            physics_steps,
            power: spec.power,
            has_noise: spec.has_noise,
            has_sounds: spec.robots.len() > 1
                || spec.stations.iter().any(|s| s.cues.iter().any(|c| c.click_every_s > 0.0)),
            seed,
            scene,
            has_obstacles,
            stations: spec.stations.iter().map(|s| Station::new(s, spec.step)).collect(),
            shadows,
            lights: spec.lights.iter().map(Light::new).collect(),
            fields: spec.fields.clone(),
            tapes: spec.tapes.clone(),
            beacons: spec.beacons.clone(),
            schedule: spec.events.iter().map(|e| check::schedule(e, spec.step)).collect(),
            next_event: u64::MAX,
            touches: alloc::vec![(Touch::default(), false); robots.len()],
            robots,
            state,
            occurrences: FixedList::new(),
        };
        world.find_next_event();
        world.place_all()?;
        Ok(world)
    }

    fn place_all(&mut self) -> Result<(), WorldError> {
        let mut homeless = Vec::new();
        for robot in 0..self.robots.len() {
            if !self.place(robot, 0, robot) {
                homeless.push(self.robots[robot].name);
            }
        }
        if homeless.is_empty() { Ok(()) } else { Err(WorldError::Overlap(homeless)) }
    }

    /// Puts a robot at a start pose free of the first `among` robots; false if none was found, the
    /// robot then stands at the last pose tried.
    fn place(&mut self, robot: usize, life: u32, among: usize) -> bool {
        let stream = self.seed.stream(START, robot as u32, life);
        let attempts = match self.robots[robot].start {
            Start::Pose { .. } => 1,
            Start::Region { .. } => START_ATTEMPTS,
        };
        for attempt in 0..attempts {
            let (at, heading_rad, soc) = match self.robots[robot].start {
                Start::Pose { at, heading_rad, soc } => (at, heading_rad, soc),
                Start::Region { min, max, soc } => {
                    let mut draws = stream.at(Tick(attempt));
                    let x = draws.between(min.x, max.x);
                    let y = draws.between(min.y, max.y);
                    (Vec2::new(x, y), draws.between(-math::PI, math::PI), soc)
                }
            };
            self.put(robot, at, heading_rad, soc);
            if self.is_free(robot, among) {
                return true;
            }
        }
        false
    }

    pub(crate) fn is_free(&self, robot: usize, among: usize) -> bool {
        let (at, r) = (self.state.robots[robot].at, self.robots[robot].radius_m);
        let (lo, hi) = (self.scene.min, self.scene.max);
        // A hair's breadth so that a pose computed to touch the border is not refused.
        let slack = 1e-5;
        let is_inside = at.x >= lo.x + r - slack
            && at.x <= hi.x - r + slack
            && at.y >= lo.y + r - slack
            && at.y <= hi.y - r + slack;
        let is_clear = !self.has_obstacles || self.scene.way_out(at, r).is_none();
        is_inside
            && is_clear
            && (0..among.min(self.robots.len())).filter(|j| *j != robot).all(|j| {
                let gap = r + self.robots[j].radius_m;
                (self.state.robots[j].at - at).length_squared() >= gap * gap
            })
    }

    /// Puts a robot somewhere with this charge share; values that are not finite are ignored.
    pub fn put(&mut self, robot: usize, at: Vec2, heading_rad: f32, soc: f32) {
        if !(at.is_finite() && heading_rad.is_finite()) || robot >= self.robots.len() {
            return;
        }
        self.bins.are_fresh = false;
        let state = &mut self.state.robots[robot];
        state.at = at;
        state.heading_rad = math::wrap_angle(heading_rad);
        state.soc = math::unit(soc);
        state.refresh(&self.robots[robot]);
        self.find_station(robot);
    }

    /// Starts a life: a new start pose and charge.
    ///
    /// Under [`PowerModel::Reference`] nothing else is reset; elsewhere motion, contacts and
    /// charging flags are cleared too. Time, stations and encoders always go on.
    ///
    /// # Determinism
    /// The pose depends on (seed, robot, life) and, where places are taken, on the other robots.
    pub fn begin_life(&mut self, robot: usize, life: u32) {
        if robot >= self.robots.len() {
            return;
        }
        if self.power == PowerModel::Fed {
            let old = self.state.robots[robot];
            let mut fresh = RobotState::default();
            fresh.drive.travel_m = old.drive.travel_m;
            self.state.robots[robot] = fresh;
        }
        let _ = self.place(robot, life, self.robots.len());
        self.note(OccurrenceKind::LifeBegan, Some(robot), None);
    }

    /// The present tick.
    #[inline]
    pub fn tick(&self) -> Tick {
        self.state.tick
    }

    /// The control step.
    pub fn step_size(&self) -> TimeStep {
        self.step_size
    }

    /// Number of physics steps in a control step.
    pub fn physics_steps(&self) -> u32 {
        self.physics_steps
    }

    /// Number of robots.
    pub fn robots(&self) -> usize {
        self.robots.len()
    }

    /// Number of stations.
    pub fn stations(&self) -> usize {
        self.stations.len()
    }

    /// What happened in the last step, and lives begun since.
    pub fn events(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// What a station is doing; idle for one that does not exist.
    pub fn station_state(&self, station: usize) -> StationState {
        self.state.stations.get(station).map_or(StationState::Idle, |s| s.state)
    }

    /// Where a station's contact is and whether it is switched on.
    pub fn station_place(&self, station: usize) -> Option<(Vec2, bool)> {
        self.state.stations.get(station).map(|s| (s.contact, s.is_on))
    }

    /// Present value of an actuator as the world knows it.
    pub fn command(&self, robot: usize, channel: usize) -> f32 {
        let robot = self.state.robots.get(robot);
        robot.and_then(|r| r.commands.get(channel)).copied().unwrap_or(0.0)
    }

    /// Sets the actuator values of a robot for the next step. A value that is not finite leaves
    /// the channel as it was; missing ones too.
    #[inline]
    pub fn set_actuators(&mut self, robot: usize, values: &[f32]) {
        let Some(state) = self.state.robots.get_mut(robot) else {
            return;
        };
        let count = self.robots[robot].actuators.min(MAX_ACTUATORS);
        for (command, value) in state.commands[..count].iter_mut().zip(values) {
            *command = math::choose(value.is_finite(), *value, *command);
        }
    }

    /// As [`Self::set_actuators`] with the values of an actuator bank, which must have been made
    /// for the robot's own body: all are finite, so there is nothing to choose.
    #[inline]
    pub fn take_actuators(&mut self, robot: usize, bank: &ActuatorBank) {
        if let Some(state) = self.state.robots.get_mut(robot) {
            state.commands = *bank.all_values();
        }
    }

    /// What is true of a robot.
    ///
    /// # Panics
    /// When there is no such robot.
    #[inline]
    pub fn truth(&self, robot: usize) -> RobotTruth {
        let (state, plan) = (&self.state.robots[robot], &self.robots[robot]);
        let share = |v: f32| (v - plan.empty_v) * plan.inverse_span_v;
        RobotTruth {
            x_m: state.at.x,
            y_m: state.at.y,
            heading_rad: state.heading_rad,
            speed_m_s: state.speed_m_s,
            turn_rad_s: state.turn_rad_s,
            soc: state.soc,
            is_docked: state.is(DOCKED),
            is_charging: state.is(CHARGING),
            charge_current_a: state.charge_a,
            net_current_a: state.net_a,
            is_bumped: state.is(BUMPED),
            is_embedded: state.is(EMBEDDED),
            distance_to_station_m: state.station_m,
            station: (usize::from(state.station) < self.stations.len())
                .then_some(usize::from(state.station)),
            battery_v: state.battery_v,
            energy_share: share(state.battery_v),
            open_circuit_share: share(plan.battery.open_circuit_v(state.soc)),
        }
    }

    /// Notes an occurrence of this tick.
    pub(crate) fn note(&mut self, kind: OccurrenceKind, robot: Option<usize>, index: Option<u8>) {
        let robot = robot.map(|r| r as u16);
        // A full list drops the later ones: occurrences are for observers, not for the physics.
        let _ = self.occurrences.push(Occurrence { kind, robot, index });
    }

    /// Distance along a ray to the first thing on it, robots but one included.
    pub fn cast(&self, ray: &Ray, except: Option<usize>) -> Hit {
        self.scene.cast_brute(ray, self.rounds(except))
    }

    /// The rays of a robot's ranging sensors as they lie now, each with its channel.
    pub fn sensor_rays(&self, robot: usize) -> impl Iterator<Item = (usize, Ray)> + '_ {
        let state = &self.state.robots[robot];
        let rays = &self.robots[robot].rays;
        rays.of.iter().enumerate().flat_map(move |(channel, (first, count))| {
            let range = usize::from(*first)..usize::from(first + count);
            rays.all[range].iter().map(move |ray| (channel, ray.placed(state.at, state.forward)))
        })
    }

    /// The robots as discs.
    pub(crate) fn rounds(&self, except: Option<usize>) -> impl Iterator<Item = (u32, Round)> + '_ {
        let states = self.state.robots.iter().zip(&self.robots).enumerate();
        states.filter(move |(i, _)| Some(*i) != except).map(|(i, (state, robot))| {
            let material = Material::HARD;
            (i as u32, Round { center: state.at, radius_m: robot.radius_m, material })
        })
    }

    /// Sorts the robots into bins, if there are enough of them to pay.
    #[inline]
    pub(crate) fn fill_bins(&mut self) {
        if self.robots.len() >= BINNED_FROM {
            self.bins.fill(self.state.robots.iter().map(|r| r.at));
        }
    }

    /// The state at this tick.
    pub fn snapshot(&self) -> WorldState {
        self.state.clone()
    }

    /// Goes back (or forth) to a state of this same world.
    ///
    /// # Errors
    /// [`StateError::OtherWorld`] when it was taken from another specification or seed; the world
    /// is then unchanged.
    pub fn restore(&mut self, state: &WorldState) -> Result<(), StateError> {
        let is_same = state.identity == self.state.identity
            && state.robots.len() == self.robots.len()
            && state.stations.len() == self.stations.len();
        if !is_same {
            return Err(StateError::OtherWorld);
        }
        self.state.clone_from(state);
        for (state, robot) in self.state.robots.iter_mut().zip(&self.robots) {
            state.refresh(robot);
        }
        self.occurrences.clear();
        self.find_next_event();
        self.fill_bins();
        Ok(())
    }

    /// Hash of the dynamic state.
    pub fn hash(&self) -> u64 {
        self.state.hash()
    }
}

//! Records a life: `record BODY TICKS FILE`, with BODY 0 the example body, 1 full capacity.
//!
//! The example body lives in the reference world. Bodies that no robot of the world has live in a
//! scene: a room with a station, a lamp above it, a window and landmarks, in which the organism
//! moves by its first two actuators; rich enough to fill both memories, and no model of any robot.

use std::process::ExitCode;

use tropism_body::{
    ActuatorBank, BodySpec, Command, Controller, Percept, Reading, Sample, SensorBank, SensorKind,
};
use tropism_core::{Draws, Purpose, Seed, Tick, TimeStep, math};
use tropism_organism::{Organism, OrganismConfig};
use tropism_parity::recording::{body_of, header, word_of};

const SEED: u32 = 20;
const ROOM_M: (f32, f32) = (3.0, 2.5);
const STATION_M: (f32, f32) = (2.8, 1.25);
const NOISE: Purpose = Purpose::named("parity.scene");

struct Scene {
    x_m: f32,
    y_m: f32,
    heading_rad: f32,
    charge: f32,
    is_bumped: bool,
}

impl Scene {
    fn step(&mut self, left: f32, right: f32, cost: f32, dt_s: f32) {
        self.heading_rad = math::wrap_angle(self.heading_rad + (right - left) * 0.2 / 0.15 * dt_s);
        let (sin, cos) = math::sin_cos(self.heading_rad);
        let way_m = (left + right) * 0.1 * dt_s;
        let (x_m, y_m) = (self.x_m + way_m * cos, self.y_m + way_m * sin);
        self.x_m = math::clamp(x_m, 0.1, ROOM_M.0 - 0.1);
        self.y_m = math::clamp(y_m, 0.1, ROOM_M.1 - 0.1);
        self.is_bumped = (x_m, y_m) != (self.x_m, self.y_m);
        let gain = if self.distance_to(STATION_M) < 0.3 { 0.004 } else { -0.000_3 };
        self.charge = math::unit(self.charge + (gain - 0.000_4 * cost) * dt_s);
    }

    fn distance_to(&self, (x_m, y_m): (f32, f32)) -> f32 {
        math::hypot(x_m - self.x_m, y_m - self.y_m)
    }

    fn light_from(&self, (x_m, y_m): (f32, f32), eye_rad: f32) -> f32 {
        let bearing = math::atan2(y_m - self.y_m, x_m - self.x_m);
        let facing = math::cos(bearing - self.heading_rad - eye_rad);
        let d = self.distance_to((x_m, y_m));
        if facing > 0.0 { facing / (1.0 + 4.0 * d * d) } else { 0.0 }
    }

    fn wall_ahead_m(&self) -> f32 {
        let (sin, cos) = math::sin_cos(self.heading_rad);
        let along = |p: f32, v: f32, end: f32| match v {
            v if v > 1e-6 => (end - p) / v,
            v if v < -1e-6 => -p / v,
            _ => f32::MAX,
        };
        let (a, b) = (along(self.x_m, cos, ROOM_M.0), along(self.y_m, sin, ROOM_M.1));
        if a < b { a } else { b }
    }

    fn sample(&self, kind: SensorKind, i: usize, draws: &mut Draws) -> Sample {
        let noise = 0.01 * draws.signed_uniform();
        let eye_rad = if i.is_multiple_of(2) { 0.6 } else { -0.6 };
        match kind {
            SensorKind::Light => Sample::Value(self.light_from(STATION_M, eye_rad) + 0.2 + noise),
            SensorKind::Digital => Sample::Value(f32::from(u8::from(self.is_bumped))),
            SensorKind::Microphone => Sample::Value(0.1 + 3.0 * noise),
            SensorKind::Range if self.wall_ahead_m() > 2.4 => Sample::NoEcho,
            SensorKind::Range => Sample::Value(1.0 - self.wall_ahead_m() / 2.4),
            SensorKind::Rssi => {
                Sample::Value(0.7 - 0.3 * math::ln(1.0 + self.distance_to(STATION_M)))
            }
            _ if i == 0 => Sample::Value(0.3 + 0.7 * self.charge + noise),
            _ if draws.chance(1, 400) => Sample::Failed,
            _ => {
                let landmark = (0.3 + 0.16 * i as f32, 0.3 + 0.53 * (i % 5) as f32);
                Sample::Value(self.light_from(landmark, eye_rad) + 0.1 * (i % 3) as f32 + noise)
            }
        }
    }
}

fn record(body: &BodySpec, number: u8, ticks: u32) -> Vec<u8> {
    let step = TimeStep::TWENTIETH;
    let mut mind = Organism::new(body, step, OrganismConfig::default(), Seed(u64::from(SEED)), 0);
    let (mut sensors, mut actuators) = (SensorBank::new(body, step), ActuatorBank::new(body, step));
    let mut scene = Scene { x_m: 0.8, y_m: 1.0, heading_rad: 0.4, charge: 0.6, is_bumped: false };
    let mut bytes = header(number, body.sensors.len() as u8, ticks, SEED).to_vec();
    let noise = Seed(u64::from(SEED)).stream(NOISE, 0, 0);
    for t in 0..ticks {
        let tick = Tick(u64::from(t));
        let mut draws = noise.at(tick);
        for (i, spec) in body.sensors.iter().enumerate() {
            let sample = scene.sample(spec.kind, i, &mut draws);
            let sample = sensors.is_due(i, tick).then_some(sample);
            if let Some(sample) = sample {
                sensors.accept(i, tick, sample);
            }
            bytes.extend_from_slice(&word_of(sample).to_le_bytes());
        }
        let mut percept = Percept { tick, ..Percept::default() };
        sensors.read_into(tick, &mut percept.readings);
        actuators.feel_into(tick, &mut percept);
        let mut command = Command::new();
        mind.step(&percept, &mut command);
        actuators.apply(&command, tick);
        let cost = (0..actuators.count()).map(|i| actuators.cost(i)).sum();
        scene.step(actuators.value(0), actuators.value(1), cost, step.seconds());
    }
    bytes
}

/// A life of the example body in the reference world: what its sensors delivered at each tick.
fn record_world(number: u8, ticks: u32) -> Vec<u8> {
    let spec = tropism_world::presets::reference();
    let body = spec.robots[0].plan.body;
    let seed = Seed(u64::from(SEED));
    let mut world = match tropism_world::World::new(&spec, seed) {
        Ok(world) => world,
        Err(error) => unreachable!("the reference world is sound: {error}"),
    };
    let mut mind = Organism::new(&body, spec.step, OrganismConfig::default(), seed, 0);
    let mut sensors = SensorBank::new(&body, spec.step);
    let mut actuators = ActuatorBank::new(&body, spec.step);
    let mut bytes = header(number, body.sensors.len() as u8, ticks, SEED).to_vec();
    for t in 0..ticks {
        let tick = Tick(u64::from(t));
        world.sense(0, &mut sensors);
        let mut percept = Percept { tick, ..Percept::default() };
        sensors.read_into(tick, &mut percept.readings);
        for reading in percept.readings.iter() {
            let sample = match reading {
                Reading::Fresh(value) => Some(Sample::Value(*value)),
                _ => None,
            };
            bytes.extend_from_slice(&word_of(sample).to_le_bytes());
        }
        actuators.feel_into(tick, &mut percept);
        let mut command = Command::new();
        mind.step(&percept, &mut command);
        actuators.apply(&command, tick);
        world.set_actuators(0, actuators.values());
        world.advance();
    }
    bytes
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [number, ticks, path] = arguments.as_slice() else {
        eprintln!("usage: record BODY TICKS FILE");
        return ExitCode::from(2);
    };
    let number = number.parse().ok().and_then(|n| Some((n, body_of(n)?)));
    let (Some((number, body)), Ok(ticks)) = (number, ticks.parse()) else {
        eprintln!("BODY is 0, 1 or 2, TICKS a whole number");
        return ExitCode::from(2);
    };
    let bytes =
        if number == 0 { record_world(number, ticks) } else { record(&body, number, ticks) };
    match std::fs::write(path, bytes) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}

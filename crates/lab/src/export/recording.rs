//! What a recording is of, as plain data: the scene, the robots, their rangers.
//!
//! Terms: a *fan* is a set of rangers of one kind in one body whose bearings are evenly spaced; a
//! lone ranger is a fan of one.
//!
//! What it does not do: nothing here knows a trace. A program that records a live session fills
//! these structures itself.

use tropism_body::BodySpec;
use tropism_core::{Name, TimeStep};
use tropism_world::sensor::SensorModel;
use tropism_world::{Occurrence, OccurrenceKind, RobotSpec, Room, Tape, Vec2, WorldSpec};

/// A station as it stands at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StationMark {
    /// Where a docked robot's centre is, m.
    pub contact: Vec2,
    /// Direction from the contact into the room, rad.
    pub facing_rad: f32,
    /// Distance to the contact below which current flows, m.
    pub contact_radius_m: f32,
    /// Switched on.
    pub is_on: bool,
}

/// The still parts of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Name of the world.
    pub name: String,
    /// Border, walls, polygons, discs.
    pub room: Room,
    /// Charging stations.
    pub stations: Vec<StationMark>,
    /// Tape on the floor.
    pub tapes: Vec<Tape>,
    /// Points that goal sensors measure.
    pub beacons: Vec<Vec2>,
}

impl Scene {
    /// The scene of a world at its start.
    pub fn of(world: &WorldSpec) -> Self {
        let mark = |s: &tropism_world::StationSpec| StationMark {
            contact: s.contact,
            facing_rad: s.facing_rad,
            contact_radius_m: s.contact_radius_m,
            is_on: s.is_on,
        };
        Self {
            name: world.name.as_str().to_owned(),
            room: world.room.clone(),
            stations: world.stations.iter().map(mark).collect(),
            tapes: world.tapes.clone(),
            beacons: world.beacons.clone(),
        }
    }
}

/// A sensor channel that measures a distance in metres along a bearing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranger {
    /// Channel of the body.
    pub channel: usize,
    /// Direction in the frame of the robot, rad.
    pub bearing_rad: f32,
    /// Distance of the emitter from the body's centre along the bearing, m.
    pub mount_m: f32,
    /// Largest distance measured, m.
    pub max_m: f32,
    /// Kind of ranger; only rangers of one kind make a fan.
    pub kind: RangerKind,
}

/// How a distance is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RangerKind {
    /// A narrow beam of light.
    Laser,
    /// A cone of sound.
    Sonar,
}

/// A robot of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotCard {
    /// Its name.
    pub name: String,
    /// Its channels.
    pub body: BodySpec,
    /// Radius of the body, m.
    pub radius_m: f32,
    /// Its rangers.
    pub rangers: Vec<Ranger>,
    /// Names of the modules of its mind.
    pub modules: Vec<String>,
    /// Names of its mind's internal values.
    pub internals: Vec<String>,
}

impl RobotCard {
    /// A robot of a world, without modules and internal values.
    pub fn of(robot: &RobotSpec) -> Self {
        let ranger = |(channel, model): (usize, &SensorModel)| {
            let (beam, kind) = match model {
                SensorModel::Lidar { beam, .. } => (beam, RangerKind::Laser),
                SensorModel::Ultrasonic { beam, .. } => (beam, RangerKind::Sonar),
                // Infra-red channels are shares, not metres; they stay in the percept.
                _ => return None,
            };
            let (bearing_rad, mount_m, max_m) = (beam.bearing_rad, beam.mount_m, beam.max_m);
            Some(Ranger { channel, bearing_rad, mount_m, max_m, kind })
        };
        Self {
            name: robot.name.as_str().to_owned(),
            body: robot.plan.body,
            radius_m: robot.plan.radius_m,
            rangers: robot.plan.sensors.iter().enumerate().filter_map(ranger).collect(),
            modules: Vec::new(),
            internals: Vec::new(),
        }
    }
}

/// What a recording is of.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// Control step.
    pub step: TimeStep,
    /// The world it happens in.
    pub scene: Scene,
    /// The robots.
    pub robots: Vec<RobotCard>,
    /// What else is known of it, as names and texts: scenario, seed, version.
    pub about: Vec<(String, String)>,
}

impl Recording {
    /// A name per robot that can stand in a topic: its own, or `robot` and its number when its own
    /// is empty, has other characters than a–z, 0–9 and `_`, or is taken.
    pub fn robot_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (i, robot) in self.robots.iter().enumerate() {
            let is_taken = |name: &str| {
                let reserved = ["map", "tf", "scene", "log"];
                reserved.contains(&name) || names.iter().any(|n| n == name)
            };
            let is_twice = self.robots.iter().filter(|r| r.name == robot.name).count() > 1;
            let is_fine = Name::new(&robot.name).is_ok() && !is_twice && !is_taken(&robot.name);
            let mut name = if is_fine { robot.name.clone() } else { format!("robot{i}") };
            while is_taken(&name) {
                name.push('_');
            }
            names.push(name);
        }
        names
    }
}

/// Evenly spaced rangers, in the order of their bearings.
#[derive(Clone, Debug, PartialEq)]
pub struct Fan {
    /// Bearing of the first, rad.
    pub start_rad: f64,
    /// Bearing of the last, rad.
    pub end_rad: f64,
    /// The rangers.
    pub rangers: Vec<Ranger>,
}

/// Largest unevenness of a fan, rad.
const EVEN_RAD: f64 = 1e-4;

/// The fans of a robot: rangers of one kind, mounted at one distance from the centre and evenly
/// spaced, together; where they are uneven, each for itself.
pub fn fans(rangers: &[Ranger]) -> Vec<Fan> {
    let mut open: Vec<Ranger> = rangers.to_vec();
    let key = |r: &Ranger| (r.kind, r.mount_m.to_bits());
    open.sort_by(|a, b| key(a).cmp(&key(b)).then(a.bearing_rad.total_cmp(&b.bearing_rad)));
    let mut found = Vec::new();
    for group in open.chunk_by(|a, b| key(a) == key(b)) {
        let bearing = |i: usize| f64::from(group[i].bearing_rad);
        let n = group.len();
        let step = if n > 1 { (bearing(n - 1) - bearing(0)) / (n - 1) as f64 } else { 0.0 };
        let is_even = |i: usize| (bearing(i) - bearing(0) - step * i as f64).abs() < EVEN_RAD;
        if n == 1 || (step > EVEN_RAD && (0..n).all(is_even)) {
            let (start_rad, end_rad) = (bearing(0), bearing(n - 1));
            found.push(Fan { start_rad, end_rad, rangers: group.to_vec() });
        } else {
            found.extend(group.iter().map(|ranger| {
                let bearing = f64::from(ranger.bearing_rad);
                Fan { start_rad: bearing, end_rad: bearing, rangers: vec![*ranger] }
            }));
        }
    }
    found
}

/// An occurrence in words.
pub fn describe_event(event: &Occurrence) -> &'static str {
    match event.kind {
        OccurrenceKind::Docked => "contacts closed",
        OccurrenceKind::Undocked => "contacts opened",
        OccurrenceKind::ChargingStarted => "current began to flow",
        OccurrenceKind::ChargingStopped => "current stopped",
        OccurrenceKind::Bumped => "began to touch something",
        OccurrenceKind::Embedded => "stuck in a contact",
        OccurrenceKind::BatteryEmpty => "battery empty",
        OccurrenceKind::Shoved => "shoved by the experimenter",
        OccurrenceKind::BatteryStepped => "battery changed by the experimenter",
        OccurrenceKind::LightsOn => "lights switched on",
        OccurrenceKind::LightsOff => "lights switched off",
        OccurrenceKind::StationOn => "station switched on",
        OccurrenceKind::StationOff => "station switched off",
        OccurrenceKind::StationMoved => "station moved",
        OccurrenceKind::StationChanged => "station changed its state",
        OccurrenceKind::FieldSwitched => "field source switched",
        OccurrenceKind::LifeBegan => "life began",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranger(channel: usize, bearing_rad: f32, mount_m: f32) -> Ranger {
        Ranger { channel, bearing_rad, mount_m, max_m: 4.0, kind: RangerKind::Laser }
    }

    #[test]
    fn unit_even_rangers_make_one_fan_from_right_to_left() {
        let found = fans(&[ranger(3, 0.5, 0.1), ranger(4, 0.0, 0.1), ranger(5, -0.5, 0.1)]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].start_rad, found[0].end_rad), (-0.5, 0.5));
        let channels: Vec<usize> = found[0].rangers.iter().map(|r| r.channel).collect();
        assert_eq!(channels, [5, 4, 3]);
    }

    #[test]
    fn unit_uneven_or_unlike_rangers_stand_alone() {
        let uneven = fans(&[ranger(0, 0.5, 0.1), ranger(1, 0.1, 0.1), ranger(2, -0.5, 0.1)]);
        assert_eq!(uneven.len(), 3);
        assert!(uneven.iter().all(|fan| fan.start_rad == fan.end_rad));
        let mut sonar = ranger(1, -0.5, 0.1);
        sonar.kind = RangerKind::Sonar;
        assert_eq!(fans(&[ranger(0, 0.5, 0.1), sonar]).len(), 2);
        assert_eq!(fans(&[ranger(0, 0.5, 0.1), ranger(1, -0.5, 0.2)]).len(), 2);
        assert_eq!(fans(&[ranger(0, 0.5, 0.1), ranger(1, 0.5, 0.1)]).len(), 2, "same bearing");
        assert_eq!(fans(&[]), []);
    }

    #[test]
    fn unit_every_robot_has_a_name_of_its_own() {
        let spec = WorldSpec::empty("w", 1.0, 1.0);
        let robot = |name: &str| RobotCard {
            name: name.to_owned(),
            body: tropism_body::presets::reference_simulator(),
            radius_m: 0.1,
            rangers: Vec::new(),
            modules: Vec::new(),
            internals: Vec::new(),
        };
        let names = ["ann", "bob", "bob", "", "Eve", "tf", "robot6", "robot2"];
        let recording = Recording {
            step: TimeStep::TWENTIETH,
            scene: Scene::of(&spec),
            robots: names.map(robot).to_vec(),
            about: Vec::new(),
        };
        let found = recording.robot_names();
        assert_eq!(found[..6], ["ann", "robot1", "robot2", "robot3", "robot4", "robot5"]);
        assert_eq!(found[6..], ["robot6", "robot7"], "robot2 was taken by the second bob");
    }
}

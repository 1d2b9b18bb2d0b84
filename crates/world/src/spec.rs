//! What a world is made of, as plain data.

use alloc::vec::Vec;
use tropism_body::BodySpec;
use tropism_core::{Name, TimeStep};

use crate::battery::{BatterySpec, Load, PowerModel};
use crate::drive::DriveSpec;
use crate::event::TimedEvent;
use crate::field::FieldSpec;
use crate::geometry::{Room, Vec2};
use crate::light::LightSpec;
use crate::sensor::SensorModel;
use crate::station::StationSpec;

/// A head that turns with an actuator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeadSpec {
    /// Actuator channel.
    pub channel: u8,
    /// Angle at command 1, rad.
    pub span_rad: f32,
}

/// A body and how it works physically.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotPlan {
    /// The channels.
    pub body: BodySpec,
    /// Radius of the round body, m.
    pub radius_m: f32,
    /// How it moves.
    pub drive: DriveSpec,
    /// Its head, if it has one.
    pub head: Option<HeadSpec>,
    /// Its buzzer's actuator channel, if it has one.
    pub buzzer: Option<u8>,
    /// Its battery.
    pub battery: BatterySpec,
    /// What loads the battery besides the idle current.
    pub loads: Vec<Load>,
    /// One model per sensor channel of the body, in channel order.
    pub sensors: Vec<SensorModel>,
}

/// Where a robot begins its lives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// Always here.
    Pose {
        /// Position.
        at: Vec2,
        /// Heading, rad.
        heading_rad: f32,
        /// Charge share.
        soc: f32,
    },
    /// Anywhere in a rectangle, with any heading.
    Region {
        /// Lower left corner.
        min: Vec2,
        /// Upper right corner.
        max: Vec2,
        /// Charge share.
        soc: f32,
    },
}

/// A robot of a world.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotSpec {
    /// Its name, for messages.
    pub name: Name,
    /// Its body.
    pub plan: RobotPlan,
    /// Where its lives begin.
    pub start: Start,
}

/// Tape on the floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Tape {
    /// Corners of its middle line.
    pub points: Vec<Vec2>,
    /// Width, m; 19 mm is a common electrical tape.
    pub width_m: f32,
}

/// A world.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldSpec {
    /// Its name.
    pub name: Name,
    /// Control step: one call of `step`.
    pub step: TimeStep,
    /// Physics step; it must fit into the control step a whole number of times.
    pub physics_step: TimeStep,
    /// Who feeds the load at a station, and which artefacts are kept.
    pub power: PowerModel,
    /// False switches all noise, fading and shadowing off.
    pub has_noise: bool,
    /// The still parts.
    pub room: Room,
    /// Charging stations.
    pub stations: Vec<StationSpec>,
    /// Lights other than station lamps; at most 32.
    pub lights: Vec<LightSpec>,
    /// Scalar-field sources; at most 32.
    pub fields: Vec<FieldSpec>,
    /// Tape on the floor.
    pub tapes: Vec<Tape>,
    /// Points whose bearing and range a goal sensor can measure.
    pub beacons: Vec<Vec2>,
    /// Timed events.
    pub events: Vec<TimedEvent>,
    /// The robots.
    pub robots: Vec<RobotSpec>,
}

impl WorldSpec {
    /// An empty room without robots, at 20 Hz.
    pub fn empty(name: &str, width_m: f32, height_m: f32) -> Self {
        Self {
            name: Name::new(name).unwrap_or_default(),
            step: TimeStep::TWENTIETH,
            physics_step: TimeStep::TWENTIETH,
            power: PowerModel::Fed,
            has_noise: true,
            room: Room::empty(width_m, height_m),
            stations: Vec::new(),
            lights: Vec::new(),
            fields: Vec::new(),
            tapes: Vec::new(),
            beacons: Vec::new(),
            events: Vec::new(),
            robots: Vec::new(),
        }
    }
}

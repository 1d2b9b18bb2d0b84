//! The world as a stage.

use tropism_body::Controller as _;
use tropism_lab::Robot;
use tropism_lab::grade::task_of_world;
use tropism_wire::session::{ActuatorStage, RobotStage, SensorStage, WorldStage};
use tropism_world::RobotSpec;
use tropism_world::sensor::SensorModel;

use crate::describe;
use crate::robots::Robots;
use crate::table::snake;

/// Unit of what a sensor gives; empty for a share.
const fn unit(model: &SensorModel) -> &'static str {
    match model {
        SensorModel::Ultrasonic { .. }
        | SensorModel::Lidar { .. }
        | SensorModel::Odometer
        | SensorModel::GoalRange { .. } => "m",
        SensorModel::WheelSpeed { .. } => "m/s",
        SensorModel::Encoder { .. } => "counts",
        SensorModel::Gyro { .. } => "rad/s",
        SensorModel::Accelerometer { .. } => "m/s²",
        SensorModel::GoalBearing { .. } => "rad",
        _ => "",
    }
}

/// Direction in which a sensor looks in the body's frame.
pub(crate) fn bearing(model: &SensorModel) -> Option<f64> {
    match model {
        SensorModel::LightEye { bearing_rad, .. } => Some(f64::from(*bearing_rad)),
        SensorModel::InfraRed { beam, .. }
        | SensorModel::Ultrasonic { beam, .. }
        | SensorModel::Lidar { beam, .. } => Some(f64::from(beam.bearing_rad)),
        SensorModel::Bump { sector } => sector.map(|(middle, _)| f64::from(middle)),
        SensorModel::FloorReflectance { ahead_m, left_m, .. } => {
            Some(f64::from(tropism_core::math::atan2(*left_m, *ahead_m)))
        }
        _ => None,
    }
}

impl Robots {
    /// The still parts of the world, and its robots with their minds.
    pub(crate) fn world_stage(&self) -> WorldStage {
        let spec = &self.spec;
        let room = &spec.room;
        let robots = spec.robots.iter().zip(self.run.robots()).enumerate();
        WorldStage {
            bounds: [describe::point(room.min), describe::point(room.max)],
            walls: describe::walls(room),
            polygons: describe::polygons(room),
            discs: describe::discs(room),
            tapes: describe::tapes(&spec.tapes),
            beacons: spec.beacons.iter().map(|b| describe::point(*b)).collect(),
            lights: spec.lights.iter().map(|l| describe::light(l, room)).collect(),
            fields: spec.fields.iter().map(|f| describe::field(f, spec)).collect(),
            stations: spec.stations.iter().map(describe::station).collect(),
            robots: robots.map(|(i, (spec, robot))| self.robot_stage(i, spec, robot)).collect(),
            task: task_of_world(spec.name.as_str()).map(Into::into),
        }
    }

    fn robot_stage(&self, i: usize, spec: &RobotSpec, robot: &Robot) -> RobotStage {
        let body = &robot.body;
        let sensors = body.sensors.iter().zip(&spec.plan.sensors);
        let sensors = sensors.map(|(s, model)| SensorStage {
            name: s.name.as_str().into(),
            kind: snake(&format!("{:?}", s.kind)),
            min: s.min,
            max: s.max,
            unit: unit(model).into(),
        });
        let actuator = |a: &tropism_body::ActuatorSpec| ActuatorStage {
            name: a.name.as_str().into(),
            min: a.min,
            max: a.max,
            cost: a.cost_per_unit,
        };
        RobotStage {
            name: spec.name.as_str().into(),
            body: body.name.as_str().into(),
            radius_m: spec.plan.radius_m.into(),
            sensors: sensors.collect(),
            actuators: body.actuators.iter().map(actuator).collect(),
            modules: robot.mind.modules().iter().map(|m| (*m).to_owned()).collect(),
            mind: self.mind_stage(i),
        }
    }
}

//! A world as plain data of the protocol.

use tropism_body::Controller as _;
use tropism_lab::{Mind, Run};
use tropism_scenario::Scenario;
use tropism_wire::session::{
    ActuatorStage, MindStage, Point, Polygon, RobotStage, RoundThing, SensorStage, StationStage,
    TapeStage, Wall, WorldStage,
};
use tropism_world::Vec2;

pub(crate) fn point(v: Vec2) -> Point {
    [v.x.into(), v.y.into()]
}

/// The still parts of a scenario's world, and its robots with their minds.
pub(crate) fn world(scenario: &Scenario, run: &Run) -> WorldStage {
    let spec = &scenario.world;
    let round = |at, radius: f32, kind: &str| RoundThing {
        at: point(at),
        radius_m: radius.into(),
        kind: kind.into(),
    };
    let robots = spec.robots.iter().zip(run.robots());
    WorldStage {
        bounds: [point(spec.room.min), point(spec.room.max)],
        walls: (spec.room.segments.iter())
            .map(|s| Wall { from: point(s.from), to: point(s.to) })
            .collect(),
        polygons: (spec.room.polygons.iter())
            .map(|p| Polygon { corners: p.corners.iter().map(|c| point(*c)).collect() })
            .collect(),
        discs: spec.room.discs.iter().map(|d| round(d.center, d.radius_m, "disc")).collect(),
        tapes: (spec.tapes.iter())
            .map(|t| TapeStage {
                points: t.points.iter().map(|p| point(*p)).collect(),
                width_m: t.width_m.into(),
            })
            .collect(),
        beacons: spec.beacons.iter().map(|b| point(*b)).collect(),
        lights: Vec::new(),
        fields: Vec::new(),
        stations: (spec.stations.iter())
            .map(|s| StationStage {
                funnel_rad: 0.0,
                contact_m: s.contact_radius_m.into(),
                has_radio: s.radio.power_dbm > f32::NEG_INFINITY,
            })
            .collect(),
        robots: robots.map(|(spec, robot)| self::robot(spec, robot)).collect(),
        task: None,
    }
}

fn robot(spec: &tropism_world::RobotSpec, robot: &tropism_lab::Robot) -> RobotStage {
    let body = &robot.body;
    let sensor = |s: &tropism_body::SensorSpec| SensorStage {
        name: s.name.as_str().into(),
        kind: format!("{:?}", s.kind).to_lowercase(),
        min: s.min,
        max: s.max,
        unit: String::new(),
    };
    let actuator = |a: &tropism_body::ActuatorSpec| ActuatorStage {
        name: a.name.as_str().into(),
        min: a.min,
        max: a.max,
        cost: a.cost_per_unit,
    };
    let kind = match &robot.mind {
        Mind::Organism(_) => "organism",
        Mind::RandomWalk(_) => "random_walk",
        Mind::Reactive(_) => "reactive",
        Mind::Machine(_) => "machine",
        Mind::Script(_) => "script",
        _ => "do_nothing",
    };
    RobotStage {
        name: spec.name.as_str().into(),
        body: body.name.as_str().into(),
        radius_m: spec.plan.radius_m.into(),
        sensors: body.sensors.iter().map(sensor).collect(),
        actuators: body.actuators.iter().map(actuator).collect(),
        modules: robot.mind.modules().iter().map(|m| (*m).to_owned()).collect(),
        mind: MindStage {
            kind: kind.into(),
            parameters: Vec::new(),
            switches: Vec::new(),
            organism: None,
            machine: None,
            script: None,
        },
    }
}

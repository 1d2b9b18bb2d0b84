//! Worlds that ship with the library.

use tropism_core::{Name, math::PI};

use crate::battery::PowerModel;
use crate::geometry::Vec2;
use crate::light::LightSpec;
use crate::plans;
use crate::spec::{RobotSpec, Start, WorldSpec};
use crate::station::StationSpec;

fn window(room_height_m: f32) -> LightSpec {
    LightSpec::Window {
        direction_rad: PI / 2.0,
        offset_m: room_height_m + 0.5,
        intensity: 0.3,
        softening_m2: 0.25,
    }
}

/// The world of the published results, artefacts included: 3.0 × 2.5 m, one station in the middle
/// of the right wall, a window beyond the upper wall, one robot.
///
/// # Source
/// Reference simulator.
pub fn reference() -> WorldSpec {
    let mut spec = WorldSpec::empty("reference", 3.0, 2.5);
    spec.power = PowerModel::Reference;
    spec.stations.push(StationSpec::REFERENCE);
    spec.lights.push(window(2.5));
    spec.robots.push(RobotSpec {
        name: Name::literal("robot"),
        plan: plans::reference_simulator(),
        start: Start::Region { min: Vec2::new(0.3, 0.3), max: Vec2::new(1.5, 2.2), soc: 0.8 },
    });
    spec
}

/// The reference room with a station that carries the robot's load, can be FULL and shows it.
pub fn mains() -> WorldSpec {
    let mut spec = reference();
    spec.name = Name::literal("mains");
    spec.power = PowerModel::Fed;
    spec.stations = alloc::vec![StationSpec::mains(Vec2::new(2.9, 1.25), PI)];
    spec
}

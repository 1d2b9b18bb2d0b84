//! Worlds that ship with the library.

use tropism_core::{Name, math::PI};

use crate::battery::PowerModel;
use crate::geometry::{ConvexPolygon, Disc, Material, Vec2};
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

/// The arena of the benchmark: 3 × 3 m with four discs and four boxes, and this many two-wheeled
/// robots with eight infra-red sensors of three rays each.
pub fn arena(robots: u16) -> WorldSpec {
    let mut spec = WorldSpec::empty("arena", 3.0, 3.0);
    for (x, y, radius_m) in [(0.7, 0.8, 0.15), (2.2, 0.6, 0.20), (0.6, 2.3, 0.10), (2.3, 2.2, 0.18)]
    {
        let center = Vec2::new(x, y);
        spec.room.discs.push(Disc { center, radius_m, material: Material::HARD });
    }
    for (x, y, half_x, half_y, turn) in [
        (1.5, 1.5, 0.20, 0.10, 0.5),
        (1.4, 0.5, 0.12, 0.12, 0.0),
        (0.5, 1.5, 0.08, 0.20, 0.3),
        (1.5, 2.5, 0.15, 0.08, 1.0),
    ] {
        let half = Vec2::new(half_x, half_y);
        spec.room.polygons.push(ConvexPolygon::rectangle(Vec2::new(x, y), half, turn));
    }
    let (min, max) = (Vec2::new(0.05, 0.05), Vec2::new(2.95, 2.95));
    for i in 0..robots {
        spec.robots.push(RobotSpec {
            name: Name::new(&alloc::format!("robot_{i}")).unwrap_or_default(),
            plan: plans::eight_infrared(),
            start: Start::Region { min, max, soc: 1.0 },
        });
    }
    spec
}

//! Foxglove's messages: poses, transforms, scans, the scene, logs.
//!
//! Frames: `map` is the world, x to the right and y up; a robot's frame lies in its centre, x ahead
//! and y to the left. All of it lies in the plane z = 0; heights are for the eye.
//!
//! What it does not do: no picture of lights and fields.

use foxglove::messages::line_primitive::Type as LineType;
use foxglove::messages::{
    ArrowPrimitive, Color, CylinderPrimitive, FrameTransform, LaserScan, LinePrimitive, Log,
    Point3, Pose, PoseInFrame, Quaternion, SceneEntity, Timestamp, TriangleListPrimitive, Vector3,
};
use tropism_body::{Percept, Reading};
use tropism_core::math;
use tropism_world::{RobotTruth, Vec2};

use super::super::recording::{Fan, RobotCard, Scene, StationMark};

/// Name of the frame of the world.
pub(super) const MAP: &str = "map";

/// Height of what is drawn solid, m.
const HEIGHT_M: f64 = 0.1;
/// Width of a drawn wall, m.
const WALL_M: f64 = 0.01;

const fn color(r: f64, g: f64, b: f64) -> Color {
    Color { r, g, b, a: 1.0 }
}

const WALL: Color = color(0.35, 0.35, 0.38);
const SOLID: Color = color(0.55, 0.55, 0.6);
const TAPE: Color = color(0.1, 0.1, 0.1);
const BEACON: Color = color(0.9, 0.2, 0.6);
const STATION_ON: Color = color(0.1, 0.7, 0.3);
const STATION_OFF: Color = color(0.5, 0.5, 0.5);
const ROBOT: Color = color(0.15, 0.4, 0.85);

pub(super) fn timestamp(ns: u64) -> Option<Timestamp> {
    let sec = u32::try_from(ns / 1_000_000_000).unwrap_or(u32::MAX);
    Timestamp::new_checked(sec, (ns % 1_000_000_000) as u32)
}

fn turn(heading_rad: f32) -> Quaternion {
    let (sin, cos) = math::sin_cos(0.5 * heading_rad);
    Quaternion { x: 0.0, y: 0.0, z: sin.into(), w: cos.into() }
}

fn place(at: Vec2, z: f64, heading_rad: f32) -> Pose {
    let position = Vector3 { x: at.x.into(), y: at.y.into(), z };
    Pose { position: Some(position), orientation: Some(turn(heading_rad)) }
}

fn point(at: Vec2, z: f64) -> Point3 {
    Point3 { x: at.x.into(), y: at.y.into(), z }
}

pub(super) fn pose(ns: u64, truth: &RobotTruth) -> PoseInFrame {
    PoseInFrame {
        timestamp: timestamp(ns),
        frame_id: MAP.to_owned(),
        pose: Some(place(Vec2::new(truth.x_m, truth.y_m), 0.0, truth.heading_rad)),
    }
}

pub(super) fn transform(ns: u64, name: &str, truth: &RobotTruth) -> FrameTransform {
    FrameTransform {
        timestamp: timestamp(ns),
        parent_frame_id: MAP.to_owned(),
        child_frame_id: name.to_owned(),
        translation: Some(Vector3 { x: truth.x_m.into(), y: truth.y_m.into(), z: 0.0 }),
        rotation: Some(turn(truth.heading_rad)),
    }
}

/// A range as REP-117 has it: +∞ where nothing was heard, NaN where there is no reading.
fn range(reading: Reading, mount_m: f32) -> f64 {
    match (reading.value(), reading) {
        (Some(value), _) => f64::from(mount_m) + f64::from(value),
        (None, Reading::NoEcho) => f64::INFINITY,
        (None, _) => f64::NAN,
    }
}

/// A fan as one scan: distances from the centre of the robot.
pub(super) fn scan(ns: u64, frame: &str, fan: &Fan, percept: &Percept) -> LaserScan {
    let ranges = fan.rangers.iter().map(|r| range(percept.reading(r.channel), r.mount_m));
    LaserScan {
        timestamp: timestamp(ns),
        frame_id: frame.to_owned(),
        pose: Some(place(Vec2::default(), 0.0, 0.0)),
        start_angle: fan.start_rad,
        end_angle: fan.end_rad,
        ranges: ranges.collect(),
        intensities: Vec::new(),
    }
}

pub(super) fn log(ns: u64, level: i32, name: &str, message: &str) -> Log {
    Log {
        timestamp: timestamp(ns),
        level,
        message: message.to_owned(),
        name: name.to_owned(),
        file: String::new(),
        line: 0,
    }
}

fn entity(ns: u64, frame: &str, id: String) -> SceneEntity {
    SceneEntity {
        timestamp: timestamp(ns),
        frame_id: frame.to_owned(),
        id,
        ..SceneEntity::default()
    }
}

fn line(kind: LineType, thickness: f64, points: Vec<Point3>, color: Color) -> LinePrimitive {
    LinePrimitive {
        r#type: kind as i32,
        pose: Some(place(Vec2::default(), 0.0, 0.0)),
        thickness,
        points,
        color: Some(color),
        ..LinePrimitive::default()
    }
}

fn cylinder(at: Vec2, radius_m: f32, height: f64, color: Color) -> CylinderPrimitive {
    let across = 2.0 * f64::from(radius_m);
    CylinderPrimitive {
        pose: Some(place(at, 0.5 * height, 0.0)),
        size: Some(Vector3 { x: across, y: across, z: height }),
        bottom_scale: 1.0,
        top_scale: 1.0,
        color: Some(color),
    }
}

fn arrow(at: Vec2, heading_rad: f32, length: f64, color: Color) -> ArrowPrimitive {
    ArrowPrimitive {
        pose: Some(place(at, HEIGHT_M, heading_rad)),
        shaft_length: 0.7 * length,
        shaft_diameter: 0.15 * length,
        head_length: 0.3 * length,
        head_diameter: 0.3 * length,
        color: Some(color),
    }
}

/// The top of a convex polygon as triangles, both sides.
fn triangles(corners: &[Vec2]) -> Vec<Point3> {
    let mut points = Vec::new();
    for i in 1..corners.len().saturating_sub(1) {
        points.extend([corners[0], corners[i], corners[i + 1]].map(|c| point(c, HEIGHT_M)));
    }
    points
}

/// The still parts of a world, one entity per kind, and one per station.
pub(super) fn scene(ns: u64, scene: &Scene) -> Vec<SceneEntity> {
    let room = &scene.room;
    let mut border = entity(ns, MAP, "border".to_owned());
    let corners =
        [room.min, Vec2::new(room.max.x, room.min.y), room.max, Vec2::new(room.min.x, room.max.y)];
    let loop_of = |corners: &[Vec2]| corners.iter().map(|c| point(*c, HEIGHT_M)).collect();
    border.lines.push(line(LineType::LineLoop, WALL_M, loop_of(&corners), WALL));
    let mut walls = entity(ns, MAP, "walls".to_owned());
    if !room.segments.is_empty() {
        let ends = room.segments.iter().flat_map(|s| [s.from, s.to]);
        let points = ends.map(|p| point(p, HEIGHT_M)).collect();
        walls.lines.push(line(LineType::LineList, WALL_M, points, WALL));
    }
    let mut polygons = entity(ns, MAP, "polygons".to_owned());
    for polygon in &room.polygons {
        polygons.triangles.push(TriangleListPrimitive {
            pose: Some(place(Vec2::default(), 0.0, 0.0)),
            points: triangles(&polygon.corners),
            color: Some(SOLID),
            ..TriangleListPrimitive::default()
        });
        let outline = loop_of(&polygon.corners);
        polygons.lines.push(line(LineType::LineLoop, WALL_M, outline, WALL));
    }
    let mut discs = entity(ns, MAP, "discs".to_owned());
    discs.cylinders = room
        .discs
        .iter()
        .map(|disc| cylinder(disc.center, disc.radius_m, HEIGHT_M, SOLID))
        .collect();
    let mut floor = entity(ns, MAP, "floor".to_owned());
    for tape in &scene.tapes {
        let points = tape.points.iter().map(|p| point(*p, 0.0)).collect();
        floor.lines.push(line(LineType::LineStrip, tape.width_m.into(), points, TAPE));
    }
    let beacons = scene.beacons.iter();
    floor.cylinders = beacons.map(|at| cylinder(*at, 0.03, HEIGHT_M, BEACON)).collect();
    let mut all = vec![border, walls, polygons, discs, floor];
    all.retain(|e| !(e.lines.is_empty() && e.cylinders.is_empty() && e.triangles.is_empty()));
    all.extend(scene.stations.iter().enumerate().map(|(i, mark)| station(ns, i, mark)));
    all
}

/// A station: a disc where the contacts close and an arrow into the room.
pub(super) fn station(ns: u64, index: usize, mark: &StationMark) -> SceneEntity {
    let mut drawn = entity(ns, MAP, format!("station{index}"));
    let color = if mark.is_on { STATION_ON } else { STATION_OFF };
    drawn.cylinders.push(cylinder(mark.contact, mark.contact_radius_m, 0.5 * HEIGHT_M, color));
    drawn.arrows.push(arrow(mark.contact, mark.facing_rad, 0.2, color));
    drawn
}

/// The body of a robot, fixed to its frame.
pub(super) fn body(ns: u64, name: &str, card: &RobotCard) -> SceneEntity {
    let mut drawn = entity(ns, name, format!("body of {name}"));
    drawn.frame_locked = true;
    drawn.cylinders.push(cylinder(Vec2::default(), card.radius_m, HEIGHT_M, ROBOT));
    drawn.arrows.push(arrow(Vec2::default(), 0.0, 1.5 * f64::from(card.radius_m), ROBOT));
    drawn
}

#[cfg(test)]
mod tests {
    use tropism_body::presets;
    use tropism_core::FixedList;
    use tropism_world::{ConvexPolygon, Disc, Segment, WorldSpec};

    use super::super::super::recording::{Ranger, RangerKind, fans};
    use super::*;

    #[test]
    fn unit_ranges_are_never_zero_where_there_is_no_reading() {
        let ranger = |channel, bearing_rad| Ranger {
            channel,
            bearing_rad,
            mount_m: 0.25,
            max_m: 4.0,
            kind: RangerKind::Laser,
        };
        let fan = &fans(&[ranger(0, -0.5), ranger(1, 0.0), ranger(2, 0.5), ranger(3, 1.0)])[0];
        let readings = [
            Reading::Fresh(1.5),
            Reading::NoEcho,
            Reading::Stale { value: 1.0, age_ticks: 9 },
            Reading::Missing,
        ];
        let percept = Percept { readings: FixedList::from_slice(&readings), ..Percept::default() };
        let scan = scan(1_500_000_000, "robot0", fan, &percept);
        assert_eq!(scan.ranges[..2], [1.75, f64::INFINITY]);
        assert!(scan.ranges[2].is_nan() && scan.ranges[3].is_nan());
        assert_eq!((scan.start_angle, scan.end_angle), (-0.5, 1.0));
        assert_eq!(scan.timestamp.map(|t| (t.sec(), t.nsec())), Some((1, 500_000_000)));
    }

    #[test]
    fn unit_everything_of_a_room_is_drawn_where_it_is() {
        let mut world = WorldSpec::empty("w", 3.0, 2.0);
        let at = |x, y| Vec2::new(x, y);
        world.room.segments.push(Segment {
            from: at(1.0, 0.0),
            to: at(1.0, 1.0),
            ..Segment::default()
        });
        world.room.discs.push(Disc { center: at(2.0, 1.0), radius_m: 0.25, ..Disc::default() });
        world.room.polygons.push(ConvexPolygon::rectangle(at(0.5, 0.5), at(0.25, 0.125), 0.0));
        world.stations.push(tropism_world::StationSpec::REFERENCE);
        let drawn = scene(0, &Scene::of(&world));
        let ids: Vec<&str> = drawn.iter().map(|e| e.id.as_str()).collect();
        assert_eq!(ids, ["border", "walls", "polygons", "discs", "station0"]);
        assert_eq!(drawn[0].lines[0].points[2], point(at(3.0, 2.0), HEIGHT_M));
        assert_eq!(drawn[1].lines[0].points.len(), 2);
        assert_eq!(drawn[2].triangles[0].points.len(), 6, "two triangles");
        let size = drawn[3].cylinders[0].size.expect("a size");
        assert_eq!((size.x, size.y), (0.5, 0.5));
        let quaternion = drawn[4].arrows[0].pose.and_then(|p| p.orientation).expect("a turn");
        assert!((quaternion.z - 1.0).abs() < 1e-6, "the reference station looks along −x");
    }

    #[test]
    fn unit_a_body_moves_with_its_frame() {
        let card = RobotCard {
            name: "ann".to_owned(),
            body: presets::reference_simulator(),
            radius_m: 0.1,
            rangers: Vec::new(),
            modules: Vec::new(),
            internals: Vec::new(),
        };
        let drawn = body(0, "ann", &card);
        assert!(drawn.frame_locked);
        assert_eq!(drawn.frame_id, "ann");
    }
}

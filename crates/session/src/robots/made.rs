//! Things made by hand: their numbers checked, their kinds as the world has them.

use tropism_wire::session::{Fault, FieldOf, NewThing, Point, ThingKind};
use tropism_world::field::{Falloff, FieldKind, FieldSpec};
use tropism_world::light::LightSpec;
use tropism_world::{ConvexPolygon, Disc, Material, Segment, Tape, Vec2, WorldSpec};

use crate::robots::edit::foreign;
use crate::table::fault;

/// Largest coordinate, m, and smallest size, m: those of world files.
const FAR_M: f64 = 1000.0;
const TINY_M: f64 = 0.001;
/// Largest strength and intensity: that of world files.
const AMOUNT_MAX: f64 = 1e6;
/// Most corners of a tape that hands can make.
const CORNERS_MAX: usize = 1_000;

pub(super) fn place([x, y]: Point) -> Result<Vec2, Fault> {
    let is_near = |v: f64| (-FAR_M..=FAR_M).contains(&v);
    if is_near(x) && is_near(y) {
        return Ok(Vec2::new(x as f32, y as f32));
    }
    Err(fault(format!("[{x}, {y}]; a place has two numbers in -{FAR_M}..{FAR_M} m")))
}

fn size(name: &str, value: f64, most: f64) -> Result<f32, Fault> {
    if (TINY_M..=most).contains(&value) {
        return Ok(value as f32);
    }
    Err(fault(format!("`{name}` = {value}; it takes {TINY_M} to {most} m")))
}

pub(super) fn angle(value: f64) -> Result<f32, Fault> {
    if value.is_finite() && value.abs() < 1e6 {
        return Ok(tropism_core::math::wrap_angle(value as f32));
    }
    Err(fault(format!("{value} is no angle in rad")))
}

fn amount(name: &str, value: f64) -> Result<f32, Fault> {
    if (0.0..=AMOUNT_MAX).contains(&value) {
        return Ok(value as f32);
    }
    Err(fault(format!("`{name}` = {value}; it takes 0 to {AMOUNT_MAX}")))
}

/// A lamp or a window, as soft as one of a file that says nothing of it.
pub(super) fn new_light(thing: &NewThing) -> Result<LightSpec, Fault> {
    match thing {
        NewThing::Window { at, direction_rad, intensity } => {
            let (at, direction_rad) = (place(*at)?, angle(*direction_rad)?);
            let offset_m = at.dot(Vec2::at_angle(direction_rad));
            let intensity = amount("intensity", *intensity)?;
            Ok(LightSpec::Window { direction_rad, offset_m, intensity, softening_m2: 0.25 })
        }
        NewThing::Lamp { at, intensity } => {
            let intensity = amount("intensity", *intensity)?;
            Ok(LightSpec::Lamp { at: place(*at)?, intensity, softening_m2: 0.02 })
        }
        _ => Err(fault("this is no light")),
    }
}

pub(super) fn new_field(
    of: FieldOf,
    at: Point,
    strength: f64,
    spread_m: f64,
) -> Result<FieldSpec, Fault> {
    let kind = match of {
        FieldOf::Warmth => FieldKind::Warmth,
        FieldOf::Gas => FieldKind::Gas,
    };
    Ok(FieldSpec {
        kind,
        at: place(at)?,
        station: None,
        strength: amount("strength", strength)?,
        spread_m: size("spread_m", spread_m, FAR_M)?,
        falloff: Falloff::Gaussian,
    })
}

/// Adds something that is not switched.
pub(super) fn add_to_room(spec: &mut WorldSpec, thing: &NewThing) -> Result<(), Fault> {
    let material = Material::HARD;
    match thing {
        NewThing::Disc { at, radius_m } => {
            let radius_m = size("radius_m", *radius_m, FAR_M)?;
            spec.room.discs.push(Disc { center: place(*at)?, radius_m, material });
        }
        NewThing::Box { at, width_m, height_m, turn_rad } => {
            let (width, height) =
                (size("width_m", *width_m, FAR_M)?, size("height_m", *height_m, FAR_M)?);
            let half = Vec2::new(0.5 * width, 0.5 * height);
            let shape = ConvexPolygon::rectangle(place(*at)?, half, angle(*turn_rad)?);
            spec.room.polygons.push(shape);
        }
        NewThing::Wall { from, to } => {
            let (from, to) = (place(*from)?, place(*to)?);
            spec.room.segments.push(Segment { from, to, material });
        }
        NewThing::Tape { points, width_m } => {
            if !(2..=CORNERS_MAX).contains(&points.len()) {
                let count = points.len();
                let what = format!("a tape of {count} corners; it takes 2 to {CORNERS_MAX}");
                return Err(fault(what));
            }
            let width_m = size("width_m", *width_m, 10.0)?;
            let points: Result<Vec<Vec2>, Fault> = points.iter().map(|p| place(*p)).collect();
            spec.tapes.push(Tape { points: points?, width_m });
        }
        NewThing::Beacon { at } => spec.beacons.push(place(*at)?),
        NewThing::Food { .. } => return Err(foreign(ThingKind::Food)),
        NewThing::Obstacle { .. } => return Err(foreign(ThingKind::Obstacle)),
        _ => return Err(fault("this thing cannot be put here")),
    }
    Ok(())
}

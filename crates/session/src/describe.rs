//! Things of a world as plain data of the protocol.

use tropism_core::math;
use tropism_wire::session::{
    LightStage, Point, Polygon, RoundThing, StationStage, TapeStage, Wall,
};
use tropism_world::field::{Falloff, FieldKind, FieldSpec};
use tropism_world::light::LightSpec;
use tropism_world::{Room, StationSpec, Tape, Vec2, WorldSpec};

pub(crate) fn point(v: Vec2) -> Point {
    [v.x.into(), v.y.into()]
}

fn round(at: Vec2, radius: f32, kind: &str) -> RoundThing {
    RoundThing { at: point(at), radius_m: radius.into(), kind: kind.into() }
}

pub(crate) fn walls(room: &Room) -> Vec<Wall> {
    room.segments.iter().map(|s| Wall { from: point(s.from), to: point(s.to) }).collect()
}

pub(crate) fn polygons(room: &Room) -> Vec<Polygon> {
    let corners = |p: &[Vec2]| p.iter().map(|c| point(*c)).collect();
    room.polygons.iter().map(|p| Polygon { corners: corners(&p.corners) }).collect()
}

pub(crate) fn discs(room: &Room) -> Vec<RoundThing> {
    room.discs.iter().map(|d| round(d.center, d.radius_m, "disc")).collect()
}

pub(crate) fn tapes(tapes: &[Tape]) -> Vec<TapeStage> {
    let tape = |t: &Tape| TapeStage {
        points: t.points.iter().map(|p| point(*p)).collect(),
        width_m: t.width_m.into(),
    };
    tapes.iter().map(tape).collect()
}

/// A light; a window stands at its point nearest to the middle of the room.
pub(crate) fn light(light: &LightSpec, room: &Room) -> LightStage {
    let middle = (room.min + room.max) * 0.5;
    let (kind, at, direction, softening_m2, intensity) = match *light {
        LightSpec::Window { direction_rad, offset_m, intensity, softening_m2 } => {
            let toward = Vec2::at_angle(direction_rad);
            let at = middle + toward * (offset_m - middle.dot(toward));
            ("window", Some(at), Some(direction_rad), softening_m2, intensity)
        }
        LightSpec::Lamp { at, intensity, softening_m2 } => {
            ("lamp", Some(at), None, softening_m2, intensity)
        }
        LightSpec::Ambient { level } => ("ambient", None, None, 0.0, level),
    };
    LightStage {
        kind: kind.into(),
        at: at.map(point),
        direction_rad: direction.map(f64::from),
        radius_m: math::sqrt(softening_m2).into(),
        intensity: intensity.into(),
    }
}

/// Where a field's source is.
pub(crate) fn field_at(field: &FieldSpec, world: &WorldSpec) -> Vec2 {
    let station = field.station.and_then(|s| world.stations.get(usize::from(s)));
    station.map_or(field.at, |station| station.contact + field.at)
}

pub(crate) fn field(field: &FieldSpec, world: &WorldSpec) -> RoundThing {
    let kind = match field.kind {
        FieldKind::Warmth => "warmth",
        FieldKind::Gas => "gas",
    };
    let half = match field.falloff {
        // e^(-d²/2s²) = 1/2 at d = s·√(2·ln 2).
        Falloff::Gaussian => 1.177_41 * field.spread_m,
        Falloff::InverseSquare => field.spread_m,
    };
    round(field_at(field, world), half, kind)
}

pub(crate) fn station(s: &StationSpec) -> StationStage {
    StationStage {
        // The funnel's walls run at 45 degrees: half its width grows by 1 m per metre of depth.
        funnel_rad: if s.funnel.is_some() { core::f64::consts::FRAC_PI_4 } else { 0.0 },
        contact_m: s.contact_radius_m.into(),
        has_radio: s.radio.power_dbm > f32::NEG_INFINITY,
    }
}

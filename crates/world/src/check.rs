//! Checks of a world's specification.

use tropism_core::{Seed, StateHash, TimeStep};

use crate::battery::Load;
use crate::error::WorldError;
use crate::event::{Action, Scheduled, TimedEvent};
use crate::geometry::Room;
use crate::light::LightSpec;
use crate::spec::{RobotSpec, Start, WorldSpec};
use crate::station::StationSpec;

/// Most robots.
const ROBOTS: usize = 10_000;
/// Most stations.
const STATIONS: usize = 64;
/// Most lights and most fields: they are switched by the bits of a word.
const SWITCHED: usize = 32;
/// Most edges and discs together.
const SHAPES: usize = 1 << 20;

fn all_finite(values: &[f32]) -> bool {
    values.iter().all(|v| v.is_finite())
}

/// Checks a world; gives the number of physics steps in a control step.
pub(crate) fn world(spec: &WorldSpec) -> Result<u32, WorldError> {
    let sub_step = WorldError::SubStep { control: spec.step, physics: spec.physics_step };
    let steps = spec.step.times(spec.physics_step).filter(|k| *k >= 1).ok_or(sub_step)?;
    room(&spec.room)?;
    parts(spec)?;
    for (i, event) in spec.events.iter().enumerate() {
        if !event_is_sound(event, spec) {
            return Err(WorldError::Event(i));
        }
    }
    for spec_of_robot in &spec.robots {
        robot(spec_of_robot, spec.physics_step.seconds())?;
    }
    Ok(steps)
}

fn room(room: &Room) -> Result<(), WorldError> {
    let corners = [room.min.x, room.min.y, room.max.x, room.max.y];
    let is_open = room.min.x < room.max.x && room.min.y < room.max.y;
    if !(all_finite(&corners) && is_open && room.border.is_sound()) {
        return Err(WorldError::Room);
    }
    for (i, s) in room.segments.iter().enumerate() {
        let is_finite = s.from.is_finite() && s.to.is_finite();
        if !(is_finite && (s.to - s.from).length_squared() > 0.0 && s.material.is_sound()) {
            return Err(WorldError::Shape("segment", i));
        }
    }
    for (i, p) in room.polygons.iter().enumerate() {
        if !(p.is_convex() && p.material.is_sound()) {
            return Err(WorldError::Shape("polygon", i));
        }
    }
    for (i, d) in room.discs.iter().enumerate() {
        let is_round = d.radius_m > 0.0 && d.radius_m.is_finite() && d.center.is_finite();
        if !(is_round && d.material.is_sound()) {
            return Err(WorldError::Shape("disc", i));
        }
    }
    let corners: usize = room.polygons.iter().map(|p| p.corners.len()).sum();
    if room.segments.len() + corners + room.discs.len() > SHAPES {
        return Err(WorldError::TooMany("shapes", SHAPES));
    }
    Ok(())
}

fn parts(spec: &WorldSpec) -> Result<(), WorldError> {
    for (kind, count, most) in [
        ("robots", spec.robots.len(), ROBOTS),
        ("stations", spec.stations.len(), STATIONS),
        ("lights", spec.lights.len(), SWITCHED),
        ("fields", spec.fields.len(), SWITCHED),
        ("beacons", spec.beacons.len(), 256),
    ] {
        if count > most {
            return Err(WorldError::TooMany(kind, most));
        }
    }
    let refuse = |kind, bad: Option<usize>| bad.map_or(Ok(()), |i| Err(WorldError::Part(kind, i)));
    refuse("station", spec.stations.iter().position(|s| !station_is_sound(s)))?;
    refuse("light", spec.lights.iter().position(|l| !light_is_sound(l)))?;
    refuse(
        "field",
        spec.fields.iter().position(|f| {
            !(f.at.is_finite()
                && f.strength.is_finite()
                && f.spread_m > 0.0
                && f.spread_m.is_finite()
                && f.station.is_none_or(|s| usize::from(s) < spec.stations.len()))
        }),
    )?;
    refuse(
        "tape",
        spec.tapes.iter().position(|t| {
            !(t.points.len() >= 2 && t.points.iter().all(|p| p.is_finite()) && t.width_m > 0.0)
        }),
    )?;
    refuse("beacon", spec.beacons.iter().position(|b| !b.is_finite()))
}

fn station_is_sound(s: &StationSpec) -> bool {
    let finite = [s.facing_rad, s.click_level, s.radio.power_dbm, s.radio.slope_db];
    let amounts = [
        s.contact_radius_m,
        s.charge_current_a,
        s.supply_a,
        s.full_current_a,
        s.led,
        s.led_softening_m2,
        s.click_half_m,
        s.radio.shadow_db,
    ];
    s.contact.is_finite()
        && all_finite(&finite)
        && amounts.iter().all(|v| v.is_finite() && *v >= 0.0)
        && (0.0..1.0).contains(&s.taper_from)
        && s.resume_below <= s.full_from
        && s.funnel.is_none_or(|f| {
            let sizes = [f.throat_m, f.reach_m, f.behind_m, f.outer_m];
            sizes.iter().all(|v| v.is_finite() && *v >= 0.0)
        })
}

fn light_is_sound(light: &LightSpec) -> bool {
    match *light {
        LightSpec::Window { direction_rad, offset_m, intensity, softening_m2 } => {
            all_finite(&[direction_rad, offset_m, intensity]) && softening_m2 > 0.0
        }
        LightSpec::Lamp { at, intensity, softening_m2 } => {
            at.is_finite() && intensity.is_finite() && softening_m2 > 0.0
        }
        LightSpec::Ambient { level } => level.is_finite() && level >= 0.0,
    }
}

fn event_is_sound(event: &TimedEvent, spec: &WorldSpec) -> bool {
    let is_robot = |r: Option<u16>| r.is_none_or(|r| usize::from(r) < spec.robots.len());
    let is_station = |s: u8| usize::from(s) < spec.stations.len();
    let is_timed = event.at_s.is_finite()
        && event.at_s >= 0.0
        && event.every_s.is_finite()
        && event.every_s >= 0.0;
    is_timed
        && match event.action {
            Action::Shove { robot, by, turn_rad } => {
                is_robot(robot) && by.is_finite() && turn_rad.is_finite()
            }
            Action::Light { light, .. } => light.is_none_or(|l| usize::from(l) < spec.lights.len()),
            Action::Station { station, .. } => is_station(station),
            Action::MoveStation { station, to, facing_rad } => {
                is_station(station) && to.is_finite() && facing_rad.is_finite()
            }
            Action::Field { field, .. } => usize::from(field) < spec.fields.len(),
            Action::Battery { robot, by } => is_robot(robot) && by.is_finite(),
        }
}

fn robot(spec: &RobotSpec, physics_s: f32) -> Result<(), WorldError> {
    let (name, plan) = (spec.name, &spec.plan);
    plan.body.check().map_err(|error| WorldError::Body(name, error))?;
    if plan.sensors.len() != plan.body.sensors.len() {
        return Err(WorldError::SensorCount(name));
    }
    let actuators = plan.body.actuators.len();
    let is_channel = |c: u8| usize::from(c) < actuators;
    for (part, is_fine) in [
        ("the drive", plan.drive.channels().into_iter().all(is_channel)),
        ("the head", plan.head.is_none_or(|h| is_channel(h.channel))),
        ("the buzzer", plan.buzzer.is_none_or(is_channel)),
        (
            "a load",
            plan.loads.iter().all(|load| match load {
                Load::Level { channel, .. } | Load::Change { channel, .. } => is_channel(*channel),
            }),
        ),
    ] {
        if !is_fine {
            return Err(WorldError::Channel(name, part));
        }
    }
    let is_start = match spec.start {
        Start::Pose { at, heading_rad, soc } => {
            at.is_finite() && heading_rad.is_finite() && (0.0..=1.0).contains(&soc)
        }
        Start::Region { min, max, soc } => {
            min.is_finite()
                && max.is_finite()
                && min.x <= max.x
                && min.y <= max.y
                && (0.0..=1.0).contains(&soc)
        }
    };
    for (part, is_fine) in [
        ("the radius", plan.radius_m > 0.0 && plan.radius_m.is_finite()),
        ("the drive", plan.drive.is_sound()),
        ("the head", plan.head.is_none_or(|h| h.span_rad.is_finite())),
        ("the battery", plan.battery.is_sound()),
        ("a sensor model", plan.sensors.iter().all(crate::sensor::SensorModel::is_sound)),
        ("the start", is_start),
    ] {
        if !is_fine {
            return Err(WorldError::Plan(name, part));
        }
    }
    if plan.drive.speed_max() * physics_s > plan.radius_m {
        return Err(WorldError::TooFast(name));
    }
    Ok(())
}

/// A timed event in ticks.
pub(crate) fn schedule(event: &TimedEvent, step: TimeStep) -> Scheduled {
    let every = step.ticks_in(event.every_s);
    Scheduled { first: step.ticks_in(event.at_s), every, action: event.action }
}

/// Hashes what is written to it.
struct Digest(StateHash);

impl core::fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.0.bytes(text.as_bytes());
        Ok(())
    }
}

/// A word that tells worlds apart: the seed and every value of the specification.
pub(crate) fn identity(spec: &WorldSpec, seed: Seed) -> u64 {
    let mut digest = Digest(StateHash::new());
    digest.0.word(seed.0);
    // Writing to a digest cannot fail.
    let _ = core::fmt::write(&mut digest, format_args!("{spec:?}"));
    digest.0.value()
}

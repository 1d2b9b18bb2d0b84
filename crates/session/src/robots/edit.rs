//! Moving, adding and taking away things while robots go on.

use tropism_wire::session::{Fault, NewThing, Point, Thing, ThingKind};
use tropism_world::edit::Kept;
use tropism_world::light::LightSpec;
use tropism_world::{Action, StationSpec, Vec2, WorldSpec};

use crate::describe::field_at;
use crate::robots::Robots;
use crate::robots::made::{add_to_room, angle, new_field, new_light, place};
use crate::table::{Applied, fault, snake};

/// Most things of a kind that hands can make.
const THINGS_MAX: usize = 2_000;

fn word(kind: ThingKind) -> String {
    snake(&format!("{kind:?}"))
}

/// The thing of this index, or a fault that says how many there are.
fn pick<T>(list: &mut [T], thing: Thing) -> Result<&mut T, Fault> {
    let count = list.len();
    list.get_mut(thing.index as usize).ok_or_else(|| missing(thing, count))
}

fn missing(thing: Thing, count: usize) -> Fault {
    let (kind, index) = (word(thing.kind), thing.index);
    fault(match count {
        0 => format!("there is no {kind} in this world"),
        1 => format!("there is no {kind} {index}; the only one is 0"),
        _ => format!("there is no {kind} {index}; they count from 0 to {}", count - 1),
    })
}

/// Takes one away and says what is kept.
fn take<T>(list: &mut Vec<T>, thing: Thing) -> Result<(), Fault> {
    if thing.index as usize >= list.len() {
        return Err(missing(thing, list.len()));
    }
    list.remove(thing.index as usize);
    Ok(())
}

fn shift(points: &mut [Vec2], to: Vec2) {
    let by = points.first().map_or(Vec2::default(), |first| to - *first);
    for point in points {
        *point = *point + by;
    }
}

/// Events go on for what is left: those of a thing taken away are gone.
fn forget(spec: &mut WorldSpec, thing: Thing) {
    let gone = thing.index as u8;
    let later = |i: u8| if i > gone { i - 1 } else { i };
    spec.events.retain_mut(|event| {
        let (kind, index) = match &mut event.action {
            Action::Light { light: Some(i), .. } => (ThingKind::Light, i),
            Action::Field { field, .. } => (ThingKind::Field, field),
            Action::Station { station, .. } | Action::MoveStation { station, .. } => {
                (ThingKind::Station, station)
            }
            _ => return true,
        };
        if kind != thing.kind {
            return true;
        }
        let stays = *index != gone;
        *index = later(*index);
        stays
    });
}

impl Robots {
    /// Puts an edited world in place of the present one.
    fn rebuild(&mut self, spec: WorldSpec, kept: &Kept) -> Result<Applied, Fault> {
        self.run.world_mut().edit(&spec, kept).map_err(|error| fault(error.to_string()))?;
        self.spec = spec;
        Ok(Applied::EDITED)
    }

    pub(crate) fn move_thing(
        &mut self,
        thing: Thing,
        to: Point,
        heading_rad: Option<f64>,
    ) -> Result<Applied, Fault> {
        let to = place(to)?;
        let heading_rad = heading_rad.map(angle).transpose()?;
        let mut spec = self.spec.clone();
        match thing.kind {
            ThingKind::Robot => return self.move_robot(thing.index, to, heading_rad),
            ThingKind::Station => return self.move_station(thing, to, heading_rad),
            ThingKind::Disc => pick(&mut spec.room.discs, thing)?.center = to,
            ThingKind::Polygon => shift(&mut pick(&mut spec.room.polygons, thing)?.corners, to),
            ThingKind::Wall => {
                let wall = pick(&mut spec.room.segments, thing)?;
                let mut ends = [wall.from, wall.to];
                shift(&mut ends, to);
                [wall.from, wall.to] = ends;
            }
            ThingKind::Tape => shift(&mut pick(&mut spec.tapes, thing)?.points, to),
            ThingKind::Beacon => *pick(&mut spec.beacons, thing)? = to,
            ThingKind::Light => match pick(&mut spec.lights, thing)? {
                LightSpec::Lamp { at, .. } => *at = to,
                LightSpec::Window { direction_rad, offset_m, .. } => {
                    *direction_rad = heading_rad.unwrap_or(*direction_rad);
                    *offset_m = to.dot(Vec2::at_angle(*direction_rad));
                }
                LightSpec::Ambient { .. } => {
                    return Err(fault("ambient light comes from everywhere; it has no place"));
                }
            },
            ThingKind::Field => {
                let whole = spec.clone();
                let field = pick(&mut spec.fields, thing)?;
                field.at = field.at + (to - field_at(field, &whole));
            }
            kind => return Err(foreign(kind)),
        }
        self.rebuild(spec.clone(), &Kept::all(&spec))
    }

    fn move_robot(&mut self, robot: u32, to: Vec2, heading: Option<f32>) -> Result<Applied, Fault> {
        let index = self.index(robot)?;
        let heading = heading.unwrap_or_else(|| self.run.truth(index).heading_rad);
        let moved = self.run.world_mut().place_robot(index, to, heading);
        moved.map_err(|error| fault(error.to_string()))?;
        self.keepers[index].lose_way();
        Ok(Applied::PLAIN)
    }

    fn move_station(
        &mut self,
        thing: Thing,
        to: Vec2,
        facing_rad: Option<f32>,
    ) -> Result<Applied, Fault> {
        let mut spec = self.spec.clone();
        let station = pick(&mut spec.stations, thing)?;
        let now = self.run.world().station_facing(thing.index as usize);
        let facing_rad = facing_rad.or(now).unwrap_or(station.facing_rad);
        (station.contact, station.facing_rad) = (to, facing_rad);
        let kept = Kept::all(&spec);
        let applied = self.rebuild(spec, &kept)?;
        // A timed event may have moved it before: then its place in the file alone is not enough.
        let station = thing.index as u8;
        let moved = self.run.world_mut().act(Action::MoveStation { station, to, facing_rad });
        moved.map_err(|error| fault(error.to_string()))?;
        Ok(applied)
    }

    pub(crate) fn add(&mut self, thing: &NewThing) -> Result<Applied, Fault> {
        let mut spec = self.spec.clone();
        let mut kept = Kept::all(&spec);
        match thing {
            NewThing::Lamp { .. } | NewThing::Window { .. } => {
                spec.lights.push(new_light(thing)?);
                kept.lights.push(None);
            }
            NewThing::Field { of, at, strength, spread_m } => {
                spec.fields.push(new_field(*of, *at, *strength, *spread_m)?);
                kept.fields.push(None);
            }
            NewThing::Station { at, facing_rad } => {
                let facing_rad = angle(*facing_rad)?;
                spec.stations.push(StationSpec::mains(place(*at)?, facing_rad));
                kept.stations.push(None);
            }
            _ => add_to_room(&mut spec, thing)?,
        }
        let room = &spec.room;
        let counts = [room.discs.len(), room.polygons.len(), room.segments.len(), spec.tapes.len()];
        if counts.into_iter().any(|count| count > THINGS_MAX) {
            return Err(fault(format!("hands make at most {THINGS_MAX} things of a kind")));
        }
        self.rebuild(spec, &kept)
    }

    pub(crate) fn remove(&mut self, thing: Thing) -> Result<Applied, Fault> {
        let mut spec = self.spec.clone();
        let mut kept = Kept::all(&spec);
        match thing.kind {
            ThingKind::Disc => take(&mut spec.room.discs, thing)?,
            ThingKind::Polygon => take(&mut spec.room.polygons, thing)?,
            ThingKind::Wall => take(&mut spec.room.segments, thing)?,
            ThingKind::Tape => take(&mut spec.tapes, thing)?,
            ThingKind::Beacon => take(&mut spec.beacons, thing)?,
            ThingKind::Light => {
                take(&mut spec.lights, thing)?;
                kept.lights.remove(thing.index as usize);
            }
            ThingKind::Field => {
                take(&mut spec.fields, thing)?;
                kept.fields.remove(thing.index as usize);
            }
            ThingKind::Station => {
                let whole = spec.clone();
                take(&mut spec.stations, thing)?;
                kept.stations.remove(thing.index as usize);
                for field in &mut spec.fields {
                    match field.station {
                        Some(s) if u32::from(s) == thing.index => {
                            (field.at, field.station) = (field_at(field, &whole), None);
                        }
                        Some(s) if u32::from(s) > thing.index => field.station = Some(s - 1),
                        _ => {}
                    }
                }
            }
            ThingKind::Robot => {
                return Err(fault("robots stay; load a world without it to be rid of one"));
            }
            kind => return Err(foreign(kind)),
        }
        forget(&mut spec, thing);
        self.rebuild(spec, &kept)
    }

    pub(crate) fn power(&mut self, thing: Thing, is_on: bool) -> Result<Applied, Fault> {
        let index = u8::try_from(thing.index).unwrap_or(u8::MAX);
        let action = match thing.kind {
            ThingKind::Light => Action::Light { light: Some(index), is_on },
            ThingKind::Station => Action::Station { station: index, is_on },
            ThingKind::Field => Action::Field { field: index, is_on },
            kind => {
                let what =
                    format!("a {} cannot be switched; lights, stations and fields can", word(kind));
                return Err(fault(what));
            }
        };
        self.run.world_mut().act(action).map_err(|error| fault(error.to_string()))?;
        let kind = format!("{}_switched", word(thing.kind));
        let tick = self.run.now().0;
        let text = Some(if is_on { "on" } else { "off" }.to_owned());
        let index = Some(thing.index);
        self.push(tropism_wire::session::Event { tick, kind, robot: None, index, text });
        Ok(Applied::PLAIN)
    }
}

pub(crate) fn foreign(kind: ThingKind) -> Fault {
    fault(format!("there is no {} in a world of robots; the octopus has it", word(kind)))
}

//! Editing a running world: things are moved, added and taken away while robots go on.
//!
//! Terms: an *edit* replaces the specification of a running world by another one with the same
//! robots; *kept* says which things of the new specification were there before.
//!
//! What it does not do: it neither adds nor removes robots, and changes neither steps nor the power
//! model; that is another world.

use alloc::vec::Vec;
use tropism_core::{Name, Seed};

use crate::error::WorldError;
use crate::event::Action;
use crate::geometry::Vec2;
use crate::spec::WorldSpec;
use crate::world::World;

/// How much deeper than touching a robot must be in something to count as buried, m. Contact work
/// leaves robots within rounding of a surface.
const DEPTH_M: f32 = 0.001;

/// Where the things of a new specification come from: for each its index in the old one, `None` for
/// a new thing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Stations.
    pub stations: Vec<Option<usize>>,
    /// Lights.
    pub lights: Vec<Option<usize>>,
    /// Fields.
    pub fields: Vec<Option<usize>>,
}

impl Kept {
    /// Everything is where it was in the list.
    pub fn all(spec: &WorldSpec) -> Self {
        let same = |count: usize| (0..count).map(Some).collect();
        Self {
            stations: same(spec.stations.len()),
            lights: same(spec.lights.len()),
            fields: same(spec.fields.len()),
        }
    }
}

/// Why an edit was refused; the world is then as it was.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EditError {
    /// No world can be like that.
    World(WorldError),
    /// Other robots, steps, power model or noise: another world.
    OtherWorld,
    /// [`Kept`] does not fit to the specifications.
    Kept,
    /// These robots would stand in something solid.
    Buried(Vec<Name>),
    /// There is no such thing.
    Nothing(&'static str, usize),
    /// A robot cannot stand there: outside, in something solid or in another robot.
    Taken(Name),
}

impl core::fmt::Display for EditError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::World(error) => error.fmt(f),
            Self::OtherWorld => f.write_str("an edit keeps robots, steps, power model and noise"),
            Self::Kept => f.write_str("what is kept does not fit to the worlds before and after"),
            Self::Buried(names) => {
                f.write_str("it would bury")?;
                for (i, name) in names.iter().enumerate() {
                    write!(f, "{} `{name}`", if i == 0 { "" } else { "," })?;
                }
                Ok(())
            }
            Self::Nothing(kind, index) => write!(f, "there is no {kind} {index}"),
            Self::Taken(name) => {
                write!(f, "`{name}` cannot stand there: no free place inside the room")
            }
        }
    }
}

impl core::error::Error for EditError {}

impl From<WorldError> for EditError {
    fn from(error: WorldError) -> Self {
        Self::World(error)
    }
}

/// Bits of switched things in their new order; new things are on.
fn switched(old: u32, kept: &[Option<usize>]) -> u32 {
    let mut bits = u32::MAX;
    for (new, from) in kept.iter().enumerate().take(32) {
        let is_on = from.is_none_or(|from| old & (1 << (from & 31)) != 0);
        if !is_on {
            bits &= !(1 << new);
        }
    }
    bits
}

impl World {
    /// The seed it was made with.
    pub const fn seed(&self) -> Seed {
        self.seed
    }

    /// Replaces the specification; time, robots and everything kept go on as they are.
    ///
    /// A station that is kept stays where it has moved to, unless its place in the specification
    /// differs from the old one. The radio shadow of a kept station stays.
    ///
    /// # Errors
    /// [`EditError`]; the world is then unchanged.
    ///
    /// # Determinism
    /// The result depends on the world, the specification and what is kept. Its identity is that of
    /// the new specification.
    pub fn edit(&mut self, spec: &WorldSpec, kept: &Kept) -> Result<(), EditError> {
        let mut new = Self::new(spec, self.seed)?;
        let is_same = new.robots.len() == self.robots.len()
            && (new.step_size, new.physics_steps) == (self.step_size, self.physics_steps)
            && (new.power, new.has_noise) == (self.power, self.has_noise);
        if !is_same {
            return Err(EditError::OtherWorld);
        }
        let fits = |kept: &[Option<usize>], new: usize, old: usize| {
            kept.len() == new && kept.iter().flatten().all(|from| *from < old)
        };
        let is_fitting = fits(&kept.stations, new.stations.len(), self.stations.len())
            && fits(&kept.lights, new.lights.len(), self.lights.len())
            && fits(&kept.fields, new.fields.len(), self.fields.len());
        if !is_fitting {
            return Err(EditError::Kept);
        }
        new.state.tick = self.state.tick;
        new.state.robots.clone_from(&self.state.robots);
        new.state.lights_on = switched(self.state.lights_on, &kept.lights);
        new.state.fields_on = switched(self.state.fields_on, &kept.fields);
        for (to, from) in kept.stations.iter().enumerate() {
            let Some(from) = *from else {
                new.state.stations[to].since = self.state.tick;
                continue;
            };
            let place = |world: &Self, i: usize| {
                let spec = &world.stations[i].spec;
                (spec.contact, spec.facing_rad)
            };
            let was = self.state.stations[from];
            let now = &mut new.state.stations[to];
            (now.state, now.since, now.is_on) = (was.state, was.since, was.is_on);
            if place(self, from) == (spec.stations[to].contact, spec.stations[to].facing_rad) {
                (now.contact, now.facing) = (was.contact, was.facing);
            }
            new.shadows[to] = self.shadows[from];
        }
        let buried = (0..self.robots.len()).filter(|i| new.is_buried(*i) && !self.is_buried(*i));
        let buried: Vec<Name> = buried.map(|i| self.robots[i].name).collect();
        if !buried.is_empty() {
            return Err(EditError::Buried(buried));
        }
        for robot in 0..new.robots.len() {
            let state = &mut new.state.robots[robot];
            // Its battery may be another one.
            state.battery_v = new.robots[robot].terminal_v(state);
            new.find_station(robot);
        }
        new.occurrences = self.occurrences;
        new.find_next_event();
        new.fill_bins();
        *self = new;
        Ok(())
    }

    /// The world of a specification from its beginning, at the present tick: every robot at the
    /// start of life 0, stations and switches as specified. Encoders go on counting.
    ///
    /// # Errors
    /// [`EditError`] as for [`Self::edit`]; the world is then unchanged.
    pub fn begin_again(&mut self, spec: &WorldSpec) -> Result<(), EditError> {
        let mut new = Self::new(spec, self.seed)?;
        if new.robots.len() != self.robots.len() || new.step_size != self.step_size {
            return Err(EditError::OtherWorld);
        }
        new.state.tick = self.state.tick;
        for station in &mut new.state.stations {
            station.since = self.state.tick;
        }
        for (state, old) in new.state.robots.iter_mut().zip(&self.state.robots) {
            state.drive.travel_m = old.drive.travel_m;
        }
        new.find_next_event();
        *self = new;
        Ok(())
    }

    /// Puts a robot somewhere else, with its charge and its motion as they are.
    ///
    /// # Errors
    /// [`EditError::Taken`] when it cannot stand there; it then stays where it is.
    pub fn place_robot(
        &mut self,
        robot: usize,
        at: Vec2,
        heading_rad: f32,
    ) -> Result<(), EditError> {
        let Some(plan) = self.robots.get(robot) else {
            return Err(EditError::Nothing("robot", robot));
        };
        let taken = EditError::Taken(plan.name);
        if !(at.is_finite() && heading_rad.is_finite()) {
            return Err(taken);
        }
        let before = self.state.robots[robot];
        self.put(robot, at, heading_rad, before.soc);
        if self.is_free(robot, self.robots.len()) {
            return Ok(());
        }
        self.put(robot, before.at, before.heading_rad, before.soc);
        self.state.robots[robot] = before;
        Err(taken)
    }

    /// Does at once what a timed event would do at its tick.
    ///
    /// # Errors
    /// [`EditError::Nothing`] when it concerns something that is not there, or a number of it is
    /// not finite.
    pub fn act(&mut self, action: Action) -> Result<(), EditError> {
        let within = |kind, index: usize, count: usize| {
            if index < count { Ok(()) } else { Err(EditError::Nothing(kind, index)) }
        };
        let robot = |robot: Option<u16>| robot.map_or(0, usize::from);
        match action {
            Action::Shove { robot: who, by, turn_rad } => {
                within("robot", robot(who), self.robots.len())?;
                if !(by.is_finite() && turn_rad.is_finite()) {
                    return Err(EditError::Nothing("shove of robot", robot(who)));
                }
            }
            Action::Battery { robot: who, by } => {
                within("robot", robot(who), self.robots.len())?;
                if !by.is_finite() {
                    return Err(EditError::Nothing("charge for robot", robot(who)));
                }
            }
            Action::Light { light, .. } => {
                within("light", light.map_or(0, usize::from), self.lights.len())?;
            }
            Action::Station { station, .. } => {
                within("station", usize::from(station), self.stations.len())?;
            }
            Action::MoveStation { station, to, facing_rad } => {
                within("station", usize::from(station), self.stations.len())?;
                if !(to.is_finite() && facing_rad.is_finite()) {
                    return Err(EditError::Nothing("place for station", usize::from(station)));
                }
            }
            Action::Field { field, .. } => {
                within("field", usize::from(field), self.fields.len())?;
            }
        }
        self.carry_out(action);
        for robot in 0..self.robots.len() {
            self.find_station(robot);
        }
        Ok(())
    }

    /// Lights that are on and fields that are on, as bits.
    pub fn switched_on(&self) -> (u32, u32) {
        let mask = |count: usize| if count >= 32 { u32::MAX } else { (1_u32 << count) - 1 };
        let (lights, fields) = (mask(self.lights.len()), mask(self.fields.len()));
        (self.state.lights_on & lights, self.state.fields_on & fields)
    }

    /// Direction a station faces now, rad in [−π, π).
    pub fn station_facing(&self, station: usize) -> Option<f32> {
        let now = self.state.stations.get(station)?;
        Some(tropism_core::math::atan2(now.facing.y, now.facing.x))
    }

    /// Deeper in something solid, or beyond the border, than contact leaves it.
    fn is_buried(&self, robot: usize) -> bool {
        let (at, r) = (self.state.robots[robot].at, self.robots[robot].radius_m - DEPTH_M);
        let (lo, hi) = (self.scene.min, self.scene.max);
        let is_inside =
            at.x >= lo.x + r && at.x <= hi.x - r && at.y >= lo.y + r && at.y <= hi.y - r;
        !is_inside || (self.has_obstacles && self.scene.way_out(at, r).is_some())
    }
}

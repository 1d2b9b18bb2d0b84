//! Timed events and what happened in a tick.
//!
//! Terms: a *timed event* is something the experimenter does to the world at a set time; an
//! *occurrence* is something that happened in a tick, whoever caused it.
//!
//! # Determinism
//! The schedule is plain data and depends on no seed.

use crate::geometry::Vec2;

/// Something done to the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Moves robots at once by this much; walls stop them. `None` means every robot.
    Shove {
        /// Which robot.
        robot: Option<u16>,
        /// Displacement, m.
        by: Vec2,
        /// Turn, rad.
        turn_rad: f32,
    },
    /// Switches a light on or off; `None` means all lights except station lamps.
    Light {
        /// Which light.
        light: Option<u8>,
        /// On or off.
        is_on: bool,
    },
    /// Switches a station on or off.
    Station {
        /// Which station.
        station: u8,
        /// On or off.
        is_on: bool,
    },
    /// Moves a station.
    MoveStation {
        /// Which station.
        station: u8,
        /// New contact point.
        to: Vec2,
        /// New direction, rad.
        facing_rad: f32,
    },
    /// Switches a field source on or off.
    Field {
        /// Which source.
        field: u8,
        /// On or off.
        is_on: bool,
    },
    /// Adds to the charge share of a robot's battery; `None` means every robot.
    Battery {
        /// Which robot.
        robot: Option<u16>,
        /// Change of the charge share.
        by: f32,
    },
}

/// An action at a set time, once or again and again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedEvent {
    /// First time, s.
    pub at_s: f64,
    /// Seconds between repetitions; 0 is once.
    pub every_s: f64,
    /// What is done.
    pub action: Action,
}

/// A kind of occurrence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OccurrenceKind {
    /// A robot's contacts closed.
    Docked,
    /// A robot's contacts opened.
    Undocked,
    /// Current began to flow into a battery.
    ChargingStarted,
    /// Current stopped.
    ChargingStopped,
    /// A robot began to touch something.
    Bumped,
    /// Contact work was not enough to free a robot.
    Embedded,
    /// A battery ran empty.
    BatteryEmpty,
    /// An experimenter shoved a robot.
    Shoved,
    /// An experimenter changed a battery.
    BatteryStepped,
    /// An experimenter switched lights on.
    LightsOn,
    /// An experimenter switched lights off.
    LightsOff,
    /// An experimenter switched a station on.
    StationOn,
    /// An experimenter switched a station off.
    StationOff,
    /// An experimenter moved a station.
    StationMoved,
    /// A station's state machine changed.
    StationChanged,
    /// An experimenter switched a field source.
    FieldSwitched,
    /// A life began.
    #[default]
    LifeBegan,
}

/// Something that happened in a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occurrence {
    /// What.
    pub kind: OccurrenceKind,
    /// The robot, if it concerns one.
    pub robot: Option<u16>,
    /// The station, light or field, if it concerns one.
    pub index: Option<u8>,
}

/// Most occurrences kept of one tick; later ones of the same tick are dropped.
pub const OCCURRENCES: usize = 64;

/// A timed event in ticks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scheduled {
    pub(crate) first: u64,
    pub(crate) every: u64,
    pub(crate) action: Action,
}

impl Scheduled {
    /// First time at or after this tick, `u64::MAX` for never again.
    pub(crate) fn next_at(&self, tick: u64) -> u64 {
        if tick <= self.first {
            self.first
        } else if self.every == 0 {
            u64::MAX
        } else {
            self.first + (tick - self.first).div_ceil(self.every) * self.every
        }
    }
}

//! Everything that changes during a run.

use alloc::vec::Vec;
use tropism_body::MAX_ACTUATORS;
use tropism_core::{StateHash, Tick, math};

use crate::drive::DriveState;
use crate::geometry::Vec2;
use crate::robot::Robot;
use crate::station::StationDynamics;

pub(crate) const DOCKED: u8 = 1;
pub(crate) const CHARGING: u8 = 2;
pub(crate) const BUMPED: u8 = 4;
pub(crate) const EMBEDDED: u8 = 8;

/// What changes about one robot.
///
/// `forward`, `gaze` and `battery_v` follow from the rest and are not part of snapshot or hash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RobotState {
    pub(crate) at: Vec2,
    pub(crate) heading_rad: f32,
    pub(crate) speed_m_s: f32,
    pub(crate) turn_rad_s: f32,
    pub(crate) accel: Vec2,
    pub(crate) soc: f32,
    pub(crate) charge_a: f32,
    pub(crate) net_a: f32,
    pub(crate) sag_a: f32,
    pub(crate) effort: f32,
    pub(crate) station_m: f32,
    pub(crate) station: u8,
    pub(crate) flags: u8,
    pub(crate) contacts: u16,
    pub(crate) drive: DriveState,
    pub(crate) commands: [f32; MAX_ACTUATORS],
    pub(crate) previous: [f32; MAX_ACTUATORS],
    pub(crate) forward: Vec2,
    pub(crate) gaze: Vec2,
    /// Terminal voltage of the battery, V. Kept, since a tick asks for it twice: what is true after
    /// it, and what a sensor says at the next one.
    pub(crate) battery_v: f32,
}

impl Default for RobotState {
    fn default() -> Self {
        Self {
            at: Vec2::default(),
            heading_rad: 0.0,
            speed_m_s: 0.0,
            turn_rad_s: 0.0,
            accel: Vec2::default(),
            soc: 0.0,
            charge_a: 0.0,
            net_a: 0.0,
            sag_a: 0.0,
            effort: 0.0,
            station_m: f32::INFINITY,
            station: u8::MAX,
            flags: 0,
            contacts: 0,
            drive: DriveState::default(),
            commands: [0.0; MAX_ACTUATORS],
            previous: [0.0; MAX_ACTUATORS],
            forward: Vec2::new(1.0, 0.0),
            gaze: Vec2::new(1.0, 0.0),
            battery_v: 0.0,
        }
    }
}

impl PartialEq for RobotState {
    fn eq(&self, other: &Self) -> bool {
        let words = |r: &Self| (r.station, r.flags, r.contacts);
        self.floats() == other.floats()
            && words(self) == words(other)
            && self.station_m == other.station_m
            && self.drive.travel_m == other.drive.travel_m
            && self.commands == other.commands
            && self.previous == other.previous
    }
}

impl RobotState {
    #[inline]
    pub(crate) fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    #[inline]
    pub(crate) fn set(&mut self, flag: u8, on: bool) {
        self.flags = if on { self.flags | flag } else { self.flags & !flag };
    }

    /// Recomputes all that follows from the rest.
    pub(crate) fn refresh(&mut self, plan: &Robot) {
        let (sin, cos) = math::sin_cos(self.heading_rad);
        self.forward = Vec2::new(cos, sin);
        self.refresh_gaze(plan.head);
        self.battery_v = plan.terminal_v(self);
    }

    /// Recomputes where the head looks.
    #[inline]
    pub(crate) fn refresh_gaze(&mut self, head: Option<(u8, f32)>) {
        self.gaze = match head {
            Some((channel, span)) => {
                let pan = self.previous[usize::from(channel & 15)] * span;
                if pan == 0.0 {
                    self.forward
                } else {
                    let (sin, cos) = math::sin_cos(pan);
                    self.forward.turned(Vec2::new(cos, sin))
                }
            }
            None => self.forward,
        };
    }

    /// The numbers of this state in a fixed order, for hashing and writing.
    pub(crate) fn floats(&self) -> [f32; 15] {
        [
            self.at.x,
            self.at.y,
            self.heading_rad,
            self.speed_m_s,
            self.turn_rad_s,
            self.accel.x,
            self.accel.y,
            self.soc,
            self.charge_a,
            self.net_a,
            self.sag_a,
            self.effort,
            self.drive.wheels_m_s[0],
            self.drive.wheels_m_s[1],
            self.drive.steer_rad,
        ]
    }
}

/// The whole dynamic state of a world at a tick.
///
/// Nothing in it but the tick matters for random draws.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldState {
    pub(crate) identity: u64,
    pub(crate) tick: Tick,
    pub(crate) lights_on: u32,
    pub(crate) fields_on: u32,
    pub(crate) robots: Vec<RobotState>,
    pub(crate) stations: Vec<StationDynamics>,
}

impl WorldState {
    /// The tick it was taken at.
    pub fn tick(&self) -> Tick {
        self.tick
    }

    /// Hash of everything in it.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.word(self.identity);
        hash.word(self.tick.0);
        hash.word(u64::from(self.lights_on) << 32 | u64::from(self.fields_on));
        for robot in &self.robots {
            for value in robot.floats() {
                hash.float(value);
            }
            hash.float(robot.station_m);
            hash.word(
                u64::from(robot.station)
                    | u64::from(robot.flags) << 8
                    | u64::from(robot.contacts) << 16,
            );
            for travel in robot.drive.travel_m {
                hash.word(travel.to_bits());
            }
            for value in robot.commands.iter().chain(&robot.previous) {
                hash.float(*value);
            }
        }
        for station in &self.stations {
            hash.word(station.state as u64 | u64::from(station.is_on) << 8);
            hash.word(station.since.0);
            for v in [station.contact.x, station.contact.y, station.facing.x, station.facing.y] {
                hash.float(v);
            }
        }
        hash.value()
    }
}

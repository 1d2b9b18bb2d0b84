//! Writing and reading world states.
//!
//! Layout, little-endian: mark `TRPW`, version u16, 0 u16, length of all u32, identity u64, tick
//! u64, lights u32, fields u32, number of robots u32, number of stations u32, robots, stations,
//! FNV-1a 64 over all before it.

use alloc::vec::Vec;
use tropism_core::hash::fnv1a_64;
use tropism_core::{Tick, math};

use crate::error::StateError;
use crate::geometry::Vec2;
use crate::state::{RobotState, WorldState};
use crate::station::{StationDynamics, StationState};

const MARK: [u8; 4] = *b"TRPW";
const VERSION: u16 = 1;
const HEAD: usize = 44;
const ROBOT: usize = 16 * 4 + 4 + 2 * 8 + 32 * 4;
const STATION: usize = 8 + 8 + 4 * 4;

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], StateError> {
        let part = self.bytes.get(self.at..self.at + N).ok_or(StateError::Length)?;
        self.at += N;
        let mut out = [0; N];
        out.copy_from_slice(part);
        Ok(out)
    }

    fn u8(&mut self) -> Result<u8, StateError> {
        Ok(self.take::<1>()?[0])
    }

    fn u16(&mut self) -> Result<u16, StateError> {
        Ok(u16::from_le_bytes(self.take()?))
    }

    fn u32(&mut self) -> Result<u32, StateError> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    fn u64(&mut self) -> Result<u64, StateError> {
        Ok(u64::from_le_bytes(self.take()?))
    }

    fn f32(&mut self) -> Result<f32, StateError> {
        let value = f32::from_le_bytes(self.take()?);
        if value.is_finite() { Ok(value) } else { Err(StateError::Value) }
    }

    fn vec2(&mut self) -> Result<Vec2, StateError> {
        Ok(Vec2::new(self.f32()?, self.f32()?))
    }

    fn share(&mut self) -> Result<f32, StateError> {
        let value = self.f32()?;
        if (0.0..=1.0).contains(&value) { Ok(value) } else { Err(StateError::Value) }
    }
}

impl WorldState {
    /// The state as bytes, independent of the machine.
    pub fn to_bytes(&self) -> Vec<u8> {
        let length = HEAD + self.robots.len() * ROBOT + self.stations.len() * STATION + 8;
        let mut out = Vec::with_capacity(length);
        out.extend(MARK);
        out.extend(VERSION.to_le_bytes());
        out.extend([0, 0]);
        out.extend((length as u32).to_le_bytes());
        out.extend(self.identity.to_le_bytes());
        out.extend(self.tick.0.to_le_bytes());
        for word in
            [self.lights_on, self.fields_on, self.robots.len() as u32, self.stations.len() as u32]
        {
            out.extend(word.to_le_bytes());
        }
        for robot in &self.robots {
            for value in robot.floats() {
                out.extend(value.to_le_bytes());
            }
            // The distance is infinite where there is no station; it is written as 0 then.
            let distance = if robot.station_m.is_finite() { robot.station_m } else { 0.0 };
            out.extend(distance.to_le_bytes());
            out.extend([robot.station, robot.flags]);
            out.extend(robot.contacts.to_le_bytes());
            for travel in robot.drive.travel_m {
                out.extend(travel.to_le_bytes());
            }
            for value in robot.commands.iter().chain(&robot.previous) {
                out.extend(value.to_le_bytes());
            }
        }
        for station in &self.stations {
            out.extend([station.state as u8, u8::from(station.is_on), 0, 0, 0, 0, 0, 0]);
            out.extend(station.since.0.to_le_bytes());
            for v in [station.contact.x, station.contact.y, station.facing.x, station.facing.y] {
                out.extend(v.to_le_bytes());
            }
        }
        let sum = fnv1a_64(&out);
        out.extend(sum.to_le_bytes());
        out
    }

    /// Reads a state written by [`Self::to_bytes`].
    ///
    /// # Errors
    /// [`StateError`] for foreign, cut off, damaged or impossible contents; whether it belongs to a
    /// world is checked by [`crate::World::restore`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StateError> {
        let mut reader = Reader { bytes, at: 0 };
        if reader.take::<4>().ok() != Some(MARK) {
            return Err(StateError::Foreign);
        }
        let version = reader.u16()?;
        if version != VERSION {
            return Err(StateError::Version(version));
        }
        let _ = reader.u16()?;
        if reader.u32()? as usize != bytes.len() || bytes.len() < HEAD + 8 {
            return Err(StateError::Length);
        }
        let (body, sum) = bytes.split_at(bytes.len() - 8);
        if fnv1a_64(body).to_le_bytes() != *sum {
            return Err(StateError::Corrupt);
        }
        let identity = reader.u64()?;
        let tick = Tick(reader.u64()?);
        let (lights_on, fields_on) = (reader.u32()?, reader.u32()?);
        let (robots, stations) = (reader.u32()? as usize, reader.u32()? as usize);
        let wanted = robots
            .checked_mul(ROBOT)
            .and_then(|n| n.checked_add(stations.checked_mul(STATION)?))
            .and_then(|n| n.checked_add(HEAD + 8));
        if wanted != Some(bytes.len()) {
            return Err(StateError::Length);
        }
        let robots = (0..robots).map(|_| robot(&mut reader, stations)).collect::<Result<_, _>>()?;
        let stations =
            (0..stations).map(|_| station(&mut reader, tick)).collect::<Result<_, _>>()?;
        Ok(Self { identity, tick, lights_on, fields_on, robots, stations })
    }
}

fn robot(reader: &mut Reader<'_>, stations: usize) -> Result<RobotState, StateError> {
    let mut state = RobotState { at: reader.vec2()?, ..RobotState::default() };
    state.heading_rad = reader.f32()?;
    if !(-math::PI..math::PI).contains(&state.heading_rad) {
        return Err(StateError::Value);
    }
    state.speed_m_s = reader.f32()?;
    state.turn_rad_s = reader.f32()?;
    state.accel = reader.vec2()?;
    state.soc = reader.share()?;
    state.charge_a = reader.f32()?;
    state.net_a = reader.f32()?;
    state.sag_a = reader.f32()?;
    state.effort = reader.f32()?;
    state.drive.wheels_m_s = [reader.f32()?, reader.f32()?];
    state.drive.steer_rad = reader.f32()?;
    let distance = reader.f32()?;
    state.station = reader.u8()?;
    state.flags = reader.u8()?;
    state.contacts = reader.u16()?;
    let has_station = usize::from(state.station) < stations;
    if !(has_station || state.station == u8::MAX) {
        return Err(StateError::Value);
    }
    state.station_m = if has_station { distance } else { f32::INFINITY };
    for travel in &mut state.drive.travel_m {
        *travel = f64::from_le_bytes(reader.take()?);
        if !travel.is_finite() {
            return Err(StateError::Value);
        }
    }
    for value in state.commands.iter_mut().chain(&mut state.previous) {
        *value = reader.f32()?;
    }
    Ok(state)
}

fn station(reader: &mut Reader<'_>, tick: Tick) -> Result<StationDynamics, StateError> {
    let state = match reader.u8()? {
        0 => StationState::Idle,
        1 => StationState::Charging,
        2 => StationState::Full,
        _ => return Err(StateError::Value),
    };
    let is_on = reader.u8()? != 0;
    let _ = reader.take::<6>()?;
    let since = Tick(reader.u64()?);
    if since > tick {
        return Err(StateError::Value);
    }
    Ok(StationDynamics { state, since, contact: reader.vec2()?, facing: reader.vec2()?, is_on })
}

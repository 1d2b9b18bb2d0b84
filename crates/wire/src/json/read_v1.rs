//! Version 1: the file of the reference engine.
//!
//! It holds the values of the needs and both memories. Missing numbers take the reference's
//! defaults; keys of no meaning here are passed over, as the reference does. Unlike the reference,
//! a number that is not finite or of another type refuses the file.
//!
//! # Source
//! Reference engine, life-state format and restore rules.

use tropism_body::{MAX_ACTUATORS, MAX_SENSORS};
use tropism_core::{FixedList, Name, Tick, math};
use tropism_organism::NEEDS;
use tropism_organism::contingency::{Entry, SLOTS as ENTRIES};
use tropism_organism::spatial::{Place, SLOTS as PLACES};

use super::read_v2::{hexadecimal, needs};
use super::reader::Reader;
use crate::error::{LifeStateError, Reason};
use crate::life::{LifeState, Parts};

type Read<T = ()> = Result<T, LifeStateError>;

/// Milliseconds per tick of the reference.
const TICK_MS: u64 = 50;

pub(crate) fn read(text: &str, life: &mut LifeState) -> Read<Parts> {
    life.version = 1;
    let mut parts = Parts { age: false, ..Parts::VERSION_1 };
    life.needs_given = 0;
    life.fingerprint = 0;
    let mut has = [false; 3];
    let mut reader = Reader::new(text);
    reader.object(&mut |r, key| {
        let section = ["physiology", "contingency", "spatial"].iter().position(|s| *s == key);
        if let Some(section) = section {
            if has[section] {
                return Err(r.error(Reason::Duplicate));
            }
            has[section] = true;
        }
        match key {
            "age_ms" => {
                life.state.age = Tick(r.whole(u64::from(u32::MAX))? / TICK_MS);
                parts.age = true;
            }
            "channel_fingerprint" => life.fingerprint = hexadecimal(r, 8)? as u32,
            "physiology" => {
                life.needs_given = needs(r, &mut life.state.physiology.values, false)?;
                life.state.physiology.values = life.state.physiology.values.map(math::unit);
            }
            "contingency" => r.array(&mut |r, index| {
                let entry = entry(r, &mut life.actuators, &mut life.sensors)?;
                if index as usize >= ENTRIES {
                    return Err(r.error(Reason::TooMany(ENTRIES as u32)));
                }
                // In a file of this version the place in the list stands for the slot.
                life.state.contingency.put_at(index as usize, entry);
                Ok(())
            })?,
            "spatial" => r.array(&mut |r, index| {
                let place = place(r, &mut life.sensors)?;
                if index as usize >= PLACES {
                    return Err(r.error(Reason::TooMany(PLACES as u32)));
                }
                life.state.spatial.put_at(index as usize, place);
                Ok(())
            })?,
            _ => r.skip()?,
        }
        Ok(())
    })?;
    for (name, has) in ["physiology", "contingency", "spatial"].into_iter().zip(has) {
        if !has {
            return Err(LifeStateError::whole(Reason::MissingKey(name)));
        }
    }
    life.size_to_channels();
    Ok(parts)
}

/// Index of a channel by name, listed at its first mention.
fn listed<const N: usize>(
    r: &Reader<'_>,
    names: &mut FixedList<Name, N>,
    key: &str,
) -> Read<usize> {
    let name = Name::new(key).map_err(|_reason| r.error(Reason::BadName))?;
    if let Some(index) = names.iter().position(|known| *known == name) {
        return Ok(index);
    }
    names.push(name).map_err(|_name| r.error(Reason::TooMany(N as u32)))?;
    Ok(names.len() - 1)
}

fn symbols<const N: usize>(
    r: &mut Reader<'_>,
    names: &mut FixedList<Name, N>,
    is_change: bool,
) -> Read<u32> {
    let (mut code, mut seen) = (0, 0_u32);
    r.object(&mut |r, key| {
        let index = listed(r, names, key)?;
        if seen & (1 << index) != 0 {
            return Err(r.error(Reason::Duplicate));
        }
        seen |= 1 << index;
        let symbol = if is_change { r.direction()? } else { r.whole(3)? as u32 };
        code |= symbol << (2 * index);
        Ok(())
    })?;
    Ok(code)
}

fn entry(
    r: &mut Reader<'_>,
    actuators: &mut FixedList<Name, MAX_ACTUATORS>,
    sensors: &mut FixedList<Name, MAX_SENSORS>,
) -> Read<Entry> {
    let mut e =
        Entry { action: 0, sensors: 0, context: 0, strength: 0.0, relief: 0.0, age_ticks: 0 };
    r.object(&mut |r, key| {
        match key {
            "actuators" => e.action = symbols(r, actuators, true)?,
            "sensors" => e.sensors = symbols(r, sensors, true)?,
            "ctx_hash" => e.context = r.whole(63)? as u8,
            "strength" => e.strength = r.float()?,
            "mean_drive_delta" => e.relief = r.float()?,
            "age" => e.age_ticks = r.whole(u64::from(u16::MAX))? as u16,
            _ => r.skip()?,
        }
        Ok(())
    })?;
    Ok(e)
}

fn place(r: &mut Reader<'_>, sensors: &mut FixedList<Name, MAX_SENSORS>) -> Read<Place> {
    let mut place = Place { signature: 0, visits: 1, age_ticks: 0, improvement: [0.0; NEEDS] };
    r.object(&mut |r, key| {
        match key {
            "sensors" => place.signature = symbols(r, sensors, false)?,
            "visit_count" => place.visits = r.whole(u64::from(u32::MAX))? as u32,
            "age" => place.age_ticks = r.whole(u64::from(u16::MAX))? as u16,
            "drive_improvement" => needs(r, &mut place.improvement, false).map(|_| ())?,
            _ => r.skip()?,
        }
        Ok(())
    })?;
    Ok(place)
}

//! Version 2: every key required, none unknown.

use tropism_body::{MAX_ACTUATORS, MAX_SENSORS};
use tropism_core::{FixedList, Name, Seed, Tick, TimeStep};
use tropism_organism::contingency::{Contingency, Entry, SLOTS as ENTRIES};
use tropism_organism::physiology::Physiology;
use tropism_organism::spatial::{Place, SLOTS as PLACES, Spatial};
use tropism_organism::{NEEDS, Need};

use super::read::Outline;
use super::read_reflexes::reflexes;
use super::reader::{Keys, Reader, nearest};
use crate::error::{LifeStateError, Reason};
use crate::life::{LifeState, Parts, Streams};

type Read<T = ()> = Result<T, LifeStateError>;

const TOP: [&str; 14] = [
    "format",
    "version",
    "body",
    "channel_fingerprint",
    "actuators",
    "sensors",
    "step_s",
    "age_ticks",
    "streams",
    "senses",
    "physiology",
    "contingency",
    "spatial",
    "reflexes",
];

pub(crate) fn read(text: &str, outline: &Outline, life: &mut LifeState) -> Read<Parts> {
    for (key, position) in [("actuators", outline.actuators), ("sensors", outline.sensors)] {
        let Some(position) = position else {
            return Err(LifeStateError::whole(Reason::MissingKey(key)));
        };
        let mut reader = Reader::value_at(text, key, position);
        if key == "actuators" {
            life.actuators = names::<MAX_ACTUATORS>(&mut reader)?;
        } else {
            life.sensors = names::<MAX_SENSORS>(&mut reader)?;
        }
    }
    life.size_to_channels();
    let mut keys = Keys::new(TOP);
    let mut exploration = Keys::new(["exploration"]);
    let mut reader = Reader::new(text);
    reader.object(&mut |r, key| {
        if key == "exploration" {
            exploration.take(r, key)?;
            return floats(r, &life.actuators, &mut life.state.noise);
        }
        match TOP[keys.take(r, key)?] {
            "format" if r.string()? != crate::FORMAT => Err(r.error(Reason::Format)),
            "version" | "actuators" | "sensors" => r.skip(),
            "format" => Ok(()),
            "senses" => {
                let senses = &mut life.state.senses;
                levels(r, &life.sensors, &mut senses.levels, &mut senses.valid)
            }
            "physiology" => physiology(r, &life.sensors, &mut life.state.physiology),
            "contingency" => contingency(r, life),
            "spatial" => spatial(r, &life.sensors, &mut life.state.spatial),
            "reflexes" => reflexes(r, life),
            other => header(r, other, life),
        }
    })?;
    keys.finish(&reader)?;
    exploration.finish(&reader)?;
    if life.fingerprint != life.listed_fingerprint() {
        let path = format_args!("channel_fingerprint");
        return Err(LifeStateError::at(Reason::Fingerprint, path));
    }
    Ok(Parts::ALL)
}

fn header(r: &mut Reader<'_>, key: &str, life: &mut LifeState) -> Read {
    match key {
        "body" => life.body = name(r)?,
        "channel_fingerprint" => life.fingerprint = hexadecimal(r, 8)? as u32,
        "step_s" => life.step = step(r)?,
        "age_ticks" => life.state.age = Tick(r.whole(u64::MAX)?),
        _ => life.streams = Some(streams(r)?),
    }
    Ok(())
}

fn name(r: &mut Reader<'_>) -> Read<Name> {
    let text = r.string()?;
    Name::new(text).map_err(|_reason| r.error(Reason::BadName))
}

fn names<const N: usize>(r: &mut Reader<'_>) -> Read<FixedList<Name, N>> {
    let mut list = FixedList::<Name, N>::new();
    r.array(&mut |r, _| {
        let name = name(r)?;
        if list.contains(&name) {
            return Err(r.error(Reason::Duplicate));
        }
        list.push(name).map_err(|_name| r.error(Reason::TooMany(N as u32)))
    })?;
    Ok(list)
}

pub(crate) fn hexadecimal(r: &mut Reader<'_>, digits: usize) -> Read<u64> {
    let text = r.string()?;
    let is_plain = text.len() == digits && text.bytes().all(|b| b.is_ascii_hexdigit());
    match u64::from_str_radix(text, 16) {
        Ok(value) if is_plain => Ok(value),
        _ => Err(r.error(Reason::Expected("hexadecimal digits, 8 or 16"))),
    }
}

fn step(r: &mut Reader<'_>) -> Read<TimeStep> {
    let mut parts = [0; 2];
    let mut count = 0;
    r.array(&mut |r, index| {
        let Some(part) = parts.get_mut(index as usize) else {
            return Err(r.error(Reason::TooMany(2)));
        };
        *part = r.whole(u64::from(u32::MAX))? as u32;
        count = index + 1;
        Ok(())
    })?;
    match TimeStep::new(parts[0], parts[1]) {
        Ok(step) if count == 2 => Ok(step),
        _ => Err(r.error(Reason::Expected("a step of 10 us to 1 s as [numerator, denominator]"))),
    }
}

fn streams(r: &mut Reader<'_>) -> Read<Streams> {
    const KEYS: [&str; 2] = ["seed", "robot"];
    let mut keys = Keys::new(KEYS);
    let mut streams = Streams { seed: Seed(0), robot: 0 };
    r.object(&mut |r, key| {
        match KEYS[keys.take(r, key)?] {
            "seed" => streams.seed = Seed(hexadecimal(r, 16)?),
            _ => streams.robot = r.whole(u64::from(u32::MAX))? as u32,
        }
        Ok(())
    })?;
    keys.finish(r)?;
    Ok(streams)
}

/// An object keyed by channels. `each` gets the index of the channel.
pub(crate) fn by_channel<'a>(
    r: &mut Reader<'a>,
    names: &[Name],
    is_complete: bool,
    each: &mut dyn FnMut(&mut Reader<'a>, usize) -> Read,
) -> Read {
    let mut seen = 0_u32;
    r.object(&mut |r, key| {
        let Some(index) = names.iter().position(|name| name.as_str() == key) else {
            return Err(r.error(Reason::UnknownChannel));
        };
        if seen & (1 << index) != 0 {
            return Err(r.error(Reason::Duplicate));
        }
        seen |= 1 << index;
        each(r, index)
    })?;
    for (i, name) in names.iter().enumerate() {
        if is_complete && seen & (1 << i) == 0 {
            return Err(r.error(Reason::MissingChannel(*name)));
        }
    }
    Ok(())
}

pub(crate) fn floats(r: &mut Reader<'_>, names: &[Name], values: &mut [f32]) -> Read {
    by_channel(r, names, true, &mut |r, i| {
        values[i] = r.float()?;
        Ok(())
    })
}

fn set_bit(bits: &mut u16, index: usize, value: bool) {
    *bits = (*bits & !(1 << index)) | (u16::from(value) << index);
}

fn levels(r: &mut Reader<'_>, names: &[Name], values: &mut [f32], valid: &mut u16) -> Read {
    const KEYS: [&str; 2] = ["level", "valid"];
    by_channel(r, names, true, &mut |r, i| {
        let mut keys = Keys::new(KEYS);
        r.object(&mut |r, key| {
            match KEYS[keys.take(r, key)?] {
                "level" => values[i] = r.float()?,
                _ => set_bit(valid, i, r.truth()?),
            }
            Ok(())
        })?;
        keys.finish(r)
    })
}

pub(crate) fn changes(r: &mut Reader<'_>, names: &[Name]) -> Read<u32> {
    let mut code = 0;
    by_channel(r, names, false, &mut |r, i| {
        code |= r.direction()? << (2 * i);
        Ok(())
    })?;
    Ok(code)
}

fn quarters(r: &mut Reader<'_>, names: &[Name]) -> Read<u32> {
    let mut signature = 0;
    by_channel(r, names, true, &mut |r, i| {
        signature |= (r.whole(3)? as u32) << (2 * i);
        Ok(())
    })?;
    Ok(signature)
}

fn need_names() -> [&'static str; NEEDS] {
    Need::ALL.map(Need::name)
}

/// An object keyed by needs. Returns those given, as bits.
pub(crate) fn needs(r: &mut Reader<'_>, values: &mut [f32; NEEDS], is_complete: bool) -> Read<u8> {
    let mut seen = 0;
    r.object(&mut |r, key| {
        let Some(index) = Need::ALL.iter().position(|need| need.name() == key) else {
            return Err(r.error(Reason::UnknownContext(nearest(&need_names(), key))));
        };
        if seen & (1 << index) != 0 {
            return Err(r.error(Reason::Duplicate));
        }
        seen |= 1 << index;
        values[index] = r.float()?;
        Ok(())
    })?;
    for need in Need::ALL {
        if is_complete && seen & (1 << need as u8) == 0 {
            return Err(r.error(Reason::MissingKey(need.name())));
        }
    }
    Ok(seen)
}

fn physiology(r: &mut Reader<'_>, sensors: &[Name], p: &mut Physiology) -> Read {
    const KEYS: [&str; 8] =
        ["needs", "drives", "distance", "fuzz", "activity", "spike", "usual_activity", "channels"];
    let mut keys = Keys::new(KEYS);
    r.object(&mut |r, key| {
        match KEYS[keys.take(r, key)?] {
            "needs" => needs(r, &mut p.values, true).map(|_| ())?,
            "drives" => needs(r, &mut p.drives, true).map(|_| ())?,
            "distance" => p.distance = r.float()?,
            "fuzz" => p.fuzz = r.float()?,
            "activity" => p.activity = r.float()?,
            "spike" => p.spike = r.float()?,
            "usual_activity" => p.activity_average = r.float()?,
            _ => by_channel(r, sensors, true, &mut |r, i| adaptation(r, i, p))?,
        }
        Ok(())
    })?;
    keys.finish(r)
}

fn adaptation(r: &mut Reader<'_>, i: usize, p: &mut Physiology) -> Read {
    const KEYS: [&str; 5] = ["previous", "velocity", "jitter", "habituation", "has_previous"];
    let mut keys = Keys::new(KEYS);
    r.object(&mut |r, key| {
        match KEYS[keys.take(r, key)?] {
            "previous" => p.previous[i] = r.float()?,
            "velocity" => p.velocity[i] = r.float()?,
            "jitter" => p.jitter[i] = r.float()?,
            "habituation" => p.habituation[i] = r.float()?,
            _ => set_bit(&mut p.has_previous, i, r.truth()?),
        }
        Ok(())
    })?;
    keys.finish(r)
}

fn contingency(r: &mut Reader<'_>, life: &mut LifeState) -> Read {
    const KEYS: [&str; 4] = ["surprise", "latest", "previous", "entries"];
    let mut keys = Keys::new(KEYS);
    let (actuators, sensors) = (life.actuators, life.sensors);
    let c = &mut life.state.contingency;
    r.object(&mut |r, key| {
        match KEYS[keys.take(r, key)?] {
            "surprise" => c.surprise = r.float()?,
            "latest" => latest(r, c, &actuators, &sensors)?,
            "previous" => previous(r, c, &actuators, &sensors)?,
            _ => r.array(&mut |r, _| {
                let (slot, entry) = entry(r, &actuators, &sensors)?;
                if c.is_occupied(slot) {
                    return Err(r.error(Reason::Duplicate));
                }
                c.put_at(slot, entry);
                Ok(())
            })?,
        }
        Ok(())
    })?;
    keys.finish(r)
}

fn latest(r: &mut Reader<'_>, c: &mut Contingency, actuators: &[Name], sensors: &[Name]) -> Read {
    const KEYS: [&str; 4] = ["actuators", "sensors", "slot", "relief"];
    let mut keys = Keys::new(KEYS);
    r.object(&mut |r, key| {
        match KEYS[keys.take(r, key)?] {
            "actuators" => c.latest.0 = changes(r, actuators)?,
            "sensors" => c.latest.1 = changes(r, sensors)?,
            "slot" if r.null() => c.latest_slot = None,
            "slot" => c.latest_slot = Some(r.whole(ENTRIES as u64 - 1)? as u8),
            _ => c.latest_relief = r.float()?,
        }
        Ok(())
    })?;
    keys.finish(r)
}

fn previous(r: &mut Reader<'_>, c: &mut Contingency, actuators: &[Name], sensors: &[Name]) -> Read {
    const KEYS: [&str; 4] = ["actuators", "sensors", "distance", "is_known"];
    let mut keys = Keys::new(KEYS);
    r.object(&mut |r, key| {
        match KEYS[keys.take(r, key)?] {
            "actuators" => floats(r, actuators, &mut c.previous_actuators)?,
            "sensors" => levels(r, sensors, &mut c.previous_levels, &mut c.previous_valid)?,
            "distance" => c.previous_distance = r.float()?,
            _ => c.has_previous = r.truth()?,
        }
        Ok(())
    })?;
    keys.finish(r)
}

fn entry(r: &mut Reader<'_>, actuators: &[Name], sensors: &[Name]) -> Read<(usize, Entry)> {
    const KEYS: [&str; 7] =
        ["slot", "actuators", "sensors", "context", "strength", "relief", "age_ticks"];
    let mut keys = Keys::new(KEYS);
    let mut slot = 0;
    let mut e =
        Entry { action: 0, sensors: 0, context: 0, strength: 0.0, relief: 0.0, age_ticks: 0 };
    r.object(&mut |r, key| {
        match KEYS[keys.take(r, key)?] {
            "slot" => slot = r.whole(ENTRIES as u64 - 1)? as usize,
            "actuators" => e.action = changes(r, actuators)?,
            "sensors" => e.sensors = changes(r, sensors)?,
            "context" => e.context = context(r)?,
            "strength" => e.strength = r.float()?,
            "relief" => e.relief = r.float()?,
            _ => e.age_ticks = r.whole(u64::from(u16::MAX))? as u16,
        }
        Ok(())
    })?;
    keys.finish(r)?;
    Ok((slot, e))
}

fn context(r: &mut Reader<'_>) -> Read<u8> {
    let mut bits = 0;
    r.array(&mut |r, _| {
        let word = r.string()?;
        let Some(index) = Need::ALL.iter().position(|need| need.name() == word) else {
            return Err(r.error(Reason::UnknownContext(nearest(&need_names(), word))));
        };
        if bits & (1 << index) != 0 {
            return Err(r.error(Reason::Duplicate));
        }
        bits |= 1 << index;
        Ok(())
    })?;
    Ok(bits)
}

fn spatial(r: &mut Reader<'_>, sensors: &[Name], s: &mut Spatial) -> Read {
    const KEYS: [&str; 4] = ["here", "previous_drives", "is_previous_known", "places"];
    let mut keys = Keys::new(KEYS);
    r.object(&mut |r, key| {
        match KEYS[keys.take(r, key)?] {
            "here" => s.here = quarters(r, sensors)?,
            "previous_drives" => needs(r, &mut s.previous_drives, true).map(|_| ())?,
            "is_previous_known" => s.has_previous = r.truth()?,
            _ => r.array(&mut |r, _| {
                let (slot, place) = place(r, sensors)?;
                if s.is_occupied(slot) {
                    return Err(r.error(Reason::Duplicate));
                }
                s.put_at(slot, place);
                Ok(())
            })?,
        }
        Ok(())
    })?;
    keys.finish(r)
}

fn place(r: &mut Reader<'_>, sensors: &[Name]) -> Read<(usize, Place)> {
    const KEYS: [&str; 5] = ["slot", "sensors", "visits", "age_ticks", "improvement"];
    let mut keys = Keys::new(KEYS);
    let mut slot = 0;
    let mut place = Place { signature: 0, visits: 0, age_ticks: 0, improvement: [0.0; NEEDS] };
    r.object(&mut |r, key| {
        match KEYS[keys.take(r, key)?] {
            "slot" => slot = r.whole(PLACES as u64 - 1)? as usize,
            "sensors" => place.signature = quarters(r, sensors)?,
            "visits" => place.visits = r.whole(u64::from(u32::MAX))? as u32,
            "age_ticks" => place.age_ticks = r.whole(u64::from(u16::MAX))? as u16,
            _ => needs(r, &mut place.improvement, true).map(|_| ())?,
        }
        Ok(())
    })?;
    keys.finish(r)?;
    Ok((slot, place))
}

//! The reflexes of a version 2 document.

use tropism_core::Name;
use tropism_organism::reflex::{Connection, Reflex};

use super::read_v2::{by_channel, floats};
use super::reader::{Keys, Reader, nearest};
use super::{CONSTANT, CONTEXT_NAMES};
use crate::error::{LifeStateError, Reason};
use crate::life::LifeState;

type Read<T = ()> = Result<T, LifeStateError>;

pub(crate) fn reflexes(r: &mut Reader<'_>, life: &mut LifeState) -> Read {
    const KEYS: [&str; 9] = [
        "means",
        "inputs",
        "gates",
        "reward_mean",
        "reward_variance",
        "advantage",
        "previous_distance",
        "is_previous_known",
        "connections",
    ];
    let mut keys = Keys::new(KEYS);
    let (actuators, sensors) = (life.actuators, life.sensors);
    let reflex = &mut life.state.reflex;
    r.object(&mut |r, key| {
        match KEYS[keys.take(r, key)?] {
            "means" => floats(r, &sensors, &mut reflex.means)?,
            "inputs" => {
                let x = &mut reflex.x;
                by_input(r, &sensors, true, &mut |r, i| {
                    x[i] = r.float()?;
                    Ok(())
                })?;
            }
            "gates" => {
                let gates = &mut reflex.gates;
                by_context(r, &mut |r, k| {
                    gates[k] = r.float()?;
                    Ok(())
                })?;
            }
            "reward_mean" => reflex.reward_mean = r.float()?,
            "reward_variance" => reflex.reward_variance = r.float()?,
            "advantage" => reflex.advantage = r.float()?,
            "previous_distance" => reflex.previous_distance = r.float()?,
            "is_previous_known" => reflex.has_previous = r.truth()?,
            _ => by_context(r, &mut |r, k| {
                by_input(r, &sensors, false, &mut |r, i| {
                    by_channel(r, &actuators, false, &mut |r, j| connection(r, reflex, [k, i, j]))
                })
            })?,
        }
        Ok(())
    })?;
    keys.finish(r)
}

fn by_context<'a>(
    r: &mut Reader<'a>,
    each: &mut dyn FnMut(&mut Reader<'a>, usize) -> Read,
) -> Read {
    let mut keys = Keys::new(CONTEXT_NAMES);
    r.object(&mut |r, key| {
        if !CONTEXT_NAMES.contains(&key) {
            return Err(r.error(Reason::UnknownContext(nearest(&CONTEXT_NAMES, key))));
        }
        let index = keys.take(r, key)?;
        each(r, index)
    })?;
    keys.finish(r)
}

/// An object keyed by sensors and the constant input, whose index is the number of sensors.
fn by_input<'a>(
    r: &mut Reader<'a>,
    sensors: &[Name],
    is_complete: bool,
    each: &mut dyn FnMut(&mut Reader<'a>, usize) -> Read,
) -> Read {
    let mut seen = 0_u32;
    r.object(&mut |r, key| {
        let index = if key == CONSTANT {
            sensors.len()
        } else {
            let found = sensors.iter().position(|name| name.as_str() == key);
            found.ok_or_else(|| r.error(Reason::UnknownChannel))?
        };
        if seen & (1 << index) != 0 {
            return Err(r.error(Reason::Duplicate));
        }
        seen |= 1 << index;
        each(r, index)
    })?;
    if is_complete && seen.count_ones() as usize != sensors.len() + 1 {
        return Err(r.error(Reason::MissingKey("one per sensor, and `1`")));
    }
    Ok(())
}

fn connection(r: &mut Reader<'_>, reflex: &mut Reflex, [k, i, j]: [usize; 3]) -> Read {
    let mut count = 0;
    r.array(&mut |r, index| {
        let weight = r.float()?;
        let c = Connection { context: k as u8, input: i as u8, output: j as u8, weight };
        match index {
            0 => reflex.set_weight(c),
            1 => reflex.set_trace(c),
            _ => return Err(r.error(Reason::TooMany(2))),
        }
        count = index + 1;
        Ok(())
    })?;
    if count == 2 { Ok(()) } else { Err(r.error(Reason::Expected("a weight and a trace"))) }
}

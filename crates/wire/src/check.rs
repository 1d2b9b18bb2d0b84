//! Bounds of every number in a life state.
//!
//! The bounds are those of the model for any parameter set that the parameter tables allow and
//! whose bands have a lower end below the upper one; a living organism cannot leave them.

use core::fmt;

use tropism_organism::contingency::{Contingency, SLOTS as ENTRIES};
use tropism_organism::physiology::Physiology;
use tropism_organism::reflex::Reflex;
use tropism_organism::spatial::{SLOTS as PLACES, Spatial};
use tropism_organism::{NEEDS, Need};

use crate::error::{LifeStateError, Reason};
use crate::life::LifeState;

type Checked = Result<(), LifeStateError>;

/// Largest drive: the whole range over the narrowest band.
const DRIVE_MAX: f32 = 2e6;
/// Largest homeostatic distance: five squared drives.
const DISTANCE_MAX: f32 = 2e13;
/// Largest variance of a reward.
const VARIANCE_MAX: f32 = 1e28;
const WEIGHT_MAX: f32 = 1000.0;
/// Traces and inputs: bounded by exploration times input, both far below.
const TRACE_MAX: f32 = 1e9;
const NOISE_MAX: f32 = 1e6;
const MEAN_MAX: f32 = 1e9;

fn within(value: f32, lo: f32, hi: f32, path: fmt::Arguments<'_>) -> Checked {
    if !value.is_finite() {
        Err(LifeStateError::at(Reason::NotFinite, path))
    } else if value < lo || value > hi {
        Err(LifeStateError::at(Reason::OutOfRange { lo, hi }, path))
    } else {
        Ok(())
    }
}

fn needs(values: &[f32; NEEDS], lo: f32, hi: f32, path: &str) -> Checked {
    for (need, value) in Need::ALL.iter().zip(values) {
        within(*value, lo, hi, format_args!("{path}.{}", need.name()))?;
    }
    Ok(())
}

/// No symbol 3 and no bit beyond the channels.
fn code(value: u32, channels: usize, has_three: bool, path: fmt::Arguments<'_>) -> Checked {
    let is_beyond = channels < 16 && value >> (2 * channels) != 0;
    let is_both = !has_three && value & (value >> 1) & 0x5555_5555 != 0;
    if is_beyond || is_both { Err(LifeStateError::at(Reason::Code, path)) } else { Ok(()) }
}

fn bits(value: u16, channels: usize, path: &str) -> Checked {
    if channels < 16 && value >> channels != 0 {
        return Err(LifeStateError::at(Reason::Code, format_args!("{path}")));
    }
    Ok(())
}

/// Checks every number of a life state.
pub(crate) fn check(life: &LifeState) -> Checked {
    let s = &life.state;
    let (sensors, actuators) = (life.sensors.len(), life.actuators.len());
    for (name, level) in life.sensors.iter().zip(&s.senses.levels) {
        within(*level, 0.0, 1.0, format_args!("senses.{name}.level"))?;
    }
    bits(s.senses.valid, sensors, "senses")?;
    physiology(life, &s.physiology)?;
    contingency(life, &s.contingency)?;
    spatial(&s.spatial, sensors)?;
    reflexes(life, &s.reflex)?;
    for (name, noise) in life.actuators.iter().zip(&s.noise).take(actuators) {
        within(*noise, -NOISE_MAX, NOISE_MAX, format_args!("exploration.{name}"))?;
    }
    Ok(())
}

fn physiology(life: &LifeState, p: &Physiology) -> Checked {
    needs(&p.values, 0.0, 1.0, "physiology.needs")?;
    needs(&p.drives, 0.0, DRIVE_MAX, "physiology.drives")?;
    for (name, value, hi) in [
        ("distance", p.distance, DISTANCE_MAX),
        ("fuzz", p.fuzz, 10.0),
        ("activity", p.activity, 4.0),
        ("spike", p.spike, 4.0),
        ("usual_activity", p.activity_average, 4.0),
    ] {
        within(value, 0.0, hi, format_args!("physiology.{name}"))?;
    }
    for (i, name) in life.sensors.iter().enumerate() {
        for (what, value, lo, hi) in [
            ("previous", p.previous[i], 0.0, 1.0),
            ("velocity", p.velocity[i], -1.0, 1.0),
            ("jitter", p.jitter[i], 0.0, 4.0),
            ("habituation", p.habituation[i], 0.0, 1.0),
        ] {
            within(value, lo, hi, format_args!("physiology.channels.{name}.{what}"))?;
        }
    }
    bits(p.has_previous, life.sensors.len(), "physiology.channels")
}

fn contingency(life: &LifeState, c: &Contingency) -> Checked {
    let (sensors, actuators) = (life.sensors.len(), life.actuators.len());
    within(c.surprise, 0.0, 1.0, format_args!("contingency.surprise"))?;
    let relief = c.latest_relief;
    within(relief, -DISTANCE_MAX, DISTANCE_MAX, format_args!("contingency.latest.relief"))?;
    code(c.latest.0, actuators, false, format_args!("contingency.latest.actuators"))?;
    code(c.latest.1, sensors, false, format_args!("contingency.latest.sensors"))?;
    let distance = c.previous_distance;
    within(distance, 0.0, DISTANCE_MAX, format_args!("contingency.previous.distance"))?;
    for (name, value) in life.actuators.iter().zip(&c.previous_actuators) {
        let path = format_args!("contingency.previous.actuators.{name}");
        within(*value, f32::MIN, f32::MAX, path)?;
    }
    for (name, level) in life.sensors.iter().zip(&c.previous_levels) {
        let path = format_args!("contingency.previous.sensors.{name}.level");
        within(*level, 0.0, 1.0, path)?;
    }
    bits(c.previous_valid, sensors, "contingency.previous.sensors")?;
    for slot in 0..ENTRIES {
        let Some(e) = c.entry(slot) else { continue };
        let at = "contingency.entries, slot";
        code(e.action, actuators, false, format_args!("{at} {slot}: actuators"))?;
        code(e.sensors, sensors, false, format_args!("{at} {slot}: sensors"))?;
        within(f32::from(e.context), 0.0, 63.0, format_args!("{at} {slot}: context"))?;
        within(e.strength, 0.0, 1.0, format_args!("{at} {slot}: strength"))?;
        let path = format_args!("{at} {slot}: relief");
        within(e.relief, -DISTANCE_MAX, DISTANCE_MAX, path)?;
    }
    Ok(())
}

fn spatial(s: &Spatial, sensors: usize) -> Checked {
    code(s.here, sensors, true, format_args!("spatial.here"))?;
    needs(&s.previous_drives, 0.0, DRIVE_MAX, "spatial.previous_drives")?;
    for slot in 0..PLACES {
        let Some(place) = s.place(slot) else { continue };
        code(place.signature, sensors, true, format_args!("spatial.places, slot {slot}"))?;
        for (need, value) in Need::ALL.iter().zip(&place.improvement) {
            let name = need.name();
            let path = format_args!("spatial.places, slot {slot}: improvement.{name}");
            within(*value, -DRIVE_MAX, DRIVE_MAX, path)?;
        }
    }
    Ok(())
}

fn reflexes(life: &LifeState, r: &Reflex) -> Checked {
    for (i, name) in life.sensors.iter().enumerate() {
        within(r.means[i], -MEAN_MAX, MEAN_MAX, format_args!("reflexes.means.{name}"))?;
    }
    for (i, x) in r.x.iter().enumerate().take(r.inputs()) {
        within(*x, -MEAN_MAX, MEAN_MAX, format_args!("reflexes.inputs[{i}]"))?;
    }
    for (i, gate) in r.gates.iter().enumerate() {
        within(*gate, 0.0, 1.0, format_args!("reflexes.gates[{i}]"))?;
    }
    for (name, value, lo, hi) in [
        ("reward_mean", r.reward_mean, -DISTANCE_MAX, DISTANCE_MAX),
        ("reward_variance", r.reward_variance, 0.0, VARIANCE_MAX),
        ("advantage", r.advantage, -1000.0, 1000.0),
        ("previous_distance", r.previous_distance, 0.0, DISTANCE_MAX),
    ] {
        within(value, lo, hi, format_args!("reflexes.{name}"))?;
    }
    for (k, context) in crate::json::CONTEXT_NAMES.iter().enumerate() {
        for i in 0..r.inputs() {
            for (j, output) in life.actuators.iter().enumerate() {
                let input = life.sensors.get(i).map_or("1", |name| name.as_str());
                let path = format_args!("reflexes.connections.{context}.{input}.{output}");
                within(r.weight(k, i, j), -WEIGHT_MAX, WEIGHT_MAX, path)?;
                within(r.trace(k, i, j), -TRACE_MAX, TRACE_MAX, path)?;
            }
        }
    }
    Ok(())
}

//! The body schema: what the creature has found out about its own body, beside what is so.
//!
//! Terms: the *learned coupling* of an actuator and a sensor is the strength-weighted share of
//! contingency entries in which both changed, signed by whether they changed alike; the *true
//! coupling* is the correlation of their changes in the noise-free world under motor babbling.

use serde::{Deserialize, Serialize};
use tropism_body::{BodySpec, Command};
use tropism_core::{Purpose, Seed, Tick};
use tropism_organism::contingency::Entry;
use tropism_organism::reflex::CONTEXTS;
use tropism_organism::{Need, Organism, code, context_of};
use tropism_scenario::{MindSpec, Scenario};
use tropism_world::WorldError;

use crate::run::Run;

const BABBLE: Purpose = Purpose::named("lab.babbling");

/// A matrix of couplings, one row per actuator, one column per sensor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Couplings {
    /// Actuator names.
    pub actuators: Vec<String>,
    /// Sensor names.
    pub sensors: Vec<String>,
    /// Values in [−1, 1], row by row.
    pub values: Vec<f64>,
}

/// One remembered contingency in channel names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedEntry {
    /// What the actuators did, such as `stepper_left+`.
    pub actions: Vec<String>,
    /// What the sensors did after it.
    pub sensors: Vec<String>,
    /// Needs at or above one half.
    pub needs: Vec<String>,
    /// Reliability.
    pub strength: f64,
    /// Mean fall of the homeostatic distance.
    pub relief: f64,
}

/// Contingencies kept of a run, the strongest first.
const STRONGEST: usize = 12;

/// Gathers what contingency memories hold over a run.
///
/// Entries fade within half a minute, and a robot with an empty battery lies still for longer than
/// that before its life ends: the memory at the end tells nothing of the body. So the memory is
/// read once a minute, and every reading counts.
#[derive(Clone, Debug, Default)]
pub struct SchemaMeter {
    total: f64,
    sums: Couplings,
    strongest: Vec<(Entry, f32)>,
}

impl SchemaMeter {
    /// Seconds between two readings.
    pub const EVERY_S: f64 = 60.0;

    /// Reads the memory as it is now.
    pub fn read(&mut self, organism: &Organism) {
        let body = organism.body();
        if self.sums.values.is_empty() {
            self.sums = empty(body);
        }
        let memory = &organism.state().contingency;
        let sensors = body.sensors.len();
        for entry in memory.slots().filter_map(|slot| memory.entry(slot)) {
            let strength = f64::from(entry.strength);
            self.total += strength;
            for a in 0..body.actuators.len() {
                let did = code::direction(entry.action, a);
                if did == 0 {
                    continue;
                }
                let row = &mut self.sums.values[a * sensors..(a + 1) * sensors];
                for (s, sum) in row.iter_mut().enumerate() {
                    let signs = did * code::direction(entry.sensors, s);
                    if signs != 0 {
                        *sum += strength * f64::from(signs);
                    }
                }
            }
            if entry.action != 0 && entry.sensors != 0 {
                self.keep(entry);
            }
        }
    }

    /// Keeps an entry if it is among the strongest; the same contingency once, at its strongest.
    fn keep(&mut self, entry: Entry) {
        // One that is weaker than all of a full list can be neither new to it nor stronger there.
        let is_full = self.strongest.len() == STRONGEST;
        if is_full && self.strongest.last().is_some_and(|(_, least)| entry.strength <= *least) {
            return;
        }
        let key = |e: &Entry| (e.action, e.sensors, e.context);
        match self.strongest.iter_mut().find(|(e, _)| key(e) == key(&entry)) {
            Some(known) if known.1 < entry.strength => *known = (entry, entry.strength),
            Some(_) => {}
            None => self.strongest.push((entry, entry.strength)),
        }
        self.strongest.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.strongest.truncate(STRONGEST);
    }

    /// Mean couplings over all readings; empty without any.
    pub fn learned(&self) -> Couplings {
        let mut couplings = self.sums.clone();
        if self.total > 0.0 {
            couplings.values.iter_mut().for_each(|v| *v /= self.total);
        }
        couplings
    }

    /// The strongest contingencies of all readings in the channel names of a body.
    pub fn strongest(&self, body: &BodySpec) -> Vec<NamedEntry> {
        self.strongest.iter().map(|(entry, _)| named(entry, body)).collect()
    }
}

fn named(e: &Entry, body: &BodySpec) -> NamedEntry {
    let signed = |name: &str, direction: i8| match direction {
        1 => Some(format!("{name}+")),
        -1 => Some(format!("{name}-")),
        _ => None,
    };
    NamedEntry {
        actions: (body.actuators.iter().enumerate())
            .filter_map(|(i, a)| signed(a.name.as_str(), code::direction(e.action, i)))
            .collect(),
        sensors: (body.sensors.iter().enumerate())
            .filter_map(|(i, s)| signed(s.name.as_str(), code::direction(e.sensors, i)))
            .collect(),
        needs: (Need::ALL.iter())
            .filter(|n| e.context & (1 << (**n as usize)) != 0)
            .map(|n| n.name().to_owned())
            .collect(),
        strength: f64::from(e.strength),
        relief: f64::from(e.relief),
    }
}

fn empty(body: &BodySpec) -> Couplings {
    Couplings {
        actuators: body.actuators.iter().map(|a| a.name.as_str().to_owned()).collect(),
        sensors: body.sensors.iter().map(|s| s.name.as_str().to_owned()).collect(),
        values: vec![0.0; body.actuators.len() * body.sensors.len()],
    }
}

/// Mean of couplings over the same channels; `None` without any.
pub fn average(all: &[&Couplings]) -> Option<Couplings> {
    let first = all.first()?;
    let mut mean = Couplings { values: vec![0.0; first.values.len()], ..(*first).clone() };
    for couplings in all {
        for (sum, value) in mean.values.iter_mut().zip(&couplings.values) {
            *sum += value / all.len() as f64;
        }
    }
    Some(mean)
}

/// Correlation of two couplings over their cells; `None` when their shapes differ or one of them
/// is the same everywhere.
pub fn correlation(a: &Couplings, b: &Couplings) -> Option<f64> {
    if a.values.len() != b.values.len() {
        return None;
    }
    let mut pair = Pair::default();
    a.values.iter().zip(&b.values).for_each(|(x, y)| pair.add(*x, *y));
    let is_varied = |c: &Couplings| c.values.iter().any(|v| (v - c.values[0]).abs() > 1e-12);
    (is_varied(a) && is_varied(b)).then(|| pair.correlation())
}

/// What is so: the first robot of the scenario babbles in the noise-free world.
///
/// # Errors
/// [`WorldError`] when the world cannot be built.
pub fn measured(scenario: &Scenario, seed: Seed, minutes: u32) -> Result<Couplings, WorldError> {
    let mut quiet = scenario.clone();
    quiet.world.has_noise = false;
    // A battery that empties would end the babbling.
    quiet.world.robots.iter_mut().for_each(|r| r.plan.battery.capacity_ah = 1e6);
    let mut run = Run::new(&quiet, &[MindSpec::DoNothing], seed)?;
    let body = run.robots()[0].body;
    let (na, ns) = (body.actuators.len(), body.sensors.len());
    let mut sums = vec![Pair::default(); na * ns];
    let mut old: Option<(Vec<f32>, Vec<Option<f32>>)> = None;
    let streams: Vec<_> = (0..na).map(|a| seed.stream(BABBLE, 0, a as u32)).collect();
    let ticks = quiet.step.ticks_in(60.0 * f64::from(minutes));
    let hold = quiet.step.ticks_in(0.4).max(1);
    for t in 0..ticks {
        let mut command = Command::new();
        for (a, stream) in streams.iter().enumerate() {
            let spec = body.actuators[a];
            let wish = stream.at(Tick(t / hold)).between(spec.min, spec.max);
            command.write(a, wish);
        }
        run.tick_with(|_, robot| robot.command = command);
        let robot = &run.robots()[0];
        let sensors: Vec<_> = robot.percept.readings.iter().map(|r| r.value()).collect();
        if let Some((a_old, s_old)) = &old {
            // Sensors at this tick show what the actuators did in the tick before.
            for a in 0..na {
                let da = f64::from(robot.percept.actuators[a].value - a_old[a]);
                for s in 0..ns {
                    if let (Some(new), Some(old)) = (sensors[s], s_old[s]) {
                        sums[a * ns + s].add(da, f64::from(new - old));
                    }
                }
            }
        }
        let felt = robot.percept.actuators.iter().map(|a| a.value).collect();
        old = Some((felt, sensors));
    }
    let mut couplings = empty(&body);
    couplings.values = sums.iter().map(Pair::correlation).collect();
    Ok(couplings)
}

#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    n: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Pair {
    fn add(&mut self, x: f64, y: f64) {
        self.n += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    fn correlation(&self) -> f64 {
        if self.n < 2.0 {
            return 0.0;
        }
        let covariance = self.xy - self.x * self.y / self.n;
        let spread = (self.xx - self.x * self.x / self.n) * (self.yy - self.y * self.y / self.n);
        if spread > 1e-12 { covariance / tropism_core::math::f64::sqrt(spread) } else { 0.0 }
    }
}

/// What the safety context would drive the wheels with while something bumps, mean of both.
///
/// Negative is backing away. `None` for a body without a bump sensor.
pub fn safety_push(organism: &Organism, wheels: (usize, usize)) -> Option<f64> {
    let body = organism.body();
    let bump = body.sensor("bump").or_else(|| body.sensor("touch_bump"))?;
    let context = usize::from(context_of(Need::Safety));
    debug_assert!(context < CONTEXTS);
    let reflex = &organism.state().reflex;
    let constant = reflex.inputs() - 1;
    let bumped = 1.0 - reflex.means[bump];
    let push = |wheel: usize| {
        reflex.weight(context, constant, wheel) + bumped * reflex.weight(context, bump, wheel)
    };
    Some(f64::from(push(wheels.0) + push(wheels.1)) / 2.0)
}

//! Lives with made-up senses.
#![allow(dead_code, reason = "each test binary uses its own part")]

use tropism_body::{ActuatorBank, BodySpec, Command, Controller, Percept, Reading, presets};
use tropism_core::{Draws, Purpose, Seed, StateHash, Tick, TimeStep};
use tropism_organism::contingency::Entry;
use tropism_organism::reflex::{CONTEXTS, Connection};
use tropism_organism::spatial::Place;
use tropism_organism::{Organism, OrganismConfig, OrganismState};

pub(crate) const STEP: TimeStep = TimeStep::TWENTIETH;

pub(crate) fn draws(seed: u64) -> Draws {
    Seed(seed).stream(Purpose::named("test"), 0, 0).at(Tick(0))
}

/// An organism, its actuators and a world without sense: readings drift, jump and drop out.
#[derive(Clone)]
pub(crate) struct Life {
    pub(crate) organism: Organism,
    pub(crate) bank: ActuatorBank,
    pub(crate) tick: u64,
    pub(crate) hash: StateHash,
}

impl Life {
    pub(crate) fn new(body: &BodySpec, seed: u64) -> Self {
        Self {
            organism: Organism::new(body, STEP, OrganismConfig::default(), Seed(seed), 3),
            bank: ActuatorBank::new(body, STEP),
            tick: 0,
            hash: StateHash::new(),
        }
    }

    pub(crate) fn reference(seed: u64) -> Self {
        Self::new(&presets::reference_simulator(), seed)
    }

    pub(crate) fn live(&mut self, ticks: u64) -> &mut Self {
        for _ in 0..ticks {
            let tick = Tick(self.tick);
            let mut percept = Percept { tick, ..Percept::default() };
            let world = Seed(77).stream(Purpose::named("world"), 0, 0);
            let mut draws = world.at(tick);
            for i in 0..self.organism.body().sensors.len() {
                let slow = (self.tick / (40 + 13 * i as u64) % 7) as f32 / 7.0;
                let felt = 0.2 * self.bank.value(i % self.bank.count()).abs();
                let value = slow + felt + 0.02 * draws.signed_uniform();
                let reading = match draws.below(50) {
                    0 => Reading::Missing,
                    1 => Reading::Held { value, age_ticks: 2 },
                    _ => Reading::Fresh(value),
                };
                let _ = percept.readings.push(reading);
            }
            self.bank.feel_into(tick, &mut percept);
            let mut command = Command::new();
            self.organism.step(&percept, &mut command);
            command.hash_into(&mut self.hash);
            self.bank.apply(&command, tick);
            self.tick += 1;
        }
        self
    }
}

pub(crate) fn json(organism: &Organism) -> String {
    let mut text = String::new();
    tropism_wire::write_json(organism, &mut text).unwrap();
    text
}

/// Both memories, all maps and all numbers filled with draws of the whole allowed width.
pub(crate) fn scramble(organism: &mut Organism, seed: u64) {
    let d = &mut draws(seed);
    let mut s: OrganismState = *organism.state();
    let (sensors, actuators) = (organism.body().sensors.len(), organism.body().actuators.len());
    s.age = Tick(d.next_u64() >> d.below(64));
    for i in 0..sensors {
        s.physiology.jitter[i] = d.uniform();
        s.physiology.habituation[i] = d.uniform() * 1e-30;
        s.physiology.velocity[i] = d.signed_uniform();
        s.physiology.previous[i] = d.uniform();
        s.senses.levels[i] = d.uniform();
        s.reflex.means[i] = d.signed_uniform();
        s.reflex.x[i] = -0.0;
    }
    s.physiology.values = core::array::from_fn(|_| d.uniform());
    s.senses.valid = d.next_u32() as u16 & (((1_u32 << sensors) - 1) as u16);
    let code =
        |d: &mut Draws, n: usize| (0..n).fold(0_u32, |code, i| code | (d.below(3) << (2 * i)));
    for slot in 0..256 {
        let (action, sensors) = (code(d, actuators), code(d, sensors));
        let (context, age_ticks) = (d.below(64) as u8, d.next_u32() as u16);
        let (strength, relief) = (d.uniform(), float(d));
        s.contingency.put_at(slot, Entry { action, sensors, context, strength, relief, age_ticks });
    }
    for slot in 0..32 {
        let signature = if sensors == 16 { d.next_u32() } else { d.below(1 << (2 * sensors)) };
        let improvement = core::array::from_fn(|_| d.signed_uniform() * 1e-4);
        let (visits, age_ticks) = (d.next_u32(), d.next_u32() as u16);
        s.spatial.put_at(slot, Place { signature, visits, age_ticks, improvement });
    }
    for context in 0..CONTEXTS as u8 {
        for input in 0..=sensors as u8 {
            for output in 0..actuators as u8 {
                let weight = float(d) * 1e-2;
                s.reflex.set_weight(Connection { context, input, output, weight });
                let weight = float(d);
                s.reflex.set_trace(Connection { context, input, output, weight });
            }
        }
    }
    organism.restore(&s);
}

/// Any sign and digits, magnitudes from subnormal to 1e4.
fn float(d: &mut Draws) -> f32 {
    loop {
        let value = f32::from_bits(d.next_u32());
        if value.is_finite() && value.abs() < 1e4 {
            return value;
        }
    }
}

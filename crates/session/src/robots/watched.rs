//! The inside of an organism.

use tropism_organism::code::direction;
use tropism_organism::contingency::SLOTS as CONTINGENCIES;
use tropism_organism::reflex::CONTEXTS;
use tropism_organism::spatial::SLOTS as PLACES;
use tropism_organism::{NEEDS, Organism};
use tropism_wire::session::{
    ActuatorDecision, ContingencyEntry, ContingencyFrame, NeedFrame, OrganismFrame, PlaceFrame,
    RecallFrame, ReflexFrame,
};

use crate::robots::why::why;

/// Most contingencies in a frame.
const SHOWN_MAX: usize = 64;

fn directions(code: u32, channels: usize) -> Vec<i8> {
    (0..channels).map(|c| direction(code, c)).collect()
}

pub(crate) fn organism(o: &Organism) -> OrganismFrame {
    let (s, d) = (o.state(), o.decision());
    let p = &s.physiology;
    let actuators = o.body().actuators.len();
    let decision = |j: usize| ActuatorDecision {
        reflex: d.reflex[j],
        explore: d.explore[j],
        bias: d.bias[j],
        keep: d.keep,
        target: d.target[j],
    };
    OrganismFrame {
        age_ticks: s.age.0,
        needs: (0..NEEDS).map(|i| NeedFrame { value: p.values[i], drive: p.drives[i] }).collect(),
        distance: p.distance,
        fuzz: p.fuzz,
        surprise: s.contingency.surprise,
        activity: p.activity,
        startle: p.spike,
        reward: s.contingency.latest_relief,
        decision: (0..actuators).map(decision).collect(),
        nudge: d.nudge,
        recall: d.recall.map(|r| RecallFrame {
            action: directions(r.action, actuators),
            confidence: r.confidence,
        }),
        why: why(o),
    }
}

pub(crate) fn contingency(o: &Organism) -> ContingencyFrame {
    let memory = &o.state().contingency;
    let mut entries: Vec<_> = memory.slots().filter_map(|slot| memory.entry(slot)).collect();
    // The order of slots breaks ties, so that equal states give equal frames.
    entries.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    let (actuators, sensors) = (o.body().actuators.len(), o.body().sensors.len());
    let entries = entries.iter().take(SHOWN_MAX).map(|e| ContingencyEntry {
        action: directions(e.action, actuators),
        sensors: directions(e.sensors, sensors),
        context: e.context.into(),
        strength: e.strength,
        relief: e.relief,
        age_ticks: e.age_ticks.into(),
    });
    ContingencyFrame {
        count: memory.count() as u32,
        capacity: CONTINGENCIES as u32,
        entries: entries.collect(),
    }
}

pub(crate) fn places(o: &Organism) -> Vec<PlaceFrame> {
    let s = o.state();
    let sensors = o.body().sensors.len();
    let place = |slot: usize| match s.spatial.place(slot) {
        None => PlaceFrame {
            is_occupied: false,
            is_here: false,
            visits: 0,
            age_ticks: 0,
            score: 0.0,
            levels: Vec::new(),
        },
        Some(place) => PlaceFrame {
            is_occupied: true,
            is_here: place.signature == s.spatial.here,
            visits: place.visits,
            age_ticks: place.age_ticks.into(),
            score: (s.physiology.drives.iter().zip(&place.improvement)).map(|(d, i)| d * i).sum(),
            levels: (0..sensors).map(|i| (place.signature >> (2 * i) & 3) as u8).collect(),
        },
    };
    (0..PLACES).map(place).collect()
}

pub(crate) fn reflex(o: &Organism) -> ReflexFrame {
    let r = &o.state().reflex;
    let weights = |context: usize, output: usize| {
        (0..r.inputs()).map(|input| r.weight(context, input, output)).collect()
    };
    let outputs = |context: usize| (0..r.outputs()).map(|j| weights(context, j)).collect();
    ReflexFrame {
        gates: r.gates.to_vec(),
        inputs: r.x[..r.inputs()].to_vec(),
        weights: (0..CONTEXTS).map(outputs).collect(),
    }
}

//! A mind in a frame.

use tropism_body::Controller as _;
use tropism_lab::script::ScriptError;
use tropism_lab::{MachineMind, Mind};
use tropism_wire::session::{
    Fault, MachineFrame, MindFrame, NamedValue, Part, Place, ReactiveFrame, ScriptFrame,
};

use crate::robots::Robots;
use crate::robots::keeper::Values;
use crate::robots::watched;
use crate::table::Watch;

/// What a script did wrong, as a fault with its place.
pub(crate) fn script_fault(error: &ScriptError) -> Fault {
    let place = Place {
        file: error.file.clone(),
        line: error.line,
        column: error.column,
        text: error.what.clone(),
    };
    Fault { what: error.to_string(), places: vec![place] }
}

fn machine(mind: &MachineMind) -> MachineFrame {
    let (machine, state) = (mind.machine(), mind.state());
    let ways = machine.states.get(usize::from(state.state())).map(|s| s.leave.as_slice());
    let condition = |i: usize| state.holds(i as u8);
    let is_open = |needs: u32, forbids: u32| {
        (0..32).all(|i| {
            let bit = 1 << i;
            (needs & bit == 0 || condition(i)) && (forbids & bit == 0 || !condition(i))
        })
    };
    let mut possible: Vec<String> = Vec::new();
    for way in ways.unwrap_or_default() {
        let event = way.event.and_then(|e| machine.events.get(usize::from(e)));
        if let Some(event) = event
            && is_open(way.needs, way.forbids)
            && !possible.contains(event)
        {
            possible.push(event.clone());
        }
    }
    let mut values = Values::default();
    mind.observe(&mut values);
    let values: Vec<NamedValue> = values.0.iter().filter_map(plain_name).collect();
    MachineFrame {
        state: state.state().into(),
        ticks_in_state: state.ticks_in_state().into(),
        possible,
        values,
    }
}

/// `signal_NAME` and `memory_NAME` under their own names; the rest has fields of its own.
fn plain_name(value: &NamedValue) -> Option<NamedValue> {
    let name = value.name.strip_prefix("signal_").or_else(|| value.name.strip_prefix("memory_"))?;
    Some(NamedValue { name: name.to_owned(), value: value.value })
}

impl Robots {
    pub(crate) fn mind_frame(&self, robot: usize, watch: &Watch) -> MindFrame {
        match &self.run.robots()[robot].mind {
            Mind::Organism(o) => MindFrame::Organism {
                state: watch.has(Part::Organism).then(|| Box::new(watched::organism(o))),
                contingency: watch.has(Part::Contingency).then(|| watched::contingency(o)),
                places: watch.has(Part::Places).then(|| watched::places(o)),
                reflex: watch.has(Part::Reflex).then(|| watched::reflex(o)),
            },
            Mind::Machine(mind) => MindFrame::Machine { machine: machine(mind) },
            Mind::Script(mind) => MindFrame::Script {
                script: ScriptFrame {
                    memory: mind.memory_json(),
                    failure: mind.failure().map(script_fault),
                },
            },
            Mind::Reactive(mind) => {
                let mut values = Values::default();
                mind.observe(&mut values);
                MindFrame::Reactive { reactive: ReactiveFrame { values: values.0 } }
            }
            _ => MindFrame::Plain,
        }
    }
}

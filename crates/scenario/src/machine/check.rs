//! What is wrong with a machine whose parts are each in order.
//!
//! Terms: a *ring* is a list of states each of which leads to the next and the last to the first; a
//! ring *chatters* when small noise, or none at all, drives a machine round it within a few ticks.
//!
//! Model: over the inputs of its conditions every guard holds in a box (an interval per input). A
//! ring of transitions without a time of its own chatters when the boxes of all of them share a
//! point. Where a condition and its opposite occur in one ring, the machine must cross the gap of
//! that condition's pair of thresholds each time round: a gap holds noise off, no gap does not.
//!
//! What it does not do: inputs count as independent of each other, so a ring that only a relation
//! between inputs breaks is refused too.

use tropism_reactive::machine::{Op, Side};

use crate::machine::{Machine, WayOut};
use crate::reader::Reader;

/// Longest ring that is looked at.
const RING_MAX: usize = 4;
/// Shortest time that keeps a ring from chattering, s.
const STEADY_S: f64 = 0.1;

/// Checks states and rings; faults go to the reader's document.
pub(crate) fn machine(r: &Reader<'_>, states: &[Reader<'_>], machine: &Machine) {
    reachable(states, machine);
    for (i, state) in states.iter().enumerate() {
        way_out(state, machine, i);
        shadowed(state, machine, i);
    }
    unused(r, machine);
    for start in 0..machine.states.len() {
        let mut ring = Vec::new();
        rings(states, machine, start, start, &mut ring);
    }
}

fn reachable(readers: &[Reader<'_>], machine: &Machine) {
    let mut found = vec![false; machine.states.len()];
    let mut open = vec![usize::from(machine.start)];
    while let Some(i) = open.pop() {
        let Some(state) = machine.states.get(i).filter(|_| !found[i]) else { continue };
        found[i] = true;
        open.extend(state.leave.iter().map(|w| usize::from(w.to)));
        open.extend(state.limit.iter().map(|(_, to)| usize::from(*to)));
    }
    for (i, state) in machine.states.iter().enumerate() {
        if !found[i] {
            let what = format!("`{}` is dead: nothing leads to it", state.name);
            readers[i].fault("name", what, "give another state a way to it, or leave it out");
        }
    }
}

fn way_out(r: &Reader<'_>, machine: &Machine, i: usize) {
    let state = &machine.states[i];
    let name = &state.name;
    let by_itself = state.leave.iter().any(|w| w.event.is_none()) || state.limit.is_some();
    if state.is_final {
        if by_itself {
            let what = format!("`{name}` is final but leaves by itself");
            r.fault("final", what, "give it events only, or drop `final`");
        }
        return;
    }
    if state.leave.is_empty() && state.limit.is_none() {
        let right = "give it a way out under `leave`, a `limit`, or `final = true`";
        r.fault("name", format!("`{name}` has no way out"), right);
        return;
    }
    if state.limit.is_none() && state.may_last.as_ref().is_none_or(|why| why.trim().is_empty()) {
        let right =
            "give limit = { s = 3, to = \"…\" }, or may_last = \"why it waits for nothing\"";
        r.fault("name", format!("`{name}` has no time limit"), right);
    }
    if let Some((s, _)) = state.limit {
        if state.may_last.is_some() {
            r.fault("may_last", format!("`{name}` has a limit and may last"), "drop one of them");
        }
        if s <= state.minimum_s {
            let what = format!("the limit {s} s is not above minimum_s {} s", state.minimum_s);
            r.fault("limit", what, "swap them: the limit is the longer one");
        }
    }
    let to_itself = state.leave.iter().any(|w| usize::from(w.to) == i)
        || state.limit.is_some_and(|(_, to)| usize::from(to) == i);
    if to_itself {
        let right = "it would start its time again and wait for ever; lead elsewhere";
        r.fault("name", format!("`{name}` leads to itself"), right);
    }
}

fn shadowed(r: &Reader<'_>, machine: &Machine, i: usize) {
    let ways = &machine.states[i].leave;
    let readers = r.tables("leave");
    for (j, way) in ways.iter().enumerate() {
        let covers = |earlier: &&WayOut| {
            (earlier.event.is_none() || earlier.event == way.event)
                && earlier.needs & !way.needs == 0
                && earlier.forbids & !way.forbids == 0
                && (way.event.is_none()
                    || machine.states[i].minimum_s == 0.0
                    || earlier.event.is_some())
        };
        if let (Some(earlier), Some(reader)) = (ways[..j].iter().find(covers), readers.get(j)) {
            let guard = machine.guard(earlier);
            let what = format!("this way out is never taken: `{guard}` comes before it");
            reader.fault("to", what, "put it first, or leave it out");
        }
    }
}

fn unused(r: &Reader<'_>, machine: &Machine) {
    let ways = || machine.states.iter().flat_map(|s| s.leave.iter());
    let used = ways().fold(0_u32, |mask, w| mask | w.needs | w.forbids);
    let readers = r.tables("condition");
    for (i, condition) in machine.conditions.iter().enumerate() {
        if used & (1 << i) == 0
            && let Some(reader) = readers.get(i)
        {
            let what = format!("condition `{}` guards nothing", condition.name);
            reader.fault("name", what, "use it, or leave it out");
        }
    }
    for (i, (event, span)) in machine.events.iter().zip(r.words("events")).enumerate() {
        if !ways().any(|w| w.event == Some(i as u8)) {
            let path = format!("events[{i}]");
            let what = format!("event `{event}` fires nothing");
            r.doc.fault(&span.1, &path, what, "use it, or leave it out");
        }
    }
}

/// Looks at every ring of states that begins at `start`, its smallest number.
fn rings<'m>(
    readers: &[Reader<'_>],
    machine: &'m Machine,
    start: usize,
    here: usize,
    ring: &mut Vec<(usize, &'m WayOut)>,
) {
    let state = &machine.states[here];
    if ring.len() >= RING_MAX || state.minimum_s >= STEADY_S {
        return;
    }
    for way in state.leave.iter().filter(|w| w.event.is_none()) {
        let next = usize::from(way.to);
        if next < start || ring.iter().any(|(i, _)| *i == next) && next != start {
            continue;
        }
        ring.push((here, way));
        if next == start {
            if let Some(why) = chatters(machine, ring) {
                let names: Vec<&str> =
                    ring.iter().map(|(i, _)| machine.states[*i].name.as_str()).collect();
                let what = format!("{} → {} can chatter: {why}", names.join(" → "), names[0]);
                let right = "give the condition a pair of thresholds with a gap, or a state of \
                             the ring minimum_s of 0.1 or more";
                readers[start].fault("name", what, right);
            }
        } else {
            rings(readers, machine, start, next, ring);
        }
        ring.pop();
    }
}

/// Where a guard part holds.
fn interval(machine: &Machine, i: usize, holds: bool) -> (f32, f32) {
    let c = &machine.conditions[i];
    match (c.side, holds) {
        (Side::Below, true) => (f32::NEG_INFINITY, c.leave),
        (Side::Below, false) => (c.enter, f32::INFINITY),
        (Side::Above, true) => (c.leave, f32::INFINITY),
        (Side::Above, false) => (f32::NEG_INFINITY, c.enter),
    }
}

/// Why a ring chatters, if it does.
fn chatters(machine: &Machine, ring: &[(usize, &WayOut)]) -> Option<String> {
    let needs = ring.iter().fold(0, |mask, (_, w)| mask | w.needs);
    let forbids = ring.iter().fold(0, |mask, (_, w)| mask | w.forbids);
    let used = |mask: u32| (0..machine.conditions.len()).filter(move |i| mask & (1 << i) != 0);
    // Each input, the interval in which all guards hold, and the conditions on it.
    let mut boxes: Vec<(Op, f32, f32, Vec<usize>)> = Vec::new();
    for i in used(needs | forbids) {
        let c = &machine.conditions[i];
        let flips = needs & forbids & (1 << i) != 0;
        let (lo, hi) = if flips {
            if c.enter != c.leave && !c.input_jumps {
                return None;
            }
            (c.enter, c.enter)
        } else {
            interval(machine, i, needs & (1 << i) != 0)
        };
        match boxes.iter_mut().find(|b| b.0 == c.input) {
            Some(b) => {
                b.1 = b.1.max(lo);
                b.2 = b.2.min(hi);
                b.3.push(i);
            }
            None => boxes.push((c.input, lo, hi, vec![i])),
        }
    }
    if boxes.iter().any(|b| b.1 > b.2) {
        return None;
    }
    // A point where they only touch needs noise each time round; a confirmation holds that off.
    let is_slow = |b: &(Op, f32, f32, Vec<usize>)| {
        b.1 == b.2 && b.3.iter().any(|i| machine.conditions[*i].confirm_s >= STEADY_S)
    };
    if boxes.iter().any(is_slow) {
        return None;
    }
    let touching = boxes.iter().find(|b| b.1 == b.2).or(boxes.first())?;
    let name = &machine.conditions[*touching.3.first()?].input_name;
    Some(if touching.1 == touching.2 {
        format!("noise around {name} = {} drives it round", touching.1)
    } else {
        format!(
            "with {name} between {} and {} every guard holds; are the thresholds swapped?",
            touching.1, touching.2
        )
    })
}

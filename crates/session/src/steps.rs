//! Steps made in slices, so that a leaf can look at what else it is asked meanwhile.
//!
//! Terms: the *asker* is whoever sent a request, by a number of the leaf's own; a *slice* is as
//! many ticks as the leaf has time for. While a step is under way its asker's later requests
//! *wait*, in their order, so that they mean what they would have meant after it; those of others
//! are carried out in between, but for steps, which wait too. `pause` never waits: it ends the step
//! under way at the tick that is reached, and those that wait. Loads, seeks and resets of others
//! end it too.
//!
//! A step that comes to its last tick is answered as [`Session::handle`] answers it; one that is
//! ended before is refused, with the number of ticks that were made.
//!
//! What it does not do: it reads no clock; the leaf says whether there is time.

use alloc::collections::VecDeque;

use tropism_wire::session::{Command, Fault, Message, Outcome, Request};

use crate::session::Session;
use crate::table::fault;

/// Ticks made between two looks at the clock.
const LOOK_TICKS: u64 = 8;

/// Most requests that wait for a step.
pub const WAITING_MAX: usize = 256;

/// When a request is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Now.
    Now,
    /// When the step under way is over; the request is kept until then.
    Later,
    /// Never: too many wait already.
    Full,
}

#[derive(Debug)]
struct Step {
    asker: u64,
    id: u32,
    /// Ticks left, and ticks asked for.
    left: u64,
    of: u32,
    /// Number of the stage, and count of what ends steps, when it began.
    version: u32,
    ends: u32,
}

/// A step under way and what waits for its end.
#[derive(Debug, Default)]
pub struct Steps {
    under_way: Option<Step>,
    waiting: VecDeque<(u64, String)>,
}

fn command(text: &str) -> Option<(u32, Command)> {
    let Request { id, command } = serde_json::from_str(text).ok()?;
    Some((id, command))
}

impl Steps {
    /// A step is under way.
    pub const fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// Says when a request is carried out, and keeps one whose turn comes later.
    pub fn admit(&mut self, asker: u64, text: &str) -> Turn {
        let Some(step) = &self.under_way else { return Turn::Now };
        let is_behind =
            step.asker == asker || self.waiting.iter().any(|(other, _)| *other == asker);
        let turn = match command(text) {
            Some((_, Command::Pause)) => Turn::Now,
            Some((_, Command::Step { .. })) => Turn::Later,
            _ if is_behind => Turn::Later,
            _ => Turn::Now,
        };
        if turn == Turn::Later {
            if self.waiting.len() >= WAITING_MAX {
                return Turn::Full;
            }
            self.waiting.push_back((asker, text.to_owned()));
        }
        turn
    }

    /// Begins the step that a request asks for; false when it asks for something else or the step
    /// is to be refused: then [`Session::handle`] has the answer.
    pub fn begin(&mut self, asker: u64, request: &Request, session: &Session) -> bool {
        let Command::Step { ticks } = request.command else { return false };
        if self.under_way.is_some() || session.check_step(ticks).is_err() {
            return false;
        }
        self.under_way = Some(Step {
            asker,
            id: request.id,
            left: ticks.into(),
            of: ticks,
            version: session.stage_version(),
            ends: session.ends(),
        });
        true
    }

    /// Makes ticks of the step under way while there is time; true when it is over.
    pub fn go_on(&mut self, session: &mut Session, mut has_time: impl FnMut() -> bool) -> bool {
        let Some(step) = &mut self.under_way else { return false };
        while step.left > 0 && step.ends == session.ends() {
            let some = LOOK_TICKS.min(step.left);
            session.advance(some);
            step.left -= some;
            if !has_time() {
                break;
            }
        }
        step.left == 0 || step.ends != session.ends()
    }

    /// Who asked for the step under way.
    pub fn asker(&self) -> Option<u64> {
        self.under_way.as_ref().map(|step| step.asker)
    }

    /// Ends the step under way and says what there is to say to its asker.
    pub fn end(&mut self, session: &mut Session, out: &mut Vec<Message>) {
        let Some(step) = self.under_way.take() else { return };
        if step.left == 0 {
            session.answer(step.id, (Outcome::Plain, step.version), true, out);
        } else {
            let made = u64::from(step.of) - step.left;
            let what = format!("the step was ended after {made} of {} ticks", step.of);
            out.push(Message::Refused { id: Some(step.id), fault: fault(what) });
        }
    }

    /// The next request that waited; none while a step is under way.
    pub fn next_waiting(&mut self) -> Option<(u64, String)> {
        if self.under_way.is_some() { None } else { self.waiting.pop_front() }
    }

    /// Takes the steps that wait away, with what is said to their askers.
    pub fn drop_waiting(&mut self) -> Vec<(u64, Message)> {
        let mut said = Vec::new();
        self.waiting.retain(|(asker, text)| {
            let Some((id, Command::Step { ticks })) = command(text) else { return true };
            let what = format!("the step was ended after 0 of {ticks} ticks");
            said.push((*asker, Message::Refused { id: Some(id), fault: fault(what) }));
            false
        });
        said
    }

    /// Forgets somebody who is gone, with a step of his.
    pub fn forget(&mut self, asker: u64) {
        self.under_way.take_if(|step| step.asker == asker);
        self.waiting.retain(|(other, _)| *other != asker);
    }
}

/// What is said to a request that may not even wait.
pub fn too_many(text: &str) -> Message {
    let id = command(text).map(|(id, _)| id);
    let fault: Fault = fault(format!("{WAITING_MAX} requests wait for a step already"));
    Message::Refused { id, fault }
}

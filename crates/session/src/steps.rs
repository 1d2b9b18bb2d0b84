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

use tropism_wire::session::{Command, Message, Outcome, Request};

use crate::session::Session;
use crate::table::fault;

/// Ticks made between two looks at the clock.
pub const LOOK_TICKS: u64 = 8;

/// Most requests of one asker that wait for a step.
pub const WAITING_MAX: usize = 64;

/// Most bytes of requests that wait for a step, of all askers together; of one, half of it.
pub const WAITING_BYTES_MAX: usize = 4 << 20;

/// A request that was read, or the refusal of a text that is none.
pub type Asked = Result<Request, Message>;

/// When a request is carried out.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// Now, by [`Steps::carry_out`].
    Now(Asked),
    /// When the step under way is over; the request is kept until then.
    Later,
    /// Never: too much waits already; the refusal.
    Full(Message),
}

/// A request that waits, with the length of its text.
#[derive(Debug)]
struct Waiting {
    asker: u64,
    asked: Asked,
    bytes: usize,
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
    waiting: VecDeque<Waiting>,
}

impl Steps {
    /// A step is under way.
    pub const fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// Reads a request, says when it is carried out, and keeps one whose turn comes later.
    pub fn admit(&mut self, asker: u64, text: &str) -> Turn {
        let asked = Session::read(text);
        let Some(step) = &self.under_way else { return Turn::Now(asked) };
        let is_behind = step.asker == asker || self.waiting.iter().any(|w| w.asker == asker);
        let waits = match &asked {
            Ok(Request { command: Command::Pause, .. }) => false,
            Ok(Request { command: Command::Step { .. }, .. }) => true,
            _ => is_behind,
        };
        if !waits {
            return Turn::Now(asked);
        }
        if !self.has_room(asker, text.len()) {
            let id = match &asked {
                Ok(request) => Some(request.id),
                Err(Message::Refused { id, .. }) => *id,
                Err(_) => None,
            };
            let what = format!(
                "too much waits for a step: at most {WAITING_MAX} requests of one asker, and \
                 {WAITING_BYTES_MAX} bytes of all, half of them of one"
            );
            return Turn::Full(Message::Refused { id, fault: fault(what) });
        }
        self.waiting.push_back(Waiting { asker, asked, bytes: text.len() });
        Turn::Later
    }

    /// One more request of so many bytes may wait.
    fn has_room(&self, asker: u64, bytes: usize) -> bool {
        let (mut count, mut own, mut all) = (0, bytes, bytes);
        for waiting in &self.waiting {
            all += waiting.bytes;
            if waiting.asker == asker {
                count += 1;
                own += waiting.bytes;
            }
        }
        count < WAITING_MAX && own <= WAITING_BYTES_MAX / 2 && all <= WAITING_BYTES_MAX
    }

    /// Carries out a request whose turn has come: begins the step that it asks for (then true), or
    /// has the session do anything else. What is said, and to whom, goes to `said`: a pause takes
    /// the steps that wait away.
    pub fn carry_out(
        &mut self,
        (asker, asked): (u64, Asked),
        session: &mut Session,
        said: &mut Vec<(u64, Message)>,
    ) -> bool {
        match asked {
            Ok(request) => {
                if self.begin(asker, &request, session) {
                    return true;
                }
                if matches!(request.command, Command::Pause) {
                    self.drop_waiting(said);
                }
                let mut out = Vec::new();
                session.handle(request, &mut out);
                said.extend(out.into_iter().map(|message| (asker, message)));
            }
            Err(refusal) => said.push((asker, refusal)),
        }
        false
    }

    /// Begins the step that a request asks for; false when it asks for something else or the step
    /// is to be refused: then [`Session::handle`] has the answer.
    fn begin(&mut self, asker: u64, request: &Request, session: &Session) -> bool {
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
    pub fn next_waiting(&mut self) -> Option<(u64, Asked)> {
        if self.under_way.is_some() {
            return None;
        }
        self.waiting.pop_front().map(|waiting| (waiting.asker, waiting.asked))
    }

    /// Takes the steps that wait away, with what is said to their askers.
    fn drop_waiting(&mut self, said: &mut Vec<(u64, Message)>) {
        self.waiting.retain(|Waiting { asker, asked, .. }| {
            let Ok(Request { id, command: Command::Step { ticks } }) = asked else { return true };
            let what = format!("the step was ended after 0 of {ticks} ticks");
            said.push((*asker, Message::Refused { id: Some(*id), fault: fault(what) }));
            false
        });
    }

    /// Forgets somebody who is gone, with what he asked; true when a step of his was under way:
    /// the ticks that it made are to be shown to the others.
    pub fn forget(&mut self, asker: u64) -> bool {
        self.waiting.retain(|waiting| waiting.asker != asker);
        self.under_way.take_if(|step| step.asker == asker).is_some()
    }
}

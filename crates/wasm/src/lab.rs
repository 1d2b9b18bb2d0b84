//! The table as the worker sees it.

use alloc::string::String;
use alloc::vec::Vec;

use tropism_session::{Asked, LOOK_TICKS, Pacer, Session, Steps, Turn};
use tropism_wire::session::Message;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::clock::now_ms;

/// One laboratory table.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Lab {
    session: Session,
    pacer: Pacer,
    steps: Steps,
}

/// The only one who asks.
const PAGE: u64 = 0;

#[wasm_bindgen]
impl Lab {
    /// An empty table.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "made by JavaScript, which has no defaults")]
    pub fn new() -> Self {
        Self { session: Session::new(), pacer: Pacer::default(), steps: Steps::default() }
    }

    /// What a session says first.
    pub fn hello() -> String {
        text(&Session::hello())
    }

    /// Carries out a request and gives what is said in return.
    pub fn handle(&mut self, request: &str) -> Vec<String> {
        let was_playing = self.session.is_playing();
        let mut out = Vec::new();
        self.session.handle_text(request, &mut out);
        if self.session.is_playing() != was_playing {
            self.pacer.rest();
        }
        out.iter().map(text).collect()
    }

    /// As [`Self::handle`], but spends about `work_ms` on a step: the rest of a longer one is made
    /// by [`Self::step_on`], and what is asked meanwhile waits for its end, but for `pause`.
    pub fn begin(&mut self, request: &str, work_ms: f64) -> Vec<String> {
        let asked = match self.steps.admit(PAGE, request) {
            Turn::Now(asked) => asked,
            Turn::Later => return Vec::new(),
            Turn::Full(refusal) => return vec![text(&refusal)],
        };
        let mut out = Vec::new();
        let end_ms = now_ms() + work_ms;
        self.carry_out((PAGE, asked), &mut out);
        self.make_steps(end_ms, &mut out);
        out
    }

    /// Goes on with a step for about `work_ms`; gives what is said at its end.
    #[wasm_bindgen(js_name = stepOn)]
    pub fn step_on(&mut self, work_ms: f64) -> Vec<String> {
        let mut out = Vec::new();
        self.make_steps(now_ms() + work_ms, &mut out);
        out
    }

    /// True while a step is under way.
    #[wasm_bindgen(getter = isStepping)]
    pub fn is_stepping(&self) -> bool {
        self.steps.is_under_way()
    }

    /// Goes on for the time that went by, at the set speed; gives the number of ticks made.
    ///
    /// No more than `work_ms` are spent on it. What cannot be done in that time is left undone: the
    /// run is slower than asked for, and its steps stay as long as ever.
    pub fn advance(&mut self, elapsed_ms: f64, work_ms: f64) -> u32 {
        if !self.session.is_playing() {
            return 0;
        }
        let step = self.session.step();
        let due = self.pacer.due(elapsed_ms / 1e3, self.session.speed(), step);
        let end_ms = now_ms() + work_ms;
        let mut made = 0;
        while made < due && self.session.is_playing() {
            let some = LOOK_TICKS.min(due - made);
            self.session.advance(some);
            made += some;
            if now_ms() >= end_ms {
                self.pacer.rest();
                break;
            }
        }
        made as u32
    }

    /// True while the run goes on by itself.
    #[wasm_bindgen(getter = isPlaying)]
    pub fn is_playing(&self) -> bool {
        self.session.is_playing()
    }

    /// The state now.
    pub fn frame(&mut self) -> Option<String> {
        self.session.frame().as_ref().map(text)
    }
}

impl Lab {
    /// Begins the step that is asked for, or carries out anything else.
    fn carry_out(&mut self, asked: (u64, Asked), out: &mut Vec<String>) {
        let was_playing = self.session.is_playing();
        let mut said = Vec::new();
        self.steps.carry_out(asked, &mut self.session, &mut said);
        if self.session.is_playing() != was_playing {
            self.pacer.rest();
        }
        out.extend(said.iter().map(|(_, message)| text(message)));
    }

    /// Makes the step under way, and what waited for it, until there is no more time.
    fn make_steps(&mut self, end_ms: f64, out: &mut Vec<String>) {
        while self.steps.go_on(&mut self.session, || now_ms() < end_ms) {
            let mut said = Vec::new();
            self.steps.end(&mut self.session, &mut said);
            out.extend(said.iter().map(text));
            while let Some(waited) = self.steps.next_waiting() {
                self.carry_out(waited, out);
            }
        }
    }
}

fn text(message: &Message) -> String {
    serde_json::to_string(message).unwrap_or_else(|error| {
        unreachable!("messages are plain data, which is always JSON: {error}")
    })
}

//! The table as the worker sees it.

use alloc::string::String;
use alloc::vec::Vec;

use tropism_session::{Pacer, Session};
use tropism_wire::session::Message;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::clock::now_ms;

/// Ticks made between two looks at the clock, ms.
const LOOK_TICKS: u64 = 8;

/// One laboratory table.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Lab {
    session: Session,
    pacer: Pacer,
}

#[wasm_bindgen]
impl Lab {
    /// An empty table.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "made by JavaScript, which has no defaults")]
    pub fn new() -> Self {
        Self { session: Session::new(), pacer: Pacer::default() }
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

fn text(message: &Message) -> String {
    serde_json::to_string(message).unwrap_or_else(|error| {
        unreachable!("messages are plain data, which is always JSON: {error}")
    })
}

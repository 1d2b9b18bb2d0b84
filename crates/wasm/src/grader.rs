//! Grading, start by start.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use tropism_session::{Driver, Grading, Summary};
use tropism_wire::session::{Fault, TextFile};
use wasm_bindgen::prelude::wasm_bindgen;

/// A grading under way.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Grader {
    grading: Grading,
}

#[wasm_bindgen]
impl Grader {
    /// A grading of a script (`.js`) or a state machine (`.toml`) before its first attempt.
    ///
    /// # Errors
    /// What is wrong with the task, the file or the number of starts, in words.
    #[wasm_bindgen(constructor)]
    pub fn new(task: &str, name: &str, text: &str, starts: u32) -> Result<Self, String> {
        let file = TextFile { name: name.to_owned(), text: text.to_owned() };
        let grading = Grading::new(task, &Driver::File(file), starts);
        grading.map(|grading| Self { grading }).map_err(|fault| words(&fault))
    }

    /// Makes the next attempt; false when all are made.
    ///
    /// # Errors
    /// Why an attempt cannot be made.
    pub fn attempt(&mut self) -> Result<bool, String> {
        match self.grading.next() {
            None => Ok(false),
            Some(Ok(_)) => Ok(true),
            Some(Err(fault)) => Err(words(&fault)),
        }
    }

    /// Attempts made.
    #[wasm_bindgen(getter)]
    pub fn made(&self) -> u32 {
        self.grading.progress().0
    }

    /// The grade of the attempts so far: as JSON and as text.
    ///
    /// # Errors
    /// Before the first attempt.
    pub fn summary(&self) -> Result<Vec<String>, String> {
        let Summary { json, text } = self.grading.summary().map_err(|fault| words(&fault))?;
        Ok(alloc::vec![json, text])
    }
}

/// A fault in words, every place on a line of its own.
fn words(fault: &Fault) -> String {
    let mut words = fault.what.clone();
    for place in &fault.places {
        let _ = write!(words, "\n{}:{}:{}: {}", place.file, place.line, place.column, place.text);
    }
    words
}

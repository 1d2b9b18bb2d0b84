//! A reader that goes away, as in `tropism check … | head`, ends the command without a word.
//!
//! The signal for it stays ignored, as Rust's runtime sets it: the default would also end
//! `tropism lab` when a browser leaves, and would leave unfinished files behind. Printing then
//! panics; the panic is kept silent here and unwinds, so that whatever is open is tidied up.

use core::any::Any;
use core::panic::AssertUnwindSafe;
use std::panic;
use std::process::ExitCode;

/// What shells report for a command that wrote to a pipe nobody reads: 128 + SIGPIPE.
const NOBODY_READS: u8 = 141;

/// Runs a command; a pipe that nobody reads any more ends it quietly.
pub(crate) fn ending_quietly(command: fn() -> ExitCode) -> ExitCode {
    let loud = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !is_broken_pipe(info.payload()) {
            loud(info);
        }
    }));
    match panic::catch_unwind(AssertUnwindSafe(command)) {
        Ok(code) => code,
        Err(payload) if is_broken_pipe(&*payload) => ExitCode::from(NOBODY_READS),
        Err(payload) => panic::resume_unwind(payload),
    }
}

/// True for the panic of the standard library's printing when the reader is gone.
fn is_broken_pipe(payload: &(dyn Any + Send)) -> bool {
    let text = payload.downcast_ref::<String>();
    text.is_some_and(|text| {
        text.starts_with("failed printing to std") && text.contains("Broken pipe")
    })
}

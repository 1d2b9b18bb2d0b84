//! A session from request to message: requests on standard input, one per line; every message on
//! standard output, one per line. Another back end given the same requests says the same.
#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use std::io::{BufRead as _, stdin};

use tropism_session::Session;

fn main() -> Result<(), Box<dyn core::error::Error>> {
    println!("{}", serde_json::to_string(&Session::hello())?);
    let mut session = Session::new();
    let mut out = Vec::new();
    for request in stdin().lock().lines() {
        session.handle_text(&request?, &mut out);
        for message in out.drain(..) {
            println!("{}", serde_json::to_string(&message)?);
        }
    }
    Ok(())
}

//! Checks specifications: `check SPEC…`.
#![allow(clippy::print_stdout, reason = "an example prints")]
use tropism_dynamics_spec::{Options, compile_text};

fn main() {
    for file in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        match compile_text(&file, &text, Options::default()) {
            Ok(compiled) => {
                println!("{file}: sound");
                compiled.findings.iter().for_each(|finding| println!("  {finding}"));
            }
            Err(refused) => println!("{refused}"),
        }
    }
}

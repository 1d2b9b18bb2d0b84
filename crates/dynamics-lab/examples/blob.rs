//! Compiles a specification to bytes: `blob SPEC OUTPUT`.
#![allow(clippy::print_stdout, reason = "an example prints")]
use tropism_dynamics_spec::{Options, compile_text};

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, spec, output] = args.as_slice() else {
        println!("blob SPEC OUTPUT");
        return Ok(());
    };
    let compiled = compile_text(spec, &std::fs::read_to_string(spec)?, Options::default())?;
    let bytes = compiled.blob();
    println!("{} bytes", bytes.len());
    std::fs::write(output, bytes)?;
    Ok(())
}

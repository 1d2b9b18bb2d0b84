//! `tropism list`.

use std::process::ExitCode;

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let mut kind = "";
    for entry in tropism_scenario::list() {
        if entry.kind != kind {
            kind = entry.kind;
            println!("{kind}");
        }
        println!("  {:24} {}", entry.name, entry.about);
    }
    println!("\nuse them in a file, or: tropism run FILE --condition NAME");
    Ok(ExitCode::SUCCESS)
}

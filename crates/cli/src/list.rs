//! `tropism list`.

use std::process::ExitCode;

pub(crate) fn run() -> ExitCode {
    let entries = tropism_scenario::list();
    let width = entries.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0);
    let mut kind = "";
    for entry in &entries {
        if entry.kind != kind {
            if !kind.is_empty() {
                println!();
            }
            kind = entry.kind;
            println!("{kind}");
        }
        println!("  {:width$}  {}", entry.name, entry.about);
    }
    println!("\nuse these names in a scenario file, or type");
    println!("next: tropism run scenarios/organism/one-life.toml --condition no_reflexes");
    ExitCode::SUCCESS
}

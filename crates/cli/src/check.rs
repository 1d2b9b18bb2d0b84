//! `tropism check`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use tropism_core::Seed;
use tropism_lab::Run;
use tropism_scenario::{Document, check, load};

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// Files to check.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Warnings count as errors.
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(arguments: &CheckArguments) -> ExitCode {
    let mut is_fine = true;
    for path in &arguments.files {
        if crate::octopus::is_scenario(path) {
            is_fine &= crate::octopus::check(path);
            continue;
        }
        match load(path) {
            Ok(document) => {
                let warnings = check(&document);
                for warning in &warnings {
                    println!("warning: {warning}");
                }
                is_fine &= warnings.is_empty() || !arguments.strict;
                let faults = scripts(&document);
                for fault in &faults {
                    println!("{}: {fault}", path.display());
                }
                is_fine &= faults.is_empty();
                if faults.is_empty() {
                    println!("{}: a sound {}", path.display(), kind_of(&document));
                }
            }
            Err(error) => {
                is_fine = false;
                println!("{error}");
            }
        }
    }
    if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Why scripts of a scenario cannot start.
fn scripts(document: &Document) -> Vec<String> {
    let Document::Scenario(scenario) = document else { return Vec::new() };
    match Run::new(scenario, &scenario.minds, Seed(scenario.seed.unwrap_or(1))) {
        Ok(run) => {
            let failures = run.robots().iter().filter_map(|robot| robot.mind.failure());
            failures.map(ToString::to_string).collect()
        }
        Err(error) => vec![error.to_string()],
    }
}

fn kind_of(document: &Document) -> String {
    match document {
        Document::Scenario(s) => format!("scenario with {} robot(s)", s.world.robots.len()),
        Document::Experiment(e) => format!(
            "experiment: {} conditions × {} seeds × {} lives",
            e.conditions.len(),
            e.seeds.len(),
            e.lives
        ),
        Document::World(_) => "world".to_owned(),
        Document::Body(_) => "body".to_owned(),
        _ => "document".to_owned(),
    }
}

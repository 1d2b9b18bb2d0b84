//! `tropism check`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
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
                println!("{}: a sound {}", path.display(), kind_of(&document));
            }
            Err(error) => {
                is_fine = false;
                println!("{error}");
            }
        }
    }
    if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
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

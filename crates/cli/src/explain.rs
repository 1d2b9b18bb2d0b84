//! `tropism explain`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use tropism_lab::explain::{describe, explain, read};

use crate::export::refuse_octopus;

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// Trace of a run, from `tropism run --trace`.
    trace: PathBuf,
}

pub(crate) fn run(arguments: &ExplainArguments) -> anyhow::Result<ExitCode> {
    refuse_octopus(&arguments.trace)?;
    let story = read(&arguments.trace)?;
    print!("{}", describe(&story, &explain(&story)));
    Ok(ExitCode::SUCCESS)
}

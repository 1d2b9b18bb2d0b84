//! `tropism state` and the life states of `tropism run`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use tropism_core::{Seed, TimeStep};
use tropism_lab::Run;
use tropism_organism::{Organism, OrganismConfig};
use tropism_wire::{file, read_json};

use crate::outputs::Files;

#[derive(Debug, Args)]
pub(crate) struct StateArguments {
    #[command(subcommand)]
    verb: StateVerb,
}

#[derive(Debug, Subcommand)]
enum StateVerb {
    /// Shows what a life-state file holds.
    Inspect {
        /// Life state (JSON).
        file: PathBuf,
    },
    /// Carries a life state over to another body and says what was kept and what was dropped.
    Transfer {
        /// Life state (JSON), version 1 or 2.
        file: PathBuf,
        /// Built-in body or body file.
        #[arg(long)]
        body: String,
        /// File for the new life state.
        #[arg(long)]
        out: PathBuf,
    },
    /// Says whether a life state is sound; exit code 1 if not.
    Verify {
        /// Life states (JSON).
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

pub(crate) fn run(arguments: &StateArguments) -> anyhow::Result<ExitCode> {
    match &arguments.verb {
        StateVerb::Inspect { file } => inspect(file),
        StateVerb::Transfer { file, body, out } => transfer(file, body, out),
        StateVerb::Verify { files } => Ok(verify(files)),
    }
}

fn inspect(path: &Path) -> anyhow::Result<ExitCode> {
    let state = file::load(path)?;
    println!("{state}");
    Ok(ExitCode::SUCCESS)
}

#[expect(
    clippy::large_stack_frames,
    reason = "a life state and an organism; the main thread of a program has megabytes"
)]
fn transfer(path: &Path, body: &str, out: &Path) -> anyhow::Result<ExitCode> {
    Files::new().read("the life state", Some(path)).write("--out", Some(out)).check()?;
    let state = file::load(path)?;
    let plan = crate::output::load_body(body)?;
    let config = OrganismConfig::default();
    let mut organism = Box::new(Organism::new(&plan.body, TimeStep::TWENTIETH, config, Seed(1), 0));
    let report = state.give_to(&mut organism);
    file::save(out, &organism)?;
    println!("{report}");
    println!("life state: {}", out.display());
    Ok(ExitCode::SUCCESS)
}

fn verify(files: &[PathBuf]) -> ExitCode {
    let mut is_fine = true;
    for path in files {
        let result = std::fs::read(path)
            .map_err(|e| e.to_string())
            .and_then(|bytes| read_json(&bytes).map_err(|e| e.to_string()));
        match result {
            Ok(_) => println!("{}: sound", path.display()),
            Err(reason) => {
                is_fine = false;
                println!("{}: refused: {reason}", path.display());
            }
        }
    }
    if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Gives a saved life to the first robot of a run.
pub(crate) fn load_into(run: &mut Run, path: &Path) -> anyhow::Result<()> {
    let state = file::load(path)?;
    let robot = run.robots_mut().first_mut().context("the scenario has no robot")?;
    let Some(organism) = robot.mind.organism_mut() else {
        bail!("the first robot has no organism to take up {}", path.display());
    };
    let report = state.give_to(organism);
    println!("{report}");
    Ok(())
}

/// Saves the life of the first robot of a run.
pub(crate) fn save_from(run: &Run, path: &Path) -> anyhow::Result<()> {
    let robot = run.robots().first().context("the scenario has no robot")?;
    let organism = robot.mind.organism().context("the first robot has no organism to save")?;
    file::save(path, organism)?;
    Ok(())
}

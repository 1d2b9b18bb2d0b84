//! `tropism machine`.

use core::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, Subcommand};
use tropism_scenario::{Document, Machine, load};

#[derive(Debug, Args)]
pub(crate) struct MachineArguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Checks a machine: dead states, ways out, time limits, thresholds that chatter.
    Check {
        /// Machine files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// A built-in body or body file that must have the machine's channels.
        #[arg(long, value_name = "BODY")]
        body: Option<String>,
    },
    /// Prints a Mermaid state diagram.
    Mermaid {
        /// Machine file.
        file: PathBuf,
    },
    /// Prints a DOT graph.
    Dot {
        /// Machine file.
        file: PathBuf,
    },
}

fn machine(path: &Path) -> anyhow::Result<impl Deref<Target = Machine>> {
    match load(path)? {
        Document::Machine(machine) => Ok(machine),
        _ => bail!("{}: no machine; it needs `kind = \"machine\"`", path.display()),
    }
}

pub(crate) fn run(arguments: &MachineArguments) -> anyhow::Result<ExitCode> {
    match &arguments.verb {
        Verb::Check { files, body } => check(files, body.as_deref()),
        Verb::Mermaid { file } => {
            print!("{}", machine(file)?.mermaid());
            Ok(ExitCode::SUCCESS)
        }
        Verb::Dot { file } => {
            print!("{}", machine(file)?.dot());
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn check(files: &[PathBuf], body: Option<&str>) -> anyhow::Result<ExitCode> {
    let body = body.map(crate::output::load_body).transpose()?;
    let mut is_fine = true;
    for path in files {
        match machine(path) {
            Ok(machine) => {
                let missing = body.as_ref().map(|b| machine.missing(&b.body)).unwrap_or_default();
                if missing.is_empty() {
                    let ways: usize = machine.states.iter().map(|s| s.leave.len()).sum();
                    let states = machine.states.len();
                    println!(
                        "{}: a sound machine, {states} states, {ways} transitions",
                        path.display()
                    );
                } else {
                    is_fine = false;
                    println!("{}: the body has no {}", path.display(), missing.join(", "));
                }
            }
            Err(error) => {
                is_fine = false;
                println!("{error}");
            }
        }
    }
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

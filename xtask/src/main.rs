//! Checks, generated documents and the steps of continuous integration: `cargo xtask COMMAND`.
//!
//! Terms: a *command* is one module of this program; a *step* is one thing `ci` runs; a *violation*
//! is one line of `tidy` that says where, what, and what would be right.
//!
//! What it does not do: it holds no rule that rustfmt, clippy or the tests already hold, and it
//! installs nothing; `.ci/install` does.
#![expect(clippy::print_stdout, reason = "a program that talks to a person")]

extern crate alloc;

mod ci;
mod contract;
mod docs;
mod golden;
mod parity;
mod repository;
mod size;
mod tidy;
mod web;

use std::process::ExitCode;

use anyhow::{Result, bail};
use repository::Repository;

/// One command of this program.
struct Command {
    name: &'static str,
    about: &'static str,
    run: fn(&Repository, &[String]) -> Result<()>,
}

/// All commands. `ci` and `size` use `parity` when it is listed here.
const COMMANDS: &[Command] = &[
    Command {
        name: "tidy",
        about: "check dependency edges, sizes, marks, crate headers and documents",
        run: tidy::run,
    },
    Command { name: "ci", about: "run every check, stop at the first that fails", run: ci::run },
    Command {
        name: "golden",
        about: "run the golden tests; --update accepts what they say now, --release optimises",
        run: golden::run,
    },
    Command { name: "docs", about: "write the generated pages of docs/reference", run: docs::run },
    Command {
        name: "parity",
        about: "one mind on host, WebAssembly and riscv32: equal hashes, within the budgets",
        run: |_, _| parity::run(),
    },
    Command {
        name: "web",
        about: "build the page into web/dist; --check-tools only looks for what it needs",
        run: web::run,
    },
    Command {
        name: "contract",
        about: "the same requests on host and WebAssembly, equal messages; --browser: in Chromium",
        run: contract::run,
    },
    Command { name: "size", about: "flash and memory of the firmware images", run: size::run },
];

/// The command of this name.
fn command(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let Some((name, rest)) = arguments.split_first() else {
        help();
        return Ok(());
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        help();
        return Ok(());
    }
    match command(name) {
        Some(command) => (command.run)(&Repository::find()?, rest),
        None => bail!("there is no command `{name}`; there are {}", names().join(", ")),
    }
}

fn names() -> Vec<&'static str> {
    COMMANDS.iter().map(|command| command.name).collect()
}

fn help() {
    println!("cargo xtask COMMAND");
    for Command { name, about, .. } in COMMANDS {
        println!("  {name:8} {about}");
    }
}

/// Refuses arguments that a command does not know.
fn only_known(arguments: &[String], known: &[&str]) -> Result<()> {
    match arguments.iter().find(|given| !known.contains(&given.as_str())) {
        Some(given) if known.is_empty() => bail!("no argument is known here, not `{given}`"),
        Some(given) => bail!("`{given}` is unknown; known: {}", known.join(", ")),
        None => Ok(()),
    }
}

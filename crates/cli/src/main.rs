//! The `tropism` command.
//!
//! What it does not do: no algorithm lives here; it reads arguments, calls the lab and prints.
#![expect(clippy::print_stdout, reason = "printing is what a command is for")]

mod check;
mod experiment;
mod explain;
mod grade;
mod list;
mod machine;
mod output;
mod progress;
mod replay;
mod run;
mod state;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A laboratory for behaviour-based robots.
#[derive(Debug, Parser)]
#[command(name = "tropism", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Lives one life of a scenario, prints what happened and can trace it.
    Run(run::RunArguments),
    /// Runs conditions × seeds × lives and prints the table; goes on where it was cut off.
    Experiment(experiment::ExperimentArguments),
    /// Simulates a trace again and reports the first tick that differs.
    Replay(replay::ReplayArguments),
    /// Checks scenario, experiment, world and body files.
    Check(check::CheckArguments),
    /// Inspects, transfers and verifies life states.
    State(state::StateArguments),
    /// Runs a script, machine or controller from many starts and prints how it did.
    Grade(grade::GradeArguments),
    /// Names what a traced run died of, with the ticks that show it.
    Explain(explain::ExplainArguments),
    /// Checks and draws state machines.
    Machine(machine::MachineArguments),
    /// Lists what is built in: conditions, bodies, worlds.
    List,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().verb {
        Verb::Run(arguments) => run::run(&arguments),
        Verb::Experiment(arguments) => experiment::run(&arguments),
        Verb::Replay(arguments) => replay::run(&arguments),
        Verb::Check(arguments) => check::run(&arguments),
        Verb::State(arguments) => state::run(&arguments),
        Verb::Grade(arguments) => grade::run(&arguments),
        Verb::Explain(arguments) => explain::run(&arguments),
        Verb::Machine(arguments) => machine::run(&arguments),
        Verb::List => list::run(),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

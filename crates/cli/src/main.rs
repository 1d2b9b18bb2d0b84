//! The `tropism` command.
//!
//! What it does not do: no algorithm lives here; it reads arguments, calls the lab and prints.
#![expect(clippy::print_stdout, reason = "printing is what a command is for")]

mod check;
mod dynamics;
mod experiment;
mod explain;
mod export;
mod feed;
mod grade;
mod laboratory;
mod list;
mod machine;
mod octopus;
mod output;
mod outputs;
mod pipe;
mod progress;
mod replay;
mod run;
mod state;
mod study;

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
    /// Drives an organism with recorded sensor values and writes down what it makes of them.
    Feed(feed::FeedArguments),
    /// Simulates a trace again and reports the first tick that differs.
    Replay(replay::ReplayArguments),
    /// Writes a trace as MCAP, CSV or Parquet; checks and mends MCAP files.
    Export(export::ExportArguments),
    /// Checks scenario, experiment, world and body files.
    Check(check::CheckArguments),
    /// Octopus scenarios: traces, reach scenes, benchmark.
    Octopus(octopus::OctopusArguments),
    /// Inspects, transfers and verifies life states.
    State(state::StateArguments),
    /// Runs a script, machine or controller from many starts and prints how it did.
    Grade(grade::GradeArguments),
    /// Tells how a traced run ended, and what stands out with its ticks.
    Explain(explain::ExplainArguments),
    /// Checks and draws state machines.
    Machine(machine::MachineArguments),
    /// Checks, runs, compares and documents behaviour networks of layered dual dynamics.
    Dynamics(dynamics::DynamicsArguments),
    /// Opens the laboratory for a browser on this machine.
    Lab(laboratory::LabArguments),
    /// Makes a rating study of unlabelled clips, and reports what raters said.
    Study(study::StudyArguments),
    /// Lists what is built in: conditions, bodies, worlds.
    List,
}

fn main() -> ExitCode {
    pipe::ending_quietly(command)
}

fn command() -> ExitCode {
    let result = match Arguments::parse().verb {
        Verb::Run(arguments) => run::run(&arguments),
        Verb::Experiment(arguments) => experiment::run(&arguments),
        Verb::Feed(arguments) => feed::run(&arguments),
        Verb::Replay(arguments) => replay::run(&arguments),
        Verb::Export(arguments) => export::run(&arguments),
        Verb::Check(arguments) => Ok(check::run(&arguments)),
        Verb::Octopus(arguments) => octopus::dispatch(&arguments),
        Verb::State(arguments) => state::run(&arguments),
        Verb::Grade(arguments) => grade::run(&arguments),
        Verb::Explain(arguments) => explain::run(&arguments),
        Verb::Machine(arguments) => machine::run(&arguments),
        Verb::Dynamics(arguments) => dynamics::run(&arguments),
        Verb::Lab(arguments) => laboratory::run(&arguments),
        Verb::Study(arguments) => study::run(&arguments),
        Verb::List => Ok(list::run()),
    };
    match result {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {}", in_words(&error));
            ExitCode::from(2)
        }
    }
}

/// An error and its causes; a cause that was told already is not told again.
fn in_words(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

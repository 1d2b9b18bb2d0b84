//! `tropism octopus …`, and `tropism run` on octopus scenarios.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use tropism_ethology::table::atomic_write;
use tropism_scenario::octopus::verbs::{
    BenchOptions, Input, ReachOptions, TRACE_EVERY, TraceOptions, bench_verb, check_verb,
    law_named, reach_verb, run_verb, trace_verb,
};

use crate::outputs::Files;

/// Updates of a run when no `--cap` is given: 20 s.
const RUN_UPDATES: u64 = 2400;

#[derive(Debug, Args)]
pub(crate) struct OctopusArguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Runs a scenario and writes its trace (JSON).
    Trace(TraceArguments),
    /// Runs a file of reach scenes and prints how many are reached.
    Reach(ReachArguments),
    /// Runs both laws on fresh reach scenes and prints the table.
    Bench(BenchArguments),
}

#[derive(Debug, Args)]
struct TraceArguments {
    /// Scenario file (JSON, version 1 or 2).
    scenario: PathBuf,
    /// Commands to be given before certain updates (JSON).
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// The law of the arms instead of the file's: reference or reach.
    #[arg(long, value_name = "LAW", value_parser = law_named)]
    law: Option<tropism_scenario::octopus::LawKind>,
    /// A sample every so many updates.
    #[arg(long, value_name = "N", default_value_t = TRACE_EVERY)]
    every: u64,
    /// Updates to run; without it 1800, or 160 beyond the last event if that is later.
    #[arg(long, value_name = "N")]
    updates: Option<u64>,
    /// Writes to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct ReachArguments {
    /// File of reach scenes (JSON).
    scenes: PathBuf,
    /// The law: reference or reach.
    #[arg(long, value_name = "LAW", value_parser = law_named, default_value = "reach")]
    law: tropism_scenario::octopus::LawKind,
    /// Joint speed in degrees per second.
    #[arg(long, value_name = "DEG/S", default_value_t = SPEED, allow_negative_numbers = true)]
    speed: f64,
    /// Only every so many scenes.
    #[arg(long, value_name = "N", default_value_t = 1)]
    stride: usize,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct BenchArguments {
    /// Seed of the fresh scenes.
    #[arg(long, default_value_t = 2, allow_negative_numbers = true)]
    seed: u64,
    /// Scenes per number of obstacles.
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true)]
    scenes: u32,
    /// Joint speed in degrees per second.
    #[arg(long, value_name = "DEG/S", default_value_t = SPEED, allow_negative_numbers = true)]
    speed: f64,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Default joint speed, 1.5 rad/s, in degrees per second.
const SPEED: f64 = 1.5_f64.to_degrees();

/// Most scenes per number of obstacles.
const SCENES_MAX: u32 = 1_000_000;

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))
}

fn checked_speed(degrees: f64) -> anyhow::Result<f64> {
    let radians = degrees.to_radians();
    anyhow::ensure!(radians > 0.0 && radians.is_finite(), "--speed is above 0");
    Ok(radians)
}

pub(crate) fn dispatch(arguments: &OctopusArguments) -> anyhow::Result<ExitCode> {
    match &arguments.verb {
        Verb::Trace(arguments) => trace(arguments),
        Verb::Reach(arguments) => reach(arguments),
        Verb::Bench(arguments) => bench(arguments),
    }
}

fn trace(arguments: &TraceArguments) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(arguments.every > 0, "--every is above 0");
    Files::new()
        .read("the scenario", Some(&arguments.scenario))
        .read("the file of --events", arguments.events.as_deref())
        .write("--output", arguments.output.as_deref())
        .check()?;
    let scenario = read(&arguments.scenario)?;
    let events = arguments.events.as_deref().map(read).transpose()?;
    let scenario_name = arguments.scenario.display().to_string();
    let events_name = arguments.events.as_ref().map(|p| p.display().to_string());
    let events_input =
        events.as_deref().zip(events_name.as_deref()).map(|(bytes, name)| Input { name, bytes });
    let options = TraceOptions {
        law: arguments.law,
        every: Some(arguments.every),
        updates: arguments.updates,
    };
    let input = Input { name: &scenario_name, bytes: &scenario };
    let text = trace_verb(input, events_input, &options)?;
    match &arguments.output {
        Some(path) => atomic_write(path, text.as_bytes())?,
        None => print!("{text}"),
    }
    Ok(ExitCode::SUCCESS)
}

fn reach(arguments: &ReachArguments) -> anyhow::Result<ExitCode> {
    let scenes = read(&arguments.scenes)?;
    let options = ReachOptions {
        law: arguments.law,
        turning_speed: checked_speed(arguments.speed)?,
        stride: arguments.stride.max(1),
        compares: false,
    };
    let name = arguments.scenes.display().to_string();
    print!("{}", reach_verb(Input { name: &name, bytes: &scenes }, &options, arguments.json)?);
    Ok(ExitCode::SUCCESS)
}

fn bench(arguments: &BenchArguments) -> anyhow::Result<ExitCode> {
    let most = SCENES_MAX;
    anyhow::ensure!((1..=most).contains(&arguments.scenes), "--scenes is 1 to {most}");
    let options = BenchOptions {
        seed: arguments.seed,
        scenes: arguments.scenes,
        turning_speed: checked_speed(arguments.speed)?,
    };
    print!("{}", bench_verb(&options, arguments.json));
    Ok(ExitCode::SUCCESS)
}

/// True when `tropism run` was given an octopus scenario.
pub(crate) fn is_scenario(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// `tropism check` on an octopus scenario: prints a line, and says whether the file is sound.
pub(crate) fn check(path: &Path) -> bool {
    let name = path.display().to_string();
    let checked = read(path).map_err(|error| format!("{error:#}")).and_then(|bytes| {
        let input = Input { name: &name, bytes: &bytes };
        check_verb(input).map_err(|error| error.to_string())
    });
    match &checked {
        Ok(line) => println!("{name}: {line}"),
        Err(message) => println!("{message}"),
    }
    checked.is_ok()
}

/// What of the arguments of `tropism run` an octopus scenario heeds.
#[derive(Debug)]
pub(crate) struct RunFiles<'a> {
    /// The scenario.
    pub(crate) file: &'a Path,
    /// Hours to run.
    pub(crate) cap: Option<f64>,
    /// Where the trace goes.
    pub(crate) trace: Option<&'a Path>,
    /// Where the saved file goes.
    pub(crate) save: Option<&'a Path>,
}

/// `tropism run` on an octopus scenario.
pub(crate) fn run(files: &RunFiles<'_>) -> anyhow::Result<ExitCode> {
    let bytes = read(files.file)?;
    let name = files.file.display().to_string();
    let input = Input { name: &name, bytes: &bytes };
    let updates = match files.cap {
        Some(hours) => {
            anyhow::ensure!(hours > 0.0 && hours.is_finite(), "--cap is above 0 hours");
            tropism_scenario::octopus::build::time_step().ticks_in(hours * 3600.0)
        }
        None => RUN_UPDATES,
    };
    let output = run_verb(input, None, updates)?;
    if let Some(path) = files.trace {
        let options = TraceOptions { updates: Some(updates), ..TraceOptions::default() };
        atomic_write(path, trace_verb(input, None, &options)?.as_bytes())?;
        println!("trace: {}", path.display());
    }
    if let Some(path) = files.save {
        atomic_write(path, output.saved.as_bytes())?;
        println!("saved: {}", path.display());
    }
    print!("{}", output.summary);
    Ok(ExitCode::SUCCESS)
}

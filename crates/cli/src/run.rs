//! `tropism run`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use tropism_core::Seed;
use tropism_ethology::table::atomic_write;
use tropism_lab::experiment::MODEL_VERSION;
use tropism_lab::life::{Course, LifeClock, Progress};
use tropism_lab::single::{Outcome, SingleRun};
use tropism_lab::trace::{Header, Note, TraceWriter, scenario_hash};
use tropism_lab::{Run, single};
use tropism_scenario::{MindSpec, Scenario};

use crate::octopus;
use crate::output::{load_scenario, minds_of};
use crate::outputs::Files;
use crate::progress::{self, Bar};

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Scenario file (TOML), or an octopus scenario (JSON).
    file: PathBuf,
    /// Seed instead of the file's.
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// A built-in condition for all robots instead of the file's minds.
    #[arg(long, value_name = "NAME")]
    condition: Option<String>,
    /// Number of lives instead of the file's.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    lives: Option<u32>,
    /// Cap of a life in hours instead of the file's.
    #[arg(long, value_name = "HOURS", allow_negative_numbers = true)]
    cap: Option<f64>,
    /// Writes every tick to this file, for `tropism replay`.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// The trace holds the internal values of the minds too.
    #[arg(long, requires = "trace")]
    internals: bool,
    /// Takes up this life state (JSON) before the first tick.
    #[arg(long, value_name = "FILE")]
    load_state: Option<PathBuf>,
    /// Writes the first robot's life state (JSON) at the end.
    #[arg(long, value_name = "FILE")]
    save_state: Option<PathBuf>,
    /// Writes a report with plots (HTML).
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Writes the ethograms as a BORIS project (JSON) and, beside it, its events as CSV.
    #[arg(long, value_name = "FILE")]
    boris: Option<PathBuf>,
    /// Writes every bout of the observed behaviour and of the controlling module (CSV).
    #[arg(long, value_name = "FILE")]
    ethogram: Option<PathBuf>,
    /// No progress bar and no hints.
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(arguments: &RunArguments) -> anyhow::Result<ExitCode> {
    guard(arguments)?;
    if octopus::is_scenario(&arguments.file) {
        refuse_what_an_octopus_ignores(arguments)?;
        return octopus::run(&octopus::RunFiles {
            file: &arguments.file,
            cap: arguments.cap,
            trace: arguments.trace.as_deref(),
            save: arguments.save_state.as_deref(),
        });
    }
    let scenario = load_scenario(&arguments.file)?;
    let minds = minds_of(&scenario, arguments.condition.as_deref())?;
    let seed = arguments.seed.or(scenario.seed).unwrap_or(1);
    let lives = arguments.lives.unwrap_or(scenario.lives).max(1);
    let cap_s = arguments.cap.map_or(scenario.life_cap_s, |hours| hours * 3600.0);
    anyhow::ensure!(cap_s > 0.0 && cap_s.is_finite(), "--cap is above 0 hours");
    let cap_ticks = scenario.step.ticks_in(cap_s).max(1);
    let course = Course { lives, cap_ticks, full_share: 0.9 };
    let mut run = Run::new(&scenario, &minds, Seed(seed))
        .with_context(|| format!("{}: the world cannot be built", arguments.file.display()))?;
    if let Some(path) = &arguments.load_state {
        crate::state::load_into(&mut run, path)?;
    }
    progress::listen_for_ctrl_c();
    let bar = Bar::new(cap_ticks.saturating_mul(u64::from(lives)), arguments.quiet);
    let mut trace = match &arguments.trace {
        Some(path) => {
            anyhow::ensure!(
                arguments.load_state.is_none(),
                "--trace and --load-state exclude each other: a replay starts from a newborn mind"
            );
            let header = header(arguments, &scenario, &minds, seed, course);
            Some(TraceWriter::create(path, header, &run)?)
        }
        None => None,
    };
    let mut single = SingleRun::new(&scenario, &run, course);
    let mut clock = LifeClock::new(run.robots().len(), lives, cap_ticks);
    let mut ticks = 0_u64;
    while !clock.is_over() && !progress::is_cancelled() {
        run.tick();
        if let Some(trace) = &mut trace {
            trace.record(&run)?;
        }
        if tell_logs(&mut run, trace.as_mut())? {
            break;
        }
        single.after_tick(&run);
        for (robot, died) in clock.after_tick(&mut run) {
            single.end_life(&run, robot, died);
        }
        ticks += 1;
        if ticks.is_multiple_of(8_192) {
            bar.ticks(8_192);
        }
    }
    bar.clear();
    if let Some(trace) = trace {
        let frames = trace.finish()?;
        println!("trace: {frames} ticks");
    }
    let outcome = single.finish(&run, seed);
    print!("{}", single::describe(&outcome)?);
    write_extras(arguments, &run, &outcome)?;
    Ok(ending(&run))
}

/// Refuses what would be written over something read or written, and lives out of range.
fn guard(arguments: &RunArguments) -> anyhow::Result<()> {
    let is_sound = arguments.lives.is_none_or(|lives| (1..=10_000).contains(&lives));
    anyhow::ensure!(is_sound, "--lives is 1 to 10000");
    let events = arguments.boris.as_ref().map(|path| path.with_extension("csv"));
    Files::new()
        .read("the scenario", Some(&arguments.file))
        .write("--trace", arguments.trace.as_deref())
        .write("--save-state", arguments.save_state.as_deref())
        .write("--report", arguments.report.as_deref())
        .write("--boris", arguments.boris.as_deref())
        .write("the events of --boris", events.as_deref())
        .write("--ethogram", arguments.ethogram.as_deref())
        .check()
}

/// An octopus draws nothing, lives once and has no conditions: a flag about that is a mistake.
fn refuse_what_an_octopus_ignores(arguments: &RunArguments) -> anyhow::Result<()> {
    let flags = [
        (arguments.seed.is_some(), "--seed", "nothing in an octopus scene is drawn"),
        (arguments.condition.is_some(), "--condition", "set `law` or `arbitration` in the file"),
        (arguments.lives.is_some(), "--lives", "an octopus does not die; --cap sets the length"),
        (arguments.internals, "--internals", "the trace holds every arm's state anyway"),
        (arguments.load_state.is_some(), "--load-state", "run the saved file itself"),
        (arguments.report.is_some(), "--report", "--trace writes the run as JSON"),
        (arguments.boris.is_some(), "--boris", "the trace lists every arm's state changes"),
        (arguments.ethogram.is_some(), "--ethogram", "the trace lists every arm's state changes"),
    ];
    match flags.iter().find(|(is_given, ..)| *is_given) {
        Some((_, flag, hint)) => {
            anyhow::bail!("{flag} does not apply to an octopus scene: {hint}")
        }
        None => Ok(()),
    }
}

/// Tells why a mind failed; then the command fails too.
fn ending(run: &Run) -> ExitCode {
    let Some(failure) = run.robots().iter().find_map(|robot| robot.mind.failure()) else {
        return ExitCode::SUCCESS;
    };
    eprintln!("error: {failure}");
    ExitCode::FAILURE
}

/// Prints what scripts said and which states machines took, on standard error; true when a mind has
/// failed.
fn tell_logs(run: &mut Run, mut trace: Option<&mut TraceWriter>) -> anyhow::Result<bool> {
    for (i, robot) in run.robots_mut().iter_mut().enumerate() {
        for line in robot.mind.take_log() {
            eprintln!("robot {i}, tick {}: {}", line.tick, line.text);
            if let Some(trace) = &mut trace {
                trace.note(&Note { robot: i as u32, tick: line.tick, text: line.text })?;
            }
        }
    }
    Ok(run.robots().iter().any(|robot| robot.mind.failure().is_some()))
}

fn header(
    arguments: &RunArguments,
    scenario: &Scenario,
    minds: &[MindSpec],
    seed: u64,
    course: Course,
) -> Header {
    Header {
        scenario: arguments.file.display().to_string(),
        scenario_hash: scenario_hash(scenario, minds),
        condition: arguments.condition.clone(),
        seed,
        model_version: MODEL_VERSION,
        step: (scenario.step.numerator(), scenario.step.denominator()),
        lives: course.lives,
        cap_ticks: course.cap_ticks,
        has_internals: arguments.internals,
        names: Vec::new(),
    }
}

fn write_extras(arguments: &RunArguments, run: &Run, outcome: &Outcome) -> anyhow::Result<()> {
    if let Some(path) = &arguments.save_state {
        crate::state::save_from(run, path)?;
        println!("life state: {}", path.display());
    }
    if let Some(path) = &arguments.report {
        atomic_write(path, single::page(outcome).as_bytes())?;
        println!("report: {}", path.display());
    }
    if let Some(path) = &arguments.boris {
        let (project, events) = single::boris(outcome);
        atomic_write(path, project.as_bytes())?;
        let csv = path.with_extension("csv");
        atomic_write(&csv, events.as_bytes())?;
        println!("BORIS project: {}, events: {}", path.display(), csv.display());
    }
    if let Some(path) = &arguments.ethogram {
        atomic_write(path, single::ethogram(outcome)?.as_bytes())?;
        println!("ethogram: {}", path.display());
    }
    if arguments.quiet {
        return Ok(());
    }
    let file = arguments.file.display();
    match (&arguments.trace, &arguments.report) {
        (Some(trace), _) => println!("next: tropism replay {}", trace.display()),
        (None, None) => println!("next: tropism run {file} --report life.html"),
        (None, Some(_)) => println!("next: tropism run {file} --trace life.trace"),
    }
    Ok(())
}

//! `tropism feed`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use tropism_body::BodySpec;
use tropism_core::{Seed, TimeStep};
use tropism_lab::feed::{
    Backwards, Beyond, FeedJob, Format, Interpolation, Progress, SectorRule, carmen_body, detect,
    run_with,
};
use tropism_organism::OrganismConfig;
use tropism_scenario::MindSpec;

use crate::output::load_body;
use crate::outputs::Files;
use crate::progress::Bar;

/// Format of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// From the first line.
    Auto,
    /// Comma-separated values with a header row.
    Csv,
    /// CARMEN laser log.
    Carmen,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct FeedArguments {
    /// Recording: comma-separated values with a time column, or a CARMEN laser log.
    input: PathBuf,
    /// Writes every internal value of every tick to this file (CSV).
    #[arg(long, value_name = "FILE.csv")]
    out: PathBuf,
    /// Format of the recording.
    #[arg(long, value_enum, default_value = "auto")]
    format: FormatName,
    /// Body whose channels the columns are: built-in name or body file. When not given: the
    /// reference simulator's for a CSV file, eight ranges and two speeds for a CARMEN log.
    #[arg(long, value_name = "NAME|FILE")]
    body: Option<String>,
    /// Built-in condition of the organism.
    #[arg(long, value_name = "NAME", default_value = "full")]
    condition: String,
    /// Seed of the organism.
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    /// A column of the file and the channel it is; can be given several times.
    #[arg(long, value_name = "COLUMN=CHANNEL", value_parser = pair)]
    rename: Vec<(String, String)>,
    /// Between two rows the last value holds.
    #[arg(long, conflicts_with = "linear")]
    held: bool,
    /// Between two rows values follow a straight line; this is so when nothing is said.
    #[arg(long)]
    linear: bool,
    /// A time that runs backwards begins another life; without this it is an error.
    #[arg(long)]
    resets: bool,
    /// CARMEN: a sector's range is its shortest beam instead of the median.
    #[arg(long)]
    minimum: bool,
    /// CARMEN: a sector that sees nothing within 10 m gives no reading instead of 10 m.
    #[arg(long)]
    no_echo: bool,
    /// Leaves out the first SECONDS of the recording.
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_negative_numbers = true)]
    from_t: f64,
    /// Draws inputs and drives over time (SVG).
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Writes a report with the figure and the tables (HTML).
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// No progress bar.
    #[arg(long, short)]
    quiet: bool,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((column, channel)) if !column.is_empty() && !channel.is_empty() => {
            Ok((column.to_owned(), channel.to_owned()))
        }
        _ => Err("COLUMN=CHANNEL is expected, such as in_battery=battery_voltage".to_owned()),
    }
}

/// Exit code 0, or 1 when an internal value left its band.
pub(crate) fn run(arguments: &FeedArguments) -> anyhow::Result<ExitCode> {
    let (plot, report) = (arguments.plot.as_deref(), arguments.report.as_deref());
    Files::new()
        .read("the recording", Some(&arguments.input))
        .read("the body file", arguments.body.as_deref().map(Path::new))
        .write("--out", Some(&arguments.out))
        .write("--plot", plot)
        .write("--report", report)
        .check()?;
    let job = job(arguments)?;
    let total = std::fs::metadata(&job.input).map_or(0, |file| file.len());
    let bar = Bar::new(total, arguments.quiet);
    let report = run_with(&job, &mut |progress: Progress| bar.at(progress.bytes_read));
    bar.clear();
    let report = report?;
    print!("{report}");
    if report.out_of_band() > 0 {
        eprintln!("{} values left their band; they are listed above", report.out_of_band());
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn job(arguments: &FeedArguments) -> anyhow::Result<FeedJob> {
    let mut job = FeedJob::new(&arguments.input, &arguments.out);
    job.format = match arguments.format {
        FormatName::Auto => detect(&arguments.input)?,
        FormatName::Csv => Format::Csv,
        FormatName::Carmen => Format::Carmen,
    };
    let body = match &arguments.body {
        Some(name) => load_body(name)?.body,
        None if job.format == Format::Carmen => carmen_body(),
        None => tropism_body::presets::reference_simulator(),
    };
    job.config = config(&arguments.condition, &body, job.step)?;
    job.body = Some(body);
    job.seed = Seed(arguments.seed);
    job.renames.clone_from(&arguments.rename);
    job.plot.clone_from(&arguments.plot);
    job.report.clone_from(&arguments.report);
    job.time.from_s = arguments.from_t;
    if arguments.held {
        job.time.interpolation = Interpolation::Held;
    }
    if arguments.resets {
        job.time.backwards = Backwards::Reset;
    }
    if arguments.minimum {
        job.carmen.sectors = SectorRule::Minimum;
    }
    if arguments.no_echo {
        job.carmen.beyond = Beyond::NoEcho;
    }
    Ok(job)
}

fn config(name: &str, body: &BodySpec, step: TimeStep) -> anyhow::Result<OrganismConfig> {
    let mind = tropism_scenario::built_in_condition_at(name, body, step).with_context(|| {
        let names: Vec<_> = tropism_scenario::BUILT_IN_CONDITIONS.iter().map(|c| c.0).collect();
        format!("there is no condition `{name}`; there are {}", names.join(", "))
    })?;
    match mind {
        MindSpec::Organism(config) => Ok(*config),
        _ => bail!("condition `{name}` has no organism to feed; take one such as `full`"),
    }
}

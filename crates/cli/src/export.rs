//! `tropism export`.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use tropism_lab::export::{Exported, Format, OctopusTrace, octopus_table, table};
use tropism_lab::trace::{Ending, Header, TraceReader};
use tropism_scenario::{MindSpec, Scenario};

use crate::output::{load_scenario, minds_of};
use crate::outputs::Files;
use crate::progress::{self, Bar};

/// Format of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FormatName {
    /// MCAP with the schemas of Foxglove.
    Mcap,
    /// Comma-separated values, a row per robot and tick.
    Csv,
    /// Apache Parquet, the same rows.
    Parquet,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// Trace made by `tropism run FILE --trace TRACE` or `tropism octopus trace`.
    #[arg(required_unless_present = "check", conflicts_with = "check")]
    trace: Option<PathBuf>,
    /// File to write; its ending says the format: .mcap, .csv or .parquet.
    #[arg(long, value_name = "FILE", required_unless_present = "check", conflicts_with = "check")]
    to: Option<PathBuf>,
    /// The format, whatever the ending.
    #[arg(long, value_enum, requires = "to")]
    format: Option<FormatName>,
    /// Scenario file, if it is not where the trace says.
    #[arg(long, value_name = "FILE", requires = "to")]
    scenario: Option<PathBuf>,
    /// CSV and Parquet: the internal values of the minds too, even if the trace lacks them.
    #[arg(long, requires = "to")]
    internals: bool,
    /// Reads this MCAP file back and counts the messages of every topic.
    #[arg(long, value_name = "FILE.mcap")]
    check: Option<PathBuf>,
    /// Writes what can be read of the checked file to a new one.
    #[arg(long, value_name = "OUT.mcap", requires = "check")]
    recover: Option<PathBuf>,
    /// No progress bar and no hints.
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(arguments: &ExportArguments) -> anyhow::Result<ExitCode> {
    match (&arguments.check, &arguments.trace, &arguments.to) {
        (Some(file), _, _) => {
            let out = arguments.recover.as_deref();
            Files::new().read("the checked file", Some(file)).write("--recover", out).check()?;
            mcap::check(file, out, arguments.quiet)
        }
        (None, Some(trace), Some(to)) => export(arguments, trace, to),
        _ => bail!("give a trace and --to FILE, or --check FILE.mcap"),
    }
}

fn format(arguments: &ExportArguments, to: &Path) -> anyhow::Result<Format> {
    match arguments.format {
        Some(FormatName::Mcap) => Ok(Format::Mcap),
        Some(FormatName::Csv) => Ok(Format::Csv),
        Some(FormatName::Parquet) => Ok(Format::Parquet),
        None => Format::of(to).with_context(|| {
            let to = to.display();
            format!("{to}: its ending names no format; give .mcap, .csv or .parquet, or --format")
        }),
    }
}

fn export(arguments: &ExportArguments, trace: &Path, to: &Path) -> anyhow::Result<ExitCode> {
    let format = format(arguments, to)?;
    if is_json(trace) {
        return octopus(arguments, trace, to, format);
    }
    let reader = TraceReader::open(trace)?;
    let header = reader.header.clone();
    guard(arguments, trace, to)?;
    progress::listen_for_ctrl_c();
    let ticks = ticks_of(trace, &header);
    let bar = Bar::new(ticks, arguments.quiet);
    let is_again = format == Format::Mcap || (arguments.internals && !header.has_internals);
    let origin = if is_again { Some(origin(arguments, trace, &header)?) } else { None };
    let origin = origin.as_ref().map(|(scenario, minds)| (scenario, minds.as_slice()));
    let exported = match (format, origin) {
        (Format::Mcap, Some(origin)) => mcap::write(reader, origin, to, &bar),
        _ => table(reader, origin, (to, format), &bar).map_err(anyhow::Error::from),
    };
    bar.clear();
    report(arguments, (trace, to), format, &exported?);
    Ok(ExitCode::SUCCESS)
}

/// The scenario of a trace with its minds.
fn origin(
    arguments: &ExportArguments,
    trace: &Path,
    header: &Header,
) -> anyhow::Result<(Scenario, Vec<MindSpec>)> {
    let path = arguments.scenario.clone().unwrap_or_else(|| Path::new(&header.scenario).into());
    let scenario = load_scenario(&path).with_context(|| {
        format!(
            "{}: it has to be simulated again, which needs its scenario {}; if it was moved, give \
             --scenario FILE",
            trace.display(),
            path.display()
        )
    })?;
    let minds = minds_of(&scenario, header.condition.as_deref())?;
    Ok((scenario, minds))
}

fn report(
    arguments: &ExportArguments,
    (trace, to): (&Path, &Path),
    format: Format,
    exported: &Exported,
) {
    let items = if format == Format::Mcap { "messages" } else { "rows" };
    println!("{}: {} ticks, {} {items}", to.display(), exported.ticks, exported.items);
    if exported.is_simulated_again {
        println!("simulated again: every tick came out as in the trace");
    } else {
        println!("taken from the trace as it is");
    }
    if exported.ending == Ending::Cut {
        println!("note: the trace was cut off after tick {}", exported.ticks);
    }
    if arguments.quiet {
        return;
    }
    match format {
        Format::Mcap => println!("next: tropism export --check {}", to.display()),
        Format::Csv | Format::Parquet => {
            let other = to.with_extension("mcap");
            println!("next: tropism export {} --to {}", trace.display(), other.display());
        }
    }
}

/// Ticks a trace holds, from its size.
fn ticks_of(trace: &Path, header: &Header) -> u64 {
    let frame = 8 * (header.names.len() as u64 + 1);
    std::fs::metadata(trace).map_or(0, |file| file.len()) / frame
}

/// Traces of octopus scenes are JSON; those of the 2-D world are not.
fn is_json(trace: &Path) -> bool {
    let mut first = [0; 1];
    let is_read = File::open(trace).and_then(|mut file| file.read_exact(&mut first)).is_ok();
    is_read && first == *b"{"
}

/// What is simulated again to be replayed or explained is a run of the 2-D world.
pub(crate) fn refuse_octopus(trace: &Path) -> anyhow::Result<()> {
    let shown = trace.display();
    ensure!(
        !is_json(trace),
        "{shown}: it is the trace of an octopus (JSON), which cannot be replayed or explained; \
         `tropism export {shown} --to octopus.csv` takes it"
    );
    Ok(())
}

/// The trace of an octopus: everything exported stands in it.
fn octopus(
    arguments: &ExportArguments,
    path: &Path,
    to: &Path,
    format: Format,
) -> anyhow::Result<ExitCode> {
    let is_plain = arguments.scenario.is_none() && !arguments.internals;
    let shown = path.display();
    ensure!(
        is_plain,
        "{shown}: the trace of an octopus holds all there is; leave --scenario and \
        --internals away"
    );
    guard(arguments, path, to)?;
    progress::listen_for_ctrl_c();
    let trace = OctopusTrace::open(path)?;
    let bar = Bar::new(0, true);
    let exported = match format {
        Format::Mcap => mcap::write_octopus(&trace, to, &bar)?,
        Format::Csv | Format::Parquet => octopus_table(&trace, (to, format), &bar)?,
    };
    let items = if format == Format::Mcap { "messages" } else { "rows" };
    println!("{}: {} samples, {} {items}", to.display(), exported.ticks, exported.items);
    println!("taken from the trace as it is");
    if !arguments.quiet && format == Format::Mcap {
        println!("next: tropism export --check {}", to.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses to write over what is read.
fn guard(arguments: &ExportArguments, trace: &Path, to: &Path) -> anyhow::Result<()> {
    Files::new()
        .read("the trace", Some(trace))
        .read("the scenario", arguments.scenario.as_deref())
        .write("--to", Some(to))
        .check()
}

#[cfg(feature = "mcap")]
mod mcap {
    use std::path::Path;
    use std::process::ExitCode;

    use tropism_lab::export::mcap::{Contents, check as check_file, octopus_trace, recover, trace};
    use tropism_lab::export::{Exported, OctopusTrace, Origin};
    use tropism_lab::life::Progress;
    use tropism_lab::trace::TraceReader;

    pub(super) fn write(
        reader: TraceReader,
        origin: Origin<'_>,
        to: &Path,
        progress: &dyn Progress,
    ) -> anyhow::Result<Exported> {
        Ok(trace(reader, origin, to, progress)?)
    }

    pub(super) fn write_octopus(
        trace: &OctopusTrace,
        to: &Path,
        progress: &dyn Progress,
    ) -> anyhow::Result<Exported> {
        Ok(octopus_trace(trace, to, progress)?)
    }

    /// Exit code 0, or 1 when the file is damaged.
    pub(super) fn check(
        file: &Path,
        out: Option<&Path>,
        is_quiet: bool,
    ) -> anyhow::Result<ExitCode> {
        let Some(out) = out else { return check_only(file, is_quiet) };
        let recovered = recover(file, out)?;
        println!("{}: {} bytes", file.display(), recovered.contents.bytes);
        for (offset, lost, what) in &recovered.damages {
            println!("  at byte {offset}: {what}; {lost} bytes lost");
        }
        if recovered.damages.is_empty() {
            println!("  it is whole; nothing had to be recovered");
        }
        if recovered.nameless > 0 {
            println!("  {} messages belong to no topic and are left out", recovered.nameless);
        }
        println!(
            "{}: {} messages kept, {} bytes lost",
            out.display(),
            recovered.contents.messages,
            recovered.lost_bytes
        );
        if !is_quiet {
            println!("next: tropism export --check {}", out.display());
        }
        Ok(ExitCode::SUCCESS)
    }

    fn check_only(file: &Path, is_quiet: bool) -> anyhow::Result<ExitCode> {
        use tropism_lab::LabError;
        match check_file(file) {
            Ok(contents) => {
                print(file, &contents);
                Ok(ExitCode::SUCCESS)
            }
            Err(error @ LabError::Damaged { .. }) => {
                println!("{error}");
                if !is_quiet {
                    let out = file.with_extension("recovered.mcap");
                    let (file, out) = (file.display(), out.display());
                    println!("next: tropism export --check {file} --recover {out}");
                }
                Ok(ExitCode::FAILURE)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn print(file: &Path, contents: &Contents) {
        let width = contents.topics.iter().map(|t| t.name.len()).max().unwrap_or(0);
        for topic in &contents.topics {
            let (name, schema) = (&topic.name, &topic.schema);
            println!("{name:width$}  {:>9}  {schema} ({})", topic.messages, topic.encoding);
        }
        let seconds = |ns: u64| ns as f64 / 1e9;
        println!(
            "{}: whole; {} messages, {} bytes, {} s to {} s",
            file.display(),
            contents.messages,
            contents.bytes,
            seconds(contents.span_ns.0),
            seconds(contents.span_ns.1)
        );
    }
}

#[cfg(not(feature = "mcap"))]
mod mcap {
    use std::path::Path;
    use std::process::ExitCode;

    use anyhow::bail;
    use tropism_lab::export::{Exported, OctopusTrace, Origin};
    use tropism_lab::life::Progress;
    use tropism_lab::trace::TraceReader;

    const ABSENT: &str = "this build has no MCAP; build it with `--features mcap`";

    pub(super) fn write(
        _: TraceReader,
        _: Origin<'_>,
        _: &Path,
        _: &dyn Progress,
    ) -> anyhow::Result<Exported> {
        bail!(ABSENT)
    }

    pub(super) fn write_octopus(
        _: &OctopusTrace,
        _: &Path,
        _: &dyn Progress,
    ) -> anyhow::Result<Exported> {
        bail!(ABSENT)
    }

    pub(super) fn check(_: &Path, _: Option<&Path>, _: bool) -> anyhow::Result<ExitCode> {
        bail!(ABSENT)
    }
}

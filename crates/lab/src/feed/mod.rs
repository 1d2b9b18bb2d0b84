//! Drives a mind with what was recorded, open loop.
//!
//! Terms: a *recording* holds sensor and actuator values over time; *open loop* means that the
//! mind feels the recorded actuator values, while what it would command is written down and
//! changes nothing.
//!
//! A recording is a comma-separated file ([`CsvSource`]) or a CARMEN laser log ([`CarmenSource`]);
//! [`Binding`] says which column is which channel, [`Timeline`] makes a percept of every tick,
//! [`Recorder`] writes every internal value and checks that it stays in its band, and segments say
//! what the robot was doing. Memory is bounded whatever the length of the recording.
//!
//! What it does not do: it closes no loop and judges no command. It cannot tell a recording that
//! was made with other units from a strange one; values outside a channel's range are cut to it
//! and counted.
//!
//! # Determinism
//! The same file, job and seed give the same output file to the byte.

extern crate alloc;

mod binding;
mod carmen;
mod chart;
mod csv;
mod error;
mod limits;
mod output;
mod page;
mod report;
mod row;
mod scan;
mod segments;
mod timeline;

use std::path::{Path, PathBuf};

use tropism_body::{BodySpec, Command, Controller, presets};
use tropism_core::{Seed, TimeStep};
use tropism_ethology::table::atomic_write;
use tropism_organism::{Organism, OrganismConfig};

pub use binding::Binding;
pub use carmen::{
    Beyond, CarmenRules, CarmenSource, FORWARD_M_S_MAX, RANGE_M_MAX, SECTORS, SectorRule,
    TURN_RAD_S_MAX, carmen_body,
};
pub use csv::CsvSource;
pub use error::FeedError;
pub use limits::{Band, Limits};
pub use output::Recorder;
pub use report::FeedReport;
pub use row::{Cell, Row, RowSource, Tally};
pub use segments::{Contrast, Estimate, Kind, KindSummary, Measure, Segment};
pub use timeline::{Backwards, EmptyCell, Interpolation, Moment, TimeRules, TimeTally, Timeline};

use row::Lines;

/// Format of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// By the first line that is no comment: a CARMEN message name or else a header.
    #[default]
    Auto,
    /// Comma-separated values with a header.
    Csv,
    /// CARMEN laser log.
    Carmen,
}

/// What to feed to whom.
#[derive(Clone, Debug)]
pub struct FeedJob {
    /// The recording.
    pub input: PathBuf,
    /// Its format.
    pub format: Format,
    /// File for every internal value of every tick.
    pub output: PathBuf,
    /// File for the figure, SVG.
    pub plot: Option<PathBuf>,
    /// File for the report, HTML.
    pub report: Option<PathBuf>,
    /// Names in the file and the channels they are.
    pub renames: Vec<(String, String)>,
    /// Rules of time.
    pub time: TimeRules,
    /// How a CARMEN log is read.
    pub carmen: CarmenRules,
    /// Seed of the mind.
    pub seed: Seed,
    /// Seconds per tick.
    pub step: TimeStep,
    /// The body; `None` takes [`carmen_body`] for a CARMEN log and the reference simulator's for a
    /// comma-separated file.
    pub body: Option<BodySpec>,
    /// The mind.
    pub config: OrganismConfig,
    /// Writes every reflex weight as well.
    pub has_weights: bool,
}

impl FeedJob {
    /// A job with the usual options.
    pub fn new(input: impl Into<PathBuf>, output: impl Into<PathBuf>) -> Self {
        Self {
            input: input.into(),
            format: Format::default(),
            output: output.into(),
            plot: None,
            report: None,
            renames: Vec::new(),
            time: TimeRules::default(),
            carmen: CarmenRules::default(),
            seed: Seed(1),
            step: TimeStep::TWENTIETH,
            body: None,
            config: OrganismConfig::default(),
            has_weights: false,
        }
    }
}

/// How far a feeding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of the recording that were read.
    pub bytes_read: u64,
    /// Size of the recording.
    pub bytes_total: u64,
    /// Ticks fed.
    pub ticks: u64,
}

/// Ticks between two calls of a progress callback.
const PROGRESS_TICKS: u64 = 1_000;

/// Feeds a recording to a newborn organism.
///
/// # Example
/// ```
/// use tropism_lab::feed::{FeedJob, run};
/// let folder = tempfile::tempdir()?;
/// let input = folder.path().join("recorded.csv");
/// std::fs::write(&input, "t_s,mic,light_left\n0,0.1,0.4\n0.5,0.1,0.9\n")?;
/// let report = run(&FeedJob::new(&input, folder.path().join("mind.csv")))?;
/// assert_eq!((report.ticks, report.out_of_band()), (11, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`FeedError`]: the file or a line of it is wrong, names do not match, or a result cannot be
/// written. No file is written then.
///
/// # Determinism
/// Draws: those of the organism, robot 0 of the job's seed.
pub fn run(job: &FeedJob) -> Result<FeedReport, FeedError> {
    run_with(job, &mut |_| {})
}

/// [`run`] with a callback every thousand ticks and at the end.
///
/// # Errors
/// As [`run`].
pub fn run_with(
    job: &FeedJob,
    progress: &mut dyn FnMut(Progress),
) -> Result<FeedReport, FeedError> {
    check(job)?;
    let format = match job.format {
        Format::Auto => detect(&job.input)?,
        given => given,
    };
    let is_carmen = format == Format::Carmen;
    let mut source: Box<dyn RowSource> = if is_carmen {
        Box::new(CarmenSource::open(&job.input, job.step, job.carmen)?)
    } else {
        Box::new(CsvSource::open(&job.input, job.step)?)
    };
    let usual = || if is_carmen { carmen_body() } else { presets::reference_simulator() };
    let body = job.body.unwrap_or_else(usual);
    if let Err(error) = body.check() {
        return Err(FeedError::file(&job.input, error.to_string(), "a sound body is needed"));
    }
    let binding = Binding::new(&job.input, &body, source.columns(), &job.renames)?;
    feed(job, &mut *source, (&body, &binding), progress)
}

/// Times that are no times would switch a check off.
fn check(job: &FeedJob) -> Result<(), FeedError> {
    let is_time = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
    for (name, seconds) in [
        ("late_s_max", job.time.late_s_max),
        ("gap_s_max", Some(job.time.gap_s_max)),
        ("from_s", Some(job.time.from_s)),
    ] {
        if let Some(seconds) = seconds.filter(|seconds| !is_time(*seconds)) {
            let problem = format!("`{name}` is {seconds}");
            return Err(FeedError::file(&job.input, problem, "0 s or more are expected"));
        }
    }
    Ok(())
}

fn feed(
    job: &FeedJob,
    source: &mut dyn RowSource,
    (body, binding): (&BodySpec, &Binding),
    progress: &mut dyn FnMut(Progress),
) -> Result<FeedReport, FeedError> {
    let source_format = source.format();
    let bytes_total = std::fs::metadata(&job.input).map_or(0, |file| file.len());
    let tick_s = job.step.seconds_at(tropism_core::Tick(1));
    let mut organism = Organism::new(body, job.step, job.config, job.seed, 0);
    let mut recorder = Recorder::create(&job.output, &organism, binding, job.has_weights)?;
    let mut segmenter = segments::Segmenter::new(body, &recorder, tick_s);
    let mut chart = chart::Chart::new(&recorder, tick_s);
    let mut timeline =
        Timeline::new(job.input.clone(), source, (body, binding), job.step, job.time);
    let mut ticks = 0;
    while let Some(moment) = timeline.next_moment()? {
        if moment.is_reset {
            organism.begin_life();
        }
        let mut command = Command::new();
        organism.step(&moment.percept, &mut command);
        recorder.record(moment.percept.tick.0, &organism)?;
        segmenter.take(&moment, &timeline, &recorder);
        chart.take(&recorder);
        ticks += 1;
        if ticks % PROGRESS_TICKS == 0 {
            let bytes_read = timeline.source().bytes_read();
            progress(Progress { bytes_read, bytes_total, ticks });
        }
    }
    progress(Progress { bytes_read: bytes_total, bytes_total, ticks });
    if ticks == 0 {
        let remedy = "at least one row or scan is needed";
        let from_s = job.time.from_s;
        let problem = if from_s > 0.0 {
            format!("the recording holds nothing after its first {from_s} s")
        } else {
            "the recording is empty".to_owned()
        };
        return Err(FeedError::file(&job.input, problem, remedy));
    }
    let (tally, time) = (timeline.source().tally().clone(), timeline.tally().clone());
    let segments = segmenter.finish(ticks);
    let mut report = FeedReport {
        input: job.input.clone(),
        format: source_format,
        body: body.name.as_str().into(),
        ticks,
        tick_s,
        warnings: warnings(binding.warnings(body), &tally, &time),
        tally,
        time,
        checked: recorder.width(),
        outside: recorder.violations(),
        kinds: segments::summarise(&segments, tick_s),
        contrasts: segments::contrasts(&segments),
        segments,
        files: Vec::new(),
    };
    recorder.commit()?;
    report.files.push(job.output.clone());
    write_figures(job, &chart, &mut report)?;
    Ok(report)
}

fn write_figures(
    job: &FeedJob,
    chart: &chart::Chart,
    report: &mut FeedReport,
) -> Result<(), FeedError> {
    if job.plot.is_none() && job.report.is_none() {
        return Ok(());
    }
    let drawn = chart.draw(&report.segments);
    let figure = drawn.map_err(|error| {
        FeedError::file(&job.input, error.to_string(), "a recording with readings is needed")
    })?;
    if let Some(path) = &job.plot {
        atomic_write(path, figure.as_str().as_bytes())?;
        report.files.push(path.clone());
    }
    if let Some(path) = &job.report {
        report.files.push(path.clone());
        atomic_write(path, page::page(report, &figure).as_bytes())?;
    }
    Ok(())
}

fn warnings(mut warnings: Vec<String>, tally: &Tally, time: &TimeTally) -> Vec<String> {
    if !tally.skipped.is_empty() {
        let names: Vec<String> =
            tally.skipped.iter().map(|(name, n)| format!("{name} ({n})")).collect();
        warnings.push(format!("unknown messages skipped: {}", names.join(", ")));
    }
    if let Some((line, problem)) = &tally.first_damage {
        let n = tally.damaged;
        warnings.push(format!("{n} damaged lines skipped, the first is line {line}: {problem}"));
    }
    if let Some(line) = tally.first_restamped {
        warnings.push(format!(
            "{} scans were stamped later than the way to the next allows and got a time between \
             their neighbours', the first is line {line}",
            tally.restamped
        ));
    }
    if let Some(line) = time.first_late_line {
        warnings.push(format!(
            "{} rows are stamped before their predecessor and count as one tick later, the first \
             is line {line}",
            time.late
        ));
    }
    if let Some((line, tick)) = time.resets.first() {
        let n = time.reset_count;
        warnings.push(format!("{n} resets, the first at line {line}, tick {tick}"));
    }
    if time.clamped > 0 {
        warnings.push(format!("{} values lay outside their channel's range", time.clamped));
    }
    warnings
}

/// The format of a recording, from its first line that is no comment.
///
/// # Errors
/// [`FeedError`] when the file cannot be read or holds no such line.
pub fn detect(path: &Path) -> Result<Format, FeedError> {
    let mut lines = Lines::open(path)?;
    while let Some((_, text)) = lines.next_line()? {
        if text.trim().is_empty() || text.starts_with('#') {
            continue;
        }
        let word = text.split_ascii_whitespace().next().unwrap_or("");
        let is_log = path.extension().is_some_and(|e| e == "log" || e == "clf");
        let is_message = scan::NAMES.contains(&word) || (is_log && !text.contains([',', ';']));
        return Ok(if is_message { Format::Carmen } else { Format::Csv });
    }
    let remedy = "a header row or a CARMEN message is expected";
    Err(FeedError::file(path, "the recording is empty", remedy))
}

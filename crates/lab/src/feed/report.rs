//! What feeding a recording came to.

use core::fmt;
use std::path::PathBuf;

use super::row::Tally;
use super::segments::{Contrast, Estimate, KindSummary, Measure, Segment};
use super::timeline::TimeTally;

/// Counts, warnings, tables and files of one feeding.
#[derive(Clone, Debug, PartialEq)]
pub struct FeedReport {
    /// The recording.
    pub input: PathBuf,
    /// Its format: `csv` or `carmen`.
    pub format: &'static str,
    /// Name of the body.
    pub body: String,
    /// Ticks fed.
    pub ticks: u64,
    /// Seconds per tick.
    pub tick_s: f64,
    /// Lines and rows.
    pub tally: Tally,
    /// Time and values.
    pub time: TimeTally,
    /// Remarks about the recording.
    pub warnings: Vec<String>,
    /// Values per tick whose bands were checked.
    pub checked: usize,
    /// What left its band: name, number of times, first tick.
    pub outside: Vec<(String, u64, Option<u64>)>,
    /// Segments in order of time; empty without the channels that tell them.
    pub segments: Vec<Segment>,
    /// Means of every kind of segment.
    pub kinds: Vec<KindSummary>,
    /// Kinds against the corridor.
    pub contrasts: Vec<Contrast>,
    /// Files written.
    pub files: Vec<PathBuf>,
}

impl FeedReport {
    /// Number of values that left their band, over all ticks.
    pub fn out_of_band(&self) -> u64 {
        self.outside.iter().map(|outside| outside.1).sum()
    }
}

/// A number in about four significant digits and its interval.
pub(super) fn estimate(estimate: &Estimate) -> String {
    let Estimate { mean, interval } = estimate;
    interval.map_or_else(
        || short(*mean),
        |i| format!("{} [{}, {}]", short(*mean), short(i.low), short(i.high)),
    )
}

fn short(value: f64) -> String {
    if !value.is_finite() {
        return "-".into();
    }
    let size = value.abs();
    let decimals = match size {
        _ if size >= 10.0 => 2,
        _ if size >= 1.0 => 3,
        _ if size >= 0.1 => 4,
        _ if size >= 0.01 => 5,
        _ => 6,
    };
    format!("{value:.decimals$}")
}

impl fmt::Display for FeedReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { lines, rows, comments, damaged, .. } = &self.tally;
        writeln!(f, "input     {} ({}), body {}", self.input.display(), self.format, self.body)?;
        let skipped = self.tally.skipped_lines();
        writeln!(
            f,
            "lines     {lines}: {rows} rows, {comments} comments, {skipped} skipped, \
             {damaged} damaged"
        )?;
        let seconds = self.ticks as f64 * self.tick_s;
        let TimeTally { late, reset_count, clamped, gap_s_longest, .. } = &self.time;
        writeln!(
            f,
            "time      {} ticks, {seconds:.1} s; longest gap {gap_s_longest:.2} s",
            self.ticks
        )?;
        writeln!(f, "events    {late} late rows, {reset_count} resets, {clamped} values cut")?;
        let out = self.out_of_band();
        writeln!(f, "bands     {} values per tick checked, {out} outside", self.checked)?;
        for (name, n, first) in self.outside.iter().take(20) {
            let first = first.map_or_else(String::new, |tick| format!(", first at tick {tick}"));
            writeln!(f, "  outside: {name}, {n} times{first}")?;
        }
        for warning in &self.warnings {
            writeln!(f, "warning   {warning}")?;
        }
        if !self.kinds.is_empty() {
            writeln!(f, "segments  mean [95 % interval over segments]")?;
        }
        for kind in &self.kinds {
            let name = kind.kind.name();
            writeln!(f, "  {name}: {} segments, {:.0} s", kind.segments, kind.seconds)?;
            measures(f, &kind.means)?;
        }
        for contrast in &self.contrasts {
            writeln!(f, "  {} less corridor", contrast.kind.name())?;
            measures(f, &contrast.differences)?;
        }
        for file in &self.files {
            writeln!(f, "wrote     {}", file.display())?;
        }
        Ok(())
    }
}

fn measures(f: &mut fmt::Formatter<'_>, estimates: &[Estimate; 5]) -> fmt::Result {
    for (measure, value) in Measure::ALL.into_iter().zip(estimates) {
        writeln!(f, "    {:<14}{}", measure.name(), estimate(value))?;
    }
    Ok(())
}

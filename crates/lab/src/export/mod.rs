//! Recordings in formats that other programs read: MCAP, CSV and Parquet.
//!
//! Terms: a *recording* is what robots sensed, decided and did, tick by tick; what is *held* stands
//! in the trace itself; what is *simulated again* comes from the traced run, whose every tick is
//! compared with the trace on the way.
//!
//! Time: tick × control step, in nanoseconds since 0, rounded down. Units are SI, angles in
//! radians, counter-clockwise; x ahead and y to the left in the frame of a robot (REP-103).
//!
//! Traces of the octopus are JSON of their own; everything exported of them stands in the trace.
//!
//! What it does not do: no live connection, no reading back into a run, no compression but lz4 and
//! snappy.
//!
//! # Determinism
//! The same trace gives the same bytes: no clock, no name of the machine, no order of a hash map.

mod again;
mod held;
#[cfg(feature = "mcap")]
pub mod mcap;
mod octopus;
mod recording;
mod table;

use std::path::Path;

use tropism_core::TimeStep;
use tropism_scenario::{MindSpec, Scenario};

pub use again::Again;
pub use held::{Layout, RobotLayout};
pub use octopus::{OctopusEvent, OctopusTrace, octopus_table};
pub use recording::{
    Fan, Ranger, RangerKind, Recording, RobotCard, Scene, StationMark, describe_event, fans,
};
pub use table::table;

use crate::error::LabError;
use crate::trace::Ending;

/// Ticks between two reports of progress.
pub(crate) const REPORT_TICKS: u64 = 4_096;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// MCAP with the schemas of Foxglove.
    Mcap,
}

impl Format {
    /// The format a file name ends in.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        [Self::Csv, Self::Parquet, Self::Mcap].into_iter().find(|f| f.ending() == ending)
    }

    /// What names of its files end in.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
            Self::Mcap => "mcap",
        }
    }
}

/// The scenario of a trace, for what has to be simulated again.
pub type Origin<'a> = (&'a Scenario, &'a [MindSpec]);

/// What was exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Ticks read.
    pub ticks: u64,
    /// Rows or messages written.
    pub items: u64,
    /// True when the run was simulated again and every tick came out as in the trace.
    pub is_simulated_again: bool,
    /// How the trace ended.
    pub ending: Ending,
}

/// Nanoseconds from the start to a tick, rounded down.
pub fn nanoseconds(step: TimeStep, tick: u64) -> u64 {
    let whole = u128::from(tick) * u128::from(step.numerator()) * 1_000_000_000;
    (whole / u128::from(step.denominator())).min(u128::from(u64::MAX)) as u64
}

/// The step of a header.
pub(crate) fn step_of(
    path: &Path,
    (numerator, denominator): (u32, u32),
) -> Result<TimeStep, LabError> {
    TimeStep::new(numerator, denominator).map_err(|error| {
        let what = format!("its header is damaged: step {numerator}/{denominator} s: {error}");
        LabError::damaged(path, what)
    })
}

/// The end of an export that was stopped.
pub(crate) fn stopped(path: &Path) -> LabError {
    LabError::Data(format!("stopped; `{}` was not written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_ticks_become_nanoseconds_rounded_down() {
        let step = |n, d| TimeStep::new(n, d).unwrap();
        for (n, d, tick, expected) in [
            (1, 20, 0, 0),
            (1, 20, 1, 50_000_000),
            (1, 20, u64::MAX, u64::MAX),
            (1, 120, 1, 8_333_333),
            (1, 120, 120, 1_000_000_000),
            (1, 3, 2, 666_666_666),
        ] {
            assert_eq!(nanoseconds(step(n, d), tick), expected, "{n}/{d} {tick}");
        }
    }

    #[test]
    fn unit_formats_are_told_by_the_ending() {
        assert_eq!(Format::of(Path::new("a/b.MCAP")), Some(Format::Mcap));
        assert_eq!(Format::of(Path::new("a.b.csv")), Some(Format::Csv));
        assert_eq!(Format::of(Path::new("b.parquet")), Some(Format::Parquet));
        for none in ["csv", "a.xlsx", "", ".csv"] {
            assert_eq!(Format::of(Path::new(none)), None, "{none}");
        }
    }
}

//! Traces of the octopus: one row per sample and arm.
//!
//! Columns: `t` (update), `time_s`, `arm` (1–8), `captures` (of all arms so far), and what the
//! trace says of the arm under the names it has there, places in pixels and angles in radians:
//! `angle_0_rad` is the first joint's. What an arm does not have then (held food, a goal to carry
//! to, a permit without arbitration, a joint of a longer arm) is null or an empty text, never 0.
//!
//! A trace holds a sample every so many updates; what lies between is not made up. It is JSON and
//! is read whole into memory.

use std::path::{Path, PathBuf};

use tropism_core::TimeStep;
use tropism_ethology::table::{self, Cell, Column, FileError, Kind, TableWriter, WriteError};
use tropism_scenario::octopus::json::Json;

use super::{Exported, Format};
use crate::error::LabError;
use crate::life::Progress;
use crate::trace::Ending;

/// Rows of a Parquet row group.
const GROUP_ROWS: usize = 8_192;

/// What `format` says in a trace.
const FORMAT: &str = "octopus-golden-1";

/// Columns of an arm before its angles: name, and what it is.
const COLUMNS: [(&str, Kind); 25] = [
    ("t", Kind::U64),
    ("time_s", Kind::F64),
    ("arm", Kind::U64),
    ("captures", Kind::U64),
    ("tip_x_px", Kind::F64),
    ("tip_y_px", Kind::F64),
    ("target_x_px", Kind::F64),
    ("target_y_px", Kind::F64),
    ("state", Kind::Text),
    ("status", Kind::Text),
    ("is_active", Kind::Bool),
    ("is_blocked", Kind::Bool),
    ("is_avoiding", Kind::Bool),
    ("is_retracting", Kind::Bool),
    ("held", Kind::F64),
    ("grip_segment", Kind::F64),
    ("carry_goal_x_px", Kind::F64),
    ("carry_goal_y_px", Kind::F64),
    ("candidate", Kind::F64),
    ("candidate_segment", Kind::F64),
    ("dwell_s", Kind::F64),
    ("contacts", Kind::U64),
    ("permit", Kind::Text),
    ("priority", Kind::F64),
    ("distance_arm_lengths", Kind::F64),
];

/// Something that happened at an update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OctopusEvent {
    /// Update at whose end it had happened.
    pub update: u64,
    /// The arm, 1–8.
    pub arm: u64,
    /// What, in words.
    pub text: String,
}

/// An octopus trace.
#[derive(Debug)]
pub struct OctopusTrace {
    path: PathBuf,
    json: Json,
    step: TimeStep,
    /// Joints of the longest arm.
    joints: usize,
}

impl OctopusTrace {
    /// Reads a trace and checks every sample of it.
    ///
    /// # Errors
    /// [`LabError`] when the file cannot be read or is no such trace, with the place.
    pub fn open(path: &Path) -> Result<Self, LabError> {
        let bytes = std::fs::read(path)
            .map_err(|source| LabError::File(FileError { path: path.to_owned(), source }))?;
        let damaged = |what: String| LabError::damaged(path, what);
        let json = Json::parse(&bytes).map_err(|error| damaged(error.to_string()))?;
        let format = json.get("format").and_then(Json::as_text);
        if format != Some(FORMAT) {
            let found = format.map_or_else(|| "missing".to_owned(), |text| format!("`{text}`"));
            return Err(damaged(format!(
                "it is JSON, but no trace of an octopus: `format` is {found}; `tropism octopus \
                 trace SCENE.json --output TRACE.json` makes one"
            )));
        }
        let step = json
            .get("dt")
            .and_then(Json::as_f64)
            .and_then(step)
            .ok_or_else(|| damaged("`dt` is no fraction 1/n of a second".to_owned()))?;
        let mut trace = Self { path: path.to_owned(), json, step, joints: 0 };
        trace.joints = trace.longest().map_err(damaged)?;
        let mut row = Vec::new();
        let arms = trace.arms() as u64;
        let checked = trace.each_arm(|sample, arm| {
            trace.fill(&mut row, sample, arm)?;
            match row.get(2) {
                // There is a topic for each arm of the fullest sample, and for no other.
                Some(Cell::U64(number)) if !(1..=arms).contains(number) => {
                    Err(format!("`number` is {number}, but the arms are numbered 1 to {arms}"))
                }
                _ => Ok(()),
            }
        });
        checked.map_err(damaged)?;
        Ok(trace)
    }

    /// Length of an update.
    pub const fn step(&self) -> TimeStep {
        self.step
    }

    /// What else is known of it.
    pub fn about(&self) -> Vec<(String, String)> {
        let text = |key: &str| {
            let value = self.json.get(key)?;
            let text = value.as_text().map_or_else(|| value.compact(), str::to_owned);
            Some((key.to_owned(), text))
        };
        let keys = ["name", "scenario_file", "law", "generator", "updates", "every", "scenario"];
        keys.into_iter().filter_map(text).collect()
    }

    /// Arms of the octopus.
    pub fn arms(&self) -> usize {
        let arms =
            |sample: &Json| sample.get("arms").and_then(Json::as_array).map_or(0, <[Json]>::len);
        self.samples().iter().map(arms).max().unwrap_or(0)
    }

    pub(super) fn samples(&self) -> &[Json] {
        self.json.get("samples").and_then(Json::as_array).unwrap_or_default()
    }

    fn longest(&self) -> Result<usize, String> {
        let mut most = 0;
        for (i, sample) in self.samples().iter().enumerate() {
            for (k, arm) in list(sample, "arms", || format!("samples[{i}]"))?.iter().enumerate() {
                let angles = list(arm, "angles", || format!("samples[{i}].arms[{k}]"))?;
                most = most.max(angles.len());
            }
        }
        if self.samples().is_empty() {
            return Err("it has no samples".to_owned());
        }
        Ok(most)
    }

    /// Calls with every sample and arm, in order.
    fn each_arm(
        &self,
        mut then: impl FnMut(&Json, &Json) -> Result<(), String>,
    ) -> Result<(), String> {
        for (i, sample) in self.samples().iter().enumerate() {
            for (k, arm) in list(sample, "arms", String::new)?.iter().enumerate() {
                then(sample, arm).map_err(|what| format!("samples[{i}].arms[{k}]: {what}"))?;
            }
        }
        Ok(())
    }

    /// The columns in order.
    pub fn columns(&self) -> Vec<Column> {
        let fixed = COLUMNS.iter().map(|(name, kind)| Column::new(name, *kind));
        let angles = (0..self.joints).map(|i| Column::new(&format!("angle_{i}_rad"), Kind::F64));
        fixed.chain(angles).collect()
    }

    /// The row of an arm in a sample.
    pub(super) fn fill(
        &self,
        row: &mut Vec<Cell<'static>>,
        sample: &Json,
        arm: &Json,
    ) -> Result<(), String> {
        let number = |json: &Json, key: &str| -> Result<f64, String> {
            json.get(key).and_then(Json::as_f64).ok_or_else(|| format!("`{key}` is no number"))
        };
        let whole = |json: &Json, key: &str| -> Result<Cell<'static>, String> {
            let value = json.get(key).and_then(Json::as_integer).map(u64::try_from);
            match value {
                Some(Ok(value)) => Ok(Cell::U64(value)),
                _ => Err(format!("`{key}` is no whole number")),
            }
        };
        let switch = |key: &str| -> Result<Cell<'static>, String> {
            let value = arm.get(key).and_then(Json::as_bool);
            value.map(Cell::Bool).ok_or_else(|| format!("`{key}` is neither true nor false"))
        };
        let word = |key: &str| {
            let text = arm.get(key).and_then(Json::as_text).unwrap_or_default();
            Cell::Text(text.to_owned().into())
        };
        let maybe = |json: Option<&Json>| Cell::F64(json.and_then(Json::as_f64));
        let part = |key: &str, i: usize| arm.get(key).and_then(Json::as_array)?.get(i);
        let pair = |key: &str| -> Result<[Cell<'static>; 2], String> {
            match [part(key, 0), part(key, 1)].map(|v| v.and_then(Json::as_f64)) {
                [Some(x), Some(y)] => Ok([Some(x), Some(y)].map(Cell::F64)),
                _ => Err(format!("`{key}` is no place")),
            }
        };
        row.clear();
        row.extend([whole(sample, "update")?, Cell::F64(Some(number(sample, "seconds")?))]);
        row.extend([whole(arm, "number")?, whole(sample, "captures")?]);
        row.extend(pair("tip")?);
        row.extend(pair("target")?);
        row.extend([word("state"), word("status")]);
        for key in ["active", "blocked", "avoiding", "retracting"] {
            row.push(switch(key)?);
        }
        row.push(maybe(arm.get("held")));
        row.push(maybe(arm.get("grip").and_then(|grip| grip.get("segment"))));
        row.extend([maybe(part("carry_goal", 0)), maybe(part("carry_goal", 1))]);
        row.extend([maybe(part("candidate", 0)), maybe(part("candidate", 1))]);
        row.push(Cell::F64(Some(number(arm, "dwell")?)));
        let contacts = arm.get("contacts").and_then(Json::as_array).map_or(0, <[Json]>::len);
        row.push(Cell::U64(contacts as u64));
        row.push(word("permit"));
        row.extend(["priority", "distance_arm_lengths"].map(|key| maybe(arm.get(key))));
        row.extend((0..self.joints).map(|i| maybe(part("angles", i))));
        Ok(())
    }

    /// What happened, in order: changes of state, captures, conflicts.
    pub fn events(&self) -> Vec<OctopusEvent> {
        let items = |key: &str| self.json.get(key).and_then(Json::as_array).unwrap_or_default();
        let at = |item: &Json, i: usize| -> Option<u64> {
            u64::try_from(item.as_array()?.get(i)?.as_integer()?).ok()
        };
        let whole = |item: &Json, key: &str| u64::try_from(item.get(key)?.as_integer()?).ok();
        let word = |item: &Json, i: usize| Some(item.as_array()?.get(i)?.as_text()?.to_owned());
        let changes = items("state_changes").iter().filter_map(|item| {
            let text = format!("{} -> {}", word(item, 2)?, word(item, 3)?);
            Some(OctopusEvent { update: at(item, 0)?, arm: at(item, 1)?, text })
        });
        let captures = items("capture_reports").iter().filter_map(|item| {
            let seconds = item.as_array()?.get(2)?.as_f64()?;
            let text = format!("captured food {}", at(item, 1)?);
            let steps = f64::from(self.step.denominator()) / f64::from(self.step.numerator());
            Some(OctopusEvent { update: (seconds * steps).round() as u64, arm: at(item, 0)?, text })
        });
        let conflicts = items("conflicts").iter().filter_map(|item| {
            let (winner, loser) = (whole(item, "winner")?, whole(item, "loser")?);
            let reason = item.get("reason").and_then(Json::as_text).unwrap_or_default();
            let text = format!("gave way to arm {winner}: {reason}");
            Some(OctopusEvent { update: whole(item, "update")?, arm: loser, text })
        });
        let mut all: Vec<OctopusEvent> = changes.chain(captures).chain(conflicts).collect();
        all.sort_by_key(|event| event.update);
        all
    }
}

fn list<'j>(json: &'j Json, key: &str, place: impl Fn() -> String) -> Result<&'j [Json], String> {
    let found = json.get(key).and_then(Json::as_array);
    found.ok_or_else(|| format!("{}: `{key}` is no list", place()))
}

/// The step of an update of this many seconds.
fn step(dt: f64) -> Option<TimeStep> {
    let per_second = (1.0 / dt).round();
    let is_whole = (1.0..=1e6).contains(&per_second) && (dt * per_second - 1.0).abs() < 1e-9;
    is_whole.then(|| TimeStep::new(1, per_second as u32).ok()).flatten()
}

/// Writes an octopus trace as a table.
///
/// # Errors
/// [`LabError`] when the file cannot be written; no file then appears.
pub fn octopus_table(
    trace: &OctopusTrace,
    (to, format): (&Path, Format),
    progress: &dyn Progress,
) -> Result<Exported, LabError> {
    let format =
        if format == Format::Parquet { table::Format::Parquet } else { table::Format::Csv };
    let failed = |error: WriteError| match error {
        WriteError::File(error) => LabError::File(error),
        other => LabError::damaged(&trace.path, other.to_string()),
    };
    let mut writer =
        TableWriter::create(to, trace.columns(), format, GROUP_ROWS).map_err(failed)?;
    let mut row = Vec::new();
    for sample in trace.samples() {
        for arm in sample.get("arms").and_then(Json::as_array).unwrap_or_default() {
            let filled = trace.fill(&mut row, sample, arm);
            filled.map_err(|what| LabError::damaged(&trace.path, what))?;
            writer.push(&row).map_err(failed)?;
        }
        if progress.is_cancelled() {
            return Err(super::stopped(to));
        }
    }
    let items = writer.finish().map_err(failed)?;
    Ok(trace.exported(items))
}

impl OctopusTrace {
    pub(super) fn exported(&self, items: u64) -> Exported {
        Exported {
            ticks: self.samples().len() as u64,
            items,
            is_simulated_again: false,
            ending: Ending::Whole,
        }
    }

    #[cfg(feature = "mcap")]
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

//! Recordings as tables: one row per robot and tick.
//!
//! Columns: `t` (tick), `time_s`, `robot` (its number), the sensors and actuators by their names,
//! the truth, the internal values by theirs. Readings are those the mind had when the tick began,
//! everything else holds at its end, as in the trace. A reading that is none, a value that is no
//! number, and a channel the robot's body lacks are null (an empty cell), never 0.

use std::path::Path;

use tropism_core::Tick;
use tropism_ethology::table::{self, Cell, Column, Kind, TableWriter, WriteError};

use super::again::Again;
use super::held::{Layout, RobotLayout, TRUTH};
use super::{Exported, Format, Origin, REPORT_TICKS, step_of, stopped};
use crate::behaviour::BEHAVIOURS;
use crate::error::LabError;
use crate::life::Progress;
use crate::trace::{Ending, Frame, TraceReader};

/// Rows of a Parquet row group; so many rows are held in memory.
const GROUP_ROWS: usize = 8_192;

/// The columns before the channels.
const FIRST: [&str; 3] = ["t", "time_s", "robot"];

/// Frames held by a trace, or simulated again.
enum Frames {
    Held(Box<TraceReader>),
    Again(Box<Again>),
}

impl Frames {
    fn reader(&self) -> &TraceReader {
        match self {
            Self::Held(reader) => reader,
            Self::Again(again) => again.reader(),
        }
    }

    fn names(&self) -> &[String] {
        match self {
            Self::Held(reader) => &reader.header.names,
            Self::Again(again) => again.names(),
        }
    }

    fn next_into(&mut self, frame: &mut Frame) -> Result<bool, LabError> {
        match self {
            Self::Held(reader) => reader.next_into(frame),
            Self::Again(again) => {
                let is_there = again.step()?;
                frame.values.clear();
                frame.values.extend_from_slice(again.values());
                Ok(is_there)
            }
        }
    }
}

/// Writes a trace as a table. With an origin the run is simulated again, and internal values are
/// there even if the trace lacks them; without one the trace is taken as it is.
///
/// # Errors
/// [`LabError`] when the trace cannot be read, the run comes out otherwise, or the file cannot be
/// written; no file then appears.
pub fn table(
    reader: TraceReader,
    origin: Option<Origin<'_>>,
    (to, format): (&Path, Format),
    progress: &dyn Progress,
) -> Result<Exported, LabError> {
    let is_simulated_again = origin.is_some();
    let mut frames = match origin {
        Some(origin) => Frames::Again(Box::new(Again::new(reader, origin)?)),
        None => Frames::Held(Box::new(reader)),
    };
    let path = frames.reader().path().to_owned();
    let damaged = |what: String| LabError::damaged(&path, format!("its header is damaged: {what}"));
    let layout = Layout::of_names(frames.names()).map_err(damaged)?;
    let step = step_of(&path, frames.reader().header.step)?;
    let union = Union::of(&layout);
    let format =
        if format == Format::Parquet { table::Format::Parquet } else { table::Format::Csv };
    let failed = |error: WriteError| match error {
        WriteError::File(error) => LabError::File(error),
        other => LabError::damaged(&path, other.to_string()),
    };
    let mut writer =
        TableWriter::create(to, union.columns(), format, GROUP_ROWS).map_err(failed)?;
    let mut frame = Frame::default();
    let mut row = Vec::new();
    let mut tick = 0;
    while frames.next_into(&mut frame)? {
        for (i, robot) in layout.robots.iter().enumerate() {
            row.clear();
            row.extend([tick.into(), step.seconds_at(Tick(tick)).into(), i.into()]);
            union.fill(&mut row, i, robot, &frame.values);
            writer.push(&row).map_err(failed)?;
        }
        tick += 1;
        if tick.is_multiple_of(REPORT_TICKS) {
            progress.ticks(REPORT_TICKS);
            if progress.is_cancelled() {
                return Err(stopped(to));
            }
        }
    }
    let items = writer.finish().map_err(failed)?;
    let ending = frames.reader().ending().unwrap_or(Ending::Cut);
    Ok(Exported { ticks: tick, items, is_simulated_again, ending })
}

/// Names of all robots together, and for each name where it is in each robot.
#[derive(Debug, Default)]
struct Union {
    channels: Vec<(String, Vec<Option<Place>>)>,
    internals: Vec<(String, Vec<Option<Place>>)>,
}

/// Index among the sensors, actuators or internal values of a robot.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Sensor(usize),
    Actuator(usize),
    Internal(usize),
}

impl Union {
    fn of(layout: &Layout) -> Self {
        let mut union = Self::default();
        let robots = layout.robots.len();
        for (i, robot) in layout.robots.iter().enumerate() {
            let sensors = (0..).zip(&robot.sensors).map(|(k, n)| (n, Place::Sensor(k)));
            let actuators = (0..).zip(&robot.actuators).map(|(k, n)| (n, Place::Actuator(k)));
            for (name, place) in sensors.chain(actuators) {
                add(&mut union.channels, name, (i, robots), place);
            }
            for (k, name) in robot.internals.iter().enumerate() {
                add(&mut union.internals, name, (i, robots), Place::Internal(k));
            }
        }
        union
    }

    /// The columns in order. A name that is taken gets the word in front that it has in a trace.
    fn columns(&self) -> Vec<Column> {
        let mut names: Vec<String> = FIRST.map(str::to_owned).to_vec();
        let mut kinds = vec![Kind::U64, Kind::F64, Kind::U64];
        for (name, places) in &self.channels {
            let is_sensor = places.iter().flatten().any(|p| matches!(p, Place::Sensor(_)));
            let is_truth = TRUTH.contains(&name.as_str());
            let word = if is_sensor { "sensor" } else { "actuator" };
            push_unique(&mut names, name, if is_truth { Some(word) } else { None }, word);
            kinds.push(Kind::F64);
        }
        for (place, name) in TRUTH.iter().enumerate() {
            names.push((*name).to_owned());
            kinds.push(match place {
                0..=4 => Kind::F64,
                5 | 6 => Kind::Bool,
                7 => Kind::Text,
                _ => Kind::U64,
            });
        }
        for (name, _) in &self.internals {
            push_unique(&mut names, name, None, "internal");
            kinds.push(Kind::F64);
        }
        names.iter().zip(kinds).map(|(name, kind)| Column::new(name, kind)).collect()
    }

    fn fill(
        &self,
        row: &mut Vec<Cell<'static>>,
        robot: usize,
        layout: &RobotLayout,
        values: &[f64],
    ) {
        let number = |x: f64| Cell::F64(x.is_finite().then_some(x));
        let at = |place: Option<Place>| match place {
            Some(Place::Sensor(k)) => number(layout.sensors(values)[k]),
            Some(Place::Actuator(k)) => number(layout.actuators(values)[k]),
            Some(Place::Internal(k)) => number(layout.internals(values)[k]),
            None => Cell::F64(None),
        };
        row.extend(self.channels.iter().map(|(_, places)| at(places[robot])));
        let truth = layout.truth(values);
        row.extend(truth[..5].iter().map(|x| number(*x)));
        row.extend(truth[5..7].iter().map(|x| Cell::Bool(*x != 0.0)));
        let behaviour = BEHAVIOURS.get(truth[7] as usize).copied().unwrap_or("unknown");
        row.push(behaviour.into());
        row.push(Cell::U64(truth[8] as u64));
        row.extend(self.internals.iter().map(|(_, places)| at(places[robot])));
    }
}

fn add(
    all: &mut Vec<(String, Vec<Option<Place>>)>,
    name: &str,
    (robot, robots): (usize, usize),
    place: Place,
) {
    // Two bodies may use one name for a sensor and for an actuator; those stay two columns.
    let is_same_kind = |places: &[Option<Place>]| {
        places
            .iter()
            .flatten()
            .all(|p| core::mem::discriminant(p) == core::mem::discriminant(&place))
    };
    let found = all
        .iter_mut()
        .find(|(n, places)| n == name && places[robot].is_none() && is_same_kind(places));
    if let Some((_, places)) = found {
        places[robot] = Some(place);
        return;
    }
    let mut places = vec![None; robots];
    places[robot] = Some(place);
    all.push((name.to_owned(), places));
}

fn push_unique(names: &mut Vec<String>, name: &str, prefix: Option<&str>, word: &str) {
    let mut candidate = prefix.map_or_else(|| name.to_owned(), |p| format!("{p}_{name}"));
    if names.contains(&candidate) {
        candidate = format!("{word}_{name}");
    }
    let mut number = 2;
    while names.contains(&candidate) {
        candidate = format!("{word}_{name}_{number}");
        number += 1;
    }
    names.push(candidate);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(robots: &[(&[&str], &[&str], &[&str])]) -> Layout {
        let owned = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        let mut first = 0;
        let of = |(s, a, i): &(&[&str], &[&str], &[&str])| {
            let robot =
                RobotLayout { first, sensors: owned(s), actuators: owned(a), internals: owned(i) };
            first += TRUTH.len() + s.len() + a.len() + i.len();
            robot
        };
        Layout { robots: robots.iter().map(of).collect() }
    }

    fn names(union: &Union) -> Vec<String> {
        union.columns().into_iter().map(|column| column.name).collect()
    }

    #[test]
    fn unit_columns_are_the_names_of_all_robots_together() {
        let union = Union::of(&layout(&[
            (&["bump", "light"], &["wheel"], &["in_bump"]),
            (&["light", "wheel"], &[], &["in_light"]),
        ]));
        let found = names(&union);
        let expected = ["t", "time_s", "robot", "bump", "light", "wheel", "sensor_wheel", "x_m"];
        assert_eq!(found[..8], expected);
        assert_eq!(found[found.len() - 2..], ["in_bump", "in_light"]);
    }

    #[test]
    fn unit_a_taken_name_gets_a_word_in_front() {
        let union = Union::of(&layout(&[(&["t", "charge"], &["x_m"], &["t", "bump", "bump"])]));
        let found = names(&union);
        assert_eq!(found[3..6], ["sensor_t", "sensor_charge", "actuator_x_m"]);
        assert_eq!(found[15..], ["internal_t", "bump", "internal_bump"]);
    }

    #[test]
    fn unit_what_is_no_number_and_what_a_body_lacks_is_null_and_never_zero() {
        let layout = layout(&[(&["bump"], &["wheel"], &["h"]), (&["light"], &[], &[])]);
        let union = Union::of(&layout);
        let mut values = vec![0.5; 22];
        (values[9], values[11], values[21]) = (f64::NAN, f64::INFINITY, -0.0);
        let row = |robot: usize| {
            let mut row = Vec::new();
            union.fill(&mut row, robot, &layout.robots[robot], &values);
            row
        };
        let null = Cell::F64(None);
        let first = row(0);
        assert_eq!(first[..3], [null.clone(), 0.5.into(), null.clone()]);
        assert_eq!(first.last(), Some(&null));
        let second = row(1);
        assert_eq!(second[..2], [null.clone(), null.clone()]);
        assert!(matches!(second[2], Cell::F64(Some(x)) if x.to_bits() == (-0.0_f64).to_bits()));
        assert_eq!(second.last(), Some(&null));
    }
}

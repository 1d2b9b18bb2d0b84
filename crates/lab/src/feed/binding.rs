//! Which column of a recording is which channel of the body.
//!
//! A column is a channel when its name is the channel's, with or without the prefix `in_`
//! (sensors) or `act_` (actuators), after renaming. A rename is (name in the file, channel), with
//! or without the prefix on the file's side.
//!
//! What it does not do: it guesses nothing; a column that is no channel is named in a warning.

use std::path::Path;

use tropism_body::{BodySpec, Side};

use super::error::{FeedError, nearest};

/// Most unknown columns named in a warning.
const NAMED_MAX: usize = 8;

/// Columns of the channels of a body, by channel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Binding {
    /// Column of each sensor.
    pub sensors: Vec<Option<usize>>,
    /// Column of each actuator.
    pub actuators: Vec<Option<usize>>,
    /// What each sensor is called in the file; the channel's own name without a column.
    pub sensor_labels: Vec<String>,
    /// What each actuator is called in the file.
    pub actuator_labels: Vec<String>,
    /// Columns that are no channel.
    pub unknown: Vec<String>,
}

fn strip(column: &str) -> (Option<Side>, &str) {
    if let Some(rest) = column.strip_prefix("in_") {
        (Some(Side::Sensor), rest)
    } else if let Some(rest) = column.strip_prefix("act_") {
        (Some(Side::Actuator), rest)
    } else {
        (None, column)
    }
}

/// A column as a channel: side, index and the label of the channel in the file.
fn find<'a>(
    body: &BodySpec,
    column: &'a str,
    renames: &[(String, String)],
) -> Option<(Side, usize, &'a str)> {
    let (side, bare) = strip(column);
    let renamed = |from: &str| renames.iter().find(|r| r.0 == from).map(|r| r.1.as_str());
    let by_name = |name: &str, side: Option<Side>| {
        let sensor = body.sensor(name).filter(|_| side != Some(Side::Actuator));
        let actuator = body.actuator(name).filter(|_| side != Some(Side::Sensor));
        sensor.map(|i| (Side::Sensor, i)).or(actuator.map(|i| (Side::Actuator, i)))
    };
    // A channel of the body may itself begin with a prefix: the whole name goes first.
    let found = match renamed(column).or_else(|| renamed(bare)) {
        Some(channel) => by_name(channel, side),
        None => by_name(column, None).or_else(|| by_name(bare, side)),
    };
    found.map(|(side, i)| (side, i, bare))
}

impl Binding {
    /// Finds the channels of `body` among `columns`.
    ///
    /// # Errors
    /// [`FeedError::File`] when a rename names no column or no channel, when two columns are one
    /// channel, or when no column is a sensor.
    pub fn new(
        path: &Path,
        body: &BodySpec,
        columns: &[String],
        renames: &[(String, String)],
    ) -> Result<Self, FeedError> {
        check_renames(path, body, columns, renames)?;
        let mut binding = Self {
            sensors: vec![None; body.sensors.len()],
            actuators: vec![None; body.actuators.len()],
            sensor_labels: body.sensors.iter().map(|s| s.name.as_str().into()).collect(),
            actuator_labels: body.actuators.iter().map(|a| a.name.as_str().into()).collect(),
            unknown: Vec::new(),
        };
        for (at, column) in columns.iter().enumerate() {
            let Some((side, i, label)) = find(body, column, renames) else {
                binding.unknown.push(column.clone());
                continue;
            };
            let (places, labels) = match side {
                Side::Sensor => (&mut binding.sensors, &mut binding.sensor_labels),
                Side::Actuator => (&mut binding.actuators, &mut binding.actuator_labels),
            };
            if let Some(other) = places[i] {
                let other = &columns[other];
                let problem = format!("columns `{other}` and `{column}` are the same channel");
                return Err(FeedError::file(path, problem, "one column per channel is expected"));
            }
            places[i] = Some(at);
            labels[i] = label.into();
        }
        if binding.sensors.iter().all(Option::is_none) {
            let names: Vec<&str> = body.sensors.iter().map(|s| s.name.as_str()).collect();
            let problem = format!("no column is a sensor of the body `{}`", body.name);
            let remedy = format!("its sensors are {}; rename columns to them", names.join(", "));
            return Err(FeedError::file(path, problem, remedy));
        }
        binding.make_labels_distinct(body);
        Ok(binding)
    }

    /// Labels that two channels of a side share give way to the channels' own names.
    fn make_labels_distinct(&mut self, body: &BodySpec) {
        let is_distinct = |labels: &[String]| {
            labels.iter().enumerate().all(|(i, label)| !labels[..i].contains(label))
        };
        if !is_distinct(&self.sensor_labels) {
            self.sensor_labels = body.sensors.iter().map(|s| s.name.as_str().into()).collect();
        }
        if !is_distinct(&self.actuator_labels) {
            self.actuator_labels = body.actuators.iter().map(|a| a.name.as_str().into()).collect();
        }
    }

    /// Remarks about columns without a channel and channels without a column.
    pub fn warnings(&self, body: &BodySpec) -> Vec<String> {
        let mut warnings = Vec::new();
        if !self.unknown.is_empty() {
            let n = self.unknown.len();
            let named: Vec<&str> =
                self.unknown.iter().take(NAMED_MAX).map(String::as_str).collect();
            let more =
                if n > NAMED_MAX { format!(" and {} more", n - NAMED_MAX) } else { String::new() };
            warnings.push(format!("{n} unknown columns ignored: {}{more}", named.join(", ")));
        }
        let mut absent = |kind: &str, names: Vec<&str>, effect: &str| {
            if !names.is_empty() {
                warnings.push(format!("{kind} without a column, {effect}: {}", names.join(", ")));
            }
        };
        let sensors = body.sensors.iter().zip(&self.sensors).filter(|s| s.1.is_none());
        absent("sensors", sensors.map(|s| s.0.name.as_str()).collect(), "read as missing");
        let actuators = body.actuators.iter().zip(&self.actuators).filter(|a| a.1.is_none());
        absent("actuators", actuators.map(|a| a.0.name.as_str()).collect(), "felt at rest");
        warnings
    }
}

fn check_renames(
    path: &Path,
    body: &BodySpec,
    columns: &[String],
    renames: &[(String, String)],
) -> Result<(), FeedError> {
    let channels = || {
        let sensors = body.sensors.iter().map(|s| s.name.as_str());
        sensors.chain(body.actuators.iter().map(|a| a.name.as_str()))
    };
    let near = |found: Option<&str>| {
        found.map_or_else(String::new, |name| format!("the nearest is `{name}`"))
    };
    for (from, to) in renames {
        if !columns.iter().any(|column| column == from || strip(column).1 == from) {
            let problem = format!("rename `{from}={to}`: the file has no column `{from}`");
            let remedy = near(nearest(from, columns.iter().map(String::as_str)));
            return Err(FeedError::file(path, problem, remedy));
        }
        if !channels().any(|channel| channel == to) {
            let problem = format!("rename `{from}={to}`: the body has no channel `{to}`");
            return Err(FeedError::file(path, problem, near(nearest(to, channels()))));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism_body::presets;

    fn bind(columns: &[&str], renames: &[(&str, &str)]) -> Result<Binding, FeedError> {
        let columns: Vec<String> = columns.iter().map(|c| (*c).into()).collect();
        let renames: Vec<(String, String)> =
            renames.iter().map(|r| (r.0.into(), r.1.into())).collect();
        Binding::new(Path::new("a.csv"), &presets::reference_board(), &columns, &renames)
    }

    #[test]
    fn unit_prefixes_plain_names_and_renames_find_the_channel() {
        let columns = ["battery_voltage", "in_touch_bump", "act_led_r", "in_radio", "x"];
        let binding = bind(&columns, &[("radio", "rf_rssi_station")]).unwrap();
        assert_eq!(binding.sensors, [Some(0), Some(1), Some(3)]);
        assert_eq!(binding.actuators[3], Some(2));
        assert_eq!(binding.sensor_labels, ["battery_voltage", "touch_bump", "radio"]);
        let warnings = binding.warnings(&presets::reference_board());
        assert_eq!(warnings[0], "1 unknown columns ignored: x");
        assert!(warnings[1].starts_with("actuators without a column, felt at rest: motor_left"));
    }

    #[test]
    fn edge_wrong_names_are_answered_with_the_nearest_right_one() {
        for (columns, renames, part) in [
            (["bump", "t9"], ("bum", "touch_bump"), "the nearest is `bump`"),
            (["bump", "t9"], ("bump", "touch_bmp"), "the nearest is `touch_bump`"),
            (["led_r", "t9"], ("t9", "led_g"), "no column is a sensor"),
            (["touch_bump", "b"], ("b", "touch_bump"), "`touch_bump` and `b` are the same"),
        ] {
            let text = bind(&columns, &[renames]).unwrap_err().to_string();
            assert!(text.contains(part), "{text}");
        }
    }
}

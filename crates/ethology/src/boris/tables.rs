//! The event tables.

use super::codes::Codes;
use super::observation::{CUT, Observation};
use super::project::word;
use crate::ethogram::Ethogram;
use crate::table::push_field;

const AGGREGATED: [&str; 24] = [
    "Observation id",
    "Observation date",
    "Description",
    "Observation type",
    "Source",
    "Time offset (s)",
    "Coding duration",
    "Media duration (s)",
    "FPS (frame/s)",
    "Subject",
    "Observation duration by subject by observation",
    "Behavior",
    "Behavioral category",
    "Behavior type",
    "Start (s)",
    "Stop (s)",
    "Duration (s)",
    "Media file name",
    "Image index start",
    "Image index stop",
    "Image file path start",
    "Image file path stop",
    "Comment start",
    "Comment stop",
];

const TABULAR: [&str; 18] = [
    "Observation id",
    "Observation date",
    "Description",
    "Observation duration",
    "Observation type",
    "Source",
    "Time offset (s)",
    "Media duration (s)",
    "FPS",
    "Subject",
    "Behavior",
    "Behavioral category",
    "Behavior type",
    "Time",
    "Media file name",
    "Image index",
    "Image file path",
    "Comment",
];

const TYPE: &str = "Live observation";
const NA: &str = "NA";

fn push_row(text: &mut String, fields: &[&str]) {
    for (place, field) in fields.iter().enumerate() {
        if place > 0 {
            text.push(',');
        }
        push_field(text, field);
    }
    text.push('\n');
}

fn seconds(value: f64) -> String {
    format!("{value:.3}")
}

fn one_line(text: &str) -> String {
    text.split(['\n', '\r']).collect::<Vec<_>>().join(" ")
}

/// Time of all bouts of a subject, as BORIS sums it.
fn coded_s(record: &Ethogram) -> f64 {
    record.time_budget().iter().map(|row| row.seconds).sum()
}

/// Aggregated events: one row per bout or point event, by subject, behaviour and start.
///
/// Times have three decimals, as BORIS writes them; durations are rounded from the exact number of
/// ticks. Point events have the duration NA.
pub fn aggregated_csv(observations: &[Observation<'_>]) -> String {
    let codes = Codes::of(observations);
    let mut text = String::new();
    push_row(&mut text, &AGGREGATED);
    for observation in observations {
        let description = one_line(observation.description);
        let date = observation.date.replace('T', " ");
        let length = seconds(observation.duration_s());
        for track in &observation.tracks {
            let record = track.record;
            let by_subject = seconds(coded_s(record));
            for (code, _) in (0..=u8::MAX).zip(record.catalogue().behaviours()) {
                let name = codes.code(record.catalogue(), code);
                let mut push = |kind: &str, start, stop, duration: &str, comment| {
                    let (start, stop) = (seconds(start), seconds(stop));
                    let head = [observation.id, &date, &description, TYPE, NA, "0.0", &length];
                    let who =
                        [NA, NA, track.subject, &by_subject, name, record.catalogue().title()];
                    let when = [kind, &start, &stop, duration, NA, NA, NA, NA, NA, "", comment];
                    push_row(&mut text, &[&head[..], &who, &when].concat());
                };
                let at = |tick| record.step().seconds_at(tick);
                for bout in record.bouts().iter().filter(|bout| bout.state == code) {
                    let duration = seconds(at(tropism_core::Tick(bout.ticks)));
                    let comment = if bout.complete { "" } else { CUT };
                    push("STATE", at(bout.start), at(bout.end()), &duration, comment);
                }
                for event in record.points().iter().filter(|event| event.code == code) {
                    push("POINT", at(event.at), at(event.at), NA, "");
                }
            }
        }
    }
    text
}

/// Tabular events: one row per start, stop and point event, by time.
pub fn tabular_csv(observations: &[Observation<'_>]) -> String {
    let codes = Codes::of(observations);
    let mut text = String::new();
    push_row(&mut text, &TABULAR);
    for observation in observations {
        let description = one_line(observation.description);
        let date = observation.date.replace('T', " ");
        let length = seconds(observation.duration_s());
        for row in observation.rows(&codes) {
            let head = [observation.id, &date, &description, &length, TYPE, NA, "0.0", NA, NA];
            let who = [row.subject, row.code, row.category, word(row.status)];
            let when = [&seconds(row.time_s), NA, NA, NA, row.comment];
            push_row(&mut text, &[&head[..], &who, &when].concat());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::project::tests::{observe, records};
    use super::*;

    fn cells(text: &str) -> Vec<Vec<&str>> {
        text.lines().map(|line| line.split(',').collect()).collect()
    }

    #[test]
    fn unit_aggregated_rows_hold_the_durations_of_the_bouts() {
        let (module, seen) = records();
        let text = aggregated_csv(&[observe(&module, &seen)]);
        let rows = cells(&text);
        assert!(rows.iter().all(|row| row.len() == AGGREGATED.len()));
        assert_eq!(rows.len(), 1 + module.bouts().len() + seen.bouts().len() + 2);
        let place = |name: &str| AGGREGATED.iter().position(|column| *column == name).unwrap();
        for (subject, record) in [("robot 1 (module)", &module), ("robot 1 (observed)", &seen)] {
            let own = || rows.iter().filter(|row| row[place("Subject")] == subject);
            let states = || own().filter(|row| row[place("Behavior type")] == "STATE");
            assert_eq!(states().count(), record.bouts().len());
            let sum: f64 = states().map(|r| r[place("Duration (s)")].parse::<f64>().unwrap()).sum();
            // Three decimals per row.
            assert!((sum - coded_s(record)).abs() < 5e-4 * record.bouts().len() as f64);
            let points = own().filter(|row| row[place("Behavior type")] == "POINT").count();
            assert_eq!(points, record.points().len());
        }
        let cut = rows.iter().filter(|row| row.last() == Some(&CUT)).count();
        assert_eq!(cut, 3, "the ends of two records and one gap");
    }

    #[test]
    fn unit_tabular_rows_pair_up_and_rise_in_time() {
        let (module, seen) = records();
        let text = tabular_csv(&[observe(&module, &seen)]);
        let rows = cells(&text);
        let count = |word: &str| rows.iter().filter(|row| row[12] == word).count();
        assert_eq!((count("START"), count("STOP"), count("POINT")), (6, 6, 2));
        let times: Vec<f64> = rows[1..].iter().map(|row| row[13].parse().unwrap()).collect();
        assert!(times.is_sorted());
        assert!(rows.iter().all(|row| row.len() == TABULAR.len()));
    }
}

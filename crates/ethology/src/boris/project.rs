//! The project file.

use alloc::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::codes::Codes;
use super::observation::{Observation, Status};
use crate::ethogram::BehaviourKind;

/// A project.
#[derive(Clone, Debug)]
pub struct Project<'a> {
    /// Name.
    pub name: &'a str,
    /// Free text.
    pub description: &'a str,
    /// Date as `YYYY-MM-DDThh:mm:ss`, given by the caller.
    pub date: &'a str,
    /// The observations.
    pub observations: Vec<Observation<'a>>,
}

#[derive(Serialize)]
struct BehaviourConf<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    key: String,
    code: &'a str,
    description: &'a str,
    color: &'a str,
    category: &'a str,
    modifiers: Map<String, Value>,
    excluded: &'a str,
    #[serde(rename = "coding map")]
    coding_map: &'a str,
}

/// Keyboard key of the n-th entry: a to z, 0 to 9, then none.
fn key(place: usize) -> String {
    let keys = ('a'..='z').chain('0'..='9');
    keys.into_iter().nth(place).map(String::from).unwrap_or_default()
}

fn behaviours(codes: &Codes) -> BTreeMap<String, BehaviourConf<'_>> {
    let conf = |(place, entry): (usize, _)| {
        let entry: &super::codes::CodeEntry = entry;
        let kind = match entry.kind {
            BehaviourKind::State => "State event",
            BehaviourKind::Point => "Point event",
        };
        let conf = BehaviourConf {
            kind,
            key: key(place),
            code: &entry.code,
            description: &entry.description,
            color: "",
            category: &entry.category,
            modifiers: Map::new(),
            excluded: "",
            coding_map: "",
        };
        (place.to_string(), conf)
    };
    codes.entries.iter().enumerate().map(conf).collect()
}

fn subjects(project: &Project<'_>) -> Value {
    let mut names: Vec<&str> = Vec::new();
    for track in project.observations.iter().flat_map(|observation| &observation.tracks) {
        if !names.contains(&track.subject) {
            names.push(track.subject);
        }
    }
    let conf = |(place, name): (usize, &&str)| {
        (place.to_string(), json!({ "key": "", "name": name, "description": "" }))
    };
    Value::Object(names.iter().enumerate().map(conf).collect())
}

fn observation(observation: &Observation<'_>, codes: &Codes) -> Value {
    let mut description = observation.description.to_owned();
    for track in &observation.tracks {
        for warning in track.record.warnings() {
            description = format!("{description}\n{}: {warning}", track.subject);
        }
    }
    let events: Vec<Value> = observation
        .rows(codes)
        .iter()
        .map(|row| json!([row.time_s, row.subject, row.code, "", row.comment]))
        .collect();
    json!({
        "file": {},
        "type": "LIVE",
        "date": observation.date,
        "description": description,
        "time offset": 0.0,
        "events": events,
        "observation time interval": [0, 0],
        "independent_variables": {},
        "visualize_spectrogram": false,
        "visualize_waveform": false,
        "close_behaviors_between_videos": false,
        "scan_sampling_time": 0,
        "start_from_current_time": false,
    })
}

/// The project as a `.boris` file in project format version 7.0.
///
/// States are START and STOP rows of the same code in the list `events`, each row
/// `[time in s, subject, code, modifier, comment]`; BORIS tells start from stop by their order.
///
/// # Example
/// ```
/// use tropism_ethology::boris::{Project, project_json};
/// let project = Project { name: "p", description: "", date: "", observations: vec![] };
/// assert!(project_json(&project).contains("\"project_format_version\": \"7.0\""));
/// ```
pub fn project_json(project: &Project<'_>) -> String {
    let codes = Codes::of(&project.observations);
    let observations: Map<String, Value> = project
        .observations
        .iter()
        .map(|one| (one.id.to_owned(), observation(one, &codes)))
        .collect();
    let file = json!({
        "time_format": "hh:mm:ss",
        "project_date": project.date,
        "project_name": project.name,
        "project_description": project.description,
        "project_format_version": "7.0",
        "subjects_conf": subjects(project),
        "behaviors_conf": behaviours(&codes),
        "observations": observations,
        "behavioral_categories": codes.categories,
        "behavioral_categories_config": {},
        "independent_variables": {},
        "coding_map": {},
        "behaviors_coding_map": [],
        "converters": {},
    });
    let mut text = format!("{file:#}");
    text.push('\n');
    text
}

/// Word for a row in the tables.
pub(super) const fn word(status: Status) -> &'static str {
    match status {
        Status::Start => "START",
        Status::Stop => "STOP",
        Status::Point => "POINT",
    }
}

#[cfg(test)]
pub(super) mod tests {
    use tropism_core::TimeStep;

    use super::super::observation::Track;
    use super::*;
    use crate::ethogram::{Behaviour, Catalogue, Ethogram, Recorder};

    /// (module, observed behaviour) of one robot.
    pub(crate) fn records() -> (Ethogram, Ethogram) {
        let step = TimeStep::new(1, 120).unwrap();
        let modules = Catalogue::of_states("controlling module", &["wander", "dock"]).unwrap();
        let mut module = Recorder::new("robot 1", step, modules, 100);
        for (state, ticks) in [(0, 61), (1, 30), (0, 7)] {
            module.observe_for(state, ticks);
        }
        let list = vec![
            Behaviour::state("wander", "moves without a goal"),
            Behaviour::state("still", "does not move"),
            Behaviour::point("bump", "touches something"),
        ];
        let seen = Catalogue::new("observed behaviour", list).unwrap();
        let mut seen = Recorder::new("robot 1", step, seen, 100);
        seen.observe_for(0, 50);
        seen.point(2);
        seen.observe_for(1, 20);
        seen.gap(5);
        seen.observe_for(1, 10);
        seen.point(2);
        (module.finish(), seen.finish())
    }

    pub(crate) fn observe<'a>(module: &'a Ethogram, seen: &'a Ethogram) -> Observation<'a> {
        let tracks = vec![
            Track { subject: "robot 1 (module)", record: module },
            Track { subject: "robot 1 (observed)", record: seen },
        ];
        Observation { id: "life 0", description: "d", date: "2026-01-02T03:04:05", tracks }
    }

    #[test]
    fn unit_project_read_back_gives_the_bouts_and_keeps_points_apart() {
        let (module, seen) = records();
        let project = Project {
            name: "p",
            description: "",
            date: "2026-01-02T03:04:05",
            observations: vec![observe(&module, &seen)],
        };
        let file: Value = serde_json::from_str(&project_json(&project)).unwrap();
        assert_eq!(file["project_format_version"], "7.0");
        assert_eq!(
            file["behavioral_categories"],
            json!(["controlling module", "observed behaviour"])
        );
        let confs = file["behaviors_conf"].as_object().unwrap();
        let kind_of = |code: &str| {
            let found = confs.values().find(|conf| conf["code"] == code);
            found.map(|conf| conf["type"].as_str().unwrap().to_owned()).unwrap()
        };
        let events = file["observations"]["life 0"]["events"].as_array().unwrap();
        let times: Vec<f64> = events.iter().map(|row| row[0].as_f64().unwrap()).collect();
        assert!(times.is_sorted());
        for (subject, record) in [("robot 1 (module)", &module), ("robot 1 (observed)", &seen)] {
            // Pair rows the way BORIS does: per subject and code, odd rows start, even rows stop.
            let mut open: BTreeMap<String, f64> = BTreeMap::new();
            let (mut found, mut points) = (Vec::new(), 0);
            for row in events.iter().filter(|row| row[1] == subject) {
                let (time, code) = (row[0].as_f64().unwrap(), row[2].as_str().unwrap());
                if kind_of(code) == "Point event" {
                    points += 1;
                } else if let Some(start) = open.remove(code) {
                    found.push((start, time - start));
                } else {
                    open.insert(code.to_owned(), time);
                }
            }
            assert!(open.is_empty(), "every start has its stop");
            assert_eq!(points, record.points().len());
            assert_eq!(found.len(), record.bouts().len());
            for ((start, duration), bout) in found.iter().zip(record.bouts()) {
                assert!((start - bout.start.0 as f64 / 120.0).abs() < 1e-12);
                assert!((duration - bout.ticks as f64 / 120.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn unit_a_name_in_two_catalogues_gets_two_codes() {
        let (module, seen) = records();
        let codes = Codes::of(&[observe(&module, &seen)]);
        let names: Vec<&str> = codes.entries.iter().map(|entry| entry.code.as_str()).collect();
        let wander = ["controlling module: wander", "observed behaviour: wander"];
        assert_eq!(names, [wander[0], "dock", wander[1], "still", "bump"]);
        assert_eq!(
            (key(0), key(25), key(26), key(40)),
            ("a".into(), "z".into(), "0".into(), String::new())
        );
    }
}

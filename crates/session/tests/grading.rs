//! Grading start by start gives what grading at once gives.

use tropism_lab::grade::{Task, describe, grade};
use tropism_scenario::built_in_condition_at;
use tropism_session::{Driver, Grading};
use tropism_wire::session::TextFile;

#[test]
fn determinism_grading_step_by_step_equals_grading_at_once() {
    let mut grading = Grading::new("room", &Driver::Named("braitenberg_3b".into()), 6).unwrap();
    assert!(grading.summary().is_err());
    let mut rows = 0;
    while let Some(row) = grading.next() {
        assert_eq!(row.unwrap().start, rows);
        rows += 1;
        assert_eq!(grading.progress(), (rows, 6));
    }
    let summary = grading.summary().unwrap();
    let task = Task::named("room").unwrap().unwrap();
    let (body, step) = task.host();
    let mind = built_in_condition_at("braitenberg_3b", body, step).unwrap();
    let whole = grade("braitenberg_3b", &mind, &task, 6).unwrap();
    assert_eq!(summary.json, serde_json::to_string(&whole).unwrap());
    assert_eq!(summary.text, describe(&whole));
}

#[test]
fn unit_what_cannot_be_graded_is_refused_with_its_place() {
    let named = |name: &str| Driver::Named(name.into());
    let refuse =
        |task: &str, driver: &Driver, starts| Grading::new(task, driver, starts).unwrap_err();
    assert!(refuse("rom", &named("bug2"), 3).what.contains("room_start"));
    assert!(refuse("room", &named("nobody"), 3).what.contains("bug2"));
    assert!(refuse("room", &named("bug2"), 0).what.contains("1 to"));
    let file = TextFile { name: "m.toml".into(), text: "kind = 'machine'\nname = 4\n".into() };
    let fault = refuse("room", &Driver::File(file), 3);
    assert!(fault.places.iter().any(|p| p.line == 2), "{fault:?}");
    let machine = include_str!("../../../scenarios/machines/line-follow-avoid.toml");
    let file = TextFile { name: "m.toml".into(), text: machine.into() };
    let mut grading = Grading::new("track", &Driver::File(file), 1).unwrap();
    assert!(grading.next().unwrap().is_ok());
    assert!(grading.next().is_none());
    let text = Grading::task_text("track").unwrap();
    assert!(text.contains("tape") && text.contains("120 s"), "{text}");
    for (name, _) in tropism_lab::grade::TASKS {
        assert!(Grading::task_text(name).unwrap().len() > 200);
    }
    assert_eq!(Grading::task_text("nobody"), None);
}

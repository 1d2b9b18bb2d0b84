//! Goal: a page can grade a script and run an experiment without stopping the main session.
//! Method: small jobs over HTTP, compared with the same made directly.
#![allow(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

mod common;

use common::Lab;
use serde_json::{Value, json};
use tropism_server::Options;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn edge_a_machine_is_graded_with_progress() {
    let lab = Lab::usual();
    let tasks = lab.get("/api/tasks").json();
    let tasks = tasks["tasks"].as_array().unwrap();
    assert!(tasks.iter().any(|t| t["name"] == "room" && t["text"].as_str().unwrap().len() > 50));
    let machine = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../scenarios/machines/line-follow-avoid.toml"
    ))
    .unwrap();
    let ask = json!({"task": "track", "file": {"name": "m.toml", "text": machine}, "seeds": 5});
    let reply = lab.post("/api/grade", ask.to_string().as_bytes());
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.header("content-type"), "application/x-ndjson");
    let lines = lines(&reply.body);
    assert_eq!(lines[0], json!({"done": 0, "of": 5}));
    assert!(lines.iter().any(|l| l["done"] == 5));
    let last = lines.last().unwrap();
    assert_eq!(last["grade"]["attempts"].as_array().unwrap().len(), 5);
    assert!(last["table"].as_str().unwrap().contains("passed"));
}

#[test]
fn edge_what_cannot_be_graded_is_refused_with_the_reason() {
    let lab = Lab::usual();
    let file = |name: &str, text: &str| json!({"name": name, "text": text});
    let cases = [
        (json!({"task": "moon", "file": file("a.js", ""), "seeds": 1}), "there is no task `moon`"),
        (json!({"task": "room", "file": file("a.js", ""), "seeds": 0}), "`seeds` is 1 to 2000"),
        (json!({"task": "room", "file": file("a.toml", "kind = 3"), "seeds": 1}), "a.toml"),
        (json!({"task": "room"}), "missing field `file`"),
    ];
    for (ask, why) in cases {
        let reply = lab.post("/api/grade", ask.to_string().as_bytes());
        assert_eq!(reply.status, 400, "{ask}");
        assert!(reply.error().contains(why), "{ask}: {reply:?}");
    }
    let huge = lab.post("/api/grade", &vec![b' '; 3 << 20]);
    assert_eq!(huge.status, 413);
}

const TINY: &str = r#"kind = "experiment"
name = "tiny"
about = "two conditions"
conditions = ["full", "random_walk"]
seeds = { first = 1, count = 3 }
lives = 1
life_cap_s = 120
baseline = "random_walk"

[scenario]
world = "standard"
body = "reference_simulator"
"#;

#[test]
fn edge_an_experiment_is_started_watched_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    let lab = Lab::start(Options { results, ..Options::default() });
    assert_eq!(lab.get("/api/experiments").json(), json!({"experiments": []}));
    let names = lab.get("/api/experiments/built-in").json();
    assert_eq!(names["names"][0], "first-look");
    let ask = json!({"file": {"name": "tiny.toml", "text": TINY}, "seeds": 2});
    let reply = lab.post("/api/experiments", ask.to_string().as_bytes());
    assert_eq!(reply.status, 200, "{reply:?}");
    let name = reply.json()["name"].as_str().unwrap().to_owned();
    assert!(name.starts_with("tiny-"), "{name}");
    let info = || lab.get("/api/experiments").json()["experiments"][0].clone();
    let begun = std::time::Instant::now();
    while info()["is_running"] == true {
        assert!(begun.elapsed() < common::PATIENCE);
        std::thread::sleep(core::time::Duration::from_millis(50));
    }
    let end = info();
    assert_eq!((&end["runs_done"], &end["runs_total"]), (&json!(4), &json!(4)), "{end}");
    assert_eq!((&end["has_report"], &end["error"]), (&json!(true), &Value::Null), "{end}");
    let report = lab.get(&format!("/api/experiments/{name}/report"));
    assert_eq!(report.header("content-type"), "text/html; charset=utf-8");
    assert!(report.header("content-security-policy").contains("default-src 'none'"));
    assert!(report.body.contains("tiny"));
    let table = lab.get(&format!("/api/experiments/{name}/table"));
    assert!(table.body.contains("random_walk"), "{table:?}");
}

#[test]
fn edge_one_experiment_at_a_time_and_it_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    let lab = Lab::start(Options { results, ..Options::default() });
    let long =
        TINY.replace("life_cap_s = 120", "life_cap_s = 90000").replace("lives = 1", "lives = 9000");
    let ask = json!({"file": {"name": "long.toml", "text": long}});
    let name = lab.post("/api/experiments", ask.to_string().as_bytes()).json();
    let name = name["name"].as_str().unwrap();
    let second = json!({"built_in": "headline", "seeds": 1});
    let refused = lab.post("/api/experiments", second.to_string().as_bytes());
    assert_eq!(refused.status, 409, "{refused:?}");
    assert!(refused.error().contains(name), "{refused:?}");
    let listed = lab.get("/api/experiments").json();
    assert_eq!(listed["experiments"].as_array().map(Vec::len), Some(1), "{listed}");
    let path = format!("/api/experiments/{name}");
    assert_eq!(lab.ask("DELETE", &path, &[], &[]).status, 200);
    let begun = std::time::Instant::now();
    while lab.get("/api/experiments").json()["experiments"][0]["is_running"] == true {
        assert!(begun.elapsed() < common::PATIENCE);
        std::thread::sleep(core::time::Duration::from_millis(50));
    }
    assert_eq!(lab.ask("DELETE", &path, &[], &[]).status, 404);
    assert_eq!(lab.get(&format!("{path}/report")).status, 404);
    assert_eq!(lab.get("/api/experiments/..%2F..%2Fetc/report").status, 404);
    for (ask, why) in [
        (json!({}), "either `file` or `built_in`"),
        (json!({"built_in": "moon"}), "there is no experiment `moon`"),
        (json!({"built_in": "headline", "seeds": 100_000}), "`seeds` is 1 to"),
        (json!({"file": {"name": "x.toml", "text": "kind = 'world'"}}), "x.toml"),
    ] {
        let reply = lab.post("/api/experiments", ask.to_string().as_bytes());
        assert!(reply.status == 400 && reply.error().contains(why), "{ask}: {reply:?}");
    }
}

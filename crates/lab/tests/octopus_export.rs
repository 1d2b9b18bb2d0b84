//! Goal: an octopus trace is exported as it is, to the bit; what is no such trace is refused with
//! the place.
//! Method: a shipped scene is traced, with and without arbitration, and every format is read back.
#![cfg(feature = "mcap")]

use std::fs;
use std::path::{Path, PathBuf};

use mcap::MessageStream;
use serde_json::Value;
use tropism_lab::export::mcap::{check, octopus_trace};
use tropism_lab::export::{Format, OctopusTrace, octopus_table};
use tropism_lab::life::Silent;
use tropism_scenario::octopus::verbs::{Input, TraceOptions, trace_verb};

/// A trace of a shipped scene: 5 s, 20 samples per second.
fn made(folder: &Path, scene: &str) -> (PathBuf, Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/octopus").join(scene);
    let bytes = fs::read(path).expect("it ships");
    let options = TraceOptions { law: None, every: Some(6), updates: Some(600) };
    let text = trace_verb(Input { name: scene, bytes: &bytes }, None, &options).expect("a trace");
    let to = folder.join(format!("trace-{scene}"));
    fs::write(&to, &text).expect("written");
    (to, serde_json::from_str(&text).expect("JSON"))
}

fn rows(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let text = fs::read_to_string(path).expect("the table");
    let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let mut lines = text.lines();
    let head = split(lines.next().expect("a head"));
    (head, lines.map(split).collect())
}

#[test]
fn unit_every_sample_of_every_arm_is_a_row_to_the_bit() {
    let folder = tempfile::tempdir().expect("a folder");
    for scene in ["quarrel.json", "detour.json"] {
        let (path, json) = made(folder.path(), scene);
        let trace = OctopusTrace::open(&path).expect("a trace");
        assert_eq!((trace.step().numerator(), trace.step().denominator()), (1, 120));
        let to = folder.path().join("a.csv");
        let done = octopus_table(&trace, (&to, Format::Csv), &Silent).expect("a table");
        let (head, rows) = rows(&to);
        let samples = json["samples"].as_array().expect("samples");
        assert_eq!((done.ticks, done.items), (samples.len() as u64, 8 * samples.len() as u64));
        assert_eq!(rows.len(), 8 * samples.len());
        let column = |name: &str| head.iter().position(|h| h == name).expect("a column");
        for (i, row) in rows.iter().enumerate() {
            let (sample, arm) = (&samples[i / 8], &samples[i / 8]["arms"][i % 8]);
            let read = |name: &str| row[column(name)].parse::<f64>().ok().map(f64::to_bits);
            let held = |value: &Value| value.as_f64().map(f64::to_bits);
            for (name, value) in [
                ("t", &sample["update"]),
                ("time_s", &sample["seconds"]),
                ("arm", &arm["number"]),
                ("tip_x_px", &arm["tip"][0]),
                ("target_y_px", &arm["target"][1]),
                ("held", &arm["held"]),
                ("grip_segment", &arm["grip"]["segment"]),
                ("carry_goal_x_px", &arm["carry_goal"][0]),
                ("dwell_s", &arm["dwell"]),
                ("priority", &arm["priority"]),
                ("angle_0_rad", &arm["angles"][0]),
                ("angle_7_rad", &arm["angles"][7]),
            ] {
                assert_eq!(read(name), held(value), "{scene} row {i} {name}");
            }
            assert_eq!(row[column("state")], arm["state"].as_str().expect("a state"));
            assert_eq!(row[column("is_active")], arm["active"].to_string());
        }
    }
}

#[test]
fn unit_an_mcap_file_has_a_topic_per_arm_and_what_happened() {
    use foxglove::Decode as _;
    let folder = tempfile::tempdir().expect("a folder");
    let (path, json) = made(folder.path(), "quarrel.json");
    let trace = OctopusTrace::open(&path).expect("a trace");
    let to = folder.path().join("a.mcap");
    let done = octopus_trace(&trace, &to, &Silent).expect("a file");
    let contents = check(&to).expect("whole");
    assert_eq!(contents.messages, done.items);
    let bytes = fs::read(&to).expect("the file");
    let (mut inner, mut logs, mut last) = (Vec::new(), Vec::new(), 0);
    for message in MessageStream::new(&bytes).expect("a file") {
        let message = message.expect("a message");
        assert!(message.log_time >= last, "in the order of time");
        last = message.log_time;
        match message.channel.topic.as_str() {
            "/arm_3/internals" => {
                let read: Value = serde_json::from_slice(&message.data).expect("JSON");
                inner.push((message.log_time, read));
            }
            "/log" => {
                let log = foxglove::messages::Log::decode(message.data.as_ref()).expect("a log");
                logs.push(format!("{}: {}", log.name, log.message));
            }
            _ => {}
        }
    }
    let samples = json["samples"].as_array().expect("samples");
    assert_eq!(inner.len(), samples.len());
    for ((ns, read), sample) in inner.iter().zip(samples) {
        let arm = &sample["arms"][2];
        let update = sample["update"].as_u64().expect("a number");
        assert_eq!(*ns, update * 1_000_000_000 / 120);
        assert_eq!(read["tip_x_px"].as_f64(), arm["tip"][0].as_f64());
        assert_eq!(read["state"], arm["state"]);
        assert_eq!(read.get("held").and_then(Value::as_f64), arm["held"].as_f64());
    }
    let count = |key: &str| json[key].as_array().map_or(0, Vec::len);
    let expected = count("state_changes") + count("capture_reports") + count("conflicts");
    assert_eq!(logs.len(), expected);
    assert!(expected > 8 && logs.iter().any(|l| l.contains(" -> ")), "{logs:?}");
    assert!(count("conflicts") > 0 && logs.iter().any(|l| l.contains("gave way")), "{logs:?}");
}

#[test]
fn determinism_the_same_trace_gives_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, _) = made(folder.path(), "showcase.json");
    let trace = OctopusTrace::open(&path).expect("a trace");
    for ending in ["csv", "parquet", "mcap"] {
        let [a, b] = ["a", "b"].map(|name| {
            let to = folder.path().join(format!("{name}.{ending}"));
            match Format::of(&to).expect("a format") {
                Format::Mcap => octopus_trace(&trace, &to, &Silent).expect("a file"),
                format => octopus_table(&trace, (&to, format), &Silent).expect("a table"),
            };
            fs::read(to).expect("the file")
        });
        assert!(a == b && a.len() > 10_000, "{ending}");
    }
}

#[test]
fn golden_reference_traces_are_read() {
    let Some(shared) = tropism_testkit::shared_dir() else {
        eprintln!("skipped: there is no shared folder");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["single", "obstacle", "carry"] {
        let packed = shared.join(format!("golden/octopus/{name}.json.xz"));
        let done = std::process::Command::new("xz").args(["-dc"]).arg(&packed).output();
        let Ok(done) = done.map_err(|error| eprintln!("skipped: no xz: {error}")) else { return };
        assert!(done.status.success(), "{}", packed.display());
        let path = folder.path().join(format!("{name}.json"));
        fs::write(&path, done.stdout).expect("written");
        let trace = OctopusTrace::open(&path).expect("a trace");
        let to = folder.path().join(format!("{name}.csv"));
        let done = octopus_table(&trace, (&to, Format::Csv), &Silent).expect("a table");
        assert!(done.items >= 8 * done.ticks.min(10), "{name}: {done:?}");
    }
}

#[test]
fn edge_what_is_no_trace_is_refused_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, json) = made(folder.path(), "detour.json");
    let change = |key: &str, value: Value| {
        let mut other = json.clone();
        *other.pointer_mut(key).expect("a place") = value;
        other.to_string()
    };
    let whole = json.to_string();
    for (text, words) in [
        ("{\"version\": 1}".to_owned(), "`format` is missing"),
        (whole[..whole.len() / 2].to_owned(), "line 1"),
        (change("/format", "x".into()), "`format` is `x`"),
        (change("/dt", 0.3.into()), "`dt`"),
        (change("/samples", Value::Array(Vec::new())), "no samples"),
        (change("/samples/3/arms", 1.into()), "samples[3]: `arms`"),
        (change("/samples/2/arms/5/tip", 1.into()), "samples[2].arms[5]: `tip`"),
        (change("/samples/2/arms/5/active", 1.into()), "samples[2].arms[5]: `active`"),
        (
            change("/samples/2/arms/5/number", 9.into()),
            "samples[2].arms[5]: `number` is 9, but the arms are numbered 1 to 8",
        ),
        (change("/samples/2/arms/0/number", 0.into()), "samples[2].arms[0]: `number` is 0"),
    ] {
        fs::write(&path, text).expect("written");
        let error = OctopusTrace::open(&path).expect_err(words).to_string();
        assert!(error.contains(words), "{words}: {error}");
    }
}

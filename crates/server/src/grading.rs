//! Grading over HTTP: progress as lines of JSON, then the table.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::path::Path as FilePath;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tropism_lab::LabError;
use tropism_lab::grade::{self, Attempt, TASKS, Task};
use tropism_scenario::{Document, MindSpec};
use utoipa::ToSchema;

use crate::app::App;
use crate::reply::{Refused, refusal};
use crate::stream::Lines;

/// Longest request, bytes.
const BYTES_MAX: usize = 1 << 20;

/// A task.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TaskInfo {
    /// Name.
    name: String,
    /// What it is, in one line.
    about: String,
    /// What the one who is to solve it is told.
    text: String,
}

/// The tasks.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Tasks {
    /// The tasks.
    tasks: Vec<TaskInfo>,
}

/// The tasks there are.
#[utoipa::path(get, path = "/api/tasks", tag = "grading", responses((status = 200, body = Tasks)))]
pub(crate) async fn tasks() -> Json<Tasks> {
    let info = |(name, about): &(&str, &str)| TaskInfo {
        name: (*name).to_owned(),
        about: (*about).to_owned(),
        text: Task::named(name).and_then(Result::ok).map(|t| t.text()).unwrap_or_default(),
    };
    Json(Tasks { tasks: TASKS.iter().map(info).collect() })
}

/// A file in a request.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct File {
    /// Its name.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: String,
}

/// What is to be graded.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GradeWanted {
    /// Name of the task.
    task: String,
    /// A script (`.js`), a state machine, or a scenario whose first mind is graded (`.toml`).
    file: File,
    /// Number of starts.
    #[serde(default = "usual_seeds")]
    seeds: u32,
}

const fn usual_seeds() -> u32 {
    200
}

fn mind(file: File) -> Result<MindSpec, String> {
    let File { name, text } = file;
    if FilePath::new(&name).extension().is_some_and(|e| e == "js") {
        return Ok(MindSpec::Script { path: name, text });
    }
    match tropism_scenario::parse(&name, &text, None) {
        Ok(Document::Machine(machine)) => Ok(MindSpec::Machine(machine)),
        Ok(Document::Scenario(scenario)) => {
            let first = scenario.minds.into_iter().next();
            first.ok_or_else(|| format!("{name}: the scenario has no mind"))
        }
        Ok(_) => Err(format!("{name}: it is no state machine; give one, or a script named *.js")),
        Err(error) => Err(error.to_string()),
    }
}

/// What was asked, checked.
struct Job {
    name: String,
    mind: MindSpec,
    task: Task,
    seeds: u32,
}

fn job(body: &[u8], most: u32) -> Result<Job, String> {
    let GradeWanted { task: wanted, file, seeds } =
        serde_json::from_slice(body).map_err(|error| error.to_string())?;
    if !(1..=most).contains(&seeds) {
        return Err(format!("`seeds` is 1 to {most}"));
    }
    let Some(task) = Task::named(&wanted) else {
        let names: Vec<&str> = TASKS.iter().map(|t| t.0).collect();
        return Err(format!("there is no task `{wanted}`; there are {}", names.join(", ")));
    };
    let task = task.map_err(|error| error.to_string())?;
    let name = file.name.clone();
    let mind = mind(file)?;
    grade::check(&mind, &task, seeds).map_err(|error| error.to_string())?;
    Ok(Job { name, mind, task, seeds })
}

/// Grades a controller. Lines of JSON: `{"done":k,"of":n}` while it goes on, at last
/// `{"table":…,"grade":…}` or `{"error":…}`. Whoever stops reading ends the grading.
#[utoipa::path(post, path = "/api/grade", tag = "grading", request_body = GradeWanted,
    responses((status = 200, description = "Lines of JSON.", body = String,
        content_type = "application/x-ndjson"),
        (status = 400, body = Refused), (status = 413, body = Refused),
        (status = 503, body = Refused)))]
pub(crate) async fn grade(State(app): State<Arc<App>>, body: Body) -> Response {
    let Some(bytes) = crate::upload::read(body, BYTES_MAX).await else {
        let why = format!("a request has at most {BYTES_MAX} bytes");
        return refusal(StatusCode::PAYLOAD_TOO_LARGE, &why);
    };
    let job = match job(&bytes, app.limits().grade_starts) {
        Ok(job) => job,
        Err(why) => return refusal(StatusCode::BAD_REQUEST, &why),
    };
    let Ok(permit) = Arc::clone(&app.graders).try_acquire_owned() else {
        let why = "too many gradings are under way; try again when one is done";
        return refusal(StatusCode::SERVICE_UNAVAILABLE, why);
    };
    let (lines, out) = channel(64);
    let is_ending = app.is_ending.clone();
    let started = std::thread::Builder::new().name("grading".into()).spawn(move || {
        let is_cancelled = || lines.is_closed() || *is_ending.borrow();
        work(&job, &lines, &is_cancelled);
        drop(permit);
    });
    if let Err(error) = started {
        return refusal(StatusCode::SERVICE_UNAVAILABLE, &format!("no thread for it: {error}"));
    }
    stream(out)
}

fn stream(out: Receiver<Bytes>) -> Response {
    ([(CONTENT_TYPE, "application/x-ndjson")], Body::new(Lines(out))).into_response()
}

fn work(job: &Job, lines: &Sender<Bytes>, is_cancelled: &(dyn Fn() -> bool + Sync)) {
    let say = |value: &serde_json::Value| lines.blocking_send(Bytes::from(format!("{value}\n")));
    let _begun = say(&json!({ "done": 0, "of": job.seeds }));
    let result = attempts(job, lines, is_cancelled).and_then(|attempts| match attempts {
        Some(attempts) => grade::gather(&job.name, &job.task, attempts).map(Some),
        None => Ok(None),
    });
    // Whoever does not read any more is not told.
    let _gone = match result {
        Ok(Some(grade)) => say(&json!({ "table": grade::describe(&grade), "grade": grade })),
        Ok(None) => say(&json!({ "error": "stopped" })),
        Err(error) => say(&json!({ "error": error.to_string() })),
    };
}

/// The attempts in order; `None` when nobody waits for them any more.
fn attempts(
    job: &Job,
    lines: &Sender<Bytes>,
    is_cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Vec<Attempt>>, LabError> {
    // One core is left to the sessions.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(cores.saturating_sub(1).max(1))
        .build()
        .map_err(|error| LabError::Workers(error.to_string()))?;
    let (done, is_stopped) = (AtomicU32::new(0), AtomicBool::new(false));
    let one = |i: u32| {
        if is_stopped.load(Ordering::Relaxed) || is_cancelled() {
            is_stopped.store(true, Ordering::Relaxed);
            return Ok(None);
        }
        let attempt = grade::attempt(&job.mind, &job.task, i, job.seeds)?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        // A line too many for a slow reader is left out; the last one always comes.
        let line = format!("{}\n", json!({ "done": done, "of": job.seeds }));
        let _full = lines.try_send(Bytes::from(line));
        Ok(Some(attempt))
    };
    let results: Vec<Result<Option<Attempt>, LabError>> =
        pool.install(|| (0..job.seeds).into_par_iter().map(one).collect());
    results.into_iter().collect()
}

//! The addresses of experiments.

use alloc::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use crate::app::App;
use crate::experiments::{BUILT_IN, ExperimentInfo, read};
use crate::grading::File;
use crate::reply::{Refused, refusal};

/// Longest request, bytes.
const BYTES_MAX: usize = 2 << 20;

/// What a report may do: show itself.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    frame-ancestors 'self'; sandbox";

/// The experiments in the folder of results.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Listing {
    /// By name.
    experiments: Vec<ExperimentInfo>,
}

/// Names of experiments that are part of the program.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Names {
    /// The names.
    names: Vec<String>,
}

/// What is to be run: a file, or one that is part of the program.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExperimentWanted {
    /// An experiment file.
    #[serde(default)]
    file: Option<File>,
    /// Name of an experiment that is part of the program.
    #[serde(default)]
    built_in: Option<String>,
    /// Only so many of its seeds.
    #[serde(default)]
    seeds: Option<usize>,
}

/// The experiments there are, finished or under way.
#[utoipa::path(get, path = "/api/experiments", tag = "experiments",
    responses((status = 200, body = Listing)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Json<Listing> {
    let listed = tokio::task::spawn_blocking(move || app.experiments.list()).await;
    Json(Listing { experiments: listed.unwrap_or_default() })
}

/// Experiments that are part of the program.
#[utoipa::path(get, path = "/api/experiments/built-in", tag = "experiments",
    responses((status = 200, body = Names)))]
pub(crate) async fn built_in() -> Json<Names> {
    Json(Names { names: BUILT_IN.iter().map(|(name, _)| (*name).to_owned()).collect() })
}

/// Starts an experiment, or goes on with it where it was ended; one at a time.
#[utoipa::path(post, path = "/api/experiments", tag = "experiments",
    request_body = ExperimentWanted,
    responses((status = 200, description = "`{\"name\":…}`, the name of its folder."),
        (status = 400, body = Refused), (status = 409, body = Refused),
        (status = 413, body = Refused)))]
pub(crate) async fn start(State(app): State<Arc<App>>, body: Body) -> Response {
    let Some(bytes) = crate::upload::read(body, BYTES_MAX).await else {
        let why = format!("a request has at most {BYTES_MAX} bytes");
        return refusal(StatusCode::PAYLOAD_TOO_LARGE, &why);
    };
    let work = move || {
        let ask: ExperimentWanted = serde_json::from_slice(&bytes)
            .map_err(|error| (StatusCode::BAD_REQUEST, error.to_string()))?;
        let experiment = experiment(&ask).map_err(|why| (StatusCode::BAD_REQUEST, why))?;
        app.experiments.start(experiment).map_err(|why| (StatusCode::CONFLICT, why))
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(name)) => Json(json!({ "name": name })).into_response(),
        Ok(Err((status, why))) => refusal(status, &why),
        Err(error) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

fn experiment(ask: &ExperimentWanted) -> Result<tropism_scenario::Experiment, String> {
    match (&ask.file, &ask.built_in) {
        (Some(file), None) => read(&file.name, &file.text, ask.seeds),
        (None, Some(wanted)) => {
            let found = BUILT_IN.iter().find(|(name, _)| name == wanted);
            let (name, text) = found.ok_or_else(|| {
                let names: Vec<&str> = BUILT_IN.iter().map(|b| b.0).collect();
                format!("there is no experiment `{wanted}`; there are {}", names.join(", "))
            })?;
            read(name, text, ask.seeds)
        }
        _ => Err("give either `file` or `built_in`".into()),
    }
}

/// Ends an experiment; what is finished is kept.
#[utoipa::path(delete, path = "/api/experiments/{name}", tag = "experiments",
    params(("name" = String, Path, description = "Name of its folder.")),
    responses((status = 200, description = "It ends at the next occasion."),
        (status = 404, body = Refused)))]
pub(crate) async fn cancel(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response {
    if app.experiments.cancel(&name) {
        return Json(json!({ "ok": true })).into_response();
    }
    refusal(StatusCode::NOT_FOUND, "no experiment of this name is under way")
}

/// A file of an experiment, read aside.
async fn file(app: Arc<App>, name: String, file: &'static str) -> Option<Vec<u8>> {
    let read = move || app.experiments.file(&name, file);
    tokio::task::spawn_blocking(read).await.ok().flatten()
}

/// The report of an experiment.
#[utoipa::path(get, path = "/api/experiments/{name}/report", tag = "experiments",
    params(("name" = String, Path, description = "Name of its folder.")),
    responses((status = 200, description = "A page.", body = String, content_type = "text/html"),
        (status = 404, body = Refused)))]
pub(crate) async fn report(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response {
    match file(app, name, "report.html").await {
        Some(page) => {
            let kind = (CONTENT_TYPE, "text/html; charset=utf-8");
            ([kind, (CONTENT_SECURITY_POLICY, REPORT_POLICY)], page).into_response()
        }
        None => refusal(StatusCode::NOT_FOUND, "there is no report of this name yet"),
    }
}

/// The tables of an experiment as text.
#[utoipa::path(get, path = "/api/experiments/{name}/table", tag = "experiments",
    params(("name" = String, Path, description = "Name of its folder.")),
    responses((status = 200, description = "Tables.", body = String, content_type = "text/plain"),
        (status = 404, body = Refused)))]
pub(crate) async fn table(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response {
    match file(app, name, "table.txt").await {
        Some(text) => ([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response(),
        None => refusal(StatusCode::NOT_FOUND, "there is no table of this name yet"),
    }
}

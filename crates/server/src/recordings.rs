//! Kept recordings over HTTP.

use alloc::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde_json::json;
use tropism_wire::session::{Command, Outcome};

use crate::app::App;
use crate::dashboard::outcome;
use crate::reply::{Refused, refusal};

/// What recordings are kept: `{"recordings":[…]}`, each as the session protocol lists it.
#[utoipa::path(get, path = "/api/recordings", tag = "recordings",
    responses((status = 200, description = "The recordings.", body = Object),
        (status = 500, body = Refused)))]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Response {
    match outcome(app.main.ask(Command::List).await) {
        Ok(Outcome::Listing { recordings, .. }) => {
            Json(json!({ "recordings": recordings })).into_response()
        }
        Ok(_) => Json(json!({ "recordings": [] })).into_response(),
        Err(why) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &why),
    }
}

/// A recording, as a file.
#[utoipa::path(get, path = "/api/recordings/{name}", tag = "recordings",
    params(("name" = String, Path, description = "Name in the listing.")),
    responses((status = 200, description = "The recording.", body = String),
        (status = 404, body = Refused)))]
pub(crate) async fn download(State(app): State<Arc<App>>, Path(name): Path<String>) -> Response {
    match outcome(app.main.ask(Command::Recording { name }).await) {
        Ok(Outcome::Document { name, text }) => {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            let name: String = name.chars().filter(|c| plain(*c)).collect();
            let attachment = format!("attachment; filename=\"{name}\"");
            let kind = "text/plain; charset=utf-8".to_owned();
            ([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, attachment)], text).into_response()
        }
        Ok(_) => refusal(StatusCode::NOT_FOUND, "it is no recording"),
        Err(why) => refusal(StatusCode::NOT_FOUND, &why),
    }
}

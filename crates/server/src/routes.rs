//! Which address leads where, and the description of all of them.

use alloc::sync::Arc;

use axum::extract::State;
use axum::routing::{delete, get, post};
use axum::{Json, Router, middleware};
use serde::Serialize;
use tropism_wire::session::{Message, PROTOCOL};
use utoipa::{OpenApi, ToSchema};

use crate::app::App;
use crate::guard::guard;
use crate::{dashboard, experiment_api, grading, page, recordings, socket};

/// The addresses of this server. Errors are `{"error": …}`; `/session` speaks the session protocol.
#[derive(OpenApi)]
#[openapi(
    info(title = "tropism lab", description = "The laboratory on this machine."),
    paths(
        hello,
        status,
        socket::session,
        dashboard::channels,
        dashboard::contingency,
        dashboard::spatial,
        dashboard::state,
        dashboard::give_state,
        dashboard::log,
        dashboard::push,
        grading::tasks,
        grading::grade,
        experiment_api::list,
        experiment_api::built_in,
        experiment_api::start,
        experiment_api::cancel,
        experiment_api::report,
        experiment_api::table,
        recordings::list,
        recordings::download,
    )
)]
struct Description;

pub(crate) fn routes(app: &Arc<App>) -> Router {
    Router::new()
        .route("/session", get(socket::session))
        .route("/ws", get(dashboard::push))
        .route("/log.csv", get(dashboard::log))
        .route("/api/hello", get(hello))
        // A static host has a file of this name that says there is no server.
        .route("/backend.json", get(hello))
        .route("/api/status", get(status))
        .route("/api/openapi.json", get(async || Json(Description::openapi())))
        .route("/api/channels", get(dashboard::channels))
        .route("/api/contingency", get(dashboard::contingency))
        .route("/api/spatial", get(dashboard::spatial))
        .route("/api/state", get(dashboard::state).post(dashboard::give_state))
        .route("/api/tasks", get(grading::tasks))
        .route("/api/grade", post(grading::grade))
        .route("/api/experiments", get(experiment_api::list).post(experiment_api::start))
        .route("/api/experiments/built-in", get(experiment_api::built_in))
        .route("/api/experiments/{name}", delete(experiment_api::cancel))
        .route("/api/experiments/{name}/report", get(experiment_api::report))
        .route("/api/experiments/{name}/table", get(experiment_api::table))
        .route("/api/recordings", get(recordings::list))
        .route("/api/recordings/{name}", get(recordings::download))
        .fallback(page::page)
        .layer(middleware::from_fn_with_state(Arc::clone(app), guard))
        .with_state(Arc::clone(app))
}

/// What stands here.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Hello {
    /// Program and version.
    program: String,
    /// Version of the session protocol.
    protocol: u32,
    /// Version of the models.
    model_version: u32,
    /// A session begins with something loaded: hello, stage and frame come at once.
    has_beginning: bool,
    /// The page is part of the program.
    has_page: bool,
}

/// What stands here.
#[utoipa::path(get, path = "/api/hello", tag = "server", responses((status = 200, body = Hello)))]
async fn hello(State(app): State<Arc<App>>) -> Json<Hello> {
    let (program, model_version) = match tropism_session::Session::hello() {
        Message::Hello { program, model_version, .. } => (program, model_version),
        _ => (String::new(), 0),
    };
    Json(Hello {
        program,
        protocol: PROTOCOL,
        model_version,
        has_beginning: app.options.source.is_some(),
        has_page: page::is_built(),
    })
}

/// How busy the server is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Status {
    /// `WebSocket`s open.
    sockets: usize,
    /// Most `WebSocket`s at once.
    sockets_max: usize,
    /// TCP connections open.
    connections: usize,
    /// Clients that follow the main session.
    followers: u64,
    /// Ticks the main session has done while playing.
    ticks_done: u64,
    /// Ticks that elapsed time asked for.
    ticks_due: f64,
}

/// How busy the server is.
#[utoipa::path(get, path = "/api/status", tag = "server", responses((status = 200, body = Status)))]
async fn status(State(app): State<Arc<App>>) -> Json<Status> {
    let limits = app.limits();
    let (ticks_done, ticks_due) = app.main.pace();
    Json(Status {
        sockets: limits.sockets - app.sockets.available_permits(),
        sockets_max: limits.sockets,
        connections: limits.connections.saturating_sub(app.connections.available_permits()),
        followers: app.main.followers(),
        ticks_done,
        ticks_due,
    })
}

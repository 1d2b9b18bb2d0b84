//! The dashboard of the design document: values, memories, life state, log, and driving by hand.
//!
//! Everything here speaks of the main session and of robot 0, or of `?robot=`.
//!
//! # Source
//! Reference firmware, HTTP API. There the manual write acts for 3 s and unknown names are left
//! out without a word; both are kept.
#![expect(unused_qualifications, reason = "made by the macro that describes the addresses")]

use alloc::sync::Arc;
use core::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::ws::{CloseFrame, Message as Raw, WebSocket, WebSocketUpgrade};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use tokio::time::{interval, timeout};
use tropism_wire::session::{
    Command, ContingencyFrame, Message, MindFrame, Outcome, Part, PlaceFrame, RobotFrame,
    RobotStage,
};
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::desk::{Desk, View};
use crate::limits::Bucket;
use crate::reply::{Refused, refusal};
use crate::socket::{GOING_AWAY, admit};

/// Largest life state that is taken, bytes.
///
/// # Source
/// Reference firmware, upload of a state.
pub(crate) const STATE_BYTES_MAX: usize = tropism_wire::BYTES_MAX;

/// Entries of contingency memory that are listed.
const STRONGEST: usize = 20;

/// Time between two pushes to `/ws`.
const PUSH: Duration = Duration::from_millis(200);

/// Which robot.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
pub(crate) struct Which {
    /// Number of the robot, from 0.
    #[serde(default)]
    robot: u32,
}

/// An actuator.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Actuator {
    /// Name.
    name: String,
    /// Smallest value.
    min: f32,
    /// Largest value.
    max: f32,
    /// Value now.
    value: f32,
    /// It is driven by hand.
    manual: bool,
    /// It rests for safety.
    safety_tripped: bool,
}

/// A sensor.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Sensor {
    /// Name.
    name: String,
    /// Value now; null cannot be trusted.
    value: Option<f32>,
}

/// A need.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Need {
    /// Name.
    name: String,
    /// Level.
    value: f32,
    /// Its drive.
    drive: f32,
}

/// Channels and needs of a robot.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Channels {
    /// Actuators.
    actuators: Vec<Actuator>,
    /// Sensors.
    sensors: Vec<Sensor>,
    /// Needs; none for a mind that is no organism.
    physiology: Vec<Need>,
    /// Fuzz; 0 for a mind that is no organism.
    fuzz_scale: f32,
    /// The battery is so low that everything rests.
    battery_critical: bool,
}

/// A channel that changed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Delta {
    /// Name.
    name: String,
    /// −1 or 1.
    delta: i8,
}

/// A contingency.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ContingencyEntry {
    /// Strength.
    strength: f32,
    /// Ticks since it was last met.
    age: u32,
    /// Mean change of the drives.
    mean_drive_delta: f32,
    /// What was done.
    actuators: Vec<Delta>,
    /// What was then felt.
    sensors: Vec<Delta>,
}

/// Contingency memory, strongest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Contingency {
    /// Slots in use.
    count: u32,
    /// Slots there are.
    capacity: u32,
    /// The strongest, at most 20.
    entries: Vec<ContingencyEntry>,
}

/// A slot of spatial memory; a free one has nothing but `occupied`.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Cell {
    /// It holds a place.
    occupied: bool,
    /// Visits.
    #[serde(skip_serializing_if = "Option::is_none")]
    visit_count: Option<u32>,
    /// Ticks since the last visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    age: Option<u32>,
    /// Drives times past improvement, now.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f32>,
}

/// Spatial memory.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Spatial {
    /// Slots in use.
    count: u32,
    /// Slots there are.
    capacity: u32,
    /// All slots.
    cells: Vec<Cell>,
}

/// A life state was taken.
#[derive(Debug, Serialize, ToSchema)]
#[expect(clippy::struct_field_names, reason = "names of the reference")]
pub(crate) struct Restored {
    /// True.
    ok: bool,
    /// The body has the channels of the file.
    fingerprint_matched: bool,
    /// Contingencies taken over.
    contingency_restored: u32,
    /// Places taken over.
    spatial_restored: u32,
}

/// A robot in a view.
struct Seen<'a> {
    stage: &'a RobotStage,
    frame: &'a RobotFrame,
    mind: Option<&'a MindFrame>,
}

/// The robot asked for, or why there is none.
#[expect(clippy::result_large_err, reason = "once per request")]
fn seen(view: Option<&View>, robot: u32) -> Result<Seen<'_>, Response> {
    let robots = view.and_then(|v| Some((v.stage.robots.as_ref()?, v.frame.robots.as_ref()?)));
    let Some((stage, frame)) = robots else {
        let why = "no robots stand on the table; start with `tropism lab SCENARIO`";
        return Err(refusal(StatusCode::NOT_FOUND, why));
    };
    let of = robot as usize;
    let (Some(stage), Some(robot_frame)) = (stage.robots.get(of), frame.robots.get(of)) else {
        let last = stage.robots.len().saturating_sub(1);
        let why = format!("there is no robot {robot}; they count from 0 to {last}");
        return Err(refusal(StatusCode::NOT_FOUND, &why));
    };
    let mind = frame.watched.as_ref().filter(|w| w.robot == robot).map(|w| &w.mind);
    Ok(Seen { stage, frame: robot_frame, mind })
}

fn channels_of(seen: &Seen<'_>) -> Channels {
    let has_bit = |bits: u32, i: usize| i < 32 && bits & (1 << i) != 0;
    let (stage, frame) = (seen.stage, seen.frame);
    let actuators = stage.actuators.iter().zip(&frame.actuators).enumerate();
    let organism = match seen.mind {
        Some(MindFrame::Organism { state, .. }) => state.as_ref(),
        _ => None,
    };
    let names = stage.mind.organism.iter().flat_map(|o| &o.needs);
    Channels {
        actuators: actuators
            .map(|(i, (spec, value))| Actuator {
                name: spec.name.clone(),
                min: spec.min,
                max: spec.max,
                value: *value,
                manual: has_bit(frame.manual, i),
                safety_tripped: has_bit(frame.tripped, i),
            })
            .collect(),
        sensors: (stage.sensors.iter().zip(&frame.sensors))
            .map(|(spec, value)| Sensor { name: spec.name.clone(), value: *value })
            .collect(),
        physiology: (names.zip(organism.iter().flat_map(|o| &o.needs)))
            .map(|(spec, need)| Need {
                name: spec.name.clone(),
                value: need.value,
                drive: need.drive,
            })
            .collect(),
        fuzz_scale: organism.map_or(0.0, |o| o.fuzz),
        battery_critical: frame.is_battery_critical,
    }
}

/// Values of all channels and needs.
#[utoipa::path(get, path = "/api/channels", params(Which), tag = "dashboard",
    responses((status = 200, body = Channels), (status = 404, body = Refused)))]
pub(crate) async fn channels(State(app): State<Arc<App>>, Query(which): Query<Which>) -> Response {
    let view = app.main.look(which.robot, &[Part::Organism]).await;
    match seen(view.as_ref(), which.robot) {
        Ok(seen) => Json(channels_of(&seen)).into_response(),
        Err(refused) => refused,
    }
}

fn deltas<'a>(names: impl Iterator<Item = &'a String>, changes: &[i8]) -> Vec<Delta> {
    let changed = names.zip(changes).filter(|(_, delta)| **delta != 0);
    changed.map(|(name, delta)| Delta { name: name.clone(), delta: *delta }).collect()
}

fn contingency_of(seen: &Seen<'_>, memory: &ContingencyFrame) -> Contingency {
    let entry = |entry: &tropism_wire::session::ContingencyEntry| ContingencyEntry {
        strength: entry.strength,
        age: entry.age_ticks,
        mean_drive_delta: entry.relief,
        actuators: deltas(seen.stage.actuators.iter().map(|a| &a.name), &entry.action),
        sensors: deltas(seen.stage.sensors.iter().map(|s| &s.name), &entry.sensors),
    };
    Contingency {
        count: memory.count,
        capacity: memory.capacity,
        entries: memory.entries.iter().take(STRONGEST).map(entry).collect(),
    }
}

fn no_memory(seen: &Seen<'_>) -> Response {
    let why = format!("this robot has no such memory: its mind is `{}`", seen.stage.mind.kind);
    refusal(StatusCode::NOT_FOUND, &why)
}

/// The strongest contingencies.
#[utoipa::path(get, path = "/api/contingency", params(Which), tag = "dashboard",
    responses((status = 200, body = Contingency), (status = 404, body = Refused)))]
pub(crate) async fn contingency(
    State(app): State<Arc<App>>,
    Query(which): Query<Which>,
) -> Response {
    let view = app.main.look(which.robot, &[Part::Contingency]).await;
    match seen(view.as_ref(), which.robot) {
        Ok(seen) => match seen.mind {
            Some(MindFrame::Organism { contingency: Some(memory), .. }) => {
                Json(contingency_of(&seen, memory)).into_response()
            }
            _ => no_memory(&seen),
        },
        Err(refused) => refused,
    }
}

fn cell(place: &PlaceFrame) -> Cell {
    let is_taken = place.is_occupied;
    Cell {
        occupied: is_taken,
        visit_count: is_taken.then_some(place.visits),
        age: is_taken.then_some(place.age_ticks),
        score: is_taken.then_some(place.score),
    }
}

/// All places.
#[utoipa::path(get, path = "/api/spatial", params(Which), tag = "dashboard",
    responses((status = 200, body = Spatial), (status = 404, body = Refused)))]
pub(crate) async fn spatial(State(app): State<Arc<App>>, Query(which): Query<Which>) -> Response {
    let view = app.main.look(which.robot, &[Part::Places]).await;
    match seen(view.as_ref(), which.robot) {
        Ok(seen) => match seen.mind {
            Some(MindFrame::Organism { places: Some(places), .. }) => Json(Spatial {
                count: places.iter().filter(|p| p.is_occupied).count() as u32,
                capacity: places.len() as u32,
                cells: places.iter().map(cell).collect(),
            })
            .into_response(),
            _ => no_memory(&seen),
        },
        Err(refused) => refused,
    }
}

/// The outcome of what was asked, or the reason of the refusal.
pub(crate) fn outcome(said: Vec<Message>) -> Result<Outcome, String> {
    for message in said {
        match message {
            Message::Done { outcome, .. } => return Ok(outcome),
            Message::Refused { fault, .. } => return Err(fault.what),
            _ => {}
        }
    }
    Err("the session ended by a fault; start the server again".into())
}

/// The life state, as a file.
#[utoipa::path(get, path = "/api/state", params(Which), tag = "dashboard",
    responses((status = 200, description = "A life state, version 2.", body = String,
        content_type = "application/json"), (status = 404, body = Refused)))]
pub(crate) async fn state(State(app): State<Arc<App>>, Query(which): Query<Which>) -> Response {
    match outcome(app.main.ask(Command::LifeState { robot: which.robot }).await) {
        Ok(Outcome::LifeState { document }) => {
            let name = "attachment; filename=\"emergent-state.json\"";
            let head = [(CONTENT_TYPE, "application/json"), (CONTENT_DISPOSITION, name)];
            (head, document).into_response()
        }
        Ok(_) => refusal(StatusCode::NOT_FOUND, "this robot has no life state"),
        Err(why) => refusal(StatusCode::NOT_FOUND, &why),
    }
}

/// Why a life state was not taken.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StateRefused {
    /// `state too large`, `bad json`, or what is wrong with the state.
    error: String,
    /// Where and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

fn state_refused(status: StatusCode, error: &str, detail: Option<String>) -> Response {
    (status, Json(StateRefused { error: error.to_owned(), detail })).into_response()
}

/// Gives a robot a life state; a refused one leaves the robot as it is.
#[utoipa::path(post, path = "/api/state", params(Which), tag = "dashboard",
    request_body(content = String, content_type = "application/json",
        description = "A life state of version 1 or 2."),
    responses((status = 200, body = Restored), (status = 400, body = StateRefused),
        (status = 413, body = StateRefused)))]
pub(crate) async fn give_state(
    State(app): State<Arc<App>>,
    Query(which): Query<Which>,
    body: Body,
) -> Response {
    let Some(bytes) = crate::upload::read(body, STATE_BYTES_MAX).await else {
        let detail = format!("a life state has at most {STATE_BYTES_MAX} bytes");
        return state_refused(StatusCode::PAYLOAD_TOO_LARGE, "state too large", Some(detail));
    };
    let document = match core::str::from_utf8(&bytes) {
        Ok(text) => text.to_owned(),
        Err(error) => {
            let detail = Some(error.to_string());
            return state_refused(StatusCode::BAD_REQUEST, "bad json", detail);
        }
    };
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(&document) {
        return state_refused(StatusCode::BAD_REQUEST, "bad json", Some(error.to_string()));
    }
    let command = Command::GiveLifeState { robot: which.robot, document };
    match outcome(app.main.ask(command).await) {
        Ok(Outcome::Transfer { fingerprint_matched, contingencies, places, .. }) => {
            Json(Restored {
                ok: true,
                fingerprint_matched,
                contingency_restored: contingencies,
                spatial_restored: places,
            })
            .into_response()
        }
        Ok(_) => state_refused(StatusCode::BAD_REQUEST, "this robot takes no life state", None),
        Err(why) => state_refused(StatusCode::BAD_REQUEST, &why, None),
    }
}

/// A row per simulated second of robot 0.
#[utoipa::path(get, path = "/log.csv", tag = "dashboard",
    responses((status = 200, description = "t_ms, needs, fuzz, actuator_cost; starts anew at 64 KB",
        body = String, content_type = "text/csv")))]
pub(crate) async fn log(State(app): State<Arc<App>>) -> Response {
    ([(CONTENT_TYPE, "text/csv; charset=utf-8")], app.main.log().await).into_response()
}

/// A manual write.
#[derive(Debug, Deserialize)]
struct Write {
    actuator: String,
    value: f64,
}

/// The channels five times per second; `{"actuator":…,"value":…}` drives one by hand for 3 s.
#[utoipa::path(get, path = "/ws", params(Which), tag = "dashboard",
    responses((status = 101, description = "Channels as text, five per second.")))]
pub(crate) async fn push(
    State(app): State<Arc<App>>,
    Query(which): Query<Which>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let permit = match admit(&app) {
        Ok(permit) => permit,
        Err(refused) => return refused,
    };
    upgrade.max_message_size(4096).max_frame_size(4096).on_upgrade(move |socket| async move {
        pushing(&app, which.robot, socket).await;
        drop(permit);
    })
}

async fn pushing(app: &Arc<App>, robot: u32, mut socket: WebSocket) {
    let limits = *app.limits();
    let mut bucket = Bucket::new(&limits);
    let mut beat = interval(PUSH);
    let mut heard = std::time::Instant::now();
    loop {
        tokio::select! {
            _ = beat.tick() => {
                let Some(text) = pushed(&app.main, robot).await else { continue };
                let sent = timeout(limits.send_time, socket.send(Raw::Text(text.into()))).await;
                if !matches!(sent, Ok(Ok(()))) {
                    return;
                }
            }
            raw = socket.recv() => match raw {
                Some(Ok(Raw::Text(text))) => {
                    let elapsed = heard.elapsed();
                    heard = std::time::Instant::now();
                    if !bucket.take(elapsed) {
                        return;
                    }
                    if let Ok(Write { actuator, value }) = serde_json::from_str(text.as_str()) {
                        let drive = Command::Drive { robot, actuator, value };
                        let _unknown = app.main.ask(drive).await;
                    }
                }
                Some(Ok(Raw::Ping(_) | Raw::Pong(_) | Raw::Binary(_))) => {}
                None | Some(Ok(Raw::Close(_)) | Err(_)) => return,
            },
            () = app.ended() => {
                let (code, reason) = (GOING_AWAY, "the server was stopped".into());
                let bye = Raw::Close(Some(CloseFrame { code, reason }));
                let _gone = timeout(limits.send_time, socket.send(bye)).await;
                return;
            }
        }
    }
}

async fn pushed(desk: &Desk, robot: u32) -> Option<String> {
    let view = desk.look(robot, &[Part::Organism]).await;
    let seen = seen(view.as_ref(), robot).ok()?;
    serde_json::to_string(&channels_of(&seen)).ok()
}

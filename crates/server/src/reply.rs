//! Replies in JSON.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use utoipa::ToSchema;

/// Why something was refused.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Refused {
    /// What is wrong and what would be right.
    pub(crate) error: String,
}

/// A refusal with its reason.
pub(crate) fn refusal(status: StatusCode, why: &str) -> Response {
    (status, Json(Refused { error: why.to_owned() })).into_response()
}

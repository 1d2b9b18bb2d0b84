//! Bodies of requests, read within limits.

use axum::body::{Body, Bytes};

/// Reads a body of at most `most` bytes; `None` when there is more, or it breaks off.
///
/// What is too much is not kept; the connection is read on to its end by [`crate::link`], so that
/// the client gets the reply.
pub(crate) async fn read(body: Body, most: usize) -> Option<Bytes> {
    axum::body::to_bytes(body, most).await.ok()
}

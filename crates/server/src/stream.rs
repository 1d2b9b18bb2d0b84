//! A body that is made while it is sent.

use core::convert::Infallible;
use core::pin::Pin;
use core::task::{Context, Poll};

use axum::body::{Bytes, HttpBody};
use tokio::sync::mpsc::Receiver;

/// Pieces of a body as they come; when it is dropped, whoever makes them notices.
#[derive(Debug)]
pub(crate) struct Lines(pub(crate) Receiver<Bytes>);

impl HttpBody for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|bytes| bytes.map(|b| Ok(http_body::Frame::data(b))))
    }
}

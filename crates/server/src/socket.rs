//! A session over a WebSocket.

use alloc::sync::Arc;
use std::time::Instant;

use axum::extract::ws::{CloseFrame, Message as Raw, WebSocket, WebSocketUpgrade};
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{interval, timeout};
use tropism_wire::session::{Fault, Message, REQUEST_BYTES_MAX};

use crate::app::App;
use crate::desk::{Desk, Order};
use crate::limits::Bucket;
use crate::outbox::{Outbox, text_of};
use crate::reply::refusal;

/// Close codes of the WebSocket protocol (RFC 6455, section 7.4.1).
pub(crate) const GOING_AWAY: u16 = 1001;
const UNSUPPORTED: u16 = 1003;
const POLICY: u16 = 1008;
const TOO_BIG: u16 = 1009;
const SERVER_FAULT: u16 = 1011;

/// Room for one more WebSocket, or the refusal.
#[expect(clippy::result_large_err, reason = "once per connection")]
pub(crate) fn admit(app: &Arc<App>) -> Result<OwnedSemaphorePermit, Response> {
    Arc::clone(&app.sockets).try_acquire_owned().map_err(|_full| {
        let most = app.limits().sockets;
        let why =
            format!("{most} sessions are open, which is the most; close a page and try again");
        refusal(StatusCode::SERVICE_UNAVAILABLE, &why)
    })
}

/// A session of one's own over a WebSocket, or with `?share` the main one; both ways text messages
/// of the session protocol (`docs/reference/session.schema.json`).
#[utoipa::path(get, path = "/session", tag = "session",
    responses((status = 101, description = "The session."),
        (status = 503, description = "Too many sessions.", body = crate::reply::Refused)))]
pub(crate) async fn session(
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    upgrade: WebSocketUpgrade,
) -> Response {
    let permit = match admit(&app) {
        Ok(permit) => permit,
        Err(refused) => return refused,
    };
    let is_shared = query.unwrap_or_default().split('&').any(|p| p == "share" || p == "share=1");
    let desk = if is_shared { Ok(Arc::clone(&app.main)) } else { app.own_desk() };
    let desk = match desk {
        Ok(desk) => desk,
        Err(error) => {
            let why = format!("no thread for another session: {error}");
            return refusal(StatusCode::SERVICE_UNAVAILABLE, &why);
        }
    };
    upgrade.max_message_size(REQUEST_BYTES_MAX).max_frame_size(REQUEST_BYTES_MAX).on_upgrade(
        move |socket| async move {
            Talk::new(app, desk, socket).run().await;
            drop(permit);
        },
    )
}

/// A socket and its session.
struct Talk {
    app: Arc<App>,
    desk: Arc<Desk>,
    socket: WebSocket,
    client: u64,
    outbox: Arc<Outbox>,
    bucket: Bucket,
    /// When something last came.
    heard: Instant,
}

/// Code and reason that a client is told; `None` when it left by itself.
type Farewell = Option<(u16, String)>;

fn farewell<T>(code: u16, reason: impl Into<String>) -> Result<T, Farewell> {
    Err(Some((code, reason.into())))
}

impl Talk {
    fn new(app: Arc<App>, desk: Arc<Desk>, socket: WebSocket) -> Self {
        let outbox = Outbox::new(app.limits());
        let (client, bucket) = (app.next_client(), Bucket::new(app.limits()));
        Self { app, desk, socket, client, outbox, bucket, heard: Instant::now() }
    }

    async fn run(mut self) {
        self.desk.order(Order::Join(self.client, Arc::clone(&self.outbox))).await;
        let Err(farewell) = self.talk().await;
        // From here on the session's thread leaves out what this client still had asked.
        self.outbox.close();
        if let Some((code, reason)) = farewell {
            let frame = Raw::Close(Some(CloseFrame { code, reason: reason.into() }));
            let limit = self.app.limits().send_time;
            let _gone = timeout(limit, self.socket.send(frame)).await;
        }
        self.desk.order(Order::Leave(self.client)).await;
    }

    /// Carries messages both ways until one side ends it.
    async fn talk(&mut self) -> Result<core::convert::Infallible, Farewell> {
        let limits = *self.app.limits();
        let mut beat = interval(limits.idle_time / 4);
        let app = Arc::clone(&self.app);
        loop {
            tokio::select! {
                // What waits goes out before more is taken in.
                biased;
                () = app.ended() => {
                    return farewell(GOING_AWAY, "the server was stopped");
                },
                item = self.outbox.next() => match item {
                    Some(item) => self.send(Raw::Text(item.into_text().into())).await?,
                    None => return farewell(POLICY, "too much was waiting to be read"),
                },
                raw = self.socket.recv() => match raw {
                    None => return Err(None),
                    Some(Ok(raw)) => self.take(raw).await?,
                    Some(Err(error)) => self.unreadable(&error).await?,
                },
                _ = beat.tick() => {
                    if self.heard.elapsed() > limits.idle_time {
                        return farewell(POLICY, "nothing was heard for too long");
                    }
                    self.send(Raw::Ping(Vec::new().into())).await?;
                },
            }
        }
    }

    /// Sends something; a client that does not take it within the limit is given up.
    async fn send(&mut self, raw: Raw) -> Result<(), Farewell> {
        let outbox = Arc::clone(&self.outbox);
        let sent = timeout(self.app.limits().send_time, self.socket.send(raw));
        tokio::select! {
            sent = sent => match sent {
                Ok(Ok(())) => Ok(()),
                Ok(Err(_)) => Err(None),
                Err(_) => farewell(POLICY, "a message was not read for too long"),
            },
            () = outbox.closed() => farewell(POLICY, "too much was waiting to be read"),
        }
    }

    /// Something came.
    async fn take(&mut self, raw: Raw) -> Result<(), Farewell> {
        let elapsed = self.heard.elapsed();
        self.heard = Instant::now();
        if !self.bucket.take(elapsed) {
            let rate = self.app.limits().requests_per_s;
            let what = format!("more than {rate} requests per second; this session is closed");
            self.refuse(what).await?;
            return farewell(POLICY, "too many requests");
        }
        match raw {
            Raw::Text(text) => {
                let order = Order::Text(self.client, text.as_str().to_owned());
                if self.desk.order(order).await {
                    return Ok(());
                }
                farewell(SERVER_FAULT, "the session ended by a fault; reload this page")
            }
            Raw::Binary(_) => {
                self.refuse("a request is text, not binary".into()).await?;
                farewell(UNSUPPORTED, "a request is text, not binary")
            }
            Raw::Close(_) => Err(None),
            Raw::Ping(_) | Raw::Pong(_) => Ok(()),
        }
    }

    /// Something came that is no message.
    async fn unreadable(&mut self, error: &axum::Error) -> Result<(), Farewell> {
        let text = error.to_string();
        if text.contains("too long") || text.contains("too large") || text.contains("Space limit") {
            let what = format!("a request has at most {REQUEST_BYTES_MAX} bytes");
            self.refuse(what.clone()).await?;
            return farewell(TOO_BIG, what);
        }
        Err(None)
    }

    async fn refuse(&mut self, what: String) -> Result<(), Farewell> {
        let fault = Fault { what, places: Vec::new() };
        let text = text_of(&Message::Refused { id: None, fault });
        self.send(Raw::Text(text.into())).await
    }
}

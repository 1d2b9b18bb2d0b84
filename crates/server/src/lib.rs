//! The laboratory over HTTP and WebSocket.
//!
//! Terms: a *desk* is a session in a thread of its own; the *main* desk is the one the server was
//! started with, of which the dashboard speaks; the *outbox* is what waits to be sent to a client.
//!
//! Every WebSocket on `/session` gets a desk of its own, or follows the main one with `?share`. The
//! thread of a desk holds the clock and never waits for a socket. What there is beside, and all
//! limits, are described in `docs/server.md` and at `/api/openapi.json`.
//!
//! # Determinism
//! What a session says follows from its requests and the ticks between them; the server adds
//! nothing of its clock, which only decides how many ticks pass between two requests while playing.
//!
//! What it does not do: it encrypts nothing, keeps no users and holds no model.

extern crate alloc;

mod app;
mod dashboard;
mod desk;
mod desk_thread;
mod error;
mod experiment_api;
mod experiments;
mod folder_store;
mod grading;
mod guard;
mod limits;
mod link;
mod log;
mod options;
mod outbox;
mod page;
mod recordings;
mod reply;
mod routes;
mod server;
mod socket;
mod stream;
mod upload;

pub use error::ServerError;
pub use limits::Limits;
pub use options::{Options, PORT};
pub use server::{Server, block_on};

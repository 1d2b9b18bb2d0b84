//! What all requests share.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{Semaphore, watch};

use crate::desk::{Beginning, Desk};
use crate::experiments::Experiments;
use crate::guard::Rules;
use crate::limits::Limits;
use crate::options::Options;

/// Gradings at once.
const GRADERS: usize = 2;

/// What all requests share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) options: Options,
    pub(crate) rules: Rules,
    /// The session that `tropism lab` started.
    pub(crate) main: Arc<Desk>,
    /// Room for `WebSocket`s.
    pub(crate) sockets: Arc<Semaphore>,
    /// Room for TCP connections.
    pub(crate) connections: Arc<Semaphore>,
    /// Room for gradings.
    pub(crate) graders: Arc<Semaphore>,
    /// Experiments in the folder of results.
    pub(crate) experiments: Arc<Experiments>,
    /// True once the server is to end.
    pub(crate) is_ending: watch::Receiver<bool>,
    clients: AtomicU64,
}

impl App {
    /// Starts the main session.
    pub(crate) fn new(
        options: Options,
        is_ending: watch::Receiver<bool>,
    ) -> std::io::Result<Arc<Self>> {
        let limits = options.limits;
        let main = Desk::start(Beginning {
            source: Some(options.source()),
            is_playing: true,
            has_log: true,
            frame_time: limits.frame_time,
            recordings: options.recordings.clone(),
        })?;
        Ok(Arc::new(Self {
            rules: Rules { token: options.token.clone() },
            main,
            sockets: Arc::new(Semaphore::new(limits.sockets)),
            connections: Arc::new(Semaphore::new(limits.connections)),
            graders: Arc::new(Semaphore::new(GRADERS)),
            experiments: Arc::new(Experiments::new(options.results.clone())),
            is_ending,
            clients: AtomicU64::new(0),
            options,
        }))
    }

    pub(crate) const fn limits(&self) -> &Limits {
        &self.options.limits
    }

    /// Waits until the server is to end.
    pub(crate) async fn ended(&self) {
        let mut is_ending = self.is_ending.clone();
        let _sender_gone = is_ending.wait_for(|is_ending| *is_ending).await;
    }

    /// A number for a new client.
    pub(crate) fn next_client(&self) -> u64 {
        self.clients.fetch_add(1, Ordering::Relaxed)
    }

    /// A session for one client.
    pub(crate) fn own_desk(&self) -> std::io::Result<Arc<Desk>> {
        Desk::start(Beginning {
            source: self.options.source.clone(),
            frame_time: self.limits().frame_time,
            recordings: self.options.recordings.clone(),
            ..Beginning::default()
        })
    }
}

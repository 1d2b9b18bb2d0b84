//! One session in a thread of its own.
//!
//! Terms: a *desk* is a session with its thread; an *order* is something its thread is to do; a
//! *look* is a frame made for somebody, whose events are kept for the clients that follow the run.
//!
//! What it does not do: the thread waits for orders and for the clock, never for a socket.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;

use tokio::sync::oneshot;
use tropism_wire::session::{Command, Frame, Message, Part, Source, Stage};

use crate::desk_thread::Runner;
use crate::outbox::Outbox;

/// Orders that may wait for a session.
const ORDERS_MAX: usize = 64;

/// Something the thread of a session is to do.
#[derive(Debug)]
pub(crate) enum Order {
    /// A client follows this session from now on.
    Join(u64, Arc<Outbox>),
    /// A client is gone.
    Leave(u64),
    /// A client sent a request.
    Text(u64, String),
    /// Somebody without a link asks.
    Ask(Box<Command>, oneshot::Sender<Vec<Message>>),
    /// Somebody wants to see a robot.
    Look(u32, &'static [Part], oneshot::Sender<Option<View>>),
    /// Somebody wants the log.
    Log(oneshot::Sender<String>),
    /// The end.
    Stop,
}

/// What a look saw.
#[derive(Debug)]
pub(crate) struct View {
    pub(crate) stage: Box<Stage>,
    pub(crate) frame: Box<Frame>,
}

/// What is counted of a session.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    /// Ticks done while playing.
    pub(crate) done: AtomicU64,
    /// Ticks that elapsed time asked for while playing, times 1000.
    pub(crate) due_milli: AtomicU64,
    /// Clients that follow it.
    pub(crate) clients: AtomicU64,
}

/// How a session begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beginning {
    /// What is loaded at once.
    pub(crate) source: Option<Source>,
    /// It plays at once.
    pub(crate) is_playing: bool,
    /// It keeps a log, a row per simulated second.
    pub(crate) has_log: bool,
    /// Shortest time between two frames of playing.
    pub(crate) frame_time: Duration,
    /// Folder of recordings; without one they are kept in memory, as long as the session.
    pub(crate) recordings: Option<PathBuf>,
}

/// A session and its thread.
#[derive(Debug)]
pub(crate) struct Desk {
    orders: SyncSender<Order>,
    pub(crate) counters: Arc<Counters>,
    /// The thread, for the one who waits for its end.
    thread: std::sync::Mutex<Option<JoinHandle<()>>>,
}

impl Desk {
    /// Starts a session.
    pub(crate) fn start(beginning: Beginning) -> std::io::Result<Arc<Self>> {
        let (orders, inbox) = sync_channel(ORDERS_MAX);
        let counters = Arc::new(Counters::default());
        let counted = Arc::clone(&counters);
        let thread = std::thread::Builder::new()
            .name("session".into())
            .stack_size(8 << 20)
            .spawn(move || Runner::new(&beginning, counted).run(&inbox))?;
        let thread = std::sync::Mutex::new(Some(thread));
        Ok(Arc::new(Self { orders, counters, thread }))
    }

    /// Hands an order over as soon as there is room; false when the session has ended.
    pub(crate) async fn order(&self, mut order: Order) -> bool {
        loop {
            match self.orders.try_send(order) {
                Ok(()) => return true,
                Err(TrySendError::Disconnected(_)) => return false,
                Err(TrySendError::Full(back)) => order = back,
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Asks for something and gives what was said.
    pub(crate) async fn ask(&self, command: Command) -> Vec<Message> {
        let (reply, said) = oneshot::channel();
        self.order(Order::Ask(Box::new(command), reply)).await;
        said.await.unwrap_or_default()
    }

    /// What a robot looks like now; `None` when nothing is loaded.
    pub(crate) async fn look(&self, robot: u32, parts: &'static [Part]) -> Option<View> {
        let (reply, seen) = oneshot::channel();
        self.order(Order::Look(robot, parts, reply)).await;
        seen.await.ok().flatten()
    }

    /// The log so far.
    pub(crate) async fn log(&self) -> String {
        let (reply, log) = oneshot::channel();
        self.order(Order::Log(reply)).await;
        log.await.unwrap_or_default()
    }

    /// Ticks done while playing, and ticks that were due.
    pub(crate) fn pace(&self) -> (u64, f64) {
        let due = self.counters.due_milli.load(Ordering::Relaxed) as f64 / 1000.0;
        (self.counters.done.load(Ordering::Relaxed), due)
    }

    /// Clients that follow it.
    pub(crate) fn followers(&self) -> u64 {
        self.counters.clients.load(Ordering::Relaxed)
    }

    /// Ends the session and waits until its thread is gone.
    pub(crate) fn end(&self) {
        // The thread takes orders all the time, so that a full inbox empties.
        let _ended_before = self.orders.send(Order::Stop);
        let thread = self.thread.lock().ok().and_then(|mut thread| thread.take());
        if let Some(thread) = thread {
            let _panicked = thread.join();
        }
    }
}

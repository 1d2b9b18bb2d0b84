//! What waits to be sent to one client.
//!
//! Replies wait in order and are never thrown away; of frames of playing at most one waits, the
//! newest, with what happened in those it replaced. The thread that runs a session never waits
//! here: when too much is waiting the box closes.

use alloc::collections::VecDeque;
use alloc::sync::Arc;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tropism_wire::session::{Frame, LogEntry, Message};

use crate::limits::Limits;

/// Events and log lines kept of frames that were replaced.
pub(crate) const KEPT_MAX: usize = 1000;

/// Something to send.
#[derive(Debug)]
pub(crate) enum Item {
    /// A message as it goes out.
    Text(String),
    /// A frame of playing.
    Frame(Box<Frame>),
}

impl Item {
    /// The message as it goes out.
    pub(crate) fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Frame(frame) => text_of(&Message::Frame { frame }),
        }
    }
}

/// A message as text.
pub(crate) fn text_of(message: &Message) -> String {
    // Plain data with text keys: it cannot fail.
    serde_json::to_string(message).unwrap_or_default()
}

#[derive(Debug, Default)]
struct Inner {
    items: VecDeque<Item>,
    bytes: usize,
    is_closed: bool,
}

/// What waits for one client.
#[derive(Debug)]
pub(crate) struct Outbox {
    inner: Mutex<Inner>,
    notify: Notify,
    messages_max: usize,
    bytes_max: usize,
}

impl Outbox {
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            inner: Mutex::default(),
            notify: Notify::new(),
            messages_max: limits.waiting_messages,
            bytes_max: limits.waiting_bytes,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a message that must not be lost.
    pub(crate) fn push(&self, message: &Message) {
        let text = text_of(message);
        let mut inner = self.lock();
        if inner.is_closed {
            return;
        }
        if inner.items.len() >= self.messages_max || inner.bytes + text.len() > self.bytes_max {
            inner.is_closed = true;
            inner.items.clear();
        } else {
            inner.bytes += text.len();
            inner.items.push_back(Item::Text(text));
        }
        drop(inner);
        self.notify.notify_one();
    }

    /// Adds a frame in place of one that still waits.
    pub(crate) fn push_frame(&self, mut frame: Box<Frame>) {
        let mut inner = self.lock();
        if inner.is_closed {
            return;
        }
        let waiting = inner.items.iter().position(|item| matches!(item, Item::Frame(_)));
        if let Some(Item::Frame(old)) = waiting.and_then(|i| inner.items.remove(i)) {
            inherit(&mut frame, *old);
        }
        inner.items.push_back(Item::Frame(frame));
        drop(inner);
        self.notify.notify_one();
    }

    /// The next thing to send; `None` once the box is closed.
    pub(crate) async fn next(&self) -> Option<Item> {
        loop {
            let changed = self.notify.notified();
            {
                let mut inner = self.lock();
                if inner.is_closed {
                    return None;
                }
                if let Some(item) = inner.items.pop_front() {
                    if let Item::Text(text) = &item {
                        inner.bytes -= text.len();
                    }
                    return Some(item);
                }
            }
            changed.await;
        }
    }

    /// Waits until the box is closed.
    pub(crate) async fn closed(&self) {
        while !self.is_closed() {
            self.notify.notified().await;
        }
    }

    /// Nothing goes in or out any more.
    pub(crate) fn close(&self) {
        let mut inner = self.lock();
        inner.is_closed = true;
        inner.items.clear();
        drop(inner);
        self.notify.notify_one();
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.lock().is_closed
    }
}

/// Hands on what happened in a frame that was not sent.
fn inherit(frame: &mut Frame, old: Frame) {
    let mut events = old.events;
    events.append(&mut frame.events);
    frame.events = newest(events);
    let old_log = old.robots.and_then(|w| w.watched).map(|w| (w.robot, w.log));
    let watched = frame.robots.as_mut().and_then(|w| w.watched.as_mut());
    if let (Some(watched), Some((robot, mut log))) = (watched, old_log)
        && watched.robot == robot
    {
        log.append(&mut watched.log);
        watched.log = newest::<LogEntry>(log);
    }
}

/// The last ones of a list that grew too long.
pub(crate) fn newest<T>(mut list: Vec<T>) -> Vec<T> {
    let surplus = list.len().saturating_sub(KEPT_MAX);
    list.drain(..surplus);
    list
}

#[cfg(test)]
mod tests {
    use tropism_wire::session::Event;

    use super::*;

    fn frame(tick: u64) -> Box<Frame> {
        let event = Event { tick, kind: "met".into(), robot: None, index: None, text: None };
        Box::new(Frame {
            tick,
            time_s: 0.0,
            stage: 1,
            hash: String::new(),
            is_playing: true,
            speed: 1.0,
            recording: None,
            robots: None,
            dynamics: None,
            octopus: None,
            events: vec![event],
        })
    }

    fn hello() -> Message {
        tropism_session::Session::hello()
    }

    fn taken(outbox: &Outbox) -> Vec<Item> {
        outbox.lock().items.drain(..).collect()
    }

    #[test]
    fn unit_the_newest_frame_waits_behind_the_replies_with_all_events() {
        let outbox = Outbox::new(&Limits::default());
        outbox.push_frame(frame(1));
        outbox.push(&hello());
        outbox.push_frame(frame(2));
        let items = taken(&outbox);
        assert!(matches!(&items[..], [Item::Text(_), Item::Frame(f)] if f.tick == 2
            && f.events.iter().map(|e| e.tick).eq([1, 2])));
    }

    #[test]
    fn unit_events_of_a_client_that_reads_nothing_are_bounded() {
        let outbox = Outbox::new(&Limits::default());
        (0..5000).for_each(|tick| outbox.push_frame(frame(tick)));
        let items = taken(&outbox);
        assert!(matches!(&items[..], [Item::Frame(f)] if f.events.len() == KEPT_MAX
            && f.events[0].tick == 4000));
    }

    #[test]
    fn unit_too_many_replies_close_the_box() {
        let outbox = Outbox::new(&Limits { waiting_messages: 3, ..Limits::default() });
        (0..3).for_each(|_| outbox.push(&hello()));
        assert!(!outbox.is_closed());
        outbox.push(&hello());
        assert!(outbox.is_closed() && taken(&outbox).is_empty());
        let few = Limits { waiting_bytes: 10, ..Limits::default() };
        let outbox = Outbox::new(&few);
        outbox.push(&hello());
        assert!(outbox.is_closed());
    }
}

//! What the thread of a session does: orders, ticks that are due, frames.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use core::sync::atomic::Ordering;
use core::time::Duration;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Instant;

use tropism_session::{Asked, CATCH_UP_S, Pacer, Session, Steps, Turn};
use tropism_wire::session::{Command, Event, Frame, LogEntry, Message, Part, Request};

use crate::desk::{Beginning, Counters, Order, View};
use crate::folder_store::FolderStore;
use crate::log::Log;
use crate::outbox::{Outbox, newest};

/// Longest time spent on ticks before orders are looked at again.
const STRETCH: Duration = Duration::from_millis(20);

/// Ticks done without looking at the clock, at most.
const SLICE_MAX: u64 = 4096;

/// Longest wait of a session that stands still.
const REST: Duration = Duration::from_hours(1);

/// Whose inside is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Watch {
    robot: u32,
    parts: Vec<Part>,
}

/// Somebody who follows the run.
#[derive(Debug)]
struct Client {
    outbox: Arc<Outbox>,
    watch: Watch,
}

/// What was taken out of a session by looking at it and is still to be told.
#[derive(Debug, Default)]
struct Untold {
    events: Vec<Event>,
    log: Vec<(u32, LogEntry)>,
}

/// A session with its clock.
#[derive(Debug)]
pub(crate) struct Runner {
    session: Session,
    pacer: Pacer,
    clients: BTreeMap<u64, Client>,
    watch: Watch,
    untold: Untold,
    /// A step under way, and what waits for its end.
    steps: Steps,
    log: Option<Log>,
    counters: Arc<Counters>,
    /// Ticks due and not done.
    backlog: u64,
    /// Ticks per slice now.
    slice: u64,
    /// When elapsed time was last counted.
    counted: Instant,
    /// When the last frame of playing was made.
    shown: Option<Instant>,
    frame_time: Duration,
    /// Number of the stage that the clients know.
    staged: u32,
    /// Something changed since the clients last got a frame.
    is_changed: bool,
}

impl Runner {
    pub(crate) fn new(beginning: &Beginning, counters: Arc<Counters>) -> Self {
        let session = match beginning.recordings.clone() {
            Some(folder) => Session::with_store(Box::new(FolderStore::new(folder))),
            None => Session::new(),
        };
        let mut runner = Self {
            session,
            pacer: Pacer::default(),
            clients: BTreeMap::new(),
            watch: Watch::default(),
            untold: Untold::default(),
            steps: Steps::default(),
            log: beginning.has_log.then(Log::default),
            counters,
            backlog: 0,
            slice: 1,
            counted: Instant::now(),
            shown: None,
            frame_time: beginning.frame_time,
            staged: 0,
            is_changed: false,
        };
        if let Some(source) = beginning.source.clone() {
            runner.say(Command::Load { source, seed: None, condition: None, scene: None });
            if beginning.is_playing {
                runner.say(Command::Play);
            }
        }
        runner
    }

    /// Takes orders and makes ticks until nobody is left to give orders.
    pub(crate) fn run(mut self, inbox: &Receiver<Order>) {
        loop {
            match inbox.recv_timeout(self.patience()) {
                Ok(Order::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(order) => self.obey(order),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.go_on();
        }
    }

    /// How long it may wait for an order.
    fn patience(&self) -> Duration {
        if self.steps.is_under_way() {
            return Duration::ZERO;
        }
        if !self.session.is_playing() {
            return REST;
        }
        if self.backlog > 0 {
            return Duration::ZERO;
        }
        let tick_s = self.tick_s() / self.session.speed();
        let beat = if self.is_changed { self.frame_time } else { STRETCH };
        Duration::from_secs_f64(tick_s.clamp(0.002, 0.02)).min(beat)
    }

    fn tick_s(&self) -> f64 {
        let step = self.session.step();
        f64::from(step.numerator()) / f64::from(step.denominator())
    }

    fn obey(&mut self, order: Order) {
        let was_playing = self.session.is_playing();
        match order {
            Order::Join(client, outbox) => self.join(client, outbox),
            Order::Leave(client) => {
                self.clients.remove(&client);
                if self.steps.forget(client) {
                    self.show(None);
                }
                self.count_clients();
            }
            Order::Text(client, text) => self.text(client, &text),
            Order::Ask(command, reply) => {
                // Who asked may be gone by now.
                let _gone = reply.send(self.say(*command));
            }
            Order::Look(robot, parts, reply) => {
                let watch = Watch { robot, parts: parts.to_vec() };
                let _gone = reply.send(self.view(&watch));
            }
            Order::Log(reply) => {
                let text = self.log.as_ref().map(Log::text).unwrap_or_default();
                let _gone = reply.send(text);
            }
            Order::Stop => {}
        }
        if self.session.is_playing() && !was_playing {
            self.counted = Instant::now();
            self.pacer.rest();
        }
    }

    fn count_clients(&self) {
        self.counters.clients.store(self.clients.len() as u64, Ordering::Relaxed);
    }

    fn join(&mut self, client: u64, outbox: Arc<Outbox>) {
        outbox.push(&Session::hello());
        if let Some(stage) = self.session.stage() {
            outbox.push(&stage);
        }
        if let Some(frame) = self.look(&Watch::default()) {
            outbox.push(&Message::Frame { frame });
        }
        self.clients.insert(client, Client { outbox, watch: Watch::default() });
        self.count_clients();
    }

    /// A request of a client, whose turn may come later.
    fn text(&mut self, client: u64, text: &str) {
        match self.steps.admit(client, text) {
            Turn::Now(asked) => self.carry_out(client, asked),
            Turn::Later => {}
            Turn::Full(refusal) => self.tell(client, &refusal),
        }
    }

    fn tell(&self, client: u64, message: &Message) {
        if let Some(client) = self.clients.get(&client) {
            client.outbox.push(message);
        }
    }

    /// A request of a client.
    fn carry_out(&mut self, client: u64, asked: Asked) {
        let Some(Client { outbox, watch }) = self.clients.get(&client) else { return };
        if outbox.is_closed() {
            return;
        }
        let watch = watch.clone();
        self.wear(&watch);
        let watch = match &asked {
            Ok(Request { command: Command::Watch { robot, parts }, .. }) => {
                Some(Watch { robot: *robot, parts: parts.clone() })
            }
            _ => None,
        };
        let mut told = Vec::new();
        if self.steps.carry_out((client, asked), &mut self.session, &mut told) {
            return self.step_on();
        }
        let is_done = told.iter().any(|(_, message)| matches!(message, Message::Done { .. }));
        if let (Some(watch), true) = (watch, is_done) {
            self.watch = watch.clone();
            if let Some(client) = self.clients.get_mut(&client) {
                client.watch = watch;
            }
        }
        for (to, message) in &told {
            self.tell(*to, message);
        }
        let said: Vec<Message> = told.into_iter().map(|(_, message)| message).collect();
        self.tell_others(Some(client), &said);
    }

    /// Goes on with a step for a stretch.
    fn step_on(&mut self) {
        let end = Instant::now() + STRETCH;
        if !self.steps.go_on(&mut self.session, || Instant::now() < end) {
            return;
        }
        let mut said = Vec::new();
        let asker = self.steps.asker();
        let watch = asker.and_then(|id| self.clients.get(&id)).map(|client| client.watch.clone());
        if let Some(watch) = &watch {
            self.wear(watch);
        }
        self.steps.end(&mut self.session, &mut said);
        if !self.session.is_playing() {
            self.share_untold(&mut said);
        }
        if let Some(id) = asker {
            for message in &said {
                self.tell(id, message);
            }
            self.tell_others(Some(id), &said);
        }
    }

    /// What others' looks took out of the session during a step belongs to its asker's frame too,
    /// and what is in that frame to the others'.
    fn share_untold(&mut self, said: &mut [Message]) {
        let frame = said.iter_mut().find_map(|message| match message {
            Message::Frame { frame } => Some(frame),
            _ => None,
        });
        let Some(frame) = frame else { return };
        let mut told = core::mem::take(&mut self.untold);
        told.events.append(&mut frame.events);
        frame.events.clone_from(&told.events);
        if let Some(watched) = frame.robots.as_mut().and_then(|w| w.watched.as_mut()) {
            let robot = watched.robot;
            told.log.extend(watched.log.drain(..).map(|line| (robot, line)));
            let of_it = told.log.iter().filter(|(of, _)| *of == robot);
            watched.log = of_it.map(|(_, line)| line.clone()).collect();
        }
        if self.clients.len() > 1 {
            self.untold = told;
        }
    }

    /// A command of somebody without a link.
    fn say(&mut self, command: Command) -> Vec<Message> {
        let mut said = Vec::new();
        self.session.handle(Request { id: 0, command }, &mut said);
        self.tell_others(None, &said);
        said
    }

    /// What the one who asked was told is told to the others, as far as it concerns them.
    fn tell_others(&mut self, asker: Option<u64>, said: &[Message]) {
        let stage = said.iter().find_map(|message| match message {
            Message::Stage { stage } => Some(stage.version),
            _ => None,
        });
        if let Some(version) = stage {
            self.staged = version;
            self.backlog = 0;
            self.pacer.rest();
            if let Some(log) = &mut self.log {
                log.stage_changed();
            }
        }
        let others = self.clients.iter().filter(|(id, _)| Some(**id) != asker);
        for (_, client) in others {
            for message in said.iter().filter(|m| matches!(m, Message::Stage { .. })) {
                client.outbox.push(message);
            }
            self.is_changed = true;
        }
        if let (Some(asker), true) = (asker, self.is_changed && !self.session.is_playing()) {
            self.show(Some(asker));
        }
    }

    /// Makes the session show this.
    fn wear(&mut self, watch: &Watch) {
        if self.watch != *watch {
            self.watch = watch.clone();
            let Watch { robot, parts } = watch.clone();
            let command = Command::Watch { robot, parts };
            let mut said = Vec::new();
            // A robot that is not there is shown as nothing.
            self.session.handle(Request { id: 0, command }, &mut said);
            for message in said {
                if let Message::Frame { mut frame } = message {
                    self.absorb(&mut frame);
                }
            }
        }
    }

    /// A frame; what happened is kept for those who follow.
    fn look(&mut self, watch: &Watch) -> Option<Box<Frame>> {
        self.wear(watch);
        let Some(Message::Frame { mut frame }) = self.session.frame() else { return None };
        self.absorb(&mut frame);
        Some(frame)
    }

    /// Takes what happened out of a frame that goes to nobody who follows the run.
    fn absorb(&mut self, frame: &mut Frame) {
        self.untold.events.append(&mut frame.events);
        if let Some(watched) = frame.robots.as_mut().and_then(|w| w.watched.as_mut()) {
            let robot = watched.robot;
            self.untold.log.extend(watched.log.drain(..).map(|line| (robot, line)));
        }
        if self.clients.is_empty() {
            self.untold.events = newest(core::mem::take(&mut self.untold.events));
            self.untold.log = newest(core::mem::take(&mut self.untold.log));
        }
    }

    fn view(&mut self, watch: &Watch) -> Option<View> {
        let frame = self.look(watch)?;
        let Some(Message::Stage { stage }) = self.session.stage() else { return None };
        Some(View { stage, frame })
    }

    /// Does what elapsed time asks for, for a stretch, and shows it.
    fn go_on(&mut self) {
        self.step_on();
        while let Some((client, asked)) = self.steps.next_waiting() {
            self.carry_out(client, asked);
        }
        if !self.session.is_playing() {
            self.backlog = 0;
            return;
        }
        let now = Instant::now();
        let elapsed_s = (now - self.counted).as_secs_f64();
        self.counted = now;
        let speed = self.session.speed();
        let due = self.pacer.due(elapsed_s, speed, self.session.step());
        let due_milli = elapsed_s * speed / self.tick_s() * 1000.0;
        self.counters.due_milli.fetch_add(due_milli as u64, Ordering::Relaxed);
        // What cannot be made up for within the cap is lost: the run is slower than asked for.
        let most = (CATCH_UP_S * speed / self.tick_s()) as u64 + 1;
        self.backlog = (self.backlog + due).min(most);
        let end = now + STRETCH;
        while self.backlog > 0 && Instant::now() < end {
            self.slice();
        }
        let is_time = self.shown.is_none_or(|shown| shown.elapsed() >= self.frame_time);
        // At the end of a recording it stops playing by itself.
        if self.is_changed && (is_time || !self.session.is_playing()) {
            self.shown = Some(Instant::now());
            self.show(None);
        }
    }

    /// Some ticks, so many that the clock is looked at every few milliseconds.
    fn slice(&mut self) {
        let mut ticks = self.slice.min(self.backlog);
        if let Some(log) = &self.log {
            ticks = ticks.min(log.ticks_to_row(self.session.step()));
        }
        let begun = Instant::now();
        self.session.advance(ticks);
        self.backlog -= ticks;
        self.is_changed = true;
        self.counters.done.fetch_add(ticks, Ordering::Relaxed);
        let taken = begun.elapsed();
        if taken < Duration::from_millis(2) {
            self.slice = (self.slice * 2).min(SLICE_MAX);
        } else if taken > Duration::from_millis(8) {
            self.slice = (self.slice / 2).max(1);
        }
        if let Some(mut log) = self.log.take() {
            if log.is_row_due(ticks, self.session.step()) {
                let watch = Watch { robot: 0, parts: vec![Part::Organism] };
                if let (Some(frame), Some(Message::Stage { stage })) =
                    (self.look(&watch), self.session.stage())
                {
                    log.add(&stage, &frame);
                }
            }
            self.log = Some(log);
        }
    }

    /// A frame to everybody but one, each with the inside it watches.
    fn show(&mut self, but: Option<u64>) {
        self.is_changed = false;
        let watches: Vec<Watch> = self.clients.values().map(|c| c.watch.clone()).collect();
        let mut frames: Vec<(Watch, Box<Frame>)> = Vec::new();
        for watch in watches {
            if frames.iter().any(|(w, _)| *w == watch) {
                continue;
            }
            if let Some(frame) = self.look(&watch) {
                frames.push((watch, frame));
            }
        }
        // An edit of a recording that is played makes another stage.
        let is_other_stage = frames.first().is_some_and(|(_, frame)| frame.stage != self.staged);
        if let (Some(stage @ Message::Stage { .. }), true) = (self.session.stage(), is_other_stage)
        {
            self.clients.values().for_each(|client| client.outbox.push(&stage));
            self.staged = frames.first().map_or(self.staged, |(_, frame)| frame.stage);
        }
        let Untold { events, log } = core::mem::take(&mut self.untold);
        for (_, frame) in &mut frames {
            frame.events.clone_from(&events);
            if let Some(watched) = frame.robots.as_mut().and_then(|w| w.watched.as_mut()) {
                let of_it = log.iter().filter(|(robot, _)| *robot == watched.robot);
                watched.log = of_it.map(|(_, line)| line.clone()).collect();
            }
        }
        for (id, client) in &self.clients {
            let frame = frames.iter().find(|(w, _)| *w == client.watch);
            if let (Some((_, frame)), true) = (frame, Some(*id) != but) {
                client.outbox.push_frame(frame.clone());
            }
        }
    }
}

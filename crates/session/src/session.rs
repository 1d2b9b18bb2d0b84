//! Carrying out requests.

use tropism_core::{Tick, TimeStep};
use tropism_lab::experiment::MODEL_VERSION;
use tropism_wire::session::{
    Command, Event, Fault, Frame, Message, Outcome, PROTOCOL, REQUEST_BYTES_MAX, Request,
    ResetWhat, Source, Stage, StageKind,
};

use crate::load::{self, Loaded, Wish};
use crate::recording::{self, MemoryStore, Store, Tape};
use crate::table::{Watch, fault};
use crate::tape::Recorder;
use crate::timeline::Timeline;

/// Most ticks of one step.
const STEP_MAX: u32 = 100_000;
/// Speeds of playing.
const SPEEDS: core::ops::RangeInclusive<f64> = 0.05..=1000.0;
/// Most parts asked for; there are fewer.
const PARTS_MAX: usize = 16;

/// One laboratory table.
#[derive(Debug)]
pub struct Session {
    pub(crate) timeline: Option<Timeline>,
    pub(crate) seed: u64,
    /// What was loaded, with all texts.
    pub(crate) load: Option<Command>,
    pub(crate) store: Box<dyn Store>,
    pub(crate) recorder: Option<Recorder>,
    pub(crate) events: Vec<Event>,
    loads: u32,
    /// Edits of tables that were there before.
    edits_before: u32,
    /// Counts what ends a step that is under way.
    ends: u32,
    is_playing: bool,
    speed: f64,
    watch: Watch,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// An empty table that keeps recordings in memory.
    pub fn new() -> Self {
        Self::with_store(Box::new(MemoryStore::default()))
    }

    /// An empty table that keeps recordings there.
    pub fn with_store(store: Box<dyn Store>) -> Self {
        Self {
            timeline: None,
            seed: 0,
            load: None,
            store,
            recorder: None,
            events: Vec::new(),
            loads: 0,
            edits_before: 0,
            ends: 0,
            is_playing: false,
            speed: 1.0,
            watch: Watch::default(),
        }
    }

    /// What a session says first.
    pub fn hello() -> Message {
        let program = program();
        Message::Hello { protocol: PROTOCOL, program, model_version: MODEL_VERSION }
    }

    /// The session plays: the leaf is to call [`Self::advance`] as time goes on.
    pub const fn is_playing(&self) -> bool {
        self.is_playing && self.timeline.is_some()
    }

    /// Simulated seconds per second of playing.
    pub const fn speed(&self) -> f64 {
        self.speed
    }

    /// The control step of what is loaded.
    pub fn step(&self) -> TimeStep {
        self.timeline.as_ref().map_or(TimeStep::TWENTIETH, Timeline::step)
    }

    /// Number of the stage: when it differs from that of the last stage sent, as after an edit
    /// that is done again while an earlier part is played, a new one is to be sent.
    pub fn stage_version(&self) -> u32 {
        self.loads + self.edits_before + self.timeline.as_ref().map_or(0, Timeline::edits)
    }

    /// Advances by whole ticks. Playing ends at the end of a recording.
    pub fn advance(&mut self, ticks: u64) {
        let Some(timeline) = &mut self.timeline else { return };
        for _ in 0..ticks {
            if !timeline.go_on() {
                if self.is_playing {
                    self.is_playing = false;
                    let tick = timeline.tick();
                    self.events.push(plain_event(tick, "recording_ended", None));
                }
                break;
            }
        }
        self.write_lines();
    }

    /// Reads a request; the error is the refusal of a text that is none.
    ///
    /// # Errors
    /// The text is too long, no JSON, or no request.
    pub(crate) fn read(text: &str) -> Result<Request, Message> {
        if text.len() > REQUEST_BYTES_MAX {
            let what = format!("{} bytes; a request has at most {REQUEST_BYTES_MAX}", text.len());
            return Err(Message::Refused { id: None, fault: fault(what) });
        }
        serde_json::from_str(text).map_err(|error| {
            let id = serde_json::from_str::<serde_json::Value>(text).ok();
            let id = id.and_then(|v| u32::try_from(v.get("id")?.as_u64()?).ok());
            Message::Refused { id, fault: fault(error.to_string()) }
        })
    }

    /// Carries out a request given as text; what is said in return goes to `out`.
    pub fn handle_text(&mut self, text: &str, out: &mut Vec<Message>) {
        match Self::read(text) {
            Ok(request) => self.handle(request, out),
            Err(refusal) => out.push(refusal),
        }
    }

    /// Carries out a request. After its reply follow a stage, when it is another one, and a frame,
    /// after steps, loads, seeks and everything that acts.
    pub fn handle(&mut self, request: Request, out: &mut Vec<Message>) {
        let (id, version) = (request.id, self.stage_version());
        let shows = shows(&request.command);
        match self.carry_out(request.command) {
            Ok(outcome) => self.answer(id, (outcome, version), shows, out),
            Err(fault) => out.push(Message::Refused { id: Some(id), fault }),
        }
    }

    /// Says that a request is done: it began at this stage.
    pub(crate) fn answer(
        &mut self,
        id: u32,
        (outcome, version): (Outcome, u32),
        shows: bool,
        out: &mut Vec<Message>,
    ) {
        out.push(Message::Done { id, outcome });
        if self.stage_version() != version {
            out.extend(self.stage());
        }
        if shows {
            out.extend(self.frame());
        }
    }

    /// Counts what ends a step that is under way.
    pub(crate) const fn ends(&self) -> u32 {
        self.ends
    }

    fn carry_out(&mut self, command: Command) -> Result<Outcome, Fault> {
        match command {
            Command::List => return Ok(self.listing()),
            Command::Load { source, seed, condition, scene } => {
                let wish = Wish { seed, condition: condition.as_deref(), scene: scene.as_deref() };
                self.load(source, wish)?;
            }
            Command::Play => self.play()?,
            Command::Pause => {
                self.is_playing = false;
                self.ends = self.ends.wrapping_add(1);
            }
            Command::Step { ticks } => self.step_by(ticks)?,
            Command::Speed { factor } => self.set_speed(factor)?,
            Command::Seek { tick } => self.seek(tick)?,
            Command::Watch { robot, parts } => self.set_watch(robot, parts)?,
            Command::Reset { what: ResetWhat::Whole, .. } => self.reset_whole()?,
            Command::Record { name } => self.record(name)?,
            Command::StopRecording => return self.stop_recording(),
            Command::Recording { name } => return self.recording(&name),
            other => {
                let outcome = self.timeline_mut()?.apply(other)?;
                self.write_lines();
                return Ok(outcome);
            }
        }
        Ok(Outcome::Plain)
    }

    pub(crate) fn timeline_mut(&mut self) -> Result<&mut Timeline, Fault> {
        self.timeline.as_mut().ok_or_else(nothing_loaded)
    }

    fn listing(&self) -> Outcome {
        Outcome::Listing {
            entries: load::listing(),
            recordings: self.store.list(),
            conditions: load::conditions(),
        }
    }

    fn play(&mut self) -> Result<(), Fault> {
        self.timeline_mut()?;
        self.is_playing = true;
        Ok(())
    }

    /// A step of so many ticks can be made.
    pub(crate) fn check_step(&self, ticks: u32) -> Result<(), Fault> {
        if self.timeline.is_none() {
            return Err(nothing_loaded());
        }
        if !(1..=STEP_MAX).contains(&ticks) {
            return Err(fault(format!("a step of {ticks} ticks; it takes 1 to {STEP_MAX}")));
        }
        Ok(())
    }

    fn step_by(&mut self, ticks: u32) -> Result<(), Fault> {
        self.check_step(ticks)?;
        self.advance(ticks.into());
        Ok(())
    }

    fn set_speed(&mut self, factor: f64) -> Result<(), Fault> {
        if !SPEEDS.contains(&factor) {
            let (least, most) = (SPEEDS.start(), SPEEDS.end());
            return Err(fault(format!("speed {factor}; it takes {least} to {most}")));
        }
        self.speed = factor;
        Ok(())
    }

    fn set_watch(
        &mut self,
        robot: u32,
        parts: Vec<tropism_wire::session::Part>,
    ) -> Result<(), Fault> {
        if parts.len() > PARTS_MAX {
            return Err(fault(format!("{} parts; at most {PARTS_MAX} are asked for", parts.len())));
        }
        self.watch = Watch { robot, parts };
        Ok(())
    }

    fn seek(&mut self, tick: u64) -> Result<(), Fault> {
        self.timeline_mut()?.seek(tick)?;
        self.ends = self.ends.wrapping_add(1);
        // What happened on the way is no news.
        let _ = self.frame();
        self.write_lines();
        Ok(())
    }

    fn reset_whole(&mut self) -> Result<(), Fault> {
        self.timeline_mut()?;
        self.end_recording();
        if let Some(timeline) = &mut self.timeline {
            timeline.restart();
        }
        self.is_playing = false;
        self.ends = self.ends.wrapping_add(1);
        Ok(())
    }

    fn load(&mut self, source: Source, wish: Wish<'_>) -> Result<(), Fault> {
        let recorded = match &source {
            Source::Recording { name } => {
                let text = self.store.read(name).map_err(fault)?;
                Some(recording::read(name, &text)?)
            }
            Source::Text { file, .. } if recording::is_recording(&file.text) => {
                Some(recording::read(&file.name, &file.text)?)
            }
            _ => None,
        };
        if let Some(tape) = recorded {
            return self.load_tape(tape);
        }
        let loaded = load::load(source, wish)?;
        let wish = (wish.condition.map(Into::into), wish.scene.map(Into::into));
        self.put(loaded, wish, None);
        Ok(())
    }

    fn load_tape(&mut self, tape: Tape) -> Result<(), Fault> {
        let Command::Load { source, seed, condition, scene } = tape.load.clone() else {
            return Err(fault("the recording loads nothing"));
        };
        let wish = Wish { seed, condition: condition.as_deref(), scene: scene.as_deref() };
        let loaded = load::load(source, wish)?;
        let (is_cut, version) = (tape.is_cut, tape.model_version);
        self.put(loaded, (condition, scene), Some(tape));
        if is_cut {
            let text = "the recording was cut off: it ends where it was last written";
            self.events.push(plain_event(0, "recording_cut", Some(text.to_owned())));
        }
        if version != MODEL_VERSION {
            let text =
                format!("recorded with model version {version}, played with {MODEL_VERSION}");
            self.events.push(plain_event(0, "other_model_version", Some(text)));
        }
        Ok(())
    }

    fn put(
        &mut self,
        loaded: Loaded,
        (condition, scene): (Option<String>, Option<String>),
        tape: Option<Tape>,
    ) {
        self.end_recording();
        let Loaded { table, seed, source } = loaded;
        self.edits_before += self.timeline.as_ref().map_or(0, Timeline::edits);
        self.timeline = Some(match tape {
            Some(tape) => Timeline::of_tape(table, tape),
            None => Timeline::new(table),
        });
        self.load = Some(Command::Load { source, seed: Some(seed), condition, scene });
        self.seed = seed;
        self.loads += 1;
        self.ends = self.ends.wrapping_add(1);
        self.is_playing = false;
        self.events.clear();
    }

    /// What stands on the table.
    pub fn stage(&self) -> Option<Message> {
        let timeline = self.timeline.as_ref()?;
        let step = self.step();
        let mut stage = Stage {
            kind: StageKind::Robots,
            version: self.stage_version(),
            name: String::new(),
            about: String::new(),
            seed: self.seed,
            step: [step.numerator(), step.denominator()],
            ticks: timeline.horizon(),
            is_recording: timeline.is_recording(),
            robots: None,
            dynamics: None,
            octopus: None,
        };
        timeline.table().describe(&mut stage);
        Some(Message::Stage { stage: Box::new(stage) })
    }

    /// The state now, and what happened since the last call.
    pub fn frame(&mut self) -> Option<Message> {
        let stage = self.stage_version();
        let timeline = self.timeline.as_mut()?;
        let tick = timeline.tick();
        let mut frame = Frame {
            tick,
            time_s: timeline.step().seconds_at(Tick(tick)),
            stage,
            hash: format!("{:016x}", timeline.table().hash()),
            is_playing: self.is_playing,
            speed: self.speed,
            recording: self.recorder.as_ref().map(|recorder| recorder.name.clone()),
            robots: None,
            dynamics: None,
            octopus: None,
            events: core::mem::take(&mut self.events),
        };
        frame.events.append(&mut timeline.take_events());
        timeline.table_mut().show(&self.watch, &mut frame);
        Some(Message::Frame { frame: Box::new(frame) })
    }
}

fn nothing_loaded() -> Fault {
    fault("nothing is loaded; ask for `load` first")
}

pub(crate) fn program() -> String {
    concat!("tropism ", env!("CARGO_PKG_VERSION")).to_owned()
}

pub(crate) fn plain_event(tick: u64, kind: &str, text: Option<String>) -> Event {
    Event { tick, kind: kind.into(), robot: None, index: None, text }
}

/// A frame follows the reply.
const fn shows(command: &Command) -> bool {
    crate::journal::acts(command)
        || matches!(
            command,
            Command::Load { .. }
                | Command::Step { .. }
                | Command::Seek { .. }
                | Command::Reset { .. }
                | Command::Watch { .. }
                | Command::Play
                | Command::Pause
                | Command::Speed { .. }
                | Command::Record { .. }
                | Command::StopRecording
        )
}

//! Carrying out requests.

use tropism_core::{Tick, TimeStep};
use tropism_lab::experiment::MODEL_VERSION;
use tropism_scenario::Document;
use tropism_wire::session::{
    Command, Fault, Frame, Message, Outcome, PROTOCOL, REQUEST_BYTES_MAX, Request, Source, Stage,
    StageKind,
};

use crate::other::{Wish, listing, load_built_in, load_other};
use crate::robots::Robots;
use crate::table::{Table, Watch, fault};

/// One laboratory table.
#[derive(Debug, Default)]
pub struct Session {
    table: Option<Box<dyn Table>>,
    seed: u64,
    version: u32,
    tick: u64,
    is_playing: bool,
    speed: f64,
    watch: Watch,
}

impl Session {
    /// An empty table.
    pub fn new() -> Self {
        Self { speed: 1.0, ..Self::default() }
    }

    /// What a session says first.
    pub fn hello() -> Message {
        let program = concat!("tropism ", env!("CARGO_PKG_VERSION")).to_owned();
        Message::Hello { protocol: PROTOCOL, program, model_version: MODEL_VERSION }
    }

    /// The session plays: the leaf is to call [`Self::advance`] as time goes on.
    pub const fn is_playing(&self) -> bool {
        self.is_playing && self.table.is_some()
    }

    /// Simulated seconds per second of playing.
    pub const fn speed(&self) -> f64 {
        self.speed
    }

    /// The control step of what is loaded.
    pub fn step(&self) -> TimeStep {
        self.table.as_ref().map_or(TimeStep::TWENTIETH, |t| t.step())
    }

    /// Advances by whole ticks.
    pub fn advance(&mut self, ticks: u64) {
        if let Some(table) = &mut self.table {
            for _ in 0..ticks {
                table.tick();
                self.tick += 1;
            }
        }
    }

    /// Carries out a request given as text; what is said in return goes to `out`.
    pub fn handle_text(&mut self, text: &str, out: &mut Vec<Message>) {
        if text.len() > REQUEST_BYTES_MAX {
            let what = format!("{} bytes; a request has at most {REQUEST_BYTES_MAX}", text.len());
            out.push(Message::Refused { id: None, fault: fault(what) });
            return;
        }
        match serde_json::from_str::<Request>(text) {
            Ok(request) => self.handle(request, out),
            Err(error) => {
                let id = serde_json::from_str::<serde_json::Value>(text).ok();
                let id = id.and_then(|v| v.get("id")?.as_u64()).map(|id| id as u32);
                out.push(Message::Refused { id, fault: fault(error.to_string()) });
            }
        }
    }

    /// Carries out a request.
    pub fn handle(&mut self, request: Request, out: &mut Vec<Message>) {
        let version = self.version;
        let (id, is_step) = (request.id, matches!(request.command, Command::Step { .. }));
        match self.carry_out(request.command) {
            Ok(outcome) => {
                out.push(Message::Done { id, outcome });
                if self.version != version {
                    out.extend(self.stage());
                }
                if is_step || self.version != version {
                    out.extend(self.frame());
                }
            }
            Err(fault) => out.push(Message::Refused { id: Some(id), fault }),
        }
    }

    fn carry_out(&mut self, command: Command) -> Result<Outcome, Fault> {
        match command {
            Command::List => {
                let entries = listing().collect();
                let (recordings, conditions) = (Vec::new(), Vec::new());
                return Ok(Outcome::Listing { entries, recordings, conditions });
            }
            Command::Load { source, seed, condition, scene } => {
                let wish = Wish { scene: scene.as_deref(), condition: condition.as_deref() };
                self.load(source, seed, wish)?;
            }
            Command::Play => self.is_playing = true,
            Command::Pause => self.is_playing = false,
            Command::Step { ticks } => self.advance(ticks.into()),
            Command::Speed { factor } => self.speed = factor,
            Command::Watch { robot, parts } => self.watch = Watch { robot, parts },
            other => {
                let Some(table) = &mut self.table else {
                    return Err(fault("nothing is loaded; ask for `load` first"));
                };
                let applied = table.apply(&other)?;
                self.version += u32::from(applied.is_other_stage);
                return Ok(applied.outcome);
            }
        }
        Ok(Outcome::Plain)
    }

    fn load(&mut self, source: Source, seed: Option<u64>, wish: Wish<'_>) -> Result<(), Fault> {
        let other = match &source {
            Source::BuiltIn { name } => load_built_in(name, wish),
            Source::Text { file, .. } => load_other(&file.name, &file.text, wish),
            Source::Recording { .. } => None,
        };
        if let Some(table) = other {
            let table = table?;
            self.seed = seed.unwrap_or(1);
            self.put(table);
            return Ok(());
        }
        let (name, text) = match source {
            Source::BuiltIn { name } => {
                let text = format!("kind = \"scenario\"\nname = \"{name}\"\nworld = \"{name}\"\n");
                (name, text)
            }
            Source::Text { file, .. } => (file.name, file.text),
            Source::Recording { name } => {
                return Err(fault(format!("no recording {name}")));
            }
        };
        let document = tropism_scenario::parse(&name, &text, None);
        let document = document.map_err(|error| fault(error.to_string()))?;
        let Document::Scenario(scenario) = document else {
            return Err(fault(format!("{name} is no scenario")));
        };
        self.seed = seed.or(scenario.seed).unwrap_or(1);
        let table = Robots::new(scenario, self.seed).map_err(|error| fault(error.to_string()))?;
        self.put(Box::new(table));
        Ok(())
    }

    /// A new table, paused at tick 0.
    fn put(&mut self, table: Box<dyn Table>) {
        self.table = Some(table);
        self.version += 1;
        (self.tick, self.is_playing) = (0, false);
    }

    /// What stands on the table.
    pub fn stage(&self) -> Option<Message> {
        let table = self.table.as_ref()?;
        let step = self.step();
        let mut stage = Stage {
            kind: StageKind::Robots,
            version: self.version,
            name: String::new(),
            about: String::new(),
            seed: self.seed,
            step: [step.numerator(), step.denominator()],
            ticks: self.tick,
            is_recording: false,
            robots: None,
            dynamics: None,
            octopus: None,
        };
        table.describe(&mut stage);
        Some(Message::Stage { stage: Box::new(stage) })
    }

    /// The state now.
    pub fn frame(&mut self) -> Option<Message> {
        let time_s = self.step().seconds_at(Tick(self.tick));
        let table = self.table.as_mut()?;
        let hash = format!("{:016x}", table.hash());
        let mut frame = Frame {
            tick: self.tick,
            time_s,
            stage: self.version,
            hash,
            is_playing: self.is_playing,
            speed: self.speed,
            recording: None,
            robots: None,
            dynamics: None,
            octopus: None,
            events: Vec::new(),
        };
        table.show(&self.watch, &mut frame);
        Some(Message::Frame { frame: Box::new(frame) })
    }
}

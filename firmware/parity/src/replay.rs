//! Sense, mind, actuators, safety: the loop of a robot on a recording.

use core::fmt;

use tropism_body::{
    ActuatorBank, BodySpec, Command, Controller, Percept, SafetyAction, SafetyMonitor,
    SafetyParameters, SensorBank,
};
use tropism_core::{Name, Seed, StateHash, Tick, TimeStep};
use tropism_organism::{Organism, OrganismConfig};

use crate::recording::{Recording, RecordingError, body_of};

const STEP: TimeStep = TimeStep::TWENTIETH;

/// Everything a robot keeps between two ticks.
#[derive(Debug)]
pub struct Engine {
    pub(crate) organism: Organism,
    sensors: SensorBank,
    actuators: ActuatorBank,
    safety: SafetyMonitor,
    percept: Percept,
    command: Command,
}

impl Engine {
    /// A newborn in its body.
    #[inline(never)]
    pub fn new(body: &BodySpec, seed: u32) -> Self {
        let seed = Seed(u64::from(seed));
        Self {
            organism: Organism::new(body, STEP, OrganismConfig::default(), seed, 0),
            sensors: SensorBank::new(body, STEP),
            actuators: ActuatorBank::new(body, STEP),
            safety: SafetyMonitor::new(
                body,
                STEP,
                SafetyParameters::default(),
                SafetyAction::Write,
            ),
            percept: Percept::default(),
            command: Command::new(),
        }
    }

    /// One tick on what the recording delivered.
    #[inline(never)]
    fn step(&mut self, recording: &Recording<'_>, tick: u32) {
        let now = Tick(u64::from(tick));
        for channel in 0..self.sensors.count() {
            if let Some(sample) = recording.sample(tick, channel) {
                self.sensors.accept(channel, now, sample);
            }
        }
        self.percept.tick = now;
        self.sensors.read_into(now, &mut self.percept.readings);
        self.actuators.feel_into(now, &mut self.percept);
        self.command.clear();
        self.organism.step(&self.percept, &mut self.command);
        self.actuators.apply(&self.command, now);
        self.safety.enforce(self.organism.body(), &self.percept, &mut self.actuators);
    }
}

/// What a replay did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Body it ran in.
    pub body: Name,
    /// Ticks replayed.
    pub ticks: u32,
    /// Commands and actuator values of every tick.
    pub command_hash: u64,
    /// Bytes of everything kept between two ticks.
    pub engine_bytes: usize,
    /// Contingency entries at the end.
    pub entries: usize,
    /// Instructions per tick over the second half, when memory has filled; 0 without a counter.
    pub instructions_mean: u64,
    /// Instructions of the most expensive tick.
    pub instructions_worst: u64,
    /// The life state as a document: its hash and length; 0 when left out.
    pub document: (u64, usize),
    /// Length of the life state as a blob; 0 when left out.
    pub blob_bytes: usize,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "body {}", self.body)?;
        writeln!(f, "ticks {}", self.ticks)?;
        writeln!(f, "command_hash {:016x}", self.command_hash)?;
        writeln!(f, "engine_bytes {}", self.engine_bytes)?;
        writeln!(f, "entries {}", self.entries)?;
        writeln!(f, "instructions_mean {}", self.instructions_mean)?;
        writeln!(f, "instructions_worst {}", self.instructions_worst)?;
        writeln!(f, "document_hash {:016x}", self.document.0)?;
        writeln!(f, "document_bytes {}", self.document.1)?;
        writeln!(f, "blob_bytes {}", self.blob_bytes)
    }
}

/// Replays a recording. `counter` reads the instructions executed so far, or always 0.
///
/// # Errors
/// [`RecordingError`] when the bytes are no recording.
pub fn run(bytes: &[u8], counter: &mut dyn FnMut() -> u64) -> Result<Report, RecordingError> {
    let recording = Recording::new(bytes)?;
    let body = body_of(recording.body).ok_or(RecordingError::Body(recording.body))?;
    let mut engine = Engine::new(&body, recording.seed);
    let mut hash = StateHash::new();
    let (mut total, mut worst) = (0, 0);
    let half = recording.ticks / 2;
    let empty = {
        let before = counter();
        counter() - before
    };
    for tick in 0..recording.ticks {
        #[cfg(feature = "wire")]
        if tick == half {
            crate::lifestate::go_on_from_blob(&mut engine.organism);
        }
        let before = counter();
        engine.step(&recording, tick);
        let spent = (counter() - before).saturating_sub(empty);
        if tick >= half {
            total += spent;
        }
        worst = worst.max(spent);
        engine.command.hash_into(&mut hash);
        for value in engine.actuators.values() {
            hash.float(*value);
        }
    }
    #[cfg(feature = "wire")]
    let (document, blob_bytes) = crate::lifestate::write(&engine.organism);
    #[cfg(not(feature = "wire"))]
    let (document, blob_bytes) = ((0, 0), 0);
    Ok(Report {
        body: body.name,
        ticks: recording.ticks,
        command_hash: hash.value(),
        engine_bytes: size_of::<Engine>(),
        entries: engine.organism.state().contingency.count(),
        instructions_mean: total / u64::from((recording.ticks - half).max(1)),
        instructions_worst: worst,
        document,
        blob_bytes,
    })
}

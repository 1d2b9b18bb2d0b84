//! Traces: a run tick by tick in a file, and replay of it.
//!
//! Format, little-endian: the eight bytes `TROPISMT`, a u32 format version, a u32 length and that
//! many bytes of JSON (the [`Header`]); then one frame per tick: a u64 hash of the run's state and
//! one f64 per name of the header; after a frame any number of notes (what scripts print, how
//! machines change their state and why): the eight bytes `TRACNOTE`, a u32 robot, a u64 tick, a u32
//! length and that many bytes of text; at the end the eight bytes `TRACEEND` and a u64 number of
//! frames. All frames have one size, so a file that was cut off can be read up to the last whole
//! frame, and the reader says that it is cut. Version 1 had no notes and is still read.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tropism_body::{Controller, Observer};
use tropism_core::Seed;
use tropism_scenario::{MindSpec, Scenario};

use crate::behaviour;
use crate::error::LabError;
use crate::life::LifeClock;
use crate::run::Run;

const MAGIC: &[u8; 8] = b"TROPISMT";
const END: &[u8; 8] = b"TRACEEND";
const NOTE: &[u8; 8] = b"TRACNOTE";
/// Version of the trace format.
pub const TRACE_VERSION: u32 = 2;
/// Oldest version that is read.
const TRACE_VERSION_MIN: u32 = 1;
/// Longest note, bytes.
const NOTE_MAX: u32 = 4 << 10;
/// Longest header that is read, bytes.
const HEADER_MAX: u32 = 4 << 20;

/// What a trace says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Scenario file as it was given.
    pub scenario: String,
    /// Hash of the lowered scenario.
    pub scenario_hash: String,
    /// Condition of the minds, if one was chosen in place of the scenario's own.
    pub condition: Option<String>,
    /// Seed.
    pub seed: u64,
    /// Version of the models.
    pub model_version: u32,
    /// Control step in seconds, as numerator and denominator.
    pub step: (u32, u32),
    /// Lives of each robot.
    pub lives: u32,
    /// Ticks at which a life is cut off.
    pub cap_ticks: u64,
    /// Internal values of the minds are among the names.
    pub has_internals: bool,
    /// Names of the values of a frame.
    pub names: Vec<String>,
}

/// One tick of a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Hash of the run's state after the tick.
    pub hash: u64,
    /// Values in the order of the header's names.
    pub values: Vec<f64>,
}

/// What a mind said or did at a tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The robot's number.
    pub robot: u32,
    /// The tick.
    pub tick: u64,
    /// The text.
    pub text: String,
}

/// Collects the values of a tick.
#[derive(Debug, Default)]
pub struct Probe {
    prefix: String,
    /// Names, gathered only when asked for.
    pub names: Option<Vec<String>>,
    /// Values.
    pub values: Vec<f64>,
}

impl Observer for Probe {
    fn value(&mut self, name: &str, channel: Option<&str>, value: f64) {
        if let Some(names) = &mut self.names {
            names.push(match channel {
                Some(channel) => format!("{}{name}_{channel}", self.prefix),
                None => format!("{}{name}", self.prefix),
            });
        }
        self.values.push(value);
    }
}

impl Probe {
    /// One that gathers the names too.
    pub fn with_names() -> Self {
        Self { names: Some(Vec::new()), ..Self::default() }
    }

    /// Takes the values of a run as it stands.
    pub fn take(&mut self, run: &Run, has_internals: bool) {
        self.values.clear();
        let several = run.robots().len() > 1;
        for (i, robot) in run.robots().iter().enumerate() {
            if self.names.is_some() {
                self.prefix = if several { format!("robot{i}/") } else { String::new() };
            }
            let truth = run.truth(i);
            self.value("x_m", None, truth.x_m.into());
            self.value("y_m", None, truth.y_m.into());
            self.value("heading_rad", None, truth.heading_rad.into());
            self.value("speed_m_s", None, truth.speed_m_s.into());
            self.value("charge", None, truth.soc.into());
            self.value("is_docked", None, f64::from(u8::from(truth.is_docked)));
            self.value("is_charging", None, f64::from(u8::from(truth.is_charging)));
            self.value("behaviour", None, f64::from(behaviour::observe(&truth) as u8));
            self.value("module", None, robot.mind.controlling_module() as f64);
            let body = &robot.body;
            // Before the first tick there are no readings, but the names are asked for then.
            for (channel, spec) in body.sensors.iter().enumerate() {
                let value = robot.percept.reading(channel).value().map_or(f64::NAN, f64::from);
                self.value("sensor", Some(spec.name.as_str()), value);
            }
            for (spec, value) in body.actuators.iter().zip(robot.actuators.values()) {
                self.value("actuator", Some(spec.name.as_str()), f64::from(*value));
            }
            if has_internals {
                robot.mind.observe(self);
            }
        }
    }
}

/// Writes a trace as it happens.
#[derive(Debug)]
pub struct TraceWriter {
    path: PathBuf,
    out: BufWriter<File>,
    probe: Probe,
    has_internals: bool,
    frames: u64,
}

impl TraceWriter {
    /// Starts a trace of a run at its first tick; the header's names are filled in.
    ///
    /// # Errors
    /// [`LabError::Io`] when the file cannot be written.
    pub fn create(path: &Path, mut header: Header, run: &Run) -> Result<Self, LabError> {
        let mut probe = Probe::with_names();
        probe.take(run, header.has_internals);
        header.names = probe.names.take().unwrap_or_default();
        let json =
            serde_json::to_vec(&header).map_err(|e| LabError::damaged(path, e.to_string()))?;
        let failed = |e| LabError::io(path, "write this trace", e);
        let mut out = BufWriter::new(File::create(path).map_err(failed)?);
        out.write_all(MAGIC)
            .and_then(|()| out.write_all(&TRACE_VERSION.to_le_bytes()))
            .and_then(|()| out.write_all(&(json.len() as u32).to_le_bytes()))
            .and_then(|()| out.write_all(&json))
            .map_err(failed)?;
        let has_internals = header.has_internals;
        Ok(Self { path: path.to_owned(), out, probe, has_internals, frames: 0 })
    }

    /// Writes the run as it stands after a tick.
    ///
    /// # Errors
    /// [`LabError::Io`] when the file cannot be written.
    pub fn record(&mut self, run: &Run) -> Result<(), LabError> {
        self.probe.take(run, self.has_internals);
        self.frames += 1;
        let mut write = || -> std::io::Result<()> {
            self.out.write_all(&run.hash().to_le_bytes())?;
            for value in &self.probe.values {
                self.out.write_all(&value.to_le_bytes())?;
            }
            Ok(())
        };
        write().map_err(|e| LabError::io(&self.path, "write this trace", e))
    }

    /// Writes a note after the frame it belongs to; of a very long one the beginning.
    ///
    /// # Errors
    /// [`LabError::Io`] when the file cannot be written.
    pub fn note(&mut self, note: &Note) -> Result<(), LabError> {
        let mut end = note.text.len().min(NOTE_MAX as usize);
        while !note.text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &note.text.as_bytes()[..end];
        let mut write = || -> std::io::Result<()> {
            self.out.write_all(NOTE)?;
            self.out.write_all(&note.robot.to_le_bytes())?;
            self.out.write_all(&note.tick.to_le_bytes())?;
            self.out.write_all(&(text.len() as u32).to_le_bytes())?;
            self.out.write_all(text)
        };
        write().map_err(|e| LabError::io(&self.path, "write this trace", e))
    }

    /// Closes the trace and gives its number of frames.
    ///
    /// # Errors
    /// [`LabError::Io`] when the file cannot be written.
    pub fn finish(mut self) -> Result<u64, LabError> {
        self.out
            .write_all(END)
            .and_then(|()| self.out.write_all(&self.frames.to_le_bytes()))
            .and_then(|()| self.out.flush())
            .map_err(|e| LabError::io(&self.path, "close this trace", e))?;
        Ok(self.frames)
    }
}

/// How a trace ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It was closed, with the number of frames it states.
    Whole,
    /// It was cut off after the last whole frame.
    Cut,
}

/// Reads a trace frame by frame.
#[derive(Debug)]
pub struct TraceReader {
    path: PathBuf,
    input: BufReader<File>,
    /// What the trace says of itself.
    pub header: Header,
    frames: u64,
    ending: Option<Ending>,
    notes: Vec<Note>,
}

impl TraceReader {
    /// Opens a trace.
    ///
    /// # Errors
    /// [`LabError`] when the file cannot be read or is no trace of this version.
    pub fn open(path: &Path) -> Result<Self, LabError> {
        let file = File::open(path).map_err(|e| LabError::io(path, "open this trace", e))?;
        let mut input = BufReader::new(file);
        let mut start = [0; 16];
        read_or(&mut input, &mut start, path, "it is no trace: shorter than its first 16 bytes")?;
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| start[at + i]));
        if &start[..8] != MAGIC {
            return Err(LabError::damaged(path, "it is no trace: it does not start with TROPISMT"));
        }
        if !(TRACE_VERSION_MIN..=TRACE_VERSION).contains(&word(8)) {
            let what = format!(
                "trace format {} is none of {TRACE_VERSION_MIN} to {TRACE_VERSION}, which this \
                 reads",
                word(8)
            );
            return Err(LabError::damaged(path, what));
        }
        if word(12) > HEADER_MAX {
            let what = format!("its header claims {} bytes; {HEADER_MAX} are allowed", word(12));
            return Err(LabError::damaged(path, what));
        }
        let mut json = vec![0; word(12) as usize];
        read_or(&mut input, &mut json, path, "it is cut off inside its header")?;
        let header: Header = serde_json::from_slice(&json)
            .map_err(|e| LabError::damaged(path, format!("its header is damaged: {e}")))?;
        let notes = Vec::new();
        Ok(Self { path: path.to_owned(), input, header, frames: 0, ending: None, notes })
    }

    /// Reads the next frame into `frame`; false at the end.
    ///
    /// # Errors
    /// [`LabError`] when the operating system refuses or the end is inconsistent.
    pub fn next_into(&mut self, frame: &mut Frame) -> Result<bool, LabError> {
        if self.ending.is_some() {
            return Ok(false);
        }
        let mut first = [0; 8];
        let mut got = self.fill(&mut first)?;
        while got == 8 && &first == NOTE {
            if !self.read_note()? {
                self.ending = Some(Ending::Cut);
                return Ok(false);
            }
            got = self.fill(&mut first)?;
        }
        if got == 8 && &first == END {
            return self.close().map(|()| false);
        }
        let mut bytes = vec![0; 8 * self.header.names.len()];
        if got < 8 || self.fill(&mut bytes)? < bytes.len() {
            self.ending = Some(Ending::Cut);
            return Ok(false);
        }
        frame.hash = u64::from_le_bytes(first);
        frame.values.clear();
        let values = bytes
            .chunks_exact(8)
            .map(|c| f64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]));
        frame.values.extend(values);
        self.frames += 1;
        Ok(true)
    }

    /// Reads a note; false when the file ends within it.
    fn read_note(&mut self) -> Result<bool, LabError> {
        let mut head = [0; 16];
        if self.fill(&mut head)? < head.len() {
            return Ok(false);
        }
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| head[at + i]));
        let len = word(12);
        if len > NOTE_MAX {
            let what = format!("a note claims {len} bytes; {NOTE_MAX} are allowed");
            return Err(LabError::damaged(&self.path, what));
        }
        let mut text = vec![0; len as usize];
        if self.fill(&mut text)? < text.len() {
            return Ok(false);
        }
        let tick = u64::from(word(4)) | u64::from(word(8)) << 32;
        let text = String::from_utf8_lossy(&text).into_owned();
        self.notes.push(Note { robot: word(0), tick, text });
        Ok(true)
    }

    /// Takes the notes met since the last call; those of a frame come before the next one.
    pub fn take_notes(&mut self) -> Vec<Note> {
        core::mem::take(&mut self.notes)
    }

    fn close(&mut self) -> Result<(), LabError> {
        let mut count = [0; 8];
        let is_whole = self.fill(&mut count)? == 8;
        let stated = u64::from_le_bytes(count);
        if is_whole && stated != self.frames {
            let what = format!("it states {stated} frames but holds {}", self.frames);
            return Err(LabError::damaged(&self.path, what));
        }
        self.ending = Some(if is_whole { Ending::Whole } else { Ending::Cut });
        Ok(())
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<usize, LabError> {
        let mut got = 0;
        while got < bytes.len() {
            match self.input.read(&mut bytes[got..]) {
                Ok(0) => break,
                Ok(n) => got += n,
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => return Err(LabError::io(&self.path, "read this trace", e)),
            }
        }
        Ok(got)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Frames read so far.
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// How it ended, once the end was read.
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }
}

/// Fills `bytes`; a file that ends before is damaged, anything else is the system's refusal.
fn read_or(
    input: &mut BufReader<File>,
    bytes: &mut [u8],
    path: &Path,
    what: &str,
) -> Result<(), LabError> {
    input.read_exact(bytes).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => LabError::damaged(path, what),
        _ => LabError::io(path, "read this trace", error),
    })
}

/// The same bits, or both no number: which of the many a NaN is differs between machines.
pub(crate) fn is_same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

/// The traced run at its first tick.
///
/// # Errors
/// [`LabError`] when the trace was made of another scenario, or its world cannot be built.
pub(crate) fn start_again(
    reader: &TraceReader,
    scenario: &Scenario,
    minds: &[MindSpec],
) -> Result<(Run, LifeClock), LabError> {
    let header = &reader.header;
    let hash = scenario_hash(scenario, minds);
    if header.scenario_hash != hash {
        let what = format!(
            "it was made of scenario {} with hash {}, but that file now gives {hash}: it, or a \
             file it includes, was changed since",
            header.scenario, header.scenario_hash
        );
        return Err(LabError::damaged(&reader.path, what));
    }
    let world = |error| LabError::World { condition: "replay".to_owned(), error };
    let run = Run::new(scenario, minds, Seed(header.seed)).map_err(world)?;
    let clock = LifeClock::new(run.robots().len(), header.lives, header.cap_ticks);
    Ok((run, clock))
}

/// What a replay found.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Every recorded tick came out the same.
    Equal {
        /// Ticks compared.
        ticks: u64,
        /// How the trace ended.
        ending: Ending,
    },
    /// A tick came out otherwise.
    Differs {
        /// The first such tick.
        tick: u64,
        /// Values that differ: name, recorded, now. Empty when only hidden state differs.
        values: Vec<(String, f64, f64)>,
    },
}

/// Simulates a traced run again and compares every tick.
///
/// # Errors
/// [`LabError`] when the trace cannot be read, or was made of another scenario or by other models.
pub fn replay(
    reader: &mut TraceReader,
    scenario: &Scenario,
    minds: &[MindSpec],
    progress: &dyn crate::life::Progress,
) -> Result<Verdict, LabError> {
    let header = reader.header.clone();
    let (mut run, mut clock) = start_again(reader, scenario, minds)?;
    let mut probe = Probe::default();
    let mut frame = Frame::default();
    let mut tick = 0;
    while reader.next_into(&mut frame)? {
        run.tick();
        probe.take(&run, header.has_internals);
        let all_same = probe.values.iter().zip(&frame.values).all(|(a, b)| is_same(*a, *b));
        if run.hash() != frame.hash || !all_same {
            let pairs = header.names.iter().zip(frame.values.iter().zip(&probe.values));
            let differing = pairs.filter(|(_, (old, new))| !is_same(**old, **new));
            let values = differing.map(|(name, (old, new))| (name.clone(), *old, *new)).collect();
            return Ok(Verdict::Differs { tick, values });
        }
        clock.after_tick(&mut run);
        tick += 1;
        if tick % 4_096 == 0 {
            progress.ticks(4_096);
        }
    }
    Ok(Verdict::Equal { ticks: tick, ending: reader.ending().unwrap_or(Ending::Cut) })
}

/// Hash of a lowered scenario with its minds, 16 hex digits.
pub fn scenario_hash(scenario: &Scenario, minds: &[MindSpec]) -> String {
    let mut hash = tropism_core::StateHash::new();
    hash.word(u64::from(crate::experiment::MODEL_VERSION));
    hash.bytes(format!("{} {minds:?}", crate::experiment::identity(scenario)).as_bytes());
    format!("{:016x}", hash.value())
}

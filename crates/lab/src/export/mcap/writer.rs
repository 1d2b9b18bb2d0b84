//! Writing a recording as MCAP, message by message.
//!
//! Topics, for a robot called NAME: `/NAME/pose`, `/NAME/truth`, `/NAME/percept`, `/NAME/command`,
//! `/NAME/internals` when its mind has internal values, `/NAME/scan`, `/NAME/scan_2` … per fan of
//! rangers; and `/tf`, `/scene`, `/log` for all.
//!
//! What it does not do: it keeps no order. Who writes messages in the order of their ticks gets a
//! file in that order.

use alloc::collections::BTreeMap;
use core::fmt::Write as _;
use std::io::{BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use foxglove::Encode;
use foxglove::messages::log::Level as FoxgloveLevel;
use foxglove::messages::{FrameTransforms, SceneUpdate};
use mcap::records::{MessageHeader, Metadata};
use mcap::write::NoSeek;
use mcap::{Compression, WriteOptions, Writer};
use tropism_body::{Command, Percept};
use tropism_core::TimeStep;
use tropism_ethology::table::{AtomicFile, FileError};
use tropism_world::{Occurrence, RobotTruth};

use super::super::nanoseconds;
use super::super::recording::{Fan, Recording, StationMark, describe_event, fans};
use super::drawing;
use super::json::{self, Keys, When};
use crate::error::LabError;

/// Bytes of a chunk before compression; what is lost of a file that is cut off is at most about so
/// much.
pub(super) const CHUNK_BYTES: u64 = 256 << 10;

/// How much a log line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Something happened.
    Info,
    /// Something that should not be.
    Warning,
    /// Something broke.
    Error,
}

/// The options all our files are written with.
pub(super) fn options() -> WriteOptions {
    WriteOptions::new()
        .compression(Some(Compression::Lz4))
        .chunk_size(Some(CHUNK_BYTES))
        .library(concat!("tropism ", env!("CARGO_PKG_VERSION")))
        .disable_seeking(true)
}

/// A topic under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    id: u16,
    next: u32,
}

/// The topics of one robot.
#[derive(Debug)]
struct Topics {
    name: String,
    keys: Keys,
    pose: Channel,
    truth: Channel,
    percept: Channel,
    command: Channel,
    internals: Option<Channel>,
    scans: Vec<(Fan, Channel)>,
}

/// Writes a recording as MCAP into anything that takes bytes.
pub struct McapWriter<W: Write> {
    path: PathBuf,
    step: TimeStep,
    out: Writer<NoSeek<W>>,
    robots: Vec<Topics>,
    tf: Channel,
    scene: Channel,
    log: Channel,
    text: String,
    bytes: Vec<u8>,
    messages: u64,
}

impl<W: Write> core::fmt::Debug for McapWriter<W> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("McapWriter")
            .field("path", &self.path)
            .field("messages", &self.messages)
            .finish_non_exhaustive()
    }
}

pub(super) fn failed(
    path: &Path,
    error: impl Into<Box<dyn core::error::Error + Send + Sync>>,
) -> LabError {
    LabError::File(FileError { path: path.to_owned(), source: std::io::Error::other(error) })
}

pub(super) fn add_channel<W: Write + Seek>(
    out: &mut Writer<W>,
    topic: &str,
    encoding: &str,
    (schema, kind, data): (&str, &str, &[u8]),
) -> mcap::McapResult<Channel> {
    let schema = out.add_schema(schema, kind, data)?;
    let id = out.add_channel(schema, topic, encoding, &BTreeMap::new())?;
    Ok(Channel { id, next: 0 })
}

pub(super) fn add_foxglove<W: Write + Seek, M: Encode>(
    out: &mut Writer<W>,
    topic: &str,
) -> mcap::McapResult<Channel> {
    let schema = M::get_schema();
    let schema =
        schema.as_ref().map_or(("", "", [].as_slice()), |s| (&s.name, &s.encoding, &s.data));
    add_channel(out, topic, &M::get_message_encoding(), schema)
}

impl McapWriter<BufWriter<AtomicFile>> {
    /// Starts a file, which appears under its name only when [`Self::commit`] succeeds.
    ///
    /// # Errors
    /// [`LabError::File`] when the folder refuses the file.
    pub fn create(path: &Path, recording: &Recording) -> Result<Self, LabError> {
        let file = AtomicFile::create(path).map_err(LabError::File)?;
        Self::new(path, BufWriter::new(file), recording)
    }

    /// Closes the file, gives it its name and returns the number of messages.
    ///
    /// # Errors
    /// [`LabError::File`] when the disk refuses; no file then appears.
    pub fn commit(self) -> Result<u64, LabError> {
        let path = self.path.clone();
        let (out, messages) = self.finish()?;
        let file = out.into_inner().map_err(|error| failed(&path, error.into_error()))?;
        file.commit().map_err(LabError::File)?;
        Ok(messages)
    }
}

impl<W: Write> McapWriter<W> {
    /// Starts a recording: what it is of, the topics, and the scene at tick 0. `path` is for
    /// messages only.
    ///
    /// # Errors
    /// [`LabError::File`] when `out` refuses.
    pub fn new(path: &Path, out: W, recording: &Recording) -> Result<Self, LabError> {
        let started = Self::start(path, out, recording);
        started.map_err(|error| failed(path, error))
    }

    fn start(path: &Path, out: W, recording: &Recording) -> mcap::McapResult<Self> {
        let mut out = Writer::with_options(NoSeek::new(out), options())?;
        let step = (recording.step.numerator(), recording.step.denominator());
        let mut metadata: BTreeMap<String, String> = recording.about.iter().cloned().collect();
        metadata.insert("world".to_owned(), recording.scene.name.clone());
        metadata.insert("step_s".to_owned(), format!("{}/{}", step.0, step.1));
        out.write_metadata(&Metadata { name: "tropism".to_owned(), metadata })?;
        let tf = add_foxglove::<_, FrameTransforms>(&mut out, "/tf")?;
        let scene = add_foxglove::<_, SceneUpdate>(&mut out, "/scene")?;
        let log = add_foxglove::<_, foxglove::messages::Log>(&mut out, "/log")?;
        let robots = topics(&mut out, recording)?;
        let mut writer = Self {
            path: path.to_owned(),
            step: recording.step,
            out,
            robots,
            tf,
            scene,
            log,
            text: String::new(),
            bytes: Vec::new(),
            messages: 0,
        };
        let mut entities = drawing::scene(0, &recording.scene);
        let bodies = writer.robots.iter().zip(&recording.robots);
        entities.extend(bodies.map(|(topics, card)| drawing::body(0, &topics.name, card)));
        let update = SceneUpdate { deletions: Vec::new(), entities };
        send(&mut writer.out, &mut writer.bytes, (&mut writer.scene, 0), &update)?;
        writer.messages += 1;
        Ok(writer)
    }

    /// What a robot sensed at the start of a tick, and what its mind made of it. `applied` are the
    /// values of its actuators, `values` the internal values in the order of the robot's card.
    ///
    /// # Errors
    /// [`LabError::File`] when the disk refuses.
    pub fn mind(&mut self, tick: u64, robot: usize, mind: &MindTick<'_>) -> Result<(), LabError> {
        let when = When { ns: nanoseconds(self.step, tick), tick };
        self.write(robot, |out, text, bytes, topics| {
            let name = &topics.name;
            for (fan, channel) in &mut topics.scans {
                let scan = drawing::scan(when.ns, name, fan, mind.percept);
                send(out, bytes, (channel, when.ns), &scan)?;
            }
            json::percept(text, when, &topics.keys, mind.percept);
            put(out, (&mut topics.percept, when.ns), text.as_bytes())?;
            json::command(text, when, &topics.keys, mind.command, mind.applied);
            put(out, (&mut topics.command, when.ns), text.as_bytes())?;
            let mut sent = 2 + topics.scans.len() as u64;
            if let Some(channel) = &mut topics.internals {
                json::internals(text, when, &topics.keys, mind.module, mind.values);
                put(out, (channel, when.ns), text.as_bytes())?;
                sent += 1;
            }
            Ok(sent)
        })
    }

    /// What is true of the robots when a tick begins (that is, when the one before has ended).
    ///
    /// # Errors
    /// [`LabError::File`] when the disk refuses.
    pub fn truths(&mut self, tick: u64, truths: &[RobotTruth]) -> Result<(), LabError> {
        let when = When { ns: nanoseconds(self.step, tick), tick };
        let mut transforms = Vec::with_capacity(truths.len());
        for (robot, truth) in truths.iter().enumerate() {
            self.write(robot, |out, text, bytes, topics| {
                transforms.push(drawing::transform(when.ns, &topics.name, truth));
                send(out, bytes, (&mut topics.pose, when.ns), &drawing::pose(when.ns, truth))?;
                json::truth(text, when, &topics.keys, truth);
                put(out, (&mut topics.truth, when.ns), text.as_bytes())?;
                Ok(2)
            })?;
        }
        let message = FrameTransforms { transforms };
        send(&mut self.out, &mut self.bytes, (&mut self.tf, when.ns), &message)
            .map_err(|error| failed(&self.path, error))?;
        self.messages += 1;
        Ok(())
    }

    /// A station that was moved or switched.
    ///
    /// # Errors
    /// [`LabError::File`] when the disk refuses.
    pub fn station(&mut self, tick: u64, index: usize, mark: &StationMark) -> Result<(), LabError> {
        let ns = nanoseconds(self.step, tick);
        let entities = vec![drawing::station(ns, index, mark)];
        let update = SceneUpdate { deletions: Vec::new(), entities };
        send(&mut self.out, &mut self.bytes, (&mut self.scene, ns), &update)
            .map_err(|error| failed(&self.path, error))?;
        self.messages += 1;
        Ok(())
    }

    /// Something that happened in the world, as a log line of the robot or of the world.
    ///
    /// # Errors
    /// [`LabError::File`] when the disk refuses.
    pub fn event(&mut self, tick: u64, event: &Occurrence) -> Result<(), LabError> {
        use tropism_world::OccurrenceKind as K;
        let level = match event.kind {
            K::Embedded | K::BatteryEmpty => Level::Warning,
            _ => Level::Info,
        };
        let mut message = describe_event(event).to_owned();
        if let Some(index) = event.index {
            let _ = write!(message, " ({index})");
        }
        self.log(tick, event.robot.map(usize::from), level, &message)
    }

    /// A log line of a robot, or of the world.
    ///
    /// # Errors
    /// [`LabError::File`] when the disk refuses.
    pub fn log(
        &mut self,
        tick: u64,
        robot: Option<usize>,
        level: Level,
        message: &str,
    ) -> Result<(), LabError> {
        let ns = nanoseconds(self.step, tick);
        let topics = robot.and_then(|i| self.robots.get(i));
        let name = topics.map_or("world", |topics| topics.name.as_str());
        let level = match level {
            Level::Info => FoxgloveLevel::Info,
            Level::Warning => FoxgloveLevel::Warning,
            Level::Error => FoxgloveLevel::Error,
        };
        let line = drawing::log(ns, level as i32, name, message);
        send(&mut self.out, &mut self.bytes, (&mut self.log, ns), &line)
            .map_err(|error| failed(&self.path, error))?;
        self.messages += 1;
        Ok(())
    }

    /// Writes for one robot, if there is such a robot; `fill` says how many messages it wrote.
    fn write(
        &mut self,
        robot: usize,
        fill: impl FnOnce(
            &mut Writer<NoSeek<W>>,
            &mut String,
            &mut Vec<u8>,
            &mut Topics,
        ) -> mcap::McapResult<u64>,
    ) -> Result<(), LabError> {
        if let Some(topics) = self.robots.get_mut(robot) {
            let sent = fill(&mut self.out, &mut self.text, &mut self.bytes, topics)
                .map_err(|error| failed(&self.path, error))?;
            self.messages += sent;
        }
        Ok(())
    }

    /// Messages written so far.
    pub const fn messages(&self) -> u64 {
        self.messages
    }

    /// Writes indexes and statistics; gives back what was written to and the number of messages.
    ///
    /// # Errors
    /// [`LabError::File`] when the disk refuses.
    pub fn finish(mut self) -> Result<(W, u64), LabError> {
        self.out.finish().map_err(|error| failed(&self.path, error))?;
        Ok((self.out.into_inner().into_inner(), self.messages))
    }
}

/// What a mind had and did in a tick.
#[derive(Clone, Copy, Debug)]
pub struct MindTick<'a> {
    /// What it sensed.
    pub percept: &'a Percept,
    /// What it wanted.
    pub command: &'a Command,
    /// What its actuators then did.
    pub applied: &'a [f32],
    /// Number of the module in control.
    pub module: usize,
    /// Its internal values.
    pub values: &'a [f64],
}

fn topics<W: Write + Seek>(
    out: &mut Writer<W>,
    recording: &Recording,
) -> mcap::McapResult<Vec<Topics>> {
    let schemas = json::schemas(recording);
    let mut all = Vec::new();
    for (i, name) in recording.robot_names().into_iter().enumerate() {
        let card = &recording.robots[i];
        let own = |out: &mut Writer<W>, which: usize, topic: &str| {
            let (schema, text) = &schemas[which];
            add_channel(
                out,
                &format!("/{name}/{topic}"),
                "json",
                (schema, "jsonschema", text.as_bytes()),
            )
        };
        let pose =
            add_foxglove::<_, foxglove::messages::PoseInFrame>(out, &format!("/{name}/pose"))?;
        let truth = own(out, 3, "truth")?;
        let percept = own(out, 0, "percept")?;
        let command = own(out, 1, "command")?;
        let internals =
            if card.internals.is_empty() { None } else { Some(own(out, 2, "internals")?) };
        let mut scans = Vec::new();
        for (k, fan) in fans(&card.rangers).into_iter().enumerate() {
            let number = if k == 0 { String::new() } else { format!("_{}", k + 1) };
            let topic = format!("/{name}/scan{number}");
            scans.push((fan, add_foxglove::<_, foxglove::messages::LaserScan>(out, &topic)?));
        }
        let keys = Keys::of(recording, i, &name);
        all.push(Topics { name, keys, pose, truth, percept, command, internals, scans });
    }
    Ok(all)
}

/// Writes one message of bytes.
pub(super) fn put<W: Write + Seek>(
    out: &mut Writer<W>,
    (channel, ns): (&mut Channel, u64),
    data: &[u8],
) -> mcap::McapResult<()> {
    let header = MessageHeader {
        channel_id: channel.id,
        sequence: channel.next,
        log_time: ns,
        publish_time: ns,
    };
    channel.next = channel.next.wrapping_add(1);
    out.write_to_known_channel(&header, data)
}

/// Writes one of Foxglove's messages.
pub(super) fn send<W: Write + Seek, M: Encode>(
    out: &mut Writer<W>,
    bytes: &mut Vec<u8>,
    to: (&mut Channel, u64),
    message: &M,
) -> mcap::McapResult<()> {
    bytes.clear();
    // A vector takes all bytes there are.
    message.encode(bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
    put(out, to, bytes)
}

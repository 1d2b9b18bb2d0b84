//! Reading an MCAP file back: what it holds, whether it is whole, and what can be saved of one
//! that is not.

use alloc::collections::BTreeMap;
use std::io::BufWriter;
use std::path::Path;

use mcap::Writer;
use mcap::records::{MessageHeader, Metadata};
use mcap::write::NoSeek;
use tropism_ethology::table::{AtomicFile, FileError};

use super::chunk::Found;
use super::scan::{Outcome, scan};
use super::writer::options;
use crate::error::LabError;

/// A topic and how many messages it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its name.
    pub name: String,
    /// Name of its schema; empty when it has none.
    pub schema: String,
    /// Encoding of its messages.
    pub encoding: String,
    /// Messages.
    pub messages: u64,
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// Topics by name.
    pub topics: Vec<Topic>,
    /// Messages of all topics.
    pub messages: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Time of the first and the last message, ns; zeros when there is none.
    pub span_ns: (u64, u64),
}

/// What was saved of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// What the new file holds.
    pub contents: Contents,
    /// Messages whose topic is not defined anywhere; they are not in the new file.
    pub nameless: u64,
    /// Bytes of the old file that gave nothing.
    pub lost_bytes: u64,
    /// Each damage: offset, bytes lost, what is wrong.
    pub damages: Vec<(u64, u64, String)>,
}

#[derive(Debug, Default)]
struct Definition {
    schema: u16,
    topic: String,
    encoding: String,
    metadata: BTreeMap<String, String>,
}

/// Name, encoding and text of a schema.
type SchemaText = (String, String, Vec<u8>);

/// Everything met in a file, but not the messages themselves.
#[derive(Debug, Default)]
struct Census {
    schemas: BTreeMap<u16, SchemaText>,
    channels: BTreeMap<u16, Definition>,
    counts: BTreeMap<u16, u64>,
    span: Option<(u64, u64)>,
}

impl Census {
    fn meet(&mut self, found: Found<'_>) {
        match found {
            Found::Schema { id, name, encoding, data } => {
                let text = (name.to_owned(), encoding.to_owned(), data.to_vec());
                self.schemas.entry(id).or_insert(text);
            }
            Found::Channel { id, schema, topic, encoding, metadata } => {
                self.channels.entry(id).or_insert_with(|| Definition {
                    schema,
                    topic: topic.to_owned(),
                    encoding: encoding.to_owned(),
                    metadata,
                });
            }
            Found::Message { channel, log_ns, .. } => {
                *self.counts.entry(channel).or_default() += 1;
                let (first, last) = self.span.unwrap_or((log_ns, log_ns));
                self.span = Some((first.min(log_ns), last.max(log_ns)));
            }
            Found::Metadata { .. } => {}
        }
    }

    fn contents(&self, bytes: u64) -> Contents {
        let topic = |(id, channel): (&u16, &Definition)| Topic {
            name: channel.topic.clone(),
            schema: self.schemas.get(&channel.schema).map(|s| s.0.clone()).unwrap_or_default(),
            encoding: channel.encoding.clone(),
            messages: self.counts.get(id).copied().unwrap_or(0),
        };
        let mut topics: Vec<Topic> = self.channels.iter().map(topic).collect();
        topics.sort_by(|a, b| a.name.cmp(&b.name));
        let messages = topics.iter().map(|t| t.messages).sum();
        Contents { topics, messages, bytes, span_ns: self.span.unwrap_or_default() }
    }

    fn nameless(&self) -> u64 {
        let is_nameless = |(id, _): &(&u16, &u64)| !self.channels.contains_key(id);
        self.counts.iter().filter(is_nameless).map(|(_, count)| count).sum()
    }
}

fn census(path: &Path) -> Result<(Census, Outcome), LabError> {
    let mut census = Census::default();
    let outcome = scan(path, &mut |found| {
        census.meet(found);
        Ok(())
    })?;
    Ok((census, outcome))
}

/// Reads a file from front to end and counts its messages.
///
/// # Errors
/// [`LabError::Damaged`] with the offset of the first damage and how much there is beside it;
/// [`LabError::Io`] when the file cannot be read.
pub fn check(path: &Path) -> Result<Contents, LabError> {
    let (census, outcome) = census(path)?;
    let contents = census.contents(outcome.size);
    if let Some(first) = outcome.damages.first() {
        let more = match outcome.damages.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        let what = format!("at byte {}: {}{more}", first.offset, first.what);
        let what = format!("{what}; {} messages can be recovered", contents.messages);
        return Err(LabError::damaged(path, what));
    }
    let nameless = census.nameless();
    if nameless > 0 {
        let what = format!("{nameless} messages belong to no topic");
        return Err(LabError::damaged(path, what));
    }
    if let Some(stated) = outcome.stated.filter(|stated| *stated != contents.messages) {
        let what = format!("it states {stated} messages but holds {}", contents.messages);
        return Err(LabError::damaged(path, what));
    }
    Ok(contents)
}

/// Writes everything that can be read of a file, damaged or not, to a new one.
///
/// # Errors
/// [`LabError`] when the file cannot be read, holds no message, or the new one cannot be written;
/// no new file then appears, and the old one is untouched.
pub fn recover(path: &Path, to: &Path) -> Result<Recovered, LabError> {
    if is_same_file(path, to) {
        let what = "it cannot be recovered into itself: give another name";
        return Err(LabError::damaged(path, what));
    }
    // Topics may be defined behind their messages, when the first chunk is lost.
    let (census, outcome) = census(path)?;
    let contents = census.contents(outcome.size);
    if contents.messages == 0 {
        let why = outcome.damages.first().map_or("it is whole but empty", |d| d.what.as_str());
        return Err(LabError::damaged(path, format!("no message can be recovered: {why}")));
    }
    let file = AtomicFile::create(to).map_err(LabError::File)?;
    let failed = |error: Box<dyn core::error::Error + Send + Sync>| {
        LabError::File(FileError { path: to.to_owned(), source: std::io::Error::other(error) })
    };
    let mut out = Writer::with_options(NoSeek::new(BufWriter::new(file)), options())
        .map_err(|error| failed(error.into()))?;
    let mut ids = BTreeMap::new();
    for (id, channel) in &census.channels {
        let define = |out: &mut Writer<_>| {
            let schema = match census.schemas.get(&channel.schema) {
                Some((name, encoding, data)) => out.add_schema(name, encoding, data)?,
                None => 0,
            };
            out.add_channel(schema, &channel.topic, &channel.encoding, &channel.metadata)
        };
        ids.insert(*id, define(&mut out).map_err(|error| failed(error.into()))?);
    }
    scan(path, &mut |found| {
        let written = match found {
            Found::Message { channel, sequence, log_ns, publish_ns, data } => {
                let Some(channel_id) = ids.get(&channel).copied() else { return Ok(()) };
                let header = MessageHeader {
                    channel_id,
                    sequence,
                    log_time: log_ns,
                    publish_time: publish_ns,
                };
                out.write_to_known_channel(&header, data)
            }
            Found::Metadata { name, metadata } => {
                out.write_metadata(&Metadata { name: name.to_owned(), metadata })
            }
            _ => Ok(()),
        };
        written.map_err(|error| failed(error.into()))
    })?;
    out.finish().map_err(|error| failed(error.into()))?;
    let file = out.into_inner().into_inner().into_inner();
    file.map_err(|error| failed(error.into_error().into()))?.commit().map_err(LabError::File)?;
    Ok(Recovered {
        contents,
        nameless: census.nameless(),
        lost_bytes: outcome.damages.iter().map(|d| d.lost).sum(),
        damages: outcome.damages.into_iter().map(|d| (d.offset, d.lost, d.what)).collect(),
    })
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

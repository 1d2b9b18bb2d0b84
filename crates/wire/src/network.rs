//! A compiled behaviour network in bytes: one file for host and firmware.
//!
//! Layout: magic (4 bytes), length of the body, CRC-32 of the body (each 4 bytes, little-endian),
//! then the body in `postcard` encoding: the header, then records, instructions and the initial
//! values as three sequences. Trailing zeros of the initial values are left out. Numbers are in
//! double precision; the reader rounds them to its own.
//!
//! Reading needs no allocator: the caller lends the memory, and the parts are verified before they
//! are given on.
//!
//! What it does not do: it holds no names; they stay with the specification.

use crate::blob::crc32;
use core::fmt;
use postcard::{take_from_bytes, to_slice};
use serde::{Deserialize, Serialize};
use tropism_core::TimeStep;
use tropism_dynamics::{Header, Instruction, Integrator, Op, Phase, Real, Table, TableError};

const MAGIC: [u8; 4] = *b"TDN1";
/// Bytes before the body.
pub const NETWORK_HEADER_BYTES: usize = 12;

/// Why bytes are no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NetworkError {
    /// Other magic: no network, or one of another version.
    Magic,
    /// The bytes end too early, or go on too long.
    Length,
    /// The check sum does not match.
    Checksum,
    /// The body is no network of this version.
    Body,
    /// A buffer is too small.
    Buffer {
        /// Which one.
        part: &'static str,
        /// Items it would need.
        needed: usize,
    },
    /// The table was refused.
    Table(TableError),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => f.write_str("no behaviour network of this version"),
            Self::Length => f.write_str("the network is cut off or has something behind it"),
            Self::Checksum => f.write_str("the network is damaged"),
            Self::Body => f.write_str("the body is no behaviour network"),
            Self::Buffer { part, needed } => write!(f, "the {part} need room for {needed}"),
            Self::Table(error) => write!(f, "the network is not sound: {error}"),
        }
    }
}

impl core::error::Error for NetworkError {}

/// Counts and choices as numbers, in the order of [`Header`].
#[derive(Serialize, Deserialize)]
struct Head {
    step: (u32, u32),
    is_ruler: bool,
    is_exact: bool,
    counts: [u16; 9],
    places: [u16; 5],
}

impl Head {
    fn of(h: &Header) -> Self {
        Self {
            step: (h.step.numerator(), h.step.denominator()),
            is_ruler: h.phase == Phase::Ruler,
            is_exact: h.integrator == Integrator::Exact,
            counts: [
                h.layers,
                h.readings,
                h.modes,
                h.percepts,
                h.behaviours,
                h.users,
                h.targets,
                h.actuators,
                h.needs,
            ],
            places: [h.first_reading, h.first_mode, h.first_state, h.scratch, h.slots],
        }
    }

    fn header(&self) -> Option<Header> {
        let [layers, readings, modes, percepts, behaviours, users, targets, actuators, needs] =
            self.counts;
        let [first_reading, first_mode, first_state, scratch, slots] = self.places;
        Some(Header {
            step: TimeStep::new(self.step.0, self.step.1).ok()?,
            phase: if self.is_ruler { Phase::Ruler } else { Phase::Aligned },
            integrator: if self.is_exact { Integrator::Exact } else { Integrator::Paper },
            layers,
            readings,
            modes,
            percepts,
            behaviours,
            users,
            targets,
            actuators,
            needs,
            first_reading,
            first_mode,
            first_state,
            scratch,
            slots,
        })
    }
}

/// Puts values behind each other into a buffer.
struct Writer<'b> {
    bytes: &'b mut [u8],
    used: usize,
}

impl Writer<'_> {
    fn put<T: Serialize>(&mut self, value: &T) -> Option<()> {
        let rest = self.bytes.get_mut(self.used..)?;
        self.used += to_slice(value, rest).ok()?.len();
        Some(())
    }
}

/// Writes a table into a buffer and gives the number of bytes.
///
/// # Errors
/// [`NetworkError::Buffer`] when the buffer is too small.
pub fn write_network(table: &Table<'_, f64>, buffer: &mut [u8]) -> Result<usize, NetworkError> {
    let image = table.image();
    // −0 is not dropped: its bits differ from 0.
    let kept = image.iter().rposition(|v| v.to_bits() != 0).map_or(0, |at| at + 1);
    let needed =
        NETWORK_HEADER_BYTES + 64 + 3 * table.records().len() + 4 * table.code().len() + 8 * kept;
    let short = NetworkError::Buffer { part: "bytes", needed };
    let (head, body) = buffer.split_at_mut_checked(NETWORK_HEADER_BYTES).ok_or(short)?;
    let mut writer = Writer { bytes: body, used: 0 };
    put_parts(&mut writer, table, image.get(..kept).unwrap_or(image)).ok_or(short)?;
    let used = writer.used;
    let body = body.get(..used).ok_or(short)?;
    head[..4].copy_from_slice(&MAGIC);
    head[4..8].copy_from_slice(&(used as u32).to_le_bytes());
    head[8..].copy_from_slice(&crc32(&[body]).to_le_bytes());
    Ok(NETWORK_HEADER_BYTES + used)
}

fn put_parts(writer: &mut Writer<'_>, table: &Table<'_, f64>, image: &[f64]) -> Option<()> {
    writer.put(&Head::of(table.header()))?;
    writer.put(&(table.records().len() as u32))?;
    table.records().iter().try_for_each(|word| writer.put(word))?;
    writer.put(&(table.code().len() as u32))?;
    table.code().iter().try_for_each(|i| writer.put(&(i.op as u8, i.argument)))?;
    writer.put(&(image.len() as u32))?;
    image.iter().try_for_each(|value| writer.put(value))
}

/// Memory lent to a network's table.
#[derive(Debug)]
pub struct NetworkBuffers<'b, R> {
    /// Room for the record words.
    pub records: &'b mut [u16],
    /// Room for the instructions.
    pub code: &'b mut [Instruction],
    /// Room for the initial values.
    pub image: &'b mut [R],
}

/// Reads and verifies a network.
///
/// # Errors
/// [`NetworkError`] says what is wrong; the buffers then hold nothing of use.
#[expect(clippy::needless_pass_by_value, reason = "the table keeps what the buffers lend")]
pub fn read_network<'b, R: Real>(
    bytes: &[u8],
    buffers: NetworkBuffers<'b, R>,
) -> Result<Table<'b, R>, NetworkError> {
    let number = |at: usize| {
        let word = bytes.get(at..at + 4).and_then(|w| <[u8; 4]>::try_from(w).ok());
        word.map(u32::from_le_bytes).ok_or(NetworkError::Length)
    };
    if bytes.get(..4) != Some(&MAGIC) {
        return Err(NetworkError::Magic);
    }
    let (length, crc) = (number(4)? as usize, number(8)?);
    let body = bytes.get(NETWORK_HEADER_BYTES..).filter(|b| b.len() == length);
    let body = body.ok_or(NetworkError::Length)?;
    if crc32(&[body]) != crc {
        return Err(NetworkError::Checksum);
    }
    let (head, body) = take_from_bytes::<Head>(body).map_err(|_any| NetworkError::Body)?;
    let header = head.header().ok_or(NetworkError::Body)?;
    let (records, body) = fill(body, buffers.records, "records", Some)?;
    let (code, body) = fill(body, buffers.code, "code", |(code, argument): (u8, u16)| {
        Op::from_code(code).map(|op| Instruction { op, argument })
    })?;
    let slots = usize::from(header.slots);
    let found = buffers.image.len();
    let short = NetworkError::Buffer { part: "image", needed: slots };
    let image = if found < slots { return Err(short) } else { &mut buffers.image[..slots] };
    image.fill(R::ZERO);
    let (_, rest) = fill(body, &mut *image, "image", |value: f64| Some(R::of(value)))?;
    if !rest.is_empty() {
        return Err(NetworkError::Length);
    }
    Table::new(header, records, code, image).map_err(NetworkError::Table)
}

/// Reads a sequence into the front of a buffer.
fn fill<'a, 'b, T: Deserialize<'a>, U>(
    bytes: &'a [u8],
    buffer: &'b mut [U],
    part: &'static str,
    convert: impl Fn(T) -> Option<U>,
) -> Result<(&'b mut [U], &'a [u8]), NetworkError> {
    let (count, mut bytes) = take_from_bytes::<u32>(bytes).map_err(|_any| NetworkError::Body)?;
    let needed = count as usize;
    let room = buffer.get_mut(..needed).ok_or(NetworkError::Buffer { part, needed })?;
    for place in room.iter_mut() {
        let (item, rest) = take_from_bytes::<T>(bytes).map_err(|_any| NetworkError::Body)?;
        *place = convert(item).ok_or(NetworkError::Body)?;
        bytes = rest;
    }
    Ok((room, bytes))
}

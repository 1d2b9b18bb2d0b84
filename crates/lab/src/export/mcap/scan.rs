//! Reading an MCAP file from front to end, damaged or not.
//!
//! Terms: a *damage* is a stretch of the file that cannot be read as it should; after one the scan
//! goes on at the next chunk it finds.
//!
//! Memory: one record at a time, at most [`RECORD_MAX`] bytes each.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::chunk::{Bytes, ChunkHeader, Found, PREFIX, RECORD_MAX, found, kind};
use crate::error::LabError;

/// What a file begins and ends with.
const MAGIC: [u8; 8] = [0x89, b'M', b'C', b'A', b'P', b'0', b'\r', b'\n'];

/// Bytes of a chunk's header besides the name of its compression.
const CHUNK_HEADER: usize = 40;

/// A stretch that cannot be read as it should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Damage {
    /// Where it begins, bytes from the start.
    pub(super) offset: u64,
    /// Bytes that gave nothing.
    pub(super) lost: u64,
    /// What is wrong.
    pub(super) what: String,
}

/// How a scan ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Bytes of the file.
    pub(super) size: u64,
    /// In the order they were met.
    pub(super) damages: Vec<Damage>,
    /// Number of messages that the file states.
    pub(super) stated: Option<u64>,
}

/// Bytes of a footer's body.
const FOOTER: u64 = 20;

/// A sink of what is found.
pub(super) type Visit<'a> = &'a mut dyn FnMut(Found<'_>) -> Result<(), LabError>;

/// Reads a file and gives everything found to `visit`.
///
/// # Errors
/// [`LabError::Io`] when the system refuses, and what `visit` returns.
pub(super) fn scan(path: &Path, visit: Visit<'_>) -> Result<Outcome, LabError> {
    let file = File::open(path).map_err(|e| LabError::io(path, "open this recording", e))?;
    let size = file.metadata().map_err(|e| LabError::io(path, "open this recording", e))?.len();
    let mut scan = Scan {
        path: path.to_owned(),
        input: BufReader::new(file),
        position: 0,
        hash: Some(crc32fast::Hasher::new()),
        is_after_data: false,
        has_footer: false,
        body: Vec::new(),
        records: Vec::new(),
        outcome: Outcome { size, ..Outcome::default() },
    };
    scan.start()?;
    while scan.next(visit)? {}
    Ok(scan.outcome)
}

struct Scan {
    path: PathBuf,
    input: BufReader<File>,
    position: u64,
    /// Checksum of the section, until something in it is damaged.
    hash: Option<crc32fast::Hasher>,
    is_after_data: bool,
    has_footer: bool,
    body: Vec<u8>,
    records: Vec<u8>,
    outcome: Outcome,
}

impl Scan {
    fn left(&self) -> u64 {
        self.outcome.size.saturating_sub(self.position)
    }

    fn damage(&mut self, offset: u64, lost: u64, what: impl Into<String>) {
        self.hash = None;
        self.outcome.damages.push(Damage { offset, lost, what: what.into() });
    }

    /// Reads `count` bytes, of which at least so many are left, into `self.body`.
    fn fill(&mut self, count: usize) -> Result<(), LabError> {
        self.body.resize(count, 0);
        self.input
            .read_exact(&mut self.body)
            .map_err(|e| LabError::io(&self.path, "read this recording", e))?;
        self.position += count as u64;
        Ok(())
    }

    fn seek(&mut self, position: u64) -> Result<(), LabError> {
        self.position = position;
        self.input
            .seek(SeekFrom::Start(position))
            .map(|_| ())
            .map_err(|e| LabError::io(&self.path, "read this recording", e))
    }

    fn start(&mut self) -> Result<(), LabError> {
        let count = self.left().min(8);
        self.fill(count as usize)?;
        if self.body != MAGIC {
            self.damage(0, count, "it does not begin as an MCAP file does");
        } else if let Some(hash) = &mut self.hash {
            hash.update(&MAGIC);
        }
        Ok(())
    }

    /// Reads one record; false at the end.
    fn next(&mut self, visit: Visit<'_>) -> Result<bool, LabError> {
        let at = self.position;
        if self.has_footer {
            return self.end(at);
        }
        if self.left() < PREFIX as u64 {
            let left = self.left();
            self.damage(at, left, "it is cut off: its end is missing");
            return Ok(false);
        }
        self.fill(PREFIX)?;
        let (mut prefix, mut kept) = (Bytes(&self.body), [0; PREFIX]);
        let (kind, length) = (prefix.u8().unwrap_or(0), prefix.u64().unwrap_or(u64::MAX));
        kept.copy_from_slice(&self.body);
        if kind == 0 || length > self.left().min(RECORD_MAX) {
            return self.broken(at, kind, length, visit);
        }
        self.fill(length as usize)?;
        let is_data_end = kind == kind::DATA_END && !self.is_after_data;
        if let Some(hash) = &mut self.hash
            && !is_data_end
            && kind != kind::FOOTER
        {
            hash.update(&kept);
            hash.update(&self.body);
        }
        match kind {
            kind::CHUNK => self.chunk(at, visit)?,
            kind::DATA_END => self.data_end(at),
            kind::FOOTER if length == FOOTER => self.footer(at, &kept),
            kind::STATISTICS => self.outcome.stated = Bytes(&self.body).u64(),
            _ => match found(kind, &self.body) {
                Ok(Some(found)) => visit(found)?,
                Ok(None) => {}
                Err(what) => self.damage(at, PREFIX as u64 + length, what),
            },
        }
        Ok(true)
    }

    fn end(&mut self, at: u64) -> Result<bool, LabError> {
        let count = self.left();
        if count < 8 {
            self.damage(at, count, "it is cut off: its end is missing");
            return Ok(false);
        }
        self.fill(8)?;
        if self.body != MAGIC {
            // What looked like the footer may have been none.
            let next = self.next_chunk(at)?;
            let end = next.unwrap_or(self.outcome.size);
            self.damage(at, end - at, "it does not end as an MCAP file does");
            self.seek(end)?;
            self.has_footer = false;
            return Ok(next.is_some());
        } else if count > 8 {
            self.damage(at + 8, count - 8, "something follows its end");
        }
        Ok(false)
    }

    fn data_end(&mut self, at: u64) {
        let stated = Bytes(&self.body).u32();
        let actual = self.hash.take().map(crc32fast::Hasher::finalize);
        self.is_after_data = true;
        match (stated, actual) {
            (None, _) => self.damage(at, 0, "the end of its data is damaged"),
            (Some(stated), Some(actual)) if stated != 0 && stated != actual => {
                self.damage(at, 0, "the checksum of its data does not fit");
            }
            (_, Some(_)) => self.hash = Some(crc32fast::Hasher::new()),
            (_, None) => {}
        }
    }

    fn footer(&mut self, at: u64, prefix: &[u8]) {
        self.has_footer = true;
        let mut b = Bytes(&self.body);
        let (places, stated) = (b.take(16), b.u32());
        let (Some(places), Some(stated)) = (places, stated) else {
            return self.damage(at, self.body.len() as u64, "its footer is damaged");
        };
        if let Some(mut hash) = self.hash.take() {
            hash.update(prefix);
            hash.update(places);
            if stated != 0 && hash.finalize() != stated {
                self.damage(at, 0, "the checksum of its summary does not fit");
            }
        }
    }

    /// A whole chunk in `self.body`.
    fn chunk(&mut self, at: u64, visit: Visit<'_>) -> Result<(), LabError> {
        let whole = (PREFIX + self.body.len()) as u64;
        let mut b = Bytes(&self.body);
        let stored = ChunkHeader::take(&mut b)
            .and_then(|header| Some((header, b.take(usize::try_from(header.stored).ok()?)?)));
        let Some((header, stored)) = stored else {
            self.damage(at, whole, "the header of a chunk is damaged");
            return Ok(());
        };
        if let Err(what) = header.unpack(stored, &mut self.records) {
            self.damage(at, whole, what);
            return Ok(());
        }
        if let Some(what) = records(&self.records, visit)? {
            self.damage(at, 0, what);
        }
        Ok(())
    }

    /// A record that claims more than there is: what can be had of it, then the next chunk.
    fn broken(
        &mut self,
        at: u64,
        kind: u8,
        length: u64,
        visit: Visit<'_>,
    ) -> Result<bool, LabError> {
        let left = self.left();
        let next = self.next_chunk(at + 1)?;
        let end = next.unwrap_or(self.outcome.size);
        let start = at + PREFIX as u64;
        let mut kept = 0;
        if kind == kind::CHUNK {
            self.seek(start)?;
            self.fill((end - start).min(RECORD_MAX) as usize)?;
            kept = self.part(visit)?;
        }
        let what = if kind == 0 {
            "there is no record".to_owned()
        } else if left < length && next.is_none() {
            format!("it is cut off: a record claims {length} bytes, {left} are left")
        } else {
            format!("a record claims {length} bytes, which cannot be")
        };
        self.damage(at, (end - at).saturating_sub(kept), what);
        self.seek(end)?;
        Ok(next.is_some())
    }

    /// The records of a chunk that is cut off or whose length is wrong, in `self.body`; gives the
    /// bytes of the file that were used.
    fn part(&mut self, visit: Visit<'_>) -> Result<u64, LabError> {
        let mut b = Bytes(&self.body);
        let Some(header) = ChunkHeader::take(&mut b) else { return Ok(0) };
        let stored = usize::try_from(header.stored).unwrap_or(usize::MAX).min(b.0.len());
        let is_whole = stored as u64 == header.stored;
        let used = (PREFIX + self.body.len() - b.0.len() + stored) as u64;
        let unpacked = header.unpack(&b.0[..stored], &mut self.records);
        if is_whole && unpacked.is_err() {
            return Ok(0);
        }
        // The last record of a part is not whole; that is no further damage.
        records(&self.records, visit)?;
        let unused = if is_whole { 0 } else { header.unused(&b.0[..stored], &self.records) };
        Ok(if self.records.is_empty() { 0 } else { used - unused as u64 })
    }

    /// Where the next plausible chunk begins, at `from` or later.
    fn next_chunk(&mut self, from: u64) -> Result<Option<u64>, LabError> {
        self.seek(from)?;
        let mut window = Vec::new();
        let mut base = from;
        loop {
            let mut more = vec![0; 1 << 16];
            let got = self
                .input
                .read(&mut more)
                .map_err(|e| LabError::io(&self.path, "read this recording", e))?;
            window.extend_from_slice(&more[..got]);
            let needed = PREFIX + CHUNK_HEADER + 4;
            for i in 0..window.len().saturating_sub(needed) {
                if window[i] == kind::CHUNK
                    && is_chunk(&window[i..], self.outcome.size - base - i as u64)
                {
                    return Ok(Some(base + i as u64));
                }
            }
            if got == 0 {
                return Ok(None);
            }
            let done = window.len().saturating_sub(needed);
            window.drain(..done);
            base += done as u64;
        }
    }
}

/// True when these bytes look like a chunk that ends within `left` bytes.
fn is_chunk(bytes: &[u8], left: u64) -> bool {
    let mut b = Bytes(bytes);
    let (_, length) = (b.u8(), b.u64().unwrap_or(u64::MAX));
    if length > left.saturating_sub(PREFIX as u64).min(RECORD_MAX) {
        return false;
    }
    let before = b.0.len();
    ChunkHeader::take(&mut b).is_some_and(|header| {
        let taken = before - b.0.len();
        header.is_plausible((length as usize).saturating_sub(taken))
    })
}

/// Gives the records inside a chunk to `visit`; what is wrong with the first that is damaged.
fn records(bytes: &[u8], visit: Visit<'_>) -> Result<Option<String>, LabError> {
    let mut rest = Bytes(bytes);
    let mut wrong = None;
    while !rest.0.is_empty() {
        let Some((kind, body)) = rest.record() else {
            return Ok(Some("a chunk ends inside a record".to_owned()));
        };
        match found(kind, body) {
            Ok(Some(found)) => visit(found)?,
            Ok(None) => {}
            Err(what) => wrong = wrong.or(Some(what.to_owned())),
        }
    }
    Ok(wrong)
}

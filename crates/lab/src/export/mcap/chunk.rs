//! Records of an MCAP file as bytes: taking them apart without trusting them.
//!
//! Format: a record is a u8 kind, a u64 length and its body, little-endian; texts and lists begin
//! with a u32 length in bytes. A chunk's body holds a header and records, perhaps compressed.
//!
//! What it does not do: nothing here panics or takes more memory than [`RECORD_MAX`] for a record,
//! whatever the bytes are.

use alloc::collections::BTreeMap;
use std::io::Read as _;

/// Kinds of records, as the format numbers them.
pub(super) mod kind {
    pub(crate) const FOOTER: u8 = 0x02;
    pub(crate) const SCHEMA: u8 = 0x03;
    pub(crate) const CHANNEL: u8 = 0x04;
    pub(crate) const MESSAGE: u8 = 0x05;
    pub(crate) const CHUNK: u8 = 0x06;
    pub(crate) const STATISTICS: u8 = 0x0B;
    pub(crate) const METADATA: u8 = 0x0C;
    pub(crate) const DATA_END: u8 = 0x0F;
}

/// Largest record, and largest chunk after decompression, that is read, bytes.
pub(super) const RECORD_MAX: u64 = 256 << 20;
/// Bytes before the body of a record.
pub(super) const PREFIX: usize = 9;

/// Takes bytes apart from the front; `None` when they do not suffice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn block(&mut self) -> Option<&'a [u8]> {
        let length = self.u32()?;
        self.take(length as usize)
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        core::str::from_utf8(self.block()?).ok()
    }

    fn map(&mut self) -> Option<BTreeMap<String, String>> {
        let mut inner = Bytes(self.block()?);
        let mut map = BTreeMap::new();
        while !inner.0.is_empty() {
            let key = inner.text()?.to_owned();
            map.insert(key, inner.text()?.to_owned());
        }
        Some(map)
    }

    /// A record: its kind and body.
    pub(super) fn record(&mut self) -> Option<(u8, &'a [u8])> {
        let mut ahead = *self;
        let kind = ahead.u8()?;
        let length = usize::try_from(ahead.u64()?).ok()?;
        let body = ahead.take(length)?;
        *self = ahead;
        Some((kind, body))
    }
}

/// What stands in a file that matters here.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Found<'a> {
    Schema {
        id: u16,
        name: &'a str,
        encoding: &'a str,
        data: &'a [u8],
    },
    Channel {
        id: u16,
        schema: u16,
        topic: &'a str,
        encoding: &'a str,
        metadata: BTreeMap<String, String>,
    },
    Message {
        channel: u16,
        sequence: u32,
        log_ns: u64,
        publish_ns: u64,
        data: &'a [u8],
    },
    Metadata {
        name: &'a str,
        metadata: BTreeMap<String, String>,
    },
}

/// Takes a record apart: `Ok(None)` for one of no interest here.
pub(super) fn found(kind: u8, body: &[u8]) -> Result<Option<Found<'_>>, &'static str> {
    let mut b = Bytes(body);
    let found = match kind {
        kind::SCHEMA => schema(&mut b),
        kind::CHANNEL => channel(&mut b),
        kind::MESSAGE => message(&mut b),
        kind::METADATA => metadata(&mut b),
        _ => return Ok(None),
    };
    let what = match kind {
        kind::SCHEMA => "a schema is damaged",
        kind::CHANNEL => "a channel is damaged",
        kind::MESSAGE => "a message is damaged",
        _ => "a metadata record is damaged",
    };
    found.map(Some).ok_or(what)
}

fn schema<'a>(b: &mut Bytes<'a>) -> Option<Found<'a>> {
    let (id, name, encoding) = (b.u16()?, b.text()?, b.text()?);
    Some(Found::Schema { id, name, encoding, data: b.block()? })
}

fn channel<'a>(b: &mut Bytes<'a>) -> Option<Found<'a>> {
    let (id, schema, topic, encoding) = (b.u16()?, b.u16()?, b.text()?, b.text()?);
    Some(Found::Channel { id, schema, topic, encoding, metadata: b.map()? })
}

fn message<'a>(b: &mut Bytes<'a>) -> Option<Found<'a>> {
    let (channel, sequence, log_ns, publish_ns) = (b.u16()?, b.u32()?, b.u64()?, b.u64()?);
    Some(Found::Message { channel, sequence, log_ns, publish_ns, data: b.0 })
}

fn metadata<'a>(b: &mut Bytes<'a>) -> Option<Found<'a>> {
    Some(Found::Metadata { name: b.text()?, metadata: b.map()? })
}

/// Header of a chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkHeader<'a> {
    size: u64,
    crc: u32,
    compression: &'a str,
    /// Bytes of the records as they stand in the file.
    pub(super) stored: u64,
    times: (u64, u64),
}

impl<'a> ChunkHeader<'a> {
    /// Takes the header of a chunk from the front of its body.
    pub(super) fn take(b: &mut Bytes<'a>) -> Option<Self> {
        let times = (b.u64()?, b.u64()?);
        let (size, crc) = (b.u64()?, b.u32()?);
        let compression = b.text()?;
        Some(Self { size, crc, compression, stored: b.u64()?, times })
    }

    /// True when all of it looks like a chunk of this many bytes; finds chunks in damaged files.
    pub(super) fn is_plausible(&self, left: usize) -> bool {
        self.times.0 <= self.times.1
            && self.size <= RECORD_MAX
            && self.stored == left as u64
            && matches!(self.compression, "" | "lz4" | "zstd")
    }

    /// Bytes at the end of a chunk that is cut off which gave no whole record: those behind the
    /// last whole block of lz4, or behind the last whole record where nothing is compressed.
    pub(super) fn unused(&self, stored: &[u8], unpacked: &[u8]) -> usize {
        if self.compression.is_empty() {
            let mut rest = Bytes(unpacked);
            while rest.record().is_some() {}
            return rest.0.len();
        }
        behind_blocks(stored).unwrap_or(stored.len())
    }

    /// Decompresses as many records as there are into `out`.
    ///
    /// # Errors
    /// What is wrong; `out` then holds what came before.
    pub(super) fn unpack(&self, stored: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
        out.clear();
        if self.size > RECORD_MAX {
            return Err(format!("a chunk claims {} bytes; {RECORD_MAX} are read", self.size));
        }
        match self.compression {
            "" => out.extend_from_slice(stored),
            "lz4" => {
                let decoder = lz4::Decoder::new(stored).map_err(|error| error.to_string())?;
                let limited = decoder.take(self.size.saturating_add(1)).read_to_end(out);
                limited.map_err(|error| format!("a chunk does not decompress: {error}"))?;
            }
            other => {
                return Err(format!("a chunk is compressed with `{other}`; lz4 and none are read"));
            }
        }
        if out.len() as u64 != self.size {
            return Err(format!("a chunk gives {} bytes, not {}", out.len(), self.size));
        }
        if self.crc != 0 && crc32fast::hash(out) != self.crc {
            return Err("the checksum of a chunk does not fit".to_owned());
        }
        Ok(())
    }
}

/// Bytes behind the last whole block of an lz4 frame.
fn behind_blocks(frame: &[u8]) -> Option<usize> {
    let mut b = Bytes(frame);
    b.u32()?;
    let flags = b.u8()?;
    let has = |bit: u8| flags & (1 << bit) != 0;
    // Block size, size of the content, number of a dictionary, checksum of the header.
    b.take(1 + if has(3) { 8 } else { 0 } + if has(0) { 4 } else { 0 } + 1)?;
    let check = if has(4) { 4 } else { 0 };
    loop {
        let mut ahead = b;
        let Some(size) = ahead.u32().filter(|size| *size != 0) else { return Some(b.0.len()) };
        if ahead.take((size & 0x7FFF_FFFF) as usize + check).is_none() {
            return Some(b.0.len());
        }
        b = ahead;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_048, ..ProptestConfig::default() })]

        #[test]
        fn prop_any_bytes_are_taken_apart_without_a_panic(
            kind in 0_u8..20,
            body in proptest::collection::vec(any::<u8>(), 0..200),
        ) {
            let _ = found(kind, &body);
            let mut bytes = Bytes(&body);
            if let Some(header) = ChunkHeader::take(&mut bytes) {
                let mut out = Vec::new();
                let _ = header.unpack(bytes.0, &mut out);
                prop_assert!(out.len() as u64 <= RECORD_MAX + 1);
            }
        }
    }

    #[test]
    fn unit_the_bytes_of_a_block_that_is_not_whole_are_counted() {
        let mut encoder = lz4::EncoderBuilder::new().build(Vec::new()).unwrap();
        let noise: Vec<u8> = (0..200_000_u32)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8 ^ i as u8)
            .collect();
        std::io::Write::write_all(&mut encoder, &noise).unwrap();
        let frame = encoder.finish().0;
        let behind = |cut: usize| behind_blocks(&frame[..cut]).unwrap();
        let size = u32::from_le_bytes(frame[7..11].try_into().unwrap()) & 0x7FFF_FFFF;
        let check = if frame[4] & 1 << 4 != 0 { 4 } else { 0 };
        let first = 7 + 4 + size as usize + check;
        assert_eq!((behind(first), behind(first + 3), behind(first + 50)), (0, 3, 50));
        assert_eq!(behind(first - 1), first - 1 - 7);
        assert!(behind(frame.len()) <= 8, "the end mark and a checksum");
        assert_eq!(behind_blocks(&frame[..5]), None);
    }

    #[test]
    fn unit_a_compressed_bomb_is_cut_off_at_the_size_it_claims() {
        let mut encoder = lz4::EncoderBuilder::new().build(Vec::new()).unwrap();
        std::io::Write::write_all(&mut encoder, &vec![7; 10 << 20]).unwrap();
        let packed = encoder.finish().0;
        let header =
            ChunkHeader { size: 100, crc: 0, compression: "lz4", stored: 0, times: (0, 0) };
        let mut out = Vec::new();
        let error = header.unpack(&packed, &mut out).unwrap_err();
        assert_eq!(error, "a chunk gives 101 bytes, not 100");
        let zstd = ChunkHeader { compression: "zstd", ..header };
        let error = zstd.unpack(&packed, &mut out).unwrap_err();
        assert_eq!(error, "a chunk is compressed with `zstd`; lz4 and none are read");
    }
}

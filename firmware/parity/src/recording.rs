//! A recording: what the sensors of one life delivered.
//!
//! Layout, little-endian: magic (4 bytes), body (1), channels (1), two zero bytes, ticks (4),
//! seed (4); then per tick one word per channel: the bits of the sample, or one of three codes
//! that are no number.

use tropism_body::{BodySpec, Sample, presets};

/// First bytes of a recording.
pub const MAGIC: [u8; 4] = *b"TRPC";
/// Bytes before the samples.
pub const HEADER_BYTES: usize = 16;

const NO_ECHO: u32 = 0x7fc0_0001;
const FAILED: u32 = 0x7fc0_0002;
const NOT_DUE: u32 = 0x7fc0_0003;

/// Why bytes are no recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordingError {
    /// The magic is absent.
    Magic,
    /// No body of this number.
    Body(u8),
    /// The number of channels is not that of the body.
    Channels(u8),
    /// Fewer samples than announced.
    Truncated,
}

impl core::fmt::Display for RecordingError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Magic => f.write_str("not a recording"),
            Self::Body(body) => write!(f, "no body has the number {body}"),
            Self::Channels(n) => write!(f, "{n} channels are not those of the body"),
            Self::Truncated => f.write_str("the recording ends too early"),
        }
    }
}

impl core::error::Error for RecordingError {}

/// A body by its number in recordings.
pub fn body_of(number: u8) -> Option<BodySpec> {
    match number {
        0 => Some(presets::reference_simulator()),
        1 => Some(presets::full_capacity()),
        2 => Some(presets::reference_board()),
        _ => None,
    }
}

/// The word of a sample; `None` is a channel that was not due.
pub const fn word_of(sample: Option<Sample>) -> u32 {
    match sample {
        Some(Sample::Value(value)) => value.to_bits(),
        Some(Sample::NoEcho) => NO_ECHO,
        Some(Sample::Failed) => FAILED,
        None => NOT_DUE,
    }
}

/// The header of a recording.
pub fn header(body: u8, channels: u8, ticks: u32, seed: u32) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    bytes[..4].copy_from_slice(&MAGIC);
    (bytes[4], bytes[5]) = (body, channels);
    bytes[8..12].copy_from_slice(&ticks.to_le_bytes());
    bytes[12..].copy_from_slice(&seed.to_le_bytes());
    bytes
}

/// A recording in memory.
#[derive(Clone, Copy, Debug)]
pub struct Recording<'a> {
    samples: &'a [u8],
    channels: usize,
    /// Number of the body.
    pub body: u8,
    /// Number of ticks.
    pub ticks: u32,
    /// Seed of the mind.
    pub seed: u32,
}

fn word(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, byte| (word << 8) | u32::from(*byte))
}

impl<'a> Recording<'a> {
    /// Bytes of the whole recording that starts with this header.
    pub fn length_of(header: &[u8; HEADER_BYTES]) -> usize {
        HEADER_BYTES + 4 * usize::from(header[5]) * word(&header[8..12]) as usize
    }

    /// Takes bytes for a recording.
    ///
    /// # Errors
    /// [`RecordingError`] names what is wrong.
    pub fn new(bytes: &'a [u8]) -> Result<Self, RecordingError> {
        let (head, samples) =
            bytes.split_at_checked(HEADER_BYTES).ok_or(RecordingError::Truncated)?;
        if head[..4] != MAGIC {
            return Err(RecordingError::Magic);
        }
        let (body, channels) = (head[4], usize::from(head[5]));
        let spec = body_of(body).ok_or(RecordingError::Body(body))?;
        if spec.sensors.len() != channels {
            return Err(RecordingError::Channels(head[5]));
        }
        let ticks = word(&head[8..12]);
        if samples.len() / (4 * channels) < ticks as usize {
            return Err(RecordingError::Truncated);
        }
        Ok(Self { samples, channels, body, ticks, seed: word(&head[12..]) })
    }

    /// What a channel delivered at a tick; `None` when it was not asked.
    pub fn sample(&self, tick: u32, channel: usize) -> Option<Sample> {
        let at = 4 * (tick as usize * self.channels + channel);
        match word(self.samples.get(at..at + 4)?) {
            NO_ECHO => Some(Sample::NoEcho),
            FAILED => Some(Sample::Failed),
            NOT_DUE => None,
            bits => Some(Sample::Value(f32::from_bits(bits))),
        }
    }
}

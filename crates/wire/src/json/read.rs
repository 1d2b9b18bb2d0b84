//! From bytes to a checked life state.

use super::read_v1;
use super::read_v2;
use super::reader::Reader;
use crate::check;
use crate::error::{LifeStateError, Reason};
use crate::life::LifeState;

/// Largest document read by default, in bytes.
///
/// # Source
/// Reference firmware, upload of a state.
pub const BYTES_MAX: usize = 262_144;

/// What a first look at a document found.
#[derive(Default)]
pub(crate) struct Outline {
    /// Position of the value of `actuators`.
    pub(crate) actuators: Option<usize>,
    /// Position of the value of `sensors`.
    pub(crate) sensors: Option<usize>,
}

/// Reads a life state of version 2 or 1 of at most [`BYTES_MAX`] bytes.
///
/// # Errors
/// [`LifeStateError`] names the reason, the JSON path and the byte.
pub fn read_json(bytes: &[u8]) -> Result<LifeState, LifeStateError> {
    read_json_up_to(bytes, BYTES_MAX)
}

/// Reads a life state of version 2 or 1 of at most `limit` bytes.
///
/// # Errors
/// [`LifeStateError`] names the reason, the JSON path and the byte.
pub fn read_json_up_to(bytes: &[u8], limit: usize) -> Result<LifeState, LifeStateError> {
    let mut life = LifeState::blank();
    read_json_into(bytes, limit, &mut life)?;
    Ok(life)
}

/// The same into a life state that is there already, as in the static memory of a board. After an
/// error it holds nothing.
///
/// # Errors
/// [`LifeStateError`] names the reason, the JSON path and the byte.
pub fn read_json_into(
    bytes: &[u8],
    limit: usize,
    life: &mut LifeState,
) -> Result<(), LifeStateError> {
    life.empty();
    if bytes.len() > limit {
        let reason = Reason::TooLarge { bytes: bytes.len(), limit };
        return Err(LifeStateError::whole(reason));
    }
    let text = core::str::from_utf8(bytes).map_err(|e| LifeStateError {
        offset: Some(e.valid_up_to() as u32),
        ..LifeStateError::whole(Reason::Expected("UTF-8"))
    })?;
    let mut outline = Outline::default();
    let mut version = None;
    let mut reader = Reader::new(text);
    // The whole text is checked as JSON first, so that a version is only believed in a sound one.
    reader.object(&mut |r, key| match key {
        "version" if version.is_some() => Err(r.error(Reason::Duplicate)),
        "version" => {
            version = Some(r.whole(u64::from(u32::MAX))? as u32);
            Ok(())
        }
        "actuators" | "sensors" => {
            let place =
                if key == "sensors" { &mut outline.sensors } else { &mut outline.actuators };
            *place = Some(r.position());
            r.skip()
        }
        _ => r.skip(),
    })?;
    reader.end()?;
    let parts = match version {
        None => return Err(LifeStateError::whole(Reason::NoVersion)),
        Some(1) => read_v1::read(text, life)?,
        Some(2) => read_v2::read(text, &outline, life)?,
        Some(other) => return Err(LifeStateError::whole(Reason::Version(other))),
    };
    check::check(life)?;
    life.parts = parts;
    Ok(())
}

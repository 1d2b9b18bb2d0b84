//! Reading recordings.

use tropism_wire::session::{Command, Fault, PROTOCOL, Place, RecordingInfo, Source};

use crate::journal::{Asked, BYTES_MAX, COMMANDS_MAX, acts, bytes};
use crate::recording::{FORMAT, Line, RECORDING_BYTES_MAX, Tape, unreadable};

/// Most ticks of a recording: three months at 100 Hz.
const TICKS_MAX: u64 = 1_000_000_000;

/// The text begins like a recording.
pub(crate) fn is_recording(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.starts_with('{') && first.contains("\"tropism_recording\"")
}

/// Gathers the lines.
struct Reading<'n> {
    name: &'n str,
    tape: Option<Tape>,
    bytes: usize,
    /// Tick of the latest line.
    at: u64,
}

fn wrong(name: &str, number: usize, what: impl Into<String>) -> Fault {
    let what = what.into();
    let full = format!("{name}:{number}: {what}");
    let place = Place { file: name.to_owned(), line: number as u32, column: 0, text: what };
    Fault { what: full, places: vec![place] }
}

impl Reading<'_> {
    fn take(&mut self, line: Line) -> Result<(), String> {
        let Some(tape) = &mut self.tape else {
            self.tape = Some(header(line)?);
            return Ok(());
        };
        if !tape.is_cut {
            return Err("a line after the end".to_owned());
        }
        let tick = match &line {
            Line::Header { .. } => return Err("a second header".to_owned()),
            Line::Asked { tick, .. }
            | Line::Hash { tick, .. }
            | Line::Cut { tick, .. }
            | Line::End { tick } => *tick,
        };
        if tick > TICKS_MAX {
            return Err(format!("tick {tick}; a recording has at most {TICKS_MAX}"));
        }
        let is_cut = matches!(line, Line::Cut { .. } | Line::End { .. });
        if tick < self.at && !is_cut {
            return Err(format!("tick {tick} after tick {}", self.at));
        }
        self.at = tick;
        match line {
            Line::Asked { command, .. } => {
                if !acts(&command) {
                    return Err("a command that changes nothing is in no recording".to_owned());
                }
                self.bytes += bytes(&command);
                if self.bytes > BYTES_MAX || tape.journal.len() >= COMMANDS_MAX {
                    return Err("too many commands".to_owned());
                }
                tape.journal.push(Asked { tick, command });
            }
            Line::Hash { hash, .. } => {
                let is_hash = hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit());
                let value = u64::from_str_radix(&hash, 16).ok().filter(|_| is_hash);
                let value = value.ok_or("a hash has 16 hexadecimal digits")?;
                if tape.hashes.last().is_some_and(|(last, _)| *last >= tick) {
                    return Err(format!("a second hash of tick {tick}"));
                }
                tape.hashes.push((tick, value));
            }
            Line::Cut { commands, .. } => {
                tape.journal.truncate(usize::try_from(commands).unwrap_or(usize::MAX));
                if tape.journal.last().is_some_and(|asked| asked.tick > tick) {
                    return Err("a cut that keeps later commands".to_owned());
                }
                tape.hashes.retain(|(at, _)| *at <= tick);
                tape.ticks = 0;
            }
            Line::End { .. } => {
                if tape.journal.last().is_some_and(|asked| asked.tick > tick) {
                    tape.journal.retain(|asked| asked.tick <= tick);
                }
                tape.hashes.retain(|(at, _)| *at <= tick);
                (tape.ticks, tape.is_cut) = (0, false);
            }
            Line::Header { .. } => {}
        }
        tape.ticks = tape.ticks.max(tick);
        Ok(())
    }
}

fn header(line: Line) -> Result<Tape, String> {
    let Line::Header { tropism_recording, protocol, model_version, load, .. } = line else {
        return Err("the first line is no header".to_owned());
    };
    if tropism_recording != FORMAT {
        let what = format!("recording format {tropism_recording}; this program reads {FORMAT}");
        return Err(what);
    }
    if protocol != PROTOCOL {
        return Err(format!("session protocol {protocol}; this program speaks {PROTOCOL}"));
    }
    match &load {
        Command::Load { source: Source::Recording { .. }, .. } => {
            Err("a recording that loads a recording".to_owned())
        }
        Command::Load { source: Source::Text { file, .. }, .. } if is_recording(&file.text) => {
            Err("a recording that loads a recording".to_owned())
        }
        Command::Load { .. } => Ok(Tape {
            load,
            model_version,
            journal: Vec::new(),
            hashes: Vec::new(),
            ticks: 0,
            is_cut: true,
        }),
        _ => Err("the header loads nothing".to_owned()),
    }
}

/// Reads a recording, up to its last whole line.
///
/// # Errors
/// [`Fault`] with the line: no header, a line that is none, or one that cannot follow the lines
/// before it.
pub(crate) fn read(name: &str, text: &str) -> Result<Tape, Fault> {
    if text.len() > RECORDING_BYTES_MAX {
        let what = format!("{} bytes; a recording has at most {RECORDING_BYTES_MAX}", text.len());
        return Err(wrong(name, 0, what));
    }
    let mut reading = Reading { name, tape: None, bytes: 0, at: 0 };
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    for (i, line) in whole.lines().enumerate() {
        let parsed = serde_json::from_str::<Line>(line).map_err(|error| error.to_string());
        let taken = parsed.and_then(|line| reading.take(line));
        taken.map_err(|what| wrong(reading.name, i + 1, what))?;
    }
    reading.tape.ok_or_else(|| wrong(name, 1, "it ends before the end of its header"))
}

/// What a listing says of a recording.
pub fn info(name: &str, text: &str) -> RecordingInfo {
    let bytes = text.len() as u64;
    match read(name, text) {
        Ok(tape) => {
            RecordingInfo { name: name.to_owned(), ticks: tape.ticks, is_cut: tape.is_cut, bytes }
        }
        Err(_) => unreadable(name, bytes),
    }
}

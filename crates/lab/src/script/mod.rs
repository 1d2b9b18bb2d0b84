//! Controllers written by anyone: `control(sensors, memory)`.
//!
//! Terms: an *engine* runs scripts of one language; a *running script* is one script with its
//! memory; a *budget* is the work a script may do at one tick, counted and not timed.
//!
//! What a script sees: `sensors.t` (s); `sensors.line.left/right` (0 or 1);
//! `sensors.reflectance.left/right` (0..1); `sensors.ultrasonic.left/front/right` (cm, no echo is
//! `Infinity`) with `sensors.ultrasonic.valid.left/front/right`; `sensors.encoder.left/right`
//! (counts); `sensors.bump` (true or false); `sensors.goal.bearing` (rad) and `sensors.goal.range`
//! (m); any other channel of the body as `sensors.NAME` in its own unit. A reading that cannot be
//! trusted is `Infinity` for rangers, 0 for `line`, `false` for `bump` and `NaN` for the rest.
//! Groups are there when the body has one of their channels. The objects are the same at every
//! tick, with every field written anew. It returns `{ left, right }`, each
//! −1..1; what lies beyond is held at the bound.
//!
//! What it does not do: scripts reach no file, no network, no clock and no entropy.
//! `Math.random` draws from the run's seed; the other functions of `Math` are those of `libm`.
//! The operator `**` with a fractional power is the C library's and outside that promise.

pub mod guest;
#[cfg(feature = "javascript")]
mod javascript;
mod mind;
mod pieces;
mod used;

use tropism_body::{BodySpec, Percept, Reading, SensorKind};
use tropism_core::{Seed, TimeStep};

#[cfg(feature = "javascript")]
pub use javascript::JavaScript;
pub use mind::ScriptMind;

/// Work a script may do at one tick, in polls of its engine.
pub const BUDGET_POLLS: i64 = 100;
/// Most memory of a script, bytes.
pub const MEMORY_BYTES_MAX: usize = 8 << 20;
/// Most lines kept of what a script prints; the rest is counted.
pub const LOG_LINES_MAX: usize = 1_000;
/// Longest line kept, characters.
pub const LOG_LINE_MAX: usize = 400;

/// What a script did wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// The file as it was named.
    pub file: String,
    /// Line, from 1; 0 when there is none to name.
    pub line: u32,
    /// Column, from 1; 0 when there is none to name.
    pub column: u32,
    /// The tick; `None` while the script was read.
    pub tick: Option<u64>,
    /// What is wrong.
    pub what: String,
}

impl core::fmt::Display for ScriptError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        write!(f, ": {}", self.what)?;
        match self.tick {
            Some(tick) => write!(f, " (tick {tick}; motors off)"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for ScriptError {}

/// A line a script printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// The tick.
    pub tick: u64,
    /// The text.
    pub text: String,
}

/// How a channel is shown to scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Show {
    /// 0 or 1; 0 when it cannot be trusted.
    Bit,
    /// True or false; false when it cannot be trusted.
    Truth,
    /// Centimetres; infinite when it cannot be trusted.
    Centimetres,
    /// The channel's own unit; infinite when it cannot be trusted.
    Range,
    /// The channel's own unit; not a number when it cannot be trusted.
    Plain,
}

/// A channel's value as scripts see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seen {
    /// Any number.
    Number(f64),
    /// 0 or 1.
    Bit(bool),
    /// True or false.
    Truth(bool),
}

impl Seen {
    /// As a number: false is 0, true is 1.
    pub fn number(self) -> f64 {
        match self {
            Self::Number(x) => x,
            Self::Bit(b) | Self::Truth(b) => f64::from(u8::from(b)),
        }
    }
}

impl Default for Seen {
    fn default() -> Self {
        Self::Number(f64::NAN)
    }
}

/// The sensor channels of a body in the order in which a script is handed their values.
#[derive(Clone, Debug, PartialEq)]
pub struct Senses {
    names: Vec<String>,
    shows: Vec<Show>,
}

impl Senses {
    /// The channels of a body.
    pub fn of(body: &BodySpec) -> Self {
        let show = |name: &str, kind: SensorKind| {
            if name.starts_with("line_") {
                Show::Bit
            } else if name == "bump" {
                Show::Truth
            } else if name.starts_with("ultrasonic_") {
                Show::Centimetres
            } else if kind == SensorKind::Range {
                Show::Range
            } else {
                Show::Plain
            }
        };
        let channels = body.sensors.iter();
        Self {
            names: channels.clone().map(|s| s.name.as_str().to_owned()).collect(),
            shows: channels.map(|s| show(s.name.as_str(), s.kind)).collect(),
        }
    }

    /// Names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Number of channels.
    pub const fn count(&self) -> usize {
        self.names.len()
    }

    /// True when scripts see a channel as true or false.
    pub fn is_truth(&self, channel: usize) -> bool {
        self.shows.get(channel) == Some(&Show::Truth)
    }

    /// True when scripts see a channel as 0 or 1, or as true or false.
    pub fn is_binary(&self, channel: usize) -> bool {
        matches!(self.shows.get(channel), Some(Show::Bit | Show::Truth))
    }

    /// The value of a channel as scripts see it, and whether it can be trusted.
    #[inline]
    pub fn value(&self, channel: usize, percept: &Percept) -> (Seen, bool) {
        self.shown(channel, percept.reading(channel))
    }

    /// A reading of a channel as [`Self::value`] shows it.
    #[inline]
    pub fn shown(&self, channel: usize, reading: Reading) -> (Seen, bool) {
        let show = self.shows.get(channel).copied().unwrap_or(Show::Plain);
        let Some(value) = reading.value() else {
            return match show {
                Show::Bit => (Seen::Bit(false), false),
                Show::Truth => (Seen::Truth(false), false),
                Show::Centimetres | Show::Range => (Seen::Number(f64::INFINITY), false),
                Show::Plain => (Seen::Number(f64::NAN), false),
            };
        };
        let shown = match show {
            Show::Bit => Seen::Bit(value > 0.5),
            Show::Truth => Seen::Truth(value > 0.5),
            Show::Centimetres => Seen::Number(f64::from(value) * 100.0),
            Show::Range | Show::Plain => Seen::Number(f64::from(value)),
        };
        (shown, true)
    }
}

/// What a script is given when it starts.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'s> {
    /// The file as it was named.
    pub path: &'s str,
    /// Its text.
    pub text: &'s str,
    /// What it will sense.
    pub senses: &'s Senses,
    /// The control step.
    pub step: TimeStep,
    /// The run's seed.
    pub seed: Seed,
    /// The robot's number.
    pub robot: u32,
    /// Memory to start with, as JSON; `{}` at birth.
    pub memory_json: &'s str,
}

/// Runs scripts of one language.
pub trait ScriptEngine {
    /// Reads a script.
    ///
    /// # Errors
    /// [`ScriptError`] for text that is no script or has no `control`.
    fn start(&self, setting: Setting<'_>) -> Result<Box<dyn RunningScript>, ScriptError>;
}

/// One script with its memory.
pub trait RunningScript: core::fmt::Debug {
    /// One tick: both wheels.
    ///
    /// # Errors
    /// [`ScriptError`] when the script throws, exceeds its budget or memory, or returns anything
    /// but two finite numbers.
    ///
    /// # Determinism
    /// It depends on the script, the percepts and the seed alone; the budget is counted.
    fn control(&mut self, percept: &Percept, senses: &Senses) -> Result<[f64; 2], ScriptError>;

    /// Its memory as JSON.
    fn memory_json(&self) -> String;

    /// Takes the lines printed since the last call.
    fn take_log(&mut self) -> Vec<LogLine>;

    /// Empties memory, as at birth; what top-level code left stays.
    fn forget(&mut self);
}

/// Makes an engine.
pub type MakeEngine = fn() -> Box<dyn ScriptEngine>;

#[cfg(not(feature = "javascript"))]
static INSTALLED: std::sync::OnceLock<MakeEngine> = std::sync::OnceLock::new();

/// Says what runs `.js` files in a build without an engine of its own, such as a browser, which
/// brings one. The first one installed stays; false when there was one already, as in a build with
/// the feature `javascript`.
#[cfg_attr(feature = "javascript", expect(unused_variables, reason = "has its own engine"))]
pub fn install_engine(make: MakeEngine) -> bool {
    #[cfg(feature = "javascript")]
    return false;
    #[cfg(not(feature = "javascript"))]
    return INSTALLED.set(make).is_ok();
}

/// The engine for `.js` files.
#[cfg(feature = "javascript")]
#[expect(clippy::unnecessary_wraps, reason = "builds without it may have none")]
fn javascript() -> Option<Box<dyn ScriptEngine>> {
    Some(Box::new(JavaScript))
}

/// The engine for `.js` files, if one was installed.
#[cfg(not(feature = "javascript"))]
fn javascript() -> Option<Box<dyn ScriptEngine>> {
    INSTALLED.get().map(|make| make())
}

/// The engine for a file, by its extension.
///
/// # Errors
/// [`ScriptError`] for a language this build has no engine for.
pub fn engine_for(path: &str) -> Result<Box<dyn ScriptEngine>, ScriptError> {
    let extension = std::path::Path::new(path).extension().and_then(|e| e.to_str());
    if extension == Some("js")
        && let Some(engine) = javascript()
    {
        return Ok(engine);
    }
    let what = match extension {
        Some("js") => "this build runs no JavaScript; build it with the feature `javascript`",
        _ => "no engine runs this file; scripts end in .js",
    };
    Err(ScriptError {
        file: path.to_owned(),
        line: 0,
        column: 0,
        tick: None,
        what: what.to_owned(),
    })
}

#[cfg(all(test, not(feature = "javascript")))]
mod tests {
    use super::*;

    struct Nothing;

    impl ScriptEngine for Nothing {
        fn start(&self, setting: Setting<'_>) -> Result<Box<dyn RunningScript>, ScriptError> {
            Err(ScriptError {
                file: setting.path.to_owned(),
                line: 7,
                column: 0,
                tick: None,
                what: String::from("installed"),
            })
        }
    }

    #[test]
    fn unit_an_installed_engine_runs_js_files_and_stays() {
        assert!(engine_for("a.js").is_err());
        assert!(install_engine(|| Box::new(Nothing)));
        assert!(!install_engine(|| Box::new(Nothing)));
        assert!(engine_for("a.js").is_ok());
        assert!(engine_for("a.py").is_err());
    }
}

//! What every engine of JavaScript shares: the code around a script, its mathematics, its words.
//!
//! Terms: the *prelude* is our own code run before the script, the *bridge* is run after it and
//! hands plain numbers over as the objects the script expects. An engine that follows this module
//! gives the same commands and the same messages as any other that does.
//!
//! What it does not do: it runs nothing; an engine does.

use core::fmt::Write as _;

use tropism_core::{Draws, Purpose, Seed, Stream, Tick};

use crate::script::{
    BUDGET_POLLS, LOG_LINE_MAX, LOG_LINES_MAX, LogLine, MEMORY_BYTES_MAX, ScriptError, Senses,
};

/// Deepest stack of a script, bytes.
pub const STACK_BYTES_MAX: usize = 192 << 10;
/// Nothing a script can name lies in a file of this name.
pub const OUTSIDE: &str = "tropism";
/// What the engine says of a script that was stopped.
const STOPPED: &str = "interrupted";
const RANDOM: Purpose = Purpose::named("script.random");

/// Code run before the script: a function of `emit`, which takes one line.
pub const PRELUDE: &str = r"(emit) => {
  const text = String, json = JSON.stringify, join = Array.prototype.join;
  const shown = (x) => {
    try { return typeof x === 'object' && x !== null ? json(x) : text(x); }
    catch (_) { return '?'; }
  };
  const print = (...parts) => {
    const line = [];
    for (let i = 0; i < parts.length; i++) line[i] = shown(parts[i]);
    emit(join.call(line, ' '));
  };
  globalThis.console = { log: print, info: print, warn: print, error: print, debug: print };
}";

/// A function of one number with its name in `Math`.
pub type One = (&'static str, fn(f64) -> f64);
/// A function of two numbers with its name in `Math`.
pub type Two = (&'static str, fn(f64, f64) -> f64);

/// Functions of one number.
pub const ONES: [One; 20] = [
    ("sin", libm::sin),
    ("cos", libm::cos),
    ("tan", libm::tan),
    ("asin", libm::asin),
    ("acos", libm::acos),
    ("atan", libm::atan),
    ("sinh", libm::sinh),
    ("cosh", libm::cosh),
    ("tanh", libm::tanh),
    ("asinh", libm::asinh),
    ("acosh", libm::acosh),
    ("atanh", libm::atanh),
    ("exp", libm::exp),
    ("expm1", libm::expm1),
    ("log", libm::log),
    ("log1p", libm::log1p),
    ("log2", libm::log2),
    ("log10", libm::log10),
    ("cbrt", libm::cbrt),
    ("sqrt", libm::sqrt),
];

/// Functions of two numbers.
pub const TWOS: [Two; 2] = [("atan2", libm::atan2), ("pow", power)];

/// The language differs from C where |x| is 1 and y infinite or not a number.
fn power(x: f64, y: f64) -> f64 {
    let is_undefined = y.is_nan() || (x.abs() == 1.0 && y.is_infinite());
    if is_undefined { f64::NAN } else { libm::pow(x, y) }
}

/// `Math.hypot` of one number more: begin with 0.
pub fn longer(length: f64, part: f64) -> f64 {
    libm::hypot(length, part)
}

/// Draws of a script.
#[derive(Clone, Debug)]
pub struct Chance {
    stream: Stream,
    draws: Draws,
}

impl Chance {
    /// For the top-level code of a script, which draws from a channel of its own.
    pub fn new(seed: Seed, robot: u32) -> Self {
        Self {
            stream: seed.stream(RANDOM, robot, 0),
            draws: seed.stream(RANDOM, robot, 1).at(Tick(0)),
        }
    }

    /// What follows belongs to this tick.
    pub fn begin(&mut self, tick: Tick) {
        self.draws = self.stream.at(tick);
    }

    /// `Math.random`: from 0 to below 1.
    pub fn random(&mut self) -> f64 {
        (self.draws.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }
}

/// What a script prints.
#[derive(Clone, Debug, Default)]
pub struct Log {
    lines: Vec<LogLine>,
    printed: usize,
}

impl Log {
    /// Keeps a line, up to [`LOG_LINES_MAX`] of them.
    pub fn print(&mut self, tick: u64, line: &str) {
        self.printed += 1;
        if self.printed <= LOG_LINES_MAX {
            let mut text = clipped(line);
            if self.printed == LOG_LINES_MAX {
                text.push_str(" (further lines are not kept)");
            }
            self.lines.push(LogLine { tick, text });
        }
    }

    /// Takes the lines printed since the last call.
    pub fn take(&mut self) -> Vec<LogLine> {
        core::mem::take(&mut self.lines)
    }
}

/// The first [`LOG_LINE_MAX`] characters.
fn clipped(text: &str) -> String {
    text.chars().take(LOG_LINE_MAX).collect()
}

/// A value of the script, for messages.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Anything else, by the word of its type: `undefined`, `null`, `boolean`, `function`, `array`,
    /// `object`, `symbol`, `bigint`.
    Other(String),
}

impl core::fmt::Display for Shown {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Number(x) => write!(f, "{x}"),
            Self::Text(text) => write!(f, "the text {:?}", clipped(text)),
            Self::Other(word) => f.write_str(word),
        }
    }
}

/// What came out of a script instead of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Thrown {
    /// An error object.
    Error {
        /// Its `name`, if it has one.
        name: Option<String>,
        /// Its `message`.
        message: String,
        /// Its `stack`.
        stack: String,
    },
    /// Any other value.
    Value(Shown),
    /// The engine failed without an object to say how: memory was exhausted.
    Engine(String),
}

/// Makes errors of one script at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'f> {
    /// The file as it was named.
    pub file: &'f str,
    /// The tick; `None` while the script is read.
    pub tick: Option<u64>,
    /// Where `control` begins: line and column.
    pub begins: (u32, u32),
}

impl Failure<'_> {
    /// An error at a place.
    pub fn at(&self, (line, column): (u32, u32), what: impl Into<String>) -> ScriptError {
        ScriptError { file: self.file.to_owned(), line, column, tick: self.tick, what: what.into() }
    }

    /// The error for a script without `control`.
    pub fn no_control(&self) -> ScriptError {
        self.at((1, 1), "it has no function `control(sensors, memory)`")
    }

    /// The error for something thrown.
    pub fn thrown(&self, thrown: Thrown) -> ScriptError {
        match thrown {
            Thrown::Error { name, message, stack } => {
                let place = place_in(&stack, self.file).unwrap_or(self.begins);
                let what = match (message.as_str(), name) {
                    (STOPPED, _) => format!(
                        "it did not come to an end within {BUDGET_POLLS} × 10,000 steps; is there \
                         an endless loop?"
                    ),
                    ("out of memory", _) => {
                        format!("it needs more than {} MB of memory", MEMORY_BYTES_MAX >> 20)
                    }
                    (message, Some(name)) => format!("{name}: {message}"),
                    (message, None) => message.to_owned(),
                };
                self.at(place, clipped(&what))
            }
            // Without memory for an error the engine throws `null`, and the stack is gone.
            Thrown::Value(Shown::Other(word)) if word == "null" => {
                let megabytes = MEMORY_BYTES_MAX >> 20;
                let what = format!("it needs more than {megabytes} MB of memory, or threw null");
                self.at(self.begins, what)
            }
            Thrown::Value(value) => self.at(self.begins, format!("it threw {value}")),
            Thrown::Engine(what) => self.at(self.begins, what),
        }
    }

    /// The error for a `control` that returned no object.
    pub fn no_object(&self, returned: &Shown) -> ScriptError {
        let right = "it returns { left, right }, two numbers";
        self.at(self.begins, format!("`control` returned {returned}; {right}"))
    }

    /// The speed of a wheel, or the error for a returned object whose wheel is no finite number.
    ///
    /// # Errors
    /// [`ScriptError`] for everything but finite numbers.
    pub fn wheel(&self, name: &str, value: &Shown) -> Result<f64, ScriptError> {
        match value {
            Shown::Number(x) if x.is_finite() => Ok(*x),
            _ => Err(self.no_wheel(&format!("`{name}` is {value}"))),
        }
    }

    /// The error for a wheel that could not be read.
    pub fn no_wheel(&self, what: &str) -> ScriptError {
        let right = "it returns { left, right }, two finite numbers";
        self.at(self.begins, format!("`control` returned an object whose {what}; {right}"))
    }
}

/// Line and column of the first frame of a stack that lies in the script.
fn place_in(stack: &str, file: &str) -> Option<(u32, u32)> {
    stack.lines().find_map(|line| {
        let after = &line[line.rfind(&format!("{file}:"))? + file.len() + 1..];
        let mut numbers = after.split(|c: char| !c.is_ascii_digit());
        let number = numbers.next()?.parse().ok()?;
        Some((number, numbers.next().and_then(|n| n.parse().ok()).unwrap_or(1)))
    })
}

/// Channels that share an object of `sensors`.
const GROUPS: [&str; 5] = ["line", "reflectance", "ultrasonic", "encoder", "goal"];

/// How numbers reach the bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handing {
    /// As arguments of `call`: time, mask of trusted channels, one value per channel.
    Arguments,
    /// In the same order in an array of doubles, which the bridge is a function of.
    Array,
}

/// Code that hands numbers over as `sensors`: an expression that gives `null` without a `control`,
/// else `line` and `column` of `control` and the functions `call`, `memory` and `forget`. The
/// objects stay the same from tick to tick and every field is written anew, which costs a tenth of
/// making them.
pub fn bridge(senses: &Senses, memory_json: &str, handing: Handing) -> String {
    let Parts { objects, fields, writes } = parts(senses);
    let mut values = String::new();
    for i in 0..senses.count() {
        let _ = write!(values, ",a{i}");
    }
    let (open, arguments, read) = match handing {
        Handing::Arguments => ("(() => {", format!("t,ok{values}"), String::new()),
        Handing::Array => {
            let mut read = String::from("const t=given[0],ok=given[1]");
            for i in 0..senses.count() {
                let _ = write!(read, ",a{i}=given[{}]", i + 2);
            }
            read.push(';');
            ("((given) => {", String::new(), read)
        }
    };
    let close = if handing == Handing::Arguments { "})()" } else { "})" };
    format!(
        "{open} if (typeof control !== 'function') return null; let memory = {memory_json}; \
         const json = JSON.stringify, freeze = Object.freeze, known = {{}}, run = control; \
         {objects} const s = {{{fields}}}; \
         return {{ line: run.lineNumber, column: run.columnNumber, \
         call: ({arguments}) => {{ {read} {writes} return control(s, memory); }}, \
         memory: () => json(memory), forget: () => {{ memory = {{}}; }} }}; {close}"
    )
}

/// Code of a bridge.
struct Parts {
    /// Makes the objects of groups.
    objects: String,
    /// Fields of `sensors`.
    fields: String,
    /// Writes every field anew.
    writes: String,
}

fn parts(senses: &Senses) -> Parts {
    let names: Vec<&str> = senses.names().collect();
    let (mut objects, mut fields) = (String::new(), String::from("t:0"));
    let mut writes = String::from("s.t=t;");
    let mut is_grouped = vec![false; names.len()];
    for group in GROUPS {
        let prefix = format!("{group}_");
        let members: Vec<(usize, &str)> = names
            .iter()
            .enumerate()
            .filter_map(|(i, name)| Some((i, name.strip_prefix(&prefix)?)))
            .collect();
        if members.is_empty() {
            continue;
        }
        let _ = write!(objects, "const g_{group}={{");
        let _ = write!(fields, ",{group}:g_{group}");
        let _ = write!(writes, "s.{group}=g_{group};");
        for (i, name) in &members {
            is_grouped[*i] = true;
            let _ = write!(objects, "{name}:0,");
            let _ = write!(writes, "g_{group}.{name}=a{i};");
        }
        if group == "ultrasonic" {
            // One frozen object for every pattern of trusted readings, made when it is first met.
            objects.push_str("valid:null");
            let mask = members.iter().fold(0_u32, |mask, (i, _)| mask | 1 << i);
            let _ =
                write!(writes, "g_ultrasonic.valid=known[ok&{mask}]||(known[ok&{mask}]=freeze({{");
            for (i, name) in &members {
                let _ = write!(writes, "{name}:(ok&{})!==0,", 1_u32 << i);
            }
            writes.push_str("}));");
        }
        objects.push_str("};");
    }
    for (i, name) in names.iter().enumerate().filter(|(i, _)| !is_grouped[*i]) {
        let value = if *name == "bump" { format!("a{i}>0.5") } else { format!("a{i}") };
        let _ = write!(fields, ",{name}:0");
        let _ = write!(writes, "s.{name}={value};");
    }
    Parts { objects, fields, writes }
}

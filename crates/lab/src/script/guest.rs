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
    BUDGET_POLLS, LOG_LINE_MAX, LOG_LINES_MAX, LogLine, MEMORY_BYTES_MAX, ScriptError, Senses, used,
};

/// Deepest stack of a script, bytes.
pub const STACK_BYTES_MAX: usize = 192 << 10;
/// Nothing a script can name lies in a file of this name.
pub const OUTSIDE: &str = "tropism";
/// What the engine says of a script that was stopped.
const STOPPED: &str = "interrupted";
const RANDOM: Purpose = Purpose::named("script.random");

/// Code run before the script: a function of `emit`, which takes one line. What it returns is kept
/// as long as the script runs.
///
/// The engine describes objects with the same fields once, and forgets a description with its last
/// object. What is kept has the descriptions that the commonest short-lived objects go through on
/// their way: wheels, and functions made at every tick.
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
  const named = () => Object.create(Function.prototype);
  const measured = Object.defineProperty(named(), 'length', { value: 0, configurable: true });
  return [{}, { left: 0 }, { left: 0, right: 0 }, named(), measured];
}";

/// A function of one number with its name.
pub type OfOne = (&'static str, fn(f64) -> f64);

/// A function of two numbers with its name.
pub type OfTwo = (&'static str, fn(f64, f64) -> f64);

/// Functions of one number, by their name in `Math`.
pub const ONES: [OfOne; 20] = [
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

/// Functions of two numbers, by their name in `Math`.
pub const TWOS: [OfTwo; 2] = [("atan2", libm::atan2), ("pow", power)];

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
    /// The tick that began, until something is drawn in it.
    begun: Option<Tick>,
}

impl Chance {
    /// For the top-level code of a script, which draws from a channel of its own.
    pub fn new(seed: Seed, robot: u32) -> Self {
        Self {
            stream: seed.stream(RANDOM, robot, 0),
            draws: seed.stream(RANDOM, robot, 1).at(Tick(0)),
            begun: None,
        }
    }

    /// What follows belongs to this tick.
    pub fn begin(&mut self, tick: Tick) {
        self.begun = Some(tick);
    }

    /// `Math.random`: from 0 to below 1.
    pub fn random(&mut self) -> f64 {
        if let Some(tick) = self.begun.take() {
            self.draws = self.stream.at(tick);
        }
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
    /// The script.
    pub text: &'f str,
    /// The tick; `None` while the script is read.
    pub tick: Option<u64>,
    /// Where `control` begins: line and column.
    pub begins: (u32, u32),
}

impl Failure<'_> {
    /// An error at a place as the engine tells it, which counts columns in bytes.
    pub fn at(&self, place: (u32, u32), what: impl Into<String>) -> ScriptError {
        let (line, column) = in_characters(self.text, place);
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

/// The place with its column counted in characters.
fn in_characters(text: &str, (line, column): (u32, u32)) -> (u32, u32) {
    let row = text.lines().nth((line as usize).wrapping_sub(1)).unwrap_or_default();
    let bytes = (column as usize).saturating_sub(1).min(row.len());
    let wider = row.char_indices().take_while(|(at, _)| *at < bytes).map(|(_, c)| c.len_utf8() - 1);
    (line, column - wider.sum::<usize>() as u32)
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
pub(super) const GROUPS: [&str; 5] = ["line", "reflectance", "ultrasonic", "encoder", "goal"];

/// How numbers reach the bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handing {
    /// As arguments of `call`: the time, the mask of trusted channels with the values of those that
    /// are true or false [`VALUE_SHIFT`] bits higher, then the values of the other channels that
    /// [`Bridge::handed`] lists. The code is a function of `peek`, which gives any channel's value,
    /// or the mask for [`PEEK_MASK`].
    Arguments,
    /// Time, mask and the value of every channel as an array of doubles, which the code is a
    /// function of.
    Array,
}

/// How far above a channel's bit in the mask its value stands, if it is true or false.
pub const VALUE_SHIFT: usize = 16;

/// Asks `peek` for the mask of trusted channels in place of a channel.
pub const PEEK_MASK: usize = 99;

/// Code that hands numbers over as `sensors`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bridge {
    /// An expression: a function that gives `null` without a `control`, else `line` and `column`
    /// of `control` and the functions `call`, `memory` and `forget`.
    pub code: String,
    /// Channels handed over as arguments, in order.
    pub handed: Vec<usize>,
}

/// The bridge for a script.
///
/// The objects stay the same from tick to tick, which costs a tenth of making them. Fields whose
/// group or name occurs in the script's text are written anew at every tick; the others are
/// getters, so that a script that reaches them in some other way finds them all the same.
pub fn bridge(senses: &Senses, text: &str, memory_json: &str, handing: Handing) -> Bridge {
    let BridgeCode { objects, fields, mut writes, handed, .. } = parts(senses, text);
    let mut arguments = String::from("t,ok");
    let mut read = String::new();
    let (open, peek) = match handing {
        Handing::Arguments => {
            for i in &handed {
                let shift = i + VALUE_SHIFT;
                let value = match (senses.is_binary(*i), senses.is_truth(*i)) {
                    (false, _) => {
                        let _ = write!(arguments, ",a{i}");
                        continue;
                    }
                    (_, true) => format!("=(ok>>{shift}&1)===1;"),
                    (_, false) => format!("=ok>>{shift}&1;"),
                };
                writes = writes.replace(&format!("=a{i};"), &value);
            }
            ("((peek) => {", String::new())
        }
        Handing::Array => {
            arguments.clear();
            read.push_str("const t=given[0],ok=given[1]");
            for i in &handed {
                let _ = write!(read, ",a{i}={}", given(senses, *i));
            }
            read.push(';');
            let mut peek = String::from("const peek=(i)=>{switch(i){");
            let _ = write!(peek, "case {PEEK_MASK}:return given[1];");
            for i in 0..senses.count() {
                let _ = write!(peek, "case {i}:return {};", given(senses, i));
            }
            peek.push_str("}};");
            ("((given) => {", peek)
        }
    };
    // What nothing can put another in place of needs no search by name.
    let run = if used::has_fixed_control(text) { "run" } else { "control" };
    let code = format!(
        "{open} if (typeof control !== 'function') return null; \
         let memory = {memory_json}, heard = -1, valid = null; {peek} \
         const json = JSON.stringify, freeze = Object.freeze, known = {{}}, run = control; \
         {objects} const s = {{{fields}}}; \
         return {{ line: run.lineNumber, column: run.columnNumber, \
         call({arguments}) {{ {read} s.t=t; {writes} return {run}(s, memory); }}, \
         memory: () => json(memory), forget: () => {{ memory = {{}}; }} }}; }})"
    );
    Bridge { code, handed }
}

/// A channel's value out of the array.
fn given(senses: &Senses, channel: usize) -> String {
    let truth = if senses.is_truth(channel) { ">0.5" } else { "" };
    format!("given[{}]{truth}", channel + 2)
}

fn parts(senses: &Senses, text: &str) -> BridgeCode {
    let names: Vec<&str> = senses.names().collect();
    let is_read_only = used::only_reads(senses, text);
    let mut code =
        BridgeCode { fields: String::from("t:0"), is_read_only, ..BridgeCode::default() };
    let mut is_grouped = vec![false; names.len()];
    for group in GROUPS {
        let prefix = format!("{group}_");
        let members: Vec<(usize, &str)> = names
            .iter()
            .enumerate()
            .filter_map(|(i, name)| Some((i, name.strip_prefix(&prefix)?)))
            .collect();
        for (i, _) in &members {
            is_grouped[*i] = true;
        }
        if !members.is_empty() {
            code.add_group(group, &members, text);
        }
    }
    for (i, name) in names.iter().enumerate().filter(|(i, _)| !is_grouped[*i]) {
        if text.contains(name) {
            code.handed.push(i);
            let _ = write!(code.fields, ",{name}:0");
            let _ = write!(code.writes, "s.{name}=a{i};");
        } else {
            let _ = write!(code.fields, ",get {name}(){{return peek({i});}}");
        }
    }
    code
}

/// The parts of a bridge.
#[derive(Default)]
struct BridgeCode {
    /// Makes the objects of groups.
    objects: String,
    /// Fields of `sensors`.
    fields: String,
    /// Writes the named fields anew.
    writes: String,
    handed: Vec<usize>,
    /// The script never writes fields of `sensors`, though it may write those of a group.
    is_read_only: bool,
}

impl BridgeCode {
    fn add_group(&mut self, group: &str, members: &[(usize, &str)], text: &str) {
        let has_valid = group == "ultrasonic";
        let is_named = text.contains(group);
        let mask = members.iter().fold(0_u32, |mask, (i, _)| mask | 1 << i);
        let mut pattern = String::new();
        for (i, name) in members {
            let _ = write!(pattern, "{name}:(ok&{})!==0,", 1_u32 << i);
        }
        let _ = write!(self.objects, "const g_{group}={{");
        if !is_named {
            for (i, name) in members {
                let _ = write!(self.objects, "get {name}(){{return peek({i});}},");
            }
            if has_valid {
                self.objects.push_str(&valid_peeked(&pattern));
            }
            self.objects.push_str("};");
            let _ = write!(self.fields, ",get {group}(){{return g_{group};}}");
            return;
        }
        let _ = write!(self.fields, ",{group}:g_{group}");
        if !self.is_read_only {
            let _ = write!(self.writes, "s.{group}=g_{group};");
        }
        for (i, name) in members {
            self.handed.push(*i);
            let _ = write!(self.objects, "{name}:0,");
            let _ = write!(self.writes, "g_{group}.{name}=a{i};");
        }
        if has_valid && !text.contains("valid") {
            self.objects.push_str(&valid_peeked(&pattern));
        } else if has_valid {
            // One frozen object for every pattern of trusted readings, made when it is first met.
            self.objects.push_str("valid:null");
            let _ = write!(
                self.writes,
                "if(heard!==(ok&{mask})){{heard=ok&{mask};\
                 valid=known[heard]||(known[heard]=freeze({{{pattern}}}));}}\
                 g_ultrasonic.valid=valid;"
            );
        }
        self.objects.push_str("};");
    }
}

/// A getter for which readings can be trusted.
fn valid_peeked(pattern: &str) -> String {
    format!("get valid(){{const ok=peek({PEEK_MASK});return freeze({{{pattern}}});}}")
}

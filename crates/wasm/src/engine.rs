//! Scripts in a page: the engine is another WebAssembly module, handed in by the worker.
//!
//! Terms: an [`Engine`] makes *guests*; a guest is one script with its own memory. What a guest
//! calls comes back through its [`Host`].
//!
//! # Determinism
//! The code around a script and its mathematics are those of [`tropism_lab::script::guest`], which
//! the host's engine uses too.

use alloc::rc::Rc;
use core::cell::{Cell, RefCell};

use tropism_body::{MAX_SENSORS, Percept};
use tropism_core::TimeStep;
use tropism_lab::script::guest::{self, Chance, Failure, Handing, Log, Shown, Thrown};
use tropism_lab::script::{
    BUDGET_POLLS, LogLine, MEMORY_BYTES_MAX, RunningScript, ScriptEngine, ScriptError, Senses,
    Setting, install_engine,
};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// What runs scripts.
    pub type Engine;

    /// Starts a script: its file, its text, the bridge to it, and what it may call.
    #[wasm_bindgen(method)]
    fn start(this: &Engine, file: &str, text: &str, bridge: &str, host: Host) -> Guest;

    /// A script with its memory.
    pub type Guest;

    /// How the start, or the last call, ended: one of [`Ending`].
    #[wasm_bindgen(method, getter)]
    fn ending(this: &Guest) -> u32;

    /// What there is to say about that.
    #[wasm_bindgen(method, getter)]
    fn words(this: &Guest) -> Vec<String>;

    /// Where `control` begins.
    #[wasm_bindgen(method, getter)]
    fn line(this: &Guest) -> u32;

    /// Where `control` begins.
    #[wasm_bindgen(method, getter)]
    fn column(this: &Guest) -> u32;

    /// One tick: time, mask of trusted channels and values go in, two wheels come out.
    #[wasm_bindgen(method)]
    fn control(this: &Guest, given: &[f64], wheels: &mut [f64]);

    #[wasm_bindgen(method)]
    fn memory(this: &Guest) -> Option<String>;

    #[wasm_bindgen(method)]
    fn forget(this: &Guest);

    /// Frees what it holds.
    #[wasm_bindgen(method)]
    fn close(this: &Guest);
}

/// How a call of a guest ended; the numbers are those of `web/src/engine/guest.ts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// As it should.
    Fine,
    /// An error was thrown; words: message, stack, and its name if it has one.
    Error,
    /// A value was thrown; words: its type and text.
    Value,
    /// The engine gave up; words: why.
    Engine,
    /// There is no `control`.
    NoControl,
    /// `control` returned no object; words: type and text of what it returned.
    NoObject,
    /// A wheel is no finite number; words: its name, type and text.
    Wheel,
    /// A wheel could not be read; words: its name.
    NoWheel,
}

impl Ending {
    const ALL: [Self; 8] = [
        Self::Fine,
        Self::Error,
        Self::Value,
        Self::Engine,
        Self::NoControl,
        Self::NoObject,
        Self::Wheel,
        Self::NoWheel,
    ];
}

/// Deepest stack of a script, bytes, within the engine's own memory. A call takes less of it than
/// of the host's, so that scripts reach at least the host's depth with two thirds of its bound.
const STACK_BYTES_MAX: usize = 128 << 10;

#[derive(Debug)]
struct Shared {
    tick: Cell<u64>,
    chance: RefCell<Chance>,
    log: RefCell<Log>,
}

/// What a guest may call.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Host {
    shared: Rc<Shared>,
}

#[wasm_bindgen]
impl Host {
    /// `Math.random`.
    pub fn random(&self) -> f64 {
        self.shared.chance.borrow_mut().random()
    }

    /// Prints a line.
    pub fn print(&self, line: &str) {
        self.shared.log.borrow_mut().print(self.shared.tick.get(), line);
    }
}

/// Names of the functions of one number in `Math`, in the order of [`math_one`].
#[wasm_bindgen(js_name = mathOnes)]
pub fn math_ones() -> Vec<String> {
    guest::ONES.iter().map(|(name, _)| (*name).to_owned()).collect()
}

/// Names of the functions of two numbers in `Math`, in the order of [`math_two`].
#[wasm_bindgen(js_name = mathTwos)]
pub fn math_twos() -> Vec<String> {
    guest::TWOS.iter().map(|(name, _)| (*name).to_owned()).collect()
}

/// A function of one number.
#[wasm_bindgen(js_name = mathOne)]
pub fn math_one(index: usize, x: f64) -> f64 {
    guest::ONES.get(index).map_or(f64::NAN, |(_, f)| f(x))
}

/// A function of two numbers.
#[wasm_bindgen(js_name = mathTwo)]
pub fn math_two(index: usize, x: f64, y: f64) -> f64 {
    guest::TWOS.get(index).map_or(f64::NAN, |(_, f)| f(x, y))
}

/// `Math.hypot` of one number more.
#[wasm_bindgen(js_name = mathLonger)]
pub fn math_longer(length: f64, part: f64) -> f64 {
    guest::longer(length, part)
}

/// Bounds of a script: polls per tick, bytes of memory, bytes of stack.
#[wasm_bindgen(js_name = scriptBounds)]
pub fn script_bounds() -> Vec<f64> {
    vec![BUDGET_POLLS as f64, MEMORY_BYTES_MAX as f64, STACK_BYTES_MAX as f64]
}

/// Code run before every script.
#[wasm_bindgen(js_name = scriptPrelude)]
pub fn script_prelude() -> String {
    guest::PRELUDE.to_owned()
}

/// The file that code of ours seems to come from.
#[wasm_bindgen(js_name = scriptOutside)]
pub fn script_outside() -> String {
    guest::OUTSIDE.to_owned()
}

thread_local! {
    static ENGINE: RefCell<Option<Engine>> = const { RefCell::new(None) };
}

/// Takes the engine for scripts into use.
#[wasm_bindgen(js_name = useEngine)]
pub fn use_engine(engine: Engine) {
    ENGINE.set(Some(engine));
    install_engine(|| Box::new(InPage));
}

struct InPage;

impl ScriptEngine for InPage {
    fn start(&self, setting: Setting<'_>) -> Result<Box<dyn RunningScript>, ScriptError> {
        let shared = Rc::new(Shared {
            tick: Cell::default(),
            chance: RefCell::new(Chance::new(setting.seed, setting.robot)),
            log: RefCell::default(),
        });
        let failure =
            Failure { file: setting.path, text: setting.text, tick: None, begins: (0, 0) };
        let (senses, memory) = (setting.senses, setting.memory_json);
        let bridge = guest::bridge(senses, setting.text, memory, Handing::Array).code;
        let host = Host { shared: Rc::clone(&shared) };
        let guest = ENGINE.with_borrow(|engine| {
            engine.as_ref().map(|e| e.start(setting.path, setting.text, &bridge, host))
        });
        let Some(guest) = guest else {
            return Err(failure.at((0, 0), "the engine for scripts is not loaded"));
        };
        if let Some(error) = fault(&guest, &failure) {
            guest.close();
            return Err(error);
        }
        let begins = (guest.line(), guest.column());
        let (file, text) = (setting.path.to_owned(), setting.text.to_owned());
        Ok(Box::new(Running { guest, shared, file, text, begins, step: setting.step }))
    }
}

/// What went wrong, if anything did.
fn fault(guest: &Guest, failure: &Failure<'_>) -> Option<ScriptError> {
    let ending = Ending::ALL.get(guest.ending() as usize).copied().unwrap_or(Ending::Engine);
    if ending == Ending::Fine {
        return None;
    }
    let mut words = guest.words().into_iter();
    let mut word = || words.next();
    Some(match ending {
        Ending::Fine => return None,
        Ending::Error => failure.thrown(Thrown::Error {
            message: word().unwrap_or_default(),
            stack: word().unwrap_or_default(),
            name: word(),
        }),
        Ending::Value => failure.thrown(Thrown::Value(shown(word(), word()))),
        Ending::Engine => failure.thrown(Thrown::Engine(word().unwrap_or_default())),
        Ending::NoControl => failure.no_control(),
        Ending::NoObject => failure.no_object(&shown(word(), word())),
        Ending::Wheel => {
            let name = word().unwrap_or_default();
            match failure.wheel(&name, &shown(word(), word())) {
                Ok(speed) => failure.no_wheel(&format!("`{name}` is {speed}")),
                Err(error) => error,
            }
        }
        Ending::NoWheel => {
            failure.no_wheel(&format!("`{}` cannot be read", word().unwrap_or_default()))
        }
    })
}

fn shown(kind: Option<String>, text: Option<String>) -> Shown {
    let (kind, text) = (kind.unwrap_or_default(), text.unwrap_or_default());
    match kind.as_str() {
        "number" => Shown::Number(text.parse().unwrap_or(f64::NAN)),
        "string" => Shown::Text(text),
        _ => Shown::Other(kind),
    }
}

/// A running script.
struct Running {
    guest: Guest,
    shared: Rc<Shared>,
    file: String,
    text: String,
    begins: (u32, u32),
    step: TimeStep,
}

impl core::fmt::Debug for Running {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Running").field("file", &self.file).finish_non_exhaustive()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.guest.close();
    }
}

impl RunningScript for Running {
    fn control(&mut self, percept: &Percept, senses: &Senses) -> Result<[f64; 2], ScriptError> {
        let tick = percept.tick;
        self.shared.tick.set(tick.0);
        self.shared.chance.borrow_mut().begin(tick);
        let mut given = [0.0; MAX_SENSORS + 2];
        let count = senses.count().min(MAX_SENSORS);
        let mut trusted = 0_u32;
        for (i, slot) in given.iter_mut().skip(2).enumerate().take(count) {
            let (value, is_valid) = senses.value(i, percept);
            *slot = value.number();
            trusted |= u32::from(is_valid) << i;
        }
        given[0] = self.step.seconds_at(tick);
        // The bridge masks it as the 32-bit integer it is.
        given[1] = f64::from(trusted);
        let mut wheels = [0.0; 2];
        self.guest.control(&given[..count + 2], &mut wheels);
        let Self { file, text, begins, .. } = self;
        let failure = Failure { file, text, tick: Some(tick.0), begins: *begins };
        fault(&self.guest, &failure).map_or(Ok(wheels), Err)
    }

    fn memory_json(&self) -> String {
        self.guest.memory().unwrap_or_else(|| "{}".to_owned())
    }

    fn take_log(&mut self) -> Vec<LogLine> {
        self.shared.log.borrow_mut().take()
    }

    fn forget(&mut self) {
        self.guest.forget();
    }
}

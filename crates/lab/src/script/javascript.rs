//! JavaScript through `QuickJS`.
//!
//! Terms: the *prelude* is our own code run before the script, the *bridge* is run after it and
//! hands plain numbers over as the objects the script expects.
//!
//! What it does not do: there is no `Date`, `Promise`, `WeakRef`, `Proxy`, `performance`, module
//! or timer.

use alloc::rc::Rc;
use core::cell::{Cell, RefCell};
use core::fmt::Write as _;

use rquickjs::context::{EvalOptions, intrinsic};
use rquickjs::function::Args;
use rquickjs::{
    CatchResultExt, CaughtError, Context, Ctx, Function, IntoJs, Object, Persistent, Runtime, Value,
};
use tropism_body::Percept;
use tropism_core::{Draws, Purpose, Stream, Tick, TimeStep};

use crate::script::{
    BUDGET_POLLS, LOG_LINE_MAX, LOG_LINES_MAX, LogLine, MEMORY_BYTES_MAX, RunningScript,
    ScriptEngine, ScriptError, Senses, Setting, Shown,
};

/// Deepest stack of a script, bytes.
const STACK_BYTES_MAX: usize = 192 << 10;
const RANDOM: Purpose = Purpose::named("script.random");
/// What the engine says of a script that was stopped.
const STOPPED: &str = "interrupted";

const PRELUDE: &str = r"(emit) => {
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

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct JavaScript;

#[derive(Default)]
struct Shared {
    budget: Cell<i64>,
    tick: Cell<u64>,
    draws: Cell<Option<Draws>>,
    /// What the channels say at this tick, by channel.
    now: Cell<[Shown; tropism_body::MAX_SENSORS]>,
    /// Which of them can be trusted, as bits.
    ok: Cell<u32>,
    log: RefCell<Vec<LogLine>>,
    printed: Cell<usize>,
}

impl Shared {
    /// A channel's value, or with [`OK`] the bits of the trusted ones.
    fn shown(&self, channel: usize) -> Shown {
        if channel == OK {
            return Shown::Number(f64::from(self.ok.get()));
        }
        self.now.get().get(channel).copied().unwrap_or_default()
    }
}

/// In place of a channel: which channels can be trusted.
const OK: usize = usize::MAX >> 33;

/// A value as it is handed over: whole numbers are cheaper to compare than others.
impl<'js> IntoJs<'js> for Shown {
    fn into_js(self, ctx: &Ctx<'js>) -> rquickjs::Result<Value<'js>> {
        match self {
            Self::Number(x) => x.into_js(ctx),
            Self::Bit(b) => i32::from(b).into_js(ctx),
            Self::Truth(b) => b.into_js(ctx),
        }
    }
}

/// A running script.
struct Running {
    // Dropped in this order: the engine must outlive its values.
    call: Option<Persistent<Function<'static>>>,
    memory: Option<Persistent<Function<'static>>>,
    forget: Option<Persistent<Function<'static>>>,
    context: Context,
    _runtime: Runtime,
    shared: Rc<Shared>,
    file: String,
    /// Where `control` begins.
    begins: (u32, u32),
    /// Channels handed over as arguments.
    handed: Vec<usize>,
    step: TimeStep,
    random: Stream,
}

impl core::fmt::Debug for Running {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Running").field("file", &self.file).finish_non_exhaustive()
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

/// Nothing a script can name lies in a file of this name.
const OUTSIDE: &str = "tropism";

struct Failure<'f> {
    file: &'f str,
    tick: Option<u64>,
    begins: (u32, u32),
}

impl Failure<'_> {
    fn at(&self, (line, column): (u32, u32), what: impl Into<String>) -> ScriptError {
        let what = what.into();
        ScriptError { file: self.file.to_owned(), line, column, tick: self.tick, what }
    }

    fn caught(&self, error: CaughtError<'_>) -> ScriptError {
        match error {
            CaughtError::Exception(exception) => {
                let message = exception.message().unwrap_or_default();
                let name: Option<String> = exception.as_object().get("name").ok();
                let stack = exception.stack().unwrap_or_default();
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
            CaughtError::Value(value) => {
                self.at(self.begins, format!("it threw {}", shown(&value)))
            }
            // The engine failed without an object to say how: memory was exhausted.
            CaughtError::Error(error) => self.at(self.begins, error.to_string()),
        }
    }
}

fn clipped(text: &str) -> String {
    text.chars().take(LOG_LINE_MAX).collect()
}

/// A value, for messages.
fn shown(value: &Value<'_>) -> String {
    if let Some(x) = value.as_number() {
        return format!("{x}");
    }
    if let Some(text) = value.as_string() {
        return format!("the text {:?}", clipped(&text.to_string().unwrap_or_default()));
    }
    value.type_name().to_owned()
}

fn number_function(math: &Object<'_>, name: &str, f: fn(f64) -> f64) -> rquickjs::Result<()> {
    math.set(
        name,
        Function::new(math.ctx().clone(), move |x: Option<rquickjs::Coerced<f64>>| {
            f(x.map_or(f64::NAN, |x| x.0))
        })?,
    )
}

/// Puts `libm` in place of the C library, and keyed draws in place of entropy.
fn mathematics(ctx: &Ctx<'_>, shared: &Rc<Shared>) -> rquickjs::Result<()> {
    type One = (&'static str, fn(f64) -> f64);
    type Number = rquickjs::Coerced<f64>;
    const ONES: [One; 20] = [
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
    let math: Object<'_> = ctx.globals().get("Math")?;
    for (name, f) in ONES {
        number_function(&math, name, f)?;
    }
    let atan2 = |y: Number, x: Number| libm::atan2(y.0, x.0);
    math.set("atan2", Function::new(ctx.clone(), atan2)?)?;
    let power = |x: Number, y: Number| {
        // The language differs from C where |x| is 1 and y infinite or not a number.
        let is_undefined = y.0.is_nan() || (x.0.abs() == 1.0 && y.0.is_infinite());
        if is_undefined { f64::NAN } else { libm::pow(x.0, y.0) }
    };
    math.set("pow", Function::new(ctx.clone(), power)?)?;
    let length = |parts: rquickjs::function::Rest<Number>| {
        parts.0.iter().fold(0.0, |sum, x| libm::hypot(sum, x.0))
    };
    math.set("hypot", Function::new(ctx.clone(), length)?)?;
    let shared = Rc::clone(shared);
    let random = move || {
        let Some(mut draws) = shared.draws.get() else { return 0.0 };
        let bits = draws.next_u64();
        shared.draws.set(Some(draws));
        (bits >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    };
    math.set("random", Function::new(ctx.clone(), random)?)
}

fn console(ctx: &Ctx<'_>, shared: &Rc<Shared>) -> rquickjs::Result<()> {
    let shared = Rc::clone(shared);
    let emit = move |line: String| {
        let printed = shared.printed.get() + 1;
        shared.printed.set(printed);
        if printed <= LOG_LINES_MAX {
            let mut text = clipped(&line);
            if printed == LOG_LINES_MAX {
                text.push_str(" (further lines are not kept)");
            }
            shared.log.borrow_mut().push(LogLine { tick: shared.tick.get(), text });
        }
    };
    let emit = Function::new(ctx.clone(), emit)?;
    let prelude: Function<'_> = ctx.eval_with_options(PRELUDE, options(OUTSIDE))?;
    prelude.call((emit,))
}

fn options(file: &str) -> EvalOptions {
    let mut options = EvalOptions::default();
    options.strict = false;
    options.filename = Some(file.to_owned());
    options
}

/// Channels that share an object of `sensors`.
const GROUPS: [&str; 5] = ["line", "reflectance", "ultrasonic", "encoder", "goal"];

/// Code that hands numbers over as `sensors`, and the channels handed over as arguments.
///
/// The objects stay the same from tick to tick, which costs a tenth of making them. Fields whose
/// group or name occurs in the script's text are written anew at every tick; the others are
/// getters, so that a script that reaches them in some other way finds them all the same.
fn bridge(senses: &Senses, text: &str, memory_json: &str) -> (String, Vec<usize>) {
    let names: Vec<&str> = senses.names().collect();
    let mut code = BridgeCode { fields: String::from("t:0"), ..BridgeCode::default() };
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
            code.add_group(group, &members, text.contains(group));
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
    let BridgeCode { objects, fields, writes, handed } = code;
    let mut arguments = String::from("t,ok");
    for i in &handed {
        let _ = write!(arguments, ",a{i}");
    }
    let code = format!(
        "((peek) => {{ if (typeof control !== 'function') return null; \
         let memory = {memory_json}, heard = -1, valid = null; \
         const json = JSON.stringify, freeze = Object.freeze, known = {{}}, run = control; \
         {objects} const s = {{{fields}}}; \
         return {{ line: run.lineNumber, column: run.columnNumber, \
         call: ({arguments}) => {{ s.t=t; {writes} return control(s, memory); }}, \
         memory: () => json(memory), forget: () => {{ memory = {{}}; }} }}; }})"
    );
    (code, handed)
}

/// The parts of the bridge.
#[derive(Default)]
struct BridgeCode {
    objects: String,
    fields: String,
    writes: String,
    handed: Vec<usize>,
}

impl BridgeCode {
    fn add_group(&mut self, group: &str, members: &[(usize, &str)], is_named: bool) {
        let has_valid = group == "ultrasonic";
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
                let _ = write!(
                    self.objects,
                    "get valid(){{const ok=peek({OK});return freeze({{{pattern}}});}}"
                );
            }
            self.objects.push_str("};");
            let _ = write!(self.fields, ",get {group}(){{return g_{group};}}");
            return;
        }
        let _ = write!(self.fields, ",{group}:g_{group}");
        let _ = write!(self.writes, "s.{group}=g_{group};");
        for (i, name) in members {
            self.handed.push(*i);
            let _ = write!(self.objects, "{name}:0,");
            let _ = write!(self.writes, "g_{group}.{name}=a{i};");
        }
        if has_valid {
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

type Handles = (
    Persistent<Function<'static>>,
    Persistent<Function<'static>>,
    Persistent<Function<'static>>,
    (u32, u32),
    Vec<usize>,
);

fn load(ctx: &Ctx<'_>, shared: &Rc<Shared>, setting: Setting<'_>) -> Result<Handles, ScriptError> {
    let failure = Failure { file: setting.path, tick: None, begins: (0, 0) };
    let catch = |error| failure.caught(error);
    mathematics(ctx, shared).catch(ctx).map_err(catch)?;
    console(ctx, shared).catch(ctx).map_err(catch)?;
    shared.budget.set(BUDGET_POLLS);
    let _: Value<'_> =
        ctx.eval_with_options(setting.text, options(setting.path)).catch(ctx).map_err(catch)?;
    let (code, handed) = bridge(setting.senses, setting.text, setting.memory_json);
    let parts = || -> rquickjs::Result<Option<Object<'_>>> {
        let shared = Rc::clone(shared);
        let peek = Function::new(ctx.clone(), move |i: usize| shared.shown(i))?;
        let bridge: Function<'_> = ctx.eval_with_options(code, options(OUTSIDE))?;
        bridge.call((peek,))
    };
    let parts = parts().catch(ctx).map_err(catch)?;
    let Some(parts) = parts else {
        let what = "it has no function `control(sensors, memory)`";
        return Err(failure.at((1, 1), what));
    };
    let handle = |name: &str| -> Result<Persistent<Function<'static>>, ScriptError> {
        let function: Function<'_> = parts.get(name).catch(ctx).map_err(catch)?;
        Ok(Persistent::save(ctx, function))
    };
    let number = |name: &str| parts.get::<_, Option<u32>>(name).ok().flatten().unwrap_or(1);
    let begins = (number("line"), number("column"));
    Ok((handle("call")?, handle("memory")?, handle("forget")?, begins, handed))
}

impl ScriptEngine for JavaScript {
    fn start(&self, setting: Setting<'_>) -> Result<Box<dyn RunningScript>, ScriptError> {
        let failure = Failure { file: setting.path, tick: None, begins: (0, 0) };
        let refuse = |error: rquickjs::Error| failure.at((0, 0), error.to_string());
        let shared = Rc::new(Shared::default());
        let random = setting.seed.stream(RANDOM, setting.robot, 0);
        // Top-level code draws from a channel of its own.
        shared.draws.set(Some(setting.seed.stream(RANDOM, setting.robot, 1).at(Tick(0))));
        let runtime = Runtime::new().map_err(refuse)?;
        runtime.set_memory_limit(MEMORY_BYTES_MAX);
        runtime.set_max_stack_size(STACK_BYTES_MAX);
        let polled = Rc::clone(&shared);
        runtime.set_interrupt_handler(Some(Box::new(move || {
            let left = polled.budget.get() - 1;
            polled.budget.set(left);
            left < 0
        })));
        let context = Context::builder()
            .with::<intrinsic::Eval>()
            .with::<intrinsic::Json>()
            .with::<intrinsic::MapSet>()
            .with::<intrinsic::TypedArrays>()
            .with::<intrinsic::RegExpCompiler>()
            .with::<intrinsic::RegExp>()
            .build(&runtime)
            .map_err(refuse)?;
        shared.budget.set(BUDGET_POLLS);
        let (call, memory, forget, begins, handed) =
            context.with(|ctx| load(&ctx, &shared, setting))?;
        Ok(Box::new(Running {
            call: Some(call),
            memory: Some(memory),
            forget: Some(forget),
            context,
            _runtime: runtime,
            shared,
            file: setting.path.to_owned(),
            begins,
            handed,
            step: setting.step,
            random,
        }))
    }
}

/// One wheel of what a script returned.
fn wheel(object: &Object<'_>, name: &str) -> Result<f64, String> {
    let value: Value<'_> = object.get(name).map_err(|error| error.to_string())?;
    match value.as_number() {
        Some(x) if x.is_finite() => Ok(x),
        _ => Err(format!("`{name}` is {}", shown(&value))),
    }
}

impl RunningScript for Running {
    fn control(&mut self, percept: &Percept, senses: &Senses) -> Result<[f64; 2], ScriptError> {
        let tick = percept.tick;
        self.shared.tick.set(tick.0);
        self.shared.budget.set(BUDGET_POLLS);
        self.shared.draws.set(Some(self.random.at(tick)));
        let failure = Failure { file: &self.file, tick: Some(tick.0), begins: self.begins };
        let t = self.step.seconds_at(tick);
        let call = self.call.clone();
        self.context.with(|ctx| {
            let returned = || -> rquickjs::Result<Value<'_>> {
                let function = call.ok_or(rquickjs::Error::Unknown)?.restore(&ctx)?;
                let mut values = [Shown::default(); tropism_body::MAX_SENSORS];
                let mut ok = 0_u32;
                for (i, slot) in values.iter_mut().enumerate().take(senses.count()) {
                    let (value, is_valid) = senses.value(i, percept);
                    *slot = value;
                    ok |= u32::from(is_valid) << i;
                }
                self.shared.now.set(values);
                self.shared.ok.set(ok);
                let mut args = Args::new(ctx.clone(), self.handed.len() + 2);
                args.push_arg(t)?;
                args.push_arg(ok as i32)?;
                for channel in &self.handed {
                    args.push_arg(values[channel & 15])?;
                }
                function.call_arg(args)
            };
            let value = returned().catch(&ctx).map_err(|error| failure.caught(error))?;
            let Some(object) = value.as_object() else {
                let what = format!(
                    "`control` returned {}; it returns {{ left, right }}, two numbers",
                    shown(&value)
                );
                return Err(failure.at(self.begins, what));
            };
            let both = wheel(object, "left").and_then(|l| Ok([l, wheel(object, "right")?]));
            // A getter that threw leaves an exception behind; it is told by `wheel`.
            let _ = ctx.catch();
            both.map_err(|what| {
                let right = "it returns { left, right }, two finite numbers";
                failure
                    .at(self.begins, format!("`control` returned an object whose {what}; {right}"))
            })
        })
    }

    fn memory_json(&self) -> String {
        let function = self.memory.clone();
        self.context.with(|ctx| {
            let text = || -> rquickjs::Result<Option<String>> {
                function.ok_or(rquickjs::Error::Unknown)?.restore(&ctx)?.call(())
            };
            text().catch(&ctx).ok().flatten().unwrap_or_else(|| "{}".to_owned())
        })
    }

    fn take_log(&mut self) -> Vec<LogLine> {
        core::mem::take(&mut *self.shared.log.borrow_mut())
    }

    fn forget(&mut self) {
        let function = self.forget.clone();
        self.context.with(|ctx| {
            if let Some(function) = function.and_then(|f| f.restore(&ctx).ok()) {
                let _ = function.call::<_, ()>(()).catch(&ctx);
            }
        });
    }
}

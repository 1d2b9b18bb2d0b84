//! JavaScript through `QuickJS`.
//!
//! Terms: those of [`guest`](super::guest), which holds what engines share.
//!
//! What it does not do: there is no `Date`, `Promise`, `WeakRef`, `Proxy`, `performance`, module
//! or timer.

use alloc::rc::Rc;
use core::cell::{Cell, RefCell};

use rquickjs::context::{EvalOptions, intrinsic};
use rquickjs::function::Args;
use rquickjs::{
    Atom, CatchResultExt, CaughtError, Context, Ctx, Error, Function, IntoJs, JsLifetime, Object,
    Persistent, Runtime, Value,
};
use tropism_body::{MAX_SENSORS, Percept, Reading};
use tropism_core::{FixedList, TimeStep};

use crate::script::guest::{
    self, Chance, Failure, Handing, Log, OUTSIDE, PEEK_MASK, PRELUDE, STACK_BYTES_MAX, Shown,
    Thrown, VALUE_SHIFT,
};
use crate::script::{
    BUDGET_POLLS, LogLine, MEMORY_BYTES_MAX, RunningScript, ScriptEngine, ScriptError, Seen,
    Senses, Setting,
};

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct JavaScript;

struct Shared {
    budget: Cell<i64>,
    tick: Cell<u64>,
    senses: Senses,
    /// What there is to sense at this tick, for channels that are not handed over.
    now: Cell<FixedList<Reading, MAX_SENSORS>>,
    chance: RefCell<Chance>,
    log: RefCell<Log>,
}

impl Shared {
    /// A channel's value, or with [`PEEK_MASK`] the bits of the trusted ones.
    fn seen(&self, channel: usize) -> Seen {
        let now = self.now.get();
        let count = self.senses.count();
        let seen = |i| self.senses.shown(i, now.get(i).copied().unwrap_or_default());
        if channel == PEEK_MASK {
            let is_trusted = |i| u32::from(seen(i).1);
            return Seen::Number(f64::from((0..count).fold(0, |ok, i| ok | is_trusted(i) << i)));
        }
        if channel < count { seen(channel).0 } else { Seen::default() }
    }
}

/// Something of the engine that is taken out for a call and put back.
///
/// A clone would count references up and down.
struct Held<T>(Option<Persistent<T>>);

impl<T> Held<T> {
    fn of<'js, U>(ctx: &Ctx<'js>, value: U) -> Self
    where
        U: JsLifetime<'js, Changed<'static> = T>,
    {
        Self(Some(Persistent::save(ctx, value)))
    }

    /// Lends it out.
    fn with<'js, R>(
        &mut self,
        ctx: &Ctx<'js>,
        run: impl FnOnce(&T::Changed<'js>) -> rquickjs::Result<R>,
    ) -> rquickjs::Result<R>
    where
        T: JsLifetime<'static>,
        T::Changed<'js>: JsLifetime<'js, Changed<'static> = T>,
    {
        let value = self.0.take().ok_or(Error::Unknown)?.restore(ctx)?;
        let result = run(&value);
        *self = Self::of(ctx, value);
        result
    }
}

/// A value as it is handed over: whole numbers are cheaper to compare than others.
impl<'js> IntoJs<'js> for Seen {
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
    handles: Handles,
    context: Context,
    _runtime: Runtime,
    shared: Rc<Shared>,
    file: String,
    text: String,
    step: TimeStep,
}

/// What is kept of a script that was read.
struct Handles {
    call: Held<Function<'static>>,
    memory: Persistent<Function<'static>>,
    forget: Persistent<Function<'static>>,
    wheels: [Held<Atom<'static>>; 2],
    _kept: Persistent<Value<'static>>,
    /// Where `control` begins.
    begins: (u32, u32),
    /// Channels handed over as arguments.
    handed: Vec<usize>,
}

impl core::fmt::Debug for Running {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Running").field("file", &self.file).finish_non_exhaustive()
    }
}

fn thrown(error: CaughtError<'_>) -> Thrown {
    match error {
        CaughtError::Exception(exception) => Thrown::Error {
            name: exception.as_object().get("name").ok(),
            message: exception.message().unwrap_or_default(),
            stack: exception.stack().unwrap_or_default(),
        },
        CaughtError::Value(value) => Thrown::Value(shown(&value)),
        CaughtError::Error(error) => Thrown::Engine(error.to_string()),
    }
}

/// A value, for messages.
fn shown(value: &Value<'_>) -> Shown {
    use rquickjs::Type;
    if let Some(x) = value.as_number() {
        return Shown::Number(x);
    }
    if let Some(text) = value.as_string() {
        return Shown::Text(text.to_string().unwrap_or_default());
    }
    let word = match value.type_of() {
        Type::Undefined => "undefined",
        Type::Null => "null",
        Type::Bool => "boolean",
        Type::Symbol => "symbol",
        Type::BigInt => "bigint",
        Type::Array => "array",
        Type::Function | Type::Constructor => "function",
        _ => "object",
    };
    Shown::Other(word.to_owned())
}

/// Puts `libm` in place of the C library, and keyed draws in place of entropy.
fn mathematics(ctx: &Ctx<'_>, shared: &Rc<Shared>) -> rquickjs::Result<()> {
    // What is left out is not a number; what is given is made one as the language does it.
    type Number = rquickjs::function::Opt<rquickjs::Coerced<f64>>;
    let number = |given: Number| given.0.map_or(f64::NAN, |x| x.0);
    let math: Object<'_> = ctx.globals().get("Math")?;
    for (name, f) in guest::ONES {
        let of_one = move |x: Number| f(number(x));
        math.set(name, Function::new(ctx.clone(), of_one)?.with_length(1)?)?;
    }
    for (name, f) in guest::TWOS {
        let of_two = move |x: Number, y: Number| f(number(x), number(y));
        math.set(name, Function::new(ctx.clone(), of_two)?.with_length(2)?)?;
    }
    let length = |parts: rquickjs::function::Rest<rquickjs::Coerced<f64>>| {
        parts.0.iter().fold(0.0, |length, x| guest::longer(length, x.0))
    };
    math.set("hypot", Function::new(ctx.clone(), length)?)?;
    let shared = Rc::clone(shared);
    let random = move || shared.chance.borrow_mut().random();
    math.set("random", Function::new(ctx.clone(), random)?)
}

/// Gives what is to be kept.
fn console(ctx: &Ctx<'_>, shared: &Rc<Shared>) -> rquickjs::Result<Persistent<Value<'static>>> {
    let shared = Rc::clone(shared);
    let emit = move |line: String| shared.log.borrow_mut().print(shared.tick.get(), &line);
    let emit = Function::new(ctx.clone(), emit)?;
    let prelude: Function<'_> = ctx.eval_with_options(PRELUDE, options(OUTSIDE))?;
    Ok(Persistent::save(ctx, prelude.call::<_, Value<'_>>((emit,))?))
}

fn options(file: &str) -> EvalOptions {
    let mut options = EvalOptions::default();
    options.strict = false;
    options.filename = Some(file.to_owned());
    options
}

fn load(ctx: &Ctx<'_>, shared: &Rc<Shared>, setting: Setting<'_>) -> Result<Handles, ScriptError> {
    let failure = Failure { file: setting.path, text: setting.text, tick: None, begins: (0, 0) };
    let catch = |error| failure.thrown(thrown(error));
    mathematics(ctx, shared).catch(ctx).map_err(catch)?;
    let kept = console(ctx, shared).catch(ctx).map_err(catch)?;
    shared.budget.set(BUDGET_POLLS);
    let _: Value<'_> =
        ctx.eval_with_options(setting.text, options(setting.path)).catch(ctx).map_err(catch)?;
    let guest::Bridge { code, handed } =
        guest::bridge(setting.senses, setting.text, setting.memory_json, Handing::Arguments);
    let parts = || -> rquickjs::Result<Option<Object<'_>>> {
        let shared = Rc::clone(shared);
        let peek = Function::new(ctx.clone(), move |i: usize| shared.seen(i))?;
        let bridge: Function<'_> = ctx.eval_with_options(code, options(OUTSIDE))?;
        bridge.call((peek,))
    };
    let parts = parts().catch(ctx).map_err(catch)?;
    let Some(parts) = parts else { return Err(failure.no_control()) };
    let function = |name: &str| parts.get::<_, Function<'_>>(name).catch(ctx).map_err(catch);
    let atom = |name: &str| Atom::from_str(ctx.clone(), name).catch(ctx).map_err(catch);
    let number = |name: &str| parts.get::<_, Option<u32>>(name).ok().flatten().unwrap_or(1);
    Ok(Handles {
        call: Held::of(ctx, function("call")?),
        memory: Persistent::save(ctx, function("memory")?),
        forget: Persistent::save(ctx, function("forget")?),
        wheels: [Held::of(ctx, atom(WHEELS[0])?), Held::of(ctx, atom(WHEELS[1])?)],
        _kept: kept,
        begins: (number("line"), number("column")),
        handed,
    })
}

impl ScriptEngine for JavaScript {
    fn start(&self, setting: Setting<'_>) -> Result<Box<dyn RunningScript>, ScriptError> {
        let failure =
            Failure { file: setting.path, text: setting.text, tick: None, begins: (0, 0) };
        let refuse = |error: Error| failure.at((0, 0), error.to_string());
        let shared = Rc::new(Shared {
            budget: Cell::default(),
            tick: Cell::default(),
            senses: setting.senses.clone(),
            now: Cell::default(),
            chance: RefCell::new(Chance::new(setting.seed, setting.robot)),
            log: RefCell::default(),
        });
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
        let handles = context.with(|ctx| load(&ctx, &shared, setting))?;
        Ok(Box::new(Running {
            handles,
            context,
            _runtime: runtime,
            shared,
            file: setting.path.to_owned(),
            text: setting.text.to_owned(),
            step: setting.step,
        }))
    }
}

/// Names of the wheels in what a script returns.
const WHEELS: [&str; 2] = ["left", "right"];

/// What was returned, as wheels.
fn wheels(
    value: &Value<'_>,
    atoms: &mut [Held<Atom<'static>>; 2],
    failure: &Failure<'_>,
) -> Result<[f64; 2], ScriptError> {
    let Some(object) = value.as_object() else { return Err(failure.no_object(&shown(value))) };
    let mut speeds = [0.0; 2];
    for ((speed, atom), name) in speeds.iter_mut().zip(atoms).zip(WHEELS) {
        let read = atom.with(object.ctx(), |atom| object.get::<_, Value<'_>>(atom.clone()));
        let Ok(value) = read else {
            // What a getter threw is told in short: it has no place in `control`.
            let _ = object.ctx().catch();
            return Err(failure.no_wheel(&format!("`{name}` cannot be read")));
        };
        *speed = match value.as_number() {
            Some(x) if x.is_finite() => x,
            _ => failure.wheel(name, &shown(&value))?,
        };
    }
    Ok(speeds)
}

impl RunningScript for Running {
    fn control(&mut self, percept: &Percept, senses: &Senses) -> Result<[f64; 2], ScriptError> {
        let tick = percept.tick;
        self.shared.tick.set(tick.0);
        self.shared.now.set(percept.readings);
        self.shared.budget.set(BUDGET_POLLS);
        self.shared.chance.borrow_mut().begin(tick);
        let Handles { call, wheels: atoms, begins, handed, .. } = &mut self.handles;
        let (file, text) = (&self.file, &self.text);
        let failure = Failure { file, text, tick: Some(tick.0), begins: *begins };
        let t = self.step.seconds_at(tick);
        self.context.with(|ctx| {
            let returned = call.with(&ctx, |function| {
                let mut numbers = [0.0; MAX_SENSORS];
                let mut count = 0;
                let mut ok = 0_u32;
                for channel in &*handed {
                    let (value, is_trusted) = senses.value(*channel, percept);
                    ok |= u32::from(is_trusted) << channel;
                    match value {
                        Seen::Number(x) => {
                            numbers[count] = x;
                            count += 1;
                        }
                        Seen::Bit(b) | Seen::Truth(b) => {
                            ok |= u32::from(b) << (channel + VALUE_SHIFT);
                        }
                    }
                }
                let mut args = Args::new(ctx.clone(), count + 2);
                args.push_arg(t)?;
                args.push_arg(ok as i32)?;
                args.push_args(numbers.into_iter().take(count))?;
                function.call_arg::<Value<'_>>(args)
            });
            let value = returned.catch(&ctx).map_err(|e| failure.thrown(thrown(e)))?;
            wheels(&value, atoms, &failure)
        })
    }

    fn memory_json(&self) -> String {
        let function = self.handles.memory.clone();
        self.context.with(|ctx| {
            let text = || -> rquickjs::Result<Option<String>> { function.restore(&ctx)?.call(()) };
            text().catch(&ctx).ok().flatten().unwrap_or_else(|| "{}".to_owned())
        })
    }

    fn take_log(&mut self) -> Vec<LogLine> {
        self.shared.log.borrow_mut().take()
    }

    fn forget(&mut self) {
        let function = self.handles.forget.clone();
        self.context.with(|ctx| {
            if let Ok(function) = function.restore(&ctx) {
                let _ = function.call::<_, ()>(()).catch(&ctx);
            }
        });
    }
}

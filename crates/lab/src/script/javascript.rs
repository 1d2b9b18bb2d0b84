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
    CatchResultExt, CaughtError, Context, Ctx, Function, IntoJs, Object, Persistent, Runtime, Value,
};
use tropism_body::Percept;
use tropism_core::TimeStep;

use crate::script::guest::{
    self, Chance, Failure, Handing, Log, OUTSIDE, PEEK_MASK, PRELUDE, STACK_BYTES_MAX, Shown,
    Thrown,
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
    /// What the channels say at this tick, by channel.
    now: Cell<[Seen; tropism_body::MAX_SENSORS]>,
    /// Which of them can be trusted, as bits.
    ok: Cell<u32>,
    chance: RefCell<Chance>,
    log: RefCell<Log>,
}

impl Shared {
    /// A channel's value, or with [`PEEK_MASK`] the bits of the trusted ones.
    fn seen(&self, channel: usize) -> Seen {
        if channel == PEEK_MASK {
            return Seen::Number(f64::from(self.ok.get()));
        }
        self.now.get().get(channel).copied().unwrap_or_default()
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
    type Number = rquickjs::Coerced<f64>;
    let math: Object<'_> = ctx.globals().get("Math")?;
    for (name, f) in guest::ONES {
        let of_one = move |x: Option<Number>| f(x.map_or(f64::NAN, |x| x.0));
        math.set(name, Function::new(ctx.clone(), of_one)?)?;
    }
    for (name, f) in guest::TWOS {
        let of_two = move |x: Option<Number>, y: Option<Number>| {
            f(x.map_or(f64::NAN, |x| x.0), y.map_or(f64::NAN, |y| y.0))
        };
        math.set(name, Function::new(ctx.clone(), of_two)?)?;
    }
    let length = |parts: rquickjs::function::Rest<Number>| {
        parts.0.iter().fold(0.0, |length, x| guest::longer(length, x.0))
    };
    math.set("hypot", Function::new(ctx.clone(), length)?)?;
    let shared = Rc::clone(shared);
    let random = move || shared.chance.borrow_mut().random();
    math.set("random", Function::new(ctx.clone(), random)?)
}

fn console(ctx: &Ctx<'_>, shared: &Rc<Shared>) -> rquickjs::Result<()> {
    let shared = Rc::clone(shared);
    let emit = move |line: String| shared.log.borrow_mut().print(shared.tick.get(), &line);
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

type Handles = (
    Persistent<Function<'static>>,
    Persistent<Function<'static>>,
    Persistent<Function<'static>>,
    (u32, u32),
    Vec<usize>,
);

fn load(ctx: &Ctx<'_>, shared: &Rc<Shared>, setting: Setting<'_>) -> Result<Handles, ScriptError> {
    let failure = Failure { file: setting.path, tick: None, begins: (0, 0) };
    let catch = |error| failure.thrown(thrown(error));
    mathematics(ctx, shared).catch(ctx).map_err(catch)?;
    console(ctx, shared).catch(ctx).map_err(catch)?;
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
        let shared = Rc::new(Shared {
            budget: Cell::default(),
            tick: Cell::default(),
            now: Cell::default(),
            ok: Cell::default(),
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
        }))
    }
}

/// One wheel of what a script returned.
fn wheel(object: &Object<'_>, name: &str, failure: &Failure<'_>) -> Result<f64, ScriptError> {
    if let Ok(value) = object.get::<_, Value<'_>>(name) {
        return failure.wheel(name, &shown(&value));
    }
    // What a getter threw is told in short: it has no place in `control`.
    let _ = object.ctx().catch();
    Err(failure.no_wheel(&format!("`{name}` cannot be read")))
}

impl RunningScript for Running {
    fn control(&mut self, percept: &Percept, senses: &Senses) -> Result<[f64; 2], ScriptError> {
        let tick = percept.tick;
        self.shared.tick.set(tick.0);
        self.shared.budget.set(BUDGET_POLLS);
        self.shared.chance.borrow_mut().begin(tick);
        let failure = Failure { file: &self.file, tick: Some(tick.0), begins: self.begins };
        let t = self.step.seconds_at(tick);
        let call = self.call.clone();
        self.context.with(|ctx| {
            let returned = || -> rquickjs::Result<Value<'_>> {
                let function = call.ok_or(rquickjs::Error::Unknown)?.restore(&ctx)?;
                let mut values = [Seen::default(); tropism_body::MAX_SENSORS];
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
            let value = returned().catch(&ctx).map_err(|e| failure.thrown(thrown(e)))?;
            let Some(object) = value.as_object() else {
                return Err(failure.no_object(&shown(&value)));
            };
            Ok([wheel(object, "left", &failure)?, wheel(object, "right", &failure)?])
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
        self.shared.log.borrow_mut().take()
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

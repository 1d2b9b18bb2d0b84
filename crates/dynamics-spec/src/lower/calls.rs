//! The functions of the expression language.

use super::{Lowerer, Mistake, common, fail, joined};
use crate::diagnostic::suggestion;
use crate::expr::{Expr, Node};
use crate::interval::Interval;
use crate::ir::Ir;
use crate::symbol::{Kind, Symbol, Typed};
use crate::unit::Dimension;
use tropism_core::math::f64 as math;
use tropism_dynamics::{Op, Real};

/// Functions and their numbers of arguments.
pub(crate) const FUNCTIONS: [(&str, usize); 20] = [
    ("min", 2),
    ("max", 2),
    ("clip", 3),
    ("sat", 1),
    ("sstep", 3),
    ("sigmoid", 1),
    ("abs", 1),
    ("sign", 1),
    ("sin", 1),
    ("cos", 1),
    ("atan2", 2),
    ("atan", 1),
    ("tan", 1),
    ("hypot", 2),
    ("exp", 1),
    ("ln", 1),
    ("sqrt", 1),
    ("wrap", 1),
    ("if", 3),
    ("prev", 1),
];

/// min or max of two values.
pub(super) fn extreme(at: usize, name: &str, a: Typed, b: Typed) -> Result<Typed, Mistake> {
    let unit = common(at, name, &a, &b)?;
    wrapped(at, &a)?;
    wrapped(at, &b)?;
    let (needs, is_leaky) = joined(&a, &b);
    let (op, range) = if name == "min" {
        (Op::Min, a.range.least(b.range))
    } else {
        (Op::Max, a.range.most(b.range))
    };
    let is_bare = a.is_bare && b.is_bare;
    let kind =
        if a.kind == Kind::Angle || b.kind == Kind::Angle { Kind::Angle } else { Kind::Plain };
    Ok(Typed { ir: Ir::two(op, a.ir, b.ir), unit, kind, range, is_bare, needs, is_leaky })
}

/// Refuses an angle difference that was not wrapped.
fn wrapped(at: usize, typed: &Typed) -> Result<(), Mistake> {
    if typed.kind == Kind::Unwrapped {
        let reason = "an angle difference is used before it is wrapped; write wrap(…), or give \
                      the percept type = \"angle\"";
        return fail(at, reason.to_owned());
    }
    Ok(())
}

/// Refuses anything but a pure number.
fn pure(at: usize, name: &str, typed: &Typed) -> Result<(), Mistake> {
    if typed.unit == Dimension::NONE {
        return Ok(());
    }
    fail(at, format!("{name} takes a pure number, not one in {}", typed.unit))
}

impl Lowerer<'_> {
    pub(super) fn call(&mut self, at: usize, name: &str, list: &[Expr]) -> Result<Typed, Mistake> {
        let Some((_, count)) = FUNCTIONS.iter().find(|(n, _)| *n == name) else {
            let hint = suggestion(name, FUNCTIONS.iter().map(|(n, _)| *n));
            return fail(at, format!("there is no function `{name}`{hint}"));
        };
        if list.len() != *count {
            let reason = format!("{name} takes {count} argument(s), not {}", list.len());
            return fail(at, reason);
        }
        if name == "prev" {
            return self.previous(at, &list[0]);
        }
        if name == "if" {
            return self.choice(at, list);
        }
        let mut typed = list.iter().map(|a| self.expr(a)).collect::<Result<Vec<_>, _>>()?;
        match (typed.pop(), typed.pop(), typed.pop()) {
            (Some(c), Some(b), Some(a)) => three(at, name, a, b, c),
            (Some(b), Some(a), None) if name == "min" || name == "max" => extreme(at, name, a, b),
            (Some(b), Some(a), None) => plane(at, name, a, b),
            (Some(a), ..) => one(at, name, a),
            _ => fail(at, format!("{name} needs arguments")),
        }
    }

    fn previous(&mut self, at: usize, argument: &Expr) -> Result<Typed, Mistake> {
        let Node::Name(name) = &argument.node else {
            return fail(at, "prev() takes the name of a percept of this layer".to_owned());
        };
        let previous = self.names.previous;
        if let Some(Symbol::Value(value)) = previous.get(name) {
            return Ok(value.typed());
        }
        let hint = suggestion(name, previous.keys().map(String::as_str));
        fail(at, format!("prev() takes a percept of this layer, not `{name}`{hint}"))
    }

    fn choice(&mut self, at: usize, list: &[Expr]) -> Result<Typed, Mistake> {
        let condition = self.truth(&list[0])?;
        let (yes, no) = (self.expr(&list[1])?, self.expr(&list[2])?);
        let unit = common(at, "choice", &yes, &no)?;
        let (mut needs, mut is_leaky) = joined(&yes, &no);
        needs.extend(&condition.needs);
        is_leaky |= condition.is_leaky;
        let kind = match (yes.kind, no.kind) {
            (Kind::Unwrapped, _) | (_, Kind::Unwrapped) => Kind::Unwrapped,
            (Kind::Angle, _) | (_, Kind::Angle) => Kind::Angle,
            (Kind::Truth, Kind::Truth) => Kind::Truth,
            _ => Kind::Plain,
        };
        let range = match condition.ir {
            Ir::Const(c) => {
                if c == 0.0 {
                    no.range
                } else {
                    yes.range
                }
            }
            _ => yes.range.hull(no.range),
        };
        let is_bare = yes.is_bare && no.is_bare;
        let ir = Ir::three(Op::Select, [condition.ir, yes.ir, no.ir]);
        Ok(Typed { ir, unit, kind, range, is_bare, needs, is_leaky })
    }
}

fn one(at: usize, name: &str, a: Typed) -> Result<Typed, Mistake> {
    let is_periodic = matches!(name, "sin" | "cos" | "tan" | "wrap");
    if !is_periodic {
        wrapped(at, &a)?;
    }
    if !matches!(name, "abs" | "sign" | "sqrt") {
        pure(at, name, &a)?;
    }
    let plain = |op: Op, range: Interval, a: Typed| {
        let (unit, is_bare) = (Dimension::NONE, false);
        Typed { ir: Ir::one(op, a.ir), unit, kind: Kind::Plain, range, is_bare, ..a }
    };
    let range = a.range;
    Ok(match name {
        "abs" => {
            Typed { range: range.absolute(), kind: Kind::Plain, ir: Ir::one(Op::Abs, a.ir), ..a }
        }
        "sign" => plain(Op::Sign, range.rising(Real::sign), a),
        "sat" => plain(Op::Sat, range.rising(Real::unit), a),
        "sigmoid" => {
            let typed = plain(Op::Sigmoid, range.rising(Real::sigmoid), a);
            Typed { is_leaky: true, ..typed }
        }
        "sin" => plain(Op::Sin, range.wave(math::sin), a),
        "cos" => plain(Op::Cos, range.wave(math::cos), a),
        "tan" => {
            let (sine, cosine) = (Ir::one(Op::Sin, a.ir.clone()), Ir::one(Op::Cos, a.ir.clone()));
            let ir = Ir::two(Op::Div, sine, cosine);
            Typed { ir, range: Interval::WHOLE, kind: Kind::Plain, unit: Dimension::NONE, ..a }
        }
        "atan" => {
            let half = core::f64::consts::FRAC_PI_2;
            let ir = Ir::two(Op::Atan2, a.ir, Ir::Const(1.0));
            Typed { ir, range: Interval::new(-half, half), kind: Kind::Plain, ..a }
        }
        "exp" => plain(Op::Exp, range.rising(math::exp), a),
        "ln" => plain(Op::Ln, range.rising(|x| math::ln(x.max(0.0))), a),
        "wrap" => Typed { kind: Kind::Angle, ..plain(Op::Wrap, Interval::TURN, a) },
        _ => {
            let Some(unit) = a.unit.root() else {
                return fail(at, format!("{} has no square root", a.unit));
            };
            Typed { unit, range: range.root(), kind: Kind::Plain, ir: Ir::one(Op::Sqrt, a.ir), ..a }
        }
    })
}

/// atan2 and hypot.
fn plane(at: usize, name: &str, a: Typed, b: Typed) -> Result<Typed, Mistake> {
    let unit = common(at, name, &a, &b)?;
    wrapped(at, &a)?;
    wrapped(at, &b)?;
    let (needs, is_leaky) = joined(&a, &b);
    let base = Typed { needs, is_leaky, ..Typed::constant(0.0, unit, false) };
    if name == "atan2" {
        let ir = Ir::two(Op::Atan2, a.ir, b.ir);
        let unit = Dimension::NONE;
        return Ok(Typed { ir, unit, kind: Kind::Angle, range: Interval::TURN, ..base });
    }
    let range = a.range.power(2).plus(b.range.power(2)).root();
    Ok(Typed { ir: Ir::two(Op::Hypot, a.ir, b.ir), range, ..base })
}

/// clip and sstep.
fn three(at: usize, name: &str, a: Typed, b: Typed, c: Typed) -> Result<Typed, Mistake> {
    let unit = common(at, name, &a, &b)?;
    common(at, name, &a, &c)?;
    common(at, name, &b, &c)?;
    for typed in [&a, &b, &c] {
        wrapped(at, typed)?;
    }
    let (mut needs, mut is_leaky) = joined(&a, &b);
    needs.extend(&c.needs);
    is_leaky |= c.is_leaky;
    let base = Typed { needs, is_leaky, ..Typed::constant(0.0, unit, false) };
    if name == "clip" {
        let range = a.range.most(b.range).least(c.range);
        let is_bare = a.is_bare && b.is_bare && c.is_bare;
        return Ok(Typed { ir: Ir::three(Op::Clip, [a.ir, b.ir, c.ir]), range, is_bare, ..base });
    }
    let range = a.range.smooth_step(b.range, c.range);
    let ir = Ir::three(Op::SmoothStep, [a.ir, b.ir, c.ir]);
    Ok(Typed { ir, range, unit: Dimension::NONE, ..base })
}

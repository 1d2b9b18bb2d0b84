//! Resolving names and checking units, angles and ranges of an expression.

mod calls;

use crate::diagnostic::suggestion;
use crate::expr::{Expr, Node};
use crate::interval::Interval;
use crate::ir::Ir;
use crate::symbol::{Kind, Scope, Symbol, Typed};
use crate::unit::{self, Dimension};
use alloc::collections::BTreeSet;
use tropism_dynamics::Op;

/// Why an expression was refused, and where in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub(crate) at: usize,
    pub(crate) reason: String,
}

/// Names an expression may read.
#[derive(Clone, Copy)]
pub(crate) struct Names<'n> {
    pub(crate) scope: &'n Scope,
    /// What `prev(…)` may name; empty outside percepts.
    pub(crate) previous: &'n Scope,
}

/// Resolves an expression.
pub(crate) fn lower(expr: &Expr, names: Names<'_>, index: Option<u16>) -> Result<Typed, Mistake> {
    let mut variables = Vec::new();
    if let Some(index) = index {
        variables.push(("k".to_owned(), f64::from(index)));
    }
    Lowerer { names, variables }.expr(expr)
}

struct Lowerer<'n> {
    names: Names<'n>,
    variables: Vec<(String, f64)>,
}

fn fail<T>(at: usize, reason: String) -> Result<T, Mistake> {
    Err(Mistake { at, reason })
}

/// Joins what two operands depend on.
fn joined(a: &Typed, b: &Typed) -> (BTreeSet<u16>, bool) {
    (a.needs.union(&b.needs).copied().collect(), a.is_leaky || b.is_leaky)
}

/// The common unit of two values that are added or compared.
fn common(at: usize, what: &str, a: &Typed, b: &Typed) -> Result<Dimension, Mistake> {
    match (a.is_bare, b.is_bare) {
        (true, _) => Ok(b.unit),
        (_, true) => Ok(a.unit),
        _ if a.unit == b.unit => Ok(a.unit),
        _ => fail(at, format!("{what} of {} and {}: the units differ", a.unit, b.unit)),
    }
}

impl Lowerer<'_> {
    fn expr(&mut self, expr: &Expr) -> Result<Typed, Mistake> {
        let at = expr.at;
        match &expr.node {
            Node::Number(value, None) => Ok(Typed::constant(*value, Dimension::NONE, true)),
            Node::Number(value, Some(name)) => match unit::symbol(name) {
                Some(unit) => Ok(Typed::constant(value * unit.scale, unit.dimension, false)),
                None => fail(at, format!("`{name}` after a number is no unit")),
            },
            Node::Name(name) => self.name(at, name),
            Node::Index(name, index) => self.element(at, name, index),
            Node::Prefix('!', a) => {
                let a = self.truth(a)?;
                Ok(Typed { ir: Ir::one(Op::Not, a.ir), range: Interval::UNIT, ..a })
            }
            Node::Prefix(_, a) => {
                let a = self.expr(a)?;
                Ok(Typed { ir: Ir::one(Op::Neg, a.ir), range: a.range.negated(), ..a })
            }
            Node::Infix(op, a, b) => self.infix(at, op, a, b),
            Node::Call(name, arguments) => self.call(at, name, arguments),
            Node::Fold { name, variable, list, body } => self.fold(at, name, variable, list, body),
        }
    }

    fn name(&self, at: usize, name: &str) -> Result<Typed, Mistake> {
        if let Some((_, value)) = self.variables.iter().rev().find(|(n, _)| n == name) {
            return Ok(Typed::constant(*value, Dimension::NONE, true));
        }
        match self.names.scope.get(name) {
            Some(Symbol::Constant(value, unit)) => Ok(Typed::constant(*value, *unit, false)),
            Some(Symbol::Value(value)) => Ok(value.typed()),
            Some(Symbol::List(..) | Symbol::Row(..)) => {
                fail(at, format!("`{name}` is a row; choose an element with `{name}[0]`"))
            }
            None if name == "pi" => {
                Ok(Typed::constant(core::f64::consts::PI, Dimension::NONE, true))
            }
            None => {
                let hint = suggestion(name, self.names.scope.keys().map(String::as_str));
                fail(at, format!("nothing named `{name}` can be read here{hint}"))
            }
        }
    }

    fn length(&self, at: usize, name: &str) -> Result<usize, Mistake> {
        match self.names.scope.get(name) {
            Some(Symbol::List(values, _)) => Ok(values.len()),
            Some(Symbol::Row(values)) => Ok(values.len()),
            Some(_) => fail(at, format!("`{name}` is a single value, not a row")),
            None => {
                let hint = suggestion(name, self.names.scope.keys().map(String::as_str));
                fail(at, format!("nothing named `{name}` can be read here{hint}"))
            }
        }
    }

    fn element(&mut self, at: usize, name: &str, index: &Expr) -> Result<Typed, Mistake> {
        let length = self.length(at, name)?;
        let Ir::Const(number) = self.expr(index)?.ir else {
            return fail(index.at, "an index must be known when compiling".to_owned());
        };
        let is_inside = number >= 0.0 && number < length as f64 && number % 1.0 == 0.0;
        if !is_inside {
            let reason = format!("`{name}` has elements 0 to {}, not {number}", length - 1);
            return fail(index.at, reason);
        }
        match self.names.scope.get(name) {
            Some(Symbol::List(values, unit)) => {
                Ok(Typed::constant(values[number as usize], *unit, false))
            }
            Some(Symbol::Row(values)) => Ok(values[number as usize].typed()),
            _ => self.name(at, name),
        }
    }

    /// An operand that must be 0 or 1.
    fn truth(&mut self, expr: &Expr) -> Result<Typed, Mistake> {
        let typed = self.expr(expr)?;
        if typed.kind == Kind::Truth || matches!(typed.ir, Ir::Const(c) if c == 0.0 || c == 1.0) {
            return Ok(Typed { kind: Kind::Truth, unit: Dimension::NONE, is_bare: false, ..typed });
        }
        fail(expr.at, "a condition (a comparison) is expected here".to_owned())
    }

    fn infix(&mut self, at: usize, op: &str, a: &Expr, b: &Expr) -> Result<Typed, Mistake> {
        match op {
            "&&" | "||" => {
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                let op = if op == "&&" { Op::Min } else { Op::Max };
                let (needs, is_leaky) = joined(&a, &b);
                Ok(Typed {
                    ir: Ir::two(op, a.ir, b.ir),
                    range: Interval::UNIT,
                    needs,
                    is_leaky,
                    ..b
                })
            }
            "^" => self.raised(at, a, b),
            _ => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                match op {
                    "+" | "-" => sum(at, op, a, b),
                    "*" | "/" => Ok(product(op, a, b)),
                    _ => compare(at, op, a, b),
                }
            }
        }
    }

    fn raised(&mut self, at: usize, a: &Expr, b: &Expr) -> Result<Typed, Mistake> {
        let (base, exponent) = (self.expr(a)?, self.expr(b)?);
        if base.kind == Kind::Unwrapped || exponent.kind == Kind::Unwrapped {
            return fail(at, "an angle difference is raised before it is wrapped".to_owned());
        }
        let whole = match exponent.ir {
            Ir::Const(x) if (1.0..=64.0).contains(&x) && x % 1.0 == 0.0 => Some(x as u16),
            _ => None,
        };
        if let Some(n) = whole {
            let (unit, range) = (base.unit.power(n as i8), base.range.power(n));
            return Ok(Typed { ir: Ir::power(base.ir, n), unit, range, kind: Kind::Plain, ..base });
        }
        if base.unit != Dimension::NONE || exponent.unit != Dimension::NONE {
            let reason = "a power other than 1 to 64 needs pure numbers".to_owned();
            return fail(at, reason);
        }
        let (needs, is_leaky) = joined(&base, &exponent);
        let range =
            if base.range.lo > 0.0 { Interval::new(0.0, f64::INFINITY) } else { Interval::WHOLE };
        let is_bare = base.is_bare && exponent.is_bare;
        let ir = Ir::two(Op::Pow, base.ir, exponent.ir);
        let base = Typed::constant(0.0, Dimension::NONE, is_bare);
        Ok(Typed { ir, range, needs, is_leaky, ..base })
    }

    fn fold(
        &mut self,
        at: usize,
        name: &str,
        variable: &str,
        list: &str,
        body: &Expr,
    ) -> Result<Typed, Mistake> {
        let mut folded: Option<Typed> = None;
        for index in 0..self.length(at, list)? {
            self.variables.push((variable.to_owned(), index as f64));
            let next = self.expr(body);
            self.variables.pop();
            let next = next?;
            folded = Some(match folded {
                None => next,
                Some(before) if name == "sum" => sum(at, "+", before, next)?,
                Some(before) => calls::extreme(at, name, before, next)?,
            });
        }
        folded.map_or_else(|| fail(at, format!("`{list}` is empty")), Ok)
    }
}

fn sum(at: usize, op: &str, a: Typed, b: Typed) -> Result<Typed, Mistake> {
    let is_sum = op == "+";
    let unit = common(at, if is_sum { "sum" } else { "difference" }, &a, &b)?;
    let (needs, is_leaky) = joined(&a, &b);
    let is_directed = |t: &Typed| matches!(t.kind, Kind::Angle | Kind::Unwrapped);
    let kind = if is_directed(&a) || is_directed(&b) { Kind::Unwrapped } else { Kind::Plain };
    let (op, range) = if is_sum {
        (Op::Add, a.range.plus(b.range))
    } else {
        (Op::Sub, a.range.plus(b.range.negated()))
    };
    let is_bare = a.is_bare && b.is_bare;
    Ok(Typed { ir: Ir::two(op, a.ir, b.ir), unit, kind, range, is_bare, needs, is_leaky })
}

fn product(op: &str, a: Typed, b: Typed) -> Typed {
    let (needs, is_leaky) = joined(&a, &b);
    let is_bare = a.is_bare && b.is_bare;
    // A multiple of an unwrapped difference is still one.
    let is_unwrapped = a.kind == Kind::Unwrapped || b.kind == Kind::Unwrapped;
    let kind = if is_unwrapped { Kind::Unwrapped } else { Kind::Plain };
    let (op, unit, range) = if op == "*" {
        (Op::Mul, a.unit.times(b.unit), a.range.times(b.range))
    } else {
        (Op::Div, a.unit.times(b.unit.power(-1)), a.range.over(b.range))
    };
    Typed { ir: Ir::two(op, a.ir, b.ir), unit, kind, range, is_bare, needs, is_leaky }
}

fn compare(at: usize, op: &str, a: Typed, b: Typed) -> Result<Typed, Mistake> {
    common(at, "comparison", &a, &b)?;
    if a.kind == Kind::Unwrapped || b.kind == Kind::Unwrapped {
        return fail(at, "an angle difference is compared before it is wrapped".to_owned());
    }
    if a.kind == Kind::Angle && b.kind == Kind::Angle {
        let reason = "two directions have no order; compare wrap(a - b) with 0".to_owned();
        return fail(at, reason);
    }
    let (needs, is_leaky) = joined(&a, &b);
    let (op, a, b) = match op {
        "<" => (Op::Less, a.ir, b.ir),
        "<=" => (Op::LessEqual, a.ir, b.ir),
        ">" => (Op::Less, b.ir, a.ir),
        _ => (Op::LessEqual, b.ir, a.ir),
    };
    let base = Typed::constant(0.0, Dimension::NONE, false);
    let ir = Ir::two(op, a, b);
    Ok(Typed { ir, kind: Kind::Truth, range: Interval::UNIT, needs, is_leaky, ..base })
}

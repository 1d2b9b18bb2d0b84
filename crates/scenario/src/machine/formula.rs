//! Formulas as text.
//!
//! Grammar: a sum of products of numbers, names, parentheses and functions: `min(a, b)`,
//! `max(a, b)`, `abs(a)`, `sign(a)`, `clamp(a, low, high)`, `near(distance, reach)`,
//! `if(a < b, then, else)`, `valid(sensor)`; `seconds_in_state` is a number.
//!
//! What it does not do: comparisons stand in `if` only, so that what decides between states is a
//! condition with thresholds that can be checked.

use tropism_reactive::machine::{Formula, Op, STACK_MAX};

/// Deepest nesting of a formula.
const DEPTH_MAX: usize = 24;
/// Most operations of a machine.
pub(crate) const OPS_MAX: usize = 4096;

/// Names that mean something in every formula.
pub(crate) const RESERVED: [&str; 9] =
    ["min", "max", "abs", "sign", "clamp", "near", "if", "valid", "seconds_in_state"];

/// What is wrong in a formula, and where: a byte offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) at: usize,
    pub(crate) what: String,
    pub(crate) right: String,
}

/// Names a formula can use.
pub(crate) trait Names {
    /// The operation that gets the value of a name.
    fn find(&self, name: &str) -> Option<Op>;
    /// What to write instead of an unknown name.
    fn suggest(&self, name: &str) -> String;
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    names: &'a dyn Names,
    ops: &'a mut Vec<Op>,
    stack: usize,
}

fn wrong<T>(at: usize, what: impl Into<String>, right: impl Into<String>) -> Result<T, Wrong> {
    Err(Wrong { at, what: what.into(), right: right.into() })
}

impl Parser<'_> {
    fn skip(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip();
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let is_there = self.peek() == Some(c);
        if is_there {
            self.at += c.len_utf8();
        }
        is_there
    }

    fn need(&mut self, c: char) -> Result<(), Wrong> {
        if self.eat(c) {
            return Ok(());
        }
        let found = self.peek().map_or_else(|| String::from("the end"), |f| format!("`{f}`"));
        wrong(self.at, format!("the formula has {found} where `{c}` is needed"), "")
    }

    fn push(&mut self, op: Op) -> Result<(), Wrong> {
        let takes = op.takes();
        debug_assert!(self.stack >= takes, "the parser puts arguments first");
        self.stack = self.stack + 1 - takes.min(self.stack);
        if self.stack > STACK_MAX || self.ops.len() >= OPS_MAX {
            let right = "split it: give a part of it a name under [signals]";
            return wrong(self.at, "the formula is too large", right);
        }
        self.ops.push(op);
        Ok(())
    }

    fn sum(&mut self) -> Result<(), Wrong> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return wrong(self.at, "the formula is nested too deeply", "give a part of it a name");
        }
        self.product()?;
        loop {
            let op = match self.peek() {
                Some('+') => Op::Add,
                Some('-') => Op::Subtract,
                _ => break,
            };
            self.at += 1;
            self.product()?;
            self.push(op)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn product(&mut self) -> Result<(), Wrong> {
        self.factor()?;
        loop {
            let op = match self.peek() {
                Some('*') => Op::Multiply,
                Some('/') => Op::Divide,
                _ => return Ok(()),
            };
            self.at += 1;
            self.factor()?;
            self.push(op)?;
        }
    }

    fn factor(&mut self) -> Result<(), Wrong> {
        let mut is_negative = false;
        while self.eat('-') {
            is_negative = !is_negative;
        }
        match self.peek() {
            Some('(') => {
                self.at += 1;
                self.sum()?;
                self.need(')')?;
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number()?,
            Some(c) if c.is_ascii_alphabetic() || c == '_' => self.word()?,
            Some(c) => {
                let right = "a number, a name, a function or `(` can stand here";
                return wrong(
                    self.at,
                    format!("the formula has `{}` here", c.escape_debug()),
                    right,
                );
            }
            None => return wrong(self.at, "the formula ends too early", ""),
        }
        if is_negative { self.push(Op::Negate) } else { Ok(()) }
    }

    fn number(&mut self) -> Result<(), Wrong> {
        let start = self.at;
        let rest = &self.text[start..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '_';
        let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let word = &rest[..len];
        self.at += len;
        match word.parse::<f32>() {
            Ok(x) if x.is_finite() => self.push(Op::Constant(x)),
            _ => wrong(start, format!("`{}` is no number", crate::validate::shown(word)), ""),
        }
    }

    fn name(&mut self) -> (usize, String) {
        self.skip();
        let start = self.at;
        let rest = &self.text[start..];
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let len = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += len;
        (start, rest[..len].to_owned())
    }

    fn word(&mut self) -> Result<(), Wrong> {
        let (start, word) = self.name();
        let op = match word.as_str() {
            "min" => Op::Min,
            "max" => Op::Max,
            "abs" => Op::Abs,
            "sign" => Op::Sign,
            "clamp" => Op::Clamp,
            "near" => Op::Near,
            "if" => return self.choice(),
            "valid" => return self.valid(),
            "seconds_in_state" => return self.push(Op::SecondsInState),
            name => {
                if let Some(op) = self.names.find(name) {
                    return self.push(op);
                }
                let shown = crate::validate::shown(name);
                let right = self.names.suggest(name);
                return wrong(start, format!("nothing is named `{shown}`"), right);
            }
        };
        self.need('(')?;
        for i in 0..op.takes() {
            if i > 0 {
                self.need(',')?;
            }
            self.sum()?;
        }
        self.need(')')?;
        self.push(op)
    }

    fn valid(&mut self) -> Result<(), Wrong> {
        self.need('(')?;
        let (start, name) = self.name();
        let Some(Op::Sensor(i)) = self.names.find(&name) else {
            return wrong(start, "`valid` takes a sensor", "name one of `sensors`");
        };
        self.need(')')?;
        self.push(Op::IsValid(i))
    }

    fn choice(&mut self) -> Result<(), Wrong> {
        self.need('(')?;
        let first = self.ops.len();
        self.sum()?;
        let comparison = self.peek();
        let at = self.at;
        let is_less = match comparison {
            Some('<') => true,
            Some('>') => false,
            _ => return wrong(at, "`if` compares nothing", "write if(a < b, then, else)"),
        };
        self.at += 1;
        let may_equal = self.text[self.at..].starts_with('=');
        self.at += usize::from(may_equal);
        let second = self.ops.len();
        self.sum()?;
        if !is_less {
            // a > b is b < a: the two arguments change places.
            self.ops[first..].rotate_left(second - first);
        }
        self.push(if may_equal { Op::LessOrEqual } else { Op::Less })?;
        for _ in 0..2 {
            self.need(',')?;
            self.sum()?;
        }
        self.need(')')?;
        self.push(Op::If)
    }
}

/// Reads a formula; its operations go to the end of `ops`.
pub(crate) fn parse(text: &str, names: &dyn Names, ops: &mut Vec<Op>) -> Result<Formula, Wrong> {
    let first = ops.len();
    let mut parser = Parser { text, at: 0, depth: 0, names, ops, stack: 0 };
    parser.sum()?;
    if let Some(c) = parser.peek() {
        let right = "operators are + - * /; comparisons stand in if(a < b, then, else)";
        let what = format!("the formula goes on with `{}`", c.escape_debug());
        return wrong(parser.at, what, right);
    }
    Ok(Formula { first: first as u16, len: (ops.len() - first) as u16 })
}

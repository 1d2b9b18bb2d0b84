//! What names stand for, and what is known about a value.

use crate::interval::Interval;
use crate::ir::Ir;
use crate::unit::Dimension;
use alloc::collections::{BTreeMap, BTreeSet};

/// What sort of number a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An ordinary number.
    Plain,
    /// A direction: its differences and averages must wrap.
    Angle,
    /// A difference or sum of directions that has not been wrapped yet.
    Unwrapped,
    /// 0 or 1.
    Truth,
}

/// An expression and everything known about its value.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) ir: Ir,
    pub(crate) unit: Dimension,
    pub(crate) kind: Kind,
    pub(crate) range: Interval,
    /// A number without a unit of its own: takes the unit of what it meets in sums.
    pub(crate) is_bare: bool,
    /// Indices of the readings it depends on.
    pub(crate) needs: BTreeSet<u16>,
    /// Contains a function whose tails never reach their ends.
    pub(crate) is_leaky: bool,
}

impl Typed {
    pub(crate) fn constant(value: f64, unit: Dimension, is_bare: bool) -> Self {
        Self {
            ir: Ir::Const(value),
            unit,
            kind: Kind::Plain,
            range: Interval::point(value),
            is_bare,
            needs: BTreeSet::new(),
            is_leaky: false,
        }
    }
}

/// A value with a place in memory.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) slot: u16,
    pub(crate) unit: Dimension,
    pub(crate) is_angle: bool,
    pub(crate) range: Interval,
    pub(crate) needs: BTreeSet<u16>,
}

impl Value {
    pub(crate) fn typed(&self) -> Typed {
        Typed {
            ir: Ir::Slot(self.slot),
            unit: self.unit,
            kind: if self.is_angle { Kind::Angle } else { Kind::Plain },
            range: self.range,
            is_bare: false,
            needs: self.needs.clone(),
            is_leaky: false,
        }
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    /// A named constant.
    Constant(f64, Dimension),
    /// A list of constants.
    List(Vec<f64>, Dimension),
    /// A value.
    Value(Value),
    /// A row of values.
    Row(Vec<Value>),
}

/// Names that may be read at one place.
pub(crate) type Scope = BTreeMap<String, Symbol>;

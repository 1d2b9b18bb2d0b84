//! Expressions after names were resolved: folding of constants, and instructions.

use alloc::collections::BTreeMap;
use tropism_dynamics::eval::evaluate;
use tropism_dynamics::{Instruction, Op, Source};

/// First number of a constant slot while the number of constants is still growing; states are
/// numbered below it, and [`Pool::place`] puts both into their final order.
pub(crate) const CONSTANT: u16 = 0x8000;

/// An expression over slots.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ir {
    /// A constant.
    Const(f64),
    /// A state slot.
    Slot(u16),
    /// One operand.
    One(Op, Box<Self>),
    /// A whole power.
    Power(Box<Self>, u16),
    /// Two operands.
    Two(Op, Box<Self>, Box<Self>),
    /// Three operands.
    Three(Op, Box<[Self; 3]>),
}

impl Ir {
    fn constant(&self) -> Option<f64> {
        if let Self::Const(value) = self { Some(*value) } else { None }
    }

    /// Applies a one-operand operation, folding a constant.
    pub(crate) fn one(op: Op, a: Self) -> Self {
        match a.constant() {
            Some(a) => Self::Const(fold(&[a], Instruction { op, argument: 0 })),
            None => Self::One(op, Box::new(a)),
        }
    }

    /// Applies a whole power.
    pub(crate) fn power(a: Self, exponent: u16) -> Self {
        match (exponent, a.constant()) {
            (1, _) => a,
            (_, Some(x)) => {
                Self::Const(fold(&[x], Instruction { op: Op::Power, argument: exponent }))
            }
            (2, None) => Self::One(Op::Square, Box::new(a)),
            _ => Self::Power(Box::new(a), exponent),
        }
    }

    /// Applies a two-operand operation, folding constants and the neutral elements.
    pub(crate) fn two(op: Op, a: Self, b: Self) -> Self {
        let is =
            |x: &Self, value: f64| x.constant().is_some_and(|c| c.to_bits() == value.to_bits());
        match op {
            _ if a.constant().is_some() && b.constant().is_some() => {
                let values = [a.constant().unwrap_or(0.0), b.constant().unwrap_or(0.0)];
                Self::Const(fold(&values, Instruction { op, argument: 0 }))
            }
            Op::Add if is(&a, 0.0) => b,
            Op::Mul if is(&a, 1.0) => b,
            Op::Add | Op::Sub if is(&b, 0.0) => a,
            Op::Mul | Op::Div if is(&b, 1.0) => a,
            _ => Self::Two(op, Box::new(a), Box::new(b)),
        }
    }

    /// Applies a three-operand operation, folding constants and decided choices.
    pub(crate) fn three(op: Op, operands: [Self; 3]) -> Self {
        if let [Self::Const(a), Self::Const(b), Self::Const(c)] = operands {
            return Self::Const(fold(&[a, b, c], Instruction { op, argument: 0 }));
        }
        match (op, operands) {
            (Op::Select, [Self::Const(condition), yes, no]) => {
                if condition == 0.0 {
                    no
                } else {
                    yes
                }
            }
            (op, operands) => Self::Three(op, Box::new(operands)),
        }
    }
}

/// Computes with the runtime itself, so that folded and executed values agree in double precision.
fn fold(values: &[f64], last: Instruction) -> f64 {
    let mut code = Vec::new();
    for argument in 0..values.len() as u16 {
        let op = if argument == 0 { Op::First } else { Op::Load };
        code.push(Instruction { op, argument });
    }
    code.extend([last, Instruction::END]);
    evaluate(&code, 0, values)
}

/// Code and constants of a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    pub(crate) code: Vec<Instruction>,
    pub(crate) constants: Vec<f64>,
    known: BTreeMap<u64, u16>,
}

impl Pool {
    /// The slot of a constant.
    pub(crate) fn constant(&mut self, value: f64) -> u16 {
        let next = CONSTANT + self.constants.len() as u16;
        let slot = *self.known.entry(value.to_bits()).or_insert(next);
        if slot == next {
            self.constants.push(value);
        }
        slot
    }

    /// Stores an expression and tells where its value comes from.
    pub(crate) fn source(&mut self, ir: &Ir) -> Source {
        if let Some(slot) = self.leaf(ir) {
            return Source::Slot(slot);
        }
        let start = self.code.len() as u16;
        self.emit(ir, true);
        self.code.push(Instruction::END);
        Source::Code(start)
    }

    fn leaf(&mut self, ir: &Ir) -> Option<u16> {
        match ir {
            Ir::Const(value) => Some(self.constant(*value)),
            Ir::Slot(slot) => Some(*slot),
            _ => None,
        }
    }

    /// Emits code whose value ends up in the accumulator; `is_first` when nothing waits in it yet.
    fn emit(&mut self, ir: &Ir, is_first: bool) {
        match ir {
            Ir::Const(_) | Ir::Slot(_) => {
                let argument = self.leaf(ir).unwrap_or(0);
                let op = if is_first { Op::First } else { Op::Load };
                self.code.push(Instruction { op, argument });
            }
            Ir::One(op, a) => {
                self.emit(a, is_first);
                self.code.push(Instruction { op: *op, argument: 0 });
            }
            Ir::Power(a, argument) => {
                self.emit(a, is_first);
                self.code.push(Instruction { op: Op::Power, argument: *argument });
            }
            Ir::Two(op, a, b) => self.emit_two(*op, a, b, is_first),
            Ir::Three(op, operands) => {
                let [a, b, c] = operands.as_ref();
                self.emit(a, is_first);
                self.emit(b, false);
                self.emit(c, false);
                self.code.push(Instruction { op: *op, argument: 0 });
            }
        }
    }

    fn emit_two(&mut self, op: Op, a: &Ir, b: &Ir, is_first: bool) {
        let forms = match op {
            Op::Add => Some((Op::AddSlot, Op::AddSlot)),
            Op::Sub => Some((Op::SubSlot, Op::FromSlot)),
            Op::Mul => Some((Op::MulSlot, Op::MulSlot)),
            Op::Div => Some((Op::DivSlot, Op::IntoSlot)),
            Op::Min => Some((Op::MinSlot, Op::MinSlot)),
            Op::Max => Some((Op::MaxSlot, Op::MaxSlot)),
            _ => None,
        };
        if let Some((right, left)) = forms {
            if let Some(argument) = self.leaf(b) {
                self.emit(a, is_first);
                self.code.push(Instruction { op: right, argument });
                return;
            }
            if let Some(argument) = self.leaf(a) {
                self.emit(b, is_first);
                self.code.push(Instruction { op: left, argument });
                return;
            }
        }
        self.emit(a, is_first);
        self.emit(b, false);
        self.code.push(Instruction { op, argument: 0 });
    }

    /// Final number of a slot, when constants come first.
    pub(crate) fn place(&self, slot: u16) -> u16 {
        match slot {
            u16::MAX => slot,
            constant if constant >= CONSTANT => constant - CONSTANT,
            state => state + self.constants.len() as u16,
        }
    }

    /// The code with final slot numbers.
    pub(crate) fn placed_code(&self) -> Vec<Instruction> {
        let place = |i: &Instruction| {
            let argument =
                if i.op.effect().reads_slot { self.place(i.argument) } else { i.argument };
            Instruction { op: i.op, argument }
        };
        self.code.iter().map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_leaves_become_arguments_and_constants_are_folded() {
        let mut pool = Pool::default();
        let two = Ir::two(Op::Add, Ir::Const(1.0), Ir::Const(1.0));
        let ir = Ir::two(Op::Sub, Ir::Slot(3), Ir::two(Op::Mul, two, Ir::Slot(4)));
        assert_eq!(pool.source(&ir), Source::Code(0));
        let ops: Vec<Op> = pool.code.iter().map(|i| i.op).collect();
        assert_eq!(ops, [Op::First, Op::MulSlot, Op::FromSlot, Op::End]);
        assert_eq!(pool.constants, [2.0]);
        assert_eq!(pool.source(&Ir::Const(2.0)), Source::Slot(CONSTANT));
    }
}

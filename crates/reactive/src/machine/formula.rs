//! Formulas as a list of operations on a small stack.
//!
//! Terms: an *operation* takes its arguments from the stack and puts its result there.
//!
//! What it does not do: it knows no names and no text.

use tropism_core::math;

/// Deepest stack of a formula.
pub const STACK_MAX: usize = 16;

/// One operation. Arguments are taken in the order they were put on the stack.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Op {
    /// This number.
    Constant(f32),
    /// A sensor: its value, or what stands for a reading that cannot be trusted.
    Sensor(u8),
    /// 1 when the sensor's reading can be trusted, else 0.
    IsValid(u8),
    /// A signal of this tick.
    Signal(u8),
    /// A number of memory.
    Memory(u8),
    /// Seconds in the present state.
    SecondsInState,
    /// a + b.
    Add,
    /// a − b.
    Subtract,
    /// a · b.
    Multiply,
    /// a / b.
    Divide,
    /// −a.
    Negate,
    /// The smaller of a and b.
    Min,
    /// The larger of a and b.
    Max,
    /// |a|.
    Abs,
    /// −1, 0 or 1.
    Sign,
    /// a held between b and c.
    Clamp,
    /// Nearness: max(0, 1 − a / b), 0 at b and beyond, 1 at no distance.
    Near,
    /// 1 when a < b, else 0.
    Less,
    /// 1 when a ≤ b, else 0.
    LessOrEqual,
    /// b when a is neither 0 nor NaN, else c.
    If,
}

impl Op {
    /// How many numbers it takes from the stack.
    pub const fn takes(self) -> usize {
        match self {
            Self::Constant(_)
            | Self::Sensor(_)
            | Self::IsValid(_)
            | Self::Signal(_)
            | Self::Memory(_)
            | Self::SecondsInState => 0,
            Self::Negate | Self::Abs | Self::Sign => 1,
            Self::Clamp | Self::If => 3,
            _ => 2,
        }
    }
}

/// A piece of a program's list of operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Formula {
    /// First operation.
    pub first: u16,
    /// Number of operations.
    pub len: u16,
}

/// What a formula can see.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'i> {
    /// Sensor values.
    pub sensors: &'i [f32],
    /// Which sensor readings can be trusted, as bits.
    pub valid: u32,
    /// Signals.
    pub signals: &'i [f32],
    /// Memory.
    pub memory: &'i [f32],
    /// Seconds in the present state.
    pub seconds_in_state: f32,
}

#[inline]
fn at(values: &[f32], i: u8) -> f32 {
    values.get(usize::from(i)).copied().unwrap_or(0.0)
}

#[inline]
fn one_if(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}

#[inline]
fn combine(op: Op, [a, b, c]: [f32; 3]) -> f32 {
    match op {
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Multiply => a * b,
        Op::Divide => a / b,
        Op::Negate => -a,
        Op::Min => f32::min(a, b),
        Op::Max => f32::max(a, b),
        Op::Abs => math::abs(a),
        Op::Sign if a > 0.0 => 1.0,
        Op::Sign if a < 0.0 => -1.0,
        Op::Clamp => f32::min(f32::max(a, b), c),
        Op::Near => f32::max(0.0, 1.0 - a / b),
        Op::Less => one_if(a < b),
        Op::LessOrEqual => one_if(a <= b),
        Op::If if a != 0.0 && !a.is_nan() => b,
        Op::If => c,
        _ => 0.0,
    }
}

/// Works a list of operations out. A list that is no formula gives some number, never a panic.
#[inline]
pub(super) fn evaluate(ops: &[Op], inputs: &Inputs<'_>) -> f32 {
    let mut stack = [0.0_f32; STACK_MAX];
    let mut top = 0;
    for op in ops {
        let value = match *op {
            Op::Constant(x) => x,
            Op::Sensor(i) => at(inputs.sensors, i),
            Op::IsValid(i) => one_if(i < 32 && inputs.valid & (1 << (i & 31)) != 0),
            Op::Signal(i) => at(inputs.signals, i),
            Op::Memory(i) => at(inputs.memory, i),
            Op::SecondsInState => inputs.seconds_in_state,
            op => {
                let takes = op.takes();
                let first = usize::saturating_sub(top, takes);
                top = first;
                combine(op, [0, 1, 2].map(|i| stack.get(first + i).copied().unwrap_or(0.0)))
            }
        };
        if let Some(place) = stack.get_mut(top) {
            *place = value;
            top += 1;
        }
    }
    usize::checked_sub(top, 1).and_then(|i| stack.get(i)).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ops: &[Op]) -> f32 {
        let sensors = [0.25, f32::INFINITY];
        let inputs = Inputs {
            sensors: &sensors,
            valid: 1,
            signals: &[3.0],
            memory: &[],
            seconds_in_state: 2.0,
        };
        evaluate(ops, &inputs)
    }

    #[test]
    fn unit_every_operation_does_what_it_says() {
        use Op::{Constant as C, Sensor};
        let near = |i| of(&[Sensor(i), C(0.5), Op::Near]);
        assert_eq!((near(0), near(1)), (0.5, 0.0));
        assert_eq!(of(&[C(0.5), C(0.35), Op::Signal(0), Op::Multiply, Op::Subtract]), 0.5 - 1.05);
        assert_eq!(of(&[C(7.0), C(-1.0), C(1.0), Op::Clamp]), 1.0);
        assert_eq!(of(&[C(-7.0), Op::Sign]), -1.0);
        assert_eq!(of(&[C(0.0), Op::Sign]), 0.0);
        assert_eq!(of(&[Op::IsValid(0), Op::IsValid(1), Op::Subtract]), 1.0);
        assert_eq!(of(&[Sensor(0), C(0.3), Op::Less, C(4.0), C(5.0), Op::If]), 4.0);
        assert_eq!(of(&[C(f32::NAN), C(4.0), C(5.0), Op::If]), 5.0);
        assert_eq!(of(&[Op::SecondsInState, C(2.0), Op::LessOrEqual]), 1.0);
    }

    #[test]
    fn unit_a_list_that_is_no_formula_gives_a_number() {
        assert_eq!(of(&[]), 0.0);
        assert_eq!(of(&[Op::Add]), 0.0);
        assert_eq!(of(&[Op::Sensor(200), Op::Signal(200), Op::Memory(9)]), 0.0);
        assert_eq!(of(&[Op::Constant(1.0); 40]), 1.0);
    }
}

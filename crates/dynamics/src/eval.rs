//! Evaluating one expression.

use crate::op::{Instruction, Op, STACK};
use crate::real::Real;

/// Value of the expression that starts at `start`.
///
/// Total on any input: a start outside the code, a slot outside memory or a missing end give 0 or
/// the value so far. A verified table contains none of these.
///
/// # Determinism
/// A function of its arguments; every operation rounds as the type does, none is fused.
#[inline]
#[expect(clippy::too_many_lines, reason = "one line per operation reads better than a split")]
pub fn evaluate<R: Real>(code: &[Instruction], start: usize, values: &[R]) -> R {
    let mut stack = [R::ZERO; STACK];
    let mut depth = 0_usize;
    let mut acc = R::ZERO;
    let slot = |argument: u16| values.get(usize::from(argument)).copied().unwrap_or(R::ZERO);
    let truth = |is_true: bool| if is_true { R::ONE } else { R::ZERO };
    macro_rules! pop {
        () => {{
            depth = depth.wrapping_sub(1);
            stack[depth % STACK]
        }};
    }
    for instruction in code.get(start..).unwrap_or(&[]) {
        let argument = instruction.argument;
        match instruction.op {
            Op::End => return acc,
            Op::First => acc = slot(argument),
            Op::Load => {
                stack[depth % STACK] = acc;
                depth = depth.wrapping_add(1);
                acc = slot(argument);
            }
            Op::AddSlot => acc = acc + slot(argument),
            Op::SubSlot => acc = acc - slot(argument),
            Op::FromSlot => acc = slot(argument) - acc,
            Op::MulSlot => acc = acc * slot(argument),
            Op::DivSlot => acc = acc / slot(argument),
            Op::IntoSlot => acc = slot(argument) / acc,
            Op::MinSlot => acc = acc.least(slot(argument)),
            Op::MaxSlot => acc = acc.most(slot(argument)),
            Op::Add => acc = pop!() + acc,
            Op::Sub => acc = pop!() - acc,
            Op::Mul => acc = pop!() * acc,
            Op::Div => acc = pop!() / acc,
            Op::Min => acc = pop!().least(acc),
            Op::Max => acc = pop!().most(acc),
            Op::Atan2 => acc = pop!().atan2(acc),
            Op::Hypot => acc = pop!().hypot(acc),
            Op::Pow => acc = pop!().pow(acc),
            Op::Less => acc = truth(pop!() < acc),
            Op::LessEqual => acc = truth(pop!() <= acc),
            Op::Clip => {
                let lo = pop!();
                acc = pop!().clip(lo, acc);
            }
            Op::SmoothStep => {
                let lo = pop!();
                acc = pop!().smooth_step(lo, acc);
            }
            Op::Select => {
                let chosen = pop!();
                if pop!() != R::ZERO {
                    acc = chosen;
                }
            }
            Op::Neg => acc = -acc,
            Op::Abs => acc = acc.abs(),
            Op::Sign => acc = acc.sign(),
            Op::Sat => acc = acc.unit(),
            Op::Sin => acc = acc.sin(),
            Op::Cos => acc = acc.cos(),
            Op::Exp => acc = acc.exp(),
            Op::Ln => acc = acc.ln(),
            Op::Sqrt => acc = acc.sqrt(),
            Op::Sigmoid => acc = acc.sigmoid(),
            Op::Wrap => acc = acc.wrap(),
            Op::Not => acc = truth(acc == R::ZERO),
            Op::Square => acc = acc * acc,
            Op::Power => acc = acc.power(argument),
        }
    }
    acc
}

//! The instructions an expression is made of.
//!
//! Terms: the *accumulator* holds the value just computed; the *stack* holds the values waiting
//! for it; a *slot* is a place in the network's value memory. An instruction either works on the
//! accumulator alone, combines it with a slot, or combines it with the top of the stack.
//!
//! What it does not do: no jumps, no loops, no stores. An expression always ends and changes
//! nothing.

/// Deepest stack an expression may need; a power of two.
pub const STACK: usize = 16;

/// What an instruction takes from the stack, and whether it pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Values taken off the stack.
    pub pops: usize,
    /// Values put on it.
    pub pushes: usize,
    /// True when the argument names a slot.
    pub reads_slot: bool,
}

macro_rules! operations {
    ($(
        $(#[doc = $doc:literal])+
        $Name:ident = ($pops:literal, $pushes:literal, $slot:literal),
    )+) => {
        /// One operation; `acc` is the accumulator, `top` what the stack gives back, `slot` the
        /// value the argument names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Op {
            $( $(#[doc = $doc])+ $Name, )+
        }

        impl Op {
            /// All operations in the order of their codes.
            pub const ALL: &'static [Self] = &[$(Self::$Name,)+];

            /// How the operation uses the stack.
            pub const fn effect(self) -> Effect {
                let (pops, pushes, reads_slot) = match self {
                    $(Self::$Name => ($pops, $pushes, $slot),)+
                };
                Effect { pops, pushes, reads_slot }
            }
        }
    };
}

operations! {
    /// The expression is finished; `acc` is its value.
    End = (0, 0, false),
    /// Replaces `acc` by `slot`; starts an expression.
    First = (0, 0, true),
    /// Pushes `acc` and loads `slot`.
    Load = (0, 1, true),
    /// `acc + slot`
    AddSlot = (0, 0, true),
    /// `acc − slot`
    SubSlot = (0, 0, true),
    /// `slot − acc`
    FromSlot = (0, 0, true),
    /// `acc · slot`
    MulSlot = (0, 0, true),
    /// `acc / slot`
    DivSlot = (0, 0, true),
    /// `slot / acc`
    IntoSlot = (0, 0, true),
    /// `min(acc, slot)`
    MinSlot = (0, 0, true),
    /// `max(acc, slot)`
    MaxSlot = (0, 0, true),
    /// `top + acc`
    Add = (1, 0, false),
    /// `top − acc`
    Sub = (1, 0, false),
    /// `top · acc`
    Mul = (1, 0, false),
    /// `top / acc`
    Div = (1, 0, false),
    /// `min(top, acc)`
    Min = (1, 0, false),
    /// `max(top, acc)`
    Max = (1, 0, false),
    /// Angle of the vector (acc, top).
    Atan2 = (1, 0, false),
    /// Length of the vector (top, acc).
    Hypot = (1, 0, false),
    /// `top` to the power `acc`.
    Pow = (1, 0, false),
    /// 1 if `top < acc`, else 0.
    Less = (1, 0, false),
    /// 1 if `top ≤ acc`, else 0.
    LessEqual = (1, 0, false),
    /// `clip(second, top, acc)`
    Clip = (2, 0, false),
    /// Smoothstep of `second` between `top` and `acc`.
    SmoothStep = (2, 0, false),
    /// `top` if `second` is not 0, else `acc`.
    Select = (2, 0, false),
    /// `−acc`
    Neg = (0, 0, false),
    /// `|acc|`
    Abs = (0, 0, false),
    /// Sign of `acc`.
    Sign = (0, 0, false),
    /// `acc` clamped to [0, 1].
    Sat = (0, 0, false),
    /// Sine.
    Sin = (0, 0, false),
    /// Cosine.
    Cos = (0, 0, false),
    /// e to the power `acc`.
    Exp = (0, 0, false),
    /// Natural logarithm.
    Ln = (0, 0, false),
    /// Square root.
    Sqrt = (0, 0, false),
    /// Logistic function.
    Sigmoid = (0, 0, false),
    /// `acc` wrapped to [−π, π).
    Wrap = (0, 0, false),
    /// 1 if `acc` is 0, else 0.
    Not = (0, 0, false),
    /// `acc · acc`
    Square = (0, 0, false),
    /// `acc` to the whole power given by the argument.
    Power = (0, 0, false),
}

impl Op {
    /// The operation with this code, if there is one.
    pub const fn from_code(code: u8) -> Option<Self> {
        if (code as usize) < Self::ALL.len() { Some(Self::ALL[code as usize]) } else { None }
    }
}

/// An operation and its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// What to do.
    pub op: Op,
    /// A slot, a whole exponent, or 0.
    pub argument: u16,
}

impl Instruction {
    /// The end of an expression; also what fills unused code memory.
    pub const END: Self = Self { op: Op::End, argument: 0 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_codes_and_operations_map_both_ways() {
        for (code, op) in Op::ALL.iter().enumerate() {
            assert_eq!(Op::from_code(code as u8), Some(*op));
            assert_eq!(*op as usize, code);
        }
        assert_eq!(Op::from_code(Op::ALL.len() as u8), None);
        assert_eq!(size_of::<Instruction>(), 4);
    }
}

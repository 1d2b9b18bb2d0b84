//! Checking a table before it runs.
//!
//! What it does not do: it judges no dynamics. That is the specification compiler's business; here
//! only what could make the runtime leave its memory is looked at.

use crate::op::{Op, STACK};
use crate::table::{LAYERS, LayerRecord, NO_SLOT, Offsets, Source, Table};

/// Why a table was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// No layer, or more than [`LAYERS`].
    Layers(u16),
    /// The record words are not as many as the counts say.
    Records {
        /// Words the counts ask for.
        expected: usize,
        /// Words given.
        found: usize,
    },
    /// The image is not as long as value memory.
    Image {
        /// Slots the header asks for.
        expected: usize,
        /// Values given.
        found: usize,
    },
    /// A record names a part, slot or instruction that does not exist.
    Index {
        /// Which kind of record.
        record: &'static str,
        /// Its index.
        index: u16,
    },
    /// A record would write a constant.
    Constant {
        /// Which kind of record.
        record: &'static str,
        /// Its index.
        index: u16,
    },
    /// An instruction reads a slot that does not exist.
    Slot(usize),
    /// An instruction takes more from the stack than it holds, or the stack gets deeper than
    /// [`STACK`].
    Depth(usize),
    /// The code after this instruction has no end.
    NoEnd(usize),
    /// A layer's factor is 0, or the product of all is above 2²⁴.
    Factor(u16),
}

impl core::fmt::Display for TableError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Layers(n) => write!(f, "a network has 1 to {LAYERS} layers, this has {n}"),
            Self::Records { expected, found } => {
                write!(f, "the records should have {expected} words, they have {found}")
            }
            Self::Image { expected, found } => {
                write!(f, "value memory should have {expected} slots, the image has {found}")
            }
            Self::Index { record, index } => {
                write!(f, "{record} {index} names something that does not exist")
            }
            Self::Constant { record, index } => write!(f, "{record} {index} writes a constant"),
            Self::Slot(at) => write!(f, "instruction {at} reads outside value memory"),
            Self::Depth(at) => write!(f, "instruction {at} leaves the stack of {STACK} values"),
            Self::NoEnd(at) => write!(f, "the expression at instruction {at} does not end"),
            Self::Factor(layer) => write!(f, "layer {layer} has an impossible period"),
        }
    }
}

impl core::error::Error for TableError {}

/// Longest period of the top layer in ticks of layer 0.
pub(crate) const LONGEST: u32 = 1 << 24;

pub(crate) fn verify<R: Copy>(table: &Table<'_, R>) -> Result<(), TableError> {
    let header = table.header();
    if header.layers == 0 || usize::from(header.layers) > LAYERS {
        return Err(TableError::Layers(header.layers));
    }
    let expected = Offsets::of(header).total();
    if table.records().len() != expected {
        return Err(TableError::Records { expected, found: table.records().len() });
    }
    if table.image().len() != usize::from(header.slots) {
        let found = table.image().len();
        return Err(TableError::Image { expected: usize::from(header.slots), found });
    }
    code(table)?;
    layers(table)?;
    inputs(table)?;
    states(table)?;
    outputs(table)
}

/// Every expression ends, keeps within the stack and reads existing slots.
fn code<R: Copy>(table: &Table<'_, R>) -> Result<(), TableError> {
    let (mut depth, mut start) = (0_usize, 0_usize);
    for (at, instruction) in table.code().iter().enumerate() {
        let effect = instruction.op.effect();
        if effect.reads_slot && instruction.argument >= table.header().slots {
            return Err(TableError::Slot(at));
        }
        depth = depth.checked_sub(effect.pops).ok_or(TableError::Depth(at))? + effect.pushes;
        if depth > STACK || (instruction.op == Op::End && depth != 0) {
            return Err(TableError::Depth(at));
        }
        if instruction.op == Op::End {
            start = at + 1;
        }
    }
    if start == table.code().len() { Ok(()) } else { Err(TableError::NoEnd(start)) }
}

/// Checks of one record.
struct Check<'t, 'a, R> {
    table: &'t Table<'a, R>,
    record: &'static str,
    index: u16,
}

impl<R: Copy> Check<'_, '_, R> {
    fn that(&self, is_fine: bool) -> Result<(), TableError> {
        let (record, index) = (self.record, self.index);
        if is_fine { Ok(()) } else { Err(TableError::Index { record, index }) }
    }

    fn slot(&self, slot: u16) -> Result<(), TableError> {
        self.that(slot < self.table.header().slots)
    }

    fn optional(&self, slot: u16) -> Result<(), TableError> {
        if slot == NO_SLOT { Ok(()) } else { self.slot(slot) }
    }

    fn state(&self, slot: u16) -> Result<(), TableError> {
        self.slot(slot)?;
        let (record, index) = (self.record, self.index);
        let is_state = slot >= self.table.header().first_state;
        if is_state { Ok(()) } else { Err(TableError::Constant { record, index }) }
    }

    fn source(&self, source: Source) -> Result<(), TableError> {
        match source {
            Source::Slot(slot) => self.slot(slot),
            // An expression starts at the beginning or right after an end.
            Source::Code(start) => {
                let start = usize::from(start);
                let code = self.table.code();
                let is_start = start == 0 || code.get(start - 1).is_some_and(|i| i.op == Op::End);
                self.that(start < code.len() && is_start)
            }
        }
    }

    fn run(&self, first: u16, count: u16, total: u16) -> Result<(), TableError> {
        self.that(u32::from(first) + u32::from(count) <= u32::from(total))
    }

    fn needs(&self, first: u16, count: u16) -> Result<(), TableError> {
        self.run(first, count, self.table.header().needs)?;
        let readings = self.table.header().readings;
        self.that(self.table.needs(first, count).iter().all(|r| *r < readings))
    }
}

fn layers<R: Copy>(table: &Table<'_, R>) -> Result<(), TableError> {
    let header = table.header();
    let mut period = 1_u32;
    let mut most = 0;
    for index in 0..header.layers {
        let layer: LayerRecord = table.layer(index);
        let factor = if index == 0 { 1 } else { layer.factor };
        period = period.saturating_mul(u32::from(factor));
        if period == 0 || period > LONGEST {
            return Err(TableError::Factor(index));
        }
        let check = Check { table, record: "layer", index };
        check.run(layer.first_percept, layer.percepts, header.percepts)?;
        check.run(layer.first_behaviour, layer.behaviours, header.behaviours)?;
        check.run(layer.first_actuator, layer.actuators, header.actuators)?;
        check.run(layer.first_kept, layer.kept, header.needs)?;
        let kept = table.needs(layer.first_kept, layer.kept);
        check.that(kept.iter().all(|p| *p < header.percepts))?;
        most = most.max(layer.behaviours);
    }
    let check = Check { table, record: "header", index: 0 };
    for (first, count) in [
        (header.scratch, most),
        (header.first_reading, header.readings),
        (header.first_mode, header.modes),
    ] {
        check.run(first, count, header.slots)?;
        check.that(count == 0 || first >= header.first_state)?;
    }
    Ok(())
}

fn inputs<R: Copy>(table: &Table<'_, R>) -> Result<(), TableError> {
    let header = table.header();
    for index in 0..header.readings {
        let reading = table.reading(index);
        let check = Check { table, record: "reading", index };
        check.slot(reading.default)?;
        check.slot(reading.decay)?;
        check.optional(reading.low)?;
        check.optional(reading.high)?;
    }
    for index in 0..header.percepts {
        let percept = table.percept(index);
        let check = Check { table, record: "percept", index };
        check.state(percept.slot)?;
        check.source(percept.source())?;
        check.slot(percept.gain)?;
        if percept.previous != NO_SLOT {
            check.state(percept.previous)?;
        }
        check.needs(percept.first_need, percept.needs)?;
    }
    Ok(())
}

fn states<R: Copy>(table: &Table<'_, R>) -> Result<(), TableError> {
    let header = table.header();
    for index in 0..header.behaviours {
        let behaviour = table.behaviour(index);
        let check = Check { table, record: "behaviour", index };
        check.state(behaviour.slot)?;
        check.slot(behaviour.kappa)?;
        check.run(behaviour.first_user, behaviour.users, header.users)?;
        check.needs(behaviour.first_need, behaviour.needs)?;
    }
    for index in 0..header.users {
        let user = table.user(index);
        let check = Check { table, record: "user", index };
        check.slot(user.activation)?;
        check.source(user.source())?;
    }
    Ok(())
}

fn outputs<R: Copy>(table: &Table<'_, R>) -> Result<(), TableError> {
    let header = table.header();
    for index in 0..header.targets {
        let target = table.target(index);
        let check = Check { table, record: "target", index };
        check.that(target.behaviour < header.behaviours)?;
        check.slot(target.activation)?;
        check.source(target.goal_source())?;
        check.source(target.rate_source())?;
    }
    for index in 0..header.actuators {
        let actuator = table.actuator(index);
        let check = Check { table, record: "actuator", index };
        check.state(actuator.slot)?;
        check.optional(actuator.low)?;
        check.optional(actuator.high)?;
        check.slot(actuator.rest)?;
        check.slot(actuator.rest_rate)?;
        check.run(actuator.first_target, actuator.targets, header.targets)?;
    }
    Ok(())
}

//! The flat table: what a specification compiles to and the runtime executes.
//!
//! Terms: the *image* is the value memory before the first tick (constants and initial values);
//! a *record* is a row of 16-bit words that describes one layer, reading, percept, behaviour,
//! user, target or actuator; the *code* holds all expressions one after the other.
//!
//! Value memory is one array of slots. The compiler lays it out; the runtime only knows slots.
//! Records stand in the order of [`Header`]'s counts.
//!
//! What it does not do: it holds no names. Names stay with whoever compiled the table.

use crate::op::Instruction;
use crate::verify::{self, TableError};
use tropism_core::TimeStep;

/// Marks the absence of a slot.
pub const NO_SLOT: u16 = u16::MAX;
/// Most layers a table may have.
pub const LAYERS: usize = 16;

/// Which layers run at which tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Layer z runs when the tick is a multiple of its period, as in the seed.
    Aligned,
    /// Layer z ≥ 1 runs when the tick is congruent to the period of layer z − 1, so that with
    /// factors ≥ 2 at most one layer above 0 runs in a tick.
    Ruler,
}

/// How actuators follow their targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integrator {
    /// The seed's difference equation a ← a + Σ τ α (g − a).
    Paper,
    /// a ← g* + (a − g*) e^(−W), the exact solution for held α and g; always stable.
    Exact,
}

/// Counts and choices of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Period of layer 0.
    pub step: TimeStep,
    /// Which layers run when.
    pub phase: Phase,
    /// How actuators follow.
    pub integrator: Integrator,
    /// Number of layers.
    pub layers: u16,
    /// Number of readings; their slots follow each other from `first_reading`.
    pub readings: u16,
    /// Number of mode inputs; their slots follow each other from `first_mode`.
    pub modes: u16,
    /// Number of percepts.
    pub percepts: u16,
    /// Number of behaviours.
    pub behaviours: u16,
    /// Number of users of all behaviours.
    pub users: u16,
    /// Number of targets of all actuators.
    pub targets: u16,
    /// Number of actuators.
    pub actuators: u16,
    /// Number of words in the list of needed readings.
    pub needs: u16,
    /// Slot of the first reading.
    pub first_reading: u16,
    /// Slot of the first mode input.
    pub first_mode: u16,
    /// First slot the runtime may write; everything below is constant.
    pub first_state: u16,
    /// First of as many scratch slots as the largest layer has behaviours.
    pub scratch: u16,
    /// Length of value memory in slots.
    pub slots: u16,
}

/// Where the value of an expression comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The value of a slot: a constant or a bare name.
    Slot(u16),
    /// The expression that starts at this instruction.
    Code(u16),
}

impl Source {
    /// The two words a record holds for it.
    pub const fn words(self) -> (u16, u16) {
        match self {
            Self::Slot(slot) => (0, slot),
            Self::Code(start) => (1, start),
        }
    }

    const fn of(kind: u16, index: u16) -> Self {
        if kind == 0 { Self::Slot(index) } else { Self::Code(index) }
    }
}

macro_rules! records {
    ($(
        $(#[doc = $about:literal])+
        $Name:ident { $( $(#[doc = $doc:literal])+ $field:ident, )+ }
    )+) => {
        $(
            $(#[doc = $about])+
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct $Name { $( $(#[doc = $doc])+ pub $field: u16, )+ }

            impl $Name {
                /// Words in this record.
                pub const WORDS: usize = [$(stringify!($field),)+].len();

                /// The words in field order.
                pub const fn to_words(self) -> [u16; Self::WORDS] {
                    [$(self.$field,)+]
                }

                #[inline]
                const fn from_words(words: [u16; Self::WORDS]) -> Self {
                    let [$($field,)+] = words;
                    Self { $($field,)+ }
                }
            }
        )+
    };
}

records! {
    /// A layer and where its parts stand.
    LayerRecord {
        /// Period in periods of the layer below (the seed's f or c); 1 for layer 0.
        factor,
        /// First percept.
        first_percept,
        /// Percepts.
        percepts,
        /// First behaviour.
        first_behaviour,
        /// Behaviours.
        behaviours,
        /// First actuator.
        first_actuator,
        /// Actuators.
        actuators,
        /// First entry in the list of percepts whose previous value is kept.
        first_kept,
        /// Percepts whose previous value is kept.
        kept,
    }
    /// A physical reading and the rule for its absence.
    ReadingRecord {
        /// 0 hold, 1 decay to the default, 2 deactivate the behaviours that need it.
        rule,
        /// Ticks of layer 0 the last value is held before the rule applies.
        grace,
        /// Slot of the default value.
        default,
        /// Slot of the share of the way to the default covered per tick (rule 1).
        decay,
        /// 1 for an angle.
        angle,
        /// Slot of the lower limit, or `NO_SLOT`.
        low,
        /// Slot of the upper limit, or `NO_SLOT`.
        high,
    }
    /// A percept s.
    PerceptRecord {
        /// Where the value is kept.
        slot,
        /// Bit 0: moving average; bit 1: angle.
        flags,
        /// Kind of the value's source.
        value_kind,
        /// The value's source: the percept itself, or what is averaged.
        value,
        /// Slot of the average's gain 1 − e^(−dt/T).
        gain,
        /// Slot that keeps the previous value, or `NO_SLOT`.
        previous,
        /// First entry in the list of needed readings.
        first_need,
        /// Readings it depends on.
        needs,
    }
    /// A behaviour j and its activation α.
    BehaviourRecord {
        /// Where α is kept.
        slot,
        /// Slot of κ in 1/s.
        kappa,
        /// First user.
        first_user,
        /// Users.
        users,
        /// First entry in the list of readings without which it is deactivated.
        first_need,
        /// Readings without which it is deactivated.
        needs,
    }
    /// A user k of a behaviour and its T-term.
    UserRecord {
        /// Slot of A, the user's activation or a mode input.
        activation,
        /// Kind of T's source.
        term_kind,
        /// T in 1/s.
        term,
    }
    /// A target g of a behaviour for an actuator.
    TargetRecord {
        /// The behaviour's index.
        behaviour,
        /// Slot of its α.
        activation,
        /// Kind of G's source.
        goal_kind,
        /// G in the actuator's unit.
        goal,
        /// Kind of the rate's source.
        rate_kind,
        /// λ in 1/s, or τ per step.
        rate,
        /// 0: a rate per second; 1: the seed's τ per step.
        per_step,
    }
    /// An actuator a.
    ActuatorRecord {
        /// Where a is kept.
        slot,
        /// Bit 0: angle; bit 1: the most active behaviour wins; bit 2: a rest target.
        flags,
        /// Slot of the lower limit, or `NO_SLOT`.
        low,
        /// Slot of the upper limit, or `NO_SLOT`.
        high,
        /// First target.
        first_target,
        /// Targets.
        targets,
        /// Slot of the rest target.
        rest,
        /// Slot of the rest rate in 1/s.
        rest_rate,
    }
}

impl PerceptRecord {
    /// Flag: a moving average.
    pub const MEAN: u16 = 1;
    /// Flag: an angle.
    pub const ANGLE: u16 = 2;

    /// Where the value, or what is averaged, comes from.
    pub const fn source(self) -> Source {
        Source::of(self.value_kind, self.value)
    }
}

impl UserRecord {
    /// Where T comes from.
    pub const fn source(self) -> Source {
        Source::of(self.term_kind, self.term)
    }
}

impl TargetRecord {
    /// Where G comes from.
    pub const fn goal_source(self) -> Source {
        Source::of(self.goal_kind, self.goal)
    }

    /// Where λ or τ comes from.
    pub const fn rate_source(self) -> Source {
        Source::of(self.rate_kind, self.rate)
    }
}

impl ActuatorRecord {
    /// Flag: an angle.
    pub const ANGLE: u16 = 1;
    /// Flag: the most active behaviour alone pulls.
    pub const MAX: u16 = 2;
    /// Flag: a rest target pulls while nobody is active.
    pub const REST: u16 = 4;
}

/// Missing-input rule 0.
pub const RULE_HOLD: u16 = 0;
/// Missing-input rule 1.
pub const RULE_DEFAULT: u16 = 1;
/// Missing-input rule 2.
pub const RULE_DEACTIVATE: u16 = 2;

/// A verified table over borrowed storage.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a, R> {
    header: Header,
    records: &'a [u16],
    code: &'a [Instruction],
    image: &'a [R],
    offsets: Offsets,
}

/// Start of each kind of record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offsets {
    reading: usize,
    percept: usize,
    behaviour: usize,
    user: usize,
    target: usize,
    actuator: usize,
    need: usize,
    end: usize,
}

impl Offsets {
    /// The offsets that follow from the counts.
    pub fn of(header: &Header) -> Self {
        let words = |count: u16, each: usize| usize::from(count) * each;
        let reading = words(header.layers, LayerRecord::WORDS);
        let percept = reading + words(header.readings, ReadingRecord::WORDS);
        let behaviour = percept + words(header.percepts, PerceptRecord::WORDS);
        let user = behaviour + words(header.behaviours, BehaviourRecord::WORDS);
        let target = user + words(header.users, UserRecord::WORDS);
        let actuator = target + words(header.targets, TargetRecord::WORDS);
        let need = actuator + words(header.actuators, ActuatorRecord::WORDS);
        let end = need + usize::from(header.needs);
        Self { reading, percept, behaviour, user, target, actuator, need, end }
    }

    /// Words all records take together.
    pub const fn total(&self) -> usize {
        self.end
    }
}

macro_rules! accessor {
    ($name:ident, $Record:ident, $offset:expr) => {
        /// The record of this index; zeros outside the table.
        #[inline]
        pub fn $name(&self, index: u16) -> $Record {
            let start: usize = $offset(&self.offsets) + usize::from(index) * $Record::WORDS;
            let words = self.records.get(start..start + $Record::WORDS);
            let words = words.and_then(|w| <[u16; $Record::WORDS]>::try_from(w).ok());
            words.map_or($Record::default(), $Record::from_words)
        }
    };
}

impl<'a, R: Copy> Table<'a, R> {
    /// Verifies the parts and joins them.
    ///
    /// # Errors
    /// [`TableError`] when a record, slot or instruction points outside, an expression needs too
    /// deep a stack or does not end, or a constant would be written.
    pub fn new(
        header: Header,
        records: &'a [u16],
        code: &'a [Instruction],
        image: &'a [R],
    ) -> Result<Self, TableError> {
        let table = Self::trusted(header, records, code, image);
        verify::verify(&table)?;
        Ok(table)
    }

    /// Joins parts that were verified before, without looking again.
    ///
    /// Unverified parts make the network compute nonsense, but neither panic nor touch foreign
    /// memory.
    #[inline]
    pub fn trusted(
        header: Header,
        records: &'a [u16],
        code: &'a [Instruction],
        image: &'a [R],
    ) -> Self {
        let offsets = Offsets::of(&header);
        Self { header, records, code, image, offsets }
    }

    /// Counts and choices.
    #[inline]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// All expressions.
    #[inline]
    pub const fn code(&self) -> &'a [Instruction] {
        self.code
    }

    /// Value memory before the first tick.
    #[inline]
    pub const fn image(&self) -> &'a [R] {
        self.image
    }

    /// All records.
    pub const fn records(&self) -> &'a [u16] {
        self.records
    }

    /// Number of 32-bit marks a state needs: an age per reading, a flag per percept.
    pub fn marks(&self) -> usize {
        usize::from(self.header.readings) + usize::from(self.header.percepts)
    }

    accessor!(layer, LayerRecord, |_: &Offsets| 0);
    accessor!(reading, ReadingRecord, |o: &Offsets| o.reading);
    accessor!(percept, PerceptRecord, |o: &Offsets| o.percept);
    accessor!(behaviour, BehaviourRecord, |o: &Offsets| o.behaviour);
    accessor!(user, UserRecord, |o: &Offsets| o.user);
    accessor!(target, TargetRecord, |o: &Offsets| o.target);
    accessor!(actuator, ActuatorRecord, |o: &Offsets| o.actuator);

    /// The entries listed from `first`: readings, or percepts whose previous value is kept.
    #[inline]
    pub(crate) fn needs(&self, first: u16, count: u16) -> &'a [u16] {
        let start = self.offsets.need + usize::from(first);
        self.records.get(start..start + usize::from(count)).unwrap_or(&[])
    }
}

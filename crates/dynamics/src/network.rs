//! A running network: a table, its value memory and its clock.
//!
//! Terms: *modes* are the external activations that stand above the top layer; a reading's *age*
//! counts ticks since it was last valid; the *faults* count expressions that gave no finite number.
//!
//! Order in a tick: readings, modes, percepts of all due layers from the bottom up, then
//! activations, targets and actuators of all due layers from the top down, each layer using the
//! present values of the layer above.
//!
//! What it does not do: it reads no clock and keeps no history. The caller ticks it once per period
//! of layer 0.

use crate::observe::{Observer, Unobserved};
use crate::op::Instruction;
use crate::real::Real;
use crate::step::Stepper;
use crate::table::{Header, Phase, Table};
use crate::verify::TableError;
use tropism_core::{StateHash, Tick};

/// Age of a reading that was never valid.
pub const NEVER: u32 = u32::MAX;

/// Access to a network's storage, owned or borrowed.
pub trait Storage<R> {
    /// All parts at once.
    fn parts(&mut self) -> Parts<'_, R>;
    /// Record words.
    fn records(&self) -> &[u16];
    /// Value memory.
    fn values(&self) -> &[R];
    /// Ages of the readings, then a flag per percept.
    fn marks(&self) -> &[u32];
}

/// The parts of a network's storage.
#[derive(Debug)]
pub struct Parts<'s, R> {
    /// Record words.
    pub records: &'s [u16],
    /// Expressions.
    pub code: &'s [Instruction],
    /// Initial value memory.
    pub image: &'s [R],
    /// Value memory.
    pub values: &'s mut [R],
    /// Ages and flags.
    pub marks: &'s mut [u32],
}

/// Storage borrowed from the caller, for targets without an allocator.
#[derive(Debug)]
pub struct Borrowed<'a, R> {
    table: Table<'a, R>,
    values: &'a mut [R],
    marks: &'a mut [u32],
}

impl<'a, R: Copy> Borrowed<'a, R> {
    /// Joins a table and the memory it runs in; both are cut to the length the table asks for.
    ///
    /// # Errors
    /// [`TableError::Image`] when one of them is too short.
    pub fn new(
        table: Table<'a, R>,
        values: &'a mut [R],
        marks: &'a mut [u32],
    ) -> Result<Self, TableError> {
        let (slots, flags) = (table.image().len(), table.marks());
        let found = values.len();
        let values = values.get_mut(..slots).ok_or(TableError::Image { expected: slots, found })?;
        let found = marks.len();
        let marks = marks.get_mut(..flags).ok_or(TableError::Image { expected: flags, found })?;
        Ok(Self { table, values, marks })
    }
}

impl<R: Copy> Storage<R> for Borrowed<'_, R> {
    fn parts(&mut self) -> Parts<'_, R> {
        Parts {
            records: self.table.records(),
            code: self.table.code(),
            image: self.table.image(),
            values: self.values,
            marks: self.marks,
        }
    }

    fn records(&self) -> &[u16] {
        self.table.records()
    }

    fn values(&self) -> &[R] {
        self.values
    }

    fn marks(&self) -> &[u32] {
        self.marks
    }
}

/// A network and its state.
#[derive(Clone, Debug)]
pub struct Network<R, S> {
    header: Header,
    storage: S,
    tick: Tick,
    turn: u32,
    faults: u32,
    number: core::marker::PhantomData<R>,
}

impl<R: Real, S: Storage<R>> Network<R, S> {
    /// A network at tick 0.
    ///
    /// # Errors
    /// [`TableError`] when the table is refused or the storage is too short.
    pub fn new(header: Header, mut storage: S) -> Result<Self, TableError> {
        let parts = storage.parts();
        let table = Table::new(header, parts.records, parts.code, parts.image)?;
        for (expected, found) in
            [(table.image().len(), parts.values.len()), (table.marks(), parts.marks.len())]
        {
            if found < expected {
                return Err(TableError::Image { expected, found });
            }
        }
        let number = core::marker::PhantomData;
        let mut network = Self { header, storage, tick: Tick(0), turn: 0, faults: 0, number };
        network.reset();
        Ok(network)
    }

    /// Back to tick 0: initial values everywhere, no reading seen yet.
    pub fn reset(&mut self) {
        (self.tick, self.turn, self.faults) = (Tick(0), 0, 0);
        let parts = self.storage.parts();
        for (value, initial) in parts.values.iter_mut().zip(parts.image) {
            *value = *initial;
        }
        let readings = usize::from(self.header.readings);
        for (at, mark) in parts.marks.iter_mut().enumerate() {
            *mark = if at < readings { NEVER } else { 0 };
        }
    }

    /// One period of layer 0: readings and modes in their declared order; a missing entry or a NaN
    /// is a missing reading, and a mode of 0.
    #[inline]
    pub fn tick(&mut self, readings: &[R], modes: &[R]) {
        self.tick_observed(readings, modes, &mut Unobserved);
    }

    /// Like [`Network::tick`], with every T-term, decay and pull shown to an observer.
    ///
    /// # Determinism
    /// Values do not depend on the observer. No draw is made.
    pub fn tick_observed<O: Observer<R>>(&mut self, readings: &[R], modes: &[R], observer: &mut O) {
        let due = Due::at(&self.header, &self.storage.parts(), self.turn);
        let header = self.header;
        let parts = self.storage.parts();
        let table = Table::trusted(header, parts.records, parts.code, parts.image);
        let mut stepper =
            Stepper { table, values: parts.values, marks: parts.marks, observer, faults: 0 };
        stepper.readings(readings);
        stepper.modes(modes);
        for layer in 0..header.layers {
            if due.has(layer) {
                stepper.percepts(layer);
            }
        }
        for layer in (0..header.layers).rev() {
            if due.has(layer) {
                stepper.observer.layer(layer);
                stepper.activations(layer, due.period(layer));
                stepper.actuators(layer, due.period(layer));
            }
        }
        self.faults = self.faults.saturating_add(stepper.faults);
        self.tick = self.tick.next();
        self.turn = if self.turn + 1 >= due.longest() { 0 } else { self.turn + 1 };
    }

    /// Sets the clock, for taking over from another network between two ticks.
    pub fn resume_at(&mut self, tick: Tick) {
        let longest = Due::at(&self.header, &self.storage.parts(), 0).longest();
        self.tick = tick;
        self.turn = (tick.0 % u64::from(longest.max(1))) as u32;
    }

    /// Sets the age of a reading, for carrying state over.
    pub fn set_age(&mut self, reading: u16, age: u32) {
        let readings = self.header.readings;
        let mark = self.storage.parts().marks.get_mut(usize::from(reading));
        if let Some(mark) = mark.filter(|_| reading < readings) {
            *mark = age;
        }
    }

    /// Ticks done so far.
    pub const fn now(&self) -> Tick {
        self.tick
    }

    /// Expressions that gave no finite number so far.
    pub const fn faults(&self) -> u32 {
        self.faults
    }

    /// Counts and choices of the table.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Value of a slot; 0 outside memory.
    #[inline]
    pub fn value(&self, slot: u16) -> R {
        self.storage.values().get(usize::from(slot)).copied().unwrap_or(R::ZERO)
    }

    /// Sets a state slot, for carrying state over from another network; a constant or a value that
    /// is not finite is left alone.
    pub fn set_value(&mut self, slot: u16, value: R) {
        let is_state = slot >= self.header.first_state && value.finite();
        let place = self.storage.parts().values.get_mut(usize::from(slot));
        if let Some(place) = place.filter(|_| is_state) {
            *place = value;
        }
    }

    /// Ticks since a reading was last valid; [`NEVER`] before the first time.
    pub fn age(&self, reading: u16) -> u32 {
        self.storage.marks().get(usize::from(reading)).copied().unwrap_or(NEVER)
    }

    /// Largest age among the readings a percept depends on; 0 when it depends on none.
    pub fn percept_age(&mut self, percept: u16) -> u32 {
        let parts = self.storage.parts();
        let table = Table::trusted(self.header, parts.records, parts.code, parts.image);
        let record = table.percept(percept);
        let ages = table.needs(record.first_need, record.needs).iter();
        ages.filter_map(|r| parts.marks.get(usize::from(*r))).copied().max().unwrap_or(0)
    }

    /// Whether a percept has had its first valid value.
    pub fn has_started(&self, percept: u16) -> bool {
        let at = usize::from(self.header.readings) + usize::from(percept);
        self.storage.marks().get(at).is_some_and(|m| *m != 0)
    }

    /// Marks a percept as started, for carrying state over.
    pub fn set_started(&mut self, percept: u16) {
        let at = usize::from(self.header.readings) + usize::from(percept);
        if let Some(mark) = self.storage.parts().marks.get_mut(at) {
            *mark = 1;
        }
    }

    /// The storage, for reading.
    pub const fn storage(&self) -> &S {
        &self.storage
    }

    /// Hash over tick, state slots and marks.
    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        hash.word(self.tick.0);
        for value in self.storage.values().iter().skip(usize::from(self.header.first_state)) {
            hash.word(value.widen().to_bits());
        }
        self.storage.marks().iter().for_each(|m| hash.word(u64::from(*m)));
        hash.value()
    }
}

/// Which layers run in a tick, and their periods in ticks.
struct Due {
    periods: [u32; crate::table::LAYERS],
    layers: u32,
    longest: u32,
}

impl Due {
    fn at<R: Real>(header: &Header, parts: &Parts<'_, R>, turn: u32) -> Self {
        let table = Table::trusted(*header, parts.records, parts.code, parts.image);
        let (mut below, mut layers) = (1_u32, 0_u32);
        let mut periods = [1; crate::table::LAYERS];
        for (index, place) in periods.iter_mut().enumerate().take(usize::from(header.layers)) {
            let factor = if index == 0 { 1 } else { table.layer(index as u16).factor.max(1) };
            let period = below.wrapping_mul(u32::from(factor)).max(1);
            let offset = match header.phase {
                Phase::Ruler if index > 0 => below % period,
                _ => 0,
            };
            if turn % period == offset {
                layers |= 1 << index;
            }
            *place = period;
            below = period;
        }
        Self { periods, layers, longest: below }
    }

    const fn has(&self, layer: u16) -> bool {
        self.layers >> layer & 1 == 1
    }

    fn period(&self, layer: u16) -> u32 {
        self.periods.get(usize::from(layer)).copied().unwrap_or(1)
    }

    const fn longest(&self) -> u32 {
        self.longest
    }
}

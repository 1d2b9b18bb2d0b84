//! Contingency memory: what tended to follow what I did.
//!
//! Terms: an *entry* says "when my actuators changed like this in this state of needs, my sensors
//! changed like that"; its *strength* is how reliable that has been lately; *surprise* is the share
//! of sensor symbols that the best matching entry predicted wrongly; *recall* finds an action that
//! came with relief in a situation like the present one.
//!
//! Model: 256 slots, open addressing with a probe of 8; strengths decay by 0.5 % per tick and
//! entries below 0.02 are forgotten.
//!
//! What it does not do: no channel has a meaning; there is no delay longer than one tick.
//!
//! # Source
//! Design document, section 7; the reference engine for order and ties.

use tropism_body::{MAX_ACTUATORS, MAX_SENSORS};

use crate::code::{self, Code};
use crate::parameters::ContingencyParameters;
use crate::senses::Senses;

/// Number of slots.
pub const SLOTS: usize = 256;
/// Slots looked at from the hash on.
pub const PROBES: usize = 8;
/// Slots that share a word of the occupancy.
const BLOCK: usize = 64;
const WORDS: usize = SLOTS / BLOCK;

/// One remembered contingency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Code of the actuator changes.
    pub action: Code,
    /// Code of the sensor changes.
    pub sensors: Code,
    /// Needs at or above one half.
    pub context: u8,
    /// Reliability in [0, 1].
    pub strength: f32,
    /// Mean fall of the homeostatic distance that came with it.
    pub relief: f32,
    /// Ticks since it was last met, saturating.
    pub age_ticks: u16,
}

/// What an empty slot holds: nothing is near its codes, since no channel has symbol 3, and decay
/// and ageing leave it as it is. Scans can so run over all slots without asking which are taken.
const EMPTY: Entry = Entry {
    action: Code::MAX,
    sensors: Code::MAX,
    context: 0,
    strength: f32::INFINITY,
    relief: -1.0,
    age_ticks: u16::MAX,
};

/// An action that helped before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recall {
    /// Code of the actuator changes to repeat.
    pub action: Code,
    /// Strength, halved when the situation differs in one symbol.
    pub confidence: f32,
}

/// The memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contingency {
    action: [Code; SLOTS],
    sensors: [Code; SLOTS],
    strength: [f32; SLOTS],
    relief: [f32; SLOTS],
    age_ticks: [u16; SLOTS],
    context: [u8; SLOTS],
    occupied: [u64; WORDS],
    count: u16,
    /// Prediction error of the last update, in [0, 1].
    pub surprise: f32,
    /// Codes of the last update.
    pub latest: (Code, Code),
    /// Slot written by the last update, if any.
    pub latest_slot: Option<u8>,
    /// Fall of the homeostatic distance at the last update.
    pub latest_relief: f32,
    /// Actuator values at the last update.
    pub previous_actuators: [f32; MAX_ACTUATORS],
    /// Sensor levels at the last update.
    pub previous_levels: [f32; MAX_SENSORS],
    /// Channels that were valid at the last update.
    pub previous_valid: u16,
    /// Homeostatic distance at the last update.
    pub previous_distance: f32,
    /// False until the first update.
    pub has_previous: bool,
}

impl Default for Contingency {
    fn default() -> Self {
        Self {
            action: [EMPTY.action; SLOTS],
            sensors: [EMPTY.sensors; SLOTS],
            strength: [EMPTY.strength; SLOTS],
            relief: [EMPTY.relief; SLOTS],
            age_ticks: [EMPTY.age_ticks; SLOTS],
            context: [EMPTY.context; SLOTS],
            occupied: [0; WORDS],
            count: 0,
            surprise: 1.0,
            latest: (0, 0),
            latest_slot: None,
            latest_relief: 0.0,
            previous_actuators: [0.0; MAX_ACTUATORS],
            previous_levels: [0.0; MAX_SENSORS],
            previous_valid: 0,
            previous_distance: 0.0,
            has_previous: false,
        }
    }
}

/// What an update looks at.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Sensor levels.
    pub senses: &'a Senses,
    /// Actuator values as felt.
    pub actuators: &'a [f32],
    /// Needs at or above one half.
    pub context: u8,
    /// Homeostatic distance.
    pub distance: f32,
}

impl Contingency {
    /// One tick. A frozen memory predicts and recalls but neither learns nor forgets.
    pub fn update(&mut self, p: &ContingencyParameters, now: Situation<'_>, is_frozen: bool) {
        self.latest_slot = None;
        if self.has_previous {
            self.latest = self.codes(p, &now);
            self.latest_relief = self.previous_distance - now.distance;
            let (action, sensors) = self.latest;
            if !is_frozen {
                self.decay(p);
            }
            self.surprise = match self.predict(action) {
                Some(slot) => {
                    let wrong = code::distance(self.sensors[slot], sensors) as f32;
                    let share = wrong / now.senses.count.max(1) as f32;
                    if share < 1.0 { share } else { 1.0 }
                }
                None => 1.0,
            };
            if !is_frozen {
                let slot = self.learn(p, action, sensors, now.context);
                self.latest_slot = Some(slot as u8);
            }
        }
        self.previous_levels = now.senses.levels;
        self.previous_valid = now.senses.valid;
        let n = now.actuators.len().min(MAX_ACTUATORS);
        self.previous_actuators[..n].copy_from_slice(&now.actuators[..n]);
        self.previous_distance = now.distance;
        self.has_previous = true;
    }

    fn codes(&self, p: &ContingencyParameters, now: &Situation<'_>) -> (Code, Code) {
        let threshold = p.change_threshold;
        let mut action = 0;
        for (i, (new, old)) in now.actuators.iter().zip(&self.previous_actuators).enumerate() {
            action |= code::symbol(new - old, threshold) << (2 * i);
        }
        let mut sensors = 0;
        let both = now.senses.valid & self.previous_valid;
        for i in 0..now.senses.count.min(MAX_SENSORS) {
            if both & (1 << i) != 0 {
                let change = now.senses.levels[i] - self.previous_levels[i];
                sensors |= code::symbol(change, threshold) << (2 * i);
            }
        }
        (action, sensors)
    }

    /// Decays every entry and forgets the weak.
    fn decay(&mut self, p: &ContingencyParameters) {
        let keep = 1.0 - p.decay_per_tick;
        for age in &mut self.age_ticks {
            *age = age.saturating_add(1);
        }
        for word in 0..WORDS {
            let Some(block) = self.strength.as_chunks_mut::<BLOCK>().0.get_mut(word) else {
                return;
            };
            let mut has_weak = 0;
            for strength in block {
                *strength *= keep;
                has_weak |= u32::from(*strength < p.prune_below);
            }
            if has_weak != 0 {
                self.forget_weak(word, p.prune_below);
            }
        }
    }

    #[inline(never)]
    fn forget_weak(&mut self, word: usize, limit: f32) {
        let mut bits = self.occupied[word];
        while bits != 0 {
            let slot = word * BLOCK + bits.trailing_zeros() as usize;
            if self.strength[slot] < limit {
                self.occupied[word] &= !(bits & bits.wrapping_neg());
                self.count -= 1;
                self.set(slot, EMPTY);
            }
            bits &= bits - 1;
        }
    }

    /// The entry nearest to an action, the strongest of those, the first of those.
    fn predict(&self, action: Code) -> Option<usize> {
        let mut best = (2, 0.0, None);
        for_near(&self.action, action, |slot, distance| {
            let strength = self.strength[slot];
            if distance < best.0 || (distance == best.0 && strength > best.1) {
                best = (distance, strength, Some(slot));
            }
        });
        best.2
    }

    fn learn(
        &mut self,
        p: &ContingencyParameters,
        action: Code,
        sensors: Code,
        context: u8,
    ) -> usize {
        let home = code::hash(&[action, sensors, u32::from(context)]) as usize % SLOTS;
        let mut weakest = home;
        for probe in 0..PROBES {
            let slot = (home + probe) % SLOTS;
            if !self.is_occupied(slot) {
                self.occupied[slot / 64] |= 1 << (slot % 64);
                self.count += 1;
                self.write_new(p, slot, action, sensors, context);
                return slot;
            }
            let is_same = self.action[slot] == action
                && self.sensors[slot] == sensors
                && self.context[slot] == context;
            if is_same {
                self.strength[slot] += p.learn_rate * (1.0 - self.strength[slot]);
                self.relief[slot] += p.learn_rate * (self.latest_relief - self.relief[slot]);
                self.age_ticks[slot] = 0;
                return slot;
            }
            if self.strength[slot] < self.strength[weakest] {
                weakest = slot;
            }
        }
        self.write_new(p, weakest, action, sensors, context);
        weakest
    }

    fn write_new(
        &mut self,
        p: &ContingencyParameters,
        slot: usize,
        action: Code,
        sensors: Code,
        context: u8,
    ) {
        let relief = self.latest_relief;
        let strength = p.learn_rate;
        self.set(slot, Entry { action, sensors, context, strength, relief, age_ticks: 0 });
    }

    fn set(&mut self, slot: usize, entry: Entry) {
        self.action[slot] = entry.action;
        self.sensors[slot] = entry.sensors;
        self.context[slot] = entry.context;
        self.strength[slot] = entry.strength;
        self.relief[slot] = entry.relief;
        self.age_ticks[slot] = entry.age_ticks;
    }

    /// The action that came with most relief after sensor changes like the latest ones; `None`
    /// when nothing near helped.
    pub fn recall(&self) -> Option<Recall> {
        let mut best = None;
        let mut best_score = 0.0;
        for_near_of(&self.sensors, self.latest.1, &self.relief, |slot, distance| {
            let relief = self.relief[slot];
            let discount = if distance == 0 { 1.0 } else { 0.5 };
            let score = relief * self.strength[slot] * discount;
            if score > best_score {
                best_score = score;
                let confidence = self.strength[slot] * discount;
                best = Some(Recall { action: self.action[slot], confidence });
            }
        });
        best
    }

    /// Number of entries.
    pub const fn count(&self) -> usize {
        self.count as usize
    }

    /// True when the slot holds an entry.
    pub const fn is_occupied(&self, slot: usize) -> bool {
        self.occupied[slot / 64] & (1 << (slot % 64)) != 0
    }

    /// The entry in a slot.
    pub fn entry(&self, slot: usize) -> Option<Entry> {
        (slot < SLOTS && self.is_occupied(slot)).then(|| Entry {
            action: self.action[slot],
            sensors: self.sensors[slot],
            context: self.context[slot],
            strength: self.strength[slot],
            relief: self.relief[slot],
            age_ticks: self.age_ticks[slot],
        })
    }

    /// Slots that hold an entry, in order.
    pub fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        (0..SLOTS).filter(|slot| self.is_occupied(*slot))
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        for slot in 0..SLOTS {
            self.set(slot, EMPTY);
        }
        self.occupied = [0; WORDS];
        self.count = 0;
    }

    /// Puts an entry back into the slot it was in, as when a saved life goes on.
    pub fn put_at(&mut self, slot: usize, entry: Entry) {
        if slot < SLOTS {
            if !self.is_occupied(slot) {
                self.occupied[slot / 64] |= 1 << (slot % 64);
                self.count += 1;
            }
            self.set(slot, entry);
        }
    }

    /// Takes an entry of another body or an older file: the stronger of two equal keys stays, a
    /// full probe gives up its weakest. Entries without any change are not taken.
    pub fn adopt(&mut self, entry: Entry) -> bool {
        if entry.action == 0 && entry.sensors == 0 {
            return false;
        }
        let key = [entry.action, entry.sensors, u32::from(entry.context)];
        let home = code::hash(&key) as usize % SLOTS;
        let mut weakest = home;
        for probe in 0..PROBES {
            let slot = (home + probe) % SLOTS;
            match self.entry(slot) {
                None => {
                    self.put_at(slot, entry);
                    return true;
                }
                Some(e) if [e.action, e.sensors, u32::from(e.context)] == key => {
                    if entry.strength > e.strength {
                        self.set(slot, entry);
                    }
                    return true;
                }
                Some(e) if e.strength < self.strength[weakest] => weakest = slot,
                Some(_) => {}
            }
        }
        self.set(weakest, entry);
        true
    }
}

/// Slots compared at a time.
const LANES: usize = 16;

/// Calls `visit` with each slot whose code differs from the wanted one in at most one channel, and
/// with that distance, in order.
///
/// A few slots of all are near; so the comparison is one pass without branches, which takes many
/// slots per instruction where the machine can, and the rest is done for the few.
#[inline]
fn for_near(codes: &[Code; SLOTS], wanted: Code, mut visit: impl FnMut(usize, u32)) {
    let mut is_near = [0_u8; SLOTS];
    let groups = is_near.as_chunks_mut::<LANES>().0.iter_mut();
    for (is_near, codes) in groups.zip(codes.as_chunks::<LANES>().0) {
        // Two loops of one operation each: compilers turn these into whole-register ones.
        let mut differing = [0; LANES];
        for (differing, code) in differing.iter_mut().zip(codes) {
            *differing = code::differing(*code, wanted);
        }
        for (is_near, bits) in is_near.iter_mut().zip(differing) {
            *is_near = u8::from(bits & bits.wrapping_sub(1) == 0);
        }
    }
    for (i, eight) in is_near.as_chunks::<8>().0.iter().enumerate() {
        let mut bytes = u64::from_le_bytes(*eight);
        while bytes != 0 {
            let slot = (8 * i + bytes.trailing_zeros() as usize / 8) % SLOTS;
            bytes &= bytes - 1;
            visit(slot, u32::from(codes[slot] != wanted));
        }
    }
}

/// As [`for_near`] for the slots whose worth is above 0.
///
/// A few slots of all are near; so the comparison is one pass without branches, which takes many
/// slots per instruction where the machine can, and the rest is done for the few.
#[inline]
fn for_near_of(
    codes: &[Code; SLOTS],
    wanted: Code,
    worth: &[f32; SLOTS],
    mut visit: impl FnMut(usize, u32),
) {
    let groups = codes.as_chunks::<LANES>().0.iter().zip(worth.as_chunks::<LANES>().0);
    for (i, (codes, worth)) in groups.enumerate() {
        // Loops of one operation each: compilers turn these into whole-register ones.
        let mut differing = [0; LANES];
        for (differing, code) in differing.iter_mut().zip(codes) {
            *differing = code::differing(*code, wanted);
        }
        let mut is_near = [0_u8; LANES];
        for ((is_near, bits), worth) in is_near.iter_mut().zip(differing).zip(worth) {
            let is_alike = u8::from(bits & bits.wrapping_sub(1) == 0);
            *is_near = is_alike & u8::from(*worth > 0.0);
        }
        let mut bytes = u128::from_le_bytes(is_near);
        while bytes != 0 {
            let within = (bytes.trailing_zeros() as usize / 8) % LANES;
            bytes &= bytes - 1;
            visit(i * LANES + within, u32::from(codes[within] != wanted));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: fn() -> ContingencyParameters = ContingencyParameters::default;

    fn update(memory: &mut Contingency, level: f32, wheel: f32, distance: f32) {
        let mut senses = Senses::new(2);
        senses.levels[0] = level;
        senses.valid = 0b11;
        let now = Situation { senses: &senses, actuators: &[wheel], context: 3, distance };
        memory.update(&P(), now, false);
    }

    #[test]
    fn unit_an_unrepeated_entry_is_forgotten_after_321_ticks() {
        let mut memory = Contingency::default();
        update(&mut memory, 0.0, 0.0, 0.0);
        update(&mut memory, 0.5, 0.5, 0.0);
        let slot = usize::from(memory.latest_slot.unwrap());
        let mut ticks = 0;
        while memory.entry(slot).is_some_and(|e| e.action != 0) {
            update(&mut memory, 0.5, 0.5, 0.0);
            ticks += 1;
        }
        assert_eq!(ticks, 322);
    }

    #[test]
    fn unit_recall_prefers_what_helped_most_and_never_what_hurt() {
        let mut memory = Contingency::default();
        update(&mut memory, 0.0, 0.0, 1.0);
        update(&mut memory, 0.5, 0.5, 1.2);
        assert_eq!(memory.recall(), None);
        update(&mut memory, 0.0, 0.0, 0.7);
        let found = memory.recall().unwrap();
        assert_eq!((found.action, found.confidence), (2, 0.1));
    }

    #[test]
    fn unit_a_full_probe_gives_up_its_weakest_entry_first_on_ties() {
        let mut memory = Contingency::default();
        let entry = |strength| Entry {
            action: 1,
            sensors: 9,
            context: 0,
            strength,
            relief: 0.0,
            age_ticks: 0,
        };
        let home = code::hash(&[5, 5, 1]) as usize % SLOTS;
        for probe in 0..PROBES {
            let strength = if probe == 3 || probe == 5 { 0.2 } else { 0.9 };
            memory.put_at((home + probe) % SLOTS, entry(strength));
        }
        let slot = memory.learn(&P(), 5, 5, 1);
        assert_eq!((slot, memory.count()), ((home + 3) % SLOTS, PROBES));
    }

    #[test]
    fn unit_ties_go_to_the_stronger_then_to_the_first_slot() {
        let mut memory = Contingency::default();
        for (slot, action, strength) in [(4, 1, 0.9), (6, 0, 0.1), (7, 0, 0.1), (9, 1, 0.95)] {
            memory.put_at(slot, Entry { action, strength, relief: 0.5, ..EMPTY });
        }
        assert_eq!(memory.predict(0), Some(6));
        assert_eq!(memory.predict(1 << 2), Some(6));
        assert_eq!(memory.predict(1 | 1 << 4), Some(9));
        assert_eq!(memory.predict(1 << 2 | 1 << 4), None);
    }

    #[test]
    fn unit_a_channel_without_a_trusted_value_has_no_symbol() {
        let mut memory = Contingency::default();
        let mut senses = Senses::new(1);
        for (level, valid) in [(0.1, 1), (0.9, 0), (0.5, 1)] {
            senses.levels[0] = level;
            senses.valid = valid;
            let now = Situation { senses: &senses, actuators: &[0.0], context: 0, distance: 0.0 };
            memory.update(&P(), now, false);
            assert_eq!(memory.latest.1, 0);
        }
    }

    #[test]
    fn unit_a_frozen_memory_still_predicts_but_changes_nothing() {
        let mut memory = Contingency::default();
        for t in 0..40 {
            update(&mut memory, (t % 2) as f32, (t % 2) as f32, 0.0);
        }
        let before = memory;
        let mut senses = Senses::new(2);
        senses.valid = 0b11;
        senses.levels[0] = 0.0;
        let now = Situation { senses: &senses, actuators: &[0.0], context: 3, distance: 0.0 };
        memory.update(&P(), now, true);
        assert_eq!((memory.strength, memory.age_ticks), (before.strength, before.age_ticks));
        assert_eq!(memory.surprise, 0.0);
    }
}

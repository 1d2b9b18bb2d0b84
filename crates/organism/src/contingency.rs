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
//! A little over 500 lines, a fifth of them tests: slots, their index by action and what is
//! recalled of them change together.
//!
//! # Source
//! Design document, section 7; the reference engine for order and ties.

use tropism_body::{MAX_ACTUATORS, MAX_SENSORS};

use crate::code::{self, Code};
use crate::parameters::ContingencyParameters;
use crate::planes::{Alike, Planes, Slots, for_each};
use crate::senses::Senses;

/// Number of slots.
pub const SLOTS: usize = 256;
/// Slots looked at from the hash on.
pub const PROBES: usize = 8;
/// Slots that share a word of the occupancy.
const BLOCK: usize = 64;
/// Words of one bit per slot.
pub(crate) const WORDS: usize = SLOTS / BLOCK;

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

/// An action that helped before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recall {
    /// Code of the actuator changes to repeat.
    pub action: Code,
    /// Strength, halved when the situation differs in one symbol.
    pub confidence: f32,
}

/// The memory.
///
/// Two memories are equal when their entries and what they keep of the last update are.
#[derive(Clone, Copy, Debug)]
pub struct Contingency {
    action: [Code; SLOTS],
    sensors: [Code; SLOTS],
    /// Infinite in an empty slot, so that decay runs over all slots and finds none of them weak.
    strength: [f32; SLOTS],
    relief: [f32; SLOTS],
    /// Value of `clock` when an entry was last met.
    met_at: [u32; SLOTS],
    context: [u8; SLOTS],
    occupied: Slots,
    /// Entries that came with relief; few do, and only those can be recalled.
    helpful: Slots,
    /// The actions once more, for comparing all at once. Empty slots keep their last action.
    actions: Planes,
    /// Ticks in which entries aged.
    clock: u32,
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
            action: [0; SLOTS],
            sensors: [0; SLOTS],
            strength: [f32::INFINITY; SLOTS],
            relief: [0.0; SLOTS],
            met_at: [0; SLOTS],
            context: [0; SLOTS],
            occupied: [0; WORDS],
            helpful: [0; WORDS],
            actions: Planes::new(),
            clock: 0,
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

impl PartialEq for Contingency {
    fn eq(&self, other: &Self) -> bool {
        let last = |c: &Self| {
            let codes = (c.latest, c.latest_slot, c.previous_valid, c.has_previous);
            (codes, c.surprise, c.latest_relief, c.previous_distance)
        };
        last(self) == last(other)
            && self.previous_actuators == other.previous_actuators
            && self.previous_levels == other.previous_levels
            && (0..SLOTS).all(|slot| self.entry(slot) == other.entry(slot))
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
        self.clock = self.clock.wrapping_add(1);
        if self.clock & u32::from(u16::MAX) == 0 {
            self.settle_ages();
        }
        let keep = 1.0 - p.decay_per_tick;
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

    /// Keeps the clock from coming round to entries that have not been met for years.
    #[cold]
    fn settle_ages(&mut self) {
        for slot in 0..SLOTS {
            self.met_at[slot] = self.clock.wrapping_sub(u32::from(self.age_ticks(slot)));
        }
    }

    #[inline]
    fn age_ticks(&self, slot: usize) -> u16 {
        self.clock.wrapping_sub(self.met_at[slot]).min(u32::from(u16::MAX)) as u16
    }

    #[inline(never)]
    fn forget_weak(&mut self, word: usize, limit: f32) {
        let mut bits = self.occupied[word];
        while bits != 0 {
            let slot = word * BLOCK + bits.trailing_zeros() as usize;
            if self.strength[slot] < limit {
                self.forget(slot);
            }
            bits &= bits - 1;
        }
    }

    /// Empties an occupied slot.
    fn forget(&mut self, slot: usize) {
        let (word, bit) = (slot / BLOCK, 1 << (slot % BLOCK));
        self.occupied[word] &= !bit;
        self.helpful[word] &= !bit;
        self.strength[slot] = f32::INFINITY;
        self.count -= 1;
    }

    /// The entry nearest to an action, the strongest of those, the first of those.
    fn predict(&self, action: Code) -> Option<usize> {
        let Alike { exact, near } = self.actions.alike(action);
        let taken = |set: Slots| core::array::from_fn(|word| set[word] & self.occupied[word]);
        let exact: Slots = taken(exact);
        let set = if exact == [0; WORDS] { taken(near) } else { exact };
        let mut best = None;
        let mut most = 0.0;
        for_each(&set, |slot| {
            let strength = self.strength[slot % SLOTS];
            if best.is_none() || strength > most {
                (best, most) = (Some(slot), strength);
            }
        });
        best
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
                self.write_new(p, slot, action, sensors, context);
                return slot;
            }
            let is_same = self.action[slot] == action
                && self.sensors[slot] == sensors
                && self.context[slot] == context;
            if is_same {
                self.strength[slot] += p.learn_rate * (1.0 - self.strength[slot]);
                self.relief[slot] += p.learn_rate * (self.latest_relief - self.relief[slot]);
                self.note_relief(slot);
                self.met_at[slot] = self.clock;
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
        let (word, bit) = (slot / BLOCK, 1 << (slot % BLOCK));
        self.count += u16::from(self.occupied[word] & bit == 0);
        self.occupied[word] |= bit;
        self.actions.change(slot, self.action[slot], entry.action);
        self.action[slot] = entry.action;
        self.sensors[slot] = entry.sensors;
        self.context[slot] = entry.context;
        self.strength[slot] = entry.strength;
        self.relief[slot] = entry.relief;
        self.note_relief(slot);
        self.met_at[slot] = self.clock.wrapping_sub(u32::from(entry.age_ticks));
    }

    #[inline]
    fn note_relief(&mut self, slot: usize) {
        let bit = 1 << (slot % BLOCK);
        let helpful = &mut self.helpful[slot / BLOCK];
        *helpful = if self.relief[slot] > 0.0 { *helpful | bit } else { *helpful & !bit };
    }

    /// The action that came with most relief after sensor changes like the latest ones; `None`
    /// when nothing near helped.
    pub fn recall(&self) -> Option<Recall> {
        let mut best = None;
        let mut best_score = 0.0;
        for_each(&self.helpful, |slot| {
            let slot = slot % SLOTS;
            let Some(distance) = code::near(self.sensors[slot], self.latest.1) else { return };
            let discount = if distance == 0 { 1.0 } else { 0.5 };
            let score = self.relief[slot] * self.strength[slot] * discount;
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
            age_ticks: self.age_ticks(slot),
        })
    }

    /// Slots that hold an entry, in order.
    pub fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        (0..SLOTS).filter(|slot| self.is_occupied(*slot))
    }

    /// Forgets all entries.
    pub fn clear(&mut self) {
        self.strength = [f32::INFINITY; SLOTS];
        self.occupied = [0; WORDS];
        self.helpful = [0; WORDS];
        self.count = 0;
    }

    /// Puts an entry back into the slot it was in, as when a saved life goes on.
    pub fn put_at(&mut self, slot: usize, entry: Entry) {
        if slot < SLOTS {
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
            let (sensors, context, relief, age_ticks) = (0, 0, 0.5, 0);
            let entry = Entry { action, sensors, context, strength, relief, age_ticks };
            memory.put_at(slot, entry);
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
        assert!((0..SLOTS).all(|slot| memory.entry(slot) == before.entry(slot)));
        assert_eq!(memory.surprise, 0.0);
    }
}

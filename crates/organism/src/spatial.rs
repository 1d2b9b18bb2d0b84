//! Spatial memory: places as sensor signatures, and whether they do one good.
//!
//! Terms: a *signature* holds two bits per channel, the quarter of its range a level lies in; a
//! *place* is a signature; its *improvement* says how much each drive fell per tick there; the
//! *nudge* narrows exploration at the best place known for the present drives and widens it
//! elsewhere.
//!
//! Model: 32 slots, open addressing with a probe of 8; score = Σ drive·improvement.
//!
//! What it does not do: it does not steer; two spots that feel the same are one place.
//!
//! # Source
//! Design document, section 8; the reference engine for replacement and ties.

use tropism_core::math;

use crate::code;
use crate::parameters::SpatialParameters;
use crate::physiology::NEEDS;
use crate::senses::Senses;

/// Number of slots.
pub const SLOTS: usize = 32;
/// Slots looked at from the hash on.
pub const PROBES: usize = 8;

/// One remembered place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Two bits per channel.
    pub signature: u32,
    /// Ticks spent there, saturating.
    pub visits: u32,
    /// Ticks since the last one, saturating.
    pub age_ticks: u16,
    /// Mean fall of each drive per tick.
    pub improvement: [f32; NEEDS],
}

/// The place known to be best for the present drives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestPlace {
    /// Its signature.
    pub signature: u32,
    /// Its score; at or below 0 no place is known to do good.
    pub score: f32,
}

/// The memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spatial {
    signature: [u32; SLOTS],
    visits: [u32; SLOTS],
    age_ticks: [u16; SLOTS],
    improvement: [[f32; SLOTS]; NEEDS],
    occupied: u32,
    /// Signature of the present place.
    pub here: u32,
    /// Drives at the last update.
    pub previous_drives: [f32; NEEDS],
    /// False until the first update.
    pub has_previous: bool,
}

impl Default for Spatial {
    fn default() -> Self {
        Self {
            signature: [0; SLOTS],
            visits: [0; SLOTS],
            age_ticks: [0; SLOTS],
            improvement: [[0.0; SLOTS]; NEEDS],
            occupied: 0,
            here: 0,
            previous_drives: [0.0; NEEDS],
            has_previous: false,
        }
    }
}

/// Two bits per channel: the quarter of the range its level lies in.
#[inline]
pub fn signature_of(senses: &Senses) -> u32 {
    let mut signature = 0;
    for (i, level) in senses.levels[..senses.count.min(senses.levels.len())].iter().enumerate() {
        let quarter = (4.0 * level) as u32;
        signature |= quarter.min(3) << (2 * i);
    }
    signature
}

impl Spatial {
    /// One tick.
    pub fn update(&mut self, p: &SpatialParameters, senses: &Senses, drives: &[f32; NEEDS]) {
        self.here = signature_of(senses);
        if self.has_previous {
            for age in &mut self.age_ticks {
                *age = age.saturating_add(1);
            }
            let mut relief = [0.0; NEEDS];
            for ((relief, old), new) in relief.iter_mut().zip(&self.previous_drives).zip(drives) {
                *relief = old - new;
            }
            self.learn(p, &relief);
        }
        self.previous_drives = *drives;
        self.has_previous = true;
    }

    fn learn(&mut self, p: &SpatialParameters, relief: &[f32; NEEDS]) {
        let signature = self.here;
        let home = code::hash(&[signature]) as usize % SLOTS;
        let mut rarest = home;
        for probe in 0..PROBES {
            let slot = (home + probe) % SLOTS;
            if !self.is_occupied(slot) {
                rarest = slot;
                break;
            }
            if self.signature[slot] == signature {
                self.visits[slot] = self.visits[slot].saturating_add(1);
                self.age_ticks[slot] = 0;
                for (column, relief) in self.improvement.iter_mut().zip(relief) {
                    column[slot] += p.improvement_rate * (relief - column[slot]);
                }
                return;
            }
            if self.visits[slot] < self.visits[rarest] {
                rarest = slot;
            }
        }
        let place = Place { signature, visits: 1, age_ticks: 0, improvement: *relief };
        self.put_at(rarest, place);
    }

    /// The place with the highest score for these drives, the first slot on ties.
    pub fn best(&self, drives: &[f32; NEEDS]) -> Option<BestPlace> {
        let mut scores = [0.0_f32; SLOTS];
        for (drive, column) in drives.iter().zip(&self.improvement) {
            if *drive != 0.0 {
                for (score, improvement) in scores.iter_mut().zip(column) {
                    *score += drive * improvement;
                }
            }
        }
        // Bits of floats order as integers once those of negative ones are turned over.
        let mut ranks = scores.map(|score| {
            let bits = score.to_bits() as i32;
            bits ^ ((bits >> 31) & i32::MAX)
        });
        let mut empty = !self.occupied;
        while empty != 0 {
            ranks[empty.trailing_zeros() as usize] = i32::MIN;
            empty &= empty - 1;
        }
        let top = ranks.iter().fold(i32::MIN, |top, rank| top.max(*rank));
        let slot = ranks.iter().position(|rank| *rank == top).filter(|_| self.occupied != 0)?;
        Some(BestPlace { signature: self.signature[slot], score: scores[slot] })
    }

    /// Change of exploration: negative at the best place, positive elsewhere, 0 if none is known.
    pub fn nudge(&self, p: &SpatialParameters, best: Option<BestPlace>) -> f32 {
        let Some(best) = best.filter(|b| b.score > 0.0) else { return 0.0 };
        let size = math::clamp(p.nudge_gain * best.score, 0.0, p.nudge_max);
        if best.signature == self.here { -size } else { size }
    }

    /// Number of places.
    pub const fn count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// True when the slot holds a place.
    pub const fn is_occupied(&self, slot: usize) -> bool {
        self.occupied & (1 << slot) != 0
    }

    /// The place in a slot.
    pub fn place(&self, slot: usize) -> Option<Place> {
        (slot < SLOTS && self.is_occupied(slot)).then(|| Place {
            signature: self.signature[slot],
            visits: self.visits[slot],
            age_ticks: self.age_ticks[slot],
            improvement: self.improvement.map(|column| column[slot]),
        })
    }

    /// The present place, if it is in memory.
    pub fn present_place(&self) -> Option<Place> {
        (0..SLOTS).filter_map(|slot| self.place(slot)).find(|p| p.signature == self.here)
    }

    /// Forgets all places.
    pub fn clear(&mut self) {
        self.occupied = 0;
    }

    /// Puts a place into a slot.
    pub fn put_at(&mut self, slot: usize, place: Place) {
        if slot < SLOTS {
            self.occupied |= 1 << slot;
            self.signature[slot] = place.signature;
            self.visits[slot] = place.visits;
            self.age_ticks[slot] = place.age_ticks;
            for (column, improvement) in self.improvement.iter_mut().zip(place.improvement) {
                column[slot] = improvement;
            }
        }
    }

    /// Takes a place of another body or an older file: the more visited of two equal signatures
    /// stays, a full probe gives up its least visited.
    pub fn adopt(&mut self, place: Place) {
        let home = code::hash(&[place.signature]) as usize % SLOTS;
        let mut rarest = home;
        for probe in 0..PROBES {
            let slot = (home + probe) % SLOTS;
            if !self.is_occupied(slot) {
                return self.put_at(slot, place);
            }
            if self.signature[slot] == place.signature {
                if place.visits > self.visits[slot] {
                    self.put_at(slot, place);
                }
                return;
            }
            if self.visits[slot] < self.visits[rarest] {
                rarest = slot;
            }
        }
        self.put_at(rarest, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: fn() -> SpatialParameters = SpatialParameters::default;

    fn senses(level: f32) -> Senses {
        let mut senses = Senses::new(1);
        senses.levels[0] = level;
        senses.valid = 1;
        senses
    }

    #[test]
    fn unit_quarters_are_cut_as_stated() {
        for (level, quarter) in [(0.0, 0), (0.249, 0), (0.25, 1), (0.75, 3), (1.0, 3)] {
            assert_eq!(signature_of(&senses(level)), quarter);
        }
    }

    #[test]
    fn unit_a_good_place_narrows_exploration_there_and_widens_it_elsewhere() {
        let mut memory = Spatial::default();
        let mut drives = [0.0; NEEDS];
        for step in 0..5 {
            drives[0] = 1.0 - 0.1 * step as f32;
            memory.update(&P(), &senses(0.9), &drives);
        }
        let best = memory.best(&drives);
        assert_eq!(best.map(|b| b.signature), Some(3));
        assert!(memory.nudge(&P(), best) < 0.0);
        memory.update(&P(), &senses(0.1), &drives);
        assert!(memory.nudge(&P(), memory.best(&drives)) > 0.0);
        assert_eq!(memory.nudge(&P(), memory.best(&[0.0; NEEDS])), 0.0);
    }

    #[test]
    fn unit_a_full_probe_replaces_the_least_visited_first_on_ties() {
        let mut memory = Spatial::default();
        let here = 77_777;
        let home = code::hash(&[here]) as usize % SLOTS;
        for probe in 0..PROBES {
            let visits = if probe == 2 || probe == 6 { 3 } else { 9 };
            let signature = 1_000 + probe as u32;
            let place = Place { signature, visits, age_ticks: 0, improvement: [0.0; NEEDS] };
            memory.put_at((home + probe) % SLOTS, place);
        }
        memory.here = here;
        memory.learn(&P(), &[0.5; NEEDS]);
        let place = memory.place((home + 2) % SLOTS).unwrap();
        assert_eq!((place.signature, place.visits, place.improvement[5]), (here, 1, 0.5));
    }
}

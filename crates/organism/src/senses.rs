//! Readings as the organism takes them: shares of the channel range, with validity.
//!
//! The rule for bad readings: a channel without a trusted value has no change, no event and no
//! deviation; its place level stays the last one known (the middle if none ever was). It is never
//! taken for 0.

use tropism_body::{BodySpec, MAX_SENSORS, Percept};
use tropism_core::{Draws, random};

/// Channel levels of one tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Senses {
    /// Share of each channel's range, in [0, 1]; the last known one where `valid` is clear.
    pub levels: [f32; MAX_SENSORS],
    /// Channels with a trusted value at this tick, as bits.
    pub valid: u16,
    /// Number of channels.
    pub count: usize,
}

/// Level of a channel that has never been read.
pub const NEVER_READ: f32 = 0.5;

impl Senses {
    /// Nothing read yet.
    pub const fn new(count: usize) -> Self {
        Self { levels: [NEVER_READ; MAX_SENSORS], valid: 0, count }
    }

    /// Takes the readings of a tick. Channels in `hidden` count as missing; those in `randomised`
    /// are replaced by uniform draws.
    #[inline]
    pub fn take(
        &mut self,
        body: &BodySpec,
        percept: &Percept,
        hidden: u16,
        randomised: u16,
        mut draws: Draws,
    ) {
        self.valid = 0;
        for (i, (spec, reading)) in body.sensors.iter().zip(percept.readings.iter()).enumerate() {
            let bit = 1 << i;
            // Drawn for every channel, so that choosing another set shifts nothing.
            let noise = (randomised != 0).then(|| random::uniform_of(draws.next_u32()));
            if hidden & bit != 0 {
                continue;
            }
            if let Some(noise) = noise.filter(|_| randomised & bit != 0) {
                self.levels[i] = noise;
                self.valid |= bit;
            } else if let Some(value) = reading.value() {
                self.levels[i] = spec.share(value);
                self.valid |= bit;
            }
        }
    }

    /// True when the channel has a trusted value.
    #[inline]
    pub const fn is_valid(&self, channel: usize) -> bool {
        self.valid & (1 << channel) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tropism_body::{Reading, presets};
    use tropism_core::{Purpose, Seed, Tick};

    #[test]
    fn unit_a_bad_reading_keeps_the_last_level_and_is_marked() {
        let body = presets::reference_board();
        let draws = Seed(0).stream(Purpose::named("t"), 0, 0).at(Tick(0));
        let mut senses = Senses::new(3);
        let mut percept = Percept::default();
        for reading in [Reading::Fresh(0.8), Reading::NotFinite, Reading::Missing] {
            let _ = percept.readings.push(reading);
        }
        senses.take(&body, &percept, 0, 0, draws);
        assert_eq!((senses.valid, senses.levels[0], senses.levels[1]), (1, 0.8, NEVER_READ));
        percept.readings[0] = Reading::Stale { value: 0.1, age_ticks: 9 };
        senses.take(&body, &percept, 0, 0, draws);
        assert_eq!((senses.valid, senses.levels[0]), (0, 0.8));
        senses.take(&body, &percept, 0b1, 0b110, draws);
        assert_eq!(senses.valid, 0b110);
    }

    #[test]
    fn unit_hiding_a_channel_shifts_no_draw_of_another() {
        let body = presets::reference_board();
        let draws = Seed(7).stream(Purpose::named("t"), 0, 0).at(Tick(3));
        let mut percept = Percept::default();
        for _ in 0..3 {
            let _ = percept.readings.push(Reading::Fresh(0.25));
        }
        let levels = |hidden, randomised| {
            let mut senses = Senses::new(3);
            senses.take(&body, &percept, hidden, randomised, draws);
            senses.levels
        };
        let (all, first_hidden, last_only) =
            (levels(0, 0b111), levels(0b1, 0b111), levels(0b11, 0b100));
        assert_eq!(all[1..3], first_hidden[1..3]);
        assert_eq!(all[2], last_only[2]);
        assert!(all[1] != all[2] && all[1] != 0.25, "{all:?}");
    }
}

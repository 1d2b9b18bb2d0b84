//! Filters for ranges that are wrong for a moment.
//!
//! Terms: a *burst* is a few readings far from the truth; a *window* is the number of readings a
//! median looks back on, the present one included.
//!
//! What it does not do: a median counts readings, so it is for rangers that measure at every tick;
//! those that fire in turn repeat one measurement for many ticks, and want the time of [`Confirm`].

use crate::course::Echo;

/// Longest window.
pub const WINDOW_MAX: usize = 7;

/// Median of the last readings of a ranger; nothing heard counts as infinitely far.
///
/// Model: with a window of n readings, a burst of up to (n − 1)/2 of them never shows. A reading
/// that is unknown gives unknown and is not remembered. A window of 0 or 1 hands all through.
///
/// # Example
/// ```
/// use tropism_reactive::course::Echo;
/// use tropism_reactive::filter::Median;
/// let mut median = Median::new(3.0);
/// let said = [1.5, 0.03, 1.5, 0.4, 0.4].map(|d| median.update(Echo::At(d)).distance_m());
/// assert_eq!(said, [1.5, 1.5, 1.5, 0.4, 0.4]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Median {
    last_m: [f32; WINDOW_MAX],
    window: usize,
    len: usize,
    next: usize,
}

impl Median {
    /// A median over this many readings, at most [`WINDOW_MAX`]; an even number counts as the odd
    /// one above it.
    pub fn new(window: f32) -> Self {
        let window = (window as usize | 1).min(WINDOW_MAX);
        Self { last_m: [f32::INFINITY; WINDOW_MAX], window, len: 0, next: 0 }
    }

    /// Takes a reading and gives the median; while fewer than the window are known, of those, the
    /// farther one of two middle ones.
    #[inline]
    pub fn update(&mut self, echo: Echo) -> Echo {
        if self.window == 1 || echo == Echo::Unknown {
            return echo;
        }
        self.last_m[self.next] = echo.distance_m();
        self.next = (self.next + 1) % self.window;
        self.len = (self.len + 1).min(self.window);
        let mut sorted = self.last_m;
        let known = &mut sorted[..self.len];
        known.sort_unstable_by(f32::total_cmp);
        let middle = known[self.len / 2];
        if middle.is_finite() { Echo::At(middle) } else { Echo::Nothing }
    }
}

/// Something counts once it has lasted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Confirm {
    lasted_s: f32,
}

impl Confirm {
    /// One tick; true once `is_so` has held without a break for `confirm_s`; at once for 0.
    #[inline]
    pub fn update(&mut self, is_so: bool, dt_s: f32, confirm_s: f32) -> bool {
        if !is_so {
            self.lasted_s = 0.0;
            return false;
        }
        // The first tick has lasted no time yet.
        let is_over = self.lasted_s >= confirm_s;
        self.lasted_s += dt_s;
        is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_us_08_a_burst_of_less_than_half_the_window_never_shows() {
        for window in [3, 5, 7] {
            for burst in 1..=3 {
                let mut median = Median::new(window as f32);
                let near = (0..100_u32)
                    .filter(|t| {
                        let d = if *t > 20 && t % 20 < burst { 0.03 } else { 1.5 };
                        median.update(Echo::At(d)).is_within(0.5)
                    })
                    .count();
                assert_eq!(near == 0, burst <= (window - 1) / 2, "{window} {burst}");
            }
        }
    }

    #[test]
    fn unit_silence_is_far_and_the_unknown_is_not_remembered() {
        let mut median = Median::new(3.0);
        assert_eq!(median.update(Echo::Nothing), Echo::Nothing);
        assert_eq!(median.update(Echo::Unknown), Echo::Unknown);
        assert_eq!(median.update(Echo::At(0.2)), Echo::Nothing);
        assert_eq!(median.update(Echo::At(0.3)), Echo::At(0.3));
    }

    #[test]
    fn unit_a_state_counts_once_it_has_lasted() {
        let mut confirm = Confirm::default();
        let said = [true, true, true, false, true].map(|on| confirm.update(on, 0.01, 0.015));
        assert_eq!(said, [false, false, true, false, false]);
        assert!(Confirm::default().update(true, 0.01, 0.0));
    }
}

//! From elapsed time to whole ticks.

use tropism_core::TimeStep;

/// Longest stretch of time made up for at once, s. What a sleeping tab missed beyond this is lost:
/// the run goes on where it stood, with steps of the usual length.
pub const CATCH_UP_S: f64 = 0.25;

/// Turns elapsed time into whole ticks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pacer {
    /// Simulated seconds owed.
    owed_s: f64,
}

impl Pacer {
    /// Ticks that are due after `elapsed_s` more of real time at this speed.
    ///
    /// Fractions are carried over, so that any frame rate gives the same speed.
    pub fn due(&mut self, elapsed_s: f64, speed: f64, step: TimeStep) -> u64 {
        let elapsed_s = if elapsed_s.is_finite() { elapsed_s.clamp(0.0, CATCH_UP_S) } else { 0.0 };
        self.owed_s += elapsed_s * speed;
        let tick_s = f64::from(step.numerator()) / f64::from(step.denominator());
        let ticks = (self.owed_s / tick_s) as u64;
        self.owed_s -= ticks as f64 * tick_s;
        ticks
    }

    /// Forgets what is owed, as after a pause.
    pub fn rest(&mut self) {
        self.owed_s = 0.0;
    }
}

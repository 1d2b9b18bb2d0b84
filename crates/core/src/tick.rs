//! Integer time.
//!
//! Terms: a *tick* counts control steps from the start of a run; a *time step* is the rational
//! number of seconds between two ticks. Seconds are derived from ticks, never summed up.
//!
//! What it does not do: it reads no clock.

/// Number of control steps since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tick(pub u64);

impl Tick {
    /// The next tick.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// Why a time step was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepError {
    /// Numerator or denominator is zero.
    Zero,
    /// Longer than one second: no controller here is meant for that.
    TooLong,
    /// Shorter than ten microseconds: single precision can no longer integrate it.
    TooShort,
}

impl core::fmt::Display for StepError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Zero => "a time step needs two whole numbers above 0, such as 1/20",
            Self::TooLong => "a time step is at most 1 s",
            Self::TooShort => "a time step is at least 1/100000 s",
        })
    }
}

impl core::error::Error for StepError {}

/// Seconds between two ticks as a fraction in lowest terms.
///
/// # Example
/// ```
/// use tropism_core::{Tick, TimeStep};
/// let step = TimeStep::new(1, 120)?;
/// assert_eq!(step.seconds_at(Tick(120)), 1.0);
/// assert_eq!(TimeStep::new(5, 100)?, TimeStep::new(1, 20)?);
/// # Ok::<(), tropism_core::StepError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeStep {
    numerator: u32,
    denominator: u32,
}

impl TimeStep {
    /// 1/20 s, the organism's control period.
    pub const TWENTIETH: Self = Self { numerator: 1, denominator: 20 };

    /// The fraction `numerator / denominator` of a second.
    ///
    /// # Errors
    /// [`StepError`] when a part is zero or the step lies outside 10 µs..1 s.
    pub const fn new(numerator: u32, denominator: u32) -> Result<Self, StepError> {
        if numerator == 0 || denominator == 0 {
            return Err(StepError::Zero);
        }
        if numerator > denominator {
            return Err(StepError::TooLong);
        }
        if (numerator as u64) * 100_000 < denominator as u64 {
            return Err(StepError::TooShort);
        }
        let divisor = gcd(numerator, denominator);
        Ok(Self { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// Numerator in lowest terms.
    pub const fn numerator(self) -> u32 {
        self.numerator
    }

    /// Denominator in lowest terms.
    pub const fn denominator(self) -> u32 {
        self.denominator
    }

    /// The step in seconds, rounded once.
    #[inline]
    pub fn seconds(self) -> f32 {
        (f64::from(self.numerator) / f64::from(self.denominator)) as f32
    }

    /// Seconds from the start to this tick, rounded once.
    #[inline]
    pub fn seconds_at(self, tick: Tick) -> f64 {
        (tick.0 as f64 * f64::from(self.numerator)) / f64::from(self.denominator)
    }

    /// Number of ticks in `seconds`, rounded up; 0 for a negative or non-finite duration.
    pub fn ticks_in(self, seconds: f64) -> u64 {
        let ticks = seconds * f64::from(self.denominator) / f64::from(self.numerator);
        if ticks.is_finite() && ticks > 0.0 { libm::ceil(ticks - 1e-9) as u64 } else { 0 }
    }

    /// How often `inner` fits into this step, if it does so exactly.
    pub const fn times(self, inner: Self) -> Option<u32> {
        let a = self.numerator as u64 * inner.denominator as u64;
        let b = self.denominator as u64 * inner.numerator as u64;
        if a.is_multiple_of(b) && a / b <= u32::MAX as u64 { Some((a / b) as u32) } else { None }
    }
}

const fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_a_step_is_exact_over_long_times() {
        let step = TimeStep::new(1, 120).unwrap();
        assert_eq!(step.seconds_at(Tick(120 * 3600 * 24 * 365)), 3600.0 * 24.0 * 365.0);
        assert_eq!(step.ticks_in(3600.0), 432_000);
        assert_eq!(TimeStep::TWENTIETH.ticks_in(0.05), 1);
        assert_eq!(TimeStep::TWENTIETH.ticks_in(0.06), 2);
        assert_eq!(TimeStep::TWENTIETH.ticks_in(f64::NAN), 0);
    }

    #[test]
    fn unit_steps_nest_or_say_that_they_do_not() {
        let control = TimeStep::TWENTIETH;
        assert_eq!(control.times(TimeStep::new(1, 100).unwrap()), Some(5));
        assert_eq!(control.times(TimeStep::new(16, 1000).unwrap()), None);
    }

    #[test]
    fn unit_sim_08_a_step_out_of_range_is_refused() {
        assert_eq!(TimeStep::new(0, 20), Err(StepError::Zero));
        assert_eq!(TimeStep::new(3, 2), Err(StepError::TooLong));
        assert_eq!(TimeStep::new(1, 200_000), Err(StepError::TooShort));
    }
}

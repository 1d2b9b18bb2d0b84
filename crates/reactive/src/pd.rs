//! A proportional and differential law that survives bad times and bad numbers.
//!
//! Terms: the *gap* is the time between two calls.
//!
//! What it does not do: it has no integral, so nothing can wind up.

/// What was wrong with a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PdFlag {
    /// Nothing.
    #[default]
    Fine,
    /// No time has passed: the last output was given again.
    NoTime,
    /// Time ran backwards: the last output was given again.
    Backwards,
    /// The error is not a number: the output is 0 for this call, the memory is unchanged.
    NotFinite,
    /// The gap is too long for a derivative: the output is proportional alone.
    Gap,
}

/// Longest time between two calls over which a derivative is formed, s.
pub const GAP_MAX_S: f32 = 0.5;

/// A PD law with a smoothed derivative.
///
/// Model: u = kp·e + kd·ė, where ė is the difference quotient smoothed with time constant τ:
/// ė ← ė + dt/(τ + dt)·(Δe/dt − ė).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pd {
    last: Option<f32>,
    slope: f32,
    output: f32,
    /// What was wrong with the last call.
    pub flag: PdFlag,
}

impl Pd {
    /// One call; gives the output.
    #[inline]
    pub fn update(&mut self, error: f32, dt_s: f32, (kp, kd, smooth_s): (f32, f32, f32)) -> f32 {
        self.flag = PdFlag::Fine;
        if !error.is_finite() {
            self.flag = PdFlag::NotFinite;
            return 0.0;
        }
        // A time that is not a number counts as none.
        if dt_s.is_nan() || dt_s <= 0.0 {
            self.flag = if dt_s < 0.0 { PdFlag::Backwards } else { PdFlag::NoTime };
            return self.output;
        }
        match self.last {
            Some(last) if dt_s <= GAP_MAX_S => {
                let raw = (error - last) / dt_s;
                self.slope += dt_s / (smooth_s + dt_s) * (raw - self.slope);
            }
            Some(_) => {
                self.flag = PdFlag::Gap;
                self.slope = 0.0;
            }
            None => self.slope = 0.0,
        }
        self.last = Some(error);
        self.output = kp * error + kd * self.slope;
        self.output
    }

    /// Forgets errors of before.
    #[inline]
    pub fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAINS: (f32, f32, f32) = (2.0, 0.5, 0.0);

    #[test]
    fn unit_ct_01_no_time_backward_time_and_long_gaps_do_not_spike() {
        let mut pd = Pd::default();
        pd.update(0.1, 0.01, GAINS);
        let before = pd.update(0.11, 0.01, GAINS);
        assert!((before - (0.22 + 0.5)).abs() < 1e-3, "{before}");
        assert_eq!((pd.update(5.0, 0.0, GAINS), pd.flag), (before, PdFlag::NoTime));
        assert_eq!((pd.update(5.0, -1.0, GAINS), pd.flag), (before, PdFlag::Backwards));
        assert_eq!((pd.update(5.0, f32::NAN, GAINS), pd.flag), (before, PdFlag::NoTime));
        assert_eq!((pd.update(0.5, 10.0, GAINS), pd.flag), (1.0, PdFlag::Gap));
    }

    #[test]
    fn unit_ct_03_one_nan_is_flagged_and_forgotten() {
        let (mut with, mut without) = (Pd::default(), Pd::default());
        with.update(0.1, 0.01, GAINS);
        without.update(0.1, 0.01, GAINS);
        assert_eq!((with.update(f32::NAN, 0.01, GAINS), with.flag), (0.0, PdFlag::NotFinite));
        let after = with.update(0.1, 0.01, GAINS);
        assert_eq!((after, with.flag), (without.update(0.1, 0.01, GAINS), PdFlag::Fine));
    }
}

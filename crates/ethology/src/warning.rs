//! What a reader of a number must know about it.
//!
//! What it does not do: it prints nothing; a warning is a value that travels with its result.

use core::fmt;

use serde::Serialize;

/// Fewest organisms for which an interval is reported without a warning.
pub(crate) const SAMPLE_SIZE_MIN: usize = 20;

/// A doubt about a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[non_exhaustive]
pub enum Warning {
    /// Fewer than 20 organisms: intervals are wider than they look.
    SmallSample {
        /// Number of organisms.
        n: usize,
    },
    /// Every value is the same to the last bit.
    IdenticalReplicates {
        /// Number of equal values.
        count: usize,
    },
    /// Values that are no finite number were left out.
    NonFinite {
        /// Number of values left out.
        count: usize,
    },
    /// Seeds without a partner in the other condition were left out.
    Unpaired {
        /// Number of seeds left out.
        count: usize,
    },
    /// The horizon lies beyond the last observation; the curve was held level up to it.
    HorizonBeyondData,
    /// The bout list was full; totals are exact, the list is not complete.
    BoutsNotKept {
        /// Bouts counted but not listed.
        count: u64,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SmallSample { n } => {
                write!(f, "n = {n} is below {SAMPLE_SIZE_MIN}; the interval is uncertain")
            }
            Self::IdenticalReplicates { count } => {
                write!(f, "all {count} values are identical; are the seeds distinct?")
            }
            Self::NonFinite { count } => write!(f, "{count} values are not finite and left out"),
            Self::Unpaired { count } => write!(f, "{count} seeds have no partner and are left out"),
            Self::HorizonBeyondData => {
                f.write_str("the horizon lies beyond the last observation; the curve is held level")
            }
            Self::BoutsNotKept { count } => {
                write!(f, "{count} bouts are counted but not listed: the list was full")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_a_warning_names_the_number_it_is_about() {
        assert!(Warning::SmallSample { n: 7 }.to_string().contains("n = 7"));
        assert!(Warning::IdenticalReplicates { count: 10 }.to_string().contains("10"));
    }
}

//! What a sensor channel says at a tick.

/// One reading in the channel's own unit, with its validity.
///
/// # Example
/// ```
/// use tropism_body::Reading;
/// assert_eq!(Reading::Held { value: 0.5, age_ticks: 3 }.value(), Some(0.5));
/// assert_eq!(Reading::Stale { value: 0.5, age_ticks: 99 }.value(), None);
/// assert_eq!(Reading::NoEcho.value(), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Reading {
    /// Measured at this tick.
    Fresh(f32),
    /// Measured earlier and still within its validity.
    Held {
        /// The measured value.
        value: f32,
        /// Ticks since it was measured.
        age_ticks: u32,
    },
    /// Measured too long ago to be trusted.
    Stale {
        /// The last measured value.
        value: f32,
        /// Ticks since it was measured.
        age_ticks: u32,
    },
    /// A ranging sensor heard nothing: nothing within its range, or a lost echo.
    NoEcho,
    /// Nothing was ever measured, or the channel is hidden.
    #[default]
    Missing,
    /// The sensor delivered NaN or infinity.
    NotFinite,
}

impl Reading {
    /// The value, when it can be trusted.
    #[inline]
    pub const fn value(self) -> Option<f32> {
        match self {
            Self::Fresh(value) | Self::Held { value, .. } => Some(value),
            Self::Stale { .. } | Self::NoEcho | Self::Missing | Self::NotFinite => None,
        }
    }

    /// The value even when it is stale.
    #[inline]
    pub const fn last_value(self) -> Option<f32> {
        match self {
            Self::Stale { value, .. } => Some(value),
            other => other.value(),
        }
    }

    /// Ticks since the measurement, if there was one.
    #[inline]
    pub const fn age_ticks(self) -> Option<u32> {
        match self {
            Self::Fresh(_) => Some(0),
            Self::Held { age_ticks, .. } | Self::Stale { age_ticks, .. } => Some(age_ticks),
            Self::NoEcho | Self::Missing | Self::NotFinite => None,
        }
    }

    /// True when [`Self::value`] gives one.
    #[inline]
    pub const fn is_valid(self) -> bool {
        matches!(self, Self::Fresh(_) | Self::Held { .. })
    }
}

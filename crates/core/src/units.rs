//! One-field newtypes for public boundaries.
//!
//! Inside kernels values are plain `f32` with the unit in their name; where a value crosses a
//! crate boundary as a lone argument it carries its unit in its type.

macro_rules! quantity {
    ($(#[$about:meta])* $Name:ident, $unit:literal) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
        pub struct $Name(f32);

        impl $Name {
            /// The value, if it is finite.
            pub const fn new(value: f32) -> Option<Self> {
                if value.is_finite() { Some(Self(value)) } else { None }
            }

            /// A value written in the program itself.
            ///
            /// # Panics
            /// When it is not finite; in a constant this is a compile error.
            pub const fn literal(value: f32) -> Self {
                assert!(value.is_finite(), "a quantity is finite");
                Self(value)
            }

            /// The bare number.
            pub const fn get(self) -> f32 {
                self.0
            }
        }

        impl core::fmt::Display for $Name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(&self.0, f)?;
                f.write_str(concat!(" ", $unit))
            }
        }
    };
}

quantity!(
    /// A length in metres.
    Meters, "m"
);
quantity!(
    /// An angle in radians, counter-clockwise.
    Radians, "rad"
);
quantity!(
    /// A speed in metres per second.
    MetersPerSecond, "m/s"
);

/// A number in [0, 1]; arithmetic cannot leave the range.
///
/// # Example
/// ```
/// use tropism_core::units::UnitInterval;
/// let half = UnitInterval::new(0.5).unwrap();
/// assert_eq!(half.plus(0.7).get(), 1.0);
/// assert!(UnitInterval::new(f32::NAN).is_none());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct UnitInterval(f32);

impl UnitInterval {
    /// The value, if it lies in [0, 1].
    pub fn new(value: f32) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// The value clamped; a NaN becomes 0.
    pub fn saturating(value: f32) -> Self {
        Self(crate::math::unit(value))
    }

    /// The sum, clamped.
    #[must_use]
    pub fn plus(self, change: f32) -> Self {
        Self::saturating(self.0 + change)
    }

    /// The bare number.
    pub const fn get(self) -> f32 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    extern crate alloc;
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn unit_quantities_are_finite_and_print_their_unit() {
        assert!(Meters::new(f32::INFINITY).is_none());
        assert_eq!(Meters::literal(0.25).to_string(), "0.25 m");
        assert_eq!(Radians::literal(1.0).get().to_bits(), 1.0_f32.to_bits());
        assert_eq!(MetersPerSecond::literal(0.2).to_string(), "0.2 m/s");
    }

    #[test]
    fn unit_the_unit_interval_saturates() {
        assert_eq!(UnitInterval::saturating(-3.0).get().to_bits(), 0.0_f32.to_bits());
        assert_eq!(UnitInterval::saturating(f32::NAN).get().to_bits(), 0.0_f32.to_bits());
        assert!(UnitInterval::new(1.01).is_none());
    }
}

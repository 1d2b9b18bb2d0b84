//! Parameters declared once.
//!
//! A model lists its numbers with the `parameters!` macro: name, unit, bounds, default, source and
//! meaning. The struct, its defaults, validation, access by name, command-line help and the
//! reference tables of the documentation all derive from that one list.

/// One declared number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Name in configuration files.
    pub name: &'static str,
    /// Unit, `1` for a pure number.
    pub unit: &'static str,
    /// Smallest allowed value.
    pub min: f32,
    /// Largest allowed value.
    pub max: f32,
    /// Value when nothing is said.
    pub default: f32,
    /// Where the default comes from.
    pub source: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
}

impl Parameter {
    /// Checks a value against the bounds.
    ///
    /// # Errors
    /// [`OutOfBounds`] for a value outside them or a NaN.
    pub fn check(&'static self, value: f32) -> Result<f32, OutOfBounds> {
        if value >= self.min && value <= self.max {
            Ok(value)
        } else {
            Err(OutOfBounds { parameter: self, value })
        }
    }
}

/// A value outside a parameter's bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutOfBounds {
    /// The parameter whose bounds were left.
    pub parameter: &'static Parameter,
    /// The refused value.
    pub value: f32,
}

impl core::fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Parameter { name, unit, min, max, .. } = self.parameter;
        write!(f, "{name} = {} is outside {min}..{max} {unit}", self.value)
    }
}

impl core::error::Error for OutOfBounds {}

/// A struct whose fields are all declared parameters.
pub trait ParameterSet: Sized + 'static {
    /// The declarations, in field order.
    const TABLE: &'static [Parameter];

    /// Value of the parameter at this index of the table; `None` past its end.
    fn value_at(&self, index: usize) -> Option<f32>;

    /// Sets the parameter at this index.
    ///
    /// # Errors
    /// [`OutOfBounds`] when the value is refused; the set is then unchanged.
    fn set_at(&mut self, index: usize, value: f32) -> Result<(), OutOfBounds>;

    /// Index of a parameter by name.
    fn index_of(name: &str) -> Option<usize> {
        Self::TABLE.iter().position(|p| p.name == name)
    }
}

/// Declares a struct of parameters.
///
/// Each field reads `name: "unit", min..=max, default, "source";` under its doc comment.
///
/// # Example
/// ```
/// use tropism_core::parameter::ParameterSet;
/// tropism_core::parameters! {
///     /// How a lamp behaves.
///     pub struct LampParameters {
///         /// Blinks per second.
///         blink_hz: "Hz", 0.0..=20.0, 2.0, "made up for this example";
///     }
/// }
/// let mut lamp = LampParameters::default();
/// assert_eq!(lamp.blink_hz, 2.0);
/// assert!(lamp.set_at(0, 50.0).is_err());
/// assert_eq!(LampParameters::TABLE[0].about, "Blinks per second.");
/// ```
#[macro_export]
macro_rules! parameters {
    (
        $(#[$about:meta])*
        $vis:vis struct $Set:ident {
            $(
                #[doc = $doc:literal]
                $field:ident: $unit:literal,
                $min:literal ..= $max:literal, $default:expr, $source:literal;
            )+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        $vis struct $Set {
            $(#[doc = $doc] pub $field: f32,)+
        }

        impl Default for $Set {
            fn default() -> Self {
                Self { $($field: $default,)+ }
            }
        }

        impl $crate::parameter::ParameterSet for $Set {
            const TABLE: &'static [$crate::Parameter] = &[
                $($crate::Parameter {
                    name: stringify!($field),
                    unit: $unit,
                    min: $min,
                    max: $max,
                    default: $default,
                    source: $source,
                    about: $doc.trim_ascii(),
                },)+
            ];

            fn value_at(&self, index: usize) -> Option<f32> {
                [$(self.$field,)+].get(index).copied()
            }

            fn set_at(
                &mut self,
                index: usize,
                value: f32,
            ) -> Result<(), $crate::OutOfBounds> {
                let mut fields = [$(&mut self.$field,)+];
                if let (Some(parameter), Some(field)) =
                    (Self::TABLE.get(index), fields.get_mut(index))
                {
                    **field = parameter.check(value)?;
                }
                Ok(())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    parameters! {
        /// Two numbers.
        struct Pair {
            /// The first.
            first: "s", 0.0..=1.0, 0.25, "test";
            /// The second.
            second: "1", -1.0..=1.0, 0.5, "test";
        }
    }

    #[test]
    fn unit_a_refused_value_changes_nothing_and_names_the_bounds() {
        let mut pair = Pair::default();
        let error = pair.set_at(1, f32::NAN).unwrap_err();
        assert_eq!(error.parameter.name, "second");
        assert_eq!(pair, Pair::default());
        pair.set_at(1, -0.5).unwrap();
        assert_eq!(pair.value_at(1), Some(-0.5));
        assert_eq!(pair.value_at(2), None);
        assert_eq!(Pair::index_of("second"), Some(1));
    }

    #[test]
    fn unit_defaults_lie_within_their_bounds() {
        for parameter in Pair::TABLE {
            assert!(parameter.check(parameter.default).is_ok());
        }
    }
}

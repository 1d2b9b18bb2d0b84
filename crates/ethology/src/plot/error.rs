//! Why a figure was not drawn.

use core::fmt;

/// Why a figure was not drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlotError {
    /// There is no finite number to draw.
    Empty,
    /// Rows and columns do not match the number of values.
    Shape {
        /// Values needed.
        expected: usize,
        /// Values given.
        found: usize,
    },
    /// The drawing library refused.
    Drawing(String),
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("there is no finite number to draw"),
            Self::Shape { expected, found } => {
                write!(f, "the figure needs {expected} values and got {found}")
            }
            Self::Drawing(message) => write!(f, "drawing failed: {message}"),
        }
    }
}

impl core::error::Error for PlotError {}

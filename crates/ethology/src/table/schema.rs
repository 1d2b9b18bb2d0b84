//! Columns, cells and what can be wrong with a row.

use alloc::borrow::Cow;
use core::fmt;

/// Type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers from 0.
    U64,
    /// Whole numbers.
    I64,
    /// Numbers that may be null.
    F64,
    /// Yes or no.
    Bool,
    /// Text.
    Text,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::F64 => "f64",
            Self::Bool => "bool",
            Self::Text => "text",
        }
    }
}

/// Name and type of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name, with the unit in it.
    pub name: String,
    /// Type.
    pub kind: Kind,
}

impl Column {
    /// A column of this name and type.
    pub fn new(name: &str, kind: Kind) -> Self {
        Self { name: name.into(), kind }
    }
}

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell<'a> {
    /// A whole number from 0.
    U64(u64),
    /// A whole number.
    I64(i64),
    /// A number or null.
    F64(Option<f64>),
    /// Yes or no.
    Bool(bool),
    /// Text.
    Text(Cow<'a, str>),
}

impl Cell<'_> {
    /// Type of the value.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::U64(_) => Kind::U64,
            Self::I64(_) => Kind::I64,
            Self::F64(_) => Kind::F64,
            Self::Bool(_) => Kind::Bool,
            Self::Text(_) => Kind::Text,
        }
    }
}

macro_rules! from {
    ($($type:ty => $variant:ident($value:ident) $make:expr;)*) => {$(
        impl<'a> From<$type> for Cell<'a> {
            fn from($value: $type) -> Self {
                Self::$variant($make)
            }
        }
    )*};
}

from! {
    u64 => U64(x) x;
    u32 => U64(x) u64::from(x);
    usize => U64(x) x as u64;
    i64 => I64(x) x;
    i32 => I64(x) i64::from(x);
    f64 => F64(x) Some(x);
    Option<f64> => F64(x) x;
    bool => Bool(x) x;
    &'a str => Text(x) Cow::Borrowed(x);
    String => Text(x) Cow::Owned(x);
}

/// Why a table or a row was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// No column at all.
    NoColumns,
    /// Two columns share a name.
    Duplicate {
        /// The name.
        column: String,
    },
    /// A row has too few or too many cells.
    Cells {
        /// Number of columns.
        expected: usize,
        /// Number of cells.
        found: usize,
    },
    /// A cell has another type than its column.
    Type {
        /// Name of the column.
        column: String,
        /// Type of the column.
        expected: Kind,
        /// Type of the cell.
        found: Kind,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoColumns => f.write_str("a table needs at least one column"),
            Self::Duplicate { column } => write!(f, "two columns are called `{column}`"),
            Self::Cells { expected, found } => {
                write!(f, "a row has {found} cells, the table {expected} columns")
            }
            Self::Type { column, expected, found } => {
                write!(f, "column `{column}` holds {}, not {}", expected.name(), found.name())
            }
        }
    }
}

impl core::error::Error for TableError {}

/// Checks that columns can be told apart.
pub(super) fn check_columns(columns: &[Column]) -> Result<(), TableError> {
    if columns.is_empty() {
        return Err(TableError::NoColumns);
    }
    for (place, column) in columns.iter().enumerate() {
        if columns[..place].iter().any(|other| other.name == column.name) {
            return Err(TableError::Duplicate { column: column.name.clone() });
        }
    }
    Ok(())
}

/// Checks a row against its columns.
pub(super) fn check_row(columns: &[Column], row: &[Cell<'_>]) -> Result<(), TableError> {
    if row.len() != columns.len() {
        return Err(TableError::Cells { expected: columns.len(), found: row.len() });
    }
    match columns.iter().zip(row).find(|(column, cell)| column.kind != cell.kind()) {
        None => Ok(()),
        Some((column, cell)) => Err(TableError::Type {
            column: column.name.clone(),
            expected: column.kind,
            found: cell.kind(),
        }),
    }
}

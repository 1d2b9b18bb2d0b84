//! Typed tables and the files they are written to.
//!
//! Terms: a *kind* is the type of a column; a *null* is a number that does not exist, such as the
//! standard error of one organism, and is kept apart from a NaN.
//!
//! What it does not do: no query, no join, no reading; other programs read the CSV and Parquet
//! files. Units belong into the column name (`lifespan_s`).

mod atomic;
mod csv;
mod parquet;
mod schema;
mod text;
mod values;
mod writer;

pub use atomic::{AtomicFile, FileError, atomic_write};
pub(crate) use csv::push_field;
pub use schema::{Cell, Column, Kind, TableError};
pub use values::{Table, Values};
pub use writer::{Format, TableWriter, WriteError};

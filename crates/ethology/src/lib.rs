//! Statistics, survival curves, ethograms, tables, plots and reports.
//!
//! Terms: a *life* is one run of one organism from start to death or to the end of the
//! observation; an *organism* is the unit of replication, because its lives are correlated; an
//! *ethogram* is the record of which behaviour was shown when; a *bout* is one uninterrupted
//! stretch of one behaviour.
//!
//! What it does not do: it knows no simulator and no mind, reads no clock, and decides nothing
//! about how data are gathered. Plain numbers and names go in; values, text and files come out.

extern crate alloc;

pub mod boris;
pub mod ethogram;
pub mod plot;
pub mod report;
pub mod statistics;
pub mod survival;
pub mod table;
mod warning;

pub use warning::Warning;

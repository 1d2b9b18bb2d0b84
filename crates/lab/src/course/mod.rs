//! What the course claims, measured: the pen, the bug worlds, the line table, the wall's weave.
//!
//! What it does not do: it judges no script; grading is another part of the laboratory.

pub mod bugs;
pub mod cost;
mod drive;
pub mod gains;
pub mod line;
pub mod pen;
pub mod rough;
pub mod wall;

pub use drive::{CourseError, Outing, Sample, outing};

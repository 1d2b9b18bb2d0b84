//! Export for BORIS, the Behavioral Observation Research Interactive Software.
//!
//! Terms (of BORIS): an *observation* is one recorded session; a *subject* is who was watched; a
//! *state event* is written as a START and a STOP of the same code; a *point event* is written
//! once; *aggregated events* pair starts and stops to one row.
//!
//! A robot's true controlling module and its observed behaviour go into one observation as two
//! subjects, so that they can be plotted and compared side by side.
//!
//! What it does not do: no import, no media files, no modifiers. Observations are of the type LIVE.
//!
//! # Source
//! Friard and Gamba 2016, "BORIS: a free, versatile open-source event-logging software"; project
//! format version 7.0 and the tables of its releases 8 and 9 (checked against their files in 2026).

mod codes;
mod observation;
mod project;
mod tables;

pub use observation::{Observation, Track};
pub use project::{Project, project_json};
pub use tables::{aggregated_csv, tabular_csv};

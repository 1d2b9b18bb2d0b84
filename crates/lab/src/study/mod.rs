//! Rating studies: do creatures of different conditions look differently alive to people?
//!
//! Terms: a *clip* is a few seconds of one organism's way, without a label; a *key* says which clip
//! is of which condition and seed; a *rater* is a person; a *rating* is a step of the scale.
//!
//! The raters see [`Study`] only, in which clips are shuffled and named by numbers that tell
//! nothing; the key stays with the experimenter.
//!
//! What it does not do: it draws nothing (a page does) and keeps no names beyond those typed in.

mod make;
mod ratings;
mod report;

pub use make::{Clip, DiscShape, Key, Plan, Scale, Study, make};
pub use ratings::{Rating, read_key, read_ratings};
pub use report::{ConditionRow, RaterRow, StudyReport, describe, report};

/// Value of the key `format` of a study.
pub const FORMAT: &str = "tropism-study";

/// Version of the study file.
pub const VERSION: u32 = 1;

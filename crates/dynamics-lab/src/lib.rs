//! Experiments with layered dual dynamics on one reference robot.
//!
//! Terms: a *driver* is anything that turns sensing into wheel commands; a *course* is a field of
//! seeded discs between a start and a goal.
//!
//! What it does not do: it is no general world; it holds the plant, the courses and the baselines
//! of the published comparison, so that every figure is a comparison in one run.

pub mod ball;
pub mod baseline;
pub mod contest;
pub mod course;
pub mod driver;
pub mod generator;
pub mod load;
pub mod mission;
pub mod robot;
pub mod stage;
pub mod verbs;

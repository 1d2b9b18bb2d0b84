//! A run for counting instructions.

use super::drive::{CourseError, outing};
use super::pen::changed;

/// Drives a controller (`braitenberg_3b` unless another is named) in the open room for a number of
/// ticks; says where it ended.
///
/// # Errors
/// [`CourseError`] as [`outing`].
pub fn run(ticks: u64, name: Option<&str>) -> Result<String, CourseError> {
    let unknown = || CourseError::Unknown(String::from("course_room"));
    let world = tropism_scenario::built_in_world("course_room").ok_or_else(unknown)?;
    let world = world.map_err(|error| CourseError::File(error.to_string()))?;
    let mut outing = outing(&world, &changed(name.unwrap_or("braitenberg_3b"), &[])?, 1)?;
    for _ in 0..ticks {
        outing.tick();
    }
    Ok(format!("{ticks} ticks, state hash {:016x}\n", outing.hash()))
}

//! Reading keys and ratings.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::make::Key;
use crate::error::LabError;

/// One answer of one rater.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The study.
    pub study: String,
    /// Who.
    pub rater: String,
    /// The clip.
    pub clip: String,
    /// The step of the scale.
    pub rating: f64,
    /// Which of the rater's clips it was, from 1.
    pub position: u32,
    /// From the beginning of the clip to the answer, s.
    pub seconds: f64,
}

/// Reads the key of a study.
///
/// # Errors
/// [`LabError`] names file and line.
pub fn read_key(path: &Path) -> Result<Vec<Key>, LabError> {
    read(path)
}

/// Reads the ratings a page wrote.
///
/// # Errors
/// [`LabError`] names file and line; also for a rating that is no finite number.
pub fn read_ratings(path: &Path) -> Result<Vec<Rating>, LabError> {
    let ratings: Vec<Rating> = read(path)?;
    for (i, rating) in ratings.iter().enumerate() {
        if !rating.rating.is_finite() {
            let what = format!("line {}: the rating is no finite number", i + 2);
            return Err(LabError::damaged(path, what));
        }
    }
    Ok(ratings)
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>, LabError> {
    let file = std::fs::File::open(path).map_err(|error| LabError::Io {
        path: path.to_owned(),
        doing: "read",
        error,
    })?;
    let mut reader = csv::Reader::from_reader(file);
    let rows = reader.deserialize();
    rows.map(|row| row.map_err(|error| LabError::damaged(path, error.to_string()))).collect()
}

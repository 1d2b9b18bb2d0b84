//! One life's length.

use serde::Serialize;

/// How a life's observation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// The life ended.
    Died,
    /// The observation ended first.
    Censored,
}

/// Length of one observed life.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lifespan {
    /// The organism that lived it; lives of one organism are correlated.
    pub organism: u32,
    /// Observed length, any unit as long as it is the same everywhere.
    pub duration: f64,
    /// How the observation ended.
    pub fate: Fate,
}

impl Lifespan {
    /// A life that ended after `duration`.
    pub const fn died(organism: u32, duration: f64) -> Self {
        Self { organism, duration, fate: Fate::Died }
    }

    /// A life that still went on when its observation ended after `duration`.
    pub const fn censored(organism: u32, duration: f64) -> Self {
        Self { organism, duration, fate: Fate::Censored }
    }
}

//! How long lives last when some are still going on at the end of the observation.
//!
//! Terms: a lifespan is *censored* when the observation ended before the life did; the *survivor
//! function* S(t) is the probability to live longer than t; the *restricted mean* is the expected
//! part of a life that lies before a horizon.
//!
//! What it does not do: no left truncation, no competing causes, no regression on covariates.

mod cluster;
mod kaplan_meier;
mod lifespan;
mod restricted_mean;

pub use cluster::{ClusterMean, cluster_difference, cluster_restricted_mean};
pub use kaplan_meier::{KaplanMeier, Step};
pub use lifespan::{Fate, Lifespan};
pub use restricted_mean::{RestrictedMean, restricted_mean};

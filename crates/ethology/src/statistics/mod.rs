//! Numbers about samples of organisms.
//!
//! Terms: *n* counts organisms, not lives and not ticks; a *standard error* is the sample standard
//! deviation over √n; an *interval* holds the true value in 95 % of repetitions.
//!
//! What it does not do: no hypothesis test, no correction for many comparisons, no model fit
//! beyond a straight line. Functions print nothing; doubts are [`crate::Warning`] values.

mod agreement;
mod bootstrap;
mod entropy;
mod interval;
mod line;
pub(crate) mod normal;
mod organisms;
mod paired;
mod quantile;
mod rate;
mod replicates;
mod summary;

pub use agreement::krippendorff_alpha;
pub use bootstrap::{BOOTSTRAP, Bootstrap, bca_mean, percentile_interval, resample};
pub use entropy::shannon_bits;
pub use interval::Interval;
pub use line::{Line, fit_line, pearson};
pub use organisms::{Observation, means_of_organisms, slopes_of_organisms};
pub use paired::{Paired, compare_paired};
pub use quantile::{median, quantile};
pub use rate::{Rate, wilson};
pub use replicates::{IdenticalGroup, Replicate, identical_replicates};
pub use summary::{Summary, mean, sample_sd, summarise};

//! Mean, spread and interval of one sample.

use serde::Serialize;
use tropism_core::math::f64 as math;

use super::bootstrap::{Bootstrap, bca_mean};
use super::interval::Interval;
use super::quantile;
use crate::warning::{SAMPLE_SIZE_MIN, Warning};

/// What one number per organism says together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Number of organisms.
    pub n: usize,
    /// Arithmetic mean.
    pub mean: f64,
    /// Sample standard deviation (n − 1); `None` for one organism.
    pub sd: Option<f64>,
    /// Standard error of the mean; `None` for one organism.
    pub standard_error: Option<f64>,
    /// Bootstrap 95 % interval of the mean; `None` for one organism.
    pub interval: Option<Interval>,
    /// Smallest value.
    pub min: f64,
    /// Median.
    pub median: f64,
    /// Largest value.
    pub max: f64,
    /// Doubts about these numbers.
    pub warnings: Vec<Warning>,
}

/// Arithmetic mean; `None` for an empty sample.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Sample standard deviation with n − 1; `None` for fewer than two values.
pub fn sample_sd(values: &[f64]) -> Option<f64> {
    let m = mean(values).filter(|_| values.len() > 1)?;
    let squares: f64 = values.iter().map(|x| (x - m) * (x - m)).sum();
    Some(math::sqrt(squares / (values.len() - 1) as f64))
}

/// Summary of one number per organism; `None` without any finite value.
///
/// # Example
/// ```
/// use tropism_ethology::statistics::{BOOTSTRAP, summarise};
/// let summary = summarise(&[1.0, 2.0, 3.0], BOOTSTRAP).unwrap();
/// assert_eq!((summary.n, summary.mean, summary.sd), (3, 2.0, Some(1.0)));
/// ```
///
/// # Determinism
/// The interval depends on the order of the values; give them in the order of the seeds.
pub fn summarise(values: &[f64], plan: Bootstrap) -> Option<Summary> {
    let finite: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    let mut sorted = finite.clone();
    sorted.sort_by(f64::total_cmp);
    let n = finite.len();
    let sd = sample_sd(&finite);
    let mut warnings = doubts(&finite);
    if n < values.len() {
        warnings.push(Warning::NonFinite { count: values.len() - n });
    }
    Some(Summary {
        n,
        mean: mean(&finite)?,
        sd,
        standard_error: sd.map(|sd| sd / math::sqrt(n as f64)),
        interval: bca_mean(&finite, plan),
        min: *sorted.first()?,
        median: quantile(&sorted, 0.5)?,
        max: *sorted.last()?,
        warnings,
    })
}

/// Doubts that a sample raises by itself.
pub(super) fn doubts(values: &[f64]) -> Vec<Warning> {
    let n = values.len();
    let mut warnings = Vec::new();
    if n < SAMPLE_SIZE_MIN {
        warnings.push(Warning::SmallSample { n });
    }
    if n > 1 && values.iter().all(|x| x.to_bits() == values[0].to_bits()) {
        warnings.push(Warning::IdenticalReplicates { count: n });
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::super::BOOTSTRAP;
    use super::*;

    #[test]
    fn unit_stat_01_the_real_sample_size_decides_spread_and_interval() {
        let mut last_width = f64::INFINITY;
        for n in [3_u32, 5, 10, 30] {
            let values: Vec<f64> = (0..n).map(|i| f64::from(i) / f64::from(n - 1)).collect();
            let summary = summarise(&values, BOOTSTRAP).unwrap();
            assert_eq!(summary.n, n as usize);
            let (sd, se) = (summary.sd.unwrap(), summary.standard_error.unwrap());
            assert!((se - sd / f64::from(n).sqrt()).abs() < 1e-15, "n = {n}");
            let width = summary.interval.unwrap().width();
            assert!(width < last_width, "n = {n}: {width} is not below {last_width}");
            last_width = width;
            let small = summary.warnings.contains(&Warning::SmallSample { n: n as usize });
            assert_eq!(small, n < 20, "n = {n}");
        }
    }

    #[test]
    fn unit_stat_03_a_sample_of_one_seed_repeated_is_flagged() {
        let summary = summarise(&[0.42; 10], BOOTSTRAP).unwrap();
        assert!(summary.warnings.contains(&Warning::IdenticalReplicates { count: 10 }));
        let honest = summarise(&[0.42, 0.43], BOOTSTRAP).unwrap();
        assert_eq!(honest.warnings, [Warning::SmallSample { n: 2 }]);
    }

    #[test]
    fn unit_one_organism_has_a_mean_and_nothing_else() {
        let one = summarise(&[3.5], BOOTSTRAP).unwrap();
        assert_eq!((one.n, one.sd, one.standard_error, one.interval), (1, None, None, None));
        assert_eq!(summarise(&[], BOOTSTRAP), None);
    }

    #[test]
    fn unit_values_that_are_no_number_are_counted_and_left_out() {
        let summary = summarise(&[1.0, f64::NAN, 3.0, f64::INFINITY], BOOTSTRAP).unwrap();
        assert_eq!((summary.n, summary.max), (2, 3.0));
        assert!(summary.warnings.contains(&Warning::NonFinite { count: 2 }));
        assert_eq!(summarise(&[f64::NAN], BOOTSTRAP), None);
    }
}

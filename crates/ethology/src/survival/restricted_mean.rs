//! Mean survival time up to a horizon.

use serde::Serialize;
use tropism_core::math::f64 as math;

use super::kaplan_meier::KaplanMeier;
use crate::warning::Warning;

/// Expected life up to a horizon.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RestrictedMean {
    /// The horizon τ.
    pub horizon: f64,
    /// Area under S from 0 to τ.
    pub mean: f64,
    /// Variance of `mean` with lives taken as independent.
    pub variance: f64,
    /// Square root of `variance`.
    pub standard_error: f64,
    /// Doubts about these numbers.
    pub warnings: Vec<Warning>,
}

/// Restricted mean survival time to `horizon`; `None` without lives or for a horizon not above 0.
///
/// Model: μ = ∫₀^τ S dt, variance Σ over deaths tᵢ < τ of (∫_{tᵢ}^τ S dt)²·dᵢ/(nᵢ(nᵢ − dᵢ)).
/// Beyond the last observation the curve is held level and the result carries a warning, unless
/// the curve has reached 0.
///
/// # Source
/// Irwin 1949; Royston and Parmar 2013, "Restricted mean survival time", section 2.
pub fn restricted_mean(curve: &KaplanMeier, horizon: f64) -> Option<RestrictedMean> {
    if curve.n == 0 || !horizon.is_finite() || horizon <= 0.0 {
        return None;
    }
    // Backwards over the steps: the area right of each death is what its term needs.
    let (mut area, mut variance, mut right) = (0.0, 0.0, horizon);
    for step in curve.steps.iter().rev().filter(|step| step.time < horizon) {
        area += step.survival * (right - step.time);
        right = step.time;
        let (n, d) = (step.at_risk as f64, step.deaths as f64);
        if step.deaths > 0 && step.deaths < step.at_risk {
            variance += area * area * d / (n * (n - d));
        }
    }
    let mut warnings = Vec::new();
    if horizon > curve.last_time() && curve.survival_at(horizon) > 0.0 {
        warnings.push(Warning::HorizonBeyondData);
    }
    let standard_error = math::sqrt(variance);
    Some(RestrictedMean { horizon, mean: area + right, variance, standard_error, warnings })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::kaplan_meier::tests::freireich_6mp;
    use super::super::lifespan::Lifespan;
    use super::*;

    #[test]
    fn golden_freireich_1963_mean_to_35_weeks() {
        // By hand: 6·1 + 1·0.857143 + 3·0.806723 + 3·0.752941 + 3·0.690196 + 6·0.627451
        //          + 1·0.537815 + 12·0.448179 = 23.287.
        let curve = KaplanMeier::fit(&freireich_6mp());
        let mean = restricted_mean(&curve, 35.0).unwrap();
        assert!((mean.mean - 23.287).abs() < 5e-4, "{mean:?}");
        assert!((mean.standard_error - 2.827).abs() < 5e-3, "{mean:?}");
        assert_eq!(mean.warnings, []);
        let beyond = restricted_mean(&curve, 40.0).unwrap();
        assert_eq!(beyond.warnings, [Warning::HorizonBeyondData]);
    }

    #[test]
    fn unit_horizon_must_be_above_zero_and_lives_must_exist() {
        let curve = KaplanMeier::fit(&[Lifespan::died(0, 1.0)]);
        assert_eq!(restricted_mean(&curve, 0.0), None);
        assert_eq!(restricted_mean(&curve, f64::NAN), None);
        assert_eq!(restricted_mean(&KaplanMeier::fit(&[]), 1.0), None);
    }

    proptest! {
        #[test]
        fn prop_without_censoring_it_is_the_mean_of_the_cut_lives(
            spans in prop::collection::vec(0.0_f64..40.0, 1..50), horizon in 0.5_f64..50.0
        ) {
            let lives: Vec<_> = spans.iter().map(|t| Lifespan::died(0, *t)).collect();
            let expected = spans.iter().map(|t| t.min(horizon)).sum::<f64>() / spans.len() as f64;
            let mean = restricted_mean(&KaplanMeier::fit(&lives), horizon).unwrap();
            prop_assert!((mean.mean - expected).abs() < 1e-9);
            // The variance is then the population variance of the cut lives over n, except that
            // a last death alone at risk adds nothing.
            let v = spans.iter().map(|t| t.min(horizon) - expected).map(|d| d * d).sum::<f64>()
                / (spans.len() * spans.len()) as f64;
            prop_assert!((mean.variance - v).abs() < 1e-6 * v.max(1.0));
        }
    }
}

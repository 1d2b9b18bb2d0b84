//! How far raters agree.

/// Krippendorff's α for numbers: 1 − (observed disagreement) / (expected disagreement), where the
/// disagreement of two values is their squared difference.
///
/// `units` holds, per rated thing, the ratings it was given; things with fewer than two ratings say
/// nothing and are left out. 1 is full agreement, 0 what chance gives, below 0 is worse than that.
/// `None` when nothing was rated twice, or when all ratings are equal.
///
/// # Source
/// Krippendorff 2004, *Content Analysis*, chapter 11 (interval metric).
pub fn krippendorff_alpha(units: &[Vec<f64>]) -> Option<f64> {
    let paired: Vec<&Vec<f64>> = units.iter().filter(|ratings| ratings.len() >= 2).collect();
    let all: Vec<f64> = paired.iter().flat_map(|ratings| ratings.iter().copied()).collect();
    let n = all.len() as f64;
    let observed = paired.iter().map(|r| squares(r) / (r.len() as f64 - 1.0)).sum::<f64>() / n;
    let expected = squares(&all) / (n * (n - 1.0));
    (expected > 0.0).then(|| 1.0 - observed / expected)
}

/// Sum of squared differences over ordered pairs: twice the number of values times the sum of
/// squares about their mean.
fn squares(values: &[f64]) -> f64 {
    let m = values.len() as f64;
    let mean = values.iter().sum::<f64>() / m;
    2.0 * m * values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve units, four raters, some missing: the worked example of Krippendorff 2011,
    /// "Computing Krippendorff's alpha-reliability"; interval metric 0.849.
    #[test]
    fn unit_the_published_example_comes_out() {
        const NONE: f64 = f64::NAN;
        let raters = [
            [1.0, 2.0, 3.0, 3.0, 2.0, 1.0, 4.0, 1.0, 2.0, NONE, NONE, NONE],
            [1.0, 2.0, 3.0, 3.0, 2.0, 2.0, 4.0, 1.0, 2.0, 5.0, NONE, 3.0],
            [NONE, 3.0, 3.0, 3.0, 2.0, 3.0, 4.0, 2.0, 2.0, 5.0, 1.0, NONE],
            [1.0, 2.0, 3.0, 3.0, 2.0, 4.0, 4.0, 1.0, 2.0, 5.0, 1.0, NONE],
        ];
        let unit = |i: usize| raters.iter().map(|r| r[i]).filter(|v| v.is_finite()).collect();
        let units: Vec<Vec<f64>> = (0..12).map(unit).collect();
        let alpha = krippendorff_alpha(&units).unwrap();
        assert!((alpha - 0.849).abs() < 5e-4, "{alpha}");
    }

    #[test]
    fn unit_full_agreement_is_one_and_nothing_rated_twice_is_none() {
        assert_eq!(krippendorff_alpha(&[vec![1.0, 1.0], vec![5.0, 5.0]]), Some(1.0));
        assert_eq!(krippendorff_alpha(&[vec![1.0], vec![5.0]]), None);
        assert_eq!(krippendorff_alpha(&[vec![2.0, 2.0], vec![2.0, 2.0]]), None);
    }
}

//! Straight lines through points.

use serde::Serialize;
use tropism_core::math::f64 as math;

/// A least-squares line y = intercept + slope·x.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Line {
    /// Number of points.
    pub n: usize,
    /// Change of y per unit of x.
    pub slope: f64,
    /// y at x = 0.
    pub intercept: f64,
    /// Standard error of the slope; `None` below three points.
    pub slope_standard_error: Option<f64>,
    /// Pearson correlation; `None` when y does not vary.
    pub correlation: Option<f64>,
}

struct Moments {
    mean_x: f64,
    mean_y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

fn moments(points: &[(f64, f64)]) -> Option<Moments> {
    let n = points.len() as f64;
    if points.len() < 2 || points.iter().any(|(x, y)| !x.is_finite() || !y.is_finite()) {
        return None;
    }
    let mean_x = points.iter().map(|p| p.0).sum::<f64>() / n;
    let mean_y = points.iter().map(|p| p.1).sum::<f64>() / n;
    let sum = |f: fn(f64, f64) -> f64| points.iter().map(|p| f(p.0 - mean_x, p.1 - mean_y)).sum();
    Some(Moments {
        mean_x,
        mean_y,
        xx: sum(|x, _| x * x),
        yy: sum(|_, y| y * y),
        xy: sum(|x, y| x * y),
    })
}

/// Pearson correlation in [−1, 1]; `None` when a side does not vary or a point is not finite.
pub fn pearson(points: &[(f64, f64)]) -> Option<f64> {
    let m = moments(points)?;
    let scale = math::sqrt(m.xx) * math::sqrt(m.yy);
    (scale > 0.0).then(|| (m.xy / scale).clamp(-1.0, 1.0))
}

/// Least-squares line; `None` when x does not vary or a point is not finite.
///
/// Model: slope = Sxy/Sxx with standard error √(Σ residual² / (n − 2) / Sxx).
pub fn fit_line(points: &[(f64, f64)]) -> Option<Line> {
    let m = moments(points).filter(|m| m.xx > 0.0)?;
    let slope = m.xy / m.xx;
    let n = points.len();
    let residual: f64 =
        points.iter().map(|(x, y)| y - m.mean_y - slope * (x - m.mean_x)).map(|r| r * r).sum();
    Some(Line {
        n,
        slope,
        intercept: m.mean_y - slope * m.mean_x,
        slope_standard_error: (n > 2).then(|| math::sqrt(residual / (n - 2) as f64 / m.xx)),
        correlation: pearson(points),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_anscombe_first_set() {
        // Anscombe 1973, set I: y = 3.00 + 0.500 x, standard error of the slope 0.118, r = 0.816.
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let points: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
        let line = fit_line(&points).unwrap();
        assert!((line.slope - 0.500_09).abs() < 1e-5 && (line.intercept - 3.000_09).abs() < 1e-5);
        assert!((line.slope_standard_error.unwrap() - 0.117_91).abs() < 1e-5);
        assert!((line.correlation.unwrap() - 0.816_42).abs() < 1e-5);
    }

    #[test]
    fn unit_lines_through_too_few_or_upright_points() {
        assert_eq!(fit_line(&[(0.0, 1.0)]), None);
        assert_eq!(fit_line(&[(1.0, 1.0), (1.0, 2.0)]), None);
        let two = fit_line(&[(0.0, 1.0), (1.0, 3.0)]).unwrap();
        assert_eq!((two.slope, two.slope_standard_error), (2.0, None));
        assert_eq!(pearson(&[(0.0, 1.0), (1.0, 1.0)]), None);
        assert_eq!(fit_line(&[(0.0, f64::NAN), (1.0, 1.0)]), None);
    }
}

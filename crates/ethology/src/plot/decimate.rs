//! Fewer points that look the same.

/// At most about `most` of the points (by ascending x), keeping the lowest and highest of each
/// stretch, so that no spike is lost.
///
/// # Example
/// ```
/// use tropism_ethology::plot::decimate;
/// let line: Vec<(f64, f64)> = (0..10_000).map(|i| (f64::from(i), 0.0)).collect();
/// assert!(decimate(&line, 100).len() <= 102);
/// ```
pub fn decimate(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    if points.len() <= most.max(4) {
        return points.to_vec();
    }
    let size = points.len().div_ceil(most.max(4) / 2);
    let mut kept = Vec::with_capacity(most + 2);
    kept.push(points[0]);
    for stretch in points[1..points.len() - 1].chunks(size) {
        let by_height = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let low = stretch.iter().min_by(by_height);
        let high = stretch.iter().max_by(by_height);
        if let (Some(low), Some(high)) = (low, high) {
            let (first, second) = if low.0 <= high.0 { (low, high) } else { (high, low) };
            kept.push(*first);
            if first != second {
                kept.push(*second);
            }
        }
    }
    kept.push(points[points.len() - 1]);
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn prop_extremes_and_ends_stay(y in prop::collection::vec(-9.0_f64..9.0, 1..2000),
                                       most in 4_usize..200) {
            let points: Vec<(f64, f64)> = (0..).map(f64::from).zip(y).collect();
            let kept = decimate(&points, most);
            prop_assert!(kept.len() <= most + 2);
            prop_assert_eq!(kept.first(), points.first());
            prop_assert_eq!(kept.last(), points.last());
            let top = |p: &[(f64, f64)]| p.iter().map(|p| p.1).fold(f64::MIN, f64::max);
            prop_assert_eq!(top(&kept).to_bits(), top(&points).to_bits());
            prop_assert!(kept.windows(2).all(|pair| pair[0].0 < pair[1].0 + 1e-12));
        }
    }
}

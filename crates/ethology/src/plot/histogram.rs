//! How often values fall into equal bins.

use plotters::prelude::*;

use super::canvas::{Alt, draw};
use super::error::PlotError;
use super::frame::{Frame, drawable, ends, from_zero};
use super::palette;
use super::svg::Svg;

/// Counts per bin: (lower edge, width, count); the last bin holds its upper edge.
fn bins(values: &[f64], count: usize) -> Option<Vec<(f64, f64, usize)>> {
    let (low, high) = ends(values.iter().copied())?;
    let high = if high > low { high } else { low + 1.0 };
    let width = (high - low) / count as f64;
    let mut bins: Vec<(f64, f64, usize)> =
        (0..count).map(|bin| (low + bin as f64 * width, width, 0)).collect();
    for x in values.iter().filter(|x| drawable(**x)) {
        let bin = bins.iter().rposition(|bin| bin.0 <= *x).unwrap_or(0);
        bins[bin].2 += 1;
    }
    Some(bins)
}

/// Histogram of values with `count` bins (at least one).
///
/// # Errors
/// [`PlotError::Empty`] without a finite value.
pub fn histogram(values: &[f64], count: usize, x_label: &str) -> Result<Svg, PlotError> {
    let bins = bins(values, count.clamp(1, 200)).ok_or(PlotError::Empty)?;
    let total: usize = bins.iter().map(|bin| bin.2).sum();
    let most = bins.iter().map(|bin| bin.2).max().unwrap_or(1);
    let (first, last) = (bins[0], bins[bins.len() - 1]);
    let x = (first.0, last.0 + last.1);
    let description = format!("{total} values in {} bins, at most {most} in one.", bins.len());
    let label = format!("Histogram of {x_label}");
    draw(360, &Alt { label: &label, description }, |area| {
        let y = from_zero((0.0, most as f64));
        let mut chart = Frame::new(x, y, x_label, "count").on(area)?;
        chart.draw_series(bins.iter().filter(|bin| bin.2 > 0).map(|(low, width, count)| {
            let corners = [(*low, 0.0), (low + width, *count as f64)];
            let mut bar = Rectangle::new(corners, palette::series(0).mix(0.85).filled());
            bar.set_margin(0, 0, 1, 1);
            bar
        }))?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check;
    use super::*;

    #[test]
    fn unit_every_finite_value_falls_into_one_bin() {
        let values = [0.0, 0.1, 0.5, 1.0, 1.0, f64::NAN];
        let counts: Vec<usize> = bins(&values, 2).unwrap().iter().map(|bin| bin.2).collect();
        assert_eq!(counts, [2, 3]);
        assert_eq!(bins(&[3.0], 4).unwrap().iter().map(|bin| bin.2).sum::<usize>(), 1);
        check(&histogram(&values, 10, "life (h)").unwrap());
        assert_eq!(histogram(&[], 10, "x"), Err(PlotError::Empty));
    }
}

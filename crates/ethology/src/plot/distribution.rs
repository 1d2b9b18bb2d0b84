//! Every value of several groups.

use plotters::prelude::*;

use super::canvas::{Alt, Drawn, draw};
use super::error::PlotError;
use super::frame::{Chart, drawable, ends, from_zero};
use super::palette::{self, INK};
use super::rows;
use super::svg::Svg;
use crate::statistics::quantile;

/// One group.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a> {
    /// Name.
    pub name: &'a str,
    /// Values; those that are not finite are left out.
    pub values: &'a [f64],
}

/// One dot per value over a box from the lower to the upper quartile with the median.
///
/// # Errors
/// [`PlotError::Empty`] without a finite value.
pub fn distribution(groups: &[Group<'_>], x_label: &str) -> Result<Svg, PlotError> {
    let all = groups.iter().flat_map(|group| group.values).copied();
    let x = from_zero(ends(all).ok_or(PlotError::Empty)?);
    let names: Vec<String> = groups
        .iter()
        .map(|group| format!("{} (n = {})", group.name, finite(group.values).len()))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let description = format!("Dots are single values, boxes quartiles. {}.", names.join(", "));
    let label = format!("Distribution of {x_label}");
    draw(rows::height(groups.len(), 74), &Alt { label: &label, description }, |area| {
        let mut chart = rows::chart(area, &names, x, x_label)?;
        for (row, group) in groups.iter().enumerate() {
            draw_group(&mut chart, &finite(group.values), row)?;
        }
        Ok(())
    })
}

fn finite(values: &[f64]) -> Vec<f64> {
    let mut kept: Vec<f64> = values.iter().copied().filter(|x| drawable(*x)).collect();
    kept.sort_by(f64::total_cmp);
    kept
}

/// Heights in [0, 1) that fill the interval evenly: bit-reversed counting.
fn scattered(place: usize) -> f64 {
    let bits = u32::try_from(place & 0xffff).unwrap_or(0).reverse_bits() >> 16;
    f64::from(bits) / 65_536.0
}

fn draw_group(chart: &mut Chart<'_, '_>, ascending: &[f64], row: usize) -> Drawn {
    let colour = palette::series(row);
    let middle = -(row as f64) - 0.5;
    let quartiles = [0.25, 0.5, 0.75].map(|q| quantile(ascending, q));
    if let [Some(low), Some(median), Some(high)] = quartiles {
        let corners = [(low, middle - 0.36), (high, middle + 0.36)];
        chart.draw_series([Rectangle::new(corners, colour.mix(0.22).filled())])?;
        chart.draw_series([Rectangle::new(corners, colour.stroke_width(2))])?;
        let stroke = [(median, middle - 0.36), (median, middle + 0.36)];
        chart.draw_series(LineSeries::new(stroke, INK.stroke_width(3)))?;
    }
    let dots = ascending.iter().enumerate().map(|(place, x)| {
        Circle::new((*x, middle + 0.5 * (scattered(place + 1) - 0.5)), 3, colour.mix(0.75).filled())
    });
    chart.draw_series(dots)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check;
    use super::*;

    #[test]
    fn unit_every_finite_value_is_a_dot() {
        let groups = [
            Group { name: "full", values: &[1.0, 2.0, f64::NAN, 4.0] },
            Group { name: "empty", values: &[] },
        ];
        let svg = distribution(&groups, "life (h)").unwrap();
        check(&svg);
        assert_eq!(svg.as_str().matches("<circle").count(), 3);
        assert!(svg.as_str().contains("full (n = 3)") && svg.as_str().contains("empty (n = 0)"));
        assert_eq!(distribution(&groups[1..], "life (h)"), Err(PlotError::Empty));
    }

    #[test]
    fn unit_scattered_heights_do_not_pile_up() {
        let heights: Vec<f64> = (0..8).map(scattered).collect();
        assert_eq!(heights, [0.0, 0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875]);
    }
}

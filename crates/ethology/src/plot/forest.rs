//! Means with intervals, one row each.

use plotters::prelude::*;

use super::canvas::{Alt, draw};
use super::error::PlotError;
use super::frame::{drawable, ends, padded};
use super::palette::{self, INK};
use super::rows;
use super::svg::Svg;
use crate::statistics::Interval;

/// One row.
#[derive(Clone, Copy, Debug)]
pub struct ForestRow<'a> {
    /// Name.
    pub name: &'a str,
    /// Mean or difference.
    pub mean: f64,
    /// Its interval.
    pub interval: Option<Interval>,
}

/// Means with 95 % intervals; a line at `reference`, such as 0 for differences.
///
/// # Errors
/// [`PlotError::Empty`] without a finite mean.
pub fn forest(
    list: &[ForestRow<'_>],
    x_label: &str,
    reference: Option<f64>,
) -> Result<Svg, PlotError> {
    ends(list.iter().map(|row| row.mean)).ok_or(PlotError::Empty)?;
    let bounds = list.iter().flat_map(|row| {
        let interval = row.interval.unwrap_or(Interval { low: row.mean, high: row.mean });
        [row.mean, interval.low, interval.high]
    });
    let x = padded(ends(bounds.chain(reference)).ok_or(PlotError::Empty)?);
    let said = |row: &ForestRow<'_>| match row.interval {
        Some(i) => format!("{}: {:.4} ({:.4} to {:.4}).", row.name, row.mean, i.low, i.high),
        None => format!("{}: {:.4}.", row.name, row.mean),
    };
    let description = list.iter().map(said).collect::<Vec<_>>().join(" ");
    let names: Vec<&str> = list.iter().map(|row| row.name).collect();
    let label = format!("Means of {x_label}");
    draw(rows::height(list.len(), 40), &Alt { label: &label, description }, |area| {
        let mut chart = rows::chart(area, &names, x, x_label)?;
        if let Some(at) = reference.filter(|at| drawable(*at)) {
            let line = [(at, 0.0), (at, -(list.len() as f64))];
            chart.draw_series(DashedLineSeries::new(line, 5, 4, INK.mix(0.7).stroke_width(2)))?;
        }
        for (place, row) in list.iter().enumerate().filter(|(_, row)| drawable(row.mean)) {
            let (colour, y) = (palette::series(0), -(place as f64) - 0.5);
            if let Some(bar) = row.interval.filter(whole) {
                let stroke = |a, b| PathElement::new(vec![a, b], colour.stroke_width(3));
                let cap = |x| stroke((x, y - 0.14), (x, y + 0.14));
                let line = stroke((bar.low, y), (bar.high, y));
                chart.draw_series([line, cap(bar.low), cap(bar.high)])?;
            }
            chart.draw_series([Circle::new((row.mean, y), 6, colour.filled())])?;
        }
        Ok(())
    })
}

/// Whether both bounds can be drawn.
pub(super) fn whole(interval: &Interval) -> bool {
    drawable(interval.low) && drawable(interval.high)
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check;
    use super::*;

    #[test]
    fn unit_the_description_says_what_the_rows_show() {
        let interval = Some(Interval { low: -1.0, high: 2.0 });
        let rows = [
            ForestRow { name: "no reflexes", mean: 0.5, interval },
            ForestRow { name: "one organism", mean: 1.0, interval: None },
            ForestRow { name: "lost", mean: f64::NAN, interval: None },
        ];
        let svg = forest(&rows, "difference (h)", Some(0.0)).unwrap();
        check(&svg_without_nan(&rows[..2]));
        assert!(svg.as_str().contains("no reflexes: 0.5000 (-1.0000 to 2.0000)."));
        assert_eq!(svg.as_str().matches("<circle").count(), 2);
        assert_eq!(forest(&rows[2..], "x", None), Err(PlotError::Empty));
    }

    fn svg_without_nan(rows: &[ForestRow<'_>]) -> Svg {
        forest(rows, "difference (h)", Some(0.0)).unwrap()
    }
}

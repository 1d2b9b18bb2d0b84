//! Lines and points over two axes.

use plotters::prelude::*;

use super::canvas::{Alt, Drawn, draw};
use super::decimate::decimate;
use super::error::PlotError;
use super::frame::{Chart, Frame, drawable, ends, padded};
use super::svg::Svg;
use super::{legend, palette};

/// Most points drawn per line.
const POINTS_MAX: usize = 1_200;

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Joined by a line.
    Line,
    /// One dot each.
    Points,
    /// Dots joined by a line.
    LineAndPoints,
}

/// A point of a band: x, lower and upper bound.
pub type BandPoint = (f64, f64, f64);

/// A named series.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// Name in the legend.
    pub name: &'a str,
    /// Points in the order in which a line joins them; those that are not finite are left out.
    pub points: &'a [(f64, f64)],
    /// Shaded region by ascending x; may be empty.
    pub band: &'a [BandPoint],
    /// How points are drawn.
    pub mark: Mark,
}

/// Generic figure of y over x.
///
/// # Errors
/// [`PlotError::Empty`] without a finite point.
pub fn xy(series: &[Series<'_>], x_label: &str, y_label: &str) -> Result<Svg, PlotError> {
    let points = || series.iter().flat_map(|one| one.points).filter(|p| is_drawable(p));
    let bands = || series.iter().flat_map(|one| one.band);
    let x = ends(points().map(|p| p.0)).ok_or(PlotError::Empty)?;
    let y = points().map(|p| p.1).chain(bands().flat_map(|b| [b.1, b.2]));
    let y = ends(y).ok_or(PlotError::Empty)?;
    let names: Vec<&str> = series.iter().map(|one| one.name).collect();
    let label = format!("{y_label} over {x_label}");
    let description = format!("Series: {}.", names.join(", "));
    let entries = entries(&names);
    draw(400 + legend::height(&entries), &Alt { label: &label, description }, |area| {
        let rest = legend::draw(area, &entries)?;
        let mut chart = Frame::new(padded(x), padded(y), x_label, y_label).on(&rest)?;
        for (place, one) in series.iter().enumerate() {
            draw_series(&mut chart, one, palette::series(place))?;
        }
        Ok(())
    })
}

fn is_drawable(point: &(f64, f64)) -> bool {
    drawable(point.0) && drawable(point.1)
}

/// Legend entries in the order of the palette; none for a single series without a name.
pub(super) fn entries(names: &[&str]) -> Vec<(String, RGBColor)> {
    if names.len() == 1 && names[0].is_empty() {
        return Vec::new();
    }
    let entry = |(place, name): (usize, &&str)| ((*name).to_owned(), palette::series(place));
    names.iter().enumerate().map(entry).collect()
}

/// Draws one series into axes; what lies beyond them is moved to their edge.
pub(super) fn draw_series(chart: &mut Chart<'_, '_>, one: &Series<'_>, colour: RGBColor) -> Drawn {
    let (x, y) = (chart.x_range(), chart.y_range());
    let inside = |p: (f64, f64)| (p.0.clamp(x.start, x.end), p.1.clamp(y.start, y.end));
    let known = |b: &&BandPoint| drawable(b.0) && drawable(b.1) && drawable(b.2);
    let band: Vec<&BandPoint> = one.band.iter().filter(known).collect();
    if band.len() > 1 {
        let upper = band.iter().map(|b| (b.0, b.2));
        let lower = band.iter().rev().map(|b| (b.0, b.1));
        let outline: Vec<(f64, f64)> = upper.chain(lower).map(inside).collect();
        chart.draw_series([Polygon::new(outline, colour.mix(0.2).filled())])?;
    }
    let known = one.points.iter().copied().filter(is_drawable);
    let points: Vec<(f64, f64)> = known.map(inside).collect();
    if one.mark != Mark::Points {
        let line = decimate(&points, POINTS_MAX);
        chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
    }
    if one.mark != Mark::Line {
        let dot = |p: &(f64, f64)| Circle::new(*p, 4, colour.mix(0.8).filled());
        chart.draw_series(points.iter().map(dot))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check;
    use super::*;

    fn one(points: &[(f64, f64)], mark: Mark) -> Series<'_> {
        Series { name: "a", points, band: &[], mark }
    }

    #[test]
    fn unit_points_that_are_no_number_are_left_out() {
        let points = [(0.0, 1.0), (1.0, f64::NAN), (f64::INFINITY, 0.0), (2.0, 3.0)];
        let svg = xy(&[one(&points, Mark::Points)], "x (m)", "y (m)").unwrap();
        check(&svg);
        assert_eq!(svg.as_str().matches("<circle").count(), 2);
        let none = xy(&[one(&points[1..3], Mark::Line)], "x", "y");
        assert_eq!(none, Err(PlotError::Empty));
        assert_eq!(xy(&[], "x", "y"), Err(PlotError::Empty));
    }

    #[test]
    fn unit_a_single_point_can_be_drawn() {
        check(&xy(&[one(&[(3.0, 3.0)], Mark::LineAndPoints)], "x", "y").unwrap());
    }
}

//! Log-survivorship of bout durations.

use super::canvas::{Alt, draw};
use super::error::PlotError;
use super::frame::{Frame, ends, padded};
use super::svg::Svg;
use super::xy::{Mark, Series, draw_series, entries};
use super::{legend, palette};

/// Bouts of one state or one condition.
#[derive(Clone, Copy, Debug)]
pub struct BoutSeries<'a> {
    /// Name.
    pub name: &'a str,
    /// Points (duration in s, ln of the share of longer bouts).
    pub points: &'a [(f64, f64)],
}

/// Log-survivorship lines: straight where bouts end with a constant chance per time.
///
/// # Errors
/// [`PlotError::Empty`] when no series has two points.
pub fn log_survivorship(series: &[BoutSeries<'_>]) -> Result<Svg, PlotError> {
    let long = || series.iter().filter(|one| one.points.len() > 1);
    let points = || long().flat_map(|one| one.points);
    let x = ends(points().map(|p| p.0)).ok_or(PlotError::Empty)?;
    let y = ends(points().map(|p| p.1)).ok_or(PlotError::Empty)?;
    let names: Vec<&str> = series.iter().map(|one| one.name).collect();
    let description = format!("One line per series: {}.", names.join(", "));
    let alt = Alt { label: "Log-survivorship of bout durations", description };
    let entries = entries(&names);
    draw(400 + legend::height(&entries), &alt, |area| {
        let rest = legend::draw(area, &entries)?;
        let (x, y) = ((0.0, padded(x).1), (padded(y).0, 0.0));
        let mut chart =
            Frame::new(x, y, "bout duration (s)", "ln share of longer bouts").on(&rest)?;
        for (place, one) in series.iter().enumerate() {
            let mark = if one.points.len() > 60 { Mark::Line } else { Mark::LineAndPoints };
            let line = Series { name: one.name, points: one.points, band: &[], mark };
            draw_series(&mut chart, &line, palette::series(place))?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check;
    use super::*;

    #[test]
    fn unit_lines_need_two_points() {
        let line = BoutSeries { name: "rest", points: &[(0.0, 0.0), (1.0, -0.7), (2.0, -1.4)] };
        check(&log_survivorship(&[line]).unwrap());
        let short = BoutSeries { name: "rest", points: &[(0.0, 0.0)] };
        assert_eq!(log_survivorship(&[short]), Err(PlotError::Empty));
    }
}

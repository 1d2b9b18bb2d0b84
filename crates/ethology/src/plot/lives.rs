//! A measure life by life.

use plotters::prelude::*;

use super::canvas::{Alt, draw};
use super::error::PlotError;
use super::forest::whole;
use super::frame::{Frame, drawable, ends, from_zero};
use super::svg::Svg;
use super::xy::entries;
use super::{legend, palette};
use crate::statistics::Interval;

/// Mean over organisms in one life.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LifePoint {
    /// Number of the life.
    pub life: u32,
    /// Mean.
    pub mean: f64,
    /// Interval of the mean.
    pub interval: Option<Interval>,
}

/// One condition.
#[derive(Clone, Copy, Debug)]
pub struct LivesSeries<'a> {
    /// Name of the condition.
    pub name: &'a str,
    /// Points by ascending life.
    pub points: &'a [LifePoint],
}

/// Means with error bars over the number of the life; conditions stand a little beside each other.
///
/// # Errors
/// [`PlotError::Empty`] without a finite mean.
pub fn lives(series: &[LivesSeries<'_>], y_label: &str) -> Result<Svg, PlotError> {
    let points = || series.iter().flat_map(|one| one.points).filter(|p| drawable(p.mean));
    let bounds = points().flat_map(|p| {
        let interval = p.interval.unwrap_or(Interval { low: p.mean, high: p.mean });
        [p.mean, interval.low, interval.high]
    });
    let y = ends(bounds).ok_or(PlotError::Empty)?;
    let x = ends(points().map(|p| f64::from(p.life))).ok_or(PlotError::Empty)?;
    let names: Vec<&str> = series.iter().map(|one| one.name).collect();
    let description = format!("Mean and 95 % interval per life. Series: {}.", names.join(", "));
    let label = format!("{y_label} over lives");
    let entries = entries(&names);
    draw(400 + legend::height(&entries), &Alt { label: &label, description }, |area| {
        let rest = legend::draw(area, &entries)?;
        let mut frame = Frame::new((x.0 - 0.4, x.1 + 0.4), from_zero(y), "life", y_label);
        frame.whole_x = true;
        let mut chart = frame.on(&rest)?;
        for (place, one) in series.iter().enumerate() {
            let colour = palette::series(place);
            let beside = (place as f64 - 0.5 * (series.len() - 1) as f64) * 0.08;
            let at = |p: &LifePoint| f64::from(p.life) + beside;
            let finite = || one.points.iter().filter(|p| drawable(p.mean));
            let line: Vec<(f64, f64)> = finite().map(|p| (at(p), p.mean)).collect();
            let bars = finite().filter_map(|p| Some((at(p), p.mean, p.interval.filter(whole)?)));
            chart.draw_series(bars.map(|(x, mean, bar)| {
                let style = colour.stroke_width(2);
                ErrorBar::new_vertical(x, bar.low, mean, bar.high, style, 8)
            }))?;
            chart.draw_series(LineSeries::new(line.clone(), colour.stroke_width(2)))?;
            chart.draw_series(line.iter().map(|p| Circle::new(*p, 4, colour.filled())))?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check;
    use super::*;

    #[test]
    fn unit_lives_with_and_without_intervals() {
        let interval = Some(Interval { low: 1.0, high: 3.0 });
        let points = [
            LifePoint { life: 0, mean: 2.0, interval },
            LifePoint { life: 1, mean: 2.5, interval: None },
        ];
        check(&lives(&[LivesSeries { name: "full", points: &points }], "life (h)").unwrap());
        assert_eq!(lives(&[], "y"), Err(PlotError::Empty));
    }
}

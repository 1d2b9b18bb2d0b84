//! Several measures over one time axis.

use plotters::prelude::*;

use super::canvas::{Alt, Area, Drawn, draw};
use super::error::PlotError;
use super::frame::{Ends, Frame, drawable, ends, padded};
use super::svg::Svg;
use super::xy::{Series, draw_series};
use super::{legend, palette};

/// One measure.
#[derive(Clone, Debug)]
pub struct Panel<'a> {
    /// Label of the y axis with the unit.
    pub y_label: &'a str,
    /// Lines; the same name has the same colour in every panel.
    pub series: Vec<Series<'a>>,
    /// Ends of the y axis; `None` to fit the data.
    pub y: Option<(f64, f64)>,
}

/// A stretch of time shaded in every panel.
#[derive(Clone, Copy, Debug)]
pub struct Shade<'a> {
    /// What it stands for; the same name has the same colour.
    pub name: &'a str,
    /// Start, on the x axis.
    pub from: f64,
    /// End, on the x axis.
    pub to: f64,
}

/// Panels from top to bottom.
#[derive(Clone, Debug)]
pub struct Panels<'a> {
    /// The panels.
    pub panels: Vec<Panel<'a>>,
    /// Shaded stretches, such as behaviours or time on the dock.
    pub shades: Vec<Shade<'a>>,
    /// Label of the shared x axis with the unit.
    pub x_label: &'a str,
}

const TALL: u32 = 132;
/// Shades take colours from the end of the palette, so that they differ from the first lines.
const SHADE_FIRST: usize = 8;
/// Most shaded stretches drawn; more would be a grey smear.
const SHADES_MAX: usize = 2_000;

/// Time series in panels that share the x axis.
///
/// # Errors
/// [`PlotError::Empty`] without a finite point.
pub fn panels(figure: &Panels<'_>) -> Result<Svg, PlotError> {
    let series = || figure.panels.iter().flat_map(|panel| &panel.series);
    let x = ends(series().flat_map(|one| one.points).map(|p| p.0)).ok_or(PlotError::Empty)?;
    let x = if x.1 > x.0 { x } else { padded(x) };
    let names = distinct(series().map(|one| one.name));
    let shade_names = distinct(figure.shades.iter().map(|shade| shade.name));
    let mut entries: Vec<(String, RGBColor)> =
        names.iter().enumerate().map(|(i, n)| ((*n).to_owned(), palette::series(i))).collect();
    entries.extend(shade_names.iter().enumerate().map(|(i, n)| ((*n).to_owned(), shade_colour(i))));
    entries.retain(|entry| !entry.0.is_empty());
    let labels: Vec<&str> = figure.panels.iter().map(|panel| panel.y_label).collect();
    let description = format!("Panels from top to bottom: {}.", labels.join(", "));
    let label = format!("Time series over {}", figure.x_label);
    let frames: Vec<Frame<'_>> =
        figure.panels.iter().map(|p| frame(p, x, figure.x_label)).collect();
    let left = frames.iter().map(Frame::left_needed).max();
    let count = u32::try_from(frames.len()).unwrap_or(1);
    let height = legend::height(&entries) + TALL * count + 44;
    draw(height, &Alt { label: &label, description }, |area| {
        let mut rest = legend::draw(area, &entries)?;
        let last = frames.len() - 1;
        for (place, (mut frame, panel)) in frames.into_iter().zip(&figure.panels).enumerate() {
            frame.left = left;
            frame.show_x = place == last;
            let own = if place == last { rest.dim_in_pixel().1 } else { TALL };
            let (top, below) = rest.split_vertically(own);
            draw_panel(&top, &frame, (panel, &names), (&figure.shades, &shade_names))?;
            rest = below;
        }
        Ok(())
    })
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut found = Vec::new();
    names.for_each(|name| {
        if !found.contains(&name) {
            found.push(name);
        }
    });
    found
}

fn shade_colour(place: usize) -> RGBColor {
    palette::series(SHADE_FIRST + place)
}

fn frame<'a>(panel: &Panel<'a>, x: Ends, x_label: &'a str) -> Frame<'a> {
    let points = panel.series.iter().flat_map(|one| one.points).map(|p| p.1);
    let bands = panel.series.iter().flat_map(|one| one.band).flat_map(|b| [b.1, b.2]);
    let fitted = || ends(points.chain(bands)).map_or((0.0, 1.0), padded);
    let given = panel.y.filter(|y| drawable(y.0) && drawable(y.1) && y.0 < y.1);
    Frame::new(x, given.unwrap_or_else(fitted), x_label, panel.y_label)
}

fn draw_panel(
    area: &Area<'_>,
    frame: &Frame<'_>,
    (panel, names): (&Panel<'_>, &[&str]),
    (shades, shade_names): (&[Shade<'_>], &[&str]),
) -> Drawn {
    let mut chart = frame.on(area)?;
    let visible = shades.iter().filter(|s| s.to > frame.x.0 && s.from < frame.x.1).take(SHADES_MAX);
    for shade in visible {
        let place = shade_names.iter().position(|name| *name == shade.name).unwrap_or(0);
        let corners =
            [(shade.from.max(frame.x.0), frame.y.0), (shade.to.min(frame.x.1), frame.y.1)];
        let colour = shade_colour(place).mix(0.22);
        chart.draw_series([Rectangle::new(corners, colour.filled())])?;
    }
    for one in &panel.series {
        let place = names.iter().position(|name| *name == one.name).unwrap_or(0);
        draw_series(&mut chart, one, palette::series(place))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check;
    use super::super::xy::Mark;
    use super::*;

    #[test]
    fn unit_panels_share_the_axis_and_the_colours() {
        let points: Vec<(f64, f64)> =
            (0..5_000).map(|i| (f64::from(i), f64::from(i % 7))).collect();
        let line = |name| Series { name, points: &points, band: &[], mark: Mark::Line };
        let panel = |y_label, name| Panel { y_label, series: vec![line(name)], y: None };
        let figure = Panels {
            panels: vec![panel("surprise", "a"), panel("hunger", "b"), panel("fear", "a")],
            shades: vec![Shade { name: "dock", from: 10.0, to: 90_000.0 }],
            x_label: "time (min)",
        };
        let svg = panels(&figure).unwrap();
        check(&svg);
        assert_eq!(svg.as_str().matches(">\na\n</text>").count(), 1, "one legend entry per name");
        assert!(svg.as_str().len() < 120_000, "long lines are thinned");
        let none = Panels { panels: vec![], ..figure };
        assert_eq!(panels(&none), Err(PlotError::Empty));
    }
}

//! Ways through a room, both axes to the same scale.

use plotters::prelude::*;

use super::canvas::{Alt, WIDTH, draw, extent, pixels};
use super::error::PlotError;
use super::frame::{Frame, drawable};
use super::palette::INK;
use super::svg::Svg;
use super::{legend, palette};

/// Most points drawn per way.
const POINTS_MAX: usize = 4_000;
/// Distance between neighbours beyond which a way is cut, as a share of the room: a new start.
const LEAP: f64 = 0.25;

/// A room with ways through it.
#[derive(Clone, Copy, Debug)]
pub struct PathMap<'a> {
    /// Names and points in order of time; points that are not finite are left out.
    pub ways: &'a [(&'a str, &'a [(f64, f64)])],
    /// Closed outlines, such as walls and obstacles.
    pub outlines: &'a [Vec<(f64, f64)>],
    /// Names and places to mark.
    pub places: &'a [(&'a str, (f64, f64))],
    /// Ends of the x axis.
    pub x: (f64, f64),
    /// Ends of the y axis.
    pub y: (f64, f64),
}

/// Ways as lines, outlines in grey, places as dots.
///
/// # Errors
/// [`PlotError::Shape`] when an axis has no length, [`PlotError::Empty`] without a finite point.
pub fn path(map: &PathMap<'_>) -> Result<Svg, PlotError> {
    let lengths = (map.x.1 - map.x.0, map.y.1 - map.y.0);
    if !(lengths.0 > 0.0 && lengths.1 > 0.0 && drawable(lengths.0) && drawable(lengths.1)) {
        return Err(PlotError::Shape { expected: 2, found: 0 });
    }
    let known = |p: &&(f64, f64)| drawable(p.0) && drawable(p.1);
    if !map.ways.iter().any(|way| way.1.iter().any(|p| known(&p))) {
        return Err(PlotError::Empty);
    }
    let mut entries: Vec<(String, RGBColor)> = (map.ways.iter().enumerate())
        .map(|(i, way)| (way.0.to_owned(), palette::series(i)))
        .collect();
    let mark = |i: usize| palette::series(map.ways.len().max(2) + i + 1);
    let marks = map.places.iter().enumerate().map(|(i, place)| (place.0.to_owned(), mark(i)));
    entries.extend(marks);
    let names: Vec<&str> = map.ways.iter().map(|way| way.0).collect();
    let description = format!("Ways of {}.", names.join(", "));
    let width = f64::from(WIDTH) - 100.0;
    let height = (width * lengths.1 / lengths.0).clamp(120.0, 760.0);
    let tall = extent(pixels(height)) + 64 + legend::height(&entries);
    // A tall room leaves width unused instead of being stretched.
    let right = extent(pixels(width - height * lengths.0 / lengths.1));
    draw(tall, &Alt { label: "Path through the room", description }, |area| {
        let rest = legend::draw(area, &entries)?;
        let (rest, _) = rest.split_horizontally(WIDTH - right);
        let mut chart = Frame::new(map.x, map.y, "x (m)", "y (m)").on(&rest)?;
        for outline in map.outlines {
            let closed = outline.iter().chain(outline.first()).copied();
            chart.draw_series(LineSeries::new(closed, INK.mix(0.6).stroke_width(2)))?;
        }
        for (i, (_, points)) in map.ways.iter().enumerate() {
            let points: Vec<_> = points.iter().filter(known).copied().collect();
            let leap = LEAP * lengths.0.max(lengths.1);
            let is_near = |a: &(f64, f64), b: &(f64, f64)| {
                (a.0 - b.0).abs() < leap && (a.1 - b.1).abs() < leap
            };
            for part in points.chunk_by(is_near) {
                // A way may cross itself: every n-th point, not the extremes per column.
                let every = points.len().div_ceil(POINTS_MAX).max(1);
                let thin: Vec<_> = if every == 1 {
                    part.to_vec()
                } else {
                    part.iter().step_by(every).copied().collect()
                };
                let colour = palette::series(i).mix(0.75);
                chart.draw_series(LineSeries::new(thin, colour.stroke_width(1)))?;
            }
        }
        for (i, (_, at)) in map.places.iter().enumerate() {
            chart.draw_series([Circle::new(*at, 7, mark(i).filled())])?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check;
    use super::*;

    #[test]
    fn unit_ways_are_cut_at_leaps_and_axes_are_checked() {
        let way: Vec<(f64, f64)> = vec![(0.1, 0.1), (0.2, 0.1), (2.9, 1.9), (2.8, 1.9)];
        let mut map = PathMap {
            ways: &[("robot", &way)],
            outlines: &[vec![(0.0, 0.0), (3.0, 0.0), (3.0, 2.0), (0.0, 2.0)]],
            places: &[("station", (2.9, 1.0))],
            x: (0.0, 3.0),
            y: (0.0, 2.0),
        };
        let svg = path(&map).unwrap();
        check(&svg);
        let lines = svg.as_str().matches("<polyline").count();
        map.ways = &[("robot", &way[..2])];
        let shorter = path(&map).unwrap();
        assert_eq!(lines, shorter.as_str().matches("<polyline").count() + 1);
        map.x = (1.0, 1.0);
        assert!(matches!(path(&map), Err(PlotError::Shape { .. })));
        map.x = (0.0, 3.0);
        map.ways = &[("robot", &[])];
        assert_eq!(path(&map), Err(PlotError::Empty));
    }
}

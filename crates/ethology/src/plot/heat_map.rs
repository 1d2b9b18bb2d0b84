//! Numbers over a grid, such as the coverage of a room.

use plotters::prelude::*;

use super::canvas::{
    Alt, Anchor, Area, Drawn, SMALL, WIDTH, draw, extent, pixels, write, write_upwards,
};
use super::error::PlotError;
use super::frame::{Frame, drawable, ends, tick_text};
use super::palette::{self, INK};
use super::svg::Svg;

const BAR: u32 = 92;
/// Steps of the colour scale.
const LEVELS: f64 = 60.0;

/// A grid of numbers.
#[derive(Clone, Copy, Debug)]
pub struct HeatMap<'a> {
    /// Cells along x.
    pub columns: usize,
    /// Values row by row from the lowest y; NaN where there is none.
    pub values: &'a [f64],
    /// Ends of the x axis.
    pub x: (f64, f64),
    /// Ends of the y axis.
    pub y: (f64, f64),
    /// Label of the x axis with the unit.
    pub x_label: &'a str,
    /// Label of the y axis with the unit.
    pub y_label: &'a str,
    /// What the values are, with the unit.
    pub value_label: &'a str,
}

/// Heat map with a colour bar; axes have equal scale, cells without a value stay empty.
///
/// # Errors
/// [`PlotError::Shape`] when the values fill no whole rows or an axis has no length,
/// [`PlotError::Empty`] without a finite value.
pub fn heat_map(map: &HeatMap<'_>) -> Result<Svg, PlotError> {
    let found = map.values.len();
    let lengths = (map.x.1 - map.x.0, map.y.1 - map.y.0);
    let axis = |ends: (f64, f64)| {
        let size = ends.0.abs().max(ends.1.abs());
        drawable(ends.0) && drawable(ends.1) && ends.1 - ends.0 > 1e-9 * size
    };
    let flat = !axis(map.x) || !axis(map.y);
    if map.columns == 0 || !found.is_multiple_of(map.columns) || flat {
        return Err(PlotError::Shape { expected: map.columns.max(1), found });
    }
    let (low, high) = ends(map.values.iter().copied()).ok_or(PlotError::Empty)?;
    let empty = map.values.iter().filter(|x| !drawable(**x)).count();
    let description = format!(
        "{} from {low:.4} to {high:.4} over {} by {} cells, {empty} without a value.",
        map.value_label,
        map.columns,
        found / map.columns
    );
    let width = f64::from(WIDTH - BAR) - 90.0;
    let height = (width * lengths.1 / lengths.0).clamp(120.0, 640.0);
    let label = format!("Map of {}", map.value_label);
    draw(extent(pixels(height)) + 64, &Alt { label: &label, description }, |area| {
        let (left, right) = area.split_horizontally(WIDTH - BAR);
        let mut chart = Frame::new(map.x, map.y, map.x_label, map.y_label).on(&left)?;
        let rows = found / map.columns;
        let step = (lengths.0 / map.columns as f64, lengths.1 / rows as f64);
        let level = |v: f64| {
            let share = if high > low { (v - low) / (high - low) } else { 0.5 };
            drawable(v).then(|| pixels(share * LEVELS))
        };
        // Neighbours of one colour are drawn as one rectangle: smaller files without seams.
        for (row, values) in map.values.chunks(map.columns).enumerate() {
            let y = map.y.0 + row as f64 * step.1;
            let mut column = 0;
            for run in values.chunk_by(|a, b| level(*a) == level(*b)) {
                let x = map.x.0 + column as f64 * step.0;
                column += run.len();
                let Some(level) = level(run[0]) else { continue };
                let corners = [(x, y), (map.x.0 + column as f64 * step.0, y + step.1)];
                let colour = palette::sequential(f64::from(level) / LEVELS);
                chart.draw_series([Rectangle::new(corners, colour.filled())])?;
            }
        }
        colour_bar(&right, (low, high), map.value_label)
    })
}

fn colour_bar(area: &Area<'_>, (low, high): (f64, f64), label: &str) -> Drawn {
    let (_, tall) = area.dim_in_pixel();
    let (top, bottom) = (14, tall.cast_signed() - 60);
    let steps = 40;
    for step in 0..steps {
        let edge = |n: i32| bottom - (bottom - top) * n / steps;
        let colour = palette::sequential((f64::from(step) + 0.5) / f64::from(steps));
        area.draw(&Rectangle::new([(6, edge(step + 1)), (24, edge(step))], colour.filled()))?;
    }
    area.draw(&Rectangle::new([(6, top), (24, bottom)], INK.mix(0.4)))?;
    for part in 0..=4 {
        let value = low + (high - low) * f64::from(part) / 4.0;
        let y = bottom - (bottom - top) * part / 4;
        write(area, &tick_text(value, (low, high)), (28, y), (SMALL - 1, INK, Anchor::Left))?;
    }
    write_upwards(area, label, (80, i32::midpoint(top, bottom)))
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check;
    use super::*;

    #[test]
    fn unit_cells_without_a_value_stay_empty_and_shapes_are_checked() {
        let mut map = HeatMap {
            columns: 2,
            values: &[0.0, 1.0, f64::NAN, 3.0],
            x: (0.0, 2.0),
            y: (0.0, 2.0),
            x_label: "x (m)",
            y_label: "y (m)",
            value_label: "visits",
        };
        let svg = heat_map(&map).unwrap();
        check(&svg);
        assert!(svg.as_str().contains("2 by 2 cells, 1 without a value"));
        map.columns = 3;
        assert_eq!(heat_map(&map), Err(PlotError::Shape { expected: 3, found: 4 }));
        map.columns = 2;
        map.values = &[f64::NAN; 2];
        assert_eq!(heat_map(&map), Err(PlotError::Empty));
        map.x = (1.0, 1.0);
        assert!(matches!(heat_map(&map), Err(PlotError::Shape { .. })));
    }
}

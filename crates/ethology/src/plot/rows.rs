//! Figures that list groups from top to bottom.

use plotters::prelude::*;

use super::canvas::{Anchor, Area, Drawn, SMALL, WIDTH, extent, fit, font, text_width, write};
use super::frame::{Chart, Ends, Frame};
use super::palette::INK;

/// Widest label, as a share of the figure.
const LABEL_MAX: i32 = WIDTH.cast_signed() * 2 / 5;

/// Height of a figure with `count` rows of this height.
pub(super) fn height(count: usize, row: u32) -> u32 {
    u32::try_from(count).unwrap_or(200).min(200) * row + 68
}

/// Axes with named rows; row i is centred on y = −i − ½.
pub(super) fn chart<'c, 'a>(
    area: &'c Area<'a>,
    names: &[&str],
    x: Ends,
    x_label: &str,
) -> Drawn<Chart<'c, 'a>> {
    let widest = names.iter().map(|name| text_width(name, SMALL)).max().unwrap_or(0);
    let left = widest.min(LABEL_MAX) + 20;
    let mut frame = Frame::new(x, (-(names.len() as f64), 0.0), x_label, "");
    frame.left = Some(extent(left));
    let chart = frame.on_rows(area)?;
    for (row, name) in names.iter().enumerate() {
        let (_, y) = chart.backend_coord(&(x.0, -(row as f64) - 0.5));
        let (_, top) = area.get_base_pixel();
        let text = fit(name, SMALL, LABEL_MAX);
        write(area, &text, (left - 8, y - top), (SMALL, INK, Anchor::Right))?;
    }
    Ok(chart)
}

impl Frame<'_> {
    /// Axes whose y axis carries no numbers.
    fn on_rows<'c, 'b>(&self, area: &'c Area<'b>) -> Drawn<Chart<'c, 'b>> {
        let mut chart = ChartBuilder::on(area)
            .margin_top(6)
            .margin_right(24)
            .x_label_area_size(super::canvas::LARGE + SMALL + 22)
            .y_label_area_size(self.left.unwrap_or(0))
            .build_cartesian_2d(self.x.0..self.x.1, self.y.0..self.y.1)?;
        let x = self.x;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .axis_style(INK.mix(0.7))
            .bold_line_style(INK.mix(0.13))
            .light_line_style(TRANSPARENT)
            .x_labels(8)
            .y_labels(0)
            .x_label_formatter(&move |v| super::frame::tick_text(*v, x))
            .label_style(font(SMALL).color(&INK))
            .axis_desc_style(font(super::canvas::LARGE).color(&INK))
            .x_desc(self.x_label)
            .draw()?;
        Ok(chart)
    }
}

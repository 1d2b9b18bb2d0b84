//! Axes around a region of numbers.

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::canvas::{Area, Drawn, LARGE, SMALL, extent, font, text_width};
use super::palette::INK;

/// Axes with something to draw into.
pub(super) type Chart<'c, 'a> =
    ChartContext<'c, SVGBackend<'a>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// Lower and upper end of an axis.
pub(super) type Ends = (f64, f64);

/// Numbers beyond this are not drawn: differences of them leave the range of `f64`.
const LARGEST: f64 = 1e100;

/// Whether a number can be drawn.
pub(super) fn drawable(x: f64) -> bool {
    x.abs() <= LARGEST
}

/// Smallest and largest number that can be drawn; `None` without any.
pub(super) fn ends(values: impl Iterator<Item = f64>) -> Option<Ends> {
    values.filter(|x| drawable(*x)).fold(None, |ends, x| {
        let (low, high) = ends.unwrap_or((x, x));
        Some((low.min(x), high.max(x)))
    })
}

/// Ends with a margin; equal ends are moved apart.
pub(super) fn padded(ends: Ends) -> Ends {
    let width = ends.1 - ends.0;
    let size = ends.0.abs().max(ends.1.abs());
    // Ends closer than tick labels can tell apart count as equal.
    let apart = width > 1e-9 * size && width > 1e-100;
    let pad = if apart { 0.05 * width } else { 0.1 * size.max(1.0) };
    (ends.0 - pad, ends.1 + pad)
}

/// Ends that start at 0 when every number is at least 0, padded elsewhere.
pub(super) fn from_zero(ends: Ends) -> Ends {
    let (low, high) = padded(ends);
    if ends.0 >= 0.0 && ends.1 > 0.0 { (0.0, high) } else { (low, high) }
}

/// Round step (1, 2 or 5 times a power of ten) that cuts a length into at most `most` parts, with
/// the number of decimals it needs.
pub(super) fn round_step(length: f64, most: f64) -> (f64, usize) {
    let least = length / most;
    if !least.is_finite() || least <= 0.0 {
        return (1.0, 0);
    }
    let mut unit = 1.0;
    let mut places = 0;
    while unit < least {
        unit *= 10.0;
    }
    while unit * 0.1 >= least * 0.999_999 && places < 9 {
        unit *= 0.1;
        places += usize::from(unit < 0.999);
    }
    let factor = [0.2, 0.5, 1.0].into_iter().find(|factor| unit * factor >= least * 0.999_999);
    let factor = factor.unwrap_or(1.0);
    (unit * factor, if factor < 1.0 && unit < 9.0 { places + 1 } else { places })
}

/// Text of a tick on an axis between these ends: as many decimals as the ticks need.
pub(super) fn tick_text(x: f64, ends: Ends) -> String {
    let length = (ends.1 - ends.0).abs();
    let (_, mut places) = round_step(length, 8.0);
    let scale = |places: usize| (0..places).fold(1.0, |scale, _| scale * 10.0);
    let rest = |places| ((x * scale(places)).round() / scale(places) - x).abs();
    if length > 0.0 && rest(places) > 1e-6 * length {
        places += 1;
    }
    let text = format!("{x:.places$}");
    let zero = text.trim_start_matches('-').bytes().all(|b| b == b'0' || b == b'.');
    if zero { text.trim_start_matches('-').to_owned() } else { text.replace('-', "−") }
}

/// Empty width left of the label of the y axis, px.
const MARGIN: u32 = 8;

/// Labels and ends of two axes.
pub(super) struct Frame<'a> {
    pub(super) x: Ends,
    pub(super) y: Ends,
    pub(super) x_label: &'a str,
    pub(super) y_label: &'a str,
    /// Whether ticks and the label of the x axis are drawn.
    pub(super) show_x: bool,
    /// Width left of the plot, px; `None` to fit the tick labels.
    pub(super) left: Option<u32>,
    /// Whether x ticks are whole numbers only.
    pub(super) whole_x: bool,
}

impl<'a> Frame<'a> {
    pub(super) fn new(x: Ends, y: Ends, x_label: &'a str, y_label: &'a str) -> Self {
        Self { x, y, x_label, y_label, show_x: true, left: None, whole_x: false }
    }

    /// Width that the labels of the y axis need, px.
    pub(super) fn left_needed(&self) -> u32 {
        let middle = 0.5 * (self.y.0 + self.y.1);
        let texts = [self.y.0, middle, self.y.1].map(|y| tick_text(y, self.y));
        let widest = texts.iter().map(|text| text_width(text, SMALL)).max().unwrap_or(0);
        extent(widest) + 14 + if self.y_label.is_empty() { 0 } else { LARGE + 12 }
    }

    /// Draws the axes.
    pub(super) fn on<'c, 'b>(&self, area: &'c Area<'b>) -> Drawn<Chart<'c, 'b>> {
        let bottom = match (self.show_x, self.x_label.is_empty()) {
            (false, _) => 6,
            (true, true) => SMALL + 14,
            (true, false) => SMALL + LARGE + 22,
        };
        let mut chart = ChartBuilder::on(area)
            .margin_top(10)
            .margin_left(MARGIN)
            .margin_right(22)
            .x_label_area_size(bottom)
            .y_label_area_size(self.left.unwrap_or_else(|| self.left_needed()))
            .build_cartesian_2d(self.x.0..self.x.1, self.y.0..self.y.1)?;
        let (x, y) = (self.x, self.y);
        let whole = self.whole_x;
        let x_text = move |v: &f64| match (whole, (v - v.round()).abs() < 1e-9) {
            (true, true) => format!("{v:.0}"),
            (true, false) => String::new(),
            (false, _) => tick_text(*v, x),
        };
        let small = font(SMALL).color(&INK);
        let large = font(LARGE).color(&INK);
        let (_, height) = area.dim_in_pixel();
        chart
            .configure_mesh()
            .axis_style(INK.mix(0.7))
            .bold_line_style(INK.mix(0.13))
            .light_line_style(TRANSPARENT)
            .x_labels(if self.show_x { 8 } else { 0 })
            .y_labels(if height < 190 { 4 } else { 6 })
            .x_label_formatter(&x_text)
            .y_label_formatter(&move |v| tick_text(*v, y))
            .label_style(small)
            .axis_desc_style(large)
            .x_desc(if self.show_x { self.x_label } else { "" })
            .y_desc(self.y_label)
            .draw()?;
        Ok(chart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_tick_texts_have_as_many_decimals_as_the_axis_needs() {
        assert_eq!(tick_text(5.0, (0.0, 10.0)), "5");
        assert_eq!(tick_text(0.2, (0.0, 1.0)), "0.2");
        assert_eq!(tick_text(22.5, (0.0, 30.0)), "22.5");
        assert_eq!(tick_text(-4.0, (-4.5, 0.2)), "−4");
        assert_eq!(tick_text(-0.000_000_1, (-1.0, 1.0)), "0.0");
        assert_eq!(tick_text(-2.0, (-3.0, 1.0)), "−2.0");
    }

    #[test]
    fn prop_round_steps_cut_into_at_most_the_parts_asked_for() {
        assert_eq!(round_step(10.0, 5.0), (2.0, 0));
        assert_eq!(round_step(1000.0, 4.0), (500.0, 0));
        assert_eq!(round_step(1.0, 8.0), (0.2, 1));
        assert_eq!(round_step(f64::NAN, 8.0), (1.0, 0));
        for n in 1..2_000 {
            let length = f64::from(n) * 0.013;
            let (step, places) = round_step(length, 5.0);
            assert!(length / step <= 5.001 && length / step >= 1.9, "{length} by {step}");
            let text = format!("{step:.places$}");
            assert!((text.parse::<f64>().unwrap() - step).abs() < 1e-9, "{step} as {text}");
        }
    }

    #[test]
    fn unit_ends_skip_what_is_not_finite_and_never_coincide() {
        assert_eq!(ends([f64::NAN, 2.0, -1.0, f64::INFINITY].into_iter()), Some((-1.0, 2.0)));
        assert_eq!(ends([f64::NAN].into_iter()), None);
        let (low, high) = padded((5.0, 5.0));
        assert!(low < 5.0 && high > 5.0);
        assert!(from_zero((1.0, 3.0)).0.abs() < 1e-15 && from_zero((-1.0, 3.0)).0 < -1.0);
    }
}

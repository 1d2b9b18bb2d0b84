//! The drawing surface.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::error::PlotError;
use super::palette::INK;
use super::svg::Svg;

/// Width of every figure, px; figures shrink with the page.
pub(super) const WIDTH: u32 = 720;
/// Size of tick labels and legends, px.
pub(super) const SMALL: u32 = 15;
/// Size of axis labels, px.
pub(super) const LARGE: u32 = 16;
/// Mean width of a character over the font size.
const CHARACTER: f64 = 0.56;

/// A part of the surface.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// What the drawing library reports.
pub(super) type Failure = DrawingAreaErrorKind<std::io::Error>;
/// Result of drawing something.
pub(super) type Drawn<T = ()> = Result<T, Failure>;

/// What a figure says to readers who cannot see it.
pub(super) struct Alt<'a> {
    pub(super) label: &'a str,
    pub(super) description: String,
}

/// Draws a figure of this height.
pub(super) fn draw(
    height: u32,
    alt: &Alt<'_>,
    paint: impl FnOnce(&Area<'_>) -> Drawn,
) -> Result<Svg, PlotError> {
    let mut text = String::new();
    let result = {
        let area = SVGBackend::with_string(&mut text, (WIDTH, height)).into_drawing_area();
        paint(&area).and_then(|()| area.present())
    };
    result.map_err(|error| PlotError::Drawing(error.to_string()))?;
    Ok(Svg::finish(&text, alt.label, &alt.description))
}

/// Estimated width of a text, px.
pub(super) fn text_width(text: &str, size: u32) -> i32 {
    pixels(text.chars().count() as f64 * f64::from(size) * CHARACTER)
}

/// Whole pixels.
#[expect(clippy::cast_possible_truncation, reason = "clamped to a range that fits")]
pub(super) fn pixels(x: f64) -> i32 {
    x.round().clamp(-1e6, 1e6) as i32
}

/// Whole pixels from 0.
pub(super) fn extent(x: i32) -> u32 {
    x.max(0).cast_unsigned()
}

/// The text, cut to a width with an ellipsis.
pub(super) fn fit(text: &str, size: u32, width: i32) -> String {
    if text_width(text, size) <= width {
        return text.to_owned();
    }
    let mut kept = text.to_owned();
    while text_width(&kept, size) + pixels(f64::from(size)) > width && kept.pop().is_some() {}
    kept + "…"
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Left,
    Centre,
    Right,
}

/// The font at this size in px.
///
/// The drawing library takes the height of a line and writes 1/1.24 of it as the font size.
pub(super) fn font(size: u32) -> FontDesc<'static> {
    ("sans-serif", f64::from(size) * 1.24).into_font()
}

/// Writes one line of text, vertically centred on the point.
pub(super) fn write(
    area: &Area<'_>,
    text: &str,
    at: (i32, i32),
    look: (u32, RGBColor, Anchor),
) -> Drawn {
    let (size, colour, anchor) = look;
    let horizontal = match anchor {
        Anchor::Left => HPos::Left,
        Anchor::Centre => HPos::Center,
        Anchor::Right => HPos::Right,
    };
    let style = TextStyle::from(font(size)).color(&colour).pos(Pos::new(horizontal, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style))
}

/// Writes one line of text from bottom to top, centred on the point.
pub(super) fn write_upwards(area: &Area<'_>, text: &str, at: (i32, i32)) -> Drawn {
    let style = TextStyle::from(font(LARGE).transform(FontTransform::Rotate270))
        .color(&INK)
        .pos(Pos::new(HPos::Center, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style))
}

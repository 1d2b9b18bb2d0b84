//! Names of series above a figure.

use plotters::prelude::*;

use super::canvas::{Anchor, Area, Drawn, SMALL, WIDTH, extent, fit, text_width, write};
use super::palette::INK;

const LINE: i32 = 24;
const SWATCH: i32 = 18;
const LEFT: i32 = 16;

/// Place of each entry: (x, row).
fn layout(entries: &[(String, RGBColor)]) -> Vec<(i32, i32)> {
    let (mut x, mut row) = (LEFT, 0);
    let width = WIDTH.cast_signed();
    let mut places = Vec::with_capacity(entries.len());
    for (name, _) in entries {
        let needed = SWATCH + 6 + text_width(name, SMALL).min(width - 2 * LEFT - SWATCH) + 20;
        if x > LEFT && x + needed > width {
            x = LEFT;
            row += 1;
        }
        places.push((x, row));
        x += needed;
    }
    places
}

/// Height that a legend needs, px; 0 for no entries.
pub(super) fn height(entries: &[(String, RGBColor)]) -> u32 {
    layout(entries).last().map_or(0, |(_, row)| extent((row + 1) * LINE + 8))
}

/// Draws the legend at the top and returns what is left below it.
pub(super) fn draw<'a>(area: &Area<'a>, entries: &[(String, RGBColor)]) -> Drawn<Area<'a>> {
    let (top, rest) = area.split_vertically(height(entries));
    for ((name, colour), (x, row)) in entries.iter().zip(layout(entries)) {
        let y = 8 + row * LINE + LINE / 2;
        let swatch = [(x, y - 6), (x + SWATCH, y + 6)];
        top.draw(&Rectangle::new(swatch, colour.filled()))?;
        let name = fit(name, SMALL, WIDTH.cast_signed() - x - SWATCH - 12);
        write(&top, &name, (x + SWATCH + 6, y), (SMALL, INK, Anchor::Left))?;
    }
    Ok(rest)
}

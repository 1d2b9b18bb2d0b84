//! Colours.
//!
//! # Source
//! Okabe and Ito 2008, "Color universal design" (the first eight series; the blue is lightened so
//! that it reads on a dark page, black and yellow are left out; four more of our own follow). The
//! sequential scale is monotone in lightness, so it survives printing in grey.

use plotters::style::RGBColor;

/// Text, axes and grid; replaced by the colour of the surrounding text.
pub(super) const INK: RGBColor = RGBColor(0x1a, 0x1a, 0x1b);

/// Dark text on a light cell of a heat map.
pub(super) const DARK: RGBColor = RGBColor(0x10, 0x18, 0x20);

/// Light text on a dark cell.
pub(super) const LIGHT: RGBColor = RGBColor(0xff, 0xff, 0xff);

/// More than expected.
pub(super) const ABOVE: RGBColor = RGBColor(0xd5, 0x5e, 0x00);

const SERIES: [RGBColor; 12] = [
    RGBColor(0x1f, 0x85, 0xc6),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x8c, 0x8c, 0x8c),
    RGBColor(0x8b, 0x5e, 0x3c),
    RGBColor(0x6a, 0x3d, 0x9a),
    RGBColor(0x8f, 0x8f, 0x1c),
    RGBColor(0xe3, 0x4a, 0x6f),
    RGBColor(0x1c, 0x6b, 0x70),
];

/// Light to dark, for shares from 0 to 1.
const SCALE: [[f64; 3]; 5] = [
    [242.0, 246.0, 250.0],
    [186.0, 212.0, 233.0],
    [107.0, 168.0, 210.0],
    [37.0, 110.0, 170.0],
    [10.0, 46.0, 96.0],
];

/// Colour of the n-th series; repeats after twelve.
pub(super) fn series(place: usize) -> RGBColor {
    SERIES[place % SERIES.len()]
}

/// Colour of a share in [0, 1]; a NaN counts as 0.
pub(super) fn sequential(share: f64) -> RGBColor {
    let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
    let place = share * (SCALE.len() - 1) as f64;
    let below = (0..SCALE.len() - 1).rev().find(|i| *i as f64 <= place).unwrap_or(0);
    let t = place - below as f64;
    let mixed = |c: usize| to_byte(SCALE[below][c] * (1.0 - t) + SCALE[below + 1][c] * t);
    RGBColor(mixed(0), mixed(1), mixed(2))
}

/// Dark blue at −1, pale at 0, dark orange at 1; a NaN counts as 0.
pub(super) fn diverging(share: f64) -> RGBColor {
    const MIDDLE: [f64; 3] = [244.0, 244.0, 242.0];
    const BELOW: [f64; 3] = [20.0, 82.0, 150.0];
    const OVER: [f64; 3] = [196.0, 78.0, 0.0];
    let share = if share.is_nan() { 0.0 } else { share.clamp(-1.0, 1.0) };
    let end = if share < 0.0 { BELOW } else { OVER };
    let mixed = |c: usize| to_byte(MIDDLE[c] + (end[c] - MIDDLE[c]) * share.abs());
    RGBColor(mixed(0), mixed(1), mixed(2))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to 0..=255 before the cast"
)]
fn to_byte(x: f64) -> u8 {
    x.round().clamp(0.0, 255.0) as u8
}

/// Relative luminance in [0, 1], without gamma: enough to choose black or white text.
fn luminance(colour: RGBColor) -> f64 {
    let [r, g, b] = [colour.0, colour.1, colour.2].map(f64::from);
    (0.299 * r + 0.587 * g + 0.114 * b) / 255.0
}

/// Text colour that reads on a cell of this colour.
pub(super) fn text_on(colour: RGBColor) -> RGBColor {
    if luminance(colour) > 0.55 { DARK } else { LIGHT }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prop_the_sequential_scale_darkens_all_the_way() {
        let steps: Vec<f64> =
            (0..=100).map(|i| luminance(sequential(f64::from(i) / 100.0))).collect();
        assert!(steps.windows(2).all(|pair| pair[1] <= pair[0]));
        assert_eq!(sequential(f64::NAN), sequential(0.0));
    }

    #[test]
    fn unit_cell_text_contrasts_with_its_cell() {
        for i in 0..=20 {
            let share = f64::from(i) / 20.0;
            for cell in [sequential(share), diverging(share), diverging(-share)] {
                let difference = (luminance(cell) - luminance(text_on(cell))).abs();
                assert!(difference > 0.35, "{cell:?}: {difference}");
            }
        }
    }
}

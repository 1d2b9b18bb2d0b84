//! Signed numbers over named rows and named columns.

use plotters::prelude::*;

use super::canvas::{
    Alt, Anchor, Area, Drawn, LARGE, SMALL, WIDTH, draw, extent, fit, text_width, write,
    write_upwards,
};
use super::error::PlotError;
use super::frame::drawable;
use super::palette::{self, INK};
use super::svg::Svg;

const TOP: i32 = 78;
const TALL: i32 = 40;
const CELL_MAX: i32 = 130;
/// Widest row name, px.
const NAME_MAX: i32 = 220;

/// A matrix of signed numbers.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    /// Names from top to bottom.
    pub rows: &'a [&'a str],
    /// Names from left to right.
    pub columns: &'a [&'a str],
    /// Values row by row; NaN where there is none.
    pub values: &'a [f64],
    /// Cells that get a frame, row by row; empty for none.
    pub marks: &'a [bool],
    /// What the rows are.
    pub row_label: &'a str,
    /// What the columns are.
    pub column_label: &'a str,
    /// Size of a value that has the full colour; `None` for the largest.
    pub limit: Option<f64>,
    /// Decimals of the numbers.
    pub decimals: usize,
}

/// Coloured cells with numbers: orange above zero, blue below it.
///
/// # Errors
/// [`PlotError::Shape`] when values or marks do not fill rows × columns, [`PlotError::Empty`]
/// without a finite value.
pub fn matrix(table: &Matrix<'_>) -> Result<Svg, PlotError> {
    let expected = table.rows.len() * table.columns.len();
    let marks = if table.marks.is_empty() { expected } else { table.marks.len() };
    for found in [table.values.len(), marks] {
        if found != expected {
            return Err(PlotError::Shape { expected, found });
        }
    }
    let sizes = table.values.iter().filter(|v| drawable(**v)).map(|v| v.abs());
    let largest = sizes.fold(None, |most: Option<f64>, v| Some(most.map_or(v, |m| m.max(v))));
    let largest = largest.ok_or(PlotError::Empty)?;
    let limit = table.limit.filter(|l| drawable(*l) && *l > 0.0).unwrap_or(largest).max(1e-12);
    // Without a negative value, such as shares, a plus would only be noise.
    let has_signs = table.values.iter().any(|v| *v < 0.0);
    let widest = table.rows.iter().map(|name| text_width(name, SMALL)).max().unwrap_or(0);
    let left = widest.min(NAME_MAX) + 44;
    let columns = i32::try_from(table.columns.len()).unwrap_or(1).max(1);
    let rows = i32::try_from(table.rows.len()).unwrap_or(1).max(1);
    let cell = ((WIDTH.cast_signed() - left - 16) / columns).min(CELL_MAX);
    let description = format!(
        "Rows are {}: {}. Columns are {}: {}.",
        table.row_label,
        table.rows.join(", "),
        table.column_label,
        table.columns.join(", ")
    );
    let label = format!("{} by {}", table.row_label, table.column_label);
    draw(extent(TOP + TALL * rows + 10), &Alt { label: &label, description }, |area| {
        let middle = left + cell * columns / 2;
        write(area, table.column_label, (middle, 14), (LARGE, INK, Anchor::Centre))?;
        write_upwards(area, table.row_label, (14, TOP + TALL * rows / 2))?;
        for (column, name) in (0..).zip(table.columns) {
            let shown = fit(name, SMALL, 2 * cell - 10);
            let height = if column % 2 == 0 { TOP - 14 } else { TOP - 36 };
            let x = left + cell * column + cell / 2;
            write(area, &shown, (x, height), (SMALL, INK, Anchor::Centre))?;
        }
        for (row, name) in (0..).zip(table.rows) {
            let y = TOP + TALL * row;
            let shown = fit(name, SMALL, NAME_MAX);
            write(area, &shown, (left - 8, y + TALL / 2), (SMALL, INK, Anchor::Right))?;
        }
        for (place, value) in table.values.iter().enumerate() {
            let at = (place % table.columns.len(), place / table.columns.len());
            let corner = (left + cell * whole(at.0), TOP + TALL * whole(at.1));
            let text = if has_signs {
                format!("{value:+.*}", table.decimals)
            } else {
                format!("{value:.*}", table.decimals)
            };
            let is_zero = text.bytes().all(|b| matches!(b, b'0' | b'.' | b'+' | b'-'));
            let text = if is_zero { "0".to_owned() } else { text };
            let is_marked = table.marks.get(place).copied().unwrap_or(false);
            draw_cell(area, (corner, cell), (value / limit, &text), is_marked)?;
        }
        Ok(())
    })
}

fn whole(place: usize) -> i32 {
    i32::try_from(place).unwrap_or(0)
}

fn draw_cell(
    area: &Area<'_>,
    ((x, y), width): ((i32, i32), i32),
    (share, text): (f64, &str),
    is_marked: bool,
) -> Drawn {
    let corners = [(x + 1, y + 1), (x + width - 1, y + TALL - 1)];
    if !drawable(share) {
        return area.draw(&Rectangle::new(corners, INK.mix(0.06).filled()));
    }
    let colour = palette::diverging(share);
    area.draw(&Rectangle::new(corners, colour.filled()))?;
    let ink = palette::text_on(colour);
    if is_marked {
        let (right, low) = (x + width - 3, y + TALL - 3);
        let frame = [(x + 3, y + 3), (right, y + 3), (right, low), (x + 3, low), (x + 3, y + 2)];
        area.draw(&PathElement::new(frame.to_vec(), ink.stroke_width(2)))?;
    }
    if text_width(text, SMALL) + 6 <= width {
        let at = (x + width / 2, y + TALL / 2);
        write(area, &text.replace('-', "−"), at, (SMALL, ink, Anchor::Centre))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check;
    use super::*;

    #[test]
    fn unit_cells_hold_signed_numbers_and_shapes_are_checked() {
        let mut table = Matrix {
            rows: &["left wheel", "right wheel"],
            columns: &["near", "bright"],
            values: &[0.5, -1.0, f64::NAN, 0.0],
            marks: &[true, false, false, false],
            row_label: "actuators",
            column_label: "sensors",
            limit: None,
            decimals: 2,
        };
        let svg = matrix(&table).unwrap();
        check(&svg);
        assert!(svg.as_str().contains("+0.50") && svg.as_str().contains("−1.00"));
        table.marks = &[true];
        assert_eq!(matrix(&table), Err(PlotError::Shape { expected: 4, found: 1 }));
        table.marks = &[];
        table.values = &[f64::NAN; 4];
        assert_eq!(matrix(&table), Err(PlotError::Empty));
    }
}

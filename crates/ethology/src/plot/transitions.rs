//! A transition table as coloured cells with numbers.

use plotters::prelude::*;

use super::canvas::{
    Alt, Anchor, Area, Drawn, LARGE, SMALL, WIDTH, draw, extent, fit, pixels, text_width, write,
    write_upwards,
};
use super::error::PlotError;
use super::palette::{self, ABOVE, INK};
use super::svg::Svg;
use crate::ethogram::Transitions;

const TOP: i32 = 92;
const CELL_MAX: i32 = 110;

/// Probabilities and counts of transitions; rows are the present state, columns the next one.
///
/// A frame marks cells seen clearly more often than chance explains (residual above 2). States
/// without any transition are left out.
///
/// # Errors
/// [`PlotError::Empty`] without a transition.
pub fn transition_matrix(table: &Transitions) -> Result<Svg, PlotError> {
    let all = 0..table.size();
    let lived = |i: &usize| all.clone().any(|j| table.between(*i, j) + table.between(j, *i) > 0);
    let states: Vec<usize> = all.clone().filter(lived).collect();
    if states.is_empty() {
        return Err(PlotError::Empty);
    }
    let names: Vec<&str> = states.iter().map(|i| table.names()[*i].as_str()).collect();
    let widest = names.iter().map(|name| text_width(name, SMALL)).max().unwrap_or(0);
    let left = widest.min(200) + 54;
    let count = i32::try_from(states.len()).unwrap_or(1).max(1);
    let cell = ((WIDTH.cast_signed() - left - 16) / count).min(CELL_MAX);
    let tall = cell.min(64);
    let residuals = table.residuals();
    let description = format!(
        "{} transitions between {}. Rows are the present state, columns the next one.",
        table.total(),
        names.join(", ")
    );
    let alt = Alt { label: "Transition matrix", description };
    draw(extent(TOP + tall * count + 12), &alt, |area| {
        let middle = left + cell * count / 2;
        write(area, "next behaviour", (middle, 14), (LARGE, INK, Anchor::Centre))?;
        let centre = (18, TOP + tall * count / 2);
        write_upwards(area, "present behaviour", centre)?;
        for ((row, i), name) in (0..).zip(&states).zip(&names) {
            let y = TOP + tall * row;
            let text = fit(name, SMALL, 200);
            write(area, &text, (left - 8, y + tall / 2), (SMALL, INK, Anchor::Right))?;
            let x = left + cell * row + cell / 2;
            let shown = fit(name, SMALL, cell.max(60) + 6);
            let height = if row % 2 == 0 { TOP - 14 } else { TOP - 38 };
            write(area, &shown, (x, height), (SMALL, INK, Anchor::Centre))?;
            for (column, j) in (0..).zip(&states) {
                let corner = (left + cell * column, y);
                let strong = residuals[i * table.size() + j] > 2.0;
                draw_cell(
                    area,
                    (corner, (cell, tall)),
                    (table.probability(*i, *j), table.between(*i, *j)),
                    strong,
                )?;
            }
        }
        Ok(())
    })
}

type Place = ((i32, i32), (i32, i32));

fn draw_cell(area: &Area<'_>, place: Place, seen: (Option<f64>, u64), strong: bool) -> Drawn {
    let ((x, y), (width, height)) = place;
    let corners = [(x + 1, y + 1), (x + width - 1, y + height - 1)];
    let (Some(p), count @ 1..) = seen else {
        return area.draw(&Rectangle::new(corners, INK.mix(0.06).filled()));
    };
    let colour = palette::sequential(p);
    area.draw(&Rectangle::new(corners, colour.filled()))?;
    if strong {
        let (right, low) = (x + width - 3, y + height - 3);
        let frame = [(x + 3, y + 3), (right, y + 3), (right, low), (x + 3, low), (x + 3, y + 1)];
        area.draw(&PathElement::new(frame.to_vec(), ABOVE.stroke_width(4)))?;
    }
    let (middle, text) = (x + width / 2, palette::text_on(colour));
    if width < 38 {
        return Ok(());
    }
    let first = pixels(f64::from(y) + f64::from(height) * if height >= 44 { 0.36 } else { 0.5 });
    write(area, &format!("{p:.2}"), (middle, first), (LARGE, text, Anchor::Centre))?;
    if height >= 44 {
        let at = (middle, pixels(f64::from(y) + f64::from(height) * 0.72));
        write(area, &format!("n {count}"), at, (SMALL - 2, text, Anchor::Centre))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check;
    use super::*;
    use crate::ethogram::Diagonal;

    #[test]
    fn unit_cells_hold_probability_and_count() {
        let names = ["rest", "wander", "never"].map(String::from).to_vec();
        let mut table = Transitions::empty(names, Diagonal::Structural);
        assert_eq!(transition_matrix(&table), Err(PlotError::Empty));
        (0..3).for_each(|_| table.count(0, 1));
        let svg = transition_matrix(&table).unwrap();
        check(&svg);
        assert!(svg.as_str().contains("1.00") && svg.as_str().contains("n 3"));
        assert!(!svg.as_str().contains("never"));
    }
}

//! Shares of time per behaviour.

use plotters::prelude::*;

use super::canvas::{Alt, Anchor, SMALL, draw, text_width, write};
use super::error::PlotError;
use super::frame::drawable;
use super::svg::Svg;
use super::xy::entries;
use super::{legend, palette, rows};

/// One bar: a subject or a condition.
#[derive(Clone, Copy, Debug)]
pub struct BudgetBar<'a> {
    /// Name.
    pub name: &'a str,
    /// Share of time per state in [0, 1]; those that are negative or not finite count as 0.
    pub shares: &'a [f64],
}

/// Stacked bars of shares of time, one per row, in percent.
///
/// # Errors
/// [`PlotError::Empty`] without bars or states, [`PlotError::Shape`] when a bar has another number
/// of shares than there are states.
pub fn time_budget(states: &[&str], bars: &[BudgetBar<'_>]) -> Result<Svg, PlotError> {
    if states.is_empty() || bars.is_empty() {
        return Err(PlotError::Empty);
    }
    if let Some(bar) = bars.iter().find(|bar| bar.shares.len() != states.len()) {
        return Err(PlotError::Shape { expected: states.len(), found: bar.shares.len() });
    }
    let said = |bar: &BudgetBar<'_>| {
        let parts = states.iter().zip(bar.shares).map(|(s, x)| format!("{s} {:.1} %", 100.0 * x));
        format!("{}: {}.", bar.name, parts.collect::<Vec<_>>().join(", "))
    };
    let description = bars.iter().map(said).collect::<Vec<_>>().join(" ");
    let names: Vec<&str> = bars.iter().map(|bar| bar.name).collect();
    let entries = entries(states);
    let height = rows::height(bars.len(), 46) + legend::height(&entries);
    draw(height, &Alt { label: "Time budget", description }, |area| {
        let rest = legend::draw(area, &entries)?;
        let mut chart = rows::chart(&rest, &names, (0.0, 100.0), "share of observed time (%)")?;
        for (row, bar) in bars.iter().enumerate() {
            let (mut from, y) = (0.0, -(row as f64) - 0.5);
            for (place, share) in bar.shares.iter().enumerate() {
                let width = if drawable(*share) { 100.0 * share.max(0.0) } else { 0.0 };
                let corners = [(from, y - 0.36), (from + width, y + 0.36)];
                let colour = palette::series(place);
                if width > 0.0 {
                    chart.draw_series([Rectangle::new(corners, colour.filled())])?;
                }
                let text = format!("{width:.0}");
                let (x0, _) = chart.backend_coord(&(from, y));
                let (x1, pixel_y) = chart.backend_coord(&(from + width, y));
                if x1 - x0 > text_width(&text, SMALL) + 8 {
                    let at = (i32::midpoint(x0, x1), pixel_y - rest.get_base_pixel().1);
                    write(&rest, &text, at, (SMALL, palette::text_on(colour), Anchor::Centre))?;
                }
                from += width;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check;
    use super::*;

    #[test]
    fn unit_bars_need_one_share_per_state() {
        let bar = BudgetBar { name: "robot 1", shares: &[0.25, 0.75] };
        let svg = time_budget(&["rest", "wander"], &[bar]).unwrap();
        check(&svg);
        assert!(svg.as_str().contains("robot 1: rest 25.0 %, wander 75.0 %."));
        let wrong = time_budget(&["rest"], &[bar]);
        assert_eq!(wrong, Err(PlotError::Shape { expected: 1, found: 2 }));
        assert_eq!(time_budget(&[], &[bar]), Err(PlotError::Empty));
        let odd = BudgetBar { name: "r", shares: &[f64::INFINITY, -1.0] };
        assert!(time_budget(&["a", "b"], &[odd]).is_ok());
    }
}

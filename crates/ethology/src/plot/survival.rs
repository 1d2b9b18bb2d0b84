//! Survivor curves.

use plotters::prelude::*;

use super::canvas::{Alt, Anchor, Area, Drawn, SMALL, draw, extent, fit, write};
use super::error::PlotError;
use super::frame::{Chart, Frame, drawable, round_step};
use super::legend;
use super::palette::{self, INK};
use super::svg::Svg;
use super::xy::entries;
use crate::survival::KaplanMeier;

/// Most steps between times at which lives at risk are listed.
const RISK_COLUMNS: f64 = 6.0;
/// Right end of the names of the rows, px.
const RISK_NAMES: i32 = 118;
const RISK_LINE: i32 = 20;

/// One condition.
#[derive(Clone, Copy, Debug)]
pub struct SurvivalCurve<'a> {
    /// Name of the condition.
    pub name: &'a str,
    /// Its curve.
    pub curve: &'a KaplanMeier,
}

/// Unit of the time axis.
#[derive(Clone, Copy, Debug)]
pub struct TimeAxis<'a> {
    /// Label with the unit, such as "life (h)".
    pub label: &'a str,
    /// Shown units per unit of the data: 1/3600 to show seconds as hours.
    pub scale: f64,
}

/// Survivor curves with 95 % bands, ticks at censored lives and lives at risk below.
///
/// # Errors
/// [`PlotError::Empty`] without a life of positive length.
pub fn kaplan_meier(curves: &[SurvivalCurve<'_>], time: TimeAxis<'_>) -> Result<Svg, PlotError> {
    let last = curves.iter().map(|one| one.curve.last_time() * time.scale).fold(0.0, f64::max);
    if !drawable(last) || last <= 0.0 {
        return Err(PlotError::Empty);
    }
    let names: Vec<&str> = curves.iter().map(|one| one.name).collect();
    let medians: Vec<String> = curves.iter().map(|one| describe(one, time.scale)).collect();
    let description = format!("Share still alive over {}. {}", time.label, medians.join(" "));
    let entries = entries(&names);
    let risk = RISK_LINE * (1 + i32::try_from(curves.len()).unwrap_or(0)) + 8;
    let height = 400 + legend::height(&entries) + extent(risk);
    draw(height, &Alt { label: "Survivor curves", description }, |area| {
        let rest = legend::draw(area, &entries)?;
        let (_, tall) = rest.dim_in_pixel();
        let (upper, lower) = rest.split_vertically(tall - extent(risk));
        let mut frame = Frame::new((0.0, last * 1.02), (0.0, 1.0), time.label, "share alive");
        // Names of the rows at risk stand in the left margin.
        frame.left = Some(136);
        let mut chart = frame.on(&upper)?;
        for (place, one) in curves.iter().enumerate() {
            draw_curve(&mut chart, one.curve, time.scale, palette::series(place))?;
        }
        draw_risk(&lower, &chart, curves, (last, time.scale))
    })
}

fn describe(one: &SurvivalCurve<'_>, scale: f64) -> String {
    let n = one.curve.n;
    match one.curve.median() {
        Some(median) => format!("{}: {n} lives, median {:.3}.", one.name, median * scale),
        None => format!("{}: {n} lives, more than half censored.", one.name),
    }
}

fn draw_curve(
    chart: &mut Chart<'_, '_>,
    curve: &KaplanMeier,
    scale: f64,
    colour: RGBColor,
) -> Drawn {
    let (mut line, mut upper, mut lower) = (vec![(0.0, 1.0)], vec![(0.0, 1.0)], vec![(0.0, 1.0)]);
    let corner = |steps: &mut Vec<(f64, f64)>, x: f64, y: f64| {
        let before = steps.last().map_or(1.0, |p| p.1);
        steps.push((x, before));
        steps.push((x, y));
    };
    for step in &curve.steps {
        let x = step.time * scale;
        corner(&mut line, x, step.survival);
        let (low, high) = match step.band {
            Some(band) => (band.low, band.high),
            None if step.survival > 0.0 => (1.0, 1.0),
            // The estimate has reached 0, where the band is not defined.
            None => (lower[lower.len() - 1].1, upper[upper.len() - 1].1),
        };
        corner(&mut lower, x, low);
        corner(&mut upper, x, high);
    }
    let outline: Vec<(f64, f64)> = upper.into_iter().chain(lower.into_iter().rev()).collect();
    chart.draw_series([Polygon::new(outline, colour.mix(0.18).filled())])?;
    chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
    let censored = curve.steps.iter().filter(|step| step.censored > 0);
    let tick = |(x, y): (f64, f64)| {
        EmptyElement::at((x, y)) + PathElement::new(vec![(0, -6), (0, 6)], colour.stroke_width(2))
    };
    chart.draw_series(censored.map(|step| tick((step.time * scale, step.survival))))?;
    Ok(())
}

fn draw_risk(
    area: &Area<'_>,
    chart: &Chart<'_, '_>,
    curves: &[SurvivalCurve<'_>],
    (last, scale): (f64, f64),
) -> Drawn {
    let size = SMALL - 1;
    let (step, places) = round_step(last, RISK_COLUMNS);
    let times: Vec<f64> =
        (0..20).map(|n| f64::from(n) * step).filter(|t| *t <= last * (1.0 + 1e-9)).collect();
    write(area, "lives at risk", (RISK_NAMES, RISK_LINE / 2), (size, INK, Anchor::Right))?;
    for time in &times {
        let (x, _) = chart.backend_coord(&(*time, 0.0));
        let text = format!("{time:.places$}");
        write(area, &text, (x, RISK_LINE / 2), (size, INK, Anchor::Centre))?;
    }
    for (place, one) in curves.iter().enumerate() {
        let y = RISK_LINE * (1 + i32::try_from(place).unwrap_or(0)) + RISK_LINE / 2;
        let name = fit(one.name, size, RISK_NAMES - 8);
        write(area, &name, (RISK_NAMES, y), (size, INK, Anchor::Right))?;
        let swatch = [(RISK_NAMES + 5, y - 4), (RISK_NAMES + 12, y + 4)];
        area.draw(&Rectangle::new(swatch, palette::series(place).filled()))?;
        for time in &times {
            let (x, _) = chart.backend_coord(&(*time, 0.0));
            let at_risk: u64 = one
                .curve
                .steps
                .iter()
                .filter(|step| step.time * scale >= time * (1.0 - 1e-12))
                .map(|step| step.deaths + step.censored)
                .sum();
            let look = (size, INK, Anchor::Centre);
            write(area, &at_risk.to_string(), (x, y), look)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::svg::tests::check;
    use super::*;
    use crate::survival::Lifespan;

    #[test]
    fn unit_curves_show_censored_lives_and_lives_at_risk() {
        let lives = [Lifespan::died(0, 3600.0), Lifespan::censored(1, 7200.0)];
        let curve = KaplanMeier::fit(&lives);
        let axis = TimeAxis { label: "life (h)", scale: 1.0 / 3600.0 };
        let svg = kaplan_meier(&[SurvivalCurve { name: "full", curve: &curve }], axis).unwrap();
        check(&svg);
        assert!(svg.as_str().contains("lives at risk") && svg.as_str().contains("median 1.000"));
        let none = KaplanMeier::fit(&[]);
        let empty = kaplan_meier(&[SurvivalCurve { name: "none", curve: &none }], axis);
        assert_eq!(empty, Err(PlotError::Empty));
    }
}

//! How long they lived, and what differs from the baseline.

use tropism_ethology::plot::{
    self, ForestRow, Group, LifePoint, LivesSeries, PlotError, SurvivalCurve, Svg, TimeAxis,
};
use tropism_ethology::report::Report;
use tropism_ethology::statistics::Summary;
use tropism_scenario::Experiment;

use super::{with_figure, with_table};
use crate::results::{self, MAIN, MEASURES, Results};

/// Lifespans, differences, and every measure.
pub(super) fn sections(mut report: Report, results: &Results, experiment: &Experiment) -> Report {
    let cap_h = experiment.life_cap_s / 3600.0;
    report = report.section("Lifespan").text(&format!(
        "A life that reaches {cap_h} h is cut off there: its end was not seen, its lifespan is \
         right-censored. The mean of the lifespans as they are counts such a life as {cap_h} h, \
         too little, so the page gives the survivor function (Kaplan-Meier) and the restricted \
         mean: the mean lifespan up to {cap_h} h, the area under that function. Its error and \
         percentile interval come from resampling organisms with all their lives.",
    ));
    report = with_table(report, results::survival_table(results), "Means over organisms.");
    let caption = "Restricted mean lifespan up to the cap; lives of one organism stay together \
                   in the bootstrap.";
    report = with_table(report, results::restricted_table(results), caption);
    for (figure, caption) in figures(results) {
        report = with_figure(report, figure, &caption);
    }
    if let Some(baseline) = results.baseline.as_deref().filter(|_| results.conditions.len() > 1) {
        report = report.section(&format!("Differences to {baseline}"));
        report = with_table(
            report,
            results::differences_table(results, &MAIN),
            "Paired by seed, condition minus baseline. d_z: mean over standard deviation of the \
             differences; r_rb: matched-pairs rank-biserial correlation; above: share of pairs \
             above the baseline, ties half.",
        );
        for name in MAIN {
            let Some(index) = MEASURES.iter().position(|m| m.name == name) else { continue };
            let heading = MEASURES[index].heading;
            if results.conditions.iter().all(|c| c.differences[index].is_none()) {
                continue;
            }
            let figure = forest(results, index, &format!("difference: {heading}"));
            let caption = format!("Paired differences to {baseline}: {heading}.");
            report = with_figure(report, figure, &caption);
        }
    }
    report = report.section("All measures");
    report = with_table(report, results::behaviour_table(results), "Behaviour, means.");
    with_table(report, results::summary_table(results), "Every measure, means over organisms.")
}

fn figures(results: &Results) -> Vec<(Result<Svg, PlotError>, String)> {
    let curves: Vec<_> = (results.conditions.iter())
        .map(|c| SurvivalCurve { name: &c.name, curve: &c.survival })
        .collect();
    let values: Vec<Vec<f64>> =
        (results.conditions.iter()).map(|c| c.organisms[0].iter().map(|v| v.1).collect()).collect();
    let groups: Vec<_> = (results.conditions.iter().zip(&values))
        .map(|(c, values)| Group { name: &c.name, values })
        .collect();
    let points: Vec<Vec<LifePoint>> = (results.conditions.iter())
        .map(|c| {
            let of = |(life, s): (usize, &Option<Summary>)| {
                let s = s.as_ref()?;
                Some(LifePoint { life: life as u32 + 1, mean: s.mean, interval: s.interval })
            };
            c.by_life.iter().enumerate().filter_map(of).collect()
        })
        .collect();
    let series: Vec<_> = (results.conditions.iter().zip(&points))
        .map(|(c, points)| LivesSeries { name: &c.name, points })
        .collect();
    let axis = TimeAxis { label: "life (h)", scale: 1.0 };
    let mut figures = vec![
        (
            plot::kaplan_meier(&curves, axis),
            "Kaplan-Meier survivor functions over all lives; lives that reached the cap are \
             censored there."
                .to_owned(),
        ),
        (
            plot::distribution(&groups, "mean life (h)"),
            "Mean lifespan of each organism.".to_owned(),
        ),
    ];
    // A single life has no course over lives.
    if points.iter().any(|p| p.len() > 1) {
        let caption = "Mean lifespan by number of life.".to_owned();
        figures.push((plot::lives(&series, "life (h)"), caption));
    }
    figures
}

fn forest(results: &Results, measure: usize, label: &str) -> Result<Svg, PlotError> {
    use tropism_ethology::statistics::Interval;
    let scale = MEASURES[measure].scale;
    let rows: Vec<_> = (results.conditions.iter())
        .filter_map(|c| {
            let d = c.differences[measure].as_ref()?;
            let interval = d.interval.map(|i| Interval::between(i.low * scale, i.high * scale));
            Some(ForestRow { name: &c.name, mean: d.mean * scale, interval })
        })
        .collect();
    plot::forest(&rows, label, Some(0.0))
}

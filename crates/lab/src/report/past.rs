//! History dependence: twins with different pasts in the same world stream.

use tropism_ethology::plot::{self, BandPoint, Mark, Series};
use tropism_ethology::report::Report;
use tropism_ethology::table::{Column, Kind, Table, TableError};
use tropism_scenario::Experiment;

use super::{with_figure, with_table};
use crate::twins::{self, TwinRecord};

const NAMES: [&str; 3] = ["different pasts", "same past", "newborn, other draws"];
const LABELS: [(&str, &str); 3] = [
    ("distance between positions (m)", "Distance between the twins."),
    ("distance between commands", "Mean difference of their commands, as a share of the span."),
    ("overlap of visited cells", "Overlap of the cells visited so far, shared over all."),
];

/// Points of a curve and of its band.
type Curve = (Vec<(f64, f64)>, Vec<BandPoint>);

/// Curves of divergence, when the experiment has twins.
pub(super) fn section(
    mut report: Report,
    experiment: &Experiment,
    records: &[TwinRecord],
) -> Report {
    let Some(plan) = experiment.twins.as_ref().filter(|_| !records.is_empty()) else {
        return report;
    };
    let parted: Vec<String> =
        (records.iter()).filter(|r| !r.is_deterministic()).map(|r| r.seed.to_string()).collect();
    let check = if parted.is_empty() {
        "Twins with the same past never parted, to the bit.".to_owned()
    } else {
        format!("Twins with the same past parted for seeds {}.", parted.join(", "))
    };
    report = report.section("History dependence").text(&format!(
        "Two minds of condition {} live {:.2} h each on different seeds. Then both begin a life \
         at the same place in the same world, with the same noise and the same exploration draws, \
         and are compared for {} s: what parts them is what they have learned. For scale, two \
         newborns with different exploration draws. {check}",
        plan.condition,
        plan.past_s / 3600.0,
        plan.compare_s,
    ));
    for (measure, (label, caption)) in LABELS.into_iter().enumerate() {
        let curves: Vec<Vec<_>> =
            (0..NAMES.len()).map(|pair| twins::curve(records, pair, measure)).collect();
        let parts: Vec<Curve> = (curves.iter())
            .map(|curve| {
                let band = |(t, s): &(f64, tropism_ethology::statistics::Summary)| {
                    s.interval.map(|i| (*t, i.low, i.high))
                };
                let points = curve.iter().map(|(t, s)| (*t, s.mean)).collect();
                (points, curve.iter().filter_map(band).collect())
            })
            .collect();
        let series: Vec<_> = (NAMES.iter().zip(&parts))
            .map(|(name, (points, band))| Series { name, points, band, mark: Mark::Line })
            .collect();
        let caption = format!("{caption} Bands are 95 % intervals over organisms.");
        report = with_figure(report, plot::xy(&series, "time together (s)", label), &caption);
    }
    with_table(report, table(records), "Means over the whole comparison, by pair.")
}

fn table(records: &[TwinRecord]) -> Result<Table, TableError> {
    let heads = ["pair", "measure", "n", "mean", "95 %"];
    let mut table = Table::new(heads.map(|n| Column::new(n, Kind::Text)).to_vec())?;
    for (pair, name) in NAMES.into_iter().enumerate() {
        for (measure, heading) in twins::DIVERGENCES.into_iter().enumerate() {
            let Some(s) = twins::overall(records, pair, measure) else { continue };
            let interval = s
                .interval
                .map_or_else(|| "–".to_owned(), |i| format!("{:.3}..{:.3}", i.low, i.high));
            table.push(&[
                name.into(),
                heading.into(),
                s.n.to_string().into(),
                format!("{:.3}", s.mean).into(),
                interval.into(),
            ])?;
        }
    }
    Ok(table)
}

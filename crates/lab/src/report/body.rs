//! The body schema: learned couplings beside the true ones.

use tropism_ethology::plot::{self, Matrix, PlotError, Svg};
use tropism_ethology::report::Report;
use tropism_ethology::statistics::{BOOTSTRAP, summarise};

use super::{with_figure, with_table};
use crate::life::RobotRecord;
use crate::schema::{self, Couplings, NamedEntry};
use crate::single;

/// Contingencies shown.
const SHOWN: usize = 12;

fn figure(couplings: &Couplings, decimals: usize) -> Result<Svg, PlotError> {
    let actuators: Vec<&str> = couplings.actuators.iter().map(String::as_str).collect();
    let sensors: Vec<&str> = couplings.sensors.iter().map(String::as_str).collect();
    plot::matrix(&Matrix {
        rows: &actuators,
        columns: &sensors,
        values: &couplings.values,
        marks: &[],
        row_label: "actuator",
        column_label: "sensor",
        limit: None,
        decimals,
    })
}

/// Body schema of one condition; nothing for minds without memory.
pub(super) fn schema(
    mut report: Report,
    robots: &[&RobotRecord],
    truth: Option<&Couplings>,
) -> Report {
    let learned: Vec<&Couplings> =
        robots.iter().map(|r| &r.learned).filter(|c| !c.values.is_empty()).collect();
    let Some(mean) = schema::average(&learned) else { return report };
    let caption = "Body schema, learned: for each actuator and sensor the strength-weighted share \
                   of remembered contingencies in which both changed, signed by whether they \
                   changed alike; read once a minute, mean over organisms.";
    report = with_figure(report, figure(&mean, 3), caption);
    if let Some(truth) = truth {
        let caption = "Body schema, true: correlation of the changes of actuator and sensor in \
                       the noise-free world under 10 minutes of motor babbling.";
        report = with_figure(report, figure(truth, 2), caption);
        let each: Vec<f64> = learned.iter().filter_map(|c| schema::correlation(c, truth)).collect();
        if let Some(s) = summarise(&each, BOOTSTRAP) {
            let interval = s.interval.map_or_else(String::new, |i| {
                format!(", 95 % interval {:.2} to {:.2}", i.low, i.high)
            });
            report = report.text(&format!(
                "Correlation between learned and true couplings over the cells of these figures: \
                 {:.2} (mean of {} organisms{interval}).",
                s.mean, s.n
            ));
        }
    }
    let mut entries: Vec<&NamedEntry> = robots.iter().flat_map(|r| &r.strongest).collect();
    entries.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    // The same discovery of several organisms is shown once, at its strongest.
    let mut shown: Vec<NamedEntry> = Vec::new();
    for entry in entries {
        let is_new = shown.iter().all(|s| {
            (&s.actions, &s.sensors, &s.needs) != (&entry.actions, &entry.sensors, &entry.needs)
        });
        if is_new && shown.len() < SHOWN {
            shown.push(entry.clone());
        }
    }
    with_table(report, single::entries(&shown), "Strongest contingencies over all organisms.")
}

//! What an experiment leaves behind: tables, measures and the report, in its folder.
//!
//! What it does not do: it prints nothing; whoever ran the experiment shows the text.

use core::fmt::Write as _;

use tropism_ethology::table::{Format, Table, atomic_write};
use tropism_scenario::Experiment;

use crate::error::LabError;
use crate::experiment::{Manifest, Store};
use crate::life::RunRecord;
use crate::twins::{self, TwinRecord};
use crate::{report, results};

/// Writes the results of an experiment into its folder and gives the tables for people, with the
/// warnings behind them.
///
/// # Errors
/// [`LabError`] when a file cannot be written.
pub fn write(
    experiment: &Experiment,
    manifest: &Manifest,
    store: &Store,
    (records, twins): (&[RunRecord], &[TwinRecord]),
) -> Result<String, LabError> {
    let failed = |error: &dyn core::fmt::Display| LabError::Data(error.to_string());
    let summary = results::summarise_all(experiment, records);
    let survival = results::survival_table(&summary).map_err(|e| failed(&e))?;
    let behaviour = results::behaviour_table(&summary).map_err(|e| failed(&e))?;
    let mut text = format!("{}\n{}", survival.to_text(), behaviour.to_text());
    if let Some(baseline) = summary.baseline.as_deref().filter(|_| summary.conditions.len() > 1) {
        let differences = results::difference_table(&summary).map_err(|e| failed(&e))?.to_text();
        text = format!("{text}\nlifespan, paired by seed, minus {baseline}\n{differences}");
    }
    let keep =
        |name: &str, bytes: &[u8]| atomic_write(&store.path(name), bytes).map_err(LabError::File);
    keep("table.txt", text.as_bytes())?;
    let measures = results::measure_table(&summary).map_err(|e| failed(&e))?;
    keep("measures.txt", measures.to_text().as_bytes())?;
    let parquet = |name: &str, table: &Table| {
        let written = table.write(&store.path(name), Format::Parquet);
        written.map_err(|error| LabError::Data(format!("{name}: {error}")))
    };
    parquet("lives.parquet", &results::life_table(records).map_err(|e| failed(&e))?)?;
    parquet("runs.parquet", &results::run_table(records).map_err(|e| failed(&e))?)?;
    if !twins.is_empty() {
        parquet("twins.parquet", &twins::table(twins).map_err(|e| failed(&e))?)?;
    }
    let page = report::page(experiment, manifest, &summary, records, twins);
    keep("report.html", page.as_bytes())?;
    if !summary.warnings.is_empty() {
        text.push('\n');
    }
    for warning in &summary.warnings {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "warning: {warning}");
    }
    Ok(text)
}

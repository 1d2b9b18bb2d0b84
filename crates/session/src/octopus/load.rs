//! From a text to an octopus on the table.

use alloc::sync::Arc;

use tropism_scenario::octopus::field::FormatError;
use tropism_scenario::octopus::format::Scenario;
use tropism_scenario::octopus::json::Json;
use tropism_scenario::octopus::save;
use tropism_wire::session::{Fault, Place};

use super::OctopusTable;

/// Keys of which every octopus file that does anything has one.
const KEYS: [&str; 4] = ["arms", "body", "food", "obstacles"];

/// The text is meant as an octopus scene: JSON with a whole `version` and no word on another
/// `format`, or with parts only an octopus has; or a file named `.json` that cannot be read.
pub(crate) fn is_octopus(name: &str, text: &str) -> bool {
    if !text.trim_start().starts_with('{') {
        return false;
    }
    match Json::parse(text.as_bytes()) {
        Ok(json) => {
            let has = |key: &str| json.get(key).is_some();
            let is_versioned = json.get("version").is_some_and(|v| v.as_integer().is_some());
            KEYS.into_iter().any(has) || (is_versioned && !has("format"))
        }
        Err(_) => name.to_ascii_lowercase().ends_with(".json"),
    }
}

/// Reads a scene or a saved run.
///
/// # Errors
/// [`Fault`] with line and field of the first fault.
pub(crate) fn load(name: &str, text: &str) -> Result<OctopusTable, Fault> {
    let json = Json::parse(text.as_bytes()).map_err(|error| {
        let (line, column) = (error.line, error.column);
        let what = format!("{name}:{line}:{column}: {}", error.message);
        let place = Place { file: name.to_owned(), line, column, text: error.message };
        Fault { what, places: vec![place] }
    })?;
    let misread = |error: FormatError| {
        let reason = if error.field.is_empty() {
            error.message.clone()
        } else {
            format!("{}: {}", error.field, error.message)
        };
        let place = Place { file: name.to_owned(), line: error.line, column: 0, text: reason };
        Fault { what: format!("{name}: {error}"), places: vec![place] }
    };
    let scenario = Scenario::from_json(&json).map_err(misread)?;
    let octopus = save::open(&scenario, None).map_err(misread)?;
    Ok(OctopusTable::new(Arc::new(scenario), octopus))
}

//! `docs`: pages that are written by the program they describe.

use core::fmt::Write as _;

use anyhow::{Context, Result};
use tropism_body::SafetyParameters;
use tropism_core::Parameter;
use tropism_core::parameter::ParameterSet;
use tropism_organism::parameters::{
    ActionParameters, ContingencyParameters, DriveParameters, PhysiologyParameters,
    ReflexParameters, SpatialParameters,
};
use tropism_reactive::blend::BlendParameters;
use tropism_reactive::bug::BugParameters;
use tropism_reactive::layers::LayerParameters;
use tropism_reactive::line::LineParameters;
use tropism_reactive::vehicle::VehicleParameters;
use tropism_reactive::wall::WallParameters;
use tropism_reactive::watchdog::WatchdogParameters;

use crate::repository::Repository;

/// A generated page.
pub(crate) struct Page {
    /// Path from the root.
    pub(crate) path: &'static str,
    /// Content.
    pub(crate) text: String,
}

/// Every generated page as it should be now.
pub(crate) fn pages() -> Vec<Page> {
    vec![
        Page { path: "docs/reference/parameters.md", text: parameters() },
        Page { path: "docs/reference/scenario.md", text: tropism_scenario::reference_markdown() },
        Page { path: "docs/reference/session.schema.json", text: session_schema() },
    ]
}

/// The messages of a session as a JSON schema; the page's types are made from it.
fn session_schema() -> String {
    #[derive(schemars::JsonSchema)]
    #[expect(dead_code, reason = "only its schema is used")]
    struct Protocol {
        /// What is asked.
        request: tropism_wire::session::Request,
        /// What is said in return.
        message: tropism_wire::session::Message,
    }
    let mut schema = schemars::schema_for!(Protocol).to_value();
    // A titled definition gets a type of that name in TypeScript; an untitled one is copied in.
    if let Some(types) = schema["$defs"].as_object_mut() {
        for (name, definition) in types {
            definition["title"] = name.as_str().into();
        }
    }
    format!("{schema:#}\n")
}

/// Writes the pages.
pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<()> {
    crate::only_known(arguments, &[])?;
    for Page { path, text } in pages() {
        let target = repository.path(path);
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(&target, text).with_context(|| format!("cannot write {path}"))?;
        println!("{path}");
    }
    Ok(())
}

/// A struct of parameters as it is named in the page.
struct Section {
    title: &'static str,
    name: &'static str,
    table: &'static [Parameter],
}

fn sections() -> [Section; 14] {
    let section = |title, name, table| Section { title, name, table };
    [
        section("Safety monitor", "SafetyParameters", SafetyParameters::TABLE),
        section(
            "Organism: needs, salience, habituation",
            "PhysiologyParameters",
            PhysiologyParameters::TABLE,
        ),
        section("Organism: bands and exploration", "DriveParameters", DriveParameters::TABLE),
        section(
            "Organism: contingency memory",
            "ContingencyParameters",
            ContingencyParameters::TABLE,
        ),
        section("Organism: spatial memory", "SpatialParameters", SpatialParameters::TABLE),
        section("Organism: learned reflexes", "ReflexParameters", ReflexParameters::TABLE),
        section("Organism: action selection", "ActionParameters", ActionParameters::TABLE),
        section("Reactive: vehicles", "VehicleParameters", VehicleParameters::TABLE),
        section("Reactive: goal and avoidance blended", "BlendParameters", BlendParameters::TABLE),
        section("Reactive: wall following", "WallParameters", WallParameters::TABLE),
        section("Reactive: line following", "LineParameters", LineParameters::TABLE),
        section("Reactive: bug algorithms", "BugParameters", BugParameters::TABLE),
        section("Reactive: layers", "LayerParameters", LayerParameters::TABLE),
        section("Reactive: watchdog", "WatchdogParameters", WatchdogParameters::TABLE),
    ]
}

fn parameters() -> String {
    let mut page = String::from(
        "# Parameters\n\nWritten by `cargo xtask docs` from the tables in the code.\n\
         A value outside its bounds is refused when a scenario is read.\n",
    );
    for Section { title, name, table } in sections() {
        let _ = write!(page, "\n## {title}\n\n`{name}`\n\n");
        page.push_str("| name | unit | bounds | default | what it does | source |\n");
        page.push_str("|---|---|---|---|---|---|\n");
        for p in table {
            let Parameter { name, unit, min, max, default, source, about } = p;
            let _ = writeln!(
                page,
                "| `{name}` | {unit} | {min} to {max} | {default} | {about} | {source} |"
            );
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_the_page_lists_every_parameter_with_its_bounds() {
        let page = parameters();
        let rows = page.lines().filter(|line| line.starts_with("| `")).count();
        assert_eq!(rows, sections().iter().map(|s| s.table.len()).sum::<usize>());
        let row =
            "| `fuzz_max` | 1 | 0 to 10 | 0.8 | Largest fuzz. | design document, section 6.2 |";
        assert!(page.contains(row), "{page}");
    }
}

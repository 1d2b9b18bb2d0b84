//! Loading documents and printing, shared by the verbs.

use std::path::Path;

use anyhow::{Context, bail};
use tropism_scenario::{Document, MindSpec, Scenario, check, load};
use tropism_world::RobotPlan;

/// Loads a document and prints its warnings on standard error.
pub(crate) fn load_document(path: &Path) -> anyhow::Result<Document> {
    let document = load(path)?;
    for warning in check(&document) {
        eprintln!("warning: {warning}");
    }
    Ok(document)
}

/// Loads a scenario; an experiment gives its scenario.
pub(crate) fn load_scenario(path: &Path) -> anyhow::Result<Scenario> {
    match load_document(path)? {
        Document::Scenario(scenario) => Ok(scenario),
        Document::Experiment(experiment) => Ok(experiment.scenario),
        _ => bail!(
            "{}: it is a world or a body; give a file with `kind = \"scenario\"`",
            path.display()
        ),
    }
}

/// A built-in body by name, or one from a file.
pub(crate) fn load_body(name: &str) -> anyhow::Result<RobotPlan> {
    if let Some(body) = tropism_scenario::built_in_body(name) {
        return Ok(body?);
    }
    match load_document(Path::new(name)) {
        Ok(Document::Body(plan)) => Ok(*plan),
        Ok(_) => bail!("{name}: it is no body; give a file with `kind = \"body\"`"),
        Err(error) => Err(error.context(format!(
            "`{name}` is no built-in body (see `tropism list`) and no body file"
        ))),
    }
}

/// The minds of a scenario, or one built-in condition for all its robots.
pub(crate) fn minds_of(
    scenario: &Scenario,
    condition: Option<&str>,
) -> anyhow::Result<Vec<MindSpec>> {
    let Some(name) = condition else { return Ok(scenario.minds.clone()) };
    let of = |robot: &tropism_world::RobotSpec| {
        tropism_scenario::built_in_condition_at(name, &robot.plan.body, scenario.step)
    };
    scenario.world.robots.iter().map(of).collect::<Option<Vec<_>>>().with_context(|| {
        let names: Vec<_> = tropism_scenario::BUILT_IN_CONDITIONS.iter().map(|c| c.0).collect();
        format!("there is no condition `{name}`; there are {}", names.join(", "))
    })
}

/// The command as it was typed, for manifests.
pub(crate) fn typed_command() -> String {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    format!("tropism {}", arguments.join(" "))
}

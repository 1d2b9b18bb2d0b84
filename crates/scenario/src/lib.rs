//! Scenario, experiment, world and body files: reading, checking, lowering.
//!
//! Terms: a *document* is one TOML file of a `kind`; a *scenario* is a world with robots and a mind
//! for each; an *experiment* is conditions × seeds over a scenario; a *condition* is a mind with
//! something added or taken away.
//!
//! Keys are strict: an unknown, misspelt, missing or out-of-range one is refused with file, line,
//! column and what would be right, all faults of a document in one go. Paths in a document start
//! from that document's folder. Every key is declared once; [`reference_markdown`] lists them.
//!
//! A physics step that does not fit into the control step a whole number of times is shortened to
//! the longest one that does, and [`check`] says so.
//!
//! What it does not do: it runs nothing, fetches nothing, writes nothing and reads no clock.

extern crate alloc;

mod body_file;
mod built_in;
mod check;
mod conditions;
mod document;
mod error;
mod event_file;
mod experiment_file;
pub mod machine;
mod mind_file;
pub mod octopus;
mod reader;
mod reference;
mod scenario_file;
mod schema;
mod sensor_file;
mod source;
mod station_file;
mod switches;
pub mod textmap;
mod validate;
mod world_file;
mod writer;

use alloc::sync::Arc;
use std::path::Path;

use tropism_core::Seed;
use tropism_world::{RobotPlan, RobotSpec, Start, Vec2, World, WorldSpec};

pub use built_in::{Listing, built_in_body, built_in_text, built_in_world, list};
pub use check::{Warning, check};
pub use conditions::{
    BUILT_IN_CONDITIONS, BUILT_IN_CONTROLLERS, MindSpec, built_in_condition, built_in_condition_at,
};
pub use document::{Condition, Document, Experiment, Scenario, Twins};
pub use error::{Fault, ScenarioError};
pub use machine::{BoundMachine, Machine};
pub use reference::reference_markdown;
pub use source::{SIZE_MAX, Source};
pub use switches::{
    SwitchInfo, SwitchValue, parameter_groups, parameter_value, switch_value, switches,
    with_parameter, with_switch,
};
pub use writer::{write_scenario, write_world};

use source::Origin;

/// Builds a world once, so that whatever no key could tell is told of the file.
fn builds(source: &Source, world: &WorldSpec) -> Result<(), ScenarioError> {
    World::new(world, Seed(0))
        .map(drop)
        .map_err(|refused| ScenarioError::of_file(&source.path, refused.to_string(), ""))
}

/// A body, tried out in an empty yard.
fn body(source: &Source, origin: &Origin) -> Result<Box<RobotPlan>, ScenarioError> {
    let plan = Box::new(world_file::BODY_FORMAT.parse(source, origin)?);
    let mut world = WorldSpec::empty("yard", 100.0, 100.0);
    let start = Start::Pose { at: Vec2::new(50.0, 50.0), heading_rad: 0.0, soc: 0.8 };
    let name = plan.body.name;
    world.robots.push(RobotSpec { name, plan: (*plan).clone(), start });
    builds(source, &world)?;
    Ok(plan)
}

fn parse_source(source: &Source, origin: &Origin) -> Result<Document, ScenarioError> {
    let mut kind = None;
    source::with_table(source, origin, |doc, table| {
        kind = match source::kind_of(table) {
            Some("scenario") => Some("scenario"),
            Some("experiment") => Some("experiment"),
            Some("world") => Some("world"),
            Some("body") => Some("body"),
            Some("machine") => Some("machine"),
            _ => {
                let kinds = ["scenario", "experiment", "world", "body", "machine"];
                source::refuse_kind(doc, table, &kinds);
                return None;
            }
        };
        Some(())
    })?;
    match kind {
        Some("experiment") => {
            experiment_file::FORMAT.parse(source, origin).map(Document::Experiment)
        }
        Some("world") => {
            let world = world_file::FORMAT.parse(source, origin)?.spec;
            builds(source, &world)?;
            Ok(Document::World(world))
        }
        Some("body") => body(source, origin).map(Document::Body),
        Some("machine") => {
            machine::file::FORMAT.parse(source, origin).map(Arc::new).map(Document::Machine)
        }
        _ => scenario_file::FORMAT.parse(source, origin).map(Document::Scenario),
    }
}

/// Reads a document and everything it refers to.
///
/// # Errors
/// [`ScenarioError`] with every fault found: a file that is missing, a folder, no UTF-8 or larger
/// than [`SIZE_MAX`]; a circle of references; anything wrong in the text.
pub fn load(path: &Path) -> Result<Document, ScenarioError> {
    let origin = Origin::default().of_file(path)?;
    let source = source::read_text(path)?;
    parse_source(&source, &origin)
}

/// Reads a document from text that can refer to other texts handed over with it, and to no file.
///
/// A path in a document is the name of one of `files`, seen from the folder in that document's own
/// name; where none has it, the only one whose last part is the same.
///
/// # Errors
/// As [`load`].
pub fn parse_with(label: &str, text: &str, files: &[Source]) -> Result<Document, ScenarioError> {
    for (name, text) in files.iter().map(|f| (&*f.path, &*f.text)).chain([(label, text)]) {
        if text.len() as u64 > SIZE_MAX {
            let what = format!("has {} bytes", text.len());
            let right = "a document has at most 1048576 bytes";
            return Err(ScenarioError::of_file(name, what, right));
        }
    }
    let source = Source { path: label.to_owned(), text: text.to_owned() };
    parse_source(&source, &Origin::of_files(label, files))
}

/// Reads a document from text. `base_dir` is the folder its relative paths start from; without one
/// it can only use built-in names and tables.
///
/// # Example
/// ```
/// let text = "kind = 'scenario'\nworld = 'reference'\nmind = 'random_walk'\n";
/// let document = tropism_scenario::parse("example", text, None)?;
/// assert!(tropism_scenario::check(&document).is_empty());
///
/// let text = "kind = 'scenario'\nworld = 'reference'\nmind = 'random_wlak'\n";
/// let error = tropism_scenario::parse("example", text, None).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "example:3:8: no built-in condition is named `random_wlak`; did you mean `random_walk`?"
/// );
/// # Ok::<(), tropism_scenario::ScenarioError>(())
/// ```
///
/// # Errors
/// As [`load`].
pub fn parse(label: &str, text: &str, base_dir: Option<&Path>) -> Result<Document, ScenarioError> {
    if text.len() as u64 > SIZE_MAX {
        let what = format!("has {} bytes", text.len());
        let right = "a document has at most 1048576 bytes";
        return Err(ScenarioError::of_file(label, what, right));
    }
    let source = Source { path: label.to_owned(), text: text.to_owned() };
    parse_source(&source, &Origin::of_text(base_dir))
}

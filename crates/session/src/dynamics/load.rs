//! From a text to a network in a scene.

use tropism_dynamics_lab::stage::{SCENES, Scene};
use tropism_dynamics_spec::diagnostic::Severity;
use tropism_dynamics_spec::live::Live;
use tropism_dynamics_spec::{Compiled, Diagnostic, Options, Refused};
use tropism_wire::session::{Fault, Place};

use super::DynamicsTable;
use crate::table::fault;

/// The text is meant as a behaviour network: it has a table `network` or `layer`.
pub(crate) fn is_network(text: &str) -> bool {
    let heads = ["[network]", "[[layer]]", "[layer."];
    text.lines().any(|line| heads.iter().any(|head| line.trim_start().starts_with(head)))
}

/// Compiles a network and puts its robot into a scene; without one, into the scene that has what
/// the network senses.
///
/// # Errors
/// [`Fault`] with every place the compiler names, or the scenes there are.
pub(crate) fn load(file: &str, text: &str, scene: Option<&str>) -> Result<DynamicsTable, Fault> {
    let live = Live::new(file, text, Options::default()).map_err(|r| refused(&r))?;
    let scene = match scene {
        None => fitting(live.compiled()),
        Some(name) => Scene::named(name).ok_or_else(|| {
            fault(format!("there is no scene {name}; there are {}", SCENES.join(", ")))
        })?,
    };
    Ok(DynamicsTable::new(file, text, scene, live))
}

/// The scene for what a network senses.
fn fitting(compiled: &Compiled) -> Scene {
    let senses = |name: &str| compiled.reading(name).is_some();
    if senses("ball_x") {
        Scene::Ball
    } else if senses("rays[0]") && senses("x") {
        Scene::Course(1)
    } else if senses("rays[0]") {
        Scene::Room
    } else {
        Scene::Field
    }
}

/// A place and its reason.
pub(super) fn placed(diagnostic: &Diagnostic) -> Place {
    let (file, path) = (diagnostic.file.clone(), &diagnostic.path);
    let (line, column) = (diagnostic.line as u32, diagnostic.column as u32);
    let word = if diagnostic.severity == Severity::Error { "" } else { "warning: " };
    let colon = if path.is_empty() { "" } else { ": " };
    Place { file, line, column, text: format!("{word}{path}{colon}{}", diagnostic.reason) }
}

/// Every finding of a refusal.
pub(super) fn refused(refused: &Refused) -> Fault {
    Fault { what: refused.to_string(), places: refused.0.iter().map(placed).collect() }
}

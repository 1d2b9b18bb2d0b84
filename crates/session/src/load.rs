//! Loading: from names and texts to a table.
//!
//! Terms: a text is a scenario, a world, a body, a machine, an experiment or a script. What is no
//! scenario is put into one: a world gets the robots it lists, or the reference body, with the
//! mind `full`; a body goes into the world `standard`; a machine or a script drives the course
//! robot, on the line track when it reads the floor, else in the open room.

use tropism_body::BodySpec;
use tropism_core::TimeStep;
use tropism_reactive::Reactive;
use tropism_scenario::{
    BUILT_IN_CONDITIONS, BUILT_IN_CONTROLLERS, Condition, Document, Machine, MindSpec, Scenario,
    ScenarioError, Source as File, built_in_condition_at, parse_with,
};
use tropism_wire::session::{Fault, Listed, Place, Source, StageKind, TextFile};

use crate::library::{self, SHIPPED};
use crate::other;
use crate::robots::Robots;
use crate::table::{Table, fault};

/// Most files handed over with a text.
const FILES_MAX: usize = 64;
/// Most robots of a session.
const ROBOTS_MAX: usize = 1_000;

/// What a load asks for besides its source.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wish<'a> {
    /// Root seed.
    pub(crate) seed: Option<u64>,
    /// Condition of the first robot's mind.
    pub(crate) condition: Option<&'a str>,
    /// Scene of a behaviour network.
    pub(crate) scene: Option<&'a str>,
}

/// A table that was loaded.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) table: Box<dyn Table>,
    /// The seed it runs on.
    pub(crate) seed: u64,
    /// Where it came from, with all texts.
    pub(crate) source: Source,
}

/// What can be loaded by name.
pub(crate) fn listing() -> Vec<Listed> {
    let listed = |shipped: &library::Shipped| Listed {
        name: shipped.name.to_owned(),
        kind: StageKind::Robots,
        about: shipped.about.to_owned(),
    };
    SHIPPED.iter().map(listed).chain(other::listing()).collect()
}

/// Names of the conditions a robot's mind can be given.
pub(crate) fn conditions() -> Vec<String> {
    let all = BUILT_IN_CONDITIONS.iter().chain(BUILT_IN_CONTROLLERS);
    all.map(|(name, _)| (*name).to_owned()).collect()
}

/// Every fault of a document with its place.
pub(crate) fn document_fault(error: &ScenarioError) -> Fault {
    let places = error.faults().iter().map(|fault| Place {
        file: fault.file.clone(),
        line: fault.line as u32,
        column: fault.column as u32,
        text: match fault.right.as_str() {
            "" => fault.what.clone(),
            right => format!("{}; {right}", fault.what),
        },
    });
    Fault { what: error.to_string(), places: places.collect() }
}

/// Loads a name or a text.
pub(crate) fn load(source: Source, wish: Wish<'_>) -> Result<Loaded, Fault> {
    let found = match &source {
        Source::BuiltIn { name } => other::load_built_in(name, wish),
        Source::Text { file, .. } => other::load_other(&file.name, &file.text, wish),
        Source::Recording { .. } => None,
    };
    if let Some(table) = found {
        return Ok(Loaded { table: table?, seed: wish.seed.unwrap_or(1), source });
    }
    let source = with_texts(source)?;
    let Source::Text { file, files } = &source else {
        return Err(fault("a recording is read before it is loaded"));
    };
    if files.len() > FILES_MAX {
        return Err(fault(format!("{} files; at most {FILES_MAX} go with a text", files.len())));
    }
    if let Some(scene) = wish.scene {
        return Err(fault(format!("only a behaviour network drives in a scene, such as {scene}")));
    }
    let files: Vec<File> =
        files.iter().map(|f| File { path: f.name.clone(), text: f.text.clone() }).collect();
    let (mut scenario, own) = scenario(file, &files)?;
    if scenario.world.robots.len() > ROBOTS_MAX {
        let count = scenario.world.robots.len();
        return Err(fault(format!("{count} robots; a session has at most {ROBOTS_MAX}")));
    }
    if let Some(name) = wish.condition {
        let mind = condition(name, &own, &scenario)?;
        match scenario.minds.first_mut() {
            Some(first) => *first = mind,
            None => scenario.minds.push(mind),
        }
    }
    let seed = wish.seed.or(scenario.seed).unwrap_or(1);
    let table = Robots::new(scenario, seed).map_err(|error| fault(error.to_string()))?;
    Ok(Loaded { table: Box::new(table), seed, source })
}

/// A name as its text.
fn with_texts(source: Source) -> Result<Source, Fault> {
    let Source::BuiltIn { name } = source else { return Ok(source) };
    let Some(shipped) = library::find(&name) else {
        let shown: String = name.chars().take(60).collect();
        let names: Vec<String> = listing().into_iter().map(|listed| listed.name).collect();
        let names = names.join(", ");
        return Err(fault(format!("there is no scenario {shown}; there are {names}")));
    };
    let file = |(name, text): &(&str, &str)| TextFile {
        name: (*name).to_owned(),
        text: (*text).to_owned(),
    };
    Ok(Source::Text {
        file: TextFile { name: format!("{name}.toml"), text: shipped.text.to_owned() },
        files: shipped.files.iter().map(file).collect(),
    })
}

fn parse(name: &str, text: &str, files: &[File]) -> Result<Document, Fault> {
    parse_with(name, text, files).map_err(|error| document_fault(&error))
}

/// A scenario made for a text that is none.
fn around(text: &str, handed: Vec<File>, files: &[File]) -> Result<Scenario, Fault> {
    let files: Vec<File> = handed.into_iter().chain(files.iter().cloned()).collect();
    match parse("session.toml", text, &files)? {
        Document::Scenario(scenario) => Ok(scenario),
        _ => Err(fault("this text makes no scenario")),
    }
}

const FLOOR: [&str; 2] = ["line", "reflectance"];

fn course(reads_floor: bool) -> &'static str {
    if reads_floor { "course_track" } else { "course_room" }
}

fn script(file: &TextFile) -> Result<Scenario, Fault> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let name = if file.name.chars().all(is_plain) { file.name.as_str() } else { "script.js" };
    let world = course(FLOOR.iter().any(|word| file.text.contains(word)));
    let text = format!("kind = 'scenario'\nname = '{name}'\nworld = '{world}'\nmind = '{name}'\n");
    around(&text, vec![File { path: name.to_owned(), text: file.text.clone() }], &[])
}

fn machine(machine: &Machine, file: &TextFile) -> Result<Scenario, Fault> {
    let is_floor = |sensor: &String| FLOOR.iter().any(|word| sensor.starts_with(word));
    let world = course(machine.sensors.iter().any(is_floor));
    let name = &machine.name;
    let text =
        format!("kind = 'scenario'\nname = '{name}'\nworld = '{world}'\nmind = 'handed.toml'\n");
    around(&text, vec![File { path: "handed.toml".to_owned(), text: file.text.clone() }], &[])
}

/// The scenario of a text, and the conditions it brings.
fn scenario(file: &TextFile, files: &[File]) -> Result<(Scenario, Vec<Condition>), Fault> {
    if std::path::Path::new(&file.name).extension().is_some_and(|e| e == "js") {
        return Ok((script(file)?, Vec::new()));
    }
    let handed = || vec![File { path: "handed.toml".to_owned(), text: file.text.clone() }];
    let scenario = match parse(&file.name, &file.text, files)? {
        Document::Scenario(scenario) => scenario,
        Document::Experiment(experiment) => {
            let mut scenario = experiment.scenario;
            (scenario.name, scenario.about) = (experiment.name, experiment.about);
            return Ok((scenario, experiment.conditions));
        }
        Document::World(world) => {
            let name = world.name;
            let text = format!("kind = 'scenario'\nname = '{name}'\nworld = 'handed.toml'\n");
            around(&text, handed(), files)?
        }
        Document::Body(plan) => {
            let name = plan.body.name;
            let text = format!(
                "kind = 'scenario'\nname = '{name}'\nworld = 'standard'\nbody = 'handed.toml'\n"
            );
            around(&text, handed(), files)?
        }
        Document::Machine(parsed) => machine(&parsed, file)?,
        _ => return Err(fault(format!("{} is nothing that can be loaded", file.name))),
    };
    Ok((scenario, Vec::new()))
}

fn fits(mind: &MindSpec, name: &str, body: &BodySpec, step: TimeStep) -> Result<(), Fault> {
    match mind {
        MindSpec::Reactive(spec) => Reactive::new(body, step, spec)
            .map(drop)
            .map_err(|error| fault(format!("{name}: {error}; it drives the course robot"))),
        _ => Ok(()),
    }
}

fn condition(name: &str, own: &[Condition], scenario: &Scenario) -> Result<MindSpec, Fault> {
    if let Some(found) = own.iter().find(|condition| condition.name == name) {
        return Ok(found.mind.clone());
    }
    let Some(robot) = scenario.world.robots.first() else {
        return Err(fault("there is no robot whose mind could be another one"));
    };
    let body = &robot.plan.body;
    let Some(mind) = built_in_condition_at(name, body, scenario.step) else {
        let shown: String = name.chars().take(60).collect();
        let names = conditions().join(", ");
        return Err(fault(format!("there is no condition {shown}; there are {names}")));
    };
    fits(&mind, name, body, scenario.step)?;
    Ok(mind)
}

/// A controller for a task: a script, a machine, or the name of a condition.
pub(crate) fn controller(
    file: Option<&TextFile>,
    name: &str,
    (body, step): (&BodySpec, TimeStep),
) -> Result<MindSpec, Fault> {
    let Some(file) = file else {
        let mind = built_in_condition_at(name, body, step);
        let mind = mind.ok_or_else(|| {
            fault(format!("there is no controller {name}; there are {}", conditions().join(", ")))
        })?;
        fits(&mind, name, body, step)?;
        return Ok(mind);
    };
    if std::path::Path::new(&file.name).extension().is_some_and(|e| e == "js") {
        return Ok(MindSpec::Script { path: file.name.clone(), text: file.text.clone() });
    }
    match parse(&file.name, &file.text, &[])? {
        Document::Machine(machine) => Ok(MindSpec::Machine(machine)),
        _ => Err(fault(format!("{} is no controller: give a script or a machine", file.name))),
    }
}

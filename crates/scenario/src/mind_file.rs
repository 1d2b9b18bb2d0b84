//! Minds and conditions of documents.

use tropism_body::BodySpec;
use tropism_core::parameter::{Parameter, ParameterSet};
use tropism_core::{OutOfBounds, TimeStep};
use tropism_organism::parameters::{
    ActionParameters, ContingencyParameters, DriveParameters, OrganismParameters,
    PhysiologyParameters, ReflexParameters, SpatialParameters,
};
use tropism_organism::reflex::Connection;
use tropism_organism::{OrganismConfig, Reflexes, WIRING_MAX, WiredConnection};

use tropism_reactive::{Reactive, ReactiveSpec};

use crate::conditions::{
    BUILT_IN_CONDITIONS, BUILT_IN_CONTROLLERS, MindSpec, built_in_condition_at,
};
use crate::error::suggest;
use crate::reader::{Reader, number_of};
use crate::schema::{Key, Kind, Table};
use crate::validate::shown;

/// Contexts of the reflexes, in order.
pub(crate) const CONTEXTS: [&str; 7] =
    ["always", "energy", "fatigue", "safety", "arousal", "curiosity", "boredom"];

/// The input that is always 1.
pub(crate) const CONSTANT: &str = "constant";

/// Groups of organism parameters: key, meaning, table.
pub(crate) const GROUPS: [(&str, &str, &[Parameter]); 6] = [
    ("physiology", "Needs, salience and habituation.", PhysiologyParameters::TABLE),
    ("drives", "Preferred bands and the weights of exploration.", DriveParameters::TABLE),
    ("contingency", "Contingency memory.", ContingencyParameters::TABLE),
    ("spatial", "Spatial memory.", SpatialParameters::TABLE),
    ("reflex", "Learned reflexes.", ReflexParameters::TABLE),
    ("action", "How an action is put together.", ActionParameters::TABLE),
];

static WIRING: Table = Table {
    name: "wiring",
    about: "One connection of a given wiring.",
    keys: &[
        Key::choice("context", &CONTEXTS, "always", "The drive that gates it."),
        Key::must("from", Kind::Sensor, "A sensor of the body, or \"constant\"."),
        Key::must("to", Kind::Actuator, "An actuator of the body."),
        Key::number("weight", "1", (-1000.0, 1000.0), "Its weight."),
    ],
};

const FROM: Key = Key::may("from", Kind::Text, "Built-in condition to start from; left out, full.");
const REFLEXES: Key = Key::may(
    "reflexes",
    Kind::Choice(&["learned", "off", "frozen", "plastic"]),
    "Learned from zero, none, given and kept, or given and learned on.",
);
const CONTINGENCY: Key = Key::may("contingency_influence", Kind::Switch, "Recall biases actions.");
const FROZEN: Key =
    Key::may("contingency_frozen", Kind::Switch, "Contingency memory neither learns nor forgets.");
const SPATIAL: Key = Key::may("spatial_influence", Kind::Switch, "Places change exploration.");
const WIPE: Key =
    Key::number("spatial_wipe_s", "s", (0.0, 1e6), "Seconds between wipes; 0 never.").optional();
const LINK: Key = Key::may("battery_link", Kind::Switch, "Energy follows the energy sensor.");
const EXPLORATION: Key = Key::may("exploration", Kind::Switch, "Exploration noise is drawn.");
const DRIVES: Key = Key::may("drives", Kind::Switch, "Drives press.");
const ADAPTATION: Key = Key::may("sensory_adaptation", Kind::Switch, "Senses adapt.");
const HIDE: Key = Key::may("hide", Kind::Words, "Sensors that never deliver.");
const RANDOMISE: Key = Key::may("randomise", Kind::Words, "Sensors replaced by uniform draws.");
const MEAN: Key =
    Key::number("input_mean_at_birth", "1", (-1e6, 1e6), "Running mean of each input at birth.")
        .optional();
const PARAMETERS: Key = Key::may("parameters", Kind::Parameters, "Numbers of the organism.");
const CONNECTIONS: Key =
    Key::may("wiring", Kind::Tables(&WIRING), "Given connections; they replace those of `from`.");

/// What can be changed in a built-in mind.
const CHANGES: [Key; 15] = [
    FROM,
    REFLEXES,
    CONTINGENCY,
    FROZEN,
    SPATIAL,
    WIPE,
    LINK,
    EXPLORATION,
    DRIVES,
    ADAPTATION,
    HIDE,
    RANDOMISE,
    MEAN,
    PARAMETERS,
    CONNECTIONS,
];

/// A mind inside a scenario.
pub(crate) static MIND: Table =
    Table { name: "mind", about: "A mind: a built-in condition with changes.", keys: &CHANGES };

/// A condition of an experiment.
pub(crate) static CONDITION: Table = Table {
    name: "condition",
    about: "A condition: a built-in one with changes, under a name of its own.",
    keys: &with_name(
        Key::must("name", Kind::Name, "Its name, unique in the experiment."),
        Key::may("about", Kind::Text, "What it is, in one sentence."),
    ),
};

/// The changes behind a name and a sentence.
const fn with_name(name: Key, about: Key) -> [Key; CHANGES.len() + 2] {
    let mut keys = [name; CHANGES.len() + 2];
    keys[1] = about;
    let mut i = 0;
    while i < CHANGES.len() {
        keys[i + 2] = CHANGES[i];
        i += 1;
    }
    keys
}

/// The body a mind is for, and how often it acts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Host<'b> {
    pub(crate) body: &'b BodySpec,
    pub(crate) step: TimeStep,
}

/// Names of the built-in conditions and controllers.
pub(crate) fn condition_names() -> Vec<&'static str> {
    BUILT_IN_CONDITIONS.iter().chain(BUILT_IN_CONTROLLERS).map(|(name, _)| *name).collect()
}

/// The group of a reactive controller's parameters.
const REACTIVE: &str = "reactive";

pub(crate) fn set_at(
    parameters: &mut OrganismParameters,
    group: usize,
    index: usize,
    value: f32,
) -> Result<(), OutOfBounds> {
    match group {
        0 => parameters.physiology.set_at(index, value),
        1 => parameters.drives.set_at(index, value),
        2 => parameters.contingency.set_at(index, value),
        3 => parameters.spatial.set_at(index, value),
        4 => parameters.reflex.set_at(index, value),
        _ => parameters.action.set_at(index, value),
    }
}

fn bounds(p: &Parameter) -> String {
    let unit = if p.unit == "1" { String::new() } else { format!(" {}", p.unit) };
    format!("it needs a number in {}..{}{unit}", p.min, p.max)
}

/// Reads `parameters.GROUP.NAME = number`.
fn parameters(r: &Reader<'_>, into: &mut OrganismParameters) {
    let Some(value) = r.raw("parameters") else {
        return;
    };
    let path = r.path_of("parameters");
    let Some(groups) = value.get_ref().as_table() else {
        r.fault("parameters", "`parameters` is no table", "give parameters.reflex.learn_rate = …");
        return;
    };
    let names: Vec<&str> = GROUPS.iter().map(|(name, _, _)| *name).collect();
    for (name, value) in groups {
        let path = format!("{path}.{}", name.get_ref());
        let found = names.iter().position(|n| name.get_ref() == n);
        match (found, value.get_ref().as_table()) {
            (Some(group), Some(table)) => {
                let mut set = |i, value| set_at(into, group, i, value);
                group_of(r, &path, GROUPS[group].2, table, &mut set);
            }
            (Some(_), None) => {
                let right = "give a number in it, such as parameters.reflex.learn_rate = 0.002";
                r.doc.fault(&value.span(), &path, "a parameter group is a table", right);
            }
            (None, _) => {
                let shown = shown(name.get_ref());
                let what = format!("no parameter group is named `{}`", shown.escape_debug());
                r.doc.fault(&name.span(), &path, what, suggest(name.get_ref(), &names));
            }
        }
    }
}

/// Reads `parameters.reactive.NAME = number`.
fn reactive_parameters(r: &Reader<'_>, into: &mut ReactiveSpec) {
    let Some(value) = r.raw("parameters") else {
        return;
    };
    let path = r.path_of("parameters");
    let right = "give numbers in parameters.reactive, such as parameters.reactive.base = 0.5";
    let Some(groups) = value.get_ref().as_table() else {
        r.fault("parameters", "`parameters` is no table", right);
        return;
    };
    for (name, value) in groups {
        let path = format!("{path}.{}", name.get_ref());
        match value.get_ref().as_table() {
            Some(table) if name.get_ref() == REACTIVE => {
                let declared = into.table();
                group_of(r, &path, declared, table, &mut |i, value| into.set_at(i, value));
            }
            _ => {
                let shown = shown(name.get_ref());
                let what = format!("no parameter group of this mind is `{}`", shown.escape_debug());
                r.doc.fault(&name.span(), &path, what, right);
            }
        }
    }
}

/// A reactive controller with changes; checked against the body.
fn reactive(r: &Reader<'_>, mut spec: ReactiveSpec, host: Host<'_>) -> MindSpec {
    let is_change = |key: &&Key| !["name", "about", "from", "parameters"].contains(&key.name);
    for key in MIND.keys.iter().filter(is_change).filter(|key| r.has(key.name)) {
        let right = "a reactive controller is changed by `parameters.reactive` alone";
        r.fault(key.name, format!("a reactive controller has no `{}`", key.name), right);
    }
    reactive_parameters(r, &mut spec);
    if let Err(refused) = Reactive::new(host.body, host.step, &spec) {
        let key = if r.has("parameters") { "parameters" } else { "from" };
        r.fault(key, refused.to_string(), "");
    }
    MindSpec::Reactive(spec)
}

fn group_of(
    r: &Reader<'_>,
    path: &str,
    declared: &'static [Parameter],
    table: &toml::de::DeTable<'_>,
    set: &mut dyn FnMut(usize, f32) -> Result<(), OutOfBounds>,
) {
    for (name, value) in table {
        let path = format!("{path}.{}", name.get_ref());
        let Some(index) = declared.iter().position(|p| name.get_ref() == p.name) else {
            let known: Vec<&str> = declared.iter().map(|p| p.name).collect();
            let shown = shown(name.get_ref());
            let what = format!("no parameter is named `{}`", shown.escape_debug());
            r.doc.fault(&name.span(), &path, what, suggest(name.get_ref(), &known));
            continue;
        };
        let p = &declared[index];
        let Some(number) = number_of(value.get_ref()) else {
            r.doc.fault(&value.span(), &path, format!("`{}` is no number", p.name), bounds(p));
            continue;
        };
        if let Err(refused) = set(index, number as f32) {
            let what = format!("`{}` = {}", p.name, refused.value);
            r.doc.fault(&value.span(), &path, what, bounds(p));
        }
    }
}

/// Sensors as bits; unknown ones are reported.
fn sensors(r: &Reader<'_>, key: &str, body: &BodySpec) -> Option<u16> {
    if !r.has(key) {
        return None;
    }
    let mut bits = 0;
    for (i, (word, span)) in r.words(key).into_iter().enumerate() {
        if let Some(channel) = body.sensor(word) {
            bits |= 1 << channel;
        } else {
            let known: Vec<&str> = body.sensors.iter().map(|s| s.name.as_str()).collect();
            let path = format!("{}[{i}]", r.path_of(key));
            let shown = shown(word);
            let what = format!("no sensor of `{}` is named `{}`", body.name, shown.escape_debug());
            r.doc.fault(&span, &path, what, suggest(word, &known));
        }
    }
    Some(bits)
}

fn connection(r: &Reader<'_>, body: &BodySpec) -> Option<WiredConnection> {
    let (from, to) = (r.maybe_text("from")?, r.maybe_text("to")?);
    let context = CONTEXTS.iter().position(|c| *c == r.text("context"));
    let input = if from == CONSTANT { Some(body.sensors.len()) } else { body.sensor(from) };
    if input.is_none() {
        let mut known: Vec<&str> = body.sensors.iter().map(|s| s.name.as_str()).collect();
        known.push(CONSTANT);
        r.unknown("from", "sensor", from, &known);
    }
    let output = body.actuator(to);
    if output.is_none() {
        let known: Vec<&str> = body.actuators.iter().map(|a| a.name.as_str()).collect();
        r.unknown("to", "actuator", to, &known);
    }
    Some(WiredConnection(Connection {
        context: context? as u8,
        input: input? as u8,
        output: output? as u8,
        weight: r.number("weight"),
    }))
}

fn wiring(r: &Reader<'_>, body: &BodySpec, config: &mut OrganismConfig) {
    if !r.has("wiring") {
        return;
    }
    config.wiring.clear();
    let readers = r.tables("wiring");
    if let Some(first_too_many) = readers.get(WIRING_MAX) {
        let what = format!("{} connections", readers.len());
        first_too_many.fault("weight", what, format!("a wiring has at most {WIRING_MAX}"));
    }
    for connection in readers.iter().filter_map(|c| connection(c, body)).take(WIRING_MAX) {
        let _ = config.wiring.push(connection);
    }
}

fn switches(r: &Reader<'_>, host: Host<'_>, config: &mut OrganismConfig) {
    let a = &mut config.ablation;
    let set = |key: &str, slot: &mut bool| {
        if let Some(is_on) = r.maybe_switch(key) {
            *slot = is_on;
        }
    };
    set("contingency_influence", &mut a.has_contingency_influence);
    set("contingency_frozen", &mut a.is_contingency_frozen);
    set("spatial_influence", &mut a.has_spatial_influence);
    set("battery_link", &mut a.has_battery_link);
    set("exploration", &mut a.has_exploration);
    set("drives", &mut a.has_drives);
    set("sensory_adaptation", &mut a.has_sensory_adaptation);
    if let Some(wipe_s) = r.maybe_seconds("spatial_wipe_s") {
        a.spatial_wipe_ticks = host.step.ticks_in(wipe_s) as u32;
    }
    a.reflexes = match r.maybe_text("reflexes") {
        Some("off") => Reflexes::Off,
        Some("frozen") => Reflexes::Frozen,
        Some("plastic") => Reflexes::Plastic,
        Some("learned") => Reflexes::Learned,
        _ => a.reflexes,
    };
    a.hidden_sensors = sensors(r, "hide", host.body).unwrap_or(a.hidden_sensors);
    a.randomised_sensors = sensors(r, "randomise", host.body).unwrap_or(a.randomised_sensors);
}

/// A built-in condition by name, or the file of a machine (`.toml`) or a script (`.js`); an unknown
/// name is reported at this key.
pub(crate) fn named(r: &Reader<'_>, key: &str, name: &str, host: Host<'_>) -> Option<MindSpec> {
    let extension = std::path::Path::new(name).extension().and_then(|e| e.to_str());
    match extension {
        Some("toml") => return machine(r, key, host),
        Some("js") => {
            let source = crate::source::text_file(r, key, name)?;
            return Some(MindSpec::Script { path: source.path, text: source.text });
        }
        _ => {}
    }
    let mind = built_in_condition_at(name, host.body, host.step);
    if mind.is_none() {
        r.unknown(key, "built-in condition", name, &condition_names());
    }
    if let Some(MindSpec::Reactive(spec)) = &mind
        && let Err(refused) = Reactive::new(host.body, host.step, spec)
    {
        r.fault(key, format!("`{name}`: {refused}"), "give the robot `body = \"course_robot\"`");
    }
    mind
}

/// The machine file that a key names.
fn machine(r: &Reader<'_>, key: &str, host: Host<'_>) -> Option<MindSpec> {
    let machine = crate::machine::file::FORMAT.resolve(r, key)?;
    let missing = machine.missing(host.body);
    if missing.is_empty() {
        return Some(MindSpec::Machine(alloc::sync::Arc::new(machine)));
    }
    let what = format!("machine `{}` needs channels that the body lacks", machine.name);
    r.fault(key, what, format!("`{}` has no {}", host.body.name, missing.join(", ")));
    None
}

/// Lowers a table of changes to a built-in condition.
pub(crate) fn read(r: &Reader<'_>, host: Host<'_>) -> Option<MindSpec> {
    let name = r.maybe_text("from").unwrap_or("full");
    let start = named(r, "from", name, host)?;
    if let MindSpec::Reactive(spec) = start {
        return Some(reactive(r, spec, host));
    }
    let MindSpec::Organism(mut config) = start else {
        let is_change = |key: &&Key| !["name", "about", "from"].contains(&key.name);
        for key in MIND.keys.iter().filter(is_change).filter(|key| r.has(key.name)) {
            let right = "start from a condition that is an organism, such as `full`";
            r.fault(key.name, format!("`{name}` has no `{}`", key.name), right);
        }
        return built_in_condition_at(name, host.body, host.step);
    };
    switches(r, host, &mut config);
    parameters(r, &mut config.parameters);
    wiring(r, host.body, &mut config);
    if let Some(mean) = r.maybe_number("input_mean_at_birth") {
        config.input_mean_at_birth = mean;
    }
    Some(MindSpec::Organism(config))
}

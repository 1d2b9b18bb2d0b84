//! What can be changed about a living organism by the names of mind files.
//!
//! Terms: a *switch* is a key of a mind file that takes something away; a *parameter* is a declared
//! number, named `GROUP.NAME`.
//!
//! What it does not do: it changes no organism; it gives an ablation or a parameter set that one
//! can be given.

use tropism_body::BodySpec;
use tropism_core::parameter::{Parameter, ParameterSet};
use tropism_core::{OutOfBounds, TimeStep};
use tropism_organism::{Ablation, OrganismParameters, Reflexes};

use crate::error::suggest;
use crate::mind_file::{GROUPS, MIND, set_at};
use crate::schema::Kind;

/// Value of a switch.
#[derive(Clone, Debug, PartialEq)]
pub enum SwitchValue {
    /// On or off.
    Bool(bool),
    /// A number.
    Number(f64),
    /// One of several words.
    Word(String),
    /// Names of sensors.
    Words(Vec<String>),
}

/// A switch as it is declared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwitchInfo {
    /// Its key.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Words to choose from; empty for on/off, numbers and lists of sensors.
    pub choices: &'static [&'static str],
    /// It holds names of sensors.
    pub is_sensors: bool,
}

/// The word of reflexes in mind files.
const REFLEXES: [(&str, Reflexes); 4] = [
    ("learned", Reflexes::Learned),
    ("off", Reflexes::Off),
    ("frozen", Reflexes::Frozen),
    ("plastic", Reflexes::Plastic),
];

/// Every switch of an organism, in the order of the reference.
pub fn switches() -> Vec<SwitchInfo> {
    let declared = MIND.keys.iter().filter_map(|key| {
        let (choices, is_sensors): (&'static [&'static str], bool) = match key.kind {
            Kind::Choice(words) => (words, false),
            Kind::Switch => (&[], false),
            Kind::Words => (&[], true),
            Kind::Number(..) if key.name == "spatial_wipe_s" => (&[], false),
            _ => return None,
        };
        Some(SwitchInfo { name: key.name, about: key.about, choices, is_sensors })
    });
    declared.collect()
}

fn sensors_of(bits: u16, body: &BodySpec) -> Vec<String> {
    let sensors = body.sensors.iter().enumerate();
    let chosen = sensors.filter(|(i, _)| bits & (1 << (i & 15)) != 0);
    chosen.map(|(_, s)| s.name.to_string()).collect()
}

fn on_off<'a>(a: &'a mut Ablation, name: &str) -> Option<&'a mut bool> {
    Some(match name {
        "contingency_influence" => &mut a.has_contingency_influence,
        "contingency_frozen" => &mut a.is_contingency_frozen,
        "spatial_influence" => &mut a.has_spatial_influence,
        "battery_link" => &mut a.has_battery_link,
        "exploration" => &mut a.has_exploration,
        "drives" => &mut a.has_drives,
        "sensory_adaptation" => &mut a.has_sensory_adaptation,
        _ => return None,
    })
}

/// Value of a switch now; `None` for a name that is not in [`switches`].
pub fn switch_value(
    name: &str,
    ablation: &Ablation,
    body: &BodySpec,
    step: TimeStep,
) -> Option<SwitchValue> {
    let mut copy = *ablation;
    if let Some(is_on) = on_off(&mut copy, name) {
        return Some(SwitchValue::Bool(*is_on));
    }
    Some(match name {
        "reflexes" => {
            let word = REFLEXES.iter().find(|(_, r)| *r == ablation.reflexes)?.0;
            SwitchValue::Word(word.to_owned())
        }
        "spatial_wipe_s" => {
            let ticks = tropism_core::Tick(u64::from(ablation.spatial_wipe_ticks));
            SwitchValue::Number(step.seconds_at(ticks))
        }
        "hide" => SwitchValue::Words(sensors_of(ablation.hidden_sensors, body)),
        "randomise" => SwitchValue::Words(sensors_of(ablation.randomised_sensors, body)),
        _ => return None,
    })
}

fn bits_of(names: &[String], body: &BodySpec) -> Result<u16, String> {
    let mut bits = 0;
    for name in names {
        let Some(channel) = body.sensor(name) else {
            let known: Vec<&str> = body.sensors.iter().map(|s| s.name.as_str()).collect();
            let shown: String = name.chars().take(40).collect();
            return Err(format!("no sensor is named `{shown}`; {}", suggest(name, &known)));
        };
        bits |= 1 << (channel & 15);
    }
    Ok(bits)
}

/// The ablation with one switch turned.
///
/// # Errors
/// What is wrong and what would be right, for an unknown switch or a value it cannot have.
pub fn with_switch(
    (name, value): (&str, &SwitchValue),
    ablation: &Ablation,
    body: &BodySpec,
    step: TimeStep,
) -> Result<Ablation, String> {
    let mut a = *ablation;
    let wants = MIND.key(name).map(crate::schema::Key::wants).unwrap_or_default();
    let refuse = || Err(format!("`{name}` needs {wants}"));
    if let Some(slot) = on_off(&mut a, name) {
        let SwitchValue::Bool(is_on) = value else { return refuse() };
        *slot = *is_on;
        return Ok(a);
    }
    match (name, value) {
        ("reflexes", SwitchValue::Word(word)) => {
            let Some((_, reflexes)) = REFLEXES.iter().find(|(w, _)| w == word) else {
                return refuse();
            };
            a.reflexes = *reflexes;
        }
        ("spatial_wipe_s", SwitchValue::Number(s)) if (0.0..=1e6).contains(s) => {
            a.spatial_wipe_ticks = step.ticks_in(*s).min(u64::from(u32::MAX)) as u32;
        }
        ("hide", SwitchValue::Words(names)) => a.hidden_sensors = bits_of(names, body)?,
        ("randomise", SwitchValue::Words(names)) => a.randomised_sensors = bits_of(names, body)?,
        ("reflexes" | "spatial_wipe_s" | "hide" | "randomise", _) => return refuse(),
        _ => {
            let known: Vec<&str> = switches().iter().map(|s| s.name).collect();
            let shown: String = name.chars().take(40).collect();
            return Err(format!("no switch is named `{shown}`; {}", suggest(name, &known)));
        }
    }
    Ok(a)
}

/// Groups of organism parameters: name, meaning, declarations.
pub fn parameter_groups() -> &'static [(&'static str, &'static str, &'static [Parameter])] {
    &GROUPS
}

/// Value of a parameter by the indices of its group and of itself.
pub fn parameter_value(p: &OrganismParameters, group: usize, index: usize) -> Option<f32> {
    match group {
        0 => p.physiology.value_at(index),
        1 => p.drives.value_at(index),
        2 => p.contingency.value_at(index),
        3 => p.spatial.value_at(index),
        4 => p.reflex.value_at(index),
        5 => p.action.value_at(index),
        _ => None,
    }
}

/// The parameter set with one parameter, `GROUP.NAME`, changed.
///
/// # Errors
/// What is wrong and what would be right: an unknown name, a value out of bounds, or a lower end
/// that is not below its upper one.
pub fn with_parameter(
    parameters: &OrganismParameters,
    name: &str,
    value: f32,
) -> Result<OrganismParameters, String> {
    let names = || {
        let groups = GROUPS.iter();
        groups
            .flat_map(|(group, _, table)| table.iter().map(move |p| format!("{group}.{}", p.name)))
    };
    let found = name.split_once('.').and_then(|(group, name)| {
        let group = GROUPS.iter().position(|(g, ..)| *g == group)?;
        let index = GROUPS[group].2.iter().position(|p| p.name == name)?;
        Some((group, index))
    });
    let Some((group, index)) = found else {
        let known: Vec<String> = names().collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let shown: String = name.chars().take(60).collect();
        return Err(match crate::error::nearest(name, known.iter().copied()) {
            Some(near) => format!("no parameter is named `{shown}`; did you mean `{near}`?"),
            None => format!("no parameter is named `{shown}`; names read `GROUP.NAME`"),
        });
    };
    let mut changed = *parameters;
    set_at(&mut changed, group, index, value).map_err(|e: OutOfBounds| e.to_string())?;
    let d = &changed.drives;
    for (low, high, what) in [
        (d.energy_low, d.energy_high, "drives.energy_low must lie below drives.energy_high"),
        (d.fuzz_min, d.fuzz_max, "drives.fuzz_min must lie below drives.fuzz_max"),
    ] {
        if low >= high {
            return Err(format!("{what}: {low} and {high}"));
        }
    }
    Ok(changed)
}

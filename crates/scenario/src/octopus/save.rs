//! Saved files: version 2 with a `state`, from which a run goes on to the bit.
//!
//! The fields before `state` describe the scene for people and other programs; when a `state` is
//! there, it alone decides. Take it out to start from the scene.
//!
//! Numbers are written with as many digits as it takes to read back the same bits.

mod read;
mod write;

use tropism_octopus::snapshot::Snapshot;
use tropism_octopus::{Kind, LawKind, Octopus};

use super::build::build;
use super::field::{Field, FormatError};
use super::format::{LAW_NAMES, Scenario};
use super::json::{Json, array, boolean, integer, number, object, text};
use super::trace::point;

/// Writes a saved file.
pub fn save(octopus: &Octopus, name: &str) -> Json {
    let settings = octopus.settings();
    let mut entries = vec![
        ("version", integer(2)),
        ("name", text(name)),
        ("body", point(octopus.body())),
        ("law", text(LAW_NAMES[usize::from(settings.law == LawKind::Reach)])),
        ("arbitration", boolean(settings.arbitration)),
        ("critical_severity", number(settings.critical_severity)),
        ("allocation", boolean(settings.allocation)),
        ("hand_over", boolean(settings.hand_over)),
        (
            "separation",
            object(vec![
                ("arms", boolean(settings.separation.arms)),
                ("own", boolean(settings.separation.own)),
                ("body", boolean(settings.separation.body)),
                ("distance", number(settings.separation.distance)),
            ]),
        ),
    ];
    let objects = octopus.objects().all();
    let food = objects.iter().filter(|o| o.kind == Kind::Food).map(|o| {
        object(vec![
            ("id", text(&format!("food-{}", o.id.0))),
            ("position", point(o.position)),
            ("radius", number(o.radius)),
            ("reward", number(o.reward)),
        ])
    });
    entries.push(("food", array(food)));
    let obstacles = objects.iter().filter(|o| o.kind == Kind::Obstacle);
    entries.push((
        "obstacles",
        array(
            obstacles.map(|o| {
                object(vec![("position", point(o.position)), ("radius", number(o.radius))])
            }),
        ),
    ));
    let hazards = octopus.hazards().all().iter().map(|h| {
        let mut fields = vec![
            ("position", point(h.position)),
            ("radius", number(h.radius)),
            ("severity", number(h.severity)),
        ];
        if let Some(ticks) = h.ticks_left.filter(|ticks| *ticks > 0) {
            let seconds = octopus.time_step().seconds_at(tropism_core::Tick(ticks));
            fields.push(("seconds", number(seconds)));
        }
        object(fields)
    });
    entries.push(("hazards", array(hazards)));
    let arms = octopus.arms().iter().enumerate().map(|(i, arm)| write::plain_arm(i, arm));
    entries.push(("arms", array(arms)));
    entries.push(("state", write::state(&octopus.snapshot())));
    object(entries)
}

/// Makes the octopus of a file: from its state when it has one, from the scene otherwise.
///
/// `law` overrides the file's law for a scene; a saved run keeps its own.
///
/// # Errors
/// [`FormatError`] with line, field and reason.
pub fn open(scenario: &Scenario, law: Option<LawKind>) -> Result<Octopus, FormatError> {
    let Some(state) = &scenario.state else {
        return build(scenario, law);
    };
    let field = Field::root(state);
    let within = |mut error: FormatError| {
        let dot = if error.field.is_empty() { "" } else { "." };
        error.field = format!("state{dot}{}", error.field);
        error
    };
    let snapshot: Snapshot = read::state(&field, scenario).map_err(within)?;
    Octopus::from_snapshot(&snapshot).map_err(|error| within(field.error(error.to_string())))
}

//! Scenario files: a world, robots in it, and their minds.

use tropism_body::{SafetyAction, SafetyParameters};
use tropism_core::parameter::ParameterSet;
use tropism_core::{Name, Seed};
use tropism_world::{RobotSpec, World, WorldSpec};

use crate::conditions::MindSpec;
use crate::document::Scenario;
use crate::event_file::{self, EVENT};
use crate::mind_file::{self, Host, MIND};
use crate::reader::Reader;
use crate::schema::{Key, Kind, Table};
use crate::source::{self, Format, Source};
use crate::world_file::{self, BODY_FORMAT, FORMAT as WORLD_FORMAT, START, WorldDraft};
use crate::{body_file, built_in};

/// Longest life that can be asked for, s: one year.
pub(crate) const CAP_MAX_S: f32 = 31_557_600.0;
/// Most lives in a row.
pub(crate) const LIVES_MAX: u64 = 100_000;

const CRITICAL: &tropism_core::Parameter = &SafetyParameters::TABLE[0];

static SAFETY: Table = Table {
    name: "safety",
    about: "Limits of the safety monitor.",
    keys: &[
        Key::choice(
            "action",
            &["write", "force"],
            "write",
            "How channels are put to rest: within their rate limit, or at once.",
        ),
        Key::number(
            CRITICAL.name,
            CRITICAL.unit,
            (CRITICAL.min, CRITICAL.max),
            "Share of the energy channel below which all actuators are put to rest.",
        )
        .or(CRITICAL.default),
    ],
};

static ROBOT: Table = Table {
    name: "robot with a mind",
    about: "A robot of the scenario.",
    keys: &[
        Key::must("name", Kind::Name, "Its name."),
        Key::must("body", Kind::Source(&body_file::BODY), "Its body."),
        Key::may(
            "start",
            Kind::Union(&START),
            "Where its lives begin; left out, as the world says.",
        ),
        Key::may("mind", Kind::Named(&MIND), "Its mind; left out, that of the scenario."),
    ],
};

/// A scenario file, or a scenario inside an experiment.
pub(crate) static SCENARIO: Table = Table {
    name: "scenario",
    about: "A world, robots and minds.",
    keys: &[
        Key::may("kind", Kind::Choice(&["scenario"]), "What the file is; needed in its own file."),
        Key::may("name", Kind::Text, "Its name; left out, that of its world."),
        Key::may("about", Kind::Text, "What it is, in one sentence."),
        Key::must("world", Kind::Source(&world_file::WORLD), "The world."),
        Key::may("body", Kind::Source(&body_file::BODY), "Body of the only robot."),
        Key::may("start", Kind::Union(&START), "Where lives begin; left out, as the world says."),
        Key::may("mind", Kind::Named(&MIND), "The mind of robots without one; left out, full."),
        Key::may("robot", Kind::Tables(&ROBOT), "Robots; they replace those of the world."),
        Key::may("event", Kind::Unions(&EVENT), "Timed events besides those of the world."),
        Key::may("seed", Kind::Whole(0, u64::MAX), "Root seed; left out, the command gives it."),
        Key::number("life_cap_s", "s", (0.001, CAP_MAX_S), "Longest life.").or(10_800.0),
        Key::whole("lives", (1, LIVES_MAX), "Lives in a row.").or_whole(1),
        Key::may("safety", Kind::Table(&SAFETY), "Limits of the safety monitor."),
        Key::may(
            source::FILES,
            Kind::Files,
            "Files it brings along: a name given here is looked up here before any folder.",
        ),
    ],
};

/// How scenario files are read.
pub(crate) const FORMAT: Format<Scenario> =
    Format { kind: "scenario", schema: &SCENARIO, built_in: &[], read };

fn safety(r: &Reader<'_>) -> (SafetyParameters, SafetyAction) {
    let mut parameters = SafetyParameters::default();
    let Some(table) = r.table("safety") else {
        return (parameters, SafetyAction::default());
    };
    // A value out of bounds was reported when the table was validated.
    let _ = parameters.set_at(0, table.number(CRITICAL.name));
    let action = match table.text("action") {
        "force" => SafetyAction::Force,
        _ => SafetyAction::Write,
    };
    (parameters, action)
}

/// Robots in order of preference: those listed, the one with the given body, those of the world,
/// one with the reference body.
fn robots(r: &Reader<'_>, draft: &WorldDraft) -> Vec<RobotSpec> {
    let own_start = r.table("start").as_ref().and_then(world_file::start);
    let start = own_start.unwrap_or(draft.start);
    if r.has("robot") && r.has("body") {
        let right = "give the body inside each [[robot]]";
        r.fault("body", "`body` beside a list of robots", right);
    }
    if r.has("robot") {
        let readers = r.tables("robot");
        world_file::check_robot_names(&readers);
        let robot = |r: &Reader<'_>| {
            let plan = BODY_FORMAT.resolve(r, "body")?;
            let own = r.table("start").as_ref().and_then(world_file::start);
            Some(RobotSpec { name: r.name("name"), plan, start: own.unwrap_or(start) })
        };
        return readers.iter().filter_map(robot).collect();
    }
    let alone = |plan| RobotSpec { name: Name::literal("robot"), plan, start };
    if r.has("body") {
        return BODY_FORMAT.resolve(r, "body").map(alone).into_iter().collect();
    }
    if draft.spec.robots.is_empty() {
        let plan = BODY_FORMAT.built_in(built_in::DEFAULT_BODY).and_then(Result::ok);
        return plan.map(alone).into_iter().collect();
    }
    let mut robots = draft.spec.robots.clone();
    if let Some(start) = own_start {
        for robot in &mut robots {
            robot.start = start;
        }
    }
    robots
}

fn mind(r: &Reader<'_>, host: Host<'_>) -> Option<MindSpec> {
    if let Some(table) = r.table("mind") {
        return mind_file::read(&table, host);
    }
    mind_file::named(r, "mind", r.maybe_text("mind").unwrap_or("full"), host)
}

fn minds(r: &Reader<'_>, world: &WorldSpec) -> Vec<MindSpec> {
    let own = r.tables("robot");
    let host = |i: usize| Host { body: &world.robots[i].plan.body, step: world.step };
    let of_robot = |i: usize| match own.get(i).filter(|robot| robot.has("mind")) {
        Some(robot) => mind(robot, host(i)),
        None => mind(r, host(i)),
    };
    (0..world.robots.len()).filter_map(of_robot).collect()
}

/// Lowers a scenario table.
pub(crate) fn read(r: &Reader<'_>) -> Option<Scenario> {
    let safety = safety(r);
    let draft = WORLD_FORMAT.resolve(r, "world");
    let draft = draft?;
    let robots = robots(r, &draft);
    let mut world = draft.spec;
    world.robots = robots;
    if world.robots.is_empty() {
        // Their faults were reported.
        return None;
    }
    let events = event_file::read_all(r, &world, Some(world.robots.len()));
    world.events.extend(events);
    let minds = minds(r, &world);
    check_world(r, &world);
    Some(Scenario {
        name: r.maybe_text("name").map_or_else(|| world.name.to_string(), str::to_owned),
        about: r.text("about").to_owned(),
        source: Source { path: r.doc.label.to_owned(), text: r.doc.text.to_owned() },
        included: r.doc.origin.included(),
        step: world.step,
        physics_step_asked: draft.physics_asked,
        minds,
        seed: r.maybe_whole("seed"),
        life_cap_s: r.seconds("life_cap_s"),
        lives: r.whole("lives") as u32,
        safety,
        world,
    })
}

/// Builds the world once, so that whatever no key could tell is told at the world's place.
fn check_world(r: &Reader<'_>, world: &WorldSpec) {
    if !r.doc.faults.is_empty() {
        return;
    }
    if let Err(refused) = World::new(world, Seed(r.maybe_whole("seed").unwrap_or(0))) {
        r.fault("world", refused.to_string(), "");
    }
}

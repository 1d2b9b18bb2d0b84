//! Writing worlds and scenarios as the files they would be read from.
//!
//! Terms: a *row* is a table on one line, as it stands in a list.
//!
//! What it does not do: comments, includes and the boxes that polygons came from are gone; every
//! key that matters is written out, whether it has its default or not.

mod body;
mod mind;
mod toml;

use tropism_core::TimeStep;
use tropism_world::battery::PowerModel;
use tropism_world::field::{Falloff, FieldKind, FieldSpec};
use tropism_world::light::LightSpec;
use tropism_world::station::{Cue, StationSpec};
use tropism_world::{Action, Material, Room, Start, TimedEvent, WorldSpec};

use crate::document::Scenario;
use crate::writer::toml::{Row, list, number, pair, pairs, text};

fn material(m: Material) -> String {
    let word = if m == Material::SOFT {
        "soft"
    } else if m == Material::DARK {
        "dark"
    } else {
        "hard"
    };
    text(word)
}

fn step(step: TimeStep) -> String {
    text(&format!("{}/{}", step.numerator(), step.denominator()))
}

fn room(room: &Room) -> String {
    Row::default()
        .with("min_m", pair(room.min))
        .with("max_m", pair(room.max))
        .with("material", material(room.border))
        .with("is_visible", room.is_border_visible)
        .done()
}

fn shapes(out: &mut String, room: &Room) {
    list(out, "wall", &room.segments, |s| {
        let row = Row::default().with("from_m", pair(s.from)).with("to_m", pair(s.to));
        row.with("material", material(s.material)).done()
    });
    list(out, "polygon", &room.polygons, |p| {
        let row = Row::default().with("corners_m", pairs(&p.corners));
        row.with("material", material(p.material)).done()
    });
    list(out, "disc", &room.discs, |d| {
        let row = Row::default().with("center_m", pair(d.center));
        row.with("radius_m", number(d.radius_m)).with("material", material(d.material)).done()
    });
}

fn cue(cue: &Cue) -> String {
    Row::default()
        .with("half_period_s", number(cue.led.half_period_s))
        .with("high", number(cue.led.high))
        .with("low", number(cue.led.low))
        .with("click_every_s", number(cue.click_every_s))
        .done()
}

fn station(s: &StationSpec) -> String {
    let mut row = Row::default()
        .with("contact_m", pair(s.contact))
        .with("facing_rad", number(s.facing_rad))
        .with("has_funnel", s.funnel.is_some());
    if let Some(f) = &s.funnel {
        let funnel = Row::default()
            .with("throat_m", number(f.throat_m))
            .with("reach_m", number(f.reach_m))
            .with("behind_m", number(f.behind_m))
            .with("outer_m", number(f.outer_m));
        row = row.with("funnel", funnel.done());
    }
    for (key, value) in [
        ("contact_radius_m", s.contact_radius_m),
        ("charge_current_a", s.charge_current_a),
        ("taper_from", s.taper_from),
        ("supply_a", s.supply_a),
        ("full_from", s.full_from),
        ("full_current_a", s.full_current_a),
        ("resume_below", s.resume_below),
        ("led", s.led),
        ("led_softening_m2", s.led_softening_m2),
        ("click_level", s.click_level),
        ("click_half_m", s.click_half_m),
    ] {
        row = row.with(key, number(value));
    }
    let [idle, charging, full] = &s.cues;
    let radio = Row::default()
        .with("power_dbm", number(s.radio.power_dbm))
        .with("slope_db", number(s.radio.slope_db))
        .with("shadow_db", number(s.radio.shadow_db));
    row.with("idle", cue(idle))
        .with("charging", cue(charging))
        .with("full", cue(full))
        .with("radio", radio.done())
        .with("is_on", s.is_on)
        .done()
}

fn light(light: &LightSpec) -> String {
    match *light {
        LightSpec::Window { direction_rad, offset_m, intensity, softening_m2 } => {
            Row::of_type("window")
                .with("direction_rad", number(direction_rad))
                .with("offset_m", number(offset_m))
                .with("intensity", number(intensity))
                .with("softening_m2", number(softening_m2))
        }
        LightSpec::Lamp { at, intensity, softening_m2 } => Row::of_type("lamp")
            .with("at_m", pair(at))
            .with("intensity", number(intensity))
            .with("softening_m2", number(softening_m2)),
        LightSpec::Ambient { level } => Row::of_type("ambient").with("level", number(level)),
    }
    .done()
}

fn field_kind(kind: FieldKind) -> String {
    text(match kind {
        FieldKind::Warmth => "warmth",
        FieldKind::Gas => "gas",
    })
}

fn field(f: &FieldSpec) -> String {
    let mut row = Row::default().with("of", field_kind(f.kind)).with("at_m", pair(f.at));
    if let Some(station) = f.station {
        row = row.with("station", station);
    }
    let falloff = match f.falloff {
        Falloff::Gaussian => "gaussian",
        Falloff::InverseSquare => "inverse_square",
    };
    row.with("strength", number(f.strength))
        .with("spread_m", number(f.spread_m))
        .with("falloff", text(falloff))
        .done()
}

fn event(e: &TimedEvent) -> String {
    let of_robot = |row: Row, robot: Option<u16>| match robot {
        Some(robot) => row.with("robot", robot),
        None => row,
    };
    let row = match e.action {
        Action::Shove { robot, by, turn_rad } => of_robot(Row::of_type("shove"), robot)
            .with("by_m", pair(by))
            .with("turn_rad", number(turn_rad)),
        Action::Light { light, is_on } => {
            let row = Row::of_type("light");
            let row = if let Some(light) = light { row.with("light", light) } else { row };
            row.with("is_on", is_on)
        }
        Action::Station { station, is_on } => {
            Row::of_type("station").with("station", station).with("is_on", is_on)
        }
        Action::MoveStation { station, to, facing_rad } => Row::of_type("move_station")
            .with("station", station)
            .with("to_m", pair(to))
            .with("facing_rad", number(facing_rad)),
        Action::Field { field, is_on } => {
            Row::of_type("field").with("field", field).with("is_on", is_on)
        }
        Action::Battery { robot, by } => {
            of_robot(Row::of_type("battery"), robot).with("by", number(by))
        }
    };
    row.with("at_s", format!("{:?}", e.at_s)).with("every_s", format!("{:?}", e.every_s)).done()
}

fn start(start: &Start) -> String {
    match *start {
        Start::Pose { at, heading_rad, soc } => Row::of_type("pose")
            .with("at_m", pair(at))
            .with("heading_rad", number(heading_rad))
            .with("charge", number(soc)),
        Start::Region { min, max, soc } => Row::of_type("region")
            .with("min_m", pair(min))
            .with("max_m", pair(max))
            .with("charge", number(soc)),
    }
    .done()
}

/// Everything of a world but its name and its robots.
fn keys(out: &mut String, spec: &WorldSpec) {
    let power = match spec.power {
        PowerModel::Reference => "reference",
        PowerModel::Fed => "fed",
    };
    for (key, value) in [
        ("step", step(spec.step)),
        ("physics_step", step(spec.physics_step)),
        ("power", text(power)),
        ("has_noise", spec.has_noise.to_string()),
        ("room", room(&spec.room)),
        ("beacons_m", pairs(&spec.beacons)),
    ] {
        toml::line(out, key, &value);
    }
    shapes(out, &spec.room);
    list(out, "station", &spec.stations, station);
    list(out, "light", &spec.lights, light);
    list(out, "field", &spec.fields, field);
    list(out, "tape", &spec.tapes, |tape| {
        let row = Row::default().with("points_m", pairs(&tape.points));
        row.with("width_m", number(tape.width_m)).done()
    });
    list(out, "event", &spec.events, event);
}

/// A world with its robots as a world file.
///
/// Reading it gives an equal specification, for every specification that a file can hold: numbers
/// within the bounds of the keys, the three named materials.
pub fn write_world(spec: &WorldSpec) -> String {
    let mut out = String::from("kind = \"world\"\n");
    toml::line(&mut out, "name", &text(spec.name.as_str()));
    keys(&mut out, spec);
    list(&mut out, "robot", &spec.robots, |robot| {
        Row::default()
            .with("name", text(robot.name.as_str()))
            .with("body", body::body(&robot.plan))
            .with("start", start(&robot.start))
            .done()
    });
    out
}

/// A scenario as one file: its world, its robots and their minds inside, and state machines and
/// scripts under `files`, so that nothing has to stand beside it.
pub fn write_scenario(scenario: &Scenario) -> String {
    let world = &scenario.world;
    let mut out = String::from("kind = \"scenario\"\n");
    toml::line(&mut out, "name", &text(&scenario.name));
    if !scenario.about.is_empty() {
        toml::line(&mut out, "about", &text(&scenario.about));
    }
    if let Some(seed) = scenario.seed {
        toml::line(&mut out, "seed", &seed.to_string());
    }
    toml::line(&mut out, "life_cap_s", &format!("{:?}", scenario.life_cap_s));
    toml::line(&mut out, "lives", &scenario.lives.to_string());
    let (parameters, action) = scenario.safety;
    toml::line(&mut out, "safety", &mind::safety(parameters, action));
    out.push_str("\n[world]\n");
    toml::line(&mut out, "name", &text(world.name.as_str()));
    keys(&mut out, world);
    let mut programs = mind::Programs::default();
    for (i, robot) in world.robots.iter().enumerate() {
        out.push_str("\n[[robot]]\n");
        toml::line(&mut out, "name", &text(robot.name.as_str()));
        toml::line(&mut out, "body", &body::body(&robot.plan));
        toml::line(&mut out, "start", &start(&robot.start));
        if let Some(spec) = scenario.minds.get(i).or_else(|| scenario.minds.last()) {
            let mind = mind::mind(spec, &robot.plan.body, world.step, &mut programs);
            toml::line(&mut out, "mind", &mind);
        }
    }
    programs.write(&mut out);
    out
}

//! What of the octopus does not change from tick to tick.

use tropism_octopus::constants::BODY_RADIUS;
use tropism_octopus::{Kind, LawKind, Octopus, Point as Place};
use tropism_scenario::octopus::format::{LAW_NAMES, Scenario};
use tropism_wire::session::{
    ArmStage, OctopusStage, Point, SensorCount, Stage, StageKind, Switch, SwitchStage,
};

/// The world of the public explorer around a body at (400, 460), px.
const WORLD: [Point; 2] = [[20.0, 90.0], [780.0, 760.0]];
/// Where the body stands in it.
const WORLD_BODY: Point = [400.0, 460.0];
/// Room kept around things that lie outside it, px.
const MARGIN: f64 = 20.0;

pub(super) const fn point(place: Place) -> Point {
    [place.x, place.y]
}

/// Fills in the stage.
pub(super) fn describe(scenario: &Scenario, octopus: &Octopus, stage: &mut Stage) {
    stage.kind = StageKind::Octopus;
    stage.name.clone_from(&scenario.name);
    let count = |kind| octopus.objects().all().iter().filter(|o| o.kind == kind).count();
    stage.about = format!(
        "An octopus of eight arms, {} food, {} obstacles.",
        count(Kind::Food),
        count(Kind::Obstacle)
    );
    stage.octopus = Some(OctopusStage {
        bounds: bounds(octopus),
        body: point(octopus.body()),
        body_radius: BODY_RADIUS,
        arms: octopus.arms().iter().enumerate().map(|(i, arm)| arm_stage(i, arm.arm())).collect(),
        laws: LAW_NAMES.map(str::to_owned).to_vec(),
        law: law_name(octopus.settings().law).to_owned(),
        switches: switches(octopus),
    });
}

pub(super) const fn law_name(law: LawKind) -> &'static str {
    match law {
        LawKind::Reference => LAW_NAMES[0],
        LawKind::Reach => LAW_NAMES[1],
    }
}

fn arm_stage(index: usize, arm: &tropism_octopus::Arm) -> ArmStage {
    let parameters = arm.parameters();
    let segments = parameters.segment_count() as u32;
    ArmStage {
        number: index as u32 + 1,
        base: point(arm.base()),
        segments,
        length: parameters.segment_length(),
        bend_rad: parameters.maximum_bend(),
        speed_rad_s: parameters.turning_speed(),
        sensors: vec![SensorCount { kind: "contact".into(), count: segments }],
    }
}

/// The explorer's world, moved with the body and widened to hold every object.
fn bounds(octopus: &Octopus) -> [Point; 2] {
    let body = octopus.body();
    let shift = [body.x - WORLD_BODY[0], body.y - WORLD_BODY[1]];
    let mut bounds = WORLD.map(|corner| [corner[0] + shift[0], corner[1] + shift[1]]);
    for object in octopus.objects().all() {
        let (at, reach) = (point(object.position), object.radius + MARGIN);
        for axis in 0..2 {
            bounds[0][axis] = bounds[0][axis].min(at[axis] - reach);
            bounds[1][axis] = bounds[1][axis].max(at[axis] + reach);
        }
    }
    bounds
}

/// Names of the separations.
pub(super) const SEPARATIONS: [&str; 3] = ["arms", "own", "body"];

fn switches(octopus: &Octopus) -> Vec<SwitchStage> {
    let settings = octopus.settings();
    let separation = settings.separation;
    let flag = |name: &str, about: &str, value| SwitchStage {
        name: name.to_owned(),
        about: about.to_owned(),
        value: Switch::Bool(value),
        choices: Vec::new(),
    };
    let number = |name: &str, about: &str, value| SwitchStage {
        value: Switch::Number(value),
        ..flag(name, about, false)
    };
    let kept = [separation.arms, separation.own, separation.body];
    let kept = SEPARATIONS.iter().zip(kept).filter(|(_, is_kept)| *is_kept);
    vec![
        flag(
            "arbitration",
            "Settles conflicts between arms and heeds hazards before the arms move.",
            settings.arbitration,
        ),
        number(
            "critical_severity",
            "Severity, 0 to 1, at and above which a hazard makes every arm withdraw.",
            settings.critical_severity,
        ),
        flag("allocation", "Sends idle arms to free food by its worth.", settings.allocation),
        flag("hand_over", "Food may pass from arm to arm.", settings.hand_over),
        SwitchStage {
            name: "separation".to_owned(),
            about: "What arms keep away from: each other, themselves, the body.".to_owned(),
            value: Switch::Words(kept.map(|(name, _)| (*name).to_owned()).collect()),
            choices: SEPARATIONS.map(str::to_owned).to_vec(),
        },
        number(
            "separation_distance",
            "Least distance between segments that are kept apart, px, above 0.",
            separation.distance,
        ),
    ]
}

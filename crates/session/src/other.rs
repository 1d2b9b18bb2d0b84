//! Texts that are no worlds of robots: octopus scenes and behaviour networks.
//!
//! What it does not do: it reads no scenario, and takes no part in what a recording is.

use tropism_wire::session::{Fault, Listed, StageKind};

use crate::dynamics::{self, is_network};
use crate::load::Wish;
use crate::octopus::{self, is_octopus};
use crate::table::{Table, fault};

/// Something that is part of the program.
struct BuiltIn {
    name: &'static str,
    file: &'static str,
    kind: StageKind,
    about: &'static str,
    text: &'static str,
    scene: Option<&'static str>,
}

macro_rules! octopus {
    ($name:literal, $file:literal, $about:literal) => {
        BuiltIn {
            name: $name,
            file: concat!($file, ".json"),
            kind: StageKind::Octopus,
            about: $about,
            text: include_str!(concat!("../../../scenarios/octopus/", $file, ".json")),
            scene: None,
        }
    };
}

macro_rules! network {
    ($file:literal, $scene:expr, $about:literal) => {
        BuiltIn {
            name: concat!("network-", $file),
            file: concat!($file, ".toml"),
            kind: StageKind::Dynamics,
            about: $about,
            text: include_str!(concat!("../../../scenarios/dynamics/", $file, ".toml")),
            scene: Some($scene),
        }
    };
}

const BUILT_INS: [BuiltIn; 14] = [
    octopus!("octopus-demonstration", "demonstration", "Eight arms, eight places, one obstacle."),
    octopus!(
        "octopus-showcase",
        "showcase",
        "One arm reaches, one goes around an obstacle, one fetches food, one reaches too far."
    ),
    octopus!("octopus-two-targets", "two-targets", "Three arms of two shapes and two places."),
    octopus!("octopus-detour", "detour", "Food behind obstacles."),
    octopus!("octopus-quarrel", "quarrel", "Two arms, one food, and a hazard that bites."),
    network!("figure2", "field", "Drives to a point and rests there; goes home on low energy."),
    network!("taxis", "field", "Turns towards a seen target, drives to it, rests."),
    network!("homing", "field", "Works at one place, charges at another."),
    network!("course", "course:1", "Reaches a goal among obstacles and commits to a side."),
    network!("wall", "room", "Keeps a wall on the right."),
    network!("ball", "ball", "Gets behind a ball and dribbles it."),
    network!("goalkeeper", "ball", "Reads a shot and blocks it."),
    network!("rest", "field", "A switch with hysteresis; give its reading by hand."),
    network!("light", "field", "Seeks light; give its readings by hand."),
];

/// What of the program's own can be loaded besides worlds of robots.
pub(crate) fn listing() -> impl Iterator<Item = Listed> {
    BUILT_INS.iter().map(|entry| Listed {
        name: entry.name.to_owned(),
        kind: entry.kind,
        about: entry.about.to_owned(),
    })
}

/// The built-in scene or network of this name; `None` when there is none.
pub(crate) fn load_built_in(name: &str, wish: Wish<'_>) -> Option<Loaded> {
    let entry = BUILT_INS.iter().find(|entry| entry.name == name)?;
    let scene = wish.scene.or(entry.scene);
    load_other(entry.file, entry.text, Wish { scene, ..wish })
}

/// A table, or why there is none.
pub(crate) type Loaded = Result<Box<dyn Table>, Fault>;

/// The table of a text that is an octopus scene or a behaviour network; `None` when it is neither.
pub(crate) fn load_other(name: &str, text: &str, wish: Wish<'_>) -> Option<Loaded> {
    let is_octopus = is_octopus(name, text);
    if !is_octopus && !is_network(text) {
        return None;
    }
    if let Some(condition) = wish.condition {
        let what = format!("{name}: only a robot's mind has a condition, such as {condition}");
        return Some(Err(fault(what)));
    }
    Some(match (is_octopus, wish.scene) {
        (true, Some(scene)) => {
            Err(fault(format!("{name}: only a behaviour network drives in a scene like {scene}")))
        }
        (true, None) => octopus::load(name, text).map(|table| Box::new(table) as Box<dyn Table>),
        (false, scene) => {
            dynamics::load(name, text, scene).map(|table| Box::new(table) as Box<dyn Table>)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_every_built_in_loads_and_runs() {
        for listed in listing() {
            let mut table = load_built_in(&listed.name, Wish::default()).unwrap().unwrap();
            (0..200).for_each(|_| table.tick());
            let mut stage = crate::tests::empty_stage();
            table.describe(&mut stage);
            assert_eq!(stage.kind, listed.kind, "{}", listed.name);
        }
        assert!(load_built_in("standard", Wish::default()).is_none());
    }

    #[test]
    fn unit_a_text_is_told_by_what_is_in_it() {
        let is = |name: &str, text: &str| load_other(name, text, Wish::default()).is_some();
        assert!(is("a.json", "{\"version\": 1}") && is("a.txt", " {\"version\": 2}"));
        assert!(is("a.json", "{\"version\": 1,") && is("a.json", "{\"arms\": []}"));
        assert!(is("a.toml", "# a network\n [network]\nname = 3\n"));
        assert!(!is("a.toml", "kind = \"scenario\"\n") && !is("a.txt", "{\"version\": 1,"));
        assert!(!is("a.json", "{\"format\": \"recording\", \"version\": 1}") && !is("a", ""));
    }

    #[test]
    fn unit_a_wish_that_cannot_be_met_is_named() {
        let condition = Wish { condition: Some("full"), ..Wish::default() };
        let scene = Wish { scene: Some("field"), ..Wish::default() };
        let fault = |name, wish| load_built_in(name, wish).unwrap().unwrap_err().what;
        assert!(fault("network-wall", condition).contains("condition"));
        assert!(fault("octopus-detour", scene).contains("scene"));
    }
}

//! Scenes shared by the tests of this crate.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "each test binary uses its own part"
)]

use tropism_core::{Draws, Purpose, Seed, Tick, TimeStep};
use tropism_octopus::{ArmParameters, Kind, LawKind, ObjectId, Octopus, Point, Settings};

pub const BODY: Point = Point::new(400.0, 460.0);

pub fn p(x: f64, y: f64) -> Point {
    Point::new(x, y)
}

pub fn step() -> TimeStep {
    TimeStep::new(1, 120).unwrap()
}

pub fn octopus(settings: Settings) -> Octopus {
    Octopus::new(BODY, step(), &[ArmParameters::default(); 8], settings).unwrap()
}

pub fn reference() -> Octopus {
    octopus(Settings::reference())
}

pub fn reach() -> Octopus {
    octopus(Settings::default())
}

pub fn food(octopus: &mut Octopus, at: Point) -> ObjectId {
    octopus.add_object(Kind::Food, at, 10.0, 1.0).unwrap()
}

pub fn obstacle(octopus: &mut Octopus, at: Point, radius: f64) -> ObjectId {
    octopus.add_object(Kind::Obstacle, at, radius, 1.0).unwrap()
}

/// Steps until something holds; the number of steps, or none within the limit.
pub fn until(
    octopus: &mut Octopus,
    limit: u32,
    mut holds: impl FnMut(&Octopus) -> bool,
) -> Option<u32> {
    for n in 0..=limit {
        if holds(octopus) {
            return Some(n);
        }
        octopus.step();
    }
    None
}

pub fn draws(purpose: &str, index: u32) -> Draws {
    Seed(11).stream(Purpose::named(purpose), 0, index).at(Tick(0))
}

pub fn between(draws: &mut Draws, low: f64, high: f64) -> f64 {
    low + (high - low) * f64::from(draws.uniform())
}

/// A random scene: objects and assignments from one seed.
pub fn random_scene(index: u32, law: LawKind, reversed: bool) -> (Octopus, Vec<ObjectId>) {
    let mut draws = draws("test.scene", index);
    let settings = match law {
        LawKind::Reference => Settings::reference(),
        LawKind::Reach => Settings::default(),
    };
    let mut octopus = octopus(settings);
    let mut objects = Vec::new();
    for i in 0..9 {
        let angle = between(&mut draws, -3.1, 3.1);
        let away = between(&mut draws, 70.0, 270.0);
        let radius = between(&mut draws, 6.0, 16.0);
        let kind = if i < 5 { Kind::Food } else { Kind::Obstacle };
        objects.push((kind, BODY + Point::unit(angle) * away, radius));
    }
    let order: Vec<usize> = if reversed { (0..9).rev().collect() } else { (0..9).collect() };
    let mut ids = vec![ObjectId(0); 9];
    for index in order {
        let (kind, at, radius) = objects[index];
        ids[index] = octopus.add_object(kind, at, radius, 1.0).unwrap();
    }
    for arm in 0..8 {
        let base = octopus.arms()[arm].arm().base();
        let angle = between(&mut draws, -3.1, 3.1);
        let away = between(&mut draws, 40.0, 230.0);
        match draws.below(4) {
            0 => {
                let id = ids[draws.below(5) as usize];
                octopus.assign_food(arm, id, tropism_octopus::WhenTaken::Wait).unwrap();
            }
            1 => {}
            _ => octopus.assign_reach(arm, base + Point::unit(angle) * away).unwrap(),
        }
    }
    octopus.refresh_sensing();
    (octopus, ids)
}

//! The world as it stands, as a scenario file.

use tropism_scenario::{SIZE_MAX, Scenario, write_scenario};
use tropism_wire::session::{Fault, Outcome};
use tropism_world::{Action, Start, TimedEvent, Vec2, WorldSpec};

use crate::robots::Robots;
use crate::table::{Applied, fault};

impl Robots {
    /// The specification that starts as the world stands now: robots where they are with their
    /// charge, stations where they are and on or off, timed events as far as they lie ahead.
    fn standing(&self) -> WorldSpec {
        let (mut spec, world) = (self.spec.clone(), self.run.world());
        for (i, robot) in spec.robots.iter_mut().enumerate() {
            let truth = world.truth(i);
            let at = Vec2::new(truth.x_m, truth.y_m);
            robot.start = Start::Pose { at, heading_rad: truth.heading_rad, soc: truth.soc };
        }
        for (i, station) in spec.stations.iter_mut().enumerate() {
            if let Some((contact, is_on)) = world.station_place(i) {
                (station.contact, station.is_on) = (contact, is_on);
            }
            station.facing_rad = world.station_facing(i).unwrap_or(station.facing_rad);
        }
        let now_s = self.loaded.step.seconds_at(self.run.now());
        spec.events.retain_mut(|event| {
            if event.at_s < now_s {
                if event.every_s <= 0.0 {
                    return false;
                }
                let missed = ((now_s - event.at_s) / event.every_s).ceil();
                event.at_s += missed * event.every_s;
            }
            event.at_s = (event.at_s - now_s).max(0.0);
            true
        });
        let (lights, fields) = world.switched_on();
        let off = |action| TimedEvent { at_s: 0.0, every_s: 0.0, action };
        for i in (0..spec.lights.len() as u8).filter(|i| lights & (1 << i) == 0) {
            spec.events.push(off(Action::Light { light: Some(i), is_on: false }));
        }
        for i in (0..spec.fields.len() as u8).filter(|i| fields & (1 << i) == 0) {
            spec.events.push(off(Action::Field { field: i, is_on: false }));
        }
        spec
    }

    pub(crate) fn save(&self) -> Result<Applied, Fault> {
        let scenario = Scenario {
            world: self.standing(),
            minds: self.minds.clone(),
            seed: Some(self.seed),
            ..(*self.loaded).clone()
        };
        let name = format!("{}.toml", slug(&self.loaded.name));
        let text = write_scenario(&scenario);
        if text.len() as u64 > SIZE_MAX {
            let what = "the world with its programs has";
            return Err(fault(format!(
                "{what} {} bytes; a file has at most {SIZE_MAX}",
                text.len()
            )));
        }
        Ok(Applied { outcome: Outcome::Document { name, text }, is_other_stage: false })
    }
}

/// A name as part of a file name.
pub(crate) fn slug(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().take(60) {
        if c.is_ascii_alphanumeric() || c == '_' {
            out.push(c.to_ascii_lowercase());
        } else if !out.ends_with('-') && !out.is_empty() {
            out.push('-');
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() { "world".to_owned() } else { out.to_owned() }
}

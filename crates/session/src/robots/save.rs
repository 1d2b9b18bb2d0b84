//! The world as it stands, as a scenario file.

use tropism_scenario::{Scenario, write_scenario};
use tropism_wire::session::{Fault, Outcome, REQUEST_BYTES_MAX};
use tropism_world::{Action, Start, TimedEvent, Vec2, WorldSpec};

use crate::robots::Robots;
use crate::table::{Applied, fault};

/// Longest saved text, as it is written in the request that loads it: the rest is for what
/// stands around it there.
const SAVED_BYTES_MAX: usize = REQUEST_BYTES_MAX - 4096;

/// Checks that a text can be loaded again, by its length as a JSON string.
fn check_length(text: &str) -> Result<(), Fault> {
    let bytes = serde_json::to_string(text).map_or(usize::MAX, |json| json.len());
    if bytes > SAVED_BYTES_MAX {
        let what = "the world with its programs has";
        return Err(fault(format!(
            "{what} {bytes} bytes as JSON; to be loaded again it may have {SAVED_BYTES_MAX}"
        )));
    }
    Ok(())
}

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
        check_length(&text)?;
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

#[cfg(test)]
mod tests {
    use tropism_wire::session::{Command, Request, Source, TextFile};

    use super::*;
    use crate::Session;

    #[test]
    fn edge_what_may_be_saved_can_be_loaded() {
        let start = "kind = 'scenario'\nname = 'a'\nworld = 'standard'\nmind = 'full'\n";
        let text = |lines: usize| format!("{start}{}", "\n".repeat(lines));
        let (mut least, mut most) = (0, REQUEST_BYTES_MAX);
        while most - least > 1 {
            let middle = usize::midpoint(least, most);
            if check_length(&text(middle)).is_ok() { least = middle } else { most = middle }
        }
        assert!(text(most).len() < REQUEST_BYTES_MAX / 2 + start.len(), "escapes count");
        let file = TextFile { name: format!("{}.toml", "n".repeat(60)), text: text(least) };
        let source = Source::Text { file, files: Vec::new() };
        let (condition, scene) = (Some("full".to_owned()), None);
        let command = Command::Load { source, seed: Some(u64::MAX), condition, scene };
        let json = serde_json::to_string(&Request { id: u32::MAX, command }).unwrap();
        assert!(json.len() > REQUEST_BYTES_MAX - 4096, "as much as there is room for");
        let mut said = Vec::new();
        Session::new().handle_text(&json, &mut said);
        assert!(matches!(said[0], tropism_wire::session::Message::Done { .. }), "{:?}", said[0]);
    }
}

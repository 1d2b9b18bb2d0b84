//! Writing a life state, piece by piece, into any sink of text.

use core::fmt::{self, Write};

use tropism_core::Name;
use tropism_organism::contingency::{Entry, SLOTS as ENTRIES};
use tropism_organism::reflex::Reflex;
use tropism_organism::spatial::{Place, SLOTS as PLACES};
use tropism_organism::{NEEDS, Need, Organism, code};

use super::{CONSTANT, CONTEXT_NAMES};

/// Puts commas and quotes where they belong.
struct Json<'w> {
    out: &'w mut dyn Write,
    has_item: bool,
}

impl Json<'_> {
    fn comma(&mut self) -> fmt::Result {
        if self.has_item {
            self.out.write_char(',')?;
        }
        self.has_item = true;
        Ok(())
    }

    fn open(&mut self, bracket: char) -> fmt::Result {
        self.comma()?;
        self.has_item = false;
        self.out.write_char(bracket)
    }

    fn close(&mut self, bracket: char) -> fmt::Result {
        self.has_item = true;
        self.out.write_char(bracket)
    }

    fn key(&mut self, key: &str) -> fmt::Result {
        self.comma()?;
        self.has_item = false;
        self.out.write_char('"')?;
        self.out.write_str(key)?;
        self.out.write_str("\":")
    }

    /// Shortest digits that read back to the same bits.
    fn float(&mut self, value: f32) -> fmt::Result {
        self.comma()?;
        if value.is_finite() {
            // Smaller and faster on a board without floating point than the formatter of `core`.
            self.out.write_str(ryu::Buffer::new().format_finite(value))
        } else {
            // JSON has no such number; the reader refuses this place by its path.
            self.out.write_str("null")
        }
    }

    fn whole(&mut self, value: u64) -> fmt::Result {
        self.comma()?;
        write!(self.out, "{value}")
    }

    fn truth(&mut self, value: bool) -> fmt::Result {
        self.comma()?;
        self.out.write_str(if value { "true" } else { "false" })
    }

    fn text(&mut self, value: fmt::Arguments<'_>) -> fmt::Result {
        self.comma()?;
        write!(self.out, "\"{value}\"")
    }

    fn pair(&mut self, key: &str, value: f32) -> fmt::Result {
        self.key(key)?;
        self.float(value)
    }

    fn object(&mut self, key: &str) -> fmt::Result {
        self.key(key)?;
        self.open('{')
    }

    fn needs(&mut self, key: &str, values: &[f32; NEEDS]) -> fmt::Result {
        self.object(key)?;
        for (need, value) in Need::ALL.iter().zip(values) {
            self.pair(need.name(), *value)?;
        }
        self.close('}')
    }

    fn floats(&mut self, key: &str, names: &[Name], values: &[f32]) -> fmt::Result {
        self.object(key)?;
        for (name, value) in names.iter().zip(values) {
            self.pair(name.as_str(), *value)?;
        }
        self.close('}')
    }

    fn changes(&mut self, key: &str, names: &[Name], code: u32) -> fmt::Result {
        self.object(key)?;
        for (i, name) in names.iter().enumerate() {
            let direction = code::direction(code, i);
            if direction != 0 {
                self.key(name.as_str())?;
                self.comma()?;
                write!(self.out, "{direction}")?;
            }
        }
        self.close('}')
    }

    fn quarters(&mut self, key: &str, names: &[Name], signature: u32) -> fmt::Result {
        self.object(key)?;
        for (i, name) in names.iter().enumerate() {
            self.key(name.as_str())?;
            self.whole(u64::from((signature >> (2 * i)) & 3))?;
        }
        self.close('}')
    }

    fn levels(&mut self, key: &str, names: &[Name], (levels, valid): (&[f32], u16)) -> fmt::Result {
        self.object(key)?;
        for (i, (name, level)) in names.iter().zip(levels).enumerate() {
            self.object(name.as_str())?;
            self.pair("level", *level)?;
            self.key("valid")?;
            self.truth(valid & (1 << i) != 0)?;
            self.close('}')?;
        }
        self.close('}')
    }
}

type Names = tropism_core::FixedList<Name, 16>;

/// Writes the life state of an organism as a version 2 document.
///
/// The text goes out in pieces of a few bytes; a board needs no buffer for the whole. Connections
/// whose weight and trace are both +0 are left out.
///
/// # Errors
/// Those of the sink.
pub fn write_json(organism: &Organism, out: &mut dyn Write) -> fmt::Result {
    let body = organism.body();
    let (mut actuators, mut sensors) = (Names::new(), Names::new());
    for spec in body.actuators.iter() {
        let _ = actuators.push(spec.name);
    }
    for spec in body.sensors.iter() {
        let _ = sensors.push(spec.name);
    }
    let json = &mut Json { out, has_item: false };
    json.open('{')?;
    header(json, organism, &actuators, &sensors)?;
    physiology(json, organism, &sensors)?;
    contingency(json, organism, &actuators, &sensors)?;
    spatial(json, organism, &sensors)?;
    reflexes(json, &organism.state().reflex, &actuators, &sensors)?;
    json.floats("exploration", &actuators, &organism.state().noise)?;
    json.close('}')
}

fn header(
    json: &mut Json<'_>,
    organism: &Organism,
    actuators: &[Name],
    sensors: &[Name],
) -> fmt::Result {
    let body = organism.body();
    json.key("format")?;
    json.text(format_args!("{}", crate::FORMAT))?;
    json.key("version")?;
    json.whole(u64::from(crate::VERSION))?;
    json.key("body")?;
    json.text(format_args!("{}", body.name))?;
    json.key("channel_fingerprint")?;
    json.text(format_args!("{:08x}", body.fingerprint()))?;
    for (key, names) in [("actuators", actuators), ("sensors", sensors)] {
        json.key(key)?;
        json.open('[')?;
        for name in names {
            json.text(format_args!("{name}"))?;
        }
        json.close(']')?;
    }
    json.key("step_s")?;
    json.open('[')?;
    json.whole(u64::from(organism.time_step().numerator()))?;
    json.whole(u64::from(organism.time_step().denominator()))?;
    json.close(']')?;
    json.key("age_ticks")?;
    json.whole(organism.state().age.0)?;
    json.object("streams")?;
    json.key("seed")?;
    // As text: many readers of JSON keep only 53 bits of a number.
    json.text(format_args!("{:016x}", organism.seed().0))?;
    json.key("robot")?;
    json.whole(u64::from(organism.robot()))?;
    json.close('}')
}

fn physiology(json: &mut Json<'_>, organism: &Organism, sensors: &[Name]) -> fmt::Result {
    let s = organism.state();
    let p = &s.physiology;
    json.levels("senses", sensors, (&s.senses.levels, s.senses.valid))?;
    json.object("physiology")?;
    json.needs("needs", &p.values)?;
    json.needs("drives", &p.drives)?;
    json.pair("distance", p.distance)?;
    json.pair("fuzz", p.fuzz)?;
    json.pair("activity", p.activity)?;
    json.pair("spike", p.spike)?;
    json.pair("usual_activity", p.activity_average)?;
    json.object("channels")?;
    for (i, name) in sensors.iter().enumerate() {
        json.object(name.as_str())?;
        json.pair("previous", p.previous[i])?;
        json.pair("velocity", p.velocity[i])?;
        json.pair("jitter", p.jitter[i])?;
        json.pair("habituation", p.habituation[i])?;
        json.key("has_previous")?;
        json.truth(p.has_previous & (1 << i) != 0)?;
        json.close('}')?;
    }
    json.close('}')?;
    json.close('}')
}

fn contingency(
    json: &mut Json<'_>,
    organism: &Organism,
    actuators: &[Name],
    sensors: &[Name],
) -> fmt::Result {
    let c = &organism.state().contingency;
    json.object("contingency")?;
    json.pair("surprise", c.surprise)?;
    json.object("latest")?;
    json.changes("actuators", actuators, c.latest.0)?;
    json.changes("sensors", sensors, c.latest.1)?;
    json.key("slot")?;
    if let Some(slot) = c.latest_slot {
        json.whole(u64::from(slot))?;
    } else {
        json.comma()?;
        json.out.write_str("null")?;
    }
    json.pair("relief", c.latest_relief)?;
    json.close('}')?;
    json.object("previous")?;
    json.floats("actuators", actuators, &c.previous_actuators)?;
    json.levels("sensors", sensors, (&c.previous_levels, c.previous_valid))?;
    json.pair("distance", c.previous_distance)?;
    json.key("is_known")?;
    json.truth(c.has_previous)?;
    json.close('}')?;
    json.key("entries")?;
    json.open('[')?;
    for slot in 0..ENTRIES {
        if let Some(e) = c.entry(slot) {
            entry(json, (slot, &e), actuators, sensors)?;
        }
    }
    json.close(']')?;
    json.close('}')
}

fn entry(
    json: &mut Json<'_>,
    (slot, e): (usize, &Entry),
    actuators: &[Name],
    sensors: &[Name],
) -> fmt::Result {
    json.open('{')?;
    json.key("slot")?;
    json.whole(slot as u64)?;
    json.changes("actuators", actuators, e.action)?;
    json.changes("sensors", sensors, e.sensors)?;
    json.key("context")?;
    json.open('[')?;
    for need in Need::ALL {
        if e.context & (1 << need as u8) != 0 {
            json.text(format_args!("{}", need.name()))?;
        }
    }
    json.close(']')?;
    json.pair("strength", e.strength)?;
    json.pair("relief", e.relief)?;
    json.key("age_ticks")?;
    json.whole(u64::from(e.age_ticks))?;
    json.close('}')
}

fn spatial(json: &mut Json<'_>, organism: &Organism, sensors: &[Name]) -> fmt::Result {
    let s = &organism.state().spatial;
    json.object("spatial")?;
    json.quarters("here", sensors, s.here)?;
    json.needs("previous_drives", &s.previous_drives)?;
    json.key("is_previous_known")?;
    json.truth(s.has_previous)?;
    json.key("places")?;
    json.open('[')?;
    for slot in 0..PLACES {
        if let Some(place) = s.place(slot) {
            self::place(json, slot, &place, sensors)?;
        }
    }
    json.close(']')?;
    json.close('}')
}

fn place(json: &mut Json<'_>, slot: usize, place: &Place, sensors: &[Name]) -> fmt::Result {
    json.open('{')?;
    json.key("slot")?;
    json.whole(slot as u64)?;
    json.quarters("sensors", sensors, place.signature)?;
    json.key("visits")?;
    json.whole(u64::from(place.visits))?;
    json.key("age_ticks")?;
    json.whole(u64::from(place.age_ticks))?;
    json.needs("improvement", &place.improvement)?;
    json.close('}')
}

fn reflexes(json: &mut Json<'_>, r: &Reflex, actuators: &[Name], sensors: &[Name]) -> fmt::Result {
    json.object("reflexes")?;
    json.floats("means", sensors, &r.means)?;
    json.object("inputs")?;
    for (i, x) in r.x[..=sensors.len()].iter().enumerate() {
        json.pair(sensors.get(i).map_or(CONSTANT, Name::as_str), *x)?;
    }
    json.close('}')?;
    json.object("gates")?;
    for (name, gate) in CONTEXT_NAMES.iter().zip(&r.gates) {
        json.pair(name, *gate)?;
    }
    json.close('}')?;
    json.pair("reward_mean", r.reward_mean)?;
    json.pair("reward_variance", r.reward_variance)?;
    json.pair("advantage", r.advantage)?;
    json.pair("previous_distance", r.previous_distance)?;
    json.key("is_previous_known")?;
    json.truth(r.has_previous)?;
    json.object("connections")?;
    for (k, context) in CONTEXT_NAMES.iter().enumerate() {
        json.object(context)?;
        for i in 0..=sensors.len() {
            let input = sensors.get(i).map_or(CONSTANT, Name::as_str);
            connections_of(json, r, (k, i, input), actuators)?;
        }
        json.close('}')?;
    }
    json.close('}')?;
    json.close('}')
}

fn connections_of(
    json: &mut Json<'_>,
    r: &Reflex,
    (context, input, name): (usize, usize, &str),
    actuators: &[Name],
) -> fmt::Result {
    let is_empty = |j| {
        let (weight, trace) = (r.weight(context, input, j), r.trace(context, input, j));
        weight.to_bits() == 0 && trace.to_bits() == 0
    };
    if (0..actuators.len()).all(is_empty) {
        return Ok(());
    }
    json.object(name)?;
    for (j, output) in actuators.iter().enumerate() {
        if !is_empty(j) {
            json.key(output.as_str())?;
            json.open('[')?;
            json.float(r.weight(context, input, j))?;
            json.float(r.trace(context, input, j))?;
            json.close(']')?;
        }
    }
    json.close('}')
}

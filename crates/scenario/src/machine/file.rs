//! Machine files.

use core::ops::Range;

use toml::de::DeValue;
use tropism_core::Name;
use tropism_reactive::machine::{
    Assignment, CONDITIONS_MAX, EVENTS_MAX, Formula, MEMORY_MAX, Op, SIGNALS_MAX, STATES_MAX, Side,
    TRANSITIONS_MAX,
};

use crate::error::suggest;
use crate::machine::check;
use crate::machine::formula::{self, Names, RESERVED};
use crate::machine::{Machine, MachineCondition, MachineStateSpec, WayOut};
use crate::reader::{Reader, number_of};
use crate::schema::{Key, Kind, Table};
use crate::source::{Format, Source};
use crate::validate::shown;

/// Longest time that can be asked for, s: one day.
const LONG_S: f32 = 86_400.0;
/// Largest threshold.
const LARGE: f32 = 1e6;

static CONDITION: Table = Table {
    name: "machine condition",
    about: "Something that is true or false; thresholds in pairs hold noise off.",
    keys: &[
        Key::must("name", Kind::Name, "Its name, unique in the machine."),
        Key::must("input", Kind::Text, "A signal, a sensor or a number of memory."),
        Key::number("below", "", (-LARGE, LARGE), "Becomes true below this.").optional(),
        Key::number("until_above", "", (-LARGE, LARGE), "Stays true up to this.").optional(),
        Key::number("above", "", (-LARGE, LARGE), "Becomes true above this.").optional(),
        Key::number("until_below", "", (-LARGE, LARGE), "Stays true down to this.").optional(),
        Key::number("confirm_s", "s", (0.0, LONG_S), "Counts once true this long.").or(0.0),
    ],
};

static WAY_OUT: Table = Table {
    name: "machine transition",
    about: "A way out of a state; needs `when`, `event` or both.",
    keys: &[
        Key::must("to", Kind::Text, "The state that follows."),
        Key::may("when", Kind::Words, "Conditions that must hold; \"not NAME\" must not."),
        Key::may("event", Kind::Text, "The event that fires it."),
        Key::may("set", Kind::Formulas, "Memory set on the way: name = formula."),
    ],
};

static LIMIT: Table = Table {
    name: "machine time limit",
    about: "Ends a state that waits too long.",
    keys: &[
        Key::number("s", "s", (0.001, LONG_S), "Longest stay."),
        Key::must("to", Kind::Text, "The state that follows then."),
    ],
};

static STATE: Table = Table {
    name: "machine state",
    about: "A state: what it drives, and its ways out.",
    keys: &[
        Key::must("name", Kind::Text, "Its name: a letter, then letters, digits or _."),
        Key::may("about", Kind::Text, "What it does, in one sentence."),
        Key::may("entry", Kind::Formulas, "Memory set on entry: name = formula."),
        Key::must("drive", Kind::Formulas, "Every actuator at every tick: name = formula."),
        Key::may("leave", Kind::Tables(&WAY_OUT), "Ways out, tried in order."),
        Key::number("minimum_s", "s", (0.0, LONG_S), "No condition ends it before.").or(0.0),
        Key::may("limit", Kind::Table(&LIMIT), "Time limit."),
        Key::may("may_last", Kind::Text, "Why it needs no time limit."),
        Key::switch("final", false, "Only an event ends it."),
    ],
};

/// A machine file.
pub(crate) static MACHINE: Table = Table {
    name: "machine",
    about: "A state machine that controls a robot.",
    keys: &[
        Key::may("kind", Kind::Choice(&["machine"]), "What the file is."),
        Key::must("name", Kind::Name, "Its name."),
        Key::may("about", Kind::Text, "What it is, in one sentence."),
        Key::must("sensors", Kind::Words, "Sensor channels it reads."),
        Key::must("actuators", Kind::Words, "Actuator channels it drives."),
        Key::may("signals", Kind::Formulas, "Numbers of every tick: name = formula."),
        Key::may("memory", Kind::Formulas, "Numbers that stay: name = value at the start."),
        Key::may("every_tick", Kind::Formulas, "Memory set at every tick: name = formula."),
        Key::may("condition", Kind::Tables(&CONDITION), "Conditions."),
        Key::may("events", Kind::Words, "Events that come from outside."),
        Key::must("start", Kind::Text, "The first state."),
        Key::must("state", Kind::Tables(&STATE), "The states."),
    ],
};

/// How machine files are read.
pub(crate) const FORMAT: Format<Machine> =
    Format { kind: "machine", schema: &MACHINE, built_in: &[], read };

/// Everything that has a name in formulas.
#[derive(Debug, Default)]
struct Known {
    sensors: Vec<String>,
    signals: Vec<(String, Formula)>,
    memory: Vec<(String, f32)>,
}

impl Names for Known {
    fn find(&self, name: &str) -> Option<Op> {
        let number = |i: usize| u8::try_from(i).unwrap_or(u8::MAX);
        let sensor = self.sensors.iter().position(|n| n == name).map(number).map(Op::Sensor);
        let signal = || self.signals.iter().position(|n| n.0 == name).map(number).map(Op::Signal);
        let memory = || self.memory.iter().position(|n| n.0 == name).map(number).map(Op::Memory);
        sensor.or_else(signal).or_else(memory)
    }

    fn suggest(&self, name: &str) -> String {
        suggest(name, &self.all())
    }
}

impl Known {
    fn all(&self) -> Vec<&str> {
        let names = self.sensors.iter().map(String::as_str);
        let names = names.chain(self.signals.iter().map(|n| n.0.as_str()));
        names.chain(self.memory.iter().map(|n| n.0.as_str())).collect()
    }

    /// True when the input can only jump between values: noise passes any pair of thresholds.
    fn jumps(&self, input: Op, ops: &[Op]) -> bool {
        let Op::Signal(i) = input else { return false };
        let Some((_, f)) = self.signals.get(usize::from(i)) else { return false };
        let ops_of = ops.get(usize::from(f.first)..usize::from(f.first + f.len)).unwrap_or(&[]);
        ops_of.iter().any(|op| match op {
            Op::If | Op::Sign | Op::IsValid(_) => true,
            // Signals use earlier ones only, so this ends.
            Op::Signal(j) if j < &i => self.jumps(*op, ops),
            _ => false,
        })
    }
}

/// The entries of a table with free keys, in the order of the text.
fn entries<'t>(
    r: &Reader<'t>,
    key: &str,
) -> Vec<(&'t str, Range<usize>, &'t toml::Spanned<DeValue<'t>>)> {
    let Some(value) = r.raw(key) else { return Vec::new() };
    let Some(table) = value.get_ref().as_table() else {
        r.fault(key, format!("`{key}` is no table"), "give name = formula lines in it");
        return Vec::new();
    };
    let mut list: Vec<_> =
        table.iter().map(|(name, value)| (name.get_ref().as_ref(), name.span(), value)).collect();
    list.sort_by_key(|(_, span, _)| span.start);
    list
}

/// Path of an entry of such a table.
fn path_of(r: &Reader<'_>, key: &str, name: &str) -> String {
    format!("{}.{name}", r.path_of(key))
}

struct Builder<'r, 't> {
    r: &'r Reader<'t>,
    known: Known,
    ops: Vec<Op>,
}

impl Builder<'_, '_> {
    /// A formula in quotes, or a number.
    fn formula(
        &mut self,
        r: &Reader<'_>,
        path: &str,
        value: &toml::Spanned<DeValue<'_>>,
    ) -> Option<Formula> {
        let span = value.span();
        if let Some(x) = number_of(value.get_ref()).map(|x| x as f32) {
            if !x.is_finite() || self.ops.len() >= formula::OPS_MAX {
                r.doc.fault(&span, path, "no finite number", "give a number or a formula");
                return None;
            }
            self.ops.push(Op::Constant(x));
            return Some(Formula { first: self.ops.len() as u16 - 1, len: 1 });
        }
        let Some(text) = value.get_ref().as_str() else {
            r.doc.fault(&span, path, "no formula", "give a number, or a formula in quotes");
            return None;
        };
        let before = self.ops.len();
        match formula::parse(text, &self.known, &mut self.ops) {
            Ok(formula) => Some(formula),
            Err(wrong) => {
                self.ops.truncate(before);
                let at = span.start + 1 + wrong.at;
                r.doc.fault(&(at..at), path, wrong.what, wrong.right);
                None
            }
        }
    }

    fn is_new(&self, r: &Reader<'_>, key: &str, name: &str, span: &Range<usize>) -> bool {
        let path = path_of(r, key, name);
        let shown = shown(name);
        if Name::new(name).is_err() {
            let right = "a name starts with a-z and goes on with a-z, 0-9 or _";
            r.doc.fault(span, &path, format!("`{}` is no name", shown.escape_debug()), right);
            return false;
        }
        if RESERVED.contains(&name) {
            r.doc.fault(span, &path, format!("`{name}` already has a meaning"), "choose another");
            return false;
        }
        if self.known.all().contains(&name) {
            r.doc.fault(span, &path, format!("`{name}` is named twice"), "choose another name");
            return false;
        }
        true
    }

    fn memory(&mut self) {
        let list = entries(self.r, "memory");
        for (name, span, value) in list {
            if !self.is_new(self.r, "memory", name, &span) {
                continue;
            }
            let start = number_of(value.get_ref()).map(|x| x as f32).filter(|x| x.is_finite());
            if start.is_none() {
                let path = path_of(self.r, "memory", name);
                let right = "give the number it starts with";
                self.r.doc.fault(&value.span(), &path, format!("`{name}` is no number"), right);
            }
            self.known.memory.push((name.to_owned(), start.unwrap_or(0.0)));
        }
        self.limited("memory", self.known.memory.len(), MEMORY_MAX);
    }

    fn limited(&self, key: &str, found: usize, most: usize) {
        if found > most {
            self.r.fault(key, format!("{found} entries"), format!("a machine has at most {most}"));
        }
    }

    fn signals(&mut self) {
        let list = entries(self.r, "signals");
        self.limited("signals", list.len(), SIGNALS_MAX);
        for (name, span, value) in list {
            if !self.is_new(self.r, "signals", name, &span) {
                continue;
            }
            let path = path_of(self.r, "signals", name);
            let formula = self.formula(self.r, &path, value).unwrap_or_default();
            self.known.signals.push((name.to_owned(), formula));
        }
    }

    /// Memory set to formulas.
    fn sets(&mut self, r: &Reader<'_>, key: &str) -> Vec<Assignment> {
        let mut list = Vec::new();
        for (name, span, value) in entries(r, key) {
            let path = path_of(r, key, name);
            let slot = self.known.memory.iter().position(|m| m.0 == name);
            if slot.is_none() {
                let names: Vec<&str> = self.known.memory.iter().map(|m| m.0.as_str()).collect();
                let what = format!("no memory is named `{}`", shown(name).escape_debug());
                r.doc.fault(&span, &path, what, suggest(name, &names));
            }
            let formula = self.formula(r, &path, value);
            if let (Some(slot), Some(formula)) = (slot, formula) {
                list.push(Assignment { target: slot as u8, formula });
            }
        }
        list
    }

    fn drive(&mut self, r: &Reader<'_>, actuators: &[String]) -> Vec<Assignment> {
        let mut list: Vec<Assignment> = Vec::new();
        for (name, span, value) in entries(r, "drive") {
            let path = path_of(r, "drive", name);
            let channel = actuators.iter().position(|a| a == name);
            if channel.is_none() {
                let names: Vec<&str> = actuators.iter().map(String::as_str).collect();
                let what = format!("`actuators` has no `{}`", shown(name).escape_debug());
                r.doc.fault(&span, &path, what, suggest(name, &names));
            }
            let formula = self.formula(r, &path, value).unwrap_or_default();
            if let Some(channel) = channel {
                list.push(Assignment { target: channel as u8, formula });
            }
        }
        for (i, name) in actuators.iter().enumerate() {
            if r.has("drive") && !list.iter().any(|a| usize::from(a.target) == i) {
                let what = format!("`drive` leaves `{name}` as it was");
                r.fault("drive", what, format!("say what it does, such as {name} = 0"));
            }
        }
        list
    }

    fn condition(&self, r: &Reader<'_>) -> Option<MachineCondition> {
        let input_name = r.maybe_text("input")?;
        let Some(input) = self.known.find(input_name) else {
            r.unknown("input", "signal, sensor or memory", input_name, &self.known.all());
            return None;
        };
        let (below, above) = (r.maybe_number("below"), r.maybe_number("above"));
        let (side, enter, until) = match (below, above) {
            (Some(x), None) => (Side::Below, x, "until_above"),
            (None, Some(x)) => (Side::Above, x, "until_below"),
            (Some(_), Some(_)) => {
                r.fault("above", "both `below` and `above`", "give one of them");
                return None;
            }
            (None, None) => {
                r.fault("name", "no threshold", "give `below` or `above`");
                return None;
            }
        };
        let other = if until == "until_above" { "until_below" } else { "until_above" };
        if r.has(other) {
            let has = if side == Side::Below { "below" } else { "above" };
            r.fault(other, format!("`{other}` beside `{has}`"), format!("give `{until}`"));
        }
        let leave = r.maybe_number(until).unwrap_or(enter);
        let is_swapped = match side {
            Side::Below => leave < enter,
            Side::Above => leave > enter,
        };
        if is_swapped {
            let (word, order) = if side == Side::Below {
                ("below", "at or above")
            } else {
                ("above", "at or below")
            };
            let what = format!("the thresholds are swapped: {word} {enter} but {until} {leave}");
            r.fault(until, what, format!("`{until}` lies {order} `{word}`"));
        }
        Some(MachineCondition {
            name: r.text("name").to_owned(),
            input_name: input_name.to_owned(),
            input,
            side,
            enter,
            leave,
            confirm_s: r.seconds("confirm_s"),
            input_jumps: self.known.jumps(input, &self.ops),
        })
    }

    fn way_out(&mut self, r: &Reader<'_>, machine: &Machine) -> Option<WayOut> {
        let to = state_number(r, "to", machine);
        let names: Vec<&str> = machine.conditions.iter().map(|c| c.name.as_str()).collect();
        let (mut needs, mut forbids) = (0, 0);
        for (i, (word, span)) in r.words("when").into_iter().enumerate() {
            let (name, mask) = match word.strip_prefix("not ") {
                Some(rest) => (rest.trim(), &mut forbids),
                None => (word, &mut needs),
            };
            if let Some(bit) = names.iter().position(|n| *n == name) {
                *mask |= 1_u32 << (bit & 31);
            } else {
                let path = format!("{}[{i}]", r.path_of("when"));
                let what = format!("no condition is named `{}`", shown(name).escape_debug());
                r.doc.fault(&span, &path, what, suggest(name, &names));
            }
        }
        let event = r.maybe_text("event").and_then(|name| {
            let number = machine.event(name);
            if number.is_none() {
                let known: Vec<&str> = machine.events.iter().map(String::as_str).collect();
                r.unknown("event", "event", name, &known);
            }
            number
        });
        if !r.has("event") && needs == 0 && forbids == 0 {
            let right = "say when, or name the event that fires it";
            r.fault("to", "a transition that is always taken", right);
        }
        if needs & forbids != 0 {
            r.fault("when", "a condition and its opposite", "this can never be; leave one out");
        }
        let set = self.sets(r, "set");
        Some(WayOut { to: to?, needs, forbids, event, set })
    }

    fn state(&mut self, r: &Reader<'_>, machine: &Machine, i: usize) -> MachineStateSpec {
        let limit =
            r.table("limit").and_then(|l| Some((l.seconds("s"), state_number(&l, "to", machine)?)));
        MachineStateSpec {
            name: machine.states[i].name.clone(),
            about: r.text("about").to_owned(),
            is_final: r.switch("final"),
            may_last: r.maybe_text("may_last").map(str::to_owned),
            leave: r.tables("leave").iter().filter_map(|w| self.way_out(w, machine)).collect(),
            minimum_s: r.seconds("minimum_s"),
            limit,
            entry: self.sets(r, "entry"),
            drive: self.drive(r, &machine.actuators),
        }
    }
}

/// Number of a state that is named; an unknown name is reported.
fn state_number(r: &Reader<'_>, key: &str, machine: &Machine) -> Option<u8> {
    let name = r.maybe_text(key)?;
    let number = machine.state(name);
    if number.is_none() {
        let known: Vec<&str> = machine.states.iter().map(|s| s.name.as_str()).collect();
        r.unknown(key, "state", name, &known);
    }
    number
}

/// A list of names, each once.
fn unique_names(r: &Reader<'_>, key: &str, most: usize) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    for (i, (word, span)) in r.words(key).into_iter().enumerate() {
        let path = format!("{}[{i}]", r.path_of(key));
        let shown = shown(word);
        if Name::new(word).is_err() {
            let right = "a name starts with a-z and goes on with a-z, 0-9 or _";
            r.doc.fault(&span, &path, format!("`{}` is no name", shown.escape_debug()), right);
        } else if list.iter().any(|other| other == word) {
            r.doc.fault(&span, &path, format!("`{shown}` is listed twice"), "leave one out");
        }
        list.push(word.to_owned());
    }
    if list.len() > most {
        r.fault(key, format!("{} names", list.len()), format!("at most {most} fit"));
        list.truncate(most);
    }
    list
}

/// States by name alone, so that transitions can name later ones.
fn outlines(readers: &[Reader<'_>]) -> Vec<MachineStateSpec> {
    let mut list: Vec<MachineStateSpec> = Vec::new();
    for r in readers {
        let name = r.text("name");
        let mut letters = name.chars();
        let is_name = letters.next().is_some_and(|c| c.is_ascii_alphabetic())
            && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name.len() <= 31;
        if r.maybe_text("name").is_some() && !is_name {
            let right = "a letter, then letters, digits or _, at most 31";
            r.fault("name", "no name of a state", right);
        } else if list.iter().any(|s| s.name == name) && is_name {
            r.fault("name", format!("two states are named `{name}`"), "choose another name");
        }
        list.push(MachineStateSpec {
            name: name.to_owned(),
            about: String::new(),
            is_final: false,
            may_last: None,
            leave: Vec::new(),
            minimum_s: 0.0,
            limit: None,
            entry: Vec::new(),
            drive: Vec::new(),
        });
    }
    list
}

fn conditions(b: &Builder<'_, '_>) -> Vec<MachineCondition> {
    let readers = b.r.tables("condition");
    b.limited("condition", readers.len(), CONDITIONS_MAX);
    let mut list: Vec<MachineCondition> = Vec::new();
    for r in readers.iter().take(CONDITIONS_MAX) {
        let Some(condition) = b.condition(r) else { continue };
        if list.iter().any(|c| c.name == condition.name) {
            let what = format!("two conditions are named `{}`", condition.name);
            r.fault("name", what, "choose another name");
        }
        list.push(condition);
    }
    list
}

/// Lowers a machine table and checks the machine.
pub(crate) fn read(r: &Reader<'_>) -> Option<Machine> {
    let sensors = unique_names(r, "sensors", tropism_body::MAX_SENSORS);
    let known = Known { sensors, ..Known::default() };
    let mut b = Builder { r, known, ops: Vec::new() };
    b.memory();
    b.signals();
    let readers = r.tables("state");
    if readers.is_empty() || readers.len() > STATES_MAX {
        r.fault("state", format!("{} states", readers.len()), format!("1 to {STATES_MAX} fit"));
        return None;
    }
    let mut machine = Machine {
        name: r.text("name").to_owned(),
        about: r.text("about").to_owned(),
        source: Source { path: r.doc.label.to_owned(), text: r.doc.text.to_owned() },
        sensors: b.known.sensors.clone(),
        actuators: unique_names(r, "actuators", tropism_body::MAX_ACTUATORS),
        conditions: conditions(&b),
        events: unique_names(r, "events", EVENTS_MAX),
        states: outlines(&readers),
        start: 0,
        ops: Vec::new(),
        signals: Vec::new(),
        memory: Vec::new(),
        every_tick: b.sets(r, "every_tick"),
    };
    let start = state_number(r, "start", &machine);
    let states: Vec<MachineStateSpec> =
        readers.iter().enumerate().map(|(i, r)| b.state(r, &machine, i)).collect();
    let ways: usize = states.iter().map(|s| s.leave.len()).sum();
    if ways > TRANSITIONS_MAX {
        r.fault("state", format!("{ways} transitions"), format!("at most {TRANSITIONS_MAX} fit"));
    }
    machine.states = states;
    machine.start = start?;
    machine.ops = b.ops;
    machine.signals = b.known.signals;
    machine.memory = b.known.memory;
    if r.doc.faults.is_empty() {
        check::machine(r, &readers, &machine);
    }
    Some(machine)
}

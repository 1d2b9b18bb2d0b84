//! Every key of every table, declared once.
//!
//! Terms: a *table* is a list of keys; a *union* is a table whose `type` key picks one of several
//! key lists. Reading, validation, suggestions and the reference documentation all derive from
//! these declarations.
//!
//! What it does not do: rules between keys (an end after its start, a channel that exists) are
//! checked where the values are put together.

/// A table of keys.
#[derive(Debug)]
pub(crate) struct Table {
    /// Name in the reference documentation.
    pub(crate) name: &'static str,
    /// What it describes, in one sentence.
    pub(crate) about: &'static str,
    /// Its keys.
    pub(crate) keys: &'static [Key],
}

/// A table that comes in several types.
#[derive(Debug)]
pub(crate) struct Union {
    /// Name in the reference documentation.
    pub(crate) name: &'static str,
    /// What it describes, in one sentence.
    pub(crate) about: &'static str,
    /// The types; the name of a table is the value of its `type` key.
    pub(crate) types: &'static [Table],
}

/// The key that picks a type of a union.
pub(crate) const TYPE: &str = "type";

/// One key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it holds.
    pub(crate) kind: Kind,
    /// Unit, empty where there is none.
    pub(crate) unit: &'static str,
    /// What happens when it is left out.
    pub(crate) absent: Absent,
    /// What it does, in one sentence.
    pub(crate) about: &'static str,
}

/// What a key holds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// A number within bounds.
    Number(f32, f32),
    /// A whole number within bounds.
    Whole(u64, u64),
    /// true or false.
    Switch,
    /// Any text.
    Text,
    /// A name by the rules of channel names.
    Name,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Two numbers within bounds.
    Pair(f32, f32),
    /// This many pairs or more, each within bounds.
    Pairs(usize, f32, f32),
    /// A fraction of a second in quotes, such as "1/20".
    Step,
    /// The name of a sensor of the body.
    Sensor,
    /// The name of an actuator of the body.
    Actuator,
    /// A list of words.
    Words,
    /// A table.
    Table(&'static Table),
    /// A list of tables.
    Tables(&'static Table),
    /// A table with a type.
    Union(&'static Union),
    /// A list of tables with types.
    Unions(&'static Union),
    /// A built-in name, the path of a file, or the table itself.
    Source(&'static Table),
    /// A built-in name, or the table itself.
    Named(&'static Table),
    /// A list of whole numbers or a table of this kind.
    Seeds(&'static Table),
    /// Tables of organism parameters.
    Parameters,
    /// Lines of name = formula.
    Formulas,
    /// Texts of files by their names.
    Files,
}

/// What a key means when it is left out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Absent {
    /// It cannot be left out.
    Refused,
    /// Nothing, or as described.
    Nothing,
    /// This number.
    Number(f32),
    /// This whole number.
    Whole(u64),
    /// This switch.
    Switch(bool),
    /// This word.
    Word(&'static str),
    /// This pair.
    Pair([f32; 2]),
}

/// Largest coordinate or distance, m.
pub(crate) const FAR: f32 = 1000.0;
/// Smallest size of something that is there, m.
pub(crate) const TINY: f32 = 0.001;
/// Largest angle, rad; a turn and a bit, so that 2π may be rounded up.
#[expect(clippy::approx_constant, reason = "a bound just above 2π, so that 6.2832 is allowed")]
pub(crate) const ROUND: f32 = 6.2832;
/// Largest angle from an axis, rad.
#[expect(clippy::approx_constant, reason = "a bound just above π/2, so that 1.5708 is allowed")]
pub(crate) const QUARTER: f32 = 1.5708;

impl Key {
    const fn new(name: &'static str, kind: Kind, absent: Absent, about: &'static str) -> Self {
        Self { name, kind, unit: "", absent, about }
    }

    /// A number that must be given.
    pub(crate) const fn number(
        name: &'static str,
        unit: &'static str,
        bounds: (f32, f32),
        about: &'static str,
    ) -> Self {
        let kind = Kind::Number(bounds.0, bounds.1);
        Self { name, kind, unit, absent: Absent::Refused, about }
    }

    /// A whole number that must be given.
    pub(crate) const fn whole(name: &'static str, bounds: (u64, u64), about: &'static str) -> Self {
        Self::new(name, Kind::Whole(bounds.0, bounds.1), Absent::Refused, about)
    }

    /// A switch with its default.
    pub(crate) const fn switch(name: &'static str, default: bool, about: &'static str) -> Self {
        Self::new(name, Kind::Switch, Absent::Switch(default), about)
    }

    /// Something that must be given.
    pub(crate) const fn must(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self::new(name, kind, Absent::Refused, about)
    }

    /// Something that may be left out.
    pub(crate) const fn may(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self::new(name, kind, Absent::Nothing, about)
    }

    /// One of several words, with a default.
    pub(crate) const fn choice(
        name: &'static str,
        words: &'static [&'static str],
        default: &'static str,
        about: &'static str,
    ) -> Self {
        Self::new(name, Kind::Choice(words), Absent::Word(default), about)
    }

    /// A point in metres that must be given.
    pub(crate) const fn point(name: &'static str, about: &'static str) -> Self {
        Self::must(name, Kind::Pair(-FAR, FAR), about).in_unit("m")
    }

    /// The same key with this number as its default.
    pub(crate) const fn or(self, default: f32) -> Self {
        Self { absent: Absent::Number(default), ..self }
    }

    /// The same key with this whole number as its default.
    pub(crate) const fn or_whole(self, default: u64) -> Self {
        Self { absent: Absent::Whole(default), ..self }
    }

    /// The same key with this pair as its default.
    pub(crate) const fn or_pair(self, default: [f32; 2]) -> Self {
        Self { absent: Absent::Pair(default), ..self }
    }

    /// The same key, which may be left out.
    pub(crate) const fn optional(self) -> Self {
        Self { absent: Absent::Nothing, ..self }
    }

    /// The same key in this unit.
    pub(crate) const fn in_unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }
}

impl Table {
    /// The declaration of a key.
    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

impl Key {
    /// What the key wants, for messages and documentation.
    pub(crate) fn wants(&self) -> String {
        let unit = if self.unit.is_empty() || self.unit == "1" {
            String::new()
        } else {
            format!(" {}", self.unit)
        };
        match self.kind {
            Kind::Number(lo, hi) => format!("a number in {lo}..{hi}{unit}"),
            Kind::Whole(lo, u64::MAX) => format!("a whole number from {lo}{unit}"),
            Kind::Whole(lo, hi) => format!("a whole number in {lo}..{hi}{unit}"),
            Kind::Switch => String::from("true or false"),
            Kind::Text => String::from("text in quotes"),
            Kind::Name => String::from("a name in quotes: a-z, then a-z, 0-9 or _"),
            Kind::Choice(words) => format!("one of \"{}\"", words.join("\", \"")),
            Kind::Pair(lo, hi) => format!("two numbers [a, b], each in {lo}..{hi}{unit}"),
            Kind::Pairs(0, lo, hi) => {
                format!("a list of pairs [a, b], each number in {lo}..{hi}{unit}")
            }
            Kind::Pairs(n, lo, hi) => {
                format!("a list of at least {n} pairs [a, b], each number in {lo}..{hi}{unit}")
            }
            Kind::Step => String::from("a fraction of a second in quotes, such as \"1/20\""),
            Kind::Sensor => String::from("the name of a sensor of the body, in quotes"),
            Kind::Actuator => String::from("the name of an actuator of the body, in quotes"),
            Kind::Words => String::from("a list of words, such as [\"a\", \"b\"]"),
            Kind::Table(_) | Kind::Parameters => String::from("a table"),
            Kind::Formulas => String::from("a table of name = formula lines"),
            Kind::Files => String::from("a table of file name = text in quotes"),
            Kind::Tables(_) | Kind::Unions(_) => String::from("a list of tables"),
            Kind::Union(_) => String::from("a table with a `type`"),
            Kind::Source(_) => String::from("a built-in name or a path in quotes, or a table"),
            Kind::Named(_) => String::from("a built-in name in quotes, or a table"),
            Kind::Seeds(_) => {
                String::from("a list of whole numbers, or a table { first = 1, count = 32 }")
            }
        }
    }
}

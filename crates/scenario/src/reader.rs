//! Reading TOML tables by their declarations.
//!
//! The whole document is validated against its schema first; after that every access yields a
//! value, the declared default, or, where a fault was reported already, a harmless stand-in.

use core::ops::Range;

use toml::de::{DeTable, DeValue};
use tropism_core::{Name, TimeStep};
use tropism_world::Vec2;

use crate::error::{Fault, Faults, place, suggest};
use crate::schema::{Absent, Key, Kind, TYPE, Table, Union};
use crate::source::Origin;

type Spanned<T> = toml::Spanned<T>;

/// A document being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doc<'t> {
    pub(crate) label: &'t str,
    pub(crate) text: &'t str,
    pub(crate) faults: &'t Faults,
    pub(crate) origin: &'t Origin,
}

impl Doc<'_> {
    pub(crate) fn fault(
        &self,
        span: &Range<usize>,
        key: &str,
        what: impl Into<String>,
        right: impl Into<String>,
    ) {
        let (line, column) = place(self.text, span);
        self.faults.push(Fault {
            file: self.label.to_owned(),
            line,
            column,
            key: key.to_owned(),
            what: what.into(),
            right: right.into(),
        });
    }
}

/// A table of a document together with its declaration.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'t> {
    pub(crate) doc: Doc<'t>,
    table: &'t DeTable<'t>,
    schema: &'static Table,
    span: Range<usize>,
    path: String,
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// Number held by an integer or a float, whatever its notation.
pub(crate) fn number_of(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(float) => float.as_str().replace('_', "").parse().ok(),
        DeValue::Integer(_) => whole_of(value).map(|whole| whole as f64),
        _ => None,
    }
}

fn whole_of(value: &DeValue<'_>) -> Option<i128> {
    let DeValue::Integer(integer) = value else {
        return None;
    };
    i128::from_str_radix(&integer.as_str().replace('_', ""), integer.radix()).ok()
}

/// What was found instead.
fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => {
            let short: String = text.chars().take(40).collect();
            format!("text {short:?}")
        }
        DeValue::Integer(integer) => format!("the whole number {}", integer.as_str()),
        DeValue::Float(float) => format!("the number {}", float.as_str()),
        DeValue::Boolean(is_on) => is_on.to_string(),
        DeValue::Datetime(_) => String::from("a date or time"),
        DeValue::Array(items) => format!("a list of {}", items.len()),
        DeValue::Table(_) => String::from("a table"),
    }
}

/// A fraction of a second such as `1/20`.
pub(crate) fn step_of(text: &str) -> Result<TimeStep, String> {
    let (numerator, denominator) = text.split_once('/').ok_or("it has no `/`")?;
    let part = |t: &str| t.trim().parse().map_err(|_refused| "its parts are no whole numbers");
    TimeStep::new(part(numerator)?, part(denominator)?).map_err(|refused| refused.to_string())
}

fn pair_of(value: &DeValue<'_>) -> Option<[f64; 2]> {
    match value.as_array()?.as_ref() {
        [a, b] => Some([number_of(a.get_ref())?, number_of(b.get_ref())?]),
        _ => None,
    }
}

fn is_within(number: f64, lo: f32, hi: f32) -> bool {
    // The single-precision number counts, so that a bound written in decimal is allowed.
    (lo..=hi).contains(&(number as f32))
}

/// Validates a table and everything in it.
struct Validator<'d, 't> {
    doc: &'d Doc<'t>,
}

impl Validator<'_, '_> {
    fn table(&self, table: &DeTable<'_>, span: &Range<usize>, schema: &Table, path: &str) {
        self.keys(table, span, schema, path, None);
    }

    fn keys(
        &self,
        table: &DeTable<'_>,
        span: &Range<usize>,
        schema: &Table,
        path: &str,
        extra: Option<&str>,
    ) {
        for (name, value) in table {
            let word = name.get_ref().as_ref();
            if extra == Some(word) {
                continue;
            }
            let path = join(path, word);
            if let Some(key) = schema.key(word) {
                self.value(key, value, &path);
            } else {
                let names: Vec<&str> =
                    extra.into_iter().chain(schema.keys.iter().map(|k| k.name)).collect();
                let shown: String = word.chars().take(40).collect();
                let what = format!("unknown key `{}`", shown.escape_debug());
                self.doc.fault(&name.span(), &path, what, suggest(word, &names));
            }
        }
        for key in schema.keys {
            if matches!(key.absent, Absent::Refused) && !table.contains_key(key.name) {
                let what = format!("`{}` is missing", key.name);
                self.doc.fault(span, &join(path, key.name), what, format!("give {}", key.wants()));
            }
        }
    }

    fn union(&self, table: &DeTable<'_>, span: &Range<usize>, union: &Union, path: &str) {
        let names: Vec<&str> = union.types.iter().map(|t| t.name).collect();
        let Some(chosen) = table.get(TYPE) else {
            let right = format!("give one of \"{}\"", names.join("\", \""));
            self.doc.fault(span, &join(path, TYPE), "`type` is missing", right);
            return;
        };
        let text = chosen.get_ref().as_str().unwrap_or("");
        match union.types.iter().find(|t| t.name == text) {
            Some(schema) => self.keys(table, span, schema, path, Some(TYPE)),
            None => {
                let what = format!("unknown type of {}: {}", union.name, found(chosen.get_ref()));
                self.doc.fault(&chosen.span(), &join(path, TYPE), what, suggest(text, &names));
            }
        }
    }

    fn tables(
        &self,
        value: &Spanned<DeValue<'_>>,
        path: &str,
        check: impl Fn(&Spanned<DeValue<'_>>, &str),
    ) -> bool {
        let Some(items) = value.get_ref().as_array() else {
            return false;
        };
        for (i, item) in items.iter().enumerate() {
            check(item, &format!("{path}[{i}]"));
        }
        true
    }

    fn value(&self, key: &Key, value: &Spanned<DeValue<'_>>, path: &str) {
        let is_fine = match key.kind {
            Kind::Table(schema) => self.nested(value, |table, span| {
                self.table(table, span, schema, path);
            }),
            Kind::Source(schema) | Kind::Named(schema) | Kind::Seeds(schema)
                if value.get_ref().is_table() =>
            {
                self.nested(value, |table, span| self.table(table, span, schema, path))
            }
            Kind::Union(union) => self.nested(value, |table, span| {
                self.union(table, span, union, path);
            }),
            Kind::Tables(schema) => self.tables(value, path, |item, path| {
                let is_table = self.nested(item, |table, span| {
                    self.table(table, span, schema, path);
                });
                self.refuse_unless(is_table, key, item, path);
            }),
            Kind::Unions(union) => self.tables(value, path, |item, path| {
                let is_table = self.nested(item, |table, span| {
                    self.union(table, span, union, path);
                });
                self.refuse_unless(is_table, key, item, path);
            }),
            _ => {
                self.plain(key, value, path);
                true
            }
        };
        self.refuse_unless(is_fine, key, value, path);
    }

    fn nested(
        &self,
        value: &Spanned<DeValue<'_>>,
        check: impl Fn(&DeTable<'_>, &Range<usize>),
    ) -> bool {
        let table = value.get_ref().as_table();
        if let Some(table) = table {
            check(table, &value.span());
        }
        table.is_some()
    }

    fn refuse_unless(&self, ok: bool, key: &Key, value: &Spanned<DeValue<'_>>, path: &str) {
        if !ok {
            let what = format!("`{}` is {}", key.name, found(value.get_ref()));
            self.doc.fault(&value.span(), path, what, format!("it needs {}", key.wants()));
        }
    }

    /// Values without tables inside.
    fn plain(&self, key: &Key, value: &Spanned<DeValue<'_>>, path: &str) {
        let v = value.get_ref();
        let in_range = |[a, b]: [f64; 2], lo, hi| is_within(a, lo, hi) && is_within(b, lo, hi);
        let is_fine = match key.kind {
            Kind::Number(lo, hi) => number_of(v).is_some_and(|x| is_within(x, lo, hi)),
            Kind::Whole(lo, hi) => {
                whole_of(v).is_some_and(|x| (i128::from(lo)..=i128::from(hi)).contains(&x))
            }
            Kind::Switch => v.is_bool(),
            Kind::Text | Kind::Sensor | Kind::Actuator | Kind::Source(_) | Kind::Named(_) => {
                v.is_str()
            }
            Kind::Name => v.as_str().is_some_and(|text| Name::new(text).is_ok()),
            Kind::Choice(words) => v.as_str().is_some_and(|text| words.contains(&text)),
            Kind::Pair(lo, hi) => pair_of(v).is_some_and(|pair| in_range(pair, lo, hi)),
            Kind::Pairs(least, lo, hi) => v.as_array().is_some_and(|items| {
                let is_pair = |i: &Spanned<DeValue<'_>>| {
                    pair_of(i.get_ref()).is_some_and(|pair| in_range(pair, lo, hi))
                };
                items.len() >= least && items.iter().all(is_pair)
            }),
            Kind::Step => match v.as_str().map(step_of) {
                Some(Ok(_)) => true,
                Some(Err(why)) => {
                    let what = format!("`{}` is {}: {why}", key.name, found(v));
                    let right = format!("it needs {}", key.wants());
                    self.doc.fault(&value.span(), path, what, right);
                    return;
                }
                None => false,
            },
            Kind::Words => {
                let is_text = |i: &Spanned<DeValue<'_>>| i.get_ref().is_str();
                v.as_array().is_some_and(|items| items.iter().all(is_text))
            }
            // The rest is checked where it is taken apart.
            _ => true,
        };
        if let (Kind::Choice(words), Some(text), false) = (key.kind, v.as_str(), is_fine) {
            let what = format!("`{}` is {}", key.name, found(v));
            self.doc.fault(&value.span(), path, what, suggest(text, words));
            return;
        }
        self.refuse_unless(is_fine, key, value, path);
    }
}

impl<'t> Reader<'t> {
    /// Reads a whole table: everything in it is validated now.
    pub(crate) fn open(
        doc: Doc<'t>,
        table: &'t DeTable<'t>,
        span: Range<usize>,
        schema: &'static Table,
        path: String,
    ) -> Self {
        Validator { doc: &doc }.table(table, &span, schema, &path);
        Self { doc, table, schema, span, path }
    }

    fn entry(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        debug_assert!(self.schema.key(key).is_some(), "{key} is not declared");
        self.table.get(key)
    }

    fn value(&self, key: &str) -> Option<&'t DeValue<'t>> {
        self.entry(key).map(Spanned::get_ref)
    }

    fn absent(&self, key: &str) -> (Option<Kind>, Absent) {
        self.schema.key(key).map_or((None, Absent::Nothing), |key| (Some(key.kind), key.absent))
    }

    /// The value of a key that is taken apart by the caller.
    pub(crate) fn raw(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.entry(key)
    }

    /// True when the key is there.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Path of a key of this table.
    pub(crate) fn path_of(&self, key: &str) -> String {
        join(&self.path, key)
    }

    /// Place of a key, or of the table when the key is absent.
    pub(crate) fn span_of(&self, key: &str) -> Range<usize> {
        self.table.get(key).map_or_else(|| self.span.clone(), Spanned::span)
    }

    /// Reports a fault at a key, or at the table when the key is absent.
    pub(crate) fn fault(&self, key: &str, what: impl Into<String>, right: impl Into<String>) {
        self.doc.fault(&self.span_of(key), &self.path_of(key), what, right);
    }

    /// Reports a word that is not among the known ones.
    pub(crate) fn unknown(&self, key: &str, kind: &str, word: &str, known: &[&str]) {
        let shown: String = word.chars().take(40).collect();
        let what = format!("no {kind} is named `{}`", shown.escape_debug());
        self.fault(key, what, suggest(word, known));
    }

    /// A number that may be absent.
    pub(crate) fn maybe_seconds(&self, key: &str) -> Option<f64> {
        self.value(key).and_then(number_of).filter(|x| x.is_finite())
    }

    /// A number in double precision.
    pub(crate) fn seconds(&self, key: &str) -> f64 {
        self.maybe_seconds(key).unwrap_or_else(|| match self.absent(key) {
            (_, Absent::Number(default)) => f64::from(default),
            (Some(Kind::Number(lo, _)), _) => f64::from(lo),
            _ => 0.0,
        })
    }

    /// A number that may be absent.
    pub(crate) fn maybe_number(&self, key: &str) -> Option<f32> {
        self.maybe_seconds(key).map(|x| x as f32)
    }

    /// A number.
    pub(crate) fn number(&self, key: &str) -> f32 {
        self.maybe_number(key).unwrap_or_else(|| self.seconds(key) as f32)
    }

    /// A whole number that may be absent.
    pub(crate) fn maybe_whole(&self, key: &str) -> Option<u64> {
        self.value(key).and_then(whole_of).and_then(|whole| u64::try_from(whole).ok())
    }

    /// A whole number.
    pub(crate) fn whole(&self, key: &str) -> u64 {
        self.maybe_whole(key).unwrap_or_else(|| match self.absent(key) {
            (_, Absent::Whole(default)) => default,
            (Some(Kind::Whole(lo, _)), _) => lo,
            _ => 0,
        })
    }

    /// A switch that may be absent.
    pub(crate) fn maybe_switch(&self, key: &str) -> Option<bool> {
        self.value(key).and_then(DeValue::as_bool)
    }

    /// A switch.
    pub(crate) fn switch(&self, key: &str) -> bool {
        let default = matches!(self.absent(key).1, Absent::Switch(true));
        self.maybe_switch(key).unwrap_or(default)
    }

    /// Text that may be absent.
    pub(crate) fn maybe_text(&self, key: &str) -> Option<&'t str> {
        self.value(key).and_then(DeValue::as_str)
    }

    /// Text, or the default word.
    pub(crate) fn text(&self, key: &str) -> &'t str {
        self.maybe_text(key).unwrap_or(match self.absent(key).1 {
            Absent::Word(word) => word,
            _ => "",
        })
    }

    /// A name.
    pub(crate) fn name(&self, key: &str) -> Name {
        Name::new(self.text(key)).unwrap_or_default()
    }

    /// A time step that may be absent.
    pub(crate) fn maybe_step(&self, key: &str) -> Option<TimeStep> {
        self.maybe_text(key).and_then(|text| step_of(text).ok())
    }

    /// A pair that may be absent.
    pub(crate) fn maybe_pair(&self, key: &str) -> Option<[f32; 2]> {
        self.value(key).and_then(pair_of).map(|pair| pair.map(|x| x as f32))
    }

    /// A pair.
    pub(crate) fn pair(&self, key: &str) -> [f32; 2] {
        self.maybe_pair(key).unwrap_or(match self.absent(key).1 {
            Absent::Pair(pair) => pair,
            _ => [0.0; 2],
        })
    }

    /// A point.
    pub(crate) fn point(&self, key: &str) -> Vec2 {
        let [x, y] = self.pair(key);
        Vec2::new(x, y)
    }

    /// A list of pairs.
    pub(crate) fn pairs(&self, key: &str) -> Vec<[f32; 2]> {
        let items = self.value(key).and_then(DeValue::as_array);
        let pairs = items.into_iter().flat_map(|items| items.iter());
        pairs.filter_map(|i| pair_of(i.get_ref())).map(|p| p.map(|x| x as f32)).collect()
    }

    /// A list of points.
    pub(crate) fn points(&self, key: &str) -> Vec<Vec2> {
        self.pairs(key).into_iter().map(|[x, y]| Vec2::new(x, y)).collect()
    }

    /// A list of words with their places.
    pub(crate) fn words(&self, key: &str) -> Vec<(&'t str, Range<usize>)> {
        let items = self.value(key).and_then(DeValue::as_array);
        let items = items.into_iter().flat_map(|items| items.iter());
        items.filter_map(|i| Some((i.get_ref().as_str()?, i.span()))).collect()
    }

    fn under(
        &self,
        value: &'t Spanned<DeValue<'t>>,
        schema: &'static Table,
        path: String,
    ) -> Option<Self> {
        let table = value.get_ref().as_table()?;
        Some(Self { doc: self.doc, table, schema, span: value.span(), path })
    }

    fn typed(
        &self,
        value: &'t Spanned<DeValue<'t>>,
        union: &'static Union,
        path: String,
    ) -> Option<Self> {
        let chosen = value.get_ref().as_table()?.get(TYPE)?.get_ref().as_str()?;
        self.under(value, union.types.iter().find(|t| t.name == chosen)?, path)
    }

    /// A table that may be absent.
    pub(crate) fn table(&self, key: &str) -> Option<Self> {
        let value = self.entry(key)?;
        let path = self.path_of(key);
        match self.schema.key(key)?.kind {
            Kind::Table(schema)
            | Kind::Source(schema)
            | Kind::Named(schema)
            | Kind::Seeds(schema) => self.under(value, schema, path),
            Kind::Union(union) => self.typed(value, union, path),
            _ => None,
        }
    }

    /// A list of tables; those without a valid type are left out, their faults are reported.
    pub(crate) fn tables(&self, key: &str) -> Vec<Self> {
        let items = self.value(key).and_then(DeValue::as_array);
        let items = items.into_iter().flat_map(|items| items.iter()).enumerate();
        let kind = self.schema.key(key).map(|key| key.kind);
        let open = |(i, item): (usize, &'t Spanned<DeValue<'t>>)| {
            let path = format!("{}[{i}]", self.path_of(key));
            match kind? {
                Kind::Tables(schema) => self.under(item, schema, path),
                Kind::Unions(union) => self.typed(item, union, path),
                _ => None,
            }
        };
        items.filter_map(open).collect()
    }

    /// Type of a table of a union.
    pub(crate) fn chosen(&self) -> &'static str {
        self.schema.name
    }
}

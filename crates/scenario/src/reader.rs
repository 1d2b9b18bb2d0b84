//! Reading TOML tables by their declarations.
//!
//! The whole document is validated against its schema first; after that every access yields a
//! value, the declared default, or, where a fault was reported already, a harmless stand-in.

use core::ops::Range;

use toml::de::{DeTable, DeValue};
use tropism_core::{Name, TimeStep};
use tropism_world::Vec2;

use crate::error::{Fault, Faults, place, suggest};
use crate::schema::{Absent, Kind, TYPE, Table, Union};
use crate::source::Origin;
use crate::validate::{self, shown};

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
    /// Reports what is wrong at a key, unless something was reported there before.
    pub(crate) fn fault(
        &self,
        span: &Range<usize>,
        key: &str,
        what: impl Into<String>,
        right: impl Into<String>,
    ) {
        if !self.faults.silence(key.to_owned()) && !key.is_empty() {
            return;
        }
        if self.faults.is_full() {
            self.faults.count_more();
            return;
        }
        let (line, column) = place(self.text, span);
        self.faults.push(Fault {
            file: self.label.to_owned(),
            line,
            column,
            key: key.to_owned(),
            what: what.into(),
            right: right.into(),
            named_by: Vec::new(),
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

pub(crate) fn join(path: &str, key: &str) -> String {
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

pub(crate) fn whole_of(value: &DeValue<'_>) -> Option<i128> {
    let DeValue::Integer(integer) = value else {
        return None;
    };
    i128::from_str_radix(&integer.as_str().replace('_', ""), integer.radix()).ok()
}

/// A fraction of a second such as `1/20`.
pub(crate) fn step_of(text: &str) -> Result<TimeStep, String> {
    let (numerator, denominator) = text.split_once('/').ok_or("it has no `/`")?;
    let part = |t: &str| t.trim().parse().map_err(|_refused| "its parts are no whole numbers");
    TimeStep::new(part(numerator)?, part(denominator)?).map_err(|refused| refused.to_string())
}

pub(crate) fn pair_of(value: &DeValue<'_>) -> Option<[f64; 2]> {
    match value.as_array()?.as_ref() {
        [a, b] => Some([number_of(a.get_ref())?, number_of(b.get_ref())?]),
        _ => None,
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
        validate::table(&doc, table, &span, schema, &path);
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
        let shown = shown(word);
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

//! Validation of a whole document against its declarations.
//!
//! What it does not do: it yields no values; rules between keys are checked where the values are
//! put together.

use core::ops::Range;

use toml::de::{DeTable, DeValue};
use tropism_core::Name;

use crate::error::{nearest, suggest};
use crate::reader::{Doc, join, number_of, pair_of, step_of, whole_of};
use crate::schema::{Absent, Key, Kind, TYPE, Table, Union};

type Spanned<T> = toml::Spanned<T>;

/// Reports everything in a table that is not as declared.
pub(crate) fn table(
    doc: &Doc<'_>,
    table: &DeTable<'_>,
    span: &Range<usize>,
    schema: &Table,
    path: &str,
) {
    Validator { doc }.table(table, span, schema, path);
}

/// Longest piece of a document that is repeated in a message, characters.
const SHOWN_MAX: usize = 40;

/// What was found instead.
fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("{:?}", shown(text)),
        DeValue::Integer(integer) => integer.as_str().to_owned(),
        DeValue::Float(float) => float.as_str().to_owned(),
        DeValue::Boolean(is_on) => is_on.to_string(),
        DeValue::Datetime(_) => String::from("a date or time"),
        DeValue::Array(items) if items.len() <= 3 => {
            let items: Vec<String> = items.iter().map(|item| found(item.get_ref())).collect();
            format!("[{}]", items.join(", "))
        }
        DeValue::Array(items) => format!("a list of {}", items.len()),
        DeValue::Table(_) => String::from("a table"),
    }
}

/// The beginning of a text, for messages.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(SHOWN_MAX).collect()
}

fn is_within(number: f64, lo: f32, hi: f32) -> bool {
    // The single-precision number counts, so that a bound written in decimal is allowed.
    (lo..=hi).contains(&(number as f32))
}

/// Checks every item of a list; false when it is none.
fn tables(
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

/// Checks a table; false when it is none.
fn nested(value: &Spanned<DeValue<'_>>, check: impl Fn(&DeTable<'_>, &Range<usize>)) -> bool {
    let table = value.get_ref().as_table();
    if let Some(table) = table {
        check(table, &value.span());
    }
    table.is_some()
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
        // A misspelt key is one fault, not also a missing one.
        let mut meant: Vec<&str> = Vec::new();
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
                let what = format!("unknown key `{}`", shown(word).escape_debug());
                self.doc.fault(&name.span(), &path, what, suggest(word, &names));
                meant.extend(nearest(word, names.into_iter()));
            }
        }
        for key in schema.keys {
            let is_there = table.contains_key(key.name) || meant.contains(&key.name);
            if meant.contains(&key.name) {
                self.doc.faults.silence(join(path, key.name));
            }
            if matches!(key.absent, Absent::Refused) && !is_there {
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
        if let Some(schema) = union.types.iter().find(|t| t.name == text) {
            self.keys(table, span, schema, path, Some(TYPE));
        } else {
            let what = format!("unknown type of {}: {}", union.name, found(chosen.get_ref()));
            self.doc.fault(&chosen.span(), &join(path, TYPE), what, suggest(text, &names));
        }
    }

    fn value(&self, key: &Key, value: &Spanned<DeValue<'_>>, path: &str) {
        let is_fine = match key.kind {
            Kind::Table(schema) => nested(value, |table, span| {
                self.table(table, span, schema, path);
            }),
            Kind::Source(schema) | Kind::Named(schema) | Kind::Seeds(schema)
                if value.get_ref().is_table() =>
            {
                nested(value, |table, span| self.table(table, span, schema, path))
            }
            Kind::Union(union) => nested(value, |table, span| {
                self.union(table, span, union, path);
            }),
            Kind::Tables(schema) => tables(value, path, |item, path| {
                let is_table = nested(item, |table, span| {
                    self.table(table, span, schema, path);
                });
                self.refuse_unless(is_table, key, item, path);
            }),
            Kind::Unions(union) => tables(value, path, |item, path| {
                let is_table = nested(item, |table, span| {
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
            Kind::Files => {
                v.as_table().is_some_and(|files| files.values().all(|text| text.get_ref().is_str()))
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

//! A strict walk over a TOML table that keeps places.

use crate::diagnostic::{Mark, Reporter, Text, suggestion};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One table of the document.
pub(super) struct Walker<'w> {
    source: &'w str,
    reporter: &'w mut Reporter,
    table: &'w DeTable<'w>,
    path: String,
    mark: Mark,
}

impl<'w> Walker<'w> {
    pub(super) fn new(source: &'w str, reporter: &'w mut Reporter, table: &'w DeTable<'w>) -> Self {
        Self { source, reporter, table, path: String::new(), mark: Mark(Some(0)) }
    }

    fn inner<'i>(&'i mut self, key: &str, table: &'i DeTable<'i>, at: usize) -> Walker<'i> {
        let path = self.join(key);
        Walker { source: self.source, reporter: self.reporter, table, path, mark: Mark(Some(at)) }
    }

    fn join(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    pub(super) fn error(&mut self, mark: Mark, key: &str, reason: String) {
        let path = self.join(key);
        self.reporter.error(mark, &path, reason);
    }

    /// Refuses every key that is not in the list.
    pub(super) fn keys(&mut self, allowed: &[&str]) {
        let table = self.table;
        for (key, _) in table {
            let name: &str = key.get_ref();
            if !allowed.contains(&name) {
                let hint = suggestion(name, allowed.iter().copied());
                let reason = if hint.is_empty() {
                    format!("unknown key `{name}`; known are {}", allowed.join(", "))
                } else {
                    format!("unknown key `{name}`{hint}")
                };
                self.error(Mark(Some(key.span().start)), name, reason);
            }
        }
    }

    fn get(&self, key: &str) -> Option<&'w Spanned<DeValue<'w>>> {
        self.table.get(key)
    }

    /// Keys in the order of the text.
    fn ordered(&self) -> Vec<(&'w str, usize, &'w Spanned<DeValue<'w>>)> {
        let mut entries: Vec<_> =
            self.table.iter().map(|(k, v)| (k.get_ref().as_ref(), k.span().start, v)).collect();
        entries.sort_by_key(|(_, at, _)| *at);
        entries
    }

    fn missing(&mut self, key: &str) {
        let mark = self.mark;
        self.error(mark, key, format!("`{key}` is missing"));
    }

    /// A value as text: a string, or a number as written.
    fn as_text(&self, value: &Spanned<DeValue<'_>>) -> Option<Text> {
        let span = value.span();
        match value.get_ref() {
            DeValue::String(text) => {
                let raw = self.source.get(span.clone()).unwrap_or("");
                let quotes =
                    if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
                let newline = raw.get(quotes..).map_or(0, |rest| {
                    if quotes == 3 && rest.starts_with("\r\n") {
                        2
                    } else {
                        usize::from(quotes == 3 && rest.starts_with('\n'))
                    }
                });
                let mark = Mark(Some(span.start + quotes + newline));
                Some(Text { text: text.to_string(), mark })
            }
            DeValue::Integer(_) | DeValue::Float(_) => {
                let text = self.source.get(span.clone())?.replace('_', "");
                Some(Text { text, mark: Mark(Some(span.start)) })
            }
            _ => None,
        }
    }

    pub(super) fn text(&mut self, key: &str) -> Option<Text> {
        let value = self.get(key)?;
        let text = self.as_text(value);
        if text.is_none() {
            let at = Mark(Some(value.span().start));
            self.error(at, key, format!("`{key}` should be a text or a number"));
        }
        text
    }

    pub(super) fn need_text(&mut self, key: &str) -> Text {
        if self.get(key).is_none() {
            self.missing(key);
        }
        self.text(key).unwrap_or_default()
    }

    pub(super) fn text_or(&mut self, key: &str, default: &str) -> Text {
        self.text(key).unwrap_or_else(|| super::default_text(default))
    }

    pub(super) fn about(&mut self, key: &str) -> String {
        self.text(key).map(|t| t.text).unwrap_or_default()
    }

    pub(super) fn truth(&mut self, key: &str) -> bool {
        match self.get(key) {
            None => false,
            Some(value) => {
                if let DeValue::Boolean(is_true) = value.get_ref() {
                    return *is_true;
                }
                let at = Mark(Some(value.span().start));
                self.error(at, key, format!("`{key}` should be true or false"));
                false
            }
        }
    }

    /// A whole number from 1 to 4096.
    pub(super) fn whole(&mut self, key: &str) -> Option<u16> {
        let text = self.text(key)?;
        let number = text.text.parse::<u16>().ok().filter(|n| (1..=4096).contains(n));
        if number.is_none() {
            self.error(text.mark, key, format!("`{key}` should be a whole number from 1 to 4096"));
        }
        number
    }

    pub(super) fn choice<T: Copy>(&mut self, key: &str, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(key)?;
        let found = choices.iter().find(|(name, _)| *name == text.text).map(|(_, value)| *value);
        if found.is_none() {
            let names: Vec<_> = choices.iter().map(|(name, _)| *name).collect();
            let hint = suggestion(&text.text, names.iter().copied());
            let reason = format!("`{}` is none of {}{hint}", text.text, names.join(", "));
            self.error(text.mark, key, reason);
        }
        found
    }

    pub(super) fn texts(&mut self, key: &str) -> Option<Vec<Text>> {
        let value = self.get(key)?;
        let list = match value.get_ref() {
            DeValue::Array(items) => {
                items.iter().map(|i| self.as_text(i)).collect::<Option<Vec<_>>>()
            }
            _ => None,
        };
        if list.is_none() {
            let at = Mark(Some(value.span().start));
            self.error(at, key, format!("`{key}` should be a list of numbers or texts"));
        }
        list
    }

    /// A pair [low, high].
    pub(super) fn pair(&mut self, key: &str) -> Option<(Text, Text)> {
        let list = self.texts(key)?;
        let at = self.get(key).map(|v| v.span().start);
        let Ok([low, high]) = <[Text; 2]>::try_from(list) else {
            self.error(Mark(at), key, format!("`{key}` should be [low, high]"));
            return None;
        };
        Some((low, high))
    }

    /// Lists of names.
    pub(super) fn groups(&mut self, key: &str) -> Vec<Vec<Text>> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let groups = match value.get_ref() {
            DeValue::Array(items) => items
                .iter()
                .map(|group| match group.get_ref() {
                    DeValue::Array(names) => names.iter().map(|n| self.as_text(n)).collect(),
                    _ => None,
                })
                .collect::<Option<Vec<Vec<Text>>>>(),
            _ => None,
        };
        if groups.is_none() {
            let at = Mark(Some(value.span().start));
            self.error(at, key, format!("`{key}` should be a list of lists of names"));
        }
        groups.unwrap_or_default()
    }

    pub(super) fn is_text(&self, key: &str) -> bool {
        matches!(self.get(key).map(Spanned::get_ref), Some(DeValue::String(_)))
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    pub(super) fn table(&mut self, key: &str) -> Option<Walker<'_>> {
        let value = self.get(key)?;
        let at = value.span().start;
        if let DeValue::Table(table) = value.get_ref() {
            return Some(self.inner(key, table, at));
        }
        self.error(Mark(Some(at)), key, format!("`{key}` should be a table"));
        None
    }

    pub(super) fn need_table(&mut self, key: &str) -> Option<Walker<'_>> {
        if !self.has(key) {
            self.missing(key);
        }
        self.table(key)
    }

    /// Every entry of a table of tables; a bare text or number stands for `{ value = … }`.
    pub(super) fn named<T>(&mut self, key: &str, read: impl Fn(Text, Entry<'_>) -> T) -> Vec<T> {
        let Some(walker) = self.table(key) else { return Vec::new() };
        let mut found = Vec::new();
        for (name, at, value) in walker.ordered() {
            let name = Text { text: name.to_owned(), mark: Mark(Some(at)) };
            if let Some(text) = walker.as_text(value) {
                found.push(read(name, Entry::Bare(text)));
                continue;
            }
            if let DeValue::Table(table) = value.get_ref() {
                let path = walker.join(&name.text);
                let inner = Walker {
                    source: walker.source,
                    reporter: &mut *walker.reporter,
                    table,
                    path,
                    mark: Mark(Some(at)),
                };
                found.push(read(name, Entry::Table(inner)));
                continue;
            }
            let path = walker.join(&name.text);
            let reason = "a text, a number or a table expected".to_owned();
            walker.reporter.error(name.mark, &path, reason);
        }
        found
    }

    /// Every table of an array of tables.
    pub(super) fn list<T>(&mut self, key: &str, read: impl Fn(&mut Walker<'_>) -> T) -> Vec<T> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let DeValue::Array(items) = value.get_ref() else {
            let at = Mark(Some(value.span().start));
            self.error(at, key, format!("write [[{key}]], one block for each"));
            return Vec::new();
        };
        let mut found = Vec::new();
        for item in items {
            let at = item.span().start;
            if let DeValue::Table(table) = item.get_ref() {
                found.push(read(&mut self.inner(key, table, at)));
            } else {
                self.error(Mark(Some(at)), key, format!("write [[{key}]], one block for each"));
            }
        }
        found
    }
}

/// An entry of a table of named things.
pub(super) enum Entry<'w> {
    Bare(Text),
    Table(Walker<'w>),
}

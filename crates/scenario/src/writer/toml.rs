//! Values of TOML as text.

use core::fmt::{Display, Write as _};

use tropism_world::Vec2;

/// A number that is read back to the bit.
pub(crate) fn number(x: f32) -> String {
    let short = format!("{x:?}");
    // Files are read in double precision: the shortest text of a single is nearly always enough.
    let is_same = short.parse::<f64>().is_ok_and(|read| (read as f32).to_bits() == x.to_bits());
    if is_same { short } else { format!("{:?}", f64::from(x)) }
}

/// A point.
pub(crate) fn pair(v: Vec2) -> String {
    format!("[{}, {}]", number(v.x), number(v.y))
}

/// A list of points.
pub(crate) fn pairs(points: &[Vec2]) -> String {
    let points: Vec<String> = points.iter().map(|p| pair(*p)).collect();
    format!("[{}]", points.join(", "))
}

/// Text in quotes.
pub(crate) fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Text over several lines, as it is where TOML allows it.
pub(crate) fn lines(plain: &str) -> String {
    let is_plain = |c: char| !c.is_control() || c == '\n' || c == '\t';
    if plain.contains("'''") || plain.ends_with('\'') || !plain.chars().all(is_plain) {
        return text(plain);
    }
    // The line break after the quotes is no part of the text.
    format!("'''\n{plain}'''")
}

/// A key on a line of its own.
pub(crate) fn line(out: &mut String, key: &str, value: &str) {
    let _ = writeln!(out, "{key} = {value}");
}

/// A list with one item per line; an empty one is left out.
pub(crate) fn list<T>(out: &mut String, key: &str, items: &[T], row: impl Fn(&T) -> String) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "{key} = [");
    for item in items {
        let _ = writeln!(out, "    {},", row(item));
    }
    out.push_str("]\n");
}

/// A table on one line.
#[derive(Debug, Default)]
pub(crate) struct Row(String);

impl Row {
    /// A table of this type.
    pub(crate) fn of_type(name: &str) -> Self {
        Self::default().with("type", text(name))
    }

    /// With one more key.
    #[must_use]
    pub(crate) fn with(mut self, key: &str, value: impl Display) -> Self {
        if !self.0.is_empty() {
            self.0.push_str(", ");
        }
        let _ = write!(self.0, "{key} = {value}");
        self
    }

    /// The table.
    pub(crate) fn done(self) -> String {
        if self.0.is_empty() { String::from("{}") } else { format!("{{ {} }}", self.0) }
    }
}

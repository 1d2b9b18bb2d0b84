//! Named constants.

use super::Compiler;
use crate::diagnostic::Text;
use crate::spec::ParameterValue;
use crate::symbol::Symbol;
use crate::unit::{self, Unit};

impl Compiler<'_> {
    /// Evaluates the parameters in their order; each may use those before it.
    pub(super) fn parameters(&mut self) {
        for parameter in &self.spec.parameters {
            let name = &parameter.name.text;
            let path = format!("parameter.{name}");
            self.check_name(&parameter.name, &path);
            if self.parameters.contains_key(name) {
                self.error(parameter.name.mark, &path, format!("`{name}` is declared twice"));
            }
            let unit = match unit::parse(&parameter.unit.text) {
                Ok(unit) => unit,
                Err(reason) => {
                    self.error(parameter.unit.mark, &path, reason);
                    continue;
                }
            };
            let symbol = match &parameter.value {
                ParameterValue::One(text) => self
                    .scaled(text, &path, unit)
                    .map(|value| Symbol::Constant(value, unit.dimension)),
                ParameterValue::Many(texts) => {
                    let values = texts.iter().map(|t| self.scaled(t, &path, unit));
                    let values: Vec<Option<f64>> = values.collect();
                    values
                        .into_iter()
                        .collect::<Option<Vec<_>>>()
                        .map(|v| Symbol::List(v, unit.dimension))
                }
                ParameterValue::Even(from, to, count) => {
                    let ends = (self.scaled(from, &path, unit), self.scaled(to, &path, unit));
                    let gaps = f64::from((*count).max(2) - 1);
                    let between = |(a, b): (f64, f64)| {
                        (0..*count).map(|i| a + (b - a) * f64::from(i) / gaps).collect()
                    };
                    ends.0.zip(ends.1).map(|e| Symbol::List(between(e), unit.dimension))
                }
            };
            if let (Some(Symbol::Constant(value, _)), Some(range)) = (&symbol, &parameter.range) {
                self.check_range(*value, range, &path, unit);
            }
            if let Some(symbol) = symbol {
                self.parameters.insert(name.clone(), symbol);
            }
        }
    }

    /// A constant whose bare numbers are in the parameter's unit.
    fn scaled(&mut self, text: &Text, path: &str, unit: Unit) -> Option<f64> {
        // A bare number has no unit symbol behind it and reads no name.
        let is_bare = text.text.trim().parse::<f64>().is_ok();
        let value = self.constant(text, path, unit.dimension)?;
        Some(if is_bare { value * unit.scale } else { value })
    }

    fn check_range(&mut self, value: f64, range: &(Text, Text), path: &str, unit: Unit) {
        let ends = (self.scaled(&range.0, path, unit), self.scaled(&range.1, path, unit));
        if let (Some(low), Some(high)) = ends
            && !(low..=high).contains(&value)
        {
            let reason = format!("{value} is outside {} to {}", range.0, range.1);
            self.error(range.0.mark, path, reason);
        }
    }

    /// A name is a letter, then letters, digits and `_`, and none of the words with a meaning.
    pub(super) fn check_name(&mut self, name: &Text, path: &str) {
        let mut letters = name.text.chars();
        let starts_well = letters.next().is_some_and(|c| c.is_ascii_alphabetic());
        let is_word = starts_well && letters.all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_taken = matches!(name.text.as_str(), "up" | "below" | "alpha" | "k" | "pi" | "in");
        if name.text.is_empty() {
            self.error(name.mark, path, "a name is missing".to_owned());
        } else if is_taken {
            self.error(name.mark, path, format!("`{name}` has a meaning of its own here"));
        } else if !is_word {
            let reason = format!("`{name}` is no name: a letter, then letters, digits or _");
            self.error(name.mark, path, reason);
        }
    }
}

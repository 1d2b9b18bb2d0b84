//! Every internal value of every tick as comma-separated values.
//!
//! Format: `t` and the values as the mind shows them, name and channel joined by an underscore;
//! channels are called as in the recording. Whole numbers are printed whole, others with nine
//! significant digits; a reading that cannot be trusted is an empty cell.

use core::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::Path;

use tropism_body::{BodySpec, Controller, Observer};
use tropism_ethology::table::{AtomicFile, FileError};
use tropism_organism::physiology::Need;
use tropism_organism::{Organism, reflex};

use super::alloc::collections::BTreeMap;
use super::binding::Binding;
use super::error::FeedError;
use super::limits::{Band, HIDDEN, Limits};

/// Collects the values of a tick.
#[derive(Debug, Default)]
struct Collector {
    /// Names and channels, only while the columns are not known yet.
    names: Option<Vec<(String, Option<String>)>>,
    values: Vec<f64>,
}

impl Observer for Collector {
    fn value(&mut self, name: &str, channel: Option<&str>, value: f64) {
        if let Some(names) = &mut self.names {
            names.push((name.into(), channel.map(Into::into)));
        }
        self.values.push(value);
    }
}

/// A streaming table of internal values that also checks their bands.
#[derive(Debug)]
pub struct Recorder {
    file: BufWriter<AtomicFile>,
    has_weights: bool,
    collector: Collector,
    columns: Vec<String>,
    bands: Vec<Band>,
    outside: Vec<(u64, u64)>,
    hidden: [u64; 3],
    limits: Limits,
    line: String,
}

impl Recorder {
    /// Opens the file and writes the header: the values that `organism` shows.
    ///
    /// # Errors
    /// [`FeedError`] when the file cannot be written or two columns would share a name.
    pub fn create(
        path: &Path,
        organism: &Organism,
        binding: &Binding,
        has_weights: bool,
    ) -> Result<Self, FeedError> {
        let mut collector = Collector { names: Some(Vec::new()), values: Vec::new() };
        observe(organism, has_weights, &mut collector);
        let mut names = collector.names.take().unwrap_or_default();
        if has_weights {
            let connections = weight_names(organism.body(), binding).into_iter();
            names.extend(connections.map(|connection| ("w".into(), Some(connection))));
        }
        let limits = Limits::new(organism);
        let bands = names.iter().map(|(n, c)| limits.band(n, c.as_deref())).collect();
        let labels = labels(organism.body(), binding);
        let columns: Vec<String> = names
            .iter()
            .map(|(name, channel)| match channel {
                None => name.clone(),
                Some(channel) => format!("{name}_{}", labels.get(channel).unwrap_or(channel)),
            })
            .collect();
        if let Some(twice) = columns.iter().enumerate().find(|c| columns[..c.0].contains(c.1)) {
            let problem = format!("two columns would be called `{}`", twice.1);
            return Err(FeedError::file(path, problem, "another channel name is needed"));
        }
        let mut recorder = Self {
            file: BufWriter::with_capacity(1 << 16, AtomicFile::create(path)?),
            has_weights,
            collector,
            outside: vec![(0, 0); columns.len()],
            columns,
            bands,
            hidden: [0; 3],
            limits,
            line: String::new(),
        };
        recorder.line = format!("t,{}\n", recorder.columns.join(","));
        recorder.flush_line()?;
        Ok(recorder)
    }

    /// Writes the values of the last tick.
    ///
    /// # Errors
    /// [`FeedError::Write`].
    pub fn record(&mut self, tick: u64, organism: &Organism) -> Result<(), FeedError> {
        self.collector.values.clear();
        observe(organism, self.has_weights, &mut self.collector);
        self.line.clear();
        let _ = write!(self.line, "{tick}");
        let checks = self.collector.values.iter().zip(&self.bands).zip(&mut self.outside);
        for ((value, band), outside) in checks {
            self.line.push(',');
            push_number(&mut self.line, *value);
            if !band.holds(*value) {
                if outside.0 == 0 {
                    outside.1 = tick;
                }
                outside.0 += 1;
            }
        }
        self.line.push('\n');
        for (sum, n) in self.hidden.iter_mut().zip(self.limits.hidden_violations(organism)) {
            *sum += n;
        }
        self.flush_line()
    }

    fn flush_line(&mut self) -> Result<(), FeedError> {
        let written = self.file.write_all(self.line.as_bytes());
        written.map_err(|source| {
            let path = self.file.get_ref().path().into();
            FeedError::Write(FileError { path, source })
        })
    }

    /// A value of the last tick by column.
    pub fn value(&self, column: usize) -> f64 {
        self.collector.values.get(column).copied().unwrap_or(f64::NAN)
    }

    /// Index of a column for [`Self::value`].
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// Number of values per tick.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// What left its band: name, number of times, first tick.
    pub fn violations(&self) -> Vec<(String, u64, Option<u64>)> {
        let shown = self.columns.iter().zip(&self.outside).filter(|c| c.1.0 > 0);
        let shown = shown.map(|(name, (n, first))| (name.clone(), *n, Some(*first)));
        let hidden = HIDDEN.into_iter().zip(self.hidden).filter(|h| h.1 > 0);
        shown.chain(hidden.map(|(name, n)| (name.into(), n, None))).collect()
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// [`FeedError::Write`].
    pub fn commit(self) -> Result<(), FeedError> {
        let path = self.file.get_ref().path().to_owned();
        let file = self
            .file
            .into_inner()
            .map_err(|error| FeedError::Write(FileError { path, source: error.into_error() }))?;
        Ok(file.commit()?)
    }
}

/// Channel names in the recording, by channel.
fn labels(body: &BodySpec, binding: &Binding) -> BTreeMap<String, String> {
    let sensors = body.sensors.iter().map(|s| s.name.as_str()).zip(&binding.sensor_labels);
    let actuators = body.actuators.iter().map(|a| a.name.as_str()).zip(&binding.actuator_labels);
    sensors.chain(actuators).map(|(name, label)| (name.into(), label.clone())).collect()
}

fn observe(organism: &Organism, has_weights: bool, observer: &mut Collector) {
    organism.observe(observer);
    observer.value("module", None, organism.controlling_module() as f64);
    if has_weights {
        weights(organism, &mut observer.values);
    }
}

/// `w_<context>_<input>_<output>` for every connection; the context `always` and the input `bias`
/// are on all the time.
fn weight_names(body: &BodySpec, binding: &Binding) -> Vec<String> {
    let contexts = core::iter::once("always").chain(Need::ALL.map(Need::name));
    let inputs: Vec<&str> =
        binding.sensor_labels.iter().map(String::as_str).chain(["bias"]).collect();
    let mut names = Vec::new();
    for context in contexts {
        for input in &inputs {
            for output in &binding.actuator_labels[..body.actuators.len()] {
                names.push(format!("{context}_{input}_{output}"));
            }
        }
    }
    names
}

fn weights(organism: &Organism, values: &mut Vec<f64>) {
    let reflex = &organism.state().reflex;
    for context in 0..reflex::CONTEXTS {
        for input in 0..reflex.inputs() {
            for output in 0..reflex.outputs() {
                values.push(f64::from(reflex.weight(context, input, output)));
            }
        }
    }
}

/// Appends a number: whole ones whole, others with nine significant digits in the shorter of
/// decimal and exponent notation, NaN as nothing.
fn push_number(text: &mut String, value: f64) {
    if value.is_nan() {
        return;
    }
    if value.fract() == 0.0 && value.abs() < 1e15 {
        let _ = write!(text, "{}", value as i64);
        return;
    }
    if value.is_infinite() {
        text.push_str(if value > 0.0 { "inf" } else { "-inf" });
        return;
    }
    let scientific = format!("{value:.8e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..9).contains(&exponent) {
        let digits = format!("{value:.*}", (8 - exponent) as usize);
        text.push_str(trimmed(&digits));
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(text, "{}e{sign}{:02}", trimmed(mantissa), exponent.abs());
    }
}

fn trimmed(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_numbers_look_like_those_of_the_recorded_tables() {
        for (value, text) in [
            (f64::from(0.8_f32), "0.800000012"),
            (f64::from(1e-6_f32), "9.99999997e-07"),
            (f64::from(5e-5_f32), "4.99999987e-05"),
            (-0.0, "0"),
            (-1.0, "-1"),
            (4_294_967_295.0, "4294967295"),
            (0.25, "0.25"),
            (-0.017_899_809_4, "-0.0178998094"),
            (123_456_789.5, "123456790"),
            (1.5e20, "1.5e+20"),
            (f64::NAN, ""),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            let mut out = String::new();
            push_number(&mut out, value);
            assert_eq!(out, text);
        }
    }
}

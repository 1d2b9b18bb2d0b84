//! Checking a specification and compiling it to the flat table.
//!
//! Stages: parameters, places for all names, percepts from the bottom up, behaviours, actuators,
//! then reachability and exclusion. Every stage reports what it finds and goes on, so that one run
//! shows all mistakes.
//!
//! What it does not do: it proves no stability of the closed loop, only of the actuator update.

mod actuators;
mod behaviours;
mod layout;
mod parameters;
mod percepts;
mod reach;

use crate::compiled::{Bound, Compiled, Names};
use crate::diagnostic::{Mark, Refused, Reporter, Severity, Text};
use crate::expr::{Expr, parse};
use crate::ir::{Ir, Pool};
use crate::lower::{self, lower};
use crate::spec::Spec;
use crate::symbol::{Kind, Scope, Symbol, Typed};
use crate::unit::{self, Dimension};
use alloc::collections::BTreeSet;
use layout::Layout;
use tropism_core::TimeStep;
use tropism_dynamics::{Header, Integrator, Phase, Source, Table};

/// What may be changed from outside the specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Another period of layer 0.
    pub step: Option<TimeStep>,
    /// Another factor for the layers that do not say their own.
    pub factor: Option<u16>,
    /// Another phase.
    pub phase: Option<Phase>,
    /// Another integrator.
    pub integrator: Option<Integrator>,
    /// Run a paper-mode network although its update can diverge.
    pub may_be_unstable: bool,
    /// Refuse what is only a warning.
    pub are_warnings_errors: bool,
}

/// Checks and compiles.
///
/// # Errors
/// [`Refused`] with all findings when at least one is an error.
pub fn compile(spec: &Spec, file: &str, text: &str, options: Options) -> Result<Compiled, Refused> {
    let mut spec = spec.clone();
    spec.step = options.step.unwrap_or(spec.step);
    spec.factor = options.factor.unwrap_or(spec.factor);
    spec.phase = options.phase.unwrap_or(spec.phase);
    spec.integrator = options.integrator.unwrap_or(spec.integrator);
    let mut compiler = Compiler {
        reporter: Reporter::new(file, text),
        options,
        pool: Pool::default(),
        parameters: Scope::new(),
        used: BTreeSet::new(),
        layout: Layout::default(),
        records: Records::default(),
        bounds: Vec::new(),
        reach: reach::Reach::default(),
        spec: &spec,
    };
    compiler.run();
    compiler.finish()
}

/// Reads and compiles a text.
///
/// # Errors
/// [`Refused`] with all findings of the first stage that refused it.
pub fn compile_text(file: &str, text: &str, options: Options) -> Result<Compiled, Refused> {
    compile(&crate::read(file, text)?, file, text, options)
}

/// Record words by kind.
#[derive(Clone, Debug, Default)]
struct Records {
    layers: Vec<u16>,
    readings: Vec<u16>,
    percepts: Vec<u16>,
    behaviours: Vec<u16>,
    users: Vec<u16>,
    targets: Vec<u16>,
    actuators: Vec<u16>,
    needs: Vec<u16>,
}

struct Compiler<'s> {
    spec: &'s Spec,
    options: Options,
    reporter: Reporter,
    pool: Pool,
    parameters: Scope,
    used: BTreeSet<String>,
    layout: Layout,
    records: Records,
    bounds: Vec<Bound>,
    reach: reach::Reach,
}

impl Compiler<'_> {
    fn run(&mut self) {
        self.parameters();
        self.lay_out();
        self.readings();
        for layer in 0..self.spec.layers.len() {
            self.percepts(layer);
        }
        self.activations();
        self.actuators();
        self.check_reach();
        self.check_exclusive();
        self.layer_records();
        self.check_unused();
    }

    fn error(&mut self, mark: Mark, path: &str, reason: String) {
        self.reporter.error(mark, path, reason);
    }

    /// Parses and resolves an expression; reports and gives `None` when that fails.
    fn lowered(
        &mut self,
        text: &Text,
        path: &str,
        names: lower::Names<'_>,
        index: Option<u16>,
    ) -> Option<Typed> {
        let expr = self.parsed(text, path)?;
        match lower(&expr, names, index) {
            Ok(typed) => Some(typed),
            Err(mistake) => {
                self.error(text.mark.plus(mistake.at), path, mistake.reason);
                None
            }
        }
    }

    fn parsed(&mut self, text: &Text, path: &str) -> Option<Expr> {
        match parse(&text.text) {
            Ok(expr) => {
                expr.names(&mut |name, _| {
                    self.used.insert(name.to_owned());
                });
                note_lists(&expr, &mut self.used);
                Some(expr)
            }
            Err(error) => {
                self.error(text.mark.plus(error.at), path, error.reason);
                None
            }
        }
    }

    /// A constant over numbers and parameters, in the unit of the place it stands at.
    fn constant(&mut self, text: &Text, path: &str, unit: Dimension) -> Option<f64> {
        let none = Scope::new();
        let parameters = core::mem::take(&mut self.parameters);
        let names = lower::Names { scope: &parameters, previous: &none };
        let typed = self.lowered(text, path, names, None);
        self.parameters = parameters;
        let typed = typed?;
        self.fits(text.mark, path, &typed, unit, false)?;
        match typed.ir {
            Ir::Const(value) if value.is_finite() => Some(value),
            _ => {
                self.error(text.mark, path, "a finite constant is expected here".to_owned());
                None
            }
        }
    }

    /// Checks unit and angle of a value against the place it goes to.
    fn fits(
        &mut self,
        mark: Mark,
        path: &str,
        typed: &Typed,
        unit: Dimension,
        is_angle: bool,
    ) -> Option<()> {
        if !typed.is_bare && typed.unit != unit {
            let reason = format!("this is in {}, but {unit} is needed here", typed.unit);
            self.error(mark, path, reason);
            return None;
        }
        let is_direction = matches!(typed.kind, Kind::Angle | Kind::Unwrapped);
        if is_direction && !is_angle {
            let reason = "a direction goes where a plain number is expected; give it type = \
                          \"angle\", or use wrap, sin or a product";
            self.error(mark, path, reason.to_owned());
            return None;
        }
        Some(())
    }

    /// Reads the unit of something; SI only, so that values in memory never need a factor.
    fn unit(&mut self, text: &Text, path: &str) -> Dimension {
        match unit::parse(&text.text) {
            Ok(unit) if unit.scale.to_bits() == 1.0_f64.to_bits() => unit.dimension,
            Ok(_) => {
                let reason = format!("`{text}` is not an SI unit; write m, s, rad, V, A or kg");
                self.error(text.mark, path, reason);
                Dimension::NONE
            }
            Err(reason) => {
                self.error(text.mark, path, reason);
                Dimension::NONE
            }
        }
    }

    /// A range of constants, in order.
    fn range(
        &mut self,
        range: Option<&(Text, Text)>,
        path: &str,
        unit: Dimension,
    ) -> Option<(f64, f64)> {
        let (low, high) = range?;
        let path = format!("{path}.range");
        let (low_value, high_value) =
            (self.constant(low, &path, unit)?, self.constant(high, &path, unit)?);
        if low_value >= high_value {
            let reason = format!("the lower limit {low} is not below the upper limit {high}");
            self.error(low.mark, &path, reason);
            return None;
        }
        Some((low_value, high_value))
    }

    /// Seconds of a layer's period.
    fn seconds(&self, layer: usize) -> f64 {
        let step = self.spec.step;
        f64::from(step.numerator()) / f64::from(step.denominator())
            * f64::from(self.spec.period(layer))
    }

    /// Ticks of layer 0 in a time, rounded up.
    fn ticks(&mut self, text: &Text, path: &str) -> u16 {
        let seconds = self.constant(text, path, Dimension::TIME).unwrap_or(0.0);
        let ticks = self.spec.step.ticks_in(seconds);
        u16::try_from(ticks).unwrap_or_else(|_| {
            self.error(text.mark, path, format!("{text} is longer than 65535 ticks"));
            u16::MAX
        })
    }

    fn source(&mut self, ir: &Ir) -> (u16, u16) {
        match self.pool.source(ir) {
            Source::Slot(slot) => (0, slot),
            Source::Code(start) => (1, start),
        }
    }

    fn layer_records(&mut self) {
        for (index, layer) in self.spec.layers.iter().enumerate() {
            let places = &self.layout.layers[index];
            let factor = if index == 0 { 1 } else { layer.factor.unwrap_or(self.spec.factor) };
            let first_kept = self.records.needs.len() as u16;
            self.records.needs.extend(&places.kept);
            let record = tropism_dynamics::table::LayerRecord {
                factor,
                first_percept: places.first_percept,
                percepts: places.percept_count,
                first_behaviour: places.first_behaviour,
                behaviours: layer.behaviours.len() as u16,
                first_actuator: places.first_actuator,
                actuators: layer.actuators.len() as u16,
                first_kept,
                kept: places.kept.len() as u16,
            };
            self.records.layers.extend(record.to_words());
        }
        if self.spec.period(self.spec.layers.len().saturating_sub(1)) > 1 << 24 {
            let mark = self.spec.name.mark;
            self.error(mark, "layer", "the top layer's period is above 2^24 ticks".to_owned());
        }
    }

    fn check_unused(&mut self) {
        for parameter in &self.spec.parameters {
            if !self.used.contains(&parameter.name.text) {
                let path = format!("parameter.{}", parameter.name);
                let reason = "no expression reads it".to_owned();
                self.reporter.warn(parameter.name.mark, &path, reason);
            }
        }
    }

    fn finish(mut self) -> Result<Compiled, Refused> {
        let refuses_warnings = self.options.are_warnings_errors;
        let limit = if refuses_warnings { Severity::Warning } else { Severity::Error };
        if self.reporter.has(limit) {
            return Err(Refused(self.reporter.finish()));
        }
        let (header, records, image) = self.table();
        let code = self.pool.placed_code();
        if let Err(error) = Table::new(header, &records, &code, &image) {
            self.error(self.spec.name.mark, "", format!("too large for the runtime: {error}"));
            return Err(Refused(self.reporter.finish()));
        }
        let mut names = core::mem::take(&mut self.layout.names);
        self.place_names(&mut names);
        Ok(Compiled {
            header,
            records,
            code,
            image,
            names,
            bounds: self.bounds,
            findings: self.reporter.finish(),
            spec: self.spec.clone(),
        })
    }

    fn place_names(&self, names: &mut Names) {
        for list in [
            &mut names.readings,
            &mut names.modes,
            &mut names.percepts,
            &mut names.behaviours,
            &mut names.actuators,
        ] {
            for channel in list.iter_mut() {
                channel.slot = self.pool.place(channel.slot);
            }
        }
    }

    fn table(&self) -> (Header, Vec<u16>, Vec<f64>) {
        let layout = &self.layout;
        let names = &layout.names;
        let count = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
        let mut image = self.pool.constants.clone();
        image.extend(&layout.initial);
        let header = Header {
            step: self.spec.step,
            phase: self.spec.phase,
            integrator: self.spec.integrator,
            layers: count(self.spec.layers.len()),
            readings: count(names.readings.len()),
            modes: count(names.modes.len()),
            percepts: count(names.percepts.len()),
            behaviours: count(names.behaviours.len()),
            users: count(names.users.len()),
            targets: count(names.targets.len()),
            actuators: count(names.actuators.len()),
            needs: count(self.records.needs.len()),
            first_reading: self.pool.place(layout.first_reading),
            first_mode: self.pool.place(layout.first_mode),
            first_state: count(self.pool.constants.len()),
            scratch: self.pool.place(layout.scratch),
            slots: count(image.len()),
        };
        (header, self.placed_records(), image)
    }

    /// All record words with final slot numbers.
    fn placed_records(&self) -> Vec<u16> {
        use tropism_dynamics::table as t;
        // Which words of each record are slots, and which are sources (kind, then slot or start).
        let r = &self.records;
        let mut words = r.layers.clone();
        words.extend(self.placed(&r.readings, t::ReadingRecord::WORDS, &[2, 3, 5, 6], &[]));
        words.extend(self.placed(&r.percepts, t::PerceptRecord::WORDS, &[0, 4, 5], &[2]));
        words.extend(self.placed(&r.behaviours, t::BehaviourRecord::WORDS, &[0, 1], &[]));
        words.extend(self.placed(&r.users, t::UserRecord::WORDS, &[0], &[1]));
        words.extend(self.placed(&r.targets, t::TargetRecord::WORDS, &[1], &[2, 4]));
        words.extend(self.placed(&r.actuators, t::ActuatorRecord::WORDS, &[0, 2, 3, 6, 7], &[]));
        words.extend(&r.needs);
        words
    }

    fn placed(&self, words: &[u16], each: usize, slots: &[usize], sources: &[usize]) -> Vec<u16> {
        let mut words = words.to_vec();
        for record in words.chunks_mut(each) {
            for slot in slots {
                record[*slot] = self.pool.place(record[*slot]);
            }
            for kind in sources {
                if record[*kind] == 0 {
                    record[*kind + 1] = self.pool.place(record[*kind + 1]);
                }
            }
        }
        words
    }
}

/// Notes the lists that folds run over as used.
fn note_lists(expr: &Expr, used: &mut BTreeSet<String>) {
    use crate::expr::Node;
    match &expr.node {
        Node::Fold { list, body, .. } => {
            used.insert(list.clone());
            note_lists(body, used);
        }
        Node::Prefix(_, a) | Node::Index(_, a) => note_lists(a, used),
        Node::Infix(_, a, b) => {
            note_lists(a, used);
            note_lists(b, used);
        }
        Node::Call(_, list) => list.iter().for_each(|a| note_lists(a, used)),
        Node::Number(..) | Node::Name(_) => {}
    }
}

/// Adds symbols under a prefix.
fn add_prefixed(scope: &mut Scope, prefix: &str, symbols: &Scope) {
    for (name, symbol) in symbols {
        scope.insert(format!("{prefix}{name}"), symbol.clone());
    }
}

/// Symbols of all kinds in one scope.
fn merged(parts: &[&Scope]) -> Scope {
    let mut scope = Scope::new();
    for part in parts {
        scope.extend(part.iter().map(|(n, s): (&String, &Symbol)| (n.clone(), s.clone())));
    }
    scope
}

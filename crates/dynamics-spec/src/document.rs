//! Documentation of a network as one self-contained HTML page with its graph.

mod graph;

use crate::compiled::{Channel, Compiled};
use crate::spec::{Actuator, Missing, OnIdle, ParameterValue, PerceptValue, Reading, Select};
use core::fmt::Write as _;
use tropism_dynamics::{Integrator, Phase};

const STYLE: &str = "body{font:15px/1.45 system-ui,sans-serif;max-width:70rem;margin:2rem auto;\
padding:0 1rem;color:#222}table{border-collapse:collapse;margin:.6rem 0 1.4rem;width:100%}\
td,th{border:1px solid #ccc;padding:.25rem .5rem;text-align:left;vertical-align:top}\
th{background:#f2f2f2}code{font:13px ui-monospace,monospace}svg{width:100%;height:auto;\
border:1px solid #ddd}h2{margin-top:2rem}";

/// Replaces the characters that mean something in HTML.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The page.
///
/// # Determinism
/// A function of the compiled network alone; no date, no path.
pub fn html(compiled: &Compiled) -> String {
    let spec = &compiled.spec;
    let mut page = Page(String::new());
    let name = escape(&spec.name.text);
    page.line(&format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{name}</title>\
         <style>{STYLE}</style></head><body><h1>{name}</h1><p>{}</p>",
        escape(&spec.about)
    ));
    let integrator = match spec.integrator {
        Integrator::Paper => "paper (difference equations)",
        Integrator::Exact => "exact (exponential)",
    };
    let phase = if spec.phase == Phase::Ruler { "ruler" } else { "aligned" };
    let (n, d) = (spec.step.numerator(), spec.step.denominator());
    page.line(&format!(
        "<p>Period of layer 0: {n}/{d} s. Phase: {phase}. Integrator: {integrator}.</p>"
    ));
    page.line(&graph::svg(compiled));
    parameters(&mut page, compiled);
    for index in (0..spec.layers.len()).rev() {
        layer(&mut page, compiled, index);
    }
    bounds(&mut page, compiled);
    page.line("</body></html>");
    page.0
}

struct Page(String);

impl Page {
    fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }

    /// A table; cells are escaped, and those of the columns in `code` set as code.
    fn table(&mut self, heads: &[&str], code: &[usize], rows: &[Vec<String>]) {
        if rows.is_empty() {
            return;
        }
        self.0.push_str("<table><tr>");
        for head in heads {
            let _ = write!(self.0, "<th>{}</th>", escape(head));
        }
        self.0.push_str("</tr>\n");
        for row in rows {
            self.0.push_str("<tr>");
            for (column, cell) in row.iter().enumerate() {
                let cell = escape(cell).replace('\n', "<br>");
                let is_code = code.contains(&column) && !cell.is_empty();
                let cell = if is_code { format!("<code>{cell}</code>") } else { cell };
                let _ = write!(self.0, "<td>{cell}</td>");
            }
            self.0.push_str("</tr>\n");
        }
        self.0.push_str("</table>\n");
    }
}

fn parameters(page: &mut Page, compiled: &Compiled) {
    let spec = &compiled.spec;
    let modes = spec.modes.iter().map(|m| vec![m.name.text.clone(), m.about.clone()]);
    page.line("<h2>Modes and parameters</h2>");
    page.table(&["mode", "switched on by"], &[0], &modes.collect::<Vec<_>>());
    let rows = spec.parameters.iter().map(|p| {
        let value = match &p.value {
            ParameterValue::One(text) => text.text.clone(),
            ParameterValue::Many(list) => {
                list.iter().map(|t| t.text.as_str()).collect::<Vec<_>>().join(", ")
            }
            ParameterValue::Even(from, to, count) => format!("{count} from {from} to {to}"),
        };
        let range = p.range.as_ref().map_or(String::new(), |(a, b)| format!("{a} to {b}"));
        let unit = p.unit.text.clone();
        vec![p.name.text.clone(), value, unit, range, p.about.clone(), p.source.clone()]
    });
    let heads = ["parameter", "value", "unit", "range", "meaning", "source"];
    page.table(&heads, &[0, 1, 2], &rows.collect::<Vec<_>>());
}

fn layer(page: &mut Page, compiled: &Compiled, index: usize) {
    let layer = &compiled.spec.layers[index];
    let period = f64::from(compiled.spec.step.numerator())
        / f64::from(compiled.spec.step.denominator())
        * f64::from(compiled.spec.period(index));
    page.line(&format!("<h2>Layer {}: every {period} s</h2>", escape(&layer.name.text)));
    page.line(&format!("<p>{}</p>", escape(&layer.about)));
    let readings: Vec<_> = layer.readings.iter().map(reading_row).collect();
    let heads = ["reading", "device", "unit", "range", "when missing", "meaning"];
    page.table(&heads, &[0, 1, 2], &readings);
    let percepts = layer.percepts.iter().map(|p| {
        let value = match &p.value {
            PerceptValue::Expr(text) => text.text.clone(),
            PerceptValue::Mean { of, time } => format!("mean of {of} over {time}"),
        };
        let over = p.over.as_ref().map_or(String::new(), |o| format!("for each {o}"));
        let is_own =
            |c: &&Channel| c.layer == index && c.name.split('[').next() == Some(p.name.as_str());
        let unit = compiled.names.percepts.iter().find(is_own).map(|c| c.unit.clone());
        vec![p.name.text.clone(), value, over, unit.unwrap_or_default(), p.about.clone()]
    });
    page.table(
        &["percept", "value", "repeated", "unit", "meaning"],
        &[0, 1],
        &percepts.collect::<Vec<_>>(),
    );
    let behaviours = layer.behaviours.iter().map(|b| {
        let users = b.users.iter().map(|(u, t)| format!("{u}: {t}")).collect::<Vec<_>>();
        let targets = b.targets.iter().map(|t| {
            let word = if t.is_per_step { "tau" } else { "rate" };
            format!("{}: {} ({word} {})", t.actuator, t.goal, t.rate)
        });
        let targets = targets.collect::<Vec<_>>().join("\n");
        let kappa = b.kappa.text.clone();
        vec![b.name.text.clone(), b.about.clone(), kappa, users.join("\n"), targets]
    });
    let heads = ["behaviour", "what it does", "kappa", "users and T-terms", "targets"];
    page.table(&heads, &[0, 2, 3, 4], &behaviours.collect::<Vec<_>>());
    let actuators: Vec<_> = layer.actuators.iter().map(actuator_row).collect();
    let heads = ["actuator", "device", "unit", "range", "select", "when idle", "meaning"];
    page.table(&heads, &[0, 1, 2], &actuators);
}

fn reading_row(r: &Reading) -> Vec<String> {
    let name = r.count.map_or(r.name.text.clone(), |n| format!("{}[{n}]", r.name));
    let range = r.range.as_ref().map_or(String::new(), |(a, b)| format!("{a} to {b}"));
    let missing = match &r.missing {
        Missing::Hold => "holds".to_owned(),
        Missing::Default { after, value, time } => {
            format!("after {after} goes to {value} with time constant {time}")
        }
        Missing::Deactivate { after } => format!("after {after} deactivates what needs it"),
    };
    vec![name, r.hardware.text.clone(), r.unit.text.clone(), range, missing, r.about.clone()]
}

fn actuator_row(a: &Actuator) -> Vec<String> {
    let range = a.range.as_ref().map_or(String::new(), |(l, h)| format!("{l} to {h}"));
    let select = if a.select == Select::Max { "max" } else { "blend" };
    let idle = match &a.on_idle {
        OnIdle::Hold | OnIdle::Unset => "holds".to_owned(),
        OnIdle::Rest { target, rate } => format!("goes to {target} at rate {rate}"),
    };
    let device = a.hardware.as_ref().map_or(String::new(), |h| h.text.clone());
    let (name, unit, about) = (a.name.text.clone(), a.unit.text.clone(), a.about.clone());
    vec![name, device, unit, range, select.to_owned(), idle, about]
}

fn bounds(page: &mut Page, compiled: &Compiled) {
    page.line("<h2>How hard actuators can be pulled</h2>");
    page.line(
        "<p>W*dt by interval arithmetic. In paper mode the update overshoots above 1 and \
         diverges above 2; the exact update is stable at any value.</p>",
    );
    let rows = compiled.bounds.iter().map(|b| {
        let channel = &compiled.names.actuators[b.actuator];
        let layer = &compiled.names.layers[channel.layer];
        vec![format!("{layer}.{}", channel.name), format!("{:.3}", b.pull)]
    });
    page.table(&["actuator", "largest W*dt"], &[0], &rows.collect::<Vec<_>>());
    let findings = compiled.findings.iter().map(|d| vec![d.path.clone(), d.reason.clone()]);
    page.table(&["where", "finding"], &[0], &findings.collect::<Vec<_>>());
}

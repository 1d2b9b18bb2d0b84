//! Why an organism does what it does, in one line.

use core::fmt::Write as _;

use tropism_body::Controller as _;
use tropism_organism::code::direction;
use tropism_organism::reflex::CONTEXTS;
use tropism_organism::{MODULES, Need, Organism};

/// Name of a reflex context.
pub(crate) fn context_name(context: usize) -> &'static str {
    match context.checked_sub(1) {
        None => "always",
        Some(need) => Need::ALL.get(need).map_or("", |need| need.name()),
    }
}

/// The module that leads, and its largest contribution.
pub(crate) fn why(o: &Organism) -> String {
    let module = o.controlling_module();
    let mut line = String::from(MODULES.get(module).copied().unwrap_or_default());
    match module {
        1 => explore(o, &mut line),
        2 => reflex(o, &mut line),
        3 => recall(o, &mut line),
        _ => line.push_str(" leads: nothing asks for a twentieth of any actuator's range"),
    }
    if o.decision().keep < 0.995 {
        let _ = write!(line, "; rest leaves {:.0} %", 100.0 * o.decision().keep);
    }
    line
}

/// The actuator with the largest share of its span.
fn largest(o: &Organism, of: impl Fn(usize) -> f32) -> Option<(&str, f32)> {
    let actuators = o.body().actuators.iter().enumerate();
    let shares = actuators.map(|(j, spec)| (spec, of(j) / spec.span()));
    let most = shares.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    most.map(|(spec, share)| (spec.name.as_str(), share * spec.span()))
}

fn explore(o: &Organism, line: &mut String) {
    let d = o.decision();
    if let Some((name, value)) = largest(o, |j| d.explore[j] * d.keep) {
        let fuzz = o.state().physiology.fuzz;
        let _ = write!(line, " leads: noise gives {name} {value:+.2} (fuzz {fuzz:.2})");
    }
}

fn reflex(o: &Organism, line: &mut String) {
    let (r, keep) = (&o.state().reflex, o.decision().keep);
    let mut best = (0.0_f32, 0, 0, 0, 0.0);
    for context in 0..CONTEXTS {
        for input in 0..r.inputs() {
            for (output, spec) in o.body().actuators.iter().enumerate() {
                let value = r.gates[context] * r.weight(context, input, output) * r.x[input] * keep;
                let share = value.abs() / spec.span();
                if share > best.0 {
                    best = (share, context, input, output, value);
                }
            }
        }
    }
    let (_, context, input, output, value) = best;
    let from = o.body().sensors.get(input).map_or("constant", |s| s.name.as_str());
    let to = o.body().actuators.get(output).map_or("", |a| a.name.as_str());
    let context = context_name(context);
    let _ = write!(line, " leads: {from} gives {to} {value:+.2} (context {context})");
}

fn recall(o: &Organism, line: &mut String) {
    let d = o.decision();
    let Some(recall) = d.recall else { return };
    let channels = o.body().actuators.iter().enumerate();
    let parts = channels.filter_map(|(j, spec)| match direction(recall.action, j) {
        0 => None,
        up if up > 0 => Some(format!("{} up", spec.name)),
        _ => Some(format!("{} down", spec.name)),
    });
    let parts: Vec<String> = parts.collect();
    let confidence = 100.0 * recall.confidence;
    let _ = write!(line, " leads: {} helped before ({confidence:.0} % sure)", parts.join(", "));
}

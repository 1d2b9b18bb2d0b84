//! Reading a specification from TOML, strictly: an unknown key is an error.
//!
//! What it does not do: it checks form only. Names, units and dynamics are checked when the
//! specification is compiled.

mod parts;
mod walk;

use crate::diagnostic::{Diagnostic, Mark, Refused, Reporter, Severity, Text};
use crate::spec::Spec;
use tropism_core::TimeStep;
use tropism_dynamics::{Integrator, Phase};
use walk::Walker;

/// Reads the text of a specification.
///
/// # Errors
/// [`Refused`] with every finding: file, line, column, key, reason and the nearest valid key.
///
/// # Example
/// ```
/// let refused = tropism_dynamics_spec::read("x.toml", "[network]\nnmae = 'x'\n").unwrap_err();
/// assert!(refused.to_string().contains("x.toml:2:1"));
/// assert!(refused.to_string().contains("did you mean `name`?"));
/// ```
pub fn read(file: &str, text: &str) -> Result<Spec, Refused> {
    let mut reporter = Reporter::new(file, text);
    let document = match toml::de::DeTable::parse(text) {
        Ok(document) => document,
        Err(error) => {
            let at = error.span().map(|s| s.start);
            reporter.error(Mark(at), "", error.message().to_owned());
            return Err(Refused(reporter.finish()));
        }
    };
    let spec = {
        let mut walker = Walker::new(text, &mut reporter, document.get_ref());
        network(&mut walker)
    };
    let has_errors = reporter.has(Severity::Error);
    let found: Vec<Diagnostic> = reporter.finish();
    if has_errors { Err(Refused(found)) } else { Ok(spec) }
}

fn network(walker: &mut Walker<'_>) -> Spec {
    walker.keys(&["network", "mode", "parameter", "layer"]);
    let step = TimeStep::TWENTIETH;
    let mut spec = Spec::new("", step);
    if let Some(mut head) = walker.need_table("network") {
        head.keys(&["name", "about", "dt0", "factor", "phase", "integrator"]);
        spec.name = head.need_text("name");
        spec.about = head.text("about").map(|t| t.text).unwrap_or_default();
        let period = head.need_text("dt0");
        match time_step(&period.text) {
            Ok(step) => spec.step = step,
            Err(reason) => head.error(period.mark, "dt0", reason),
        }
        spec.factor = head.whole("factor").unwrap_or(2);
        let phases = [("aligned", Phase::Aligned), ("ruler", Phase::Ruler)];
        spec.phase = head.choice("phase", &phases).unwrap_or(Phase::Aligned);
        let integrators = [("paper", Integrator::Paper), ("exact", Integrator::Exact)];
        spec.integrator = head.choice("integrator", &integrators).unwrap_or(Integrator::Exact);
    }
    spec.modes = walker.named("mode", parts::mode);
    spec.parameters = walker.named("parameter", parts::parameter);
    spec.layers = walker.list("layer", parts::layer);
    if spec.layers.is_empty() {
        walker.error(Mark(Some(0)), "layer", "a network needs at least one [[layer]]".to_owned());
    }
    spec
}

/// Reads a period such as `20ms`, `1/50` (of a second), `50Hz` or `0.02s` as an exact fraction.
///
/// # Errors
/// Why the text is no period.
pub fn time_step(text: &str) -> Result<TimeStep, String> {
    let text = text.trim();
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = (text[..unit_at].trim(), text[unit_at..].trim());
    let wrong = || format!("`{text}` is no period; write `20ms`, `0.02s`, `50Hz` or `1/50s`");
    if number.starts_with('-') {
        return Err(format!("`{text}` is negative; a period is above 0"));
    }
    let (above, below) = number.split_once('/').unwrap_or((number, "1"));
    let (mut above, mut below) =
        (fraction(above).ok_or_else(wrong)?, fraction(below).ok_or_else(wrong)?);
    match unit {
        "s" => {}
        "ms" => below.0 = below.0.checked_mul(1_000).ok_or_else(wrong)?,
        "us" => below.0 = below.0.checked_mul(1_000_000).ok_or_else(wrong)?,
        "Hz" => core::mem::swap(&mut above, &mut below),
        _ => return Err(wrong()),
    }
    let numerator = above.0.checked_mul(below.1).ok_or_else(wrong)?;
    let denominator = above.1.checked_mul(below.0).ok_or_else(wrong)?;
    let divisor = gcd(numerator.max(1), denominator.max(1));
    let small = |n: u64| u32::try_from(n / divisor).map_err(|_too_big| wrong());
    TimeStep::new(small(numerator)?, small(denominator)?).map_err(|e| format!("`{text}`: {e}"))
}

/// A decimal number as numerator and denominator.
fn fraction(text: &str) -> Option<(u64, u64)> {
    let text = text.trim();
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let scale = 10_u64.checked_pow(u32::try_from(part.len()).ok()?)?;
    let digits = format!("{whole}{part}");
    Some((digits.parse().ok()?, scale))
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A text that is not in the file.
pub(crate) fn default_text(text: &str) -> Text {
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_periods_are_read_exactly() {
        let check = |text: &str, n: u32, d: u32| {
            assert_eq!(time_step(text).unwrap(), TimeStep::new(n, d).unwrap(), "{text}");
        };
        check("20ms", 1, 50);
        check("2.5 ms", 1, 400);
        check("1/120s", 1, 120);
        check("50Hz", 1, 50);
        check("0.08s", 2, 25);
    }

    #[test]
    fn unit_ct_01_a_period_of_zero_or_less_or_ten_seconds_is_refused() {
        for text in ["0ms", "-20ms", "10s", "soon", "20"] {
            assert!(time_step(text).is_err(), "{text}");
        }
        assert!(time_step("-1ms").unwrap_err().contains("negative"));
    }
}

//! Reading the parts of a specification.

use super::walk::{Entry, Walker};
use crate::diagnostic::Text;
use crate::spec::{
    Actuator, Behaviour, Layer, Missing, Mode, OnIdle, Parameter, ParameterValue, Percept,
    PerceptValue, Reading, Select, Target,
};

pub(super) fn mode(name: Text, entry: Entry<'_>) -> Mode {
    let about = match entry {
        Entry::Bare(text) => text.text,
        Entry::Table(mut walker) => {
            walker.keys(&["about"]);
            walker.about("about")
        }
    };
    Mode { name, about }
}

pub(super) fn parameter(name: Text, entry: Entry<'_>) -> Parameter {
    let mut parameter = Parameter {
        name,
        value: ParameterValue::One("0".into()),
        unit: "1".into(),
        range: None,
        about: String::new(),
        source: String::new(),
    };
    match entry {
        Entry::Bare(text) => parameter.value = ParameterValue::One(text),
        Entry::Table(mut walker) => {
            walker.keys(&[
                "value", "values", "from", "to", "count", "unit", "range", "about", "source",
            ]);
            parameter.value = if let Some(values) = walker.texts("values") {
                ParameterValue::Many(values)
            } else if walker.has("from") {
                let (from, to) = (walker.need_text("from"), walker.need_text("to"));
                ParameterValue::Even(from, to, walker.whole("count").unwrap_or(2))
            } else {
                ParameterValue::One(walker.need_text("value"))
            };
            parameter.unit = walker.text_or("unit", "1");
            parameter.range = walker.pair("range");
            parameter.about = walker.about("about");
            parameter.source = walker.about("source");
        }
    }
    parameter
}

pub(super) fn layer(walker: &mut Walker<'_>) -> Layer {
    walker.keys(&[
        "name",
        "about",
        "factor",
        "exclusive",
        "reading",
        "percept",
        "behaviour",
        "actuator",
    ]);
    Layer {
        name: walker.need_text("name"),
        about: walker.about("about"),
        factor: walker.whole("factor"),
        readings: walker.named("reading", reading),
        percepts: walker.named("percept", percept),
        behaviours: walker.list("behaviour", behaviour),
        actuators: walker.named("actuator", actuator),
        exclusive: walker.groups("exclusive"),
    }
}

fn reading(name: Text, entry: Entry<'_>) -> Reading {
    let mut reading = Reading { hardware: name.clone(), name, ..Reading::named("", "1") };
    match entry {
        Entry::Bare(unit) => reading.unit = unit,
        Entry::Table(mut walker) => {
            walker.keys(&[
                "count", "unit", "range", "type", "initial", "missing", "hardware", "about",
            ]);
            reading.count = walker.whole("count");
            reading.unit = walker.text_or("unit", "1");
            reading.range = walker.pair("range");
            reading.is_angle = is_angle(&mut walker);
            reading.initial = walker.text_or("initial", "0");
            reading.missing = missing(&mut walker);
            reading.hardware = walker.text("hardware").unwrap_or(reading.hardware);
            reading.about = walker.about("about");
        }
    }
    reading
}

fn is_angle(walker: &mut Walker<'_>) -> bool {
    walker.choice("type", &[("number", false), ("angle", true)]).unwrap_or(false)
}

fn missing(walker: &mut Walker<'_>) -> Missing {
    if walker.is_text("missing") {
        walker.choice("missing", &[("hold", ())]);
        return Missing::Hold;
    }
    let Some(mut rule) = walker.table("missing") else { return Missing::Hold };
    rule.keys(&["rule", "after", "value", "time"]);
    let rules = [("hold", 0), ("default", 1), ("deactivate", 2)];
    match rule.choice("rule", &rules) {
        Some(1) => Missing::Default {
            after: rule.text_or("after", "0s"),
            value: rule.need_text("value"),
            time: rule.need_text("time"),
        },
        Some(2) => Missing::Deactivate { after: rule.text_or("after", "0s") },
        Some(_) => Missing::Hold,
        None => {
            rule.need_text("rule");
            Missing::Hold
        }
    }
}

fn percept(name: Text, entry: Entry<'_>) -> Percept {
    let mut percept = Percept {
        name,
        value: PerceptValue::Expr(Text::default()),
        unit: None,
        range: None,
        is_angle: false,
        over: None,
        initial: "0".into(),
        about: String::new(),
    };
    match entry {
        Entry::Bare(text) => percept.value = PerceptValue::Expr(text),
        Entry::Table(mut walker) => {
            walker.keys(&[
                "expr", "mean", "time", "unit", "range", "type", "over", "initial", "about",
            ]);
            percept.value = if walker.has("mean") {
                PerceptValue::Mean { of: walker.need_text("mean"), time: walker.need_text("time") }
            } else {
                PerceptValue::Expr(walker.need_text("expr"))
            };
            percept.unit = walker.text("unit");
            percept.range = walker.pair("range");
            percept.is_angle = is_angle(&mut walker);
            percept.over = walker.text("over");
            percept.initial = walker.text_or("initial", "0");
            percept.about = walker.about("about");
        }
    }
    percept
}

fn behaviour(walker: &mut Walker<'_>) -> Behaviour {
    walker.keys(&["name", "about", "kappa", "initial", "users", "targets"]);
    Behaviour {
        name: walker.need_text("name"),
        about: walker.about("about"),
        kappa: walker.need_text("kappa"),
        initial: walker.text_or("initial", "0"),
        users: walker.named("users", user),
        targets: walker.named("targets", target),
    }
}

fn user(name: Text, entry: Entry<'_>) -> (Text, Text) {
    match entry {
        Entry::Bare(term) => (name, term),
        Entry::Table(mut walker) => {
            walker.keys(&["term"]);
            (name, walker.need_text("term"))
        }
    }
}

fn target(name: Text, entry: Entry<'_>) -> Target {
    match entry {
        Entry::Bare(goal) => {
            Target { actuator: name, goal, rate: Text::default(), is_per_step: false }
        }
        Entry::Table(mut walker) => {
            walker.keys(&["g", "rate", "tau"]);
            let goal = walker.need_text("g");
            let is_per_step = walker.has("tau");
            if is_per_step && walker.has("rate") {
                let tau = walker.need_text("tau");
                let reason = "give `rate` (1/s) or `tau` (per step), not both".to_owned();
                walker.error(tau.mark, "tau", reason);
            }
            let rate = walker.need_text(if is_per_step { "tau" } else { "rate" });
            Target { actuator: name, goal, rate, is_per_step }
        }
    }
}

fn actuator(name: Text, entry: Entry<'_>) -> Actuator {
    let mut actuator = Actuator { name, ..Actuator::named("", "1") };
    let mut walker = match entry {
        Entry::Table(walker) => walker,
        Entry::Bare(_) => return actuator,
    };
    walker.keys(&[
        "unit",
        "range",
        "type",
        "initial",
        "select",
        "on_idle",
        "set_point",
        "hardware",
        "about",
    ]);
    actuator.unit = walker.text_or("unit", "1");
    actuator.range = walker.pair("range");
    actuator.is_angle = is_angle(&mut walker);
    actuator.initial = walker.text_or("initial", "0");
    let selects = [("blend", Select::Blend), ("max", Select::Max)];
    actuator.select = walker.choice("select", &selects).unwrap_or_default();
    actuator.on_idle = on_idle(&mut walker);
    actuator.is_set_point = walker.truth("set_point");
    actuator.hardware = walker.text("hardware");
    actuator.about = walker.about("about");
    actuator
}

fn on_idle(walker: &mut Walker<'_>) -> OnIdle {
    if !walker.has("on_idle") {
        return OnIdle::Unset;
    }
    if walker.is_text("on_idle") {
        walker.choice("on_idle", &[("hold", ())]);
        return OnIdle::Hold;
    }
    let Some(mut rest) = walker.table("on_idle") else { return OnIdle::Hold };
    rest.keys(&["target", "rate"]);
    OnIdle::Rest { target: rest.need_text("target"), rate: rest.need_text("rate") }
}

//! Which channels a script can reach.
//!
//! What it does not do: it follows no values. A script that does more with `sensors` than read its
//! fields by name is taken to reach every channel.

use crate::script::Senses;
use crate::script::guest::{self, GROUPS, Handing};
use crate::script::pieces::{Kind, Piece, control, pieces};

/// Words with which a script could get at `sensors` without naming it, or at its fields without
/// naming them.
const ROUNDABOUT: [&str; 9] = [
    "eval",
    "Function",
    "arguments",
    "this",
    "constructor",
    "caller",
    "globalThis",
    "delete",
    "class",
];

/// Channels whose readings can make a difference to a script, as bits.
pub(super) fn channels(senses: &Senses, text: &str) -> u16 {
    if !reads_by_name(senses, text) {
        return u16::MAX;
    }
    let bridge = guest::bridge(senses, text, "{}", Handing::Arguments);
    bridge.handed.iter().fold(0, |bits, channel| bits | 1 << channel)
}

/// True when `control` stays the function that the script declares.
pub(super) fn has_fixed_control(text: &str) -> bool {
    pieces(text).is_some_and(|pieces| control(&pieces).is_some() && !is_roundabout(&pieces))
}

/// True when all that a script does with `sensors` is to read fields by name.
fn reads_by_name(senses: &Senses, text: &str) -> bool {
    is_field_by_field(senses, text, false)
}

/// As [`channels`] requires it, and no field is written either.
pub(super) fn only_reads(senses: &Senses, text: &str) -> bool {
    is_field_by_field(senses, text, true)
}

/// True where something may be reached without its name.
fn is_roundabout(pieces: &[Piece<'_>]) -> bool {
    pieces.iter().enumerate().any(|(i, p)| {
        let is_index = p.is_mark("[") && i > 0 && is_value(&pieces[i - 1]);
        let after = pieces.get(p.mate + 1);
        let is_key = p.is_mark("[") && after.is_some_and(|p| p.is_mark(":") || p.is_mark("("));
        is_index || is_key || p.kind == Kind::Word && ROUNDABOUT.contains(&p.text)
    })
}

fn is_field_by_field(senses: &Senses, text: &str, is_read_only: bool) -> bool {
    let Some(pieces) = pieces(text) else { return false };
    let Some((sensors, _)) = control(&pieces) else { return false };
    let is_roundabout = is_roundabout(&pieces);
    let is_known =
        |name: &str| name == "t" || GROUPS.contains(&name) || senses.names().any(|n| n == name);
    let is_read = |i: usize| {
        let next = pieces.get(i + 1);
        let field = pieces.get(i + 2);
        let is_field = next.is_some_and(|p| p.is_mark("."))
            && field.is_some_and(|p| p.kind == Kind::Word && is_known(p.text));
        let after = pieces.get(i + 3);
        let is_unchanged = after.is_some_and(|p| p.is_mark(".") || p.is_mark(";"))
            && !(i > 0 && ["++", "--"].contains(&pieces[i - 1].text));
        (is_field && (is_unchanged || !is_read_only))
            || next.is_some_and(|p| p.is_mark(";")) && is_taken_apart(&pieces, i)
    };
    let is_name = |i: usize| {
        pieces[i].is_word(sensors) && !(i > 0 && [".", "?."].contains(&pieces[i - 1].text))
    };
    // The first is the parameter.
    !is_roundabout && (0..pieces.len()).filter(|i| is_name(*i)).skip(1).all(is_read)
}

/// True for the end of a value, after which a bracket is an index.
fn is_value(piece: &Piece<'_>) -> bool {
    piece.kind != Kind::Mark || [")", "]", "}", "?."].contains(&piece.text)
}

/// True for what `const { … } =` stands before, with names in braces only.
fn is_taken_apart(pieces: &[Piece<'_>], i: usize) -> bool {
    let Some(close) = i.checked_sub(2) else { return false };
    if !(pieces[close].is_mark("}") && pieces[i - 1].is_mark("=")) {
        return false;
    }
    let open = pieces[close].mate;
    let is_declared =
        open > 0 && ["const", "let", "var"].iter().any(|word| pieces[open - 1].is_word(word));
    is_declared
        && pieces[open + 1..close].iter().all(|p| {
            p.kind == Kind::Word || [",", ":", "{", "}"].iter().any(|mark| p.is_mark(mark))
        })
}

#[cfg(test)]
mod tests {
    use tropism_body::presets;

    use super::{channels, has_fixed_control, only_reads};
    use crate::script::Senses;

    #[test]
    fn unit_only_what_is_named_is_used_when_sensors_is_read_by_name() {
        let body = presets::course_robot();
        let senses = Senses::of(&body);
        let bit = |name: &str| body.sensor(name).map_or(0, |channel| 1_u16 << channel);
        let line = bit("line_left") | bit("line_right");
        let named = |body: &str| format!("function control(s, m) {{ {body} }} // bump? this");
        for (text, used) in [
            ("const { line, t } = s; return { left: line.left, right: t };", line | bit("bump")),
            ("return { left: s.line.left, right: s.bump };", line | bit("bump")),
            ("m.s = s; return { left: s.line.left, right: 0 };", u16::MAX),
            ("return { left: s['line'].left, right: 0 };", u16::MAX),
            ("const { line, ...rest } = s; return rest;", u16::MAX),
            ("console.log(s); return { left: s.line.left, right: 0 };", u16::MAX),
            ("return { left: s.line.left, right: arguments.length };", u16::MAX),
            ("return s.valueOf();", u16::MAX),
            ("/*/ s.line; /*/ m.s = s; return { left: s.line.left, right: 0 };", u16::MAX),
            ("const { [m.k]: F } = Math.max; return { left: s.line.left, right: 0 };", u16::MAX),
            ("1..constructor; return { left: s.line.left, right: 0 };", u16::MAX),
            ("m.x = 1.5e-3.toFixed(1); return s.line;", line | bit("bump")),
        ] {
            assert_eq!(channels(&senses, &named(text)), used, "{text}");
        }
        assert!(only_reads(
            &senses,
            &named("const x = s.line; return { left: x.left, right: 0 };")
        ));
        for text in ["s.line = 3;", "++s.t;", "s.t++;", "({ a: s.line } = m);"] {
            assert!(!only_reads(&senses, &named(text)), "{text}");
        }
        assert!(has_fixed_control(&named("return m;")));
        for text in ["control = m;", "globalThis.x = 1;", "eval('1');", "m.x['y'] = 1;"] {
            assert!(!has_fixed_control(&named(text)), "{text}");
        }
    }
}

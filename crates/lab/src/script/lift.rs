//! Small functions that a script makes anew at every tick, made once or only when called.
//!
//! Terms: a *small function* is `const name = (…) => …;` inside `control` that is only ever called.
//! Making one costs an engine as much as a third of what else `control` does. One that uses nothing
//! of `control` is *hoisted* to the front of the text. One that does is put where it is called, if
//! every call stands in a deeper block or after `if` or `else`, where it may well not be reached.
//!
//! Nothing changes but the work: the same calls are made, with the same values, in the same order,
//! and [`Lifted::place`] says where in the script's own text an error lies. A text about which that
//! cannot be told for certain is left alone.
//!
//! What it does not do: it knows nothing of values or types.

use crate::script::declared::{Declared, declared};
use crate::script::pieces::{Kind, Piece, RESERVED, control, pieces};

/// Words with which a script could see its own text or its calls.
const TELLING: [&str; 17] = [
    "eval",
    "Function",
    "arguments",
    "this",
    "super",
    "with",
    "stack",
    "constructor",
    "class",
    "async",
    "await",
    "yield",
    "import",
    "export",
    "caller",
    "globalThis",
    "captureStackTrace",
];
/// Longest small function that is put where it is called, bytes.
const BYTES_MAX: usize = 400;
/// Most calls of it.
const CALLS_MAX: usize = 16;

/// A script's text with its small functions lifted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Lifted {
    /// What to run.
    pub(super) text: String,
    original: String,
    /// Where stretches of the text begin, and where they come from.
    seams: Vec<(usize, usize)>,
}

impl Lifted {
    /// The line and column of the original for those of the text.
    pub(super) fn place(&self, (line, column): (u32, u32)) -> (u32, u32) {
        let skipped = (line as usize).saturating_sub(1);
        let start: usize = self.text.split_inclusive('\n').take(skipped).map(str::len).sum();
        let at = start + (column as usize).saturating_sub(1);
        let after = self.seams.partition_point(|(new, _)| *new <= at);
        let Some((new, old)) = self.seams[..after].last() else { return (line, column) };
        let at = (old + at - new).min(self.original.len());
        let before = self.original.get(..at).unwrap_or_default();
        let line = before.matches('\n').count();
        let column = at - before.rfind('\n').map_or(0, |newline| newline + 1);
        (line as u32 + 1, column as u32 + 1)
    }
}

/// A small function.
#[derive(Clone, Copy, Debug)]
struct Small<'t> {
    name: &'t str,
    /// From `const` to its `;`, pieces.
    from: usize,
    to: usize,
    /// Where its parameters begin, and its first piece after `=>`.
    parameters: usize,
    body: usize,
}

/// A change of the text: these bytes go, those come, with where they come from.
struct Edit {
    from: usize,
    to: usize,
    put: Vec<(String, usize)>,
}

/// The text with its small functions lifted, if it has any.
pub(super) fn lifted(text: &str) -> Option<Lifted> {
    let pieces = pieces(text)?;
    let (_, inside) = control(&pieces)?;
    let is_telling = |p: &Piece<'_>| {
        p.kind == Kind::Word && TELLING.contains(&p.text)
            || p.kind == Kind::Text && p.text.contains("use strict")
    };
    if pieces.iter().any(is_telling) {
        return None;
    }
    let declared = declared(&pieces);
    let all: Vec<Small<'_>> = inside.filter_map(|i| small(text, &pieces, i)).collect();
    let mut edits = Vec::new();
    for small in &all {
        if let Some(calls) = calls(&pieces, small, &all) {
            edits.extend(edits_for(text, &pieces, &declared, small, &calls));
        }
    }
    (!edits.is_empty()).then(|| edited(text, edits))
}

/// The small function whose `const` this is.
fn small<'t>(text: &str, pieces: &[Piece<'t>], from: usize) -> Option<Small<'t>> {
    let piece = |i: usize| pieces.get(i);
    let is_statement = [";", "{", "}"].iter().any(|mark| pieces[from - 1].is_mark(mark));
    let name = piece(from + 1).filter(|p| p.kind == Kind::Word)?;
    let parameters = from + 3;
    if !(pieces[from].is_word("const") && is_statement && piece(from + 2)?.is_mark("=")) {
        return None;
    }
    let first = piece(parameters)?;
    let arrow = first.mate + 1;
    let plain = |p: &Piece<'_>| p.kind == Kind::Word || p.is_mark(",");
    let is_plain = if first.is_mark("(") {
        pieces[parameters + 1..first.mate].iter().all(plain)
    } else {
        first.kind == Kind::Word
    };
    let body = arrow + 1;
    if !(is_plain && piece(arrow)?.is_mark("=>")) {
        return None;
    }
    let to = end_of_body(text, pieces, body)?;
    let declares = |p: &Piece<'_>| {
        ["const", "let", "var", "function"].iter().any(|word| p.is_word(word)) || p.is_mark("=>")
    };
    let is_small = !pieces[body..to].iter().any(declares);
    is_small.then_some(Small { name: name.text, from, to, parameters, body })
}

/// The `;` after a body: a block, or an expression without braces on one line.
fn end_of_body(text: &str, pieces: &[Piece<'_>], body: usize) -> Option<usize> {
    let first = pieces.get(body)?;
    if first.is_mark("{") {
        return pieces.get(first.mate + 1)?.is_mark(";").then_some(first.mate + 1);
    }
    let mut i = body;
    while !pieces.get(i)?.is_mark(";") {
        let is_end = [",", "{", "}", ")", "]"].iter().any(|mark| pieces[i].is_mark(mark));
        if is_end {
            return None;
        }
        i = pieces[i].mate.max(i) + 1;
    }
    // Without a `;` on its line the statement may have ended there.
    let is_one_line = !text[first.at..pieces[i].at].contains('\n');
    let has_braces = pieces[body..i].iter().any(|p| p.is_mark("{"));
    (is_one_line && !has_braces).then_some(i)
}

/// Where it is called, if it is only called, after it was made and in the same block.
fn calls(pieces: &[Piece<'_>], small: &Small<'_>, all: &[Small<'_>]) -> Option<Vec<usize>> {
    let end = block_end(pieces, small.from)?;
    let mut calls = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        if !piece.is_word(small.name) || i == small.from + 1 {
            continue;
        }
        let before = &pieces[i - 1];
        let open = pieces.get(i + 1).filter(|p| p.is_mark("("))?;
        let is_call = i > small.to
            && i < end
            && !["new", "function", "get", "set", "of"].contains(&before.text)
            && ![".", "?.", "*"].contains(&before.text)
            && !pieces.get(open.mate + 1)?.is_mark("{")
            && !pieces.get(open.mate + 1)?.is_mark("=>")
            && !all.iter().any(|other| (other.from..=other.to).contains(&i));
        if !is_call {
            return None;
        }
        calls.push(i);
    }
    // A function that is declared below may be called before the small one was made.
    let is_early = pieces[small.to..end].iter().any(|p| p.is_word("function"));
    (!calls.is_empty() && !is_early).then_some(calls)
}

/// The brace that ends the block around a piece; none where a jump could lead past the piece.
fn block_end(pieces: &[Piece<'_>], at: usize) -> Option<usize> {
    let open = (0..at).rev().find(|i| pieces[*i].is_mark("{") && pieces[*i].mate > at)?;
    let is_switch = open > 0
        && pieces[open - 1].is_mark(")")
        && pieces[open - 1].mate > 0
        && pieces[pieces[open - 1].mate - 1].is_word("switch");
    (!is_switch).then_some(pieces[open].mate)
}

/// Where a piece ends, bytes.
const fn end_of(piece: &Piece<'_>) -> usize {
    piece.at + piece.text.len()
}

/// Changes that lift one small function; none if it cannot be lifted.
fn edits_for(
    text: &str,
    pieces: &[Piece<'_>],
    declared: &[Declared<'_>],
    small: &Small<'_>,
    calls: &[usize],
) -> Vec<Edit> {
    let function = pieces[small.parameters].at;
    let source = &text[function..end_of(&pieces[small.to - 1])];
    let last_parameter = small.body - 2;
    let parameters = &pieces[small.parameters..=last_parameter];
    let is_used = |(i, p): (usize, &Piece<'_>)| {
        let is_property = i > 0 && [".", "?."].contains(&pieces[i - 1].text);
        let is_own = parameters.iter().any(|own| own.text == p.text);
        p.kind == Kind::Word && !is_property && !is_own && !RESERVED.contains(&p.text)
    };
    let used = || (small.body..small.to).filter(|i| is_used((*i, &pieces[*i]))).map(|i| &pieces[i]);
    let declarations = |name: &str| {
        let name = name.to_owned();
        declared.iter().filter(move |d| d.name == name)
    };
    let whole =
        Edit { from: pieces[small.from].at, to: end_of(&pieces[small.to]), put: Vec::new() };
    let leave = Edit { put: vec![(String::from(";"), whole.from)], ..whole };
    let is_free = used().all(|p| declarations(p.text).all(|d| d.is_outermost));
    let hoisted = format!("{}$", small.name);
    let mut edits = vec![leave];
    if is_free && !pieces.iter().any(|p| p.text == hoisted) {
        let head = (format!("const {hoisted} = "), pieces[small.from].at);
        let put = vec![head, (source.to_owned(), function), (String::from(";"), function)];
        edits.push(Edit { from: 0, to: 0, put });
        for call in calls {
            let (from, to) = (pieces[*call].at, end_of(&pieces[*call]));
            edits.push(Edit { from, to, put: vec![(hoisted.clone(), from)] });
        }
        return edits;
    }
    let Some(end) = block_end(pieces, small.from) else { return Vec::new() };
    let is_same = |name: &str| !declarations(name).any(|d| (small.to..end).contains(&d.piece));
    let is_rare = |call: &usize| {
        let before = &pieces[call - 1];
        let is_after_if =
            before.is_mark(")") && before.mate > 0 && pieces[before.mate - 1].is_word("if");
        let is_guarded = is_after_if || before.is_word("else");
        let is_alone = is_guarded || [";", "{"].contains(&before.text);
        let close = pieces[call + 1].mate;
        is_alone
            && pieces.get(close + 1).is_some_and(|p| p.is_mark(";"))
            && (is_guarded || pieces[*call].depth > pieces[small.from].depth)
    };
    let is_worth = source.len() <= BYTES_MAX && calls.len() <= CALLS_MAX;
    if !(is_worth && calls.iter().all(is_rare) && used().all(|p| is_same(p.text))) {
        return Vec::new();
    }
    for call in calls {
        let (from, to) = (pieces[*call].at, end_of(&pieces[*call]));
        let put = vec![
            (String::from("("), from),
            (source.to_owned(), function),
            (String::from(")"), from),
        ];
        edits.push(Edit { from, to, put });
    }
    edits
}

/// The text with these changes.
fn edited(text: &str, mut edits: Vec<Edit>) -> Lifted {
    edits.sort_by_key(|edit| edit.from);
    let mut lifted = Lifted { text: String::new(), original: text.to_owned(), seams: Vec::new() };
    let mut put = |part: &str, old: usize| {
        lifted.seams.push((lifted.text.len(), old));
        lifted.text.push_str(part);
    };
    let mut at = 0;
    for edit in edits {
        put(&text[at..edit.from], at);
        for (part, old) in &edit.put {
            put(part, *old);
        }
        at = edit.to;
    }
    put(&text[at..], at);
    lifted
}

#[cfg(test)]
mod tests {
    use tropism_body::{Percept, Reading, presets};
    use tropism_core::{Purpose, Seed, Tick, TimeStep};

    use super::lifted;
    use crate::script::javascript::{JavaScript, Running};
    use crate::script::{RunningScript, ScriptEngine, Senses, Setting};

    const HEAD: &str = "function control(s, m) {\n  const u = s.ultrasonic;\n";

    /// What a script does over some ticks, and how it ends.
    fn story(text: &str, lift: bool) -> Vec<String> {
        let body = presets::course_robot();
        let senses = Senses::of(&body);
        let setting = Setting {
            path: "student.js",
            text,
            senses: &senses,
            step: TimeStep::new(1, 100).unwrap(),
            seed: Seed(7),
            robot: 0,
            memory_json: "{}",
        };
        let mut script: Box<dyn RunningScript> = if lift {
            JavaScript.start(setting).unwrap()
        } else {
            Box::new(Running::new(setting).unwrap())
        };
        let stream = Seed(3).stream(Purpose::named("percepts"), 0, 0);
        let mut told = Vec::new();
        for tick in 0..400 {
            let mut percept = Percept { tick: Tick(tick), ..Percept::default() };
            let mut draws = stream.at(Tick(tick / 7));
            for spec in body.sensors.iter() {
                let value = draws.between(spec.min, spec.max.min(spec.min + 1.0));
                let _ = percept.readings.push(Reading::Fresh(value));
            }
            let ended = script.control(&percept, &senses);
            told.push(format!("{ended:?} {}", script.memory_json()));
            told.extend(script.take_log().into_iter().map(|line| line.text));
            if ended.is_err() {
                break;
            }
        }
        told
    }

    fn agrees(text: &str) {
        let (plain, quick) = (story(text, false), story(text, true));
        assert!(plain.len() > 1 || text.contains("throw") || text.contains("absent"), "{text}");
        assert_eq!(plain, quick, "{text}");
    }

    #[test]
    fn unit_what_is_lifted_does_the_same_and_fails_at_the_same_place() {
        for body in [
            // Hoisted.
            "const p = (d) => Math.max(0, 1 - d / 50);\n return { left: p(u.left), right: 0 };",
            "const p = d => d.absent.absent;\n return { left: 1, right: p(u.front) };",
            "const p = (d) => d / 100; return { left: p(u.left) + p(u.right), right: absent };",
            // Put where it is called.
            "const go = (x) => {\n    // it keeps\n    m.x = x; m.f = u.front;\n  };\n \
             if (u.left > 50) { go('far'); } else if (u.right > 60) go('right');\n \
             return { left: (m.f || 1) / 100, right: 0 };",
            "const go = (x) => { if (u.left > 70) { throw new TypeError(x); } m.x = x; };\n  if \
             (u.left > 30) { m.n = 1;   go('far'); }\n  return { left: 1, right: 0 };",
            "const go = (x) => { m.x = u.absent.absent; };\n  if (u.left > 30) go(1);\n  return { \
             left: 1, right: 0 };",
        ] {
            let text = format!("{HEAD}  {body}\n}}");
            assert!(lifted(&text).is_some(), "{text}");
            agrees(&text);
        }
    }

    #[test]
    fn edge_what_cannot_be_told_for_certain_is_left_alone() {
        for body in [
            // It is more than called.
            "const p = (d) => d / 50; m.p = p; return { left: p(u.left), right: 0 };",
            "const p = (d) => d / 50; return { left: [1, 2].map(p)[0], right: p(1) };",
            // Called before it was made.
            "const f = () => p(2); const p = (d) => d / 50; return { left: f(), right: p(1) };",
            "switch (m.n) { case 1: const p = (d) => d / 50; default: m.n = p(1); }",
            "{ const p = (d) => d / 50; m.n = p(1); function q() { return p(2); } }",
            // Another thing of the same name where it is called.
            "const k = 2; const go = (x) => { m.x = k * x; }; if (u.left > 1) { const k = 3; \
             go(k); } return { left: 0, right: 0 };",
            // Called whatever comes.
            "const go = (x) => { m.x = u.left * x; }; go(1); return { left: 0, right: 0 };",
            // Where it ends depends on the grammar.
            "const p = (d) => d / 50\n m.x = p(1); return { left: 0, right: 0 };",
            "const p = (d) => /a/.test(d); return { left: p(1) ? 1 : 0, right: 0 };",
            // The script could see its own text.
            "const p = (d) => d / 50; console.log(control); return { left: p(1), right: 0 };",
            "const p = (d) => d / 50; return { left: p(1), right: eval('p(2)') };",
            "const p = (d) => { throw 1; }; try { p(1); } catch (e) { m.s = e.stack; }",
        ] {
            let text = format!("{HEAD}  {body}\n}}");
            assert_eq!(lifted(&text), None, "{text}");
        }
    }

    #[test]
    fn unit_the_outside_script_does_the_same_lifted() {
        let Some(dir) = tropism_testkit::shared_dir() else {
            eprintln!("skipped: no shared data beside this clone");
            return;
        };
        let path = dir.join("data/scripts/line-follow-fsm.js");
        let text = std::fs::read_to_string(path).unwrap();
        let found = lifted(&text).unwrap();
        assert!(!found.text.contains("const go") && found.text.starts_with("const p$ = (d) =>"));
        agrees(&text);
        // Every stretch leads back to where it came from.
        for (line, row) in found.text.split('\n').enumerate() {
            let Some(column) = row.find("memory.since = t;") else { continue };
            let (line, column) = found.place((line as u32 + 1, column as u32 + 1));
            let old = text.split('\n').nth(line as usize - 1).unwrap();
            assert!(old[column as usize - 1..].starts_with("memory.since = t;"), "{old}");
        }
    }
}

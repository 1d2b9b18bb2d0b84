//! A script's text cut into pieces, for what can be decided by looking at it.
//!
//! Terms: a *piece* is a word, a number, a quoted text or a mark; the *mate* of a bracket is the
//! one that closes or opens it; *depth* counts the braces that are open.
//!
//! What it does not do: it is no parser. Text whose pieces depend on grammar, such as regular
//! expressions and templates, is not cut at all.

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Text,
    Mark,
}

/// A piece of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    /// Braces open before it.
    pub(super) depth: usize,
    /// The piece that closes or opens it, for brackets; itself for others.
    pub(super) mate: usize,
}

impl Piece<'_> {
    pub(super) fn is_mark(&self, text: &str) -> bool {
        self.kind == Kind::Mark && self.text == text
    }

    pub(super) fn is_word(&self, text: &str) -> bool {
        self.kind == Kind::Word && self.text == text
    }
}

/// Marks of more than one character whose parts must not be taken for marks of their own.
const LONG_MARKS: [&str; 15] =
    ["...", "===", "!==", "=>", "==", "!=", "<=", ">=", "?.", "++", "--", "**", "&&", "||", "??"];

/// Words after which a value begins, and those that are no names.
const RESERVED: [&str; 34] = [
    "break",
    "case",
    "catch",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "in",
    "instanceof",
    "let",
    "new",
    "null",
    "of",
    "return",
    "static",
    "switch",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "enum",
    "extends",
];

/// The pieces in order; `None` for text that cannot be cut with certainty.
pub(super) fn pieces(text: &str) -> Option<Vec<Piece<'_>>> {
    let odd = ["\r", "\u{2028}", "\u{2029}", "<!--", "-->"];
    if odd.iter().any(|odd| text.contains(odd)) {
        return None;
    }
    let mut cut = Cut { pieces: Vec::new(), open: Vec::new(), depth: 0 };
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let first = rest.as_bytes()[0];
        at += if matches!(first, b' ' | b'\t' | b'\n') {
            1
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(inside) = rest.strip_prefix("/*") {
            let length = inside.find("*/")? + 4;
            rest[..length].is_ascii().then_some(length)?
        } else {
            let (kind, length) = cut.kind_of(rest)?;
            cut.push(kind, &rest[..length])?;
            length
        };
    }
    cut.open.is_empty().then_some(cut.pieces)
}

struct Cut<'t> {
    pieces: Vec<Piece<'t>>,
    open: Vec<usize>,
    depth: usize,
}

impl<'t> Cut<'t> {
    /// Kind and length of the piece that a text begins with.
    fn kind_of(&self, rest: &str) -> Option<(Kind, usize)> {
        let bytes = rest.as_bytes();
        let is_name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$');
        let run = |is_in: &dyn Fn(&u8) -> bool| bytes.iter().take_while(|b| is_in(b)).count();
        match bytes[0] {
            b'"' | b'\'' => {
                let length = rest[1..].find(rest.chars().next()?)? + 2;
                let is_plain = |b: &u8| b.is_ascii() && !matches!(b, b'\n' | b'\\');
                bytes[..length].iter().all(is_plain).then_some((Kind::Text, length))
            }
            b'0'..=b'9' => Some((Kind::Number, number(bytes))),
            b'.' if bytes.get(1).is_some_and(u8::is_ascii_digit) => {
                Some((Kind::Number, number(bytes)))
            }
            b if is_name(&b) => Some((Kind::Word, run(&is_name))),
            b'/' => self.is_after_value().then_some((Kind::Mark, 1)),
            b'`' | b'\\' | b'#' | b'@' => None,
            b if b.is_ascii_punctuation() => {
                let long = LONG_MARKS.iter().find(|mark| rest.starts_with(*mark));
                Some((Kind::Mark, long.map_or(1, |mark| mark.len())))
            }
            _ => None,
        }
    }

    /// True where a slash can only divide.
    fn is_after_value(&self) -> bool {
        let Some(last) = self.pieces.last() else { return false };
        match last.kind {
            Kind::Word => !RESERVED.contains(&last.text),
            Kind::Number | Kind::Text => true,
            Kind::Mark if last.text == ")" => {
                let before = last.mate.checked_sub(1).map(|i| self.pieces[i]);
                !before.is_some_and(|b| ["if", "while", "for", "with"].contains(&b.text))
            }
            Kind::Mark => last.text == "]",
        }
    }

    fn push(&mut self, kind: Kind, text: &'t str) -> Option<()> {
        let here = self.pieces.len();
        let mut piece = Piece { kind, text, depth: self.depth, mate: here };
        match (kind, text) {
            (Kind::Mark, "(" | "[" | "{") => {
                self.open.push(here);
                self.depth += usize::from(text == "{");
            }
            (Kind::Mark, ")" | "]" | "}") => {
                let mate = self.open.pop()?;
                if !matches!((self.pieces[mate].text, text), ("(", ")") | ("[", "]") | ("{", "}")) {
                    return None;
                }
                self.pieces[mate].mate = here;
                piece.mate = mate;
                self.depth -= usize::from(text == "}");
                piece.depth = self.depth;
            }
            _ => {}
        }
        self.pieces.push(piece);
        Some(())
    }
}

/// Length of a number.
fn number(bytes: &[u8]) -> usize {
    let is_hexadecimal = bytes.get(1).is_some_and(|b| b.eq_ignore_ascii_case(&b'x'));
    let mut length = 0;
    let mut has_point = false;
    while let Some(b) = bytes.get(length) {
        let is_sign = matches!(b, b'+' | b'-')
            && !is_hexadecimal
            && bytes[length - 1].eq_ignore_ascii_case(&b'e');
        // What follows a second point is a property of the number.
        let is_point = *b == b'.' && !has_point;
        has_point |= is_point;
        if !(b.is_ascii_alphanumeric() || *b == b'_' || is_point || is_sign) {
            break;
        }
        length += 1;
    }
    length
}

/// The first parameter and the pieces of the body of the one `control`, which nothing else names.
pub(super) fn control<'t>(pieces: &[Piece<'t>]) -> Option<(&'t str, core::ops::Range<usize>)> {
    let mut named = pieces.iter().enumerate().filter(|(_, p)| p.text == "control");
    let (at, _) = named.next()?;
    let is_function = at > 0 && pieces[at - 1].is_word("function") && pieces[at].depth == 0;
    if named.next().is_some() || !is_function {
        return None;
    }
    let first = pieces.get(at + 2).filter(|p| p.kind == Kind::Word)?;
    let open = pieces.get(at + 1)?.mate + 1;
    let body = pieces.get(open).filter(|p| p.is_mark("{"))?;
    Some((first.text, open + 1..body.mate))
}

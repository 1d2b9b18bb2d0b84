//! Names that a script declares.
//!
//! What it does not do: it knows no grammar; where it is in doubt it takes a name for declared.

use crate::script::pieces::{Kind, Piece};

/// A name that something declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Declared<'t> {
    pub(super) name: &'t str,
    /// Where.
    pub(super) piece: usize,
    /// It is visible everywhere: declared outside every brace, and no parameter.
    pub(super) is_outermost: bool,
}

/// Every name that is declared, and perhaps some that are not.
pub(super) fn declared<'t>(pieces: &[Piece<'t>]) -> Vec<Declared<'t>> {
    let mut found = Vec::new();
    let mut words = |range: core::ops::Range<usize>, is_parameter: bool| {
        for i in range {
            let Piece { kind, text, depth, .. } = pieces[i];
            if kind == Kind::Word {
                let is_outermost = !is_parameter && depth == 0;
                found.push(Declared { name: text, piece: i, is_outermost });
            }
        }
    };
    for (i, piece) in pieces.iter().enumerate() {
        match (piece.kind, piece.text) {
            (Kind::Word, "const" | "let" | "var") => declarators(pieces, i + 1, &mut words),
            (Kind::Word, "function") => {
                words(i + 1..(i + 3).min(pieces.len()), false);
            }
            (Kind::Mark, "=>") if i > 0 => words(pieces[i - 1].mate.min(i - 1)..i, true),
            // Parameters of functions, methods and `catch`; conditions are none.
            (Kind::Mark, "{") if i > 0 && pieces[i - 1].is_mark(")") => {
                let open = pieces[i - 1].mate;
                let is_condition = open > 0
                    && ["if", "for", "while", "switch"].contains(&pieces[open - 1].text)
                    && !(open > 1 && pieces[open - 2].is_mark("."));
                if !is_condition {
                    words(open..i, true);
                }
            }
            _ => {}
        }
    }
    found
}

/// Names declared by what follows `const`, `let` or `var`.
fn declarators(
    pieces: &[Piece<'_>],
    from: usize,
    words: &mut impl FnMut(core::ops::Range<usize>, bool),
) {
    let mut i = from;
    while i < pieces.len() {
        // The name or the pattern.
        let end = pieces[i].mate.max(i) + 1;
        let is_inside_pattern = end > i + 1;
        // A pattern at the outermost level is treated as if it were a parameter.
        words(i..end, is_inside_pattern);
        i = end;
        // What it begins with, up to the next name.
        while i < pieces.len() && !pieces[i].is_mark(",") {
            let is_over = [";", ")", "]", "}"].iter().any(|mark| pieces[i].is_mark(mark))
                || ["const", "let", "var"].iter().any(|word| pieces[i].is_word(word));
            if is_over {
                return;
            }
            i = pieces[i].mate.max(i) + 1;
        }
        i += 1;
    }
}

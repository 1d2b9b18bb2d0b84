//! Splitting an expression into tokens.

use super::SyntaxError;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64, Option<String>),
    Name(String),
    Symbol(&'static str),
    End,
}

/// A token and where it starts.
pub(super) type Placed = (usize, Token);

const SYMBOLS: [&str; 19] = [
    "<=", ">=", "&&", "||", "<", ">", "+", "-", "*", "/", "^", "(", ")", "[", "]", ",", ":", "!",
    "%",
];

pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, SyntaxError> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if c.is_ascii_digit() || c == '.' {
            let (value, end) = number(text, at)?;
            let unit_end = end + word_length(&text[end..]);
            let unit = (unit_end > end).then(|| text[end..unit_end].to_owned());
            at = unit_end;
            found.push((start, Token::Number(value, unit)));
        } else if c.is_ascii_alphabetic() || c == '_' {
            at += word_length(&text[at..]);
            while text[at..].starts_with('.') && word_length(&text[at + 1..]) > 0 {
                at += 1 + word_length(&text[at + 1..]);
            }
            found.push((start, Token::Name(text[start..at].to_owned())));
        } else if let Some(symbol) = SYMBOLS.iter().find(|s| text[at..].starts_with(**s)) {
            at += symbol.len();
            found.push((start, Token::Symbol(symbol)));
        } else {
            let reason = format!("`{c}` has no meaning in an expression");
            return Err(SyntaxError { at, reason });
        }
    }
    found.push((text.len(), Token::End));
    Ok(found)
}

fn word_length(text: &str) -> usize {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match text.chars().next() {
        Some(c) if c.is_ascii_alphabetic() || c == '_' => {
            text.find(|c| !is_word(c)).unwrap_or(text.len())
        }
        _ => 0,
    }
}

fn number(text: &str, start: usize) -> Result<(f64, usize), SyntaxError> {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut end = digits(start);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if bytes.get(end).is_some_and(|b| matches!(b, b'e' | b'E')) {
        let sign = usize::from(bytes.get(end + 1).is_some_and(|b| matches!(b, b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    let parsed = text[start..end].parse::<f64>();
    let parsed = parsed.map_err(|e| SyntaxError { at: start, reason: format!("no number: {e}") });
    Ok((parsed?, end))
}

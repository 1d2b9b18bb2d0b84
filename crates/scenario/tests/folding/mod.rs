//! Long lines of expected texts, broken so that they fit a source file.

/// Longest line of a folded text.
const WIDTH: usize = 76;

/// The text with long lines broken at spaces; four spaces begin each continued piece, and joining
/// the pieces by one space gives the text back.
pub(crate) fn folded(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut current = String::new();
        for (i, word) in line.split(' ').enumerate() {
            if i > 0 && current.chars().count() + 1 + word.chars().count() > WIDTH {
                lines.push(core::mem::replace(&mut current, String::from("   ")));
            }
            if i > 0 {
                current.push(' ');
            }
            current.push_str(word);
        }
        lines.push(current);
    }
    lines.join("\n")
}

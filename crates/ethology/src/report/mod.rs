//! One HTML page with text, tables and figures.
//!
//! Terms: a *section* is a heading with what follows it; a *caption* says what a figure or table
//! shows and how it was made.
//!
//! The page makes no request: style and figures are inside it, and there is no script. It follows
//! the reader's light or dark preference and reads down to 360 px.
//!
//! What it does not do: no markup in texts; everything given is escaped.

mod builder;
mod style;

pub use builder::Report;

/// The text with the characters that mean something in HTML and XML replaced.
///
/// # Example
/// ```
/// assert_eq!(tropism_ethology::report::escape("a < \"b\""), "a &lt; &quot;b&quot;");
/// ```
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Control characters have no place in HTML or XML text.
            other if other.is_control() && !matches!(other, '\n' | '\t') => {
                escaped.push('\u{fffd}');
            }
            other => escaped.push(other),
        }
    }
    escaped
}

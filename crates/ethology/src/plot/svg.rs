//! SVG text with a description.

use core::fmt;

use crate::report::escape;

/// A finished figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Svg {
    text: String,
}

impl Svg {
    /// Takes the text of the drawing backend; the label and the description are for readers who
    /// cannot see the figure.
    pub(super) fn finish(drawn: &str, label: &str, description: &str) -> Self {
        let ink = "\"#1A1A1B\"";
        let drawn = drawn.replace(ink, "\"currentColor\"");
        let (label, description) = (escape(label), escape(description));
        let opening = format!("<svg role=\"img\" aria-label=\"{label}\" ");
        let drawn = drawn.replacen("<svg ", &opening, 1);
        let head_end = drawn.find('>').map_or(0, |place| place + 1);
        let (head, body) = drawn.split_at(head_end);
        let text = format!("{head}\n<title>{label}</title>\n<desc>{description}</desc>{body}");
        Self { text }
    }

    /// The SVG text, an element that can stand alone or inside HTML.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Svg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Fails unless tags nest, attributes hold no broken number and the description is there.
    pub(crate) fn check(svg: &Svg) {
        let text = svg.as_str();
        assert!(text.starts_with("<svg role=\"img\" aria-label=\""), "{}", &text[..60]);
        assert!(text.contains("<desc>") && text.contains("viewBox=\"0 0 "));
        for bad in ["NaN", "inf\"", "-2147483648", "2147483647", "#1A1A1B"] {
            assert!(!text.contains(bad), "the figure contains `{bad}`");
        }
        let mut open: Vec<&str> = Vec::new();
        for tag in text.split('<').skip(1) {
            let inside = tag.split('>').next().unwrap();
            let name = inside.trim_start_matches('/').split(char::is_whitespace).next().unwrap();
            if let Some(closed) = inside.strip_prefix('/') {
                assert_eq!(open.pop(), Some(closed.trim()));
            } else if !inside.ends_with('/') {
                open.push(name);
            }
        }
        assert_eq!(open, Vec::<&str>::new(), "every element is closed");
    }

    #[test]
    fn unit_descriptions_are_escaped_and_ink_follows_the_page() {
        let svg = Svg::finish("<svg viewBox=\"0 0 1 1\"><a fill=\"#1A1A1B\"/></svg>", "a<b", "\"&");
        check(&svg);
        assert!(svg.as_str().contains("aria-label=\"a&lt;b\""));
        assert!(svg.as_str().contains("<desc>&quot;&amp;</desc>"));
        assert!(svg.as_str().contains("fill=\"currentColor\""));
    }
}

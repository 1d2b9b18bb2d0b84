//! Building the page part by part.

use core::fmt::Write;

use super::escape;
use super::style::STYLE;
use crate::plot::Svg;
use crate::table::{Kind, Table};
use crate::warning::Warning;

/// A page under construction.
///
/// # Example
/// ```
/// use tropism_ethology::report::Report;
/// let page = Report::new("Lives").section("Method").text("Seeds 0 to 29.").render();
/// assert!(page.starts_with("<!doctype html>"));
/// ```
#[derive(Clone, Debug)]
pub struct Report {
    title: String,
    body: String,
    sections: Vec<String>,
    figures: usize,
    tables: usize,
}

impl Report {
    /// An empty page.
    pub fn new(title: &str) -> Self {
        let body = String::new();
        Self { title: escape(title), body, sections: Vec::new(), figures: 0, tables: 0 }
    }

    fn add(&mut self, arguments: core::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.body.write_fmt(arguments);
    }

    /// A heading; sections are listed at the top of the page.
    #[must_use]
    pub fn section(mut self, heading: &str) -> Self {
        self.sections.push(escape(heading));
        let number = self.sections.len();
        self.add(format_args!("<h2 id=\"s{number}\">{}</h2>\n", escape(heading)));
        self
    }

    /// Paragraphs, separated by empty lines.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        for paragraph in text.split("\n\n").filter(|part| !part.trim().is_empty()) {
            self.add(format_args!("<p>{}</p>\n", escape(paragraph.trim())));
        }
        self
    }

    /// Text with its line breaks kept, such as a command or a file.
    #[must_use]
    pub fn code(mut self, text: &str) -> Self {
        self.add(format_args!("<pre tabindex=\"0\"><code>{}</code></pre>\n", escape(text)));
        self
    }

    /// One marked paragraph per warning.
    #[must_use]
    pub fn warnings(mut self, warnings: &[Warning]) -> Self {
        for warning in warnings {
            let text = escape(&warning.to_string());
            self.add(format_args!("<p class=\"warning\">{text}</p>\n"));
        }
        self
    }

    /// A table with a caption above it.
    #[must_use]
    pub fn table(mut self, table: &Table, caption: &str) -> Self {
        self.tables += 1;
        let number = self.tables;
        let caption = escape(caption);
        let class = |column: usize| match table.columns()[column].kind {
            Kind::Text => "",
            _ => " class=\"number\"",
        };
        self.add(format_args!(
            "<figure><figcaption id=\"t{number}\">Table {number}. {caption}</figcaption>\n\
             <div class=\"wide\" tabindex=\"0\"><table aria-labelledby=\"t{number}\">\n<thead><tr>"
        ));
        for (place, column) in table.columns().iter().enumerate() {
            let name = escape(&column.name);
            self.add(format_args!("<th scope=\"col\"{}>{name}</th>", class(place)));
        }
        self.add(format_args!("</tr></thead>\n<tbody>\n"));
        for row in table.display_rows() {
            self.add(format_args!("<tr>"));
            for (place, cell) in row.iter().enumerate() {
                self.add(format_args!("<td{}>{}</td>", class(place), escape(cell)));
            }
            self.add(format_args!("</tr>\n"));
        }
        self.add(format_args!("</tbody></table></div></figure>\n"));
        self
    }

    /// A figure with a caption below it.
    #[must_use]
    pub fn figure(mut self, figure: &Svg, caption: &str) -> Self {
        self.figures += 1;
        let number = self.figures;
        self.add(format_args!(
            "<figure><div class=\"wide\" tabindex=\"0\">{}</div>\n\
             <figcaption>Figure {number}. {}</figcaption></figure>\n",
            figure.as_str().trim_end(),
            escape(caption)
        ));
        self
    }

    /// The page as one HTML text.
    pub fn render(&self) -> String {
        let mut contents = String::new();
        if self.sections.len() > 1 {
            contents.push_str("<nav aria-label=\"Contents\"><ul>\n");
            for (number, heading) in (1..).zip(&self.sections) {
                let _ = writeln!(contents, "<li><a href=\"#s{number}\">{heading}</a></li>");
            }
            contents.push_str("</ul></nav>\n");
        }
        let (title, body) = (&self.title, &self.body);
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
             <h1>{title}</h1>\n{contents}{body}</main>\n</body>\n</html>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{ForestRow, forest};
    use crate::table::Column;

    fn page() -> String {
        let mut table = Table::new(vec![
            Column::new("condition", Kind::Text),
            Column::new("mean_h", Kind::F64),
        ])
        .unwrap();
        table.push(&["<script>alert(1)</script>".into(), 1.5.into()]).unwrap();
        let row = ForestRow { name: "a & b", mean: 1.0, interval: None };
        let figure = forest(&[row], "life (h)", None).unwrap();
        Report::new("Lives <i>")
            .section("Result & method")
            .text("One.\n\nTwo \"quoted\".")
            .warnings(&[Warning::SmallSample { n: 3 }])
            .code("tropism batch x.toml")
            .section("Figures")
            .table(&table, "Means > 0.")
            .figure(&figure, "Means.")
            .render()
    }

    #[test]
    fn unit_everything_given_is_escaped() {
        let page = page();
        assert!(!page.contains("<script") && page.contains("&lt;script&gt;alert(1)"));
        assert!(page.contains("<title>Lives &lt;i&gt;</title>"));
        assert!(page.contains("<p>Two &quot;quoted&quot;.</p>"));
        assert_eq!(escape("a\u{0}b\n"), "a\u{fffd}b\n");
    }

    #[test]
    fn unit_the_page_makes_no_request() {
        let page = page().replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for word in ["http:", "https:", "src=", "url(", "@import", "<link"] {
            assert!(!page.contains(word), "`{word}` would load something");
        }
    }

    #[test]
    fn unit_figures_and_tables_have_captions_and_descriptions() {
        let page = page();
        let count = |text: &str| page.matches(text).count();
        assert_eq!(count("<figure>"), count("<figcaption"));
        assert_eq!(count("<svg "), count("<desc>"));
        assert_eq!(count("<svg "), count("aria-label=\"Means of life (h)\""));
        assert!(page.contains("Table 1. Means &gt; 0.") && page.contains("Figure 1. Means."));
        assert!(page.contains("prefers-color-scheme:dark") && page.contains("width=device-width"));
        assert!(page.contains("<a href=\"#s2\">Figures</a>"));
    }
}

//! How long a source file may be.
//!
//! Terms: *code lines* are lines before the test module that are neither blank nor comment; the
//! *reason* is a line in the header that starts with `//! Size:`.

use super::Violation;
use crate::repository::TextFile;

/// Lines a file should have at most.
pub(super) const AIM: usize = 300;
/// Code lines above which the header must say why.
const REASON_ABOVE: usize = 500;
/// Lines no file has.
const STOP_ABOVE: usize = 800;

/// The size of a source file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Size {
    lines: usize,
    code: usize,
    has_reason: bool,
}

impl Size {
    /// Counts; all zero for a file that is no Rust source.
    pub(super) fn of(file: &TextFile) -> Self {
        if file.kind() != "rs" {
            return Self { lines: 0, code: 0, has_reason: false };
        }
        let lines: Vec<&str> = file.text.lines().map(str::trim).collect();
        let tests_start = lines.windows(2).position(|pair| {
            pair[0] == "#[cfg(test)]" && pair[1].starts_with("mod ") && pair[1].ends_with('{')
        });
        let is_test = file.path.split('/').any(|folder| folder == "tests");
        let end = if is_test { 0 } else { tests_start.unwrap_or(lines.len()) };
        let is_code = |line: &&&str| !(line.is_empty() || line.starts_with("//"));
        let mut header = lines.iter().take_while(|line| line.starts_with("//!"));
        Self {
            lines: lines.len(),
            code: lines[..end].iter().filter(is_code).count(),
            has_reason: header.any(|line| line.starts_with("//! Size:")),
        }
    }

    /// What is too long.
    pub(super) fn check(&self, file: &TextFile) -> Option<Violation> {
        if self.lines > STOP_ABOVE {
            let what = format!("{} lines", self.lines);
            let right = format!("at most {STOP_ABOVE}; split it by concept");
            return Some(Violation::new(&file.path, 1, what, right));
        }
        (self.code > REASON_ABOVE && !self.has_reason).then(|| {
            let what = format!("{} code lines without a reason", self.code);
            let right = format!("above {REASON_ABOVE} a header line `//! Size: …` says why");
            Violation::new(&file.path, 1, what, right)
        })
    }

    /// A remark when the file is longer than it should be.
    pub(super) fn note(&self, file: &TextFile) -> Option<String> {
        let is_long = self.code > AIM;
        is_long.then(|| format!("{}: {} code lines, {} in all", file.path, self.code, self.lines))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: String) -> TextFile {
        TextFile { path: path.into(), text }
    }

    fn check_size(path: &str, text: String, expected: Option<&str>) {
        let file = file(path, text);
        let found = Size::of(&file).check(&file).map(|violation| violation.to_string());
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn unit_tests_comments_and_blanks_are_no_code() {
        let text = "//! Docs.\n\nfn a() {}\n// why\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n";
        let size = Size::of(&file("a.rs", text.into()));
        assert_eq!(size, Size { lines: 8, code: 1, has_reason: false });
    }

    #[test]
    fn unit_five_hundred_lines_need_a_reason_and_eight_hundred_are_too_many() {
        let code = |n: usize| "f();\n".repeat(n);
        check_size("a.rs", code(500), None);
        let reason = "above 500 a header line `//! Size: …` says why";
        let expected = format!("a.rs:1: 501 code lines without a reason: {reason}");
        check_size("a.rs", code(501), Some(&expected));
        check_size("a.rs", format!("//! A table.\n//! Size: one table.\n{}", code(600)), None);
        let stop = "a.rs:1: 801 lines: at most 800; split it by concept";
        check_size("a.rs", format!("//! Size: no.\n{}", code(800)), Some(stop));
        check_size("crates/a/tests/b.rs", code(700), None);
        check_size("a.csv", code(900), None);
    }

    #[test]
    fn unit_files_above_the_aim_are_noted() {
        let long = file("a.rs", "f();\n".repeat(301));
        assert!(Size::of(&long).note(&long).is_some());
    }
}

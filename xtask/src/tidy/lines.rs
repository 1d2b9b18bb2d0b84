//! Rules for single lines: length, marks, paths of a machine, words that belong elsewhere.

use super::Violation;
use crate::repository::TextFile;

/// Longest line of source.
const LINE_MAX: usize = 100;

/// Marks of unfinished work, and what to do instead. Cut in two so that this file has none.
const MARKS: &[(&str, &str, &str)] = &[
    ("FIX", "ME", "fix it, or write what it does not do into the module's documentation"),
    ("XX", "X", "fix it, or write what it does not do into the module's documentation"),
    ("to", "do!(", "write the code"),
    ("unimple", "mented!(", "write the code"),
    ("db", "g!(", "remove it, or report through an observer"),
    ("#[igno", "re", "a test runs always, or is not there"),
];

/// Beginnings of paths that exist on one machine only.
const MACHINE_PATHS: &[(&str, &str)] = &[("/wo", "rk/"), ("/tm", "p/"), ("/ro", "ot/")];

/// Words of the tools around the project.
const FOREIGN_WORDS: &[(&str, &str)] =
    &[(".lib", "rary/"), ("house-", "style.md"), ("organism-", "reference.md"), ("the le", "ad ")];

/// Checks each line of a file.
pub(super) fn check(file: &TextFile) -> Vec<Violation> {
    let mut found = Vec::new();
    let kind = file.kind();
    if matches!(kind, "lock" | "csv" | "svg" | "json") {
        return found;
    }
    // What a program printed cannot be broken: expected output is exempt from the length.
    let mut is_expected_output = false;
    for (i, line) in file.text.lines().enumerate() {
        is_expected_output |= line.contains("expect![[r#\"") || line.contains("expect![[r\"");
        let is_free = is_expected_output;
        is_expected_output &= !(line.contains("\"#]]") || line.contains("\"]]"));
        let mut add = |what: String, right: &str| {
            found.push(Violation::new(&file.path, i + 1, what, right));
        };
        if kind == "rs" {
            let length = line.chars().count();
            if length > LINE_MAX && !is_free {
                add(format!("a line of {length} characters"), "break it at 100");
            }
        }
        for (head, tail, right) in MARKS {
            let mark = format!("{head}{tail}");
            if has_word(line, &mark) {
                add(format!("`{mark}`"), right);
            }
        }
        for (head, tail) in MACHINE_PATHS {
            let path = format!("{head}{tail}");
            if has_path(line, &path) {
                add(
                    format!("a path of one machine, `{path}`"),
                    "name it from the root of the tree",
                );
            }
        }
        for (head, tail) in FOREIGN_WORDS {
            let word = format!("{head}{tail}");
            if line.contains(&word) {
                add(format!("`{}` is no word of this project", word.trim()), "leave it out");
            }
        }
    }
    found
}

/// True when the mark stands in the line and is no part of a longer word.
fn has_word(line: &str, mark: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(mark).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + mark.len()..]);
        let starts = !mark.starts_with(is_letter) || !before.ends_with(is_letter);
        let ends = !mark.ends_with(is_letter) || !after.starts_with(is_letter);
        starts && ends
    })
}

/// True when the path begins here and is no inner part of a longer one.
fn has_path(line: &str, path: &str) -> bool {
    let is_inner = |c: char| c.is_alphanumeric() || "_.-)}$*~/".contains(c);
    line.match_indices(path).any(|(at, _)| !line[..at].ends_with(is_inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_line(path: &str, line: &str, expected: &[&str]) {
        let found = check(&TextFile { path: path.into(), text: format!("fine\n{line}\n") });
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn unit_marks_are_found_and_words_that_hold_them_are_not() {
        let mark = ["FIX", "ME"].concat();
        let right = "fix it, or write what it does not do into the module's documentation";
        check_line("a.rs", &format!("// {mark}: later"), &[&format!("a.rs:2: `{mark}`: {right}")]);
        check_line("a.rs", &format!("let {mark}S = 1;"), &[]);
        let ignored = format!("    {}]", ["#[igno", "re"].concat());
        let always = "a test runs always, or is not there";
        check_line("a.rs", &ignored, &[&format!("a.rs:2: `{}`: {always}", &ignored[4..12])]);
        let unfinished = ["to", "do!()"].concat();
        let expected = format!("a.rs:2: `{}`: write the code", &unfinished[..6]);
        check_line("a.rs", &unfinished, &[&expected]);
        check_line("a.rs", &format!("my_{unfinished}"), &[]);
    }

    #[test]
    fn unit_machine_paths_are_found_and_inner_folders_are_not() {
        let path = ["/tm", "p/"].concat();
        let expected = format!(
            "docs/a.md:2: a path of one machine, `{path}`: name it from the root of the tree"
        );
        check_line("docs/a.md", &format!("see `{path}x.txt`"), &[&expected]);
        check_line("docs/a.md", &format!("see `target{path}x.txt`"), &[]);
        check_line("data/a.csv", &format!("{path}x"), &[]);
    }

    #[test]
    fn unit_only_source_lines_have_a_length() {
        let long = "x".repeat(101);
        check_line("a.rs", &long, &["a.rs:2: a line of 101 characters: break it at 100"]);
        check_line("a.rs", &"ü".repeat(100), &[]);
        check_line("a.md", &long, &[]);
    }

    #[test]
    fn unit_foreign_words_are_found() {
        let word = [".lib", "rary/x"].concat();
        assert_eq!(check(&TextFile { path: "a.md".into(), text: word }).len(), 1);
    }
}

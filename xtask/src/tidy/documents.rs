//! Decision records, generated pages and what the README promises.

use super::Violation;
use crate::docs::Page;
use crate::repository::TextFile;

const DECISIONS: &str = "docs/decisions/";

/// Decision records are numbered from 1 without gaps, and their headings say the same number.
pub(super) fn check_decisions(files: &[TextFile]) -> Vec<Violation> {
    let mut found = Vec::new();
    let mut expected = 1;
    for file in files {
        let Some(name) = file.path.strip_prefix(DECISIONS).filter(|name| *name != "README.md")
        else {
            continue;
        };
        let number: String = name.chars().take_while(char::is_ascii_digit).collect();
        if number != format!("{expected:04}") || !name[number.len()..].starts_with('-') {
            let right = format!("the next one is {DECISIONS}{expected:04}-title.md");
            found.push(Violation::new(&file.path, 1, "decisions have a gap or a twin", right));
        }
        if !file.text.starts_with(&format!("# {number} ")) {
            let right = format!("begin with `# {number} `");
            found.push(Violation::new(&file.path, 1, "the heading has another number", right));
        }
        expected = number.parse().unwrap_or(expected) + 1;
    }
    found
}

/// Generated pages hold what the program would write now, and nothing else lies beside them.
pub(super) fn check_generated(files: &[TextFile], pages: &[Page]) -> Vec<Violation> {
    let right = "run `cargo xtask docs`";
    let mut found = Vec::new();
    for page in pages {
        match files.iter().find(|file| file.path == page.path) {
            None => found.push(Violation::new(page.path, 1, "the page is missing", right)),
            Some(file) if file.text != page.text => {
                let same = file.text.lines().zip(page.text.lines()).take_while(|(a, b)| a == b);
                let line = same.count() + 1;
                found.push(Violation::new(page.path, line, "the page is out of date", right));
            }
            Some(_) => {}
        }
    }
    for file in files.iter().filter(|file| file.path.starts_with("docs/reference/")) {
        if !pages.iter().any(|page| page.path == file.path) {
            let right = "only generated pages lie in docs/reference";
            found.push(Violation::new(&file.path, 1, "nobody generates this page", right));
        }
    }
    found
}

/// The README names commands that exist, and every verb of the command line.
pub(super) fn check_readme(files: &[TextFile], tasks: &[&str]) -> Vec<Violation> {
    let Some(readme) = files.iter().find(|file| file.path == "README.md") else {
        return vec![Violation::new("README.md", 1, "there is no README", "write one")];
    };
    let sources = files.iter().filter(|file| file.path.starts_with("crates/cli/src/"));
    let mut verbs: Vec<String> = sources.flat_map(|file| verbs(&file.text)).collect();
    verbs.push("help".into());
    let mut found = Vec::new();
    for (i, line) in readme.text.lines().enumerate() {
        for named in words_after(line, "cargo xtask ") {
            if !tasks.contains(&named.as_str()) {
                let what = format!("there is no `cargo xtask {named}`");
                let right = format!("there are {}", tasks.join(", "));
                found.push(Violation::new(&readme.path, i + 1, what, right));
            }
        }
        let calls = ["cargo run --release -- ", "`tropism ", "$ tropism "];
        for named in calls.iter().flat_map(|call| words_after(line, call)) {
            if verbs.len() > 1 && !verbs.contains(&named) {
                let what = format!("there is no `tropism {named}`");
                let right = format!("there are {}", verbs.join(", "));
                found.push(Violation::new(&readme.path, i + 1, what, right));
            }
        }
    }
    let words: Vec<&str> =
        readme.text.split(|c: char| !(c.is_alphanumeric() || c == '-')).collect();
    for verb in verbs.iter().filter(|verb| *verb != "help" && !words.contains(&verb.as_str())) {
        let what = format!("`tropism {verb}` is not named");
        found.push(Violation::new(&readme.path, 1, what, "add it to the table of commands"));
    }
    found
}

/// The words that follow a call: one, or several in braces; arguments that are flags are none.
fn words_after(line: &str, call: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c == '-';
    let mut words = Vec::new();
    for (at, _) in line.match_indices(call) {
        let rest = &line[at + call.len()..];
        let text = match rest.strip_prefix('{') {
            Some(inner) => inner.split('}').next().unwrap_or_default(),
            None => rest.split(|c| !is_part(c)).next().unwrap_or_default(),
        };
        let parts = text.split([',', '|']).map(str::trim);
        words.extend(
            parts.filter(|w| w.starts_with(is_part) && !w.starts_with('-')).map(Into::into),
        );
    }
    words
}

/// The verbs a source file declares: variants of enums that derive `Subcommand`, in kebab case.
fn verbs(source: &str) -> Vec<String> {
    let mut verbs = Vec::new();
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if !(line.starts_with("#[derive(") && line.contains("Subcommand")) {
            continue;
        }
        let mut depth = 0_i32;
        for line in lines.by_ref() {
            let line = line.trim();
            let is_code = !(line.starts_with("//") || line.starts_with('#'));
            if depth == 1 && is_code && line.starts_with(|c: char| c.is_ascii_uppercase()) {
                let name = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                verbs.push(kebab(name));
            }
            if is_code {
                depth += line.matches(['{', '(']).count() as i32;
                depth -= line.matches(['}', ')']).count() as i32;
                if depth <= 0 && line.ends_with('}') {
                    break;
                }
            }
        }
    }
    verbs
}

fn kebab(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile { path: path.into(), text: text.into() }
    }

    fn texts(found: &[Violation]) -> Vec<String> {
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn unit_a_gap_between_decisions_is_found() {
        let record = |number: &str| {
            file(&format!("docs/decisions/{number}-x.md"), &format!("# {number} A choice\n"))
        };
        assert!(check_decisions(&[record("0001"), record("0002")]).is_empty());
        assert_eq!(
            texts(&check_decisions(&[record("0001"), record("0003"), record("0004")])),
            ["docs/decisions/0003-x.md:1: decisions have a gap or a twin: the next one is \
              docs/decisions/0002-title.md"]
        );
        let twins = [file("docs/decisions/0001-a.md", "# 0001 A"), record("0001")];
        assert_eq!(check_decisions(&twins).len(), 1);
        assert_eq!(check_decisions(&[file("docs/decisions/0001-a.md", "# A choice")]).len(), 1);
    }

    #[test]
    fn unit_a_page_that_is_old_missing_or_foreign_is_found() {
        let page = Page { path: "docs/reference/a.md", text: "one\ntwo\n".into() };
        let fresh = file("docs/reference/a.md", "one\ntwo\n");
        assert!(check_generated(&[fresh], core::slice::from_ref(&page)).is_empty());
        let old = file("docs/reference/a.md", "one\n2\n");
        let foreign = file("docs/reference/b.md", "");
        assert_eq!(
            texts(&check_generated(&[old, foreign], core::slice::from_ref(&page))),
            [
                "docs/reference/a.md:2: the page is out of date: run `cargo xtask docs`",
                "docs/reference/b.md:1: nobody generates this page: only generated pages lie in \
                 docs/reference",
            ]
        );
        assert_eq!(check_generated(&[], &[page]).len(), 1);
    }

    const CLI: &str = "\
#[derive(Debug, Subcommand)]
enum Verb {
    /// One life.
    #[command(about)]
    Run(Run),
    DryRun {
        Path: u8,
    },
    List,
}
enum Other { Nothing }
";

    #[test]
    fn unit_verbs_are_read_from_the_command_line_source() {
        assert_eq!(verbs(CLI), ["run", "dry-run", "list"]);
    }

    #[test]
    fn unit_a_readme_that_promises_or_hides_a_command_is_found() {
        let cli = || file("crates/cli/src/main.rs", CLI);
        let good =
            "`cargo xtask {tidy,ci}`\n    cargo run --release -- run x\n`tropism dry-run`, list";
        assert!(check_readme(&[cli(), file("README.md", good)], &["tidy", "ci"]).is_empty());
        let bad = "cargo xtask polish\n`tropism fly`, run, list";
        assert_eq!(
            texts(&check_readme(&[cli(), file("README.md", bad)], &["tidy"])),
            [
                "README.md:1: there is no `cargo xtask polish`: there are tidy",
                "README.md:2: there is no `tropism fly`: there are run, dry-run, list, help",
                "README.md:1: `tropism dry-run` is not named: add it to the table of commands",
            ]
        );
        assert_eq!(check_readme(&[], &[]).len(), 1);
    }
}

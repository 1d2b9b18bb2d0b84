//! `ci`: every check, one after the other, stopped by the first that fails.
//!
//! Terms: the *test command* is what the README tells a reader to run; it stands between two
//! `test-command` markers, so that what is checked here is what is promised there.

use core::time::Duration;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::repository::{Count, Repository};
use crate::tidy;

type Step = fn(&Repository) -> Result<Count>;

/// Steps in order: the cheap ones first.
const STEPS: &[(&str, Step)] = &[
    ("format", |r| untested(r.run("cargo", &["fmt", "--all", "--check"]))),
    ("tidy", |r| untested(tidy::run(r, &[]))),
    ("clippy", |r| {
        let lint = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
        untested(r.run("cargo", &lint))
    }),
    ("the README's tests", test_as_promised),
    ("documentation", |r| {
        let build = ["doc", "--workspace", "--no-deps"];
        untested(r.run_with("cargo", &build, &[("RUSTDOCFLAGS", "-D warnings")]))
    }),
    ("parity", parity_if_there),
    ("golden", golden_in_the_other_profile),
    ("page", |r| untested(crate::web::run(r, &[]))),
    ("contract", |r| crate::contract::count(r, true)),
    ("page in a browser", crate::contract::in_browser),
];

/// Runs all steps. The last line printed says how many tests passed and failed.
pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<()> {
    crate::only_known(arguments, &[])?;
    let start = Instant::now();
    let mut times = Vec::new();
    let mut total = Count::default();
    for (i, (name, step)) in STEPS.iter().enumerate() {
        println!("== {}/{} {name}", i + 1, STEPS.len());
        let begun = Instant::now();
        let outcome = step(repository);
        let took = begun.elapsed();
        println!("== {name}: {} after {}", verdict(&outcome), minutes(took));
        total += outcome.with_context(|| format!("step {}, {name}", i + 1))?;
        times.push((name, took));
    }
    println!("== all {} steps passed in {}", STEPS.len(), minutes(start.elapsed()));
    for (name, took) in times {
        println!("   {:>9}  {name}", minutes(took));
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    Ok(())
}

/// A step that runs no test.
fn untested(outcome: Result<()>) -> Result<Count> {
    outcome.map(|()| Count::default())
}

const fn verdict(outcome: &Result<Count>) -> &'static str {
    if outcome.is_ok() { "passed" } else { "FAILED" }
}

fn minutes(time: Duration) -> String {
    let tenths = time.as_millis() / 100;
    format!("{}:{:02}.{} min", tenths / 600, tenths / 10 % 60, tenths % 10)
}

fn readme(repository: &Repository) -> Result<Vec<String>> {
    let readme = repository.read("README.md").context("there is no README.md")?;
    test_commands(&readme)
}

fn test_as_promised(repository: &Repository) -> Result<Count> {
    let commands = readme(repository)?;
    let mut total = Count::default();
    for command in &commands {
        println!("$ {command}");
        total += repository.test("bash", &["-euo", "pipefail", "-c", command], &[])?;
    }
    if !commands.iter().any(|command| runs_doc_tests(command)) {
        total += repository.test("cargo", &["test", "--workspace", "--doc"], &[])?;
    }
    if total.passed == 0 {
        bail!("the README's test command ran no test");
    }
    Ok(total)
}

fn parity_if_there(repository: &Repository) -> Result<Count> {
    if let Some(parity) = crate::command("parity") {
        return untested((parity.run)(repository, &[]));
    }
    println!("skipped: this build has no command `parity`");
    Ok(Count::default())
}

/// The same bits in debug and in release: golden tests run in the profile the README leaves out.
fn golden_in_the_other_profile(repository: &Repository) -> Result<Count> {
    let is_release = readme(repository)?.iter().any(|command| command.contains("--release"));
    crate::golden::count(repository, !is_release, &[])
}

/// The commands between the two `test-command` markers of a README.
fn test_commands(readme: &str) -> Result<Vec<String>> {
    let mut parts = readme.split("<!-- test-command -->");
    let (Some(_), Some(inside)) = (parts.next(), parts.next()) else {
        bail!("README.md has no <!-- test-command --> marker before its test command");
    };
    if parts.next().is_none() && !inside.contains("<!-- /test-command -->") {
        bail!("README.md has no second <!-- test-command --> marker after its test command");
    }
    let inside = inside.split("<!-- /test-command -->").next().unwrap_or_default();
    let commands: Vec<String> = inside
        .lines()
        .map(|line| line.trim().trim_start_matches("$ "))
        .filter(|line| !(line.is_empty() || line.starts_with("```") || line.starts_with('#')))
        .map(str::to_owned)
        .collect();
    if commands.is_empty() {
        bail!("README.md has no command between its <!-- test-command --> markers");
    }
    if let Some(command) = commands.iter().find(|c| c.contains("xtask ci") || c.contains(".ci/")) {
        bail!("README.md: `{command}` would call this program again");
    }
    Ok(commands)
}

/// True when a cargo test command runs the examples of the documentation too.
fn runs_doc_tests(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    let narrows = ["--lib", "--bins", "--tests", "--all-targets", "--test", "--bin", "--examples"];
    words.starts_with(&["cargo", "test"])
        && words.contains(&"--workspace")
        && (words.contains(&"--doc") || !words.iter().any(|word| narrows.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_the_test_command_is_read_out_of_the_readme() {
        let open = "text\n<!-- test-command -->\n```sh\n$ cargo test --workspace\n# more\n\n";
        for close in ["```\n<!-- test-command -->\nrest", "```\n<!-- /test-command -->\nrest"] {
            let commands = test_commands(&format!("{open}{close}")).unwrap();
            assert_eq!(commands, ["cargo test --workspace"]);
        }
    }

    #[test]
    fn unit_a_readme_without_a_usable_test_command_is_refused() {
        for readme in [
            "cargo test",
            "<!-- test-command -->\ncargo test\n",
            "<!-- test-command -->\n```\n```\n<!-- test-command -->",
            "<!-- test-command -->\ncargo xtask ci\n<!-- test-command -->",
        ] {
            assert!(test_commands(readme).is_err(), "{readme}");
        }
    }

    #[test]
    fn unit_commands_that_leave_out_the_examples_are_recognised() {
        assert!(runs_doc_tests("cargo test --workspace"));
        assert!(runs_doc_tests("cargo test --workspace --doc"));
        assert!(!runs_doc_tests("cargo test --workspace --all-targets"));
        assert!(!runs_doc_tests("cargo test"));
        assert!(!runs_doc_tests("cargo nextest run --workspace"));
    }

    #[test]
    fn unit_durations_are_minutes_and_seconds() {
        assert_eq!(minutes(Duration::from_millis(61_250)), "1:01.2 min");
    }
}

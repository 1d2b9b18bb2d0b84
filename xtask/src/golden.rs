//! `golden`: the tests that compare with kept tables.

use anyhow::{Result, bail};

use crate::repository::{Count, Repository, TextFile};

/// Runs them; `--update` accepts what they say now, `--release` runs them optimised.
pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<()> {
    crate::only_known(arguments, &["--update", "--release"])?;
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let update: &[_] = if has("--update") { &[("UPDATE_EXPECT", "1")] } else { &[] };
    count(repository, has("--release"), update).map(|_| ())
}

/// Runs them and counts.
pub(crate) fn count(
    repository: &Repository,
    is_release: bool,
    variables: &[(&str, &str)],
) -> Result<Count> {
    let crates = crates_with_golden_tests(&repository.text_files()?);
    if crates.is_empty() {
        bail!("no test is named golden_…");
    }
    let mut command = vec!["test", "--no-fail-fast", "--tests"];
    if is_release {
        command.push("--release");
    }
    for name in &crates {
        command.extend(["--package", name]);
    }
    command.extend(["--", "golden_"]);
    let count = repository.test("cargo", &command, variables)?;
    if count.passed == 0 {
        bail!("no golden test ran");
    }
    Ok(count)
}

/// Packages with a test whose name says golden, in order.
fn crates_with_golden_tests(files: &[TextFile]) -> Vec<String> {
    let mut names = Vec::new();
    for file in files {
        let mut parts = file.path.split('/');
        if let (Some("crates"), Some(folder)) = (parts.next(), parts.next())
            && file.kind() == "rs"
            && file.text.contains("fn golden_")
        {
            names.push(format!("tropism-{folder}"));
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_crates_are_found_by_the_names_of_their_tests() {
        let file = |path: &str, text: &str| TextFile { path: path.into(), text: text.into() };
        let files = [
            file("crates/core/src/random.rs", "fn golden_draws() {}"),
            file("crates/core/src/hash.rs", "fn golden_hash() {}"),
            file("crates/body/src/lib.rs", "fn unit_x() {}"),
            file("xtask/src/main.rs", "fn golden_x() {}"),
        ];
        assert_eq!(crates_with_golden_tests(&files), ["tropism-core"]);
    }
}

//! Where the files are, and how other programs are run.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The work tree this program runs in.
pub(crate) struct Repository {
    root: PathBuf,
}

/// A text file of the work tree.
pub(crate) struct TextFile {
    /// Path from the root, with `/`.
    pub(crate) path: String,
    /// Content.
    pub(crate) text: String,
}

/// Tests that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    /// Tests that passed.
    pub(crate) passed: u32,
    /// Tests that failed.
    pub(crate) failed: u32,
}

impl Count {
    /// Adds the numbers of a closing line of the test runner; other lines add nothing.
    fn add_line(&mut self, line: &str) {
        if !line.starts_with("test result: ") {
            return;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        for pair in words.windows(2) {
            let number = pair[0].parse().unwrap_or(0);
            match pair[1] {
                "passed;" => self.passed += number,
                "failed;" => self.failed += number,
                _ => {}
            }
        }
    }
}

impl core::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl TextFile {
    /// What stands after the last dot of the name.
    pub(crate) fn kind(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default()
    }
}

impl Repository {
    /// The tree around the current folder.
    pub(crate) fn find() -> Result<Self> {
        let here = std::env::current_dir().context("there is no current folder")?;
        let is_root = |folder: &&Path| folder.join("xtask/Cargo.toml").is_file();
        match here.ancestors().find(is_root) {
            Some(root) => Ok(Self { root: root.to_path_buf() }),
            None => bail!("{} lies in no tree with an xtask", here.display()),
        }
    }

    /// A path inside the tree.
    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The text of a file, `None` when there is none.
    pub(crate) fn read(&self, relative: &str) -> Option<String> {
        std::fs::read_to_string(self.path(relative)).ok()
    }

    /// Runs a program in the root with its output shown; fails when it fails.
    pub(crate) fn run(&self, program: &str, arguments: &[&str]) -> Result<()> {
        self.run_with(program, arguments, &[])
    }

    /// A command in the root. What is built is looked for below `target/`, wherever the caller's
    /// own builds go.
    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.root).env_remove("CARGO_TARGET_DIR");
        command
    }

    /// The same with variables added to its environment.
    pub(crate) fn run_with(
        &self,
        program: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<()> {
        let status = self
            .command(program, arguments)
            .envs(variables.iter().copied())
            .status()
            .with_context(|| format!("cannot start {program}"))?;
        if !status.success() {
            bail!("{program} {} ended with {status}", arguments.join(" "));
        }
        Ok(())
    }

    /// Runs a program that runs tests: shows what it prints and counts the tests.
    pub(crate) fn test(
        &self,
        program: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<Count> {
        let mut child = self
            .command(program, arguments)
            .envs(variables.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let mut count = Count::default();
        let stdout = child.stdout.take().context("the output was asked for")?;
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            count.add_line(&line);
        }
        let status = child.wait()?;
        if !status.success() {
            let Count { passed, failed } = count;
            let command = arguments.join(" ");
            bail!("{program} {command} ended with {status}: {passed} passed, {failed} failed");
        }
        Ok(count)
    }

    /// Runs a program in the root and gives what it printed.
    pub(crate) fn output(&self, program: &str, arguments: &[&str]) -> Result<String> {
        let output = self
            .command(program, arguments)
            .output()
            .with_context(|| format!("cannot start {program}"))?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr);
            bail!("{program} {} ended with {}: {message}", arguments.join(" "), output.status);
        }
        String::from_utf8(output.stdout).with_context(|| format!("{program} printed no UTF-8"))
    }

    /// All files that are tracked or would be, in order; those that are no text are left out.
    pub(crate) fn text_files(&self) -> Result<Vec<TextFile>> {
        let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let listed = self.output("git", &list)?;
        let mut paths: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
        paths.sort_unstable();
        paths.dedup();
        let read =
            |path: &&str| Some(TextFile { text: self.read(path)?, path: (*path).to_owned() });
        Ok(paths.iter().filter_map(read).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_closing_lines_are_counted_and_other_lines_are_not() {
        let mut count = Count::default();
        for line in [
            "test result: ok. 25 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished",
            "test result: FAILED. 7 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
            "test a ... ok",
            "9 passed; 9 failed;",
        ] {
            count.add_line(line);
        }
        assert_eq!(count, Count { passed: 32, failed: 2 });
    }
}

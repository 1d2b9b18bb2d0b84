//! Where the files are, and how other programs are run.

use std::path::{Path, PathBuf};
use std::process::Command;

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

    /// The same with variables added to its environment.
    pub(crate) fn run_with(
        &self,
        program: &str,
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Result<()> {
        let status = Command::new(program)
            .args(arguments)
            .envs(variables.iter().copied())
            .current_dir(&self.root)
            .status()
            .with_context(|| format!("cannot start {program}"))?;
        if !status.success() {
            bail!("{program} {} ended with {status}", arguments.join(" "));
        }
        Ok(())
    }

    /// Runs a program in the root and gives what it printed.
    pub(crate) fn output(&self, program: &str, arguments: &[&str]) -> Result<String> {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(&self.root)
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

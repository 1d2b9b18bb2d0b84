//! `interop`: what we write, read by programs of others.
//!
//! What it does not do: it installs nothing outside `target/`.

use anyhow::{Context, Result, bail};

use crate::repository::{Count, Repository};

/// Where the Python packages are put; the test looks there.
const FOLDER: &str = "target/tmp/interop";

/// Packages with the versions the checks were written against.
const PACKAGES: &[&str] = &["mcap==1.6.0", "mcap-protobuf-support==0.6.0", "jsonschema==4.26.0"];

/// Installs the packages and runs the tests that need them.
pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<()> {
    crate::only_known(arguments, &[])?;
    count(repository).map(|_| ())
}

/// The same, and counts the tests. They cannot skip: the packages are there, or this fails.
pub(crate) fn count(repository: &Repository) -> Result<Count> {
    let python = repository.path(FOLDER).join("bin/python");
    let python = python.to_str().context("the path of the checkout is no UTF-8")?;
    let has_all = || {
        let import = ["-c", "import mcap, mcap_protobuf, jsonschema"];
        repository.output(python, &import).is_ok()
    };
    if !has_all() {
        let venv = ["-m", "venv", "--clear", FOLDER];
        repository.run("python3", &venv).context("Debian has it in python3-venv")?;
        let mut install = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        install.extend(PACKAGES);
        repository.run(python, &install)?;
    }
    if !has_all() {
        bail!("{FOLDER} lacks {}", PACKAGES.join(", "));
    }
    let test =
        ["test", "-p", "tropism-lab", "--features", "mcap", "--test", "export_interop", "--"];
    repository.test("cargo", &[test.as_slice(), &["--nocapture"]].concat(), &[])
}

//! `contract`: the same requests to the session of the host and to the one of the page, equal
//! messages, byte for byte; and the page in a browser.
//!
//! What it does not do: it holds no request; `web/tests/requests.mjs` does.

use anyhow::Result;

use crate::repository::{Count, Repository};
use crate::web;

const NATIVE: &str = "target/debug/examples/session_script";

/// Runs the requests on the host and under Node; with `--browser` in Chromium too.
pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<()> {
    crate::only_known(arguments, &["--browser"])?;
    let is_in_browser = !arguments.is_empty();
    let steps: &[String] = if is_in_browser { &[] } else { &["--module".to_owned()] };
    web::run(repository, steps)?;
    count(repository, is_in_browser).map(|_| ())
}

/// The same with the page as it is built.
pub(crate) fn count(repository: &Repository, is_in_browser: bool) -> Result<Count> {
    let package = ["build", "--package", "tropism-session", "--features", "javascript"];
    repository.run("cargo", &[&package[..], &["--example", "session_script"]].concat())?;
    let mut command = vec!["web/tests/contract.mjs", NATIVE];
    command.extend(is_in_browser.then_some("--browser"));
    repository.test("node", &command, &[])
}

/// The tests of the page in a browser, on both back ends.
pub(crate) fn in_browser(repository: &Repository) -> Result<Count> {
    repository.run("cargo", &["build", "--package", "tropism-cli"])?;
    repository.test("node", &["web/tests/run.mjs"], &[("TROPISM", "target/debug/tropism")])
}

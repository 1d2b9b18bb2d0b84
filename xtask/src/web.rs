//! `web`: the page, from its sources to `web/dist`.
//!
//! Terms: the *module* is the laboratory as WebAssembly, the *glue* the JavaScript side of it.
//!
//! One folder serves both ways: a server embeds it, and any static host can serve it as it is; the
//! page finds out by itself whether a server stands behind it.
//!
//! What it does not do: it installs neither Node nor a browser.
#![expect(clippy::print_stdout, reason = "it says what it does")]

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::repository::Repository;

/// Oldest Node that the tools of the page run on.
const NODE_MIN: u32 = 20;
const TARGET: &str = "wasm32-unknown-unknown";
const MODULE: &str = "target/wasm32-unknown-unknown/web/tropism_wasm.wasm";
const GLUE: &str = "web/src/generated/wasm";
const SMALLER: &str = "web/src/generated/wasm/tropism_wasm_bg.wasm";

/// Builds the page; `--check-tools` only looks whether what is needed is there, `--module` stops
/// after the module and the types.
pub(crate) fn run(repository: &Repository, arguments: &[String]) -> Result<()> {
    crate::only_known(arguments, &["--check-tools", "--module"])?;
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    check_tools(repository)?;
    if has("--check-tools") {
        println!("everything the page is built with is there");
        return Ok(());
    }
    install(repository)?;
    module(repository)?;
    let npm =
        |script: &[&str]| repository.run("npm", &[&["--prefix", "web", "run"], script].concat());
    npm(&["types"])?;
    if has("--module") {
        return Ok(());
    }
    npm(&["check"])?;
    npm(&["build"])?;
    take_notice(repository)?;
    npm(&["sizes"])?;
    println!("the page is in web/dist; next: cargo run --release -- lab");
    Ok(())
}

/// A program compiled without the page does not see a folder that appears: its build script is
/// written anew, so that the next build takes the page in.
fn take_notice(repository: &Repository) -> Result<()> {
    const SCRIPT: &str = "crates/server/build.rs";
    let path = repository.path(SCRIPT);
    let text = std::fs::read(&path).with_context(|| format!("cannot read {SCRIPT}"))?;
    std::fs::write(&path, text).with_context(|| format!("cannot write {SCRIPT}"))
}

fn check_tools(repository: &Repository) -> Result<()> {
    let right = format!(
        "the page needs Node {NODE_MIN} or newer with npm (Debian: apt-get install nodejs npm; \
         others: https://nodejs.org); everything but the page works without"
    );
    let version = repository.output("node", &["--version"]).with_context(|| right.clone())?;
    if major(&version).is_none_or(|major| major < NODE_MIN) {
        bail!("this is Node {}; {right}", version.trim());
    }
    repository.output("npm", &["--version"]).with_context(|| right)?;
    let installed =
        repository.output("rustc", &["--print", "target-libdir", "--target", TARGET])?;
    if !Path::new(installed.trim()).is_dir() {
        bail!("rustc cannot build for {TARGET}; run: rustup target add {TARGET}");
    }
    Ok(())
}

/// The first number of `v20.1.0`.
fn major(version: &str) -> Option<u32> {
    version.trim().trim_start_matches('v').split('.').next()?.parse().ok()
}

/// Installs the packages of the lock file, unless they are there.
fn install(repository: &Repository) -> Result<()> {
    let lock = repository.read("web/package-lock.json").context("web has no package-lock.json")?;
    let stamp = "web/node_modules/.tropism-lock";
    if repository.read(stamp).is_some_and(|kept| kept == lock) {
        return Ok(());
    }
    repository.run("npm", &["--prefix", "web", "ci", "--no-audit", "--no-fund"])?;
    std::fs::write(repository.path(stamp), lock).context("cannot write into web/node_modules")
}

fn module(repository: &Repository) -> Result<()> {
    let build = ["build", "--profile", "web", "--target", TARGET, "--package", "tropism-wasm"];
    repository.run("cargo", &build)?;
    repository
        .run("cargo", &["run", "--quiet", "--package", "xtask-bindgen", "--", MODULE, GLUE])?;
    let before = size(repository)?;
    let optimise =
        ["web/node_modules/binaryen/bin/wasm-opt", SMALLER, "-o", SMALLER, "-O2", "--strip-debug"];
    let features = [
        "--enable-bulk-memory",
        "--enable-mutable-globals",
        "--enable-nontrapping-float-to-int",
        "--enable-sign-ext",
        "--enable-reference-types",
        "--enable-multivalue",
    ];
    repository.run("node", &[optimise.as_slice(), &features].concat())?;
    println!("{SMALLER}: {before} bytes, {} after wasm-opt", size(repository)?);
    Ok(())
}

fn size(repository: &Repository) -> Result<u64> {
    let path = repository.path(SMALLER);
    Ok(std::fs::metadata(&path).with_context(|| format!("there is no {SMALLER}"))?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unit_the_version_of_node_is_read() {
        assert_eq!(major("v20.20.2\n"), Some(20));
        assert_eq!(major("v8"), Some(8));
        assert_eq!(major("what"), None);
    }
}

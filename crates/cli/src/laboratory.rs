//! `tropism lab`.

use core::net::IpAddr;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, bail};
use clap::Args;
use tropism_scenario::{Document, Source as Text};
use tropism_server::{Options, Server, block_on};
use tropism_session::Session;
use tropism_wire::session::{Message, Source, TextFile};

use crate::output::load_document;

#[derive(Debug, Args)]
pub(crate) struct LabArguments {
    /// What sessions begin with: a scenario or behaviour network (TOML), an octopus scene (JSON), a
    /// recording (JSONL).
    scenario: Option<PathBuf>,
    /// Port; 0 for any. Without it 7878, or any when that is taken.
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Address to listen on; any but this machine's own needs a token.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    bind: IpAddr,
    /// Token that every request must carry.
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Folder that recordings are kept in.
    #[arg(long, value_name = "FOLDER", default_value = "recordings")]
    recordings: PathBuf,
    /// Folder of results of experiments.
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    results: PathBuf,
    /// Opens the page in the browser.
    #[arg(long)]
    open: bool,
    /// Instead of serving: carries out the requests of this file, one per line, and prints what the
    /// session says, one message per line.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
}

/// A file with everything it refers to, as the protocol hands it over.
fn source(path: &Path) -> anyhow::Result<Source> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{}: it cannot be read", path.display()))?;
    let is_network = text.lines().any(|line| line.trim_start().starts_with("[[layer"));
    let is_json = path.extension().is_some_and(|e| e == "json" || e == "jsonl");
    let mut included = Vec::new();
    if !is_network && !is_json {
        match load_document(path)? {
            Document::Scenario(scenario) => included = scenario.included,
            Document::Experiment(experiment) => included = experiment.included,
            _ => bail!(
                "{}: it is no scenario; give a file with `kind = \"scenario\"`",
                path.display()
            ),
        }
    }
    let file = |Text { path, text }: Text| TextFile { name: path, text };
    let name = path.display().to_string();
    Ok(Source::Text {
        file: TextFile { name, text },
        files: included.into_iter().map(file).collect(),
    })
}

/// Carries out a file of requests.
fn script(path: &Path) -> anyhow::Result<ExitCode> {
    let file = std::fs::File::open(path)
        .with_context(|| format!("{}: it cannot be read", path.display()))?;
    let mut session = Session::new();
    let mut say = |message: &Message| -> anyhow::Result<()> {
        println!("{}", serde_json::to_string(message)?);
        Ok(())
    };
    say(&Session::hello())?;
    for line in std::io::BufReader::new(file).lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let mut said = Vec::new();
        session.handle_text(&line, &mut said);
        said.iter().try_for_each(&mut say)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens the page in the browser; if that fails the address is there to be typed.
fn open(url: &str) {
    let (program, arguments): (_, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(url).stdin(Stdio::null()).stdout(Stdio::null());
    if let Err(error) = command.stderr(Stdio::null()).spawn() {
        eprintln!("no browser could be opened ({program}: {error})");
    }
}

pub(crate) fn run(arguments: &LabArguments) -> anyhow::Result<ExitCode> {
    if let Some(path) = &arguments.script {
        return script(path);
    }
    let options = Options {
        address: arguments.bind,
        port: arguments.port,
        token: arguments.token.clone(),
        source: arguments.scenario.as_deref().map(source).transpose()?,
        recordings: Some(arguments.recordings.clone()),
        results: arguments.results.clone(),
        ..Options::default()
    };
    let started = |server: &Server| {
        println!("the laboratory is open at {}", server.url());
        println!("to close it, press Ctrl-C here");
        if arguments.open {
            open(&server.url());
        }
    };
    block_on(options, started)?;
    println!("closed");
    Ok(ExitCode::SUCCESS)
}

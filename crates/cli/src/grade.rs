//! `tropism grade`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use tropism_ethology::table::Format;
use tropism_lab::grade::{TASKS, Task, describe, grade, table};
use tropism_scenario::{Document, MindSpec};

use crate::output::load_document;
use crate::outputs::Files;

#[derive(Debug, Args)]
pub(crate) struct GradeArguments {
    /// A script (.js), a state machine (.toml), or a built-in controller.
    controller: String,
    /// A built-in task, a scenario file (.toml) or a text map (.txt). Without a name, the tasks are
    /// listed.
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// What passing means on a scenario file: free, line or beacon.
    #[arg(long, value_name = "HOW")]
    pass: Option<String>,
    /// Number of starts.
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true)]
    seeds: u32,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
    /// Writes one row per attempt as Parquet.
    #[arg(long, value_name = "FILE")]
    parquet: Option<PathBuf>,
    /// Exit code 1 when a smaller share passes, such as 0.95.
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    at_least: Option<f64>,
}

/// The mind behind a name.
fn mind(name: &str, task: &Task) -> anyhow::Result<MindSpec> {
    let path = Path::new(name);
    match path.extension().and_then(|e| e.to_str()) {
        Some("js") => {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("{name}: the script cannot be read"))?;
            Ok(MindSpec::Script { path: name.to_owned(), text })
        }
        Some("toml") => match load_document(path)? {
            Document::Machine(machine) => Ok(MindSpec::Machine(machine)),
            Document::Scenario(scenario) => {
                scenario.minds.into_iter().next().context("the scenario has no mind")
            }
            _ => bail!("{name}: no machine and no scenario; give a file with `kind = \"machine\"`"),
        },
        _ => {
            let (body, step) = task.host();
            tropism_scenario::built_in_condition_at(name, body, step).with_context(|| {
                format!(
                    "`{name}` is no built-in controller (see `tropism list`), no .js file and no \
                     .toml file"
                )
            })
        }
    }
}

fn task(name: &str, pass: Option<&str>) -> anyhow::Result<Task> {
    if let Some(task) = Task::named(name) {
        anyhow::ensure!(pass.is_none(), "--pass goes with a scenario file; `{name}` has its own");
        return Ok(task?);
    }
    if Path::new(name).extension().is_some_and(|e| e == "toml") {
        return match load_document(Path::new(name))? {
            Document::Scenario(scenario) => Ok(Task::of_scenario(scenario, pass)?),
            _ => bail!("{name}: a task file is a scenario, with `kind = \"scenario\"`"),
        };
    }
    if Path::new(name).extension().is_some_and(|e| e == "txt") {
        anyhow::ensure!(pass.is_none(), "--pass goes with a scenario file; a map has a goal");
        let text = std::fs::read_to_string(name)
            .with_context(|| format!("{name}: the map cannot be read"))?;
        return Ok(Task::of_map(name, &text)?);
    }
    let names: Vec<&str> = TASKS.iter().map(|t| t.0).collect();
    bail!("there is no task `{name}`; there are {}, a scenario file or a map", names.join(", "))
}

pub(crate) fn run(arguments: &GradeArguments) -> anyhow::Result<ExitCode> {
    let Some(name) = &arguments.task else {
        for (name, about) in TASKS {
            println!("{name:<12} {about}");
        }
        bail!("name one of these tasks with --task");
    };
    Files::new()
        .read("the controller", Some(Path::new(&arguments.controller)))
        .read("the task", Some(Path::new(name)))
        .write("--parquet", arguments.parquet.as_deref())
        .check()?;
    let task = task(name, arguments.pass.as_deref())?;
    if let Some(share) = arguments.at_least {
        anyhow::ensure!((0.0..=1.0).contains(&share), "--at-least is a share, 0 to 1");
    }
    let mind = mind(&arguments.controller, &task)?;
    let grade = grade(&arguments.controller, &mind, &task, arguments.seeds)?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&grade)?);
    } else {
        print!("{}", describe(&grade));
    }
    if let Some(path) = &arguments.parquet {
        table(&grade)?.write(path, Format::Parquet)?;
        eprintln!("{}: {} rows", path.display(), grade.attempts.len());
    }
    let is_enough = arguments.at_least.is_none_or(|share| grade.passed.share >= share);
    Ok(if is_enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

//! `tropism experiment`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use tropism_lab::experiment::{Manifest, Store, run as run_experiment, run_twins};
use tropism_lab::outcome;
use tropism_scenario::{Document, Experiment};

use crate::output::{load_document, typed_command};
use crate::progress::{self, ExperimentBar};

#[derive(Debug, Args)]
pub(crate) struct ExperimentArguments {
    /// Experiment file (TOML).
    file: PathBuf,
    /// Worker threads; all cores when not given. The table is the same for any number.
    #[arg(long, short, allow_negative_numbers = true)]
    jobs: Option<usize>,
    /// Only the first N seeds of the file.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seeds: Option<usize>,
    /// Number of lives instead of the file's.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    lives: Option<u32>,
    /// Cap of a life in hours instead of the file's.
    #[arg(long, value_name = "HOURS", allow_negative_numbers = true)]
    cap: Option<f64>,
    /// Only these conditions, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    conditions: Vec<String>,
    /// Folder for results.
    #[arg(long, default_value = "results")]
    out: PathBuf,
    /// Forget finished runs and start over.
    #[arg(long)]
    fresh: bool,
    /// No progress bar and no hints.
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(arguments: &ExperimentArguments) -> anyhow::Result<ExitCode> {
    if arguments.jobs == Some(0) {
        bail!("--jobs is 1 or more; leave it away to use all cores");
    }
    let Document::Experiment(mut experiment) = load_document(&arguments.file)? else {
        bail!(
            "{}: it is no experiment; give a file with `kind = \"experiment\"`, or try \
             `tropism run {0}`",
            arguments.file.display()
        );
    };
    narrow(&mut experiment, arguments)?;
    let manifest = Manifest::new(&experiment, &typed_command());
    let store = Store::open(&arguments.out, &manifest)?;
    if arguments.fresh {
        store.forget()?;
    }
    progress::listen_for_ctrl_c();
    let ticks_per_run = manifest.cap_ticks.saturating_mul(u64::from(manifest.lives));
    let bar = ExperimentBar::new(ticks_per_run, arguments.quiet);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = arguments.jobs.unwrap_or(cores);
    let records = run_experiment(&experiment, &store, workers, &bar)?;
    let twins = match &records {
        Some(_) => run_twins(&experiment, &store, workers, &bar)?,
        None => None,
    };
    bar.clear();
    let (Some(records), Some(twins)) = (records, twins) else {
        eprintln!("stopped. What is finished is kept in {}", store.folder().display());
        eprintln!("to go on, type the same command again: {}", manifest.command);
        return Ok(ExitCode::from(130));
    };
    print!("{}", outcome::write(&experiment, &manifest, &store, (&records, &twins))?);
    if !arguments.quiet {
        hints(&store.path("report.html"));
    }
    Ok(ExitCode::SUCCESS)
}

fn narrow(experiment: &mut Experiment, arguments: &ExperimentArguments) -> anyhow::Result<()> {
    if let Some(count) = arguments.seeds {
        if count == 0 || count > experiment.seeds.len() {
            bail!("--seeds is 1 to {}, the number of seeds in the file", experiment.seeds.len());
        }
        experiment.seeds.truncate(count);
    }
    if let Some(lives) = arguments.lives {
        if !(1..=10_000).contains(&lives) {
            bail!("--lives is 1 to 10000");
        }
        experiment.lives = lives;
    }
    if let Some(hours) = arguments.cap {
        if !(hours > 0.0 && hours <= 10_000.0) {
            bail!("--cap is above 0 and at most 10000 hours");
        }
        experiment.life_cap_s = hours * 3600.0;
    }
    if !arguments.conditions.is_empty() {
        let all: Vec<_> = experiment.conditions.iter().map(|c| c.name.clone()).collect();
        for name in &arguments.conditions {
            if !all.contains(name) {
                bail!("--conditions: `{name}` is none of {}", all.join(", "));
            }
        }
        let baseline = experiment.baseline.clone();
        experiment.conditions.retain(|c| {
            arguments.conditions.contains(&c.name) || baseline.as_deref() == Some(&c.name)
        });
    }
    Ok(())
}

fn hints(report: &Path) {
    println!("\nreport: {}", report.display());
    println!("        beside it: table.txt, lives.parquet, runs.parquet, manifest.json");
    println!("next:   open the report in a browser, or look at one life:");
    println!("        tropism run SCENARIO.toml --report life.html");
}

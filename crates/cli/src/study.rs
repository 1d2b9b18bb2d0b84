//! `tropism study`.

use core::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use tropism_ethology::table::atomic_write;
use tropism_lab::life::Progress;
use tropism_lab::study::{Plan, describe, make, read_key, read_ratings, report};

use crate::output::{load_scenario, minds_of};
use crate::progress::{Bar, is_cancelled, listen_for_ctrl_c};

#[derive(Debug, Args)]
pub(crate) struct StudyArguments {
    #[command(subcommand)]
    verb: StudyVerb,
}

#[derive(Debug, Subcommand)]
enum StudyVerb {
    /// Lives organisms of several conditions and cuts a clip from each, shuffled and unlabelled.
    Make(MakeArguments),
    /// Prints what raters said: means with intervals by condition, and how far raters agree.
    Report(ReportArguments),
}

#[derive(Debug, Args)]
struct MakeArguments {
    /// Scenario file.
    scenario: PathBuf,
    /// Conditions, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    conditions: Vec<String>,
    /// Organisms per condition, one clip each.
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true)]
    seeds: u64,
    /// First seed.
    #[arg(long, value_name = "SEED", default_value_t = 1, allow_negative_numbers = true)]
    first_seed: u64,
    /// Length of a clip, s.
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, allow_negative_numbers = true)]
    seconds: f64,
    /// What each organism lives before its clip, s.
    #[arg(long, value_name = "SECONDS", default_value_t = 3600.0, allow_negative_numbers = true)]
    after: f64,
    /// What raters are asked.
    #[arg(long, value_name = "TEXT", default_value = "How alive does it look?")]
    question: String,
    /// Seed of the shuffling.
    #[arg(long, value_name = "SEED", default_value_t = 1, allow_negative_numbers = true)]
    shuffle: u64,
    /// Folder for `study.json`, which raters get, and `key.csv`, which they must not see.
    #[arg(long, value_name = "DIR", default_value = "study")]
    out: PathBuf,
}

#[derive(Debug, Args)]
struct ReportArguments {
    /// Folder that `study make` wrote, or its `key.csv`.
    study: PathBuf,
    /// Ratings that the page wrote, one file per rater or several in one.
    #[arg(required = true)]
    ratings: Vec<PathBuf>,
    /// Condition that the others are compared with; the key's first in the alphabet by default.
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &StudyArguments) -> anyhow::Result<ExitCode> {
    match &arguments.verb {
        StudyVerb::Make(arguments) => make_study(arguments),
        StudyVerb::Report(arguments) => report_study(arguments),
    }
}

struct Gauge {
    bar: Bar,
    done: core::sync::atomic::AtomicU64,
}

impl Progress for Gauge {
    fn ticks(&self, count: u64) {
        let before = self.done.fetch_add(count, core::sync::atomic::Ordering::Relaxed);
        self.bar.at(before + count);
    }

    fn is_cancelled(&self) -> bool {
        is_cancelled()
    }
}

fn make_study(arguments: &MakeArguments) -> anyhow::Result<ExitCode> {
    let scenario = load_scenario(&arguments.scenario)?;
    anyhow::ensure!(
        arguments.conditions.len() >= 2,
        "name two conditions or more, such as --conditions full,no_reflexes,random_walk"
    );
    for (name, value) in [("--seconds", arguments.seconds), ("--after", arguments.after)] {
        anyhow::ensure!((0.0..=1e6).contains(&value), "{name} is a time in s, 0 to 1000000");
    }
    let minds = |name: &String| Ok((name.clone(), minds_of(&scenario, Some(name))?));
    let conditions = arguments.conditions.iter().map(minds).collect::<anyhow::Result<Vec<_>>>()?;
    let runs = conditions.len() as u64 * arguments.seeds;
    let ticks = scenario.step.ticks_in(arguments.after) + scenario.step.ticks_in(arguments.seconds);
    listen_for_ctrl_c();
    let gauge = Gauge { bar: Bar::new(runs * ticks, false), done: 0.into() };
    let plan = Plan {
        title: scenario.name.clone(),
        question: arguments.question.clone(),
        conditions,
        seeds: (arguments.first_seed..).take(arguments.seeds as usize).collect(),
        clip_s: arguments.seconds,
        before_s: arguments.after,
        shuffle: arguments.shuffle,
    };
    let made = make(&scenario, &plan, &gauge)?;
    gauge.bar.clear();
    let Some((study, key)) = made else {
        eprintln!("stopped; nothing was written");
        return Ok(ExitCode::from(130));
    };
    let out = &arguments.out;
    std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
    let mut table = String::from("clip,condition,seed\n");
    for row in &key {
        let _ = writeln!(table, "{},{},{}", row.clip, row.condition, row.seed);
    }
    let text = serde_json::to_string(&study)?;
    atomic_write(&out.join("study.json"), text.as_bytes())?;
    atomic_write(&out.join("key.csv"), table.as_bytes())?;
    println!("{}: {} clips, for the raters", out.join("study.json").display(), study.clips.len());
    println!("{}: which clip is what; raters must not see it", out.join("key.csv").display());
    println!("next: tropism lab, view Study, open study.json; then");
    println!("      tropism study report {} RATINGS.csv", out.display());
    Ok(ExitCode::SUCCESS)
}

fn report_study(arguments: &ReportArguments) -> anyhow::Result<ExitCode> {
    let path = &arguments.study;
    let key_path = if path.is_dir() { path.join("key.csv") } else { path.clone() };
    let key = read_key(&key_path)?;
    let mut ratings = Vec::new();
    for path in &arguments.ratings {
        ratings.extend(read_ratings(Path::new(path))?);
    }
    let first = key.iter().map(|k| k.condition.as_str()).min();
    let baseline = arguments.baseline.as_deref().or(first).context("the key is empty")?;
    let report = report(&key, &ratings, baseline)?;
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", describe(&report));
    }
    Ok(ExitCode::SUCCESS)
}

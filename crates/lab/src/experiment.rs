//! Experiments: conditions × seeds, in parallel, resumable, the same for any number of workers.
//!
//! Terms: a *run* is one seed under one condition, with all its lives; the *manifest* says exactly
//! what is being run, and its hash names the folder.
//!
//! Every finished run is written at once and atomically to `runs/`; a run that was cut off leaves
//! nothing. Starting the same experiment again takes the finished runs from there and does the
//! rest. Results are gathered in the order of the plan, whoever did them.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tropism_core::StateHash;
use tropism_ethology::table::atomic_write;
use tropism_scenario::{Experiment, Scenario};

use crate::error::LabError;
use crate::life::{Course, Progress, RunRecord, live};
use crate::twins::{self, TwinRecord};

/// Raised by hand whenever the same inputs would give other results than before.
pub const MODEL_VERSION: u32 = 2;

/// What is being run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Name of the experiment.
    pub name: String,
    /// The command that remakes it.
    pub command: String,
    /// Version of the program.
    pub version: String,
    /// Version of the models.
    pub model_version: u32,
    /// Conditions in order.
    pub conditions: Vec<String>,
    /// Seeds in order.
    pub seeds: Vec<u64>,
    /// Lives of each run.
    pub lives: u32,
    /// Cap of a life in ticks.
    pub cap_ticks: u64,
    /// Hash over everything that can change a result, 16 hex digits.
    pub hash: String,
}

impl Manifest {
    /// The manifest of an experiment. The command is only written down, it is not part of the hash.
    pub fn new(experiment: &Experiment, command: &str) -> Self {
        let mut hash = StateHash::new();
        hash.word(u64::from(MODEL_VERSION));
        hash.bytes(env!("CARGO_PKG_VERSION").as_bytes());
        // The lowered experiment, not its text: a comment changes nothing, an included file does.
        let conditions: Vec<_> = experiment.conditions.iter().map(|c| (&c.name, &c.mind)).collect();
        let course = (&experiment.seeds, experiment.lives, experiment.life_cap_s.to_bits());
        let rest = (experiment.full_share.to_bits(), &experiment.twins);
        let lowered = format!("{conditions:?} {course:?} {rest:?}");
        hash.bytes(identity(&experiment.scenario).as_bytes());
        hash.bytes(lowered.as_bytes());
        Self {
            name: experiment.name.clone(),
            command: command.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            model_version: MODEL_VERSION,
            conditions: experiment.conditions.iter().map(|c| c.name.clone()).collect(),
            seeds: experiment.seeds.clone(),
            lives: experiment.lives,
            cap_ticks: cap_ticks(experiment),
            hash: format!("{:016x}", hash.value()),
        }
    }
}

/// Everything of a lowered scenario that can change a result, as text.
pub fn identity(scenario: &Scenario) -> String {
    format!("{:?} {:?} {:?}", scenario.step, scenario.world, scenario.safety)
}

fn cap_ticks(experiment: &Experiment) -> u64 {
    experiment.scenario.step.ticks_in(experiment.life_cap_s).max(1)
}

/// Where an experiment keeps its files.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    experiment: String,
}

/// What a run file holds. The hash ties it to its experiment, so that a file copied in from
/// another one is not taken for a result.
#[derive(Deserialize)]
struct Kept {
    experiment: String,
    record: RunRecord,
}

#[derive(Serialize)]
struct Keeping<'a> {
    experiment: &'a str,
    record: &'a RunRecord,
}

/// What was found of a run.
enum Found {
    Nothing,
    Whole(Box<RunRecord>),
    Useless(String),
}

impl Store {
    /// The folder `<root>/<name>-<hash>`; it is made and the manifest written if it is new.
    ///
    /// # Errors
    /// [`LabError`] when the folder cannot be made or holds another experiment's manifest.
    pub fn open(root: &Path, manifest: &Manifest) -> Result<Self, LabError> {
        let folder = root.join(format!("{}-{}", manifest.name, &manifest.hash[..8]));
        let runs = folder.join("runs");
        std::fs::create_dir_all(&runs).map_err(|e| LabError::io(&runs, "make this folder", e))?;
        let store = Self { folder, experiment: manifest.hash.clone() };
        let path = store.path("manifest.json");
        if let Ok(text) = std::fs::read_to_string(&path) {
            let found: Manifest =
                serde_json::from_str(&text).map_err(|e| LabError::damaged(&path, e.to_string()))?;
            if found.hash != manifest.hash {
                let what =
                    format!("it belongs to experiment {}, not {}", found.hash, manifest.hash);
                return Err(LabError::damaged(&path, what));
            }
        }
        store.write_json("manifest.json", manifest)?;
        Ok(store)
    }

    /// Path of a file of this experiment.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn run_name(condition: &str, seed: u64) -> String {
        format!("runs/{condition}-{seed}.json")
    }

    /// The record of a run, if it is finished.
    fn finished(&self, condition: &str, seed: u64) -> Found {
        let text = match std::fs::read(self.path(&Self::run_name(condition, seed))) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Found::Nothing,
            Err(e) => return Found::Useless(e.to_string()),
        };
        match serde_json::from_slice::<Kept>(&text) {
            Err(e) => Found::Useless(format!("it is damaged: {e}")),
            Ok(kept) if kept.experiment != self.experiment => {
                Found::Useless(format!("it belongs to experiment {}", kept.experiment))
            }
            Ok(Kept { record, .. }) if record.condition != condition || record.seed != seed => {
                let (condition, seed) = (&record.condition, record.seed);
                Found::Useless(format!("it holds condition {condition}, seed {seed}"))
            }
            Ok(kept) => Found::Whole(Box::new(kept.record)),
        }
    }

    fn keep(&self, record: &RunRecord) -> Result<(), LabError> {
        let kept = Keeping { experiment: &self.experiment, record };
        self.write_json(&Self::run_name(&record.condition, record.seed), &kept)
    }

    fn write_json<T: Serialize>(&self, name: &str, value: &T) -> Result<(), LabError> {
        let path = self.path(name);
        let text = serde_json::to_vec_pretty(value)
            .map_err(|e| LabError::damaged(&path, e.to_string()))?;
        atomic_write(&path, &text).map_err(LabError::File)
    }

    /// Removes all finished runs.
    ///
    /// # Errors
    /// [`LabError`] when the folder cannot be emptied.
    pub fn forget(&self) -> Result<(), LabError> {
        let runs = self.path("runs");
        std::fs::remove_dir_all(&runs).map_err(|e| LabError::io(&runs, "empty this folder", e))?;
        std::fs::create_dir_all(&runs).map_err(|e| LabError::io(&runs, "make this folder", e))?;
        let twins = self.path("twins");
        if twins.exists() {
            let failed = |e| LabError::io(&twins, "remove this folder", e);
            std::fs::remove_dir_all(&twins).map_err(failed)?;
        }
        Ok(())
    }
}

/// The runs of an experiment in order: condition by condition, seed by seed.
fn plan(experiment: &Experiment) -> Vec<(usize, u64)> {
    let seeds = &experiment.seeds;
    let of = |c: usize| seeds.iter().map(move |seed| (c, *seed));
    (0..experiment.conditions.len()).flat_map(of).collect()
}

/// Told about an experiment under way.
pub trait Watch: Progress {
    /// The plan: runs in all, and how many were found finished.
    fn planned(&self, _runs: usize, _finished: usize) {}
    /// A run file cannot be used and its run is done anew.
    fn useless(&self, _file: &Path, _why: &str) {}
    /// One more run is finished.
    fn finished(&self, _record: &RunRecord) {}
}

impl Watch for crate::life::Silent {}

/// A run of the plan (condition, seed), and its record if it was kept.
type Planned = ((usize, u64), Option<Box<RunRecord>>);

/// A pool of so many workers, but no more than there are runs to do.
fn pool(workers: usize, runs: usize) -> Result<rayon::ThreadPool, LabError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(workers.min(runs).max(1))
        .build()
        .map_err(|e| LabError::Workers(e.to_string()))
}

/// Does what is left of an experiment with this many workers and gives all records in order.
/// `None` when it was cancelled; the finished runs are kept.
///
/// # Errors
/// The first [`LabError`] in the order of the plan.
///
/// # Determinism
/// The records do not depend on the number of workers, nor on what was found finished.
pub fn run(
    experiment: &Experiment,
    store: &Store,
    workers: usize,
    watch: &(impl Watch + ?Sized),
) -> Result<Option<Vec<RunRecord>>, LabError> {
    let plan = plan(experiment);
    let course = Course {
        lives: experiment.lives,
        cap_ticks: cap_ticks(experiment),
        full_share: experiment.full_share,
    };
    let name = |c: usize| experiment.conditions[c].name.as_str();
    // Each kept file is read once; what it holds goes on to the gathering below.
    let kept: Vec<Option<Box<RunRecord>>> = (plan.iter())
        .map(|(c, seed)| match store.finished(name(*c), *seed) {
            Found::Whole(record) => Some(record),
            Found::Useless(why) => {
                watch.useless(&store.path(&Store::run_name(name(*c), *seed)), &why);
                None
            }
            Found::Nothing => None,
        })
        .collect();
    watch.planned(plan.len(), kept.iter().flatten().count());
    let pool = pool(workers, kept.iter().filter(|record| record.is_none()).count())?;
    let one = |((c, seed), kept): Planned| -> Result<Option<RunRecord>, LabError> {
        if let Some(record) = kept {
            return Ok(Some(*record));
        }
        if watch.is_cancelled() {
            return Ok(None);
        }
        let condition = &experiment.conditions[c];
        // A condition is about the first robot; the others keep the minds of the scenario.
        let mut minds = experiment.scenario.minds.clone();
        match minds.first_mut() {
            Some(first) => *first = condition.mind.clone(),
            None => minds.push(condition.mind.clone()),
        }
        let subject = (condition.name.as_str(), minds.as_slice());
        let record = live(&experiment.scenario, subject, course, seed, &Forward(watch))
            .map_err(|e| LabError::World { condition: condition.name.clone(), error: e })?;
        if let Some(record) = &record {
            store.keep(record)?;
            watch.finished(record);
        }
        Ok(record)
    };
    let results: Vec<_> =
        pool.install(|| plan.into_par_iter().zip(kept).with_max_len(1).map(one).collect());
    results.into_iter().collect::<Result<Option<Vec<_>>, _>>()
}

/// Does what is left of the comparison of twins, one record per seed in order; empty without
/// twins. `None` when it was cancelled; finished records are kept.
///
/// # Errors
/// The first [`LabError`] in the order of the seeds.
///
/// # Determinism
/// The records do not depend on the number of workers, nor on what was found finished.
pub fn run_twins(
    experiment: &Experiment,
    store: &Store,
    workers: usize,
    watch: &(impl Watch + ?Sized),
) -> Result<Option<Vec<TwinRecord>>, LabError> {
    let Some(plan) = &experiment.twins else { return Ok(Some(Vec::new())) };
    let folder = store.path("twins");
    std::fs::create_dir_all(&folder).map_err(|e| LabError::io(&folder, "make this folder", e))?;
    let pool = pool(workers, experiment.seeds.len())?;
    let one = |seed: &u64| -> Result<Option<TwinRecord>, LabError> {
        let name = format!("twins/{seed}.json");
        let found = std::fs::read(store.path(&name)).ok();
        let found = found.and_then(|text| serde_json::from_slice::<TwinRecord>(&text).ok());
        if let Some(record) = found.filter(|r| r.seed == *seed && r.pairs.len() == 3) {
            return Ok(Some(record));
        }
        if watch.is_cancelled() {
            return Ok(None);
        }
        let record = twins::compare(experiment, plan, *seed, &Forward(watch))
            .map_err(|e| LabError::World { condition: plan.condition.clone(), error: e })?;
        if let Some(record) = &record {
            store.write_json(&name, record)?;
        }
        Ok(record)
    };
    let results: Vec<_> =
        pool.install(|| experiment.seeds.par_iter().with_max_len(1).map(one).collect());
    results.into_iter().collect::<Result<Option<Vec<_>>, _>>()
}

struct Forward<'a, W: ?Sized>(&'a W);

impl<W: Watch + ?Sized> Progress for Forward<'_, W> {
    fn ticks(&self, count: u64) {
        self.0.ticks(count);
    }
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

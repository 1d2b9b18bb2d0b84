//! Experiments over HTTP: what is in the folder of results, and one under way.

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde::Serialize;
use tropism_lab::LabError;
use tropism_lab::experiment::{Manifest, Store, Watch, run, run_twins};
use tropism_lab::life::{Progress, RunRecord};
use tropism_lab::outcome;
use tropism_scenario::{Document, Experiment};
use utoipa::ToSchema;

/// Experiments that are part of the program.
pub(crate) const BUILT_IN: &[(&str, &str)] = &[
    ("first-look", include_str!("../../../scenarios/organism/first-look.toml")),
    ("headline", include_str!("../../../scenarios/organism/headline.toml")),
    ("self-sufficiency", include_str!("../../../scenarios/organism/self-sufficiency.toml")),
    ("perturbations", include_str!("../../../scenarios/organism/perturbations.toml")),
    ("claims-backing", include_str!("../../../scenarios/organism/claims-backing.toml")),
    (
        "claims-backing-all-round",
        include_str!("../../../scenarios/organism/claims-backing-all-round.toml"),
    ),
    ("claims-reference", include_str!("../../../scenarios/organism/claims-reference.toml")),
    ("claims-stereotypy", include_str!("../../../scenarios/organism/claims-stereotypy.toml")),
];

/// An experiment, finished or under way.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ExperimentInfo {
    /// Name of its folder.
    pub(crate) name: String,
    /// Conditions and lives, in one line.
    about: String,
    /// Runs done.
    runs_done: u64,
    /// Runs in all.
    runs_total: u64,
    /// It is under way.
    pub(crate) is_running: bool,
    /// Seconds until it is done, as far as can be told.
    seconds_left: Option<f64>,
    /// There is a report.
    has_report: bool,
    /// Why it ended early.
    error: Option<String>,
}

/// An experiment under way.
#[derive(Debug)]
struct Job {
    is_cancelled: AtomicBool,
    is_running: AtomicBool,
    /// Ticks done since it was started, and in all of the runs that were left.
    ticks: AtomicU64,
    ticks_left: AtomicU64,
    ticks_per_run: u64,
    begun: Instant,
    error: Mutex<Option<String>>,
}

impl Job {
    fn seconds_left(&self) -> Option<f64> {
        let (done, all) =
            (self.ticks.load(Ordering::Relaxed), self.ticks_left.load(Ordering::Relaxed));
        let passed_s = self.begun.elapsed().as_secs_f64();
        (done > 0).then(|| passed_s * all.saturating_sub(done) as f64 / done as f64)
    }
}

impl Progress for Job {
    fn ticks(&self, count: u64) {
        self.ticks.fetch_add(count, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }
}

impl Watch for Job {
    fn planned(&self, runs: usize, finished: usize) {
        let left = runs.saturating_sub(finished) as u64;
        self.ticks_left.store(left.saturating_mul(self.ticks_per_run), Ordering::Relaxed);
    }

    fn finished(&self, record: &RunRecord) {
        // A run that died early leaves ticks over.
        let spare = self.ticks_per_run.saturating_sub(record.ticks);
        let left = self.ticks_left.load(Ordering::Relaxed).saturating_sub(spare);
        self.ticks_left.store(left, Ordering::Relaxed);
    }
}

/// The folder of results and what is under way in it.
#[derive(Debug)]
pub(crate) struct Experiments {
    root: PathBuf,
    jobs: Mutex<BTreeMap<String, Arc<Job>>>,
}

impl Experiments {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root, jobs: Mutex::default() }
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All experiments, by name.
    pub(crate) fn list(&self) -> Vec<ExperimentInfo> {
        let entries = std::fs::read_dir(&self.root).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names.into_iter().filter_map(|name| self.info(name)).collect()
    }

    fn info(&self, name: String) -> Option<ExperimentInfo> {
        let folder = self.root.join(&name);
        let text = std::fs::read_to_string(folder.join("manifest.json")).ok()?;
        let manifest: Manifest = serde_json::from_str(&text).ok()?;
        let runs_total = (manifest.conditions.len() * manifest.seeds.len()) as u64;
        let is_run =
            |entry: &std::fs::DirEntry| entry.path().extension().is_some_and(|e| e == "json");
        let runs = std::fs::read_dir(folder.join("runs")).into_iter().flatten().flatten();
        let job = self.jobs().get(&name).map(Arc::clone);
        let job = job.as_deref();
        let is_running = job.is_some_and(|j| j.is_running.load(Ordering::Relaxed));
        Some(ExperimentInfo {
            name,
            about: format!(
                "{}: {} conditions, {} seeds, {} lives",
                manifest.name,
                manifest.conditions.len(),
                manifest.seeds.len(),
                manifest.lives
            ),
            runs_done: (runs.filter(is_run).count() as u64).min(runs_total),
            runs_total,
            is_running,
            seconds_left: job.filter(|_| is_running).and_then(Job::seconds_left),
            has_report: folder.join("report.html").is_file(),
            error: job.and_then(|j| j.error.lock().ok().and_then(|e| e.clone())),
        })
    }

    /// A file of an experiment; nothing but what is listed can be named.
    pub(crate) fn file(&self, name: &str, file: &str) -> Option<Vec<u8>> {
        let is_listed = self.list().iter().any(|e| e.name == name);
        is_listed.then(|| std::fs::read(self.root.join(name).join(file)).ok()).flatten()
    }

    /// Ends an experiment; what is finished is kept. False when it is not under way.
    pub(crate) fn cancel(&self, name: &str) -> bool {
        let job = self.jobs().get(name).map(Arc::clone);
        let job = job.filter(|j| j.is_running.load(Ordering::Relaxed));
        if let Some(job) = &job {
            job.is_cancelled.store(true, Ordering::Relaxed);
        }
        job.is_some()
    }

    /// Ends all experiments.
    pub(crate) fn cancel_all(&self) {
        for job in self.jobs().values() {
            job.is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Starts an experiment and gives the name of its folder.
    pub(crate) fn start(&self, experiment: Experiment) -> Result<String, String> {
        let mut jobs = self.jobs();
        if let Some((other, _)) = jobs.iter().find(|(_, j)| j.is_running.load(Ordering::Relaxed)) {
            return Err(format!("`{other}` is under way; stop it, or wait until it is done"));
        }
        let command = format!("tropism lab, experiment {}", experiment.name);
        let manifest = Manifest::new(&experiment, &command);
        let store = Store::open(&self.root, &manifest).map_err(|error| error.to_string())?;
        let name = store.folder().file_name().map(|n| n.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let job = Arc::new(Job {
            is_cancelled: AtomicBool::new(false),
            is_running: AtomicBool::new(true),
            ticks: AtomicU64::new(0),
            ticks_left: AtomicU64::new(0),
            ticks_per_run: manifest.cap_ticks.saturating_mul(u64::from(manifest.lives)),
            begun: Instant::now(),
            error: Mutex::new(None),
        });
        let theirs = Arc::clone(&job);
        let work = move || {
            let result = do_all(&experiment, &manifest, &store, &theirs);
            if let (Err(error), Ok(mut kept)) = (result, theirs.error.lock()) {
                *kept = Some(error.to_string());
            }
            theirs.is_running.store(false, Ordering::Relaxed);
        };
        let thread = std::thread::Builder::new().name("experiment".into());
        thread.spawn(work).map_err(|error| format!("no thread for it: {error}"))?;
        jobs.insert(name.clone(), job);
        Ok(name)
    }
}

fn do_all(
    experiment: &Experiment,
    manifest: &Manifest,
    store: &Store,
    job: &Job,
) -> Result<(), LabError> {
    // One core is left to the sessions.
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = cores.saturating_sub(1).max(1);
    let Some(records) = run(experiment, store, workers, job)? else { return Ok(()) };
    let Some(twins) = run_twins(experiment, store, workers, job)? else { return Ok(()) };
    outcome::write(experiment, manifest, store, (&records, &twins)).map(|_text| ())
}

/// An experiment out of its text, with its first `seeds` seeds.
pub(crate) fn read(name: &str, text: &str, seeds: Option<usize>) -> Result<Experiment, String> {
    let document = tropism_scenario::parse(name, text, None).map_err(|error| error.to_string())?;
    let Document::Experiment(mut experiment) = document else {
        return Err(format!("{name}: it is no experiment; its `kind` is to be \"experiment\""));
    };
    if let Some(seeds) = seeds {
        let all = experiment.seeds.len();
        if !(1..=all).contains(&seeds) {
            return Err(format!("`seeds` is 1 to {all}, the number of seeds in the file"));
        }
        experiment.seeds.truncate(seeds);
    }
    Ok(experiment)
}

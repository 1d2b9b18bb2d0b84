//! What the command line does with octopus files: text in, text out.
//!
//! What it does not do: it opens no files, prints nothing and reads no clock.

use core::fmt::Write as _;

use tropism_octopus::{LawKind, Octopus};

use super::events;
use super::field::FormatError;
use super::format::{LAW_NAMES, Scenario};
use super::json::{Json, array, integer, null, number, object, text};
use super::save;
use super::scenes::{RunSettings, SceneResult, SceneRow, UPDATES, generate, parse, run};
use super::trace::{TraceRequest, trace};

/// Updates of a trace when nothing is said and the last event leaves time: 15 s.
const TRACE_UPDATES: u64 = 1800;
/// Updates after the last event of a trace.
const TRACE_TAIL: u64 = 160;
/// A sample every so many updates when nothing is said.
pub const TRACE_EVERY: u64 = 12;

/// Which file a fault lies in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerbError {
    /// Name of the file as the caller gave it.
    pub file: String,
    /// What is wrong in it.
    pub error: FormatError,
}

impl core::fmt::Display for VerbError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}: {}", self.file, self.error)
    }
}

impl core::error::Error for VerbError {}

/// A file's name and bytes.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Name for messages and traces.
    pub name: &'a str,
    /// Content.
    pub bytes: &'a [u8],
}

impl Input<'_> {
    fn fault(&self, error: FormatError) -> VerbError {
        VerbError { file: self.name.to_owned(), error }
    }

    /// The name without folders.
    fn short(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or(self.name)
    }
}

/// The law of this name.
///
/// # Errors
/// Names the laws there are.
pub fn law_named(name: &str) -> Result<LawKind, String> {
    match name {
        "reference" => Ok(LawKind::Reference),
        "reach" => Ok(LawKind::Reach),
        _ => Err(format!("there is no law \"{name}\"; the laws are {}", LAW_NAMES.join(" and "))),
    }
}

/// True when a JSON file looks like an octopus scenario: what `tropism run` asks.
pub fn is_octopus_scenario(bytes: &[u8]) -> bool {
    Json::parse(bytes).is_ok_and(|json| json.get("version").is_some())
}

/// How a trace is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct TraceOptions {
    /// Overrides the file's law.
    pub law: Option<LawKind>,
    /// A sample every so many updates.
    pub every: Option<u64>,
    /// Updates to run.
    pub updates: Option<u64>,
}

/// `tropism octopus trace`: the JSON of a run.
///
/// Without `updates` the run lasts 1800 updates, or 160 beyond the last event if that is later.
///
/// # Errors
/// [`VerbError`] for a faulty file or an event the octopus refuses.
pub fn trace_verb(
    scenario: Input<'_>,
    events_file: Option<Input<'_>>,
    options: &TraceOptions,
) -> Result<String, VerbError> {
    let json = Json::parse(scenario.bytes).map_err(|e| scenario.fault(e.into()))?;
    let read = Scenario::from_json(&json).map_err(|e| scenario.fault(e))?;
    let mut octopus = save::open(&read, options.law).map_err(|e| scenario.fault(e))?;
    let (events_json, list) = match events_file {
        Some(file) => {
            let json = Json::parse(file.bytes).map_err(|e| file.fault(e.into()))?;
            let list = events::from_json(&json).map_err(|e| file.fault(e))?;
            (json, list)
        }
        None => (array([]), Vec::new()),
    };
    let last = list.iter().map(|e| e.before_update).max().unwrap_or(0);
    let updates = options.updates.unwrap_or(TRACE_UPDATES.max(last + TRACE_TAIL));
    let short = scenario.short();
    let request = TraceRequest {
        name: short.strip_suffix(".json").unwrap_or(short),
        scenario_file: short,
        scenario: &json,
        events_json: &events_json,
        events: &list,
        updates,
        every: options.every.unwrap_or(TRACE_EVERY),
        with_requests: true,
    };
    let made =
        trace(&mut octopus, &request).map_err(|e| events_file.unwrap_or(scenario).fault(e))?;
    Ok(made.compact() + "\n")
}

/// What `tropism run` gives for an octopus scenario.
#[derive(Clone, Debug)]
pub struct RunOutput {
    /// A summary for people.
    pub summary: String,
    /// The saved file with which the run can be continued.
    pub saved: String,
}

/// `tropism run` on an octopus scenario: runs it for a number of updates.
///
/// # Errors
/// [`VerbError`] for a faulty file.
pub fn run_verb(
    scenario: Input<'_>,
    law: Option<LawKind>,
    updates: u64,
) -> Result<RunOutput, VerbError> {
    let read = Scenario::parse(scenario.bytes).map_err(|e| scenario.fault(e))?;
    let mut octopus = save::open(&read, law).map_err(|e| scenario.fault(e))?;
    for _ in 0..updates {
        octopus.step();
    }
    let summary = describe(&read.name, &octopus);
    Ok(RunOutput { summary, saved: save::save(&octopus, &read.name).pretty() })
}

/// `tropism check` on an octopus scenario: one line about a sound file.
///
/// # Errors
/// [`VerbError`] for a faulty file.
pub fn check_verb(scenario: Input<'_>) -> Result<String, VerbError> {
    let read = Scenario::parse(scenario.bytes).map_err(|e| scenario.fault(e))?;
    save::open(&read, None).map_err(|e| scenario.fault(e))?;
    let kind = if read.state.is_some() { "saved run" } else { "scenario" };
    let (food, obstacles) = (read.food.len(), read.obstacles.len());
    Ok(format!("a sound octopus {kind}: {food} food, {obstacles} obstacles"))
}

/// What became of a run, for people.
fn describe(name: &str, octopus: &Octopus) -> String {
    let mut out = format!(
        "{name}: {:.2} s, {} captures, {} conflicts, {} safety releases, hash {:016x}\n",
        octopus.seconds(),
        octopus.captures(),
        octopus.arbiter().conflicts(),
        octopus.safety_releases(),
        octopus.state_hash(),
    );
    // Writing to a String cannot fail.
    for (i, arm) in octopus.arms().iter().enumerate() {
        let away = arm.arm().tip().distance(arm.target());
        let lengths = away / arm.arm().parameters().reach();
        let held = arm.held().map_or(String::new(), |id| format!(", holds {}", id.0));
        let _ = writeln!(
            out,
            "arm {}: {} ({}), {away:.1} px or {lengths:.3} arm lengths from its target{held}",
            i + 1,
            arm.state().as_str(),
            arm.status().as_str(),
        );
    }
    if octopus.settings().allocation {
        let _ = writeln!(out, "last allocation: {:.1} px in all", octopus.allocation().cost);
    }
    let objects = octopus.objects();
    let held: Vec<_> = octopus.arms().iter().filter_map(|a| objects.get(a.held()?)).collect();
    for (i, a) in held.iter().enumerate() {
        for b in &held[i + 1..] {
            if a.position.distance(b.position) < a.radius + b.radius {
                let (a, b) = (a.id.0, b.id.0);
                let _ = writeln!(
                    out,
                    "note: held foods {a} and {b} overlap; held food is checked against obstacles \
                     only"
                );
            }
        }
    }
    out
}

/// One row of the reach table.
#[derive(Clone, Debug, PartialEq)]
pub struct ReachRow {
    /// Number of obstacles.
    pub obstacles: usize,
    /// Scenes run.
    pub scenes: usize,
    /// Scenes reached.
    pub reached: usize,
    /// Scenes the compared law reached, if known.
    pub peer_reached: Option<usize>,
    /// Median updates of both on scenes both reached.
    pub medians: Option<(f64, f64)>,
    /// Least distance of a segment from a rim, px, in any scene.
    pub least_gap: f64,
    /// Scenes in which the law said that the target is unreachable.
    pub said_unreachable: usize,
}

/// How reach scenes are run.
#[derive(Clone, Copy, Debug)]
pub struct ReachOptions {
    /// The law.
    pub law: LawKind,
    /// Joint speed, rad/s.
    pub turning_speed: f64,
    /// Only every so many scenes.
    pub stride: usize,
    /// Run the reference law where the file does not say what it did.
    pub compares: bool,
}

impl Default for ReachOptions {
    fn default() -> Self {
        Self { law: LawKind::Reach, turning_speed: 1.5, stride: 1, compares: false }
    }
}

/// Runs rows of scenes.
pub fn reach_rows(rows: &[SceneRow], options: &ReachOptions) -> Vec<ReachRow> {
    rows.iter().map(|row| reach_row(row, options)).collect()
}

fn reach_row(row: &SceneRow, options: &ReachOptions) -> ReachRow {
    let settings = RunSettings {
        law: options.law,
        turning_speed: options.turning_speed,
        ..RunSettings::default()
    };
    let peer_settings = RunSettings { law: LawKind::Reference, checker_parts: 0, ..settings };
    let mut both = (Vec::new(), Vec::new());
    let mut made = ReachRow {
        obstacles: row.obstacles,
        scenes: 0,
        reached: 0,
        peer_reached: None,
        medians: None,
        least_gap: f64::INFINITY,
        said_unreachable: 0,
    };
    for scene in row.scenes.iter().step_by(options.stride.max(1)) {
        let result: SceneResult = run(scene, &settings);
        made.scenes += 1;
        made.reached += usize::from(result.reached.is_some());
        made.said_unreachable += usize::from(result.said_unreachable);
        made.least_gap = made.least_gap.min(result.least_gap);
        let peer = match scene.peer_updates {
            Some(updates) => Some(u64::try_from(updates).ok()),
            None if options.compares => Some(run(scene, &peer_settings).reached),
            None => None,
        };
        let Some(peer) = peer else { continue };
        *made.peer_reached.get_or_insert(0) += usize::from(peer.is_some());
        if let (Some(ours), Some(theirs)) = (result.reached, peer) {
            both.0.push(ours);
            both.1.push(theirs);
        }
    }
    if !both.0.is_empty() {
        made.medians = Some((median(&mut both.0), median(&mut both.1)));
    }
    made
}

fn median(values: &mut [u64]) -> f64 {
    values.sort_unstable();
    let n = values.len();
    (values[(n - 1) / 2] + values[n / 2]) as f64 * 0.5
}

/// 95 % interval of a share after Wilson (1927), in percent.
fn wilson(hits: usize, of: usize) -> (f64, f64) {
    let (n, p, z) = (of.max(1) as f64, hits as f64 / of.max(1) as f64, 1.96);
    let middle = p + z * z / (2.0 * n);
    let square = p * (1.0 - p) / n + z * z / (4.0 * n * n);
    let half = z * tropism_core::math::f64::sqrt(square);
    let scale = 100.0 / (1.0 + z * z / n);
    ((middle - half) * scale, (middle + half) * scale)
}

/// `tropism octopus reach`: runs a file of scenes; a table, or JSON.
///
/// # Errors
/// [`VerbError`] for a faulty file.
pub fn reach_verb(
    scenes: Input<'_>,
    options: &ReachOptions,
    as_json: bool,
) -> Result<String, VerbError> {
    let rows = parse(scenes.bytes).map_err(|e| scenes.fault(e))?;
    let rows = reach_rows(&rows, options);
    Ok(if as_json { reach_json(&rows).compact() + "\n" } else { reach_table(&rows) })
}

/// The rows as JSON.
pub fn reach_json(rows: &[ReachRow]) -> Json {
    let row = |r: &ReachRow| {
        let (low, high) = wilson(r.reached, r.scenes);
        let finite = |x: f64| if x.is_finite() { number(x) } else { null() };
        object(vec![
            ("obstacles", integer(r.obstacles as u64)),
            ("scenes", integer(r.scenes as u64)),
            ("reached", integer(r.reached as u64)),
            ("percent", number(100.0 * r.reached as f64 / r.scenes.max(1) as f64)),
            ("percent_low", number(low)),
            ("percent_high", number(high)),
            ("reference_reached", r.peer_reached.map_or(null(), |n| integer(n as u64))),
            ("median_updates", r.medians.map_or(null(), |m| number(m.0))),
            ("reference_median_updates", r.medians.map_or(null(), |m| number(m.1))),
            ("least_gap_px", finite(r.least_gap)),
            ("said_unreachable", integer(r.said_unreachable as u64)),
        ])
    };
    object(vec![
        ("updates", integer(UPDATES)),
        ("tolerance_px", number(super::scenes::TOLERANCE)),
        ("rows", array(rows.iter().map(row))),
    ])
}

/// The rows as a table for people.
pub fn reach_table(rows: &[ReachRow]) -> String {
    let mut out = String::from(
        "| obstacles | scenes | reached | % (95 % interval) | reference reached | \
         median updates, both | reference | least gap px | said unreachable |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for r in rows {
        let (low, high) = wilson(r.reached, r.scenes);
        let percent = 100.0 * r.reached as f64 / r.scenes.max(1) as f64;
        let peer = r.peer_reached.map_or("-".to_owned(), |n| n.to_string());
        let medians = r.medians.map_or(("-".to_owned(), "-".to_owned()), |m| {
            (format!("{:.1}", m.0), format!("{:.1}", m.1))
        });
        let gap = if r.least_gap.is_finite() { format!("{:.2}", r.least_gap) } else { "-".into() };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {percent:.1} ({low:.1} to {high:.1}) | {peer} | {} | {} | {gap} | \
             {} |",
            r.obstacles, r.scenes, r.reached, medians.0, medians.1, r.said_unreachable,
        );
    }
    out
}

/// What `tropism octopus bench` runs.
#[derive(Clone, Copy, Debug)]
pub struct BenchOptions {
    /// Seed of the fresh scenes.
    pub seed: u64,
    /// Scenes per number of obstacles.
    pub scenes: u32,
    /// Joint speed, rad/s.
    pub turning_speed: f64,
}

impl Default for BenchOptions {
    fn default() -> Self {
        Self { seed: 2, scenes: 100, turning_speed: 1.5 }
    }
}

/// Numbers of obstacles of the fresh scenes.
pub const BENCH_OBSTACLES: [usize; 5] = [0, 1, 2, 4, 8];

/// `tropism octopus bench`: both laws on fresh scenes.
pub fn bench_verb(options: &BenchOptions, as_json: bool) -> String {
    let rows = generate(options.seed, &BENCH_OBSTACLES, options.scenes);
    let reach_options = ReachOptions {
        turning_speed: options.turning_speed,
        compares: true,
        ..ReachOptions::default()
    };
    let rows = reach_rows(&rows, &reach_options);
    if as_json {
        let mut json = reach_json(&rows);
        if let super::json::Value::Object(entries) = &mut json.value {
            entries.insert(0, ("seed".to_owned(), integer(options.seed)));
            entries.insert(1, ("law".to_owned(), text("reach")));
        }
        return json.compact() + "\n";
    }
    format!(
        "Fresh scenes, seed {}, {} per row, {} rad/s, {} updates; law reach against \
         reference\n\n{}",
        options.seed,
        options.scenes,
        options.turning_speed,
        UPDATES,
        reach_table(&rows),
    )
}

/// The rows as comma-separated values.
pub fn reach_csv(seed: Option<u64>, rows: &[ReachRow]) -> String {
    let mut out = String::from(
        "set,obstacles,scenes,reached,reference_reached,median_updates,\
         reference_median_updates,least_gap_px,said_unreachable\n",
    );
    let set = seed.map_or("recorded".to_owned(), |s| format!("seed {s}"));
    for r in rows {
        let peer = r.peer_reached.map_or(String::new(), |n| n.to_string());
        let (ours, theirs) = r
            .medians
            .map_or((String::new(), String::new()), |m| (m.0.to_string(), m.1.to_string()));
        let gap =
            if r.least_gap.is_finite() { format!("{:.3}", r.least_gap) } else { String::new() };
        let _ = writeln!(
            out,
            "{set},{},{},{},{peer},{ours},{theirs},{gap},{}",
            r.obstacles, r.scenes, r.reached, r.said_unreachable
        );
    }
    out
}

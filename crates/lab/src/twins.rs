//! Twins: what a past leaves behind in behaviour.
//!
//! Terms: *twins* are two minds of one condition in the same world stream: same room, same noise,
//! same start pose, same charge, same exploration draws. They differ in what they have learned:
//! each had a past on another seed. Needs begin as at birth, so that learning alone is compared.
//!
//! Three pairs per seed: `past`, different pasts; `same`, the same past lived twice, which must
//! never part; `newborn`, two newborns with different exploration draws, as a scale.
//!
//! Measures at each comparison: distance between the two positions in m; distance between the two
//! commands, the mean over ticks and actuators of |difference| over the actuator's span since the
//! last comparison; overlap of the cells visited so far, |A ∩ B| / |A ∪ B|.
//!
//! What it does not do: a twin whose battery empties in the comparison is not brought back.

use serde::{Deserialize, Serialize};
use tropism_core::{Purpose, Seed};
use tropism_ethology::statistics::{BOOTSTRAP, Summary, summarise};
use tropism_ethology::table::{Column, Kind, Table, TableError};
use tropism_scenario::{Experiment, MindSpec, Scenario, Twins};
use tropism_world::WorldError;

use crate::life::{LifeClock, Progress};
use crate::metrics::Coverage;
use crate::mind::Mind;
use crate::run::Run;

const MEETING: Purpose = Purpose::named("lab.twins.world");
const STRANGER: Purpose = Purpose::named("lab.twins.stranger");
/// Ticks between two looks at whether the work is cancelled.
const LOOK_TICKS: u64 = 8_192;

/// Names of the pairs, in order.
pub const PAIRS: [&str; 3] = ["past", "same", "newborn"];
/// Names of the measures, in order.
pub const DIVERGENCES: [&str; 3] = ["distance_m", "command_distance", "overlap"];

/// One comparison of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Seconds since both started.
    pub time_s: f64,
    /// The measures, in the order of [`DIVERGENCES`].
    pub values: [f64; 3],
}

/// The pairs of one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TwinRecord {
    /// Condition.
    pub condition: String,
    /// Seed.
    pub seed: u64,
    /// Curves in the order of [`PAIRS`].
    pub pairs: Vec<Vec<Point>>,
}

impl TwinRecord {
    /// True when the pair with the same past never parted.
    pub fn is_deterministic(&self) -> bool {
        let parted = |p: &Point| p.values[0] > 0.0 || p.values[1] > 0.0 || p.values[2] < 1.0;
        !self.pairs[1].iter().any(parted)
    }
}

/// Minds of the robots of an experiment when the first has this one.
fn minds(experiment: &Experiment, mind: &MindSpec) -> Vec<MindSpec> {
    let mut minds = experiment.scenario.minds.clone();
    match minds.first_mut() {
        Some(first) => *first = mind.clone(),
        None => minds.push(mind.clone()),
    }
    minds
}

/// Lives and compares the twins of one seed. `None` when it was cancelled.
///
/// # Errors
/// [`WorldError`] when the world cannot be built.
///
/// # Determinism
/// The record depends on the experiment and the seed alone.
pub fn compare(
    experiment: &Experiment,
    twins: &Twins,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Option<TwinRecord>, WorldError> {
    let scenario = &experiment.scenario;
    let condition = experiment.conditions.iter().find(|c| c.name == twins.condition);
    let mind = condition.map_or(&MindSpec::DoNothing, |c| &c.mind);
    let minds = minds(experiment, mind);
    let cap_ticks = scenario.step.ticks_in(experiment.life_cap_s).max(1);
    let past_ticks = scenario.step.ticks_in(twins.past_s);
    let past = |seed: u64| past(scenario, &minds, (seed, past_ticks, cap_ticks), progress);
    let Some(first) = past(seed)? else { return Ok(None) };
    let Some(again) = past(seed)? else { return Ok(None) };
    let Some(second) = past(seed.wrapping_add(twins.seed_offset))? else { return Ok(None) };
    let meeting = Seed(seed).derive(MEETING, 0);
    let stranger = Seed(seed).derive(STRANGER, 0);
    let newborn = || {
        let body = &scenario.world.robots.first()?.plan.body;
        Some(Mind::new(mind, body, scenario.step, meeting, 0))
    };
    let course = (
        scenario.step.ticks_in(twins.compare_s).max(1),
        scenario.step.ticks_in(twins.every_s).max(1),
    );
    let mut pairs = Vec::with_capacity(PAIRS.len());
    for (a, b, streams) in [
        (first.clone(), second, meeting),
        (first, again, meeting),
        (newborn(), newborn(), stranger),
    ] {
        let mut left = meet(scenario, &minds, (a, meeting), meeting)?;
        let mut right = meet(scenario, &minds, (b, streams), meeting)?;
        pairs.push(divergence(scenario, (&mut left, &mut right), course));
        if progress.is_cancelled() {
            return Ok(None);
        }
    }
    Ok(Some(TwinRecord { condition: twins.condition.clone(), seed, pairs }))
}

/// The first robot's mind after a past; lives follow one another as in a run.
#[expect(clippy::option_option, reason = "outside: cancelled; inside: a world without robots")]
fn past(
    scenario: &Scenario,
    minds: &[MindSpec],
    (seed, ticks, cap_ticks): (u64, u64, u64),
    progress: &dyn Progress,
) -> Result<Option<Option<Mind>>, WorldError> {
    let mut run = Run::new(scenario, minds, Seed(seed))?;
    let mut clock = LifeClock::new(run.robots().len(), u32::MAX, cap_ticks);
    for tick in 0..ticks {
        run.tick();
        clock.after_tick(&mut run);
        if tick % LOOK_TICKS == 0 && progress.is_cancelled() {
            return Ok(None);
        }
    }
    Ok(Some(run.robots().first().map(|robot| robot.mind.clone())))
}

/// A fresh world with this mind in the first robot, at the start of a life.
fn meet(
    scenario: &Scenario,
    minds: &[MindSpec],
    (mind, streams): (Option<Mind>, Seed),
    world: Seed,
) -> Result<Run, WorldError> {
    let mut run = Run::new(scenario, minds, world)?;
    if let (Some(robot), Some(mut mind)) = (run.robots_mut().first_mut(), mind) {
        mind.begin_life();
        if let Some(organism) = mind.organism_mut() {
            organism.set_streams(streams, 0);
            robot.mind = mind;
        } else {
            // A mind without memory has no past; its draws are all that can differ.
            let spec = minds.first().unwrap_or(&MindSpec::DoNothing);
            robot.mind = Mind::new(spec, &robot.body, scenario.step, streams, 0);
        }
    }
    Ok(run)
}

fn divergence(
    scenario: &Scenario,
    (left, right): (&mut Run, &mut Run),
    (ticks, every): (u64, u64),
) -> Vec<Point> {
    if left.robots().is_empty() {
        return Vec::new();
    }
    let grid = Coverage::new(&scenario.world.room);
    let mut visited = [vec![false; grid.ticks.len()], vec![false; grid.ticks.len()]];
    let mut points = Vec::new();
    let (mut command, mut counted) = (0.0, 0_u64);
    for tick in 1..=ticks {
        left.tick();
        right.tick();
        let (a, b) = (left.truth(0), right.truth(0));
        visited[0][grid.cell(a.x_m, a.y_m)] = true;
        visited[1][grid.cell(b.x_m, b.y_m)] = true;
        command += command_distance(left, right);
        counted += 1;
        if tick % every == 0 {
            let both = || visited[0].iter().zip(&visited[1]);
            let union = both().filter(|(a, b)| **a || **b).count().max(1);
            let shared = both().filter(|(a, b)| **a && **b).count();
            let (dx, dy) = (f64::from(a.x_m - b.x_m), f64::from(a.y_m - b.y_m));
            points.push(Point {
                time_s: scenario.step.seconds_at(tropism_core::Tick(tick)),
                values: [
                    tropism_core::math::f64::sqrt(dx * dx + dy * dy),
                    command / counted as f64,
                    shared as f64 / union as f64,
                ],
            });
            (command, counted) = (0.0, 0);
        }
    }
    points
}

fn command_distance(left: &Run, right: &Run) -> f64 {
    let (a, b) = (&left.robots()[0], &right.robots()[0]);
    let of = |(i, spec): (usize, &tropism_body::ActuatorSpec)| {
        let span = f64::from(spec.max - spec.min).max(1e-9);
        (f64::from(a.actuators.value(i)) - f64::from(b.actuators.value(i))).abs() / span
    };
    let count = a.body.actuators.len().max(1) as f64;
    a.body.actuators.iter().enumerate().map(of).sum::<f64>() / count
}

/// One row per seed, pair and comparison.
///
/// # Errors
/// [`TableError`] only when the columns were declared wrongly.
pub fn table(records: &[TwinRecord]) -> Result<Table, TableError> {
    let mut columns = vec![
        Column::new("condition", Kind::Text),
        Column::new("seed", Kind::U64),
        Column::new("pair", Kind::Text),
        Column::new("time_s", Kind::F64),
    ];
    columns.extend(DIVERGENCES.map(|name| Column::new(name, Kind::F64)));
    let mut table = Table::new(columns)?;
    for record in records {
        for (pair, points) in PAIRS.iter().zip(&record.pairs) {
            for point in points {
                let [distance, command, overlap] = point.values;
                table.push(&[
                    record.condition.as_str().into(),
                    record.seed.into(),
                    (*pair).into(),
                    point.time_s.into(),
                    distance.into(),
                    command.into(),
                    overlap.into(),
                ])?;
            }
        }
    }
    Ok(table)
}

/// Mean of a measure over organisms at each comparison, with its interval.
pub fn curve(records: &[TwinRecord], pair: usize, measure: usize) -> Vec<(f64, Summary)> {
    let length = records.iter().map(|r| r.pairs[pair].len()).min().unwrap_or(0);
    let at = |i: usize| {
        let values: Vec<f64> = records.iter().map(|r| r.pairs[pair][i].values[measure]).collect();
        Some((records.first()?.pairs[pair][i].time_s, summarise(&values, BOOTSTRAP)?))
    };
    // More points than a figure can show would only cost resamples.
    let every = length.div_ceil(120).max(1);
    (0..length).step_by(every).filter_map(at).collect()
}

/// Mean of a measure over the whole comparison, one value per organism.
pub fn overall(records: &[TwinRecord], pair: usize, measure: usize) -> Option<Summary> {
    let of = |r: &TwinRecord| {
        let values: Vec<f64> = r.pairs[pair].iter().map(|p| p.values[measure]).collect();
        tropism_ethology::statistics::mean(&values)
    };
    summarise(&records.iter().filter_map(of).collect::<Vec<_>>(), BOOTSTRAP)
}

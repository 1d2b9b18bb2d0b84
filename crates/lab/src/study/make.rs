//! Making a study: living, cutting, shuffling.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tropism_core::{Purpose, Seed, Tick};
use tropism_scenario::{MindSpec, Scenario};
use tropism_world::Vec2;

use super::{FORMAT, VERSION};
use crate::error::LabError;
use crate::life::{LifeClock, Progress};
use crate::run::Run;

const SHUFFLE: Purpose = Purpose::named("study.shuffle");
const NAMES: Purpose = Purpose::named("study.names");

/// What a study is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Its title.
    pub title: String,
    /// What raters are asked.
    pub question: String,
    /// Conditions: name and minds.
    pub conditions: Vec<(String, Vec<MindSpec>)>,
    /// One clip per condition and seed.
    pub seeds: Vec<u64>,
    /// Length of a clip, s.
    pub clip_s: f64,
    /// What each organism lives before its clip begins, s.
    pub before_s: f64,
    /// Seed of the shuffling and of the clips' names.
    pub shuffle: u64,
}

/// The scale of a rating.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scale {
    /// Lowest step.
    pub min: i64,
    /// Highest step.
    pub max: i64,
    /// What the lowest step means.
    pub low: String,
    /// What the highest step means.
    pub high: String,
}

/// A clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clip {
    /// Its name.
    pub id: String,
    /// x in m, y in m, heading in rad at the study's rate; four decimals.
    pub poses: Vec<[f64; 3]>,
}

/// A disc of the room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiscShape {
    /// Centre, m.
    pub at: [f64; 2],
    /// Radius, m.
    pub radius_m: f64,
}

/// What raters are shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Study {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// Tells studies apart: a hash of the clips.
    pub id: String,
    /// Title.
    pub title: String,
    /// What raters are asked.
    pub question: String,
    /// The scale.
    pub scale: Scale,
    /// Poses per second.
    pub rate_hz: f64,
    /// Radius of the robot, m.
    pub radius_m: f64,
    /// Lower left and upper right corner of the room, m.
    pub bounds: [[f64; 2]; 2],
    /// Thin walls.
    pub walls: Vec<[[f64; 2]; 2]>,
    /// Solid polygons.
    pub polygons: Vec<Vec<[f64; 2]>>,
    /// Solid discs.
    pub discs: Vec<DiscShape>,
    /// Contact points of the stations.
    pub stations: Vec<[f64; 2]>,
    /// The clips, shuffled.
    pub clips: Vec<Clip>,
}

/// Which clip is what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// The clip.
    pub clip: String,
    /// Its condition.
    pub condition: String,
    /// Its seed.
    pub seed: u64,
}

/// Lives every condition and seed and cuts a clip from each. `None` when it was cancelled.
///
/// # Errors
/// [`LabError::Data`] for a plan without conditions, seeds or length; [`LabError::World`] when the
/// world cannot be built.
///
/// # Determinism
/// Study and key follow from scenario and plan alone, for any number of workers.
pub fn make(
    scenario: &Scenario,
    plan: &Plan,
    progress: &dyn Progress,
) -> Result<Option<(Study, Vec<Key>)>, LabError> {
    let ticks = scenario.step.ticks_in(plan.clip_s);
    if plan.conditions.len() < 2 || plan.seeds.is_empty() || ticks < 2 {
        let what = "a study needs two conditions, a seed and clips of two ticks at least";
        return Err(LabError::Data(what.into()));
    }
    let jobs: Vec<(&(String, Vec<MindSpec>), u64)> =
        plan.conditions.iter().flat_map(|c| plan.seeds.iter().map(move |s| (c, *s))).collect();
    let lived: Vec<Option<Vec<[f64; 3]>>> = jobs
        .par_iter()
        .map(|((name, minds), seed)| {
            live(scenario, minds, (*seed, plan.before_s, ticks), progress)
                .map_err(|error| LabError::World { condition: name.clone(), error })
        })
        .collect::<Result<_, _>>()?;
    let names = names(jobs.len(), plan.shuffle);
    let mut clips = Vec::with_capacity(jobs.len());
    for ((poses, id), ((condition, _), seed)) in lived.into_iter().zip(names).zip(&jobs) {
        let Some(poses) = poses else { return Ok(None) };
        let key = Key { clip: id.clone(), condition: condition.clone(), seed: *seed };
        clips.push((Clip { id, poses }, key));
    }
    shuffle(&mut clips, plan.shuffle);
    let (clips, key) = clips.into_iter().unzip();
    Ok(Some((study(scenario, plan, clips), key)))
}

fn live(
    scenario: &Scenario,
    minds: &[MindSpec],
    (seed, before_s, ticks): (u64, f64, u64),
    progress: &dyn Progress,
) -> Result<Option<Vec<[f64; 3]>>, tropism_world::WorldError> {
    const REPORT_TICKS: u64 = 4096;
    let mut run = Run::new(scenario, minds, Seed(seed))?;
    run.measure_only_what_is_used();
    // A battery that runs empty ends a life; the next begins, for as long as the study goes on.
    let mut lives = LifeClock::new(run.robots().len(), u32::MAX, u64::MAX);
    let before = scenario.step.ticks_in(before_s);
    let mut poses = Vec::with_capacity(ticks as usize);
    for tick in 0..before + ticks {
        run.tick();
        lives.after_tick(&mut run);
        if tick >= before {
            let truth = run.truth(0);
            poses.push([truth.x_m, truth.y_m, truth.heading_rad].map(|v| rounded(v.into())));
        }
        if (tick + 1).is_multiple_of(REPORT_TICKS) {
            progress.ticks(REPORT_TICKS);
            if progress.is_cancelled() {
                return Ok(None);
            }
        }
    }
    progress.ticks((before + ticks) % REPORT_TICKS);
    Ok(Some(poses))
}

/// Four decimals: a tenth of a millimetre.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// Different names of eight hexadecimal digits.
fn names(count: usize, seed: u64) -> Vec<String> {
    let stream = Seed(seed).stream(NAMES, 0, 0);
    let mut names = Vec::with_capacity(count);
    let mut draws = stream.at(Tick(0));
    while names.len() < count {
        let name = format!("{:04x}{:04x}", draws.below(1 << 16), draws.below(1 << 16));
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut draws = Seed(seed).stream(SHUFFLE, 0, 0).at(Tick(0));
    for i in (1..items.len()).rev() {
        items.swap(i, draws.below(i as u32 + 1) as usize);
    }
}

fn study(scenario: &Scenario, plan: &Plan, clips: Vec<Clip>) -> Study {
    let point = |v: Vec2| [f64::from(v.x), f64::from(v.y)];
    let (world, room) = (&scenario.world, &scenario.world.room);
    let mut hash = tropism_core::StateHash::new();
    for clip in &clips {
        for value in clip.poses.iter().flatten() {
            hash.word(value.to_bits());
        }
    }
    Study {
        format: FORMAT.into(),
        version: VERSION,
        id: format!("{:016x}", hash.value()),
        title: plan.title.clone(),
        question: plan.question.clone(),
        scale: Scale { min: 1, max: 7, low: "not at all".into(), high: "very much".into() },
        rate_hz: f64::from(scenario.step.denominator()) / f64::from(scenario.step.numerator()),
        radius_m: world.robots.first().map_or(0.06, |r| r.plan.radius_m.into()),
        bounds: [point(room.min), point(room.max)],
        walls: room.segments.iter().map(|s| [point(s.from), point(s.to)]).collect(),
        polygons: (room.polygons.iter())
            .map(|p| p.corners.iter().map(|c| point(*c)).collect())
            .collect(),
        discs: (room.discs.iter())
            .map(|d| DiscShape { at: point(d.center), radius_m: d.radius_m.into() })
            .collect(),
        stations: world.stations.iter().map(|s| point(s.contact)).collect(),
        clips,
    }
}

//! One organism: its lives one after another, and what is kept of them.

use serde::{Deserialize, Serialize};
use tropism_body::Controller;
use tropism_core::{Seed, StateHash};
use tropism_scenario::{MindSpec, Scenario};
use tropism_world::{RobotTruth, WorldError};

use crate::metrics::{Coverage, LifeRecord, Meter};
use crate::perturbation::{Perturbation, PerturbationMeter};
use crate::run::Run;
use crate::schema::{Couplings, NamedEntry, SchemaMeter};

/// How the lives of a run go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// Lives of each robot.
    pub lives: u32,
    /// Ticks at which a life is cut off.
    pub cap_ticks: u64,
    /// Charge share that counts as full.
    pub full_share: f32,
}

/// What is kept of one robot's lives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RobotRecord {
    /// Number of the robot.
    pub robot: u32,
    /// Its lives.
    pub lives: Vec<LifeRecord>,
    /// Time per cell over all lives.
    pub coverage: Coverage,
    /// Behaviour modules of its mind.
    pub modules: Vec<String>,
    /// Variance of the needs around perturbations.
    pub perturbations: Vec<Perturbation>,
    /// Strongest contingencies of all its lives.
    pub strongest: Vec<NamedEntry>,
    /// Learned couplings over all its lives; empty for minds without memory.
    pub learned: Couplings,
}

/// What is kept of one run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Condition.
    pub condition: String,
    /// Seed.
    pub seed: u64,
    /// Ticks simulated.
    pub ticks: u64,
    /// Hash over the run's states at the end of each life; equal runs have equal hashes.
    pub hash: String,
    /// The robots.
    pub robots: Vec<RobotRecord>,
}

/// Told about progress while a run is under way.
pub trait Progress: Sync {
    /// This many more ticks are done, of robots whose lives are not over.
    fn ticks(&self, count: u64);
    /// True when the run should stop at once; its result is then not kept.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Tells nobody.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn ticks(&self, _count: u64) {}
}

/// Ticks between two reports of progress.
const REPORT_TICKS: u64 = 16_384;

/// When lives end and the next begin, for runs that are traced or replayed.
#[derive(Clone, Debug)]
pub struct LifeClock {
    lives: u32,
    cap_ticks: u64,
    robots: Vec<(u32, u64)>,
}

impl LifeClock {
    /// All robots at the start of their first life.
    pub fn new(robots: usize, lives: u32, cap_ticks: u64) -> Self {
        Self { lives, cap_ticks, robots: vec![(0, 0); robots] }
    }

    /// After a tick: ends the lives that are over and begins the next; gives, per ended life, the
    /// robot and whether it died.
    pub fn after_tick(&mut self, run: &mut Run) -> Vec<(usize, bool)> {
        let mut ended = Vec::new();
        for (i, (life, ticks)) in self.robots.iter_mut().enumerate() {
            if *life >= self.lives {
                continue;
            }
            *ticks += 1;
            let died = is_dead(&run.truth(i));
            if died || *ticks >= self.cap_ticks {
                (*life, *ticks) = (*life + 1, 0);
                ended.push((i, died));
                if *life < self.lives {
                    run.begin_life(i, *life);
                }
            }
        }
        ended
    }

    /// True when all lives of all robots are over.
    pub fn is_over(&self) -> bool {
        self.robots.iter().all(|(life, _)| *life >= self.lives)
    }
}

/// An empty battery away from a station.
#[inline]
pub fn is_dead(truth: &RobotTruth) -> bool {
    truth.soc <= 0.0 && !truth.is_docked
}

struct Subject {
    robot: usize,
    meter: Meter,
    perturbations: PerturbationMeter,
    schema: SchemaMeter,
    /// Ticks of the present life at the next reading of the memory.
    next_reading: u64,
    life: u32,
    lives: Vec<LifeRecord>,
}

/// Lives all lives of a run. `None` when it was cancelled.
///
/// # Errors
/// [`WorldError`] when the world cannot be built.
///
/// # Determinism
/// The record depends on the scenario, the mind, the course and the seed alone.
pub fn live(
    scenario: &Scenario,
    (condition, minds): (&str, &[MindSpec]),
    course: Course,
    seed: u64,
    progress: &dyn Progress,
) -> Result<Option<RunRecord>, WorldError> {
    let mut run = Run::new(scenario, minds, Seed(seed))?;
    run.measure_only_what_is_used();
    let mut living = subjects(scenario, &run, course);
    let mut finished = Vec::with_capacity(living.len());
    if course.lives == 0 {
        finished.append(&mut living);
    }
    let has_events = !scenario.world.events.is_empty();
    let schema_ticks = scenario.step.ticks_in(SchemaMeter::EVERY_S).max(1);
    let mut hash = StateHash::new();
    let mut waiting = 0;
    while !living.is_empty() {
        run.tick();
        waiting += 1;
        if waiting == REPORT_TICKS {
            progress.ticks(waiting);
            waiting = 0;
            if progress.is_cancelled() {
                return Ok(None);
            }
        }
        let mut next = 0;
        while let Some(subject) = living.get_mut(next) {
            let i = subject.robot;
            let truth = run.truth(i);
            subject.meter.record(&truth, &run.robots()[i]);
            if has_events && let Some(organism) = run.robots()[i].mind.organism() {
                let needs = &organism.state().physiology.values;
                subject.perturbations.record(subject.life, i, needs, run.world().events());
            }
            if subject.meter.ticks() == subject.next_reading {
                subject.next_reading += schema_ticks;
                if let Some(organism) = run.robots()[i].mind.organism() {
                    subject.schema.read(organism);
                }
            }
            let died = is_dead(&truth);
            if died || subject.meter.ticks() >= course.cap_ticks {
                hash.word(run.hash());
                end_life(&mut run, subject, died, course);
                subject.next_reading = schema_ticks;
                if subject.life >= course.lives {
                    finished.push(living.remove(next));
                    continue;
                }
            }
            next += 1;
        }
    }
    progress.ticks(waiting);
    finished.sort_by_key(|subject| subject.robot);
    let robots = finished.into_iter().map(|subject| finish(&run, subject)).collect();
    Ok(Some(RunRecord {
        condition: condition.to_owned(),
        seed,
        ticks: run.now().0,
        hash: format!("{:016x}", hash.value()),
        robots,
    }))
}

fn subjects(scenario: &Scenario, run: &Run, course: Course) -> Vec<Subject> {
    let room = &scenario.world.room;
    let of = |i: usize| {
        let plan = &scenario.world.robots[i].plan;
        let modules = run.robots()[i].mind.modules().len();
        let [left, right] = plan.drive.channels();
        let wheels = (usize::from(left), usize::from(right));
        Subject {
            robot: i,
            meter: Meter::new(scenario.step, wheels, room, course.full_share, modules),
            perturbations: PerturbationMeter::new(scenario.step),
            schema: SchemaMeter::default(),
            next_reading: scenario.step.ticks_in(SchemaMeter::EVERY_S).max(1),
            life: 0,
            lives: Vec::new(),
        }
    };
    (0..run.robots().len()).map(of).collect()
}

// Apart, since what it needs of a subject would else be worked out at every tick.
#[cold]
#[inline(never)]
fn end_life(run: &mut Run, subject: &mut Subject, died: bool, course: Course) {
    let robot = subject.robot;
    let record = subject.meter.end_life(subject.life, died, &run.robots()[robot]);
    subject.lives.push(record);
    subject.perturbations.end_life();
    subject.life += 1;
    if subject.life < course.lives {
        subject.meter.begin_life();
        run.begin_life(robot, subject.life);
    }
}

fn finish(run: &Run, subject: Subject) -> RobotRecord {
    let robot = subject.robot;
    let (mind, body) = (&run.robots()[robot].mind, &run.robots()[robot].body);
    RobotRecord {
        robot: robot as u32,
        lives: subject.lives,
        coverage: subject.meter.coverage,
        modules: mind.modules().iter().map(|m| (*m).to_owned()).collect(),
        perturbations: subject.perturbations.into_perturbations(),
        strongest: subject.schema.strongest(body),
        learned: subject.schema.learned(),
    }
}

//! What the command line offers for a specification: check, run, compare, docs.
//!
//! What it does not do: no files and no clock; texts go in and come out.

use crate::driver::{NetworkDriver, NotWired};
use crate::stage::{Scene, Stage};
use core::fmt;
use tropism_core::math::f64 as math;
use tropism_core::{Tick, TimeStep};
use tropism_dynamics::Integrator;
use tropism_dynamics_spec::live::Live;
use tropism_dynamics_spec::trace::Recorder;
use tropism_dynamics_spec::{Compiled, Options, Refused, compile_text, document};

/// Why a verb failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerbError {
    /// The specification was refused.
    Refused(Refused),
    /// It does not drive this robot.
    NotWired(NotWired),
    /// The fine reference would need a shorter step than any network may have.
    TooFine,
}

impl fmt::Display for VerbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refused) => refused.fmt(f),
            Self::NotWired(error) => error.fmt(f),
            Self::TooFine => f.write_str("a sixteenth of the period is below 10 us"),
        }
    }
}

impl core::error::Error for VerbError {}

impl From<Refused> for VerbError {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

impl From<NotWired> for VerbError {
    fn from(error: NotWired) -> Self {
        Self::NotWired(error)
    }
}

/// Checks a text and describes what it compiles to.
///
/// # Errors
/// [`Refused`] with all findings.
pub fn check(file: &str, text: &str, options: Options) -> Result<String, Refused> {
    use fmt::Write as _;
    let compiled = compile_text(file, text, options)?;
    let header = &compiled.header;
    let mut report = format!(
        "{file}: sound; {} layers, {} percepts, {} behaviours, {} T-terms, {} targets, {} \
         actuators; {} instructions, {} values, {} bytes for firmware\n",
        header.layers,
        header.percepts,
        header.behaviours,
        header.users,
        header.targets,
        header.actuators,
        compiled.code.len(),
        header.slots,
        compiled.blob().len()
    );
    for bound in &compiled.bounds {
        let channel = &compiled.names.actuators[bound.actuator];
        let layer = &compiled.names.layers[channel.layer];
        let _ = writeln!(report, "  {layer}.{}: largest W*dt {:.3}", channel.name, bound.pull);
    }
    for finding in &compiled.findings {
        let _ = writeln!(report, "{finding}");
    }
    Ok(report)
}

/// The documentation page of a text.
///
/// # Errors
/// [`Refused`] with all findings.
pub fn docs(file: &str, text: &str, options: Options) -> Result<String, Refused> {
    compile_text(file, text, options).map(|compiled| document::html(&compiled))
}

/// How to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Where.
    pub scene: Scene,
    /// How long, s.
    pub seconds: f64,
    /// Changes to the specification.
    pub options: Options,
}

/// What happened to an edited text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reload {
    /// The tick from which it counts, or at which it was refused.
    pub tick: u64,
    /// The reasons, if it was refused.
    pub refused: Option<Refused>,
}

/// A recorded run.
#[derive(Clone, Debug)]
pub struct Recording {
    /// One recorder for each text that ran, with its first tick.
    pub parts: Vec<(u64, Recorder)>,
    /// Edits on the way.
    pub reloads: Vec<Reload>,
    /// The robot at the end.
    pub stage: Stage,
    /// The tick at which it touched something, which ends the run.
    pub touched: Option<u64>,
}

/// Runs a text in a scene. `edited` is asked before every tick for a changed text.
///
/// # Errors
/// [`VerbError`] when the first text is refused or drives no robot of this kind.
pub fn run(
    file: &str,
    text: &str,
    plan: Plan,
    edited: &mut dyn FnMut(u64) -> Option<String>,
) -> Result<Recording, VerbError> {
    let mut live = Live::<f64>::new(file, text, plan.options)?;
    let mut driver = NetworkDriver::<f64>::new(live.compiled())?;
    let stage = Stage::new(plan.scene);
    let parts = vec![(0, Recorder::new(live.compiled()))];
    let mut recording = Recording { parts, reloads: Vec::new(), stage, touched: None };
    let step = live.compiled().header.step;
    let dt = seconds(step);
    for tick in 0..step.ticks_in(plan.seconds) {
        if let Some(text) = edited(tick)
            && let Err(refused) = live.offer(&text)
        {
            recording.reloads.push(Reload { tick, refused: Some(refused) });
        }
        exchange(&mut live, &mut driver, &mut recording, tick)?;
        let sensing = recording.stage.sensing(step.seconds_at(Tick(tick)));
        let Some((_, recorder)) = recording.parts.last_mut() else { break };
        let command = driver.drive_observed(&sensing, recorder);
        recorder.take(&driver.network);
        if !recording.stage.step(command, dt) {
            recording.touched = Some(tick);
            break;
        }
    }
    Ok(recording)
}

/// Lets a pending text take over: the running state moves into the live pair, the new network out.
fn exchange(
    live: &mut Live<f64>,
    driver: &mut NetworkDriver<f64>,
    recording: &mut Recording,
    tick: u64,
) -> Result<(), NotWired> {
    if !live.has_offer() {
        return Ok(());
    }
    live.network.clone_from(&driver.network);
    if live.take_over() {
        let modes = core::mem::take(&mut driver.modes);
        *driver = NetworkDriver::new(live.compiled())?;
        driver.network.clone_from(&live.network);
        driver.modes.iter_mut().zip(modes).for_each(|(new, old)| *new = old);
        recording.parts.push((tick, Recorder::new(live.compiled())));
        recording.reloads.push(Reload { tick, refused: None });
    }
    Ok(())
}

fn seconds(step: TimeStep) -> f64 {
    f64::from(step.numerator()) / f64::from(step.denominator())
}

/// How far a run is from the fine reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Which run.
    pub name: &'static str,
    /// Largest distance between positions, m.
    pub position_max: f64,
    /// Root mean square distance, m.
    pub position_rms: f64,
    /// Largest difference of the speed command, m/s.
    pub v_max: f64,
    /// Largest difference of the turn command, m/s.
    pub w_max: f64,
    /// Position at the end.
    pub end: (f64, f64),
}

/// Finer steps in one step of the compared runs.
pub const FINE: u32 = 16;

/// Runs the text with the paper's update, the exact one, and the exact one in sixteenths of the
/// period, and compares positions and commands at common times.
///
/// # Errors
/// [`VerbError`] when the text is refused, drives no such robot, or its period is too short.
pub fn compare(file: &str, text: &str, plan: Plan) -> Result<Vec<Difference>, VerbError> {
    let compiled = |integrator, step| {
        let options = Options {
            integrator: Some(integrator),
            step: Some(step),
            may_be_unstable: true,
            ..plan.options
        };
        compile_text(file, text, options)
    };
    let step =
        compile_text(file, text, Options { may_be_unstable: true, ..plan.options })?.header.step;
    let fine = step.denominator().checked_mul(FINE).ok_or(VerbError::TooFine)?;
    let fine = TimeStep::new(step.numerator(), fine).map_err(|_short| VerbError::TooFine)?;
    let reference = path(&compiled(Integrator::Exact, fine)?, plan, FINE)?;
    let mut found = Vec::new();
    for (name, integrator) in [("paper", Integrator::Paper), ("exact", Integrator::Exact)] {
        let path = path(&compiled(integrator, step)?, plan, 1)?;
        found.push(difference(name, &path, &reference));
    }
    found.push(difference("fine", &reference, &reference));
    Ok(found)
}

/// Position and command at every coarse tick.
type Point = [f64; 4];

fn path(compiled: &Compiled, plan: Plan, every: u32) -> Result<Vec<Point>, NotWired> {
    let mut driver = NetworkDriver::<f64>::new(compiled)?;
    let mut stage = Stage::new(plan.scene);
    let step = compiled.header.step;
    let mut points = Vec::new();
    for tick in 0..step.ticks_in(plan.seconds) {
        let [x, y, ..] = stage.robot.state;
        let sensing = stage.sensing(step.seconds_at(Tick(tick)));
        let (v, w) = crate::driver::Driver::drive(&mut driver, &sensing);
        if tick % u64::from(every) == 0 {
            points.push([x, y, v, w]);
        }
        stage.step((v, w), seconds(step));
    }
    Ok(points)
}

fn difference(name: &'static str, path: &[Point], reference: &[Point]) -> Difference {
    let pairs = || path.iter().zip(reference);
    let distance = |(a, b): (&Point, &Point)| math::hypot(a[0] - b[0], a[1] - b[1]);
    let most = |index: usize| pairs().map(|(a, b)| (a[index] - b[index]).abs()).fold(0.0, f64::max);
    let squares: f64 = pairs().map(distance).map(|d| d * d).sum();
    Difference {
        name,
        position_max: pairs().map(distance).fold(0.0, f64::max),
        position_rms: math::sqrt(squares / path.len().max(1) as f64),
        v_max: most(2),
        w_max: most(3),
        end: path.last().map_or((0.0, 0.0), |p| (p[0], p[1])),
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:6} position max {:8.2} mm, rms {:8.2} mm; v max {:.4} m/s, w max {:.4} m/s; ends at \
             {:.4}, {:.4}",
            self.name,
            self.position_max * 1e3,
            self.position_rms * 1e3,
            self.v_max,
            self.w_max,
            self.end.0,
            self.end.1
        )
    }
}

//! `tropism dynamics`: behaviour networks of layered dual dynamics.

use core::time::Duration;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand, ValueEnum};
use tropism_dynamics::{Integrator, Phase};
use tropism_dynamics_lab::stage::{SCENES, Scene};
use tropism_dynamics_lab::verbs::{self, Plan, Recording, VerbError};
use tropism_dynamics_spec::read::time_step;
use tropism_dynamics_spec::{Options, Refused};

use crate::outputs::{Files, within};

#[derive(Debug, Args)]
pub(crate) struct DynamicsArguments {
    #[command(subcommand)]
    verb: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Checks a specification and says what it compiles to.
    Check(Common),
    /// Runs a specification in a scene; with --live, edits of the file take effect while it runs.
    Run(RunArguments),
    /// Runs the seed's update, the exact one and a fine reference, and shows the differences.
    Compare(SceneArguments),
    /// Writes the documentation page with the network's graph.
    Docs {
        #[command(flatten)]
        common: Common,
        /// Where to write it; standard output without.
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Writes the network in bytes for firmware.
    Blob {
        #[command(flatten)]
        common: Common,
        /// Where to write it.
        #[arg(long)]
        out: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PhaseName {
    Aligned,
    Ruler,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum IntegratorName {
    Paper,
    Exact,
}

#[derive(Debug, Args)]
struct Common {
    /// The specification.
    spec: PathBuf,
    /// Warnings count as errors.
    #[arg(long)]
    strict: bool,
    /// Accept a network whose difference equation can diverge.
    #[arg(long)]
    allow_unstable: bool,
    /// Another period of layer 0, such as 80ms or 1/50s.
    #[arg(long, value_parser = time_step)]
    dt: Option<tropism_core::TimeStep>,
    /// Another factor between layers.
    #[arg(long)]
    factor: Option<u16>,
    /// Another phase.
    #[arg(long)]
    phase: Option<PhaseName>,
    /// Another integrator.
    #[arg(long)]
    integrator: Option<IntegratorName>,
}

#[derive(Debug, Args)]
struct SceneArguments {
    #[command(flatten)]
    common: Common,
    /// Where: field, mission, course:SEED, room or ball.
    #[arg(long, default_value = "field")]
    scene: String,
    /// How long, in seconds.
    #[arg(long, default_value_t = 6.0, allow_negative_numbers = true)]
    seconds: f64,
}

#[derive(Debug, Args)]
struct RunArguments {
    #[command(flatten)]
    place: SceneArguments,
    /// Writes every channel of every tick to this file; edits on the way add .1, .2 and so on.
    #[arg(long)]
    trace: Option<PathBuf>,
    /// Says why a behaviour was active: LAYER.BEHAVIOUR@TICK.
    #[arg(long)]
    why: Vec<String>,
    /// Runs in real time and takes over edits of the file.
    #[arg(long)]
    live: bool,
}

pub(crate) fn run(arguments: &DynamicsArguments) -> anyhow::Result<ExitCode> {
    match &arguments.verb {
        Action::Check(common) => {
            let (file, text) = read(&common.spec)?;
            Ok(answer(&verbs::check(&file, &text, options(common))))
        }
        Action::Docs { common, out } => {
            guarded(common, "--out", out.as_deref())?;
            let (file, text) = read(&common.spec)?;
            let page = verbs::docs(&file, &text, options(common));
            match (page, out) {
                (Ok(page), Some(path)) => {
                    std::fs::write(path, page).with_context(|| path.display().to_string())?;
                    Ok(ExitCode::SUCCESS)
                }
                (page, _) => Ok(answer(&page)),
            }
        }
        Action::Blob { common, out } => {
            guarded(common, "--out", Some(out))?;
            let (file, text) = read(&common.spec)?;
            match tropism_dynamics_spec::compile_text(&file, &text, options(common)) {
                Ok(compiled) => {
                    let bytes = compiled.blob();
                    std::fs::write(out, &bytes).with_context(|| out.display().to_string())?;
                    println!("{}: {} bytes", out.display(), bytes.len());
                    Ok(ExitCode::SUCCESS)
                }
                Err(refused) => Ok(refuse(&refused)),
            }
        }
        Action::Compare(place) => {
            let (file, text) = read(&place.common.spec)?;
            match verbs::compare(&file, &text, plan(place)?) {
                Ok(differences) => {
                    for difference in &differences {
                        println!("{difference}");
                    }
                    Ok(ExitCode::SUCCESS)
                }
                Err(error) => failed(error),
            }
        }
        Action::Run(run) => live_or_fast(run),
    }
}

/// Refuses to write over the specification.
fn guarded(common: &Common, option: &str, out: Option<&Path>) -> anyhow::Result<()> {
    Files::new().read("the specification", Some(&common.spec)).write(option, out).check()
}

fn read(path: &Path) -> anyhow::Result<(String, String)> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(|| file.clone())?;
    Ok((file, text))
}

fn options(common: &Common) -> Options {
    Options {
        step: common.dt,
        factor: common.factor,
        phase: common.phase.map(|p| match p {
            PhaseName::Aligned => Phase::Aligned,
            PhaseName::Ruler => Phase::Ruler,
        }),
        integrator: common.integrator.map(|i| match i {
            IntegratorName::Paper => Integrator::Paper,
            IntegratorName::Exact => Integrator::Exact,
        }),
        may_be_unstable: common.allow_unstable,
        are_warnings_errors: common.strict,
    }
}

fn plan(place: &SceneArguments) -> anyhow::Result<Plan> {
    let Some(scene) = Scene::named(&place.scene) else {
        bail!("`{}` is no scene; there are {}", place.scene, SCENES.join(", "));
    };
    within("--seconds", place.seconds, (0.0, SECONDS_MAX), " s")?;
    Ok(Plan { scene, seconds: place.seconds, options: options(&place.common) })
}

/// Prints the answer, or the findings.
fn answer(result: &Result<String, Refused>) -> ExitCode {
    match result {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(refused) => refuse(refused),
    }
}

fn refuse(refused: &Refused) -> ExitCode {
    println!("{refused}");
    ExitCode::FAILURE
}

fn failed(error: VerbError) -> anyhow::Result<ExitCode> {
    match error {
        VerbError::Refused(refused) => Ok(refuse(&refused)),
        other => Err(other.into()),
    }
}

/// Longest run, s: eleven days.
const SECONDS_MAX: f64 = 1e6;

/// How often a live run looks at its file, in ticks.
const LOOK_EVERY: u64 = 5;

fn live_or_fast(run: &RunArguments) -> anyhow::Result<ExitCode> {
    let path = &run.place.common.spec;
    guarded(&run.place.common, "--trace", run.trace.as_deref())?;
    let (file, text) = read(path)?;
    let plan = plan(&run.place)?;
    let mut last = text.clone();
    let mut edited = |tick: u64| {
        if !run.live {
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
        // A file that cannot be read just now is being written; the next look will find it.
        let now = tick.is_multiple_of(LOOK_EVERY).then(|| std::fs::read_to_string(path).ok())??;
        if now == last {
            return None;
        }
        last.clone_from(&now);
        println!("tick {tick}: the file has changed");
        Some(now)
    };
    match verbs::run(&file, &text, plan, &mut edited) {
        Ok(recording) => report(run, &recording),
        Err(error) => failed(error),
    }
}

fn report(run: &RunArguments, recording: &Recording) -> anyhow::Result<ExitCode> {
    for reload in &recording.reloads {
        let tick = reload.tick;
        if let Some(refused) = &reload.refused {
            println!("tick {tick}: refused, the old network ran on\n{refused}");
        } else {
            println!("tick {tick}: the edited network took over");
        }
    }
    let [x, y, heading, ..] = recording.stage.robot.state;
    println!("ends at x {x:.4} m, y {y:.4} m, heading {heading:.4} rad");
    if let Some(tick) = recording.touched {
        println!("touched something at tick {tick}");
    }
    if let Some(path) = &run.trace {
        for (part, (first, recorder)) in recording.parts.iter().enumerate() {
            let path =
                if part == 0 { path.clone() } else { path.with_extension(format!("{part}.csv")) };
            std::fs::write(&path, recorder.to_csv()).with_context(|| path.display().to_string())?;
            println!("{}: {} ticks from {first}", path.display(), recorder.rows().len());
        }
    }
    for question in &run.why {
        let (name, tick) = question.split_once('@').context("--why takes LAYER.BEHAVIOUR@TICK")?;
        let tick: u64 = tick.parse().with_context(|| format!("`{tick}` is no tick"))?;
        let part = recording.parts.iter().rev().find(|(first, _)| *first <= tick);
        let why = part.and_then(|(first, r)| r.why(name, (tick - first) as usize));
        match why {
            Some(why) => println!("{why}"),
            None => bail!("there is no behaviour `{name}` with a step at or before tick {tick}"),
        }
    }
    Ok(ExitCode::SUCCESS)
}

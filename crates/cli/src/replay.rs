//! `tropism replay`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use tropism_lab::trace::{Ending, TraceReader, Verdict, replay};

use crate::export::refuse_octopus;
use crate::output::{load_scenario, minds_of};
use crate::progress::{self, Bar};

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// Trace made by `tropism run FILE --trace TRACE`.
    trace: PathBuf,
    /// Scenario file, if it is not where the trace says.
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,
    /// No progress bar.
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn run(arguments: &ReplayArguments) -> anyhow::Result<ExitCode> {
    refuse_octopus(&arguments.trace)?;
    let mut reader = TraceReader::open(&arguments.trace)?;
    let header = reader.header.clone();
    let path = arguments.scenario.clone().unwrap_or_else(|| Path::new(&header.scenario).into());
    let scenario = load_scenario(&path)?;
    let minds = minds_of(&scenario, header.condition.as_deref())?;
    progress::listen_for_ctrl_c();
    let bar = Bar::new(header.cap_ticks.saturating_mul(u64::from(header.lives)), arguments.quiet);
    let verdict = replay(&mut reader, &scenario, &minds, &bar)?;
    bar.clear();
    match verdict {
        Verdict::Equal { ticks, ending } => {
            println!("equal: all {ticks} ticks came out the same");
            if ending == Ending::Cut {
                println!("note: the trace was cut off after tick {ticks}");
            }
            Ok(ExitCode::SUCCESS)
        }
        Verdict::Differs { tick, values } => {
            println!("differs first at tick {tick}");
            for (name, recorded, now) in values.iter().take(20) {
                println!("  {name}: {recorded:?} recorded, {now:?} now");
            }
            if values.len() > 20 {
                println!("  … and {} more", values.len() - 20);
            }
            if values.is_empty() {
                println!("  only state that the trace does not show; record with --internals");
            }
            Ok(ExitCode::FAILURE)
        }
    }
}

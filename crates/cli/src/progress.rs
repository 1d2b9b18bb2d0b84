//! A progress bar with time left, and cancelling by Ctrl-C.

use core::sync::atomic::{AtomicBool, Ordering};
use std::io::IsTerminal as _;
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tropism_lab::experiment::Watch;
use tropism_lab::life::{Progress, RunRecord};

static CANCELLED: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C end the run at the next occasion; a second one ends the process.
pub(crate) fn listen_for_ctrl_c() {
    let result = ctrlc::set_handler(|| {
        if CANCELLED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
        eprintln!("\nstopping; press Ctrl-C again to stop at once");
    });
    // Without a handler Ctrl-C ends the process at once; what is finished is kept all the same.
    drop(result);
}

/// True once Ctrl-C was pressed.
pub(crate) fn is_cancelled() -> bool {
    CANCELLED.load(Ordering::SeqCst)
}

/// A bar over ticks.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: ProgressBar,
    ticks_max: u64,
}

impl Bar {
    /// A bar over runs of at most this many ticks each; silent when standard error is no terminal
    /// or `is_quiet`.
    pub(crate) fn new(ticks_max: u64, is_quiet: bool) -> Self {
        let target = if is_quiet || !std::io::stderr().is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::stderr_with_hz(4)
        };
        let bar = ProgressBar::with_draw_target(Some(ticks_max), target);
        let style = "{bar:32} {percent:>3}%  {msg}  {elapsed} gone, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        Self { bar, ticks_max }
    }

    /// Puts the bar where it stands now.
    pub(crate) fn at(&self, position: u64) {
        self.bar.set_position(position);
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn ticks(&self, count: u64) {
        self.bar.inc(count);
    }

    fn is_cancelled(&self) -> bool {
        is_cancelled()
    }
}

/// A bar over the runs of an experiment.
#[derive(Debug)]
pub(crate) struct ExperimentBar {
    bar: Bar,
    is_quiet: bool,
    state: std::sync::Mutex<(usize, usize)>,
}

impl ExperimentBar {
    /// A bar for runs of at most this many ticks.
    pub(crate) fn new(ticks_per_run: u64, is_quiet: bool) -> Self {
        let bar = Bar::new(ticks_per_run, is_quiet);
        Self { bar, is_quiet, state: std::sync::Mutex::new((0, 0)) }
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.clear();
    }
}

impl Progress for ExperimentBar {
    fn ticks(&self, count: u64) {
        self.bar.ticks(count);
    }

    fn is_cancelled(&self) -> bool {
        is_cancelled()
    }
}

impl Watch for ExperimentBar {
    fn planned(&self, runs: usize, finished: usize) {
        let left = (runs - finished) as u64;
        self.bar.bar.set_length(left.saturating_mul(self.bar.ticks_max));
        self.bar.bar.set_message(format!("{finished} of {runs} runs"));
        if let Ok(mut state) = self.state.lock() {
            *state = (runs, finished);
        }
        if finished > 0 && !self.is_quiet {
            eprintln!("{finished} of {runs} runs are already finished and are kept");
        }
    }

    fn useless(&self, file: &Path, why: &str) {
        eprintln!("{}: {why}; this run is done again", file.display());
    }

    fn finished(&self, record: &RunRecord) {
        // A run that died early leaves ticks over: the estimate gets nearer with every run.
        let spare = self.bar.ticks_max.saturating_sub(record.ticks);
        let length = self.bar.bar.length().unwrap_or(0);
        self.bar.bar.set_length(length.saturating_sub(spare));
        if let Ok(mut state) = self.state.lock() {
            state.1 += 1;
            self.bar.bar.set_message(format!("{} of {} runs", state.1, state.0));
        }
    }
}

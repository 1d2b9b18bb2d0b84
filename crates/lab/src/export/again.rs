//! A traced run simulated again, tick by tick, and compared with its trace on the way.

use tropism_body::Controller as _;
use tropism_world::{Occurrence, RobotTruth};

use super::Origin;
use crate::error::LabError;
use crate::life::LifeClock;
use crate::run::Run;
use crate::script::LogLine;
use crate::trace::{Frame, Probe, TraceReader, is_same, start_again};

/// A traced run under way.
#[derive(Debug)]
pub struct Again {
    reader: TraceReader,
    run: Run,
    clock: LifeClock,
    recorded: Frame,
    probe: Probe,
    /// Names of the values with all internal ones.
    names: Vec<String>,
    full: Probe,
    truths: Vec<RobotTruth>,
    modules: Vec<usize>,
    logs: Vec<(usize, LogLine)>,
    ended: Vec<usize>,
    ticks: u64,
}

impl Again {
    /// The run at its first tick.
    ///
    /// # Errors
    /// [`LabError`] when the trace was made of another scenario, or its world cannot be built.
    pub fn new(reader: TraceReader, (scenario, minds): Origin<'_>) -> Result<Self, LabError> {
        let (run, clock) = start_again(&reader, scenario, minds)?;
        let mut full = Probe::with_names();
        full.take(&run, true);
        let names = full.names.take().unwrap_or_default();
        let truths = (0..run.robots().len()).map(|i| run.truth(i)).collect();
        Ok(Self {
            reader,
            run,
            clock,
            recorded: Frame::default(),
            probe: Probe::default(),
            names,
            full,
            truths,
            modules: Vec::new(),
            logs: Vec::new(),
            ended: Vec::new(),
            ticks: 0,
        })
    }

    /// Simulates the next tick of the trace; false at its end.
    ///
    /// # Errors
    /// [`LabError::Damaged`] with the first tick that comes out otherwise than in the trace.
    pub fn step(&mut self) -> Result<bool, LabError> {
        if !self.reader.next_into(&mut self.recorded)? {
            return Ok(false);
        }
        self.run.tick();
        self.compare()?;
        self.full.take(&self.run, true);
        self.truths.clear();
        self.modules.clear();
        self.logs.clear();
        for i in 0..self.run.robots().len() {
            self.truths.push(self.run.truth(i));
            self.modules.push(self.run.robots()[i].mind.controlling_module());
            let lines = self.run.robots_mut()[i].mind.take_log();
            self.logs.extend(lines.into_iter().map(|line| (i, line)));
        }
        let ended = self.clock.after_tick(&mut self.run);
        self.ended.clear();
        self.ended.extend(ended.into_iter().map(|(robot, _)| robot));
        self.ticks += 1;
        Ok(true)
    }

    fn compare(&mut self) -> Result<(), LabError> {
        self.probe.take(&self.run, self.reader.header.has_internals);
        let recorded = &self.recorded;
        let mut pairs = recorded.values.iter().zip(&self.probe.values);
        let differing = pairs.position(|(a, b)| !is_same(*a, *b));
        if differing.is_none() && self.run.hash() == recorded.hash {
            return Ok(());
        }
        let what = match differing {
            Some(i) => format!(
                "{} was {:?} and is now {:?}",
                self.reader.header.names[i], recorded.values[i], self.probe.values[i]
            ),
            None => "only in state that the trace does not show".to_owned(),
        };
        let what = format!(
            "simulated again it differs first at tick {}: {what}; `tropism replay` says more, and \
             CSV and Parquet without --internals take the trace as it is",
            self.ticks
        );
        Err(LabError::damaged(self.reader.path(), what))
    }

    /// Ticks simulated.
    pub const fn ticks(&self) -> u64 {
        self.ticks
    }

    /// The run as it stands, lives that were over already begun anew.
    pub const fn run(&self) -> &Run {
        &self.run
    }

    /// What was true of the robots at the end of the tick, before lives began anew.
    pub fn truths(&self) -> &[RobotTruth] {
        &self.truths
    }

    /// The module in control of each robot.
    pub fn modules(&self) -> &[usize] {
        &self.modules
    }

    /// What minds said in the tick, with their robots.
    pub fn logs(&self) -> &[(usize, LogLine)] {
        &self.logs
    }

    /// Robots whose life ended with the tick.
    pub fn ended(&self) -> &[usize] {
        &self.ended
    }

    /// What happened in the world in the tick.
    pub fn events(&self) -> &[Occurrence] {
        self.run.world().events()
    }

    /// Names of [`Self::values`].
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// All values of the tick, internal ones included, as a trace would hold them.
    pub fn values(&self) -> &[f64] {
        &self.full.values
    }

    /// The trace.
    pub const fn reader(&self) -> &TraceReader {
        &self.reader
    }
}

//! One run looked at closely: ethograms, time series, path, and a page with plots.

use core::fmt::Write as _;

use tropism_body::Controller;
use tropism_core::TimeStep;
use tropism_core::math::f64 as math;
use tropism_ethology::boris::{Observation, Project, Track, project_json, tabular_csv};
use tropism_ethology::ethogram::{CAPACITY, Catalogue, Ethogram, Recorder};
use tropism_ethology::plot::{
    self, BoutSeries, BudgetBar, HeatMap, Mark, Panel, Panels, PathMap, PlotError, Series, Shade,
    Svg,
};
use tropism_ethology::report::Report;
use tropism_ethology::table::{Column, Kind, Table, TableError};
use tropism_organism::Need;
use tropism_scenario::Scenario;
use tropism_world::Room;

use crate::behaviour::{self, BEHAVIOURS};
use crate::life::Course;
use crate::metrics::{Coverage, LifeRecord, Meter};
use crate::results::MEASURES;
use crate::run::Run;
use crate::schema::{Couplings, NamedEntry, SchemaMeter};
use crate::tables::of_rows;

/// Most points kept of a time series.
const POINTS: u64 = 10_000;
/// Names of the time series kept.
const SERIES: [&str; 10] = [
    "charge",
    "surprise",
    "activity",
    "startle",
    "energy",
    "fatigue",
    "safety",
    "arousal",
    "curiosity",
    "boredom",
];

struct Watched {
    name: String,
    meter: Meter,
    schema: SchemaMeter,
    life: u32,
    lives: Vec<LifeRecord>,
    seen: Recorder,
    module: Recorder,
    series: [Vec<(f64, f64)>; SERIES.len()],
    path: Vec<(f64, f64)>,
    starts_h: Vec<f64>,
    docked: Vec<(f64, f64)>,
}

/// Watches a run tick by tick.
pub struct SingleRun {
    step: TimeStep,
    every: u64,
    tick: u64,
    room: Room,
    title: String,
    watched: Vec<Watched>,
}

impl core::fmt::Debug for SingleRun {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SingleRun").field("tick", &self.tick).finish_non_exhaustive()
    }
}

/// One robot of a finished run.
#[derive(Debug)]
pub struct Subject {
    /// Its name.
    pub name: String,
    /// Its lives.
    pub lives: Vec<LifeRecord>,
    /// What an observer saw.
    pub seen: Ethogram,
    /// Which module was in control.
    pub module: Ethogram,
    /// Time per cell.
    pub coverage: Coverage,
    /// Strongest contingencies of all its lives.
    pub strongest: Vec<NamedEntry>,
    /// Learned couplings over all its lives.
    pub learned: Couplings,
    series: [Vec<(f64, f64)>; SERIES.len()],
    path: Vec<(f64, f64)>,
    starts_h: Vec<f64>,
    docked: Vec<(f64, f64)>,
}

/// A finished run.
#[derive(Debug)]
pub struct Outcome {
    /// Name of the scenario.
    pub title: String,
    /// Seed.
    pub seed: u64,
    /// The robots.
    pub subjects: Vec<Subject>,
    room: Room,
    step: TimeStep,
    stations_m: Vec<(f64, f64)>,
}

impl SingleRun {
    /// Watches a run from its first tick.
    pub fn new(scenario: &Scenario, run: &Run, course: Course) -> Self {
        let total = course.cap_ticks.saturating_mul(u64::from(course.lives));
        let second = scenario.step.ticks_in(1.0).max(1);
        let of = |(i, robot): (usize, &crate::run::Robot)| {
            let spec = &scenario.world.robots[i];
            let [left, right] = spec.plan.drive.channels();
            let wheels = (usize::from(left), usize::from(right));
            let modules = robot.mind.modules();
            let name = spec.name.as_str().to_owned();
            let room = &scenario.world.room;
            let meter = Meter::new(scenario.step, wheels, room, course.full_share, modules.len());
            Watched {
                meter,
                schema: SchemaMeter::default(),
                life: 0,
                lives: Vec::new(),
                seen: recorder(&name, scenario.step, "observed behaviour", &BEHAVIOURS),
                module: recorder(&name, scenario.step, "module in control", modules),
                series: Default::default(),
                path: Vec::new(),
                starts_h: vec![0.0],
                docked: Vec::new(),
                name,
            }
        };
        Self {
            step: scenario.step,
            every: (total / POINTS).max(second),
            tick: 0,
            room: scenario.world.room.clone(),
            title: scenario.name.clone(),
            watched: run.robots().iter().enumerate().map(of).collect(),
        }
    }

    /// After a tick of the run.
    pub fn after_tick(&mut self, run: &Run) {
        let hours = self.step.seconds_at(tropism_core::Tick(self.tick)) / 3600.0;
        let is_sample = self.tick.is_multiple_of(self.every);
        let schema_ticks = self.step.ticks_in(SchemaMeter::EVERY_S).max(1);
        for (i, watched) in self.watched.iter_mut().enumerate() {
            let robot = &run.robots()[i];
            let truth = run.truth(i);
            watched.meter.record(&truth, robot);
            watched.seen.observe(behaviour::observe(&truth) as u8);
            watched.module.observe(robot.mind.controlling_module() as u8);
            if (self.tick + 1).is_multiple_of(schema_ticks)
                && let Some(organism) = robot.mind.organism()
            {
                watched.schema.read(organism);
            }
            if truth.is_docked {
                match watched.docked.last_mut() {
                    Some((_, end)) if hours - *end < 30.0 / 3600.0 => *end = hours,
                    _ => watched.docked.push((hours, hours)),
                }
            }
            if is_sample {
                watched.path.push((truth.x_m.into(), truth.y_m.into()));
                watched.series[0].push((hours, truth.soc.into()));
                if let Some(organism) = robot.mind.organism() {
                    let s = organism.state();
                    let p = &s.physiology;
                    let values = [s.contingency.surprise, p.activity, p.spike];
                    for (series, value) in
                        watched.series[1..].iter_mut().zip(values.iter().chain(&p.drives))
                    {
                        series.push((hours, f64::from(*value)));
                    }
                }
            }
        }
        self.tick += 1;
    }

    /// A life of a robot is over.
    pub fn end_life(&mut self, run: &Run, robot: usize, died: bool) {
        let hours = self.step.seconds_at(tropism_core::Tick(self.tick)) / 3600.0;
        let watched = &mut self.watched[robot];
        let record = watched.meter.end_life(watched.life, died, &run.robots()[robot]);
        watched.lives.push(record);
        watched.meter.begin_life();
        watched.life += 1;
        watched.starts_h.push(hours);
    }

    /// Ends the watching. A life under way is closed as cut off.
    pub fn finish(mut self, run: &Run, seed: u64) -> Outcome {
        for robot in 0..self.watched.len() {
            if self.watched[robot].meter.ticks() > 0 && self.watched[robot].lives.is_empty() {
                self.end_life(run, robot, false);
            }
        }
        let subject = |(i, w): (usize, Watched)| Subject {
            name: w.name,
            lives: w.lives,
            seen: w.seen.finish(),
            module: w.module.finish(),
            coverage: w.meter.coverage,
            strongest: w.schema.strongest(&run.robots()[i].body),
            learned: w.schema.learned(),
            series: w.series,
            path: w.path,
            starts_h: w.starts_h,
            docked: w.docked,
        };
        let subjects = self.watched.into_iter().enumerate().map(subject).collect();
        let stations = (0..run.world().stations()).filter_map(|i| run.world().station_place(i));
        let stations_m = stations.map(|(at, _)| (at.x.into(), at.y.into())).collect();
        Outcome { title: self.title, seed, subjects, room: self.room, step: self.step, stations_m }
    }
}

fn recorder(subject: &str, step: TimeStep, title: &str, names: &[&str]) -> Recorder {
    let catalogue = Catalogue::of_states(title, names);
    // The names are constants of this crate and of the minds; they are distinct.
    let catalogue = catalogue.unwrap_or_else(|error| unreachable!("{title}: {error}"));
    Recorder::new(subject, step, catalogue, CAPACITY)
}

/// The run as text for a terminal.
///
/// # Errors
/// [`TableError`] only when the columns were declared wrongly.
pub fn describe(outcome: &Outcome) -> Result<String, TableError> {
    let mut text = String::new();
    for subject in &outcome.subjects {
        let _ = writeln!(text, "{}, {}, seed {}", outcome.title, subject.name, outcome.seed);
        text.push_str(&life_table(&subject.lives)?.to_text());
        text.push('\n');
        text.push_str(&budget(&subject.seen)?.to_text());
        text.push('\n');
    }
    Ok(text)
}

fn life_table(lives: &[LifeRecord]) -> Result<Table, TableError> {
    let shown = [0, 2, 3, 5, 6, 7, 8, 9];
    let mut headings = vec!["life", "end"];
    headings.extend(shown.map(|i: usize| MEASURES[i].heading));
    let row = |life: &LifeRecord| {
        let end = if life.died { "died" } else { "cut off" };
        let mut row = vec![(life.life + 1).to_string(), end.to_owned()];
        for i in shown {
            let measure = &MEASURES[i];
            let places = measure.decimals;
            let value = measure.of(life).map(|v| format!("{:.places$}", v * measure.scale));
            row.push(value.unwrap_or_else(|| "–".to_owned()));
        }
        row
    };
    of_rows(&headings, &lives.iter().map(row).collect::<Vec<_>>())
}

fn budget(record: &Ethogram) -> Result<Table, TableError> {
    let row = |(code, row): (usize, &tropism_ethology::ethogram::BudgetRow)| {
        let lengths = record.bout_lengths(code as u8);
        let median = lengths.and_then(|l| l.durations(record.step())).map(|d| d.median_s);
        let median = median.map_or_else(|| "–".to_owned(), |m| format!("{m:.2}"));
        let bouts = lengths.map_or(0, tropism_ethology::ethogram::DurationCounts::bouts);
        vec![
            record.catalogue().name(code as u8).to_owned(),
            format!("{:.1}", 100.0 * row.share),
            bouts.to_string(),
            median,
        ]
    };
    let rows: Vec<_> = record.time_budget().iter().enumerate().map(row).collect();
    of_rows(&["behaviour", "time %", "bouts", "median s"], &rows)
}

/// The run as a BORIS project, and its events as CSV.
///
/// The date is fixed: a simulated run has none, and equal runs give equal files.
pub fn boris(outcome: &Outcome) -> (String, String) {
    const DATE: &str = "2000-01-01T00:00:00";
    let names: Vec<_> = (outcome.subjects.iter())
        .map(|s| (format!("{} (module)", s.name), format!("{} (observed)", s.name)))
        .collect();
    let tracks = outcome.subjects.iter().zip(&names).flat_map(|(subject, (module, seen))| {
        [
            Track { subject: module, record: &subject.module },
            Track { subject: seen, record: &subject.seen },
        ]
    });
    let id = format!("{}-{}", outcome.title, outcome.seed);
    let description = "the controlling module and the observed behaviour of each robot";
    let observation = Observation { id: &id, description, date: DATE, tracks: tracks.collect() };
    let csv = tabular_csv(core::slice::from_ref(&observation));
    let project =
        Project { name: &outcome.title, description, date: DATE, observations: vec![observation] };
    (project_json(&project), csv)
}

/// All bouts of all robots, observed behaviour and controlling module, as CSV.
///
/// # Errors
/// [`TableError`] only when the columns were declared wrongly.
pub fn ethogram(outcome: &Outcome) -> Result<String, TableError> {
    let text = ["subject", "catalogue", "behaviour"];
    let number = ["start_s", "duration_s"];
    let columns = text.map(|n| Column::new(n, Kind::Text)).into_iter();
    let columns = columns.chain(number.map(|n| Column::new(n, Kind::F64)));
    let mut table = Table::new(columns.collect())?;
    for subject in &outcome.subjects {
        for record in [&subject.seen, &subject.module] {
            for bout in record.bouts() {
                let start = record.step().seconds_at(bout.start);
                table.push(&[
                    subject.name.as_str().into(),
                    record.catalogue().title().into(),
                    record.catalogue().name(bout.state).into(),
                    start.into(),
                    record.step().seconds_at(tropism_core::Tick(bout.ticks)).into(),
                ])?;
            }
        }
    }
    Ok(table.to_csv())
}

/// The run as a page with plots.
pub fn page(outcome: &Outcome) -> String {
    let mut report = Report::new(&format!("{}, seed {}", outcome.title, outcome.seed));
    for subject in &outcome.subjects {
        report = report.section(&subject.name);
        if let Ok(table) = life_table(&subject.lives) {
            report = report.table(&table, "Lives in order.");
        }
        for (figure, caption) in figures(outcome, subject) {
            report = match figure {
                Ok(figure) => report.figure(&figure, caption),
                Err(error) => report.text(&format!("{caption} Not drawn: {error}.")),
            };
        }
        if let Ok(table) = entries(&subject.strongest)
            && !subject.strongest.is_empty()
        {
            report = report.table(&table, "Strongest contingencies of all its lives.");
        }
    }
    report.render()
}

/// Contingencies in channel names as a table.
///
/// # Errors
/// [`TableError`] only when the columns were declared wrongly.
pub fn entries(entries: &[NamedEntry]) -> Result<Table, TableError> {
    let columns = ["did", "then felt", "needs high", "strength", "relief"];
    let mut table = Table::new(columns.map(|n| Column::new(n, Kind::Text)).to_vec())?;
    for entry in entries {
        table.push(&[
            entry.actions.join(" ").into(),
            entry.sensors.join(" ").into(),
            entry.needs.join(" ").into(),
            format!("{:.2}", entry.strength).into(),
            format!("{:+.5}", entry.relief).into(),
        ])?;
    }
    Ok(table)
}

type Figure = (Result<Svg, PlotError>, &'static str);

fn figures(outcome: &Outcome, subject: &Subject) -> Vec<Figure> {
    let shares = |record: &Ethogram| -> Vec<f64> {
        record.time_budget().iter().map(|row| row.share).collect()
    };
    let (seen, module) = (shares(&subject.seen), shares(&subject.module));
    let modules: Vec<_> =
        subject.module.catalogue().behaviours().iter().map(|b| b.name.as_str()).collect();
    let bar = [BudgetBar { name: "observed", shares: &seen }];
    let module_bar = [BudgetBar { name: "module", shares: &module }];
    let lines: Vec<_> = (0..BEHAVIOURS.len())
        .filter_map(|state| {
            let lengths = subject.seen.bout_lengths(state as u8)?;
            Some((BEHAVIOURS[state], lengths.log_survivorship(subject.seen.step())))
        })
        .collect();
    let bouts: Vec<_> = lines.iter().map(|(name, points)| BoutSeries { name, points }).collect();
    vec![
        (needs(subject), "Charge, surprise, startle and drives over the run; bands show docking."),
        (path(outcome, subject), PATH_CAPTION),
        (
            coverage(outcome, &subject.coverage),
            "Time per cell of 0.1 m, in s, on a logarithmic scale; empty cells were never visited.",
        ),
        (plot::time_budget(&BEHAVIOURS, &bar), "Time budget of the observed behaviour."),
        (plot::time_budget(&modules, &module_bar), "Time budget of the controlling module."),
        (plot::transition_matrix(subject.seen.transitions()), "Transitions between behaviours."),
        (plot::log_survivorship(&bouts), "Log-survivorship of the bouts."),
    ]
}

fn line<'a>(name: &'a str, points: &'a [(f64, f64)]) -> Series<'a> {
    Series { name, points, band: &[], mark: Mark::Line }
}

fn needs(subject: &Subject) -> Result<Svg, PlotError> {
    let s = &subject.series;
    let panel = |y_label, series, y| Panel { y_label, series, y };
    // A panel of one line is named by its axis; the legend is for the drives.
    let mut panels = vec![panel("charge", vec![line("", &s[0])], Some((0.0, 1.0)))];
    if !s[1].is_empty() {
        panels.push(panel("surprise", vec![line("", &s[1])], Some((0.0, 1.0))));
        panels.push(panel("startle", vec![line("", &s[3])], None));
        let drives: Vec<_> =
            Need::ALL.iter().zip(&s[4..]).map(|(need, points)| line(need.name(), points)).collect();
        let (body, mind) = drives.split_at(drives.len() / 2);
        panels.push(panel("drives", body.to_vec(), None));
        panels.push(panel("drives", mind.to_vec(), None));
    }
    let shade = |(from, to): &(f64, f64)| Shade { name: "docked", from: *from, to: *to };
    let shades = subject.docked.iter().map(shade).collect();
    plot::panels(&Panels { panels, shades, x_label: "time (h)" })
}

const PATH_CAPTION: &str = "Path of the robot, at most the last 2000 samples; walls and obstacles \
                            in grey.";

/// Corners of a disc's outline.
const DISC_CORNERS: u16 = 32;

/// Closed outlines of a room and what stands in it.
fn outlines(room: &Room) -> Vec<Vec<(f64, f64)>> {
    let point = |v: tropism_world::Vec2| (f64::from(v.x), f64::from(v.y));
    let (min, max) = (point(room.min), point(room.max));
    let mut outlines = vec![vec![min, (max.0, min.1), max, (min.0, max.1)]];
    outlines.extend(room.segments.iter().map(|s| vec![point(s.from), point(s.to)]));
    outlines.extend(
        room.polygons.iter().map(|p| p.corners.iter().map(|c| point(*c)).collect::<Vec<_>>()),
    );
    outlines.extend(room.discs.iter().map(|disc| {
        let (center, radius) = (point(disc.center), f64::from(disc.radius_m));
        (0..DISC_CORNERS)
            .map(|i| {
                let turn = core::f64::consts::TAU * f64::from(i) / f64::from(DISC_CORNERS);
                let (sin, cos) = (math::sin(turn), math::cos(turn));
                (center.0 + radius * cos, center.1 + radius * sin)
            })
            .collect()
    }));
    outlines
}

fn path(outcome: &Outcome, subject: &Subject) -> Result<Svg, PlotError> {
    let count = subject.path.len().min(2_000);
    let last = &subject.path[subject.path.len() - count..];
    let room = &outcome.room;
    let places: Vec<_> = (outcome.stations_m.iter().map(|at| ("station", *at))).collect();
    plot::path(&PathMap {
        ways: &[(&subject.name, last)],
        outlines: &outlines(room),
        places: &places,
        x: (room.min.x.into(), room.max.x.into()),
        y: (room.min.y.into(), room.max.y.into()),
    })
}

/// Time per cell as a heat map.
///
/// # Errors
/// [`PlotError`] when there is nothing to draw.
pub fn coverage(outcome: &Outcome, map: &Coverage) -> Result<Svg, PlotError> {
    heat(&outcome.room, map, outcome.step)
}

/// Time per cell of a room as a heat map.
///
/// # Errors
/// [`PlotError`] when there is nothing to draw.
pub fn heat(room: &Room, map: &Coverage, step: TimeStep) -> Result<Svg, PlotError> {
    let log10 = |ticks: &u32| {
        let seconds = f64::from(*ticks) * f64::from(step.seconds());
        if *ticks == 0 { f64::NAN } else { math::ln(seconds) / core::f64::consts::LN_10 }
    };
    let values: Vec<f64> = map.ticks.iter().map(log10).collect();
    plot::heat_map(&HeatMap {
        columns: map.columns,
        values: &values,
        x: (room.min.x.into(), room.max.x.into()),
        y: (room.min.y.into(), room.max.y.into()),
        x_label: "x (m)",
        y_label: "y (m)",
        value_label: "log10 of time (s)",
    })
}

impl Subject {
    /// Hours at which its lives began.
    pub fn starts_h(&self) -> &[f64] {
        &self.starts_h
    }
}
